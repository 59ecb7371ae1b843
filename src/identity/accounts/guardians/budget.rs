//! The budget that a guardian's changes count against.
//!
//! Accepting an invitation whose link was shown requires no verified address, so a person can create as many guardians as they
//! can invite. Until they have verified an address, all guardians invited by one guardian, directly or through others, share one
//! budget. It is not the inviting guardian's own, so that invited guardians can't use that up. On a server without e-mail nobody
//! can verify an address, and a family shares one budget.

use super::{Guardians, store};
use crate::identity::GuardianId;
use crate::kernel::store::{Read, StoreError, Weigh};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BudgetOwner {
    Guardian(GuardianId),
    /// All guardians with an unverified address who became guardians by this one's invitations, directly or through others.
    InvitedBy(GuardianId),
}

impl Weigh for BudgetOwner {
    fn weight(&self) -> u64 {
        let (Self::Guardian(id) | Self::InvitedBy(id)) = self;
        id.as_str().len() as u64
    }
}

impl Guardians {
    /// The budget that the guardian's changes count against. If the inviting guardian was removed, or a record cannot be read,
    /// they are treated as added by the administrator.
    pub fn budget_owner(view: &impl Read, id: &GuardianId) -> Result<BudgetOwner, StoreError> {
        let mut first = id.clone();
        while let Some(guardian) = store::find_readable(view, &first)?
            && !guardian.verified
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
