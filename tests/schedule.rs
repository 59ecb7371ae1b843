//! When an assistant may talk: the times that guardians set, what the assistant gets, and the time used up per day.

use std::collections::BTreeMap;
use std::time::Duration;

use poem::http::Method;
use porchlight::admin::{AddChild, Seed};
use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::tables::{Pages, Promise};
use crate::support::test_app::{EVENING, Persona, Response, TestApp};

pub static FACTS: Facts = Facts {
    tables: &[(
        Some(Promise::Pause),
        None,
        &["rules-pause", "rules-pause-log", "times"],
    )],
    damaged: &[
        ("rules-pause", Pages::AsBefore),
        (
            "times",
            Pages::ClosedAndLacksARow(
                &[
                    "getTimes",
                    "getMetrics",
                    "getRules",
                    "getTalkStatus",
                    "getAssistantRules",
                    "listConnections",
                    "getReceipts",
                    "getRulesForAll",
                ],
                &["getAttention"],
            ),
        ),
    ],
    writes: &[write("replaceTimes", None, |_| {
        json!({
            "time_zone": "Europe/Berlin", "pause": {"until": "2026-11-21T16:00:00Z"}, "minutes_a_day": 45,
            "quiet_hours": [{"days": ["sun"], "from": "20:30", "to": "07:00"}],
        })
    })],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

fn times(child: ChildId) -> String {
    format!("/api/child/{child}/times")
}

fn without_limits() -> Value {
    json!({"time_zone": "UTC", "quiet_hours": []})
}

/// Every evening from 20:30, half an hour from [`EVENING`] in UTC.
fn nights(time_zone: &str) -> Value {
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let night = json!({"days": days, "from": "20:30", "to": "07:00"});
    json!({"time_zone": time_zone, "quiet_hours": [night]})
}

fn with(mut times: Value, field: &str, value: Value) -> Value {
    times[field] = value;
    times
}

async fn put_if(guardian: &Persona<'_>, child: ChildId, tag: &str, body: &Value) -> Response {
    let headers = [("If-Match", tag)];
    guardian
        .send(Method::PUT, &times(child), &headers, Some(body.to_string()))
        .await
}

/// The rules as a guardian sees them.
async fn seen(guardian: &Persona<'_>, child: ChildId) -> Value {
    guardian
        .get(&format!("/api/child/{child}/rules"))
        .await
        .json()
}

/// What the assistant gets, and its entity tag.
async fn told(robot: &Persona<'_>, child: ChildId) -> (Value, String) {
    let path = format!("/api/assistant/child/{child}/rules");
    let answer = robot.get(&path).await;
    (answer.json(), answer.header("etag").to_owned())
}

#[tokio::test]
async fn times_are_stored_as_set() {
    let app = TestApp::new().await;
    let (ada, _ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;

    let before = ada.get(&times(mia)).await;
    assert_eq!(before.json(), without_limits());
    assert_eq!(before.header("porchlight-guardians"), "2");
    let set = with(nights("Europe/Berlin"), "minutes_a_day", json!(45));
    let set = with(set, "pause", json!({"until": "2026-11-21T21:00:00Z"}));
    let kept = ada.put(&times(mia), &set).await;

    assert_eq!(kept.json(), set);
    let read = ada.get(&times(mia)).await;
    assert_eq!(read.json(), set);
    assert_eq!(read.header("etag"), kept.header("etag"));
    assert_ne!(read.header("etag"), before.header("etag"));
    let named = with(set, "time_zone", json!("europe/berlin"));
    let kept = ada.put(&times(mia), &named).await.json();
    assert_eq!(kept["time_zone"], "Europe/Berlin");
}

#[tokio::test]
async fn invalid_times_are_refused_with_their_field() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let quiet = |days: Value, from: &str, to: &str| json!({"days": days, "from": from, "to": to});
    let of = |quiet_hours: Value| with(without_limits(), "quiet_hours", quiet_hours);
    let fine = quiet(json!(["mon"]), "20:30", "07:00");
    let cases = [
        (
            with(without_limits(), "time_zone", json!("Mars/Olympus")),
            422,
            Some("/time_zone"),
        ),
        (
            of(json!([quiet(json!(["mon"]), "07:00", "07:00")])),
            422,
            Some("/quiet_hours/0/to"),
        ),
        (
            of(json!([fine, quiet(json!([]), "20:30", "07:00")])),
            422,
            Some("/quiet_hours/1/days"),
        ),
        (
            of(json!([quiet(json!(["mon", "mon"]), "20:30", "07:00")])),
            422,
            Some("/quiet_hours/0/days/1"),
        ),
        (of(json!(vec![fine.clone(); 29])), 422, Some("/quiet_hours")),
        (
            with(without_limits(), "minutes_a_day", json!(0)),
            422,
            Some("/minutes_a_day"),
        ),
        (
            with(without_limits(), "minutes_a_day", json!(1441)),
            422,
            Some("/minutes_a_day"),
        ),
        (
            with(without_limits(), "minutes_a_day", json!(-1)),
            400,
            Some("/minutes_a_day"),
        ),
        (
            with(without_limits(), "minutes_a_day", json!(null)),
            400,
            Some("/minutes_a_day"),
        ),
        (with(without_limits(), "more", json!(1)), 400, Some("/more")),
        (
            with(without_limits(), "pause", json!(null)),
            400,
            Some("/pause"),
        ),
        (
            with(without_limits(), "pause", json!({"since": "x"})),
            400,
            Some("/pause/since"),
        ),
        (
            of(json!([quiet(json!(["monday"]), "20:30", "07:00")])),
            400,
            Some("/quiet_hours/0/days/0"),
        ),
        (
            of(json!([quiet(json!(["mon"]), "24:00", "07:00")])),
            400,
            Some("/quiet_hours/0/from"),
        ),
        (json!({"quiet_hours": []}), 400, Some("/time_zone")),
    ];

    for (body, status, at) in cases {
        let refused = ada.put(&times(mia), &body).await;
        let (_, place) = refused.problem_at(status);
        assert_eq!(place.as_deref(), at, "{body}: {}", refused.body);
    }
    assert_eq!(ada.get(&times(mia)).await.json(), without_limits());
}

#[tokio::test]
async fn of_two_concurrent_edits_the_second_guardian_gets_412() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let tag = ada.get(&times(mia)).await.header("etag").to_owned();

    put_if(&ada, mia, &tag, &nights("UTC")).await.ok();
    let refused = put_if(&ben, mia, &tag, &without_limits()).await;

    assert_eq!(
        refused.problem(412),
        "The times were changed meanwhile. Please look at them again and repeat your change."
    );
    assert_eq!(ben.get(&times(mia)).await.json(), nights("UTC"));
}

