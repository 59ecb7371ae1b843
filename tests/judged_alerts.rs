//! Alerts that are judged by themselves: talk outside the times or without the current rules, and silent assistants.

use std::time::Duration;

use poem::http::Method;
use porchlight::admin::{AcceptClock, RemoveChild};
use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::store::{Read, Table};
use serde_json::{Value, json};

use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::tables::{Pages, Promise};
use crate::support::test_app::{EVENING, Persona, TestApp};

pub static FACTS: Facts = Facts {
    tables: &[(Some(Promise::WatchedPhrase), None, &["alert-not-worrying"])],
    damaged: &[("alert-not-worrying", Pages::Closed(&["listNotWorrying"]))],
    writes: &[
        // Only the names of concerns.
        write("replaceNotWorrying", None, |_| json!({"items": ["danger"]})).with_few_values(),
        // Here is no alert.
        write(
            "setAlertNotWorrying",
            None,
            |_| json!({"not_worrying": true}),
        )
        .with_few_values(),
        // Here is no alert.
        write("setAlertDealtWith", None, |_| json!({"dealt_with": true})).with_few_values(),
    ],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// This long after the clock's beginning.
fn evening(later: Duration) -> Timestamp {
    EVENING.parse::<Timestamp>().unwrap().after(later)
}

/// Ada and Ben share Mia, who talks with Kitchen.
struct World {
    app: TestApp,
    mia: ChildId,
    kitchen: String,
}

impl World {
    async fn new() -> Self {
        let app = TestApp::new().await;
        app.named_guardian(ADA, "Ada").await;
        app.named_guardian(BEN, "Ben").await;
        let mia = app.child("Mia", &[ADA, BEN]).await;
        let kitchen = app.assistant("Kitchen", &[mia]).await;
        let kitchen = kitchen.credential().to_owned();
        Self { app, mia, kitchen }
    }

    async fn of(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    async fn set(&self, email: &str, what: &str, value: &Value) {
        let path = format!("/api/child/{}/{what}", self.mia);
        self.of(email).await.put(&path, value).await.ok();
    }

    /// Quiet from 20:30, half an hour from now.
    async fn set_nights(&self, pause: Option<Value>) {
        let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
        let night = json!({"days": days, "from": "20:30", "to": "07:00"});
        let mut times = json!({"time_zone": "UTC", "quiet_hours": [night]});
        if let Some(pause) = pause {
            times["pause"] = pause;
        }
        self.set(ADA, "times", &times).await;
    }

    /// Advances the clock minute by minute, while Mia says something in each.
    async fn talk(&self, session: &str, minutes: u32) -> u64 {
        self.talk_with(session, minutes, "child", "Hello").await
    }

    async fn talk_with(&self, session: &str, minutes: u32, source: &str, text: &str) -> u64 {
        let mut id = 0;
        for minute in 0..=minutes {
            if minute > 0 {
                self.app.clock.advance(MINUTE);
            }
            let said = self.app.inner.clock.now().to_string();
            let message_id = format!("{source} {said}");
            let message = json!({"message_id": message_id, "source": source, "text_content": text});
            id = self.deliver(session, json!({"messages": [message]})).await;
        }
        id
    }

    async fn deliver(&self, session: &str, delivery: Value) -> u64 {
        let robot = self.app.bearer(&self.kitchen);
        let delivered = robot.deliver(session, &delivery).await.json();
        delivered["session_id"].as_u64().unwrap()
    }

    async fn judge(&self) {
        self.app
            .inner
            .assistant
            .end_silent_sessions()
            .await
            .unwrap();
        self.app.inner.alerts.judge().await.unwrap();
    }

    /// Lets sessions end by themselves, and judges them.
    async fn end(&self) {
        self.app.clock.advance(31 * MINUTE);
        self.judge().await;
    }

    async fn alerts(&self, email: &str) -> Vec<Value> {
        let path = format!("/api/child/{}/alerts", self.mia);
        let page = self.of(email).await.get(&path).await.json();
        page["alerts"].as_array().unwrap().clone()
    }

    async fn unseen(&self, email: &str) -> u64 {
        let counts = self.of(email).await.get("/api/alerts/unseen").await.json();
        counts["items"][0]["unseen"].as_u64().unwrap()
    }

    /// Hours pass, in which the server runs. `each` is done in each of them.
    async fn pass(&self, hours: u32, each: impl AsyncFn()) {
        for _ in 0..hours {
            self.app.clock.advance(HOUR);
            each().await;
            self.judge().await;
        }
    }

    async fn call(&self, key: &str, wait: bool) {
        let path = format!("/api/assistant/child/{}/rules", self.mia);
        let wait = if wait { "?wait=1" } else { "" };
        // It doesn't have the current rules, so it is answered at once.
        self.app.bearer(key).get(&(path + wait)).await.ok();
    }
}

#[tokio::test]
async fn talk_during_quiet_hours_rings_once_for_all_guardians() {
    let world = World::new().await;
    world.set_nights(None).await;
    world.app.clock.advance(40 * MINUTE);
    let session = world.talk("s", 6).await;

    world.judge().await;
    assert_eq!(world.alerts(ADA).await.len(), 0, "it isn't over");
    world.end().await;
    // It continues.
    world.talk("s", 9).await;
    world.end().await;

    for email in [ADA, BEN] {
        let alerts = world.alerts(email).await;
        assert_eq!(alerts.len(), 1);
        let alert = &alerts[0];
        assert_eq!(alert["kind"], "outside_times");
        assert_eq!(alert["session_id"], session);
        assert_eq!(alert["minutes"], 6);
        assert_eq!(alert["why"], "quiet_hours");
        assert_eq!(alert["at"], evening(40 * MINUTE).to_string());
        assert_eq!(alert["assistant"], "Kitchen");
        assert!(alert["assistant_id"].is_string());
        assert_eq!(world.unseen(email).await, 1);
    }
}

#[tokio::test]
async fn a_conversation_that_was_running_has_ten_minutes() {
    let world = World::new().await;
    world.set_nights(None).await;

    world.talk("allowed", 29).await;
    world.app.clock.advance(24 * HOUR);
    world.app.clock.set(evening(24 * HOUR + 25 * MINUTE));
    world.talk("goodbye", 16).await;
    world.app.clock.set(evening(48 * HOUR + 25 * MINUTE));
    world.talk("on-and-on", 19).await;
    world.end().await;

    let alerts = world.alerts(ADA).await;
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0]["minutes"], 4);
    let began = evening(48 * HOUR + 40 * MINUTE);
    assert_eq!(alerts[0]["at"], began.to_string());
}

