//! Inviting another guardian. The link never signs anybody in as somebody who is there already: who opens it signed out becomes a new
//! guardian. What it gives is given once the children's other guardians have agreed.

use super::agreement::Agreement;
use super::invitation::Invitation;
use super::store::{self, Sort};
use super::{Household, HouseholdError, InvitationId, MOST_CHILDREN, caller};
use crate::children::ChildId;
use crate::children::history::Changed;
use crate::identity::{
    GuardianId, IdentityError, IssuedIdentity, Newcomer, Notice, Refresh, SignedIn, SteppedUp, Via,
};
use crate::kernel::mail::EmailAddress;
use crate::kernel::name::valid_name;
use crate::kernel::secret::{Secret, SecretKind};
use crate::kernel::store::{Change, Purpose, Read, StoreError};

impl Household {
    /// Invites somebody to see some of the guardian's children: by a letter, or by a link to show, which is returned.
    ///
    /// # Errors
    ///
    /// [`HouseholdError`].
    pub async fn invite(
        &self,
        by: &SteppedUp,
        children: Vec<ChildId>,
        email: Option<EmailAddress>,
    ) -> Result<Option<String>, HouseholdError> {
        if !(1..=MOST_CHILDREN).contains(&children.len()) {
            return Err(HouseholdError::HowMany);
        }
        if email.is_some() && !self.notices.sends_letters() {
            return Err(IdentityError::NoLetters.into());
        }
        let token = Secret::generate(SecretKind::Invitation, &self.randomness);
        let link = format!("/invitation#token={}", token.reveal());
        let link = self.public_url.page(&link);
        let mut invitation = Invitation {
            id: InvitationId::generate(&self.randomness),
            token: token.hash(),
            by: by.guardian().clone(),
            children,
            email: email.clone(),
            at: self.clock.now(),
            accepted_by: None,
            agreement: Agreement::default(),
        };
        invitation.children.sort_unstable();
        invitation.children.dedup();
        let made = invitation.clone();
        let to_tell = self
            .arrange(Purpose::Ordinary, move |household, change| {
                household.take_one(change, &made.by, Sort::Invitations)?;
                let mut to_tell = Vec::new();
                for child in &made.children {
                    household.note(change, *child, Changed::GuardianInvited, &made.by)?;
                    let name = household.children.get(change, *child)?.name;
                    for other in household.others(change, *child, &made.by)? {
                        to_tell.push((other, name.clone()));
                    }
                }
                store::put_invitation(change, &made, &[])?;
                Ok(to_tell)
            })
            .await?;
        let name = self.notices.name_of(by.guardian())?;
        if let Some(email) = &email
            && let Err(error) = self.notices.invite(email, &name, &link).await
        {
            self.answer(move |_, change| Ok(store::remove_invitation(change, &invitation)?))
                .await?;
            return Err(error.into());
        }
        self.tell_of_invitation(to_tell, &name);
        Ok(email.is_none().then_some(link))
    }

    /// Tells each guardian of their own children alone.
    fn tell_of_invitation(&self, mut to_tell: Vec<(GuardianId, String)>, by: &str) {
        to_tell.sort();
        for of_one in to_tell.chunk_by(|one, other| one.0 == other.0) {
            let names = of_one.iter().map(|(_, name)| name.as_str());
            let notice = Notice::SomebodyInvited {
                by: by.to_owned(),
                children: names.collect::<Vec<_>>().join(", "),
            };
            self.notices.tell(&of_one[0].0, &notice);
        }
    }

    /// What the guardian who invites is called, and whether a letter carried the link, if it works.
    ///
    /// # Errors
    ///
    /// [`HouseholdError::InvitationEnded`].
    pub fn inviter(&self, token: &str) -> Result<(String, bool), HouseholdError> {
        let invitation = self.open_invitation(&self.store, token)?;
        let name = self.notices.name_of(&invitation.by)?;
        Ok((name, invitation.email.is_some()))
    }

