//! Assigns a new request to a session, and updates what is remembered.

use super::alignment::{Alignment, Matcher, align};
use super::choice::choose;
use super::entry::Entry;
use super::history::Item;
use super::kind::Kind;
use super::memory::{BackgroundRequest, ConversationTracker, PendingTurn};
use super::message::{
    BackgroundId, ConversationRef, Message, MessageId, SessionNumber, SourceLabel, TurnId,
};
use super::request::{Quoted, Request};
use super::session::{Counters, Session, next};
use super::stored_text_lookup::StoredTextLookup;
use super::update::{Additions, Update};
use crate::conversations::transcripts::MessageKind;
use crate::kernel::host::clock::Timestamp;

/// The effects of a request, which must be stored before the request is forwarded.
#[derive(Clone, Debug)]
pub struct Begun {
    /// Identifies the request when its answer arrives.
    pub turn: TurnId,
    pub place: ConversationRef,
    /// Whether the session is new.
    pub is_new: bool,
    /// The session beside which a background request is shown.
    pub beside: Option<SessionNumber>,
    pub added: Additions,
    /// The background requests that turned out to be the session's.
    pub moved_in: Vec<MovedIn>,
}

/// A background request whose messages belong to a session now.
#[derive(Clone, Debug)]
pub struct MovedIn {
    pub background: BackgroundId,
    /// Its messages, each with its new revision.
    pub messages: Vec<(MessageId, u64)>,
}

impl ConversationTracker {
    /// Whether the request looks like the app's own, but quotes something that isn't stored of this child: perhaps not yet.
    pub fn quotes_unknown(&self, request: &Request, stored: &dyn StoredTextLookup) -> bool {
        let is_known =
            |text: &Quoted| text.is_stored(stored) || self.has_answer(&text.answer, stored);
        let quoted = request.quoted.as_ref();
        quoted.is_some_and(|quoted| !quoted.iter().all(is_known))
    }

    /// Whether an answer in a recent session begins with this.
    fn has_answer(&self, item: &Item, stored: &dyn StoredTextLookup) -> bool {
        self.sessions.iter().any(|session| {
            let matcher = Matcher::new(stored, session.place());
            session
                .entries
                .iter()
                .any(|it| matcher.weight(item, it) > 0)
        })
    }

    /// Assigns a request to a recent or new session, or to the background requests.
    pub fn begin(
        &mut self,
        request: &Request,
        stored: &dyn StoredTextLookup,
        now: Timestamp,
    ) -> Begun {
        self.forget_idle(now);
        let is_own = request.quoted.is_some() && !self.quotes_unknown(request, stored);
        let mut begun = if is_own {
            self.put_in_background(request, now)
        } else {
            self.put_in_conversation(request, stored, now)
        };
        add_app_texts(&mut begun, &mut self.counters, request, stored, now);
        self.forget_oldest();
        begun
    }

    fn put_in_conversation(
        &mut self,
        request: &Request,
        stored: &dyn StoredTextLookup,
        now: Timestamp,
    ) -> Begun {
        let history = &request.history;
        let chosen = choose(&self.sessions, request, self.habits(), stored, now);
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
        session.is_changed = true;
        session.seen = session.seen.max(now);
        session.id = request.session.or(session.id);
        session.separators.update(&request.separators);
        session.has_only_first_turns &= history.len() == 1;
        let moved_in = self.move_in(&mut session, history, &alignment, stored);
        let alignment = if moved_in.is_empty() {
            alignment
        } else {
            let matcher = Matcher::new(stored, session.place());
            align(history, &session.entries, &matcher)
        };
        let mut update = Update {
            session: &mut session,
            others: &self.sessions,
            counters: &mut self.counters,
            stored,
            request,
            is_new,
            now,
            added: Additions::default(),
        };
        let after = update.apply(alignment);
        let added = update.added;
        let place = session.place();
        self.sessions.push(session);
        Begun {
            turn: self.add_turn(place, after, history.len() == 1, now),
            place,
            is_new,
            beside: None,
            added,
            moved_in,
        }
    }

