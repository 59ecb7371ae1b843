//! The pending requests, by child and kind.

use super::{Request, RequestKind};
use crate::children::ChildId;
use crate::kernel::store::{Change, Key, Read, Record, StoreError, Table};

pub const REQUEST: Table = Table::new("child-request");

impl Record for Request {}

fn of_child(child: ChildId) -> Key {
    REQUEST.key().number(child.number())
}

fn key(child: ChildId, kind: RequestKind) -> Key {
    of_child(child).text(kind.name())
}

pub fn request(
    view: &impl Read,
    child: ChildId,
    kind: RequestKind,
) -> Result<Option<Request>, StoreError> {
    view.get(&key(child, kind))
}

pub fn put_request(
    change: &mut Change,
    child: ChildId,
    request: &Request,
) -> Result<(), StoreError> {
    change.put(&key(child, request.asked.kind()), request)
}

/// Returns whether there was one, also an unreadable one.
pub fn remove_request(
    change: &mut Change,
    child: ChildId,
    kind: RequestKind,
) -> Result<bool, StoreError> {
    change.remove(&key(child, kind))
}

/// Includes children whose request cannot be read.
pub fn children_with_request(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    let mut numbers = view.numbers_below(&REQUEST.key())?;
    numbers.dedup();
    Ok(numbers.into_iter().map(ChildId::new).collect())
}

/// Returns whether there was any.
pub fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&of_child(child))? > 0)
}
