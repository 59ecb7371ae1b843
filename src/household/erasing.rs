//! Erasing a child, and leaving one. Everything of the child goes on until the erasure takes effect, and each of its guardians can stop it.

use super::agreement::Agreement;
use super::erasure_request::ErasureRequest;
use super::{Household, HouseholdError, caller, store};
use crate::children::history::Changed;
use crate::children::{ChildAccess, ChildId};
use crate::identity::{GuardianId, Notice, SignedIn, SteppedUp};
use crate::kernel::store::{Change, Purpose, Read, StoreError};

impl Household {
    /// Takes a child of the guardian's from themselves. Another guardian must have it.
    ///
    /// # Errors
    ///
    /// [`HouseholdError::OnlyGuardian`].
    pub async fn leave(&self, by: &SteppedUp, child: ChildId) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.arrange(Purpose::Essential, move |household, change| {
            let whose = caller(&guardian);
            household.children.of_in(change, &whose, child)?;
            if household.children.guardians_of(change, child)?.len() < 2 {
                return Err(HouseholdError::OnlyGuardian);
            }
            household.note(change, child, Changed::GuardianLeft, &guardian)?;
            household.children.unlink(change, child, &whose)?;
            household.settle_invitations_of(change, child)
        })
        .await
    }

    /// Asks to erase a child of the guardian's. `typed` is its name, so that nobody erases another one by mistake.
    ///
    /// # Errors
    ///
    /// [`HouseholdError::OtherName`], [`HouseholdError::AskedAlready`].
    pub async fn ask_to_erase(
        &self,
        by: &SteppedUp,
        child: ChildId,
        typed: &str,
    ) -> Result<(), HouseholdError> {
        let (guardian, typed) = (by.guardian().clone(), typed.trim().to_owned());
        let (others, name) = self
            .arrange(Purpose::Essential, move |household, change| {
                household.note(change, child, Changed::ErasureAsked, &guardian)?;
                let name = household.children.get(change, child)?.name;
                if name != typed {
                    return Err(HouseholdError::OtherName);
                }
                if household.standing_request(change, child)?.is_some() {
                    return Err(HouseholdError::AskedAlready);
                }
                let now = household.clock.now();
                let mut request = ErasureRequest {
                    by: guardian.clone(),
                    at: now,
                    agreement: Agreement::default(),
                };
                request.agreement.show(&guardian, now);
                store::put_erasure_request(change, child, &request)?;
                let others = household.others(change, child, &guardian)?;
                Ok((others, name))
            })
            .await?;
        let notice = Notice::ChildErasure {
            by: self.notices.name_of(by.guardian())?,
            child: name,
        };
        for other in &others {
            self.notices.tell(other, &notice);
        }
        Ok(())
    }

    /// Confirms that a child is erased, which another guardian asked for.
    ///
    /// # Errors
    ///
    /// [`HouseholdError::NothingAsked`].
    pub async fn confirm_erasure(
        &self,
        by: &SteppedUp,
        child: ChildId,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            household.note(change, child, Changed::ErasureConfirmed, &guardian)?;
            let request = household.standing_request(change, child)?;
            let mut request = request.ok_or(HouseholdError::NothingAsked)?;
            if request.by != guardian {
                let now = household.clock.now();
                request.agreement.confirm(&guardian, now);
                store::put_erasure_request(change, child, &request)?;
            }
            Ok(())
        })
        .await?;
        self.requested.notify_one();
        Ok(())
    }

    /// Stops the erasure of a child, whoever asked for it. Nothing of the request has to be readable.
    ///
    /// # Errors
    ///
    /// [`HouseholdError::NothingAsked`].
    pub async fn stop_erasure(&self, by: &SignedIn, child: ChildId) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            household.note(change, child, Changed::ErasureStopped, &guardian)?;
            match store::remove_erasure_request(change, child)? {
                true => Ok(()),
                false => Err(HouseholdError::NothingAsked),
            }
        })
        .await
    }

    /// The children whose erasure is due, as it stands. What cannot be read erases nothing.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn due_erasures(&self) -> Result<Vec<ChildId>, StoreError> {
        let mut due = Vec::new();
        for child in store::children_with_erasure_request(&self.store)? {
            match self.is_erasure_due(&self.store, child) {
                Ok(true) => due.push(child),
                Ok(false) | Err(HouseholdError::Store(StoreError::Unreadable(_))) => {}
                Err(HouseholdError::Store(error)) => return Err(error),
                // It is gone already.
                Err(_) => {}
            }
        }
        Ok(due)
    }

    /// Takes a child whose erasure is still due from everybody. Returns the right to erase what is left of it.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn take_due(
        &self,
        change: &mut Change,
        child: ChildId,
    ) -> Result<Option<ChildAccess>, HouseholdError> {
        match self.is_erasure_due(change, child)? {
            true => Ok(Some(self.children.remove(change, child)?)),
            false => Ok(None),
        }
    }

    fn is_erasure_due(&self, view: &impl Read, child: ChildId) -> Result<bool, HouseholdError> {
        if !self.guardians_manage {
            return Ok(false);
        }
        let Some(request) = self.standing_request(view, child)? else {
            return Ok(false);
        };
        let guardians = self.children.guardians_of(view, child)?;
        Ok(request.due(&guardians).has_come(self.clock.now()))
    }

    /// The request to erase a child, as long as who asked has it.
    pub(super) fn standing_request(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<Option<ErasureRequest>, HouseholdError> {
        let Some(request) = store::erasure_request(view, child)? else {
            return Ok(None);
        };
        let guardians = self.children.guardians_of(view, child)?;
        Ok(Some(request).filter(|request| guardians.contains(&request.by)))
    }

    /// The child's guardians other than this one.
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

    /// Makes a change that answers what was asked for. Guardians may always, also where the administrator arranges everything else by
    /// now, and on a nearly full disk.
    pub(super) async fn answer<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Self, &mut Change) -> Result<T, HouseholdError> + Send + 'static,
    ) -> Result<T, HouseholdError> {
        let household = self.clone();
        let done = self
            .store
            .commit_for(Purpose::Essential, move |view| change(&household, view));
        done.await?
    }

    /// Removes a part of what is kept about a child that is gone; whether there was anything.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn erase_some(
        &self,
        change: &mut Change,
        access: &ChildAccess,
    ) -> Result<bool, StoreError> {
        store::erase_some(change, access.child())
    }
}
