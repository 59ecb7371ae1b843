//! An entry of a session's stored history.

use serde::{Deserialize, Serialize};

use super::history::{Item, Kind};
use super::message::{Message, MessageId, Place, Speaker};
use crate::kernel::clock::Timestamp;

/// The state of a request or an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// No answer has come yet.
    Asked,
    /// Nothing of an answer was sent to the client.
    Failed,
    Done,
    /// The answer ended early.
    Cut {
        by_client: bool,
    },
}

impl State {
    /// Whether the client can have another text of the answer than we have, or an error message in its place.
    pub fn is_incomplete(self) -> bool {
        self != Self::Done
    }
}

/// The message stored for an entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kept {
    pub id: MessageId,
    pub at: Timestamp,
    pub revision: u64,
    /// Whether no history has confirmed it yet.
    pub generated: bool,
}

/// Words that were followed by other words of the child in the same request, and that we hadn't seen before. A program may have
/// added them to this request only.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pending {
    pub text: String,
    pub voice: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Unique within a grouping, so that it survives insertions before it.
    pub number: u64,
    pub kind: Kind,
    pub compared: String,
    pub kept: Option<Kept>,
    pub state: State,
    /// Whether it comes from a history that began before the session did. Other sessions may have it, too, so it doesn't count in
    /// the choice of a session.
    pub is_older: bool,
    pub pending: Option<Pending>,
    /// The message that the next answer to these words replaces, because the client discarded it.
    pub discarded: Option<Kept>,
}

impl Entry {
    pub fn new(number: u64, item: &Item) -> Self {
        Self {
            number,
            kind: item.kind,
            compared: item.compared.clone(),
            kept: None,
            state: State::Done,
            is_older: false,
            pending: None,
            discarded: None,
        }
    }

    pub fn is_user(&self) -> bool {
        self.kind == Kind::User && self.pending.is_none()
    }

    /// An estimate of its size in memory and in the store, in bytes.
    pub fn size(&self) -> usize {
        let pending = self.pending.as_ref().map_or(0, |it| it.text.len());
        100 + self.compared.len() + pending
    }

    /// The message in its current revision.
    pub fn message(&self, place: Place, item: &Item, interrupted: bool) -> Option<Message> {
        let kept = self.kept.as_ref()?;
        let speaker = match self.kind {
            Kind::User => Speaker::Child,
            _ => Speaker::Assistant,
        };
        Some(Message {
            id: kept.id,
            place,
            at: kept.at,
            speaker,
            text: item.text.clone(),
            voice: item.voice.clone(),
            interrupted,
            generated: kept.generated,
            revision: kept.revision,
        })
    }
}
