//! The children's records: names, and the links between children and callers, indexed from both sides.

use bytes::Bytes;

use super::Child;
use super::former_names::FormerNames;
use crate::children::ChildId;
use crate::identity::{AssistantId, Caller, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Key, Payload, Read, Record, RecordKind, StoreError, Table};

const CHILD: Table = Table::new("child");
const ADDED: Table = Table::new("child-added");
const GUARDIAN_HAS: Table = Table::new("guardian-has");
const ASSISTANT_HAS: Table = Table::new("assistant-has");
const HAS_GUARDIAN: Table = Table::new("has-guardian");
const HAS_ASSISTANT: Table = Table::new("has-assistant");
const ERASURE: Table = Table::new("erasure");
const FORMER_NAMES: Table = Table::new("child-former-names");
/// The guardian who gave a child its present name, if it was renamed by one.
const NAMED_BY: Table = Table::new("child-named-by");

/// Tables, keyed by child, that several pages show parts of: its name, its guardians and its assistants.
pub const SHARED_BY_PAGES: [Table; 3] = [CHILD, HAS_GUARDIAN, HAS_ASSISTANT];

/// Keyed by child and guardian.
pub const GUARDIANS: Table = HAS_GUARDIAN;

/// Keyed by child and assistant.
pub const ASSISTANTS: Table = HAS_ASSISTANT;

impl Record for Child {}
impl Record for ChildId {}
impl Record for Timestamp {}

pub(super) const KINDS: [RecordKind; 9] = [
    RecordKind::of::<Child>(CHILD),
    RecordKind::of::<Timestamp>(ADDED),
    RecordKind::of::<ChildId>(GUARDIAN_HAS),
    RecordKind::of::<ChildId>(ASSISTANT_HAS),
    RecordKind::of::<GuardianId>(HAS_GUARDIAN),
    RecordKind::of::<AssistantId>(HAS_ASSISTANT),
    RecordKind::of::<ChildId>(ERASURE),
    RecordKind::of::<FormerNames>(FORMER_NAMES),
    RecordKind::of::<GuardianId>(NAMED_BY),
];

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

/// The child's JSON as it goes into a list.
pub(super) fn json(view: &impl Read, child: ChildId) -> Result<Option<Bytes>, StoreError> {
    let stored = view.payload(&key(child))?;
    stored.map(Payload::object::<Child>).transpose()
}

/// Returns the readable children and the number of unreadable ones.
pub(super) fn children(view: &impl Read) -> Result<(Vec<Child>, u64), StoreError> {
    view.list_readable(&CHILD.key())
}

/// Includes children whose record cannot be read.
pub(super) fn numbers(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    numbers_below(view, &CHILD.key())
}

/// The numbers in the key component after `prefix`.
fn numbers_below(view: &impl Read, prefix: &Key) -> Result<Vec<ChildId>, StoreError> {
    let numbers = view.numbers_below(prefix)?;
    Ok(numbers.into_iter().map(ChildId::new).collect())
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
    change.remove(&former_names_key(child))?;
    change.remove(&named_by_key(child))?;
    Ok(())
}

fn named_by_key(child: ChildId) -> Key {
    NAMED_BY.key().number(child.number())
}

pub(super) fn named_by(view: &impl Read, child: ChildId) -> Result<Option<GuardianId>, StoreError> {
    view.get(&named_by_key(child))
}

/// `None` for the administrator.
pub(super) fn put_named_by(
    change: &mut Change,
    child: ChildId,
    by: Option<&GuardianId>,
) -> Result<(), StoreError> {
    let key = named_by_key(child);
    match by {
        Some(by) => change.put(&key, by),
        None => change.remove(&key).map(drop),
    }
}

fn former_names_key(child: ChildId) -> Key {
    FORMER_NAMES.key().number(child.number())
}

/// An unreadable record counts as no former names.
pub(super) fn former_names(view: &impl Read, child: ChildId) -> Result<FormerNames, StoreError> {
    let names = view.get_readable(&former_names_key(child))?;
    Ok(names.unwrap_or_default())
}

pub(super) fn put_former_names(
    change: &mut Change,
    child: ChildId,
    names: &FormerNames,
) -> Result<(), StoreError> {
    change.put(&former_names_key(child), names)
}

pub(super) fn with_former_names(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    numbers_below(view, &FORMER_NAMES.key())
}

