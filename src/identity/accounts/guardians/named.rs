//! How the administrator names a guardian: by id or by address.
//!
//! Anybody can enter an address that isn't theirs, and several guardians the same one. So an unverified address identifies a
//! guardian only if just one has entered it, and it never suffices for giving a guardian access to a child.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Guardian, GuardianNameError, Guardians, store};
use crate::identity::GuardianId;
use crate::kernel::outgoing::mail::{EmailAddress, InvalidEmail};
use crate::kernel::store::{Read, StoreError};

/// The prefix of guardians' ids.
const ID_PREFIX: &str = "gdn_";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum GuardianName {
    Id(GuardianId),
    Address(EmailAddress),
}

impl FromStr for GuardianName {
    type Err = InvalidEmail;

    fn from_str(typed: &str) -> Result<Self, InvalidEmail> {
        let typed = typed.trim();
        if typed.starts_with(ID_PREFIX) && !typed.contains('@') {
            Ok(Self::Id(GuardianId::from_text(typed)))
        } else {
            typed.parse().map(Self::Address)
        }
    }
}

impl TryFrom<String> for GuardianName {
    type Error = InvalidEmail;

    fn try_from(typed: String) -> Result<Self, InvalidEmail> {
        typed.parse()
    }
}

impl fmt::Display for GuardianName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Address(email) => email.fmt(f),
        }
    }
}

impl From<GuardianName> for String {
    fn from(name: GuardianName) -> Self {
        name.to_string()
    }
}

impl From<EmailAddress> for GuardianName {
    fn from(email: EmailAddress) -> Self {
        Self::Address(email)
    }
}

impl GuardianName {
    fn nobody(&self) -> GuardianNameError {
        match self {
            Self::Id(id) => GuardianNameError::NoSuchId(id.clone()),
            Self::Address(email) => GuardianNameError::NoSuchAddress(email.clone()),
        }
    }
}

impl Guardians {
    /// Finds the id of a named guardian, even if one of record and index entry is unreadable. An address names the guardian who
    /// has verified it, or else the only one who has typed it.
    pub(in crate::identity) fn id_of(
        view: &impl Read,
        name: &GuardianName,
    ) -> Result<GuardianId, GuardianNameError> {
        let email = match name {
            GuardianName::Id(id) if store::contains(view, id)? => return Ok(id.clone()),
            GuardianName::Id(_) => return Err(name.nobody()),
            GuardianName::Address(email) => email,
        };
        if let Some(id) = store::id_of(view, email)? {
            return Ok(id);
        }
        let mut typed_by = store::labelled(view, email)?;
        match typed_by.len() {
            0 => Err(name.nobody()),
            1 => Ok(typed_by.remove(0)),
            _ => Err(GuardianNameError::Several(email.clone(), typed_by)),
        }
    }

    /// Finds a named guardian, like [`Guardians::id_of`].
    pub fn named(
        &self,
        view: &impl Read,
        name: &GuardianName,
    ) -> Result<Guardian, GuardianNameError> {
        let id = match name {
            // The record or the index entry suffices.
            GuardianName::Address(email) => match self.find(view, email)? {
                Some(guardian) => return Ok(guardian),
                None => Self::id_of(view, name)?,
            },
            GuardianName::Id(_) => Self::id_of(view, name)?,
        };
        store::guardian(view, &id)?.ok_or_else(|| name.nobody())
    }

    /// Finds a guardian named by id or by a verified address, to give them access to a child.
    pub fn named_for_certain(
        &self,
        view: &impl Read,
        name: &GuardianName,
    ) -> Result<Guardian, GuardianNameError> {
        let guardian = self.named(view, name)?;
        match name {
            GuardianName::Address(email) if !guardian.verified => {
                Err(GuardianNameError::Unconfirmed(email.clone(), guardian.id))
            }
            _ => Ok(guardian),
        }
    }

    /// Finds the guardian with this address or, if nobody has verified it, the only one who has typed it.
    pub fn get(
        &self,
        view: &impl Read,
        email: &EmailAddress,
    ) -> Result<Guardian, GuardianNameError> {
        self.named(view, &GuardianName::Address(email.clone()))
    }

    /// A named guardian's address, from any record that can be read.
    pub(in crate::identity) fn named_address(
        view: &impl Read,
        id: &GuardianId,
        name: &GuardianName,
    ) -> Result<Option<EmailAddress>, StoreError> {
        match (store::find_readable(view, id)?, name) {
            (Some(guardian), _) => Ok(Some(guardian.email)),
            (None, GuardianName::Address(email)) => Ok(Some(email.clone())),
            (None, GuardianName::Id(id)) => store::email_of(view, id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guardian_is_named_by_an_id_or_an_address() {
        let id = GuardianName::Id(GuardianId::from_text("gdn_12ab"));
        let address = |text: &str| GuardianName::Address(text.parse().unwrap());

        let named = |typed: &str| typed.parse::<GuardianName>().unwrap();
        assert_eq!(named("gdn_12ab"), id);
        assert_eq!(named(" gdn_12ab "), id);
        let email = "gdn_12ab@example.org";
        assert_eq!(named(email), address(email));
        assert!("ada".parse::<GuardianName>().is_err());
    }
}
