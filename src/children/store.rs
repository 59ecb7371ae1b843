//! What is kept of the children themselves: name, and who has whom, from both ends.

use super::Child;
use crate::identity::Caller;
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::{AssistantId, ChildId, GuardianId};
use crate::kernel::store::{Change, Key, Payload, Read, Record, StoreError, Table};

const CHILD: Table = Table::new("child");
const ADDED: Table = Table::new("child-added");
const GUARDIAN_HAS: Table = Table::new("guardian-has");
const ASSISTANT_HAS: Table = Table::new("assistant-has");
const HAS_GUARDIAN: Table = Table::new("has-guardian");
const HAS_ASSISTANT: Table = Table::new("has-assistant");
const ERASURE: Table = Table::new("erasure");

impl Record for Child {}
impl Record for ChildId {}
impl Record for Timestamp {}

fn key(child: ChildId) -> Key {
    CHILD.key().number(child.number())
}

pub(super) fn next_id(change: &mut Change) -> Result<ChildId, StoreError> {
    Ok(ChildId::new(change.next_number("child")?))
}

pub(super) fn child(view: &impl Read, child: ChildId) -> Result<Option<Child>, StoreError> {
    view.get(&key(child))
}

pub(super) fn contains(view: &impl Read, child: ChildId) -> Result<bool, StoreError> {
    view.contains(&key(child))
}

/// The child's JSON, for a list.
pub(super) fn json(view: &impl Read, child: ChildId) -> Result<Option<Payload>, StoreError> {
    view.payload(&key(child))
}

pub(super) fn children(view: &impl Read) -> Result<Vec<Child>, StoreError> {
    view.list(&CHILD.key())
}

pub(super) fn put(change: &mut Change, child: &Child) -> Result<(), StoreError> {
    change.put(&key(child.child_id), child)
}

fn added(child: ChildId) -> Key {
    ADDED.key().number(child.number())
}

pub(super) fn added_at(view: &impl Read, child: ChildId) -> Result<Option<Timestamp>, StoreError> {
    view.get(&added(child))
}

pub(super) fn put_added_at(
    change: &mut Change,
    child: ChildId,
    at: Timestamp,
) -> Result<(), StoreError> {
    change.put(&added(child), &at)
}

pub(super) fn remove(change: &mut Change, child: ChildId) -> Result<(), StoreError> {
    change.remove(&key(child))?;
    change.remove(&added(child))?;
    Ok(())
}

/// Where it is found what a caller has.
fn from_caller(caller: &Caller, child: ChildId) -> Key {
    let has = match caller {
        Caller::Guardian(id) => GUARDIAN_HAS.key().text(id.as_str()),
        Caller::Assistant(id) => ASSISTANT_HAS.key().text(id.as_str()),
    };
    has.number(child.number())
}

/// Where it is found who has a child.
fn from_child(child: ChildId, caller: &Caller) -> Key {
    let number = child.number();
    match caller {
        Caller::Guardian(id) => HAS_GUARDIAN.key().number(number).text(id.as_str()),
        Caller::Assistant(id) => HAS_ASSISTANT.key().number(number).text(id.as_str()),
    }
}

pub(super) fn has(view: &impl Read, caller: &Caller, child: ChildId) -> Result<bool, StoreError> {
    view.contains(&from_caller(caller, child))
}

pub(super) fn link(change: &mut Change, child: ChildId, caller: &Caller) -> Result<(), StoreError> {
    change.put(&from_caller(caller, child), &child)?;
    let from_child = from_child(child, caller);
    match caller {
        Caller::Guardian(id) => change.put(&from_child, id),
        Caller::Assistant(id) => change.put(&from_child, id),
    }
}

pub(super) fn unlink(
    change: &mut Change,
    child: ChildId,
    caller: &Caller,
) -> Result<bool, StoreError> {
    change.remove(&from_child(child, caller))?;
    change.remove(&from_caller(caller, child))
}

pub(super) fn children_of(view: &impl Read, caller: &Caller) -> Result<Vec<ChildId>, StoreError> {
    match caller {
        Caller::Guardian(id) => view.list(&GUARDIAN_HAS.key().text(id.as_str())),
        Caller::Assistant(id) => view.list(&ASSISTANT_HAS.key().text(id.as_str())),
    }
}

pub(super) fn guardians_of(
    view: &impl Read,
    child: ChildId,
) -> Result<Vec<GuardianId>, StoreError> {
    view.list(&HAS_GUARDIAN.key().number(child.number()))
}

pub(super) fn assistants_of(
    view: &impl Read,
    child: ChildId,
) -> Result<Vec<AssistantId>, StoreError> {
    view.list(&HAS_ASSISTANT.key().number(child.number()))
}

fn erasure(child: ChildId) -> Key {
    ERASURE.key().number(child.number())
}

pub(super) fn mark_for_erasure(change: &mut Change, child: ChildId) -> Result<(), StoreError> {
    change.put(&erasure(child), &child)
}

pub(super) fn unmark_for_erasure(change: &mut Change, child: ChildId) -> Result<(), StoreError> {
    change.remove(&erasure(child))?;
    Ok(())
}

pub(super) fn marked_for_erasure(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    view.list(&ERASURE.key())
}
