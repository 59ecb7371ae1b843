//! Granting access to the children of an accepted invitation, and removing invitations that have ended.

use super::invitation::Invitation;
use super::{Household, HouseholdError, InvitationId, caller, store};
use crate::children::ChildId;
use crate::children::history::Changed;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Read, StoreError, readable};

impl Household {
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
        let inviters = self.children.seen_by(view, &caller(&invitation.by))?;
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
        if invitation.accepted_by.is_none() || !self.guardians_manage {
            return Ok(due);
        }
        for child in &invitation.children {
            let guardians = self.children.guardians_of(view, *child)?;
            let has_room = !self.children.has_enough_guardians(view, *child)?;
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
    ) -> Result<(), HouseholdError> {
        let due = self.due_children(change, &invitation, now)?;
        if let Some(accepted_by) = &invitation.accepted_by {
            for child in &due {
                // Another invitation may have given access before.
                let guardians = self.children.guardians_of(change, *child)?;
                if !guardians.contains(accepted_by) {
                    self.children.link(change, *child, &caller(accepted_by))?;
                    self.note(change, *child, Changed::GuardianJoined, accepted_by)?;
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

    /// Settles the invitations of a child whose guardians have changed. Skips unreadable ones.
    pub(super) fn settle_invitations_of(
        &self,
        change: &mut Change,
        child: ChildId,
    ) -> Result<(), HouseholdError> {
        for id in store::invitations_of(change, child)? {
            readable(self.settle_one(change, &id, self.due.due()))?;
        }
        Ok(())
    }

    /// Grants access to the children that have become due, and removes invitations that have ended. Skips unreadable ones.
    pub async fn settle_due(&self, now: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        for id in store::all_invitations(&self.store)? {
            if !self.needs_settling(&id, now) {
                continue;
            }
            let settled =
                self.answer(move |household, change| household.settle_one(change, &id, now));
            match readable(settled.await) {
                Ok(_) => {}
                Err(HouseholdError::Store(error)) => first = first.and(Err(error)),
                Err(error) => tracing::warn!(%error, "an invitation could not be settled"),
            }
        }
        first
    }

    /// Whether settling would change a stored invitation; `false` if it is unreadable. Read-only, because it runs every few
    /// seconds.
    fn needs_settling(&self, id: &InvitationId, now: DueBy) -> bool {
        let needs = || -> Result<bool, StoreError> {
            let Some(found) = store::invitation(&self.store, id)? else {
                return Ok(false);
            };
            let Some(left) = self.left_of(&self.store, found.clone(), now)? else {
                return Ok(true);
            };
            Ok(left != found || !self.due_children(&self.store, &left, now)?.is_empty())
        };
        needs().unwrap_or(false)
    }

    fn settle_one(
        &self,
        change: &mut Change,
        id: &InvitationId,
        now: DueBy,
    ) -> Result<(), HouseholdError> {
        let Some(found) = store::invitation(change, id)? else {
            return Ok(());
        };
        match self.left_of(change, found.clone(), now)? {
            Some(left) => self.complete(change, left, &found.children, now),
            None => Ok(store::remove_invitation(change, &found)?),
        }
    }
}
