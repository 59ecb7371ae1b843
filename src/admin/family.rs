//! The file that a whole family is brought in from, and what is wrong with one.
//!
//! Every mistake is reported with its line. serde knows the line of a value of the wrong type. A mistake between
//! values (an address that nobody declares) has a path, which [`line_of`] follows through the text.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::AdminError;
use super::name::validate_name;
use crate::activities::api::{LONGEST_MOOD, ScoreView};
use crate::activities::{ActivityId, Proposal, SameIdTwice, UpcomingActivity, Vote};
use crate::blocked_topics::{BlockedTopic, TopicError};
use crate::context;
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::EmailAddress;
use crate::kernel::wire::{Id, Text};
use crate::summary::{Report, ReportError};
use crate::times::api::TimesView;
use crate::times::{RuleBroken, Times};

/// A family.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    #[serde(default)]
    pub guardians: Vec<GuardianSeed>,
    pub children: Vec<ChildSeed>,
}

/// A guardian; one whose address exists already is that one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardianSeed {
    pub email: EmailAddress,
    pub name: Option<Text<200>>,
}

/// A child with all that is known of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChildSeed {
    pub name: Text<200>,
    #[serde(default)]
    pub guardians: Vec<EmailAddress>,
    #[serde(default)]
    pub blocked_topics: Vec<String>,
    pub context: Option<Text<{ context::LONGEST }>>,
    pub times: Option<TimesView>,
    pub report: Option<Box<RawValue>>,
    #[serde(default)]
    pub upcoming: Vec<UpcomingSeed>,
    #[serde(default)]
    pub feedback: Vec<FeedbackSeed>,
    #[serde(default)]
    pub sessions: Vec<SessionSeed>,
}

impl ChildSeed {
    /// The child's own blocked topics, by the rules.
    pub fn topics(&self) -> Result<Vec<BlockedTopic>, TopicError> {
        BlockedTopic::list(self.blocked_topics.iter().cloned())
    }

    /// What the child could do next.
    pub fn proposal(&self) -> Result<Proposal, SameIdTwice> {
        let activities = self.upcoming.iter().map(UpcomingSeed::activity);
        Proposal::new(activities.collect())
    }

    /// When an assistant may talk.
    pub fn times(&self) -> Result<Option<Times>, RuleBroken> {
        self.times.clone().map(TimesView::read).transpose()
    }

    /// The assistant's report.
    pub fn report(&self) -> Result<Option<Report>, ReportError> {
        let json = self.report.as_ref().map(|report| report.get().to_owned());
        json.map(Report::new).transpose()
    }
}

/// An activity that is proposed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpcomingSeed {
    pub activity_id: ActivityId,
    pub topic: Text<200>,
    pub summary: Option<Text<2000>>,
}

impl UpcomingSeed {
    fn activity(&self) -> UpcomingActivity {
        UpcomingActivity {
            activity_id: self.activity_id.clone(),
            topic: self.topic.clone().into_string(),
            summary: self.summary.clone().map(Text::into_string),
        }
    }
}

/// How an activity was judged; `at`, which an export says, is not brought in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedbackSeed {
    pub activity_id: ActivityId,
    pub feedback: Vote,
    pub reason: Option<Text<2000>>,
    #[serde(rename = "at")]
    _at: Option<Timestamp>,
}

/// A session.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionSeed {
    pub topic: Option<Text<200>>,
    pub start: Start,
    pub device: Option<Text<64>>,
    #[serde(default)]
    pub messages: Vec<MessageSeed>,
    pub completion: Option<CompletionSeed>,
    #[serde(rename = "known_as")]
    _known_as: Option<KnownAs>,
}

/// By which name which assistant knows a session, which an export says; it is not brought in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownAs {
    #[serde(rename = "assistant")]
    _assistant: Option<Text<200>>,
    #[serde(rename = "name")]
    _name: Text<128>,
}

/// When a session began: a moment, or a number of days before today and a time in UTC, so that a file stays
/// fresh.
#[derive(Clone, Copy, Deserialize)]
#[serde(
    untagged,
    expecting = "A start is a time such as 2026-11-21T16:05:00Z, or {\"days_ago\": 3, \"at\": \"16:05\"}."
)]
pub enum Start {
    Moment(Timestamp),
    Ago { days_ago: u16, at: TimeOfDay },
}

