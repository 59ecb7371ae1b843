//! What is remembered of a recent session.

use serde::{Deserialize, Serialize};

use super::entry::{Entry, State};
use super::kind::Kind;
use super::message::{ConversationRef, MessageId, SessionNumber, StoredRef};
use super::request::{MAX_ITEMS, Separators};
use super::text_hash::TextHash;
use crate::kernel::host::clock::Timestamp;

/// The next number of each kind.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Counters {
    pub sessions: u64,
    pub background: u64,
    pub messages: u64,
    pub turns: u64,
    pub entries: u64,
}

/// Returns the counter's value and increments it.
pub fn next(counter: &mut u64) -> u64 {
    let number = *counter;
    *counter += 1;
    number
}

impl Counters {
    /// A new message in its first revision.
    pub fn new_message_ref(&mut self, at: Timestamp, generated: bool) -> StoredRef {
        StoredRef {
            id: MessageId(next(&mut self.messages)),
            at,
            revision: 0,
            generated,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    pub number: SessionNumber,
    pub entries: Vec<Entry>,
    /// The time of its last request or answer.
    pub seen: Timestamp,
    /// The client's id of it.
    pub id: Option<TextHash>,
    pub separators: Separators,
    /// Whether none of its requests had a history.
    pub has_only_first_turns: bool,
    /// Whether it differs from its stored form.
    #[serde(skip)]
    pub is_changed: bool,
}

impl Session {
    pub fn new(number: SessionNumber, now: Timestamp) -> Self {
        Self {
            number,
            entries: Vec::new(),
            seen: now,
            id: None,
            separators: Separators::default(),
            has_only_first_turns: true,
            is_changed: true,
        }
    }

    pub fn place(&self) -> ConversationRef {
        ConversationRef::Session(self.number)
    }

    /// The child's words in it, without those of a history that began before it.
    pub fn words(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        let words = self.entries.iter();
        words.filter(|entry| entry.is_user() && !entry.is_older)
    }

    pub fn index_of(&self, entry: u64) -> Option<usize> {
        self.entries.iter().position(|it| it.number == entry)
    }

    /// The end of the answers that follow the entry with this index: the index of the next words.
    pub fn end_of_answers(&self, index: usize) -> usize {
        let after = &self.entries[index + 1..];
        let next = after.iter().position(|entry| entry.kind == Kind::User);
        next.map_or(self.entries.len(), |next| index + 1 + next)
    }

    /// Whether the last turn has no whole answer.
    pub fn is_unanswered(&self) -> bool {
        let last = self.entries.last();
        last.is_none_or(|entry| entry.state.is_incomplete())
    }

    pub fn has_answer_cut_by_client(&self) -> bool {
        let cut = State::Cut { by_client: true };
        self.entries.iter().any(|entry| entry.state == cut)
    }

    /// Forgets the oldest entries beyond the limit.
    pub fn forget_oldest(&mut self) {
        let surplus = self.entries.len().saturating_sub(MAX_ITEMS);
        self.entries.drain(..surplus);
    }
}
