//! Voice assistants and their keys.

use serde::{Deserialize, Serialize};

use super::store::{self, StoredAssistant};
use super::{Identity, IdentityError};
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::AssistantId;
use crate::kernel::secret::{Secret, SecretKind};
use crate::kernel::store::{Change, Read, StoreError};

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

    /// All assistants, in no particular order.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn list_assistants(&self, view: &impl Read) -> Result<Vec<Assistant>, StoreError> {
        store::assistants(view)
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

    /// Removes an assistant; its key ends at once, what it delivered stays.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchAssistant`].
    pub fn revoke_assistant(
        &self,
        change: &mut Change,
        name: &str,
    ) -> Result<Assistant, IdentityError> {
        let stored = self.get_assistant(change, name)?;
        store::remove_assistant(change, &stored)?;
        Ok(stored.assistant)
    }

    /// Whose key this is, if it is one that still holds.
    pub(super) fn recognise_assistant(
        &self,
        key: &str,
    ) -> Result<Option<SignedAssistant>, StoreError> {
        let Some(key) = Secret::parse(SecretKind::AssistantKey, key) else {
            return Ok(None);
        };
        let found = store::assistant_by_key(&self.store, key.hash())?;
        Ok(found.map(|id| SignedAssistant { id }))
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