#[tokio::test]
async fn the_assistant_gets_the_times_to_stop_and_to_continue() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    ada.put(&times(mia), &nights("UTC")).await.ok();

    let (rules, tag) = told(&robot, mia).await;
    assert_eq!(
        rules["talk"],
        json!({"allowed": true, "until": "2026-11-21T20:30:00Z"})
    );
    let version = rules["version"].as_str().unwrap().to_owned();
    assert_eq!(tag, format!("\"{version}\""));
    app.clock.advance(Duration::from_secs(30 * 60));
    let path = format!("/api/assistant/child/{mia}/rules");
    let known = [("If-None-Match", tag.as_str())];
    let asked = robot.send(Method::GET, &path, &known, None);

    let answer = asked.await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("etag"), format!("\"{version}.quiet_hours\""));
    let told = answer.json();
    assert_eq!(told["version"], json!(version));
    let goodbye = told["talk"]["goodbye"].as_str().unwrap();
    assert_eq!(
        told["talk"],
        json!({
            "allowed": false, "why": "quiet_hours", "until": "2026-11-22T07:00:00Z", "goodbye": goodbye,
        })
    );
    let ada = app.stepped_up(ADA).await;
    assert_eq!(seen(&ada, mia).await["talk"], told["talk"]);
    let known = [("If-None-Match", answer.header("etag"))];
    let asked = robot.send(Method::GET, &path, &known, None);
    assert_eq!(asked.await.status, 304);
}

