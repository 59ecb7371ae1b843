//! The pending requests about a guardian's children, as that guardian sees them.

use std::collections::BTreeMap;

use super::child_request::ChildRequest;
use super::erasure_request::ErasureRequest;
use super::invitation::Invitation;
use super::retention_request::RetentionRequest;
use super::{DeletionExtent, Household, HouseholdError, InvitationId, caller, store};
use crate::children::agreement::Due;
use crate::children::history::Author;
use crate::children::{ChildAccess, ChildId};
use crate::identity::SignedIn;
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::EmailAddress;
use crate::kernel::store::StoreError;
use crate::retention::{Expiring, Period};
use crate::reviewer::Status;

/// A guardian's answer to a request, and when the request takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub shown: bool,
    pub confirmed: bool,
    /// When it takes effect unless somebody cancels it; `None` until it was shown to every guardian.
    pub due_at: Option<Timestamp>,
}

/// A pending request to delete a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenErasure {
    pub child: ChildId,
    pub by: Option<Author>,
    pub at: Timestamp,
    pub extent: DeletionExtent,
    pub waiting: Waiting,
}

/// A pending request to keep a child's conversations for a shorter time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRetention {
    pub child: ChildId,
    pub by: Option<Author>,
    pub at: Timestamp,
    pub days: Period,
    /// How many conversations would be deleted.
    pub conversations: u64,
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
    pub erasures: Vec<SeenErasure>,
    pub retentions: Vec<SeenRetention>,
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
            match self.pending::<ErasureRequest>(&self.store, access.child()) {
                Ok(Some(request)) => {
                    let seen = self.as_seen_erasure(access, guardian, request)?;
                    // A request with unreadable names is shown without names.
                    requests.unreadable += u64::from(seen.extent.names.is_empty());
                    requests.erasures.push(seen);
                }
                Ok(None) => {}
                Err(HouseholdError::Store(StoreError::Unreadable(_))) => requests.unreadable += 1,
                Err(error) => return Err(error),
            }
            match self.seen_retention(access, guardian).await {
                Ok(seen) => requests.retentions.extend(seen),
                Err(HouseholdError::Store(StoreError::Unreadable(_))) => requests.unreadable += 1,
                Err(error) => return Err(error),
            }
            match self.waiting_reviewer(access, guardian) {
                Ok(seen) => requests.reviewers.extend(seen),
                Err(StoreError::Unreadable(_)) => requests.unreadable += 1,
                Err(error) => return Err(error.into()),
            }
            ids.extend(store::invitations_of(&self.store, access.child())?);
        }
        ids.sort();
        ids.dedup();
        for id in ids {
            let found = match store::invitation(&self.store, &id) {
                Ok(Some(found)) => self.prune(&self.store, found),
                found => found,
            };
            match found {
                Ok(Some(found)) => {
                    let seen = self.as_seen_invitation(&own, guardian, found)?;
                    requests.invitations.push(seen);
                }
                Ok(None) => {}
                Err(StoreError::Unreadable(_)) => requests.unreadable += 1,
                Err(error) => return Err(error.into()),
            }
        }
        requests.invitations.sort_by_key(|seen| seen.at);
        Ok(requests)
    }

    fn as_seen_erasure(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        request: ErasureRequest,
    ) -> Result<SeenErasure, HouseholdError> {
        let guardians = self.children.guardians_of(&self.store, access.child())?;
        Ok(SeenErasure {
            child: access.child(),
            by: self
                .history
                .author(&self.store, access, reader, &request.by)?,
            at: request.at,
            extent: self.extents.of(&self.store, access)?,
            waiting: self.waiting(
                request.due(&guardians),
                request.agreement.was_shown_to(reader.guardian()),
                request.agreement.is_confirmed_by(reader.guardian()),
            ),
        })
    }

    async fn seen_retention(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
    ) -> Result<Option<SeenRetention>, HouseholdError> {
        let child = access.child();
        if self
            .pending::<RetentionRequest>(&self.store, child)?
            .is_none()
        {
            return Ok(None);
        }
        let expiring = self.retention.read_expiring(access.clone()).await?;
        self.pending_retention(access, reader, &expiring)
    }

    /// The pending request to keep a child's conversations for a shorter time.
    pub fn pending_retention(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        expiring: &BTreeMap<Period, Expiring>,
    ) -> Result<Option<SeenRetention>, HouseholdError> {
        let Some(request) = self.pending::<RetentionRequest>(&self.store, access.child())? else {
            return Ok(None);
        };
        let RetentionRequest {
            by,
            at,
            days,
            agreement,
        } = &request;
        let guardians = self.children.guardians_of(&self.store, access.child())?;
        Ok(Some(SeenRetention {
            child: access.child(),
            by: self.history.author(&self.store, access, reader, by)?,
            at: *at,
            days: *days,
            conversations: expiring.get(days).map_or(0, |count| count.now),
            waiting: self.waiting(
                request.due(&guardians),
                agreement.was_shown_to(reader.guardian()),
                agreement.is_confirmed_by(reader.guardian()),
            ),
        }))
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

    /// Records that these requests were shown to the guardian. Ignores requests that have ended, and invitations of other
    /// families. Fails with [`ChildrenError::NoSuchChild`](crate::children::ChildrenError::NoSuchChild) for a child that isn't
    /// the guardian's.
    pub async fn note_shown(
        &self,
        by: &SignedIn,
        erasures: Vec<ChildId>,
        retentions: Vec<ChildId>,
        invitations: Vec<InvitationId>,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            let now = household.clock.now();
            let own = household.children.seen_by(change, &caller(&guardian))?;
            for child in erasures {
                household
                    .children
                    .of_in(change, &caller(&guardian), child)?;
                household.show_request::<ErasureRequest>(change, child, &guardian)?;
            }
            for child in retentions {
                household
                    .children
                    .of_in(change, &caller(&guardian), child)?;
                household.show_request::<RetentionRequest>(change, child, &guardian)?;
            }
            for id in invitations {
                if store::children_invited_to(change, &own, &id)?.is_empty() {
                    continue;
                }
                let Some(mut found) = store::invitation(change, &id)? else {
                    continue;
                };
                let children = found.children.iter().copied();
                let theirs = children.filter(|child| own.contains(child));
                let theirs = theirs.collect::<Vec<_>>();
                if found.show(&theirs, &guardian, now) {
                    let children = found.children.clone();
                    store::put_invitation(change, &found, &children)?;
                }
            }
            Ok(())
        })
        .await
    }
}
