//! API for guardians: statistics about a child's conversations.

use std::borrow::Cow;

use poem_openapi::param::Path;
use poem_openapi::registry::MetaSchema;
use poem_openapi::{Object, OpenApi, Tags};
use serde::Deserialize;

use super::Metrics;
use crate::children::api::no_words;
use crate::children::{ChildId, Children, SessionId};
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::{Day, NotADay};
use crate::kernel::http::problem::{CHILD, MALFORMED, RULE, Refused};
use crate::kernel::http::wire::{Listed, Query, QueryValue, Text, documented};

#[derive(Tags)]
enum Tag {
    /// A child's summary.
    #[oai(rename = "summary")]
    Summary,
}

documented!(
    Day,
    "Day",
    MetaSchema {
        description: Some("A day of the calendar."),
        min_length: Some(10),
        max_length: Some(10),
        ..MetaSchema::new_with_format("string", "date")
    }
);

impl QueryValue for Day {
    fn read(text: &str) -> Result<Self, Cow<'static, str>> {
        text.parse()
            .map_err(|error: NotADay| error.to_string().into())
    }
}

/// The number of sessions with a mood.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoodCount {
    /// The mood, as first written.
    mood: Text<32>,
    sessions: u64,
}

/// A topic of a day.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicOfDay {
    /// The topic, as first written.
    topic: Text<200>,
    sessions: u64,
    /// The total duration of these sessions, in seconds.
    seconds: u64,
}

/// A topic, with its sessions.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicMetrics {
    /// The topic, as first written.
    topic: Text<200>,
    sessions: u64,
    /// The total duration of these sessions, in seconds.
    seconds: u64,
    /// The newest of these sessions, newest first, at most 20.
    newest: Vec<SessionOfTopic>,
}

/// A session about a topic.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionOfTopic {
    /// The session's number.
    session_id: SessionId,
    /// When it began, as far as known.
    date: Timestamp,
}

/// The number of sessions with a duration in a range.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(skip_serializing_if_is_none)]
struct LengthCount {
    /// The start of the range, in minutes.
    from_minutes: u64,
    /// The end of the range, in minutes; omitted for the last range.
    to_minutes: Option<u64>,
    sessions: u64,
}

/// A day in the child's time zone. A session counts on the day on which it began.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct DayMetrics {
    day: Day,
    /// The duration of conversations on this day, in seconds. Overlapping conversations count once.
    seconds: u64,
    sessions: u64,
    /// How often the assistant spoke in them.
    messages_of_assistant: u64,
    /// How often the assistant was interrupted.
    interruptions: u64,
    /// Their topics by duration, longest first, at most 20.
    topics: Vec<TopicOfDay>,
    /// The child's moods, most frequent first, at most 20.
    moods: Vec<MoodCount>,
}

/// The statistics of a range of days.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Metrics")]
struct MetricsView {
    /// The child's time zone, which the days are in.
    time_zone: Text<64>,
    /// The first day.
    from: Day,
    /// The last day.
    to: Day,
    /// All days of the range, in order.
    days: Vec<DayMetrics>,
    /// The duration of conversations by hour of the week, in seconds: seven lists, Monday first, of 24 hours each.
    week: Vec<Vec<u64>>,
    /// The number of sessions by duration, shortest first.
    lengths: Vec<LengthCount>,
    /// The sessions' topics by duration, longest first, at most 50.
    topics: Vec<TopicMetrics>,
    /// The child's moods, most frequent first.
    moods: Vec<MoodCount>,
}

pub struct MetricsApi {
    pub children: Children,
    pub metrics: Metrics,
}

#[OpenApi(tag = "Tag::Summary")]
impl MetricsApi {
    /// Get statistics about a child's conversations
    ///
    /// Days are in the child's time zone; at most 400.
    #[oai(
        path = "/child/:childId/metrics",
        method = "get",
        operation_id = "getMetrics",
        transform = "no_words"
    )]
    async fn metrics(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The first day; by default the Monday of the week before the last day's.
        from: Query<Option<Day>>,
        /// The last day; today by default.
        to: Query<Option<Day>>,
    ) -> Result<Listed<MetricsView>, Refused<{ CHILD | MALFORMED | RULE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        Ok(self.metrics.get(&access, from.0, to.0)?.into())
    }
}
