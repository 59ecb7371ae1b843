//! The household's records: daily counts per guardian, and pending requests.

mod daily_counts;
mod invitations;
mod kept_keys;

use super::child_request::ChildRequest;
use super::erasure_request::ErasureRequest;
use super::retention_request::RetentionRequest;
use crate::children::ChildId;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

pub use daily_counts::{Asked, QuotaKind, put_made, read_counts, remove_counts};
pub use invitations::{
    INVITATION_OF, all_invitations, by_token, children_invited_to, invitation, invitation_ids_of,
    invitations_of, put_invitation, remove_invitation,
};
pub use kept_keys::{KeptKey, forget_kept_by_or_from, forget_kept_of, is_key_kept, put_kept_key};

pub const KINDS: [RecordKind; 7] = [
    daily_counts::KIND,
    kept_keys::KIND,
    RecordKind::of::<ErasureRequest>(ErasureRequest::TABLE),
    RecordKind::of::<RetentionRequest>(RetentionRequest::TABLE),
    invitations::KINDS[0],
    invitations::KINDS[1],
    invitations::KINDS[2],
];

/// Tables that restoring a backup skips: a request may have been cancelled since then, and somebody who has seen a kept key may
/// have left since then.
pub const NOT_RESTORED: [Table; 6] = [
    ErasureRequest::TABLE,
    RetentionRequest::TABLE,
    kept_keys::KEPT_KEY,
    invitations::NOT_RESTORED[0],
    invitations::NOT_RESTORED[1],
    invitations::NOT_RESTORED[2],
];

/// Tables, keyed by child, that change when a request is made or answered.
pub const REQUEST_TABLES: [Table; 3] = [
    ErasureRequest::TABLE,
    RetentionRequest::TABLE,
    INVITATION_OF,
];

impl Record for ErasureRequest {}
impl Record for RetentionRequest {}

fn request_key<R: ChildRequest>(child: ChildId) -> Key {
    R::TABLE.key().number(child.number())
}

pub fn request<R: ChildRequest>(view: &impl Read, child: ChildId) -> Result<Option<R>, StoreError> {
    view.get(&request_key::<R>(child))
}

pub fn put_request<R: ChildRequest>(
    change: &mut Change,
    child: ChildId,
    request: &R,
) -> Result<(), StoreError> {
    change.put(&request_key::<R>(child), request)
}

/// Returns whether there was one, also an unreadable one.
pub fn remove_request<R: ChildRequest>(
    change: &mut Change,
    child: ChildId,
) -> Result<bool, StoreError> {
    change.remove(&request_key::<R>(child))
}

/// Includes children whose request cannot be read.
pub fn children_with_request<R: ChildRequest>(
    view: &impl Read,
) -> Result<Vec<ChildId>, StoreError> {
    let numbers = view.numbers_below(&R::TABLE.key())?;
    Ok(numbers.into_iter().map(ChildId::new).collect())
}

/// Erases a batch of the requests about a removed child. Returns whether there were any.
pub fn erase_some(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let request = remove_request::<ErasureRequest>(change, child)?;
    let request = remove_request::<RetentionRequest>(change, child)? || request;
    let kept = change.remove_some_below(&kept_keys::kept_keys_of(child))?;
    let of_child = invitations::of_child(child);
    Ok(request || kept + change.remove_some_below(&of_child)? > 0)
}
