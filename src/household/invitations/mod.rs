//! Inviting another guardian. The link never signs anybody in as an existing guardian: accepting it while signed out creates a
//! new guardian. They get access to a child once its other guardians have agreed.

mod answering;
mod completion;
mod emails;
mod error;
mod former_guardians;
mod invitation;
mod pending;
mod store;

use std::collections::BTreeMap;
use std::time::Duration;

use super::management::{Management, caller, require_children};
use super::quotas::{self, QuotaKind};
use crate::children::agreements::{Edition, Notice};
use crate::children::history::Changed;
use crate::children::{ChildId, ChildrenError};
use crate::identity::{
    Device, EmailError, GuardianId, Guardians, Identity, IssuedIdentity, NewGuardian, Notices,
    Refresh, SignInError, SignedIn, SteppedUp, Via,
};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::name::valid_name;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretKind};
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::outgoing::queue::Item;
use crate::kernel::store::{Change, Purpose, Read, StoreError, readable};

pub use error::InvitationError;
pub use former_guardians::forget_former_guardian;
pub use invitation::InvitationId;
pub use pending::PendingInvitation;
pub use store::{INVITATION_OF, KINDS, TABLES, of_child};

use emails::Emails;
use invitation::Invitation;

/// How long the mail server may take.
const PATIENCE: Duration = Duration::from_secs(15);

#[derive(Clone)]
pub struct Invitations {
    management: Management,
    randomness: Randomness,
    addresses: Addresses,
    guardians: Guardians,
    notices: Notices,
    emails: Emails,
}

impl Invitations {
    /// Registers the kinds of e-mails.
    pub fn new(identity: &Identity, management: Management) -> Self {
        let environment = &identity.environment;
        Self {
            emails: Emails::register(identity, &management.children),
            management,
            randomness: environment.randomness.clone(),
            addresses: environment.addresses(),
            guardians: identity.guardians.clone(),
            notices: identity.notices.clone(),
        }
    }

