//! Statistics about a child's conversations, for its guardians.

use std::borrow::Cow;

use poem_openapi::param::Path;
use poem_openapi::registry::MetaSchema;
use poem_openapi::{Object, OpenApi, Tags};
use serde::Deserialize;

use super::Metrics;
use crate::children::{ChildId, Children, SessionId};
use crate::identity::api::AsGuardian;
use crate::kernel::problem::{CHILD, MALFORMED, RULE, Refused};
use crate::kernel::wire::{Listed, Query, QueryValue, Text, documented};
use crate::kernel::zones::{Day, NotADay};

/// The tag of this call.
#[derive(Tags)]
enum Tag {
    /// What is known of a child at a glance.
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

/// In how many sessions a child had this mood.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoodCount {
    /// The mood, as it was first written.
    mood: Text<32>,
    /// In how many sessions.
    sessions: u64,
}

/// How much of a day was about a topic.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicOfDay {
    /// The topic, as it was first written.
    topic: Text<200>,
    /// In how many sessions.
    sessions: u64,
    /// How long these sessions took, in seconds.
    seconds: u64,
}

/// How much was about a topic, and where.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicMetrics {
    /// The topic, as it was first written.
    topic: Text<200>,
    /// In how many sessions.
    sessions: u64,
    /// How long these sessions took, in seconds.
    seconds: u64,
    /// In which ones, the newest first, at most 20.
    session_ids: Vec<SessionId>,
}

/// How many sessions took how long.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct LengthCount {
    /// At least so many minutes.
    from_minutes: u64,
    /// Less than so many minutes; left out when there is no end.
    #[oai(skip_serializing_if_is_none)]
    to_minutes: Option<u64>,
    /// How many sessions.
    sessions: u64,
}

/// A day in the child's time zone. A session counts on the day on which it began.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct DayMetrics {
    /// The day.
    date: Day,
    /// For how long there was talk on this day, in seconds. What two sessions share counts once.
    seconds: u64,
    /// How many sessions began.
    sessions: u64,
    /// How often the assistant spoke in them.
    messages_of_assistant: u64,
    /// How often it was interrupted.
    interruptions: u64,
    /// What they were about, the longest first, at most 20.
    topics: Vec<TopicOfDay>,
    /// How the child felt, the most frequent first, at most 20.
    moods: Vec<MoodCount>,
}

/// What is measured of some days.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Metrics")]
struct MetricsView {
    /// The child's time zone, in which the days are.
    time_zone: Text<64>,
    /// The first day.
    from: Day,
    /// The last day.
    to: Day,
    /// Each of the days, the first one first.
    days: Vec<DayMetrics>,
    /// For how long there was talk at which hour of the week, in seconds: seven lists, Monday's first, of 24 hours each.
    week: Vec<Vec<u64>>,
    /// How many sessions took how long, the shortest first.
    lengths: Vec<LengthCount>,
    /// What the sessions were about, the longest first, at most 50.
    topics: Vec<TopicMetrics>,
    /// How the child felt, the most frequent first.
    moods: Vec<MoodCount>,
}

pub struct MetricsApi {
    pub children: Children,
    pub metrics: Metrics,
}

#[OpenApi(tag = "Tag::Summary")]
impl MetricsApi {
    /// Get what is measured of a child's days
    ///
    /// Days are in the child's time zone. At most 400 of them.
    #[oai(
        path = "/child/:childId/metrics",
        method = "get",
        operation_id = "getMetrics"
    )]
    async fn metrics(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The first day; the Monday of the week before the last day's when left out.
        from: Query<Option<Day>>,
        /// The last day; today when left out.
        to: Query<Option<Day>>,
    ) -> Result<Listed<MetricsView>, Refused<{ CHILD | MALFORMED | RULE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        Ok(self.metrics.get(&access, from.0, to.0)?.into())
    }
}
