//! API for guardians: a child's history.

use poem_openapi::param::Path;
use poem_openapi::{Enum, Object, OpenApi};
use serde::Serialize;

use super::{Author, Changed, Details, History};
use crate::children::api::{Tag, no_words};
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{CHILD, MALFORMED, Refused};
use crate::kernel::http::wire::{Listed, PageMarker, PageSize, Query, Text};
use crate::kernel::store::JsonRows;

/// What a guardian changed.
#[derive(Debug, Enum, Serialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "Change", rename_all = "snake_case")]
pub enum ChangeView {
    /// The blocked topics.
    BlockedTopics,
    /// The notes for the assistant about the child.
    Context,
    /// The quiet hours.
    QuietHours,
    /// The daily limit in minutes.
    MinutesADay,
    /// The child's time zone.
    TimeZone,
    /// Talking was paused, or the end of a pause changed.
    Paused,
    /// A pause was ended early.
    PauseEnded,
    /// A session was moved to another child.
    SessionMovedAway,
    /// A session was moved here from another child.
    SessionMovedHere,
    /// A session was deleted; it can be restored for at least seven days.
    SessionDeleted,
    /// A deleted session was restored.
    SessionUndeleted,
    /// A deleted session was erased permanently.
    SessionDeletedPermanently,
    /// A session was marked: somebody else talked, not the child.
    SessionNotChild,
    /// That mark was removed.
    SessionIsChild,
    /// The child was added.
    ChildAdded,
    /// The child was renamed.
    ChildRenamed,
    /// An assistant was connected.
    AssistantConnected,
    /// An assistant was renamed.
    AssistantRenamed,
    /// An assistant got a new key.
    AssistantRotated,
    /// An assistant was given a model's server, another one, or none.
    AssistantUpstream,
    /// An assistant was revoked.
    AssistantRevoked,
    /// The child was removed from an assistant.
    AssistantTakenOff,
    /// Another guardian was invited.
    GuardianInvited,
    /// An invitation was confirmed.
    InvitationConfirmed,
    /// An invitation was cancelled.
    InvitationStopped,
    /// An invited guardian got access to the child.
    GuardianJoined,
    /// A guardian gave up access to the child.
    GuardianLeft,
    /// The deletion of the child was requested.
    ErasureAsked,
    /// The deletion of the child was confirmed.
    ErasureConfirmed,
    /// The request to delete the child was cancelled.
    ErasureStopped,
    /// A guardian kept an assistant's key although a former guardian has seen it.
    KeyKept,
    /// The edition of the page for the child was chosen.
    PageForChild,
    /// It was set for how long conversations are kept.
    Retention,
    /// Keeping conversations for a shorter time was requested.
    RetentionAsked,
    /// That request was confirmed.
    RetentionConfirmed,
    /// That request was cancelled.
    RetentionStopped,
    /// What the child was curious about is shown to its guardians.
    CuriousOn,
    /// It is no longer shown.
    CuriousOff,
    /// A model that reads along was switched on.
    ReviewerOn,
    /// A model that another guardian switched on was confirmed.
    ReviewerConfirmed,
    /// A model that reads along was switched off.
    ReviewerOff,
    /// The guardians get alerts if the child is hurt at home.
    ReviewerHomeOn,
    /// They no longer get them.
    ReviewerHomeOff,
}

