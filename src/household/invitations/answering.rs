//! The answers of a child's other guardians to an invitation.

use super::invitation::Invitation;
use super::{InvitationId, Invitations, store};
use crate::children::agreements::Edition;
use crate::children::history::Changed;
use crate::children::{ChildId, ChildrenError};
use crate::household::management::caller;
use crate::identity::{GuardianId, SignedIn, SteppedUp};
use crate::kernel::store::{Change, Purpose, Read};

impl Invitations {
    /// Confirms another guardian's invitation, for all of the caller's children in it, if `is_read` accepts its edition. Fails
    /// with [`ChildrenError::NothingAsked`] and [`ChildrenError::RequestChanged`].
    pub async fn confirm(
        &self,
        by: &SteppedUp,
        id: InvitationId,
        is_read: impl FnOnce(&Edition) -> bool + Send + 'static,
    ) -> Result<(), ChildrenError> {
        let guardian = by.guardian().clone();
        let service = self.clone();
        let store = &self.management.store;
        let answer = move |change: &mut Change| {
            let management = &service.management;
            let (mut invitation, own) = service.own_invitation(change, &guardian, &id)?;
            if !is_read(&invitation.edition) {
                return Err(ChildrenError::RequestChanged);
            }
            let is_new = invitation.by != guardian && !invitation.is_confirmed_by(&own, &guardian);
            if is_new {
                invitation.confirm(&own, &guardian, management.clock.now());
                for child in own {
                    management.record(change, child, Changed::InvitationConfirmed, &guardian)?;
                }
            }
            let before = invitation.children.clone();
            service.complete(change, invitation, &before, management.due.due())
        };
        store.commit_for(Purpose::Essential, answer).await
    }

    /// Removes the caller's children from any guardian's invitation. Fails with [`ChildrenError::NothingAsked`].
    pub async fn cancel(&self, by: &SignedIn, id: InvitationId) -> Result<(), ChildrenError> {
        let guardian = by.guardian().clone();
        let service = self.clone();
        let store = &self.management.store;
        let answer = move |change: &mut Change| {
            let management = &service.management;
            let (mut invitation, own) = service.own_invitation(change, &guardian, &id)?;
            for child in &own {
                management.record(change, *child, Changed::InvitationStopped, &guardian)?;
            }
            let before = invitation.children.clone();
            invitation.children.retain(|child| !own.contains(child));
            service.complete(change, invitation, &before, management.due.due())
        };
        store.commit_for(Purpose::Essential, answer).await
    }

    /// Returns an invitation and the guardian's children in it.
    fn own_invitation(
        &self,
        view: &impl Read,
        guardian: &GuardianId,
        id: &InvitationId,
    ) -> Result<(Invitation, Vec<ChildId>), ChildrenError> {
        let own = self
            .management
            .children
            .visible_to(view, &caller(guardian))?;
        let mut own = store::children_invited_to(view, &own, id)?;
        if own.is_empty() {
            return Err(ChildrenError::NothingAsked);
        }
        let found = store::invitation(view, id)?.ok_or(ChildrenError::NothingAsked)?;
        let found = self
            .prune(view, found)?
            .ok_or(ChildrenError::NothingAsked)?;
        own.retain(|child| found.children.contains(child));
        if own.is_empty() {
            Err(ChildrenError::NothingAsked)
        } else {
            Ok((found, own))
        }
    }
}