    /// Accepts an invitation as a new guardian, and signs them in. `email` is theirs where the link was shown; where it came by a
    /// letter, the letter's address counts.
    ///
    /// # Errors
    ///
    /// [`HouseholdError::InvitationEnded`], [`HouseholdError::Name`], [`HouseholdError::NoAddress`].
    pub async fn accept(
        &self,
        token: &str,
        name: &str,
        email: Option<EmailAddress>,
        device: Option<String>,
    ) -> Result<(IssuedIdentity, Refresh), HouseholdError> {
        let name = valid_name(name)?;
        let invitation = self.open_invitation(&self.store, token)?;
        let answered_letter = invitation.email.is_some();
        let email = invitation.email.or(email);
        let newcomer = Newcomer {
            name,
            email: email.ok_or(HouseholdError::NoAddress)?,
            answered_letter,
        };
        let (household, token) = (self.clone(), token.to_owned());
        self.sign_ins
            .sign_up(
                newcomer,
                Via::Invitation,
                device,
                move |change, guardian| household.use_up(change, &token, &guardian.id),
            )
            .await
    }

    /// Accepts an invitation as a guardian who is signed in.
    ///
    /// # Errors
    ///
    /// [`HouseholdError::InvitationEnded`], [`HouseholdError::TheirsAlready`].
    pub async fn join(&self, by: &SignedIn, token: &str) -> Result<(), HouseholdError> {
        let (guardian, token) = (by.guardian().clone(), token.to_owned());
        self.answer(move |household, change| household.use_up(change, &token, &guardian))
            .await
    }

