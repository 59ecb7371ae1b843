//! The guardians: who was added, and the e-mail address by which each is known.
//!
//! An address that was given up or removed and is added again belongs to a new guardian, with a new id.

mod budget;
mod named;
pub(super) mod setup;
mod store;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{IdentityError, kept_off};
use crate::identity::GuardianId;
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::mail::EmailAddress;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{Change, Read, RecordKind, StoreError};

use setup::SetupState;

pub use budget::BudgetOwner;
pub use named::GuardianName;

/// What each table holds.
pub const KINDS: [RecordKind; 3] = [store::KINDS[0], store::KINDS[1], setup::KIND];

/// A signed-in adult, known by e-mail address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guardian {
    /// Stays the same when the address changes; an address that is added again gets another.
    pub id: GuardianId,
    /// Where the links go, once it is proved.
    pub email: EmailAddress,
    /// Whether the address is proved: the administrator added it, or a letter to it was answered. Until then it is a label,
    /// which several may have and by which nobody is found who wants in.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub proved: bool,
    /// What to call them, if anybody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When the administrator added them.
    pub added_at: Timestamp,
    /// Whose invitation made them a guardian, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invited_by: Option<GuardianId>,
    /// When they were last signed out everywhere. A sign-in at the provider that was under way then counts no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_out_at: Option<Timestamp>,
    /// Counts how often they were signed out everywhere. What they asked for at a lower count, and has not taken effect, has ended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sign_out_count: u32,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn is_true(proved: &bool) -> bool {
    *proved
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// For how long who became a guardian by an invitation invites nobody.
const JUST_INVITED: Duration = Duration::from_secs(24 * 60 * 60);

impl Guardian {
    /// Whether they became a guardian by an invitation within the last day.
    pub fn was_just_invited(&self, now: Timestamp) -> bool {
        self.invited_by.is_some() && now < self.added_at.after(JUST_INVITED)
    }

    /// Whether what was begun at `then` was ended by signing out everywhere since. A moment in the future was written by a
    /// clock that has been set back; it ends nothing.
    pub fn was_signed_out_since(&self, then: Timestamp, now: Timestamp) -> bool {
        self.signed_out_at.is_some_and(|at| then < at && at <= now)
    }
}

/// The guardians' façade. Clones share it.
#[derive(Clone)]
pub struct Guardians {
    pub(super) clock: Clock,
    pub(super) randomness: Randomness,
    /// Whether the owner of an address that nobody added becomes a guardian by signing in.
    pub(super) open_sign_up: bool,
}

impl Guardians {
    /// Adds a guardian, which ends the [first run](super::Setup).
    ///
    /// # Errors
    ///
    /// [`IdentityError::GuardianExists`] when the address belongs to one.
    pub fn add(
        &self,
        change: &mut Change,
        email: &EmailAddress,
        name: Option<String>,
    ) -> Result<Guardian, IdentityError> {
        self.demand_free(change, email)?;
        setup::close(change)?;
        self.put_new(change, email.clone(), name, true)
            .map_err(IdentityError::from)
    }

    /// Adds the first guardian, who typed their own address.
    pub(super) fn add_first(
        &self,
        change: &mut Change,
        email: EmailAddress,
        name: String,
    ) -> Result<Guardian, IdentityError> {
        let guardian = self.put_new(change, email, Some(name), false)?;
        setup::note_guardian(change, &guardian.id)?;
        Ok(guardian)
    }

    /// Adds somebody who accepted an invitation and typed their own name. Their address is proved if they answered a letter to it and nobody has it.
    pub(super) fn add_newcomer(
        &self,
        change: &mut Change,
        email: EmailAddress,
        name: String,
        answered_letter: bool,
        invited_by: GuardianId,
    ) -> Result<Guardian, StoreError> {
        let proved = answered_letter && !store::has_email(change, &email)?;
        let mut guardian = self.put_new(change, email, Some(name), proved)?;
        guardian.invited_by = Some(invited_by);
        store::put(change, &guardian)?;
        Ok(guardian)
    }

    fn put_new(
        &self,
        change: &mut Change,
        email: EmailAddress,
        name: Option<String>,
        proved: bool,
    ) -> Result<Guardian, StoreError> {
        let guardian = Guardian {
            id: GuardianId::generate(&self.randomness),
            email,
            proved,
            name,
            added_at: self.clock.now(),
            invited_by: None,
            signed_out_at: None,
            sign_out_count: 0,
        };
        store::put(change, &guardian)?;
        Ok(guardian)
    }

    /// Notes that a guardian's own address is proved, unless it is another's by now.
    pub(super) fn prove(&self, change: &mut Change, id: &GuardianId) -> Result<(), StoreError> {
        let Some(mut guardian) = store::guardian(change, id)? else {
            return Ok(());
        };
        if guardian.proved || store::has_email(change, &guardian.email)? {
            return Ok(());
        }
        guardian.proved = true;
        store::put(change, &guardian)
    }

    /// Whether anybody was added who is still there.
    pub(super) fn are_there(&self, view: &impl Read) -> Result<bool, StoreError> {
        store::are_there(view)
    }

