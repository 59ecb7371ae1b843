//! Delivered messages that could not be stored: counted, shown on the transcript, and erased with it.

use std::time::Duration;

use crate::support::files::folder_contains;
use crate::support::test_app::{Persona, TestApp};
use poem::http::Method;
use porchlight::admin::{CountNotKept, Seed};
use porchlight::children::ChildId;
use porchlight::kernel::store::{Read, Table};
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";

/// A guardian, two children and their assistant.
struct House {
    app: TestApp,
    mia: ChildId,
    leo: ChildId,
    robot: String,
}

impl House {
    async fn new() -> Self {
        let app = TestApp::new().await;
        app.guardian(ADA).await;
        let mia = app.child("Mia", &[ADA]).await;
        let leo = app.child("Leo", &[ADA]).await;
        let robot = app.assistant("Kitchen", &[mia, leo]).await;
        let robot = robot.credential().to_owned();
        Self {
            app,
            mia,
            leo,
            robot,
        }
    }

    async fn reader(&self) -> Persona<'_> {
        self.app.stepped_up(ADA).await
    }

    /// Delivers messages of Mia's session `s`.
    async fn deliver(&self, messages: Value) -> Value {
        let delivery = json!({"child_id": self.mia, "messages": messages});
        let robot = self.app.bearer(&self.robot);
        robot.deliver("s", &delivery).await.json()
    }

    /// Delivers two texts under one id, one of which cannot be stored.
    async fn use_an_id_twice(&self) -> u64 {
        let answer = self
            .deliver(json!([said("a", "one", 1), said("a", "two", 2)]))
            .await;
        assert_eq!(answer["conflicting"], json!(["a"]));
        answer["session_id"].as_u64().unwrap()
    }

    async fn session(&self, session: u64) -> Value {
        let path = format!("/api/sessions/{session}");
        self.reader().await.get(&path).await.json()
    }

    async fn call(&self, method: Method, path: &str) {
        let answer = self.reader().await.send(method, path, &[], None).await;
        assert_eq!(answer.status, 204, "{path}");
    }

    /// The totals in `porchlight check`.
    async fn totals(&self) -> Value {
        let (answer, _) = self.app.run_admin(CountNotKept).await;
        json!(answer.unwrap_or_else(|error| panic!("{error}")))
    }

    fn rows(&self, table: &'static str) -> usize {
        self.app.count_rows(table)
    }
}

fn said(id: &str, text: &str, second: u8) -> Value {
    json!({"message_id": id, "source": "child", "text_content": text,
        "timestamp": format!("2026-11-21T19:55:{second:02}Z")})
}

fn used_twice(count: u64) -> Value {
    json!([{"reason": "id_used_twice", "count": count}])
}

#[tokio::test]
async fn a_message_that_could_not_be_stored_is_counted_once_and_shown_on_its_session() {
    let house = House::new().await;
    let messages = json!([
        said("a", "one", 1),
        said("a", "two", 2),
        {"message_id": "b", "text_content": "three", "timestamp": "yesterday"},
        {"message_id": "b", "text_content": "four", "timestamp": "yesterday"},
        7,
    ]);

    let first = house.deliver(messages.clone()).await;
    for _ in 0..2 {
        house.deliver(messages.clone()).await;
    }

    let session = house.session(first["session_id"].as_u64().unwrap()).await;
    let expected = json!([
        {"reason": "id_used_twice", "count": 1},
        {"reason": "invalid", "count": 3},
    ]);
    assert_eq!(session["not_kept"], expected);
    assert_eq!(session["assistant"], "Kitchen");
    let path = format!("/api/sessions?child_id={}", house.mia);
    let list = house.reader().await.get(&path).await.json();
    assert_eq!(list["sessions"], json!([session]));
    assert_eq!(
        house.totals().await,
        json!([
            {"reason": "id_used_twice", "messages": 1, "sessions": 1},
            {"reason": "invalid", "messages": 3, "sessions": 1},
        ])
    );
}

#[tokio::test]
async fn repeated_older_and_adjusted_messages_are_not_counted() {
    let house = House::new().await;
    let revised = |revision: u8, text: &str| {
        let mut message = said("a", text, 1);
        message["revision"] = json!(revision);
        message
    };
    house
        .deliver(json!([revised(1, "Because it is"), said("b", "early", 2)]))
        .await;

    let answer = house
        .deliver(json!([
            revised(0, "Because it is so far away"),
            revised(1, "Because it is"),
            {"message_id": "c", "text_content": "ahead", "timestamp": "2036-01-01T00:00:00Z"},
        ]))
        .await;

    assert_eq!(answer["adjusted"], json!(["c"]));
    assert_eq!(house.session(1).await.get("not_kept"), None);
    assert_eq!(house.totals().await, json!([]));
}

#[tokio::test]
async fn a_message_that_is_stored_later_is_no_longer_counted() {
    let house = House::new().await;
    let session = house.use_an_id_twice().await;
    house
        .deliver(json!([{"message_id": "b", "text_content": "three", "timestamp": "now"}]))
        .await;
    assert_eq!(
        house.session(session).await["not_kept"][1],
        json!({"reason": "invalid", "count": 1})
    );

    // As our plug-ins deliver it.
    house.deliver(json!([said("a~2", "two", 2)])).await;
    assert_eq!(
        house.session(session).await["not_kept"],
        json!([{"reason": "invalid", "count": 1}])
    );
    house.deliver(json!([said("b", "three", 3)])).await;
    assert_eq!(house.session(session).await.get("not_kept"), None);

    // An older queue uses its id again, then the other one.
    house.deliver(json!([said("a", "two", 2)])).await;
    assert_eq!(house.session(session).await["not_kept"], used_twice(1));
    house.deliver(json!([said("a~2", "two", 2)])).await;
    assert_eq!(house.session(session).await.get("not_kept"), None);
}

