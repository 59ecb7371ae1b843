//! What the household keeps: how much was made today, and what guardians ask for that waits for others.

mod invitations;
mod made;

use super::erasure_request::ErasureRequest;
use crate::children::{ChildId, DELETION_REQUEST};
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

pub use invitations::{
    INVITATION_OF, all_invitations, by_token, invitation, invitations_of, is_invited_to,
    put_invitation, remove_invitation,
};
pub use made::{Asked, Sort, put_made, readable_made, remove_made};

const ERASURE_REQUEST: Table = DELETION_REQUEST;

/// What each table holds.
pub const KINDS: [RecordKind; 5] = [
    made::KIND,
    RecordKind::of::<ErasureRequest>(ERASURE_REQUEST),
    invitations::KINDS[0],
    invitations::KINDS[1],
    invitations::KINDS[2],
];

/// What restoring a backup leaves out: what was asked for may have been stopped since.
pub const NOT_RESTORED: [Table; 4] = [
    ERASURE_REQUEST,
    invitations::NOT_RESTORED[0],
    invitations::NOT_RESTORED[1],
    invitations::NOT_RESTORED[2],
];

/// The tables by child that tell that something was asked for, or answered.
pub const REQUEST_TABLES: [Table; 2] = [ERASURE_REQUEST, INVITATION_OF];

impl Record for ErasureRequest {}

fn erasure_key(child: ChildId) -> Key {
    ERASURE_REQUEST.key().number(child.number())
}

pub fn erasure_request(
    view: &impl Read,
    child: ChildId,
) -> Result<Option<ErasureRequest>, StoreError> {
    view.get(&erasure_key(child))
}

/// The children for which there is a request to erase them, whatever can be read of it.
pub fn children_with_erasure_request(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    let all = ERASURE_REQUEST.key();
    let keys = view.keys_below(&all, usize::MAX)?;
    let numbers = keys
        .iter()
        .filter_map(|key| key.components_below(&all).number());
    Ok(numbers.map(ChildId::new).collect())
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

/// Removes a part of what is asked for about a child that is gone; whether there was anything.
pub fn erase_some(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let request = remove_erasure_request(change, child)?;
    let of_child = invitations::of_child(child);
    Ok(request || change.remove_some_below(&of_child)? > 0)
}
