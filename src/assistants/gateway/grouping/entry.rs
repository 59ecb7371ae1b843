//! An entry of a session's history, as it is stored. It has no text.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::history::Item;
use super::kind::Kind;
use super::message::StoredRef;
use super::text_hash::TextHash;

/// The state of a request or an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// No answer has come yet.
    Asked,
    /// Nothing of an answer was sent to the client.
    Failed,
    #[default]
    Done,
    /// The answer ended early.
    Cut { by_client: bool },
}

impl State {
    /// Whether the client can have another text of the answer than we have, or an error message in its place.
    pub fn is_incomplete(self) -> bool {
        self != Self::Done
    }

    fn is_done(&self) -> bool {
        *self == Self::Done
    }
}

#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Unique within a tracker, so that it survives insertions before it.
    pub number: u64,
    pub kind: Kind,
    /// The hash of its compared text. Of an answer that was cut short by the client, the hash of what the child heard.
    pub hash: TextHash,
    /// The hash of the beginning of the compared text.
    pub start: u32,
    /// The hash of the text with its punctuation.
    pub exact: TextHash,
    /// The length of the compared text, in bytes.
    pub length: usize,
    /// `None` if it isn't stored as a message of this session.
    pub stored: Option<StoredRef>,
    #[serde(default, skip_serializing_if = "State::is_done")]
    pub state: State,
    /// Whether it comes from a history that began before the session did. Other sessions may have it, too, so it doesn't count in
    /// the choice of a session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_older: bool,
}

impl Entry {
    pub fn new(number: u64, item: &Item) -> Self {
        Self {
            number,
            kind: item.kind,
            hash: item.hash,
            start: item.start,
            exact: item.exact,
            length: item.compared.len(),
            stored: None,
            state: State::Done,
            is_older: false,
        }
    }

    pub fn is_user(&self) -> bool {
        self.kind == Kind::User
    }

    /// Takes over the item's text: a longer form of the same words, or the part of an answer that was heard.
    pub fn become_text_of(&mut self, item: &Item) {
        self.hash = item.hash;
        self.start = item.start;
        self.exact = item.exact;
        self.length = item.compared.len();
    }
}
