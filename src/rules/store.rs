//! The versions of a child's rules, newest first, and the key of their tags.

use super::tag::TagKey;
use super::version::StoredVersion;
use crate::children::ChildId;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{
    Change, Cursor, Key, Page, Read, Record, RecordKind, Store, StoreError, Table,
};
use crate::{children, identity, times, transcripts};

const VERSION: Table = Table::new("rules-version");
const TAG_KEY: Table = Table::new("rules-key");

/// The tables below whose children's numbers a change of what is in force is written.
pub const FOLLOWED: [Table; 3] = [VERSION, times::TABLE, transcripts::TALK_TABLE];

/// [`FOLLOWED`], and that no guardian may have all of a key's children any more.
pub const WAITED_FOR: [Table; 4] = [FOLLOWED[0], FOLLOWED[1], FOLLOWED[2], children::GUARDIANS];

/// The tables of which any call that waits may end: a key ended, or is for other children.
pub const ENDING: [Table; 2] = [identity::ASSISTANT_KEYS, children::ASSISTANTS];

impl Record for TagKey {}
impl Record for StoredVersion {}

/// What each table holds.
pub(super) const KINDS: [RecordKind; 2] = [
    RecordKind::of::<StoredVersion>(VERSION),
    RecordKind::of::<TagKey>(TAG_KEY),
];

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

fn version_key(child: ChildId, number: u64) -> Key {
    versions_of(child).descending_number(number)
}

/// The version with this number, if it is kept.
pub(super) fn version(
    view: &impl Read,
    child: ChildId,
    number: u64,
) -> Result<Option<StoredVersion>, StoreError> {
    view.get(&version_key(child, number))
}

/// The child's versions, newest first, and how many others cannot be read.
pub(super) fn readable_versions(
    view: &impl Read,
    child: ChildId,
) -> Result<(Vec<StoredVersion>, u64), StoreError> {
    view.list_readable(&versions_of(child))
}

/// A page of the child's versions, newest first.
pub(super) fn versions(
    view: &impl Read,
    child: ChildId,
    before: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    view.page::<StoredVersion>(&versions_of(child), before, limit)
}

/// The numbers of the child's versions, highest first.
pub(super) fn numbers(view: &impl Read, child: ChildId) -> Result<Vec<u64>, StoreError> {
    let below = versions_of(child);
    let keys = view.keys_below(&below, usize::MAX)?;
    let numbers = keys.iter();
    Ok(numbers
        .filter_map(|key| key.components_below(&below).descending_number())
        .collect())
}

pub(super) fn put(
    change: &mut Change,
    child: ChildId,
    version: &StoredVersion,
) -> Result<(), StoreError> {
    change.put(&version_key(child, version.number), version)
}

pub(super) fn remove(change: &mut Change, child: ChildId, number: u64) -> Result<(), StoreError> {
    change.remove(&version_key(child, number)).map(drop)
}

/// Removes a part of the child's versions; whether there were any.
pub(super) fn erase_some(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&versions_of(child))? > 0)
}

/// The key of the tags, made the first time. When it is made again, the versions have other names.
pub(super) async fn key(store: &Store, randomness: &Randomness) -> Result<TagKey, StoreError> {
    let made = TagKey::generate(randomness);
    store.get_or_keep(TAG_KEY.key(), made).await
}
