//! Giving up access to a child, and deleting a child. Its data stays in use until the deletion takes effect.

use super::{Household, HouseholdError, caller};
use crate::children::agreements::{Asked, RequestKind};
use crate::children::history::Changed;
use crate::children::{ChildAccess, ChildId};
use crate::identity::SteppedUp;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Purpose, StoreError};

impl Household {
    /// Removes the guardian's own access to a child. The child must have another guardian. Fails with
    /// [`HouseholdError::OnlyGuardian`].
    pub async fn leave(&self, by: &SteppedUp, child: ChildId) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.commit_and_notify(Purpose::Essential, move |household, change| {
            let whose = caller(&guardian);
            let access = household.children.access_in(change, &whose, child)?;
            if household.children.has_alone(change, &access, &guardian)? {
                return Err(HouseholdError::OnlyGuardian);
            }
            household.note(change, child, Changed::GuardianLeft, &guardian)?;
            household.children.unlink(change, child, &whose)?;
            household.settle_invitations_of(change, child)
        })
        .await
    }

    /// Requests the deletion of a child. `typed` must be the child's name, so that nobody deletes another child by mistake. Fails
    /// with [`HouseholdError::OtherName`], and as [`ask`](Self::ask).
    pub async fn ask_to_delete(
        &self,
        by: &SteppedUp,
        child: ChildId,
        typed: &str,
    ) -> Result<(), HouseholdError> {
        let (guardian, typed) = (by.guardian().clone(), typed.trim().to_owned());
        self.commit_and_notify(Purpose::Essential, move |household, change| {
            let whose = caller(&guardian);
            let access = household.children.access_in(change, &whose, child)?;
            if household.children.get(change, child)?.name != typed {
                return Err(HouseholdError::OtherName);
            }
            household.ask(change, &access, &guardian, Asked::Deletion)
        })
        .await
    }

    /// The children whose deletion is due.
    pub fn due_deletions(&self, now: DueBy) -> Result<Vec<ChildId>, StoreError> {
        if !self.guardians_manage {
            return Ok(Vec::new());
        }
        self.children
            .with_due_request(&self.store, RequestKind::Deletion, now)
    }

    /// Removes all access to a child, if its deletion is still due. Returns the access for erasing its data.
    pub fn take_due(
        &self,
        change: &mut Change,
        child: ChildId,
        now: DueBy,
    ) -> Result<Option<ChildAccess>, HouseholdError> {
        let due = self
            .children
            .due_request(change, child, RequestKind::Deletion, now)?;
        if due.is_none() {
            return Ok(None);
        }
        Ok(Some(self.children.remove(change, child)?))
    }
}
