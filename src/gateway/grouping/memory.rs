//! What is stored of one key and child between requests: their recent sessions and unanswered requests.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::answer::{Answer, CutBy};
use super::choice::ClientHabits;
use super::entry::{Entry, Kept, State};
use super::history::{Item, Kind};
use super::message::{FoldedId, Message, Place, SessionNumber, TurnId};
use super::session::{Counters, Session, next};
use super::update::confirm_pending;
use crate::kernel::clock::Timestamp;

/// A session ends after this long without a request or an answer.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// The maximum size of all sessions together, in bytes. The least recently seen ones are forgotten first.
const MAX_BYTES: usize = 1024 * 1024;

const MAX_SESSIONS: usize = 32;
const MAX_FOLDED: usize = 32;
const MAX_TURNS: usize = 64;

/// The recent sessions of one key and child, as far as later requests are compared with them.
///
/// A request is [`begin`](Self::begin)ed before it is passed on. Then exactly one of [`answered`](Self::answered) and
/// [`failed`](Self::failed) follows. Numbers of sessions and messages are never reused.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Grouping {
    /// Ordered by when they were last seen.
    pub(super) sessions: Vec<Session>,
    pub(super) folded: Vec<Folded>,
    pub(super) turns: Vec<Turn>,
    pub(super) counters: Counters,
    pub(super) sends_history: bool,
    /// Whether the client adds messages of its own in the user's name, and omits them from later histories.
    pub(super) adds_words: bool,
    pub(super) first_turns: u64,
}

/// A background request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Folded {
    pub id: FoldedId,
    pub at: Timestamp,
    pub words: Option<Entry>,
    pub answer: Option<Entry>,
}

/// A request that awaits its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Turn {
    pub id: TurnId,
    pub at: Timestamp,
    pub place: Place,
    /// The entry that is answered; `None` at the start of the session.
    pub after: Option<u64>,
    pub is_first_turn: bool,
}

/// What an answer adds.
#[derive(Clone, Debug, Default)]
pub struct Answered {
    /// `None` without text, or if the session has the same answer to these words already.
    pub message: Option<Message>,
    /// The names of the called tools, in order.
    pub tools: Vec<String>,
}

impl Grouping {
    pub(super) fn habits(&self) -> ClientHabits {
        ClientHabits {
            sends_history: self.sends_history,
            first_turns: self.first_turns,
        }
    }

    /// Records what was sent to the client.
    pub fn answered(&mut self, turn: TurnId, answer: &Answer, now: Timestamp) -> Answered {
        if answer.is_empty() && (answer.has_error || answer.cut.is_some()) {
            self.failed(turn, now);
            return Answered::default();
        }
        let Some(turn) = self.take_turn(turn) else {
            return Answered::default();
        };
        if turn.is_first_turn {
            self.first_turns += 1;
        }
        let message = match turn.place {
            Place::Session(number) => self.answer_session(&turn, number, answer, now),
            Place::Folded(id) => self.answer_folded(&turn, id, answer, now),
        };
        Answered {
            message,
            tools: answer.tool_names().map(str::to_owned).collect(),
        }
    }

