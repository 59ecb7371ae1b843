//! Receipts: what assistants report about the rules they follow, and what the guardians see of it.

use crate::support::features::Facts;
use crate::support::tables::{Pages, Promise, Words};
use crate::support::test_app::{Persona, TestApp};
use poem::http::Method;
use porchlight::admin::RemoveGuardian;
use porchlight::children::{ChildId, SessionId};
use serde_json::{Value, json};
use std::time::Duration;

pub static FACTS: Facts = Facts {
    tables: &[
        (
            Some(Promise::RuleReceipt),
            None,
            &["rules-named", "rules-said", "rules-standing"],
        ),
        (
            Some(Promise::RuleReceipt),
            Some(Words::Conversation),
            &["rules-receipt"],
        ),
    ],
    damaged: &[
        ("rules-named", Pages::AsBefore),
        (
            "rules-receipt",
            Pages::LacksAFieldAndARow(&["getReceipts"], &["listSessionReceipts"]),
        ),
        ("rules-said", Pages::AsBefore),
        (
            "rules-standing",
            Pages::LacksARow(&["listConnections", "getReceipts", "getAttention"]),
        ),
    ],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

/// In seconds.
const DAY: u64 = 24 * 60 * 60;

/// The name of the version that the assistant gets.
async fn told(robot: &Persona<'_>, child: ChildId) -> String {
    let path = format!("/api/assistant/child/{child}/rules");
    let rules = robot.get(&path).await.json();
    rules["version"].as_str().unwrap().to_owned()
}

async fn report(robot: &Persona<'_>, child: ChildId, session: &str, receipt: Value) -> Value {
    let delivery = json!({"child_id": child, "rules": [receipt]});
    robot.deliver(session, &delivery).await.json()
}

async fn block(guardian: &Persona<'_>, child: ChildId, topics: Value) {
    let path = format!("/api/child/{child}/blocked_topics");
    guardian.put(&path, &topics).await.ok();
}

/// The guardian's list of assistants.
async fn followers(guardian: &Persona<'_>, child: ChildId) -> Value {
    let path = format!("/api/child/{child}/rules/receipts");
    guardian.get(&path).await.json()["assistants"].clone()
}

async fn of_session(guardian: &Persona<'_>, session: &Value) -> Value {
    let path = format!("/api/sessions/{session}/receipts");
    guardian.get(&path).await.json()
}

#[tokio::test]
async fn guardians_see_whether_an_assistant_follows_the_current_list() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let seen = async || followers(&app.stepped_up(ADA).await, mia).await[0].clone();

    assert_eq!(seen().await, json!({"name": "Kitchen", "kind": "silent"}));

    let first = told(&kitchen, mia).await;
    assert_eq!(
        seen().await,
        json!({"name": "Kitchen", "kind": "asked", "since": "2026-11-21T20:00:00Z"})
    );

    let set = json!({"version": first, "evidence": "set", "at": "2026-11-21T19:00:00Z"});
    report(&kitchen, mia, "s", set).await;
    let following = json!({"name": "Kitchen", "kind": "following", "evidence": "set",
        "since": "2026-11-21T19:00:00Z", "heard_at": "2026-11-21T20:00:00Z"});
    assert_eq!(seen().await, following);

    app.clock.advance(Duration::from_secs(DAY));
    block(&app.stepped_up(ADA).await, mia, json!(["Ghosts"])).await;
    let older = json!({"name": "Kitchen", "kind": "older",
        "heard_at": "2026-11-21T20:00:00Z"});
    assert_eq!(seen().await, older);

    let second = told(&kitchen, mia).await;
    let fetched = json!({"version": second, "evidence": "fetched"});
    report(&kitchen, mia, "s", fetched).await;
    assert_eq!(seen().await["kind"], json!("older"));
    let read_back = json!({"version": second, "evidence": "in_prompt"});
    report(&kitchen, mia, "s", read_back).await;
    let following = json!({"name": "Kitchen", "kind": "following", "evidence": "in_prompt",
        "since": "2026-11-22T20:00:00Z", "heard_at": "2026-11-22T20:00:00Z"});
    assert_eq!(seen().await, following);

    app.clock.advance(Duration::from_secs(DAY));
    block(&app.stepped_up(ADA).await, mia, json!(["Ghosts", "Bees"])).await;
    let older = json!({"name": "Kitchen", "kind": "older",
        "topics_since": "2026-11-22T20:00:00Z", "heard_at": "2026-11-22T20:00:00Z"});
    assert_eq!(seen().await, older);
    let third = told(&kitchen, mia).await;
    let refused =
        json!({"version": third, "evidence": "fetched", "refused": "too long for its model"});
    report(&kitchen, mia, "s", refused).await;
    assert_eq!(
        seen().await,
        json!({"name": "Kitchen", "kind": "refused", "reason": "too long for its model"})
    );
}

