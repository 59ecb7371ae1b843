//! Completed activities: a session becomes one when the assistant reports how it went.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::children::SessionId;
use crate::children::feature::SessionFacts;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::{Day, Zone};
use crate::kernel::store::{JsonRows, Page, StoreError, Weigh};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Score {
    /// For example `"well done"` or `"7/10"`.
    Words(String),
    /// For example `0.8`. Stored as sent, without rounding.
    Number(serde_json::Number),
}

/// This is also its stored form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompletedActivity {
    pub session_id: SessionId,
    /// When the session began.
    pub date: Timestamp,
    /// Empty if the assistant gave none.
    pub topic: String,
    /// In seconds.
    pub duration: serde_json::Number,
    pub score: Option<Score>,
    /// At most 32 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// `None` for activities stored before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Whether somebody else talked. The mood is then not the child's, and isn't shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_child: bool,
}

/// A completed activity as guardians see it.
#[derive(Debug, Serialize)]
struct ListedActivity {
    session_id: SessionId,
    /// The day on which the session began, in the child's time zone.
    date: Day,
    ended_at: Timestamp,
    topic: String,
    duration: serde_json::Number,
    score: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mood: Option<String>,
}

impl CompletedActivity {
    /// The activity after the session's start or topic changed. A session without a topic leaves the activity's.
    pub(super) fn updated(self, date: Timestamp, topic: Option<String>) -> Self {
        Self {
            date,
            topic: topic.unwrap_or(self.topic),
            ..self
        }
    }

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
            mood: self.mood.filter(|_| !self.not_child),
        }
    }
}

/// Newest first.
#[derive(Clone, Debug)]
pub struct CompletedPage {
    /// A JSON list.
    pub rows: JsonRows,
    /// The last activity of the page, if older ones follow.
    pub next_before: Option<SessionId>,
}

impl CompletedPage {
    /// A page of stored activities, with dates in this time zone.
    pub(super) fn of(page: Page, zone: &Zone) -> Result<Self, StoreError> {
        let page = page.shown_as(|activity: CompletedActivity| Ok(activity.shown_in(zone)))?;
        let last = page.rows.last().filter(|_| page.has_next);
        let named = last.and_then(|row| serde_json::from_slice::<Named>(row.json()).ok());
        Ok(Self {
            rows: page.to_array(),
            next_before: named.map(|named| named.session_id),
        })
    }
}

/// The part of an activity that identifies it.
#[derive(Deserialize)]
struct Named {
    session_id: SessionId,
}

impl Weigh for CompletedPage {
    fn weight(&self) -> u64 {
        self.rows.weight()
    }
}

/// What the assistant reports when it ends a session.
#[derive(Clone, Debug)]
pub struct Completion {
    /// In seconds; never negative.
    pub duration: serde_json::Number,
    pub score: Option<Score>,
    pub mood: Option<String>,
    pub ended_at: Option<Timestamp>,
}

impl Completion {
    /// The activity that a session becomes, or its new version. Missing fields stay unchanged.
    pub fn of_session(
        self,
        facts: SessionFacts,
        before: Option<CompletedActivity>,
    ) -> CompletedActivity {
        let SessionFacts {
            session,
            date,
            topic,
            not_child,
            ..
        } = facts;
        let (score, mood) = before.map_or((None, None), |before| (before.score, before.mood));
        CompletedActivity {
            session_id: session,
            date,
            topic: topic.unwrap_or_default(),
            duration: self.duration,
            score: self.score.or(score),
            mood: self.mood.or(mood),
            ended_at: self.ended_at,
            not_child,
        }
    }
}
