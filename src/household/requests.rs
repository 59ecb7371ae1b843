//! The pending requests about a guardian's children, as that guardian sees them.

use std::collections::BTreeMap;

use super::invitation::Invitation;
use super::{DeletionExtent, Household, HouseholdError, InvitationId, caller, store};
use crate::alerts::reviewer::Status;
use crate::children::agreements::{Asked, Due, Edition, Request, RequestKind};
use crate::children::history::Author;
use crate::children::{ChildAccess, ChildId, Period};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, StoreError, readable_or_counted};
use crate::retention::Expiring;

/// A guardian's answer to a request, and when the request takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub shown: bool,
    pub confirmed: bool,
    /// When it takes effect unless somebody cancels it; `None` until it was shown to every guardian, as far as the reader may know.
    pub due_at: Option<Timestamp>,
}

/// A pending request about a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRequest {
    pub child: ChildId,
    pub by: Option<Author>,
    pub at: Timestamp,
    pub asked: Asked,
    pub edition: Edition,
    /// What would be deleted. For a shorter retention, only the number of conversations.
    pub extent: DeletionExtent,
    pub waiting: Waiting,
}

/// A model that another guardian wants to read a child's conversations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenReviewer {
    pub child: ChildId,
    pub by: Option<Author>,
    pub at: Timestamp,
}

/// An invitation to see some of the guardian's children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenInvitation {
    pub id: InvitationId,
    pub edition: Edition,
    pub by: Option<Author>,
    /// The guardian's children in it.
    pub children: Vec<ChildId>,
    /// Where the link was sent; `None` if it was shown on the screen.
    pub email: Option<EmailAddress>,
    pub at: Timestamp,
    pub accepted: bool,
    /// The accepting guardian's name, if known.
    pub accepted_by: Option<String>,
    /// The accepting guardian's address, and whether it is verified.
    pub accepted_address: Option<(EmailAddress, bool)>,
    pub waiting: Waiting,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    pub requests: Vec<SeenRequest>,
    pub reviewers: Vec<SeenReviewer>,
    /// Oldest first.
    pub invitations: Vec<SeenInvitation>,
    /// The number of unreadable requests that are missing.
    pub unreadable: u64,
}

impl Household {
    pub async fn requests_of(&self, guardian: &SignedIn) -> Result<Requests, HouseholdError> {
        let own = self.children.all_of(guardian)?;
        let mut requests = Requests::default();
        let mut ids = Vec::new();
        for access in &own {
            for kind in RequestKind::ALL {
                let seen = self.seen_request(access, guardian, kind).await;
                let seen = readable_or_counted(seen, &mut requests.unreadable)?.flatten();
                // A deletion with unreadable names is shown without names.
                let nameless = |seen: &&SeenRequest| {
                    seen.asked == Asked::Deletion && seen.extent.names.is_empty()
                };
                requests.unreadable += seen.iter().filter(nameless).count() as u64;
                requests.requests.extend(seen);
            }
            let reviewer = self.waiting_reviewer(access, guardian);
            let reviewer = readable_or_counted(reviewer, &mut requests.unreadable)?;
            requests.reviewers.extend(reviewer.flatten());
            ids.extend(store::invitations_of(&self.store, access.child())?);
        }
        ids.sort();
        ids.dedup();
        for id in ids {
            let found = match store::invitation(&self.store, &id) {
                Ok(Some(found)) => self.prune(&self.store, found),
                found => found,
            };
            let found = readable_or_counted(found, &mut requests.unreadable)?.flatten();
            if let Some(found) = found {
                let seen = self.as_seen_invitation(&own, guardian, found)?;
                requests.invitations.push(seen);
            }
        }
        requests.invitations.sort_by_key(|seen| seen.at);
        Ok(requests)
    }

    async fn seen_request(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        kind: RequestKind,
    ) -> Result<Option<SeenRequest>, HouseholdError> {
        let child = access.child();
        let pending = self.children.pending_request(&self.store, child, kind)?;
        let Some((request, _)) = pending else {
            return Ok(None);
        };
        let extent = match request.asked {
            Asked::Deletion => self.extents.of(&self.store, access)?,
            Asked::Retention(period) => {
                let expiring = self.retention.read_expiring(access.clone()).await?;
                too_old(&expiring, period)
            }
        };
        let seen = self.as_seen_request(access, reader, request, extent)?;
        Ok(Some(seen))
    }

    /// The pending request for a shorter retention. `expiring` has how many conversations each period would delete.
    pub fn pending_retention(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        expiring: &BTreeMap<Period, Expiring>,
    ) -> Result<Option<SeenRequest>, StoreError> {
        let (child, kind) = (access.child(), RequestKind::Retention);
        let pending = self.children.pending_request(&self.store, child, kind)?;
        let Some((request, _)) = pending else {
            return Ok(None);
        };
        let Asked::Retention(period) = request.asked else {
            return Ok(None);
        };
        let extent = too_old(expiring, period);
        let seen = self.as_seen_request(access, reader, request, extent)?;
        Ok(Some(seen))
    }

