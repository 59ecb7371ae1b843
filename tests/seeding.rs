//! Rules in exports and in files for `seed`, and the rules of the demonstration family.

use crate::support::test_app::{Persona, TestApp};
use poem::http::Method;
use porchlight::admin::{AdminError, DEMO_FAMILY, Seed, UnlinkChild};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

async fn import(app: &TestApp, text: &str) -> Result<(), AdminError> {
    let text = text.to_owned();
    app.run_admin(Seed { text }).await.0.map(drop)
}

/// An export without the assistants' names for the sessions.
async fn exported(app: &TestApp) -> Value {
    let (exported, text) = app.exported().await;
    assert!(exported.unreadable.is_empty(), "{:?}", exported.unreadable);
    let mut family = serde_json::from_str::<Value>(&text).unwrap();
    for child in family["children"].as_array_mut().unwrap() {
        for session in child["sessions"].as_array_mut().unwrap() {
            session.as_object_mut().unwrap().remove("known_as");
        }
    }
    family
}

#[tokio::test]
async fn rules_receipts_and_history_are_exported_and_imported() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let robot = app.assistant("Toy robot", &[mia]).await;
    app.assistant("Night light", &[mia]).await;
    let told = async |assistant: &Persona<'_>| {
        let path = format!("/api/assistant/child/{mia}/rules");
        assistant.get(&path).await.json()["version"].clone()
    };
    let before = told(&kitchen).await;
    let first = json!({"rules": [{"version": before, "evidence": "set"}]});
    kitchen.deliver("s", &first).await.ok();
    app.clock.advance(Duration::from_secs(90));
    let path = format!("/api/child/{mia}/blocked_topics");
    ada.put(&path, &json!(["Ghosts"])).await.ok();
    let after = told(&kitchen).await;
    let second = json!({"rules": [{"version": after, "evidence": "in_prompt"}]});
    kitchen.deliver("s", &second).await.ok();
    let refused =
        json!([{"version": told(&robot).await, "evidence": "fetched", "refused": "too long"}]);
    robot.deliver("t", &json!({"rules": refused})).await.ok();
    app.clock.advance(Duration::from_secs(90));
    let path = format!("/api/child/{mia}/context");
    ben.put(&path, &json!({"text": "Mia is eight."})).await.ok();
    let path = format!("/api/child/{mia}/times");
    let times = json!({"time_zone": "Europe/Berlin", "quiet_hours": [], "minutes_a_day": 45});
    ada.put(&path, &times).await.ok();
    let email = BEN.parse().unwrap();
    let unlink = UnlinkChild { child: mia, email };
    assert!(app.run_admin(unlink).await.0.is_ok());
    let before = exported(&app).await;

    let again = TestApp::new().await;
    import(&again, &before.to_string()).await.unwrap();

    assert_eq!(exported(&again).await, before);
    let child = &before["children"][0];
    assert_eq!(child["rules"].as_array().unwrap().len(), 4);
    assert_eq!(child["rules"][1]["by"], ADA);
    assert_eq!(child["rules"][2]["by"], Value::Null);
    assert_eq!(child["sessions"][0]["assistant"], "Kitchen");
    assert_eq!(child["sessions"][0]["receipts"][1]["version"], 1);
    let seen = async |app: &TestApp, path: &str| app.stepped_up(ADA).await.get(path).await.json();
    for path in ["rules/receipts", "rules/history", "history"] {
        let path = format!("/api/child/{mia}/{path}");
        assert_eq!(seen(&again, &path).await, seen(&app, &path).await, "{path}");
    }
}

#[tokio::test]
async fn a_message_with_as_many_and_as_long_earlier_texts_as_are_kept_is_imported() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    for revision in 0..=6 {
        let text = format!("{revision}{}", "a".repeat(64 * 1024 - 1));
        let message = json!({"message_id": "m", "text_content": text, "revision": revision,
            "timestamp": "2026-11-21T16:05:00Z"});
        let answer = robot.deliver_messages("s", &json!([message])).await.json();
        assert_eq!(answer["stored"], 1);
    }
    let before = exported(&app).await;
    let message = &before["children"][0]["sessions"][0]["messages"][0];
    assert_eq!(message["earlier"].as_array().unwrap().len(), 6);

    let again = TestApp::new().await;
    import(&again, &before.to_string()).await.unwrap();

    assert_eq!(exported(&again).await, before);
}

