//! A child's history: who changed what of it, and when. Its guardians see it, so that none of them changes anything behind
//! another's back. Only ids are kept; names are looked up when it is read.

pub mod api;
mod store;

use serde::{Deserialize, Serialize};

use super::{ChildAccess, Children, ChildrenError};
use crate::identity::{Caller, GuardianId, Guardians, SignedIn};
use crate::kernel::clock::Timestamp;
use crate::kernel::problem::Refusal;
use crate::kernel::store::{Change, Cursor, NotACursor, Read, RecordKind, Store, StoreError};

/// What the table of the history holds.
pub const KIND: RecordKind = store::KIND;

/// Why the history was refused.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The page marker is not one of ours.
    #[error(transparent)]
    Cursor(#[from] NotACursor),
    /// The child is gone.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<HistoryError> for Refusal {
    fn from(error: HistoryError) -> Self {
        match error {
            HistoryError::Cursor(error) => Self::malformed(error.to_string()),
            HistoryError::Children(error) => error.into(),
            HistoryError::Store(error) => error.into(),
        }
    }
}

/// What a guardian changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
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

/// One change. This is also its stored form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When it was made.
    pub at: Timestamp,
    /// What was changed.
    pub what: Changed,
    /// Who changed it; `None` for somebody who is not in the file that it was brought in from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<GuardianId>,
    /// For how many changes of this kind it stands, the last of them.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub times: u64,
}

const fn once() -> u64 {
    1
}

// serde passes a reference.
const fn is_once(times: &u64) -> bool {
    *times == 1
}

impl Entry {
    /// One change.
    pub const fn new(at: Timestamp, what: Changed, by: Option<GuardianId>) -> Self {
        Self {
            at,
            what,
            by,
            times: 1,
        }
    }
}

/// A guardian who changed something, as another guardian of the child sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// Whether it is the one who asks.
    pub is_you: bool,
    /// What to call them, if anybody said.
    pub name: Option<String>,
}

/// An entry and its author; `None` for a guardian who is no longer here.
pub type AuthoredEntry = (Entry, Option<Author>);

/// A part of a history.
#[derive(Debug)]
pub struct HistoryPage {
    /// Newest first.
    pub entries: Vec<AuthoredEntry>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<String>,
    /// How many entries cannot be read and are not in it.
    pub unreadable: u64,
}

/// The history's façade. Clones share it.
#[derive(Clone)]
pub struct History {
    store: Store,
    children: Children,
    guardians: Guardians,
}

impl History {
    /// Sets the history up.
    pub fn new(store: Store, children: Children, guardians: Guardians) -> Self {
        Self {
            store,
            children,
            guardians,
        }
    }

    /// Notes a change, in the change itself. Who makes twenty within ten minutes fills no disk and buries nothing: from then on an
    /// entry takes the place of their last one of its kind, and counts it.
    pub fn note(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        mut entry: Entry,
    ) -> Result<(), StoreError> {
        if let Some((repeated, times)) = store::repeated(change, access.child(), &entry)? {
            change.remove(&repeated)?;
            entry.times = entry.times.saturating_add(times);
        }
        store::add(change, access.child(), &entry)
    }

    /// Adds an entry of a history that is brought in, as it is.
    pub fn bring_in(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        entry: &Entry,
    ) -> Result<(), StoreError> {
        store::add(change, access.child(), entry)
    }

    /// The whole history of the child, oldest first, and how many entries cannot be read.
    pub fn list_all(&self, access: &ChildAccess) -> Result<(Vec<Entry>, u64), StoreError> {
        let (mut entries, unreadable) = store::all(&self.store, access.child())?;
        entries.reverse();
        Ok((entries, unreadable))
    }

    /// A page of the child's history, newest first.
    ///
    /// # Errors
    ///
    /// [`HistoryError::Cursor`], or the store's.
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

    /// Who this is to the one who reads; `None` for a guardian who no longer has the child.
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

    /// Erases a part of the child's history; whether there was anything.
    pub fn erase_some(
        &self,
        change: &mut Change,
        access: &ChildAccess,
    ) -> Result<bool, StoreError> {
        store::erase_some(change, access.child())
    }
}
