//! The API's form of the answers to a request.

use poem_openapi::Object;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::household::answers::Answers;
use crate::kernel::host::clock::Timestamp;

/// The caller's answer to a request, and when the request takes effect.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Answers", skip_serializing_if_is_none)]
pub struct AnswersView {
    /// Whether it was shown to the caller.
    shown: bool,
    /// Whether the caller has confirmed it.
    confirmed: bool,
    /// When it takes effect unless a guardian cancels it: a whole day (UTC), more than seven days after it was shown to every
    /// other guardian. Omitted until then; the caller is told of another guardian's day once it is over.
    due_at: Option<Timestamp>,
}

impl From<Answers> for AnswersView {
    fn from(answers: Answers) -> Self {
        Self {
            shown: answers.shown,
            confirmed: answers.confirmed,
            due_at: answers.due_at,
        }
    }
}
