//! Completed activities: what a session becomes when the assistant says how it went.

use serde::{Deserialize, Serialize};

use crate::children::SessionId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{JsonRows, Page, Weigh};

/// How it went, in the assistant's words or numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Score {
    /// Such as `"well done"` or `"7/10"`.
    Words(String),
    /// Such as `0.8`. It stays the number that was sent.
    Number(serde_json::Number),
}

/// A completed activity. This is also its stored form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompletedActivity {
    /// The session it was.
    pub session_id: SessionId,
    /// When the session began.
    pub date: Timestamp,
    /// What it was about; empty when nobody said.
    pub topic: String,
    /// How long it took, in seconds.
    pub duration: serde_json::Number,
    /// How it went; `null` when nobody said.
    pub score: Option<Score>,
    /// The child's mood, in at most 32 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
}

/// A page of completed activities, newest first.
#[derive(Clone, Debug)]
pub struct CompletedPage {
    /// A list in JSON.
    pub rows: JsonRows,
    /// The last of them, where earlier ones follow.
    pub goes_on_before: Option<SessionId>,
}

impl From<Page> for CompletedPage {
    fn from(page: Page) -> Self {
        let last = page.rows.last().filter(|_| page.has_next);
        let last = last.and_then(|row| row.record::<CompletedActivity>().ok());
        Self {
            rows: page.to_array(),
            goes_on_before: last.map(|last| last.session_id),
        }
    }
}

impl Weigh for CompletedPage {
    fn weight(&self) -> u64 {
        self.rows.weight()
    }
}

/// What the assistant says of a session when it is over.
#[derive(Clone, Debug)]
pub struct Completion {
    /// How long it took, in seconds; never negative.
    pub duration: serde_json::Number,
    /// How it went.
    pub score: Option<Score>,
    /// The child's mood.
    pub mood: Option<String>,
}

impl Completion {
    /// The activity that a session becomes, or is after all. What is left out stays as it was.
    pub fn of_session(
        self,
        session_id: SessionId,
        date: Timestamp,
        topic: Option<String>,
        before: Option<CompletedActivity>,
    ) -> CompletedActivity {
        let (score, mood) = before.map_or((None, None), |before| (before.score, before.mood));
        CompletedActivity {
            session_id,
            date,
            topic: topic.unwrap_or_default(),
            duration: self.duration,
            score: self.score.or(score),
            mood: self.mood.or(mood),
        }
    }
}
