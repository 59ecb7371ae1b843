//! The state of setting the server up, in one record. It belongs to the guardians because adding one ends setup.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::identity::GuardianId;
use crate::kernel::host::secret::SecretHash;
use crate::kernel::store::{Change, Read, Record, RecordKind, StoreError, Table, readable};

const SETUP: Table = Table::new("setup");

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupState {
    /// The setup link works.
    Open {
        /// The hash of the present link.
        link: SecretHash,
        /// The first guardian, if the link was used.
        guardian: Option<GuardianId>,
    },
    /// Setup is finished.
    Closed,
}

impl Record for SetupState {}

pub const KIND: RecordKind = RecordKind::of::<SetupState>(SETUP);

/// `None` in a store without a record. An unreadable record counts as finished, so that it grants nobody access.
pub fn state(view: &impl Read) -> Result<Option<SetupState>, StoreError> {
    let found = readable(view.get(&SETUP.key()))?;
    Ok(found.unwrap_or(Some(SetupState::Closed)))
}

pub fn put(change: &mut Change, state: &SetupState) -> Result<(), StoreError> {
    change.put(&SETUP.key(), state)
}

/// Records the guardian who was created with the link.
pub fn record_guardian(change: &mut Change, id: &GuardianId) -> Result<(), StoreError> {
    match state(change)? {
        Some(SetupState::Open { link, .. }) => {
            let guardian = Some(id.clone());
            put(change, &SetupState::Open { link, guardian })
        }
        Some(SetupState::Closed) | None => Ok(()),
    }
}

/// Finishes setup for good.
pub fn close(change: &mut Change) -> Result<(), StoreError> {
    match state(change)? {
        Some(SetupState::Closed) => Ok(()),
        _ => put(change, &SetupState::Closed),
    }
}
