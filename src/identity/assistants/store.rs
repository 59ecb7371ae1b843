//! Assistants, found by their id, their name or the hash of their key.

use serde::{Deserialize, Serialize};

use super::Assistant;
use crate::identity::AssistantId;
use crate::kernel::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const ASSISTANT: Table = Table::new("assistant");
const ASSISTANT_BY_NAME: Table = Table::new("assistant-by-name");
const ASSISTANT_BY_KEY: Table = Table::new("assistant-by-key");

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

fn name_key(name: &str) -> Key {
    ASSISTANT_BY_NAME.key().text(&name.to_lowercase())
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

/// The names of the assistants whose keys a restored store holds, as far as they can be read, and how many others there are.
///
/// # Errors
///
/// The store's.
pub fn restored_assistants(view: &impl Read) -> Result<(Vec<String>, u64), StoreError> {
    let (assistants, unreadable) = all(view)?;
    let mut names = assistants
        .into_iter()
        .map(|assistant| assistant.name)
        .collect::<Vec<_>>();
    names.sort();
    Ok((names, unreadable))
}

/// The id of the assistant of this name, also when one of the two records that tell it cannot be read.
pub fn id_of(view: &impl Read, name: &str) -> Result<Option<AssistantId>, StoreError> {
    let unreadable = match view.get(&name_key(name)) {
        Err(error @ StoreError::Unreadable(_)) => error,
        found => return found,
    };
    let all = ASSISTANT.key();
    let is_named = |stored: &StoredAssistant| name_key(&stored.assistant.name) == name_key(name);
    let keys = view.keys_of(&all, is_named)?;
    let id = keys
        .first()
        .and_then(|key| key.components_below(&all).text());
    id.map(|id| Some(AssistantId::from_text(&id)))
        .ok_or(unreadable)
}

/// The assistant's record; `None` also when it cannot be read.
pub fn find_readable(
    view: &impl Read,
    id: &AssistantId,
) -> Result<Option<StoredAssistant>, StoreError> {
    view.get_readable(&assistant_key(id))
}

/// Removes an assistant whose record cannot be read.
pub fn remove_unreadable(
    change: &mut Change,
    id: &AssistantId,
    name: &str,
) -> Result<(), StoreError> {
    for key in change.keys_of(&ASSISTANT_BY_KEY.key(), |of: &AssistantId| of == id)? {
        change.remove(&key)?;
    }
    change.remove(&name_key(name))?;
    change.remove(&assistant_key(id))?;
    change.drop_stale_answers();
    Ok(())
}

pub fn by_name(view: &impl Read, name: &str) -> Result<Option<StoredAssistant>, StoreError> {
    match view.get::<AssistantId>(&name_key(name))? {
        Some(id) => view.get(&assistant_key(&id)),
        None => Ok(None),
    }
}

pub fn by_key(view: &impl Read, hash: SecretHash) -> Result<Option<AssistantId>, StoreError> {
    view.get(&secret_key(hash))
}

pub fn put(change: &mut Change, stored: &StoredAssistant) -> Result<(), StoreError> {
    change.put(&assistant_key(&stored.assistant.id), stored)?;
    change.put(&name_key(&stored.assistant.name), &stored.assistant.id)?;
    change.put(&secret_key(stored.key), &stored.assistant.id)
}

pub fn remove(change: &mut Change, stored: &StoredAssistant) -> Result<(), StoreError> {
    change.remove(&secret_key(stored.key))?;
    change.remove(&name_key(&stored.assistant.name))?;
    change.remove(&assistant_key(&stored.assistant.id))?;
    change.drop_stale_answers();
    Ok(())
}