/// Records, as the gateway does, that the current rules were put into the prompt of this session.
async fn add_to_prompt(app: &TestApp, robot: &Persona<'_>, child: ChildId, session: &Value) {
    let inner = app.inner.clone();
    let assistant = inner.identity.assistants.verify(robot.credential());
    let assistant = assistant.unwrap().unwrap();
    let access = inner.children.of(&assistant, child).unwrap();
    let (_, told) = inner.rules.issue(&access, assistant.id()).unwrap();
    let session = SessionId::new(session.as_u64().unwrap());
    let added = app.inner.store.commit(move |change| {
        let access = inner.children.of_assistant(change, &assistant, child);
        let (access, now) = (access.unwrap(), inner.clock.now());
        let (number, topics) = (told.number, told.topics);
        inner
            .rules
            .record_added(change, &access, session, number, topics, now)
    });
    added.await.unwrap();
}

#[tokio::test]
async fn guardians_see_that_porchlight_added_the_list_to_the_prompt() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let chat = app.assistant("Chat", &[mia]).await;
    let delivery = json!({"child_id": mia});
    let session = chat.deliver("s", &delivery).await.json()["session_id"].clone();
    let first = json!({"number": 0, "evidence": "added", "at": "2026-11-21T20:00:00Z"});
    let mut following = json!({"name": "Chat", "kind": "following", "evidence": "added",
        "since": "2026-11-21T20:00:00Z", "heard_at": "2026-11-21T20:00:00Z"});

    for _ in 0..3 {
        add_to_prompt(&app, &chat, mia, &session).await;
        assert_eq!(followers(&ada, mia).await, json!([following]));
        let seen = of_session(&ada, &session).await;
        assert_eq!(seen, json!({"assistant": "Chat", "items": [first]}));
        app.clock.advance(Duration::from_secs(20));
    }

    block(&ada, mia, json!(["Ghosts"])).await;
    assert_eq!(followers(&ada, mia).await[0]["kind"], "older");
    add_to_prompt(&app, &chat, mia, &session).await;
    following["since"] = json!("2026-11-21T20:01:00Z");
    following["heard_at"] = json!("2026-11-21T20:01:00Z");
    assert_eq!(followers(&ada, mia).await, json!([following]));
    let second = json!({"number": 1, "evidence": "added", "at": "2026-11-21T20:01:00Z",
        "topics_since": "2026-11-21T20:01:00Z"});
    let seen = of_session(&ada, &session).await;
    assert_eq!(seen["items"], json!([first, second]));
}

#[tokio::test]
async fn no_assistant_can_report_that_porchlight_added_the_list() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let version = told(&kitchen, mia).await;

    let receipt = json!({"version": version, "evidence": "added"});
    let answer = report(&kitchen, mia, "s", receipt).await;

    assert_eq!(answer["rejected"][0]["at"], "/rules/0/evidence");
    let detail = "One of these is expected here: fetched, set, in_prompt.";
    assert_eq!(answer["rejected"][0]["detail"], detail);
    assert_eq!(followers(&ada, mia).await[0]["kind"], "asked");
}

