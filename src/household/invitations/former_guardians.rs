//! Forgetting a former guardian.

use super::store;
use crate::children::ChildId;
use crate::identity::GuardianId;
use crate::kernel::store::{Change, StoreError, readable};

/// Removes a former guardian's invitations to a child, and their answers to those of others. Unreadable records stay; they count
/// for nobody.
pub fn forget_former_guardian(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    for id in store::invitation_ids_of(change, child)? {
        let found = readable(store::invitation(change, &id))?.flatten();
        let Some(mut invitation) = found else {
            continue;
        };
        let before = invitation.children.clone();
        let is_inviter = invitation.by == *guardian;
        if !invitation.forget(child, guardian) && !is_inviter {
            continue;
        }
        if is_inviter {
            invitation.children.retain(|of| *of != child);
        }
        if invitation.children.is_empty() {
            invitation.children = before;
            store::remove_invitation(change, &invitation)?;
        } else {
            store::put_invitation(change, &invitation, &before)?
        }
    }
    Ok(())
}
