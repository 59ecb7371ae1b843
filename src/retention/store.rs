//! Deleted sessions by child, newest first; sessions being erased; the hashes of erased sessions' names; and [keeps].

pub(super) mod keeps;

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::names::{NameHash, NameKey};
use crate::children::Period;
use crate::children::feature::DetachedData;
use crate::children::{ChildId, SessionId};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::hmac_key::HmacKey;
use crate::kernel::store::{
    Before, Change, Cursor, Key, KeyPlace, Page, Read, Record, RecordKind, Store, StoreError, Table,
};

/// Deleted sessions, which can still be restored, keyed by child first. The table was named when deleting was called erasing.
pub const DELETED: Table = Table::new("erased-session");
/// Sessions whose messages and receipts are being erased, keyed by session and by the child it was opened for.
const ERASING: Table = Table::new("session-erasing");
/// By the name's hash: messages under the name said until this time are erased.
const NAME: Table = Table::new("erased-name");
/// The same hashes by that time.
const NAME_UNTIL: Table = Table::new("erased-name-until");
const NAME_KEY: Table = Table::new("erased-name-key");

/// How long a deleted session can be restored.
pub(super) const RESTORABLE_FOR: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The limit if another guardian was not shown it.
pub(super) const RESTORABLE_UNSEEN_FOR: Duration = Duration::from_secs(90 * 24 * 60 * 60);

#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DeletedRecord {
    pub session_id: SessionId,
    pub at: Timestamp,
    pub by: DeletedBy,
    /// When words last arrived in it.
    pub words_at: Option<Timestamp>,
    /// The end of the day (UTC) on which each guardian was first shown it in the list of deleted sessions, with all words that
    /// arrived. A finer time would tell the others when that page was open.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub shown: BTreeMap<GuardianId, Timestamp>,
    #[serde(flatten)]
    pub taken_out: DetachedData,
}

/// Why a session is deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DeletedBy {
    Guardian(GuardianId),
    /// It was older than the child's sessions are kept.
    Retention {
        older_than_days: Period,
    },
}

impl Record for DeletedRecord {}

impl DeletedRecord {
    /// The latest time at which it can be restored, given the child's guardians: seven days after each of the others was shown
    /// it, at most ninety days, so that nobody's sessions are deleted unseen. Both count from the last words that arrived. An only
    /// guardian has chosen the period.
    pub fn until(&self, guardians: &[GuardianId]) -> Timestamp {
        let since = self
            .words_at
            .map_or(self.at, |words_at| words_at.max(self.at));
        let longest = since.after(RESTORABLE_UNSEEN_FOR);
        let others = guardians
            .iter()
            .filter(|id| self.must_be_shown_to(id, guardians));
        let until = others.map(|id| self.shown.get(id).map(|shown| shown.after(RESTORABLE_FOR)));
        until
            .map(|until| until.unwrap_or(longest))
            .fold(since.after(RESTORABLE_FOR), Timestamp::max)
            .min(longest)
    }

    /// Whether the seven days begin only once this guardian of the child was shown it. The guardian who deleted it knows what it
    /// contained, but not what arrived later.
    pub fn must_be_shown_to(&self, guardian: &GuardianId, guardians: &[GuardianId]) -> bool {
        match &self.by {
            DeletedBy::Guardian(by) if by != guardian => true,
            DeletedBy::Guardian(_) => self.words_at.is_some() && guardians.len() > 1,
            DeletedBy::Retention { .. } => guardians.len() > 1,
        }
    }

    pub fn record_shown(&mut self, to: &GuardianId, now: Timestamp) {
        self.shown.entry(to.clone()).or_insert(now.up_to_utc_day());
    }

    /// The record with what this guardian may know: when others were shown it, once the day is over.
    #[must_use]
    pub fn known_to(mut self, reader: &GuardianId, now: Timestamp) -> Self {
        self.shown
            .retain(|guardian, shown| guardian == reader || *shown <= now);
        self
    }

    /// Records that words arrived in it: it is new to every guardian.
    pub fn note_words(&mut self, now: Timestamp) {
        self.words_at = Some(now);
        self.shown.clear();
    }
}

pub(super) const KINDS: [RecordKind; 7] = [
    RecordKind::of::<DeletedRecord>(DELETED),
    RecordKind::of::<SessionId>(ERASING),
    RecordKind::of::<Timestamp>(NAME),
    RecordKind::of::<Timestamp>(NAME_UNTIL),
    RecordKind::of::<HmacKey>(NAME_KEY),
    keeps::KINDS[0],
    keeps::KINDS[1],
];

