//! What an event says.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::children::SessionId;

/// Something that an ordinary call of the API answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// One session: its place in the list, its messages, its receipts.
    Session(SessionId),
    /// The summary.
    Summary,
    /// Completed and upcoming activities.
    Activities,
    /// The topics that are blocked.
    BlockedTopics,
    /// What the assistant should know.
    Context,
    /// When the assistant may talk.
    Times,
    /// What the assistant must follow, whether it may talk now, and how long was talked today.
    Rules,
    /// What assistants report of the rules that they follow.
    Receipts,
    /// Who changed what.
    History,
    /// The sessions in 'Recently erased'.
    ErasedSessions,
    /// What waits for the guardians' answer.
    Requests,
    /// The guardian's devices that ask this one to confirm them.
    AskingDevices,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Session(id) => return write!(f, "session {id}"),
            Self::Summary => "summary",
            Self::Activities => "activities",
            Self::BlockedTopics => "blocked_topics",
            Self::Context => "context",
            Self::Times => "times",
            Self::Rules => "rules",
            Self::Receipts => "receipts",
            Self::History => "history",
            Self::ErasedSessions => "erased_sessions",
            Self::Requests => "requests",
            Self::AskingDevices => "asking_devices",
        })
    }
}

/// An event, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Changed(String);

impl Changed {
    /// The event as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How many things are named; more of them are told as everything.
const MAX_NAMED: usize = 64;

/// What changed since a stream's last event.
#[derive(Debug, Default)]
pub(super) struct Pending {
    everything: bool,
    named: BTreeSet<What>,
}

impl Pending {
    /// Notes that this changed.
    pub fn add(&mut self, what: What) {
        if !self.everything {
            self.named.insert(what);
            if self.named.len() > MAX_NAMED {
                self.add_everything();
            }
        }
    }

    /// Notes that anything may have changed.
    pub fn add_everything(&mut self) {
        self.everything = true;
        self.named.clear();
    }

    /// The events that say so; nothing is pending after that.
    pub fn take(&mut self) -> Vec<Changed> {
        let Self { everything, named } = std::mem::take(self);
        if everything {
            vec![Changed("everything".to_owned())]
        } else {
            named.iter().map(|it| Changed(it.to_string())).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pending: &mut Pending) -> Vec<String> {
        pending.take().into_iter().map(|it| it.0).collect()
    }

    #[test]
    fn a_burst_names_each_thing_once() {
        let mut pending = Pending::default();
        for _ in 0..1000 {
            pending.add(What::Session(SessionId::new(14)));
            pending.add(What::BlockedTopics);
        }

        assert_eq!(texts(&mut pending), ["session 14", "blocked_topics"]);
        assert_eq!(texts(&mut pending), [""; 0]);
    }

    #[test]
    fn everything_names_nothing_else() {
        let mut gap = Pending::default();
        gap.add(What::Summary);
        gap.add_everything();
        gap.add(What::Rules);
        let mut many = Pending::default();
        for number in 1..=MAX_NAMED as u64 + 1 {
            many.add(What::Session(SessionId::new(number)));
        }

        assert_eq!(texts(&mut gap), ["everything"]);
        assert_eq!(texts(&mut many), ["everything"]);
    }
}
