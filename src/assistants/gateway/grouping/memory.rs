//! The recent conversations of one key and child, and the requests that await their answers.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::choice::ClientHabits;
use super::entry::{Entry, State};
use super::history::{Item, compared};
use super::kind::Kind;
use super::message::{
    BackgroundId, ConversationRef, Message, SessionNumber, SourceLabel, StoredRef, TurnId,
};
use super::session::{Counters, Session, next};
use super::text_hash::{TextHash, TextKey};
use super::update::Heard;
use crate::assistants::gateway::answer::{Answer, CutBy};
use crate::conversations::transcripts::MessageKind;
use crate::kernel::host::clock::Timestamp;

/// A session ends after this long without a request or an answer.
const IDLE: Duration = Duration::from_secs(30 * 60);

const MAX_SESSIONS: usize = 32;
const MAX_BACKGROUND: usize = 32;
const MAX_TURNS: usize = 64;

/// The recent sessions of one key and child, as far as later requests are compared with them.
///
/// [`begin`](Self::begin) is called before a request is passed on, and [`answered`](Self::answered) when its answer has ended.
/// Numbers of sessions and messages are never reused. It has no text, and the sessions are stored apart from the rest.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ConversationTracker {
    /// Ordered by when they were last seen.
    #[serde(skip)]
    pub sessions: Vec<Session>,
    pub(super) background: Vec<BackgroundRequest>,
    pub(super) turns: Vec<PendingTurn>,
    pub(super) counters: Counters,
    pub(super) sends_history: bool,
    pub(super) first_turns: u64,
}

/// A request of the app's own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BackgroundRequest {
    pub id: BackgroundId,
    pub at: Timestamp,
    pub words: Option<Entry>,
    pub answer: Option<Entry>,
}

/// A request that awaits its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PendingTurn {
    pub id: TurnId,
    pub at: Timestamp,
    pub place: ConversationRef,
    /// The entry that is answered; `None` at the start of the session.
    pub after: Option<u64>,
    pub is_first_turn: bool,
}

/// What an answer adds.
#[derive(Clone, Debug, Default)]
pub struct Answered {
    /// What the model wrote for itself, its calls of tools, and the answer unless the session has the same to these words
    /// already.
    pub messages: Vec<Message>,
    /// The answer's message, if a history already said how much of it was heard.
    pub heard: Option<Heard>,
    pub hashes: BTreeSet<TextHash>,
}

impl ConversationTracker {
    pub(super) fn habits(&self) -> ClientHabits {
        ClientHabits {
            sends_history: self.sends_history,
            first_turns: self.first_turns,
        }
    }

    /// Records what was sent to the client.
    pub fn answered(
        &mut self,
        turn: TurnId,
        answer: &Answer,
        key: &TextKey,
        now: Timestamp,
    ) -> Answered {
        if answer.is_empty() && (answer.has_error || answer.cut.is_some()) {
            self.failed(turn, now);
            return Answered::default();
        }
        let Some(turn) = self.take(turn) else {
            return Answered::default();
        };
        if turn.is_first_turn {
            self.first_turns += 1;
        }
        match turn.place {
            ConversationRef::Session(number) => {
                self.answer_session(&turn, number, answer, key, now)
            }
            ConversationRef::Background(id) => self.answer_background(&turn, id, answer, key, now),
        }
    }

    /// Records that nothing was sent to the client.
    pub fn failed(&mut self, turn: TurnId, now: Timestamp) {
        let Some(turn) = self.take(turn) else {
            return;
        };
        let ConversationRef::Session(number) = turn.place else {
            return;
        };
        let Some(session) = self.touch(number, now) else {
            return;
        };
        let asked = turn.after.and_then(|entry| session.index_of(entry));
        if let Some(index) = asked
            && session.entries[index].state == State::Asked
        {
            session.entries[index].state = State::Failed;
        }
    }

    /// Forgets what was idle too long, but not the requests that await their answer: a part of it may have to be stored.
    pub fn forget_idle(&mut self, now: Timestamp) {
        self.background.retain(|it| now.since(it.at) <= IDLE);
        self.sessions.retain(|it| now.since(it.seen) <= IDLE);
    }

    /// Forgets the requests whose answer can't come any more.
    pub fn forget_idle_turns(&mut self, now: Timestamp) {
        self.turns.retain(|turn| now.since(turn.at) <= IDLE);
    }