    /// Uses up the link for a guardian, and gives the children that nobody else has to be waited for.
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
        invitation.accepted_by = Some(guardian.clone());
        self.settle(change, invitation, &before)
    }

    /// The invitation whose link this is, if it still works.
    fn open_invitation(&self, view: &impl Read, token: &str) -> Result<Invitation, HouseholdError> {
        let ended = || HouseholdError::InvitationEnded;
        if !self.guardians_manage {
            return Err(ended());
        }
        let token = Secret::parse(SecretKind::Invitation, token).ok_or_else(ended)?;
        let found = store::by_token(view, token.hash())?.ok_or_else(ended)?;
        match found.accepted_by.is_some() || found.has_expired(self.clock.now()) {
            true => Err(ended()),
            false => self.prune(view, found)?.ok_or_else(ended),
        }
    }

    /// Confirms an invitation of another guardian's, for all of one's own children in it.
    ///
    /// # Errors
    ///
    /// [`HouseholdError::NothingAsked`].
    pub async fn confirm_invitation(
        &self,
        by: &SteppedUp,
        id: InvitationId,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.answer(move |household, change| {
            let (mut invitation, own) = household.own_invitation(change, &guardian, &id)?;
            if invitation.by != guardian {
                let now = household.clock.now();
                invitation.agreement.confirm(&guardian, now);
            }
            for child in own {
                household.note(change, child, Changed::InvitationConfirmed, &guardian)?;
            }
            let before = invitation.children.clone();
            household.settle(change, invitation, &before)
        })
        .await
    }

    /// Takes one's own children out of an invitation, whoever made it.
    ///
    /// # Errors
    ///
    /// [`HouseholdError::NothingAsked`].
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
            household.settle(change, invitation, &before)
        })
        .await
    }

    /// An invitation, and which of its children are this guardian's.
    fn own_invitation(
        &self,
        view: &impl Read,
        guardian: &GuardianId,
        id: &InvitationId,
    ) -> Result<(Invitation, Vec<ChildId>), HouseholdError> {
        let found = store::invitation(view, id)?.ok_or(HouseholdError::NothingAsked)?;
        let found = self
            .prune(view, found)?
            .ok_or(HouseholdError::NothingAsked)?;
        let mut own = self.children.seen_by(view, &caller(guardian))?;
        own.retain(|child| found.children.contains(child));
        match own.is_empty() {
            true => Err(HouseholdError::NothingAsked),
            false => Ok((found, own)),
        }
    }

    /// The invitation without the children that who invites no longer has; `None` when none is left, or who accepted is gone.
    pub(super) fn prune(
        &self,
        view: &impl Read,
        mut invitation: Invitation,
    ) -> Result<Option<Invitation>, StoreError> {
        let inviters = self.children.seen_by(view, &caller(&invitation.by))?;
        invitation.children.retain(|child| inviters.contains(child));
        let is_left = match &invitation.accepted_by {
            Some(guardian) => self.guardians.find_by_id(view, guardian)?.is_some(),
            None => true,
        };
        Ok(Some(invitation).filter(|invitation| is_left && !invitation.children.is_empty()))
    }

    /// Gives what is due to whoever accepted, and writes what is left of the invitation. `before` are the children that its record has.
    fn settle(
        &self,
        change: &mut Change,
        mut invitation: Invitation,
        before: &[ChildId],
    ) -> Result<(), HouseholdError> {
        let now = self.clock.now();
        if let Some(accepted_by) = invitation.accepted_by.clone()
            && self.guardians_manage
        {
            let mut waiting = Vec::new();
            for child in invitation.children.clone() {
                let guardians = self.children.guardians_of(change, child)?;
                if !invitation.due(&guardians).has_come(now) {
                    waiting.push(child);
                    continue;
                }
                self.children.link(change, child, &caller(&accepted_by))?;
                self.note(change, child, Changed::GuardianJoined, &accepted_by)?;
            }
            invitation.children = waiting;
        }
        if invitation.children.is_empty() {
            invitation.children = before.to_vec();
            return Ok(store::remove_invitation(change, &invitation)?);
        }
        Ok(store::put_invitation(change, &invitation, before)?)
    }

    /// Settles the invitations of a child whose guardians have changed.
    pub(super) fn settle_invitations_of(
        &self,
        change: &mut Change,
        child: ChildId,
    ) -> Result<(), HouseholdError> {
        for id in store::invitations_of(change, child)? {
            self.settle_one(change, &id)?;
        }
        Ok(())
    }

    /// Gives what has become due in the meantime, and removes the invitations that have ended.
    ///
    /// # Errors
    ///
    /// The store's. An invitation that cannot be read stays as it is.
    pub async fn settle_due(&self) -> Result<(), StoreError> {
        for id in store::all_invitations(&self.store)? {
            if !self.is_settling(&id) {
                continue;
            }
            let settled = self.answer(move |household, change| household.settle_one(change, &id));
            match settled.await {
                Ok(()) | Err(HouseholdError::Store(StoreError::Unreadable(_))) => {}
                Err(HouseholdError::Store(error)) => return Err(error),
                Err(error) => tracing::warn!(%error, "an invitation could not be settled"),
            }
        }
        Ok(())
    }

    /// Whether settling an invitation would change anything now. What cannot be read settles nothing.
    fn is_settling(&self, id: &InvitationId) -> bool {
        let would = || -> Result<bool, StoreError> {
            let Some(found) = store::invitation(&self.store, id)? else {
                return Ok(false);
            };
            let now = self.clock.now();
            let count = found.children.len();
            let Some(found) = self.prune(&self.store, found)? else {
                return Ok(true);
            };
            let mut due = false;
            for child in &found.children {
                let guardians = self.children.guardians_of(&self.store, *child)?;
                due = due || found.due(&guardians).has_come(now);
            }
            Ok(found.children.len() < count
                || found.has_expired(now)
                || found.accepted_by.is_some() && due && self.guardians_manage)
        };
        would().unwrap_or(false)
    }

    fn settle_one(&self, change: &mut Change, id: &InvitationId) -> Result<(), HouseholdError> {
        let Some(found) = store::invitation(change, id)? else {
            return Ok(());
        };
        let before = found.children.clone();
        match self.prune(change, found.clone())? {
            Some(left) if !left.has_expired(self.clock.now()) => self.settle(change, left, &before),
            _ => Ok(store::remove_invitation(change, &found)?),
        }
    }
}
