//! Index of sessions by child, assistant and name, and of the sessions that were moved.

use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::kernel::store::{Change, Key, Read, StoreError, Table, readable};

pub const NAME: Table = Table::new("session-name");
/// Moved sessions with a name, by the child each was opened for and the child that has it now.
pub const MOVED: Table = Table::new("session-moved");

pub fn names_of(child: ChildId) -> Key {
    NAME.key().number(child.number())
}

pub fn name_key(child: ChildId, assistant: &AssistantId, name: &str) -> Key {
    names_of(child).text(assistant.as_str()).text(name)
}

pub fn moved_of(child: ChildId) -> Key {
    MOVED.key().number(child.number())
}

pub fn moved_key(child: ChildId, session: SessionId) -> Key {
    moved_of(child).number(session.number())
}

/// Removes a session's name unless another session has taken it. Returns whether it was removed.
pub fn remove(change: &mut Change, name: &Key, session: SessionId) -> Result<bool, StoreError> {
    // If the row is unreadable, its key is the only evidence of the owner.
    let named = readable(change.get::<SessionId>(name))?.unwrap_or(Some(session));
    if named == Some(session) {
        change.remove(name)
    } else {
        Ok(false)
    }
}
