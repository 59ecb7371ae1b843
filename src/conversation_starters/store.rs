//! Whether questions are shown, by child; and which of them each guardian has hidden, by child and session.

use serde::{Deserialize, Serialize};

use crate::children::{self, ChildId, SessionId};
use crate::identity::GuardianId;
use crate::kernel::store::{
    Before, Change, Key, KeyPlace, Read, Record, RecordKind, StoreError, Table, Trigger,
};

const ON: Table = Table::new("curious-on");
const HIDDEN: Table = Table::new("curious-hidden");

/// What the guardians chose for a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Chosen(pub bool);

/// The questions of a session that guardians have hidden, each for themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hidden(pub Vec<HiddenQuestion>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenQuestion {
    pub guardian: GuardianId,
    pub message_id: String,
}

impl Hidden {
    pub fn has(&self, guardian: &GuardianId, message_id: &str) -> bool {
        let mut questions = self.0.iter();
        questions.any(|hidden| hidden.guardian == *guardian && hidden.message_id == message_id)
    }
}

impl Record for Chosen {}
impl Record for Hidden {}

pub(super) const KINDS: [RecordKind; 2] = [
    RecordKind::of::<Chosen>(ON),
    RecordKind::of::<Hidden>(HIDDEN),
];

pub(super) const KEYS: [KeyPlace; 1] = [KeyPlace::after(HIDDEN, &[Before::Number])];

/// The table of what all guardians see.
pub(super) const SHARED: Table = ON;

pub(super) const TRIGGERS: [Trigger; 1] = [Trigger {
    table: children::GUARDIANS,
    run: |change, keys| {
        for (child, guardian) in children::former_guardians_in(change, keys)? {
            forget(change, child, &guardian)?;
        }
        Ok(())
    },
}];

fn on_key(child: ChildId) -> Key {
    ON.key().number(child.number())
}

fn hidden_of(child: ChildId) -> Key {
    HIDDEN.key().number(child.number())
}

fn hidden_key(child: ChildId, session: SessionId) -> Key {
    hidden_of(child).number(session.number())
}

pub(super) fn chosen(view: &impl Read, child: ChildId) -> Result<Option<Chosen>, StoreError> {
    view.get(&on_key(child))
}

/// Returns whether this changed what was chosen, or replaced an unreadable record.
pub(super) fn choose(
    change: &mut Change,
    child: ChildId,
    chosen: Chosen,
) -> Result<bool, StoreError> {
    let key = on_key(child);
    let differs = change.get_readable(&key)? != Some(chosen);
    if differs {
        change.put(&key, &chosen)?;
    }
    Ok(differs)
}

pub(super) fn hidden(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<Hidden, StoreError> {
    Ok(view.get(&hidden_key(child, session))?.unwrap_or_default())
}

/// `None` if nothing is hidden, or the record is unreadable.
pub(super) fn readable_hidden(
    change: &Change,
    child: ChildId,
    session: SessionId,
) -> Result<Option<Hidden>, StoreError> {
    change.get_readable(&hidden_key(child, session))
}

pub(super) fn put_hidden(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    hidden: &Hidden,
) -> Result<(), StoreError> {
    change.put(&hidden_key(child, session), hidden)
}

pub(super) fn remove_hidden(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<(), StoreError> {
    change.remove(&hidden_key(child, session))?;
    Ok(())
}

/// Removes what a former guardian has hidden.
fn forget(change: &mut Change, child: ChildId, guardian: &GuardianId) -> Result<(), StoreError> {
    for (key, mut hidden) in change.readable_rows::<Hidden>(&hidden_of(child))? {
        let before = hidden.0.len();
        hidden.0.retain(|question| question.guardian != *guardian);
        if hidden.0.is_empty() {
            change.remove(&key)?;
        } else if hidden.0.len() < before {
            change.put(&key, &hidden)?;
        }
    }
    Ok(())
}

/// Returns whether there was anything.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let is_chosen = change.remove(&on_key(child))?;
    Ok(change.remove_some_below(&hidden_of(child))? > 0 || is_chosen)
}