    /// Forgets the requests to sessions that this doesn't have, because they were erased.
    pub fn forget_erased(&mut self, is_there: impl Fn(ConversationRef) -> bool) {
        self.turns.retain(|turn| is_there(turn.place));
        self.background
            .retain(|it| is_there(ConversationRef::Background(it.id)));
    }

    /// All conversations of which something is remembered.
    pub fn places(&self) -> impl Iterator<Item = ConversationRef> {
        let sessions = self.sessions.iter().map(Session::place);
        let background = self.background.iter();
        let background = background.map(|it| ConversationRef::Background(it.id));
        let turns = self.turns.iter().map(|turn| turn.place);
        sessions.chain(background).chain(turns)
    }

    /// Where the request belongs, if it awaits its answer.
    pub fn place_of(&self, turn: TurnId) -> Option<ConversationRef> {
        let turn = self.turns.iter().find(|open| open.id == turn);
        turn.map(|turn| turn.place)
    }

    /// Whether something was idle too long.
    pub fn has_idle(&self, now: Timestamp) -> bool {
        let sessions = self.sessions.iter().map(|session| session.seen);
        let background = self.background.iter().map(|it| it.at);
        let turns = self.turns.iter().map(|turn| turn.at);
        let mut seen = sessions.chain(background).chain(turns);
        seen.any(|at| now.since(at) > IDLE)
    }

    /// The requests that await their answer.
    pub fn open_turns(&self) -> impl Iterator<Item = TurnId> {
        self.turns.iter().map(|turn| turn.id)
    }

    /// The requests whose answer can't come any more.
    pub fn idle_turns(&self, now: Timestamp) -> impl Iterator<Item = TurnId> {
        let idle = self
            .turns
            .iter()
            .filter(move |turn| now.since(turn.at) > IDLE);
        idle.map(|turn| turn.id)
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.background.is_empty() && self.turns.is_empty()
    }

    /// Forgets the oldest beyond the limits.
    pub(super) fn forget_oldest(&mut self) {
        for session in &mut self.sessions {
            session.forget_oldest();
        }
        let surplus = self.sessions.len().saturating_sub(MAX_SESSIONS);
        self.sessions.drain(..surplus);
        let surplus = self.background.len().saturating_sub(MAX_BACKGROUND);
        self.background.drain(..surplus);
        let surplus = self.turns.len().saturating_sub(MAX_TURNS);
        self.turns.drain(..surplus);
    }

    fn take(&mut self, id: TurnId) -> Option<PendingTurn> {
        let index = self.turns.iter().position(|turn| turn.id == id)?;
        Some(self.turns.remove(index))
    }

    /// Returns the session, after marking it as the last one seen.
    fn touch(&mut self, number: SessionNumber, now: Timestamp) -> Option<&mut Session> {
        let index = self.sessions.iter().position(|it| it.number == number)?;
        self.sessions[index..].rotate_left(1);
        let session = self.sessions.last_mut()?;
        session.seen = session.seen.max(now);
        session.is_changed = true;
        Some(session)
    }

    fn answer_session(
        &mut self,
        turn: &PendingTurn,
        number: SessionNumber,
        answer: &Answer,
        key: &TextKey,
        now: Timestamp,
    ) -> Answered {
        let mut counters = std::mem::take(&mut self.counters);
        let mut forgotten = Session::new(number, now);
        // An answer to a forgotten session is kept, too.
        let session = self.touch(number, now).unwrap_or(&mut forgotten);
        let answered = add_answer(session, &mut counters, turn, answer, key, now);
        self.counters = counters;
        answered
    }

    fn answer_background(
        &mut self,
        turn: &PendingTurn,
        id: BackgroundId,
        answer: &Answer,
        key: &TextKey,
        now: Timestamp,
    ) -> Answered {
        let at = answer.began.unwrap_or(now);
        let mut parts = Parts::new(&mut self.counters, turn.place, answer, key, at);
        for message in &mut parts.answered.messages {
            message.kind.get_or_insert(MessageKind::Background);
        }
        if let Some(item) = parts.item {
            let stored = self.counters.new_message_ref(at, true);
            let entry = Entry {
                stored: Some(stored.clone()),
                ..answer_entry(&mut self.counters, &item, answer)
            };
            let message = Message::new(&stored, turn.place, SourceLabel::Assistant, &*item.text);
            parts.answered.hashes.insert(item.hash);
            parts.answered.messages.push(Message {
                kind: Some(MessageKind::Background),
                interrupted: answer.cut.is_some(),
                ..message
            });
            if let Some(request) = self.background.iter_mut().find(|it| it.id == id) {
                request.answer = Some(entry);
            }
        }
        parts.answered
    }
}

