//! The daily storage quota of an assistant's key for one child.

use crate::support::features::Facts;
use crate::support::test_app::{Persona, Response, TestApp};
use porchlight::admin::AcceptClock;
use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::store::StoreError;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[(None, None, &["assistant-quota"])],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";

fn message(id: &str, text: &str) -> Value {
    json!({"message_id": id, "text_content": text, "timestamp": "2026-11-21T19:55:00Z"})
}

/// Returns the message's size in bytes, as stored.
fn size(message: &Value) -> usize {
    message.to_string().len()
}

async fn open(robot: &Persona<'_>, name: &str, child: ChildId) -> Response {
    robot.deliver(name, &json!({"child_id": child})).await
}

/// The key of an assistant that the guardian connects.
async fn connect(guardian: &Persona<'_>, child: ChildId) -> String {
    let body = json!({"name": "robot", "children": [child]});
    let connected = guardian.post("/api/assistants", &body).await.json();
    connected["key"].as_str().unwrap().to_owned()
}

async fn deliver(robot: &Persona<'_>, messages: &[Value]) -> Response {
    robot.deliver_messages("s", &Value::from(messages)).await
}

#[tokio::test]
async fn bytes_are_counted_as_they_are_stored_and_repeats_cost_nothing() {
    let first = message("1", &"a".repeat(300));
    let session = json!({"session_id": 1, "child_id": 1, "message_count": 0, "ended": false, "assistant": "robot"});
    let exactly = session.to_string().len() + size(&first);
    let app = TestApp::with_quota(&format!("{exactly}B,50")).await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;

    open(&robot, "s", mia).await.ok();
    deliver(&robot, std::slice::from_ref(&first)).await.ok();
    for _ in 0..3 {
        open(&robot, "s", mia).await.ok();
        deliver(&robot, std::slice::from_ref(&first)).await.ok();
    }
    let refused = deliver(&robot, &[first, message("2", "")]).await;

    let sentence = refused.problem(429);
    assert!(
        sentence.starts_with("This assistant has stored as much"),
        "{sentence}"
    );
    assert_eq!(
        refused.header("retry-after"),
        "14400",
        "four hours until midnight"
    );
    let stored = ada.get("/api/sessions/1/messages").await.json();
    assert_eq!(stored["messages"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_refused_delivery_stores_nothing_and_succeeds_the_next_day() {
    let app = TestApp::with_quota("1MB,4").await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    open(&robot, "s", mia).await.ok();
    let four = ["1", "2", "3", "4"].map(|id| message(id, "hi"));

    deliver(&robot, &four).await.problem(429);
    let stored = ada.get("/api/sessions/1/messages").await.json();
    assert_eq!(stored["messages"], json!([]));
    deliver(&robot, &four[..3]).await.ok();
    deliver(&robot, &four[3..]).await.problem(429);
    app.clock
        .set(Timestamp::parse("2026-11-22T00:00:00Z").unwrap());

    deliver(&robot, &four).await.ok();
}

#[tokio::test]
async fn the_quota_covers_every_write_of_a_key() {
    let app = TestApp::with_quota("1MB,8").await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    open(&robot, "s", mia).await.ok();
    let seven = (0..7).map(|id| message(&id.to_string(), "hi"));
    deliver(&robot, &seven.collect::<Vec<_>>()).await.ok();

    let corrected = json!({"message_id": "1", "text_content": "hi", "timestamp": "2026-11-21T19:55:00Z", "revision": 1});
    deliver(&robot, &[corrected]).await.problem(429);
    open(&robot, "t", mia).await.problem(429);
    let topic = json!({"topic": "Tides"});
    robot.deliver("s", &topic).await.problem(429);
    let completion = json!({"duration": 1});
    robot.complete("s", &completion).await.problem(429);
    let calls = [
        (format!("child/{mia}/report"), json!({"mood": "curious"})),
        (
            format!("child/{mia}/activities/upcoming"),
            json!([{"activity_id": "a", "topic": "Tides"}]),
        ),
    ];
    for (path, body) in calls {
        let response = robot.put(&format!("/api/assistant/{path}"), &body).await;
        response.problem(429);
    }
    open(&robot, "s", mia).await.ok();
}

#[tokio::test]
async fn a_quota_is_per_key_and_child_and_is_removed_with_the_child() {
    let app = TestApp::with_quota("1MB,1").await;
    app.guardian(ADA).await;
    let (mia, tom) = (
        app.child("Mia", &[ADA]).await,
        app.child("Tom", &[ADA]).await,
    );
    let robot = app.assistant("robot", &[mia, tom]).await;
    let speaker = app.assistant("speaker", &[mia]).await;

    open(&robot, "mia", mia).await.ok();
    open(&robot, "mia-2", mia).await.problem(429);
    open(&robot, "tom", tom).await.ok();
    open(&speaker, "mia", mia).await.ok();

    let counted = |app: &TestApp| {
        let kinds = porchlight::app::record_kinds();
        let verified = app.inner.store.verify(&kinds, |_| {}).unwrap();
        assert_eq!(verified.damaged, 0);
        verified.tables.get("assistant-quota").copied()
    };
    assert_eq!(counted(&app), Some(3));
    let inner = app.inner.clone();
    let removed = app
        .inner
        .store
        .commit(move |change| inner.children.remove(change, mia));
    app.inner.erase(removed.await.unwrap()).await.unwrap();
    assert_eq!(counted(&app), Some(1));
}

#[tokio::test]
async fn a_clock_jump_neither_renews_a_quota_nor_uses_another_days() {
    let app = TestApp::with_quota("1MB,1").await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let day = |text: &str| app.clock.set(Timestamp::parse(text).unwrap());

    open(&robot, "a", mia).await.ok();
    day("2027-11-21T20:00:00Z");
    open(&robot, "ahead", mia).await.ok();
    day("1970-01-01T00:00:10Z");
    open(&robot, "behind", mia).await.problem(503);
    accept_clock(&app).await;
    open(&robot, "behind", mia).await.ok();
    for back in [
        "2026-11-21T20:00:00Z",
        "2027-11-21T20:00:00Z",
        "1970-01-01T00:00:10Z",
    ] {
        day(back);
        accept_clock(&app).await;
        open(&robot, "again", mia).await.problem(429);
    }
    day("2026-11-22T00:00:00Z");

    open(&robot, "the-next-day", mia).await.ok();
}

async fn accept_clock(app: &TestApp) {
    let (accepted, _) = app.run_admin(AcceptClock).await;
    assert!(accepted.is_ok());
}

#[tokio::test]
async fn without_a_quota_storage_is_unlimited() {
    let app = TestApp::with_quota("off").await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    open(&robot, "s", mia).await.ok();

    for batch in 0..6 {
        let messages = (0..1000).map(|id| message(&format!("{batch}-{id}"), &"a".repeat(3_500)));
        deliver(&robot, &messages.collect::<Vec<_>>()).await.ok();
    }
}

#[tokio::test]
async fn a_guardians_keys_and_children_share_one_quota() {
    let app = TestApp::with_quota("1MB,5").await;
    app.guardian(ADA).await;
    let ada = app.stepped_up(ADA).await;
    let children = [
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    ];
    let mut keys = Vec::new();
    for name in ["kitchen", "bedroom", "bath", "car"] {
        let body = json!({"name": name, "children": children});
        let connected = ada.post("/api/assistants", &body).await.json();
        keys.push(connected["key"].as_str().unwrap().to_owned());
    }

    let mut stored = 0;
    for key in &keys {
        for child in children {
            for id in 0..4 {
                let said = [message(&id.to_string(), "hi")];
                let delivery = json!({"child_id": child, "messages": said});
                let robot = app.bearer(key);
                let delivered = robot.deliver(&child.to_string(), &delivery).await;
                stored += u32::from(delivered.status == 200);
            }
        }
    }
    let sentence = open(&app.bearer(&keys[3]), "x", children[0]).await;

    // Five rows for each key and child: the session and four messages.
    assert_eq!(stored, 20);
    assert!(
        sentence
            .problem(429)
            .starts_with("The assistants of the guardian"),
        "{}",
        sentence.body
    );
    // The administrator's key isn't affected either.
    let robot = app.assistant("robot", &children).await;
    open(&robot, "s", children[0]).await.ok();
}

#[tokio::test]
async fn another_familys_delivery_waits_for_two_of_a_guardians_deliveries_and_not_for_all() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    app.guardian("bob@example.org").await;
    let (ada, bob) = (
        app.stepped_up(ADA).await,
        app.stepped_up("bob@example.org").await,
    );
    let mia = app.child("Mia", &[ADA]).await;
    let tom = app.child("Tom", &["bob@example.org"]).await;
    let (many, other) = (connect(&ada, mia).await, connect(&bob, tom).await);
    let (many, other) = (app.bearer(&many), app.bearer(&other));

    // The writer is busy when the deliveries arrive.
    let (free, busy) = std::sync::mpsc::channel::<()>();
    let occupied = app
        .inner
        .store
        .commit(move |_| Ok::<_, StoreError>(busy.recv().ok()));
    let names = (0..6)
        .map(|number| format!("s{number}"))
        .collect::<Vec<_>>();
    let deliveries = names.iter().map(|name| open(&many, name, mia));
    let free = async {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        free.send(()).unwrap();
    };
    let (_, _, others, ()) = tokio::join!(
        biased;
        occupied,
        futures_util::future::join_all(deliveries),
        open(&other, "s", tom),
        free,
    );

    let session = others.json()["session_id"].as_u64().unwrap();
    assert!(session <= 3, "{session}");
}
