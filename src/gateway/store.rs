//! Stores the state of each key's conversations with a child, until they are over: later requests are compared with it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::grouping::{FoldedId, Grouping, Place, SessionNumber, TurnId};
use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::kernel::clock::Timestamp;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{
    Before, Change, Key, KeyPlace, Read, Record, RecordKind, StoreError, Table,
};

/// By child and assistant.
const MEMORY: Table = Table::new("gateway-memory");
/// Which state each session belongs to, by the child that it was opened for and the session.
const SESSION: Table = Table::new("gateway-session");
/// What was passed on of an answer that isn't complete, by child, assistant and turn.
const PARTIAL: Table = Table::new("gateway-partial");

pub const KINDS: [RecordKind; 3] = [
    RecordKind::of::<Memory>(MEMORY),
    RecordKind::of::<SessionOfMemory>(SESSION),
    RecordKind::of::<PartialAnswer>(PARTIAL),
];

/// The other tables have no session's number.
pub const KEYS: [KeyPlace; 1] = [KeyPlace::after(SESSION, &[Before::Number])];

impl Record for Memory {}
impl Record for SessionOfMemory {}
impl Record for PartialAnswer {}

/// How long the session of a background request waits for its conversation to begin.
const WAIT: Duration = Duration::from_secs(30 * 60);

/// The maximum number of names that are stored because they can't be derived from a number.
const MOST_NAMES: usize = 64;

/// The state of a key's conversations with a child, and the names of their sessions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Memory {
    /// Random. If the record is lost, the sessions of the next one get other names.
    run: String,
    /// How many sessions were erased from it. A request that was grouped before an erasure is grouped again.
    pub erasures: u64,
    pub grouping: Grouping,
    /// Sessions that began as a background request's.
    adopted: Vec<(SessionNumber, String)>,
    folded: Vec<(FoldedId, String)>,
    waiting: Vec<Waiting>,
}

/// A session that has only a background request, for example for the title of a conversation whose first request comes later.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Waiting {
    name: String,
    /// The client's own id of the conversation.
    client_id: Option<String>,
    at: Timestamp,
}

/// Which state a session belongs to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SessionOfMemory {
    pub assistant: AssistantId,
    pub place: Place,
}

/// What was passed on of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartialAnswer {
    pub turn: TurnId,
    pub place: Place,
    pub text: String,
    /// When the first of it was passed on.
    pub at: Timestamp,
}