/// The parts of an answer: what is stored before it, and the answer itself.
struct Parts {
    answered: Answered,
    /// `None` if nothing was said.
    item: Option<Item>,
    calls: Vec<Item>,
}

impl Parts {
    fn new(
        counters: &mut Counters,
        place: ConversationRef,
        answer: &Answer,
        key: &TextKey,
        at: Timestamp,
    ) -> Self {
        let mut answered = Answered::default();
        if !answer.reasoning.trim().is_empty() {
            let stored = counters.new_message_ref(at, false);
            let message = Message::new(&stored, place, SourceLabel::Assistant, &*answer.reasoning);
            answered.messages.push(Message {
                kind: Some(MessageKind::Reasoning),
                ..message
            });
            answered
                .hashes
                .insert(key.of_app("reasoning", &compared(&answer.reasoning)));
        }
        let item = Item::assistant(&answer.text, key);
        let calls = answer.tools.iter();
        let calls = calls.map(|(name, arguments)| Item::tool_call(name, arguments, key));
        Self {
            answered,
            item: (!item.is_empty()).then_some(item),
            // A tool for speaking is the answer itself.
            calls: calls.filter(|call| call.kind == Kind::ToolCall).collect(),
        }
    }
}

fn add_answer(
    session: &mut Session,
    counters: &mut Counters,
    turn: &PendingTurn,
    answer: &Answer,
    key: &TextKey,
    now: Timestamp,
) -> Answered {
    let at = answer.began.unwrap_or(now);
    let place = session.place();
    let Parts {
        mut answered,
        item,
        calls,
    } = Parts::new(counters, place, answer, key, at);
    let after = turn.after.and_then(|entry| session.index_of(entry));
    let start = after.map_or(0, |after| after + 1);
    if let Some(after) = after {
        session.entries[after].state = State::Done;
    }
    let rest = &session.entries[start..];
    let end = rest.iter().position(|entry| entry.kind == Kind::User);
    let mut end = end.map_or(session.entries.len(), |end| start + end);

    let is_known = |item: &Item| {
        session.entries[start..end].iter().any(|entry| {
            entry.kind == Kind::Assistant
                && !entry.is_older
                && (entry.hash, entry.exact) == (item.hash, item.exact)
        })
    };
    if let Some(item) = item.filter(|item| after.is_none() || !is_known(item)) {
        let mut stored = counters.new_message_ref(at, true);
        let message = Message::new(&stored, place, SourceLabel::Assistant, &*item.text);
        answered.messages.push(Message {
            interrupted: answer.cut.is_some(),
            ..message
        });
        answered.hashes.insert(item.hash);
        let mut entry = answer_entry(counters, &item, answer);
        // A history that came before the answer was stored.
        let heard = session.entries[start..end].iter();
        let heard = heard
            .filter(|it| it.kind == Kind::Assistant && it.is_older && it.length < entry.length)
            .find(|it| {
                let beginning = item.compared.get(..it.length);
                beginning.is_some_and(|text| key.of_item(Kind::Assistant, text) == it.hash)
            });
        if let Some(heard) = heard
            .map(|it| it.number)
            .and_then(|it| session.index_of(it))
        {
            let heard = session.entries.remove(heard);
            end -= 1;
            stored.generated = false;
            answered.heard = Some(Heard {
                id: stored.id,
                compared: item.compared[..heard.length].to_owned(),
            });
            (entry.hash, entry.length) = (heard.hash, heard.length);
        }
        entry.stored = Some(stored);
        session.entries.insert(end, entry);
        end += 1;
    }
    for call in calls {
        let stored = counters.new_message_ref(at, false);
        answered.messages.push(tool_call(&call, &stored, place));
        answered.hashes.insert(call.hash);
        let mut entry = Entry::new(next(&mut counters.entries), &call);
        entry.stored = Some(stored);
        session.entries.insert(end, entry);
        end += 1;
    }
    answered
}

fn tool_call(call: &Item, stored: &StoredRef, place: ConversationRef) -> Message {
    Message {
        is_tool_call: true,
        ..Message::new(stored, place, SourceLabel::Assistant, &*call.text)
    }
}

fn answer_entry(counters: &mut Counters, item: &Item, answer: &Answer) -> Entry {
    let mut entry = Entry::new(next(&mut counters.entries), item);
    entry.state = match answer.cut {
        Some(by) => State::Cut {
            by_client: by == CutBy::Client,
        },
        None if answer.has_error => State::Cut { by_client: false },
        None => State::Done,
    };
    entry
}
