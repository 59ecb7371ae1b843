//! The records of suspended guardians and assistants: see [`admission`](super::admission).
//!
//! A record's existence is enough to suspend, so an unreadable one does, too.

use serde::{Deserialize, Serialize};

use crate::identity::{AssistantId, GuardianId};
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const KEPT_OFF: Table = Table::new("kept-off");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptOff {
    since: Timestamp,
}

impl Record for KeptOff {}

pub const KINDS: [RecordKind; 1] = [RecordKind::of::<KeptOff>(KEPT_OFF)];

pub trait MayBeKeptOff {
    /// The id's prefix distinguishes guardians and assistants.
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

pub fn is_kept_off(view: &impl Read, who: &impl MayBeKeptOff) -> Result<bool, StoreError> {
    view.contains(&key(who))
}

pub fn keep_off(
    change: &mut Change,
    who: &impl MayBeKeptOff,
    since: Timestamp,
) -> Result<(), StoreError> {
    change.put(&key(who), &KeptOff { since })
}

/// Reinstates a guardian or assistant. Returns whether they were suspended.
pub fn admit(change: &mut Change, who: &impl MayBeKeptOff) -> Result<bool, StoreError> {
    change.remove(&key(who))
}
