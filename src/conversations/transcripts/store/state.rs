//! What is stored about a session but shown on no page.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::names::name_key;
use crate::children::ChildId;
use crate::conversations::transcripts::not_kept::{NotKept, NotKeptMessage};
use crate::conversations::transcripts::session::Session;
use crate::conversations::transcripts::spoken::Spoken;
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Key};

#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    pub child: ChildId,
    /// When the server first received it: its date until its start is known.
    pub first_seen: Timestamp,
    /// Its date in the child's list.
    pub placed_at: Timestamp,
    /// The number of messages that arrived.
    pub arrived: u64,
    /// The end that the assistant gave.
    pub ended_at: Option<Timestamp>,
    /// The assistant and its name for the session.
    pub name: Option<(AssistantId, String)>,
    /// The last delivery that changed anything before the assistant ended it; `None` for a session from a file, and for one stored
    /// before this field existed.
    pub last_arrival: Option<Timestamp>,
    /// The last delivery that changed anything after the assistant had ended it.
    pub late_arrival: Option<Timestamp>,
    /// It ends after this many seconds without a delivery.
    pub idle_seconds: Option<u32>,
    /// Whether the assistant ended it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub completed: bool,
    /// The time of the first message that somebody said; `None` without one, and for a session stored before this field existed.
    pub first_message_time: Option<Timestamp>,
    /// The duration that the assistant gave, in microseconds.
    pub reported_micros: Option<u64>,
    /// The hour in which its [conversation](talk) ended; `None` while there was none.
    pub talk_hour: Option<i64>,
    #[serde(default)]
    pub spoken: Spoken,
    /// `None` while it is visible.
    pub hidden_at: Option<Timestamp>,
    /// The child it was opened for; `None` if it was never moved.
    pub named_under: Option<ChildId>,
    /// The assistant and the name it had until a move took the name away.
    pub former_name: Option<(AssistantId, String)>,
    /// Messages up to this time are erased, together with an earlier session of the same name.
    pub erased_before: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "NotKept::is_empty")]
    pub not_kept: NotKept,
}

/// The default of `idle_seconds`.
const IDLE_SECONDS: u32 = 30 * 60;

impl State {
    pub fn new(session: &Session, first_seen: Timestamp) -> Self {
        let placed_at = session.start_time.unwrap_or(first_seen);
        Self {
            child: session.child_id,
            first_seen,
            placed_at,
            arrived: 0,
            ended_at: None,
            name: None,
            last_arrival: None,
            late_arrival: None,
            idle_seconds: None,
            completed: false,
            first_message_time: None,
            reported_micros: None,
            talk_hour: None,
            spoken: Spoken::default(),
            hidden_at: None,
            named_under: None,
            former_name: None,
            erased_before: None,
            not_kept: NotKept::default(),
        }
    }

    /// The duration that the assistant gave.
    pub fn reported(&self) -> Option<Duration> {
        self.reported_micros.map(Duration::from_micros)
    }

    /// Whether the child's guardians see it.
    pub fn is_shown(&self) -> bool {
        self.hidden_at.is_none()
    }

    /// Who delivered it; `None` if unknown, for example for an imported session.
    pub fn assistant(&self) -> Option<&AssistantId> {
        let name = self.name.as_ref().or(self.former_name.as_ref());
        name.map(|(assistant, _)| assistant)
    }

    pub fn name_key(&self) -> Option<Key> {
        let (assistant, name) = self.name.as_ref()?;
        Some(name_key(self.opened_for(), assistant, name))
    }

    /// The child it was opened for, even if it was moved.
    pub fn opened_for(&self) -> ChildId {
        self.named_under.unwrap_or(self.child)
    }

    fn idle_after(&self) -> Duration {
        Duration::from_secs(self.idle_seconds.unwrap_or(IDLE_SECONDS).into())
    }

    /// Whether the assistant ended it. Such a session isn't reopened.
    pub fn is_completed(&self, session: &Session) -> bool {
        // Before arrivals were recorded, only the assistant ended sessions.
        self.completed || session.ended && self.last_arrival.is_none()
    }

    /// The last delivery that changed anything.
    pub fn latest_arrival(&self) -> Option<Timestamp> {
        self.last_arrival.max(self.late_arrival)
    }

    /// Whether the idle time has passed since the last arrival.
    pub fn is_silent(&self, now: Timestamp) -> bool {
        let last = self.last_arrival.unwrap_or(now);
        now.since(last) >= self.idle_after()
    }

    /// Whether its newest message is older than the idle time.
    pub fn is_old(&self, session: &Session, now: Timestamp) -> bool {
        let newest = session.last_message_time.unwrap_or(now);
        now.since(newest) > self.idle_after()
    }

    /// Records the time of a new message; call it before the session counts the message.
    pub fn note_first(&mut self, session: &Session, at: Timestamp) {
        // If earlier times are unknown, this message may not be the first.
        if session.message_count == 0 || self.first_message_time.is_some() {
            let first = self.first_message_time.unwrap_or(at);
            self.first_message_time = Some(first.min(at));
        }
    }

    /// The time the assistant gave, else that of the first message, else when it was first received.
    pub fn began(&self, session: &Session) -> Timestamp {
        let said = session.start_time.or(self.first_message_time);
        said.unwrap_or(self.first_seen)
    }

    /// The latest of its newest message and its last arrival.
    pub fn changed_at(&self, session: &Session) -> Timestamp {
        let times = [session.last_message_time, self.latest_arrival()];
        times
            .into_iter()
            .flatten()
            .fold(self.first_seen, Timestamp::max)
    }

    /// Counts a message that could not be stored, also against the quota, because its hash is stored.
    pub fn count_not_kept(&mut self, change: &mut Change, message: NotKeptMessage) {
        if self.not_kept.add(message) {
            change.count(NotKeptMessage::MOST_BYTES);
        }
    }

    /// Updates the session's position in the list.
    pub fn place(&mut self, session: &Session) {
        self.placed_at = session.start_time.unwrap_or(self.first_seen);
    }
}
