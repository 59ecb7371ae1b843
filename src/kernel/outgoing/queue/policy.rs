//! How a kind's messages are treated.

use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The kind's name in the store.
    pub name: &'static str,
    pub places: Places,
    /// How long a message is retried.
    pub gives_up_after: Duration,
    pub on_no_answer: NoAnswer,
}

/// The maximum number of queued messages of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// For each recipient, so that nobody takes another's.
    Each(usize),
    /// Recipients may be strangers, who share them. If they are all taken, those to strangers are dropped first.
    Shared(usize),
}

impl Places {
    /// More messages than one guardian causes while a mail server is away for three days.
    pub const OF_EACH: Self = Self::Each(100);
}

/// What happens to a message that was sent completely, if the server never answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    CountsAsSent,
    /// It is tried a few times, with the same message id, by which the recipient recognizes it. Then it counts as
    /// sent.
    TriedAgain,
    /// It is sent once more with the same Message-ID, so that a mail program may show one.
    SendOnceMore,
}

impl NoAnswer {
    /// How often a message is sent that is never answered.
    pub(super) fn sends(self) -> u32 {
        match self {
            Self::CountsAsSent => 1,
            Self::SendOnceMore => 2,
            Self::TriedAgain => 4,
        }
    }
}