#[tokio::test]
async fn the_times_that_held_then_count_although_a_guardian_changed_them_since() {
    let world = World::new().await;
    world.set_nights(None).await;
    world.app.clock.advance(40 * MINUTE);
    world.talk("s", 6).await;

    let free = json!({"time_zone": "UTC", "quiet_hours": []});
    world.set(BEN, "times", &free).await;
    world.talk("free", 6).await;
    world.end().await;

    let alerts = world.alerts(ADA).await;
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0]["minutes"], 6);
}

#[tokio::test]
async fn a_pause_counts_from_its_beginning_to_its_end() {
    let world = World::new().await;
    world.set_nights(Some(json!({}))).await;
    world.app.clock.advance(MINUTE);
    let paused = world.talk("paused", 5).await;
    // A new end keeps the beginning.
    let until = evening(20 * MINUTE).to_string();
    world.set_nights(Some(json!({"until": until}))).await;
    world.set_nights(None).await;
    world.talk("allowed", 5).await;
    world.end().await;

    let alerts = world.alerts(BEN).await;
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0]["session_id"], paused);
    assert_eq!(alerts[0]["why"], "paused");
    assert_eq!(alerts[0]["minutes"], 5);
}

#[tokio::test]
async fn the_minutes_of_a_day_count_as_they_were_used() {
    let world = World::new().await;
    let times = json!({"time_zone": "UTC", "quiet_hours": [], "minutes_a_day": 20});
    world.set(ADA, "times", &times).await;

    world.talk("first", 15).await;
    world.app.clock.advance(20 * MINUTE);
    let session = world.talk("second", 19).await;
    world.end().await;

    let alerts = world.alerts(ADA).await;
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0]["session_id"], session);
    assert_eq!(alerts[0]["why"], "time_used_up");
    // After five minutes, and ten of grace.
    assert_eq!(alerts[0]["minutes"], 4);
}

