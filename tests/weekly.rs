//! The weekly e-mail: its facts, its words, its time and its recipients.

use std::time::Duration;

use poem::http::Method;
use porchlight::admin::{RemoveGuardian, UnlinkChild};
use porchlight::children::ChildId;
use porchlight::identity::{self, Named};
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::host::zones::Zone;
use porchlight::kernel::http::limit::LimitMode;
use porchlight::kernel::outgoing::mail::{Email, Mailer};
use porchlight::kernel::store::{Change, Read, Table};
use serde_json::{Value, json};

use crate::support::features::Facts;
use crate::support::tables::Promise;
use crate::support::test_app::{EVENING, Persona, TestApp};

pub static FACTS: Facts = Facts {
    tables: &[(Some(Promise::QuotesInEmails), None, &["weekly-sent"])],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Sunday, 6 PM. The tests' clock begins on the evening before.
const SUNDAY: &str = "2026-11-22T18:00:00Z";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Ada has Mia and Theo, and Ben has Mia. Both children talk with Kitchen.
struct World {
    app: TestApp,
    mia: ChildId,
    theo: ChildId,
    kitchen: String,
}

impl World {
    async fn new() -> Self {
        Self::on(TestApp::new().await).await
    }

    async fn on(app: TestApp) -> Self {
        app.named_guardian(ADA, "Ada").await;
        app.named_guardian(BEN, "Ben").await;
        let mia = app.child("Mia", &[ADA, BEN]).await;
        let theo = app.child("Theo", &[ADA]).await;
        let kitchen = app.assistant("Kitchen", &[mia, theo]).await;
        let kitchen = kitchen.credential().to_owned();
        Self {
            app,
            mia,
            theo,
            kitchen,
        }
    }

    async fn of(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    /// Replaces fields of a guardian's subscription.
    async fn choose(&self, email: &str, fields: &[(&str, Value)]) {
        let guardian = self.of(email).await;
        let there = guardian.get("/api/subscription").await;
        let mut settings = there.json()["settings"].clone();
        for (place, value) in fields {
            let (parent, field) = place.rsplit_once('/').unwrap();
            settings.pointer_mut(parent).unwrap()[field] = value.clone();
        }
        let headers = [("if-match", there.header("etag"))];
        let body = Some(settings.to_string());
        let path = "/api/subscription";
        guardian.send(Method::PUT, path, &headers, body).await.ok();
    }

    /// Switches quotes and topics on, and takes the e-mail about that.
    async fn choose_quotes(&self, email: &str) {
        self.choose(email, &[("/quotes", true.into())]).await;
        assert_eq!(self.app.take_emails().await.len(), 1);
    }

    /// Switches the e-mail on for Sundays at 6 PM.
    async fn subscribe(&self, email: &str, zone: &str) {
        let on = [
            ("/weekly/enabled", true.into()),
            ("/time_zone", zone.into()),
        ];
        self.choose(email, &on).await;
    }

    async fn deliver(&self, child: ChildId, session: &str, mut fields: Value) -> u64 {
        fields["child_id"] = json!(child);
        let robot = self.app.bearer(&self.kitchen);
        let answer = robot.deliver(session, &fields).await.json();
        answer["session_id"].as_u64().unwrap()
    }

    /// A conversation of this child's, named after its beginning.
    async fn talk(&self, child: ChildId, began: &str, minutes: u32, words: &str) -> u64 {
        let end = at(began).after(60 * minutes * Duration::from_secs(1));
        let message = json!({
            "message_id": "a", "source": "child", "text_content": words, "timestamp": began,
        });
        let fields = json!({
            "topic": format!("Topic of {words}"),
            "start_time": began,
            "messages": [message],
            "completion": {"end_time": end.to_string(), "mood": format!("Mood of {words}")},
        });
        self.deliver(child, &format!("{child}-{began}"), fields)
            .await
    }

    async fn watch(&self, email: &str, child: ChildId, phrase: &str) {
        let path = format!("/api/child/{child}/watched_phrases");
        let phrases = json!([{"words": phrase, "side": "either"}]);
        self.of(email).await.put(&path, &phrases).await.ok();
    }

    async fn delete(&self, by: &str, session: u64) {
        let (by, path) = (self.of(by).await, format!("/api/sessions/{session}"));
        by.send(Method::DELETE, &path, &[], None).await.ok();
    }

    async fn unlink(&self, email: &str, child: ChildId) {
        let request = UnlinkChild {
            child,
            email: email.parse().unwrap(),
        };
        self.app.run_admin(request).await.0.unwrap();
    }

    async fn queue(&self) {
        self.app.inner.notifications.queue_weekly().await.unwrap();
    }

    /// Queues and sends what is due now.
    async fn sent(&self) -> Vec<Email> {
        self.queue().await;
        self.app.take_emails().await
    }

    /// The only e-mail that is due now.
    async fn email(&self) -> Email {
        let mut sent = self.sent().await;
        assert_eq!(sent.len(), 1);
        sent.remove(0)
    }

    /// What the only e-mail that is due on Sunday says.
    async fn said_on_sunday(&self) -> String {
        self.app.clock.set(at(SUNDAY));
        said(&self.email().await)
    }
}

/// The text between greeting and link.
fn said(email: &Email) -> String {
    let (_, text) = email.text.split_once("\n\n").unwrap();
    let (text, _) = text.split_once("\nOpen Porchlight").unwrap();
    // Each row on one line.
    text.replace("\n    ", " ")
}

#[tokio::test]
async fn one_email_has_the_week_of_each_child_beside_the_week_before() {
    let world = World::new().await;
    world.subscribe(ADA, "UTC").await;
    // The first and the last minute of the week, and those beside it.
    world
        .talk(world.mia, "2026-11-14T23:50:00Z", 10, "before")
        .await;
    world
        .talk(world.mia, "2026-11-15T00:00:00Z", 20, "first")
        .await;
    world
        .talk(world.mia, "2026-11-21T19:30:00Z", 25, "last")
        .await;
    world
        .talk(world.mia, "2026-11-08T00:00:00Z", 50, "earlier")
        .await;
    world
        .talk(world.mia, "2026-11-07T23:00:00Z", 30, "long ago")
        .await;
    world
        .talk(world.theo, "2026-11-10T12:00:00Z", 90, "earlier")
        .await;

    world.app.clock.set(at("2026-11-22T17:59:59Z"));
    assert_eq!(world.sent().await.len(), 0);
    world
        .talk(world.mia, "2026-11-22T12:00:00Z", 5, "today")
        .await;
    world.app.clock.set(at(SUNDAY));
    let email = world.email().await;

    assert_eq!(email.to.to_string(), ADA);
    let unsubscribe = email.unsubscribe.as_deref().unwrap();
    assert!(unsubscribe.starts_with("https://porchlight.example/unsubscribe/weekly."));
    assert_eq!(email.subject, "Your week on Porchlight");
    assert_eq!(
        email.text,
        "Hello Ada,

here is your week from November 15 to 21.

Mia
  45 minutes of conversation
  The week before: 1 hour
  2 conversations, no alerts

Theo
  No conversations
  The week before: 1 hour 30 minutes
  No alerts

Open Porchlight: https://porchlight.example/

Porchlight sends this email once a week. Choose when, or switch it off, under
Subscription.

Porchlight
"
    );
    assert_eq!(world.sent().await.len(), 0);
}

#[tokio::test]
async fn if_nothing_happened_the_email_is_one_sentence() {
    let world = World::new().await;
    world.subscribe(ADA, "UTC").await;
    world.app.clock.set(at("2026-11-22T13:00:00Z"));
    world
        .talk(world.mia, "2026-11-22T12:00:00Z", 5, "today")
        .await;

    assert_eq!(
        world.said_on_sunday().await,
        "A quiet week: from November 15 to 21 there were no conversations and no alerts\nfor Mia and Theo.\n"
    );
}

#[tokio::test]
async fn the_week_is_counted_in_the_guardians_time_zone() {
    let world = World::new().await;
    world.subscribe(ADA, "America/New_York").await;
    // In New York it is still Saturday, November 14, and then Saturday, November 21.
    world
        .talk(world.mia, "2026-11-15T04:50:00Z", 5, "before")
        .await;
    world.app.clock.set(at("2026-11-22T05:00:00Z"));
    world
        .talk(world.mia, "2026-11-22T04:50:00Z", 10, "last")
        .await;
    world.app.clock.set(at("2026-11-22T22:59:59Z"));
    assert_eq!(world.sent().await.len(), 0);

    world.app.clock.set(at("2026-11-22T23:00:00Z"));

    let said = said(&world.email().await);
    let mia = "Mia\n  10 minutes of conversation\n  The week before: 5 minutes\n  1 conversation, no alerts\n";
    assert!(said.contains(mia), "{said}");
}

#[tokio::test]
async fn a_child_that_is_new_has_nothing_to_be_compared_with() {
    let world = World::new().await;
    world.subscribe(ADA, "UTC").await;
    world.app.clock.set(at("2026-11-25T12:00:00Z"));
    let zoe = world.app.child("Zoe", &[ADA]).await;
    let toy = world.app.assistant("Toy", &[zoe]).await;
    let began = "2026-11-25T10:00:00Z";
    let message = json!({"message_id": "a", "text_content": "Hello", "timestamp": began});
    let completion = json!({"end_time": "2026-11-25T10:05:00Z"});
    let fields = json!({"start_time": began, "messages": [message], "completion": completion});
    toy.deliver("s", &fields).await.ok();

    world.app.clock.set(at("2026-11-29T18:00:00Z"));

    let said = said(&world.email().await);
    let lines = "Zoe\n  5 minutes of conversation\n  1 conversation, no alerts\n";
    assert!(said.contains(lines), "{said}");
    assert!(
        said.contains("Mia\n  No conversations\n  No alerts\n"),
        "{said}"
    );
}

#[tokio::test]
async fn alerts_are_ones_own_and_those_of_all_and_stay_after_a_deletion() {
    let world = World::new().await;
    for email in [ADA, BEN] {
        world.subscribe(email, "UTC").await;
    }
    world.watch(ADA, world.mia, "sharks").await;
    world.watch(BEN, world.mia, "whales").await;
    let sharks = world
        .talk(world.mia, "2026-11-20T10:00:00Z", 10, "Sharks")
        .await;
    world
        .talk(world.mia, "2026-11-20T11:00:00Z", 10, "Whales and sharks")
        .await;
    // Ben deletes what Ada was alerted of.
    world.delete(BEN, sharks).await;

    world.app.clock.set(at(SUNDAY));
    let sent = world.sent().await;

    let mia = |email: &str| {
        let email = sent.iter().find(|it| it.to.to_string() == email).unwrap();
        let said = said(email);
        said.lines()
            .skip(3)
            .take(2)
            .map(str::trim)
            .collect::<Vec<_>>()
            .join("|")
    };
    assert_eq!(sent.len(), 2);
    assert_eq!(
        mia(ADA),
        "10 minutes of conversation|1 conversation, 2 alerts"
    );
    assert_eq!(
        mia(BEN),
        "10 minutes of conversation|1 conversation, 1 alert"
    );
}

#[tokio::test]
async fn deleted_conversations_and_those_of_somebody_else_do_not_count() {
    let world = World::new().await;
    world.subscribe(ADA, "UTC").await;
    let deleted = world
        .talk(world.mia, "2026-11-20T10:00:00Z", 10, "one")
        .await;
    let other = world
        .talk(world.mia, "2026-11-20T11:00:00Z", 20, "two")
        .await;
    let moved = world
        .talk(world.mia, "2026-11-20T12:00:00Z", 30, "three")
        .await;
    world
        .talk(world.mia, "2026-11-20T13:00:00Z", 40, "four")
        .await;
    world.delete(BEN, deleted).await;
    let leo = world.app.child("Leo", &[ADA, BEN]).await;
    let ada = world.of(ADA).await;
    let path = format!("/api/sessions/{other}/not_child");
    ada.put(&path, &json!({"not_child": true})).await.ok();
    let path = format!("/api/sessions/{moved}/child");
    ada.put(&path, &json!({"child_id": leo})).await.ok();

    let said = world.said_on_sunday().await;

    for lines in [
        "Mia\n  40 minutes of conversation\n  1 conversation,",
        "Leo\n  30 minutes of conversation\n  1 conversation,",
    ] {
        assert!(said.contains(lines), "{said}");
    }
}

#[tokio::test]
async fn what_stands_with_the_assistants_is_told_until_it_is_right_again() {
    let world = World::new().await;
    world.subscribe(BEN, "UTC").await;
    let robot = world.app.bearer(&world.kitchen);
    let path = format!("/api/assistant/child/{}/rules", world.mia);
    let version = robot.get(&path).await.json()["version"].clone();
    let refused = json!({
        "version": version, "evidence": "set", "at": EVENING, "refused": "too long for canary",
    });
    let bad = json!([{"message_id": "x", "revision": "1"}, {"message_id": "y", "revision": "1"}]);
    let fields = json!({"rules": [refused], "messages": bad});
    world.deliver(world.mia, "s", fields).await;
    let call = format!("{path}?wait=1");

    let said_at_once = world.said_on_sunday().await;
    // It holds a connection, and then it is silent.
    robot.get(&call).await.ok();
    for _ in 0..7 * 24 {
        world.app.clock.advance(HOUR);
        world.app.inner.alerts.judge().await.unwrap();
    }
    let said_while_silent = said(&world.email().await);
    world.app.clock.advance(6 * 24 * HOUR);
    robot.get(&call).await.ok();
    world.app.clock.advance(24 * HOUR);
    let said_afterwards = said(&world.email().await);

    let notes = |said: &str| {
        let notes = said.lines().filter_map(|line| line.strip_prefix("  ! "));
        notes.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        notes(&said_at_once),
        [
            "Kitchen refused your current rules for Mia.",
            "2 messages from Mia's conversations with Kitchen could not be saved.",
        ]
    );
    assert_eq!(
        notes(&said_while_silent),
        [
            "Kitchen has not connected since Sunday, November 22, so Mia's conversations there may be missing."
        ]
    );
    assert!(
        said_afterwards.starts_with("A quiet week"),
        "{said_afterwards}"
    );
}

#[tokio::test]
async fn without_the_switch_no_email_has_a_word_of_a_conversation() {
    let world = World::new().await;
    world.subscribe(ADA, "UTC").await;
    world.watch(ADA, world.mia, "canary").await;
    let ada = world.of(ADA).await;
    let topics = format!("/api/child/{}/blocked_topics", world.mia);
    ada.put(&topics, &json!({"topics": ["Canary islands"]}))
        .await;
    let context = format!("/api/child/{}/context", world.mia);
    ada.put(&context, &json!({"context": "Likes canary birds"}))
        .await;
    let born = format!("/api/child/{}/born", world.mia);
    ada.put(&born, &json!({"born": "2013-03"})).await.ok();
    world
        .talk(world.mia, "2026-11-20T10:00:00Z", 10, "canary")
        .await;
    let message = json!({
        "message_id": "b", "source": "canary", "speaker": "canary", "text_content": "My canary",
    });
    let fields = json!({"device": "canary", "topic": "CANARY", "messages": [message]});
    world.deliver(world.mia, "s", fields).await;
    world.app.clock.set(at(SUNDAY));
    world.queue().await;

    // The queue holds ids and a day.
    let queued = Table::new("queue").key();
    let keys = world.app.inner.store.keys_below(&queued, 10).unwrap();
    let [key] = keys.as_slice() else {
        panic!("{} messages are queued", keys.len());
    };
    let payload = world
        .app
        .inner
        .store
        .get::<AnyRecord>(key)
        .unwrap()
        .unwrap();
    assert_eq!(payload.0["data"], "2026-11-22");
    assert!(!payload.0.to_string().to_lowercase().contains("canary"));
    let without = world.app.take_emails().await.remove(0);
    for part in [&without.subject, &without.text, &without.html] {
        assert!(!part.to_lowercase().contains("canary"), "{part}");
        assert!(
            !part.contains("2013-03") && !part.contains("years old"),
            "{part}"
        );
    }
    assert!(
        without.text.contains("2 conversations, 2 alerts"),
        "{}",
        without.text
    );

    // With it, topics and nothing else.
    world.choose_quotes(ADA).await;
    world.app.clock.advance(7 * 24 * HOUR);
    world
        .talk(world.mia, "2026-11-25T10:00:00Z", 10, "canary")
        .await;
    let with = world.email().await;
    let line = "  What it was about: Topic of canary\n";
    assert!(with.text.contains(line), "{}", with.text);
    assert_eq!(with.text.matches("canary").count(), 1);
    assert_eq!(with.subject, without.subject);
}

/// A record of any form.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
struct AnyRecord(Value);

impl porchlight::kernel::store::Record for AnyRecord {}

#[tokio::test]
async fn what_it_says_and_who_gets_it_is_decided_when_it_is_handed_over() {
    let world = World::new().await;
    world.subscribe(ADA, "UTC").await;
    world.choose_quotes(ADA).await;
    world
        .talk(world.mia, "2026-11-20T10:00:00Z", 10, "one")
        .await;
    world
        .talk(world.theo, "2026-11-20T10:00:00Z", 10, "two")
        .await;
    world.app.clock.set(at(SUNDAY));
    world.queue().await;

    world.unlink(ADA, world.theo).await;
    world.choose(ADA, &[("/quotes", false.into())]).await;
    world
        .talk(world.mia, "2026-11-20T12:00:00Z", 20, "three")
        .await;
    let path = format!("/api/child/{}/name", world.mia);
    let renamed = json!({"name": "Maria"});
    world.of(ADA).await.put(&path, &renamed).await.ok();

    let email = world.app.take_emails().await.remove(0);
    assert!(
        !email.text.contains("Theo") && !email.text.contains("Topic"),
        "{}",
        email.text
    );
    let lines = "Maria\n  30 minutes of conversation\n";
    assert!(email.text.contains(lines), "{}", email.text);
}

#[tokio::test]
async fn it_is_dropped_if_the_guardian_may_not_get_it_any_more() {
    for reason in ["off", "no child", "removed", "suspended"] {
        let world = World::new().await;
        world.subscribe(BEN, "UTC").await;
        world.app.clock.set(at(SUNDAY));
        world.queue().await;

        match reason {
            "off" => {
                let place = "/weekly/enabled";
                world.choose(BEN, &[(place, false.into())]).await;
            }
            "no child" => world.unlink(BEN, world.mia).await,
            "removed" => {
                let email = BEN.parse().unwrap();
                let removed = world.app.run_admin(RemoveGuardian { email });
                removed.await.0.unwrap();
            }
            _ => {
                let suspend = |change: &mut Change| identity::suspend_all(change, at(SUNDAY));
                let suspended = world.app.inner.store.commit(suspend);
                suspended.await.unwrap();
            }
        }

        assert_eq!(world.sent().await.len(), 0, "{reason}");
        let queued = Table::new("queue").key();
        let left = world.app.inner.store.keys_below(&queued, 10).unwrap();
        assert_eq!(left.len(), 0, "{reason}");
    }
}

#[tokio::test]
async fn unsubscribing_ends_what_is_queued_and_it_begins_anew_when_it_is_switched_on() {
    let world = World::new().await;
    world.subscribe(BEN, "UTC").await;
    world.app.clock.set(at(SUNDAY));
    let link = world.email().await.unsubscribe.unwrap();
    world.app.clock.advance(7 * 24 * HOUR);
    world.queue().await;

    let path = link.strip_prefix("https://porchlight.example").unwrap();
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let body = Some("List-Unsubscribe=One-Click".to_owned());
    let anonymous = world.app.anonymous();
    anonymous
        .send(Method::POST, path, &headers, body)
        .await
        .ok();

    assert_eq!(world.sent().await.len(), 0);
    world.app.clock.advance(7 * 24 * HOUR);
    assert_eq!(world.sent().await.len(), 0);
    world.app.clock.advance(HOUR);
    world.subscribe(BEN, "UTC").await;
    assert_eq!(world.sent().await.len(), 0, "it was off when it was due");
    world.app.clock.advance(7 * 24 * HOUR);
    assert_eq!(world.sent().await.len(), 1);
}

#[tokio::test]
async fn a_guardian_who_was_suspended_gets_the_next_one_after_being_reinstated() {
    let world = World::new().await;
    world.subscribe(BEN, "UTC").await;
    let suspend = |change: &mut Change| identity::suspend_all(change, at(EVENING));
    world.app.inner.store.commit(suspend).await.unwrap();
    world.app.clock.set(at(SUNDAY));
    assert_eq!(world.sent().await.len(), 0);

    let named = Named {
        guardians: vec![BEN.parse().unwrap()],
        ..Named::default()
    };
    let reinstated = world
        .app
        .inner
        .store
        .commit(move |change| identity::reinstate(change, &named));
    reinstated.await.unwrap();

    world.app.clock.advance(HOUR);
    assert_eq!(world.sent().await.len(), 1, "less than a day late");
    world.app.clock.advance(7 * 24 * HOUR);
    assert_eq!(world.sent().await.len(), 1);
}

#[tokio::test]
async fn it_comes_once_a_week_at_its_hour_over_changes_of_the_clock() {
    let world = World::new().await;
    for (email, zone) in [(ADA, "Europe/Berlin"), (BEN, "America/New_York")] {
        world.subscribe(email, zone).await;
    }

    // The clocks change on March 14 and 28, 2027, and on October 31 and November 7.
    for start in ["2027-02-20T00:00:00Z", "2027-10-02T00:00:00Z"] {
        world.app.clock.set(at(start));
        let mut days = [(ADA, Vec::new()), (BEN, Vec::new())];
        for _ in 0..12 * 7 * 24 {
            world.app.clock.advance(HOUR);
            for email in world.sent().await {
                let to = email.to.to_string();
                let (_, days) = days.iter_mut().find(|(whose, _)| *whose == to).unwrap();
                days.push(world.app.inner.clock.now());
            }
        }
        for (whose, zone) in [(ADA, "Europe/Berlin"), (BEN, "America/New_York")] {
            let zone = zone.parse::<Zone>().unwrap();
            let (_, days) = days.iter().find(|(email, _)| *email == whose).unwrap();
            assert_eq!(days.len(), 12, "{whose}");
            for now in days {
                assert_eq!(
                    (zone.day_of(*now).weekday(), zone.hour_of(*now)),
                    (6, 18),
                    "{now}"
                );
            }
        }
    }
}

#[tokio::test]
async fn after_a_restart_it_is_sent_once_and_less_than_a_day_late() {
    let world = World::new().await;
    world.subscribe(BEN, "UTC").await;
    world.app.clock.set(at(SUNDAY));
    assert_eq!(world.sent().await.len(), 1);
    let World {
        app,
        mia,
        theo,
        kitchen,
    } = world;
    let restarted = async |app: TestApp, now: &str| World {
        app: app.restarted_at(at(now)).await,
        mia,
        theo,
        kitchen: kitchen.clone(),
    };

    let world = restarted(app, "2026-11-22T18:00:01Z").await;
    assert_eq!(world.sent().await.len(), 0, "it was sent");
    let world = restarted(world.app, "2026-11-30T17:59:59Z").await;
    let late = world.email().await;
    assert!(
        late.text.contains("from November 22 to 28"),
        "{}",
        late.text
    );
    let world = restarted(world.app, "2026-12-07T18:00:00Z").await;
    assert_eq!(world.sent().await.len(), 0, "it is a day late");
    world.app.clock.set(at("2026-12-13T18:00:00Z"));
    assert_eq!(world.sent().await.len(), 1);
}

#[tokio::test]
async fn it_begins_with_the_first_hour_after_it_was_switched_on() {
    let world = World::new().await;
    world.app.clock.set(at("2026-11-22T18:30:00Z"));
    world.subscribe(BEN, "UTC").await;
    assert_eq!(world.sent().await.len(), 0);

    world.app.clock.set(at("2026-11-29T18:00:00Z"));
    assert_eq!(world.sent().await.len(), 1);
    // Another hour of the same day, and another day of the same week.
    world.choose(BEN, &[("/weekly/hour", 20.into())]).await;
    world.app.clock.set(at("2026-11-29T20:00:00Z"));
    assert_eq!(world.sent().await.len(), 0);
    world
        .choose(BEN, &[("/weekly/weekday", "mon".into())])
        .await;
    world.app.clock.set(at("2026-11-30T20:00:00Z"));
    assert_eq!(world.sent().await.len(), 0);
    world.app.clock.set(at("2026-12-07T20:00:00Z"));
    let next = world.email().await;
    assert!(
        next.text.contains("from November 30 to December 6"),
        "{}",
        next.text
    );
}

#[tokio::test]
async fn maintenance_sends_it_and_without_a_mail_server_nothing_is_queued() {
    for (mailer, expected) in [(None, 1), (Some(Mailer::Nobody), 0)] {
        let app = match mailer {
            None => TestApp::new().await,
            Some(mailer) => TestApp::with_mailer(mailer, LimitMode::Off).await,
        };
        let world = World::on(app).await;
        world.subscribe(BEN, "UTC").await;
        world.app.clock.set(at(SUNDAY));

        world.app.inner.maintain().await.unwrap();

        let queued = Table::new("queue").key();
        let queued = world.app.inner.store.keys_below(&queued, 10).unwrap();
        assert_eq!(queued.len(), expected);
    }
}

#[tokio::test]
async fn one_unreadable_child_costs_no_other() {
    let world = World::new().await;
    world.subscribe(ADA, "UTC").await;
    world
        .talk(world.theo, "2026-11-20T10:00:00Z", 10, "two")
        .await;
    let mia = Table::new("child").key().number(world.mia.number());
    let damage = move |change: &mut Change| change.put(&mia, &AnyRecord(json!(1)));
    world.app.inner.store.commit(damage).await.unwrap();

    let said = world.said_on_sunday().await;

    assert!(
        said.contains("Theo\n  10 minutes of conversation\n"),
        "{said}"
    );
    assert!(
        said.contains("The data of one child can't be read."),
        "{said}"
    );
}