    fn as_seen_request(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        request: Request,
        extent: DeletionExtent,
    ) -> Result<SeenRequest, StoreError> {
        let reader_id = reader.guardian();
        let request = request.known_to(reader_id, self.clock.now());
        let guardians = self.children.guardians_of(&self.store, access.child())?;
        let (agreement, due) = (&request.agreement, request.due(&guardians));
        Ok(SeenRequest {
            child: access.child(),
            by: self
                .history
                .author(&self.store, access, reader, &request.by)?,
            at: request.at,
            asked: request.asked,
            waiting: self.waiting(
                due,
                agreement.was_shown_to(reader_id),
                agreement.is_confirmed_by(reader_id),
            ),
            edition: match request.asked {
                Asked::Deletion => extent.edition(&request.edition),
                Asked::Retention(_) => request.edition,
            },
            extent,
        })
    }

    /// The edition of the pending request as guardians read it now; `None` if there is none.
    pub(super) fn edition_read(
        &self,
        change: &Change,
        access: &ChildAccess,
        kind: RequestKind,
    ) -> Result<Option<Edition>, HouseholdError> {
        let pending = self
            .children
            .pending_request(change, access.child(), kind)?;
        Ok(match pending {
            Some((request, _)) if request.asked == Asked::Deletion => {
                Some(self.extents.of(change, access)?.edition(&request.edition))
            }
            pending => pending.map(|(request, _)| request.edition),
        })
    }

    /// The model that another guardian switched on, if `reader` has not agreed to it.
    fn waiting_reviewer(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
    ) -> Result<Option<SeenReviewer>, StoreError> {
        let Status::Waiting(_, _, consent, _) =
            self.consents.status(&self.store, access.child())?
        else {
            return Ok(None);
        };
        if consent.is_confirmed_by(reader.guardian()) {
            return Ok(None);
        }
        Ok(Some(SeenReviewer {
            child: access.child(),
            by: self
                .history
                .author(&self.store, access, reader, &consent.by)?,
            at: consent.at,
        }))
    }

    fn as_seen_invitation(
        &self,
        own: &[ChildAccess],
        reader: &SignedIn,
        found: Invitation,
    ) -> Result<SeenInvitation, StoreError> {
        let found = found.known_to(reader.guardian(), self.clock.now());
        let is_in = |access: &&ChildAccess| found.children.contains(&access.child());
        let own = own.iter().filter(is_in).collect::<Vec<_>>();
        let (mut due, mut by) = (Due::AtOnce, None);
        for access in &own {
            let guardians = self.children.guardians_of(&self.store, access.child())?;
            due = due.max(found.due(access.child(), &guardians));
            by = self
                .history
                .author(&self.store, access, reader, &found.by)?;
        }
        let (accepted_by, accepted_address) = match &found.accepted_by {
            Some(id) => (
                self.guardians.name_of(&self.store, id)?,
                self.guardians.address_of(&self.store, id)?,
            ),
            None => (None, None),
        };
        let children = own.iter().map(|access| access.child());
        let children = children.collect::<Vec<_>>();
        let (shown, confirmed) = (
            found.was_shown_to(&children, reader.guardian()),
            found.is_confirmed_by(&children, reader.guardian()),
        );
        Ok(SeenInvitation {
            by,
            children,
            email: found.email,
            at: found.at,
            accepted: found.accepted_by.is_some(),
            accepted_by,
            accepted_address,
            waiting: self.waiting(due, shown, confirmed),
            edition: found.edition,
            id: found.id,
        })
    }

    fn waiting(&self, due: Due, shown: bool, confirmed: bool) -> Waiting {
        Waiting {
            shown,
            confirmed,
            due_at: match due {
                Due::AtOnce => Some(self.clock.now()),
                Due::At(at) => Some(at),
                Due::NotKnown => None,
            },
        }
    }

    /// Records that these requests were shown to the guardian. Ignores those that have ended or changed, and invitations of other
    /// families. Fails with [`ChildrenError::NoSuchChild`](crate::children::ChildrenError::NoSuchChild) for a child that isn't
    /// the guardian's.
    pub async fn note_shown(
        &self,
        by: &SignedIn,
        requests: Vec<(ChildId, RequestKind, Edition)>,
        invitations: Vec<(InvitationId, Edition)>,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            // The others would learn when this guardian's page was open.
            change.publish_nothing();
            let children = &household.children;
            for (child, kind, edition) in requests {
                let access = children.access_in(change, &caller(&guardian), child)?;
                let read = household.edition_read(change, &access, kind)?;
                if read.as_ref() == Some(&edition) {
                    children.note_request_shown(change, child, kind, &guardian)?;
                }
            }
            for (id, edition) in invitations {
                household.note_invitation_shown(change, &id, &edition, &guardian)?;
            }
            Ok(())
        })
        .await
    }

    fn note_invitation_shown(
        &self,
        change: &mut Change,
        id: &InvitationId,
        edition: &Edition,
        guardian: &GuardianId,
    ) -> Result<(), HouseholdError> {
        let own = self.children.seen_by(change, &caller(guardian))?;
        if store::children_invited_to(change, &own, id)?.is_empty() {
            return Ok(());
        }
        let found = store::invitation(change, id)?;
        let Some(mut found) = found.filter(|found| found.edition == *edition) else {
            return Ok(());
        };
        let children = found.children.clone();
        let theirs = children.iter().copied().filter(|child| own.contains(child));
        if found.show(&theirs.collect::<Vec<_>>(), guardian, self.clock.now()) {
            store::put_invitation(change, &found, &children)?;
        }
        Ok(())
    }
}

/// The conversations that a period would delete.
fn too_old(expiring: &BTreeMap<Period, Expiring>, period: Period) -> DeletionExtent {
    DeletionExtent::of_conversations(expiring.get(&period).map_or(0, |count| count.now))
}