#[tokio::test]
async fn a_pause_ends_on_time_and_creates_no_version() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let (before, tag) = told(&robot, mia).await;
    let pause = |pause| with(without_limits(), "pause", pause);

    ada.put(&times(mia), &pause(json!({}))).await.ok();
    let (endless, endless_tag) = told(&robot, mia).await;
    ada.put(
        &times(mia),
        &pause(json!({"until": "2026-11-21T20:10:00Z"})),
    )
    .await
    .ok();
    let (paused, paused_tag) = told(&robot, mia).await;
    app.clock.advance(Duration::from_secs(10 * 60));
    let (after, after_tag) = told(&robot, mia).await;

    assert_eq!(endless["talk"]["why"], "paused");
    assert_eq!(endless["talk"].get("until"), None);
    assert_eq!(paused["talk"]["until"], "2026-11-21T20:10:00Z");
    for rules in [&endless, &paused, &after] {
        assert_eq!(rules["version"], before["version"]);
    }
    assert_eq!(after["talk"], json!({"allowed": true}));
    assert_eq!(after_tag, tag);
    // Who only knew the earlier end would talk from then on.
    assert!(tag != endless_tag && endless_tag != paused_tag && paused_tag != tag);
}

#[tokio::test]
async fn a_change_of_hours_minutes_or_zone_creates_a_version_and_an_identical_write_does_not() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let limited = with(nights("UTC"), "minutes_a_day", json!(30));
    let elsewhere = with(limited.clone(), "time_zone", json!("Asia/Tokyo"));
    let paused = with(elsewhere.clone(), "pause", json!({}));
    let changes = [
        (without_limits(), 0),
        (nights("UTC"), 1),
        (nights("UTC"), 1),
        (limited, 2),
        (elsewhere.clone(), 3),
        (paused, 3),
        (elsewhere, 3),
        (without_limits(), 4),
    ];

    for (body, expected) in changes {
        ada.put(&times(mia), &body).await.ok();
        assert_eq!(seen(&ada, mia).await["number"], expected, "{body}");
    }
}

#[tokio::test]
async fn talking_uses_up_the_minutes_of_a_day_and_midnight_resets_them() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let limited = with(without_limits(), "minutes_a_day", json!(30));
    ada.put(&times(mia), &limited).await.ok();
    let said =
        |id: &str, at: &str| json!([{"message_id": id, "timestamp": format!("2026-11-21T{at}Z")}]);

    robot
        .deliver_messages("s", &said("a", "19:00:00"))
        .await
        .ok();
    robot
        .deliver_messages("s", &said("b", "19:10:00.5"))
        .await
        .ok();
    let rules = seen(&ada, mia).await;
    assert_eq!(rules["seconds_used"], 600);
    assert_eq!(
        rules["talk"],
        json!({"allowed": true, "seconds_left": 1200})
    );
    // Yesterday's conversations don't count, and overlapping ones count once.
    let long_ago = json!([{"message_id": "a", "timestamp": "2026-11-20T19:00:00Z"}]);
    robot.deliver_messages("t", &long_ago).await.ok();
    let completion = json!({"end_time": "2026-11-20T23:00:00Z"});
    robot.complete("t", &completion).await.ok();
    robot
        .deliver_messages("u", &said("a", "19:05:00"))
        .await
        .ok();
    robot
        .complete("u", &json!({"duration": 25 * 60}))
        .await
        .ok();

    let rules = seen(&ada, mia).await;
    assert_eq!(rules["seconds_used"], 1800);
    let goodbye = rules["talk"]["goodbye"].as_str().unwrap();
    assert_eq!(
        rules["talk"],
        json!({
            "allowed": false, "why": "time_used_up", "until": "2026-11-22T00:00:00Z",
            "seconds_left": 0, "goodbye": goodbye,
        })
    );
    app.clock.advance(Duration::from_secs(4 * 60 * 60));
    let ada = app.stepped_up(ADA).await;
    let rules = seen(&ada, mia).await;
    assert_eq!(rules["seconds_used"], 0);
    assert_eq!(
        rules["talk"],
        json!({"allowed": true, "seconds_left": 1800})
    );
}

