//! Stores the versions of a child's rules, newest first, and the key of their tags.

mod texts;
mod version_row;

use super::tag::TagKey;
use super::version::StoredVersion;
use crate::children::ChildId;
use crate::conversations::transcripts;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::hmac_key::HmacKey;
use crate::kernel::store::{
    Change, Cursor, Key, Page, Read, RecordKind, Store, StoreError, StoredRow, Table, readable,
};
use crate::rules::schedule;
use crate::{children, identity};
use texts::{References, Replaced};

pub(super) use texts::{TextId, text};
pub(super) use version_row::VersionRow;

const VERSION: Table = Table::new("rules-version");
const TAG_KEY: Table = Table::new("rules-key");

/// The tables that a change of the current rules is written to, keyed by the child's number.
pub const FOLLOWED: [Table; 3] = [VERSION, schedule::TABLE, transcripts::TALK_TABLE];

/// [`FOLLOWED`], and the table whose changes may leave a key's children without a common guardian.
pub const WAITED_FOR: [Table; 4] = [FOLLOWED[0], FOLLOWED[1], FOLLOWED[2], children::GUARDIANS];

/// The tables whose changes may end any waiting call: a key was revoked, or its children changed.
pub const ENDING: [Table; 2] = [identity::ASSISTANT_KEYS, children::ASSISTANTS];

pub(super) const KINDS: [RecordKind; 3] = [
    RecordKind::of::<VersionRow>(VERSION),
    RecordKind::of::<HmacKey>(TAG_KEY),
    texts::KIND,
];

fn versions_of(child: ChildId) -> Key {
    VERSION.key().number(child.number())
}

/// The newest version. Fails if it is unreadable, because skipping it would reuse its number.
pub(super) fn latest(view: &impl Read, child: ChildId) -> Result<Option<VersionRow>, StoreError> {
    Ok(view.first(&versions_of(child), 1)?.pop())
}

fn version_key(child: ChildId, number: u64) -> Key {
    versions_of(child).descending_number(number)
}

/// The row of the version with this number, if it is still stored.
pub(super) fn row(
    view: &impl Read,
    child: ChildId,
    number: u64,
) -> Result<Option<VersionRow>, StoreError> {
    view.get(&version_key(child, number))
}

/// The version with this number, if it is still stored.
pub(super) fn version(
    view: &impl Read,
    child: ChildId,
    number: u64,
) -> Result<Option<StoredVersion>, StoreError> {
    let row = row(view, child, number)?;
    row.map(|row| row.version(view, child)).transpose()
}

/// The next readable version after a cursor in the child's list, newest first, and the number of unreadable ones before it.
pub(super) fn next_version(
    view: &impl Read,
    child: ChildId,
    before: Option<&Cursor>,
) -> Result<Page, StoreError> {
    view.page::<VersionRow>(&versions_of(child), before, 1)
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

/// The number of versions that are checked at once.
const OLDEST_AT_ONCE: usize = 16;

/// The numbers of the oldest replaced versions whose `until` is old, the oldest one first.
pub(super) fn old_versions(
    view: &impl Read,
    child: ChildId,
    is_old: impl Fn(Timestamp) -> bool,
) -> Result<Vec<u64>, StoreError> {
    let all = versions_of(child);
    let (mut numbers, mut place) = (Vec::new(), None::<Cursor>);
    loop {
        let rows = StoredRow::before(view, &all, place.as_ref(), OLDEST_AT_ONCE)?;
        for row in &rows {
            // An unreadable one stays, so that `verify` reports it.
            let Some(version) = readable(row.read::<VersionRow>(view))?.flatten() else {
                continue;
            };
            if !version.until.is_some_and(&is_old) {
                return Ok(numbers);
            }
            numbers.push(version.number);
        }
        match rows.last() {
            Some(last) if rows.len() == OLDEST_AT_ONCE => place = Some(last.cursor()),
            _ => return Ok(numbers),
        }
    }
}

/// Stores a version, and those of its texts that aren't stored yet.
pub(super) fn put(
    change: &mut Change,
    child: ChildId,
    version: &StoredVersion,
) -> Result<(), StoreError> {
    let (row, texts) = VersionRow::of(version);
    let after = References {
        ids: texts.keys().copied().collect(),
        is_incomplete: false,
    };
    let replaced = replaced(change, child, version.number, Some(after))?;
    replaced.keep_texts(change, child, &texts)?;
    change.put(&version_key(child, version.number), &row)
}

/// Removes a version, and its texts that no other version refers to.
pub(super) fn remove(change: &mut Change, child: ChildId, number: u64) -> Result<(), StoreError> {
    let replaced = replaced(change, child, number, None)?;
    replaced.keep_texts(change, child, &Default::default())?;
    change.remove(&version_key(child, number)).map(drop)
}

/// The references of the version with this number and of its neighbours.
fn replaced(
    view: &impl Read,
    child: ChildId,
    number: u64,
    after: Option<References>,
) -> Result<Replaced, StoreError> {
    let all = versions_of(child);
    let place = version_key(child, number).cursor_below(&all);
    let references = |row: Option<StoredRow>| {
        let row = row.map(|row| row.read::<VersionRow>(view)).transpose();
        version_row::references(view, child, row.map(Option::flatten))
    };
    let older = StoredRow::after(view, &all, place.as_ref(), 1)?.pop();
    let newer = StoredRow::before(view, &all, place.as_ref(), 1)?.pop();
    Ok(Replaced {
        neighbours: [references(older)?, references(newer)?],
        before: version_row::references(view, child, row(view, child, number))?,
        after,
    })
}

/// Removes some of the child's versions; returns whether there were any.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&versions_of(child))? > 0 || texts::erase_batch(change, child)?)
}