/// Hours and minutes in UTC.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeOfDay(Duration);

impl TryFrom<String> for TimeOfDay {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let sentence = "A time of day looks like 16:05.";
        let (hours, minutes) = text.split_once(':').ok_or(sentence)?;
        match (hours.parse::<u64>(), minutes.parse::<u64>()) {
            (Ok(hours @ 0..24), Ok(minutes @ 0..60)) => {
                Ok(Self(Duration::from_secs((hours * 60 + minutes) * 60)))
            }
            _ => Err(sentence),
        }
    }
}

impl Start {
    /// The moment, as seen from `now`.
    pub fn moment(self, now: Timestamp) -> Timestamp {
        const DAY: i64 = 24 * 60 * 60 * 1_000_000;
        match self {
            Self::Moment(moment) => moment,
            Self::Ago { days_ago, at } => {
                let midnight = now.micros() - now.micros().rem_euclid(DAY);
                Timestamp::from_micros(midnight - i64::from(days_ago) * DAY).after(at.0)
            }
        }
    }
}

/// A message. Its time is `timestamp`, or `after` seconds from the session's start, or a little after
/// the message before it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageSeed {
    pub message_id: Option<Id>,
    pub source: Option<Text<200>>,
    pub text_content: Option<Text<65_536>>,
    pub timestamp: Option<Timestamp>,
    pub after: Option<u32>,
    pub content_type: Option<Text<200>>,
    pub event_type: Option<Text<200>>,
    pub start_sample: Option<u32>,
    pub interrupted: Option<bool>,
    pub speaker: Option<Text<200>>,
}

/// How a session went.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompletionSeed {
    pub duration: f64,
    pub score: Option<ScoreView>,
    pub mood: Option<Text<LONGEST_MOOD>>,
    pub end_time: Option<Timestamp>,
}

/// A step on the way to a value within the file.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Field(&'static str),
    Item(usize),
}

/// What is wrong, and where.
pub struct Mistake {
    pub path: Vec<Step>,
    pub sentence: String,
}

/// Reads a family and checks the whole of it. `known` says whether somebody has an address already.
///
/// # Errors
///
/// The first mistake, with its line.
pub fn read(text: &str, known: impl Fn(&EmailAddress) -> bool) -> Result<Family, AdminError> {
    let family = serde_json::from_str::<Family>(text).map_err(|error| {
        let full = error.to_string();
        let sentence = full
            .rsplit_once(" at line ")
            .map_or(full.as_str(), |(start, _)| start);
        mistake(error.line(), sentence)
    })?;
    match check(&family, known) {
        None => Ok(family),
        Some(found) => Err(mistake(line_of(text, &found.path), &found.sentence)),
    }
}

fn mistake(line: usize, sentence: &str) -> AdminError {
    let sentence = sentence.trim_end_matches('.');
    AdminError::new(format!(
        "Line {line} of the file: {sentence}. Nothing was brought in."
    ))
}

/// Checks rules that span several values.
fn check(family: &Family, known: impl Fn(&EmailAddress) -> bool) -> Option<Mistake> {
    use Step::{Field, Item};
    let mut declared = HashSet::new();
    for (position, guardian) in family.guardians.iter().enumerate() {
        if !declared.insert(guardian.email.key()) {
            let path = vec![Field("guardians"), Item(position)];
            return Some(Mistake {
                path,
                sentence: "this guardian is there twice".into(),
            });
        }
    }
    for (number, child) in family.children.iter().enumerate() {
        let at = |rest: &[Step]| [&[Field("children"), Item(number)], rest].concat();
        if let Err(error) = validate_name(&child.name) {
            return Some(Mistake {
                path: at(&[Field("name")]),
                sentence: error.to_string(),
            });
        }
        for (position, email) in child.guardians.iter().enumerate() {
            if !declared.contains(&email.key()) && !known(email) {
                let path = at(&[Field("guardians"), Item(position)]);
                let sentence = format!("nobody here has the address {email}");
                return Some(Mistake { path, sentence });
            }
        }
        if let Some((field, sentence)) = check_wishes(child) {
            let path = at(&[Field(field)]);
            return Some(Mistake { path, sentence });
        }
        for (position, session) in child.sessions.iter().enumerate() {
            if let Some(mut found) = check_session(session) {
                found.path = [at(&[Field("sessions"), Item(position)]), found.path].concat();
                return Some(found);
            }
        }
    }
    None
}

