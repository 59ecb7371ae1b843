//! The edition of each child's page.

use super::Edition;
use crate::children::ChildId;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const EDITION: Table = Table::new("page-for-child");

impl Record for Edition {}

pub(super) const KINDS: [RecordKind; 1] = [RecordKind::of::<Edition>(EDITION)];

fn key(child: ChildId) -> Key {
    EDITION.key().number(child.number())
}

pub(super) fn edition(view: &impl Read, child: ChildId) -> Result<Option<Edition>, StoreError> {
    view.get(&key(child))
}

/// Returns whether this changed the stored edition, or replaced an unreadable one.
pub(super) fn put(
    change: &mut Change,
    child: ChildId,
    edition: Edition,
) -> Result<bool, StoreError> {
    let key = key(child);
    let differs = change.get_readable(&key)? != Some(edition);
    if differs {
        change.put(&key, &edition)?;
    }
    Ok(differs)
}

/// Returns whether there was one.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&key(child))? > 0)
}
