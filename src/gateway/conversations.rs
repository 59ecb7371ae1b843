//! Keeps transcripts of the requests and answers that pass through the gateway.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;

use super::budget::{Budget, BudgetError};
use super::grouping::{
    Answer, CutBy, Message as Grouped, MessageId, Place, Request, Speaker, TurnId,
};
use super::store::{self, Memory, PartialAnswer, SessionOfMemory};
use crate::assistant::{AssistantError, AssistantService};
use crate::children::{AssistantAccess, ChildId, SessionId};
use crate::identity::{AssistantId, SignedAssistant};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{Change, StoreError};
use crate::rules::{CheckedReceipts, TopicsVersion};
use crate::transcripts::{
    Message, MessageDelivery, NotKeptMessage, SessionDelivery, SessionDetails, SessionName,
};

/// Bodies of at least so many bytes are compared in a thread of their own.
const LARGE: usize = 64 * 1024;

/// Messages of one memory that are counted while none can be stored: as many as a session counts.
const MOST_MISSED: usize = 100;

/// Why a request's words can't be kept.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    #[error(transparent)]
    Assistant(#[from] AssistantError),
    #[error(transparent)]
    Budget(#[from] BudgetError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl NotKept {
    /// Whether the fault is the store's, the clock's or a quota's, and not the request's or its key's.
    pub fn is_of_the_store(&self) -> bool {
        match self {
            Self::Store(_) => true,
            Self::Budget(error) => matches!(error, BudgetError::Store(_)),
            Self::Assistant(error) => matches!(
                error,
                AssistantError::Store(_) | AssistantError::Clock(_) | AssistantError::Quota(_)
            ),
        }
    }
}

/// The version of the rules that is in a request's prompt.
#[derive(Clone, Copy, Debug)]
pub struct RulesAdded {
    pub number: u64,
    pub topics: TopicsVersion,
    pub at: Timestamp,
}

/// A request whose words are kept, and whose answer will be.
#[derive(Clone, Debug)]
pub struct Turn {
    pub child: ChildId,
    pub assistant: AssistantId,
    pub id: TurnId,
    pub place: Place,
}

type MemoryKey = (ChildId, AssistantId);

/// The conversations of all keys.
#[derive(Clone)]
pub struct Conversations {
    pub service: Arc<AssistantService>,
    pub clock: Clock,
    pub randomness: Randomness,
    /// Requests of one key and child are compared one after the other.
    locks: Arc<Mutex<HashMap<MemoryKey, Arc<tokio::sync::Mutex<()>>>>>,
    /// Messages that were passed on without being stored, until a later one of the memory is.
    missed: Arc<Mutex<HashMap<MemoryKey, Vec<NotKeptMessage>>>>,
    /// Memories that aren't empty.
    active: Arc<Mutex<HashSet<MemoryKey>>>,
}

/// A memory as it will be stored, and what is to be stored in transcripts with it.
struct Step {
    memory: Memory,
    messages: Vec<Grouped>,
    /// Messages of this place that were heard as they were sent.
    confirmed: Vec<MessageId>,
    place: Option<Place>,
    tools: Vec<String>,
    rules: Option<RulesAdded>,
    /// The turn that ended.
    ended: Option<TurnId>,
    counts_request: Option<Budget>,
    missed: Vec<NotKeptMessage>,
    now: Timestamp,
}

impl Step {
    fn new(memory: Memory, now: Timestamp) -> Self {
        Self {
            memory,
            messages: Vec::new(),
            confirmed: Vec::new(),
            place: None,
            tools: Vec::new(),
            rules: None,
            ended: None,
            counts_request: None,
            missed: Vec::new(),
            now,
        }
    }
}

impl Conversations {
    pub fn new(service: Arc<AssistantService>, clock: Clock, randomness: Randomness) -> Self {
        Self {
            service,
            clock,
            randomness,
            locks: Arc::default(),
            missed: Arc::default(),
            active: Arc::default(),
        }
    }

    /// Groups a request and keeps its new words. They are on the disk when this returns.
    pub async fn begin(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
        request: Request,
        bytes: usize,
        budget: Budget,
    ) -> Result<Turn, NotKept> {
        let key = (child, assistant.id().clone());
        let _lock = self.lock(&key).await;
        let request = Arc::new(request);
        loop {
            let (memory, now) = (self.memory(&key)?, self.clock.now());
            let before = memory.erasures;
            let grouped = {
                let request = Arc::clone(&request);
                move || group(memory, &request, now)
            };
            let (turn, mut step) = if bytes < LARGE {
                grouped()
            } else {
                let grouping = tokio::task::spawn_blocking(grouped);
                // It is only cancelled when the server stops.
                grouping.await.map_err(|_| StoreError::Unavailable)?
            };
            step.counts_request = Some(budget);
            step.missed = self.missed_of(&key);
            let place = step.place;
            let missed = step.missed.len();
            if self.keep(assistant, &key, before, step).await? {
                self.note_counted(&key, missed);
                return Ok(Turn {
                    child,
                    assistant: key.1,
                    id: turn,
                    place: place.expect("a request has a place"),
                });
            }
        }
    }

    /// Keeps what was sent of an answer.
    pub async fn end(
        &self,
        turn: &Turn,
        answer: &Answer,
        rules: Option<RulesAdded>,
    ) -> Result<(), NotKept> {
        let key = (turn.child, turn.assistant.clone());
        // The key may have been rotated since the request began.
        let Some(assistant) = self.service.assistants.on_behalf_of(&turn.assistant)? else {
            return Ok(());
        };
        let _lock = self.lock(&key).await;
        loop {
            let (memory, now) = (self.memory(&key)?, self.clock.now());
            let before = memory.erasures;
            let mut step = Step::new(memory, now);
            let answered = step.memory.grouping.answered(turn.id, answer, now);
            step.messages.extend(answered.message);
            step.tools = answered.tools;
            step.place = Some(turn.place);
            step.rules = rules;
            step.ended = Some(turn.id);
            if self.keep(&assistant, &key, before, step).await? {
                return Ok(());
            }
        }
    }

    /// Counts the words of a request that is passed on although they can't be stored.
    pub fn note_missed(&self, assistant: &AssistantId, child: ChildId) {
        let id = hex::encode(&self.randomness.bytes()[..16]);
        let mut missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        let missed = missed.entry((child, assistant.clone())).or_default();
        if missed.len() < MOST_MISSED {
            missed.push(NotKeptMessage::not_stored(&id));
        }
    }

    fn missed_of(&self, key: &MemoryKey) -> Vec<NotKeptMessage> {
        let missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        missed.get(key).cloned().unwrap_or_default()
    }

    fn note_counted(&self, key: &MemoryKey, count: usize) {
        let mut missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_key) = missed.get_mut(key) {
            of_key.drain(..count);
            if of_key.is_empty() {
                missed.remove(key);
            }
        }
    }

    /// Keeps what was passed on so far of an answer, in case that the server stops before its end.
    pub async fn save_partial(&self, turn: &Turn, text: String) -> Result<(), StoreError> {
        let (child, assistant) = (turn.child, turn.assistant.clone());
        let partial = PartialAnswer {
            turn: turn.id,
            place: turn.place,
            text,
            at: self.clock.now(),
        };
        let saved = self.service.store.commit(move |change| {
            // Not after the child or the session was erased.
            match store::memory(change, child, &assistant)? {
                Some(memory) if memory.grouping.open_turns().any(|it| it == partial.turn) => {
                    store::put_partial(change, child, &assistant, &partial)
                }
                _ => Ok(()),
            }
        });
        saved.await?
    }

    /// Keeps what an earlier run of the server passed on of answers that it couldn't finish.
    pub async fn finish_interrupted(&self) -> Result<(), NotKept> {
        for key in store::memories(&self.service.store)? {
            self.note_active(&key);
            let memory = self.memory(&key)?;
            let partials = store::partials(&self.service.store, key.0, &key.1)?;
            for id in memory.grouping.open_turns() {
                let partial = partials.iter().find(|partial| partial.turn == id);
                let answer = Answer {
                    text: partial.map_or_else(String::new, |it| it.text.clone()),
                    cut: Some(CutBy::Upstream),
                    ..Answer::default()
                };
                let turn = Turn {
                    child: key.0,
                    assistant: key.1.clone(),
                    id,
                    place: memory.grouping.place_of(id).expect("the turn is open"),
                };
                self.end(&turn, &answer, None).await?;
            }
        }
        Ok(())
    }

    /// Ends conversations in which nothing was said for half an hour, and forgets them.
    pub async fn end_idle(&self) -> Result<(), NotKept> {
        let active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        let active = active.iter().cloned().collect::<Vec<_>>();
        for key in active {
            let assistant = self.service.assistants.on_behalf_of(&key.1)?;
            let _lock = self.lock(&key).await;
            let (memory, now) = (self.memory(&key)?, self.clock.now());
            let before = memory.erasures;
            let mut step = Step::new(memory, now);
            if !step.memory.grouping.has_idle(now) {
                continue;
            }
            step.messages = step.memory.grouping.end_idle(now);
            let is_empty = step.memory.grouping.is_empty();
            if let Some(assistant) = assistant
                && !self.keep(&assistant, &key, before, step).await?
            {
                continue;
            }
            if is_empty {
                let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
                active.remove(&key);
            }
        }
        Ok(())
    }

    /// Stores a step in one commit. Returns whether it was stored: not if a session was erased from the memory meanwhile.
    async fn keep(
        &self,
        assistant: &SignedAssistant,
        key: &MemoryKey,
        erasures: u64,
        step: Step,
    ) -> Result<bool, NotKept> {
        self.note_active(key);
        let (signed, id) = (assistant.clone(), key.1.clone());
        let kept = self
            .service
            .write(assistant, key.0, move |service, change, access| {
                let child = access.child().child();
                let now = store::memory(change, child, &id)?;
                if now.is_some_and(|now| now.erasures != erasures) {
                    return Ok(Ok(false));
                }
                if let Some(budget) = step.counts_request
                    && let Err(error) = budget.take(change, &id, step.now)
                {
                    return Ok(Err(error));
                }
                store_step(service, change, access, &signed, &step)?;
                if let Some(turn) = step.ended {
                    store::remove_partial(change, child, &id, turn)?;
                }
                store::put_memory(change, child, &id, &step.memory)?;
                service.count(change, access)?;
                Ok(Ok(true))
            });
        Ok(kept.await??)
    }

    fn memory(&self, key: &MemoryKey) -> Result<Memory, StoreError> {
        let memory = store::memory(&self.service.store, key.0, &key.1)?;
        Ok(memory.unwrap_or_else(|| Memory::new(&self.randomness)))
    }

    fn note_active(&self, key: &MemoryKey) {
        let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        active.insert(key.clone());
    }

    async fn lock(&self, key: &MemoryKey) -> OwnedMutexGuard<()> {
        let own = {
            let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
            // Only this map has the lock: nobody holds it or waits.
            locks.retain(|_, lock| Arc::strong_count(lock) > 1);
            Arc::clone(locks.entry(key.clone()).or_default())
        };
        own.lock_owned().await
    }
}

