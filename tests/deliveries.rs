//! Deliveries of assistants: order, repeats, conflicts, names, idle timeouts, clocks, and invalid bodies.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::test_app::{EVENING, Persona, TestApp};
use porchlight::admin::AcceptClock;
use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use proptest::prelude::*;
use proptest::sample::subsequence;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[(None, None, &["latest-delivery"])],
    writes: &[write("deliver", None, |child| {
        json!({
            "session": "s", "child_id": child, "topic": "Tides",
            "start_time": "2026-11-21T16:00:00Z", "device": "kitchen", "idle_after": 60,
            "messages": [{
                "message_id": "new", "source": "child", "text_content": "Why?",
                "timestamp": "2026-11-20T16:00:09Z", "revision": 0, "content_type": "text",
                "event_type": "said", "start_sample": 7, "interrupted": true, "speaker": "Mia",
            }],
            "completion": {
                "duration": 61.5, "score": 0.8, "mood": "curious", "topic": "The moon",
                "end_time": "2026-11-20T16:10:00Z",
            },
        })
    })],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";

fn evening() -> Timestamp {
    Timestamp::parse(EVENING).unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().unwrap()
}

/// Creates a guardian, a child and its assistant.
async fn one_child(app: &TestApp) -> (ChildId, Persona<'_>) {
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    (mia, app.assistant("kitchen", &[mia]).await)
}

/// Returns the child's sessions, oldest first, with their messages under `messages`.
async fn transcripts(app: &TestApp, child: ChildId) -> Vec<Value> {
    let ada = app.stepped_up(ADA).await;
    let path = format!("/api/sessions?child_id={child}&limit=500");
    let mut sessions = ada.get(&path).await.json()["sessions"].take();
    let mut read = Vec::new();
    for session in sessions.as_array_mut().unwrap() {
        let path = format!("/api/sessions/{}/messages?limit=500", session["session_id"]);
        session["messages"] = ada.get(&path).await.json()["messages"].take();
        read.push(session.take());
    }
    read.sort_by_key(|session| session["session_id"].as_u64());
    read
}

async fn completed(app: &TestApp, child: ChildId) -> Value {
    let path = format!("/api/child/{child}/activities/completed");
    app.stepped_up(ADA).await.get(&path).await.json()
}

#[tokio::test]
async fn an_assistant_gets_its_own_name_and_children() {
    let app = TestApp::new().await;
    let (mia, _) = one_child(&app).await;
    let leo = app.child("Leo", &[ADA]).await;
    let robot = app.assistant("Living room", &[mia, leo]).await;

    let answer = robot.get("/api/assistant").await.json();

    let household = app.stepped_up(ADA).await.get("/api/household").await.json();
    let listed = household["assistants"].as_array().unwrap();
    let own = listed.iter().find(|one| one["name"] == "Living room");
    assert_eq!(
        answer,
        json!({
            "assistant_id": own.unwrap()["assistant_id"],
            "name": "Living room",
            "children": [{"child_id": mia, "name": "Mia"}, {"child_id": leo, "name": "Leo"}],
            "server_time": EVENING,
            "server_version": env!("CARGO_PKG_VERSION"),
        })
    );
}

#[tokio::test]
async fn one_delivery_holds_a_whole_session() {
    let app = TestApp::new().await;
    let (mia, robot) = one_child(&app).await;
    let delivery = json!({
        "topic": "The moon", "start_time": "2026-11-21T19:40:00Z", "device": "kitchen",
        "messages": [
            {"message_id": "a", "source": "child", "speaker": "Mia", "text_content": "Why?",
                "timestamp": "2026-11-21T19:41:00Z"},
            {"message_id": "b", "source": "assistant", "text_content": "Because.",
                "timestamp": "2026-11-21T19:42:00Z"},
        ],
        "completion": {"end_time": "2026-11-21T19:50:00Z", "mood": "curious"},
    });

    let answer = robot.deliver("s", &delivery).await.json();

    assert_eq!(
        answer,
        json!({"session_id": 1, "stored": 2, "repeated": 0, "erased": 0, "conflicting": [], "adjusted": [], "repaired": [],
            "rejected": [], "unknown": []})
    );
    let session = &transcripts(&app, mia).await[0];
    assert_eq!(session["device"], "kitchen");
    assert_eq!(session["assistant"], "kitchen");
    assert_eq!(session["messages"][0]["speaker"], "Mia");
    assert_eq!(
        completed(&app, mia).await,
        json!([{"session_id": 1, "date": "2026-11-21", "ended_at": "2026-11-21T19:50:00Z", "topic": "The moon",
            "duration": 600.0, "score": null, "mood": "curious"}])
    );
}

