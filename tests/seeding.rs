//! Rules in exports and in files for `seed`, and the rules of the demonstration family.

use crate::support::test_app::{Persona, TestApp};
use porchlight::admin::{AdminError, DEMO_FAMILY, Request};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

async fn import(app: &TestApp, text: &str) -> Result<(), AdminError> {
    let text = text.to_owned();
    app.run_admin(Request::Seed { text }).await.0.map(drop)
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

async fn guardian<'a>(app: &'a TestApp, email: &str) -> Persona<'a> {
    let email = email.parse().unwrap();
    let issued = app.inner.identity.sign_ins.token_for(&email);
    app.bearer(&issued.await.unwrap().identity_token)
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
    let unlink = Request::UnlinkChild { child: mia, email };
    assert!(app.run_admin(unlink).await.0.is_ok());
    let mut before = exported(&app).await;

    let again = TestApp::new().await;
    import(&again, &before.to_string()).await.unwrap();

    // Importing makes no alerts.
    let alerts = before["children"][0]
        .as_object_mut()
        .unwrap()
        .remove("alerts");
    assert_eq!(alerts.unwrap()[0]["kind"], "rules");
    assert_eq!(exported(&again).await, before);
    let child = &before["children"][0];
    assert_eq!(child["rules"].as_array().unwrap().len(), 4);
    assert_eq!(child["rules"][1]["by"], ADA);
    assert_eq!(child["rules"][2]["by"], Value::Null);
    assert_eq!(child["sessions"][0]["assistant"], "Kitchen");
    assert_eq!(child["sessions"][0]["receipts"][1]["version"], 1);
    let seen = async |app: &TestApp, path: &str| guardian(app, ADA).await.get(path).await.json();
    for path in ["rules/receipts", "rules/history", "history"] {
        let path = format!("/api/child/{mia}/{path}");
        assert_eq!(seen(&again, &path).await, seen(&app, &path).await, "{path}");
    }
}

#[tokio::test]
async fn what_only_the_gateway_writes_is_exported_and_imported() {
    let app = TestApp::new().await;
    let message = |id: &str, field: &str| {
        json!({"message_id": id, "source": "assistant", "text_content": id,
            "timestamp": "2026-11-21T16:05:00Z", field: true})
    };
    let messages = json!([message("sent", "generated"), message("title", "background")]);
    let added =
        json!({"list": {"number": 0}, "evidence": "added", "since": "2026-11-21T16:05:00Z"});
    let text = json!({
        "guardians": [{"email": ADA}],
        "assistants": [{"name": "Chat"}],
        "children": [{
            "name": "Mia", "guardians": [ADA], "assistants": [{"name": "Chat", "follows": added}],
            "sessions": [{"start": "2026-11-21T16:05:00Z", "assistant": "Chat",
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
    let ada = guardian(&again, ADA).await;
    let seen = ada.get("/api/child/1/rules/receipts").await.json();
    assert_eq!(seen["assistants"][0]["evidence"], "added");
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
    let ada = guardian(&app, ADA).await;
    ada.put("/api/child/1/blocked_topics", &json!(["Ghosts", "Bees"]))
        .await
        .ok();

    let seen = ada.get("/api/child/1/rules/history").await.json();
    let versions = seen["versions"].as_array().unwrap();
    let numbers = versions.iter().map(|version| &version["number"]);
    assert_eq!(numbers.collect::<Vec<_>>(), [2, 1, 0]);
    assert_eq!(versions[1]["since"], "2026-11-19T16:00:00Z");
    assert_eq!(versions[1]["by"]["is_you"], true);
    let (_, exported) = app.exported().await;
    assert!(exported.contains("off limits"), "the words are made");
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
    import(&app, DEMO_FAMILY).await.unwrap();
    let demo = guardian(&app, "demo@porchlight.example").await;

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
            let receipts = demo.get(&path).await.json()["receipts"].clone();
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
        assert_eq!(rules["number"], history["versions"][0]["number"]);
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
    import(&app, DEMO_FAMILY).await.unwrap();

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
