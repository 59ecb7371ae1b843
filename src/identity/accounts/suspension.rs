//! The records of suspended guardians and assistants: see [`reinstating`](super::reinstating).
//!
//! A record's existence is enough to suspend, so an unreadable one does, too.

use serde::{Deserialize, Serialize};

use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const KEPT_OFF: Table = Table::new("kept-off");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptOff {
    since: Timestamp,
}

impl Record for KeptOff {}

pub const KINDS: [RecordKind; 1] = [RecordKind::of::<KeptOff>(KEPT_OFF)];

pub trait MayBeSuspended {
    /// The id's prefix distinguishes guardians and assistants.
    fn id(&self) -> &str;
}

impl MayBeSuspended for GuardianId {
    fn id(&self) -> &str {
        self.as_str()
    }
}

impl MayBeSuspended for AssistantId {
    fn id(&self) -> &str {
        self.as_str()
    }
}

fn key(who: &impl MayBeSuspended) -> Key {
    KEPT_OFF.key().text(who.id())
}

pub fn is_suspended(view: &impl Read, who: &impl MayBeSuspended) -> Result<bool, StoreError> {
    view.contains(&key(who))
}

pub fn suspend(
    change: &mut Change,
    who: &impl MayBeSuspended,
    since: Timestamp,
) -> Result<(), StoreError> {
    change.put(&key(who), &KeptOff { since })
}

/// Reinstates a guardian or assistant. Returns whether they were suspended.
pub fn reinstate(change: &mut Change, who: &impl MayBeSuspended) -> Result<bool, StoreError> {
    change.remove(&key(who))
}
