//! What is kept of a session and shown on no page.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::names::name_key;
use crate::children::ChildId;
use crate::identity::AssistantId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::Key;
use crate::transcripts::not_kept::NotKept;
use crate::transcripts::session::Session;
use crate::transcripts::spoken::Spoken;

/// The stored state of a session that no page shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    pub child: ChildId,
    /// When it was first heard of: its place in the list while nobody says when it began.
    pub first_seen: Timestamp,
    /// Its place in the list.
    pub placed_at: Timestamp,
    /// How many messages arrived.
    pub arrived: u64,
    /// When the assistant says that it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Under which name it is known, and to whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<(AssistantId, String)>,
    /// When a delivery last brought something; `None` for a session from a file, and for one that was stored before this was
    /// kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_arrival: Option<Timestamp>,
    /// After how many seconds without an arrival it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_seconds: Option<u32>,
    /// Whether the assistant said that it is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub completed: bool,
    /// When its first message was said; `None` without messages, and for a session that was stored before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_message_time: Option<Timestamp>,
    /// How long it took, in microseconds, if the assistant said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_micros: Option<u64>,
    /// In which hour its [talk](talk) ended; `None` while there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk_hour: Option<i64>,
    /// How often the assistant spoke in it, and was interrupted.
    #[serde(default)]
    pub spoken: Spoken,
    /// Since when it is hidden; `None` while it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_at: Option<Timestamp>,
    /// The child that it was opened for; `None` while it was never moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_under: Option<ChildId>,
    /// Until when what was said under its name is erased: an earlier session of that name was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased_before: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "NotKept::is_empty")]
    pub not_kept: NotKept,
}

/// After how many seconds a session ends by itself when the assistant doesn't say (beyond the specification, section 8).
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
            idle_seconds: None,
            completed: false,
            first_message_time: None,
            reported_micros: None,
            talk_hour: None,
            spoken: Spoken::default(),
            hidden_at: None,
            named_under: None,
            erased_before: None,
            not_kept: NotKept::default(),
        }
    }

    /// How long it took, if the assistant said.
    pub fn reported(&self) -> Option<Duration> {
        self.reported_micros.map(Duration::from_micros)
    }

    /// Whether its child's guardians see it.
    pub fn is_shown(&self) -> bool {
        self.hidden_at.is_none()
    }

    /// The key of its name, if an assistant knows it by one.
    pub fn name_key(&self) -> Option<Key> {
        let (assistant, name) = self.name.as_ref()?;
        Some(name_key(self.opened_for(), assistant, name))
    }

    /// The child that it was opened for, wherever it was moved to.
    pub fn opened_for(&self) -> ChildId {
        self.named_under.unwrap_or(self.child)
    }

    /// After how long without an arrival it ends by itself.
    fn idle_after(&self) -> Duration {
        Duration::from_secs(self.idle_seconds.unwrap_or(IDLE_SECONDS).into())
    }

    /// Whether the assistant said that it is over, which stands.
    pub fn is_completed(&self, session: &Session) -> bool {
        // Before arrivals were kept, a session ended in no other way.
        self.completed || session.ended && self.last_arrival.is_none()
    }

    /// Whether the idle time has passed since the last arrival.
    pub fn is_silent(&self, now: Timestamp) -> bool {
        let last = self.last_arrival.unwrap_or(now);
        now.since(last) >= self.idle_after()
    }

    /// Whether its newest word is so old that it was over before it arrived.
    pub fn is_old(&self, session: &Session, now: Timestamp) -> bool {
        let newest = session.last_message_time.unwrap_or(now);
        now.since(newest) > self.idle_after()
    }

    /// Notes when a new message was said, before it is counted in its session.
    pub fn note_first(&mut self, session: &Session, at: Timestamp) {
        // Without the times of the messages before it, this one may not be the first.
        if session.message_count == 0 || self.first_message_time.is_some() {
            let first = self.first_message_time.unwrap_or(at);
            self.first_message_time = Some(first.min(at));
        }
    }

    /// When the session began: as the assistant says, else with its first message, else when it was first heard of.
    pub fn began(&self, session: &Session) -> Timestamp {
        let said = session.start_time.or(self.first_message_time);
        said.unwrap_or(self.first_seen)
    }

    /// Moves the session to where it belongs.
    pub fn place(&mut self, session: &Session) {
        self.placed_at = session.start_time.unwrap_or(self.first_seen);
    }
}