pub(super) const KEYS: [KeyPlace; 3] = [
    KeyPlace::after(DELETED, &[Before::Number, Before::Number]).descending(),
    KeyPlace::first(ERASING),
    keeps::KEY,
];

fn deleted_of(child: ChildId) -> Key {
    DELETED.key().number(child.number())
}

fn deleted_key(child: ChildId, at: Timestamp, session: SessionId) -> Key {
    deleted_of(child)
        .descending(at.micros())
        .descending_number(session.number())
}

pub(super) fn deleted(
    view: &impl Read,
    child: ChildId,
    at: Timestamp,
    session: SessionId,
) -> Result<Option<DeletedRecord>, StoreError> {
    view.get(&deleted_key(child, at, session))
}

/// Doesn't read the row's value, which may be unreadable.
pub(super) fn is_deleted(
    view: &impl Read,
    child: ChildId,
    at: Timestamp,
    session: SessionId,
) -> Result<bool, StoreError> {
    view.contains(&deleted_key(child, at, session))
}

pub(super) fn put_deleted(
    change: &mut Change,
    child: ChildId,
    record: &DeletedRecord,
) -> Result<(), StoreError> {
    change.put_counted(&deleted_key(child, record.at, record.session_id), record)
}

pub(super) fn remove_deleted(
    change: &mut Change,
    child: ChildId,
    at: Timestamp,
    session: SessionId,
) -> Result<(), StoreError> {
    change.remove(&deleted_key(child, at, session)).map(drop)
}

/// Forgets that a guardian was shown the child's deleted sessions. Unreadable rows are kept, and so stay for the longest time.
pub(super) fn forget_shown_to(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    for (key, mut record) in change.readable_rows::<DeletedRecord>(&deleted_of(child))? {
        if record.shown.remove(guardian).is_some() {
            change.put_counted(&key, &record)?;
        }
    }
    Ok(())
}

pub(super) fn page(
    view: &impl Read,
    child: ChildId,
    before: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    view.page::<DeletedRecord>(&deleted_of(child), before, limit)
}

/// Returns child, time of deletion and session of all deleted sessions, also of unreadable rows.
pub(super) fn all_deleted(
    view: &impl Read,
) -> Result<Vec<(ChildId, Timestamp, SessionId)>, StoreError> {
    let all = DELETED.key();
    let keys = view.keys_below(&all, usize::MAX)?;
    let places = keys.iter().filter_map(|key| {
        let mut components = key.components_below(&all);
        let child = ChildId::new(components.number()?);
        let at = Timestamp::from_micros(components.descending()?);
        Some((child, at, SessionId::new(components.descending_number()?)))
    });
    Ok(places.collect())
}

fn erasing_key(session: SessionId, opened_for: ChildId) -> Key {
    ERASING
        .key()
        .number(session.number())
        .number(opened_for.number())
}

pub(super) fn put_erasing(
    change: &mut Change,
    session: SessionId,
    opened_for: ChildId,
) -> Result<(), StoreError> {
    change.put(&erasing_key(session, opened_for), &session)
}

pub(super) fn remove_erasing(
    change: &mut Change,
    session: SessionId,
    opened_for: ChildId,
) -> Result<(), StoreError> {
    change.remove(&erasing_key(session, opened_for)).map(drop)
}

/// Returns sessions being erased with the child each was opened for.
pub(super) fn all_erasing(view: &impl Read) -> Result<Vec<(SessionId, ChildId)>, StoreError> {
    let all = ERASING.key();
    let keys = view.keys_below(&all, usize::MAX)?;
    let sessions = keys.iter().filter_map(|key| {
        let mut components = key.components_below(&all);
        let session = SessionId::new(components.number()?);
        Some((session, ChildId::new(components.number()?)))
    });
    Ok(sessions.collect())
}

fn name_key(hash: &NameHash) -> Key {
    NAME.key().fixed(hash)
}

fn name_until_key(until: Timestamp, hash: &NameHash) -> Key {
    NAME_UNTIL.key().signed(until.micros()).fixed(hash)
}

pub(super) fn erased_until(
    view: &impl Read,
    hash: &NameHash,
) -> Result<Option<Timestamp>, StoreError> {
    view.get(&name_key(hash))
}