#[tokio::test]
async fn a_change_of_the_context_is_no_change_of_the_list() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    block(&ada, mia, json!(["Ghosts"])).await;
    let version = told(&kitchen, mia).await;
    report(
        &kitchen,
        mia,
        "s",
        json!({"version": version, "evidence": "set"}),
    )
    .await;

    let context = format!("/api/child/{mia}/context");
    ada.put(&context, &json!({"text": "Mia is eight."}))
        .await
        .ok();

    assert_eq!(followers(&ada, mia).await[0]["kind"], json!("following"));
    let path = format!("/api/child/{mia}/rules/receipts");
    let seen = ada.get(&path).await.json();
    assert_eq!(
        (&seen["number"], &seen["topics_number"]),
        (&json!(2), &json!(1))
    );
}

#[tokio::test]
async fn an_unknown_version_is_rejected_and_never_shown() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let kitchen = app.assistant("Kitchen", &[mia, leo]).await;
    let bedroom = app.assistant("Bedroom", &[mia]).await;
    block(&ada, mia, json!(["Ghosts"])).await;
    let told_to_another = told(&bedroom, mia).await;
    let of_another_child = told(&kitchen, leo).await;
    let own = told(&kitchen, mia).await;
    let (_, tag) = own.split_once('-').unwrap();
    let never_told = [
        told_to_another,
        of_another_child,
        format!("2-{tag}"),
        format!("1-{}", "0".repeat(16)),
        format!("{mia}:1-{tag}"),
        "1".to_owned(),
        String::new(),
    ];

    for version in never_told {
        let receipt = json!({"version": version, "evidence": "in_prompt"});
        let answer = report(&kitchen, mia, "s", receipt).await;

        let rejected = json!([{"detail": "You were not told this version of this child's rules.",
            "code": "rules_version_unknown", "at": "/rules/0/version"}]);
        assert_eq!(answer["rejected"], rejected, "{version}");
    }
    let kinds = followers(&ada, mia).await;
    assert_eq!(
        (&kinds[0]["kind"], &kinds[1]["kind"]),
        (&json!("asked"), &json!("asked"))
    );
}