#[tokio::test]
async fn what_only_the_server_writes_of_a_message_is_exported_and_imported() {
    let app = TestApp::new().await;
    let message = |id: &str, fields: Value| {
        let mut message = json!({"message_id": id, "source": "assistant", "text_content": id,
            "timestamp": "2026-11-21T16:05:00Z"});
        let all = message.as_object_mut().unwrap();
        all.extend(fields.as_object().unwrap().clone());
        message
    };
    let kinds = ["background", "earlier", "instructions", "reasoning", "tool"];
    let mut messages = vec![
        message("sent", json!({"generated": true})),
        message("cut short", json!({"interrupted": true, "heard": 3})),
        message("claimed", json!({"from_app": true})),
        message(
            "corrected",
            json!({"earlier": [
                {"source": "assistant", "speaker": "TV", "text_content": "first", "until": "2026-11-21T16:06:00Z"},
                {"text_content": "second", "until": "2026-11-21T16:07:00Z"},
            ]}),
        ),
    ];
    messages.extend(kinds.map(|kind| message(kind, json!({"kind": kind}))));
    let messages = json!(messages);
    let added =
        json!({"list": {"number": 0}, "evidence": "added", "since": "2026-11-21T16:05:00Z"});
    let phrase = json!({"words": "tool", "side": "either"});
    let watched = json!({"guardian": ADA, "words": "tool", "side": "either"});
    let alert = json!({"kind": "phrase", "at": "2026-11-21T16:05:00Z", "session_id": 7, "message_id": "tool",
        "guardian": ADA, "phrase": phrase});
    let text = json!({
        "guardians": [{"email": ADA}],
        "assistants": [{"name": "Chat"}],
        "children": [{
            "name": "Mia", "guardians": [ADA], "assistants": [{"name": "Chat", "follows": added}],
            "watched_phrases": [watched], "alerts": [alert],
            "sessions": [{"session_id": 7, "start": "2026-11-21T16:05:00Z", "assistant": "Chat",
                "receipts": [{"version": 0, "evidence": "added"}], "messages": messages}],
        }],
    });
    import(&app, &text.to_string()).await.unwrap();
    let before = exported(&app).await;

    let again = TestApp::new().await;
    import(&again, &before.to_string()).await.unwrap();

    assert_eq!(exported(&again).await, before);
    let session = &before["children"][0]["sessions"][0];
    assert_eq!(session["messages"], messages);
    assert_eq!(session["receipts"][0]["evidence"], "added");
    let ada = again.stepped_up(ADA).await;
    let seen = ada.get("/api/child/1/rules/receipts").await.json();
    assert_eq!(seen["assistants"][0]["evidence"], "added");
    let ada = app.stepped_up(ADA).await;
    let alerts = ada.get("/api/child/1/alerts").await.json();
    assert_eq!(alerts["alerts"][0]["message_kind"], "tool");
}

#[tokio::test]
async fn version_numbers_continue_after_an_import() {
    let app = TestApp::new().await;
    let text = json!({
        "guardians": [{"email": ADA}],
        "children": [{
            "name": "Mia", "guardians": [ADA], "blocked_topics": ["Ghosts"],
            "rules": [
                {"number": 0, "until": {"days_ago": 2, "at": "16:00"}},
                {"number": 1, "since": {"days_ago": 2, "at": "16:00"}, "changed": "blocked_topics",
                    "by": ADA, "blocked_topics": ["Ghosts"]},
            ],
        }],
    });
    import(&app, &text.to_string()).await.unwrap();
    let ada = app.stepped_up(ADA).await;
    ada.put("/api/child/1/blocked_topics", &json!(["Ghosts", "Bees"]))
        .await
        .ok();

    let seen = ada.get("/api/child/1/rules/history").await.json();
    let versions = seen["items"].as_array().unwrap();
    let numbers = versions.iter().map(|version| &version["number"]);
    assert_eq!(numbers.collect::<Vec<_>>(), [2, 1, 0]);
    assert_eq!(versions[1]["since"], "2026-11-19T16:00:00Z");
    assert_eq!(versions[1]["by"]["is_you"], true);
    let (_, exported) = app.exported().await;
    assert!(exported.contains("off limits"), "the words are made");
}

/// A guardian's copy, without the assistants' names for the sessions.
async fn copied(guardian: &Persona<'_>) -> Value {
    let mut copy = guardian.get("/api/child/1/export").await.json();
    for session in copy["children"][0]["sessions"].as_array_mut().unwrap() {
        session.as_object_mut().unwrap().remove("known_as");
    }
    copy
}

