//! Aggregates sessions by day and in total. Pure functions, without store or clock.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::children::SessionId;
use crate::conversations::transcripts::{SessionMeasures, Spoken, TalkInterval};
use crate::insights::summary::SessionOutcome;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::words;
use crate::kernel::host::zones::{Day, Zone};

/// The maximum number of topics in the total.
const TOPICS: usize = 50;

/// The maximum number of topics and of moods for one day.
const OF_A_DAY: usize = 20;

/// The maximum number of sessions listed for one topic.
const SESSIONS: usize = 20;

/// The boundaries of the length groups, in minutes.
const LENGTHS: [u64; 5] = [2, 5, 10, 20, 40];

/// A quarter of an hour, in microseconds. In every time zone, hours begin at a multiple of it.
const QUARTER: i64 = 15 * 60 * 1_000_000;

/// The data of a session that is aggregated.
#[derive(Clone, Debug)]
pub struct Counted {
    session: SessionId,
    began: Timestamp,
    length: Duration,
    topic: Option<String>,
    mood: Option<String>,
    spoken: Spoken,
}

impl Counted {
    /// The duration of a session is that of the talk in it, or if that is unknown, the duration that the assistant reports.
    pub fn new(measures: SessionMeasures, outcome: Option<SessionOutcome>) -> Self {
        let (reported, mood) = outcome.map_or((0.0, None), |it| (it.seconds, it.mood));
        let talked = measures.talk.map(|talk| talk.end.since(talk.start));
        let worded = |words: Option<String>| words.filter(|words| !words::trim(words).is_empty());
        Self {
            session: measures.session_id,
            began: measures.began,
            length: talked.unwrap_or_else(|| Duration::from_secs_f64(reported)),
            topic: worded(measures.topic),
            mood: worded(mood),
            spoken: measures.spoken,
        }
    }
}

/// The aggregated metrics. They are serialized as the answer.
#[derive(Debug, Serialize)]
pub struct Tally {
    time_zone: String,
    from: Day,
    to: Day,
    days: Vec<OneDay>,
    /// Seconds by weekday, Monday first, and hour.
    week: [[u64; 24]; 7],
    lengths: Vec<Lengths>,
    topics: Vec<Topic>,
    moods: Vec<Mood>,
}

#[derive(Debug, Serialize)]
struct OneDay {
    day: Day,
    seconds: u64,
    sessions: u64,
    messages_of_assistant: u64,
    interruptions: u64,
    topics: Vec<TopicOfDay>,
    moods: Vec<Mood>,
}

#[derive(Debug, Serialize)]
struct TopicOfDay {
    topic: String,
    sessions: u64,
    seconds: u64,
}

#[derive(Debug, Serialize)]
struct Topic {
    topic: String,
    sessions: u64,
    seconds: u64,
    /// The newest first.
    newest: Vec<SessionOfTopic>,
}

#[derive(Debug, Serialize)]
struct SessionOfTopic {
    session_id: SessionId,
    date: Timestamp,
}

#[derive(Debug, Serialize)]
struct Mood {
    mood: String,
    sessions: u64,
}

#[skip_serializing_none]
#[derive(Debug, Serialize)]
struct Lengths {
    from_minutes: u64,
    to_minutes: Option<u64>,
    sessions: u64,
}

impl Tally {
    /// Aggregates the sessions and intervals of talk on these days.
    pub fn of(
        zone: &Zone,
        days: RangeInclusive<Day>,
        mut sessions: Vec<Counted>,
        talk: Vec<TalkInterval>,
    ) -> Self {
        sessions.sort_by_key(|session| (session.began, session.session));
        let talked = Talked::of(zone, &days, talk);
        let mut by_day = BTreeMap::<Day, Vec<&Counted>>::new();
        for session in &sessions {
            let day = zone.day_of(session.began);
            by_day.entry(day).or_default().push(session);
        }
        let (from, to) = days.into_inner();
        let mut rows = Vec::new();
        let mut date = from;
        while date <= to {
            let micros = talked.days.get(&date).copied().unwrap_or(0);
            let of_day = by_day.remove(&date).unwrap_or_default();
            rows.push(OneDay::of(date, micros, &of_day));
            if date.next() == date {
                break;
            }
            date = date.next();
        }
        let all = sessions.iter().collect::<Vec<_>>();
        Self {
            time_zone: zone.name().to_owned(),
            from,
            to,
            days: rows,
            week: talked.week.map(|hours| hours.map(seconds)),
            lengths: lengths(&all),
            topics: topics(&all),
            moods: moods(&all),
        }
    }
}

/// The totals of a range of days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeTotals {
    /// Seconds of talk: overlapping sessions count once.
    pub seconds: u64,
    /// Sessions that began on these days.
    pub sessions: u64,
    /// The longest first.
    pub topics: Vec<String>,
    /// Sessions that can't be read, in full or in part.
    pub unreadable: u64,
}

impl RangeTotals {
    pub fn of(tally: Tally, unreadable: u64) -> Self {
        let topics = tally.topics.into_iter().map(|topic| topic.topic);
        Self {
            seconds: tally.days.iter().map(|day| day.seconds).sum(),
            sessions: tally.days.iter().map(|day| day.sessions).sum(),
            topics: topics.collect(),
            unreadable,
        }
    }
}

