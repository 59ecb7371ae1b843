//! For how long each child's sessions are kept; and, by child and session, who keeps it and from when its age counts.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::children::Period;
use crate::children::feature::DetachedData;
use crate::children::{self, ChildId, SessionId};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Before, Change, Key, KeyPlace, Read, Record, RecordKind, StoreError, Table, readable,
};

pub const PERIOD: Table = Table::new("retention-period");
pub const KEEPS: Table = Table::new("session-keeps");

/// In [`DetachedData`].
const FIELD: &str = "keeps";

impl Record for Period {}
impl Record for KeepRecord {}

pub(super) const KINDS: [RecordKind; 2] = [
    RecordKind::of::<Period>(PERIOD),
    RecordKind::of::<KeepRecord>(KEEPS),
];

pub(super) const KEY: KeyPlace = KeyPlace::after(KEEPS, &[Before::Number]);

/// Why a session isn't yet as old as its messages. Without a record nobody keeps it.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeepRecord {
    /// The guardians who keep it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub by: BTreeSet<GuardianId>,
    /// All of the child's guardians keep it, as after an import.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_everyone: bool,
    /// The last time at which it was moved or restored, or a guardian stopped keeping it.
    pub since: Option<Timestamp>,
    /// A guardian who kept it lost access to the child, which `since` doesn't include yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub was_left: bool,
}

impl KeepRecord {
    /// Whether it must not be deleted for its age.
    pub fn is_kept(&self) -> bool {
        !self.by.is_empty() || self.by_everyone || self.was_left
    }

    /// Everyone who keeps it, given the child's guardians.
    pub fn keepers(&self, guardians: Vec<GuardianId>) -> BTreeSet<GuardianId> {
        let everyone = self.by_everyone.then_some(guardians);
        let everyone = everyone.into_iter().flatten();
        self.by.iter().cloned().chain(everyone).collect()
    }

    /// Its age counts from this time or later.
    pub fn count_from(&mut self, at: Timestamp) {
        self.since = self.since.max(Some(at));
    }
}

fn period_key(child: ChildId) -> Key {
    PERIOD.key().number(child.number())
}

fn keeps_of(child: ChildId) -> Key {
    KEEPS.key().number(child.number())
}

fn keeps_key(child: ChildId, session: SessionId) -> Key {
    keeps_of(child).number(session.number())
}

pub fn period(view: &impl Read, child: ChildId) -> Result<Option<Period>, StoreError> {
    view.get(&period_key(child))
}

pub fn put_period(
    change: &mut Change,
    child: ChildId,
    period: Option<Period>,
) -> Result<(), StoreError> {
    match period {
        Some(period) => change.put(&period_key(child), &period),
        None => change.remove(&period_key(child)).map(drop),
    }
}

/// Includes children whose period cannot be read.
pub fn children_with_period(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    let numbers = view.numbers_below(&PERIOD.key())?;
    Ok(numbers.into_iter().map(ChildId::new).collect())
}

pub fn record(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<KeepRecord, StoreError> {
    Ok(view.get(&keeps_key(child, session))?.unwrap_or_default())
}

/// The sessions that a guardian kept who has lost access since. An unreadable record keeps its session.
pub fn left(view: &impl Read) -> Result<Vec<(ChildId, SessionId)>, StoreError> {
    let all = KEEPS.key();
    let mut left = Vec::new();
    for key in view.keys_of(&all, |keep: &KeepRecord| keep.was_left)? {
        let mut components = key.components_below(&all);
        let child = components.number().map(ChildId::new);
        left.extend(child.zip(components.number().map(SessionId::new)));
    }
    Ok(left)
}

pub fn put_record(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    keep: &KeepRecord,
) -> Result<(), StoreError> {
    let key = keeps_key(child, session);
    if *keep == KeepRecord::default() {
        change.remove(&key).map(drop)
    } else {
        change.put(&key, keep)
    }
}

/// Removes a session's record. An unreadable one counts as if all of the child's guardians kept the session.
pub fn take_out(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    taken: &mut DetachedData,
) -> Result<(), StoreError> {
    let found = readable(record(change, child, session))?.unwrap_or_else(|| KeepRecord {
        by_everyone: true,
        ..KeepRecord::default()
    });
    change.remove(&keeps_key(child, session))?;
    let found = (found != KeepRecord::default()).then_some(&found);
    taken.set(FIELD, found);
    Ok(())
}

/// Puts back the record of a session that was taken out, without guardians who have lost access since.
pub fn put_back(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    taken: &DetachedData,
) -> Result<(), StoreError> {
    let Some(mut keep) = taken.get::<KeepRecord>(FIELD)? else {
        return Ok(());
    };
    for guardian in std::mem::take(&mut keep.by) {
        if children::is_guardian(change, child, &guardian)? {
            keep.by.insert(guardian);
        } else {
            keep.was_left = true;
        }
    }
    put_record(change, child, session, &keep)
}

/// Ends what a former guardian keeps. Unreadable records stay, and keep their sessions.
pub fn forget_guardian(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    for (key, mut keep) in change.readable_rows::<KeepRecord>(&keeps_of(child))? {
        if keep.by.remove(guardian) {
            keep.was_left = true;
            change.put(&key, &keep)?;
        }
    }
    Ok(())
}

/// Removes some of the child's rows. Returns whether there were any.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let period = change.remove(&period_key(child))?;
    let records = change.remove_some_below(&keeps_of(child))?;
    Ok(period || records > 0)
}