    /// Stores a background request outside of the sessions.
    fn put_in_background(&mut self, request: &Request, now: Timestamp) -> Begun {
        let beside = self.sessions.iter().rev();
        let beside = beside
            .filter(|session| request.session.is_none() || session.id == request.session)
            .map(|session| session.number)
            .next();
        let mut words = request.history.iter();
        let words = words.rfind(|item| item.kind == Kind::User);
        let is_unanswered_same = |it: &&BackgroundRequest| {
            let known = it.words.as_ref().map(|entry| entry.hash);
            it.answer.is_none() && known.is_some() && known == words.map(|it| it.hash)
        };
        let repeated = self.background.iter().rfind(is_unanswered_same);
        let repeated = repeated.map(|it| it.id);
        let id = repeated.unwrap_or_else(|| BackgroundId(next(&mut self.counters.background)));
        let place = ConversationRef::Background(id);
        let mut added = Additions::default();
        if repeated.is_none() {
            let words = words.map(|item| {
                let stored = self.counters.new_message_ref(now, false);
                let message = Message::new(&stored, place, SourceLabel::Child, &*item.text);
                added.messages.push(Message {
                    kind: Some(MessageKind::Background),
                    ..message
                });
                Entry {
                    stored: Some(stored),
                    ..Entry::new(next(&mut self.counters.entries), item)
                }
            });
            self.background.push(BackgroundRequest {
                id,
                at: now,
                words,
                answer: None,
            });
        }
        Begun {
            turn: self.add_turn(place, None, false, now),
            place,
            is_new: false,
            beside,
            added,
            moved_in: Vec::new(),
        }
    }

    /// Moves background requests into the session if its history has their words and their answer.
    fn move_in(
        &mut self,
        session: &mut Session,
        history: &[Item],
        alignment: &Alignment,
        stored: &dyn StoredTextLookup,
    ) -> Vec<MovedIn> {
        let mut alignment = alignment.clone();
        let mut moved = Vec::new();
        for item in 0..history.len().saturating_sub(1) {
            let is_unknown = |item| alignment.entry_of(item).is_none();
            if history[item].kind != Kind::User || !is_unknown(item) || !is_unknown(item + 1) {
                continue;
            }
            let found = self.background.iter().position(|it| {
                let matcher = Matcher::new(stored, ConversationRef::Background(it.id));
                let matches = |entry: &Option<Entry>, item: &Item| {
                    entry
                        .as_ref()
                        .is_some_and(|entry| matcher.weight(item, entry) > 0)
                };
                matches(&it.words, &history[item]) && matches(&it.answer, &history[item + 1])
            });
            let Some(found) = found else {
                continue;
            };
            let request = self.background.remove(found);
            let mut messages = Vec::new();
            let place = alignment.place_for(item);
            let entries = [request.words, request.answer].into_iter().flatten();
            for (offset, mut entry) in entries.enumerate() {
                if let Some(stored) = &mut entry.stored {
                    stored.revision += 1;
                    messages.push((stored.id, stored.revision));
                }
                session.entries.insert(place + offset, entry);
                alignment.insert(item + offset, place + offset);
            }
            moved.push(MovedIn {
                background: request.id,
                messages,
            });
        }
        moved
    }

    fn add_turn(
        &mut self,
        place: ConversationRef,
        after: Option<u64>,
        is_first_turn: bool,
        now: Timestamp,
    ) -> TurnId {
        let id = TurnId(next(&mut self.counters.turns));
        self.turns.push(PendingTurn {
            id,
            at: now,
            place,
            after,
            is_first_turn,
        });
        id
    }
}

/// Stores the app's own texts that the model reads: whole the first time, later only the lines that changed. If nothing else
/// says what a new session is about, they are stored whole again.
fn add_app_texts(
    begun: &mut Begun,
    counters: &mut Counters,
    request: &Request,
    stored: &dyn StoredTextLookup,
    now: Timestamp,
) {
    let place = begun.place;
    let (mut first, mut hashes) = (Vec::new(), Vec::new());
    let mut add = |kind, source, text: String| {
        let reference = counters.new_message_ref(now, false);
        first.push(Message {
            kind: Some(kind),
            from_app: source == SourceLabel::Assistant,
            ..Message::new(&reference, place, source, text)
        });
    };
    let is_all = begun.is_new && begun.added.messages.is_empty();
    for text in &request.app_texts {
        if !is_all && stored.has(text.hash) {
            continue;
        }
        let (new, unknown) = text.compare(stored);
        let parts = if is_all {
            text.parts.iter().collect()
        } else {
            new
        };
        if !parts.is_empty() {
            let lines = parts.iter().map(|part| part.text.as_str());
            let text = lines.collect::<Vec<_>>().join("\n");
            add(MessageKind::Instructions, SourceLabel::App, text);
        }
        hashes.extend(unknown);
    }
    let unknown = request.reasoning.iter();
    for note in unknown.filter(|note| !stored.has(note.hash)) {
        add(
            MessageKind::Reasoning,
            SourceLabel::Assistant,
            note.text.clone(),
        );
        hashes.push(note.hash);
    }
    begun.added.messages.splice(0..0, first);
    begun.added.hashes.extend(hashes);
}