#[tokio::test]
async fn a_copys_alerts_and_phrases_are_restored_and_ring_nobody() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let phrases = |words: &str| json!([{"words": words, "side": "either"}]);
    let path = "/api/child/1/watched_phrases";
    ben.put(path, &phrases("unicorn")).await.ok();
    ada.put(path, &phrases("our secret")).await.ok();
    let said =
        |id: &str, text: &str| json!({"message_id": id, "source": "child", "text_content": text});
    let told = kitchen.get("/api/assistant/child/1/rules").await.json();
    let deliver = async |session: &str, delivery: Value| {
        let delivered = kitchen.deliver(session, &delivery).await.json();
        delivered["session_id"].as_u64().unwrap()
    };
    deliver(
        "empty",
        json!({"topic": "Bees", "start_time": "2026-11-21T19:00:00Z"}),
    )
    .await;
    let refused = json!([{"version": told["version"], "evidence": "set", "refused": "too long"}]);
    let messages = json!([
        said("a", "Hi"),
        said("b", "Our secret is a unicorn"),
        said("c", "?")
    ]);
    deliver("s", json!({"rules": refused, "messages": messages})).await;
    app.clock.advance(Duration::from_secs(60));
    let deleted = deliver("t", json!({"messages": [said("a", "Our secret")]})).await;
    let lost = json!([{"message_id": "x", "revision": "1"}, {"message_id": "y", "revision": "1"}]);
    deliver("u", json!({"messages": lost})).await;
    let path = format!("/api/sessions/{deleted}");
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    let before = copied(&ada).await;

    let again = TestApp::new().await;
    import(&again, &before.to_string()).await.unwrap();

    let restored = again.stepped_up(ADA).await;
    let alerts = async |of: &Persona<'_>| {
        let mut page = of.get("/api/child/1/alerts").await.json();
        for alert in page["alerts"].as_array_mut().unwrap() {
            for field in [
                "alert_id",
                "assistant_id",
                "unseen",
                "session_id",
                "deleted_by",
                "restorable_until",
            ] {
                alert.as_object_mut().unwrap().remove(field);
            }
        }
        page
    };
    let shown = alerts(&restored).await;
    assert_eq!(shown, alerts(&ada).await);
    let kinds = shown["alerts"].as_array().unwrap().iter();
    let kinds = kinds.map(|alert| alert["kind"].as_str().unwrap());
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        ["not_kept", "phrase", "rules", "phrase"]
    );
    assert_eq!(
        shown["alerts"][3]["text_content"],
        "Our secret is a unicorn"
    );
    assert_eq!(shown["alerts"][3]["before"]["text_content"], "Hi");
    // Of the deleted conversation, the alert alone is left.
    let mut after = copied(&restored).await;
    let mut expected = before.clone();
    let alert = expected["children"][0]["alerts"][1]
        .as_object_mut()
        .unwrap();
    assert_eq!(alert.remove("session_id"), Some(json!(deleted)));
    // Not imported, as a repeated message would count again.
    let lost = &mut expected["children"][0]["sessions"][2];
    assert_ne!(lost.as_object_mut().unwrap().remove("not_kept"), None);
    renumber(&mut expected);
    renumber(&mut after);
    assert_eq!(after, expected);
    let watched = restored.get("/api/child/1/watched_phrases").await.json();
    assert_eq!(watched, phrases("our secret"));
    let unseen =
        async || restored.get("/api/alerts/unseen").await.json()["items"][0]["unseen"].clone();
    assert_eq!(unseen().await, 0);

    let robot = again.assistant("Robot", &[mia]).await;
    robot
        .deliver("s", &json!({"messages": [said("a", "our secret")]}))
        .await
        .ok();
    assert_eq!(unseen().await, 1);
}

/// Numbers a file's sessions as they are listed, in the alerts too.
fn renumber(family: &mut Value) {
    let child = &mut family["children"][0];
    let sessions = child["sessions"].as_array_mut().unwrap().iter_mut();
    let ids = sessions.map(|session| session["session_id"].take());
    let ids = ids.collect::<Vec<_>>();
    for alert in child["alerts"].as_array_mut().unwrap() {
        let id = alert.get("session_id").cloned();
        if let Some(id) = id {
            let position = ids.iter().position(|it| *it == id);
            alert["session_id"] = json!(position.unwrap());
        }
    }
}

