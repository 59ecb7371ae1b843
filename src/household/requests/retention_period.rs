//! For how long a child's conversations are kept. A longer time takes effect at once. A shorter time deletes conversations, so
//! it needs the agreement of the child's other guardians, as deleting the child does.

use std::collections::BTreeMap;

use super::{ChildRequests, PendingRequest, RequestError};
use crate::children::agreements::{RequestKind, RequestedChange};
use crate::children::history::{Changed, Details, Entry};
use crate::children::{ChildAccess, ChildId, ChildrenError, Period, is_shorter};
use crate::household::management::{Management, caller};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Purpose, StoreError, readable};
use crate::retention::Expiring;

/// For how long a child's conversations are kept, as a guardian sees it.
pub struct RetentionStatus {
    /// `None` for ever.
    pub period: Option<Period>,
    /// How many conversations each period would delete.
    pub expiring: BTreeMap<Period, Expiring>,
    pub pending: Option<PendingRequest>,
}

impl ChildRequests {
    pub async fn retention_status(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
    ) -> Result<RetentionStatus, ChildrenError> {
        let expiring = self.retention.read_expiring(access.clone()).await?;
        let kind = RequestKind::Retention;
        let pending = self.pending_of_kind(access, reader, kind, Some(&expiring));
        let pending = pending.await?;
        let store = &self.management.store;
        Ok(RetentionStatus {
            period: self.retention.period(store, access.child())?,
            pending,
            expiring,
        })
    }

    /// Sets for how long a child's conversations are kept, or requests it if it is shorter and the child has other guardians.
    /// Requires stepping up for a shorter time. Fails also as [`request`](Self::request).
    pub async fn set_retention_period(
        &self,
        by: &SignedIn,
        child: ChildId,
        period: Option<Period>,
    ) -> Result<(), RequestError> {
        let (guardian, by) = (by.guardian().clone(), by.clone());
        let service = self.clone();
        let set = move |change: &mut Change| {
            let Management {
                children, sign_ins, ..
            } = &service.management;
            let access = children.access_in(change, &caller(&guardian), child)?;
            // An unreadable one is replaced.
            let before = readable(service.retention.period(change, child))?;
            match period {
                Some(shorter) if is_shorter(period, before.flatten()) => {
                    sign_ins.require_step_up_in(change, &by)?;
                    if children.is_only_guardian(change, &access, &guardian)? {
                        Ok(service.set_retention(change, &access, period, &guardian)?)
                    } else {
                        let asked = RequestedChange::Retention(shorter);
                        service.request(change, &access, &guardian, asked)
                    }
                }
                _ if before == Some(period) => Ok(()),
                _ => Ok(service.set_retention(change, &access, period, &guardian)?),
            }
        };
        let store = &self.management.store;
        store.commit_for(Purpose::Ordinary, set).await
    }

    fn set_retention(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        period: Option<Period>,
        by: &GuardianId,
    ) -> Result<(), ChildrenError> {
        self.put_retention(change, access, period)?;
        let days = Details::of_value(period.map(|period| period.days().to_string()));
        let Management { clock, history, .. } = &self.management;
        let entry = Entry::new(clock.now(), Changed::Retention, Some(by.clone()));
        Ok(history.record(change, access, entry.with(Some(days)))?)
    }

    /// Stores the period, and ends a pending request that isn't shorter any more.
    fn put_retention(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        period: Option<Period>,
    ) -> Result<(), ChildrenError> {
        self.retention.set_period(change, access, period)?;
        let (child, kind) = (access.child(), RequestKind::Retention);
        let children = &self.management.children;
        let pending = children.pending_request(change, child, kind);
        if let Ok(Some((request, _))) = pending
            && let RequestedChange::Retention(shorter) = request.asked
            && !is_shorter(Some(shorter), period)
        {
            children.remove_request(change, child, kind)?;
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
        let access = self.management.children.for_administrator(child)?;
        self.put_retention(change, &access, period)
    }

    /// Applies the pending request if it is due.
    pub(super) fn shorten_if_due(
        &self,
        change: &mut Change,
        child: ChildId,
        now: DueBy,
    ) -> Result<(), ChildrenError> {
        let (children, kind) = (&self.management.children, RequestKind::Retention);
        let Some(request) = children.due_request(change, child, kind, now)? else {
            return Ok(());
        };
        let RequestedChange::Retention(shorter) = request.asked else {
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
    pub async fn shorten_due(&self, now: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        let Management {
            store, children, ..
        } = &self.management;
        for child in children.with_due_request(store, RequestKind::Retention, now)? {
            let service = self.clone();
            let shorten = move |change: &mut Change| service.shorten_if_due(change, child, now);
            match readable(store.commit_for(Purpose::Essential, shorten).await) {
                Ok(_) => {}
                Err(ChildrenError::Store(error)) => first = first.and(Err(error)),
                Err(error) => tracing::warn!(%error, "a shorter retention could not be applied"),
            }
        }
        first
    }
}
