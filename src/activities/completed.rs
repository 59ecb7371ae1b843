//! Completed activities: what a session becomes when the assistant says how it went.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::children::SessionId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{JsonRows, Page, StoreError, Weigh};
use crate::kernel::zones::{Day, Zone};

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
    /// When it ended; `None` for those that were stored before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
}

/// A completed activity as the child's guardians see it.
#[derive(Debug, Serialize)]
struct ListedActivity {
    session_id: SessionId,
    /// The day on which the session began, where the child is.
    date: Day,
    ended_at: Timestamp,
    topic: String,
    duration: serde_json::Number,
    score: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mood: Option<String>,
}

impl CompletedActivity {
    fn shown_in(self, zone: &Zone) -> ListedActivity {
        let seconds = self.duration.as_f64().unwrap_or_default();
        let length = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        ListedActivity {
            session_id: self.session_id,
            date: zone.day_of(self.date),
            ended_at: self.ended_at.unwrap_or_else(|| self.date.after(length)),
            topic: self.topic,
            duration: self.duration,
            score: self.score,
            mood: self.mood,
        }
    }
}

/// A page of completed activities, newest first.
#[derive(Clone, Debug)]
pub struct CompletedPage {
    /// A list in JSON.
    pub rows: JsonRows,
    /// The last of them, where earlier ones follow.
    pub goes_on_before: Option<SessionId>,
}

impl CompletedPage {
    /// A page of stored activities, with days in this time zone.
    pub(super) fn of(page: Page, zone: &Zone) -> Result<Self, StoreError> {
        let page = page.shown_as(|activity: CompletedActivity| Ok(activity.shown_in(zone)))?;
        let last = page.rows.last().filter(|_| page.has_next);
        let named = last.and_then(|row| serde_json::from_slice::<Named>(row.json()).ok());
        Ok(Self {
            rows: page.to_array(),
            goes_on_before: named.map(|named| named.session_id),
        })
    }
}

/// What names an activity.
#[derive(Deserialize)]
struct Named {
    session_id: SessionId,
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
    /// When it ended.
    pub ended_at: Option<Timestamp>,
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
            ended_at: self.ended_at,
        }
    }
}
