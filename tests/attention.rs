//! What needs a guardian: each state, and each way in which it leaves.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use poem::http::Method;
use porchlight::admin::{RemoveChild, Seed};
use porchlight::kernel::store::{Read, Table};
use serde_json::{Value, json};

use crate::support::family;
use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::reviewing::{ADA, BEN, Reviewed, completion_of, pointing_at};
use crate::support::tables::{Pages, Promise};
use crate::support::test_app::{Persona, TestApp};
use crate::support::upstream::{Answer, Received};

pub static FACTS: Facts = Facts {
    tables: &[(
        Some(Promise::WatchedPhrase),
        None,
        &["assistant-not-in-use"],
    )],
    damaged: &[(
        "assistant-not-in-use",
        Pages::LacksAFieldAndARow(&["getAttention"], &[]),
    )],
    writes: &[write(
        "setAssistantNotInUse",
        None,
        |_| json!({"not_in_use": true}),
    )],
};

const CLEO: &str = "cleo@example.org";
const ROOF: &str = "I climb on the roof";
const HURT: &str = "I want to hurt myself";
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const PATH: &str = "/api/attention";

/// Points at two sentences.
fn respond() -> impl Fn(&Received) -> Answer + Send + Sync + 'static {
    |received| {
        let body = received.json().to_string();
        if body.contains(HURT) {
            pointing_at(received, HURT, "self_harm", "urgent")
        } else if body.contains(ROOF) {
            pointing_at(received, ROOF, "danger", "look")
        } else {
            completion_of(&json!([]))
        }
    }
}

/// Ada and Ben share Mia, who talks with Kitchen, and a model reads along.
async fn world() -> Reviewed {
    let world = Reviewed::tested(&[ADA, BEN], respond()).await;
    world.switch_on(ADA).await.ok();
    world
}

/// The same, with a model whose first finding about self-harm is not urgent, while the later ones are.
async fn world_that_becomes_urgent() -> Reviewed {
    let calls = AtomicU64::new(0);
    let respond = move |received: &Received| {
        let is_first = calls.fetch_add(1, Ordering::Relaxed) == 0;
        let severity = if is_first { "look" } else { "urgent" };
        pointing_at(received, HURT, "self_harm", severity)
    };
    let world = Reviewed::tested(&[ADA, BEN], respond).await;
    world.switch_on(ADA).await.ok();
    world
}

/// What needs the guardian about the first child.
async fn needs(world: &Reviewed, email: &str) -> Value {
    let all = world.of(email).await.get(PATH).await.json();
    all["items"][0].clone()
}

