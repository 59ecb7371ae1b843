//! Voice assistants and their keys.

mod store;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{IdentityError, kept_off};
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::limit::{Leniency, Limit, LimitKey, Rate};
use crate::kernel::randomness::Randomness;
use crate::kernel::secret::{Secret, SecretHash, SecretKind};
use crate::kernel::store::{Change, Read, ReadCache, Store, StoreError, Weigh};

use store::StoredAssistant;

pub use store::{KEYS, KINDS};

/// The most memory for the keys of assistants, in bytes.
const CACHE_BYTES: u64 = 256 * 1024;

/// An assistant's writes: after a day without a network it brings all it has, a thousand requests of a
/// thousand messages; live, fifty a second are ten for each of five children who all talk at once.
const WRITES: Rate = Rate::new(1000, Duration::from_millis(20));

impl LimitKey for AssistantId {
    fn group(&self) -> impl std::hash::Hash {
        self
    }
}

/// A voice assistant as a caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assistant {
    /// Stays the same when the key is rotated.
    pub id: AssistantId,
    /// What whoever added it calls it. Unique among what they added.
    pub name: String,
    /// The guardian who added it; `None` for the administrator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<GuardianId>,
    /// The guardian who was shown its present key; `None` for the administrator, and for a key that was kept before it was noted
    /// who keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_to: Option<GuardianId>,
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
    name: Option<String>,
    made_by: Option<GuardianId>,
    key: SecretHash,
}

impl SignedAssistant {
    /// Which assistant it is.
    pub fn id(&self) -> &AssistantId {
        &self.id
    }

    /// What it is called; `None` when that cannot be read.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The guardian who added it; `None` for the administrator, and when that cannot be read.
    pub fn made_by(&self) -> Option<&GuardianId> {
        self.made_by.as_ref()
    }
}

impl Weigh for SignedAssistant {
    fn weight(&self) -> u64 {
        let name = self.name.as_ref().map_or(0, String::len);
        let made_by = self.made_by.as_ref().map_or(0, |id| id.as_str().len());
        (self.id.as_str().len() + name + made_by) as u64
    }
}

/// An assistant's key in the clear: shown once, kept nowhere.
pub type AssistantKey = Secret;

/// The assistants' façade. Clones share it.
#[derive(Clone)]
pub struct Assistants {
    clock: Clock,
    randomness: Randomness,
    keys: ReadCache<SecretHash, SignedAssistant>,
    writes: Arc<Limit<AssistantId>>,
}

impl Assistants {
    pub(super) fn new(
        store: &Store,
        clock: Clock,
        randomness: Randomness,
        limits: Leniency,
    ) -> Self {
        Self {
            keys: ReadCache::within(CACHE_BYTES, store),
            writes: Arc::new(Limit::new(WRITES, limits, clock.clone())),
            clock,
            randomness,
        }
    }

    /// Adds an assistant and makes its key: for the administrator, or for a guardian.
    ///
    /// # Errors
    ///
    /// [`IdentityError::AssistantExists`] when they added one of this name, in whatever case.
    pub fn add(
        &self,
        change: &mut Change,
        name: &str,
        made_by: Option<GuardianId>,
    ) -> Result<(Assistant, AssistantKey), IdentityError> {
        if store::is_taken(change, name, made_by.as_ref())? {
            return Err(IdentityError::AssistantExists(name.to_owned()));
        }
        let key = Secret::generate(SecretKind::AssistantKey, &self.randomness);
        let assistant = Assistant {
            id: AssistantId::generate(&self.randomness),
            shown_to: made_by.clone(),
            made_by,
            name: name.to_owned(),
            added_at: self.clock.now(),
        };
        let stored = StoredAssistant {
            assistant,
            key: key.hash(),
        };
        store::put(change, &stored)?;
        Ok((stored.assistant, key))
    }

    /// Whether the administrator added an assistant of this name, in whatever case.
    pub fn is_taken(&self, view: &impl Read, name: &str) -> Result<bool, StoreError> {
        store::is_taken(view, name, None)
    }

