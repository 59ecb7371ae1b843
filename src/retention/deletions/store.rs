//! Records of deletions, newest first, and what is to be looked for.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::Record;
use crate::children::{ChildId, SessionId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Change, Cursor, Key, Page, Read, RecordKind, RequiredUpTo, StoreError, Table, readable,
};

/// Records of deleted sessions, by child and by the time at which the run began, newest first. The other tables have the same
/// keys.
pub const DELETION: Table = Table::new("deletion");
const PENDING: Table = Table::new("deletion-pending");
/// Some of the sessions of a pending record; the key ends with a number.
const SESSIONS: Table = Table::new("deletion-sessions");

/// The same for deleted children: these tables are not erased with the child.
const CHILD_DELETION: Table = Table::new("child-deletion");
const CHILD_PENDING: Table = Table::new("child-deletion-pending");
const CHILD_SESSIONS: Table = Table::new("child-deletion-sessions");

/// The tables whose rows outlast their child.
pub(super) const OF_DELETED_CHILDREN: [Table; 3] = [CHILD_DELETION, CHILD_PENDING, CHILD_SESSIONS];

pub const KINDS: [RecordKind; 6] = [
    RecordKind::of::<Record>(DELETION),
    RecordKind::of::<UncheckedDeletion>(PENDING),
    RecordKind::of::<Sessions>(SESSIONS),
    RecordKind::of::<Record>(CHILD_DELETION),
    RecordKind::of::<UncheckedDeletion>(CHILD_PENDING),
    RecordKind::of::<Sessions>(CHILD_SESSIONS),
];

/// The number of sessions in one row.
const SESSIONS_IN_ROW: usize = 500;

/// A record that isn't checked yet.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct UncheckedDeletion {
    /// The compactions after which the files are searched; `None` until everything is erased.
    pub waits_for: Option<RequiredUpTo>,
}

impl crate::kernel::store::Record for UncheckedDeletion {}

/// The numbers of sessions, stored as decimal text: the search looks for binary keys, so it does not find this row.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Sessions(Vec<SessionId>);

impl crate::kernel::store::Record for Sessions {}

/// What was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    Sessions,
    Child,
}

impl Of {
    const fn records(self) -> Table {
        match self {
            Self::Sessions => DELETION,
            Self::Child => CHILD_DELETION,
        }
    }

    const fn pending(self) -> Table {
        match self {
            Self::Sessions => PENDING,
            Self::Child => CHILD_PENDING,
        }
    }

    const fn sessions(self) -> Table {
        match self {
            Self::Sessions => SESSIONS,
            Self::Child => CHILD_SESSIONS,
        }
    }
}

/// The key of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeletionKey {
    pub of: Of,
    pub child: ChildId,
    /// When the run began; a little later if that is taken. Not a number of the whole store's, which would tell how much other
    /// families delete.
    pub at: Timestamp,
}

impl DeletionKey {
    pub fn new(of: Of, child: ChildId, at: Timestamp) -> Self {
        Self { of, child, at }
    }

    pub fn next(self) -> Self {
        let at = Timestamp::from_micros(self.at.micros().saturating_add(1));
        Self { at, ..self }
    }

    fn key(self, table: Table) -> Key {
        of_child(table, self.child).descending(self.at.micros())
    }
}

fn of_child(table: Table, child: ChildId) -> Key {
    table.key().number(child.number())
}

/// `None` also for an unreadable record.
pub fn record(view: &impl Read, place: DeletionKey) -> Result<Option<Record>, StoreError> {
    view.get_readable(&place.key(place.of.records()))
}

pub fn put_record(
    change: &mut Change,
    place: DeletionKey,
    record: &Record,
) -> Result<(), StoreError> {
    change.put(&place.key(place.of.records()), record)
}

pub fn remove_record(change: &mut Change, place: DeletionKey) -> Result<(), StoreError> {
    change.remove(&place.key(place.of.records())).map(drop)
}

