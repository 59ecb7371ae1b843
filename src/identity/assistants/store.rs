//! Assistants, found by their id, their name or the hash of their key.

use serde::{Deserialize, Serialize};

use super::Assistant;
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const ASSISTANT: Table = Table::new("assistant");
const ASSISTANT_BY_NAME: Table = Table::new("assistant-by-name");
const ASSISTANT_BY_KEY: Table = Table::new("assistant-by-key");

/// Is written when a key is made, and when one ends.
pub const KEYS: Table = ASSISTANT_BY_KEY;

impl Record for AssistantId {}

/// An assistant's record with what only the store knows.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredAssistant {
    #[serde(flatten)]
    pub assistant: Assistant,
    pub key: SecretHash,
}

impl Record for StoredAssistant {}

/// What each table holds.
pub const KINDS: [RecordKind; 3] = [
    RecordKind::of::<StoredAssistant>(ASSISTANT),
    RecordKind::of::<AssistantId>(ASSISTANT_BY_NAME),
    RecordKind::of::<AssistantId>(ASSISTANT_BY_KEY),
];

fn assistant_key(id: &AssistantId) -> Key {
    ASSISTANT.key().text(id.as_str())
}

/// Where the assistants of a name are, whoever added them.
fn named(name: &str) -> Key {
    ASSISTANT_BY_NAME.key().text(&name.to_lowercase())
}

fn name_key(name: &str, made_by: Option<&GuardianId>) -> Key {
    match made_by {
        Some(guardian) => named(name).text(guardian.as_str()),
        None => named(name),
    }
}

/// Where an assistant is found by its name.
fn key_of_name(stored: &StoredAssistant) -> Key {
    let Assistant { name, made_by, .. } = &stored.assistant;
    name_key(name, made_by.as_ref())
}

/// Where it is found when another one of whoever added it has that name, because a guardian gave it.
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

/// All assistants, and how many others there are that cannot be read.
pub fn all(view: &impl Read) -> Result<(Vec<Assistant>, u64), StoreError> {
    let (stored, unreadable) = view.list_readable::<StoredAssistant>(&ASSISTANT.key())?;
    let assistants = stored.into_iter().map(|stored| stored.assistant);
    Ok((assistants.collect(), unreadable))
}

/// The ids of all assistants, whatever can be read of them.
pub fn ids(view: &impl Read) -> Result<Vec<AssistantId>, StoreError> {
    let ids = view.texts_below(&ASSISTANT.key())?;
    Ok(ids.iter().map(|id| AssistantId::from_text(id)).collect())
}

/// The ids of the assistants of this name, or the one that it is the id of; also of those of whom one of the two records that
/// tell it cannot be read.
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
        // Nobody knows whose name it is; it isn't nobody's.
        view.list(&named)
    } else {
        Ok(ids)
    }
}

/// Whether somebody's assistant has this name, in whatever case.
pub fn is_taken(
    view: &impl Read,
    name: &str,
    made_by: Option<&GuardianId>,
) -> Result<bool, StoreError> {
    view.contains(&name_key(name, made_by))
}

/// The assistant's record; `None` also when it cannot be read.
pub fn find_readable(
    view: &impl Read,
    id: &AssistantId,
) -> Result<Option<StoredAssistant>, StoreError> {
    view.get_readable(&assistant_key(id))
}

/// Removes an assistant whose record cannot be read.
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

pub fn put(change: &mut Change, stored: &StoredAssistant) -> Result<(), StoreError> {
    change.put(&assistant_key(&stored.assistant.id), stored)?;
    let key = match change.get::<AssistantId>(&key_of_name(stored)) {
        Ok(Some(other)) if other != stored.assistant.id => key_beside(stored),
        Ok(_) | Err(StoreError::Unreadable(_)) => key_of_name(stored),
        Err(error) => return Err(error),
    };
    change.put(&key, &stored.assistant.id)?;
    change.put(&secret_key(stored.key), &stored.assistant.id)
}

pub fn remove(change: &mut Change, stored: &StoredAssistant) -> Result<(), StoreError> {
    change.remove(&secret_key(stored.key))?;
    change.remove(&key_beside(stored))?;
    match change.get::<AssistantId>(&key_of_name(stored)) {
        Ok(Some(other)) if other != stored.assistant.id => {}
        Ok(_) | Err(StoreError::Unreadable(_)) => {
            change.remove(&key_of_name(stored))?;
        }
        Err(error) => return Err(error),
    }
    change.remove(&assistant_key(&stored.assistant.id))?;
    change.drop_stale_answers();
    Ok(())
}
