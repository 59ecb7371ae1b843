//! Stores what later requests are compared with: the recent sessions of each key and child. There is no text, except for answers
//! that aren't complete. Both are under their session's number, so that they are erased with it.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::grouping::{
    BackgroundId, ConversationRef, ConversationTracker, Session, SessionNumber, TextHash, TurnId,
};
use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::daily_counter::DailyCounter;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::{
    Before, Change, Key, KeyPlace, Read, Record, RecordKind, StoreError, Table,
};

/// By child and assistant.
const TRACKER: Table = Table::new("gateway-tracker");
/// By the child that the session was opened for, and the session.
const SESSION: Table = Table::new("gateway-session");
/// What was passed on of an answer that isn't complete, by child, session and turn.
const PARTIAL: Table = Table::new("gateway-partial");

pub const KINDS: [RecordKind; 3] = [
    RecordKind::of::<TrackerState>(TRACKER),
    RecordKind::of::<StoredSession>(SESSION),
    RecordKind::of::<PartialAnswer>(PARTIAL),
];

/// The other tables have no text and no session's number in their keys.
pub const KEYS: [KeyPlace; 2] = [
    KeyPlace::after(SESSION, &[Before::Number]),
    KeyPlace::after(PARTIAL, &[Before::Number]),
];

impl Record for TrackerState {}
impl Record for StoredSession {}
impl Record for PartialAnswer {}

/// How long the session of a background request waits for its conversation to begin.
const WAIT: Duration = Duration::from_secs(30 * 60);

/// The maximum number of names that are stored because they can't be derived from a number.
const MOST_NAMES: usize = 64;

/// The maximum size of what a model may write for itself in a day, per key and child, in bytes: as much as the default quota.
const MOST_REASONING: usize = 20_000_000;

/// The state of a key's conversations with a child, and the names of their sessions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrackerState {
    /// Random. If the record is lost, the sessions of the next one get other names.
    run: String,
    pub tracker: ConversationTracker,
    /// In which session each conversation is.
    sessions: Vec<(ConversationRef, SessionId)>,
    /// Sessions that began as a background request's.
    adopted: Vec<(SessionNumber, String)>,
    background: Vec<(BackgroundId, String)>,
    waiting: Vec<WaitingRequest>,
    /// How much the model wrote for itself, in bytes.
    reasoning: DailyCounter<usize>,
}

/// A background request in a session of its own, for example for the title of a conversation whose first request comes later.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct WaitingRequest {
    name: String,
    /// The client's own id of the conversation.
    client_id: Option<TextHash>,
    at: Timestamp,
}

/// What is remembered of a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredSession {
    /// `None` if only background requests are in it.
    session: Option<Session>,
}

/// What was passed on of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartialAnswer {
    pub assistant: AssistantId,
    pub turn: TurnId,
    pub text: String,
    pub reasoning: String,
    /// When the first of it was passed on.
    pub at: Timestamp,
}

impl TrackerState {
    pub fn new(randomness: &Randomness) -> Self {
        Self {
            run: hex::encode(&randomness.bytes()[..6]),
            tracker: ConversationTracker::default(),
            sessions: Vec::new(),
            adopted: Vec::new(),
            background: Vec::new(),
            waiting: Vec::new(),
            reasoning: DailyCounter::default(),
        }
    }

    /// Whether so many bytes of reasoning may be stored today. Counts them if so.
    pub fn take_reasoning(&mut self, bytes: usize, now: Timestamp) -> bool {
        let today = self.reasoning.counts(now);
        let total = *today + bytes;
        let fits = total <= MOST_REASONING;
        if fits {
            *today = total;
        }
        fits
    }

    /// The name of the session in which this conversation's messages are.
    pub fn name(&self, place: ConversationRef) -> String {
        let known = match place {
            ConversationRef::Session(number) => find(&self.adopted, number),
            ConversationRef::Background(id) => find(&self.background, id),
        };
        known.unwrap_or_else(|| match place {
            ConversationRef::Session(number) => format!("gateway-{}-{}", self.run, number.number()),
            ConversationRef::Background(id) => format!("gateway-{}-b{}", self.run, id.number()),
        })
    }

