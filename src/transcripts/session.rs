//! A session, and what is said of it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
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
    /// Whether it is over: the assistant said so, or has brought nothing for a while.
    pub ended: bool,
    /// Where it was said, if the assistant said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The name of the assistant that delivered it; `None` for sessions from a file that doesn't say, and for those that were
    /// stored before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant: Option<String>,
}

impl Session {
    /// A session of which nothing is known yet.
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
        }
    }

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
    /// Where it is said.
    pub device: Option<String>,
}

impl Session {
    /// Takes in what is said of it.
    pub(super) fn correct(&mut self, details: SessionDetails) {
        self.topic = details.topic.or(self.topic.take());
        self.start_time = details.start_time.or(self.start_time);
        self.device = details.device.or(self.device.take());
    }
}

/// A session and its place among the child's.
#[derive(Clone, Debug)]
pub struct PlacedSession {
    /// The session.
    pub session: Session,
    /// When it began: as the assistant says, else with its first message, else when it was first heard of.
    pub date: Timestamp,
    /// Whether it is hidden from the child's guardians.
    pub is_hidden: bool,
}

/// A session that has ended.
#[derive(Clone, Debug)]
pub struct EndedSession {
    /// The session, and its place.
    pub placed: PlacedSession,
    /// How long it took, as far as its times tell.
    pub duration: Duration,
    /// When it ended, as far as its times tell.
    pub ended_at: Timestamp,
}

/// What is left to know of a session that was taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detached {
    /// The child that it was opened for: with it the session has its name and its receipts.
    pub opened_for: ChildId,
    /// Under which name it was known, and to whom.
    pub known_as: Option<(AssistantId, String)>,
    /// The name that it had until it lost it by a move.
    pub formerly_known_as: Option<(AssistantId, String)>,
    /// When the last of its messages was said, if that is known.
    pub last_said_at: Option<Timestamp>,
}

/// How long a session took: from its start, or its first message, to its end, or its last message.
pub(super) fn duration(
    messages: Option<(Timestamp, Timestamp)>,
    started_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
) -> Duration {
    let (first, last) = messages.unzip();
    match ended_at {
        Some(ended_at) => ended_at.since(started_at.or(first).unwrap_or(ended_at)),
        None => last.map_or(Duration::ZERO, |last| last.since(first.unwrap_or(last))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_lasts_from_its_start_to_its_end_or_from_its_first_message_to_its_last() {
        let at = Timestamp::from_micros;
        let said = Some((at(10), at(70)));
        let cases = [
            (None, None, None, 0),
            (said, None, None, 60),
            (said, Some(at(5)), None, 60),
            (said, None, Some(at(100)), 90),
            (said, Some(at(5)), Some(at(100)), 95),
            (None, Some(at(5)), Some(at(100)), 95),
            (None, None, Some(at(100)), 0),
            (said, Some(at(200)), Some(at(100)), 0),
        ];

        for (messages, started_at, ended_at, expected) in cases {
            let took = duration(messages, started_at, ended_at);
            assert_eq!(
                took,
                Duration::from_micros(expected),
                "{messages:?} {started_at:?} {ended_at:?}"
            );
        }
    }

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
