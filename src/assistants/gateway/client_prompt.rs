//! The system text, the tools and the settings that a client last sent with a child's words, without the conversation. A try of the
//! rules is composed with them. They are stored under the session's number, so that they are erased with it.

use serde::{Deserialize, Serialize};

use super::dialect::Dialect;
use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::kernel::store::{
    Before, Change, Key, KeyPlace, Read, Record, RecordKind, StoreError, Table,
};

/// By the child and the session. Each assistant of the child has at most one.
const PROMPT: Table = Table::new("gateway-prompt");

pub const KIND: RecordKind = RecordKind::of::<StoredPrompt>(PROMPT);

pub const KEY: KeyPlace = KeyPlace::after(PROMPT, &[Before::Number]);

/// In bytes. A longer one isn't stored.
pub const LARGEST: usize = 256 * 1024;

/// What a client sends besides the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientPrompt {
    pub dialect: Dialect,
    /// Without the child's name.
    pub model: String,
    /// The names of the fields that pass, each with its JSON: tools, settings.
    pub fields: Vec<(String, String)>,
    /// The JSON of the system and developer messages that come before the conversation.
    pub system: Vec<String>,
}

impl ClientPrompt {
    pub fn bytes(&self) -> usize {
        let fields = self.fields.iter();
        let fields = fields.map(|(name, json)| name.len() + json.len());
        fields.sum::<usize>() + self.system.iter().map(String::len).sum::<usize>()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPrompt {
    assistant: AssistantId,
    prompt: ClientPrompt,
}

impl Record for StoredPrompt {}

fn of_child(child: ChildId) -> Key {
    PROMPT.key().number(child.number())
}

fn key(child: ChildId, session: SessionId) -> Key {
    of_child(child).number(session.number())
}

/// Replaces what the assistant sent before, in whichever session that was.
pub fn put(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    assistant: &AssistantId,
    prompt: &ClientPrompt,
) -> Result<(), StoreError> {
    let stored = StoredPrompt {
        assistant: assistant.clone(),
        prompt: prompt.clone(),
    };
    let own = key(child, session);
    // As with nearly every request of a conversation. The others of this assistant were removed when it was stored.
    if change.get_readable(&own)?.as_ref() == Some(&stored) {
        return Ok(());
    }
    forget(change, child, assistant)?;
    change.put(&own, &stored)
}

/// Removes what the assistant sent before.
pub fn forget(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<(), StoreError> {
    for (place, known) in change.readable_rows::<StoredPrompt>(&of_child(child))? {
        if known.assistant == *assistant {
            change.remove(&place)?;
        }
    }
    Ok(())
}

/// What the assistant last sent, with its session.
pub fn find(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<Option<(SessionId, ClientPrompt)>, StoreError> {
    let all = of_child(child);
    let rows = view.readable_rows::<StoredPrompt>(&all)?;
    let mut own = rows
        .into_iter()
        .filter(|(_, one)| one.assistant == *assistant);
    Ok(own.next_back().and_then(|(key, stored)| {
        let session = SessionId::new(key.components_below(&all).number()?);
        Some((session, stored.prompt))
    }))
}

pub fn erase_of_session(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<bool, StoreError> {
    change.remove(&key(child, session))
}

/// Erases a batch of a removed child's rows. Returns whether there were any.
pub fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&of_child(child))? > 0)
}
