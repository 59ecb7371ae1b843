mod error;
mod store;

use std::sync::Arc;
use std::time::Duration;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::identity::accounts::suspension;
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretHash, SecretKind};
use crate::kernel::http::limit::{Limit, LimitKey, LimitMode, Rate};
use crate::kernel::store::{Change, Read, ReadCache, Store, StoreError, Weigh};

use store::StoredAssistant;

pub use error::{AssistantKeyError, AssistantNameError, TooManyWrites};
pub use store::{KEYS, KINDS, RECORDS, revoked};

/// The memory limit of the cache of assistants' keys, in bytes.
const CACHE_BYTES: u64 = 256 * 1024;

/// Limits an assistant's writes. After a day without a network it delivers its backlog, a thousand requests of a thousand
/// messages; live, fifty per second allow ten for each of five children who talk at once.
const WRITES: Rate = Rate::new(1000, Duration::from_millis(20));

impl LimitKey for AssistantId {
    fn group(&self) -> impl std::hash::Hash {
        self
    }
}

/// What an assistant's key is for. It is fixed when the assistant is connected.
// Whoever uses a chat app sees its key, which must not let her deliver what was never said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "kebab-case")]
#[oai(rename = "KeyKind", rename_all = "snake_case")]
pub enum KeyKind {
    /// A plug-in, which uses the assistants' API.
    #[default]
    #[oai(rename = "plug_in")]
    AssistantApi,
    /// An app that uses the gateway.
    Gateway,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assistant {
    /// Stays the same when the key is rotated.
    pub id: AssistantId,
    /// Unique among the assistants of who added it when it was added, or renamed by them.
    pub name: String,
    /// The guardian who added it; `None` for the administrator.
    pub made_by: Option<GuardianId>,
    /// The guardian who was shown its present key; `None` for the administrator, and for keys from before this was recorded.
    pub shown_to: Option<GuardianId>,
    /// Fixed when the assistant is added.
    #[serde(default)]
    pub kind: KeyKind,
    pub added_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevokedAssistant {
    pub id: AssistantId,
    /// `None` if the record could not be read.
    pub assistant: Option<Assistant>,
}

/// Proof that a request carries an assistant's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedAssistant {
    id: AssistantId,
    name: Option<String>,
    made_by: Option<GuardianId>,
    kind: Option<KeyKind>,
    key: SecretHash,
}

impl SignedAssistant {
    pub fn id(&self) -> &AssistantId {
        &self.id
    }

    /// `None` if the record cannot be read.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether its key is of this kind. A key whose record cannot be read is of both.
    pub fn opens(&self, kind: KeyKind) -> bool {
        self.kind.is_none_or(|own| own == kind)
    }

    /// The guardian who added it; `None` for the administrator, and if the record cannot be read.
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

/// An assistant's key in the clear. It is shown once and not stored.
pub type AssistantKey = Secret;

#[derive(Clone)]
pub struct Assistants {
    clock: Clock,
    randomness: Randomness,
    store: Store,
    keys: ReadCache<SecretHash, SignedAssistant>,
    writes: Arc<Limit<AssistantId>>,
}

impl Assistants {
    pub(in crate::identity) fn new(
        store: Store,
        clock: Clock,
        randomness: Randomness,
        limits: LimitMode,
    ) -> Self {
        Self {
            keys: ReadCache::within(CACHE_BYTES, &store),
            store,
            writes: Arc::new(Limit::new(WRITES, limits, clock.clone())),
            clock,
            randomness,
        }
    }

    /// Adds an assistant for the administrator or a guardian, and generates its key. Fails if they
    /// added one with this name before, ignoring case.
    pub fn add(
        &self,
        change: &mut Change,
        name: &str,
        made_by: Option<GuardianId>,
        kind: KeyKind,
    ) -> Result<(Assistant, AssistantKey), AssistantNameError> {
        if store::is_taken(change, name, made_by.as_ref())? {
            return Err(AssistantNameError::Exists(name.to_owned()));
        }
        let key = Secret::generate(SecretKind::AssistantKey, &self.randomness);
        let assistant = Assistant {
            id: AssistantId::generate(&self.randomness),
            shown_to: made_by.clone(),
            made_by,
            name: name.to_owned(),
            kind,
            added_at: self.clock.now(),
        };
        let stored = StoredAssistant {
            assistant,
            key: key.hash(),
        };
        store::put(change, &stored)?;
        Ok((stored.assistant, key))
    }

