//! The versions of a child's rules, newest first, and the key of their tags.

use serde::{Deserialize, Serialize};

use super::RulesInForce;
use super::tag::TagKey;
use crate::children::ChildId;
use crate::identity::GuardianId;
use crate::kernel::clock::Timestamp;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, Store, StoreError, Table};

const VERSION: Table = Table::new("rules-version");
const TAG_KEY: Table = Table::new("rules-key");

impl Record for TagKey {}
impl Record for StoredVersion {}

/// What each table holds.
pub(super) const KINDS: [RecordKind; 2] = [
    RecordKind::of::<StoredVersion>(VERSION),
    RecordKind::of::<TagKey>(TAG_KEY),
];

/// What a guardian changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Changed {
    BlockedTopics,
    Context,
}

/// One version.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredVersion {
    pub number: u64,
    /// Since when it held; until the next one's. `None` for what held before the first change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<Timestamp>,
    /// What was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changed: Option<Changed>,
    /// Who changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<GuardianId>,
    topics: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    /// What the assistants were told.
    instructions: String,
}

impl StoredVersion {
    /// What held before the first change.
    pub fn first(rules: RulesInForce) -> Self {
        Self {
            number: rules.number,
            since: None,
            changed: None,
            by: None,
            topics: rules.topics,
            context: rules.context,
            instructions: rules.instructions,
        }
    }

    /// The version behind the one whose number `rules` have.
    pub fn of(rules: RulesInForce, since: Timestamp, changed: Changed, by: GuardianId) -> Self {
        Self {
            number: rules.number + 1,
            since: Some(since),
            changed: Some(changed),
            by: Some(by),
            ..Self::first(rules)
        }
    }
}

fn versions_of(child: ChildId) -> Key {
    VERSION.key().number(child.number())
}

/// The newest version. One that cannot be read is not passed over: its number would be given out twice.
pub(super) fn latest(
    view: &impl Read,
    child: ChildId,
) -> Result<Option<StoredVersion>, StoreError> {
    Ok(view.first(&versions_of(child), 1)?.pop())
}

pub(super) fn put(
    change: &mut Change,
    child: ChildId,
    version: &StoredVersion,
) -> Result<(), StoreError> {
    let key = versions_of(child).descending_number(version.number);
    change.put(&key, version)
}

/// Removes a part of the child's versions; whether there were any.
pub(super) fn erase_some(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&versions_of(child))? > 0)
}

/// The key of the tags, made the first time.
pub(super) async fn key(store: &Store, randomness: &Randomness) -> Result<TagKey, StoreError> {
    let key = TAG_KEY.key();
    match store.get(&key) {
        Ok(Some(found)) => return Ok(found),
        Ok(None) => {}
        // Versions that were told under it are told anew.
        Err(StoreError::Unreadable(cause)) => {
            tracing::error!(%cause, "the key of the rules' versions could not be read, so a new one is made");
        }
        Err(error) => return Err(error),
    }
    let made = TagKey::generate(randomness);
    let kept = made.clone();
    let put = store.commit(move |change| change.put(&key, &kept)).await;
    match put.and_then(|inner| inner) {
        // It holds until the next start.
        Ok(()) | Err(StoreError::Full) => Ok(made),
        Err(error) => Err(error),
    }
}
