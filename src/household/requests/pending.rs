//! The pending requests about a guardian's children, as that guardian sees them.

use std::collections::BTreeMap;

use super::ChildRequests;
use super::extent::DeletionExtent;
use crate::children::agreements::{Edition, Request, RequestKind, RequestedChange};
use crate::children::history::Author;
use crate::children::{ChildAccess, ChildId, ChildrenError, Period};
use crate::household::answers::{Answers, due_at};
use crate::household::invitations::InvitationId;
use crate::household::management::{Management, caller};
use crate::identity::SignedIn;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Purpose, StoreError, readable_or_counted};
use crate::retention::Expiring;

/// A pending request about a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingRequest {
    pub child: ChildId,
    pub by: Option<Author>,
    pub at: Timestamp,
    pub asked: RequestedChange,
    pub edition: Edition,
    /// What would be deleted. For a shorter retention, only the number of conversations.
    pub extent: DeletionExtent,
    pub answers: Answers,
}

impl ChildRequests {
    /// The requests about the guardian's children, and the number of unreadable ones.
    pub async fn pending_for(
        &self,
        guardian: &SignedIn,
    ) -> Result<(Vec<PendingRequest>, u64), ChildrenError> {
        let (mut pending, mut unreadable) = (Vec::new(), 0);
        for access in self.management.children.all_of(guardian)? {
            for kind in RequestKind::ALL {
                let request = self.pending_of_kind(&access, guardian, kind, None).await;
                let request = readable_or_counted(request, &mut unreadable)?.flatten();
                // A deletion with unreadable names is shown without names.
                let nameless = |request: &&PendingRequest| {
                    request.asked == RequestedChange::Deletion && request.extent.names.is_empty()
                };
                unreadable += request.iter().filter(nameless).count() as u64;
                pending.extend(request);
            }
        }
        Ok((pending, unreadable))
    }

    /// The pending request of this kind, as the guardian sees it. `expiring` has how many conversations each period would delete,
    /// if that was read already.
    pub(super) async fn pending_of_kind(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        kind: RequestKind,
        expiring: Option<&BTreeMap<Period, Expiring>>,
    ) -> Result<Option<PendingRequest>, ChildrenError> {
        let Management {
            children, store, ..
        } = &self.management;
        let pending = children.pending_request(store, access.child(), kind)?;
        let Some((request, _)) = pending else {
            return Ok(None);
        };
        let extent = match (request.asked, expiring) {
            (RequestedChange::Deletion, _) => self.extents.of(store, access)?,
            (RequestedChange::Retention(period), Some(expiring)) => too_old(expiring, period),
            (RequestedChange::Retention(period), None) => {
                too_old(&self.retention.read_expiring(access.clone()).await?, period)
            }
        };
        Ok(Some(self.view_for(access, reader, request, extent)?))
    }

    fn view_for(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        request: Request,
        extent: DeletionExtent,
    ) -> Result<PendingRequest, StoreError> {
        let Management {
            store,
            children,
            history,
            clock,
            ..
        } = &self.management;
        let (reader_id, now) = (reader.guardian(), clock.now());
        let request = request.known_to(reader_id, now);
        let guardians = children.guardians_of(store, access.child())?;
        let (agreement, due) = (&request.agreement, request.due(&guardians));
        Ok(PendingRequest {
            child: access.child(),
            by: history.author(store, access, reader, &request.by)?,
            at: request.at,
            asked: request.asked,
            answers: Answers {
                shown: agreement.was_shown_to(reader_id),
                confirmed: agreement.is_confirmed_by(reader_id),
                due_at: due_at(due, now),
            },
            edition: match request.asked {
                RequestedChange::Deletion => extent.edition(&request.edition),
                RequestedChange::Retention(_) => request.edition,
            },
            extent,
        })
    }

    /// The edition of the pending request as guardians read it now; `None` if there is none.
    pub(super) fn current_edition(
        &self,
        change: &Change,
        access: &ChildAccess,
        kind: RequestKind,
    ) -> Result<Option<Edition>, ChildrenError> {
        let children = &self.management.children;
        let pending = children.pending_request(change, access.child(), kind)?;
        Ok(match pending {
            Some((request, _)) if request.asked == RequestedChange::Deletion => {
                Some(self.extents.of(change, access)?.edition(&request.edition))
            }
            pending => pending.map(|(request, _)| request.edition),
        })
    }

    /// Records that these requests and invitations were shown to the guardian. Ignores those that have ended or changed, and
    /// invitations of other families. Fails with [`ChildrenError::NoSuchChild`] for a child that isn't the guardian's.
    pub async fn record_shown(
        &self,
        by: &SignedIn,
        requests: Vec<(ChildId, RequestKind, Edition)>,
        invitations: Vec<(InvitationId, Edition)>,
    ) -> Result<(), ChildrenError> {
        if requests.is_empty() && invitations.is_empty() {
            return Ok(());
        }
        let (guardian, service) = (by.guardian().clone(), self.clone());
        let record = move |change: &mut Change| {
            // The others would learn when this guardian's page was open.
            change.publish_nothing();
            let children = &service.management.children;
            for (child, kind, edition) in requests {
                let access = children.access_in(change, &caller(&guardian), child)?;
                let current = service.current_edition(change, &access, kind)?;
                if current.as_ref() == Some(&edition) {
                    children.record_request_shown(change, child, kind, &guardian)?;
                }
            }
            for (id, edition) in invitations {
                let of_invitations = &service.invitations;
                of_invitations.record_shown(change, &id, &edition, &guardian)?;
            }
            Ok(())
        };
        let store = &self.management.store;
        store.commit_for(Purpose::Essential, record).await
    }
}

/// The conversations that a period would delete.
fn too_old(expiring: &BTreeMap<Period, Expiring>, period: Period) -> DeletionExtent {
    DeletionExtent::of_conversations(expiring.get(&period).map_or(0, |count| count.now))
}