#[tokio::test]
async fn a_child_who_is_only_told_goodbye_does_not_alert() {
    let world = World::new().await;
    world.set_nights(None).await;
    world.app.clock.advance(40 * MINUTE);
    let goodbyes = [
        "It is quiet time now. I look forward to talking with you again later!",
        "Jetzt ist Ruhezeit. Ich freue mich, wenn wir später wieder miteinander reden!",
    ];

    for goodbye in goodbyes {
        world.app.clock.advance(MINUTE);
        for _ in 0..2 {
            world.talk("s", 0).await;
            world.talk_with("s", 1, "assistant", goodbye).await;
        }
    }
    world.end().await;

    assert_eq!(world.alerts(ADA).await.len(), 0);
}

#[tokio::test]
async fn neither_deleting_nor_marking_a_conversation_hides_it_from_the_other_guardian() {
    let world = World::new().await;
    world.set_nights(None).await;
    world.app.clock.advance(40 * MINUTE);
    let deleted = world.talk("deleted", 6).await;
    let marked = world.talk("marked", 6).await;

    let ben = world.of(BEN).await;
    let path = format!("/api/sessions/{deleted}");
    ben.send(poem::http::Method::DELETE, &path, &[], None)
        .await
        .ok();
    let path = format!("/api/sessions/{marked}/not_child");
    ben.put(&path, &json!({"not_child": true})).await.ok();
    world.end().await;

    let alerts = world.alerts(ADA).await;
    let mut minutes = alerts.iter().map(|alert| {
        let deleted = !alert["restorable_until"].is_null();
        (alert["minutes"].as_u64().unwrap(), deleted)
    });
    assert_eq!(minutes.next(), Some((6, false)));
    assert_eq!(minutes.next(), Some((6, true)));
    assert_eq!(minutes.next(), None);
}

#[tokio::test]
async fn a_moved_conversation_is_judged_by_its_childs_times_and_erased_ones_are_not() {
    let world = World::new().await;
    world.set_nights(None).await;
    let leo = world.app.child("Leo", &[ADA, BEN]).await;
    world.app.clock.advance(40 * MINUTE);
    let session = world.talk("s", 6).await;

    let path = format!("/api/sessions/{session}/child");
    let to = json!({"child_id": leo});
    world.of(ADA).await.put(&path, &to).await.ok();
    world.end().await;

    assert_eq!(world.alerts(ADA).await.len(), 0);
}

#[tokio::test]
async fn what_waits_to_be_judged_is_moved_and_erased_with_its_conversation_and_its_child() {
    let world = World::new().await;
    let leo = world.app.child("Leo", &[ADA, BEN]).await;
    let waiting = || {
        let all = Table::new("alert-pending").key();
        let rows = world.app.inner.store.keys_below(&all, usize::MAX).unwrap();
        let rows = rows.iter().map(|row| {
            let mut parts = row.components_below(&all);
            let session = parts.number().unwrap();
            (session, ChildId::new(parts.number().unwrap()))
        });
        rows.collect::<Vec<_>>()
    };
    let ada = world.of(ADA).await;
    let goes = world.talk("goes", 1).await;
    let path = format!("/api/sessions/{goes}");
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    assert_eq!(waiting(), [(goes, world.mia)]);
    world.app.clock.advance(91 * 24 * HOUR);
    world.app.run_admin(AcceptClock).await.0.unwrap();
    world.app.inner.run_maintenance(|_| {}).await.unwrap();
    assert_eq!(waiting(), []);

    let stays = world.talk("stays", 1).await;
    let moves = world.talk("moves", 1).await;
    let path = format!("/api/sessions/{moves}/child");
    let to = json!({"child_id": leo});
    world.of(ADA).await.put(&path, &to).await.ok();
    assert_eq!(waiting(), [(stays, world.mia), (moves, leo)]);

    let remove = RemoveChild {
        child: leo,
        name: "Leo".to_owned(),
    };
    world.app.run_admin(remove).await.0.unwrap();
    assert_eq!(waiting(), [(stays, world.mia)]);
}

async fn follow(world: &World, session: &str) {
    let path = format!("/api/assistant/child/{}/rules", world.mia);
    let robot = world.app.bearer(&world.kitchen);
    let version = robot.get(&path).await.json()["version"].clone();
    let receipt = json!({"version": version, "evidence": "set"});
    world.deliver(session, json!({"rules": [receipt]})).await;
}

