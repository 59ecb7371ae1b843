//! A session, and what is said of it.

use serde::{Deserialize, Serialize};

use crate::children::{ChildId, SessionId};
use crate::kernel::clock::Timestamp;

/// A learning session. This is also its stored form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The session's number.
    pub session_id: SessionId,
    /// Whose session it is.
    pub child_id: ChildId,
    /// What it is about, if the assistant said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// When it began, if the assistant said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<Timestamp>,
    /// When the newest message was said; `None` without messages, and for those that were stored before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_message_time: Option<Timestamp>,
    /// How many messages there are.
    pub message_count: u64,
    /// Whether the assistant said that it is over.
    pub ended: bool,
}

impl Session {
    /// Counts a new message, said at this time.
    pub(super) fn count_message(&mut self, at: Timestamp) {
        // Without the times of the messages before it, this one may not be the newest.
        if self.message_count == 0 || self.last_message_time.is_some() {
            self.last_message_time = self.last_message_time.max(Some(at));
        }
        self.message_count += 1;
    }
}

/// What the assistant says of a session when it opens or corrects it. What it leaves out stays as it was.
#[derive(Clone, Debug, Default)]
pub struct SessionDetails {
    /// What it is about.
    pub topic: Option<String>,
    /// When it began.
    pub start_time: Option<Timestamp>,
}

/// A session and its place among the child's.
#[derive(Clone, Debug)]
pub struct PlacedSession {
    /// The session.
    pub session: Session,
    /// When it began, or when it was first heard of.
    pub date: Timestamp,
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
        }
    }

    #[test]
    fn the_newest_message_is_the_one_that_was_said_last_in_whatever_order_they_arrive() {
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