async fn state(world: &Reviewed, email: &str) -> String {
    needs(world, email).await["state"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// A conversation that is over and reviewed.
async fn reviewed(world: &Reviewed, session: &str, text: &str) -> u64 {
    // Each has a time of its own.
    world.app.clock.advance(MINUTE);
    let session = world.talk(session, &[text]).await;
    world.review().await;
    session
}

async fn deal_with(world: &Reviewed, email: &str, alert: &Value, dealt_with: bool) {
    let path = world.path(&format!("alerts/{}/dealt_with", alert["alert_id"]));
    let body = json!({"dealt_with": dealt_with});
    world.of(email).await.put(&path, &body).await.ok();
}

/// The guardian's own copy of Mia's data.
async fn copy(world: &Reviewed, email: &str) -> Value {
    let copy = world.of(email).await.get(&world.path("export")).await;
    copy.json()["children"][0].clone()
}

/// Says hello, and hello again, so that it was heard.
async fn hear(robot: &Persona<'_>, session: &str, fields: Value) {
    let mut delivery =
        json!({"messages": [{"message_id": session, "source": "child", "text_content": "Hello"}]});
    for (name, value) in fields.as_object().unwrap() {
        delivery[name] = value.clone();
    }
    robot.deliver(session, &delivery).await.ok();
}

/// A receipt for the rules in force.
async fn receipt(world: &Reviewed, robot: &Persona<'_>) -> Value {
    let path = format!("/api/assistant/child/{}/rules", world.mia);
    let version = robot.get(&path).await.json()["version"].clone();
    let at = world.app.inner.clock.now().to_string();
    json!({"version": version, "evidence": "set", "at": at})
}

/// The assistant follows the rules in force.
async fn follow(world: &Reviewed, robot: &Persona<'_>, session: &str) {
    world.app.clock.advance(MINUTE);
    let receipt = receipt(world, robot).await;
    hear(robot, session, json!({"rules": [receipt]})).await;
}

async fn refuse(world: &Reviewed, robot: &Persona<'_>, session: &str) {
    world.app.clock.advance(MINUTE);
    let mut receipt = receipt(world, robot).await;
    receipt["refused"] = json!("too long");
    hear(robot, session, json!({"rules": [receipt]})).await;
}

async fn judge(world: &Reviewed) {
    let assistant = &world.app.inner.assistant;
    assistant.end_silent_sessions().await.unwrap();
    world.app.inner.alerts.judge().await.unwrap();
}

/// Hours pass, in which the server runs.
async fn pass(world: &Reviewed, hours: u32) {
    for _ in 0..hours {
        world.app.clock.advance(HOUR);
        judge(world).await;
    }
}

/// Waits for a change of the rules, and is told of one at once.
async fn connect(world: &Reviewed, robot: &Persona<'_>) {
    let path = format!("/api/assistant/child/{}/rules?wait=1", world.mia);
    robot.get(&path).await.ok();
}

#[tokio::test]
async fn an_urgent_alert_comes_first_until_the_guardian_has_dealt_with_it() {
    let world = world().await;
    reviewed(&world, "a", ROOF).await;
    let urgent = reviewed(&world, "b", HURT).await;
    let newest = reviewed(&world, "c", ROOF).await;

    let found = needs(&world, ADA).await;
    assert_eq!(found["state"], "urgent");
    assert_eq!(found["child_name"], "Mia");
    let alert = found["alert"].clone();
    assert_eq!(alert["session_id"], urgent);
    assert_eq!(alert["assistant"], "Kitchen");
    assert_eq!(alert["flagged"]["concern"], "self_harm");
    assert_eq!(alert.get("text_content"), None, "no words");
    assert_eq!(
        (&found["more"], &found["open_alerts"]),
        (&json!(3), &json!(3))
    );

    // Having seen it is not having dealt with it.
    let seen = json!({"child_id": world.mia, "up_to": alert["alert_id"]});
    world
        .of(ADA)
        .await
        .put("/api/alerts/seen", &seen)
        .await
        .ok();
    assert_eq!(state(&world, ADA).await, "urgent");

    deal_with(&world, ADA, &alert, true).await;
    let found = needs(&world, ADA).await;
    assert_eq!(found["state"], "alert");
    assert_eq!(found["alert"]["session_id"], newest);
    assert_eq!(found["open_alerts"], 2);
    assert_eq!(world.unseen(ADA).await, 1, "the one after it");

    deal_with(&world, ADA, &alert, false).await;
    assert_eq!(state(&world, ADA).await, "urgent");
}

#[tokio::test]
async fn nobody_else_learns_that_a_guardian_has_dealt_with_an_alert() {
    let world = world().await;
    reviewed(&world, "a", HURT).await;
    let of_ben = async || {
        let alerts = world.alerts(BEN).await;
        (
            needs(&world, BEN).await,
            alerts,
            world.history(BEN).await,
            copy(&world, BEN).await["alerts"].clone(),
        )
    };
    let before = of_ben().await;

    let alert = world.alerts(ADA).await[0].clone();
    deal_with(&world, ADA, &alert, true).await;

    assert_eq!(world.alerts(ADA).await[0]["dealt_with"], true);
    assert_eq!(of_ben().await, before);
    assert!(!world.app.exported().await.1.contains("dealt_with"));
    assert_eq!(
        copy(&world, ADA).await["alerts"][0]["dealt_with_by"],
        json!([ADA])
    );
    // No event of Ben's comes of it.
    let ben = world.of(BEN).await;
    let mut events = ben.stream(&world.path("events")).await;
    deal_with(&world, ADA, &alert, false).await;
    let context = json!({"text": "She likes bees."});
    world
        .of(ADA)
        .await
        .put(&world.path("context"), &context)
        .await
        .ok();
    let received = events.until("context").await;
    assert!(!received.contains(&"alerts".to_owned()), "{received:?}");
}

#[tokio::test]
async fn an_alert_leaves_when_it_or_its_concern_is_not_worrying_and_grave_concerns_stay() {
    let world = world().await;
    reviewed(&world, "a", HURT).await;
    reviewed(&world, "b", ROOF).await;
    let ada = world.of(ADA).await;
    let concerns = world.path("not_worrying");

    for (index, grave) in [
        "self_harm",
        "hurt",
        "hurt_at_home",
        "sexual_content",
        "stranger",
    ]
    .into_iter()
    .enumerate()
    {
        let mut all = vec!["danger"; index];
        all.push(grave);
        let refused = ada.put(&concerns, &json!({"items": all})).await;
        let (sentence, at) = refused.problem_at(422);
        assert!(sentence.starts_with("Alerts about "), "{sentence}");
        assert_eq!(at, Some(format!("/items/{index}")));
    }
    assert_eq!(ada.get(&concerns).await.json(), json!({"items": []}));
    ada.put(&concerns, &json!({"items": ["danger"]})).await.ok();
    assert_eq!(needs(&world, ADA).await["open_alerts"], 1);

    let urgent = needs(&world, ADA).await["alert"]["alert_id"].clone();
    let path = world.path(&format!("alerts/{urgent}/not_worrying"));
    ada.put(&path, &json!({"not_worrying": true})).await.ok();
    assert_eq!(needs(&world, ADA).await["open_alerts"], 0);
    assert_eq!(needs(&world, BEN).await["open_alerts"], 2);
}

#[tokio::test]
async fn a_phrase_is_open_for_its_guardian_alone_also_in_a_deleted_conversation() {
    let world = world().await;
    let phrases =
        json!([{"words": "secret", "side": "either"}, {"words": "moon", "side": "either"}]);
    let ada = world.of(ADA).await;
    ada.put(&world.path("watched_phrases"), &phrases).await.ok();
    let session = world.talk("a", &["A secret"]).await;

    let found = needs(&world, ADA).await;
    assert_eq!(found["state"], "alert");
    assert_eq!(found["alert"]["phrase"]["words"], "secret");
    assert_eq!(found["sees"]["watched_phrases"], 2);
    let of_ben = needs(&world, BEN).await;
    assert_eq!(of_ben["open_alerts"], 0);
    assert_eq!(of_ben["sees"]["watched_phrases"], 0);

    let path = format!("/api/sessions/{session}");
    let ben = world.of(BEN).await;
    ben.send(Method::DELETE, &path, &[], None).await.ok();
    let found = needs(&world, ADA).await;
    assert_eq!(found["state"], "alert");
    assert_eq!(found["alert"]["deleted_by"]["name"], "ben");

    // Nobody deals with another guardian's alert, or with one that doesn't ring.
    let path = world.path(&format!("alerts/{}/dealt_with", found["alert"]["alert_id"]));
    let dealt = json!({"dealt_with": true});
    world.of(BEN).await.put(&path, &dealt).await.problem(404);
    ada.put(&path, &dealt).await.ok();
    assert_eq!(needs(&world, ADA).await["open_alerts"], 0);
}

#[tokio::test]
async fn an_alert_that_becomes_urgent_is_open_again() {
    let world = world_that_becomes_urgent().await;
    reviewed(&world, "a", HURT).await;
    let alert = needs(&world, ADA).await["alert"].clone();
    assert_eq!(alert["flagged"]["severity"], "look");
    deal_with(&world, ADA, &alert, true).await;
    assert_eq!(needs(&world, ADA).await["open_alerts"], 0);

    let more = json!({"messages": [{"message_id": "more", "source": "child", "text_content": HURT}],
        "completion": {"duration": 2}});
    world.deliver("a", &more).await;
    world.review().await;

    let found = needs(&world, ADA).await;
    assert_eq!(found["state"], "urgent");
    assert_eq!(found["alert"]["alert_id"], alert["alert_id"]);
}

#[tokio::test]
async fn what_is_said_after_an_alert_was_dealt_with_opens_it_again() {
    let world = world_that_becomes_urgent().await;
    let (ada, ben) = (world.of(ADA).await, world.of(BEN).await);
    let phrases = json!([{"words": "our secret", "side": "either"}]);
    ada.put(&world.path("watched_phrases"), &phrases).await.ok();

    // A phrase: the alert leads to the new words.
    let say = async |id: &str, text: &str, is_over: bool| {
        world.app.clock.advance(MINUTE);
        let mut delivery =
            json!({"messages": [{"message_id": id, "source": "child", "text_content": text}]});
        if is_over {
            delivery["completion"] = json!({"duration": 2});
        }
        world.deliver("a", &delivery).await;
    };
    say("1", "It's our secret", false).await;
    let alert = needs(&world, ADA).await["alert"].clone();
    deal_with(&world, ADA, &alert, true).await;
    say("2", "Hello", false).await;
    assert_eq!(needs(&world, ADA).await["open_alerts"], 0);
    say("3", "Meet me at the park, our secret", false).await;
    let again = needs(&world, ADA).await["alert"].clone();
    assert_eq!(again["alert_id"], alert["alert_id"]);
    assert_eq!(
        (&again["message_id"], &again["count"]),
        (&json!("3"), &json!(2))
    );
    deal_with(&world, ADA, &again, true).await;

    // What a reviewer found: after an urgent finding also for who found the one before not worrying.
    say("4", HURT, true).await;
    world.review().await;
    let found = needs(&world, BEN).await["alert"].clone();
    assert_eq!(found["flagged"]["severity"], "look");
    let path = world.path(&format!("alerts/{}/not_worrying", found["alert_id"]));
    ben.put(&path, &json!({"not_worrying": true})).await.ok();
    assert_eq!(needs(&world, BEN).await["open_alerts"], 0);
    for id in ["5", "6"] {
        say(id, HURT, true).await;
        world.review().await;
        for guardian in [ADA, BEN] {
            let found = needs(&world, guardian).await;
            assert_eq!(found["state"], "urgent", "{guardian} after {id}");
            deal_with(&world, guardian, &found["alert"], true).await;
        }
    }
}

#[tokio::test]
async fn an_assistant_that_refused_the_rules_or_confirmed_none_waits_until_it_confirms() {
    let world = world().await;
    let kitchen = world.app.bearer(&world.kitchen);
    let toy = world.app.assistant("Toy robot", &[world.mia]).await;
    follow(&world, &kitchen, "k").await;
    assert_eq!(state(&world, ADA).await, "nothing_open");

    // It was heard, and has not even asked for the rules.
    hear(&toy, "t1", json!({})).await;
    let found = needs(&world, ADA).await;
    assert_eq!(found["state"], "rules_unconfirmed");
    assert_eq!(found["assistant"]["name"], "Toy robot");
    refuse(&world, &toy, "t2").await;
    assert_eq!(state(&world, ADA).await, "rules_refused");

    // Another list is no confirmation.
    let topics = world.path("blocked_topics");
    world
        .of(ADA)
        .await
        .put(&topics, &json!(["Sharks"]))
        .await
        .ok();
    let found = needs(&world, BEN).await;
    assert_eq!(
        (&found["state"], &found["more"]),
        (&json!("rules_refused"), &json!(0))
    );

    follow(&world, &toy, "t3").await;
    assert_eq!(
        state(&world, ADA).await,
        "nothing_open",
        "Kitchen gets it when it connects"
    );
}

#[tokio::test]
async fn an_assistant_that_talks_without_the_current_rules_waits_until_it_confirms() {
    let world = world().await;
    let kitchen = world.app.bearer(&world.kitchen);
    follow(&world, &kitchen, "a").await;
    world.app.clock.advance(HOUR);
    judge(&world).await;
    let topics = world.path("blocked_topics");
    world
        .of(ADA)
        .await
        .put(&topics, &json!(["Sharks"]))
        .await
        .ok();
    for minute in 0..14 {
        world.app.clock.advance(MINUTE);
        let messages = json!([{"message_id": format!("b{minute}"), "source": "child", "text_content": "Hello"}]);
        kitchen.deliver_messages("b", &messages).await.ok();
    }
    assert_eq!(state(&world, ADA).await, "nothing_open", "it isn't over");

    world.app.clock.advance(HOUR);
    judge(&world).await;
    let found = needs(&world, BEN).await;
    assert_eq!(found["state"], "rules_unconfirmed");
    assert_eq!(found["assistant"]["name"], "Kitchen");

    follow(&world, &kitchen, "c").await;
    assert_eq!(state(&world, ADA).await, "nothing_open");
}

#[tokio::test]
async fn lost_messages_are_shown_for_seven_days() {
    let world = world().await;
    let kitchen = world.app.bearer(&world.kitchen);
    follow(&world, &kitchen, "a").await;
    let bad = json!([{"message_id": "x", "revision": "1"}, {"message_id": "y", "revision": "1"}]);
    for session in ["b", "c"] {
        world.app.clock.advance(MINUTE);
        kitchen.deliver_messages(session, &bad).await.ok();
    }

    let found = needs(&world, BEN).await;
    assert_eq!(found["state"], "not_saved");
    assert_eq!(found["alert"]["kind"], "not_kept");
    assert_eq!(found["alert"]["count"], 2);
    assert_eq!(
        (&found["more"], &found["open_alerts"]),
        (&json!(1), &json!(0))
    );
    // It isn't dealt with.
    let path = world.path(&format!("alerts/{}/dealt_with", found["alert"]["alert_id"]));
    let dealt = json!({"dealt_with": true});
    world.of(BEN).await.put(&path, &dealt).await.problem(404);

    world.app.clock.advance(7 * DAY);
    assert_eq!(
        needs(&world, BEN).await["state"],
        "not_saved",
        "to the second"
    );
    world.app.clock.advance(MINUTE);
    assert_eq!(needs(&world, BEN).await["state"], "nothing_open");
}

#[tokio::test]
async fn conversations_that_were_not_reviewed_are_shown_for_seven_days() {
    let world = Reviewed::tested(&[ADA, BEN], |_| Answer::json(&json!({})).status(500)).await;
    world.switch_on(ADA).await.ok();
    follow(&world, &world.app.bearer(&world.kitchen), "a").await;
    for name in ["one", "two", "three"] {
        world.talk(name, &[ROOF]).await;
    }
    // It is tried for a day.
    for _ in 0..26 {
        world.review().await;
        world.pass(HOUR);
    }

    let found = needs(&world, BEN).await;
    assert_eq!(found["state"], "not_reviewed");
    assert!(found["conversations"].as_u64().unwrap() >= 3);
    assert_eq!(found["sees"]["reviewer"], true);
    world.pass(5 * DAY);
    assert_eq!(state(&world, BEN).await, "not_reviewed");
    world.pass(2 * DAY);
    assert_eq!(state(&world, BEN).await, "nothing_open");
}

#[tokio::test]
async fn a_silent_assistant_waits_until_it_connects_or_a_guardian_no_longer_uses_it() {
    let world = world().await;
    let kitchen = world.app.bearer(&world.kitchen);
    follow(&world, &kitchen, "a").await;
    connect(&world, &kitchen).await;
    judge(&world).await;
    let last = world.app.inner.clock.now().to_string();
    pass(&world, 24 * 3).await;
    // Such a long silence is no news, and still there.
    world.app.clock.advance(31 * DAY);

    let found = needs(&world, ADA).await;
    assert_eq!(found["state"], "silent");
    assert_eq!(found["assistant"]["name"], "Kitchen");
    assert_eq!(found["since"], last);
    let id = found["assistant"]["assistant_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let before = (needs(&world, BEN).await, world.history(BEN).await);

    let path = world.path(&format!("assistants/{id}/not_in_use"));
    let ada = world.of(ADA).await;
    let not_in_use = json!({"not_in_use": true});
    ada.put(&path, &not_in_use).await.ok();
    let found = needs(&world, ADA).await;
    assert_eq!(found["state"], "nothing_open");
    assert_eq!(found["sees"]["assistants"][0]["not_in_use"], true);
    assert_eq!((needs(&world, BEN).await, world.history(BEN).await), before);
    assert_eq!(copy(&world, BEN).await.get("not_in_use"), None);
    assert!(!world.app.exported().await.1.contains("not_in_use"));
    let own = json!([{"guardian": ADA, "assistant": "Kitchen"}]);
    assert_eq!(copy(&world, ADA).await["not_in_use"], own);

    ada.put(&path, &json!({"not_in_use": false})).await.ok();
    assert_eq!(state(&world, ADA).await, "silent");
    ada.put(&path, &not_in_use).await.ok();

    // It connects, which ends both.
    connect(&world, &kitchen).await;
    let found = needs(&world, ADA).await;
    assert_eq!(found["state"], "nothing_open");
    assert_eq!(found["sees"]["assistants"][0]["not_in_use"], false);
    assert_eq!(state(&world, BEN).await, "nothing_open");
    assert_eq!(copy(&world, ADA).await.get("not_in_use"), None);
    // The server was off for a month.
    pass(&world, 24 * 6).await;
    assert_eq!(state(&world, ADA).await, "silent", "it fell silent again");
}

#[tokio::test]
async fn without_anything_open_it_says_what_was_last_heard_and_how_far_porchlight_sees() {
    let app = TestApp::new().await;
    app.named_guardian(ADA, "Ada").await;
    app.named_guardian(CLEO, "Cleo").await;
    let mia = app.child("Mia", &[ADA]).await;
    let zoe = app.child("Zoe", &[CLEO]).await;
    let ada = app.stepped_up(ADA).await;
    let first = async || ada.get(PATH).await.json()["items"][0].clone();

    let found = first().await;
    assert_eq!(found["state"], "no_assistant");
    let nothing = json!({"assistants": [], "watched_phrases": 0, "reviewer": false});
    assert_eq!(found["sees"], nothing);

    let tablet = app.assistant("Tablet", &[mia]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let found = first().await;
    assert_eq!(found["state"], "nothing_heard");
    let names = found["sees"]["assistants"].as_array().unwrap().iter();
    let names = names
        .map(|one| one["name"].as_str().unwrap())
        .collect::<Vec<_>>();
    assert_eq!(names, ["Kitchen", "Tablet"]);

    for (robot, session) in [(&tablet, "t"), (&kitchen, "k")] {
        app.clock.advance(MINUTE);
        let path = format!("/api/assistant/child/{mia}/rules");
        let version = robot.get(&path).await.json()["version"].clone();
        let receipt = json!({"version": version, "evidence": "set"});
        hear(robot, session, json!({"rules": [receipt]})).await;
    }
    let found = first().await;
    assert_eq!(found["state"], "nothing_open");
    assert_eq!(found["last_heard"]["assistant"], "Kitchen");
    assert_eq!(
        found["last_heard"]["last_message_time"],
        app.inner.clock.now().to_string()
    );
    assert_eq!(found["more"], 0);

    // Another family has its own, and nothing of this one.
    let cleo = app.stepped_up(CLEO).await;
    let all = cleo.get(PATH).await.json();
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
    assert_eq!(all["items"][0]["child_id"], json!(zoe));
    let id = found["sees"]["assistants"][0]["assistant_id"]
        .as_str()
        .unwrap();
    let not_in_use = json!({"not_in_use": true});
    for child in [mia, zoe] {
        let path = format!("/api/child/{child}/assistants/{id}/not_in_use");
        cleo.put(&path, &not_in_use).await.problem(404);
    }
}

#[tokio::test]
async fn not_in_use_ends_with_the_guardian_the_assistant_and_the_child() {
    let world = world().await;
    world.app.named_guardian(CLEO, "Cleo").await;
    world.link(CLEO, true).await;
    let leo = world.app.child("Leo", &[ADA]).await;
    world.app.assistant("Toy", &[world.mia, leo]).await;
    let rows = || world.app.count_rows("assistant-not-in-use");
    for (email, index) in [(ADA, 0), (BEN, 0), (CLEO, 0), (ADA, 1), (CLEO, 1)] {
        let found = needs(&world, email).await;
        let id = found["sees"]["assistants"][index]["assistant_id"]
            .as_str()
            .unwrap();
        let path = world.path(&format!("assistants/{id}/not_in_use"));
        let not_in_use = json!({"not_in_use": true});
        world.of(email).await.put(&path, &not_in_use).await.ok();
    }
    assert_eq!(rows(), 5);

    world.link(CLEO, false).await;
    assert_eq!(rows(), 3);
    let toy = needs(&world, ADA).await["sees"]["assistants"][1].clone();
    let path = world.path(&format!(
        "assistants/{}",
        toy["assistant_id"].as_str().unwrap()
    ));
    let ada = world.of(ADA).await;
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    assert_eq!(rows(), 2);
    let remove = RemoveChild {
        child: world.mia,
        name: "Mia".to_owned(),
    };
    world.app.run_admin(remove).await.0.unwrap();
    assert_eq!(rows(), 0);
    let all = world.of(ADA).await.get(PATH).await.json();
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
    assert_eq!(all["items"][0]["child_id"], json!(leo));
}

#[tokio::test]
async fn what_a_former_guardian_has_dealt_with_is_forgotten() {
    let world = world().await;
    reviewed(&world, "a", HURT).await;
    let alert = world.alerts(BEN).await[0].clone();
    deal_with(&world, BEN, &alert, true).await;
    assert!(world.rows("alert").contains("dealt_with"));

    world.link(BEN, false).await;

    assert!(!world.rows("alert").contains("dealt_with"));
}

#[tokio::test]
async fn a_guardians_own_copy_brings_back_what_was_dealt_with_and_not_in_use() {
    let world = world().await;
    reviewed(&world, "a", HURT).await;
    reviewed(&world, "b", ROOF).await;
    let urgent = needs(&world, ADA).await["alert"].clone();
    deal_with(&world, ADA, &urgent, true).await;
    let id = needs(&world, ADA).await["sees"]["assistants"][0].clone();
    let id = id["assistant_id"].as_str().unwrap();
    let path = world.path(&format!("assistants/{id}/not_in_use"));
    let not_in_use = json!({"not_in_use": true});
    world.of(ADA).await.put(&path, &not_in_use).await.ok();
    let text = world.of(ADA).await.get(&world.path("export")).await.body;

    let app = TestApp::new().await;
    app.run_admin(Seed { text }).await.0.unwrap();

    let found = app.stepped_up(ADA).await.get(PATH).await.json()["items"][0].clone();
    assert_eq!(
        (&found["state"], &found["open_alerts"]),
        (&json!("alert"), &json!(1))
    );
    assert_eq!(found["alert"]["flagged"]["concern"], "danger");
    assert_eq!(found["sees"]["assistants"][0]["not_in_use"], true);
}

#[tokio::test]
async fn a_file_names_who_dealt_with_an_alert_and_who_uses_an_assistant_no_more() {
    let child = |field: &str, value: Value| {
        let mut child =
            json!({"name": "Mia", "guardians": [ADA], "assistants": [{"name": "Kitchen"}]});
        child[field] = value;
        json!({"guardians": [{"email": ADA}], "assistants": [{"name": "Kitchen"}], "children": [child]})
    };
    let alert = |kind: &str, by: &str| {
        let at = "2026-11-20T18:00:00Z";
        json!([{"kind": kind, "at": at, "dealt_with_by": [by]}])
    };
    let app = TestApp::new().await;
    for (file, sentence) in [
        (child("alerts", alert("outside_times", BEN)), BEN),
        (child("alerts", alert("silent", ADA)), "nobody deals with"),
        (
            child(
                "not_in_use",
                json!([{"guardian": BEN, "assistant": "Kitchen"}]),
            ),
            BEN,
        ),
        (
            child(
                "not_in_use",
                json!([{"guardian": ADA, "assistant": "Hall"}]),
            ),
            "Hall",
        ),
    ] {
        let text = file.to_string();
        let error = app.run_admin(Seed { text }).await.0.unwrap_err();
        assert!(error.to_string().contains(sentence), "{error}");
    }
}

#[tokio::test]
async fn an_unreadable_alert_is_counted_and_takes_nothing_else_away() {
    let world = world().await;
    reviewed(&world, "a", HURT).await;
    reviewed(&world, "b", ROOF).await;
    let all = Table::new("alert").key();
    let store = &world.app.inner.store;
    // The newest is first.
    let key = store.keys_below(&all, 1).unwrap().remove(0);
    family::damage(&world.app.inner, key, b"{".to_vec()).await;

    let response = world.of(ADA).await.get(PATH).await;
    assert_eq!(response.header("unreadable-rows"), "1");
    assert_eq!(response.json()["items"][0]["state"], "urgent");
    assert_eq!(response.json()["items"][0]["open_alerts"], 1);
}
