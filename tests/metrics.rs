//! The metrics equal a slow recomputation from all deliveries.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::test_app::TestApp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use porchlight::kernel::host::clock::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";
const DAY: i64 = 24 * 3_600;

/// Time zones with mornings after a night, with and without a clock change.
const MORNINGS: [(&str, &str); 5] = [
    ("Asia/Kathmandu", "2026-11-25T06:00:00Z"),
    ("Europe/Berlin", "2027-03-28T06:00:00Z"),
    ("Europe/Berlin", "2027-10-31T06:00:00Z"),
    ("America/New_York", "2027-03-14T13:00:00Z"),
    ("America/New_York", "2027-11-07T13:00:00Z"),
];

#[derive(Clone, Debug)]
enum Step {
    Deliver {
        name: u8,
        messages: Vec<Said>,
    },
    Complete {
        name: u8,
        duration: Option<u32>,
        mood: Option<u8>,
        topic: u8,
    },
    Erase(u8),
    BringBack(u8),
    Move(u8),
}

#[derive(Clone, Debug)]
struct Said {
    id: u8,
    revision: u8,
    /// Seconds before the morning.
    ago: i64,
    by_assistant: bool,
    interrupted: bool,
}

fn said() -> impl Strategy<Value = Said> {
    let ago = prop_oneof![0i64..7_200, 0i64..3 * DAY];
    let fields = (0u8..5, 0u8..3, ago, any::<bool>(), any::<bool>());
    fields.prop_map(|(id, revision, ago, by_assistant, interrupted)| Said {
        id,
        revision,
        ago,
        by_assistant,
        interrupted,
    })
}

fn step() -> impl Strategy<Value = Step> {
    let deliver = (0u8..4, proptest::collection::vec(said(), 1..5));
    let deliver = deliver.prop_map(|(name, messages)| Step::Deliver { name, messages });
    let complete = (
        0u8..4,
        proptest::option::of(0u32..8_000),
        proptest::option::of(0u8..2),
        0u8..3,
    );
    let complete = complete.prop_map(|(name, duration, mood, topic)| Step::Complete {
        name,
        duration,
        mood,
        topic,
    });
    prop_oneof![
        6 => deliver,
        2 => complete,
        1 => (0u8..4).prop_map(Step::Erase),
        1 => (0u8..4).prop_map(Step::BringBack),
        1 => (0u8..4).prop_map(Step::Move),
    ]
}

/// All deliveries to a session, and the child that has it.
#[derive(Default)]
struct Heard {
    session: u64,
    said: Vec<Said>,
    duration: Option<i64>,
    mood: Option<u8>,
    topic: Option<u8>,
    is_erased: bool,
    /// 0 is the child it was delivered for.
    child: usize,
}

impl Heard {
    /// The time of each message: the first one to arrive with the lowest revision decides.
    fn moments(&self) -> BTreeMap<u8, i64> {
        let mut lowest = BTreeMap::<u8, (u8, i64)>::new();
        for said in &self.said {
            let known = lowest.entry(said.id).or_insert((said.revision, said.ago));
            if said.revision < known.0 {
                *known = (said.revision, said.ago);
            }
        }
        lowest.into_iter().map(|(id, (_, ago))| (id, ago)).collect()
    }

    /// How often the assistant spoke and was interrupted: the first message to arrive with each highest revision decides.
    fn spoken(&self) -> (u64, u64) {
        let mut highest = BTreeMap::<u8, &Said>::new();
        for said in &self.said {
            let known = highest.entry(said.id).or_insert(said);
            if said.revision > known.revision {
                *known = said;
            }
        }
        let own = highest.values().filter(|said| said.by_assistant);
        let cut = own.clone().filter(|said| said.interrupted).count();
        (own.count() as u64, cut as u64)
    }

    /// The first and last second of the conversation, counted back from the morning.
    fn talk(&self) -> Option<(i64, i64)> {
        let moments = self.moments();
        let first = moments.values().max()?;
        let last = moments.values().min()?;
        let end = match self.duration {
            Some(duration) => first - duration,
            None => *last,
        };
        let end = end.max(first - DAY);
        (*first > end).then_some((*first, end))
    }
}

/// The compared figures of a day or of the whole range.
fn numbers(part: &Value, fields: &[&str]) -> Vec<Value> {
    fields.iter().map(|field| part[*field].clone()).collect()
}

fn day_of(zone: &TimeZone, second: i64) -> Date {
    let moment = jiff::Timestamp::from_second(second).unwrap();
    zone.to_datetime(moment).date()
}

