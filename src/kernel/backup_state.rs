//! How the scheduled backups went: one record.

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::store::{Change, Read, Record, RecordKind, StoreError, Table};

const STATE: Table = Table::new("backup-state");

/// How the scheduled backups went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleState {
    /// When one last worked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub succeeded_at: Option<Timestamp>,
    /// Why something in the folder that should be gone by then is still there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_removed: Option<String>,
    /// The failure since then, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// A failed backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// When it failed first.
    pub since: Timestamp,
    /// Why, the last time.
    pub sentence: String,
    /// Whether the administrator got the letter.
    #[serde(default)]
    pub told: bool,
}

impl Record for ScheduleState {}

/// What the table holds.
pub const KIND: RecordKind = RecordKind::of::<ScheduleState>(STATE);

impl ScheduleState {
    /// How they went in this store.
    pub fn of(view: &impl Read) -> Result<Self, StoreError> {
        Ok(view.get(&STATE.key())?.unwrap_or_default())
    }

    /// Notes how they went.
    pub fn put(&self, change: &mut Change) -> Result<(), StoreError> {
        change.put(&STATE.key(), self)
    }
}