    /// Makes an assistant's key the gateway's: for keys that had an upstream before a key was of one kind.
    pub fn make_gateway_key(change: &mut Change, id: &AssistantId) -> Result<(), StoreError> {
        let Some(mut stored) = store::find(change, id)? else {
            return Ok(());
        };
        stored.assistant.kind = KeyKind::Gateway;
        store::put(change, &stored)?;
        change.drop_stale_answers();
        Ok(())
    }

    /// Whether the administrator added an assistant with this name, ignoring case.
    pub fn is_taken(&self, view: &impl Read, name: &str) -> Result<bool, StoreError> {
        store::is_taken(view, name, None)
    }

    /// Renames an assistant for a guardian. Fails with [`AssistantNameError::Exists`] if the guardian added this one and another
    /// with that name. If somebody else added the assistant, nothing is revealed about the names that they use.
    pub fn rename(
        &self,
        change: &mut Change,
        id: &AssistantId,
        name: &str,
        by: &GuardianId,
    ) -> Result<Assistant, AssistantNameError> {
        let mut stored = self.get(change, id.as_str())?;
        let is_own = stored.assistant.made_by.as_ref() == Some(by);
        if is_own
            && stored.assistant.name.to_lowercase() != name.to_lowercase()
            && store::is_taken(change, name, Some(by))?
        {
            return Err(AssistantNameError::Exists(name.to_owned()));
        }
        store::remove(change, &stored)?;
        stored.assistant.name = name.to_owned();
        store::put(change, &stored)?;
        Ok(stored.assistant)
    }

    /// Returns all assistants, in no particular order, and the number of unreadable ones.
    pub fn list(&self, view: &impl Read) -> Result<(Vec<Assistant>, u64), StoreError> {
        store::all(view)
    }

    /// `None` also if the record cannot be read.
    pub fn find_readable(
        view: &impl Read,
        id: &AssistantId,
    ) -> Result<Option<Assistant>, StoreError> {
        let stored = store::find_readable(view, id)?;
        Ok(stored.map(|stored| stored.assistant))
    }

    /// Includes unreadable assistants.
    pub(in crate::identity) fn ids(view: &impl Read) -> Result<Vec<AssistantId>, StoreError> {
        store::ids(view)
    }

    /// Finds an assistant by the name or id given by the administrator.
    pub(in crate::identity) fn id_of(
        view: &impl Read,
        name: &str,
    ) -> Result<AssistantId, AssistantNameError> {
        only(store::ids_of(view, name)?, name)
    }

    /// Like [`Assistants::id_of`]. Also fails if the record cannot be read.
    pub fn named(&self, view: &impl Read, name: &str) -> Result<Assistant, AssistantNameError> {
        Ok(self.get(view, name)?.assistant)
    }

    /// Whether the assistant is suspended after restoring a backup.
    pub fn is_suspended(&self, view: &impl Read, id: &AssistantId) -> Result<bool, StoreError> {
        suspension::is_suspended(view, id)
    }

    /// `None` also if the record cannot be read.
    pub fn find_by_id(
        &self,
        view: &impl Read,
        id: &AssistantId,
    ) -> Result<Option<Assistant>, StoreError> {
        Self::find_readable(view, id)
    }

    /// Gives an assistant, named by its id or name, a new key, which is shown to this guardian or the administrator. The old key
    /// is revoked at once.
    pub fn rotate(
        &self,
        change: &mut Change,
        name: &str,
        shown_to: Option<GuardianId>,
    ) -> Result<(Assistant, AssistantKey), AssistantNameError> {
        let mut stored = self.get(change, name)?;
        store::remove(change, &stored)?;
        let key = Secret::generate(SecretKind::AssistantKey, &self.randomness);
        stored.key = key.hash();
        stored.assistant.shown_to = shown_to;
        store::put(change, &stored)?;
        // Only the caller has the new key, so the assistant is reinstated.
        suspension::reinstate(change, &stored.assistant.id)?;
        Ok((stored.assistant, key))
    }