impl From<Changed> for ChangeView {
    fn from(changed: Changed) -> Self {
        match changed {
            Changed::BlockedTopics => Self::BlockedTopics,
            Changed::Context => Self::Context,
            Changed::QuietHours => Self::QuietHours,
            Changed::MinutesADay => Self::MinutesADay,
            Changed::TimeZone => Self::TimeZone,
            Changed::Paused => Self::Paused,
            Changed::PauseEnded => Self::PauseEnded,
            Changed::SessionMovedAway => Self::SessionMovedAway,
            Changed::SessionMovedHere => Self::SessionMovedHere,
            Changed::SessionDeleted => Self::SessionDeleted,
            Changed::SessionUndeleted => Self::SessionUndeleted,
            Changed::SessionDeletedPermanently => Self::SessionDeletedPermanently,
            Changed::SessionNotChild => Self::SessionNotChild,
            Changed::SessionIsChild => Self::SessionIsChild,
            Changed::ChildAdded => Self::ChildAdded,
            Changed::ChildRenamed => Self::ChildRenamed,
            Changed::AssistantConnected => Self::AssistantConnected,
            Changed::AssistantRenamed => Self::AssistantRenamed,
            Changed::AssistantRotated => Self::AssistantRotated,
            Changed::AssistantUpstream => Self::AssistantUpstream,
            Changed::AssistantRevoked => Self::AssistantRevoked,
            Changed::AssistantTakenOff => Self::AssistantTakenOff,
            Changed::GuardianInvited => Self::GuardianInvited,
            Changed::InvitationConfirmed => Self::InvitationConfirmed,
            Changed::InvitationStopped => Self::InvitationStopped,
            Changed::GuardianJoined => Self::GuardianJoined,
            Changed::GuardianLeft => Self::GuardianLeft,
            Changed::ErasureAsked => Self::ErasureAsked,
            Changed::ErasureConfirmed => Self::ErasureConfirmed,
            Changed::ErasureStopped => Self::ErasureStopped,
            Changed::KeyKept => Self::KeyKept,
            Changed::PageForChild => Self::PageForChild,
            Changed::Retention => Self::Retention,
            Changed::RetentionAsked => Self::RetentionAsked,
            Changed::RetentionConfirmed => Self::RetentionConfirmed,
            Changed::RetentionStopped => Self::RetentionStopped,
            Changed::CuriousOn => Self::CuriousOn,
            Changed::CuriousOff => Self::CuriousOff,
            Changed::ReviewerOn => Self::ReviewerOn,
            Changed::ReviewerConfirmed => Self::ReviewerConfirmed,
            Changed::ReviewerOff => Self::ReviewerOff,
            Changed::ReviewerHomeOn => Self::ReviewerHomeOn,
            Changed::ReviewerHomeOff => Self::ReviewerHomeOff,
        }
    }
}

/// A guardian, as shown to the guardians of a child.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Author")]
pub struct AuthorView {
    /// Whether this is the caller.
    is_you: bool,
    /// Their name; omitted if none was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    name: Option<Text<200>>,
}

impl From<Author> for AuthorView {
    fn from(author: Author) -> Self {
        Self {
            is_you: author.is_you,
            name: author.name.and_then(|name| Text::new(name).ok()),
        }
    }
}

/// What exactly was changed.
#[derive(Object, Serialize)]
#[oai(rename = "ChangeDetails")]
struct DetailsView {
    /// Topics that were blocked, or quiet hours that were added, such as `20:30/07:00`; at most 5.
    #[oai(validator(max_items = 5))]
    added: Vec<String>,
    /// Topics that were unblocked, or quiet hours that were removed; at most 5.
    #[oai(validator(max_items = 5))]
    removed: Vec<String>,
    /// The number of those that were left out.
    more: u64,
    /// The new daily limit in minutes, time zone or end of the pause. Omitted if the limit was removed, or the pause has no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    value: Option<String>,
}

impl From<Details> for DetailsView {
    fn from(details: Details) -> Self {
        Self {
            added: details.added,
            removed: details.removed,
            more: details.more,
            value: details.value,
        }
    }
}

/// One change.
#[derive(Object, Serialize)]
struct HistoryEntry {
    at: Timestamp,
    /// What was changed.
    what: ChangeView,
    /// The number of changes of this kind that the entry counts, with the time of the last one; omitted for one change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none, validator(minimum(value = "2")))]
    times: Option<u64>,
    /// Who changed it; omitted for a former guardian.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    by: Option<AuthorView>,
    /// What exactly was changed; omitted for older entries, several changes, and changes without details.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    details: Option<DetailsView>,
}

/// A page of a child's history.
#[derive(Object, Serialize)]
#[oai(rename = "HistoryPage")]
struct HistoryPageView {
    /// Newest first.
    entries: Vec<HistoryEntry>,
    /// The `before` of the next page. Omitted on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    next: Option<String>,
}

pub struct HistoryApi {
    pub children: Children,
    pub history: History,
}

#[OpenApi(tag = "Tag::Children")]
impl HistoryApi {
    /// List the changes of a child, newest first
    #[oai(
        path = "/child/:childId/history",
        method = "get",
        operation_id = "listHistory",
        transform = "no_words"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `next` of the previous page.
        before: Query<Option<PageMarker>>,
        /// The page size; 50 by default.
        limit: Query<Option<PageSize>>,
    ) -> Result<Listed<HistoryPageView>, Refused<{ CHILD | MALFORMED }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let before = before.0.as_ref().map(PageMarker::as_str);
        let limit = PageSize::rows(limit.0);
        let page = self.history.list(&access, &guardian.0, before, limit)?;
        let entries = page.entries.into_iter().map(|(entry, by)| HistoryEntry {
            at: entry.at,
            what: entry.what.into(),
            times: Some(entry.times).filter(|times| *times > 1),
            by: by.map(AuthorView::from),
            details: entry.details.map(DetailsView::from),
        });
        let answer = HistoryPageView {
            entries: entries.collect(),
            next: page.next,
        };
        Ok(JsonRows::of(&answer, page.unreadable).into())
    }
}