pub(super) fn put_name(
    change: &mut Change,
    hash: &NameHash,
    until: Timestamp,
) -> Result<(), StoreError> {
    // An unreadable time is replaced; its row by time is dropped when it is old enough.
    if let Some(before) = change.get_readable::<Timestamp>(&name_key(hash))? {
        change.remove(&name_until_key(before, hash))?;
    }
    change.put(&name_key(hash), &until)?;
    change.put(&name_until_key(until, hash), &until)
}

/// How many hashes one change drops.
const DROPPED_AT_ONCE: usize = 500;

/// How long the hash of an erased session's name is kept.
const NAMES_KEPT: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// The oldest hashes, limited to those that are old enough to be dropped.
fn old_names(view: &impl Read, due: DueBy) -> Result<Vec<(Key, NameHash)>, StoreError> {
    let all = NAME_UNTIL.key();
    let keys = view.keys_below(&all, DROPPED_AT_ONCE)?;
    let old = keys.into_iter().map_while(|key| {
        let mut components = key.components_below(&all);
        let until = components.signed().map(Timestamp::from_micros)?;
        let hash = components.fixed()?;
        due.has_passed(until, NAMES_KEPT).then_some((key, hash))
    });
    Ok(old.collect())
}

pub(super) fn has_old_names(view: &impl Read, due: DueBy) -> Result<bool, StoreError> {
    Ok(!old_names(view, due)?.is_empty())
}

pub(super) fn drop_old_names(change: &mut Change, due: DueBy) -> Result<(), StoreError> {
    for (key, hash) in old_names(change, due)? {
        change.remove(&key)?;
        // The name may have been erased again later; its hash stays then.
        let until = change.get_readable::<Timestamp>(&name_key(&hash))?;
        if until.is_none_or(|until| due.has_passed(until, NAMES_KEPT)) {
            change.remove(&name_key(&hash))?;
        }
    }
    Ok(())
}

/// Loads the key, or generates it on the first start. After a loss of the key, older hashes match no name any more.
pub(super) async fn key(store: &Store, randomness: &Randomness) -> Result<NameKey, StoreError> {
    let key = HmacKey::load(store, NAME_KEY, randomness).await?;
    Ok(NameKey(key))
}

/// Removes some of the child's rows. Returns whether there were any.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let deleted = change.remove_some_below(&deleted_of(child))? > 0;
    Ok(keeps::erase_batch(change, child)? || deleted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: &str = "2026-11-21T20:00:00Z";

    fn guardian(name: &str) -> GuardianId {
        GuardianId::from_text(name)
    }

    fn record(by: DeletedBy) -> DeletedRecord {
        DeletedRecord {
            session_id: SessionId::new(1),
            at: AT.parse().unwrap(),
            by,
            words_at: None,
            shown: BTreeMap::new(),
            taken_out: DetachedData::default(),
        }
    }

    #[test]
    fn a_row_from_before_retention_is_by_the_guardian() {
        let stored = format!(r#"{{"session_id": 1, "at": "{AT}", "by": "gdn_ada", "summary": 2}}"#);

        let read = serde_json::from_str::<DeletedRecord>(&stored).unwrap();

        assert_eq!(read.by, DeletedBy::Guardian(guardian("gdn_ada")));
        assert_eq!(read.taken_out.get::<u64>("summary").unwrap(), Some(2));
        let again = serde_json::to_value(&read).unwrap();
        assert_eq!(
            again,
            serde_json::from_str::<serde_json::Value>(&stored).unwrap()
        );
    }

    #[test]
    fn a_row_says_which_period_the_session_was_older_than() {
        for period in Period::ALL {
            let by = DeletedBy::Retention {
                older_than_days: period,
            };

            let stored = serde_json::to_string(&record(by.clone())).unwrap();

            let read = serde_json::from_str::<DeletedRecord>(&stored).unwrap();
            assert_eq!(read.by, by, "{stored}");
        }
    }

    #[test]
    fn with_several_guardians_each_of_them_must_be_shown_what_was_too_old() {
        let by = DeletedBy::Retention {
            older_than_days: Period::Days30,
        };
        let mut record = record(by);
        let [ada, ben] = ["gdn_ada", "gdn_ben"].map(guardian);
        let both = [ada.clone(), ben.clone()];

        assert_eq!(
            record.until(&both[..1]),
            record.at.after(RESTORABLE_FOR),
            "alone"
        );
        record.shown.insert(ada, record.at);
        assert_eq!(record.until(&both), record.at.after(RESTORABLE_UNSEEN_FOR));
        record.shown.insert(ben, record.at.after(RESTORABLE_FOR));
        assert_eq!(record.until(&both), record.at.after(RESTORABLE_FOR * 2));
    }
}