/// What the features' own rules say of a child's wishes: the field and the sentence.
fn check_wishes(child: &ChildSeed) -> Option<(&'static str, String)> {
    let topics = child
        .topics()
        .err()
        .map(|error| ("blocked_topics", error.to_string()));
    let upcoming = || {
        child
            .proposal()
            .err()
            .map(|error| ("upcoming", error.to_string()))
    };
    let report = || {
        child
            .report()
            .err()
            .map(|error| ("report", error.to_string()))
    };
    let times = || {
        child
            .times()
            .err()
            .map(|error| ("times", error.to_string()))
    };
    topics.or_else(upcoming).or_else(report).or_else(times)
}

fn check_session(session: &SessionSeed) -> Option<Mistake> {
    use Step::{Field, Item};
    let mut ids = HashSet::new();
    for (position, message) in session.messages.iter().enumerate() {
        let path = vec![Field("messages"), Item(position)];
        if message.timestamp.is_some() && message.after.is_some() {
            let sentence = "a message has either a timestamp or seconds after the start, not both";
            return Some(Mistake {
                path,
                sentence: sentence.into(),
            });
        }
        if let Some(id) = &message.message_id
            && !ids.insert(id.as_str())
        {
            let sentence = "this message's id is there twice in the session".into();
            return Some(Mistake { path, sentence });
        }
    }
    let negative = session
        .completion
        .as_ref()
        .is_some_and(|completion| completion.duration < 0.0);
    negative.then(|| Mistake {
        path: vec![Field("completion")],
        sentence: "a duration is 0 or more".into(),
    })
}

/// The line, from 1, on which the value at this path begins.
fn line_of(text: &str, path: &[Step]) -> usize {
    let mut value = text.trim_start();
    for step in path {
        let inner = match step {
            Step::Field(name) => serde_json::from_str::<BTreeMap<String, &RawValue>>(value)
                .ok()
                .and_then(|fields| fields.get(*name).map(|found| found.get())),
            Step::Item(position) => serde_json::from_str::<Vec<&RawValue>>(value)
                .ok()
                .and_then(|items| items.get(*position).map(|found| found.get())),
        };
        let Some(inner) = inner else { break };
        value = inner;
    }
    // The value is a part of the text, so the difference of their addresses is its place.
    let place = (value.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    text.as_bytes()[..place.min(text.len())]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
        + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        read(text, |_| false).err().expect("a mistake").to_string()
    }

    #[test]
    fn a_mistake_is_reported_with_its_line() {
        let cases = [
            ("{\n\"children\": [\n{\"name\": 7}]}", 3),
            ("{\"children\": [],\n\n\"pets\": []}", 3),
            (
                "{\"children\": [\n{\"name\": \"Mia\",\n\"guardians\": [\n\"a@b.example\"]}]}",
                4,
            ),
            (
                "{\"children\": [{\"name\": \"Mia\", \"sessions\": [{\"start\": \
                 \"2026-11-21T16:05:00Z\", \"messages\": [\n{\"message_id\": \"a\"},\n\
                 {\"message_id\": \"a\"}]}]}]}",
                3,
            ),
            (
                "{\"guardians\": [{\"email\": \"a@b.example\"},\n{\"email\": \"A@b.example\"}], \"children\": []}",
                2,
            ),
            (
                "{\"children\": [\n{\"name\": \"Mia\",\n\"sessions\": [{\"start\": \"soon\"}]}]}",
                3,
            ),
            ("{\"children\": [", 1),
        ];

        for (text, line) in cases {
            let sentence = problem(text);
            assert!(
                sentence.starts_with(&format!("Line {line} of the file: ")),
                "{sentence}"
            );
            assert!(
                sentence.ends_with(". Nothing was brought in."),
                "{sentence}"
            );
        }
    }

    #[test]
    fn a_start_days_ago_is_counted_from_today() {
        let now = Timestamp::parse("2026-11-21T20:00:00Z").unwrap();
        let start: Start = serde_json::from_str(r#"{"days_ago": 3, "at": "16:05"}"#).unwrap();

        assert_eq!(start.moment(now).to_string(), "2026-11-18T16:05:00Z");
    }
}
