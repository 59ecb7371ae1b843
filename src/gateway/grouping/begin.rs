//! Assigns a new request to a session, and updates the memory.

use super::alignment::{Alignment, align};
use super::background::BackgroundReason;
use super::choice::choose;
use super::entry::Entry;
use super::history::{Item, Kind};
use super::memory::{Folded, Grouping, Turn};
use super::message::{FoldedId, Message, MessageId, Place, SessionNumber, TurnId};
use super::request::Request;
use super::session::{Session, next};
use super::update::{Asked, Update};
use crate::kernel::clock::Timestamp;

/// Only longer texts, in compared form, count as quotations.
const MIN_QUOTED: usize = 8;

/// The effects of a request, which must be stored before the request is forwarded.
#[derive(Clone, Debug)]
pub struct Begun {
    /// Identifies the request when its answer arrives.
    pub turn: TurnId,
    pub place: Place,
    /// Whether the session is new.
    pub is_new: bool,
    /// Whether it repeats the words of an earlier request, or a longer form of them.
    pub is_repeated: bool,
    /// Why it is the program's own request; `None` if it is the child's.
    pub background: Option<BackgroundReason>,
    /// The session beside which a background request is shown.
    pub beside: Option<SessionNumber>,
    /// New messages and new revisions. Some can belong to other sessions, which ended.
    pub messages: Vec<Message>,
    /// The messages that the history confirms to have been heard as sent.
    pub confirmed: Vec<MessageId>,
    /// The background requests that turned out to be the session's.
    pub moved_in: Vec<MovedIn>,
}

/// A background request whose messages belong to a session now.
#[derive(Clone, Debug)]
pub struct MovedIn {
    pub folded: FoldedId,
    /// Its messages, each with its new revision.
    pub messages: Vec<(MessageId, u64)>,
}

impl Grouping {
    /// Assigns a request to a recent or new session, or to the background requests.
    pub fn begin(&mut self, request: &Request, now: Timestamp) -> Begun {
        let mut ended = self.end_idle(now);
        let reason = request.background.or_else(|| {
            self.quotes_session(request)
                .then_some(BackgroundReason::Quotation)
        });
        let mut begun = match reason {
            Some(reason) => self.fold(request, reason, now),
            None => self.converse(request, now),
        };
        ended.append(&mut begun.messages);
        begun.messages = ended;
        begun.messages.extend(self.forget_oldest());
        begun
    }

    fn converse(&mut self, request: &Request, now: Timestamp) -> Begun {
        let history = &request.history;
        let chosen = choose(&self.sessions, request, self.habits(), now);
        let is_new = chosen.is_none();
        let (mut session, alignment) = match chosen {
            Some(choice) => (self.sessions.remove(choice.session), choice.alignment),
            None => {
                let number = SessionNumber(next(&mut self.counters.sessions));
                (Session::new(number, now), Alignment::default())
            }
        };
        self.sends_history |= alignment
            .pairs()
            .iter()
            .any(|(item, _)| matches!(history[*item].kind, Kind::Assistant | Kind::ToolCall));
        session.seen = session.seen.max(now);
        session.id = request.session.clone().or(session.id);
        session.separators.update(&request.separators);
        session.has_only_first_turns &= history.len() == 1;
        let moved_in = self.move_in(&mut session, history, &alignment);

        let mut update = Update {
            session: &mut session,
            others: &self.sessions,
            counters: &mut self.counters,
            adds_words: &mut self.adds_words,
            history,
            now,
            messages: Vec::new(),
            confirmed: Vec::new(),
        };
        let is_aligned = !alignment.is_empty() || !moved_in.is_empty();
        let mut alignment = alignment;
        if is_aligned {
            alignment = align(history, &update.session.entries);
            update.confirm(&alignment);
            update.settle_pending(&alignment);
            update.add_unsent(align(history, &update.session.entries));
            alignment = align(history, &update.session.entries);
            update.add_tools(&alignment);
        } else if is_new {
            update.add_older();
        }
        let asked = update.add_words(&alignment, request.ends_with_instruction, request.is_retry);
        let (messages, confirmed) = (update.messages, update.confirmed);

        let place = session.place();
        self.sessions.push(session);
        if asked.is_superseding {
            self.turns
                .retain(|turn| turn.place != place || turn.after != asked.after);
        }
        Begun {
            turn: self.add_turn(place, &asked, history.len() == 1, now),
            place,
            is_new,
            is_repeated: asked.is_repeated,
            background: None,
            beside: None,
            messages,
            confirmed,
            moved_in,
        }
    }

