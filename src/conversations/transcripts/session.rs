//! The session record.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::children::feature::SessionFacts;
use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;

/// A learning session. This is also its stored form.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    pub session_id: SessionId,
    pub child_id: ChildId,
    /// As the assistant gave it.
    pub topic: Option<String>,
    /// As the assistant gave it.
    pub start_time: Option<Timestamp>,
    /// The time of the newest message that somebody said; `None` without one, and for sessions stored before this field existed.
    pub last_message_time: Option<Timestamp>,
    /// Without messages that nobody said.
    pub message_count: u64,
    /// Whether it has ended: the assistant ended it, or its idle time passed.
    pub ended: bool,
    /// As the assistant gave it.
    pub device: Option<String>,
    /// The name of the assistant that delivered it; `None` for sessions from a file without it, and for sessions stored before
    /// this field existed.
    pub assistant: Option<String>,
    /// A guardian said that somebody else talked, not the child. Such a session counts in no statistics.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_child: bool,
}

impl Session {
    pub(super) fn new(session_id: SessionId, child_id: ChildId) -> Self {
        Self {
            session_id,
            child_id,
            topic: None,
            start_time: None,
            last_message_time: None,
            message_count: 0,
            ended: false,
            device: None,
            assistant: None,
            not_child: false,
        }
    }

    pub(super) fn count_message(&mut self, at: Timestamp) {
        // If earlier times are unknown, this message may not be the newest.
        if self.message_count == 0 || self.last_message_time.is_some() {
            self.last_message_time = self.last_message_time.max(Some(at));
        }
        self.message_count += 1;
    }
}

/// What the assistant says about a session. Missing fields stay unchanged.
#[derive(Clone, Debug, Default)]
pub struct SessionDetails {
    pub topic: Option<String>,
    pub start_time: Option<Timestamp>,
    pub device: Option<String>,
}

impl Session {
    pub(super) fn correct(&mut self, details: SessionDetails) {
        self.topic = details.topic.or(self.topic.take());
        self.start_time = details.start_time.or(self.start_time);
        self.device = details.device.or(self.device.take());
    }
}

/// A session and its date in the child's list.
#[derive(Clone, Debug)]
pub struct PlacedSession {
    pub session: Session,
    /// When it began: the time the assistant gave, else that of the first message, else when it was first received.
    pub date: Timestamp,
    /// Hidden from the child's guardians.
    pub is_hidden: bool,
}

impl PlacedSession {
    pub fn facts(self, now: Timestamp) -> SessionFacts {
        SessionFacts {
            session: self.session.session_id,
            date: self.date,
            topic: self.session.topic,
            not_child: self.session.not_child,
            now,
        }
    }
}

#[derive(Clone, Debug)]
pub struct EndedSession {
    pub placed: PlacedSession,
    /// As far as its times are known.
    pub duration: Duration,
    /// As far as its times are known.
    pub ended_at: Timestamp,
}

/// What remains known of a session that is being erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detached {
    /// The child it was opened for: its name and its deletion record are stored there.
    pub opened_for: ChildId,
    /// The assistant and its name for the session.
    pub known_as: Option<(AssistantId, String)>,
    /// The name it had until a move took it away.
    pub formerly_known_as: Option<(AssistantId, String)>,
    /// The time of its last message, if known.
    pub last_said_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(last_message_time: Option<i64>, message_count: u64) -> Session {
        Session {
            session_id: SessionId::new(1),
            child_id: ChildId::new(1),
            topic: None,
            start_time: None,
            last_message_time: last_message_time.map(Timestamp::from_micros),
            message_count,
            ended: false,
            device: None,
            assistant: None,
            not_child: false,
        }
    }

    #[test]
    fn the_newest_message_has_the_latest_time_in_any_order_of_arrival() {
        let mut counted = session(None, 0);
        for at in [5, 9, 7] {
            counted.count_message(Timestamp::from_micros(at));
        }

        assert_eq!(counted, session(Some(9), 3));
    }

    #[test]
    fn a_session_stored_without_the_time_of_its_newest_message_stays_without() {
        let mut stored = session(None, 2);
        stored.count_message(Timestamp::from_micros(5));

        assert_eq!(stored, session(None, 3));
    }
}
