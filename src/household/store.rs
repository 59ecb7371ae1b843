//! The household's records: daily counts per guardian, and pending requests.

mod daily_counts;
mod invitations;
mod kept_keys;

use super::erasure_request::ErasureRequest;
use super::retention_request::RetentionRequest;
use crate::children::{ChildId, DELETION_REQUEST};
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

pub use daily_counts::{Asked, QuotaKind, put_made, read_counts, remove_counts};
pub use invitations::{
    INVITATION_OF, all_invitations, by_token, children_invited_to, invitation, invitation_ids_of,
    invitations_of, put_invitation, remove_invitation,
};
pub use kept_keys::{KeptKey, forget_kept_by_or_from, forget_kept_of, is_key_kept, put_kept_key};

const ERASURE_REQUEST: Table = DELETION_REQUEST;
const RETENTION_REQUEST: Table = Table::new("retention-request");

pub const KINDS: [RecordKind; 7] = [
    daily_counts::KIND,
    kept_keys::KIND,
    RecordKind::of::<ErasureRequest>(ERASURE_REQUEST),
    RecordKind::of::<RetentionRequest>(RETENTION_REQUEST),
    invitations::KINDS[0],
    invitations::KINDS[1],
    invitations::KINDS[2],
];

/// Tables that restoring a backup skips: a request may have been cancelled since then, and somebody who has seen a kept key may
/// have left since then.
pub const NOT_RESTORED: [Table; 6] = [
    ERASURE_REQUEST,
    RETENTION_REQUEST,
    kept_keys::KEPT_KEY,
    invitations::NOT_RESTORED[0],
    invitations::NOT_RESTORED[1],
    invitations::NOT_RESTORED[2],
];

/// Tables, keyed by child, that change when a request is made or answered.
pub const REQUEST_TABLES: [Table; 3] = [ERASURE_REQUEST, RETENTION_REQUEST, INVITATION_OF];

impl Record for ErasureRequest {}
impl Record for RetentionRequest {}

fn erasure_key(child: ChildId) -> Key {
    ERASURE_REQUEST.key().number(child.number())
}

pub fn erasure_request(
    view: &impl Read,
    child: ChildId,
) -> Result<Option<ErasureRequest>, StoreError> {
    view.get(&erasure_key(child))
}

fn retention_key(child: ChildId) -> Key {
    RETENTION_REQUEST.key().number(child.number())
}

pub fn retention_request(
    view: &impl Read,
    child: ChildId,
) -> Result<Option<RetentionRequest>, StoreError> {
    view.get(&retention_key(child))
}

pub fn put_retention_request(
    change: &mut Change,
    child: ChildId,
    request: &RetentionRequest,
) -> Result<(), StoreError> {
    change.put(&retention_key(child), request)
}

pub fn remove_retention_request(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    change.remove(&retention_key(child))
}

/// Includes children whose request cannot be read.
pub fn children_with_erasure_request(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    children_in(view, ERASURE_REQUEST)
}

/// Includes children whose request cannot be read.
pub fn children_with_retention_request(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    children_in(view, RETENTION_REQUEST)
}

fn children_in(view: &impl Read, table: Table) -> Result<Vec<ChildId>, StoreError> {
    let numbers = view.numbers_below(&table.key())?;
    Ok(numbers.into_iter().map(ChildId::new).collect())
}

pub fn put_erasure_request(
    change: &mut Change,
    child: ChildId,
    request: &ErasureRequest,
) -> Result<(), StoreError> {
    change.put(&erasure_key(child), request)
}

pub fn remove_erasure_request(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    change.remove(&erasure_key(child))
}

/// Erases a batch of the requests about a removed child. Returns whether there were any.
pub fn erase_some(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let request = remove_erasure_request(change, child)?;
    let request = remove_retention_request(change, child)? || request;
    let kept = change.remove_some_below(&kept_keys::kept_keys_of(child))?;
    let of_child = invitations::of_child(child);
    Ok(request || kept + change.remove_some_below(&of_child)? > 0)
}