#[tokio::test]
async fn talk_without_the_current_rules_is_told_once_until_they_are_confirmed() {
    let world = World::new().await;
    world.talk("before-any-report", 20).await;
    world.end().await;
    follow(&world, "a").await;
    world.talk("a", 20).await;
    world.end().await;
    assert_eq!(world.alerts(ADA).await.len(), 0);

    world.set(ADA, "blocked_topics", &json!(["Sharks"])).await;
    let session = world.talk("b", 14).await;
    world.end().await;
    world.talk("c", 14).await;
    world.end().await;

    for email in [ADA, BEN] {
        let alerts = world.alerts(email).await;
        assert_eq!(alerts.len(), 1);
        assert_eq!(alerts[0]["kind"], "rules");
        assert_eq!(alerts[0]["minutes"], 14);
        assert_eq!(alerts[0]["session_id"], session);
        assert_eq!(alerts[0]["assistant"], "Kitchen");
        assert_eq!(world.unseen(email).await, 0);
    }
    follow(&world, "d").await;
    world.talk("d", 14).await;
    world.end().await;
    assert_eq!(world.alerts(ADA).await.len(), 1);
    world.set(BEN, "blocked_topics", &json!([])).await;
    world.talk("e", 12).await;
    world.end().await;
    let alerts = world.alerts(ADA).await;
    assert_eq!(alerts.len(), 2);
    assert_eq!(alerts[0]["minutes"], 12);
}

#[tokio::test]
async fn an_assistant_that_held_a_connection_is_silent_after_two_days() {
    let world = World::new().await;
    world
        .pass(30, async || world.call(&world.kitchen, true).await)
        .await;
    let last = world.app.inner.clock.now();
    world.pass(48, async || {}).await;
    assert_eq!(world.alerts(ADA).await.len(), 0);

    world.pass(40, async || {}).await;

    let alerts = world.alerts(BEN).await;
    assert_eq!(alerts.len(), 1);
    let alert = &alerts[0];
    assert_eq!(alert["kind"], "silent");
    assert_eq!(alert["assistant"], "Kitchen");
    assert_eq!(alert["at"], last.to_string());
    assert_eq!(alert["session_id"], Value::Null);
    assert_eq!(alert["all_assistants"], Value::Null);
    assert_eq!(world.unseen(BEN).await, 0);
    // It comes back, and falls silent again.
    world.call(&world.kitchen, true).await;
    world.pass(80, async || {}).await;
    assert_eq!(world.alerts(BEN).await.len(), 2);
}

#[tokio::test]
async fn an_assistant_that_delivers_is_silent_while_another_one_delivers() {
    let world = World::new().await;
    let toy = world.app.assistant("Toy", &[world.mia]).await;
    let toy = toy.credential().to_owned();
    let say = async |key: &str| {
        let now = world.app.inner.clock.now().to_string();
        let message = json!({"message_id": now, "source": "child", "text_content": "Hello"});
        let delivery = json!({"messages": [message]});
        world.app.bearer(key).deliver("s", &delivery).await.ok();
    };
    say(&toy).await;
    say(&world.kitchen).await;

    world.pass(6 * 24, async || say(&world.kitchen).await).await;
    assert_eq!(world.alerts(ADA).await.len(), 0);
    world.pass(3 * 24, async || say(&world.kitchen).await).await;

    let alerts = world.alerts(ADA).await;
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0]["kind"], "silent");
    assert_eq!(alerts[0]["assistant"], "Toy");
}

#[tokio::test]
async fn nothing_is_silent_during_a_pause_or_after_the_server_was_off_and_all_make_one_alert() {
    let world = World::new().await;
    let hall = world.app.assistant("Hall", &[world.mia]).await;
    let hall = hall.credential().to_owned();
    let call_both = async || {
        world.call(&world.kitchen, true).await;
        world.call(&hall, true).await;
    };
    call_both().await;
    let paused = json!({"time_zone": "UTC", "quiet_hours": [], "pause": {}});
    world.set(ADA, "times", &paused).await;
    world.pass(24 * 6, async || {}).await;
    let free = json!({"time_zone": "UTC", "quiet_hours": []});
    world.set(ADA, "times", &free).await;
    world.pass(2, async || {}).await;
    assert_eq!(world.alerts(ADA).await.len(), 0);

    call_both().await;
    world.judge().await;
    world.app.clock.advance(4 * 24 * HOUR);
    world.judge().await;
    world.pass(70, async || {}).await;
    assert_eq!(world.alerts(ADA).await.len(), 0);
    world.pass(3, async || {}).await;

    let alerts = world.alerts(ADA).await;
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0]["all_assistants"], true);
    assert_eq!(alerts[0]["assistant"], Value::Null);
}
