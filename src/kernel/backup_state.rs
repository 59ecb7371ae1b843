//! The state of the scheduled backups: one record.

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::store::{Change, Read, Record, RecordKind, StoreError, Table};

const STATE: Table = Table::new("backup-state");

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleState {
    /// When a backup last succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub succeeded_at: Option<Timestamp>,
    /// Why an outdated file in the folder could not be removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_removed: Option<String>,
    /// The failure since the last success, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// When the first of the failures in a row happened.
    pub since: Timestamp,
    /// The reason for the latest failure.
    pub sentence: String,
    /// Whether the administrator was sent an e-mail about it.
    #[serde(default)]
    pub told: bool,
}

impl Record for ScheduleState {}

pub const KIND: RecordKind = RecordKind::of::<ScheduleState>(STATE);

impl ScheduleState {
    pub fn of(view: &impl Read) -> Result<Self, StoreError> {
        Ok(view.get(&STATE.key())?.unwrap_or_default())
    }

    pub fn put(&self, change: &mut Change) -> Result<(), StoreError> {
        change.put(&STATE.key(), self)
    }
}
