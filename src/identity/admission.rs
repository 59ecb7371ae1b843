//! Whom a restored backup keeps off: guardians and assistants may have been removed, and keys replaced, since it was made. So
//! none of them gets in until the administrator names them.
//!
//! Who is kept off is treated as if nobody had added them: a guardian gets no letter and no sign-in, an assistant's key is
//! refused. What is kept of them stays.

use serde::{Deserialize, Serialize};

use super::assistants::Assistants;
use super::guardians::{GuardianName, Guardians};
use super::{IdentityError, kept_off};
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::EmailAddress;
use crate::kernel::store::{Change, Read, StoreError};

/// Whom the administrator names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Everybody.
    pub all: bool,
    /// Guardians, by their addresses or ids.
    pub guardians: Vec<GuardianName>,
    /// Assistants, by their names or ids.
    pub assistants: Vec<String>,
}

/// How many guardians and assistants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HowMany {
    /// Guardians.
    pub guardians: u64,
    /// Assistants.
    pub assistants: u64,
}

/// Who is kept off, by address and by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllKeptOff {
    /// The guardians' addresses.
    pub guardians: Vec<EmailAddress>,
    /// The assistants' names.
    pub assistants: Vec<String>,
    /// How many more are kept off, whose records cannot be read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreadable: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Tells who is kept off.
pub fn all_kept_off(view: &impl Read) -> Result<AllKeptOff, StoreError> {
    let mut all = AllKeptOff::default();
    for id in Guardians::ids(view)? {
        if kept_off::is_kept_off(view, &id)? {
            match Guardians::find_readable(view, &id)? {
                Some(guardian) => all.guardians.push(guardian.email),
                None => all.unreadable += 1,
            }
        }
    }
    for id in Assistants::ids(view)? {
        if kept_off::is_kept_off(view, &id)? {
            match Assistants::find_readable(view, &id)? {
                Some(assistant) => all.assistants.push(assistant.name),
                None => all.unreadable += 1,
            }
        }
    }
    all.guardians.sort_by_cached_key(EmailAddress::key);
    all.assistants.sort();
    Ok(all)
}

/// Keeps everybody off who is in the store.
pub fn keep_all_off(change: &mut Change, now: Timestamp) -> Result<(), StoreError> {
    for id in Guardians::ids(change)? {
        kept_off::keep_off(change, &id, now)?;
    }
    for id in Assistants::ids(change)? {
        kept_off::keep_off(change, &id, now)?;
    }
    Ok(())
}

/// Lets those in again whom the administrator names. Returns how many of them were kept off until then.
///
/// # Errors
///
/// [`IdentityError::NoSuchGuardian`], [`IdentityError::NoSuchAssistant`], [`IdentityError::SeveralAssistants`]: nobody is let in
/// then.
pub fn admit(change: &mut Change, named: &Named) -> Result<HowMany, IdentityError> {
    let (guardians, assistants) = if named.all {
        (Guardians::ids(change)?, Assistants::ids(change)?)
    } else {
        let guardians = named.guardians.iter();
        let guardians = guardians.map(|name| Guardians::id_of(change, name));
        let assistants = named.assistants.iter();
        let assistants = assistants.map(|name| Assistants::id_of(change, name));
        (
            guardians.collect::<Result<Vec<_>, _>>()?,
            assistants.collect::<Result<Vec<_>, _>>()?,
        )
    };
    let mut admitted = HowMany::default();
    for id in guardians {
        admitted.guardians += u64::from(kept_off::admit(change, &id)?);
    }
    for id in assistants {
        admitted.assistants += u64::from(kept_off::admit(change, &id)?);
    }
    Ok(admitted)
}
