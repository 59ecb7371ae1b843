//! A child's context: one record.

use super::Context;
use crate::children::ChildId;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const CONTEXT: Table = Table::new("context");

impl Record for Context {}

pub(super) const KINDS: [RecordKind; 1] = [RecordKind::of::<Context>(CONTEXT)];

fn key(child: ChildId) -> Key {
    CONTEXT.key().number(child.number())
}

/// An empty context if none is stored. Fails if the record is unreadable.
pub(super) fn read(view: &impl Read, child: ChildId) -> Result<Context, StoreError> {
    Ok(view.get(&key(child))?.unwrap_or_default())
}

pub(super) fn put(
    change: &mut Change,
    child: ChildId,
    context: &Context,
) -> Result<(), StoreError> {
    change.put(&key(child), context)
}

/// Returns whether there was one.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&key(child))? > 0)
}
