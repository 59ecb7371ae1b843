//! Sessions by child, assistant and the assistant's name for them.

use crate::children::ChildId;
use crate::identity::AssistantId;
use crate::kernel::store::{Key, Table};

pub const NAME: Table = Table::new("session-name");

pub fn names_of(child: ChildId) -> Key {
    NAME.key().number(child.number())
}

pub fn name_key(child: ChildId, assistant: &AssistantId, name: &str) -> Key {
    names_of(child).text(assistant.as_str()).text(name)
}
