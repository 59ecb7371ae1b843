//! Voice assistants and their keys.

use serde::{Deserialize, Serialize};

use super::store::{self, StoredAssistant};
use super::{Identity, IdentityError};
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::AssistantId;
use crate::kernel::secret::{Secret, SecretKind};
use crate::kernel::store::{Change, Read, StoreError, Weigh};

/// A voice assistant as a caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assistant {
    /// Stays the same when the key is rotated.
    pub id: AssistantId,
    /// What the administrator calls it.
    pub name: String,
    /// When it was added.
    pub added_at: Timestamp,
}

/// An assistant that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevokedAssistant {
    /// The assistant's id.
    pub id: AssistantId,
    /// What else was known of it; `None` when it could not be read.
    pub assistant: Option<Assistant>,
}

/// The proof that a request carries an assistant's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedAssistant {
    id: AssistantId,
}

impl SignedAssistant {
    /// Which assistant it is.
    pub fn id(&self) -> &AssistantId {
        &self.id
    }
}

impl Weigh for AssistantId {
    fn weight(&self) -> u64 {
        self.as_str().len() as u64
    }
}

/// An assistant's key in the clear: shown once, kept nowhere.
pub type AssistantKey = Secret;

impl Identity {
    /// Adds an assistant and makes its key.
    ///
    /// # Errors
    ///
    /// [`IdentityError::AssistantExists`] when the name is taken, in whatever case.
    pub fn add_assistant(
        &self,
        change: &mut Change,
        name: &str,
    ) -> Result<(Assistant, AssistantKey), IdentityError> {
        if store::assistant_by_name(change, name)?.is_some() {
            return Err(IdentityError::AssistantExists(name.to_owned()));
        }
        let key = Secret::generate(SecretKind::AssistantKey, &self.randomness);
        let assistant = Assistant {
            id: AssistantId::generate(&self.randomness),
            name: name.to_owned(),
            added_at: self.clock.now(),
        };
        let stored = StoredAssistant {
            assistant,
            key: key.hash(),
        };
        store::put_assistant(change, &stored)?;
        Ok((stored.assistant, key))
    }

    /// All assistants, in no particular order, and how many others there are that cannot be read.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn list_assistants(&self, view: &impl Read) -> Result<(Vec<Assistant>, u64), StoreError> {
        store::assistants(view)
    }

    /// The assistant with this id; `None` also when it cannot be read.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn find_assistant_by_id(
        &self,
        view: &impl Read,
        id: &AssistantId,
    ) -> Result<Option<Assistant>, StoreError> {
        let stored = store::readable_assistant(view, id)?;
        Ok(stored.map(|stored| stored.assistant))
    }

    /// Gives an assistant a new key; the old one ends at once.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchAssistant`].
    pub fn rotate_assistant(
        &self,
        change: &mut Change,
        name: &str,
    ) -> Result<(Assistant, AssistantKey), IdentityError> {
        let mut stored = self.get_assistant(change, name)?;
        store::remove_assistant(change, &stored)?;
        let key = Secret::generate(SecretKind::AssistantKey, &self.randomness);
        stored.key = key.hash();
        store::put_assistant(change, &stored)?;
        Ok((stored.assistant, key))
    }

    /// Removes an assistant; its key ends at once, what it delivered stays. Nothing of what is kept of it has to be
    /// readable, as long as something says whose the name is.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchAssistant`].
    pub fn revoke_assistant(
        &self,
        change: &mut Change,
        name: &str,
    ) -> Result<RevokedAssistant, IdentityError> {
        let no_such = || IdentityError::NoSuchAssistant(name.to_owned());
        let id = store::assistant_id(change, name)?.ok_or_else(no_such)?;
        let assistant = match store::readable_assistant(change, &id)? {
            Some(stored) => {
                store::remove_assistant(change, &stored)?;
                Some(stored.assistant)
            }
            None => {
                store::remove_unreadable_assistant(change, &id, name)?;
                None
            }
        };
        Ok(RevokedAssistant { id, assistant })
    }

    /// Whose key this is, if it is one that still holds.
    pub(super) fn recognise_assistant(
        &self,
        key: &str,
    ) -> Result<Option<SignedAssistant>, StoreError> {
        let Some(key) = Secret::parse(SecretKind::AssistantKey, key) else {
            return Ok(None);
        };
        // Refusals aren't cached: there are arbitrarily many wrong keys.
        let found = self.assistants.get(key.hash(), |view| {
            store::assistant_by_key(view, key.hash())?.ok_or(None)
        });
        match found {
            Ok(id) => Ok(Some(SignedAssistant { id })),
            Err(None) => Ok(None),
            Err(Some(error)) => Err(error),
        }
    }

    fn get_assistant(
        &self,
        view: &impl Read,
        name: &str,
    ) -> Result<StoredAssistant, IdentityError> {
        store::assistant_by_name(view, name)?
            .ok_or_else(|| IdentityError::NoSuchAssistant(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::IdentitySettings;
    use crate::kernel::clock::{Clock, ManualClock};
    use crate::kernel::mail::Mailer;
    use crate::kernel::randomness::Randomness;
    use crate::kernel::store::Store;

    #[tokio::test]
    async fn a_key_that_was_recognised_ends_at_once_when_it_is_replaced_or_revoked() {
        let data = tempfile::TempDir::new().unwrap();
        let records = Store::open(data.path(), false).unwrap();
        let identity = Identity::start(
            records.clone(),
            Clock::Manual(ManualClock::at(Timestamp::from_micros(0))),
            Randomness::repeatable(),
            Mailer::Nobody,
            IdentitySettings::usual("https://porchlight.example".parse().unwrap()),
        );
        let identity = identity.await.unwrap();
        let recognised = |key: &AssistantKey| {
            let found = identity.recognise_assistant(key.reveal()).unwrap();
            found.map(|assistant| assistant.id)
        };

        let house = identity.clone();
        let added = records.commit(move |change| house.add_assistant(change, "kitchen"));
        let (assistant, first) = added.await.unwrap().unwrap();
        assert_eq!(recognised(&first), Some(assistant.id.clone()));

        let house = identity.clone();
        let rotated = records.commit(move |change| house.rotate_assistant(change, "kitchen"));
        let (_, second) = rotated.await.unwrap().unwrap();
        assert_eq!(recognised(&first), None);
        assert_eq!(recognised(&second), Some(assistant.id));

        let house = identity.clone();
        let revoked = records.commit(move |change| house.revoke_assistant(change, "kitchen"));
        revoked.await.unwrap().unwrap();
        assert_eq!(recognised(&second), None);
    }
}