impl OneDay {
    fn of(day: Day, micros: i64, sessions: &[&Counted]) -> Self {
        let sum = |of: fn(&Spoken) -> u64| sessions.iter().map(|it| of(&it.spoken)).sum();
        let topics = topics(sessions).into_iter().take(OF_A_DAY);
        let mut moods = moods(sessions);
        moods.truncate(OF_A_DAY);
        Self {
            day,
            seconds: seconds(micros),
            sessions: sessions.len() as u64,
            messages_of_assistant: sum(|spoken| spoken.messages),
            interruptions: sum(|spoken| spoken.interruptions),
            topics: topics.map(TopicOfDay::from).collect(),
            moods,
        }
    }
}

impl From<Topic> for TopicOfDay {
    fn from(topic: Topic) -> Self {
        Self {
            topic: topic.topic,
            sessions: topic.sessions,
            seconds: topic.seconds,
        }
    }
}

/// Microseconds as seconds, rounded.
fn seconds(micros: i64) -> u64 {
    u64::try_from((micros + 500_000) / 1_000_000).unwrap_or(0)
}

/// Durations of talk in microseconds: overlapping sessions count once.
struct Talked {
    days: HashMap<Day, i64>,
    /// By weekday, Monday first, and hour.
    week: [[i64; 24]; 7],
}

impl Talked {
    fn of(zone: &Zone, days: &RangeInclusive<Day>, talk: Vec<TalkInterval>) -> Self {
        let mut talked = Self {
            days: HashMap::new(),
            week: [[0; 24]; 7],
        };
        let from = zone.start_of(*days.start()).micros();
        let to = zone.start_of(days.end().next()).micros();
        let mut within = talk
            .into_iter()
            .map(|talk| (talk.start.micros().max(from), talk.end.micros().min(to)))
            .collect::<Vec<_>>();
        within.sort_unstable();
        let mut counted_up_to = from;
        for (start, end) in within {
            let mut at = start.max(counted_up_to);
            while at < end {
                let next = end.min((at.div_euclid(QUARTER) + 1) * QUARTER);
                talked.add(zone, at, next - at);
                at = next;
            }
            counted_up_to = counted_up_to.max(end);
        }
        talked
    }

    /// Adds a part of a quarter of an hour.
    fn add(&mut self, zone: &Zone, at: i64, micros: i64) {
        let at = Timestamp::from_micros(at);
        let day = zone.day_of(at);
        *self.days.entry(day).or_default() += micros;
        let hour = usize::from(zone.hour_of(at));
        self.week[usize::from(day.weekday())][hour] += micros;
    }
}

/// The topics of sessions, the longest first. Topics that differ only in case are merged, in their first spelling.
fn topics(sessions: &[&Counted]) -> Vec<Topic> {
    let mut by_words = BTreeMap::<String, (Topic, Duration)>::new();
    for session in sessions {
        let Some(topic) = &session.topic else {
            continue;
        };
        let topic = words::trim(topic);
        let (topic, length) = by_words.entry(words::caseless(topic)).or_insert_with(|| {
            let topic = Topic {
                topic: topic.to_owned(),
                sessions: 0,
                seconds: 0,
                newest: Vec::new(),
            };
            (topic, Duration::ZERO)
        });
        topic.sessions += 1;
        topic.newest.push(SessionOfTopic {
            session_id: session.session,
            date: session.began,
        });
        *length += session.length;
    }
    let mut topics = by_words.into_values().collect::<Vec<_>>();
    // The sort is stable: equal ones stay in alphabetical order.
    topics.sort_by_key(|(topic, length)| std::cmp::Reverse((*length, topic.sessions)));
    topics.truncate(TOPICS);
    let shown = topics.into_iter().map(|(mut topic, length)| {
        topic.seconds = rounded(length);
        topic.newest.reverse();
        topic.newest.truncate(SESSIONS);
        topic
    });
    shown.collect()
}

/// The child's moods, the most frequent first; case is ignored as in [topics].
fn moods(sessions: &[&Counted]) -> Vec<Mood> {
    let mut by_words = BTreeMap::<String, Mood>::new();
    for mood in sessions.iter().filter_map(|it| it.mood.as_deref()) {
        let mood = words::trim(mood);
        let counted = by_words
            .entry(words::caseless(mood))
            .or_insert_with(|| Mood {
                mood: mood.to_owned(),
                sessions: 0,
            });
        counted.sessions += 1;
    }
    let mut moods = by_words.into_values().collect::<Vec<_>>();
    moods.sort_by_key(|mood| std::cmp::Reverse(mood.sessions));
    moods
}

fn lengths(sessions: &[&Counted]) -> Vec<Lengths> {
    let edges = std::iter::once(0).chain(LENGTHS);
    let ends = LENGTHS.into_iter().map(Some).chain([None]);
    let mut groups = edges
        .zip(ends)
        .map(|(from_minutes, to_minutes)| Lengths {
            from_minutes,
            to_minutes,
            sessions: 0,
        })
        .collect::<Vec<_>>();
    for session in sessions {
        let minutes = session.length.as_secs() / 60;
        groups[LENGTHS.partition_point(|edge| *edge <= minutes)].sessions += 1;
    }
    groups
}

fn rounded(length: Duration) -> u64 {
    seconds(i64::try_from(length.as_micros()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests;
