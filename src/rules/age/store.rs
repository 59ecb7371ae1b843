//! When a child was born: one record.

use super::Born;
use crate::children::ChildId;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const BORN: Table = Table::new("born");

impl Record for Born {}

pub(super) const KINDS: [RecordKind; 1] = [RecordKind::of::<Born>(BORN)];

fn key(child: ChildId) -> Key {
    BORN.key().number(child.number())
}

/// `None` if no guardian has given the month.
pub fn find(view: &impl Read, child: ChildId) -> Result<Option<Born>, StoreError> {
    view.get(&key(child))
}

pub(super) fn put(change: &mut Change, child: ChildId, born: Born) -> Result<(), StoreError> {
    change.put(&key(child), &born)
}

pub(super) fn remove(change: &mut Change, child: ChildId) -> Result<(), StoreError> {
    change.remove(&key(child)).map(drop)
}

/// The children with a record.
pub fn children(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    let numbers = view.numbers_below(&BORN.key())?;
    Ok(numbers.into_iter().map(ChildId::new).collect())
}

/// Returns whether there was one.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&key(child))? > 0)
}