/// The key of the tags, generated on first use. A new key changes the names of all versions.
pub(super) async fn key(store: &Store, randomness: &Randomness) -> Result<TagKey, StoreError> {
    let key = HmacKey::load(store, TAG_KEY, randomness).await?;
    Ok(TagKey(key))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::super::instructions;
    use super::super::version::{Changed, TopicsVersion};
    use super::*;
    use crate::kernel::host::language::Language;
    use crate::kernel::host::zones::Zone;
    use crate::kernel::store::Purpose;
    use crate::rules::IssuedProfile;
    use crate::rules::schedule::Schedule;

    const MIA: ChildId = ChildId::new(1);

    const PROFILE: IssuedProfile = IssuedProfile {
        language: Some(Language::De),
        ..IssuedProfile::UNKNOWN
    };

    fn version_of(number: u64, topics: &[&str], context: Option<&str>) -> StoredVersion {
        let topics = topics.iter().map(|topic| (*topic).to_owned());
        let topics = topics.collect::<Vec<_>>();
        StoredVersion {
            number,
            since: None,
            until: None,
            changed: Some(Changed::BlockedTopics),
            by: None,
            topics_version: TopicsVersion::default(),
            context: context.map(str::to_owned),
            times: Schedule::without_limits(Zone::UTC),
            profile: Some(PROFILE),
            instructions: instructions(PROFILE, &topics, context),
            topics,
        }
    }

    fn open() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        (folder, store)
    }

    #[derive(Clone, Debug)]
    enum Step {
        Put(u64, Vec<&'static str>, Option<&'static str>),
        Remove(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        let number = 0..6_u64;
        let topics = prop::sample::subsequence(vec!["Ghosts", "War", "Bees"], 0..=3);
        let context = prop::option::of(prop::sample::select(vec!["Ghosts", "Mia is eight."]));
        prop_oneof![
            3 => (number.clone(), topics, context).prop_map(|(n, topics, it)| Step::Put(n, topics, it)),
            1 => number.prop_map(Step::Remove),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

        #[test]
        fn a_text_is_kept_once_and_as_long_as_a_version_has_it(steps in prop::collection::vec(step(), 1..20)) {
            let (_folder, store) = open();
            let mut model = BTreeMap::new();
            for step in steps {
                let after = model.clone();
                let written = store.commit_blocking(Purpose::Ordinary, move |change| {
                    let mut model = after;
                    match step {
                        Step::Put(number, topics, context) => {
                            put(change, MIA, &version_of(number, &topics, context))?;
                            model.insert(number, (topics, context));
                        }
                        Step::Remove(number) => {
                            remove(change, MIA, number)?;
                            model.remove(&number);
                        }
                    }
                    Ok::<_, StoreError>(model)
                });
                model = written.unwrap();

                let mut texts = BTreeSet::new();
                for (number, (topics, context)) in &model {
                    let expected = version_of(*number, topics, *context);
                    let kept = version(&store, MIA, *number).unwrap().unwrap();
                    prop_assert_eq!(&kept.topics, &expected.topics);
                    prop_assert_eq!(&kept.context, &expected.context);
                    prop_assert_eq!(&kept.instructions, &expected.instructions);
                    texts.extend(VersionRow::of(&expected).1.into_keys());
                }
                prop_assert_eq!(texts::all_ids(&store, MIA), texts);
            }
        }
    }
}
