//! Whose budget a guardian's changes count against.
//!
//! Accepting an invitation whose link was shown takes no address, so somebody can make up as many guardians as they can invite.
//! Until they have verified an address, all whom one guardian invited, and whom those invited, share one budget. It is not the
//! inviting guardian's own, so that nobody whom they invited keeps them from changing things. Where no e-mail is sent, nobody can
//! verify an address, and a family gets by with the shared one.

use super::{Guardians, store};
use crate::identity::GuardianId;
use crate::kernel::store::{Read, StoreError};

/// Whose budget a guardian's changes count against.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BudgetOwner {
    /// The guardian alone.
    Guardian(GuardianId),
    /// All guardians with an unverified address who became guardians by this one's invitations, or by theirs.
    InvitedBy(GuardianId),
}

impl Guardians {
    /// Whose budget the guardian's changes count against. One whose inviting guardian was removed is treated as added by the
    /// administrator.
    ///
    /// # Errors
    ///
    /// The store's. An unreadable record is treated as one of a guardian whom nobody invited.
    pub fn budget_owner(view: &impl Read, id: &GuardianId) -> Result<BudgetOwner, StoreError> {
        let mut first = id.clone();
        while let Some(guardian) = store::find_readable(view, &first)?
            && !guardian.proved
            && let Some(inviter) = guardian.invited_by
            && store::contains(view, &inviter)?
        {
            first = inviter;
        }
        Ok(if first == *id {
            BudgetOwner::Guardian(first)
        } else {
            BudgetOwner::InvitedBy(first)
        })
    }
}
