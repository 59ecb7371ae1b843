//! The assistants that a guardian no longer uses, by child, guardian and assistant.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::children::{self, ChildAccess, ChildId};
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Change, Key, Read, Record, RecordKind, StoreError, Table, Trigger, Written,
};
use crate::rules::last_contact;

const NOT_IN_USE: Table = Table::new("assistant-not-in-use");

/// A guardian no longer uses an assistant with a child. When they said so is not kept.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NotInUse {
    /// When the assistant had last been in contact; `None` if it never had.
    pub last: Option<Timestamp>,
}

impl Record for NotInUse {}

pub(super) const KINDS: [RecordKind; 1] = [RecordKind::of::<NotInUse>(NOT_IN_USE)];

pub(super) const TRIGGERS: [Trigger; 2] = [
    Trigger {
        table: children::GUARDIANS,
        run: |change, keys| {
            for (child, guardian) in children::former_guardians_in(change, keys)? {
                change.remove_some_below(&of_guardian(child, &guardian))?;
            }
            Ok(())
        },
    },
    Trigger {
        table: children::ASSISTANTS,
        run: |change, keys| {
            for (child, former) in children::former_assistants_in(change, keys)? {
                for key in change.keys_below(&of_child(child), usize::MAX)? {
                    if parse(&key).is_some_and(|(_, assistant)| assistant == former) {
                        change.remove(&key)?;
                    }
                }
            }
            Ok(())
        },
    },
];

fn of_child(child: ChildId) -> Key {
    NOT_IN_USE.key().number(child.number())
}

fn of_guardian(child: ChildId, guardian: &GuardianId) -> Key {
    of_child(child).text(guardian.as_str())
}

fn key(child: ChildId, guardian: &GuardianId, assistant: &AssistantId) -> Key {
    of_guardian(child, guardian).text(assistant.as_str())
}

fn parse(key: &Key) -> Option<(GuardianId, AssistantId)> {
    let all = NOT_IN_USE.key();
    let mut components = key.components_below(&all);
    components.number()?;
    let guardian = GuardianId::from_text(&components.text()?);
    Some((guardian, AssistantId::from_text(&components.text()?)))
}

/// The guardians of whom a group of writes changed which assistants they use.
pub(super) fn guardians_in(written: &Written) -> BTreeSet<GuardianId> {
    let all = NOT_IN_USE.key();
    let keys = written.keys_below(&all);
    keys.filter_map(|key| Some(parse(&key)?.0)).collect()
}

/// Whether the guardian no longer uses the assistant, which has not been in contact since. If the record is unreadable, it is in
/// use.
pub(super) fn is_not_in_use(
    view: &impl Read,
    access: &ChildAccess,
    guardian: &GuardianId,
    assistant: &AssistantId,
) -> Result<bool, StoreError> {
    let marked = view.get_readable::<NotInUse>(&key(access.child(), guardian, assistant))?;
    let Some(NotInUse { last }) = marked else {
        return Ok(false);
    };
    Ok(last == last_contact(view, access, assistant)?)
}

/// The assistants that the guardian no longer uses.
pub(super) fn marked_by(
    view: &impl Read,
    access: &ChildAccess,
    guardian: &GuardianId,
) -> Result<Vec<AssistantId>, StoreError> {
    let mut marked = Vec::new();
    for key in view.keys_below(&of_guardian(access.child(), guardian), usize::MAX)? {
        if let Some((_, assistant)) = parse(&key)
            && is_not_in_use(view, access, guardian, &assistant)?
        {
            marked.push(assistant);
        }
    }
    Ok(marked)
}

pub(super) fn mark(
    change: &mut Change,
    access: &ChildAccess,
    guardian: &GuardianId,
    assistant: &AssistantId,
) -> Result<(), StoreError> {
    let last = last_contact(change, access, assistant)?;
    let (key, marked) = (key(access.child(), guardian, assistant), NotInUse { last });
    if change.get_readable(&key)? == Some(marked) {
        return Ok(());
    }
    change.put(&key, &marked)
}

pub(super) fn unmark(
    change: &mut Change,
    access: &ChildAccess,
    guardian: &GuardianId,
    assistant: &AssistantId,
) -> Result<(), StoreError> {
    let key = key(access.child(), guardian, assistant);
    change.remove(&key).map(drop)
}

/// Returns whether there was anything.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&of_child(child))? > 0)
}
