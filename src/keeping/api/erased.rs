//! The API's representation of deleted sessions.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::children::SessionId;
use crate::children::history::api::AuthorView;
use crate::keeping::ErasedSession;
use crate::kernel::clock::Timestamp;
use crate::kernel::wire::Text;

/// A session in 'Recently erased'.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "ErasedSession")]
pub struct ErasedSessionView {
    /// The session's number.
    session_id: SessionId,
    /// What it is about, if the assistant said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    topic: Option<Text<200>>,
    /// When it began, if the assistant said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    start_time: Option<Timestamp>,
    /// When it began, as far as that is known.
    date: Timestamp,
    /// When the newest message was said; left out when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    last_message_time: Option<Timestamp>,
    /// How many messages there are.
    message_count: u64,
    /// When it was erased.
    erased_at: Timestamp,
    /// Until when it can be brought back. Then it is erased for good: seven days after it was erased and each other guardian was
    /// shown it here, 90 days after it was erased at the latest. Until they were shown it, it is that latest time.
    until: Timestamp,
    /// `true` while the caller, who didn't erase it, is not recorded as having been shown it here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    unseen: Option<bool>,
    /// Who erased it; left out for a guardian who is no longer here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    by: Option<AuthorView>,
}

impl From<ErasedSession> for ErasedSessionView {
    fn from(erased: ErasedSession) -> Self {
        let session = erased.session;
        Self {
            session_id: session.session_id,
            topic: session.topic.and_then(|topic| Text::new(topic).ok()),
            start_time: session.start_time,
            date: erased.date,
            last_message_time: session.last_message_time,
            message_count: session.message_count,
            erased_at: erased.at,
            until: erased.until,
            unseen: erased.unseen.then_some(true),
            by: erased.by.map(AuthorView::from),
        }
    }
}

/// A page of 'Recently erased'.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "ErasedPage")]
pub struct ErasedPageView {
    /// The one that was erased last first.
    pub(super) sessions: Vec<ErasedSessionView>,
    /// Whether you may erase them now: you are the child's only guardian.
    pub(super) may_erase_now: bool,
    /// For `before`, to get the next page; left out on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub(super) next: Option<String>,
}

/// The sessions in 'Recently erased' that were shown.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct ShownErasedRequest {
    /// The sessions.
    #[oai(validator(max_items = 500))]
    pub(super) sessions: Vec<SessionId>,
}
