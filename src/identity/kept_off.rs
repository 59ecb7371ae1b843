//! Who is kept off, guardian or assistant: see [`admission`](super::admission).
//!
//! That there is a record is enough, so one that cannot be read keeps off, too.

use serde::{Deserialize, Serialize};

use crate::identity::{AssistantId, GuardianId};
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const KEPT_OFF: Table = Table::new("kept-off");

/// Since when somebody is kept off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptOff {
    since: Timestamp,
}

impl Record for KeptOff {}

/// What the table holds.
pub const KINDS: [RecordKind; 1] = [RecordKind::of::<KeptOff>(KEPT_OFF)];

/// Who can be kept off.
pub trait MayBeKeptOff {
    /// The id, which tells a guardian from an assistant.
    fn id(&self) -> &str;
}

impl MayBeKeptOff for GuardianId {
    fn id(&self) -> &str {
        self.as_str()
    }
}

impl MayBeKeptOff for AssistantId {
    fn id(&self) -> &str {
        self.as_str()
    }
}

fn key(who: &impl MayBeKeptOff) -> Key {
    KEPT_OFF.key().text(who.id())
}

/// Whether somebody is kept off.
pub fn is_kept_off(view: &impl Read, who: &impl MayBeKeptOff) -> Result<bool, StoreError> {
    view.contains(&key(who))
}

/// Keeps somebody off.
pub fn keep_off(
    change: &mut Change,
    who: &impl MayBeKeptOff,
    since: Timestamp,
) -> Result<(), StoreError> {
    change.put(&key(who), &KeptOff { since })
}

/// Lets somebody in again. Returns whether they were kept off.
pub fn admit(change: &mut Change, who: &impl MayBeKeptOff) -> Result<bool, StoreError> {
    change.remove(&key(who))
}