    /// Records that nothing was sent to the client.
    pub fn failed(&mut self, turn: TurnId, now: Timestamp) {
        let Some(turn) = self.take_turn(turn) else {
            return;
        };
        let Place::Session(number) = turn.place else {
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

    /// Ends the sessions that were idle too long. Returns the words that were pending in them. To be called periodically, because
    /// no further request may come.
    pub fn end_idle(&mut self, now: Timestamp) -> Vec<Message> {
        self.turns.retain(|turn| now.since(turn.at) <= IDLE);
        self.folded.retain(|folded| now.since(folded.at) <= IDLE);
        let is_over = |session: &mut Session| now.since(session.seen) > IDLE;
        let ended = self.sessions.extract_if(.., is_over);
        ended.flat_map(pending_of).collect()
    }

    /// All places of which something is remembered.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let sessions = self.sessions.iter().map(Session::place);
        let folded = self.folded.iter().map(|folded| Place::Folded(folded.id));
        let turns = self.turns.iter().map(|turn| turn.place);
        sessions.chain(folded).chain(turns)
    }

    /// Forgets what is at this place, because it was erased.
    pub fn forget(&mut self, place: Place) {
        self.turns.retain(|turn| turn.place != place);
        match place {
            Place::Session(number) => self.sessions.retain(|it| it.number != number),
            Place::Folded(id) => self.folded.retain(|it| it.id != id),
        }
    }

    /// Where the request belongs, if it awaits its answer.
    pub fn place_of(&self, turn: TurnId) -> Option<Place> {
        let turn = self.turns.iter().find(|open| open.id == turn);
        turn.map(|turn| turn.place)
    }

    /// Whether something was idle too long.
    pub fn has_idle(&self, now: Timestamp) -> bool {
        let sessions = self.sessions.iter().map(|session| session.seen);
        let folded = self.folded.iter().map(|folded| folded.at);
        let turns = self.turns.iter().map(|turn| turn.at);
        let mut seen = sessions.chain(folded).chain(turns);
        seen.any(|at| now.since(at) > IDLE)
    }

    /// The requests that await their answer.
    pub fn open_turns(&self) -> impl Iterator<Item = TurnId> {
        self.turns.iter().map(|turn| turn.id)
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.folded.is_empty() && self.turns.is_empty()
    }

    /// Forgets the oldest sessions beyond the limits. Returns the words that were pending in them.
    pub(super) fn forget_oldest(&mut self) -> Vec<Message> {
        let mut messages = Vec::new();
        for session in &mut self.sessions {
            let place = session.place();
            let mut forgotten = session.forget_oldest();
            let pending = forgotten.iter_mut();
            messages.extend(pending.filter_map(|entry| confirm_pending(entry, place)));
        }
        let mut bytes = self.sessions.iter().map(Session::size).sum::<usize>();
        while self.sessions.len() > MAX_SESSIONS || (bytes > MAX_BYTES && self.sessions.len() > 1) {
            let forgotten = self.sessions.remove(0);
            bytes -= forgotten.size();
            messages.extend(pending_of(forgotten));
        }
        let surplus = self.folded.len().saturating_sub(MAX_FOLDED);
        self.folded.drain(..surplus);
        let surplus = self.turns.len().saturating_sub(MAX_TURNS);
        self.turns.drain(..surplus);
        messages
    }

    fn take_turn(&mut self, id: TurnId) -> Option<Turn> {
        let index = self.turns.iter().position(|turn| turn.id == id)?;
        Some(self.turns.remove(index))
    }

    /// Returns the session, after marking it as the last one seen.
    fn touch(&mut self, number: SessionNumber, now: Timestamp) -> Option<&mut Session> {
        let index = self.sessions.iter().position(|it| it.number == number)?;
        self.sessions[index..].rotate_left(1);
        let session = self.sessions.last_mut()?;
        session.seen = session.seen.max(now);
        Some(session)
    }

    fn answer_session(
        &mut self,
        turn: &Turn,
        number: SessionNumber,
        answer: &Answer,
        now: Timestamp,
    ) -> Option<Message> {
        let mut counters = std::mem::take(&mut self.counters);
        let mut forgotten = Session::new(number, now);
        // An answer to a forgotten session is kept, too.
        let session = self.touch(number, now).unwrap_or(&mut forgotten);
        let message = add_answer(session, &mut counters, turn, answer, now);
        self.counters = counters;
        message
    }

    fn answer_folded(
        &mut self,
        turn: &Turn,
        id: FoldedId,
        answer: &Answer,
        now: Timestamp,
    ) -> Option<Message> {
        let item = Item::assistant(&answer.text)?;
        let kept = self.counters.kept(answer.began.unwrap_or(now), true);
        let entry = answer_entry(&mut self.counters, kept, &item, answer);
        let message = entry.message(turn.place, &item, answer.cut.is_some());
        if let Some(folded) = self.folded.iter_mut().find(|folded| folded.id == id) {
            folded.answer = Some(entry);
        }
        message
    }
}

fn add_answer(
    session: &mut Session,
    counters: &mut Counters,
    turn: &Turn,
    answer: &Answer,
    now: Timestamp,
) -> Option<Message> {
    let item = Item::assistant(&answer.text);
    let after = turn.after.and_then(|entry| session.index_of(entry));
    let mut start = after.map_or(0, |after| after + 1);
    if let Some(after) = after {
        session.entries[after].state = State::Done;
    }
    let before = session.entries[..start].iter_mut();
    let words = before.rev().find(|entry| entry.kind == Kind::User);
    let discarded = words.filter(|_| item.is_some());
    let mut discarded = discarded.and_then(|words| words.discarded.take());
    let id = discarded.as_ref().map(|kept| kept.id);
    let is_discarded =
        |entry: &Entry| id.is_some() && entry.kept.as_ref().map(|kept| kept.id) == id;
    if let Some(index) = session.entries.iter().position(is_discarded) {
        // A history may have corrected it meanwhile.
        discarded = session.entries.remove(index).kept;
        start -= usize::from(index < start);
    }
    let rest = &session.entries[start..];
    let end = rest.iter().position(|entry| entry.kind == Kind::User);
    let mut end = end.map_or(session.entries.len(), |end| start + end);

    let is_known = |item: &Item| {
        session.entries[start..end]
            .iter()
            .any(|entry| entry.kind == Kind::Assistant && entry.compared == item.compared)
    };
    let item = item.filter(|item| after.is_none() || !is_known(item));
    let message = item.and_then(|item| {
        let kept = match discarded {
            Some(kept) => Kept {
                revision: kept.revision + 1,
                generated: true,
                ..kept
            },
            None => counters.kept(answer.began.unwrap_or(now), true),
        };
        let entry = answer_entry(counters, kept, &item, answer);
        let message = entry.message(session.place(), &item, answer.cut.is_some());
        session.entries.insert(end, entry);
        end += 1;
        message
    });
    for (name, arguments) in &answer.tools {
        let call = Item::tool_call(name, arguments);
        if call.kind == Kind::ToolCall {
            let entry = Entry::new(next(&mut counters.entries), &call);
            session.entries.insert(end, entry);
            end += 1;
        }
    }
    message
}

fn answer_entry(counters: &mut Counters, kept: Kept, item: &Item, answer: &Answer) -> Entry {
    let mut entry = Entry::new(next(&mut counters.entries), item);
    entry.state = match answer.cut {
        Some(by) => State::Cut {
            by_client: by == CutBy::Client,
        },
        None if answer.has_error => State::Cut { by_client: false },
        None => State::Done,
    };
    entry.kept = Some(kept);
    entry
}

fn pending_of(mut session: Session) -> Vec<Message> {
    let place = session.place();
    let pending = session.entries.iter_mut();
    let messages = pending.filter_map(|entry| confirm_pending(entry, place));
    messages.collect()
}
