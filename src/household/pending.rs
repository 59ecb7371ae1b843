//! The pending requests about a child: reading, answering and cancelling them.

use super::child_request::ChildRequest;
use super::{Household, HouseholdError, store};
use crate::children::ChildId;
use crate::identity::GuardianId;
use crate::kernel::due::DueBy;
use crate::kernel::store::{Change, Read, StoreError};

impl Household {
    /// The pending request of this type. It counts only while the guardian who made it has the child.
    pub(super) fn pending<R: ChildRequest>(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<Option<R>, HouseholdError> {
        Ok(self
            .with_guardians(view, child)?
            .map(|(request, _)| request))
    }

    /// The pending request of this type, if it is due.
    pub(super) fn due_request<R: ChildRequest>(
        &self,
        view: &impl Read,
        child: ChildId,
        by: DueBy,
    ) -> Result<Option<R>, HouseholdError> {
        let pending = self.with_guardians::<R>(view, child)?;
        let due = pending.filter(|(request, guardians)| request.due(guardians).has_come(by));
        Ok(due.map(|(request, _)| request))
    }

    fn with_guardians<R: ChildRequest>(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<Option<(R, Vec<GuardianId>)>, HouseholdError> {
        let Some(request) = store::request::<R>(view, child)? else {
            return Ok(None);
        };
        let guardians = self.children.guardians_of(view, child)?;
        let is_pending = guardians.contains(request.by());
        Ok(is_pending.then_some((request, guardians)))
    }

    /// Records that the pending request was shown to a guardian.
    pub(super) fn show_request<R: ChildRequest>(
        &self,
        change: &mut Change,
        child: ChildId,
        to: &GuardianId,
    ) -> Result<(), HouseholdError> {
        if let Some(mut request) = self.pending::<R>(change, child)?
            && !request.agreement_mut().was_shown_to(to)
        {
            request.agreement_mut().show(to, self.clock.now());
            store::put_request(change, child, &request)?;
        }
        Ok(())
    }

    /// Confirms the pending request of another guardian. Fails with [`HouseholdError::NothingAsked`].
    pub(super) fn confirm_request<R: ChildRequest>(
        &self,
        change: &mut Change,
        child: ChildId,
        guardian: &GuardianId,
    ) -> Result<(), HouseholdError> {
        let request = self.pending::<R>(change, child)?;
        let mut request = request.ok_or(HouseholdError::NothingAsked)?;
        if request.by() != guardian {
            let now = self.clock.now();
            request.agreement_mut().confirm(guardian, now);
            store::put_request(change, child, &request)?;
        }
        Ok(())
    }
}

/// Cancels a request, even an unreadable one. Fails with [`HouseholdError::NothingAsked`].
pub(super) fn cancel<R: ChildRequest>(
    change: &mut Change,
    child: ChildId,
) -> Result<(), HouseholdError> {
    if store::remove_request::<R>(change, child)? {
        Ok(())
    } else {
        Err(HouseholdError::NothingAsked)
    }
}

/// Removes a former guardian's request, or their answer to one. An unreadable record stays; it counts for nobody.
pub(super) fn forget<R: ChildRequest>(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    match store::request::<R>(change, child) {
        Ok(Some(request)) if request.by() == guardian => {
            store::remove_request::<R>(change, child)?;
        }
        Ok(Some(mut request)) => {
            if request.agreement_mut().forget(guardian) {
                store::put_request(change, child, &request)?;
            }
        }
        Ok(None) | Err(StoreError::Unreadable(_)) => {}
        Err(error) => return Err(error),
    }
    Ok(())
}
