//! The API's representation of deleted sessions.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::children::Period;
use crate::children::SessionId;
use crate::children::history::api::AuthorView;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::wire::{Text, at_most};
use crate::retention::DeletedSession;

/// A session in 'Recently deleted'.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "DeletedSession", skip_serializing_if_is_none)]
pub struct DeletedSessionView {
    /// The session's number.
    session_id: SessionId,
    /// The topic, if the assistant gave one.
    topic: Option<Text<200>>,
    /// When it began, if the assistant gave a time.
    start_time: Option<Timestamp>,
    /// When it began, as far as known.
    date: Timestamp,
    /// The time of the newest message; omitted if unknown.
    last_message_time: Option<Timestamp>,
    message_count: u64,
    /// When it was deleted.
    deleted_at: Timestamp,
    /// When it is erased permanently; until then it can be restored. This is seven days after it was deleted, and after
    /// the end of the day (UTC) on which it was shown here to each other guardian, at the latest 90 days after it was deleted. Until
    /// it was shown to all of them, the latest time is given; the caller is told of another guardian's day once it is over. If words arrive in it later, both periods begin anew, and every guardian must be shown it.
    restorable_until: Timestamp,
    /// `true` while the caller has not been shown it here. Whoever deleted it needs to be shown it only if words arrived later.
    unseen: Option<bool>,
    /// Who deleted it; omitted for a former guardian, and if it was deleted for its age.
    by: Option<AuthorView>,
    /// It was deleted because it was older than this number of days; omitted if a guardian deleted it.
    older_than_days: Option<Period>,
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
            restorable_until: deleted.until,
            unseen: deleted.unseen.then_some(true),
            by: deleted.by.map(AuthorView::from),
            older_than_days: deleted.older_than,
        }
    }
}

/// A page of 'Recently deleted'.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "DeletedPage", skip_serializing_if_is_none)]
pub struct DeletedPageView {
    /// Most recently deleted first.
    pub(super) items: Vec<DeletedSessionView>,
    /// Whether the caller may erase them permanently, as the child's only guardian.
    pub(super) may_erase: bool,
    /// The `before` of the next page. Omitted on the last one.
    pub(super) next: Option<String>,
}

/// The sessions in 'Recently deleted' that were shown.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct ShownDeletedRequest {
    #[serde(deserialize_with = "at_most::<500, _, _>")]
    #[oai(validator(max_items = 500))]
    pub(super) sessions: Vec<SessionId>,
}
