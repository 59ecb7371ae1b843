//! What follows when a child has other guardians, or an assistant's key is for other children: what somebody said of the child
//! as its guardian ends with being one, and doesn't come back with them.

use super::store;
use crate::children::{self, ChildId};
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::store::{Change, Consequence, StoreError};

/// What has to follow from other changes.
pub const CONSEQUENCES: [Consequence; 2] = [
    Consequence {
        table: children::GUARDIANS,
        run: |change, keys| {
            for (child, guardian) in children::links_in(children::GUARDIANS, keys) {
                let guardian = GuardianId::from_text(&guardian);
                store::forget_kept_by_or_from(change, child, &guardian)?;
                forget_answers(change, child, &guardian)?;
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

/// Removes what a guardian asked for about the child if they are no longer its guardian, and what they answered.
fn forget_answers(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    let is_guardian = match children::guardians_of(change, child) {
        Ok(guardians) => guardians.contains(guardian),
        // What cannot be read grants nothing.
        Err(StoreError::Unreadable(_)) => false,
        Err(error) => return Err(error),
    };
    match store::erasure_request(change, child) {
        Ok(Some(request)) if request.by == *guardian && !is_guardian => {
            store::remove_erasure_request(change, child)?;
        }
        Ok(Some(mut request)) if request.by != *guardian => {
            if request.agreement.forget(guardian) {
                store::put_erasure_request(change, child, &request)?;
            }
        }
        Ok(_) | Err(StoreError::Unreadable(_)) => {}
        Err(error) => return Err(error),
    }
    for id in store::invitations_of(change, child)? {
        match store::invitation(change, &id) {
            Ok(Some(mut invitation)) => {
                let before = invitation.children.clone();
                let mut is_changed = invitation.forget(child, guardian);
                if invitation.by == *guardian && !is_guardian {
                    invitation.children.retain(|of| *of != child);
                    is_changed = true;
                }
                match (is_changed, invitation.children.is_empty()) {
                    (true, true) => {
                        invitation.children = before;
                        store::remove_invitation(change, &invitation)?;
                    }
                    (true, false) => store::put_invitation(change, &invitation, &before)?,
                    (false, _) => {}
                }
            }
            Ok(None) | Err(StoreError::Unreadable(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
