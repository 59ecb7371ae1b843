//! Granting access to the children of an accepted invitation, and removing invitations that have ended.

use super::invitation::Invitation;
use super::{InvitationId, Invitations, store};
use crate::children::history::Changed;
use crate::children::{ChildId, ChildrenError};
use crate::household::management::caller;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Purpose, Read, ReadError, StoreError, readable};

impl Invitations {
    /// Removes children that the inviting guardian no longer has from the invitation. `None` if no child is left, if that
    /// guardian was signed out everywhere since, or if the guardian who accepted was removed. Whatever grants access reads
    /// an invitation through this, so one by a guardian whose record is unreadable grants nothing.
    pub(super) fn prune(
        &self,
        view: &impl Read,
        mut invitation: Invitation,
    ) -> Result<Option<Invitation>, StoreError> {
        let inviter = self.guardians.find_by_id(view, &invitation.by)?;
        if inviter.is_none_or(|inviter| inviter.sign_out_count != invitation.sign_out_count) {
            return Ok(None);
        }
        let inviters = self
            .management
            .children
            .visible_to(view, &caller(&invitation.by))?;
        invitation.children.retain(|child| inviters.contains(child));
        let is_left = match &invitation.accepted_by {
            Some(guardian) => self.guardians.find_by_id(view, guardian)?.is_some(),
            None => true,
        };
        Ok(Some(invitation).filter(|invitation| is_left && !invitation.children.is_empty()))
    }

    /// The [pruned](Self::prune) invitation; `None` also if it can be removed.
    fn left_of(
        &self,
        view: &impl Read,
        invitation: Invitation,
        now: DueBy,
    ) -> Result<Option<Invitation>, StoreError> {
        let left = self.prune(view, invitation)?;
        Ok(left.filter(|left| !left.is_over(now)))
    }

    /// The children to which the guardian who accepted gets access now.
    fn due_children(
        &self,
        view: &impl Read,
        invitation: &Invitation,
        now: DueBy,
    ) -> Result<Vec<ChildId>, StoreError> {
        let mut due = Vec::new();
        if invitation.accepted_by.is_none() || !self.management.guardians_manage {
            return Ok(due);
        }
        for child in &invitation.children {
            let guardians = self.management.children.guardians_of(view, *child)?;
            let has_room = !self
                .management
                .children
                .has_enough_guardians(view, *child)?;
            if has_room && invitation.due(*child, &guardians).is_due(now) {
                due.push(*child);
            }
        }
        Ok(due)
    }

    /// Grants access to the children that are due, and stores the rest of the invitation, or removes it. `before` are the
    /// children of the stored invitation.
    pub(super) fn complete(
        &self,
        change: &mut Change,
        mut invitation: Invitation,
        before: &[ChildId],
        now: DueBy,
    ) -> Result<(), ChildrenError> {
        let due = self.due_children(change, &invitation, now)?;
        if let Some(accepted_by) = &invitation.accepted_by {
            for child in &due {
                // Another invitation may have given access before.
                let guardians = self.management.children.guardians_of(change, *child)?;
                if !guardians.contains(accepted_by) {
                    self.management
                        .children
                        .link(change, *child, &caller(accepted_by))?;
                    self.management
                        .record(change, *child, Changed::GuardianJoined, accepted_by)?;
                }
            }
        }
        invitation.children.retain(|child| !due.contains(child));
        if invitation.children.is_empty() {
            invitation.children = before.to_vec();
            return Ok(store::remove_invitation(change, &invitation)?);
        }
        Ok(store::put_invitation(change, &invitation, before)?)
    }

    /// Completes the invitations to a child whose guardians have changed. Skips unreadable ones.
    pub fn complete_for(&self, change: &mut Change, child: ChildId) -> Result<(), ChildrenError> {
        for id in store::invitations_of(change, child)? {
            readable(self.complete_if_due(change, &id, self.management.due.due()))?;
        }
        Ok(())
    }

    /// Grants access to the children that have become due, and removes invitations that have ended. Skips unreadable ones.
    pub async fn complete_due(&self, now: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        for id in store::all_invitations(&self.management.store)? {
            if !self.needs_completion(&id, now) {
                continue;
            }
            let service = self.clone();
            let complete = move |change: &mut Change| service.complete_if_due(change, &id, now);
            let store = &self.management.store;
            match store.commit_for(Purpose::Essential, complete).await {
                Ok(()) => {}
                Err(ChildrenError::Store(error)) if error.damage().is_none() => {
                    first = first.and(Err(error));
                }
                Err(error) => tracing::warn!(%error, "an invitation could not be completed"),
            }
        }
        first
    }

    /// Whether completing would change a stored invitation; `false` if it is unreadable. Read-only, because it runs every few
    /// seconds.
    fn needs_completion(&self, id: &InvitationId, now: DueBy) -> bool {
        let needs = || -> Result<bool, StoreError> {
            let Some(found) = store::invitation(&self.management.store, id)? else {
                return Ok(false);
            };
            let Some(left) = self.left_of(&self.management.store, found.clone(), now)? else {
                return Ok(true);
            };
            Ok(left != found
                || !self
                    .due_children(&self.management.store, &left, now)?
                    .is_empty())
        };
        needs().unwrap_or(false)
    }

    fn complete_if_due(
        &self,
        change: &mut Change,
        id: &InvitationId,
        now: DueBy,
    ) -> Result<(), ChildrenError> {
        let Some(found) = store::invitation(change, id)? else {
            return Ok(());
        };
        match self.left_of(change, found.clone(), now)? {
            Some(left) => self.complete(change, left, &found.children, now),
            None => Ok(store::remove_invitation(change, &found)?),
        }
    }
}
