//! Guardians, as the administrator sees them.

use serde::{Deserialize, Serialize};

use super::{Identity, IdentityError, store};
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::GuardianId;
use crate::kernel::mail::EmailAddress;
use crate::kernel::store::{Change, Read, StoreError};

/// A signed-in adult, known by e-mail address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guardian {
    /// Stays the same when the address changes; an address that is added again gets another.
    pub id: GuardianId,
    /// Where the links go.
    pub email: EmailAddress,
    /// What to call them, if anybody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When the administrator added them.
    pub added_at: Timestamp,
    /// When they were last signed out everywhere. A sign-in at the provider that was under way then counts no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_out_at: Option<Timestamp>,
}

impl Guardian {
    /// Whether what was begun at `then` was ended by signing out everywhere since. A moment in the future was written by a
    /// clock that has been set back; it ends nothing.
    pub fn was_signed_out_since(&self, then: Timestamp, now: Timestamp) -> bool {
        self.signed_out_at.is_some_and(|at| then < at && at <= now)
    }
}

/// Whom an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedGuardian {
    /// The guardian's id.
    pub id: GuardianId,
    /// What else was known of them; `None` when it could not be read.
    pub guardian: Option<Guardian>,
}

impl Identity {
    /// Adds a guardian.
    ///
    /// # Errors
    ///
    /// [`IdentityError::GuardianExists`] when the address belongs to one.
    pub fn add_guardian(
        &self,
        change: &mut Change,
        email: &EmailAddress,
        name: Option<String>,
    ) -> Result<Guardian, IdentityError> {
        if store::guardian_by_email(change, email)?.is_some() {
            return Err(IdentityError::GuardianExists(email.clone()));
        }
        let guardian = Guardian {
            id: GuardianId::generate(&self.randomness),
            email: email.clone(),
            name,
            added_at: self.clock.now(),
            signed_out_at: None,
        };
        store::put_guardian(change, &guardian)?;
        Ok(guardian)
    }

    /// All guardians, in no particular order, and how many others there are that cannot be read.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn list_guardians(&self, view: &impl Read) -> Result<(Vec<Guardian>, u64), StoreError> {
        store::guardians(view)
    }

    /// The guardian with this id.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn find_guardian_by_id(
        &self,
        view: &impl Read,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        store::guardian(view, id)
    }

    /// The guardian with this address.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchGuardian`] when there is none.
    pub fn get_guardian(
        &self,
        view: &impl Read,
        email: &EmailAddress,
    ) -> Result<Guardian, IdentityError> {
        store::guardian_by_email(view, email)?
            .ok_or_else(|| IdentityError::NoSuchGuardian(email.clone()))
    }

    /// Gives a guardian another address, and ends [all that let them in](Self::end_access): the old mailbox may be somebody
    /// else's by now. Their account at the provider stays theirs.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchGuardian`], or [`IdentityError::GuardianExists`] when the new address
    /// is somebody else's.
    pub fn change_email(
        &self,
        change: &mut Change,
        from: &EmailAddress,
        to: &EmailAddress,
    ) -> Result<Guardian, IdentityError> {
        let mut guardian = self.get_guardian(change, from)?;
        if from != to && store::guardian_by_email(change, to)?.is_some() {
            return Err(IdentityError::GuardianExists(to.clone()));
        }
        self.end_access(change, &guardian.id)?;
        guardian.signed_out_at = Some(self.clock.now());
        store::forget_email(change, from)?;
        guardian.email = to.clone();
        store::put_guardian(change, &guardian)?;
        change.require_compaction()?;
        Ok(guardian)
    }

    /// Signs a guardian out everywhere.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchGuardian`].
    pub fn sign_guardian_out(
        &self,
        change: &mut Change,
        email: &EmailAddress,
    ) -> Result<NamedGuardian, IdentityError> {
        let no_such = || IdentityError::NoSuchGuardian(email.clone());
        let id = store::guardian_id(change, email)?.ok_or_else(no_such)?;
        store::forget_waiting(change, email)?;
        let guardian = self.end_access(change, &id)?;
        Ok(NamedGuardian { id, guardian })
    }

    /// Ends all that lets a guardian in without a new proof: sign-ins, links, a letter that waits, and sign-ins that are
    /// under way at the provider. It works on unreadable records too. Returns the guardian's record if it is readable.
    pub(super) fn end_access(
        &self,
        change: &mut Change,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        store::end_links(change, id)?;
        store::end_sign_ins(change, id)?;
        let mut found = match store::guardian(change, id) {
            Err(StoreError::Unreadable(_)) => None,
            found => found?,
        };
        if let Some(guardian) = &mut found {
            store::forget_waiting(change, &guardian.email)?;
            guardian.signed_out_at = Some(self.clock.now());
            store::put_guardian(change, guardian)?;
        }
        Ok(found)
    }

    /// Removes a guardian and signs them out everywhere. It works on unreadable records too, as long as
    /// one of them links the address to the guardian. Their name and address must then be in no file.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchGuardian`].
    pub fn remove_guardian(
        &self,
        change: &mut Change,
        email: &EmailAddress,
    ) -> Result<NamedGuardian, IdentityError> {
        let no_such = || IdentityError::NoSuchGuardian(email.clone());
        let id = store::guardian_id(change, email)?.ok_or_else(no_such)?;
        let guardian = match store::guardian(change, &id) {
            Ok(found) => Some(found.ok_or_else(no_such)?),
            Err(StoreError::Unreadable(_)) => None,
            Err(error) => return Err(error.into()),
        };
        store::remove_guardian(change, &id, email)?;
        change.require_compaction()?;
        Ok(NamedGuardian { id, guardian })
    }
}
