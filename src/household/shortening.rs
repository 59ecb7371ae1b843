//! For how long a child's conversations are kept. A longer time takes effect at once. A shorter time deletes conversations, so
//! it needs the agreement of the child's other guardians, as deleting the child does.

use super::emails::OF_RETENTION;
use super::retention_request::RetentionRequest;
use super::store::Asked;
use super::{Household, HouseholdError, caller, pending, store};
use crate::children::agreement::Agreement;
use crate::children::history::{Changed, Details, Entry};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::identity::{GuardianId, IdentityError, SignedIn, SteppedUp};
use crate::kernel::due::DueBy;
use crate::kernel::queue::Item;
use crate::kernel::store::{Change, Purpose, StoreError};
use crate::retention::{Period, is_shorter};

impl Household {
    /// Sets for how long a child's conversations are kept, or requests it if it is shorter and the child has other guardians.
    /// `stepped_up` is needed for a shorter time. Fails with [`IdentityError::StepUpNeeded`], [`HouseholdError::AskedAlready`].
    pub async fn choose_retention(
        &self,
        by: &SignedIn,
        stepped_up: Result<SteppedUp, IdentityError>,
        child: ChildId,
        period: Option<Period>,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.commit(Purpose::Ordinary, move |household, change| {
            let access = household
                .children
                .of_in(change, &caller(&guardian), child)?;
            let before = match household.retention.period(change, child) {
                // It is replaced.
                Err(StoreError::Unreadable(_)) => None,
                before => Some(before?),
            };
            match period {
                Some(shorter) if is_shorter(period, before.flatten()) => {
                    stepped_up?;
                    let others = household.others(change, child, &guardian)?;
                    if others.is_empty() {
                        household.set_retention(change, &access, period, &guardian)
                    } else {
                        household.ask_to_shorten(change, &access, shorter, &guardian, &others)
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
        self.note_retention(change, access, Changed::Retention, period, by)
    }

    /// Ends a pending request that isn't shorter any more.
    fn put_retention(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        period: Option<Period>,
    ) -> Result<(), ChildrenError> {
        self.retention.set_period(change, access, period)?;
        let request = store::request::<RetentionRequest>(change, access.child());
        if request
            .ok()
            .flatten()
            .is_some_and(|request| !is_shorter(Some(request.days), period))
        {
            store::remove_request::<RetentionRequest>(change, access.child())?;
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

    fn ask_to_shorten(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        days: Period,
        by: &GuardianId,
        others: &[GuardianId],
    ) -> Result<(), HouseholdError> {
        let child = access.child();
        if self.pending::<RetentionRequest>(change, child)?.is_some() {
            return Err(HouseholdError::AskedAlready);
        }
        self.take_request(change, by, Asked::Retention, child)?;
        let now = self.clock.now();
        let mut request = RetentionRequest {
            by: by.clone(),
            at: now,
            days,
            agreement: Agreement::default(),
        };
        request.agreement.show(by, now);
        store::put_request(change, child, &request)?;
        for other in others {
            let item = Item::new(other.as_str(), &child.number().to_string());
            let what = format!("{by} asked to keep less of {}", child.number());
            let item = item.with(&child);
            self.notices.notify(change, OF_RETENTION, item, what)?;
        }
        self.note_retention(change, access, Changed::RetentionAsked, Some(days), by)
    }

    fn note_retention(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        what: Changed,
        period: Option<Period>,
        by: &GuardianId,
    ) -> Result<(), HouseholdError> {
        let details = Details::of_value(period.map(|period| period.days().to_string()));
        let entry = Entry::new(self.clock.now(), what, Some(by.clone()));
        let entry = entry.with(Some(details));
        Ok(self.history.note(change, access, entry)?)
    }

    /// Confirms another guardian's request to keep conversations for a shorter time. Fails with
    /// [`HouseholdError::NothingAsked`].
    pub async fn confirm_retention(
        &self,
        by: &SteppedUp,
        child: ChildId,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            household.note(change, child, Changed::RetentionConfirmed, &guardian)?;
            household.confirm_request::<RetentionRequest>(change, child, &guardian)?;
            household.settle_retention(change, child, household.due.due())
        })
        .await
    }

    /// Cancels any guardian's request to keep conversations for a shorter time, even an unreadable one. Fails with
    /// [`HouseholdError::NothingAsked`].
    pub async fn stop_retention(
        &self,
        by: &SignedIn,
        child: ChildId,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            household.note(change, child, Changed::RetentionStopped, &guardian)?;
            pending::cancel::<RetentionRequest>(change, child)
        })
        .await
    }

    /// Applies the pending request if it is due.
    fn settle_retention(
        &self,
        change: &mut Change,
        child: ChildId,
        by: DueBy,
    ) -> Result<(), HouseholdError> {
        let Some(request) = self.due_request::<RetentionRequest>(change, child, by)? else {
            return Ok(());
        };
        store::remove_request::<RetentionRequest>(change, child)?;
        let period = Some(request.days);
        if !is_shorter(period, self.retention.period(change, child)?) {
            return Ok(());
        }
        let access = self.children.of_in(change, &caller(&request.by), child)?;
        self.set_retention(change, &access, period, &request.by)
    }

    /// Applies the requests that have become due. Skips unreadable ones.
    pub async fn settle_due_retention(&self, by: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        for child in store::children_with_request::<RetentionRequest>(&self.store)? {
            let due = self.due_request::<RetentionRequest>(&self.store, child, by);
            if !matches!(due, Ok(Some(_))) {
                continue;
            }
            let settled =
                self.answer(move |household, change| household.settle_retention(change, child, by));
            match settled.await {
                Ok(()) | Err(HouseholdError::Store(StoreError::Unreadable(_))) => {}
                Err(HouseholdError::Store(error)) => first = first.and(Err(error)),
                Err(error) => tracing::warn!(%error, "a shorter retention could not be applied"),
            }
        }
        first
    }
}