#[tokio::test]
async fn alerts_of_every_kind_are_imported_as_they_are_in_the_file() {
    let alert = |kind: &str, minute: u8, more: Value| {
        let at = |hour: u8| format!("2026-11-21T{hour}:{minute}:00Z");
        let mut alert = json!({"kind": kind, "at": at(18), "arrived_at": at(19), "count": 1});
        let fields = alert.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        alert
    };
    let kitchen = |more: Value| {
        let mut fields = json!({"session_id": 7, "assistant": "Kitchen"});
        let all = fields.as_object_mut().unwrap();
        all.extend(more.as_object().unwrap().clone());
        fields
    };
    let mut alerts = json!([
        alert("silent", 39, json!({"all_assistants": true})),
        alert("silent", 38, json!({"assistant": "Kitchen"})),
        alert("rules", 37, kitchen(json!({"minutes": 14}))),
        alert("rules", 36, kitchen(json!({}))),
        alert("not_kept", 35, kitchen(json!({"count": 2}))),
        alert(
            "outside_times",
            34,
            kitchen(json!({"minutes": 6, "why": "quiet_hours"}))
        ),
        alert(
            "reviewer",
            33,
            json!({"session_id": 7, "flagged": {"concern": "danger", "severity": "look",
                "model": "reader", "place": {"range": [0, 12], "check": 7}}})
        ),
    ]);
    let text = json!({
        "guardians": [{"email": ADA}],
        "assistants": [{"name": "Kitchen"}],
        "children": [{
            "name": "Mia", "guardians": [ADA], "assistants": [{"name": "Kitchen"}],
            "alerts": alerts, "sessions": [{"session_id": 7, "start": "2026-11-21T16:05:00Z"}],
        }],
    });
    let app = TestApp::new().await;
    import(&app, &text.to_string()).await.unwrap();

    for alert in alerts.as_array_mut().unwrap() {
        if let Some(session) = alert.get_mut("session_id") {
            *session = json!(1);
        }
    }
    assert_eq!(exported(&app).await["children"][0]["alerts"], alerts);
    let ada = app.stepped_up(ADA).await;
    let unseen = ada.get("/api/alerts/unseen").await.json();
    assert_eq!(unseen["items"][0]["unseen"], 0);
}

#[tokio::test]
async fn invalid_alerts_and_phrases_are_refused_with_their_line() {
    let app = TestApp::new().await;
    let phrase = |words: &str| {
        format!("{{\"guardian\": \"{ADA}\", \"words\": \"{words}\", \"side\": \"either\"}}")
    };
    let alert = |more: &str| {
        format!(
            "{{\"kind\": \"not_kept\", \"at\": \"2026-11-21T19:00:00Z\", \"session_id\": 7{more}}}"
        )
    };
    let many = (0..31).map(|number| phrase(&format!("phrase {number}")));
    let cases = [
        (
            format!("\"watched_phrases\": [{},\n{}]", phrase("hi"), phrase("x")),
            "Line 3 of the file: A phrase has at least 2 characters.",
        ),
        (
            format!(
                "\"watched_phrases\": [\n{}]",
                many.collect::<Vec<_>>().join(",\n")
            ),
            "Line 33 of the file: You can watch at most 30 phrases for a child.",
        ),
        (
            format!(
                "\"watched_phrases\": [\n{}]",
                phrase("hi").replace(ADA, BEN)
            ),
            "Line 3 of the file: no guardian of this child has the address ben@example.org.",
        ),
        (
            format!(
                "\"alerts\": [\n{}]",
                alert(&format!(", \"guardian\": \"{ADA}\""))
            ),
            "Line 3 of the file: an alert of the kind phrase has a phrase and a guardian, no other has.",
        ),
        (
            format!("\"alerts\": [{},\n{}]", alert(""), alert(", \"count\": 3")),
            "Line 3 of the file: this alert is there twice.",
        ),
        (
            "\"sessions\": [{\"session_id\": 1, \"start\": \"2026-11-21T19:00:00Z\"},\n\
             {\"session_id\": 1, \"start\": \"2026-11-21T19:00:00Z\"}]"
                .to_owned(),
            "Line 3 of the file: this session's id is there twice.",
        ),
    ];

    for (fields, expected) in cases {
        let sessions = if fields.starts_with("\"sessions\"") {
            ""
        } else {
            ", \"sessions\": [{\"session_id\": 7, \"start\": \"2026-11-21T19:00:00Z\"}]"
        };
        let text = format!(
            "{{\"guardians\": [{{\"email\": \"{ADA}\"}}],\n\"children\": [{{\"name\": \"Mia\", \
             \"guardians\": [\"{ADA}\"], {fields}{sessions}}}]}}"
        );
        let refused = import(&app, &text).await.unwrap_err().to_string();
        assert!(refused.starts_with(expected), "{refused}");
    }
    let (nothing, _) = app.exported().await;
    assert_eq!(nothing.children, 0);
}