    /// Stores a background request outside of the sessions.
    fn fold(&mut self, request: &Request, reason: BackgroundReason, now: Timestamp) -> Begun {
        let beside = self.sessions.iter().rev();
        let beside = beside
            .filter(|session| request.session.is_none() || session.id == request.session)
            .map(|session| session.number)
            .next();
        let words = request
            .history
            .last()
            .filter(|item| item.kind == Kind::User);
        let is_unanswered_same = |folded: &&Folded| {
            let known = folded.words.as_ref().map(|entry| &entry.compared);
            folded.answer.is_none() && known.is_some() && known == words.map(|it| &it.compared)
        };
        let repeated = self.folded.iter().rfind(is_unanswered_same);
        let repeated = repeated.map(|folded| folded.id);
        let is_repeated = repeated.is_some();
        let id = repeated.unwrap_or_else(|| FoldedId(next(&mut self.counters.folded)));
        let place = Place::Folded(id);
        let mut messages = Vec::new();
        if !is_repeated {
            let words = words.map(|item| {
                let mut entry = Entry::new(next(&mut self.counters.entries), item);
                entry.kept = Some(self.counters.kept(now, false));
                messages.extend(entry.message(place, item, false));
                entry
            });
            self.folded.push(Folded {
                id,
                at: now,
                words,
                answer: None,
            });
        }
        let asked = Asked {
            after: None,
            is_repeated,
            is_superseding: false,
        };
        Begun {
            turn: self.add_turn(place, &asked, false, now),
            place,
            is_new: false,
            is_repeated,
            background: Some(reason),
            beside,
            messages,
            confirmed: Vec::new(),
            moved_in: Vec::new(),
        }
    }

    /// Moves background requests into the session if its history has their words and their answer.
    fn move_in(
        &mut self,
        session: &mut Session,
        history: &[Item],
        alignment: &Alignment,
    ) -> Vec<MovedIn> {
        let mut alignment = alignment.clone();
        let mut moved = Vec::new();
        for item in 0..history.len().saturating_sub(1) {
            let is_unknown = |item| alignment.entry_of(item).is_none();
            if history[item].kind != Kind::User || !is_unknown(item) || !is_unknown(item + 1) {
                continue;
            }
            let matches = |entry: &Option<Entry>, item: &Item| {
                let weight = |entry| super::alignment::weight(item, entry);
                entry.as_ref().is_some_and(|entry| weight(entry) > 0)
            };
            let found = self.folded.iter().position(|folded| {
                matches(&folded.words, &history[item])
                    && matches(&folded.answer, &history[item + 1])
            });
            let Some(found) = found else {
                continue;
            };
            let folded = self.folded.remove(found);
            let mut messages = Vec::new();
            let place = alignment.place_for(item);
            let entries = [folded.words, folded.answer].into_iter().flatten();
            for (offset, mut entry) in entries.enumerate() {
                if let Some(kept) = &mut entry.kept {
                    kept.revision += 1;
                    messages.push((kept.id, kept.revision));
                }
                session.entries.insert(place + offset, entry);
                alignment.insert(item + offset, place + offset);
            }
            moved.push(MovedIn {
                folded: folded.id,
                messages,
            });
        }
        moved
    }

    /// Whether the only message quotes at least two of a recent session.
    fn quotes_session(&self, request: &Request) -> bool {
        let [only] = request.history.as_slice() else {
            return false;
        };
        self.sessions.iter().any(|session| {
            let kept = session.entries.iter().rev();
            let kept = kept.filter(|entry| entry.kept.is_some() && entry.pending.is_none());
            let mut quoted = kept
                .take(8)
                .map(|entry| entry.compared.as_str())
                .filter(|text| text.len() > MIN_QUOTED && only.compared.contains(text))
                .collect::<Vec<_>>();
            quoted.sort_unstable();
            quoted.dedup();
            only.kind == Kind::User && quoted.len() >= 2
        })
    }

    fn add_turn(
        &mut self,
        place: Place,
        asked: &Asked,
        is_first_turn: bool,
        now: Timestamp,
    ) -> TurnId {
        let id = TurnId(next(&mut self.counters.turns));
        self.turns.push(Turn {
            id,
            at: now,
            place,
            after: asked.after,
            is_first_turn,
        });
        id
    }
}