fn group(mut memory: Memory, request: &Request, now: Timestamp) -> (TurnId, Step) {
    let begun = memory.grouping.begin(request, now);
    match begun.place {
        Place::Session(number) if begun.is_new => memory.adopt(number, request.session(), now),
        Place::Session(_) => {}
        Place::Folded(id) => memory.place_folded(id, begun.beside, request.session(), now),
    }
    let step = Step {
        messages: begun.messages,
        confirmed: begun.confirmed,
        place: Some(begun.place),
        ..Step::new(memory, now)
    };
    (begun.turn, step)
}

/// Stores a step's messages, each in its session.
fn store_step(
    service: &AssistantService,
    change: &mut Change,
    access: &AssistantAccess,
    assistant: &SignedAssistant,
    step: &Step,
) -> Result<(), AssistantError> {
    let mut sessions = BTreeMap::<String, (Place, Vec<MessageDelivery>)>::new();
    for message in &step.messages {
        let name = step.memory.name(message.place);
        let session = sessions.entry(name).or_insert((message.place, Vec::new()));
        session.1.push(delivery_of(message, step.now));
    }
    if let (Some(place), Some(turn)) = (step.place, step.ended) {
        for (index, tool) in step.tools.iter().enumerate() {
            let name = step.memory.name(place);
            let session = sessions.entry(name).or_insert((place, Vec::new()));
            session.1.push(tool_call(turn, index, tool, place, step.now));
        }
    }
    let own = step.place.map(|place| step.memory.name(place));
    for (name, (place, messages)) in sessions {
        let delivery = SessionDelivery {
            assistant: assistant.clone(),
            name: name.parse::<SessionName>().expect("the names are letters and digits"),
            details: SessionDetails::default(),
            messages,
            invalid: if own.as_ref() == Some(&name) {
                step.missed.clone()
            } else {
                Vec::new()
            },
            idle_seconds: None,
        };
        let outcome =
            service.take_in(change, access, delivery, None, CheckedReceipts::default())?;
        let Some(session) = outcome.session else {
            continue;
        };
        let row = SessionOfMemory {
            assistant: assistant.id().clone(),
            place,
        };
        store::put_session(change, access.child().child(), session, &row)?;
    }
    Ok(())
}

