//! Suspension after restoring a backup: guardians and assistants in it may have been removed since, and keys replaced. So all of
//! them are suspended until the administrator names those to reinstate.
//!
//! Suspended guardians and assistants are treated as if they had never been added: a guardian gets no e-mail and cannot sign in,
//! an assistant's key is refused. Their data is kept, and their addresses and names stay taken.

use serde::{Deserialize, Serialize};

use crate::identity::accounts::assistants::{AssistantNameError, Assistants};
use crate::identity::accounts::guardians::{GuardianName, GuardianNameError, Guardians};
use crate::identity::accounts::suspension;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, Read, StoreError, is_default};

/// The guardians and assistants that the administrator names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// All of them.
    pub all: bool,
    /// Addresses or ids of guardians.
    pub guardians: Vec<GuardianName>,
    /// Names or ids of assistants.
    pub assistants: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HowMany {
    pub guardians: u64,
    pub assistants: u64,
}

/// The suspended guardians and assistants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspended {
    pub guardians: Vec<EmailAddress>,
    pub assistants: Vec<String>,
    /// How many others are suspended whose records cannot be read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unreadable: u64,
}

pub fn all_suspended(view: &impl Read) -> Result<Suspended, StoreError> {
    let mut all = Suspended::default();
    for id in Guardians::ids(view)? {
        if suspension::is_suspended(view, &id)? {
            match Guardians::find_readable(view, &id)? {
                Some(guardian) => all.guardians.push(guardian.email),
                None => all.unreadable += 1,
            }
        }
    }
    for id in Assistants::ids(view)? {
        if suspension::is_suspended(view, &id)? {
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

/// Suspends all guardians and assistants in the store.
pub fn suspend_all(change: &mut Change, now: Timestamp) -> Result<(), StoreError> {
    for id in Guardians::ids(change)? {
        suspension::suspend(change, &id, now)?;
    }
    for id in Assistants::ids(change)? {
        suspension::suspend(change, &id, now)?;
    }
    Ok(())
}

/// Why nobody was reinstated.
#[derive(Debug, thiserror::Error)]
pub enum ReinstateError {
    #[error(transparent)]
    Guardian(#[from] GuardianNameError),
    #[error(transparent)]
    Assistant(#[from] AssistantNameError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reinstates the named guardians and assistants. Returns how many of them were suspended.
pub fn reinstate(change: &mut Change, named: &Named) -> Result<HowMany, ReinstateError> {
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
    let mut reinstated = HowMany::default();
    for id in guardians {
        reinstated.guardians += u64::from(suspension::reinstate(change, &id)?);
    }
    for id in assistants {
        reinstated.assistants += u64::from(suspension::reinstate(change, &id)?);
    }
    Ok(reinstated)
}