#[tokio::test]
async fn times_are_exported_and_imported() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let set = with(nights("Europe/Berlin"), "minutes_a_day", json!(45));
    ada.put(&times(mia), &with(set, "pause", json!({})))
        .await
        .ok();
    let (_, text) = app.exported().await;

    let again = TestApp::new().await;
    let (seeded, _) = again.run_admin(Seed { text: text.clone() }).await;

    assert!(seeded.is_ok());
    assert_eq!(again.exported().await.1, text);
    assert!(text.contains(r#""time_zone":"Europe/Berlin""#), "{text}");
    let wrong = text.replace("Europe/Berlin", "Mars/Olympus");
    let (refused, _) = again.run_admin(Seed { text: wrong }).await;
    let sentence = refused.err().unwrap().to_string();
    assert!(
        sentence.contains("This time zone is not known"),
        "{sentence}"
    );
}

/// A delivery to a session; times in seconds before [`EVENING`].
#[derive(Clone, Debug)]
enum Step {
    Deliver {
        name: u8,
        start: Option<i64>,
        /// The id, revision and time of each message.
        messages: Vec<(u8, u8, i64)>,
    },
    Complete {
        name: u8,
        end: Option<i64>,
        duration: Option<u32>,
    },
    Wait {
        minutes: u64,
    },
}

/// Up to a day ago.
fn ago() -> impl Strategy<Value = i64> {
    prop_oneof![0i64..3_600, 0i64..30 * 3_600]
}

fn step() -> impl Strategy<Value = Step> {
    let messages = proptest::collection::vec((0u8..4, 0u8..3, ago()), 0..4);
    let deliver = (0u8..3, proptest::option::weighted(0.2, ago()), messages);
    let deliver = deliver.prop_map(|(name, start, messages)| Step::Deliver {
        name,
        start,
        messages,
    });
    let ending = (
        0u8..3,
        proptest::option::of(ago()),
        proptest::option::of(0u32..10_000),
    );
    let complete = ending.prop_map(|(name, end, duration)| Step::Complete {
        name,
        end,
        duration,
    });
    let wait = (0u64..120).prop_map(|minutes| Step::Wait { minutes });
    prop_oneof![6 => deliver, 1 => complete, 1 => wait]
}

/// The seconds since 1970 of the time this many seconds before [`EVENING`].
fn second(ago: i64) -> i64 {
    EVENING.parse::<Timestamp>().unwrap().micros() / 1_000_000 - ago
}

fn shown(ago: i64) -> Timestamp {
    Timestamp::from_micros(second(ago) * 1_000_000)
}

/// All deliveries to a session; each query recomputes from them.
#[derive(Default)]
struct Heard {
    start: Option<i64>,
    /// All that arrived: id, revision and second.
    messages: Vec<(u8, u8, i64)>,
    end: Option<i64>,
    duration: Option<i64>,
}

impl Heard {
    /// The time of each message: the first one to arrive with the lowest revision decides.
    fn said(&self) -> Vec<i64> {
        let mut lowest = BTreeMap::<u8, (u8, i64)>::new();
        for (id, revision, at) in &self.messages {
            let known = lowest.entry(*id).or_insert((*revision, *at));
            if *revision < known.0 {
                *known = (*revision, *at);
            }
        }
        lowest.into_values().map(|(_, at)| at).collect()
    }

    /// The seconds of the conversation.
    fn talked(&self) -> std::ops::Range<i64> {
        let said = self.said();
        let Some(start) = self.start.or(said.iter().min().copied()) else {
            return 0..0;
        };
        let reported = self.duration.map(|duration| start + duration);
        let end = self.end.or(reported).or(said.iter().max().copied());
        // No conversation lasts more than a day.
        start..end.unwrap_or(start).min(start + 24 * 3_600)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_seconds_used_are_those_of_the_conversations(
        steps in proptest::collection::vec(step(), 1..12),
        zone in proptest::sample::select(vec!["UTC", "Asia/Tokyo", "America/New_York"]),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let app = TestApp::new().await;
            let ada = app.guardian(ADA).await;
            let mia = app.child("Mia", &[ADA]).await;
            let robot = app.assistant("robot", &[mia]).await;
            ada.put(&times(mia), &with(without_limits(), "time_zone", json!(zone))).await.ok();
            let mut heard = BTreeMap::<u8, Heard>::new();
            for step in steps {
                match step {
                    Step::Deliver { name, start, messages } => {
                        let said = messages.iter().map(|(id, revision, ago)| {
                            json!({"message_id": id.to_string(), "revision": revision, "timestamp": shown(*ago)})
                        });
                        let body = json!({"start_time": start.map(shown), "messages": said.collect::<Vec<_>>()});
                        robot.deliver(&format!("s{name}"), &body).await.ok();
                        let of = heard.entry(name).or_default();
                        of.start = start.map(second).or(of.start);
                        of.messages.extend(messages.iter().map(|(id, revision, ago)| (*id, *revision, second(*ago))));
                    }
                    Step::Complete { name, end, duration } => {
                        let completion = json!({"end_time": end.map(shown), "duration": duration});
                        robot.deliver(&format!("s{name}"), &json!({"completion": completion})).await.ok();
                        let of = heard.entry(name).or_default();
                        of.end = end.map(second).or(of.end);
                        of.duration = duration.map(i64::from).or(of.duration);
                    }
                    Step::Wait { minutes } => {
                        app.clock.advance(Duration::from_secs(minutes * 60));
                        app.inner.assistant.end_silent_sessions().await.unwrap();
                    }
                }
                let now = app.inner.clock.now().micros() / 1_000_000;
                let offset = match zone {
                    "Asia/Tokyo" => 9 * 3_600,
                    "America/New_York" => -5 * 3_600,
                    _ => 0,
                };
                const DAY: i64 = 24 * 3_600;
                let midnight = now - (now + offset).rem_euclid(DAY);
                let talked = heard.values().map(Heard::talked).collect::<Vec<_>>();
                let is_used = |second: &i64| talked.iter().any(|seconds| seconds.contains(second));
                let expected = (midnight..midnight + DAY).filter(is_used).count();
                let access = app.inner.children.for_administrator(mia).unwrap();
                let told = app.inner.rules.talk(&access).unwrap();
                prop_assert_eq!(told.seconds_used, expected as u64);
            }
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn repeated_pausing_and_resuming_pushes_nothing_out_of_the_history() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let context = json!({"text": "Mia is six."});
    ben.put(&format!("/api/child/{mia}/context"), &context)
        .await
        .ok();
    let paused = with(
        without_limits(),
        "pause",
        json!({"until": "2026-11-22T20:00:00Z"}),
    );

    for _ in 0..100 {
        ada.put(&times(mia), &paused).await.ok();
        ada.put(&times(mia), &without_limits()).await.ok();
    }

    let history = ben.get(&format!("/api/child/{mia}/history")).await.json();
    let entries = history["items"].as_array().unwrap();
    let schedule_of = |what: &str| -> u64 {
        let of_kind = entries.iter().filter(|it| it["what"] == what);
        of_kind.map(|it| it["times"].as_u64().unwrap_or(1)).sum()
    };
    assert_eq!(
        (schedule_of("paused"), schedule_of("pause_ended")),
        (100, 100)
    );
    assert_eq!(entries.len(), 21, "{history}");
    assert_eq!(entries[20]["what"], "context");
}

#[tokio::test]
async fn a_child_added_by_the_administrator_has_the_named_time_zone_or_the_servers() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let add = |zone: Option<&str>| AddChild {
        name: "Mia".to_owned(),
        guardians: vec![ADA.parse().unwrap()],
        time_zone: zone.map(|name| name.parse().unwrap()),
        ..AddChild::default()
    };

    for zone in [Some("Europe/Berlin"), None] {
        app.run_admin(add(zone)).await.0.unwrap();
    }

    let children = ada.get("/api/children").await.json();
    for (child, zone) in children
        .as_array()
        .unwrap()
        .iter()
        .zip(["Europe/Berlin", "UTC"])
    {
        let times = ada
            .get(&format!("/api/child/{}/times", child["child_id"]))
            .await
            .json();
        assert_eq!(times, json!({"time_zone": zone, "quiet_hours": []}));
    }
}