    /// Invites somebody to become a guardian of some of the guardian's children. Sends the link by e-mail, or returns it if
    /// there is no address.
    pub async fn invite(
        &self,
        by: &SteppedUp,
        children: Vec<ChildId>,
        email: Option<EmailAddress>,
    ) -> Result<Option<String>, InvitationError> {
        require_children(&children)?;
        if email.is_some() && !self.emails.to_invited.sends_email() {
            return Err(EmailError::NotConfigured.into());
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
            at: self.management.clock.now(),
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
        let service = self.clone();
        let invite = move |change: &mut Change| {
            let Management {
                sign_ins, children, ..
            } = &service.management;
            // They may have been signed out everywhere since the request was checked.
            sign_ins.require_in(change, &signed_in)?;
            let inviter = service.guardians.find_by_id(change, &made.by)?;
            let inviter = inviter.ok_or(SignInError::Gone)?;
            if inviter.was_just_invited(made.at) {
                return Err(InvitationError::InvitedThemselves);
            }
            made.sign_out_count = inviter.sign_out_count;
            quotas::charge(change, &made.by, QuotaKind::Invitations, made.at)?;
            for child in &made.children {
                let what = Changed::GuardianInvited;
                service.management.record(change, *child, what, &made.by)?;
                if children.has_enough_guardians(change, *child)? {
                    return Err(ChildrenError::EnoughGuardians.into());
                }
                quotas::charge_invitation_to(change, &made.by, *child, made.at)?;
            }
            store::put_invitation(change, &made, &[])?;
            if to_email {
                let item = Item::new(made.id.as_str(), "", ());
                let queued = service.emails.to_invited.put(change, &item);
                queued.map_err(EmailError::from)?;
            }
            let notice = Notice {
                kind: &service.emails.of_invitation,
                subject: made.id.as_str(),
                about: (),
            };
            children.notify_others(change, &service.notices, &made.by, &made.children, &notice)?;
            Ok::<_, InvitationError>(())
        };
        self.management.commit(Purpose::Ordinary, invite).await?;
        if to_email {
            let sending = self.emails.to_invited.send_now(id.as_str(), "", PATIENCE);
            if sending.await.is_err() {
                let uncount = move |change: &mut Change| {
                    if let Some(unsent) = store::invitation(change, &id)? {
                        quotas::uncount_invitation(change, &unsent.by)?;
                        store::remove_invitation(change, &unsent)?;
                    }
                    Ok::<_, StoreError>(())
                };
                let store = &self.management.store;
                store.commit_for(Purpose::Essential, uncount).await?;
                return Err(EmailError::NotSent.into());
            }
        }
        Ok((!to_email).then_some(link))
    }

    /// Returns the inviting guardian's name, and whether the link was sent by e-mail. Fails with
    /// [`InvitationError::Ended`].
    pub fn inviter(&self, token: &str) -> Result<(String, bool), InvitationError> {
        let view = &self.management.store;
        let invitation = self.open_invitation(view, token)?;
        let name = self.guardians.name_of(view, &invitation.by)?;
        let name = name.unwrap_or_else(|| "Another guardian".to_owned());
        Ok((name, invitation.email.is_some()))
    }

    /// Accepts an invitation as a new guardian, and signs them in. If the link was sent by e-mail, that address is used instead
    /// of `email`. Fails with [`InvitationError::Ended`], [`InvitationError::Name`], [`InvitationError::NoAddress`].
    pub async fn accept(
        &self,
        token: &str,
        name: &str,
        email: Option<EmailAddress>,
        device: Device,
    ) -> Result<(IssuedIdentity, Refresh), InvitationError> {
        let name = valid_name(name)?;
        let invitation = self.open_invitation(&self.management.store, token)?;
        let (answered_email, invited_by) = (invitation.email.is_some(), invitation.by);
        let email = invitation.email.or(email);
        let new_guardian = NewGuardian {
            name,
            email: email.ok_or(InvitationError::NoAddress)?,
            answered_email,
            invited_by,
        };
        let (service, token) = (self.clone(), token.to_owned());
        self.management
            .sign_ins
            .sign_up(
                new_guardian,
                Via::Invitation,
                device,
                move |change, guardian| service.use_up(change, &token, &guardian.id),
            )
            .await
    }

    /// Accepts an invitation as an existing guardian. Fails with [`InvitationError::Ended`], and with
    /// [`InvitationError::ChildrenAlreadyTheirs`] if they have all of the children.
    pub async fn join(&self, by: &SignedIn, token: &str) -> Result<(), InvitationError> {
        let (guardian, token) = (by.guardian().clone(), token.to_owned());
        let service = self.clone();
        let join = move |change: &mut Change| service.use_up(change, &token, &guardian);
        let store = &self.management.store;
        store.commit_for(Purpose::Essential, join).await
    }

    /// Marks the link as used by a guardian, and gives them access to the children for which no agreement is pending.
    fn use_up(
        &self,
        change: &mut Change,
        token: &str,
        guardian: &GuardianId,
    ) -> Result<(), InvitationError> {
        let mut invitation = self.open_invitation(change, token)?;
        let own = self
            .management
            .children
            .visible_to(change, &caller(guardian))?;
        let before = invitation.children.clone();
        invitation.children.retain(|child| !own.contains(child));
        if invitation.children.is_empty() {
            return Err(InvitationError::ChildrenAlreadyTheirs);
        }
        let mut with_room = Vec::new();
        for child in &invitation.children {
            if !self
                .management
                .children
                .has_enough_guardians(change, *child)?
            {
                with_room.push(*child);
            }
        }
        if with_room.is_empty() {
            return Err(ChildrenError::EnoughGuardians.into());
        }
        invitation.children = with_room;
        let guardian = self.guardians.find_by_id(change, guardian)?;
        let guardian = guardian.ok_or(SignInError::Gone)?;
        let edition = Edition::generate(&self.randomness);
        invitation.accept(&guardian, edition, self.management.clock.now());
        let due = self.management.due.due();
        Ok(self.complete(change, invitation, &before, due)?)
    }

    /// Finds the invitation with this token, if it can still be accepted.
    fn open_invitation(
        &self,
        view: &impl Read,
        token: &str,
    ) -> Result<Invitation, InvitationError> {
        let ended = || InvitationError::Ended;
        if !self.management.guardians_manage {
            return Err(ended());
        }
        let token = Secret::parse(SecretKind::Invitation, token).ok_or_else(ended)?;
        let found = store::by_token(view, token.hash())?.ok_or_else(ended)?;
        if found.accepted_by.is_some() {
            Err(ended())
        } else {
            let left = self.prune(view, found)?;
            left.filter(|left| !left.has_expired(self.management.clock.now()))
                .ok_or_else(ended)
        }
    }

    /// When the guardian last accepted an invitation that other guardians can still answer. Reads all invitations of the server.
    pub fn last_accepted(&self, guardian: &SignedIn) -> Result<Option<Timestamp>, StoreError> {
        let (mut last, view) = (None, &self.management.store);
        for id in store::all_invitations(view)? {
            let found = readable(store::invitation(view, &id))?.flatten();
            let own = found.filter(|found| found.accepted_by.as_ref() == Some(guardian.guardian()));
            if let Some(own) = own
                && let Some(own) = self.prune(view, own)?
            {
                last = last.max(own.accepted_at);
            }
        }
        Ok(last)
    }
}
