//! History entries by child, newest first.

use std::time::Duration;

use super::Entry;
use crate::children::ChildId;
use crate::kernel::store::{
    Change, Cursor, Key, Page, Read, Record, RecordKind, StoreError, Table,
};

const HISTORY: Table = Table::new("history");

impl Record for Entry {}

pub(super) const KIND: RecordKind = RecordKind::of::<Entry>(HISTORY);

fn history_of(child: ChildId) -> Key {
    HISTORY.key().number(child.number())
}

pub(super) fn add(change: &mut Change, child: ChildId, entry: &Entry) -> Result<(), StoreError> {
    // Ordered by a sequence number, because the clock can be set back.
    let number = change.next_number("history")?;
    change.put(&history_of(child).descending_number(number), entry)
}

/// After this many entries by one guardian, each within [`SOON`], the next one is merged with an earlier one.
const IN_A_ROW: usize = 20;

const SOON: Duration = Duration::from_secs(10 * 60);

/// Returns the latest entry of the same kind and its count, if the child's [`IN_A_ROW`] latest entries are all by this entry's
/// guardian and not older than [`SOON`].
pub(super) fn repeated(
    change: &Change,
    child: ChildId,
    entry: &Entry,
) -> Result<Option<(Key, u64)>, StoreError> {
    let keys = change.keys_below(&history_of(child), IN_A_ROW)?;
    if keys.len() < IN_A_ROW || entry.by.is_none() {
        return Ok(None);
    }
    let mut repeated = None;
    for key in keys {
        let latest = change.get_readable::<Entry>(&key)?;
        let Some(latest) = latest.filter(|it| it.by == entry.by && it.at.after(SOON) >= entry.at)
        else {
            return Ok(None);
        };
        if repeated.is_none() && latest.what == entry.what {
            repeated = Some((key, latest.times));
        }
    }
    Ok(repeated)
}

/// Returns all entries, newest first, and the number of unreadable ones.
pub(super) fn all(view: &impl Read, child: ChildId) -> Result<(Vec<Entry>, u64), StoreError> {
    view.list_readable(&history_of(child))
}

pub(super) fn page(
    view: &impl Read,
    child: ChildId,
    before: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    view.page::<Entry>(&history_of(child), before, limit)
}

/// Removes a batch of the child's entries. Returns whether there were any.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&history_of(child))? > 0)
}
