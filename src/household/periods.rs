//! For how long a child's conversations are kept. A longer time takes effect at once. A shorter time deletes conversations, so
//! it needs the agreement of the child's other guardians, as deleting the child does.

use super::{Household, HouseholdError, caller};
use crate::children::agreements::{Asked, RequestKind};
use crate::children::history::{Changed, Details, Entry};
use crate::children::{ChildAccess, ChildId, ChildrenError, Period, is_shorter};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Purpose, StoreError, readable};

impl Household {
    /// Sets for how long a child's conversations are kept, or requests it if it is shorter and the child has other guardians.
    /// Requires stepping up for a shorter time. Fails with
    /// [`IdentityError::StepUpNeeded`](crate::identity::IdentityError::StepUpNeeded), and as [`ask`](Self::ask).
    pub async fn set_retention_period(
        &self,
        by: &SignedIn,
        child: ChildId,
        period: Option<Period>,
    ) -> Result<(), HouseholdError> {
        let (guardian, by) = (by.guardian().clone(), by.clone());
        self.commit(Purpose::Ordinary, move |household, change| {
            let access = household
                .children
                .access_in(change, &caller(&guardian), child)?;
            // An unreadable one is replaced.
            let before = readable(household.retention.period(change, child))?;
            match period {
                Some(shorter) if is_shorter(period, before.flatten()) => {
                    household.sign_ins.require_step_up_in(change, &by)?;
                    if household.children.has_alone(change, &access, &guardian)? {
                        household.set_retention(change, &access, period, &guardian)
                    } else {
                        let asked = Asked::Retention(shorter);
                        household.ask(change, &access, &guardian, asked)
                    }
                }
                _ if before == Some(period) => Ok(()),
                _ => household.set_retention(change, &access, period, &guardian),
            }
        })
        .await
    }

    fn set_retention(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        period: Option<Period>,
        by: &GuardianId,
    ) -> Result<(), HouseholdError> {
        self.put_retention(change, access, period)?;
        let days = Details::of_value(period.map(|period| period.days().to_string()));
        let entry = Entry::new(self.clock.now(), Changed::Retention, Some(by.clone()));
        Ok(self.history.note(change, access, entry.with(Some(days)))?)
    }

    /// Ends a pending request that isn't shorter any more.
    fn put_retention(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        period: Option<Period>,
    ) -> Result<(), ChildrenError> {
        self.retention.set_period(change, access, period)?;
        let (child, kind) = (access.child(), RequestKind::Retention);
        let pending = self.children.pending_request(change, child, kind);
        if let Ok(Some((request, _))) = pending
            && let Asked::Retention(shorter) = request.asked
            && !is_shorter(Some(shorter), period)
        {
            self.children.remove_request(change, child, kind)?;
        }
        Ok(())
    }

    /// For the administrator: needs nobody's agreement.
    pub fn impose_retention(
        &self,
        change: &mut Change,
        child: ChildId,
        period: Option<Period>,
    ) -> Result<(), ChildrenError> {
        let access = self.children.for_administrator(child)?;
        self.put_retention(change, &access, period)
    }

    /// Applies the pending request if it is due.
    pub(super) fn settle_retention(
        &self,
        change: &mut Change,
        child: ChildId,
        now: DueBy,
    ) -> Result<(), HouseholdError> {
        let (children, kind) = (&self.children, RequestKind::Retention);
        let Some(request) = children.due_request(change, child, kind, now)? else {
            return Ok(());
        };
        let Asked::Retention(shorter) = request.asked else {
            return Ok(());
        };
        children.remove_request(change, child, kind)?;
        let period = Some(shorter);
        if !is_shorter(period, self.retention.period(change, child)?) {
            return Ok(());
        }
        let access = children.access_in(change, &caller(&request.by), child)?;
        self.set_retention(change, &access, period, &request.by)
    }

    /// Applies the requests that have become due. Skips unreadable ones.
    pub async fn settle_due_retention(&self, now: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        let kind = RequestKind::Retention;
        for child in self.children.with_due_request(&self.store, kind, now)? {
            let settled = self
                .answer(move |household, change| household.settle_retention(change, child, now));
            match readable(settled.await) {
                Ok(_) => {}
                Err(HouseholdError::Store(error)) => first = first.and(Err(error)),
                Err(error) => tracing::warn!(%error, "a shorter retention could not be applied"),
            }
        }
        first
    }
}
