//! The household's records: daily counts per guardian, invitations, and kept keys.

mod daily_counts;
mod invitations;
mod unrotated_keys;

use crate::children::ChildId;
use crate::kernel::store::{Change, RecordKind, StoreError, Table};

pub use daily_counts::{QuotaKind, put_made, read_counts, remove_counts};
pub use invitations::{
    INVITATION_OF, all_invitations, by_token, children_invited_to, invitation, invitation_ids_of,
    invitations_of, put_invitation, remove_invitation,
};
pub use unrotated_keys::{
    KeptKey, forget_kept_by_or_from, forget_kept_of, is_key_kept, put_kept_key,
};

pub const KINDS: [RecordKind; 5] = [
    daily_counts::KIND,
    unrotated_keys::KIND,
    invitations::KINDS[0],
    invitations::KINDS[1],
    invitations::KINDS[2],
];

/// Tables that restoring a backup skips: an invitation may have been cancelled since then, and somebody who has seen a kept key may
/// have left since then.
pub const NOT_RESTORED: [Table; 4] = [
    unrotated_keys::KEPT_KEY,
    invitations::NOT_RESTORED[0],
    invitations::NOT_RESTORED[1],
    invitations::NOT_RESTORED[2],
];

/// Erases a batch of what is stored of a removed child. Returns whether there was any.
pub fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let kept = change.remove_some_below(&unrotated_keys::kept_keys_of(child))?;
    let of_child = invitations::of_child(child);
    Ok(kept + change.remove_some_below(&of_child)? > 0)
}
