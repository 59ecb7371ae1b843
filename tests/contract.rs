//! The contract: what is committed is what the code declares, and what is stored is what is documented.

mod support;

use porchlight::activities::api::CompletedActivityView;
use porchlight::children::api::ChildView;
use porchlight::identity::api::SignInView;
use porchlight::server;
use porchlight::transcripts::api::{MessagePage, SessionPage};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::House;

const COMMITTED: &str = include_str!("../openapi.yaml");

#[test]
fn the_committed_contract_is_the_one_that_the_code_declares() {
    assert!(
        server::contract() == COMMITTED,
        "openapi.yaml is stale: run `make generate` and commit what it changes"
    );
}

#[tokio::test]
async fn every_operation_has_a_name_a_tag_a_summary_and_its_statuses() {
    let house = House::new().await;
    let contract = house.anybody().get("/api/openapi.json").await.json();
    let mut names = Vec::new();

    for (path, item) in contract["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap_or_default();
            let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric());
            assert!(plain, "{method} {path} has no camelCase operationId");
            assert_eq!(
                operation["tags"].as_array().map(Vec::len),
                Some(1),
                "{name}"
            );
            assert!(operation["summary"].is_string(), "{name} has no summary");
            for status in ["421", "429", "503"] {
                assert!(
                    operation["responses"].get(status).is_some(),
                    "{name} lacks {status}"
                );
            }
            if operation.get("security").is_some() {
                for status in ["401", "403"] {
                    assert!(
                        operation["responses"].get(status).is_some(),
                        "{name} lacks {status}"
                    );
                }
            }
            names.push(name.to_owned());
        }
    }

    let mut distinct = names.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), names.len(), "an operationId is there twice");
}

#[tokio::test]
async fn every_text_in_a_request_has_a_limit_that_the_contract_states() {
    let house = House::new().await;
    let contract = house.anybody().get("/api/openapi.json").await.json();
    let schemas = contract["components"]["schemas"].as_object().unwrap();

    for (name, schema) in schemas.iter().filter(|(name, _)| name.ends_with("Request")) {
        for (field, property) in schema["properties"].as_object().unwrap() {
            let bounded = property["type"] != "string"
                || property.get("maxLength").is_some()
                || property.get("enum").is_some()
                || property["format"] == "date-time";
            assert!(bounded, "{name}.{field} has no limit");
        }
    }
}

/// That JSON is of a documented shape, with no field more.
#[track_caller]
fn is_documented<T: DeserializeOwned>(value: &Value) {
    if let Err(error) = serde_json::from_value::<T>(value.clone()) {
        panic!("{error}: {value:#}");
    }
}

#[tokio::test]
async fn what_is_stored_is_what_is_documented() {
    let house = House::new().await;
    let ada = house.guardian("ada@example.org").await;
    let mia = house.child("Mia", &["ada@example.org"]).await;
    let robot = house.assistant("robot", &[mia]).await;
    let full = json!({"message_id": "full", "source": "assistant", "text_content": "Hi",
        "timestamp": "2026-11-21T16:00:00.25+01:00", "revision": 3, "content_type": "text",
        "event_type": "final", "start_sample": 16_000, "interrupted": true});
    let bare = json!({"message_id": "bare", "timestamp": "2026-11-21T16:00:00Z"});
    let details = [
        json!({"child_id": mia}),
        json!({"child_id": mia, "topic": "Moon", "start_time": "2026-11-21T16:00:00Z"}),
    ];
    let completions = [
        json!({"duration": 0}),
        json!({"duration": 61.5, "score": 0.9, "mood": "curious", "topic": "The moon",
            "end_time": "2026-11-21T16:01:01Z"}),
        json!({"duration": 10, "score": "well done"}),
    ];

    for (number, completion) in completions.iter().enumerate() {
        let session = format!("/api/assistant/sessions/{number}");
        robot.put(&session, &details[number % 2]).await.ok();
        robot
            .post(&format!("{session}/messages"), &json!([full, bare]))
            .await
            .ok();
        robot
            .put(&format!("{session}/completion"), completion)
            .await
            .ok();
    }

    is_documented::<Vec<SignInView>>(&ada.get("/api/auth/sign-ins").await.json());
    is_documented::<Vec<ChildView>>(&ada.get("/api/children").await.json());
    let sessions = ada
        .get(&format!("/api/sessions?child_id={mia}&limit=2"))
        .await
        .json();
    is_documented::<SessionPage>(&sessions);
    let messages = ada.get("/api/sessions/1/messages?limit=1").await.json();
    is_documented::<MessagePage>(&messages);
    assert_eq!(
        messages["messages"][0]["timestamp"],
        "2026-11-21T15:00:00.250Z"
    );
    let completed = ada
        .get(&format!("/api/child/{mia}/activities/completed"))
        .await
        .json();
    is_documented::<Vec<CompletedActivityView>>(&completed);
}
