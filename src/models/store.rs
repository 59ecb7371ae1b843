//! Upstreams by name, and by assistant the one that it uses. Both are restored from a backup, which is as private as the data
//! folder.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::KeyUpstream;
use super::upstream::{InvalidUpstream, Upstream, UpstreamForm, UpstreamKey, UpstreamUrl};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

/// By the name in lower case.
const UPSTREAM: Table = Table::new("gateway-upstreams");
/// By the assistant's id.
pub const KEY_UPSTREAM: Table = Table::new("gateway-keys");

/// An upstream with its key in the clear, as only the store has it.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub struct StoredUpstream {
    name: String,
    url: UpstreamUrl,
    key: Option<StoredKey>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    models: Vec<String>,
    form: UpstreamForm,
    added_at: Timestamp,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct StoredKey(UpstreamKey);

impl TryFrom<String> for StoredKey {
    type Error = InvalidUpstream;

    fn try_from(text: String) -> Result<Self, InvalidUpstream> {
        text.parse().map(Self)
    }
}

impl From<StoredKey> for String {
    fn from(StoredKey(key): StoredKey) -> Self {
        key.reveal().to_owned()
    }
}

impl Record for StoredUpstream {}
impl Record for KeyUpstream {}

pub const KINDS: [RecordKind; 2] = [
    RecordKind::of::<StoredUpstream>(UPSTREAM),
    RecordKind::of::<KeyUpstream>(KEY_UPSTREAM),
];

impl From<StoredUpstream> for Upstream {
    fn from(stored: StoredUpstream) -> Self {
        Self {
            name: stored.name,
            url: stored.url,
            key: stored.key.map(|StoredKey(key)| key),
            models: stored.models,
            form: stored.form,
            added_at: stored.added_at,
        }
    }
}

impl From<&Upstream> for StoredUpstream {
    fn from(upstream: &Upstream) -> Self {
        Self {
            name: upstream.name.clone(),
            url: upstream.url.clone(),
            key: upstream.key.clone().map(StoredKey),
            models: upstream.models.clone(),
            form: upstream.form,
            added_at: upstream.added_at,
        }
    }
}

fn upstream_key(name: &str) -> Key {
    UPSTREAM.key().text(&name.trim().to_lowercase())
}

fn key_of(assistant: &AssistantId) -> Key {
    KEY_UPSTREAM.key().text(assistant.as_str())
}

/// Whether there is an upstream with this name, even if it is unreadable.
pub fn contains(view: &impl Read, name: &str) -> Result<bool, StoreError> {
    view.contains(&upstream_key(name))
}

pub fn find(view: &impl Read, name: &str) -> Result<Option<Upstream>, StoreError> {
    let found = view.get::<StoredUpstream>(&upstream_key(name))?;
    Ok(found.map(Upstream::from))
}

/// Returns all upstreams by name, and the number of unreadable ones.
pub fn all(view: &impl Read) -> Result<(Vec<Upstream>, u64), StoreError> {
    let (stored, unreadable) = view.list_readable::<StoredUpstream>(&UPSTREAM.key())?;
    Ok((stored.into_iter().map(Upstream::from).collect(), unreadable))
}

pub fn put(change: &mut Change, upstream: &Upstream) -> Result<(), StoreError> {
    change.put(
        &upstream_key(&upstream.name),
        &StoredUpstream::from(upstream),
    )
}

/// Returns whether there was one.
pub fn remove(change: &mut Change, name: &str) -> Result<bool, StoreError> {
    change.remove(&upstream_key(name))
}

pub fn of_key(
    view: &impl Read,
    assistant: &AssistantId,
) -> Result<Option<KeyUpstream>, StoreError> {
    view.get(&key_of(assistant))
}

pub fn put_of_key(
    change: &mut Change,
    assistant: &AssistantId,
    of: &KeyUpstream,
) -> Result<(), StoreError> {
    change.put(&key_of(assistant), of)
}

pub fn remove_of_key(change: &mut Change, assistant: &AssistantId) -> Result<bool, StoreError> {
    change.remove(&key_of(assistant))
}

/// The assistant of a row of [`KEY_UPSTREAM`].
pub fn assistant_at(key: &Key) -> Option<AssistantId> {
    let id = key.components_below(&KEY_UPSTREAM.key()).text();
    id.map(|id| AssistantId::from_text(&id))
}

/// The assistants that use an upstream. An unreadable record names none, and lets its assistant use none.
pub fn keys_with(view: &impl Read, name: &str) -> Result<Vec<AssistantId>, StoreError> {
    let (all, name) = (KEY_UPSTREAM.key(), name.trim().to_lowercase());
    let uses = |of: &KeyUpstream| of.upstream.to_lowercase() == name;
    let keys = view.keys_of(&all, uses)?;
    Ok(keys.iter().filter_map(assistant_at).collect())
}
