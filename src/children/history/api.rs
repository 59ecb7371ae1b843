//! A child's history, for its guardians.

use poem_openapi::param::Path;
use poem_openapi::{Enum, Object, OpenApi};
use serde::Serialize;

use super::{Author, Changed, History};
use crate::children::api::Tag;
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::clock::Timestamp;
use crate::kernel::problem::{CHILD, MALFORMED, Refused};
use crate::kernel::store::JsonRows;
use crate::kernel::wire::{Listed, PageMarker, PageSize, Query, Text};

/// What a guardian changed.
#[derive(Debug, Enum, Serialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "Change", rename_all = "snake_case")]
pub enum ChangeView {
    /// The blocked topics.
    BlockedTopics,
    /// What the assistant should know of the child.
    Context,
    /// The quiet hours.
    QuietHours,
    /// The minutes a day.
    MinutesADay,
    /// The child's time zone.
    TimeZone,
    /// Talking was paused, or paused for another time.
    Paused,
    /// The pause was ended.
    PauseEnded,
    /// A session was moved to another child.
    SessionMovedAway,
    /// A session was moved here from another child.
    SessionMovedHere,
    /// A session was put into 'Recently erased'.
    SessionErased,
    /// A session was brought back from there.
    SessionBroughtBack,
    /// A session in 'Recently erased' was erased for good.
    SessionErasedNow,
    /// The child was added.
    ChildAdded,
    /// The child was given another name.
    ChildRenamed,
    /// An assistant was connected.
    AssistantConnected,
    /// An assistant was given another name.
    AssistantRenamed,
    /// An assistant was given a new key.
    AssistantRotated,
    /// An assistant was revoked.
    AssistantRevoked,
    /// The child was taken off an assistant.
    AssistantTakenOff,
    /// Another guardian was invited.
    GuardianInvited,
    /// An invitation was confirmed.
    InvitationConfirmed,
    /// An invitation was stopped.
    InvitationStopped,
    /// A guardian who was invited sees the child from now on.
    GuardianJoined,
    /// A guardian left the child.
    GuardianLeft,
    /// Erasing the child was asked for.
    ErasureAsked,
    /// Erasing the child was confirmed.
    ErasureConfirmed,
    /// Erasing the child was stopped.
    ErasureStopped,
    /// An assistant kept a key that somebody was shown who is no longer a guardian.
    KeyKept,
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
            Changed::SessionErased => Self::SessionErased,
            Changed::SessionBroughtBack => Self::SessionBroughtBack,
            Changed::SessionErasedNow => Self::SessionErasedNow,
            Changed::ChildAdded => Self::ChildAdded,
            Changed::ChildRenamed => Self::ChildRenamed,
            Changed::AssistantConnected => Self::AssistantConnected,
            Changed::AssistantRenamed => Self::AssistantRenamed,
            Changed::AssistantRotated => Self::AssistantRotated,
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
        }
    }
}

/// A guardian of the child.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Author")]
pub struct AuthorView {
    /// Whether it is whoever asks.
    is_you: bool,
    /// What to call them; left out when nobody said.
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

/// One change.
#[derive(Debug, Object, Serialize)]
struct HistoryEntry {
    /// When it was made.
    at: Timestamp,
    /// What was changed.
    what: ChangeView,
    /// For how many changes of this kind it stands, the last of them, when a guardian made very many; left out for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none, validator(minimum(value = "2")))]
    times: Option<u64>,
    /// Who changed it; left out for a guardian who is no longer here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    by: Option<AuthorView>,
}

/// A page of a child's history.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "HistoryPage")]
struct HistoryPageView {
    /// Newest first.
    entries: Vec<HistoryEntry>,
    /// For `before`, to get the next page; left out on the last one.
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
    /// List who changed what of a child, newest first
    #[oai(
        path = "/child/:childId/history",
        method = "get",
        operation_id = "listHistory"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// Where the page before ended: its `next`.
        before: Query<Option<PageMarker>>,
        /// How many, 50 when left out.
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
        });
        let answer = HistoryPageView {
            entries: entries.collect(),
            next: page.next,
        };
        Ok(JsonRows::of(&answer, page.unreadable).into())
    }
}