    /// All guardians, in no particular order, and how many others there are that cannot be read.
    pub fn list(&self, view: &impl Read) -> Result<(Vec<Guardian>, u64), StoreError> {
        store::all(view)
    }

    /// The guardian with this id.
    pub fn find_by_id(
        &self,
        view: &impl Read,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        store::guardian(view, id)
    }

    /// The guardian with this id, to sign in or to get a letter; `None` if a restored backup keeps them off.
    pub(super) fn find_admitted(
        &self,
        view: &impl Read,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        if kept_off::is_kept_off(view, id)? {
            Ok(None)
        } else {
            store::guardian(view, id)
        }
    }

    /// Whether a restored backup keeps a guardian off.
    pub fn is_kept_off(&self, view: &impl Read, id: &GuardianId) -> Result<bool, StoreError> {
        kept_off::is_kept_off(view, id)
    }

    /// The guardian with this id; `None` also when it cannot be read.
    pub fn find_readable(
        view: &impl Read,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        store::find_readable(view, id)
    }

    /// The ids of all guardians, whatever can be read of them.
    pub(super) fn ids(view: &impl Read) -> Result<Vec<GuardianId>, StoreError> {
        store::ids(view)
    }

    /// What a guardian is called; `None` when nobody said, or when it cannot be read.
    pub fn name_of(&self, view: &impl Read, id: &GuardianId) -> Result<Option<String>, StoreError> {
        let found = Self::find_readable(view, id)?;
        Ok(found.and_then(|guardian| guardian.name))
    }

    /// A guardian's address, and whether it is proved; `None` when it cannot be read.
    pub fn address_of(
        &self,
        view: &impl Read,
        id: &GuardianId,
    ) -> Result<Option<(EmailAddress, bool)>, StoreError> {
        let found = Self::find_readable(view, id)?;
        Ok(found.map(|guardian| (guardian.email, guardian.proved)))
    }

    /// The guardian with this address, if there is one.
    fn find(&self, view: &impl Read, email: &EmailAddress) -> Result<Option<Guardian>, StoreError> {
        store::by_email(view, email)
    }

    /// The guardian whom letters to this address let in, if there is one.
    pub(super) fn find_by_letter(
        &self,
        view: &impl Read,
        email: &EmailAddress,
    ) -> Result<Option<Guardian>, StoreError> {
        match store::by_email(view, email)? {
            Some(guardian) if kept_off::is_kept_off(view, &guardian.id)? => Ok(None),
            found => Ok(found),
        }
    }

    /// Whether a guardian has this address.
    pub(super) fn have(&self, view: &impl Read, email: &EmailAddress) -> Result<bool, StoreError> {
        store::has_email(view, email)
    }

    /// The guardian whose address was just proven. Where anybody may sign up, a stranger becomes one by that.
    pub(super) fn with_proven_address(
        &self,
        change: &mut Change,
        email: &EmailAddress,
    ) -> Result<Option<Guardian>, StoreError> {
        match self.find(change, email)? {
            None if self.open_sign_up => match self.add(change, email, None) {
                Ok(added) => Ok(Some(added)),
                Err(IdentityError::Store(error)) => Err(error),
                Err(_) => Ok(None),
            },
            Some(_) => self.find_by_letter(change, email),
            None => Ok(None),
        }
    }

    /// Adds a stranger whose address is only claimed, where anybody may sign up.
    pub(super) fn add_stranger(
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

    /// Fails when another guardian has this address.
    fn demand_free(&self, view: &impl Read, email: &EmailAddress) -> Result<(), IdentityError> {
        match self.find(view, email)? {
            Some(_) => Err(IdentityError::GuardianExists(email.clone())),
            None => Ok(()),
        }
    }

    /// Gives a guardian another address.
    ///
    /// # Errors
    ///
    /// [`IdentityError::GuardianExists`] when the new address is somebody else's.
    pub(super) fn change_email(
        &self,
        change: &mut Change,
        guardian: &mut Guardian,
        to: &EmailAddress,
    ) -> Result<(), IdentityError> {
        if guardian.email != *to || !guardian.proved {
            self.demand_free(change, to)?;
        }
        if guardian.proved {
            store::remove_email(change, &guardian.email)?;
        }
        guardian.email = to.clone();
        guardian.proved = true;
        Ok(store::put(change, guardian)?)
    }

    /// Ends the first run if this guardian began it.
    pub(super) fn end_setup_of(
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

    /// Notes that a guardian is being signed out everywhere. Returns their record as it then is, or `None` when it cannot be
    /// read.
    pub(super) fn note_signed_out(
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

    /// Removes a guardian's records. None of them has to be readable.
    pub(super) fn remove(
        &self,
        change: &mut Change,
        id: &GuardianId,
        email: &EmailAddress,
    ) -> Result<(), StoreError> {
        kept_off::admit(change, id)?;
        store::remove(change, id, email)
    }

    /// Lets a guardian in again whom the administrator named.
    pub(super) fn admit(&self, change: &mut Change, id: &GuardianId) -> Result<(), StoreError> {
        kept_off::admit(change, id).map(drop)
    }
}