    /// The name of the session for words that were lost before any conversation was known.
    pub fn lost_name(&self) -> String {
        format!("gateway-{}-lost", self.run)
    }

    /// The session in which this conversation's messages are, if there are any.
    pub fn session(&self, place: ConversationRef) -> Option<SessionId> {
        session_of(&self.sessions, place)
    }

    pub fn set_session(&mut self, place: ConversationRef, session: SessionId) {
        self.sessions.retain(|(known, _)| *known != place);
        self.sessions.push((place, session));
    }

    /// Gives a new session the name of a background request's that waits for its conversation.
    pub fn adopt(&mut self, number: SessionNumber, client_id: Option<TextHash>, now: Timestamp) {
        self.waiting.retain(|waiting| now.since(waiting.at) <= WAIT);
        let fits = |waiting: &WaitingRequest| waiting.client_id == client_id;
        if let Some(index) = self.waiting.iter().rposition(fits) {
            let name = self.waiting.remove(index).name;
            put(&mut self.adopted, number, name);
        }
    }

    /// Puts a background request beside a session, or into one of its own, which waits for its conversation.
    pub fn place_background(
        &mut self,
        id: BackgroundId,
        beside: Option<SessionNumber>,
        client_id: Option<TextHash>,
        now: Timestamp,
    ) {
        if find(&self.background, id).is_some() {
            return;
        }
        if let Some(number) = beside {
            let name = self.name(ConversationRef::Session(number));
            put(&mut self.background, id, name);
            return;
        }
        let fits = |waiting: &&WaitingRequest| waiting.client_id == client_id;
        let waiting = self.waiting.iter().rfind(fits);
        let name = match waiting {
            Some(waiting) => waiting.name.clone(),
            None => {
                let name = self.name(ConversationRef::Background(id));
                self.waiting.push(WaitingRequest {
                    name: name.clone(),
                    client_id,
                    at: now,
                });
                let surplus = self.waiting.len().saturating_sub(MOST_NAMES);
                self.waiting.drain(..surplus);
                name
            }
        };
        put(&mut self.background, id, name);
    }

    /// Ends a session, so that no request continues it. What it still awaits goes there.
    pub fn end_session(&mut self, ended: SessionId) {
        let known = self
            .sessions
            .iter()
            .filter(|(_, session)| *session == ended);
        let places = known.map(|(place, _)| *place).collect::<Vec<_>>();
        let sessions = &mut self.tracker.sessions;
        sessions.retain(|session| !places.contains(&session.place()));
    }

    /// The sessions that it refers to.
    pub fn sessions(&self) -> BTreeSet<SessionId> {
        self.sessions.iter().map(|(_, session)| *session).collect()
    }