    /// Gives an assistant another name, for a guardian.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchAssistant`], or [`IdentityError::AssistantExists`] when the guardian added this one and another of
    /// that name. Of an assistant that somebody else added nothing is said of the names that they gave.
    pub fn rename(
        &self,
        change: &mut Change,
        id: &AssistantId,
        name: &str,
        by: &GuardianId,
    ) -> Result<Assistant, IdentityError> {
        let mut stored = self.get(change, id.as_str())?;
        let is_own = stored.assistant.made_by.as_ref() == Some(by);
        if is_own
            && stored.assistant.name.to_lowercase() != name.to_lowercase()
            && store::is_taken(change, name, Some(by))?
        {
            return Err(IdentityError::AssistantExists(name.to_owned()));
        }
        store::remove(change, &stored)?;
        stored.assistant.name = name.to_owned();
        store::put(change, &stored)?;
        Ok(stored.assistant)
    }

    /// All assistants, in no particular order, and how many others there are that cannot be read.
    pub fn list(&self, view: &impl Read) -> Result<(Vec<Assistant>, u64), StoreError> {
        store::all(view)
    }

    /// The assistant with this id; `None` also when it cannot be read.
    pub(super) fn find_readable(
        view: &impl Read,
        id: &AssistantId,
    ) -> Result<Option<Assistant>, StoreError> {
        let stored = store::find_readable(view, id)?;
        Ok(stored.map(|stored| stored.assistant))
    }

    /// The ids of all assistants, whatever can be read of them.
    pub(super) fn ids(view: &impl Read) -> Result<Vec<AssistantId>, StoreError> {
        store::ids(view)
    }

    /// The id of the assistant that the administrator names by its name or its id.
    /// Fails with [`IdentityError::NoSuchAssistant`], [`IdentityError::SeveralAssistants`].
    pub(super) fn id_of(view: &impl Read, name: &str) -> Result<AssistantId, IdentityError> {
        only(store::ids_of(view, name)?, name)
    }

    /// Whether a restored backup keeps an assistant off.
    pub fn is_kept_off(&self, view: &impl Read, id: &AssistantId) -> Result<bool, StoreError> {
        kept_off::is_kept_off(view, id)
    }

    /// The assistant with this id; `None` also when it cannot be read.
    pub fn find_by_id(
        &self,
        view: &impl Read,
        id: &AssistantId,
    ) -> Result<Option<Assistant>, StoreError> {
        Self::find_readable(view, id)
    }

    /// Gives an assistant, named by its id or its name, a new key, which this guardian or the administrator is shown; the old one ends
    /// at once. Fails with [`IdentityError::NoSuchAssistant`], [`IdentityError::SeveralAssistants`].
    pub fn rotate(
        &self,
        change: &mut Change,
        name: &str,
        shown_to: Option<GuardianId>,
    ) -> Result<(Assistant, AssistantKey), IdentityError> {
        let mut stored = self.get(change, name)?;
        store::remove(change, &stored)?;
        let key = Secret::generate(SecretKind::AssistantKey, &self.randomness);
        stored.key = key.hash();
        stored.assistant.shown_to = shown_to;
        store::put(change, &stored)?;
        // Nobody else has the new key.
        kept_off::admit(change, &stored.assistant.id)?;
        Ok((stored.assistant, key))
    }

    /// Removes an assistant, named by its id or its name; its key ends at once, what it delivered stays. Nothing of what is kept
    /// of it has to be readable, as long as something says whose the name is.
    /// Fails with [`IdentityError::NoSuchAssistant`], [`IdentityError::SeveralAssistants`].
    pub fn revoke(
        &self,
        change: &mut Change,
        name: &str,
    ) -> Result<RevokedAssistant, IdentityError> {
        let id = Self::id_of(change, name)?;
        kept_off::admit(change, &id)?;
        let assistant = match store::find_readable(change, &id)? {
            Some(stored) => {
                store::remove(change, &stored)?;
                Some(stored.assistant)
            }
            None => {
                store::remove_unreadable(change, &id)?;
                None
            }
        };
        Ok(RevokedAssistant { id, assistant })
    }

