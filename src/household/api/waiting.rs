//! The API's form of the answers to a request.

use poem_openapi::Object;
use serde::Serialize;

use crate::household::Waiting;
use crate::kernel::host::clock::Timestamp;

/// The caller's answer to a request, and when the request takes effect.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Answers")]
pub struct WaitingView {
    /// Whether it was shown to the caller.
    shown: bool,
    /// Whether the caller has confirmed it.
    confirmed: bool,
    /// When it takes effect unless a guardian cancels it: a whole day (UTC), more than seven days after it was shown to every
    /// other guardian. Omitted until then; the caller is told of another guardian's day once it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    due_at: Option<Timestamp>,
}

impl From<Waiting> for WaitingView {
    fn from(waiting: Waiting) -> Self {
        Self {
            shown: waiting.shown,
            confirmed: waiting.confirmed,
            due_at: waiting.due_at,
        }
    }
}