    /// Forgets where conversations were of which nothing is remembered.
    fn forget_places(&mut self) {
        let places = self.tracker.places().collect::<BTreeSet<_>>();
        self.sessions.retain(|(place, _)| places.contains(place));
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

fn tracker_key(child: ChildId, assistant: &AssistantId) -> Key {
    TRACKER
        .key()
        .number(child.number())
        .text(assistant.as_str())
}

fn session_key(child: ChildId, session: SessionId) -> Key {
    SESSION
        .key()
        .number(child.number())
        .number(session.number())
}

fn partials_of(child: ChildId, session: SessionId) -> Key {
    PARTIAL
        .key()
        .number(child.number())
        .number(session.number())
}

/// The state of a key's conversations with a child, with the sessions that weren't erased. `None` also if it can't be read: then
/// the conversations begin anew.
pub fn tracker(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<Option<TrackerState>, StoreError> {
    let state = view.get_readable::<TrackerState>(&tracker_key(child, assistant))?;
    let Some(mut state) = state else {
        return Ok(None);
    };
    let mut there = BTreeSet::new();
    let mut sessions = Vec::new();
    for session in state.sessions() {
        let row = view.get_readable::<StoredSession>(&session_key(child, session))?;
        if let Some(row) = row {
            there.insert(session);
            sessions.extend(row.session);
        }
    }
    let (there, erased) = std::mem::take(&mut state.sessions)
        .into_iter()
        .partition::<Vec<_>, _>(|(_, session)| there.contains(session));
    state.sessions = there;
    let places = state.sessions.iter().map(|(place, _)| *place);
    let places = places.collect::<BTreeSet<_>>();
    sessions.retain(|session| places.contains(&session.place()));
    sessions.sort_by_key(|session| (session.seen, session.number));
    state.tracker.sessions = sessions;
    let is_erased = |place| erased.iter().any(|(of, _)| *of == place);
    state.tracker.forget_erased(|place| !is_erased(place));
    Ok(Some(state))
}

/// Whether a session's turn awaits its answer: not if the session was erased since.
pub fn awaits(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
    session: SessionId,
    turn: TurnId,
) -> Result<bool, StoreError> {
    let state = view.get_readable::<TrackerState>(&tracker_key(child, assistant))?;
    let is_open = state.is_some_and(|state| state.tracker.open_turns().any(|it| it == turn));
    Ok(is_open && view.contains(&session_key(child, session))?)
}

/// Whether none of the sessions of a state that was read earlier was erased since.
pub fn is_current(
    view: &impl Read,
    child: ChildId,
    sessions: &BTreeSet<SessionId>,
) -> Result<bool, StoreError> {
    for session in sessions {
        if !view.contains(&session_key(child, *session))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Stores a state, and those of its sessions that changed. `before` are the sessions that it referred to when it was read.
pub fn put_tracker(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
    state: &mut TrackerState,
    before: &BTreeSet<SessionId>,
) -> Result<(), StoreError> {
    state.forget_places();
    for session in &mut state.tracker.sessions {
        if let Some(id) = session_of(&state.sessions, session.place())
            && std::mem::take(&mut session.is_changed)
        {
            let session = Some(session.clone());
            change.put(&session_key(child, id), &StoredSession { session })?;
        }
    }
    let referred = state.sessions();
    for session in before.difference(&referred) {
        change.remove_some_below(&partials_of(child, *session))?;
        change.remove(&session_key(child, *session))?;
    }
    for session in referred {
        let key = session_key(child, session);
        if !change.contains(&key)? {
            change.put(&key, &StoredSession { session: None })?;
        }
    }
    change.put(&tracker_key(child, assistant), state)
}

fn session_of(
    sessions: &[(ConversationRef, SessionId)],
    place: ConversationRef,
) -> Option<SessionId> {
    let known = sessions.iter().find(|(known, _)| *known == place);
    known.map(|(_, session)| *session)
}

/// All states: the child and the assistant of each.
pub fn trackers(view: &impl Read) -> Result<Vec<(ChildId, AssistantId)>, StoreError> {
    let table = TRACKER.key();
    let keys = view.keys_below(&table, usize::MAX)?;
    let trackers = keys.iter().filter_map(|key| {
        let mut components = key.components_below(&table);
        let child = ChildId::new(components.number()?);
        Some((child, AssistantId::from_text(&components.text()?)))
    });
    Ok(trackers.collect())
}

pub fn put_partial(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    partial: &PartialAnswer,
) -> Result<(), StoreError> {
    let key = partials_of(child, session).number(partial.turn.number());
    change.put(&key, partial)
}

pub fn remove_partial(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    turn: TurnId,
) -> Result<(), StoreError> {
    change.remove(&partials_of(child, session).number(turn.number()))?;
    Ok(())
}

/// What was passed on of the answer to a turn.
pub fn partial(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
    turn: TurnId,
) -> Result<Option<PartialAnswer>, StoreError> {
    view.get_readable(&partials_of(child, session).number(turn.number()))
}

/// Erases a batch of a removed child's rows. Returns whether there were any.
pub fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    for table in [TRACKER, PARTIAL, SESSION] {
        if change.remove_some_below(&table.key().number(child.number()))? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Erases a batch of what is remembered of a session. Returns whether there was anything.
pub fn erase_of_session(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<bool, StoreError> {
    if change.remove_some_below(&partials_of(child, session))? > 0 {
        return Ok(true);
    }
    change.remove(&session_key(child, session))
}
