//! Inviting another guardian. The link never signs anybody in as an existing guardian: accepting it while signed out creates a
//! new guardian. They get access to a child once its other guardians have agreed.

use std::collections::BTreeMap;
use std::time::Duration;

use super::emails;
use super::invitation::Invitation;
use super::store::{self, QuotaKind};
use super::{Household, HouseholdError, InvitationId, MOST_CHILDREN, caller};
use crate::children::agreements::{Edition, Notice};
use crate::children::history::Changed;
use crate::children::{ChildId, ChildrenError};
use crate::identity::{
    Device, GuardianId, IdentityError, IssuedIdentity, NewGuardian, Refresh, SignedIn, SteppedUp,
    Via,
};
use crate::kernel::host::name::valid_name;
use crate::kernel::host::secret::{Secret, SecretKind};
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::outgoing::queue::Item;
use crate::kernel::store::{Change, Purpose, Read};

/// How long the mail server may take.
const PATIENCE: Duration = Duration::from_secs(15);

impl Household {
    /// Invites somebody to become a guardian of some of the guardian's children. Sends the link by e-mail, or returns it if
    /// there is no address.
    pub async fn invite(
        &self,
        by: &SteppedUp,
        children: Vec<ChildId>,
        email: Option<EmailAddress>,
    ) -> Result<Option<String>, HouseholdError> {
        if !(1..=MOST_CHILDREN).contains(&children.len()) {
            return Err(HouseholdError::HowMany);
        }
        if email.is_some() && !self.emails.to_invited.sends_email() {
            return Err(IdentityError::NoEmail.into());
        }
        let token = Secret::generate(SecretKind::Invitation, &self.randomness);
        // Shown on the screen. An e-mail gets a token of its own when it is composed.
        let link = emails::link(self.addresses.for_links(), &token);
        let mut invitation = Invitation {
            id: InvitationId::generate(&self.randomness),
            token: token.hash(),
            by: by.guardian().clone(),
            sign_out_count: 0,
            children,
            email: email.clone(),
            at: self.clock.now(),
            accepted_by: None,
            accepted_at: None,
            edition: Edition::generate(&self.randomness),
            answers: BTreeMap::new(),
        };
        invitation.children.sort_unstable();
        invitation.children.dedup();
        let children = invitation.children.clone();
        invitation.show(&children, by.guardian(), invitation.at);
        let (mut made, signed_in) = (invitation.clone(), by.signed_in().clone());
        let (id, to_email) = (invitation.id.clone(), email.is_some());
        self.commit_and_notify(Purpose::Ordinary, move |household, change| {
            // They may have been signed out everywhere since the request was checked.
            household.sign_ins.require_in(change, &signed_in)?;
            let inviter = household.guardians.find_by_id(change, &made.by)?;
            let inviter = inviter.ok_or(IdentityError::SignInGone)?;
            if inviter.was_just_invited(made.at) {
                return Err(HouseholdError::InvitedThemselves);
            }
            made.sign_out_count = inviter.sign_out_count;
            household.charge_quota(change, &made.by, QuotaKind::Invitations)?;
            for child in &made.children {
                household.note(change, *child, Changed::GuardianInvited, &made.by)?;
                if household.children.has_enough_guardians(change, *child)? {
                    return Err(ChildrenError::EnoughGuardians.into());
                }
                household.take_invitation_to(change, &made.by, *child)?;
            }
            store::put_invitation(change, &made, &[])?;
            if to_email {
                let item = Item::new(made.id.as_str(), "", ());
                let queued = household.emails.to_invited.put(change, &item);
                queued.map_err(IdentityError::from)?;
            }
            let notice = Notice {
                kind: &household.emails.of_invitation,
                subject: made.id.as_str(),
                about: (),
            };
            let (by, children) = (&made.by, &made.children);
            let told =
                household
                    .children
                    .notify_others(change, &household.notices, by, children, &notice);
            Ok(told?)
        })
        .await?;
        if to_email {
            let sending = self.emails.to_invited.send_now(id.as_str(), "", PATIENCE);
            if sending.await.is_err() {
                self.answer(move |_, change| {
                    if let Some(unsent) = store::invitation(change, &id)? {
                        Self::uncount_invitation(change, &unsent.by)?;
                        store::remove_invitation(change, &unsent)?;
                    }
                    Ok(())
                })
                .await?;
                return Err(IdentityError::EmailNotSent.into());
            }
        }
        Ok((!to_email).then_some(link))
    }

    /// Returns the inviting guardian's name, and whether the link was sent by e-mail. Fails with
    /// [`HouseholdError::InvitationEnded`].
    pub fn inviter(&self, token: &str) -> Result<(String, bool), HouseholdError> {
        let invitation = self.open_invitation(&self.store, token)?;
        let name = self.guardians.name_of(&self.store, &invitation.by)?;
        let name = name.unwrap_or_else(|| "Another guardian".to_owned());
        Ok((name, invitation.email.is_some()))
    }