    /// Removes an assistant, named by its id or name. Its key is revoked at once; what it delivered stays. Works on unreadable
    /// records too, as long as one of them links the name to the id.
    pub fn revoke(
        &self,
        change: &mut Change,
        name: &str,
    ) -> Result<RevokedAssistant, AssistantNameError> {
        let id = Self::id_of(change, name)?;
        suspension::reinstate(change, &id)?;
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

    /// `None` if the key is invalid.
    pub fn verify(&self, key: &str) -> Result<Option<SignedAssistant>, StoreError> {
        match Secret::parse(SecretKind::AssistantKey, key) {
            Some(key) => self.verify_hash(key.hash()),
            None => Ok(None),
        }
    }

    /// An assistant for the server's own work on what its key began; `None` if it was revoked or is suspended.
    pub fn on_behalf_of(&self, id: &AssistantId) -> Result<Option<SignedAssistant>, StoreError> {
        match store::find_readable(&self.store, id)? {
            Some(stored) => self.verify_hash(stored.key),
            None => Ok(None),
        }
    }

    /// Whether the key that identified this assistant is still valid.
    pub fn still_holds(&self, assistant: &SignedAssistant) -> Result<bool, StoreError> {
        let found = self.verify_hash(assistant.key)?;
        Ok(found.is_some_and(|found| found.id == assistant.id))
    }

    /// Checks that the key that identified this assistant is still valid.
    pub fn require_valid(&self, assistant: &SignedAssistant) -> Result<(), AssistantKeyError> {
        if self.still_holds(assistant)? {
            Ok(())
        } else {
            Err(AssistantKeyError::Ended)
        }
    }

    fn verify_hash(&self, key: SecretHash) -> Result<Option<SignedAssistant>, StoreError> {
        // Refusals aren't cached: there are arbitrarily many wrong keys.
        let found = self.keys.get(key, |view| {
            let id = store::by_key(view, key)?.ok_or(None)?;
            if suspension::is_suspended(view, &id)? {
                return Err(None);
            }
            let stored = store::find_readable(view, &id)?;
            let stored = stored.map(|stored| stored.assistant);
            Ok(SignedAssistant {
                id,
                kind: stored.as_ref().map(|stored| stored.kind),
                made_by: stored.as_ref().and_then(|stored| stored.made_by.clone()),
                name: stored.map(|stored| stored.name),
                key,
            })
        });
        match found {
            Ok(signed) => Ok(Some(signed)),
            Err(None) => Ok(None),
            Err(Some(error)) => Err(error),
        }
    }

    /// Counts a write against the assistant's limit.
    pub fn take_write(&self, assistant: &AssistantId) -> Result<(), TooManyWrites> {
        self.writes.take(assistant.clone()).map_err(TooManyWrites)
    }

    fn get(&self, view: &impl Read, name: &str) -> Result<StoredAssistant, AssistantNameError> {
        let id = Self::id_of(view, name)?;
        store::find(view, &id)?.ok_or_else(|| AssistantNameError::NoSuch(name.to_owned()))
    }
}

/// Returns the only id; fails if several assistants have this name.
fn only(mut ids: Vec<AssistantId>, name: &str) -> Result<AssistantId, AssistantNameError> {
    match ids.len() {
        0 => Err(AssistantNameError::NoSuch(name.to_owned())),
        1 => Ok(ids.remove(0)),
        _ => Err(AssistantNameError::Several(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::clock::ManualClock;

    #[tokio::test]
    async fn a_key_that_was_recognised_ends_at_once_when_it_is_replaced_or_revoked() {
        let data = tempfile::TempDir::new().unwrap();
        let records = Store::open(data.path()).unwrap();
        let assistants = Assistants::new(
            records.clone(),
            Clock::Manual(ManualClock::at(Timestamp::from_micros(0))),
            Randomness::repeatable(),
            LimitMode::Usual,
        );
        let recognised = |key: &AssistantKey| {
            let found = assistants.verify(key.reveal()).unwrap();
            found.map(|assistant| assistant.id)
        };

        let facade = assistants.clone();
        let added =
            records.commit(move |change| facade.add(change, "kitchen", None, KeyKind::default()));
        let (assistant, first) = added.await.unwrap();
        assert_eq!(recognised(&first), Some(assistant.id.clone()));

        let facade = assistants.clone();
        let rotated = records.commit(move |change| facade.rotate(change, "kitchen", None));
        let (_, second) = rotated.await.unwrap();
        assert_eq!(recognised(&first), None);
        assert_eq!(recognised(&second), Some(assistant.id));

        let facade = assistants.clone();
        let revoked = records.commit(move |change| facade.revoke(change, "kitchen"));
        revoked.await.unwrap();
        assert_eq!(recognised(&second), None);
    }
}
