//! Limits on what a guardian can create, and on requests that wait for other guardians. They count against [their
//! budget](Guardians::budget_owner), which they may share.

use super::store::{self, QuotaKind};
use super::{Household, HouseholdError};
use crate::children::ChildId;
use crate::identity::{BudgetOwner, GuardianId, Guardians};
use crate::kernel::store::{Change, StoreError};

/// The limit per day (UTC) of children added, and of keys shown.
const MAX_PER_DAY: u32 = 20;

/// The limit of invitations per day (UTC).
const INVITATIONS_A_DAY: u32 = 5;

/// The limit of invitations to the same child, per day (UTC).
const INVITATIONS_TO_CHILD_A_DAY: u32 = 3;

/// The limit of requests about the same child, made or changed, in seven days (UTC): a changed one begins everybody's seven days
/// anew.
const REQUESTS_A_WEEK: u32 = 3;

/// The limit of invitations in total.
const INVITATIONS_IN_ALL: u32 = 20;

impl Household {
    /// Counts one more thing that is limited per day.
    pub(super) fn charge_quota(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
        sort: QuotaKind,
    ) -> Result<(), HouseholdError> {
        let owner = Guardians::budget_owner(change, guardian)?;
        let mut made = store::read_counts(change, &owner)?;
        let most = match sort {
            QuotaKind::Children | QuotaKind::Keys => MAX_PER_DAY,
            QuotaKind::Invitations => INVITATIONS_A_DAY,
        };
        if made.count(sort, self.clock.now()) > most {
            return Err(match owner {
                BudgetOwner::Guardian(_) => HouseholdError::EnoughToday(most),
                BudgetOwner::InvitedBy(_) => HouseholdError::EnoughTogether,
            });
        }
        if sort == QuotaKind::Invitations && made.invited_in_all() > INVITATIONS_IN_ALL {
            return Err(HouseholdError::EnoughInvited);
        }
        Ok(store::put_made(change, &owner, &made)?)
    }

    /// Counts one more invitation to a child.
    pub(super) fn take_invitation_to(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
        child: ChildId,
    ) -> Result<(), HouseholdError> {
        let owner = Guardians::budget_owner(change, guardian)?;
        let mut made = store::read_counts(change, &owner)?;
        match (made.count_invitation_to(child, self.clock.now()), &owner) {
            (count, _) if count <= INVITATIONS_TO_CHILD_A_DAY => {
                Ok(store::put_made(change, &owner, &made)?)
            }
            (_, BudgetOwner::Guardian(_)) => Err(HouseholdError::AskedThreeTimes),
            (_, BudgetOwner::InvitedBy(_)) => Err(HouseholdError::EnoughTogether),
        }
    }

    /// Counts one more request about a child, made or changed. Not shared with others: what one guardian asks for uses up nothing
    /// of another's.
    pub(super) fn charge_request_quota(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
        child: ChildId,
    ) -> Result<(), HouseholdError> {
        let owner = BudgetOwner::Guardian(guardian.clone());
        let mut made = store::read_counts(change, &owner)?;
        if made.count_request(child, self.clock.now()) > REQUESTS_A_WEEK {
            return Err(HouseholdError::ChangedThreeTimes);
        }
        Ok(store::put_made(change, &owner, &made)?)
    }

    /// Uncounts an invitation that could not be sent.
    pub(super) fn uncount_invitation(
        change: &mut Change,
        guardian: &GuardianId,
    ) -> Result<(), StoreError> {
        let owner = Guardians::budget_owner(change, guardian)?;
        let mut made = store::read_counts(change, &owner)?;
        made.uncount_invitation();
        store::put_made(change, &owner, &made)
    }
}
