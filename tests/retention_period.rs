//! For how long conversations are kept: the period of a child, sessions that a guardian keeps, and what is deleted at night.

use std::time::Duration;

use poem::http::Method;
use porchlight::admin::{ChooseRetention, KeptFor, Seed};
use porchlight::children::{ChildId, Period};
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::store::{StoreError, Table};
use serde_json::{Value, json};

use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::requests;
use crate::support::tables::Pages;
use crate::support::test_app::{EVENING, Persona, Response, TestApp};

pub static FACTS: Facts = Facts {
    tables: &[(None, None, &["retention-period"])],
    damaged: &[("retention-period", Pages::Closed(&["getRetention"]))],
    writes: &[write("chooseRetention", None, |_| json!({"days": null}))],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const RETENTION: &str = "retention";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Mia, who talks with Kitchen.
struct World {
    app: TestApp,
    mia: ChildId,
    kitchen: String,
}

impl World {
    async fn of_guardians(emails: &[&str]) -> Self {
        let app = TestApp::new().await;
        for email in emails {
            let name = email.split('@').next().unwrap();
            app.named_guardian(email, name).await;
        }
        let mia = app.child("Mia", emails).await;
        let kitchen = app.assistant("Kitchen", &[mia]).await;
        let kitchen = kitchen.credential().to_owned();
        Self { app, mia, kitchen }
    }

    async fn of(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    fn path(&self, what: &str) -> String {
        format!("/api/child/{}/{what}", self.mia)
    }

    async fn choose(&self, email: &str, days: Value) -> Response {
        let body = json!({"days": days});
        self.of(email)
            .await
            .put(&self.path("retention"), &body)
            .await
    }

    async fn retention(&self, email: &str) -> Value {
        self.of(email)
            .await
            .get(&self.path("retention"))
            .await
            .json()
    }

    /// Delivers a session with one message, said now. Returns its number.
    async fn talk(&self, name: &str) -> u64 {
        let said = json!({"messages": [{"message_id": name, "source": "child", "text_content": "Why?"}],
            "topic": name});
        let robot = self.app.bearer(&self.kitchen);
        let delivered = robot.deliver(name, &said).await.json();
        delivered["session_id"].as_u64().unwrap()
    }

    async fn keep(&self, email: &str, session: u64, kept: bool) {
        let path = format!("/api/sessions/{session}/kept");
        self.of(email)
            .await
            .put(&path, &json!({"kept": kept}))
            .await
            .ok();
    }

    async fn nights(&self, days: u32) {
        self.app.clock.advance(DAY * days);
        self.app.inner.run_maintenance(|_| {}).await.unwrap();
    }

    /// The numbers of the sessions that are listed.
    async fn listed(&self, email: &str) -> Vec<u64> {
        let path = format!("/api/sessions?child_id={}", self.mia);
        let page = self.of(email).await.get(&path).await.json();
        let sessions = page["sessions"].as_array().unwrap().iter();
        sessions
            .map(|session| session["session_id"].as_u64().unwrap())
            .collect()
    }

    async fn deleted(&self, email: &str) -> Vec<Value> {
        let path = self.path("deleted_sessions");
        let page = self.of(email).await.get(&path).await.json();
        page["items"].as_array().unwrap().clone()
    }

    async fn restore(&self, email: &str, session: u64) {
        let path = self.path(&format!("deleted_sessions/{session}/undelete"));
        let guardian = self.of(email).await;
        guardian.send(Method::POST, &path, &[], None).await.ok();
    }

    async fn history(&self, email: &str) -> Vec<(String, Value)> {
        let page = self.of(email).await.get(&self.path("history")).await.json();
        let entries = page["items"].as_array().unwrap().iter();
        entries
            .map(|entry| {
                let what = entry["what"].as_str().unwrap().to_owned();
                (what, entry["details"]["value"].clone())
            })
            .collect()
    }

    async fn confirm(&self, email: &str) -> Response {
        requests::confirm(&self.of(email).await, self.mia, RETENTION).await
    }
}

fn after(days: u32) -> String {
    let evening = EVENING.parse::<Timestamp>().unwrap();
    evening.after(DAY * days).to_string()
}

#[tokio::test]
async fn a_longer_time_takes_effect_at_once_and_a_shorter_one_requires_a_step_up() {
    let world = World::of_guardians(&[ADA]).await;
    let path = world.path("retention");
    let none = json!({"days_30": 0, "days_90": 0, "days_365": 0});

    assert_eq!(
        world.retention(ADA).await,
        json!({"days": null, "within_a_week": 0, "would_delete": none})
    );
    let ada = world.app.not_stepped_up(ADA).await;
    ada.put(&path, &json!({"days": 365})).await.problem(403);
    let chosen = world.choose(ADA, json!(90)).await.json();
    assert_eq!(chosen["days"], 90);
    ada.put(&path, &json!({"days": 30})).await.problem(403);
    ada.put(&path, &json!({"days": 365})).await.ok();
    ada.put(&path, &json!({"days": 365})).await.ok();
    ada.put(&path, &json!({"days": null})).await.ok();

    for wrong in [json!({"days": 45}), json!({"days": "30"}), json!({})] {
        ada.put(&path, &wrong).await.problem(400);
    }
    assert_eq!(world.retention(ADA).await["days"], Value::Null);
    let expected = [Value::Null, json!("365"), json!("90")];
    assert_eq!(
        world.history(ADA).await,
        expected.map(|value| ("retention".to_owned(), value))
    );
}

#[tokio::test]
async fn what_is_too_old_is_deleted_for_seven_days_and_restoring_keeps_it() {
    let world = World::of_guardians(&[ADA]).await;
    world.choose(ADA, json!(90)).await.ok();
    let watched = json!([{"words": "why", "side": "either"}]);
    let ada = world.of(ADA).await;
    ada.put(&world.path("watched_phrases"), &watched).await.ok();
    let first = world.talk("first").await;
    world.nights(10).await;
    let second = world.talk("second").await;

    world.app.clock.advance(74 * DAY);
    let retention = world.retention(ADA).await;
    assert_eq!(retention["within_a_week"], 1);
    assert_eq!(
        retention["would_delete"],
        json!({"days_30": 2, "days_90": 0, "days_365": 0})
    );
    world.nights(5).await;
    assert_eq!(world.listed(ADA).await, [second, first], "89 days old");
    world.nights(1).await;

    assert_eq!(world.listed(ADA).await, [second]);
    let deleted = world.deleted(ADA).await;
    assert_eq!(deleted.len(), 1);
    assert_eq!(
        deleted[0],
        json!({
            "session_id": first, "topic": "first", "date": EVENING, "last_message_time": EVENING, "message_count": 1,
            "deleted_at": after(90), "restorable_until": after(97), "older_than_days": 90,
        })
    );
    let alerts = world.of(ADA).await.get(&world.path("alerts")).await.json();
    let ages = alerts["alerts"].as_array().unwrap().iter();
    let ages = ages.map(|alert| alert["deleted_older_than_days"].as_u64());
    assert_eq!(ages.collect::<Vec<_>>(), [None, Some(90)]);
    let summary = world.of(ADA).await.get(&world.path("metrics")).await.json();
    assert_eq!(summary["days"].as_array().map(Vec::is_empty), Some(false));

    world.restore(ADA, first).await;
    let kept = format!("/api/sessions/{first}/kept");
    assert_eq!(
        world.of(ADA).await.get(&kept).await.json(),
        json!({"kept": true, "by": [{"is_you": true, "name": "ada"}]})
    );
    world.nights(100).await;
    assert_eq!(world.listed(ADA).await, [first]);
    world.keep(ADA, first, false).await;
    world.nights(89).await;
    assert_eq!(world.listed(ADA).await, [first], "its age counts from then");
    world.nights(1).await;
    assert_eq!(world.listed(ADA).await, [0; 0]);
    world.nights(8).await;
    assert_eq!(world.deleted(ADA).await, [json!(null); 0]);
    let (_, exported) = world.app.exported().await;
    assert!(!exported.contains("first"), "{exported}");
}

#[tokio::test]
async fn a_shorter_time_counts_what_it_would_delete_and_is_one_request_at_a_time() {
    let world = World::of_guardians(&[ADA, BEN]).await;
    world.talk("old").await;
    world.app.clock.advance(100 * DAY);

    let asked = world.choose(ADA, json!(90)).await.json();

    assert_eq!(asked["days"], Value::Null);
    assert_eq!(asked["pending"]["days"], 90);
    assert_eq!(asked["pending"]["conversations"], 1);
    world.choose(BEN, json!(30)).await.problem(409);
    world.confirm(BEN).await.ok();
    assert_eq!(world.retention(BEN).await["days"], 90);
    let changes = [
        ("retention", json!("90")),
        ("retention_confirmed", Value::Null),
        ("retention_asked", json!("90")),
    ];
    let changes = changes.map(|(what, value)| (what.to_owned(), value));
    assert_eq!(world.history(BEN).await, changes);
    // Longer needs nobody.
    let ben = world.app.not_stepped_up(BEN).await;
    let longer = json!({"days": 365});
    ben.put(&world.path("retention"), &longer).await.ok();
    assert_eq!(world.retention(ADA).await["days"], 365);
}

#[tokio::test]
async fn a_confirmed_deletion_wakes_the_maintenance_and_a_shorter_time_does_not() {
    let world = World::of_guardians(&[ADA, BEN]).await;
    let is_woken = async || {
        let woken = world.app.inner.wait_for_erasure();
        tokio::time::timeout(Duration::ZERO, woken).await.is_ok()
    };

    world.choose(ADA, json!(30)).await.ok();
    world.confirm(BEN).await.ok();
    assert_eq!(world.retention(ADA).await["days"], 30);
    assert!(!is_woken().await);

    let ada = world.of(ADA).await;
    requests::ask_to_delete(&ada, world.mia, "Mia").await.ok();
    let ben = world.of(BEN).await;
    requests::confirm(&ben, world.mia, "deletion").await.ok();
    assert!(is_woken().await);
}

#[tokio::test]
async fn any_guardians_keep_holds_and_hinders_nobody_from_deleting() {
    let world = World::of_guardians(&[ADA, BEN]).await;
    world.choose(ADA, json!(30)).await.ok();
    world.confirm(BEN).await.ok();
    let (bens, both, deleted) = (
        world.talk("bens").await,
        world.talk("both").await,
        world.talk("deleted").await,
    );
    for session in [bens, both, deleted] {
        world.keep(BEN, session, true).await;
        world.keep(BEN, session, true).await;
    }
    world.keep(ADA, both, true).await;
    world.keep(ADA, bens, false).await;
    let path = format!("/api/sessions/{deleted}");
    let ada = world.of(ADA).await;
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    // It is taken out of all lists and put back.
    let path = format!("/api/sessions/{bens}/not_child");
    ada.put(&path, &json!({"not_child": true})).await.ok();
    let kept = format!("/api/sessions/{bens}/kept");
    let seen = world.of(ADA).await.get(&kept).await.json();
    assert_eq!(
        seen,
        json!({"kept": false, "by": [{"is_you": false, "name": "ben"}]})
    );

    world.nights(40).await;
    assert_eq!(world.listed(ADA).await, [both, bens]);
    world.keep(BEN, both, false).await;
    world.nights(40).await;
    assert_eq!(
        world.listed(ADA).await,
        [both, bens],
        "Ada keeps one, Ben the other"
    );

    // What Ben keeps ends with his access, and its age counts from then.
    let left = world.path("guardians/me");
    let ben = world.of(BEN).await;
    ben.send(Method::DELETE, &left, &[], None).await.ok();
    world.nights(0).await;
    assert_eq!(world.listed(ADA).await, [both, bens]);
    world.nights(29).await;
    assert_eq!(world.listed(ADA).await, [both, bens]);
    world.nights(1).await;
    assert_eq!(world.listed(ADA).await, [both]);
}

#[tokio::test]
async fn a_late_delivery_brings_a_session_back_that_was_deleted_for_its_age_only() {
    let world = World::of_guardians(&[ADA]).await;
    world.choose(ADA, json!(30)).await.ok();
    let (old, deleted) = (world.talk("old").await, world.talk("deleted").await);
    let robot = world.app.bearer(&world.kitchen);
    robot.deliver("old", &json!({"completion": {}})).await.ok();
    world.nights(29).await;
    let path = format!("/api/sessions/{deleted}");
    let ada = world.of(ADA).await;
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    world.nights(1).await;
    assert!(world.listed(ADA).await.is_empty());

    // Nothing new.
    world.talk("old").await;
    assert!(world.listed(ADA).await.is_empty());
    for name in ["old", "deleted"] {
        let late = json!({"message_id": "late", "text_content": "Because.", "timestamp": EVENING});
        robot.deliver(name, &json!({"messages": [late]})).await.ok();
    }
    assert_eq!(world.listed(ADA).await, [old]);
    assert_eq!(world.deleted(ADA).await.len(), 1);
    let activities = world
        .of(ADA)
        .await
        .get(&world.path("activities/completed"))
        .await;
    assert_eq!(activities.json().as_array().map(Vec::len), Some(1));
    world.nights(29).await;
    assert_eq!(
        world.listed(ADA).await,
        [old],
        "its age counts from the arrival"
    );
    world.nights(1).await;
    assert!(world.listed(ADA).await.is_empty());
}

#[tokio::test]
async fn a_new_child_begins_with_the_period_that_was_chosen() {
    let world = World::of_guardians(&[ADA]).await;
    let ada = world.of(ADA).await;

    let days = async |child: Value| {
        let added = ada.post("/api/children", &child).await.json();
        let path = format!("/api/child/{}/retention", added["child_id"]);
        ada.get(&path).await.json()["days"].clone()
    };
    assert_eq!(
        days(json!({"name": "Leo", "retention_days": 365})).await,
        365
    );
    assert_eq!(days(json!({"name": "Zoe"})).await, Value::Null);
    let wrong = json!({"name": "Tom", "retention_days": 7});
    ada.post("/api/children", &wrong).await.problem(400);
}

#[tokio::test]
async fn the_period_and_what_is_kept_survive_an_export_and_an_import() {
    let world = World::of_guardians(&[ADA, BEN]).await;
    world.choose(ADA, json!(30)).await.ok();
    world.confirm(BEN).await.ok();
    let kept = world.talk("kept").await;
    world.talk("other").await;
    world.keep(BEN, kept, true).await;
    let (_, text) = world.app.exported().await;
    let app = TestApp::new().await;
    app.run_admin(Seed { text: text.clone() }).await.0.unwrap();
    let (_, again) = app.exported().await;
    assert_eq!(again.matches("\"kept\": true").count(), 1, "{again}");
    let imported = World {
        app,
        mia: world.mia,
        kitchen: String::new(),
    };

    imported.nights(31).await;
    assert_eq!(imported.retention(ADA).await["days"], 30);
    let listed = imported.listed(ADA).await;
    assert_eq!(listed.len(), 1);
    // Each guardian keeps it until they say otherwise.
    imported.keep(ADA, listed[0], false).await;
    imported.nights(31).await;
    assert_eq!(imported.listed(ADA).await, listed);
    imported.keep(BEN, listed[0], false).await;
    imported.nights(30).await;
    assert!(imported.listed(ADA).await.is_empty());
}

#[tokio::test]
async fn the_server_deletes_what_is_too_old_at_night_or_soon_after_its_start() {
    let world = World::of_guardians(&[ADA]).await;
    world.choose(ADA, json!(30)).await.ok();
    // The first time is soon after the start, at eight in the evening.
    world.app.inner.maintain().await.unwrap();
    let session = world.talk("s").await;
    world
        .app
        .clock
        .advance(30 * DAY - Duration::from_secs(60 * 60));
    world.app.inner.maintain().await.unwrap();
    world.app.clock.advance(Duration::from_secs(60 * 60));
    world.app.inner.maintain().await.unwrap();
    assert_eq!(
        world.listed(ADA).await,
        [session],
        "it is too old, but it is eight"
    );

    world.app.clock.advance(Duration::from_secs(7 * 60 * 60));
    world.app.inner.maintain().await.unwrap();
    assert!(world.listed(ADA).await.is_empty(), "it is three");
}

#[tokio::test]
async fn open_pages_are_notified_of_a_period_and_of_what_is_kept() {
    let world = World::of_guardians(&[ADA, BEN]).await;
    let session = world.talk("s").await;
    let ben = world.of(BEN).await;
    let mut stream = ben.stream(&world.path("events")).await;

    world.choose(ADA, json!(90)).await.ok();
    stream.until("requests").await;
    world.confirm(BEN).await.ok();
    stream.until("retention").await;
    world.keep(ADA, session, true).await;
    stream.until("retention").await;
}

#[tokio::test]
async fn an_unreadable_period_deletes_nothing_and_can_be_replaced() {
    let world = World::of_guardians(&[ADA]).await;
    world.choose(ADA, json!(30)).await.ok();
    let session = world.talk("s").await;
    let child = world.mia.number();
    let damaged = world.app.inner.store.commit(move |change| {
        let key = Table::new("retention-period").key().number(child);
        change.put_damaged(&key, b"\x01".to_vec());
        Ok::<_, StoreError>(())
    });
    damaged.await.unwrap();

    world.nights(31).await;
    assert_eq!(world.listed(ADA).await, [session]);
    let path = world.path("retention");
    world.of(ADA).await.get(&path).await.problem(503);
    assert_eq!(
        world.choose(ADA, Value::Null).await.json()["days"],
        Value::Null
    );
}

#[tokio::test]
async fn the_administrator_decides_if_a_guardian_never_signs_in() {
    let world = World::of_guardians(&[ADA, BEN]).await;
    world.choose(ADA, json!(90)).await.ok();
    let choose = async |period| {
        let request = ChooseRetention {
            child: world.mia,
            period: KeptFor(period),
        };
        world.app.run_admin(request).await.0.unwrap();
        world.retention(ADA).await
    };

    let chosen = choose(Some(Period::Days365)).await;
    assert_eq!(
        (&chosen["days"], &chosen["pending"]["days"]),
        (&json!(365), &json!(90)),
        "the request is shorter still"
    );
    let chosen = choose(Some(Period::Days30)).await;
    assert_eq!(
        (&chosen["days"], &chosen["pending"]),
        (&json!(30), &Value::Null)
    );
    assert_eq!(choose(None).await["days"], Value::Null);
}