#[tokio::test]
async fn a_session_without_details_has_the_date_of_its_first_message_a_duration_and_the_childs_first_words()
 {
    let app = TestApp::new().await;
    let (mia, robot) = one_child(&app).await;
    // The first message to arrive isn't the earliest.
    let last = json!({"messages": [
        {"message_id": "c", "source": "child", "text_content": "Good night", "timestamp": "2026-11-21T19:52:00Z"},
    ]});
    let first = json!({"messages": [
        {"message_id": "a", "source": "assistant", "text_content": "Hello!", "timestamp": "2026-11-21T19:40:00Z"},
        {"message_id": "b", "source": "child", "text_content": "  Why does lava glow? ",
            "timestamp": "2026-11-21T19:41:00Z"},
    ]});
    robot.deliver("s", &last).await.ok();
    robot.deliver("s", &first).await.ok();

    let session = transcripts(&app, mia).await.remove(0);
    assert_eq!(session["date"], "2026-11-21T19:40:00Z");
    assert_eq!(session["duration"], 720.0);
    assert_eq!(session["first_words"], "Why does lava glow?");
    assert_eq!(session.get("start_time"), None);
    let one = app
        .stepped_up(ADA)
        .await
        .get("/api/sessions/1")
        .await
        .json();
    assert_eq!(one["date"], session["date"]);
    let found = app.stepped_up(ADA).await.find_all(mia, "lava").await;
    assert_eq!(found[0]["date"], session["date"]);

    // A start and a topic that arrive later take precedence.
    let told = json!({"topic": "Lava", "start_time": "2026-11-21T19:39:00Z"});
    robot.deliver("s", &told).await.ok();
    let session = transcripts(&app, mia).await.remove(0);
    assert_eq!(session["date"], "2026-11-21T19:39:00Z");
    assert_eq!(session["duration"], 780.0);
    assert_eq!(session.get("first_words"), None);
}

#[tokio::test]
async fn a_session_without_any_message_has_no_date() {
    let app = TestApp::new().await;
    let (mia, robot) = one_child(&app).await;

    robot.deliver("s", &json!({"device": "kitchen"})).await.ok();

    let session = transcripts(&app, mia).await.remove(0);
    assert_eq!((session.get("date"), session.get("duration")), (None, None));
}

#[tokio::test]
async fn the_date_of_an_activity_is_the_sessions_start_in_the_childs_time_zone() {
    let app = TestApp::new().await;
    let (mia, robot) = one_child(&app).await;
    let times = json!({"time_zone": "Pacific/Auckland", "quiet_hours": []});
    let path = format!("/api/child/{mia}/times");
    app.stepped_up(ADA).await.put(&path, &times).await.ok();

    // It arrives a day after it was spoken.
    let delivery = json!({
        "messages": [{"message_id": "a", "source": "child", "text_content": "Hi",
            "timestamp": "2026-11-20T11:30:00Z"}],
        "completion": {"duration": 90},
    });
    robot.deliver("s", &delivery).await.ok();

    let activity = completed(&app, mia).await[0].take();
    assert_eq!(activity["date"], "2026-11-21");
    assert_eq!(activity["ended_at"], "2026-11-20T11:31:30Z");
}

