use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::children::SessionId;

/// Something that one of the API's `GET` endpoints returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// One session: its row in the list, its messages, its receipts.
    Session(SessionId),
    /// A part of a child, or of the guardian, that has its own endpoint.
    Part(&'static str),
}

/// The guardian's devices that ask this one for a step-up.
pub(super) const ASKING_DEVICES: What = What::Part("asking_devices");

/// The results of the latest requests of a child's assistants.
pub(super) const CONNECTIONS: What = What::Part("connections");

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Session(id) => write!(f, "session {id}"),
            Self::Part(name) => f.write_str(name),
        }
    }
}

/// An event's `data`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Changed(String);

impl Changed {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Above this number of pending changes, a single event says that anything may have changed.
const MAX_NAMED: usize = 64;

/// The changes since a stream's last event.
#[derive(Debug, Default)]
pub(super) struct PendingChanges {
    everything: bool,
    named: BTreeSet<What>,
}

impl PendingChanges {
    pub fn add(&mut self, what: What) {
        if !self.everything {
            self.named.insert(what);
            if self.named.len() > MAX_NAMED {
                self.add_everything();
            }
        }
    }

    /// Records that anything may have changed.
    pub fn add_everything(&mut self) {
        self.everything = true;
        self.named.clear();
    }

    /// Returns the pending events and clears them.
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

    fn texts(pending: &mut PendingChanges) -> Vec<String> {
        pending.take().into_iter().map(|it| it.0).collect()
    }

    #[test]
    fn a_burst_names_each_thing_once() {
        let mut pending = PendingChanges::default();
        for _ in 0..1000 {
            pending.add(What::Session(SessionId::new(14)));
            pending.add(What::Part("blocked_topics"));
        }

        assert_eq!(texts(&mut pending), ["session 14", "blocked_topics"]);
        assert_eq!(texts(&mut pending), [""; 0]);
    }

    #[test]
    fn everything_replaces_all_other_events() {
        let mut gap = PendingChanges::default();
        gap.add(What::Part("summary"));
        gap.add_everything();
        gap.add(What::Part("rules"));
        let mut many = PendingChanges::default();
        for number in 1..=MAX_NAMED as u64 + 1 {
            many.add(What::Session(SessionId::new(number)));
        }

        assert_eq!(texts(&mut gap), ["everything"]);
        assert_eq!(texts(&mut many), ["everything"]);
    }
}