/// The key prefix of a caller's links.
fn all_of(caller: &Caller) -> Key {
    match caller {
        Caller::Guardian(id) => GUARDIAN_HAS.key().text(id.as_str()),
        Caller::Assistant(id) => ASSISTANT_HAS.key().text(id.as_str()),
    }
}

fn from_caller(caller: &Caller, child: ChildId) -> Key {
    all_of(caller).number(child.number())
}

fn from_child(child: ChildId, caller: &Caller) -> Key {
    let number = child.number();
    match caller {
        Caller::Guardian(id) => HAS_GUARDIAN.key().number(number).text(id.as_str()),
        Caller::Assistant(id) => HAS_ASSISTANT.key().number(number).text(id.as_str()),
    }
}

pub(super) fn has(view: &impl Read, caller: &Caller, child: ChildId) -> Result<bool, StoreError> {
    // The value is read, not only looked up: an unreadable link grants nothing.
    let linked = view.get::<ChildId>(&from_caller(caller, child))?;
    Ok(linked == Some(child))
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

/// Fails if a link cannot be read: such a link grants nothing.
pub(super) fn children_of(view: &impl Read, caller: &Caller) -> Result<Vec<ChildId>, StoreError> {
    view.list(&all_of(caller))
}

/// Includes unreadable links, for the administrator to remove.
pub(super) fn linked_children(
    view: &impl Read,
    caller: &Caller,
) -> Result<Vec<ChildId>, StoreError> {
    numbers_below(view, &all_of(caller))
}

/// Includes unreadable links.
pub(super) fn linked_callers(view: &impl Read, child: ChildId) -> Result<Vec<Caller>, StoreError> {
    let ids = |table: Table| view.texts_below(&table.key().number(child.number()));
    let guardians = ids(HAS_GUARDIAN)?.into_iter();
    let guardians = guardians.map(|id| Caller::Guardian(GuardianId::from_text(&id)));
    let assistants = ids(HAS_ASSISTANT)?.into_iter();
    let assistants = assistants.map(|id| Caller::Assistant(AssistantId::from_text(&id)));
    Ok(guardians.chain(assistants).collect())
}

/// Fails if a link cannot be read: callers count guardians, so none may be missing.
pub(super) fn guardians_of(
    view: &impl Read,
    child: ChildId,
) -> Result<Vec<GuardianId>, StoreError> {
    view.list(&HAS_GUARDIAN.key().number(child.number()))
}

/// Also `true` if the link cannot be read.
pub fn is_guardian(
    view: &impl Read,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<bool, StoreError> {
    view.contains(&from_child(child, &Caller::Guardian(guardian.clone())))
}

pub fn is_assistants(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<bool, StoreError> {
    view.contains(&from_child(child, &Caller::Assistant(assistant.clone())))
}

/// Parses keys of [`GUARDIANS`] or [`ASSISTANTS`] into child and caller.
pub fn links_in(table: Table, keys: &[Key]) -> Vec<(ChildId, String)> {
    let all = table.key();
    let links = keys.iter().filter_map(|key| {
        let mut components = key.components_below(&all);
        Some((ChildId::new(components.number()?), components.text()?))
    });
    links.collect()
}

/// Of the assistants in these keys of [`ASSISTANTS`], those that are no longer connected to the child.
pub fn former_assistants_in(
    view: &impl Read,
    keys: &[Key],
) -> Result<Vec<(ChildId, AssistantId)>, StoreError> {
    let mut former = Vec::new();
    for (child, assistant) in links_in(ASSISTANTS, keys) {
        let assistant = AssistantId::from_text(&assistant);
        if !is_assistants(view, child, &assistant)? {
            former.push((child, assistant));
        }
    }
    Ok(former)
}

/// Of the guardians in these keys of [`GUARDIANS`], those who no longer have the child.
pub fn former_guardians_in(
    view: &impl Read,
    keys: &[Key],
) -> Result<Vec<(ChildId, GuardianId)>, StoreError> {
    let mut former = Vec::new();
    for (child, guardian) in links_in(GUARDIANS, keys) {
        let guardian = GuardianId::from_text(&guardian);
        if !is_guardian(view, child, &guardian)? {
            former.push((child, guardian));
        }
    }
    Ok(former)
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

pub(super) fn is_marked_for_erasure(view: &impl Read, child: ChildId) -> Result<bool, StoreError> {
    view.contains(&erasure(child))
}

pub(super) fn marked_for_erasure(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    numbers_below(view, &ERASURE.key())
}