#[tokio::test]
async fn an_invalid_message_is_rejected_alone() {
    let app = TestApp::new().await;
    let (mia, robot) = one_child(&app).await;
    let messages = json!([
        {"message_id": "a", "text_content": "fine", "speakr": "Mia"},
        {"message_id": "b", "timestamp": "yesterday"},
        7,
        {"message_id": "c", "text_content": "ä".repeat(32 * 1024 + 1)},
        {"message_id": "d", "timestamp": "2026-11-21T20:10:01Z", "text_content": "ahead"},
        {"message_id": "e", "timestamp": null, "topic": null, "she said": "a secret"},
        {"text_content": "no id"},
    ]);

    let answer = robot.deliver_messages("s", &messages).await.json();

    assert_eq!(answer["stored"], 3);
    assert_eq!(answer["adjusted"], json!(["d"]));
    assert_eq!(
        answer["unknown"],
        json!(["messages[].?", "messages[].speakr", "messages[].topic"])
    );
    assert_eq!(
        answer["rejected"],
        json!([
            {"index": 1, "message_id": "b", "at": "/messages/1/timestamp", "code": "body_invalid",
                "detail": "A time must look like 2026-11-21T16:05:00Z."},
            {"index": 2, "at": "/messages/2", "code": "body_invalid", "detail": "An object is expected here."},
            {"index": 3, "message_id": "c", "at": "/messages/3/text_content", "code": "message_too_long",
                "detail": "One message's text is longer than 64 KiB."},
            {"index": 6, "at": "/messages/6/message_id", "code": "body_invalid",
                "detail": "A field that is required is missing."},
        ])
    );
    let ids = transcripts(&app, mia).await[0]["messages"].clone();
    let ids = ids.as_array().unwrap().iter();
    let ids = ids.map(|message| (message["message_id"].clone(), message["timestamp"].clone()));
    assert_eq!(
        ids.collect::<Vec<_>>(),
        ["a", "d", "e"].map(|id| (json!(id), json!(EVENING))),
        "in the list's order, at the time of arrival"
    );
}

#[tokio::test]
async fn a_session_ends_after_its_idle_time_and_continues_with_the_next_message() {
    let app = TestApp::new().await;
    let (mia, robot) = one_child(&app).await;
    let said = |id: &str, at: &str| json!({"messages": [{"message_id": id, "timestamp": at}]});
    robot
        .deliver("s", &said("a", "2026-11-21T19:58:00Z"))
        .await
        .ok();
    robot
        .deliver("s", &said("b", "2026-11-21T19:59:00Z"))
        .await
        .ok();
    let end_silent = async || app.inner.assistant.end_silent_sessions().await.unwrap();
    let ended = async || transcripts(&app, mia).await[0]["ended"].clone();

    app.clock.advance(Duration::from_secs(30 * 60 - 1));
    end_silent().await;
    assert_eq!(ended().await, false);
    // A repeat doesn't count as an arrival.
    robot
        .deliver("s", &said("b", "2026-11-21T19:59:00Z"))
        .await
        .ok();
    app.clock.advance(Duration::from_secs(1));
    end_silent().await;
    assert_eq!(ended().await, true);
    assert_eq!(completed(&app, mia).await[0]["duration"], 60.0);

    robot
        .deliver("s", &said("c", "2026-11-21T20:30:00Z"))
        .await
        .ok();
    assert_eq!(ended().await, false);
    assert_eq!(completed(&app, mia).await, json!([]));
    let summary = app
        .stepped_up(ADA)
        .await
        .get(&format!("/api/child/{mia}/summary"))
        .await
        .json();
    assert_eq!(summary["minutes"], 0, "it goes on");

    app.clock.advance(Duration::from_secs(60 * 60));
    end_silent().await;
    assert_eq!(completed(&app, mia).await[0]["duration"], 1920.0);
    let summary = app
        .stepped_up(ADA)
        .await
        .get(&format!("/api/child/{mia}/summary"))
        .await
        .json();
    assert_eq!(summary["minutes"], 32);
}

#[tokio::test]
async fn a_session_whose_newest_message_is_old_ends_at_once() {
    let app = TestApp::new().await;
    let (mia, robot) = one_child(&app).await;
    let old = json!({"idle_after": 60, "messages": [
        {"message_id": "a", "timestamp": "2026-11-21T19:00:00Z"},
        {"message_id": "b", "timestamp": "2026-11-21T19:58:59Z"},
    ]});

    robot.deliver("s", &old).await.ok();

    assert_eq!(transcripts(&app, mia).await[0]["ended"], true);
    assert_eq!(completed(&app, mia).await[0]["duration"], 3539.0);
}

#[tokio::test]
async fn a_completed_session_is_not_reopened() {
    let app = TestApp::new().await;
    let (mia, robot) = one_child(&app).await;
    robot
        .complete("s", &json!({"duration": 61, "score": 0.8}))
        .await
        .ok();
    let late = json!([{"message_id": "late", "timestamp": "2026-11-21T19:59:00Z"}]);

    robot.deliver_messages("s", &late).await.ok();
    robot
        .complete("s", &json!({"duration": 62, "mood": "happy"}))
        .await
        .ok();

    assert_eq!(transcripts(&app, mia).await[0]["ended"], true);
    let activity = completed(&app, mia).await[0].clone();
    assert_eq!(
        (&activity["duration"], &activity["score"], &activity["mood"]),
        (&json!(62.0), &json!(0.8), &json!("happy"))
    );
}