#[tokio::test]
async fn invalid_rules_are_refused_with_their_line() {
    let app = TestApp::new().await;
    app.assistant("Kitchen", &[]).await;
    let child = |fields: &str| {
        format!(
            "{{\"guardians\": [{{\"email\": \"{ADA}\"}}],\n\"assistants\": [{{\"name\": \"Car\"}}],\n\
             \"children\": [{{\"name\": \"Mia\", \"guardians\": [\"{ADA}\"],\n{fields}}}]}}"
        )
    };
    let receipt = r#"{"start": "2026-11-21T16:05:00Z", "receipts": [
        {"version": 3, "evidence": "set"}]}"#;
    let cases = [
        (
            "{\"assistants\": [\n{\"name\": \"kitchen\"}], \"children\": []}".to_owned(),
            "Line 2 of the file: there is an assistant named kitchen already.",
        ),
        (
            "{\"assistants\": [{\"name\": \"Car\"},\n{\"name\": \"CAR\"}], \"children\": []}"
                .to_owned(),
            "Line 2 of the file: this assistant is there twice.",
        ),
        (
            child("\"assistants\": [\n{\"name\": \"Robot\"}]"),
            "Line 5 of the file: the file has no assistant named Robot.",
        ),
        (
            child("\"assistants\": [\n{\"name\": \"Car\"},\n{\"name\": \"Car\"}]"),
            "Line 6 of the file: this assistant is there twice.",
        ),
        (
            child("\"rules\": [{\"number\": 1},\n{\"number\": 1}]"),
            "Line 5 of the file: versions stand in the order of their numbers, each once.",
        ),
        (
            child("\"rules\": [\n{\"number\": 18446744073709551615}]"),
            "Line 5 of the file: a version's number is at most 1000000000.",
        ),
        (
            child(
                "\"rules\": [{\"number\": 1,\n\"times\": {\"time_zone\": \"Mars\", \"quiet_hours\": []}}]",
            ),
            "Line 5 of the file: ",
        ),
        (
            child(&format!(
                "\"rules\": [{{\"number\": 1,\n\"by\": \"{BEN}\"}}]"
            )),
            "Line 5 of the file: no guardian of this child has the address ben@example.org.",
        ),
        (
            child(&format!(
                "\"history\": [{{\"what\": \"context\", \"at\": \"2026-11-21T16:05:00Z\",\n\"by\": \"{BEN}\"}}]"
            )),
            "Line 5 of the file: no guardian of this child has the address ben@example.org.",
        ),
        (
            child(&format!("\"sessions\": [{receipt}]")),
            "Line 5 of the file: the file has no version 3 of this child's rules.",
        ),
        (
            child("\"history\": [\n{\"what\": \"context\", \"at\": \"soon\"}]"),
            "Line 5 of the file: A time is written such as",
        ),
    ];

    for (text, expected) in cases {
        let refused = import(&app, &text).await.unwrap_err().to_string();
        assert!(refused.starts_with(expected), "{refused}");
        assert!(refused.ends_with(" Nothing was brought in."), "{refused}");
    }
    let (nothing, _) = app.exported().await;
    assert_eq!(nothing.children, 0);
}