#[tokio::test]
async fn an_invalid_receipt_is_rejected_alone() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let version = told(&kitchen, mia).await;
    let receipts = json!([
        {"version": version, "evidence": "believed"},
        {"evidence": "set"},
        {"version": version, "evidence": "set", "promptt": 1},
        {"version": "0-0", "evidence": "set"},
    ]);
    let message =
        json!({"message_id": "m", "text_content": "Hi", "timestamp": "2026-11-21T19:00:00Z"});

    let delivery = json!({"child_id": mia, "rules": receipts, "messages": [message]});
    let answer = kitchen.deliver("s", &delivery).await.json();

    assert_eq!(answer["stored"], json!(1));
    let places = answer["rejected"].as_array().unwrap().iter();
    let places = places.map(|rejected| rejected["at"].as_str().unwrap());
    assert_eq!(
        places.collect::<Vec<_>>(),
        ["/rules/0/evidence", "/rules/1/version", "/rules/3/version"]
    );
    assert_eq!(answer["unknown"], json!(["rules[].promptt"]));
    let kept = of_session(&ada, &answer["session_id"]).await;
    assert_eq!(kept["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_session_lists_each_of_its_rule_versions_once_in_order_of_time() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    block(&ada, mia, json!(["Ghosts"])).await;
    let first = told(&kitchen, mia).await;
    app.clock.advance(Duration::from_secs(600));
    let ada = app.stepped_up(ADA).await;
    block(&ada, mia, json!(["Bees"])).await;
    let second = told(&kitchen, mia).await;
    let delivery = json!({"child_id": mia, "rules": [
        {"version": second, "evidence": "in_prompt", "at": "2026-11-21T20:10:00Z"},
        {"version": first, "evidence": "set", "at": "2026-11-21T20:05:00Z"},
        {"version": second, "evidence": "set"},
    ]});

    let answer = kitchen.deliver("s", &delivery).await.json();
    app.clock.advance(Duration::from_secs(60));
    kitchen.deliver("s", &delivery).await.ok();

    let expected = json!({"assistant": "Kitchen", "items": [
        {"number": 1, "evidence": "set", "at": "2026-11-21T20:05:00Z", "topics_since": "2026-11-21T20:00:00Z"},
        {"number": 2, "evidence": "set", "at": "2026-11-21T20:10:00Z", "topics_since": "2026-11-21T20:10:00Z"},
        {"number": 2, "evidence": "in_prompt", "at": "2026-11-21T20:10:00Z", "topics_since": "2026-11-21T20:10:00Z"},
    ]});
    assert_eq!(of_session(&ada, &answer["session_id"]).await, expected);
}

#[tokio::test]
async fn the_lists_of_all_children_are_merged_for_a_device_that_cannot_distinguish_them() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let kitchen = app.assistant("Kitchen", &[mia, leo]).await;
    block(&ada, mia, json!(["Ghosts", "Bees"])).await;
    block(&ada, leo, json!(["ghosts", "War"])).await;
    let context = format!("/api/child/{mia}/context");
    ada.put(&context, &json!({"text": "Mia is eight."}))
        .await
        .ok();

    let answer = kitchen.get("/api/assistant/rules").await;
    let rules = answer.json();

    assert_eq!(
        rules["blocked_topics"]["custom"],
        json!(["Ghosts", "Bees", "War"])
    );
    assert_eq!(rules.get("context"), None);
    assert!(
        !rules["instructions"]
            .as_str()
            .unwrap()
            .contains("Mia is eight.")
    );
    let headers = [("If-None-Match", answer.header("etag"))];
    let again = kitchen.send(Method::GET, "/api/assistant/rules", &headers, None);
    assert_eq!(again.await.status.as_u16(), 304);
    for child in [mia, leo] {
        let receipt = json!({"version": rules["version"], "evidence": "in_prompt"});
        let kept = report(&kitchen, child, "s", receipt).await;
        assert_eq!(kept["rejected"], json!([]));
        assert_eq!(
            followers(&ada, child).await[0]["evidence"],
            json!("in_prompt")
        );
    }
    block(&ada, leo, json!(["War"])).await;
    let changed = kitchen.get("/api/assistant/rules").await;
    assert_ne!(changed.header("etag"), answer.header("etag"));
    let kinds = [followers(&ada, mia).await, followers(&ada, leo).await];
    assert_eq!(
        (&kinds[0][0]["kind"], &kinds[1][0]["kind"]),
        (&json!("following"), &json!("older"))
    );
}

#[tokio::test]
async fn children_of_different_families_have_no_rules_together() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    app.guardian(BEN).await;
    let (mia, tom) = (
        app.child("Mia", &[ADA]).await,
        app.child("Tom", &[BEN]).await,
    );
    let shared = app.assistant("Shared", &[mia, tom]).await;
    let childless = app.assistant("Childless", &[]).await;

    assert_eq!(
        shared.get("/api/assistant/rules").await.problem(409),
        "No guardian has all children of this key, so there are no rules for all of them together. Please ask for each child's."
    );
    assert_eq!(
        childless.get("/api/assistant/rules").await.problem(409),
        "This key is for no child, so there are no rules."
    );
}

