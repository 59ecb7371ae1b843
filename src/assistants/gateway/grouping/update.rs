//! Applies a request's history to its session.

use std::collections::BTreeSet;

use super::alignment::{Alignment, Matcher, words_start};
use super::choice::is_longer_form;
use super::entry::{Entry, State};
use super::history::Item;
use super::kind::Kind;
use super::message::{ConversationRef, Message, MessageId, SourceLabel, StoredRef};
use super::request::Request;
use super::session::{Counters, Session, next};
use super::stored_text_lookup::StoredTextLookup;
use super::text_hash::TextHash;
use crate::conversations::transcripts::MessageKind;
use crate::kernel::host::clock::Timestamp;

/// A message of which the child heard only the beginning.
#[derive(Clone, Debug)]
pub struct Heard {
    pub id: MessageId,
    /// What was heard, in its compared form.
    pub compared: String,
}

/// What a request adds to the transcripts, except for its answer.
#[derive(Clone, Debug, Default)]
pub struct Additions {
    /// New messages and new revisions.
    pub messages: Vec<Message>,
    /// The messages that the history confirms to have been heard as sent.
    pub confirmed: Vec<MessageId>,
    /// The messages that the history confirms to have been heard in part.
    pub heard: Vec<Heard>,
    /// The hashes of the texts that are stored with it.
    pub hashes: BTreeSet<TextHash>,
}

pub struct Update<'a> {
    pub session: &'a mut Session,
    pub others: &'a [Session],
    pub counters: &'a mut Counters,
    pub stored: &'a dyn StoredTextLookup,
    pub request: &'a Request,
    pub is_new: bool,
    pub now: Timestamp,
    pub added: Additions,
}

/// How an item is stored.
#[derive(Clone, Copy)]
enum As {
    /// A part of the conversation.
    Said,
    /// Older than the conversation, or something in the place of what was said.
    Earlier,
}

