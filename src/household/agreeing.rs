//! Asking a child's other guardians, and their answers.

use super::{Household, HouseholdError, caller};
use crate::children::agreements::{Asked, Edition, Notice, Request, RequestKind};
use crate::children::history::{Changed, Details, Entry};
use crate::children::{ChildAccess, ChildId};
use crate::identity::{GuardianId, SignedIn, SteppedUp};
use crate::kernel::store::Change;

/// What the history says when a request is made, confirmed and cancelled.
fn entries(kind: RequestKind) -> [Changed; 3] {
    match kind {
        RequestKind::Deletion => [
            Changed::ErasureAsked,
            Changed::ErasureConfirmed,
            Changed::ErasureStopped,
        ],
        RequestKind::Retention => [
            Changed::RetentionAsked,
            Changed::RetentionConfirmed,
            Changed::RetentionStopped,
        ],
    }
}

impl Household {
    /// Asks the child's other guardians, and tells them. Asking for the same again does nothing. Fails with
    /// [`ChildrenError::AskedAlready`](crate::children::ChildrenError::AskedAlready) and
    /// [`HouseholdError::ChangedThreeTimes`].
    pub(super) fn ask(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        by: &GuardianId,
        asked: Asked,
    ) -> Result<(), HouseholdError> {
        let child = access.child();
        let edition = Edition::generate(&self.randomness);
        let request = Request::new(by.clone(), asked, edition, self.clock.now());
        if !self.children.put_request(change, child, &request)? {
            return Ok(());
        }
        self.charge_request_quota(change, by, child)?;
        let notice = Notice {
            kind: &self.emails.of_request,
            subject: &format!("{child} {}", asked.kind().name()),
            about: asked,
        };
        self.children
            .notify_others(change, &self.notices, by, &[child], &notice)?;
        let days = match asked {
            Asked::Deletion => None,
            Asked::Retention(period) => Some(Details::of_value(Some(period.days().to_string()))),
        };
        let [made, ..] = entries(asked.kind());
        let entry = Entry::new(request.at, made, Some(by.clone())).with(days);
        Ok(self.history.note(change, access, entry)?)
    }

    /// Confirms the edition of another guardian's request that `is_read` accepts. Fails with
    /// [`ChildrenError::NothingAsked`](crate::children::ChildrenError::NothingAsked) and
    /// [`ChildrenError::RequestChanged`](crate::children::ChildrenError::RequestChanged).
    pub async fn confirm_request(
        &self,
        by: &SteppedUp,
        child: ChildId,
        kind: RequestKind,
        is_read: impl FnOnce(&Edition) -> bool + Send + 'static,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            let children = &household.children;
            let access = children.access_in(change, &caller(&guardian), child)?;
            let read = household.edition_read(change, &access, kind)?;
            let is_read = read.is_some_and(|read| is_read(&read));
            if children.confirm_request(change, child, kind, is_read, &guardian)? {
                let [_, confirmed, _] = entries(kind);
                household.note(change, child, confirmed, &guardian)?;
            }
            match kind {
                // By the maintenance, which erases its data.
                RequestKind::Deletion => Ok(()),
                RequestKind::Retention => {
                    household.settle_retention(change, child, household.due.due())
                }
            }
        })
        .await?;
        self.requested.notify_one();
        Ok(())
    }

    /// Cancels any guardian's request, even an unreadable one. Fails with
    /// [`ChildrenError::NothingAsked`](crate::children::ChildrenError::NothingAsked).
    pub async fn stop_request(
        &self,
        by: &SignedIn,
        child: ChildId,
        kind: RequestKind,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            let [.., stopped] = entries(kind);
            household.note(change, child, stopped, &guardian)?;
            Ok(household.children.remove_request(change, child, kind)?)
        })
        .await
    }
}