#[tokio::test]
async fn deliveries_are_refused_after_the_clock_was_set_back_until_it_is_accepted() {
    let app = TestApp::new().await;
    let (mia, robot) = one_child(&app).await;
    let say = |id: &str| json!([{"message_id": id}]);
    robot.deliver_messages("s", &say("a")).await.ok();
    app.clock
        .set(Timestamp::parse("2026-11-20T19:59:59Z").unwrap());

    let refused = robot.deliver_messages("s", &say("b")).await;
    assert_eq!(refused.header("retry-after"), "60");
    refused.problem(503);
    let (accepted, _) = app.run_admin(AcceptClock).await;
    assert!(accepted.is_ok());
    robot.deliver_messages("s", &say("b")).await.ok();

    app.clock.set(evening());
    let session = &transcripts(&app, mia).await[0];
    assert_eq!(session["messages"][0]["timestamp"], "2026-11-20T19:59:59Z");
    assert_eq!(session["messages"].as_array().unwrap().len(), 2);
}

/// Values of a wrong type or an invalid format.
fn hostile_values() -> [(&'static str, Value); 10] {
    [
        ("null", Value::Null),
        ("true", json!(true)),
        ("-1", json!(-1)),
        ("1e300", json!(1e300)),
        ("empty text", json!("")),
        ("201 characters", json!("x".repeat(201))),
        ("a text with \\0", json!("\0")),
        ("[]", json!([])),
        ("a list of fields", json!([1, null, null, null, null])),
        ("{}", json!({})),
    ]
}

#[tokio::test]
async fn hostile_deliveries_and_their_answers() {
    let app = TestApp::new().await;
    let (mia, robot) = one_child(&app).await;
    let mut table = String::new();
    let row = async |table: &mut String, what: String, delivery: Value| {
        let answer = robot.post("/api/assistant/deliveries", &delivery).await;
        let body = serde_json::from_str::<Value>(&answer.body).unwrap();
        let shown = match answer.status.as_u16() {
            200 => {
                let rejected = body["rejected"][0].clone();
                let stored = &body["stored"];
                match (rejected.is_null(), body["adjusted"] == json!([])) {
                    (false, _) => format!("rejected {} {}", rejected["at"], rejected["detail"]),
                    (true, true) => format!("stored {stored}"),
                    (true, false) => format!("stored {stored}, adjusted"),
                }
            }
            status => format!("{status} {} {}", body["at"], body["detail"]),
        };
        *table += &format!("{what}: {shown}\n");
    };
    let fields = [
        "session",
        "child_id",
        "topic",
        "start_time",
        "device",
        "messages",
        "completion",
        "idle_after",
    ];
    for field in fields {
        for (name, value) in hostile_values() {
            let mut delivery = json!({"session": "s"});
            delivery[field] = value;
            row(&mut table, format!("{field} = {name}"), delivery).await;
        }
    }
    let fields = [
        "message_id",
        "source",
        "speaker",
        "text_content",
        "timestamp",
        "revision",
        "start_sample",
        "interrupted",
    ];
    for (number, field) in fields.into_iter().enumerate() {
        for (name, value) in hostile_values() {
            let mut message = json!({"message_id": format!("{number} {name}")});
            message[field] = value;
            let delivery = json!({"session": "s", "messages": [message]});
            row(&mut table, format!("messages[].{field} = {name}"), delivery).await;
        }
    }

    insta::assert_snapshot!(table);
    // Everything stored can be read.
    transcripts(&app, mia).await;
}

/// A generated message.
#[derive(Clone, Debug)]
struct Said {
    id: u8,
    revision: u8,
    text: u8,
    /// Seconds before the evening; `None` without a timestamp.
    ago: Option<i32>,
}

/// A step of a generated sequence.
#[derive(Clone, Debug)]
enum Step {
    Deliver {
        child: usize,
        name: u8,
        said: Vec<Said>,
        topic: Option<u8>,
    },
    /// Sends an earlier delivery again.
    Repeat(usize),
    Complete {
        child: usize,
        name: u8,
        seconds: u8,
    },
    Wait {
        minutes: u8,
    },
}

fn said() -> impl Strategy<Value = Said> {
    // Some are impossible: years ago, or an hour ahead.
    let ago = prop_oneof![
        3 => (0..3_000_i32).prop_map(Some),
        1 => Just(None),
        1 => prop_oneof![Just(Some(-3_600)), Just(Some(1_000_000_000))],
    ];
    (0..4_u8, 0..3_u8, 0..2_u8, ago).prop_map(|(id, revision, text, ago)| Said {
        id,
        revision,
        text,
        ago,
    })
}

fn step() -> impl Strategy<Value = Step> {
    let said = proptest::collection::vec(said(), 0..4);
    prop_oneof![
        6 => (0..2_usize, 0..2_u8, said, proptest::option::of(0..3_u8))
            .prop_map(|(child, name, said, topic)| Step::Deliver { child, name, said, topic }),
        2 => (0..8_usize).prop_map(Step::Repeat),
        1 => (0..2_usize, 0..2_u8, 0..90_u8)
            .prop_map(|(child, name, seconds)| Step::Complete { child, name, seconds }),
        2 => (1..40_u8).prop_map(|minutes| Step::Wait { minutes }),
    ]
}

/// The expected state of a session.
#[derive(Debug, Default)]
struct Expected {
    topic: Option<u8>,
    arrived: u64,
    messages: BTreeMap<u8, ExpectedMessage>,
    last_arrival: Option<Timestamp>,
    completed: bool,
    ended: bool,
}

#[derive(Debug)]
struct ExpectedMessage {
    text: u8,
    at: Timestamp,
    arrival: u64,
    revision: u8,
    lowest: u8,
}

impl Expected {
    fn take_in(&mut self, said: &[Said], topic: Option<u8>, now: Timestamp) {
        let is_new = self.last_arrival.is_none() && !self.completed;
        let mut changed = is_new || topic.is_some_and(|topic| Some(topic) != self.topic);
        self.topic = topic.or(self.topic);
        for message in said {
            let sent = message.ago.map(time);
            let possible = sent.filter(|at| {
                *at >= time(800_000_000) && *at <= now.after(Duration::from_secs(600))
            });
            let arrived = self.arrived;
            let kept = self.messages.entry(message.id).or_insert_with(|| {
                changed = true;
                ExpectedMessage {
                    text: message.text,
                    at: possible.unwrap_or(now),
                    arrival: arrived,
                    revision: message.revision,
                    lowest: message.revision,
                }
            });
            self.arrived = self.arrived.max(kept.arrival + 1);
            if message.revision > kept.revision {
                changed = true;
                (kept.revision, kept.text) = (message.revision, message.text);
            } else if message.revision < kept.lowest && possible.is_some() {
                changed = true;
                (kept.lowest, kept.at) = (message.revision, possible.unwrap());
            }
        }
        if changed && !self.completed {
            self.last_arrival = Some(now);
            let newest = self.messages.values().map(|message| message.at).max();
            self.ended =
                newest.is_some_and(|newest| now.since(newest) > Duration::from_secs(1_800));
        }
    }

    fn wait(&mut self, now: Timestamp) {
        let last = self.last_arrival.unwrap_or(now);
        self.ended |= now.since(last) >= Duration::from_secs(1_800);
    }

    /// The ids, texts and times of the messages, in reading order.
    fn transcript(&self, child: usize) -> Vec<Value> {
        let mut messages = self.messages.iter().collect::<Vec<_>>();
        messages.sort_by_key(|(_, message)| (message.at, message.arrival));
        let shown = messages.into_iter().map(|(id, message)| {
            json!([id.to_string(), words(child, *id, message.text), message.at])
        });
        shown.collect()
    }
}

/// This many seconds before [`EVENING`](super::support::test_app::EVENING).
fn time(ago: i32) -> Timestamp {
    Timestamp::from_micros(evening().micros() - i64::from(ago) * 1_000_000)
}

fn words(child: usize, id: u8, text: u8) -> String {
    format!("words of child {child} in {id}, {text}")
}

fn body(child: usize, said: &[Said], topic: Option<u8>, number: ChildId) -> Value {
    let messages = said.iter().map(|message| {
        json!({"message_id": message.id.to_string(), "revision": message.revision,
            "text_content": words(child, message.id, message.text), "timestamp": message.ago.map(time)})
    });
    let topic = topic.map(|topic| format!("Topic {topic}"));
    json!({"child_id": number, "topic": topic, "messages": messages.collect::<Vec<_>>()})
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_interleaving_of_deliveries_results_in_the_expected_transcripts(steps in proptest::collection::vec(step(), 1..14)) {
        runtime().block_on(async {
            let app = TestApp::new().await;
            app.guardian(ADA).await;
            let children = [app.child("Mia", &[ADA]).await, app.child("Leo", &[ADA]).await];
            let robot = app.assistant("robot", &children).await;
            let mut model = BTreeMap::<(usize, u8), Expected>::new();
            let mut order = Vec::new();
            let mut sent = Vec::<Step>::new();
            for step in steps {
                let step = match step {
                    Step::Repeat(number) => match sent.get(number) {
                        Some(earlier) => earlier.clone(),
                        None => continue,
                    },
                    step => step,
                };
                let now = app.inner.clock.now();
                match &step {
                    Step::Deliver { child, name, said, topic } => {
                        let delivery = body(*child, said, *topic, children[*child]);
                        robot.deliver(&format!("name-{name}"), &delivery).await.ok();
                        if !order.contains(&(*child, *name)) {
                            order.push((*child, *name));
                        }
                        model.entry((*child, *name)).or_default().take_in(said, *topic, now);
                    }
                    Step::Complete { child, name, seconds } => {
                        let delivery = json!({"child_id": children[*child], "completion": {"duration": seconds}});
                        robot.deliver(&format!("name-{name}"), &delivery).await.ok();
                        if !order.contains(&(*child, *name)) {
                            order.push((*child, *name));
                        }
                        let expected = model.entry((*child, *name)).or_default();
                        expected.completed = true;
                        expected.ended = true;
                    }
                    Step::Wait { minutes } => {
                        app.clock.advance(Duration::from_secs(u64::from(*minutes) * 60));
                        app.inner.assistant.end_silent_sessions().await.unwrap();
                        for expected in model.values_mut() {
                            expected.wait(app.inner.clock.now());
                        }
                    }
                    Step::Repeat(_) => unreachable!("it was resolved"),
                }
                sent.push(step);
            }
            for (child, number) in children.iter().enumerate() {
                let read = transcripts(&app, *number).await;
                let expected = order.iter().filter(|(of, _)| *of == child).collect::<Vec<_>>();
                prop_assert_eq!(read.len(), expected.len());
                for (session, key) in read.iter().zip(expected) {
                    let expected = &model[key];
                    let messages = session["messages"].as_array().unwrap().iter();
                    let messages = messages.map(|message| {
                        json!([message["message_id"], message["text_content"], message["timestamp"]])
                    });
                    prop_assert_eq!(messages.collect::<Vec<_>>(), expected.transcript(child));
                    prop_assert_eq!(session["ended"].as_bool(), Some(expected.ended), "{:?}", expected);
                    let topic = expected.topic.map(|topic| format!("Topic {topic}"));
                    prop_assert_eq!(session["topic"].as_str(), topic.as_deref());
                }
            }
            Ok(())
        })?;
    }

    /// Each revision has its own text and time.
    #[test]
    fn messages_with_times_give_the_same_result_in_any_order_and_batches(
        first in Just((0..12_u8).collect::<Vec<_>>()).prop_shuffle(),
        second in Just((0..12_u8).collect::<Vec<_>>()).prop_shuffle(),
        repeated in subsequence((0..12_u8).collect::<Vec<_>>(), 0..12),
        pieces in 1..5_usize,
    ) {
        runtime().block_on(async {
            let app = TestApp::new().await;
            let (mia, robot) = one_child(&app).await;
            let message = |number: &u8| {
                let (id, revision) = (number / 3, number % 3);
                let ago = i32::from(id) * 100 + i32::from(revision);
                json!({"message_id": id.to_string(), "revision": revision,
                    "text_content": format!("{id} {revision}"), "timestamp": time(ago)})
            };

            for (name, order) in [("one", &first), ("two", &second)] {
                let all = order.iter().chain(&repeated).map(message).collect::<Vec<_>>();
                for piece in all.chunks(pieces) {
                    robot.deliver_messages(name, &json!(piece)).await.ok();
                }
            }

            let mut read = transcripts(&app, mia).await;
            for session in &mut read {
                for message in session["messages"].as_array_mut().unwrap() {
                    // An earlier text that arrived late was never shown.
                    message.as_object_mut().unwrap().remove("earlier");
                }
            }
            prop_assert_eq!(&read[0]["messages"], &read[1]["messages"]);
            prop_assert_eq!(&read[0]["last_message_time"], &read[1]["last_message_time"]);
            Ok(())
        })?;
    }
}
