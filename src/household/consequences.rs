//! When somebody stops being a child's guardian, their invitations and answers for that child are removed, and don't come back if
//! they become its guardian again. The same applies to kept keys when an assistant's key no longer covers the child.

use super::store;
use crate::children::{self, ChildId};
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::store::{Change, Consequence, StoreError, readable};

pub const CONSEQUENCES: [Consequence; 2] = [
    Consequence {
        table: children::GUARDIANS,
        run: |change, keys| {
            for (child, guardian) in children::former_guardians_in(change, keys)? {
                store::forget_kept_by_or_from(change, child, &guardian)?;
                forget_invitations(change, child, &guardian)?;
            }
            Ok(())
        },
    },
    Consequence {
        table: children::ASSISTANTS,
        run: |change, keys| {
            for (child, assistant) in children::links_in(children::ASSISTANTS, keys) {
                store::forget_kept_of(change, child, &AssistantId::from_text(&assistant))?;
            }
            Ok(())
        },
    },
];

/// Removes a former guardian's invitations to a child, and their answers to those of others. Unreadable records stay; they count
/// for nobody.
fn forget_invitations(
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