/// The days and hours of the response, computed second by second.
fn recomputed(
    heard: &[&Heard],
    zone: &TimeZone,
    morning: i64,
    days: &[Date],
) -> (Vec<Vec<Value>>, Value) {
    let mut seconds = BTreeSet::new();
    for (first, end) in heard.iter().filter_map(|heard| heard.talk()) {
        seconds.extend((end..first).map(|ago| morning - ago - 1));
    }
    let mut by_day = BTreeMap::<Date, u64>::new();
    let mut week = vec![vec![0u64; 24]; 7];
    for second in seconds {
        let local = zone.to_datetime(jiff::Timestamp::from_second(second).unwrap());
        if days.contains(&local.date()) {
            *by_day.entry(local.date()).or_default() += 1;
            let weekday = usize::from(local.weekday().to_monday_zero_offset().unsigned_abs());
            week[weekday][usize::from(local.hour().unsigned_abs())] += 1;
        }
    }
    let rows = days.iter().map(|day| {
        let began = |heard: &&&Heard| {
            let first = heard.moments().into_values().max();
            // Without a conversation, a session counts when it was first received: in the morning.
            let began = heard.talk().map(|(first, _)| first).or(Some(0));
            first.is_some() && began.is_some_and(|ago| day_of(zone, morning - ago) == *day)
        };
        let own = heard.iter().filter(began).collect::<Vec<_>>();
        let (mut spoken, mut cut) = (0, 0);
        let mut moods = BTreeMap::<u8, u64>::new();
        for heard in &own {
            let of = heard.spoken();
            (spoken, cut) = (spoken + of.0, cut + of.1);
            if let Some(mood) = heard.mood {
                *moods.entry(mood).or_default() += 1;
            }
        }
        let mut moods = moods.into_iter().collect::<Vec<_>>();
        moods.sort_by_key(|(mood, sessions)| (std::cmp::Reverse(*sessions), *mood));
        let moods = moods
            .iter()
            .map(|(mood, sessions)| json!({"mood": format!("mood {mood}"), "sessions": sessions}));
        vec![
            json!(day.to_string()),
            json!(by_day.get(day).copied().unwrap_or(0)),
            json!(own.len()),
            json!(spoken),
            json!(cut),
            json!(moods.collect::<Vec<_>>()),
        ]
    });
    (rows.collect(), json!(week))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_metrics_equal_a_slow_recomputation(
        steps in proptest::collection::vec(step(), 1..14),
        (zone, morning) in proptest::sample::select(MORNINGS.to_vec()),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let app = TestApp::new().await;
            let at = morning.parse::<Timestamp>().unwrap();
            app.clock.set(at);
            let morning = at.micros() / 1_000_000;
            let ada = app.guardian(ADA).await;
            let children = [app.child("Mia", &[ADA]).await, app.child("Leo", &[ADA]).await];
            let robot = app.assistant("robot", &children).await;
            for child in children {
                let times = json!({"time_zone": zone, "quiet_hours": []});
                ada.put(&format!("/api/child/{child}/times"), &times).await.ok();
            }
            let mut heard = BTreeMap::<u8, Heard>::new();
            for step in steps {
                match step {
                    Step::Deliver { name, messages } => {
                        let said = messages.iter().map(|said| json!({
                            "message_id": said.id.to_string(), "revision": said.revision,
                            "source": if said.by_assistant { "assistant" } else { "child" },
                            "interrupted": said.interrupted,
                            "timestamp": Timestamp::from_micros((morning - said.ago) * 1_000_000),
                        }));
                        let body = json!({"child_id": children[0], "messages": said.collect::<Vec<_>>()});
                        let answer = robot.deliver(&format!("s{name}"), &body).await.json();
                        let of = heard.entry(name).or_default();
                        of.session = answer["session_id"].as_u64().unwrap();
                        of.said.extend(messages);
                    }
                    Step::Complete { name, duration, mood, topic } => {
                        let Some(of) = heard.get_mut(&name) else { continue };
                        let completion = json!({
                            "duration": duration, "topic": format!("Topic {topic}"),
                            "mood": mood.map(|mood| format!("mood {mood}")),
                        });
                        let body = json!({"child_id": children[0], "completion": completion});
                        robot.deliver(&format!("s{name}"), &body).await.ok();
                        of.duration = duration.map(i64::from).or(of.duration);
                        // Omitted fields stay unchanged.
                        of.mood = mood.or(of.mood);
                        of.topic = Some(topic);
                    }
                    Step::Erase(name) => {
                        let Some(of) = heard.get_mut(&name).filter(|of| !of.is_erased) else { continue };
                        let path = format!("/api/sessions/{}", of.session);
                        ada.send(poem::http::Method::DELETE, &path, &[], None).await.ok();
                        of.is_erased = true;
                    }
                    Step::BringBack(name) => {
                        let Some(of) = heard.get_mut(&name).filter(|of| of.is_erased) else { continue };
                        let child = children[of.child];
                        let path = format!("/api/child/{child}/deleted_sessions/{}/undelete", of.session);
                        ada.send(poem::http::Method::POST, &path, &[], None).await.ok();
                        of.is_erased = false;
                    }
                    Step::Move(name) => {
                        let Some(of) = heard.get_mut(&name).filter(|of| !of.is_erased) else { continue };
                        of.child = 1 - of.child;
                        let path = format!("/api/sessions/{}/child", of.session);
                        ada.put(&path, &json!({"child_id": children[of.child]})).await.ok();
                    }
                }
            }
            let time_zone = TimeZone::get(zone).unwrap();
            let last = day_of(&time_zone, morning);
            let days = (0..4).rev().map(|back| last.saturating_sub(jiff::Span::new().days(back))).collect::<Vec<_>>();
            for (index, child) in children.into_iter().enumerate() {
                let (from, to) = (days[0], days[3]);
                let path = format!("/api/child/{child}/metrics?from={from}&to={to}");
                let told = ada.get(&path).await.json();
                let own = heard.values().filter(|of| of.child == index && !of.is_erased).collect::<Vec<_>>();
                let (rows, week) = recomputed(&own, &time_zone, morning, &days);
                let fields = ["day", "seconds", "sessions", "messages_of_assistant", "interruptions", "moods"];
                let of_days = told["days"].as_array().unwrap();
                let told_rows = of_days.iter().map(|day| numbers(day, &fields)).collect::<Vec<_>>();
                prop_assert_eq!(told_rows, rows);
                prop_assert_eq!(&told["week"], &week);
                let topics = told["topics"].as_array().unwrap();
                for topic in 0..3u8 {
                    let began = |of: &&&Heard| {
                        let ago = of.talk().map_or(0, |(first, _)| first);
                        days.contains(&day_of(&time_zone, morning - ago))
                    };
                    let about = own.iter().filter(|of| of.topic == Some(topic)).filter(began).collect::<Vec<_>>();
                    let named = topics.iter().find(|it| it["topic"] == format!("Topic {topic}"));
                    let expected = about.iter().map(|of| of.session).collect::<BTreeSet<_>>();
                    let told = named.map_or(BTreeSet::new(), |named| {
                        named["newest"].as_array().unwrap().iter().map(|of| of["session_id"].as_u64().unwrap()).collect()
                    });
                    prop_assert_eq!(told, expected);
                }
            }
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn invalid_ranges_of_days_are_refused_with_their_parameter() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let day = "A day must look like 2026-11-23.";
    let reversed = "The last day must not come before the first.";
    let too_many = "At most 400 days can be asked for at once.";
    let cases = [
        (400, "from=2026-11-31", day, "?from"),
        (400, "to=20261123", day, "?to"),
        (400, "to=-009999-01-03", day, "?to"),
        (400, "from=0000-12-31", day, "?from"),
        (422, "from=2026-11-20&to=2026-11-19", reversed, "?to"),
        (422, "from=2025-01-01&to=2026-11-19", too_many, "?from"),
    ];

    for (status, query, detail, at) in cases {
        let path = format!("/api/child/{mia}/metrics?{query}");
        let problem = ada.get(&path).await.problem_at(status);
        assert_eq!(problem, (detail.to_owned(), Some(at.to_owned())), "{query}");
    }
    let longest = format!("/api/child/{mia}/metrics?from=2025-10-16&to=2026-11-19");
    let days = ada.get(&longest).await.json()["days"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(days, 400);
}

#[tokio::test]
async fn the_first_and_the_last_representable_days_can_be_requested() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let cases = [
        ("to=0001-01-01", 8),
        ("from=9999-12-31&to=9999-12-31", 1),
        ("from=9998-11-27&to=9999-12-31", 400),
    ];

    for zone in ["UTC", "Pacific/Chatham", "America/New_York"] {
        let times = json!({"time_zone": zone, "quiet_hours": []});
        let path = format!("/api/child/{mia}/times");
        ada.put(&path, &times).await.ok();
        for (query, expected) in cases {
            let path = format!("/api/child/{mia}/metrics?{query}");
            let told = ada.get(&path).await.json();
            let days = told["days"].as_array().unwrap().len();
            assert_eq!(days, expected, "{zone} {query}");
        }
    }
}

#[tokio::test]
async fn the_default_range_is_this_week_and_the_last() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;

    let told = ada.get(&format!("/api/child/{mia}/metrics")).await.json();

    let shortest = json!({"from_minutes": 0, "to_minutes": 2, "sessions": 0});
    assert_eq!(told["lengths"][0], shortest);
    // The tests' clock is at Saturday evening.
    assert_eq!(
        (&told["from"], &told["to"]),
        (&json!("2026-11-09"), &json!("2026-11-21"))
    );
}
