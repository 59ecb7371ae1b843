//! Paged responses: each page ends at its row limit or at 1 MiB, and together they contain everything.

use crate::support::test_app::{Persona, TestApp};
use porchlight::children::ChildId;
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";

/// The size limit of a page's rows.
const MEBIBYTE: usize = 1024 * 1024;

/// The size of a response without its rows, in bytes.
const BESIDE_ROWS: usize = 2_000;

/// Reads all pages. Returns the number of rows of each, and the rows. `field` has the cursor of the next page.
async fn pages(
    guardian: &Persona<'_>,
    path: &str,
    rows: &str,
    (parameter, field): (&str, &str),
) -> (Vec<usize>, Vec<Value>) {
    let (mut sizes, mut all, mut from) = (Vec::new(), Vec::new(), String::new());
    loop {
        let answer = guardian.get(&format!("{path}{from}")).await;
        let page = answer.json();
        let rows = page[rows].as_array().unwrap();
        let length = answer.body.len();
        assert!(
            length <= MEBIBYTE + BESIDE_ROWS || rows.len() == 1,
            "{length} bytes in {} rows of {path}",
            rows.len()
        );
        sizes.push(rows.len());
        all.extend(rows.iter().cloned());
        match page[field].as_str() {
            Some(next) => from = format!("&{parameter}={next}"),
            None => return (sizes, all),
        }
    }
}

/// Delivers a session with this many messages of 60,000 letters, each containing the word.
async fn talk(robot: &Persona<'_>, child: ChildId, messages: usize, word: &str) -> Value {
    let mut session = Value::Null;
    for number in 0..messages {
        let text = format!("{word} {}", "x".repeat(60_000));
        let at = format!("2026-11-21T16:{number:02}:00Z");
        let message =
            json!({"message_id": format!("m{number}"), "text_content": text, "timestamp": at});
        let delivery = json!({"child_id": child, "messages": [message]});
        session = robot.deliver("long", &delivery).await.json()["session_id"].clone();
    }
    session
}

fn ids(messages: &[Value]) -> Vec<&str> {
    let ids = messages.iter();
    ids.map(|message| message["message_id"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn long_messages_are_read_in_pages_of_a_mebibyte_forwards_backwards_and_around() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let session = talk(&robot, mia, 40, "octopus").await;
    let path = format!("/api/sessions/{session}/messages?limit=500");

    let (sizes, forwards) = pages(&ada, &path, "messages", ("after", "next")).await;
    assert_eq!(sizes, [17, 17, 6]);
    let all = (0..40).map(|number| format!("m{number}"));
    assert_eq!(ids(&forwards), all.collect::<Vec<_>>());

    let around = format!("{path}&around=m30");
    let middle = ada.get(&around).await;
    assert!(middle.body.len() <= MEBIBYTE + BESIDE_ROWS);
    let middle = middle.json();
    let rows = middle["messages"].as_array().unwrap();
    assert_eq!((ids(rows)[0], rows.len()), ("m22", 17));
    let before = format!("{path}&before={}", middle["previous"].as_str().unwrap());
    let earlier = ada.get(&before).await.json();
    let rows = earlier["messages"].as_array().unwrap();
    assert_eq!((ids(rows)[0], rows.len()), ("m5", 17));
    let after = format!("{path}&after={}", middle["next"].as_str().unwrap());
    let later = ada.get(&after).await.json();
    assert_eq!(later["messages"][0]["message_id"], "m39");

    let only = ada
        .get(&format!("{path}&around=m30").replace("=500", "=1"))
        .await;
    assert_eq!(only.json()["messages"][0]["message_id"], "m30");
}

#[tokio::test]
async fn long_matches_are_found_in_pages_of_a_mebibyte() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    talk(&robot, mia, 40, "octopus").await;
    let path = format!("/api/child/{mia}/search");
    let (mut found, mut after) = (Vec::new(), None::<String>);

    loop {
        let mut request = json!({"words": "octopus", "limit": 500});
        if let Some(after) = after {
            request["after"] = json!(after);
        }
        let answer = ada.post(&path, &request).await;
        assert!(answer.body.len() <= MEBIBYTE + BESIDE_ROWS);
        let page = answer.json();
        found.extend(page["matches"].as_array().unwrap().iter().cloned());
        after = page["next"].as_str().map(str::to_owned);
        if after.is_none() {
            break;
        }
    }

    let all = (0..40).rev().map(|number| format!("m{number}"));
    assert_eq!(ids(&found), all.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_history_of_full_lists_is_read_in_pages_of_a_mebibyte() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let topics = format!("/api/child/{mia}/blocked_topics");
    let list = |kind: usize| -> Value {
        let topics = (0..500).map(|number| format!("{kind} {number:03} {}", "x".repeat(190)));
        topics.collect()
    };
    for number in 0..12 {
        ada.put(&topics, &list(number % 2)).await.ok();
    }

    let path = format!("/api/child/{mia}/rules/history?limit=500");
    let (sizes, versions) = pages(&ada, &path, "items", ("before", "next")).await;

    // Each but the first two has 1,000 topics of some 200 bytes.
    assert_eq!(sizes, [5, 5, 3]);
    let numbers = versions.iter().map(|version| version["number"].as_u64());
    assert!(numbers.eq((0..13).rev().map(Some)));
    let newest = &versions[0];
    assert_eq!(newest["added"].as_array().unwrap().len(), 500);
    assert_eq!(newest["removed"][499], list(0)[499]);
}

#[tokio::test]
async fn long_feedback_is_read_in_pages_of_a_mebibyte() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let next = (0..100).map(|id| json!({"activity_id": id.to_string(), "topic": "Moon"}));
    let upcoming = format!("/api/assistant/child/{mia}/activities/upcoming");
    robot.put(&upcoming, &next.collect()).await.ok();
    // Each letter is six bytes of JSON.
    let reason = format!("a{}b", "\u{1}".repeat(1_998));
    for id in 0..100 {
        let path = format!("/api/child/{mia}/activities/upcoming/{id}/feedback");
        let feedback = json!({"feedback": "up", "reason": reason});
        ada.put(&path, &feedback).await.ok();
    }
    let path = format!("/api/assistant/child/{mia}/feedback");

    let first = robot.get(&path).await;
    assert!(first.body.len() <= MEBIBYTE + BESIDE_ROWS);
    let first = first.json();
    let after = first["next"].as_str().unwrap();
    let second = robot.get(&format!("{path}?after={after}")).await.json();

    let rows = |page: &Value| page["feedback"].as_array().unwrap().len();
    assert_eq!((rows(&first), rows(&second)), (86, 14));
}

#[tokio::test]
async fn the_receipts_of_a_session_are_read_in_pages() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let rules = format!("/api/assistant/child/{mia}/rules");
    let version = robot.get(&rules).await.json()["version"].clone();
    let receipt = |minute: usize| {
        let at = format!("2026-11-21T16:{minute:02}:00Z");
        json!({"version": version, "evidence": "set", "at": at})
    };
    let receipts = (0..60).map(receipt).collect::<Value>();
    let delivery = json!({"child_id": mia, "rules": receipts});
    let session = robot.deliver("s", &delivery).await.json()["session_id"].clone();

    let path = format!("/api/sessions/{session}/receipts?limit=25");
    let (sizes, all) = pages(&ada, &path, "items", ("after", "next")).await;

    assert_eq!(sizes, [25, 25, 10]);
    let minutes = all.iter().map(|receipt| receipt["at"].as_str().unwrap());
    assert!(minutes.is_sorted());
}
