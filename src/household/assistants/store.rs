//! Keys that guardians keep, by child, assistant and guardian.

use serde::{Deserialize, Serialize};

use crate::children::ChildId;
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

pub const KEPT_KEY: Table = Table::new("key-kept");

/// A guardian's decision to keep a key although another guardian who has seen it has stopped seeing the child's data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptKey {
    /// The guardian who had left.
    pub left: GuardianId,
    pub at: Timestamp,
}

impl Record for KeptKey {}

pub const KIND: RecordKind = RecordKind::of::<KeptKey>(KEPT_KEY);

/// The key prefix of a child's entries.
pub fn kept_keys_of(child: ChildId) -> Key {
    KEPT_KEY.key().number(child.number())
}

fn of_assistant(child: ChildId, assistant: &AssistantId) -> Key {
    kept_keys_of(child).text(assistant.as_str())
}

/// Whether `by` chose to keep the assistant's key after the other guardian stopped seeing the child's data.
pub fn is_key_kept(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
    by: &GuardianId,
    left: &GuardianId,
) -> Result<bool, StoreError> {
    let key = of_assistant(child, assistant).text(by.as_str());
    let kept = view.get_readable::<KeptKey>(&key)?;
    Ok(kept.is_some_and(|kept| kept.left == *left))
}

pub fn put_kept_key(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
    by: &GuardianId,
    kept: &KeptKey,
) -> Result<(), StoreError> {
    let key = of_assistant(child, assistant).text(by.as_str());
    change.put(&key, kept)
}

/// Removes this guardian's decisions about the child's keys, and the others' decisions about keys that this guardian has seen.
pub fn forget_kept_by_or_from(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    let of_child = kept_keys_of(child);
    for key in change.keys_below(&of_child, usize::MAX)? {
        let mut components = key.components_below(&of_child);
        let by = components.text().and_then(|_| components.text());
        let kept = change.get_readable::<KeptKey>(&key)?;
        let is_of_others =
            by.as_deref() != Some(guardian.as_str()) && kept.is_some_and(|it| it.left != *guardian);
        if !is_of_others {
            change.remove(&key)?;
        }
    }
    Ok(())
}

/// Removes the decisions about an assistant's key for this child.
pub fn forget_kept_of(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<(), StoreError> {
    let all = of_assistant(child, assistant);
    change.remove_below(&all, usize::MAX).map(drop)
}
