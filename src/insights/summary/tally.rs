//! What a session contributes to a child's summary, and the totals.

use bytes::Bytes;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use serde_with::skip_serializing_none;

use crate::children::SessionId;
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;

/// In seconds: a day. A longer session is taken for a mistake, which must not distort the total.
const LONGEST_SESSION: f64 = 86_400.0;

const MILLIS_PER_MINUTE: u64 = 60_000;

/// What one session contributes. Stored, so that it can be subtracted when the session changes.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// When the session began, or was first received.
    pub date: Timestamp,
    pub topic: Option<String>,
    #[serde(flatten)]
    pub outcome: CountedOutcome,
    /// A session in which somebody else talked doesn't count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_child: bool,
}

/// How a session went, as far as it counts.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedOutcome {
    /// 0 until it ends. An integer, so that subtracting gives exactly what was before.
    #[serde(default)]
    pub millis: u64,
    pub mood: Option<String>,
}

/// Converts a session's duration from seconds to the milliseconds that count.
pub fn counted_millis(seconds: f64) -> u64 {
    // Between 0 and a day after clamping; NaN becomes 0.
    (seconds.clamp(0.0, LONGEST_SESSION) * 1000.0).round() as u64
}

/// Totals over all sessions of a child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    pub sessions: u64,
    pub millis: u64,
}

impl Totals {
    /// The totals with one more session.
    #[must_use]
    pub fn with(self, part: &Part) -> Self {
        Self {
            sessions: self.sessions + 1,
            millis: self.millis + part.outcome.millis,
        }
    }

    /// The totals without a session that was counted.
    #[must_use]
    pub fn without(self, part: &Part) -> Self {
        Self {
            sessions: self.sessions.saturating_sub(1),
            millis: self.millis.saturating_sub(part.outcome.millis),
        }
    }

    /// The total duration, rounded.
    pub fn minutes(self) -> u64 {
        (self.millis + MILLIS_PER_MINUTE / 2) / MILLIS_PER_MINUTE
    }
}

/// A topic or mood as first written, and the number of sessions with it, ignoring case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionCount {
    pub words: String,
    pub sessions: u64,
}

/// The most recent session.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastSession {
    /// When it began, or was first received.
    pub date: Timestamp,
    pub topic: Option<String>,
    pub session_id: SessionId,
}

/// The summary without the assistant's report. Fields are in the order in which a parent reads them.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, Serialize)]
pub struct Overview {
    pub sessions: u64,
    pub minutes: u64,
    pub last_session: Option<LastSession>,
    /// Most frequent first.
    #[serde(serialize_with = "as_topics")]
    pub topics: Vec<SessionCount>,
    /// Most frequent first.
    #[serde(serialize_with = "as_object")]
    pub moods: Vec<SessionCount>,
}

impl Overview {
    /// The summary as JSON, with the assistant's report if there is one.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("numbers and texts are JSON")
    }
}

fn as_topics<S: Serializer>(topics: &[SessionCount], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Topic<'a> {
        topic: &'a str,
        sessions: u64,
    }
    serializer.collect_seq(topics.iter().map(|count| Topic {
        topic: &count.words,
        sessions: count.sessions,
    }))
}

fn as_object<S: Serializer>(moods: &[SessionCount], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(moods.iter().map(|mood| (&mood.words, mood.sessions)))
}

/// Whose report it is, and since when.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReportBy {
    pub assistant_id: AssistantId,
    /// Its name then.
    pub assistant: Option<String>,
    pub at: Timestamp,
}

/// Inserts the report into the overview's JSON, byte for byte as delivered.
pub fn with_report(overview: Vec<u8>, report: Option<(Bytes, Option<ReportBy>)>) -> Vec<u8> {
    let Some((report, by)) = report else {
        return overview;
    };
    let mut json = overview;
    // Dropping the closing brace and adding a comma is valid: an overview is never an empty object.
    json.pop();
    json.extend_from_slice(b",\"report\":");
    json.extend_from_slice(&report);
    if let Some(ReportBy { assistant, at, .. }) = by {
        let mut from = serde_json::Map::from_iter([("arrived_at".to_owned(), json!(at))]);
        from.extend(assistant.map(|name| ("assistant".to_owned(), json!(name))));
        json.extend_from_slice(format!(",\"report_from\":{}", Value::from(from)).as_bytes());
    }
    json.push(b'}');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(millis: u64) -> Part {
        Part {
            date: Timestamp::from_micros(0),
            topic: None,
            outcome: CountedOutcome { millis, mood: None },
            not_child: false,
        }
    }

    #[test]
    fn subtracting_a_session_undoes_adding_it() {
        let lengths = [0.1, 0.2, 0.3, 1e300, 86_400.0, 7.77].map(counted_millis);
        let all = lengths.iter().fold(Totals::default(), |totals, millis| {
            totals.with(&part(*millis))
        });

        let none = lengths
            .iter()
            .fold(all, |totals, millis| totals.without(&part(*millis)));

        assert_eq!(none, Totals::default());
    }

    #[test]
    fn a_session_counts_for_a_day_at_most() {
        let cases = [
            (0.0, 0),
            (0.0004, 0),
            (0.0005, 1),
            (61.5, 61_500),
            (1e308, 86_400_000),
        ];

        for (seconds, millis) in cases {
            assert_eq!(counted_millis(seconds), millis, "{seconds}");
        }
    }

    #[test]
    fn minutes_are_rounded() {
        let cases = [(0, 0), (29_999, 0), (30_000, 1), (89_999, 1), (90_000, 2)];

        for (millis, minutes) in cases {
            let totals = Totals {
                sessions: 1,
                millis,
            };
            assert_eq!(totals.minutes(), minutes, "{millis}");
        }
    }

    #[test]
    fn a_report_is_shown_byte_for_byte() {
        let report = Bytes::from_static(br#"{ "b": 1.0, "a": 1e2 }"#);

        let json = with_report(Overview::default().to_json(), Some((report, None)));

        let expected =
            r#"{"sessions":0,"minutes":0,"topics":[],"moods":{},"report":{ "b": 1.0, "a": 1e2 }}"#;
        assert_eq!(String::from_utf8(json).unwrap(), expected);
    }
}
