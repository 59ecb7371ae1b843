//! The API's representation of deleted sessions.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::children::SessionId;
use crate::children::history::api::AuthorView;
use crate::kernel::clock::Timestamp;
use crate::kernel::wire::{Text, at_most};
use crate::retention::DeletedSession;

/// A session in 'Recently deleted'.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "DeletedSession")]
pub struct DeletedSessionView {
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
    /// When it was deleted.
    deleted_at: Timestamp,
    /// Until when it can be restored. Then it is erased permanently: seven days after it was deleted and each other guardian was
    /// shown it here, 90 days after it was deleted at the latest. Until they were shown it, it is that latest time.
    until: Timestamp,
    /// `true` while the caller, who didn't delete it, is not recorded as having been shown it here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    unseen: Option<bool>,
    /// Who deleted it; left out for a former guardian.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    by: Option<AuthorView>,
}

impl From<DeletedSession> for DeletedSessionView {
    fn from(deleted: DeletedSession) -> Self {
        let session = deleted.session;
        Self {
            session_id: session.session_id,
            topic: session.topic.and_then(|topic| Text::new(topic).ok()),
            start_time: session.start_time,
            date: deleted.date,
            last_message_time: session.last_message_time,
            message_count: session.message_count,
            deleted_at: deleted.at,
            until: deleted.until,
            unseen: deleted.unseen.then_some(true),
            by: deleted.by.map(AuthorView::from),
        }
    }
}

/// A page of 'Recently deleted'.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "DeletedPage")]
pub struct DeletedPageView {
    /// Most recently deleted first.
    pub(super) sessions: Vec<DeletedSessionView>,
    /// Whether you may erase them permanently: you are the child's only guardian.
    pub(super) may_erase: bool,
    /// For `before`, to get the next page; left out on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub(super) next: Option<String>,
}

/// The sessions in 'Recently deleted' that were shown.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct ShownDeletedRequest {
    /// The sessions.
    #[serde(deserialize_with = "at_most::<500, _, _>")]
    #[oai(validator(max_items = 500))]
    pub(super) sessions: Vec<SessionId>,
}
