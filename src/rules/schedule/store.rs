//! Stores a child's times as one record.

use super::Schedule;
use crate::children::ChildId;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

pub const TIMES: Table = Table::new("times");

impl Record for Schedule {}

pub(super) const KINDS: [RecordKind; 1] = [RecordKind::of::<Schedule>(TIMES)];

fn key(child: ChildId) -> Key {
    TIMES.key().number(child.number())
}

/// The times, if a guardian has set them. Fails if they are unreadable, which must not remove the limits.
pub(super) fn find(view: &impl Read, child: ChildId) -> Result<Option<Schedule>, StoreError> {
    view.get(&key(child))
}

/// Writes nothing if they stay the same, so that this succeeds on a full disk, too.
pub(super) fn put(change: &mut Change, child: ChildId, times: &Schedule) -> Result<(), StoreError> {
    if change.is_changed(&key(child), times)? {
        change.put(&key(child), times)?;
    }
    Ok(())
}

/// Removes the child's times; returns whether there were any.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&key(child))? > 0)
}
