//! A child's times: one record.

use super::Times;
use crate::children::ChildId;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

/// The times by child.
pub const TIMES: Table = Table::new("times");

impl Record for Times {}

/// What each table holds.
pub(super) const KINDS: [RecordKind; 1] = [RecordKind::of::<Times>(TIMES)];

fn key(child: ChildId) -> Key {
    TIMES.key().number(child.number())
}

/// The times, if anybody has set them. What cannot be read is not taken for times without limits.
pub(super) fn find(view: &impl Read, child: ChildId) -> Result<Option<Times>, StoreError> {
    view.get(&key(child))
}

pub(super) fn put(change: &mut Change, child: ChildId, times: &Times) -> Result<(), StoreError> {
    change.put(&key(child), times)
}

/// Removes the child's times; whether there were any.
pub(super) fn erase_some(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&key(child))? > 0)
}
