//! What a feature stores about children and their sessions, as one value, from which deletion, moving, restore, export,
//! import and events are derived.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::file::{ChildField, SessionField};
use super::{ChildAccess, ChildId, ChildrenError, SessionId};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Backfill, Change, KeyPlace, RecordKind, StoreError, Table, Trigger, Written,
};

/// A feature's tables, and what is done with their rows. There is no `Default`, so a feature that forgets a field doesn't
/// compile.
pub struct Feature {
    pub kinds: &'static [RecordKind],
    /// Tables that restoring a backup skips.
    pub not_restored: &'static [Table],
    pub triggers: &'static [Trigger],
    pub backfills: &'static [Backfill],
    /// What guardians see of it, for events.
    pub shown: &'static [Shown],
    /// Erases a batch of a removed child's rows, few enough for one commit. Returns whether there was any.
    pub erase_batch: fn(&mut Change, &ChildAccess) -> Result<bool, StoreError>,
    /// What it stores of single sessions, if anything.
    pub of_session: Option<OfSession>,
    /// Its fields of a child in an exported file.
    pub child_fields: &'static [ChildField],
    /// Its fields of a session in an exported file.
    pub session_fields: &'static [SessionField],
}

/// What a feature does with its rows of one session.
pub struct OfSession {
    /// Removes the session from the child's lists and counts, because it is deleted or moved. Keeps what `put_back` needs.
    pub take_out:
        fn(&mut Change, &ChildAccess, SessionId, &mut DetachedData) -> Result<(), StoreError>,
    /// Adds the session in its present form, because it is restored, or moved to this child.
    pub put_back:
        fn(&mut Change, &ChildAccess, &SessionFacts, &DetachedData) -> Result<(), ChildrenError>,
    /// Where a session's number is in the keys of its rows. After the session was erased, no file may hold such a key.
    pub keys: &'static [KeyPlace],
    /// Erases a batch of the remaining rows, few enough for one commit. The child is the one that the session was opened for.
    /// Returns whether there was any.
    pub erase_batch: fn(&mut Change, ChildId, SessionId) -> Result<bool, StoreError>,
}

/// What the features' lists and counts show of a session.
#[derive(Clone, Debug)]
pub struct SessionFacts {
    pub session: SessionId,
    /// When it began.
    pub date: Timestamp,
    pub topic: Option<String>,
    /// A session in which somebody else talked doesn't count.
    pub not_child: bool,
    /// The time of the change that lists or counts it.
    pub now: Timestamp,
}

/// What the features keep of a session while it is in no list: each has a field.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DetachedData(BTreeMap<String, Value>);

impl DetachedData {
    /// Fails with [`StoreError::Unreadable`] if the field has another form.
    pub fn get<T: DeserializeOwned>(&self, field: &str) -> Result<Option<T>, StoreError> {
        let value = self.0.get(field).cloned().map(serde_json::from_value);
        // The error's text may quote the value.
        value.transpose().map_err(|_| StoreError::unreadable(field))
    }

    /// `None` removes the field.
    pub fn set<T: Serialize>(&mut self, field: &str, value: Option<&T>) {
        match value.map(serde_json::to_value) {
            Some(Ok(value)) => self.0.insert(field.to_owned(), value),
            _ => self.0.remove(field),
        };
    }
}

/// Which writes change something that a guardian sees.
pub enum Shown {
    /// Rows behind one of a child's `GET` endpoints, with the name that events use for it. Keyed by the child's number first.
    Part(&'static str, fn() -> Vec<Table>),
    /// Rows that all pages of a child show, keyed by its number first.
    Everything(&'static [Table]),
    /// What belongs to single guardians, with the name that events use for it: the guardians in a group of writes.
    Guardians(&'static str, fn(&Written) -> BTreeSet<GuardianId>),
    /// The sessions in a group of writes.
    Sessions(fn(&Written) -> BTreeSet<(ChildId, SessionId)>),
}

pub fn tables(kinds: &[RecordKind]) -> Vec<Table> {
    kinds.iter().map(RecordKind::table).collect()
}