/// An unreadable row counts as waiting for the erasure.
pub fn pending(
    view: &impl Read,
    place: DeletionKey,
) -> Result<Option<UncheckedDeletion>, StoreError> {
    let pending = readable(view.get(&place.key(place.of.pending())))?;
    Ok(pending.unwrap_or_else(|| Some(UncheckedDeletion::default())))
}

pub fn put_pending(
    change: &mut Change,
    place: DeletionKey,
    pending: &UncheckedDeletion,
) -> Result<(), StoreError> {
    change.put(&place.key(place.of.pending()), pending)
}

/// Forgets what was to be looked for.
pub fn remove_pending(change: &mut Change, place: DeletionKey) -> Result<(), StoreError> {
    change.remove(&place.key(place.of.pending()))?;
    change.remove_below(&place.key(place.of.sessions()), usize::MAX)?;
    Ok(())
}

pub fn all_pending(view: &impl Read, of: Of) -> Result<Vec<DeletionKey>, StoreError> {
    places(view, of, of.pending())
}

pub fn all_records(view: &impl Read, of: Of) -> Result<Vec<DeletionKey>, StoreError> {
    places(view, of, of.records())
}

fn places(view: &impl Read, of: Of, table: Table) -> Result<Vec<DeletionKey>, StoreError> {
    let all = table.key();
    let keys = view.keys_below(&all, usize::MAX)?;
    let places = keys.iter().filter_map(|key| {
        let mut components = key.components_below(&all);
        let child = ChildId::new(components.number()?);
        let at = Timestamp::from_micros(components.descending()?);
        Some(DeletionKey { of, child, at })
    });
    Ok(places.collect())
}

/// How many records of a child may be of the latest runs: one for each guardian and reason.
const RECENT: usize = 32;

/// The newest records of deleted sessions of this child, also unreadable ones.
pub fn recent(view: &impl Read, child: ChildId) -> Result<Vec<DeletionKey>, StoreError> {
    let all = of_child(DELETION, child);
    let newest = view.keys_below(&all, RECENT)?;
    let times = newest
        .iter()
        .filter_map(|key| key.components_below(&all).descending());
    let place = |at| DeletionKey::new(Of::Sessions, child, Timestamp::from_micros(at));
    Ok(times.map(place).collect())
}

pub fn page(
    view: &impl Read,
    child: ChildId,
    before: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    view.page::<Record>(&of_child(DELETION, child), before, limit)
}

pub fn add_sessions(
    change: &mut Change,
    place: DeletionKey,
    sessions: &[SessionId],
) -> Result<(), StoreError> {
    let all = place.key(place.of.sessions());
    let rows = change.keys_below(&all, usize::MAX)?.len() as u64;
    let mut left = sessions;
    // The last row may not be full.
    if let Some(last) = rows.checked_sub(1)
        && let Some(mut row) = change.get_readable::<Sessions>(&all.clone().number(last))?
    {
        let room = SESSIONS_IN_ROW.saturating_sub(row.0.len()).min(left.len());
        let (now, later) = left.split_at(room);
        row.0.extend_from_slice(now);
        change.put(&all.clone().number(last), &row)?;
        left = later;
    }
    for (row, some) in (rows..).zip(left.chunks(SESSIONS_IN_ROW)) {
        change.put(&all.clone().number(row), &Sessions(some.to_vec()))?;
    }
    Ok(())
}

/// The sessions of a pending record. Fails if some cannot be read.
pub fn sessions(view: &impl Read, place: DeletionKey) -> Result<Vec<SessionId>, StoreError> {
    let rows = view.list::<Sessions>(&place.key(place.of.sessions()))?;
    Ok(rows.into_iter().flat_map(|row| row.0).collect())
}

/// Removes some of the child's rows; returns whether there were any. What is recorded of the child's own deletion stays.
pub fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    for table in [DELETION, PENDING, SESSIONS] {
        if change.remove_some_below(&of_child(table, child))? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
