//! How far the first run is: one record. It stands beside the guardians, because adding one ends it.

use serde::{Deserialize, Serialize};

use crate::identity::GuardianId;
use crate::kernel::secret::SecretHash;
use crate::kernel::store::{Change, Read, Record, RecordKind, StoreError, Table};

const SETUP: Table = Table::new("setup");

/// How far the first run is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupState {
    /// The link works.
    Open {
        /// The present link.
        link: SecretHash,
        /// Who it made the first guardian, if it was used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        guardian: Option<GuardianId>,
    },
    /// It is over.
    Closed,
}

impl Record for SetupState {}

/// What the table holds.
pub const KIND: RecordKind = RecordKind::of::<SetupState>(SETUP);

/// How far the first run is; `None` in a store that was never asked. What cannot be read is over, so that it lets nobody in.
pub fn state(view: &impl Read) -> Result<Option<SetupState>, StoreError> {
    match view.get(&SETUP.key()) {
        Err(StoreError::Unreadable(_)) => Ok(Some(SetupState::Closed)),
        found => found,
    }
}

pub fn put(change: &mut Change, state: &SetupState) -> Result<(), StoreError> {
    change.put(&SETUP.key(), state)
}

/// Notes who the link made the first guardian.
pub fn note_guardian(change: &mut Change, id: &GuardianId) -> Result<(), StoreError> {
    match state(change)? {
        Some(SetupState::Open { link, .. }) => {
            let guardian = Some(id.clone());
            put(change, &SetupState::Open { link, guardian })
        }
        Some(SetupState::Closed) | None => Ok(()),
    }
}

/// Ends the first run for good.
pub fn close(change: &mut Change) -> Result<(), StoreError> {
    match state(change)? {
        Some(SetupState::Closed) => Ok(()),
        _ => put(change, &SetupState::Closed),
    }
}