impl Memory {
    pub fn new(randomness: &Randomness) -> Self {
        Self {
            run: hex::encode(&randomness.bytes()[..6]),
            erasures: 0,
            grouping: Grouping::default(),
            adopted: Vec::new(),
            folded: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// The name of the session in which this place's messages are.
    pub fn name(&self, place: Place) -> String {
        let known = match place {
            Place::Session(number) => find(&self.adopted, number),
            Place::Folded(id) => find(&self.folded, id),
        };
        known.unwrap_or_else(|| match place {
            Place::Session(number) => format!("gateway-{}-{}", self.run, number.number()),
            Place::Folded(id) => format!("gateway-{}-f{}", self.run, id.number()),
        })
    }

    /// Gives a new session the name of a background request's that waits for its conversation.
    pub fn adopt(&mut self, number: SessionNumber, client_id: Option<&str>, now: Timestamp) {
        self.waiting.retain(|waiting| now.since(waiting.at) <= WAIT);
        let fits = |waiting: &Waiting| waiting.client_id.as_deref() == client_id;
        if let Some(index) = self.waiting.iter().rposition(fits) {
            let name = self.waiting.remove(index).name;
            put(&mut self.adopted, number, name);
        }
    }

    /// Puts a background request beside a session, or into one of its own, which waits for its conversation.
    pub fn place_folded(
        &mut self,
        id: FoldedId,
        beside: Option<SessionNumber>,
        client_id: Option<&str>,
        now: Timestamp,
    ) {
        if find(&self.folded, id).is_some() {
            return;
        }
        if let Some(number) = beside {
            let name = self.name(Place::Session(number));
            put(&mut self.folded, id, name);
            return;
        }
        let fits = |waiting: &&Waiting| waiting.client_id.as_deref() == client_id;
        let waiting = self.waiting.iter().rfind(fits);
        let name = match waiting {
            Some(waiting) => waiting.name.clone(),
            None => {
                let name = self.name(Place::Folded(id));
                self.waiting.push(Waiting {
                    name: name.clone(),
                    client_id: client_id.map(str::to_owned),
                    at: now,
                });
                let surplus = self.waiting.len().saturating_sub(MOST_NAMES);
                self.waiting.drain(..surplus);
                name
            }
        };
        put(&mut self.folded, id, name);
    }

    /// Forgets the texts of an erased session, and of the background requests beside it.
    fn forget(&mut self, place: Place) {
        let name = self.name(place);
        let places = self.grouping.places();
        let places = places.filter(|place| self.name(*place) == name);
        for place in places.collect::<Vec<_>>() {
            self.grouping.forget(place);
        }
        self.waiting.retain(|waiting| waiting.name != name);
        self.erasures += 1;
    }
}

fn find<K: PartialEq>(names: &[(K, String)], key: K) -> Option<String> {
    let known = names.iter().find(|(known, _)| *known == key);
    known.map(|(_, name)| name.clone())
}

fn put<K: PartialEq>(names: &mut Vec<(K, String)>, key: K, name: String) {
    names.retain(|(known, _)| *known != key);
    names.push((key, name));
    let surplus = names.len().saturating_sub(MOST_NAMES);
    names.drain(..surplus);
}

fn memory_key(child: ChildId, assistant: &AssistantId) -> Key {
    MEMORY.key().number(child.number()).text(assistant.as_str())
}

fn session_key(child: ChildId, session: SessionId) -> Key {
    SESSION
        .key()
        .number(child.number())
        .number(session.number())
}

fn partials_of(child: ChildId, assistant: &AssistantId) -> Key {
    PARTIAL
        .key()
        .number(child.number())
        .text(assistant.as_str())
}

fn partial_key(child: ChildId, assistant: &AssistantId, turn: TurnId) -> Key {
    partials_of(child, assistant).number(turn.number())
}

/// `None` also if it can't be read: then the conversations begin anew.
pub fn memory(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<Option<Memory>, StoreError> {
    view.get_readable(&memory_key(child, assistant))
}

pub fn put_memory(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
    memory: &Memory,
) -> Result<(), StoreError> {
    change.put(&memory_key(child, assistant), memory)
}

/// Removes a memory and its unfinished answers.
pub fn remove_memory(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<(), StoreError> {
    change.remove_some_below(&partials_of(child, assistant))?;
    change.remove(&memory_key(child, assistant))?;
    Ok(())
}

pub fn put_session(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    row: &SessionOfMemory,
) -> Result<(), StoreError> {
    change.put(&session_key(child, session), row)
}

pub fn put_partial(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
    partial: &PartialAnswer,
) -> Result<(), StoreError> {
    change.put(&partial_key(child, assistant, partial.turn), partial)
}

pub fn remove_partial(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
    turn: TurnId,
) -> Result<(), StoreError> {
    change.remove(&partial_key(child, assistant, turn))?;
    Ok(())
}

/// The unfinished answers of a memory.
pub fn partials(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<Vec<PartialAnswer>, StoreError> {
    let (partials, _) = view.list_readable(&partials_of(child, assistant))?;
    Ok(partials)
}

/// All memories: the child and the assistant of each.
pub fn memories(view: &impl Read) -> Result<Vec<(ChildId, AssistantId)>, StoreError> {
    let table = MEMORY.key();
    let keys = view.keys_below(&table, usize::MAX)?;
    let memories = keys.iter().filter_map(|key| {
        let mut components = key.components_below(&table);
        let child = ChildId::new(components.number()?);
        Some((child, AssistantId::from_text(&components.text()?)))
    });
    Ok(memories.collect())
}

/// Erases a batch of a removed child's rows. Returns whether there were any.
pub fn erase_some(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    for table in [MEMORY, PARTIAL, SESSION] {
        if change.remove_some_below(&table.key().number(child.number()))? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Erases what is remembered of a session. Returns whether there was anything.
pub fn erase_of_session(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<bool, StoreError> {
    let key = session_key(child, session);
    let Some(row) = change.get_readable::<SessionOfMemory>(&key)? else {
        return change.remove(&key);
    };
    if let Some(mut of) = memory(change, child, &row.assistant)? {
        let name = of.name(row.place);
        for partial in partials(change, child, &row.assistant)? {
            if of.name(partial.place) == name {
                remove_partial(change, child, &row.assistant, partial.turn)?;
            }
        }
        of.forget(row.place);
        put_memory(change, child, &row.assistant, &of)?;
    }
    change.remove(&key)?;
    Ok(true)
}