#[tokio::test]
async fn open_pages_are_notified_of_a_delivery_of_which_nothing_is_stored() {
    let house = House::new().await;
    let session = house.use_an_id_twice().await;
    let reader = house.reader().await;
    let path = format!("/api/child/{}/events", house.mia);
    let mut stream = reader.stream(&path).await;

    let answer = house.deliver(json!([said("a", "three", 3)])).await;

    assert_eq!(answer["stored"], 0);
    stream.until(&format!("session {session}")).await;
    assert_eq!(house.session(session).await["not_kept"], used_twice(2));
}

#[tokio::test]
async fn a_delivery_of_which_nothing_is_stored_keeps_an_ended_session_ended() {
    let house = House::new().await;
    let session = house.use_an_id_twice().await;
    house.app.clock.advance(Duration::from_secs(31 * 60));
    let assistant = &house.app.inner.assistant;
    assistant.end_silent_sessions().await.unwrap();

    house.deliver(json!([said("a", "three", 3)])).await;

    let session = house.session(session).await;
    assert_eq!(
        (&session["ended"], &session["not_kept"]),
        (&json!(true), &used_twice(2))
    );
}

#[tokio::test]
async fn the_count_is_moved_hidden_and_copied_with_its_session() {
    let house = House::new().await;
    let session = house.use_an_id_twice().await;
    let path = format!("/api/sessions/{session}/child");
    let to_leo = json!({"child_id": house.leo});
    house.reader().await.put(&path, &to_leo).await.ok();

    assert_eq!(house.session(session).await["child_id"], json!(house.leo));
    assert_eq!(house.session(session).await["not_kept"], used_twice(1));
    let path = format!("/api/child/{}/export", house.leo);
    let copy = house.reader().await.get(&path).await;
    assert_eq!(
        copy.json()["children"][0]["sessions"][0]["not_kept"],
        used_twice(1)
    );
    let seeded = TestApp::new().await;
    let (brought_in, _) = seeded.run_admin(Seed { text: copy.body }).await;
    assert!(brought_in.is_ok());

    // Refused messages of a deleted session are hidden with it, and count again once it is restored.
    let path = format!("/api/sessions/{session}");
    house.call(Method::DELETE, &path).await;
    assert_eq!(house.totals().await, json!([]));
    house.deliver(json!([said("a", "three", 3)])).await;
    assert_eq!(house.totals().await, json!([]));
    let erased = format!("/api/child/{}/deleted_sessions/{session}", house.leo);
    house
        .call(Method::POST, &format!("{erased}/undelete"))
        .await;
    assert_eq!(house.session(session).await["not_kept"], used_twice(2));
}

#[tokio::test]
async fn no_hash_of_a_message_outlives_its_session() {
    let house = House::new().await;
    let session = house.use_an_id_twice().await;
    let state = Table::new("session-state").key().number(session);
    let state = house.app.inner.store.payload(&state).unwrap().unwrap();
    let state = serde_json::from_slice::<Value>(&state.json).unwrap();
    let hashes = ["message", "utterance"].map(|hash| state["not_kept"][0][hash].clone());
    let hashes = hashes.map(|hash| hash.as_str().unwrap().to_owned());

    let path = format!("/api/sessions/{session}");
    house.call(Method::DELETE, &path).await;
    for hash in &hashes {
        assert!(folder_contains(house.app.data(), hash));
    }
    let path = format!("/api/child/{}/deleted_sessions/{session}", house.mia);
    house.call(Method::DELETE, &path).await;
    house.app.inner.run_maintenance(|_| {}).await.unwrap();

    assert_eq!(house.rows("session-state"), 0);
    for hash in &hashes {
        assert!(!folder_contains(house.app.data(), hash));
    }

    // An invalid message has no reliable time, so it may have been erased.
    house.app.clock.advance(Duration::from_secs(60));
    let again = json!([
        said("a", "two", 2),
        {"message_id": "a", "text_content": "two", "timestamp": "then"},
        {"message_id": "b", "text_content": "after it", "timestamp": "2026-11-21T20:00:30Z"},
    ]);
    let answer = house.deliver(again).await;
    assert_eq!(
        (&answer["stored"], &answer["erased"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(house.totals().await, json!([]));
}

#[tokio::test]
async fn messages_refused_by_a_quota_are_not_counted() {
    let app = TestApp::with_quota("1MB,3").await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("Kitchen", &[mia]).await;
    let first = json!([said("a", "one", 1)]);
    robot.deliver_messages("s", &first).await.ok();

    let too_many = json!([
        said("a", "two", 2),
        said("b", "three", 3),
        said("c", "four", 4),
        {"message_id": "d", "timestamp": "then"},
    ]);
    let refused = robot.deliver_messages("s", &too_many).await;

    assert_eq!(refused.status, 429);
    let session = ada.get("/api/sessions/1").await.json();
    assert_eq!(session.get("not_kept"), None);
}

#[tokio::test]
async fn messages_that_cannot_be_stored_use_up_the_quota_once() {
    let app = TestApp::with_quota("1MB,5").await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("Kitchen", &[mia]).await;
    let refused = |id: u8| json!([{"message_id": id.to_string(), "timestamp": "then"}]);
    for _ in 0..9 {
        robot.deliver_messages("s", &refused(0)).await.ok();
    }
    for id in 1..4 {
        robot.deliver_messages("s", &refused(id)).await.ok();
    }

    let one_more = robot.deliver_messages("s", &refused(4)).await;

    assert_eq!(one_more.status, 429);
    robot.deliver_messages("s", &refused(0)).await.ok();
}