/// The text of a message, in bytes: as much as an assistant can deliver. Nobody says more at once.
const LONGEST_TEXT: usize = 64 * 1024;

/// The text, with a mark if its end was left out.
fn bounded(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(LONGEST_TEXT);
    format!("{} […]", &text[..end])
}

fn delivery_of(message: &Grouped, now: Timestamp) -> MessageDelivery {
    let is_assistant = message.speaker == Speaker::Assistant;
    let stored = Message {
        message_id: format!("m{}", message.id.number()),
        source: Some(if is_assistant { "assistant" } else { "child" }.to_owned()),
        text_content: Some(bounded(&message.text)),
        timestamp: message.at,
        content_type: None,
        event_type: None,
        start_sample: None,
        interrupted: message.interrupted.then_some(true),
        speaker: message.voice.clone(),
    };
    MessageDelivery::new(stored, message.revision, Some(message.at), now)
}

/// A message that names a tool that the model called.
fn tool_call(
    turn: TurnId,
    index: usize,
    tool: &str,
    place: Place,
    now: Timestamp,
) -> MessageDelivery {
    let stored = Message {
        message_id: format!("t{}-{index}", turn.number()),
        source: Some("assistant".to_owned()),
        text_content: Some(format!("[tool: {tool}]")),
        timestamp: now,
        content_type: None,
        event_type: Some("tool_call".to_owned()),
        start_sample: None,
        interrupted: None,
        speaker: None,
    };
    MessageDelivery::new(stored, 0, Some(now), now)
}
