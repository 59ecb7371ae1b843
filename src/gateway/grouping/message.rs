//! The results of the grouping rule: messages, and the session of each.

use serde::{Deserialize, Serialize};

use crate::kernel::clock::Timestamp;

macro_rules! number {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub struct $name(pub(super) u64);

        impl $name {
            pub fn number(self) -> u64 {
                self.0
            }
        }
    };
}

number!(
    /// A session, counted from 0 in each [`Grouping`](super::Grouping).
    SessionNumber
);
number!(
    /// A background request, counted from 0 in each [`Grouping`](super::Grouping).
    FoldedId
);
number!(
    /// A message, counted from 0 in each [`Grouping`](super::Grouping). It never changes, also when the message moves out of a
    /// background request.
    MessageId
);
number!(
    /// A request that awaits its answer.
    TurnId
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    Session(SessionNumber),
    /// In no transcript, but with the background request that it belongs to.
    Folded(FoldedId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Speaker {
    Child,
    Assistant,
}

/// A message as it now is. It replaces the earlier one with its id. In a transcript messages are in the order of their times,
/// and then of their ids.
#[derive(Clone, Debug)]
pub struct Message {
    pub id: MessageId,
    pub place: Place,
    pub at: Timestamp,
    pub speaker: Speaker,
    pub text: String,
    /// The speaker, if the client recognises voices.
    pub voice: Option<String>,
    pub interrupted: bool,
    /// Whether it was sent to the client, and no history has confirmed it yet.
    pub generated: bool,
    pub revision: u64,
}
