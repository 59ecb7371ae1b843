//! Ending a guardian's access: signing out everywhere, changing the address, removing the guardian.

use super::Identity;
use super::accounts::guardians::{Guardian, GuardianName, GuardianNameError, Guardians};
use super::methods::links::link::Owner;
use crate::identity::GuardianId;
use crate::kernel::host::secret::{Secret, SecretKind};
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, Purpose, StoreError, readable};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedGuardian {
    pub id: GuardianId,
    pub email: EmailAddress,
    /// `None` if the record cannot be read.
    pub guardian: Option<Guardian>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignOut {
    /// Only this sign-in.
    Here,
    /// All of the guardian's sign-ins and links.
    Everywhere {
        /// Whether the recovery codes end, too.
        recovery_codes: bool,
    },
}

impl Identity {
    /// Changes a guardian's address, and [ends their access](Self::end), because the old mailbox may belong to somebody else by
    /// now. Keeps their account at the provider and their recovery codes.
    pub fn change_email(
        &self,
        change: &mut Change,
        from: &GuardianName,
        to: &EmailAddress,
    ) -> Result<Guardian, GuardianNameError> {
        let id = self.guardians.named(change, from)?.id;
        let ended = self.end(change, &id)?;
        let mut guardian = ended.ok_or(GuardianNameError::NoSuchId(id))?;
        if !self.guardians.change_email(change, &mut guardian, to)? {
            return Err(GuardianNameError::Exists(to.clone()));
        }
        change.require_compaction_at_night()?;
        Ok(guardian)
    }

    /// Signs a guardian out everywhere.
    pub fn sign_guardian_out(
        &self,
        change: &mut Change,
        whom: &GuardianName,
    ) -> Result<NamedGuardian, GuardianNameError> {
        let (id, email) = named(change, whom)?;
        let guardian = self.end(change, &id)?;
        if guardian.is_none() {
            self.link_requests.forget(change, &email)?;
        }
        Ok(NamedGuardian {
            id,
            email,
            guardian,
        })
    }

    /// Ends the cookie's sign-in, or [all access](Self::end) of its guardian. Does nothing if the cookie belongs to no sign-in.
    pub async fn sign_out(&self, cookie: &str, scope: SignOut) -> Result<(), StoreError> {
        let Some(cookie) = Secret::parse(SecretKind::Refresh, cookie) else {
            return Ok(());
        };
        let (cookie, identity) = (cookie.hash(), self.clone());
        let store = &self.environment.store;
        let ended = store.commit_for(Purpose::Essential, move |change| {
            let Some(sign_in) = identity.sign_ins.find(change, cookie)? else {
                return Ok(());
            };
            match scope {
                SignOut::Here => identity.sign_ins.end_one(change, cookie, &sign_in),
                SignOut::Everywhere { recovery_codes } => {
                    identity.end(change, &sign_in.guardian)?;
                    if recovery_codes {
                        identity.recovery_codes.end_all(change, &sign_in.guardian)
                    } else {
                        Ok(())
                    }
                }
            }
        });
        ended.await
    }

    /// Ends all of a guardian's access that needs no new proof: sign-ins, links, a queued e-mail, codes for stepping up, a
    /// pending change of address, and flows in progress at the provider. Also ends the invitations that they made, by increasing
    /// [a count](Guardian::sign_out_count) that these store. Works on unreadable records too. Returns the guardian's record if it
    /// is readable.
    pub(super) fn end(
        &self,
        change: &mut Change,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        self.end_by_id(change, id)?;
        let guardian = self.guardians.record_signed_out(change, id)?;
        // An unverified address may be somebody else's, whose links must keep working.
        if let Some(guardian) = &guardian
            && guardian.verified
        {
            self.end_address(change, &guardian.email)?;
        }
        Ok(guardian)
    }

    /// Ends a guardian's links, sign-ins, step-up codes, setup link and address change in progress.
    fn end_by_id(&self, change: &mut Change, id: &GuardianId) -> Result<(), StoreError> {
        self.guardians.end_setup_of(change, id)?;
        self.links.end_all(change, &Owner::Guardian(id.clone()))?;
        self.sign_ins.end_all(change, id)?;
        self.address_changes.end(change, id)?;
        self.step_up_codes.end_all(change, id)
    }

    /// Ends the links sent to an address, and removes the e-mail queued for it.
    fn end_address(&self, change: &mut Change, email: &EmailAddress) -> Result<(), StoreError> {
        self.links.end_all(change, &Owner::Address(email.clone()))?;
        self.link_requests.forget(change, email)
    }

    /// Removes a guardian and signs them out everywhere. Works on unreadable records too, as long as one of them links the
    /// address to the guardian. Afterwards no file may contain their name and address.
    pub fn remove_guardian(
        &self,
        change: &mut Change,
        whom: &GuardianName,
    ) -> Result<NamedGuardian, GuardianNameError> {
        let (id, email) = named(change, whom)?;
        let guardian = match readable(self.guardians.find_by_id(change, &id))? {
            Some(None) => return Err(GuardianNameError::NoSuchId(id)),
            found => found.flatten(),
        };
        self.end_by_id(change, &id)?;
        // An unverified address may be somebody else's, whose links must keep working.
        if guardian.as_ref().is_none_or(|guardian| guardian.verified) {
            self.end_address(change, &email)?;
        }
        self.recovery_codes.end_all(change, &id)?;
        self.provider.forget(change, &id)?;
        self.guardians.remove(change, &id, &email)?;
        change.require_compaction()?;
        Ok(NamedGuardian {
            id,
            email,
            guardian,
        })
    }
}

fn named(
    change: &Change,
    whom: &GuardianName,
) -> Result<(GuardianId, EmailAddress), GuardianNameError> {
    let id = Guardians::id_of(change, whom)?;
    let email = Guardians::named_address(change, &id, whom)?;
    let unreadable = || StoreError::unreadable("the guardian's address");
    Ok((id, email.ok_or_else(unreadable)?))
}