#[tokio::test]
async fn the_history_shows_every_guardian_who_changed_what() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    block(&ada, mia, json!(["Ghosts"])).await;
    app.clock.advance(Duration::from_secs(60));
    block(&ben, mia, json!(["Bees"])).await;
    block(&ben, mia, json!(["Bees"])).await;
    let context = format!("/api/child/{mia}/context");
    ben.put(&context, &json!({"text": "Mia is eight."}))
        .await
        .ok();
    let times = format!("/api/child/{mia}/times");
    let with_pause =
        json!({"time_zone": "UTC", "quiet_hours": [], "pause": {}, "minutes_a_day": 60});
    ben.put(&times, &with_pause).await.ok();
    let without = json!({"time_zone": "UTC", "quiet_hours": [], "minutes_a_day": 60});
    ben.put(&times, &without).await.ok();
    let history = format!("/api/child/{mia}/history");
    let versions = format!("/api/child/{mia}/rules/history");

    let details = |added: &[&str], removed: &[&str], value: Option<&str>| {
        let mut details = json!({"added": added, "removed": removed, "more": 0});
        if let Some(value) = value {
            details["value"] = value.into();
        }
        details
    };
    let (you, other) = (json!({"is_you": true}), json!({"is_you": false}));
    let (first, second) = ("2026-11-21T20:00:00Z", "2026-11-21T20:01:00Z");
    let entries = json!({"items": [
        {"at": second, "what": "pause_ended", "by": other},
        {"at": second, "what": "paused", "by": other, "details": details(&[], &[], None)},
        {"at": second, "what": "minutes_a_day", "by": other, "details": details(&[], &[], Some("60"))},
        {"at": second, "what": "context", "by": other},
        {"at": second, "what": "blocked_topics", "by": other, "details": details(&["Bees"], &["Ghosts"], None)},
        {"at": first, "what": "blocked_topics", "by": you, "details": details(&["Ghosts"], &[], None)},
    ]});
    assert_eq!(ada.get(&history).await.json(), entries);
    let expected = json!([
        {"number": 4, "since": second, "changed": "times", "by": you, "added": [], "removed": []},
        {"number": 3, "since": second, "until": second, "changed": "context", "by": you, "added": [], "removed": []},
        {"number": 2, "since": second, "until": second, "changed": "blocked_topics", "by": you,
            "added": ["Bees"], "removed": ["Ghosts"]},
        {"number": 1, "since": first, "until": second, "changed": "blocked_topics", "by": other,
            "added": ["Ghosts"], "removed": []},
        {"number": 0, "until": first, "added": [], "removed": []},
    ]);
    let all = ben.get(&versions).await.json();
    assert_eq!(all, json!({"items": expected}));
    let mut paged = Vec::new();
    let mut page = ben.get(&format!("{versions}?limit=1")).await.json();
    loop {
        paged.extend(page["items"].as_array().unwrap().clone());
        let Some(next) = page["next"].as_str() else {
            break;
        };
        page = ben
            .get(&format!("{versions}?limit=1&before={next}"))
            .await
            .json();
    }
    assert_eq!(json!(paged), expected);

    app.run_admin(RemoveGuardian {
        email: BEN.parse().unwrap(),
    })
    .await
    .0
    .unwrap();
    let entries = ada.get(&history).await.json();
    assert_eq!(
        entries["items"][0],
        json!({"at": second, "what": "pause_ended"})
    );
}

#[tokio::test]
async fn a_version_is_kept_for_400_days_and_as_long_as_a_session_names_it() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let numbers = async || {
        let path = format!("/api/child/{mia}/rules/history");
        let versions = app.stepped_up(ADA).await.get(&path).await.json()["items"].clone();
        let numbers = versions.as_array().unwrap().iter();
        numbers
            .map(|version| version["number"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    let change = async |topic: &str| {
        block(&app.stepped_up(ADA).await, mia, json!([topic])).await;
    };

    for topic in ["Ghosts", "Bees", "War"] {
        change(topic).await;
        if topic == "Bees" {
            let receipt = json!({"version": told(&kitchen, mia).await, "evidence": "set"});
            report(&kitchen, mia, "s", receipt).await;
        }
    }
    app.clock.advance(Duration::from_secs(400 * DAY));
    change("Spiders").await;
    assert_eq!(numbers().await, [4, 3, 2, 1, 0]);
    app.clock.advance(Duration::from_secs(1));
    change("Snakes").await;

    // Version 3 was replaced a second ago, and a session names version 2.
    assert_eq!(numbers().await, [5, 4, 3, 2]);
}
