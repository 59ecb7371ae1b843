//! Stores transcripts of the requests and answers that pass through the gateway.

mod ending;
mod in_progress;
mod lost;
mod stored;
mod turn_update;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Notify;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, timeout_at};

use super::answer::Answer;
use super::budget::{Budget, BudgetError};
use super::client_prompt::ClientPrompt;
use super::grouping::{ConversationRef, Request, TextKey, TurnId};
use super::large;
use super::slots::Slot;
use super::store::{self, PartialAnswer, TrackerState};
use crate::assistants::deliveries::{AssistantError, AssistantService, Excess};
use crate::children::{ChildId, SessionId};
use crate::identity::{AssistantId, ConcurrencyLimit, SignedAssistant};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::StoreError;
use crate::rules::IssuedVersion;

use in_progress::{AnswerInProgress, AnswersInProgress};
use lost::Lost;
use stored::Stored;
use turn_update::{RequestPrompt, TurnUpdate, begin, deliveries_of, store_update};

/// How long a request that looks like the app's own waits for the conversation that it quotes: apps send both at once.
const SIBLING: Duration = Duration::from_secs(1);

/// Why a request's words can't be kept.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    #[error(transparent)]
    Assistant(#[from] AssistantError),
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// Only the background slot is free, and the request isn't a background request.
    #[error("the key has as many requests open already as it may")]
    Busy,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl NotKept {
    /// Whether a key with [`StoreFailurePolicy::Open`](crate::models::StoreFailurePolicy) passes the request on all the same.
    pub fn allows_fail_open(&self) -> bool {
        match self {
            Self::Store(_) | Self::Budget(BudgetError::Store(_)) => true,
            Self::Assistant(error) => error.is_store_failure(),
            Self::Busy | Self::Budget(BudgetError::UsedUp { .. }) => false,
        }
    }
}

/// The version of the rules that is in a request's prompt.
#[derive(Clone, Copy, Debug)]
pub struct RulesAdded {
    pub version: IssuedVersion,
    pub at: Timestamp,
}

/// A request whose words are to be kept.
pub struct IncomingRequest {
    pub request: Request,
    /// What the client sent besides the conversation.
    pub prompt: Option<ClientPrompt>,
    /// The size of its body.
    pub bytes: usize,
}

/// A request whose words are kept, and whose answer will be.
#[derive(Clone, Debug)]
pub struct Turn {
    pub child: ChildId,
    pub assistant: AssistantId,
    pub id: TurnId,
    pub place: ConversationRef,
    /// The session that has the request.
    session: Option<SessionId>,
}

type TrackerKey = (ChildId, AssistantId);

/// The conversations of all keys.
#[derive(Clone)]
pub struct Conversations {
    pub service: Arc<AssistantService>,
    pub clock: Clock,
    pub randomness: Randomness,
    pub text_key: TextKey,
    /// Requests of one key and child are compared one after the other.
    locks: ConcurrencyLimit<TrackerKey>,
    /// What was passed on without being stored, until it is counted.
    lost: Arc<Mutex<HashMap<TrackerKey, Vec<Lost>>>>,
    /// The keys and children with a conversation that isn't over.
    active: Arc<Mutex<HashSet<TrackerKey>>>,
    in_progress: AnswersInProgress,
    /// Notified when the words of a request were stored.
    stored: Arc<Notify>,
}

impl Conversations {
    pub fn new(
        service: Arc<AssistantService>,
        clock: Clock,
        randomness: Randomness,
        text_key: TextKey,
    ) -> Self {
        Self {
            service,
            clock,
            randomness,
            text_key,
            locks: ConcurrencyLimit::new(1),
            lost: Arc::default(),
            active: Arc::default(),
            in_progress: AnswersInProgress::default(),
            stored: Arc::default(),
        }
    }

    /// Assigns a request to a conversation, and stores its new words. They are on the disk when this returns.
    pub async fn begin(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
        incoming: IncomingRequest,
        budget: Budget,
        slot: &Slot,
    ) -> Result<Turn, NotKept> {
        let IncomingRequest {
            request,
            prompt,
            bytes,
        } = incoming;
        let key = (child, assistant.id().clone());
        // The request's history may say which part of an interrupted answer the child heard.
        self.in_progress.end_abandoned(&key).await;
        if request.quotes() {
            self.wait_for_quoted(&key, &request).await?;
        }
        let _lock = self.locks.wait(&key).await;
        let request = Arc::new(request);
        loop {
            let (mut state, now) = (self.state(&key)?, self.clock.now());
            self.end_closed(&mut state)?;
            let begun = {
                let (request, key, service) =
                    (Arc::clone(&request), key.clone(), Arc::clone(&self.service));
                move || {
                    let read = state.clone();
                    let stored = Stored {
                        service: &service,
                        key: &key,
                        state: &read,
                        now,
                    };
                    begin(state, &request, &stored, now)
                }
            };
            let begun = large::run(bytes, begun).await;
            let (id, mut update) = begun.ok_or(StoreError::Unavailable)?;
            if !slot.allows(matches!(update.place, ConversationRef::Background(_))) {
                return Err(NotKept::Busy);
            }
            update.counts_request = Some(budget);
            update.prompt = prompt
                .clone()
                .map_or(RequestPrompt::NotKept, RequestPrompt::Sent);
            let place = update.place;
            let lost = self.lost_in(&key, &update.state.name(place));
            update.lost.clone_from(&lost);
            if let Some(session) = self.commit_update(assistant, &key, update).await? {
                self.forget_lost(&key, &lost);
                self.stored.notify_waiters();
                return Ok(Turn {
                    child,
                    assistant: key.1,
                    id,
                    place,
                    session,
                });
            }
        }
    }

    /// Waits a moment until what a request quotes is stored.
    async fn wait_for_quoted(&self, key: &TrackerKey, request: &Request) -> Result<(), StoreError> {
        let deadline = Instant::now() + SIBLING;
        loop {
            let stored_more = self.stored.notified();
            let state = self.state(key)?;
            let stored = Stored {
                service: &self.service,
                key,
                state: &state,
                now: self.clock.now(),
            };
            if !state.tracker.quotes_unknown(request, &stored)
                || timeout_at(deadline, stored_more).await.is_err()
            {
                return Ok(());
            }
        }
    }

    /// Stores what was sent of an answer, unless the key was revoked meanwhile.
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
            let (mut state, now) = (self.state(&key)?, self.clock.now());
            let before = state.sessions();
            let answered = state.tracker.answered(turn.id, answer, &self.text_key, now);
            let update = TurnUpdate {
                before,
                rules,
                ..TurnUpdate::new(state, turn.place, now).with_answer(turn.id, answered)
            };
            if self
                .commit_update(&assistant, &key, update)
                .await?
                .is_some()
            {
                return Ok(());
            }
        }
    }

    /// Until the value is dropped, the next request of the key and child ends this answer if its client has left.
    pub fn track_answer(
        &self,
        turn: &Turn,
        client: &Sender<io::Result<Bytes>>,
    ) -> AnswerInProgress {
        let key = (turn.child, turn.assistant.clone());
        self.in_progress.add(key, client)
    }

    /// Stores what was passed on so far of an answer, in case that the server stops before its end.
    pub async fn save_partial(
        &self,
        turn: &Turn,
        text: String,
        reasoning: String,
        began: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let (child, assistant) = (turn.child, turn.assistant.clone());
        let Some(session) = turn.session else {
            return Ok(());
        };
        let partial = PartialAnswer {
            assistant: assistant.clone(),
            turn: turn.id,
            text,
            reasoning,
            at: began.unwrap_or_else(|| self.clock.now()),
        };
        let saved = self.service.store.commit(move |change| {
            // Not after the child or the session was erased.
            if store::awaits(change, child, &assistant, session, partial.turn)? {
                store::put_partial(change, child, session, &partial)?;
            }
            Ok(())
        });
        saved.await
    }

    /// Stores an update in one commit. Returns the session that has its place's messages; the outer `None` if it was not stored,
    /// because a session was erased meanwhile.
    async fn commit_update(
        &self,
        assistant: &SignedAssistant,
        key: &TrackerKey,
        mut update: TurnUpdate,
    ) -> Result<Option<Option<SessionId>>, NotKept> {
        self.mark_active(key);
        let left_out = update.bound_reasoning();
        let name = update.state.name(update.place);
        let signed = assistant.clone();
        let has_words = !update.messages.is_empty();
        let (places, messages) = deliveries_of(&update)
            .into_iter()
            .unzip::<_, _, Vec<_>, Vec<_>>();
        let access = self.service.children.of(assistant, key.0);
        let access = access.map_err(AssistantError::from)?;
        let (messages, matched) = self.service.alerts.compare(key.0, messages).await?;
        let messages = places.into_iter().zip(messages).collect();
        let stored = self
            .service
            .write(assistant, &access, move |service, change, access| {
                let child = access.child().child();
                if !store::is_current(change, child, &update.before)? {
                    return Ok(Ok(None));
                }
                if let Some(budget) = update.counts_request
                    && let Err(error) = budget.take(change, signed.id(), update.now)
                {
                    return Ok(Err(error));
                }
                let excess = if update.ended.is_some() {
                    Excess::Stored
                } else {
                    Excess::Refused
                };
                store_update(
                    service,
                    change,
                    access,
                    &signed,
                    &mut update,
                    messages,
                    &matched,
                )?;
                service.count(change, access, excess)?;
                Ok(Ok(Some(update.state.session(update.place))))
            });
        let Some(session) = stored.await?? else {
            return Ok(None);
        };
        for _ in 0..left_out {
            self.count_lost(key, Some(name.clone()), None);
        }
        if has_words {
            let (connections, now) = (&self.service.connections, self.clock.now());
            connections.record_delivery(&key.1, key.0, &BTreeSet::new(), None, now);
        }
        Ok(Some(session))
    }

    fn state(&self, key: &TrackerKey) -> Result<TrackerState, StoreError> {
        let state = store::tracker(&self.service.store, key.0, &key.1)?;
        Ok(state.unwrap_or_else(|| TrackerState::new(&self.randomness)))
    }

    /// Ends the conversations that a guardian deleted, or marked as not the child's. What comes after that is another one.
    fn end_closed(&self, state: &mut TrackerState) -> Result<(), StoreError> {
        for session in state.sessions() {
            let AssistantService {
                store, transcripts, ..
            } = &*self.service;
            if !transcripts.continues(store, session)? {
                state.end_session(session);
            }
        }
        Ok(())
    }

    fn mark_active(&self, key: &TrackerKey) {
        let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        active.insert(key.clone());
    }

    fn mark_inactive(&self, key: &TrackerKey) {
        let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        active.remove(key);
    }
}