    /// The assistant whose key this is; `None` when it is no valid key.
    pub fn verify(&self, key: &str) -> Result<Option<SignedAssistant>, StoreError> {
        match Secret::parse(SecretKind::AssistantKey, key) {
            Some(key) => self.verify_hash(key.hash()),
            None => Ok(None),
        }
    }

    /// Whether the key that this assistant was recognised by still holds.
    pub fn still_holds(&self, assistant: &SignedAssistant) -> Result<bool, StoreError> {
        let found = self.verify_hash(assistant.key)?;
        Ok(found.is_some_and(|found| found.id == assistant.id))
    }

    /// Fails unless the key that this assistant was recognised by still holds. Fails with [`IdentityError::KeyEnded`].
    pub fn demand_holding(&self, assistant: &SignedAssistant) -> Result<(), IdentityError> {
        if self.still_holds(assistant)? {
            Ok(())
        } else {
            Err(IdentityError::KeyEnded)
        }
    }

    fn verify_hash(&self, key: SecretHash) -> Result<Option<SignedAssistant>, StoreError> {
        // Refusals aren't cached: there are arbitrarily many wrong keys.
        let found = self.keys.get(key, |view| {
            let id = store::by_key(view, key)?.ok_or(None)?;
            if kept_off::is_kept_off(view, &id)? {
                return Err(None);
            }
            let stored = store::find_readable(view, &id)?;
            let (name, made_by) = stored
                .map(|stored| (stored.assistant.name, stored.assistant.made_by))
                .unzip();
            Ok(SignedAssistant {
                id,
                name,
                made_by: made_by.flatten(),
                key,
            })
        });
        match found {
            Ok(signed) => Ok(Some(signed)),
            Err(None) => Ok(None),
            Err(Some(error)) => Err(error),
        }
    }

    /// Counts one more write of an assistant's. Fails with [`IdentityError::TooManyWrites`].
    pub fn take_write(&self, assistant: &AssistantId) -> Result<(), IdentityError> {
        self.writes
            .take(assistant.clone())
            .map_err(IdentityError::TooManyWrites)
    }

    fn get(&self, view: &impl Read, name: &str) -> Result<StoredAssistant, IdentityError> {
        let id = Self::id_of(view, name)?;
        store::find(view, &id)?.ok_or_else(|| IdentityError::NoSuchAssistant(name.to_owned()))
    }
}

/// The only one of these, which have the same name.
fn only(mut ids: Vec<AssistantId>, name: &str) -> Result<AssistantId, IdentityError> {
    match ids.len() {
        0 => Err(IdentityError::NoSuchAssistant(name.to_owned())),
        1 => Ok(ids.remove(0)),
        _ => Err(IdentityError::SeveralAssistants(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::clock::ManualClock;

    #[tokio::test]
    async fn a_key_that_was_recognised_ends_at_once_when_it_is_replaced_or_revoked() {
        let data = tempfile::TempDir::new().unwrap();
        let records = Store::open(data.path(), false).unwrap();
        let assistants = Assistants::new(
            &records,
            Clock::Manual(ManualClock::at(Timestamp::from_micros(0))),
            Randomness::repeatable(),
            Leniency::Usual,
        );
        let recognised = |key: &AssistantKey| {
            let found = assistants.verify(key.reveal()).unwrap();
            found.map(|assistant| assistant.id)
        };

        let facade = assistants.clone();
        let added = records.commit(move |change| facade.add(change, "kitchen", None));
        let (assistant, first) = added.await.unwrap().unwrap();
        assert_eq!(recognised(&first), Some(assistant.id.clone()));

        let facade = assistants.clone();
        let rotated = records.commit(move |change| facade.rotate(change, "kitchen", None));
        let (_, second) = rotated.await.unwrap().unwrap();
        assert_eq!(recognised(&first), None);
        assert_eq!(recognised(&second), Some(assistant.id));

        let facade = assistants.clone();
        let revoked = records.commit(move |change| facade.revoke(change, "kitchen"));
        revoked.await.unwrap().unwrap();
        assert_eq!(recognised(&second), None);
    }
}
