//! Assistants, indexed by id, by name and by the hash of their key.

use serde::{Deserialize, Serialize};

use super::Assistant;
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const ASSISTANT: Table = Table::new("assistant");
const ASSISTANT_BY_NAME: Table = Table::new("assistant-by-name");
const ASSISTANT_BY_KEY: Table = Table::new("assistant-by-key");

/// Every change that makes or ends a key writes to this table.
pub const KEYS: Table = ASSISTANT_BY_KEY;

/// Written whenever an assistant is added, changed or revoked.
pub const RECORDS: Table = ASSISTANT;

impl Record for AssistantId {}

/// An assistant's record with fields that only the store uses.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredAssistant {
    #[serde(flatten)]
    pub assistant: Assistant,
    pub key: SecretHash,
}

impl Record for StoredAssistant {}

pub const KINDS: [RecordKind; 3] = [
    RecordKind::of::<StoredAssistant>(ASSISTANT),
    RecordKind::of::<AssistantId>(ASSISTANT_BY_NAME),
    RecordKind::of::<AssistantId>(ASSISTANT_BY_KEY),
];

fn assistant_key(id: &AssistantId) -> Key {
    ASSISTANT.key().text(id.as_str())
}

/// The prefix of the index entries for a name, of all owners.
fn named(name: &str) -> Key {
    ASSISTANT_BY_NAME.key().text(&name.to_lowercase())
}

fn name_key(name: &str, made_by: Option<&GuardianId>) -> Key {
    match made_by {
        Some(guardian) => named(name).text(guardian.as_str()),
        None => named(name),
    }
}

/// The key of an assistant in the index by name.
fn key_of_name(stored: &StoredAssistant) -> Key {
    let Assistant { name, made_by, .. } = &stored.assistant;
    name_key(name, made_by.as_ref())
}

/// The key in that index if a different assistant has [its key](key_of_name).
fn key_beside(stored: &StoredAssistant) -> Key {
    let Assistant {
        id, name, made_by, ..
    } = &stored.assistant;
    let made_by = made_by.as_ref().map_or("", GuardianId::as_str);
    named(name).text(made_by).text(id.as_str())
}

fn secret_key(hash: SecretHash) -> Key {
    ASSISTANT_BY_KEY.key().fixed(hash.as_bytes())
}

/// Returns all assistants and the number of unreadable ones.
pub fn all(view: &impl Read) -> Result<(Vec<Assistant>, u64), StoreError> {
    let (stored, unreadable) = view.list_readable::<StoredAssistant>(&ASSISTANT.key())?;
    let assistants = stored.into_iter().map(|stored| stored.assistant);
    Ok((assistants.collect(), unreadable))
}

/// Includes unreadable assistants.
pub fn ids(view: &impl Read) -> Result<Vec<AssistantId>, StoreError> {
    let ids = view.texts_below(&ASSISTANT.key())?;
    Ok(ids.iter().map(|id| AssistantId::from_text(id)).collect())
}

/// The assistants that a change has revoked, given the keys of [`RECORDS`] that it wrote or removed.
pub fn revoked(change: &Change, keys: &[Key]) -> Result<Vec<AssistantId>, StoreError> {
    let mut revoked = Vec::new();
    for key in keys {
        if let Some(id) = key.components_below(&ASSISTANT.key()).text()
            && !change.contains(key)?
        {
            revoked.push(AssistantId::from_text(&id));
        }
    }
    Ok(revoked)
}

/// The ids of the assistants with this name, or of the one with this id. Finds them also if either of the record and the index
/// entry is unreadable.
pub fn ids_of(view: &impl Read, name: &str) -> Result<Vec<AssistantId>, StoreError> {
    let id = AssistantId::from_text(name);
    if view.contains(&assistant_key(&id))? {
        return Ok(vec![id]);
    }
    let named = named(name);
    let (ids, unreadable) = view.list_readable::<AssistantId>(&named)?;
    if unreadable == 0 {
        return Ok(ids);
    }
    let all = ASSISTANT.key();
    let is_named =
        |stored: &StoredAssistant| stored.assistant.name.to_lowercase() == name.to_lowercase();
    let keys = view.keys_of(&all, is_named)?;
    let ids = keys
        .iter()
        .filter_map(|key| key.components_below(&all).text());
    let ids = ids
        .map(|id| AssistantId::from_text(&id))
        .collect::<Vec<_>>();
    if ids.is_empty() {
        // The index entry is unreadable: the owner is unknown, so the name isn't free.
        view.list(&named)
    } else {
        Ok(ids)
    }
}

/// Whether an assistant of this owner has this name, ignoring case.
pub fn is_taken(
    view: &impl Read,
    name: &str,
    made_by: Option<&GuardianId>,
) -> Result<bool, StoreError> {
    view.contains(&name_key(name, made_by))
}

/// `None` also if the record cannot be read.
pub fn find_readable(
    view: &impl Read,
    id: &AssistantId,
) -> Result<Option<StoredAssistant>, StoreError> {
    view.get_readable(&assistant_key(id))
}

pub fn remove_unreadable(change: &mut Change, id: &AssistantId) -> Result<(), StoreError> {
    for table in [ASSISTANT_BY_KEY, ASSISTANT_BY_NAME] {
        for key in change.keys_of(&table.key(), |of: &AssistantId| of == id)? {
            change.remove(&key)?;
        }
    }
    change.remove(&assistant_key(id))?;
    change.drop_stale_answers();
    Ok(())
}

pub fn find(view: &impl Read, id: &AssistantId) -> Result<Option<StoredAssistant>, StoreError> {
    view.get(&assistant_key(id))
}

pub fn by_key(view: &impl Read, hash: SecretHash) -> Result<Option<AssistantId>, StoreError> {
    view.get(&secret_key(hash))
}

fn is_name_of_another(view: &impl Read, stored: &StoredAssistant) -> Result<bool, StoreError> {
    let owner = view.get_readable::<AssistantId>(&key_of_name(stored))?;
    Ok(owner.is_some_and(|owner| owner != stored.assistant.id))
}

pub fn put(change: &mut Change, stored: &StoredAssistant) -> Result<(), StoreError> {
    change.put(&assistant_key(&stored.assistant.id), stored)?;
    let key = if is_name_of_another(change, stored)? {
        key_beside(stored)
    } else {
        key_of_name(stored)
    };
    change.put(&key, &stored.assistant.id)?;
    change.put(&secret_key(stored.key), &stored.assistant.id)
}

pub fn remove(change: &mut Change, stored: &StoredAssistant) -> Result<(), StoreError> {
    change.remove(&secret_key(stored.key))?;
    change.remove(&key_beside(stored))?;
    if !is_name_of_another(change, stored)? {
        change.remove(&key_of_name(stored))?;
    }
    change.remove(&assistant_key(&stored.assistant.id))?;
    change.drop_stale_answers();
    Ok(())
}