#[tokio::test]
async fn the_demonstration_shows_an_assistant_and_a_session_of_each_kind() {
    let app = TestApp::new().await;
    import(&app, &DEMO_FAMILY).await.unwrap();
    let demo = app.stepped_up("demo@porchlight.example").await;

    let (mut followers, mut sessions) = (BTreeSet::new(), BTreeSet::new());
    let children = demo.get("/api/children").await.json();
    for child in children.as_array().unwrap() {
        let child = &child["child_id"];
        let seen = demo
            .get(&format!("/api/child/{child}/rules/receipts"))
            .await;
        for assistant in seen.json()["assistants"].as_array().unwrap() {
            let [kind, evidence] = ["kind", "evidence"].map(|it| assistant[it].as_str());
            followers.insert((kind.unwrap().to_owned(), evidence.map(str::to_owned)));
        }
        let listed = demo.get(&format!("/api/sessions?child_id={child}")).await;
        for session in listed.json()["sessions"].as_array().unwrap() {
            let path = format!("/api/sessions/{}/receipts", session["session_id"]);
            let receipts = demo.get(&path).await.json()["items"].clone();
            let receipts = receipts.as_array().unwrap();
            let kind = match receipts.as_slice() {
                [] => "none".to_owned(),
                [receipt] if receipt["refused"].is_string() => "refused".to_owned(),
                [receipt] => receipt["evidence"].as_str().unwrap().to_owned(),
                [_, _] => "changed in the middle".to_owned(),
                more => panic!("{more:?}"),
            };
            sessions.insert(kind);
        }
        let rules = demo.get(&format!("/api/child/{child}/rules")).await.json();
        let history = format!("/api/child/{child}/rules/history");
        let history = demo.get(&history).await.json();
        assert_eq!(rules["number"], history["items"][0]["number"]);
    }

    let kinds = [
        ("asked", None),
        ("following", Some("in_prompt")),
        ("following", Some("set")),
        ("older", None),
        ("refused", None),
        ("silent", None),
    ];
    let kinds = kinds.map(|(kind, evidence)| (kind.to_owned(), evidence.map(str::to_owned)));
    assert_eq!(followers, BTreeSet::from(kinds));
    let kinds = [
        "changed in the middle",
        "fetched",
        "in_prompt",
        "none",
        "refused",
        "set",
    ];
    assert_eq!(sessions, BTreeSet::from(kinds.map(str::to_owned)));
}

#[tokio::test]
async fn the_demonstrations_last_versions_are_in_force() {
    let app = TestApp::new().await;
    import(&app, &DEMO_FAMILY).await.unwrap();

    for child in exported(&app).await["children"].as_array().unwrap() {
        let last = child["rules"].as_array().unwrap().last().unwrap();
        for field in ["blocked_topics", "context", "times"] {
            assert_eq!(last[field], child[field], "{field} of {}", child["name"]);
        }
        let path = format!("/rules of {}", child["name"]);
        let number = child["rules"].as_array().unwrap().len() - 1;
        assert_eq!(last["number"], number, "{path}");
    }
}

#[tokio::test]
async fn the_demonstration_has_alerts_of_what_its_conversations_say() {
    let app = TestApp::new().await;
    import(&app, &DEMO_FAMILY).await.unwrap();
    let email = "demo@porchlight.example".parse().unwrap();
    let found = app.inner.identity.guardians.get(&app.inner.store, &email);
    let demonstrated = app.inner.alerts.demonstrate(found.unwrap().id).await;
    demonstrated.unwrap();

    let demo = app.stepped_up("demo@porchlight.example").await;
    let mut kinds = BTreeSet::new();
    let counts = demo.get("/api/alerts/unseen").await.json();
    for unseen in counts["items"].as_array().unwrap() {
        let path = format!("/api/child/{}", unseen["child_id"]);
        let page = demo.get(&format!("{path}/alerts")).await.json();
        let alerts = page["alerts"].as_array().unwrap();
        for alert in alerts {
            let kind = alert["kind"].as_str().unwrap();
            kinds.insert(kind.to_owned());
            if kind == "phrase" {
                assert_ne!(alert["ranges"], json!([]), "{alert}");
            }
            if kind != "silent" {
                let session = format!("/api/sessions/{}", alert["session_id"]);
                let session = demo.get(&session).await.json();
                assert_eq!(session["assistant"], alert["assistant"], "{alert}");
                if kind == "not_kept" {
                    assert_eq!(session["not_kept"][0]["count"], alert["count"], "{alert}");
                }
            }
        }
        let rings = |alert: &&Value| alert["kind"] == "phrase" || alert["kind"] == "outside_times";
        assert_eq!(unseen["unseen"], alerts.iter().filter(rings).count());
        let watched = demo.get(&format!("{path}/watched_phrases")).await.json();
        assert_eq!(watched.as_array().unwrap().len(), 3);
    }
    let expected = ["not_kept", "outside_times", "phrase", "rules", "silent"];
    assert_eq!(kinds, BTreeSet::from(expected.map(str::to_owned)));
}
