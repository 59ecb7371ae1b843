//! What all guardians of a child must agree to: its deletion, and keeping its conversations for a shorter time.

mod deletion;
mod emails;
mod error;
mod extent;
mod pending;
mod retention_period;

use std::sync::Arc;

use tokio::sync::Notify;

use super::invitations::Invitations;
use super::management::{Management, caller};
use super::quotas;
use crate::children::agreements::{
    ByGuardian, Edition, Notice, Request, RequestKind, RequestedChange,
};
use crate::children::history::{Changed, Details, Entry};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::identity::{GuardianId, Identity, Notices, SignedIn, SteppedUp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::queue::Kind;
use crate::kernel::store::{Change, Purpose};
use crate::retention::Retention;

pub use error::RequestError;
pub use extent::Extents;
pub use pending::PendingRequest;
pub use retention_period::RetentionStatus;

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

#[derive(Clone)]
pub struct ChildRequests {
    management: Management,
    invitations: Invitations,
    randomness: Randomness,
    notices: Notices,
    /// The e-mail to the other guardians.
    notice: Kind<ByGuardian<RequestedChange>>,
    retention: Retention,
    extents: Extents,
    /// Notified when a deletion may have become due.
    may_be_due: Arc<Notify>,
}

impl ChildRequests {
    /// Registers the kind of e-mail.
    pub fn new(
        identity: &Identity,
        management: Management,
        invitations: Invitations,
        retention: Retention,
        extents: Extents,
    ) -> Self {
        Self {
            notice: emails::register(identity, &extents),
            management,
            invitations,
            randomness: identity.environment.randomness.clone(),
            notices: identity.notices.clone(),
            retention,
            extents,
            may_be_due: Arc::default(),
        }
    }

    /// Requests something of the child's other guardians, and notifies them. Requesting the same again does nothing. Fails with
    /// [`ChildrenError::AskedAlready`] and [`QuotaError::RequestedThreeTimes`](quotas::QuotaError::RequestedThreeTimes).
    fn request(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        by: &GuardianId,
        asked: RequestedChange,
    ) -> Result<(), RequestError> {
        let Management {
            clock,
            children,
            history,
            ..
        } = &self.management;
        let (child, now) = (access.child(), clock.now());
        let edition = Edition::generate(&self.randomness);
        let request = Request::new(by.clone(), asked, edition, now);
        if !children.put_request(change, child, &request)? {
            return Ok(());
        }
        quotas::charge_request(change, by, child, now)?;
        let notice = Notice {
            kind: &self.notice,
            subject: &format!("{child} {}", asked.kind().name()),
            about: asked,
        };
        children.notify_others(change, &self.notices, by, &[child], &notice)?;
        let days = match asked {
            RequestedChange::Deletion => None,
            RequestedChange::Retention(period) => {
                Some(Details::of_value(Some(period.days().to_string())))
            }
        };
        let [made, ..] = entries(asked.kind());
        let entry = Entry::new(request.at, made, Some(by.clone())).with(days);
        Ok(history.record(change, access, entry)?)
    }

    /// Confirms another guardian's request, if `is_read` accepts its edition. Fails with [`ChildrenError::NothingAsked`] and
    /// [`ChildrenError::RequestChanged`].
    pub async fn confirm(
        &self,
        by: &SteppedUp,
        child: ChildId,
        kind: RequestKind,
        is_read: impl FnOnce(&Edition) -> bool + Send + 'static,
    ) -> Result<(), ChildrenError> {
        let (guardian, service) = (by.guardian().clone(), self.clone());
        let confirm = move |change: &mut Change| {
            let Management { children, due, .. } = &service.management;
            let access = children.access_in(change, &caller(&guardian), child)?;
            let current = service.current_edition(change, &access, kind)?;
            if current.is_some_and(|edition| !is_read(&edition)) {
                return Err(ChildrenError::RequestChanged);
            }
            if children.confirm_request(change, child, kind, &guardian)? {
                let [_, confirmed, _] = entries(kind);
                service
                    .management
                    .record(change, child, confirmed, &guardian)?;
            }
            match kind {
                // By the maintenance, which erases its data.
                RequestKind::Deletion => Ok(()),
                RequestKind::Retention => service.shorten_if_due(change, child, due.due()),
            }
        };
        let store = &self.management.store;
        store.commit_for(Purpose::Essential, confirm).await?;
        if kind == RequestKind::Deletion {
            self.may_be_due.notify_one();
        }
        Ok(())
    }

    /// Cancels any guardian's request, even an unreadable one. Fails with [`ChildrenError::NothingAsked`].
    pub async fn cancel(
        &self,
        by: &SignedIn,
        child: ChildId,
        kind: RequestKind,
    ) -> Result<(), ChildrenError> {
        let (guardian, management) = (by.guardian().clone(), self.management.clone());
        let cancel = move |change: &mut Change| {
            let [.., stopped] = entries(kind);
            management.record(change, child, stopped, &guardian)?;
            management.children.remove_request(change, child, kind)
        };
        let store = &self.management.store;
        store.commit_for(Purpose::Essential, cancel).await
    }

    /// Waits until a deletion may have become due.
    pub async fn wait_until_due(&self) {
        self.may_be_due.notified().await;
    }
}