    /// Accepts an invitation as a new guardian, and signs them in. If the link was sent by e-mail, that address is used instead
    /// of `email`. Fails with [`HouseholdError::InvitationEnded`], [`HouseholdError::Name`], [`HouseholdError::NoAddress`].
    pub async fn accept(
        &self,
        token: &str,
        name: &str,
        email: Option<EmailAddress>,
        device: Device,
    ) -> Result<(IssuedIdentity, Refresh), HouseholdError> {
        let name = valid_name(name)?;
        let invitation = self.open_invitation(&self.store, token)?;
        let (answered_email, invited_by) = (invitation.email.is_some(), invitation.by);
        let email = invitation.email.or(email);
        let new_guardian = NewGuardian {
            name,
            email: email.ok_or(HouseholdError::NoAddress)?,
            answered_email,
            invited_by,
        };
        let (household, token) = (self.clone(), token.to_owned());
        self.sign_ins
            .sign_up(
                new_guardian,
                Via::Invitation,
                device,
                move |change, guardian| household.use_up(change, &token, &guardian.id),
            )
            .await
    }

    /// Accepts an invitation as an existing guardian. Fails with [`HouseholdError::InvitationEnded`], and with
    /// [`HouseholdError::TheirsAlready`] if they have all of the children.
    pub async fn join(&self, by: &SignedIn, token: &str) -> Result<(), HouseholdError> {
        let (guardian, token) = (by.guardian().clone(), token.to_owned());
        self.answer(move |household, change| household.use_up(change, &token, &guardian))
            .await
    }

    /// Marks the link as used by a guardian, and gives them access to the children for which no agreement is pending.
    fn use_up(
        &self,
        change: &mut Change,
        token: &str,
        guardian: &GuardianId,
    ) -> Result<(), HouseholdError> {
        let mut invitation = self.open_invitation(change, token)?;
        let own = self.children.seen_by(change, &caller(guardian))?;
        let before = invitation.children.clone();
        invitation.children.retain(|child| !own.contains(child));
        if invitation.children.is_empty() {
            return Err(HouseholdError::TheirsAlready);
        }
        let mut with_room = Vec::new();
        for child in &invitation.children {
            if !self.children.has_enough_guardians(change, *child)? {
                with_room.push(*child);
            }
        }
        if with_room.is_empty() {
            return Err(ChildrenError::EnoughGuardians.into());
        }
        invitation.children = with_room;
        let guardian = self.guardians.find_by_id(change, guardian)?;
        let guardian = guardian.ok_or(IdentityError::SignInGone)?;
        let edition = Edition::generate(&self.randomness);
        invitation.accept(&guardian, edition, self.clock.now());
        self.complete(change, invitation, &before, self.due.due())
    }

    /// Finds the invitation with this token, if it can still be accepted.
    fn open_invitation(&self, view: &impl Read, token: &str) -> Result<Invitation, HouseholdError> {
        let ended = || HouseholdError::InvitationEnded;
        if !self.guardians_manage {
            return Err(ended());
        }
        let token = Secret::parse(SecretKind::Invitation, token).ok_or_else(ended)?;
        let found = store::by_token(view, token.hash())?.ok_or_else(ended)?;
        if found.accepted_by.is_some() {
            Err(ended())
        } else {
            let left = self.prune(view, found)?;
            left.filter(|left| !left.has_expired(self.clock.now()))
                .ok_or_else(ended)
        }
    }

    /// Confirms another guardian's invitation, for all of the caller's children in it, if `is_read` accepts its edition. Fails
    /// with [`ChildrenError::NothingAsked`] and [`ChildrenError::RequestChanged`].
    pub async fn confirm_invitation(
        &self,
        by: &SteppedUp,
        id: InvitationId,
        is_read: impl FnOnce(&Edition) -> bool + Send + 'static,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            let (mut invitation, own) = household.own_invitation(change, &guardian, &id)?;
            if !is_read(&invitation.edition) {
                return Err(ChildrenError::RequestChanged.into());
            }
            let is_new = invitation.by != guardian && !invitation.is_confirmed_by(&own, &guardian);
            if is_new {
                invitation.confirm(&own, &guardian, household.clock.now());
                for child in own {
                    household.note(change, child, Changed::InvitationConfirmed, &guardian)?;
                }
            }
            let before = invitation.children.clone();
            household.complete(change, invitation, &before, household.due.due())
        })
        .await
    }

    /// Removes the caller's children from any guardian's invitation. Fails with [`ChildrenError::NothingAsked`].
    pub async fn stop_invitation(
        &self,
        by: &SignedIn,
        id: InvitationId,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            let (mut invitation, own) = household.own_invitation(change, &guardian, &id)?;
            for child in &own {
                household.note(change, *child, Changed::InvitationStopped, &guardian)?;
            }
            let before = invitation.children.clone();
            invitation.children.retain(|child| !own.contains(child));
            household.complete(change, invitation, &before, household.due.due())
        })
        .await
    }

    /// Returns an invitation and the guardian's children in it.
    fn own_invitation(
        &self,
        view: &impl Read,
        guardian: &GuardianId,
        id: &InvitationId,
    ) -> Result<(Invitation, Vec<ChildId>), HouseholdError> {
        let own = self.children.seen_by(view, &caller(guardian))?;
        let mut own = store::children_invited_to(view, &own, id)?;
        if own.is_empty() {
            return Err(ChildrenError::NothingAsked.into());
        }
        let found = store::invitation(view, id)?.ok_or(ChildrenError::NothingAsked)?;
        let found = self
            .prune(view, found)?
            .ok_or(ChildrenError::NothingAsked)?;
        own.retain(|child| found.children.contains(child));
        if own.is_empty() {
            Err(ChildrenError::NothingAsked.into())
        } else {
            Ok((found, own))
        }
    }
}