impl Update<'_> {
    /// Stores what is new in the history. What makes an item old is that it is known: `alignment` pairs it with an entry.
    pub fn apply(&mut self, alignment: Alignment) -> Option<u64> {
        self.confirm(&alignment);
        self.add_overflow();
        let known = alignment.last().map(|(item, _)| item + 1);
        let first_new = match known {
            Some(known) => {
                self.add_missing(alignment);
                known
            }
            None => {
                let start = words_start(&self.request.history);
                self.add_older(start);
                start
            }
        };
        self.add_new(first_new)
    }

    /// Compares the answers with the part that the child heard, and the child's earlier words with what is sent in their place.
    fn confirm(&mut self, alignment: &Alignment) {
        let request = self.request;
        for (place, index) in alignment.pairs() {
            let item = &request.history[*place];
            let is_last = place + 1 == request.history.len();
            let entry = &mut self.session.entries[*index];
            if item.kind == Kind::User && item.exact != entry.exact && !is_last {
                if !self.stored.has(item.exact) {
                    self.store(item, As::Earlier);
                    self.added.hashes.insert(item.exact);
                }
                continue;
            }
            let Some(stored) = &mut entry.stored else {
                continue;
            };
            if item.kind != Kind::Assistant || !std::mem::take(&mut stored.generated) {
                continue;
            }
            if item.hash == entry.hash {
                self.added.confirmed.push(stored.id);
                continue;
            }
            self.added.heard.push(Heard {
                id: stored.id,
                compared: item.compared.clone(),
            });
            entry.become_text_of(item);
            self.added.hashes.insert(item.hash);
        }
    }

    /// Stores the items of a very long history that come before those that are compared.
    fn add_overflow(&mut self) {
        let request = self.request;
        for item in &request.overflow {
            if !item.is_empty() && !self.is_stored(item) {
                self.store(item, As::Earlier);
            }
        }
    }

    /// Adds the items between known ones that the session doesn't have: greetings and other texts of the client's own. Another
    /// text in the place of an answer, or other words in the place of the child's, are stored beside the conversation.
    fn add_missing(&mut self, mut alignment: Alignment) {
        let request = self.request;
        let (first, last) = match alignment.pairs() {
            [first, .., last] => (first.0, last.0),
            [only] => (only.0, only.0),
            [] => return,
        };
        for index in 0..last {
            let item = &request.history[index];
            if alignment.entry_of(index).is_some() || item.is_empty() {
                continue;
            }
            let place = alignment.place_for(index);
            let end = alignment.next_entry(index, self.session.entries.len());
            let is_own_text = item.kind == Kind::Assistant
                && index > first
                && !self.is_replaced(place, end)
                && !self.has_same_answer(item);
            let (at, stored_as) = if is_own_text {
                (end, As::Said)
            } else {
                (place, As::Earlier)
            };
            let mut entry = self.entry_of_history(item, stored_as);
            entry.is_older = matches!(stored_as, As::Earlier);
            self.session.entries.insert(at, entry);
            alignment.insert(index, at);
        }
    }

    /// Whether the entries between these indices have an answer, or await one.
    fn is_replaced(&self, place: usize, end: usize) -> bool {
        let entries = &self.session.entries;
        let before = place.checked_sub(1).map(|before| &entries[before]);
        let mut between = entries[place..end].iter();
        before.is_some_and(|entry| entry.state.is_incomplete())
            || between.any(|entry| entry.state.is_incomplete() || entry.kind == Kind::Assistant)
    }

    fn has_same_answer(&self, item: &Item) -> bool {
        let mut entries = self.session.entries.iter();
        entries.any(|entry| entry.kind == Kind::Assistant && entry.hash == item.hash)
    }

    /// Adds the part of a history that began before its first known item. A greeting is part of the conversation. Longer
    /// histories are examples for the model, or from another day, and answers that we sent in another session are no greetings.
    fn add_older(&mut self, end: usize) {
        let request = self.request;
        let older = &request.history[..end];
        let is_greeting = self.is_new
            && older.iter().all(|item| item.kind == Kind::Assistant)
            && !older.iter().any(|item| self.is_elsewhere(item));
        for item in older.iter().filter(|item| !item.is_empty()) {
            let mut entry = if is_greeting {
                self.stored_entry(item, As::Said)
            } else {
                self.entry_of_history(item, As::Earlier)
            };
            entry.is_older = true;
            self.session.entries.push(entry);
        }
    }

    /// Adds the items from this index on, and decides what the request asks about.
    fn add_new(&mut self, first_new: usize) -> Option<u64> {
        let request = self.request;
        let new = request.history[first_new..].iter();
        let new = new.filter(|item| !item.is_empty()).collect::<Vec<_>>();
        if !new.iter().any(|item| item.kind == Kind::User) {
            let asked = self.ask_again(first_new);
            self.add_all(&new);
            return asked;
        }
        let shorter = match new.as_slice() {
            [only] => self.shorter_form(only, first_new),
            _ => None,
        };
        match shorter {
            Some(index) => self.lengthen(index, new[0]),
            None => self.add_all(&new),
        }
    }

    /// Appends items.
    fn add_all(&mut self, new: &[&Item]) -> Option<u64> {
        let first_words = new.iter().position(|item| item.kind == Kind::User);
        let last_words = new.iter().rposition(|item| item.kind == Kind::User);
        let is_awaited = self.awaits_answer();
        let mut after = None;
        for (index, item) in new.iter().enumerate() {
            let is_last = Some(index) == last_words;
            let is_words = item.kind == Kind::User;
            // If we grouped wrongly before, words before the last can be in another session already.
            let is_elsewhere = is_words && self.is_new && !is_last && self.is_elsewhere(item);
            let mut entry = match item.kind {
                Kind::User if is_elsewhere => self.older_entry(item),
                Kind::User => self.stored_entry(item, As::Said),
                // The client's own error message, or what it had of an answer that is not stored yet.
                Kind::Assistant if is_awaited && first_words.is_none_or(|first| index < first) => {
                    Entry {
                        is_older: true,
                        ..self.entry_of_history(item, As::Earlier)
                    }
                }
                // Knowledge for the model, or the beginning of its answer. Nobody heard it.
                Kind::Assistant if last_words.is_none_or(|last| index > last) => {
                    self.entry_of_history(item, As::Earlier)
                }
                _ => self.entry_of_history(item, As::Said),
            };
            if is_words && is_last {
                entry.state = State::Asked;
                after = Some(entry.number);
            }
            self.session.entries.push(entry);
        }
        after.or(self.session.entries.last().map(|entry| entry.number))
    }

    /// Whether the last words have no answer that is known to have been heard.
    fn awaits_answer(&self) -> bool {
        let last = self.session.entries.last();
        last.is_some_and(|last| {
            let is_unconfirmed = last.stored.as_ref().is_some_and(|it| it.generated);
            last.state.is_incomplete() || last.kind == Kind::Assistant && is_unconfirmed
        })
    }

    fn older_entry(&mut self, item: &Item) -> Entry {
        Entry {
            is_older: true,
            ..self.entry(item)
        }
    }

    /// A request without new words: the same last words again, or an instruction to speak.
    fn ask_again(&mut self, first_new: usize) -> Option<u64> {
        let request = self.request;
        let last = first_new.checked_sub(1).map(|last| &request.history[last]);
        let last = last.filter(|last| last.kind == Kind::User && !request.ends_with_instruction);
        let known = last.and_then(|last| {
            let words = self.session.entries.iter().enumerate();
            let words = words.filter(|(_, it)| it.kind == Kind::User && it.hash == last.hash);
            words.max_by_key(|(index, it)| (it.exact == last.exact, *index))
        });
        let known = known.map(|(index, entry)| (index, entry.is_older, entry.exact));
        match (last, known) {
            // Words of an older history were never stored as said, and other signs can be other words.
            (Some(words), Some((_, is_older, exact))) if is_older || exact != words.exact => {
                let mut entry = self.stored_entry(words, As::Said);
                entry.state = State::Asked;
                let after = Some(entry.number);
                self.session.entries.push(entry);
                after
            }
            (Some(_), Some((index, ..))) => self.repeat(index),
            _ => self.session.entries.last().map(|entry| entry.number),
        }
    }

    /// The same last words again: a second answer to them may come.
    fn repeat(&mut self, index: usize) -> Option<u64> {
        let end = self.session.end_of_answers(index);
        let mut answers = self.session.entries[index + 1..end].iter();
        let is_answered = answers.any(|entry| entry.kind == Kind::Assistant);
        let entry = &mut self.session.entries[index];
        if !is_answered {
            entry.state = State::Asked;
        }
        Some(entry.number)
    }

    /// The index of the words of which these are a longer form.
    fn shorter_form(&self, item: &Item, first_new: usize) -> Option<usize> {
        let last = self.session.entries.len().checked_sub(1)?;
        let is_alone = first_new > 0 || self.request.history.len() == 1;
        let entry = &self.session.entries[last];
        // What was passed on stays, and so do the words that it answers.
        let is_unanswered = entry.state == State::Failed;
        let is_longer = is_longer_form(item, entry, &self.request.key, self.now);
        (is_alone && is_unanswered && is_longer).then_some(last)
    }

    /// Replaces words by their longer form.
    fn lengthen(&mut self, index: usize, item: &Item) -> Option<u64> {
        let place = self.session.place();
        let entry = &mut self.session.entries[index];
        entry.become_text_of(item);
        entry.state = State::Asked;
        if let Some(stored) = &mut entry.stored {
            stored.revision += 1;
            let message = Message::new(stored, place, SourceLabel::Child, &*item.text);
            self.added.messages.push(Message {
                voice: item.voice.clone(),
                ..message
            });
            self.added.hashes.insert(item.hash);
        }
        Some(entry.number)
    }

    /// Whether another recent session has a message with this text.
    fn is_elsewhere(&self, item: &Item) -> bool {
        self.others.iter().any(|other| {
            let matcher = Matcher::new(self.stored, other.place());
            let mut messages = other.entries.iter();
            messages.any(|it| it.stored.is_some() && !it.is_older && matcher.weight(item, it) > 0)
        })
    }

    /// Whether the text is stored, also if the session of its message was erased.
    fn is_stored(&self, item: &Item) -> bool {
        let is_cut_elsewhere = || item.kind == Kind::Assistant && self.is_elsewhere(item);
        let is_repeated = self.added.hashes.contains(&item.hash);
        is_repeated || self.stored.has(item.hash) || is_cut_elsewhere()
    }

    fn entry(&mut self, item: &Item) -> Entry {
        Entry::new(next(&mut self.counters.entries), item)
    }

    /// An entry for an item of the history, which is stored unless its text is stored already.
    fn entry_of_history(&mut self, item: &Item, stored_as: As) -> Entry {
        if self.is_stored(item) {
            self.entry(item)
        } else {
            self.stored_entry(item, stored_as)
        }
    }

    fn stored_entry(&mut self, item: &Item, stored_as: As) -> Entry {
        let mut entry = self.entry(item);
        entry.stored = Some(self.store(item, stored_as));
        entry
    }

    fn store(&mut self, item: &Item, stored_as: As) -> StoredRef {
        let stored = self.counters.new_message_ref(self.now, false);
        let message = message_of(item, &stored, self.session.place(), stored_as);
        self.added.messages.push(message);
        self.added.hashes.insert(item.hash);
        stored
    }
}

fn message_of(item: &Item, stored: &StoredRef, place: ConversationRef, stored_as: As) -> Message {
    let source = match item.kind {
        Kind::User => SourceLabel::Child,
        Kind::Assistant | Kind::ToolCall => SourceLabel::Assistant,
        Kind::ToolResult => SourceLabel::Tool,
    };
    let kind = match (item.kind, stored_as) {
        (Kind::ToolResult, _) => Some(MessageKind::Tool),
        _ if item.is_apps_own => Some(MessageKind::Background),
        (_, As::Earlier) => Some(MessageKind::Earlier),
        (_, As::Said) => None,
    };
    Message {
        voice: item.voice.clone(),
        from_app: source == SourceLabel::Assistant,
        kind,
        is_tool_call: item.kind == Kind::ToolCall,
        ..Message::new(stored, place, source, &*item.text)
    }
}
