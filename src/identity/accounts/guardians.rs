//! The guardians, each with an id and an e-mail address.
//!
//! An address that was changed or whose guardian was removed, and is added again, belongs to a new guardian with a new id.

mod budget;
mod error;
mod named;
pub(in crate::identity) mod setup;
mod store;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::identity::GuardianId;
use crate::identity::accounts::suspension;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::language::Language;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, Read, RecordKind, StoreError, is_default};

use setup::SetupState;

pub use budget::BudgetOwner;
pub use error::GuardianNameError;
pub use named::GuardianName;
pub use store::{RECORDS, guardians_in};

pub const KINDS: [RecordKind; 3] = [store::KINDS[0], store::KINDS[1], setup::KIND];

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guardian {
    /// Stays the same when the address changes; an address that is added again gets a new id.
    pub id: GuardianId,
    /// Sign-in links are sent there once it is verified.
    pub email: EmailAddress,
    /// Whether the address is verified: the administrator added it, or a link or code from an e-mail to it was used. Several
    /// guardians may have the same unverified address, and nobody can sign in by it.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub verified: bool,
    pub name: Option<String>,
    pub added_at: Timestamp,
    /// The guardian whose invitation they accepted, if any.
    pub invited_by: Option<GuardianId>,
    /// When they were last signed out everywhere. Flows at the provider that began earlier are invalid.
    pub signed_out_at: Option<Timestamp>,
    /// How often they were signed out everywhere. Pending requests store this count and are invalid once it has increased.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sign_out_count: u32,
    /// Whether they have signed in at the home's name for https. While that can be used, the plain address is closed for them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub uses_name: bool,
    /// The language of e-mails and notifications to them; `None` until a browser's is known.
    pub language: Option<Language>,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn is_true(verified: &bool) -> bool {
    *verified
}

/// How long a guardian who accepted an invitation cannot invite others.
const JUST_INVITED: Duration = Duration::from_secs(24 * 60 * 60);

impl Guardian {
    /// The language to write to them in.
    pub fn language(&self) -> Language {
        self.language.unwrap_or_default()
    }

    pub fn was_just_invited(&self, now: Timestamp) -> bool {
        self.invited_by.is_some() && now < self.added_at.after(JUST_INVITED)
    }

    /// Whether something that began at `then` was ended by signing out everywhere since. A sign-out in the future was recorded
    /// before the clock was set back, and ends nothing.
    pub fn was_signed_out_since(&self, then: Timestamp, now: Timestamp) -> bool {
        self.signed_out_at.is_some_and(|at| then < at && at <= now)
    }
}

#[derive(Clone)]
pub struct Guardians {
    pub(in crate::identity) clock: Clock,
    pub(in crate::identity) randomness: Randomness,
    /// Whether the owner of an unknown address becomes a guardian by signing in.
    pub(in crate::identity) open_sign_up: bool,
}

impl Guardians {
    /// Adds a guardian, which ends [setup](crate::identity::Setup).
    pub fn add(
        &self,
        change: &mut Change,
        email: &EmailAddress,
        name: Option<String>,
    ) -> Result<Guardian, GuardianNameError> {
        if self.find(change, email)?.is_some() {
            return Err(GuardianNameError::Exists(email.clone()));
        }
        Ok(self.add_verified(change, email.clone(), name)?)
    }

    fn add_verified(
        &self,
        change: &mut Change,
        email: EmailAddress,
        name: Option<String>,
    ) -> Result<Guardian, StoreError> {
        setup::close(change)?;
        self.put_new(change, email, name, true)
    }

    /// Adds the first guardian, who typed their own address.
    pub(in crate::identity) fn add_first(
        &self,
        change: &mut Change,
        email: EmailAddress,
        name: String,
    ) -> Result<Guardian, StoreError> {
        let guardian = self.put_new(change, email, Some(name), false)?;
        setup::record_guardian(change, &guardian.id)?;
        Ok(guardian)
    }

    /// Adds a guardian who accepted an invitation. Their address is verified if they used the link in an e-mail to it and no
    /// other guardian has it.
    pub(in crate::identity) fn add_newcomer(
        &self,
        change: &mut Change,
        email: EmailAddress,
        name: String,
        answered_email: bool,
        invited_by: GuardianId,
    ) -> Result<Guardian, StoreError> {
        let verified = answered_email && !store::has_email(change, &email)?;
        let mut guardian = self.put_new(change, email, Some(name), verified)?;
        guardian.invited_by = Some(invited_by);
        store::put(change, &guardian)?;
        Ok(guardian)
    }

    fn put_new(
        &self,
        change: &mut Change,
        email: EmailAddress,
        name: Option<String>,
        verified: bool,
    ) -> Result<Guardian, StoreError> {
        let guardian = Guardian {
            id: GuardianId::generate(&self.randomness),
            email,
            verified,
            name,
            added_at: self.clock.now(),
            invited_by: None,
            signed_out_at: None,
            sign_out_count: 0,
            uses_name: false,
            language: None,
        };
        store::put(change, &guardian)?;
        Ok(guardian)
    }

    /// Marks a guardian's own address as verified, unless it belongs to another guardian by now.
    pub(in crate::identity) fn prove(
        &self,
        change: &mut Change,
        id: &GuardianId,
    ) -> Result<(), StoreError> {
        let Some(mut guardian) = store::guardian(change, id)? else {
            return Ok(());
        };
        if guardian.verified || store::has_email(change, &guardian.email)? {
            return Ok(());
        }
        guardian.verified = true;
        store::put(change, &guardian)
    }

    pub(in crate::identity) fn are_there(&self, view: &impl Read) -> Result<bool, StoreError> {
        store::are_there(view)
    }

    /// Returns all guardians, in no particular order, and the number of unreadable ones.
    pub fn list(&self, view: &impl Read) -> Result<(Vec<Guardian>, u64), StoreError> {
        store::all(view)
    }

    pub fn find_by_id(
        &self,
        view: &impl Read,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        store::guardian(view, id)
    }

    /// For signing in and sending e-mails; `None` if the guardian is suspended after restoring a backup.
    pub(in crate::identity) fn find_admitted(
        &self,
        view: &impl Read,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        if suspension::is_suspended(view, id)? {
            Ok(None)
        } else {
            store::guardian(view, id)
        }
    }

    /// Whether the guardian is suspended after restoring a backup.
    pub fn is_suspended(&self, view: &impl Read, id: &GuardianId) -> Result<bool, StoreError> {
        suspension::is_suspended(view, id)
    }

    /// Also `true` if the record cannot be read.
    pub fn is_there(view: &impl Read, id: &GuardianId) -> Result<bool, StoreError> {
        store::contains(view, id)
    }

    /// `None` also if the record cannot be read.
    pub fn find_readable(
        view: &impl Read,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        store::find_readable(view, id)
    }

    /// Includes unreadable guardians.
    pub(in crate::identity) fn ids(view: &impl Read) -> Result<Vec<GuardianId>, StoreError> {
        store::ids(view)
    }

    /// `None` if no name was given, or if the record cannot be read.
    pub fn name_of(&self, view: &impl Read, id: &GuardianId) -> Result<Option<String>, StoreError> {
        let found = Self::find_readable(view, id)?;
        Ok(found.and_then(|guardian| guardian.name))
    }

    /// The language of e-mails to this guardian; English if the record cannot be read.
    pub fn language_of(view: &impl Read, id: &GuardianId) -> Result<Language, StoreError> {
        let found = Self::find_readable(view, id)?;
        Ok(found.map_or_else(Language::default, |guardian| guardian.language()))
    }

    /// Stores the language of e-mails to this guardian. Returns whether the guardian exists.
    pub(in crate::identity) fn set_language(
        &self,
        change: &mut Change,
        id: &GuardianId,
        language: Language,
    ) -> Result<bool, StoreError> {
        let Some(mut guardian) = store::guardian(change, id)? else {
            return Ok(false);
        };
        if guardian.language != Some(language) {
            guardian.language = Some(language);
            store::put(change, &guardian)?;
        }
        Ok(true)
    }

    /// Returns the address and whether it is verified; `None` if the record cannot be read.
    pub fn address_of(
        &self,
        view: &impl Read,
        id: &GuardianId,
    ) -> Result<Option<(EmailAddress, bool)>, StoreError> {
        let found = Self::find_readable(view, id)?;
        Ok(found.map(|guardian| (guardian.email, guardian.verified)))
    }

    fn find(&self, view: &impl Read, email: &EmailAddress) -> Result<Option<Guardian>, StoreError> {
        store::by_email(view, email)
    }

    /// Finds the guardian who can sign in by e-mails to this address.
    pub(in crate::identity) fn find_by_email(
        &self,
        view: &impl Read,
        email: &EmailAddress,
    ) -> Result<Option<Guardian>, StoreError> {
        match store::by_email(view, email)? {
            Some(guardian) if suspension::is_suspended(view, &guardian.id)? => Ok(None),
            found => Ok(found),
        }
    }

    pub(in crate::identity) fn have(
        &self,
        view: &impl Read,
        email: &EmailAddress,
    ) -> Result<bool, StoreError> {
        store::has_email(view, email)
    }

    /// Finds the guardian with an address that was just verified. With open sign-up, an unknown address makes a new guardian.
    pub(in crate::identity) fn with_proven_address(
        &self,
        change: &mut Change,
        email: &EmailAddress,
    ) -> Result<Option<Guardian>, StoreError> {
        match self.find(change, email)? {
            None if self.open_sign_up => self.add_verified(change, email.clone(), None).map(Some),
            Some(_) => self.find_by_email(change, email),
            None => Ok(None),
        }
    }

    /// With open sign-up, adds a guardian whose address is unverified.
    pub(in crate::identity) fn add_stranger(
        &self,
        change: &mut Change,
        email: EmailAddress,
    ) -> Result<Option<Guardian>, StoreError> {
        if !self.open_sign_up {
            return Ok(None);
        }
        setup::close(change)?;
        self.put_new(change, email, None, false).map(Some)
    }

    /// Changes a guardian's address. Returns `false` if the new address belongs to another guardian.
    pub(in crate::identity) fn change_email(
        &self,
        change: &mut Change,
        guardian: &mut Guardian,
        to: &EmailAddress,
    ) -> Result<bool, StoreError> {
        let is_own = guardian.email == *to && guardian.verified;
        if !is_own && self.find(change, to)?.is_some() {
            return Ok(false);
        }
        if guardian.verified {
            store::remove_email(change, &guardian.email)?;
        }
        guardian.email = to.clone();
        guardian.verified = true;
        store::put(change, guardian)?;
        Ok(true)
    }

    /// Ends setup if this guardian began it.
    pub(in crate::identity) fn end_setup_of(
        &self,
        change: &mut Change,
        id: &GuardianId,
    ) -> Result<(), StoreError> {
        match setup::state(change)? {
            Some(SetupState::Open { guardian, .. }) if guardian.as_ref() == Some(id) => {
                setup::close(change)
            }
            _ => Ok(()),
        }
    }

    /// Records that a guardian is being signed out everywhere. Returns the changed record, or `None` if it cannot be read.
    pub(in crate::identity) fn record_signed_out(
        &self,
        change: &mut Change,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        let mut found = Self::find_readable(change, id)?;
        if let Some(guardian) = &mut found {
            guardian.signed_out_at = Some(self.clock.now());
            guardian.sign_out_count = guardian.sign_out_count.saturating_add(1);
            store::put(change, guardian)?;
        }
        Ok(found)
    }

    /// Records that a guardian has signed in at the home's name.
    pub(in crate::identity) fn record_name(
        &self,
        change: &mut Change,
        id: &GuardianId,
    ) -> Result<(), StoreError> {
        if let Some(mut guardian) = Self::find_readable(change, id)?
            && !guardian.uses_name
        {
            guardian.uses_name = true;
            store::put(change, &guardian)?;
        }
        Ok(())
    }

    /// Removes a guardian's records, including unreadable ones.
    pub(in crate::identity) fn remove(
        &self,
        change: &mut Change,
        id: &GuardianId,
        email: &EmailAddress,
    ) -> Result<(), StoreError> {
        suspension::reinstate(change, id)?;
        store::remove(change, id, email)
    }

    /// Reinstates a suspended guardian.
    pub(in crate::identity) fn reinstate(
        &self,
        change: &mut Change,
        id: &GuardianId,
    ) -> Result<(), StoreError> {
        suspension::reinstate(change, id).map(drop)
    }
}
