//! Deleting a child, and giving up access to one. The child's data stays in use until the deletion takes effect, and each of
//! its guardians can cancel it.

use super::emails::OF_DELETION;
use super::erasure_request::ErasureRequest;
use super::store::Asked;
use super::{Household, HouseholdError, caller, pending, store};
use crate::children::agreement::Agreement;
use crate::children::history::Changed;
use crate::children::{ChildAccess, ChildId};
use crate::identity::{GuardianId, SignedIn, SteppedUp};
use crate::kernel::due::DueBy;
use crate::kernel::queue::Item;
use crate::kernel::store::{Change, Purpose, Read, StoreError};

impl Household {
    /// Removes the guardian's own access to a child. The child must have another guardian. Fails with
    /// [`HouseholdError::OnlyGuardian`].
    pub async fn leave(&self, by: &SteppedUp, child: ChildId) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.arrange(Purpose::Essential, move |household, change| {
            let whose = caller(&guardian);
            household.children.of_in(change, &whose, child)?;
            if household.others(change, child, &guardian)?.is_empty() {
                return Err(HouseholdError::OnlyGuardian);
            }
            household.note(change, child, Changed::GuardianLeft, &guardian)?;
            household.children.unlink(change, child, &whose)?;
            household.settle_invitations_of(change, child)
        })
        .await
    }

    /// Requests the deletion of a child. `typed` must be the child's name, so that nobody deletes another child by mistake. Fails
    /// with [`HouseholdError::OtherName`], [`HouseholdError::AskedAlready`].
    pub async fn ask_to_erase(
        &self,
        by: &SteppedUp,
        child: ChildId,
        typed: &str,
    ) -> Result<(), HouseholdError> {
        let (guardian, typed) = (by.guardian().clone(), typed.trim().to_owned());
        self.arrange(Purpose::Essential, move |household, change| {
            household.note(change, child, Changed::ErasureAsked, &guardian)?;
            let name = household.children.get(change, child)?.name;
            if name != typed {
                return Err(HouseholdError::OtherName);
            }
            if household
                .pending::<ErasureRequest>(change, child)?
                .is_some()
            {
                return Err(HouseholdError::AskedAlready);
            }
            household.take_request(change, &guardian, Asked::Deletion, child)?;
            let now = household.clock.now();
            let mut request = ErasureRequest {
                by: guardian.clone(),
                at: now,
                agreement: Agreement::default(),
            };
            request.agreement.show(&guardian, now);
            store::put_request(change, child, &request)?;
            for other in household.others(change, child, &guardian)? {
                let item = Item::new(other.as_str(), &child.number().to_string());
                let what = format!("{guardian} asked to delete {}", child.number());
                let item = item.with(&child);
                household.notices.notify(change, OF_DELETION, item, what)?;
            }
            Ok(())
        })
        .await
    }

    /// Confirms another guardian's request to delete a child. Fails with [`HouseholdError::NothingAsked`].
    pub async fn confirm_erasure(
        &self,
        by: &SteppedUp,
        child: ChildId,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            household.note(change, child, Changed::ErasureConfirmed, &guardian)?;
            household.confirm_request::<ErasureRequest>(change, child, &guardian)
        })
        .await?;
        self.requested.notify_one();
        Ok(())
    }

    /// Cancels any guardian's request to delete a child, even an unreadable one. Fails with [`HouseholdError::NothingAsked`].
    pub async fn stop_erasure(&self, by: &SignedIn, child: ChildId) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            household.note(change, child, Changed::ErasureStopped, &guardian)?;
            pending::cancel::<ErasureRequest>(change, child)
        })
        .await
    }

    /// The children whose deletion is due. Skips unreadable requests.
    pub fn due_erasures(&self, by: DueBy) -> Result<Vec<ChildId>, StoreError> {
        let mut due = Vec::new();
        for child in store::children_with_request::<ErasureRequest>(&self.store)? {
            match self.is_erasure_due(&self.store, child, by) {
                Ok(true) => due.push(child),
                Ok(false) | Err(HouseholdError::Store(StoreError::Unreadable(_))) => {}
                Err(HouseholdError::Store(error)) => return Err(error),
                // The child was already removed.
                Err(_) => {}
            }
        }
        Ok(due)
    }

    /// Removes all access to a child, if its deletion is still due. Returns the access for erasing its data.
    pub fn take_due(
        &self,
        change: &mut Change,
        child: ChildId,
        by: DueBy,
    ) -> Result<Option<ChildAccess>, HouseholdError> {
        if self.is_erasure_due(change, child, by)? {
            Ok(Some(self.children.remove(change, child)?))
        } else {
            Ok(None)
        }
    }

    fn is_erasure_due(
        &self,
        view: &impl Read,
        child: ChildId,
        by: DueBy,
    ) -> Result<bool, HouseholdError> {
        if !self.guardians_manage {
            return Ok(false);
        }
        let due = self.due_request::<ErasureRequest>(view, child, by)?;
        Ok(due.is_some())
    }

    pub(super) fn others(
        &self,
        view: &impl Read,
        child: ChildId,
        guardian: &GuardianId,
    ) -> Result<Vec<GuardianId>, StoreError> {
        let mut others = self.children.guardians_of(view, child)?;
        others.retain(|other| other != guardian);
        Ok(others)
    }
}
