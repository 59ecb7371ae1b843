//! Ending all that lets a guardian in: signing out everywhere, another address, removal.

use super::IdentityError;
use super::address_changes::AddressChanges;
use super::guardians::{Guardian, GuardianName, Guardians};
use super::links::Links;
use super::links::link::Owner;
use super::outbox::Outbox;
use super::provider::ProviderSignIns;
use super::recovery_codes::RecoveryCodes;
use super::sign_ins::SignIns;
use super::step_up_codes::StepUpCodes;
use crate::identity::GuardianId;
use crate::kernel::mail::EmailAddress;
use crate::kernel::secret::{Secret, SecretKind};
use crate::kernel::store::{Change, Purpose, Store, StoreError};

/// Whom the administrator named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedGuardian {
    /// The guardian's id.
    pub id: GuardianId,
    /// Their address.
    pub email: EmailAddress,
    /// What else was known of them; `None` when it could not be read.
    pub guardian: Option<Guardian>,
}

/// What a guardian ends by signing out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignOut {
    /// This sign-in.
    Here,
    /// All of their sign-ins and links, and the recovery codes if they say so.
    Everywhere {
        /// Whether the codes end.
        recovery_codes: bool,
    },
}

/// The façade that ends access. Clones share it.
#[derive(Clone)]
pub struct Access {
    pub(super) store: Store,
    pub(super) guardians: Guardians,
    pub(super) links: Links,
    pub(super) sign_ins: SignIns,
    pub(super) outbox: Outbox,
    pub(super) provider: ProviderSignIns,
    pub(super) recovery_codes: RecoveryCodes,
    pub(super) step_up_codes: StepUpCodes,
    pub(super) address_changes: AddressChanges,
}

impl Access {
    /// Gives a guardian another address, and ends [all that let them in](Self::end): the old mailbox may be somebody
    /// else's by now. Their account at the provider stays theirs.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchGuardian`], or [`IdentityError::GuardianExists`] when the new address
    /// is somebody else's.
    pub fn change_email(
        &self,
        change: &mut Change,
        from: &GuardianName,
        to: &EmailAddress,
    ) -> Result<Guardian, IdentityError> {
        let id = self.guardians.named(change, from)?.id;
        let ended = self.end(change, &id)?;
        let mut guardian = ended.ok_or(IdentityError::NoSuchGuardianId(id))?;
        self.guardians.change_email(change, &mut guardian, to)?;
        change.require_compaction_at_night()?;
        Ok(guardian)
    }

    /// Signs a guardian out everywhere. Fails with [`IdentityError::NoSuchGuardian`].
    pub fn sign_guardian_out(
        &self,
        change: &mut Change,
        whom: &GuardianName,
    ) -> Result<NamedGuardian, IdentityError> {
        let (id, email) = named(change, whom)?;
        let guardian = self.end(change, &id)?;
        if guardian.is_none() {
            self.outbox.forget(change, &email)?;
        }
        Ok(NamedGuardian {
            id,
            email,
            guardian,
        })
    }

    /// Ends the cookie's sign-in, or [all that lets its guardian in](Self::end). A cookie that names none is fine.
    pub async fn sign_out(&self, cookie: &str, scope: SignOut) -> Result<(), IdentityError> {
        let Some(cookie) = Secret::parse(SecretKind::Refresh, cookie) else {
            return Ok(());
        };
        let (cookie, access) = (cookie.hash(), self.clone());
        let ended = self.store.commit_for(Purpose::Essential, move |change| {
            let Some(sign_in) = access.sign_ins.find(change, cookie)? else {
                return Ok(());
            };
            match scope {
                SignOut::Here => access.sign_ins.end_one(change, cookie, &sign_in),
                SignOut::Everywhere { recovery_codes } => {
                    access.end(change, &sign_in.guardian)?;
                    if recovery_codes {
                        access.recovery_codes.end_all(change, &sign_in.guardian)
                    } else {
                        Ok(())
                    }
                }
            }
        });
        Ok(ended.await??)
    }

    /// Ends all that lets a guardian in without a new proof: sign-ins, links, a letter that waits, and sign-ins that are
    /// under way at the provider. Also ends the invitations that they made, which store [a count](Guardian::sign_out_count) that
    /// goes up here. It works on unreadable records too. Returns the guardian's record if it is readable.
    pub(super) fn end(
        &self,
        change: &mut Change,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        self.end_by_id(change, id)?;
        let guardian = self.guardians.note_signed_out(change, id)?;
        // Of a label, the letters are somebody else's.
        if let Some(guardian) = &guardian
            && guardian.proved
        {
            self.end_address(change, &guardian.email)?;
        }
        Ok(guardian)
    }

    /// Ends a guardian's links, sign-ins, step-up codes, first run, and a change of the address that is under way.
    fn end_by_id(&self, change: &mut Change, id: &GuardianId) -> Result<(), StoreError> {
        self.guardians.end_setup_of(change, id)?;
        self.links.end_all(change, &Owner::Guardian(id.clone()))?;
        self.sign_ins.end_all(change, id)?;
        self.address_changes.end(change, id)?;
        self.step_up_codes.end_all(change, id)
    }

    /// Ends the links and the letter that were sent to an address, or are to be.
    fn end_address(&self, change: &mut Change, email: &EmailAddress) -> Result<(), StoreError> {
        self.links.end_all(change, &Owner::Address(email.clone()))?;
        self.outbox.forget(change, email)
    }

    /// Removes a guardian and signs them out everywhere. It works on unreadable records too, as long as
    /// one of them links the address to the guardian. Their name and address must then be in no file.
    /// Fails with [`IdentityError::NoSuchGuardian`].
    pub fn remove_guardian(
        &self,
        change: &mut Change,
        whom: &GuardianName,
    ) -> Result<NamedGuardian, IdentityError> {
        let (id, email) = named(change, whom)?;
        let guardian = match self.guardians.find_by_id(change, &id) {
            Err(StoreError::Unreadable(_)) => None,
            Ok(None) => return Err(IdentityError::NoSuchGuardianId(id)),
            found => found?,
        };
        self.end_by_id(change, &id)?;
        // Of an address that they only typed, the e-mails are somebody else's.
        if guardian.as_ref().is_none_or(|guardian| guardian.proved) {
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

/// The id and the address of the guardian whom the administrator names.
fn named(
    change: &Change,
    whom: &GuardianName,
) -> Result<(GuardianId, EmailAddress), IdentityError> {
    let id = Guardians::id_of(change, whom)?;
    let email = Guardians::named_address(change, &id, whom)?;
    let unreadable = || StoreError::unreadable("the guardian's address");
    Ok((id, email.ok_or_else(unreadable)?))
}
