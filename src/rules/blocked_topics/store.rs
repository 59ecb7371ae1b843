//! A child's own blocked topics: one record, in the form in which the API returns it.

use serde::{Deserialize, Serialize};

use super::BlockedTopic;
use crate::children::ChildId;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const BLOCKED: Table = Table::new("blocked-topics");

/// The list when read. Writing takes [`BlockedTopic`]s.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct StoredTopics(Vec<String>);

impl Record for StoredTopics {}

pub(super) const KINDS: [RecordKind; 1] = [RecordKind::of::<StoredTopics>(BLOCKED)];

fn key(child: ChildId) -> Key {
    BLOCKED.key().number(child.number())
}

/// The list as JSON; an empty list if none is stored. Fails if the record is unreadable.
pub(super) fn json(view: &impl Read, child: ChildId) -> Result<Vec<u8>, StoreError> {
    let json = view.json::<StoredTopics>(&key(child))?;
    Ok(json.map_or_else(|| b"[]".to_vec(), Vec::from))
}

pub(super) fn topics(view: &impl Read, child: ChildId) -> Result<Vec<String>, StoreError> {
    let kept = view.get::<StoredTopics>(&key(child))?;
    Ok(kept.map(|topics| topics.0).unwrap_or_default())
}

/// Writes the list and returns its JSON.
pub(super) fn put(
    change: &mut Change,
    child: ChildId,
    topics: &[BlockedTopic],
) -> Result<Vec<u8>, StoreError> {
    let json = serde_json::to_vec(topics).expect("texts are JSON");
    change.put_json(&key(child), StoredTopics::VERSION, &json)?;
    Ok(json)
}

/// Returns whether there was one.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&key(child))? > 0)
}
