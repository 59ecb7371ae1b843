//! Stores transcripts of the requests and answers that pass through the gateway.

mod in_progress;
mod step;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::mpsc::Sender;

use super::budget::{Budget, BudgetError};
use super::grouping::{Answer, CutBy, Place, Request, TurnId};
use super::large;
use super::store::{self, Memory, PartialAnswer};
use crate::assistant::{AssistantError, AssistantService};
use crate::children::{ChildId, ChildrenError};
use crate::identity::{AssistantId, ConcurrencyLimit, SignedAssistant};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::randomness::Randomness;
use crate::kernel::store::StoreError;
use crate::rules::ToldVersion;
use crate::transcripts::NotKeptMessage;

use in_progress::{AnswerInProgress, AnswersInProgress};
use step::{Step, deliveries_of, group, store_step};

/// The maximum number of messages per key and child that are counted while the store fails. A session counts no more.
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
    pub version: ToldVersion,
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
    locks: ConcurrencyLimit<MemoryKey>,
    /// Messages that were passed on without being stored. The next one that is stored counts them in its session.
    missed: Arc<Mutex<HashMap<MemoryKey, Vec<NotKeptMessage>>>>,
    /// The keys and children with a conversation that isn't over.
    active: Arc<Mutex<HashSet<MemoryKey>>>,
    in_progress: AnswersInProgress,
}

impl Conversations {
    pub fn new(service: Arc<AssistantService>, clock: Clock, randomness: Randomness) -> Self {
        Self {
            service,
            clock,
            randomness,
            locks: ConcurrencyLimit::new(1),
            missed: Arc::default(),
            active: Arc::default(),
            in_progress: AnswersInProgress::default(),
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
        // The request's history may say which part of an interrupted answer the child heard.
        self.in_progress.end_abandoned(&key).await;
        let _lock = self.locks.wait(&key).await;
        let request = Arc::new(request);
        loop {
            let (memory, now) = (self.memory(&key)?, self.clock.now());
            let before = memory.erasures;
            let grouped = {
                let request = Arc::clone(&request);
                move || group(memory, &request, now)
            };
            let grouped = large::run(bytes, grouped).await;
            let (turn, mut step) = grouped.ok_or(StoreError::Unavailable)?;
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
                    place,
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
        let _lock = self.locks.wait(&key).await;
        loop {
            let (memory, now) = (self.memory(&key)?, self.clock.now());
            let before = memory.erasures;
            let mut step = Step::new(memory, turn.place, now);
            let answered = step.memory.grouping.answered(turn.id, answer, now);
            step.messages.extend(answered.message);
            step.tools = answered.tools;
            step.rules = rules;
            step.ended = Some(turn.id);
            if self.keep(&assistant, &key, before, step).await? {
                return Ok(());
            }
        }
    }

    /// Notes that a turn's answer is being passed on to a client, until the value is dropped.
    pub fn pass_on(&self, turn: &Turn, client: &Sender<io::Result<Bytes>>) -> AnswerInProgress {
        let key = (turn.child, turn.assistant.clone());
        self.in_progress.add(key, client)
    }

    /// Counts words that are passed on although they can't be stored: a request's, or an answer's.
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
    pub async fn save_partial(
        &self,
        turn: &Turn,
        text: String,
        began: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let (child, assistant) = (turn.child, turn.assistant.clone());
        let partial = PartialAnswer {
            turn: turn.id,
            place: turn.place,
            text,
            at: began.unwrap_or_else(|| self.clock.now()),
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
                let text = partial.map_or_else(String::new, |it| it.text.clone());
                let mut answer = Answer::cut_off(text, CutBy::Upstream);
                answer.began = partial.map(|partial| partial.at);
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
        let active = {
            let active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
            active.iter().cloned().collect::<Vec<_>>()
        };
        for key in active {
            match self.end_idle_of(&key).await {
                // The child is gone, or the key doesn't cover it any more.
                Err(NotKept::Assistant(AssistantError::Children(ChildrenError::NoSuchChild(
                    _,
                )))) => {
                    self.forget(&key).await?;
                }
                ended => ended?,
            }
        }
        Ok(())
    }

    async fn forget(&self, key: &MemoryKey) -> Result<(), NotKept> {
        let (child, assistant) = key.clone();
        let store = &self.service.store;
        let removed = store.commit(move |change| store::remove_memory(change, child, &assistant));
        removed.await??;
        let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        active.remove(key);
        Ok(())
    }

    async fn end_idle_of(&self, key: &MemoryKey) -> Result<(), NotKept> {
        let _lock = self.locks.wait(key).await;
        let (memory, now) = (self.memory(key)?, self.clock.now());
        let is_empty = if memory.grouping.has_idle(now) {
            self.forget_idle(key, memory, now).await?;
            self.memory(key)?.grouping.is_empty()
        } else {
            memory.grouping.is_empty()
        };
        if is_empty {
            let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
            active.remove(key);
        }
        Ok(())
    }

    /// Keeps the words that were pending in conversations that are over.
    async fn forget_idle(
        &self,
        key: &MemoryKey,
        mut memory: Memory,
        now: Timestamp,
    ) -> Result<(), NotKept> {
        let erasures = memory.erasures;
        let messages = memory.grouping.end_idle(now);
        let assistant = self.service.assistants.on_behalf_of(&key.1)?;
        let (Some(place), Some(assistant)) = (messages.first().map(|it| it.place), assistant)
        else {
            // Nothing is pending, or the key was revoked.
            return self.put(key, erasures, memory).await;
        };
        let step = Step {
            messages,
            ..Step::new(memory, place, now)
        };
        // If a session was erased meanwhile, it is tried again later.
        self.keep(&assistant, key, erasures, step).await.map(drop)
    }

    /// Stores a memory from which only something was forgotten, unless a session was erased from it meanwhile.
    async fn put(&self, key: &MemoryKey, erasures: u64, memory: Memory) -> Result<(), NotKept> {
        let (child, assistant) = key.clone();
        let put = self.service.store.commit(move |change| {
            match store::memory(change, child, &assistant)? {
                Some(now) if now.erasures == erasures => {
                    store::put_memory(change, child, &assistant, &memory)
                }
                _ => Ok(()),
            }
        });
        Ok(put.await??)
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
        let has_words = !step.messages.is_empty();
        let messages = deliveries_of(&step);
        let (messages, matched) = self.service.alerts.compare(key.0, messages).await?;
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
                store_step(service, change, access, &signed, &step, messages, &matched)?;
                if let Some(turn) = step.ended {
                    store::remove_partial(change, child, &id, turn)?;
                }
                store::put_memory(change, child, &id, &step.memory)?;
                service.count(change, access)?;
                Ok(Ok(true))
            });
        let is_kept = kept.await??;
        if is_kept && has_words {
            let (connections, now) = (&self.service.connections, self.clock.now());
            connections.note_heard(&key.1, key.0, &BTreeSet::new(), None, now);
        }
        Ok(is_kept)
    }

    fn memory(&self, key: &MemoryKey) -> Result<Memory, StoreError> {
        let memory = store::memory(&self.service.store, key.0, &key.1)?;
        Ok(memory.unwrap_or_else(|| Memory::new(&self.randomness)))
    }

    fn note_active(&self, key: &MemoryKey) {
        let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        active.insert(key.clone());
    }
}
