//! A child's history: who changed what, and when. Every guardian of the child sees it, so that no change stays hidden from the
//! others. Of guardians only ids are stored; their names are looked up on reading.

pub mod api;
mod details;
mod store;

pub use details::Details;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::feature::{Feature, Shown, tables};
use super::{ChildAccess, ChildId, Children, ChildrenError};
use crate::identity::{Caller, GuardianId, Guardians, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, Cursor, NotACursor, Read, Store, StoreError};

pub static FEATURE: Feature = Feature {
    kinds: &[store::KIND],
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    shown: &[Shown::Part("history", || tables(&[store::KIND]))],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[],
    session_fields: &[],
};

#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The cursor is invalid.
    #[error(transparent)]
    Cursor(#[from] NotACursor),
    /// The child was removed.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! { HistoryError from Cursor, Children, Store }

/// What a guardian changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "Change", rename_all = "snake_case")]
pub enum Changed {
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
    /// A session was deleted; it can be restored.
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
    /// The month in which the child was born was given, changed or removed.
    BirthMonth,
    /// The language that the child speaks with its assistants was said, changed or removed.
    Language,
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
    /// Deletion of the child was requested.
    ErasureAsked,
    /// Deletion of the child was confirmed.
    ErasureConfirmed,
    /// Deletion of the child was cancelled.
    ErasureStopped,
    /// Guardians kept an assistant's key although a former guardian had seen it.
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
    /// That was confirmed.
    ReviewerConfirmed,
    /// It was switched off.
    ReviewerOff,
    /// Alerts of being hurt at home were switched on.
    ReviewerHomeOn,
    /// They were switched off.
    ReviewerHomeOff,
    /// Made-up questions were sent to an assistant's model.
    RulesTried,
}

/// One change, also as it is stored.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub at: Timestamp,
    pub what: Changed,
    /// `None` for an author who isn't in the file that the entry was imported from.
    pub by: Option<GuardianId>,
    /// How many changes of this kind the entry counts; its time is the last one's.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub times: u64,
    /// `None` in older entries, in those that count several changes, and for changes without any.
    pub details: Option<Details>,
}

const fn once() -> u64 {
    1
}

// serde passes a reference.
const fn is_once(times: &u64) -> bool {
    *times == 1
}

impl Entry {
    pub const fn new(at: Timestamp, what: Changed, by: Option<GuardianId>) -> Self {
        Self {
            at,
            what,
            by,
            times: 1,
            details: None,
        }
    }

    #[must_use]
    pub fn with(self, details: Option<Details>) -> Self {
        Self { details, ..self }
    }
}

/// A guardian who changed something, as another guardian of the child sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// Whether the author is the reader.
    pub is_you: bool,
    /// `None` if no name was given.
    pub name: Option<String>,
}

/// `None` for a former guardian.
pub type AuthoredEntry = (Entry, Option<Author>);

#[derive(Debug)]
pub struct HistoryPage {
    pub entries: Vec<AuthoredEntry>,
    /// The cursor of the next page; `None` on the last one.
    pub next: Option<String>,
    /// The number of unreadable entries that are missing from the page.
    pub unreadable: u64,
}

/// Does what [`History::record`] does. For a [`Trigger`](crate::kernel::store::Trigger), which has no [`History`].
pub fn record(change: &mut Change, child: ChildId, mut entry: Entry) -> Result<(), StoreError> {
    if let Some((repeated, times)) = store::repeated(change, child, &entry)? {
        change.remove(&repeated)?;
        entry.times = entry.times.saturating_add(times);
        entry.details = None;
    }
    store::add(change, child, &entry)
}

#[derive(Clone)]
pub struct History {
    store: Store,
    children: Children,
    guardians: Guardians,
}

impl History {
    pub fn new(store: Store, children: Children, guardians: Guardians) -> Self {
        Self {
            store,
            children,
            guardians,
        }
    }

    /// Records a change, in the change's own commit. After twenty entries by one guardian within ten minutes, an entry is
    /// merged with their last one of its kind, so that nobody can fill the disk or push the others' entries out of sight.
    pub fn record(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        entry: Entry,
    ) -> Result<(), StoreError> {
        record(change, access.child(), entry)
    }

    /// Imports an entry without merging it with others.
    pub fn import(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        entry: &Entry,
    ) -> Result<(), StoreError> {
        store::add(change, access.child(), entry)
    }

    /// Returns the child's whole history, oldest first, and the number of unreadable entries.
    pub fn list_all(&self, access: &ChildAccess) -> Result<(Vec<Entry>, u64), StoreError> {
        let (mut entries, unreadable) = store::all(&self.store, access.child())?;
        entries.reverse();
        Ok((entries, unreadable))
    }

    /// Returns a page of the child's history, newest first. Fails with [`HistoryError::Cursor`] for an invalid cursor.
    pub fn list(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        before: Option<&str>,
        limit: usize,
    ) -> Result<HistoryPage, HistoryError> {
        let before = before.map(Cursor::parse).transpose()?;
        let page = store::page(&self.store, access.child(), before.as_ref(), limit)?;
        let mut entries = Vec::with_capacity(page.rows.len());
        for row in &page.rows {
            let entry = row.record::<Entry>()?;
            let author = match &entry.by {
                Some(by) => self.author(&self.store, access, reader, by)?,
                None => None,
            };
            entries.push((entry, author));
        }
        let next = page.next();
        let unreadable = page.unreadable;
        Ok(HistoryPage {
            entries,
            next,
            unreadable,
        })
    }

    /// Returns how `reader` sees this guardian; `None` for a former guardian of the child.
    pub fn author(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        reader: &SignedIn,
        by: &GuardianId,
    ) -> Result<Option<Author>, StoreError> {
        let has_child = self
            .children
            .of(Caller::Guardian(by.clone()), access.child());
        match has_child {
            Ok(_) => {}
            Err(ChildrenError::Store(error)) => return Err(error),
            Err(_) => return Ok(None),
        }
        Ok(Some(Author {
            is_you: by == reader.guardian(),
            name: self.guardians.name_of(view, by)?,
        }))
    }
}
