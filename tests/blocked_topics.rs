//! Blocked topics: guardians edit them, assistants read them.

use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::tables::{Pages, Words};
use crate::support::test_app::{Persona, Response, TestApp};
use poem::http::Method;
use porchlight::assistants::deliveries::api::blocked_topics::AvoidedView;
use porchlight::children::ChildId;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[(None, Some(Words::ChildsOwn), &["blocked-topics"])],
    damaged: &[(
        "blocked-topics",
        Pages::ClosedAndLacksARow(
            &[
                "listBlockedTopics",
                "getRules",
                "getAssistantBlockedTopics",
                "getAssistantRules",
                "getRulesForAll",
                "listConnections",
                "getReceipts",
            ],
            &["getAttention"],
        ),
    )],
    writes: &[write("replaceBlockedTopics", None, |_| {
        json!(["Spiders", "Ghosts"])
    })],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

fn own(child: ChildId) -> String {
    format!("/api/child/{child}/blocked_topics")
}

fn avoided(child: ChildId) -> String {
    format!("/api/assistant/child/{child}/blocked_topics")
}

async fn put_if(guardian: &Persona<'_>, child: ChildId, tag: &str, topics: Value) -> Response {
    guardian
        .send(
            Method::PUT,
            &own(child),
            &[("If-Match", tag)],
            Some(topics.to_string()),
        )
        .await
}

#[tokio::test]
async fn a_new_child_has_no_topics() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;

    let list = ada.get(&own(mia)).await;

    assert_eq!((list.status.as_u16(), list.body.as_str()), (200, "[]"));
    assert_eq!(list.header("content-type"), "application/json");
    let tag = list.header("etag");
    assert!(
        tag.len() > 10 && tag.starts_with('"') && tag.ends_with('"'),
        "{tag}"
    );
}

#[tokio::test]
async fn the_list_is_stored_normalized_and_in_the_order_sent() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;

    let sent = json!([
        " Zombies\u{feff}",
        "",
        "ants",
        "zombies",
        "VIOLENCE, HATE, AND HARASSMENT",
        "👩‍🚀"
    ]);
    let response = ada.put(&own(mia), &sent).await;

    let stored = json!(["Zombies", "ants", "👩‍🚀"]);
    assert_eq!(response.json(), stored);
    let list = ada.get(&own(mia)).await;
    assert_eq!(list.body, response.body);
    assert_eq!(list.header("etag"), response.header("etag"));
    let again = ada.put(&own(mia), &sent).await;
    assert_eq!(
        again.header("etag"),
        response.header("etag"),
        "the same list has the same tag"
    );
    let emptied = ada.put(&own(mia), &json!([])).await;
    assert_eq!(emptied.json(), json!([]));
    assert_ne!(emptied.header("etag"), response.header("etag"));
}

#[tokio::test]
async fn an_invalid_topic_gets_the_specified_message_and_changes_nothing() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    ada.put(&own(mia), &json!(["Ghosts"])).await.ok();
    let many = (0..501)
        .map(|n| json!(format!("topic {n}")))
        .collect::<Value>();
    let cases = [
        (json!(["Ants", " ab "]), "\"ab\" is too short."),
        (json!(["Ants", "THE"]), "\"THE\" is too general."),
        (json!(["Ants", "is"]), "\"is\" is too short."),
        (
            json!(["Ants", "x".repeat(201)]),
            "A topic can have at most 200 characters.",
        ),
        (
            json!(["Ants", "x".repeat(100_000)]),
            "A topic can have at most 200 characters.",
        ),
        (many, "At most 500 topics can be blocked."),
    ];

    for (topics, sentence) in cases {
        assert_eq!(ada.put(&own(mia), &topics).await.problem(422), sentence);
    }

    assert_eq!(ada.get(&own(mia)).await.json(), json!(["Ghosts"]));
}

#[tokio::test]
async fn a_body_that_is_no_list_of_strings_is_refused() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let bodies = [
        "",
        "{",
        "null",
        "\"Ghosts\"",
        "[7]",
        "[null]",
        "[[\"Ghosts\"]]",
        "{\"topics\":[]}",
        "[\"\\ud800\"]",
    ];

    for body in bodies {
        let response = ada
            .send(Method::PUT, &own(mia), &[], Some(body.into()))
            .await;
        let sentence = response.problem(400);
        assert!(sentence.ends_with('.'), "{sentence}");
    }

    let huge = json!(["x".repeat(1024 * 1024)]);
    ada.put(&own(mia), &huge).await.problem(413);
    assert_eq!(ada.get(&own(mia)).await.json(), json!([]));
}

#[tokio::test]
async fn the_largest_valid_list_is_returned_unchanged() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let widest = (0..500)
        .map(|n| json!(format!("{n:03}{}", "👻".repeat(197))))
        .collect::<Value>();

    let response = ada.put(&own(mia), &widest).await;

    assert_eq!(response.json(), widest);
    assert_eq!(ada.get(&own(mia)).await.json(), widest);
    assert_eq!(robot.get(&avoided(mia)).await.json()["custom"], widest);
}

#[tokio::test]
async fn of_two_concurrent_edits_the_second_gets_412() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let seen = ada.get(&own(mia)).await.header("etag").to_owned();

    let first = put_if(&ada, mia, &seen, json!(["Ghosts"])).await;
    let second = put_if(&ben, mia, &seen, json!(["Ants"])).await;
    let seen_again = ben.get(&own(mia)).await.header("etag").to_owned();
    let third = put_if(&ben, mia, &seen_again, json!(["Ghosts", "Ants"])).await;

    first.ok();
    assert_eq!(
        second.problem(412),
        "The list was changed meanwhile. Please look at it again and repeat your change."
    );
    assert_eq!(seen_again, first.header("etag"));
    assert_eq!(third.json(), json!(["Ghosts", "Ants"]));
}

#[tokio::test]
async fn of_many_edits_of_the_same_list_exactly_one_wins() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let seen = ada.get(&own(mia)).await.header("etag").to_owned();

    let edits = (0..32).map(|n| put_if(&ada, mia, &seen, json!([format!("topic {n}")])));
    let responses = futures_util::future::join_all(edits).await;

    let (accepted, refused): (Vec<_>, Vec<_>) = responses
        .iter()
        .partition(|response| response.status.is_success());
    assert_eq!((accepted.len(), refused.len()), (1, 31));
    assert_eq!(ada.get(&own(mia)).await.body, accepted[0].body);
}

#[tokio::test]
async fn if_match_follows_rfc_9110() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let there = ada
        .put(&own(mia), &json!(["Ghosts"]))
        .await
        .header("etag")
        .to_owned();
    let same = || json!(["Ghosts"]);
    let bare = there.trim_matches('"');
    let cases = [
        (there.clone(), 200),
        ("*".into(), 200),
        (format!("\"other\", {there}"), 200),
        (format!("W/{there}"), 412),
        ("\"other\"".into(), 412),
        (bare.to_owned(), 412),
        (String::new(), 412),
        ("\"ü\"".into(), 412),
    ];

    for (tag, status) in cases {
        let response = put_if(&ada, mia, &tag, same()).await;
        assert_eq!(response.status.as_u16(), status, "{tag}: {}", response.body);
    }

    put_if(&ada, mia, "\"other\"", json!(["ab"]))
        .await
        .problem(422);
    let lines = [("If-Match", "\"other\""), ("If-Match", there.as_str())];
    let on_two_lines = ada
        .send(Method::PUT, &own(mia), &lines, Some(same().to_string()))
        .await;
    on_two_lines.ok();
}

#[tokio::test]
async fn the_page_learns_how_many_guardians_see_the_list() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA, BEN]).await,
    );

    assert_eq!(ada.get(&own(mia)).await.header("porchlight-guardians"), "1");
    assert_eq!(ada.get(&own(leo)).await.header("porchlight-guardians"), "2");
    assert_eq!(ben.get(&own(leo)).await.header("porchlight-guardians"), "2");
}

#[tokio::test]
async fn the_assistant_reads_mandatory_and_own_topics_with_instructions() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    ada.put(&own(mia), &json!(["Ghosts", "Ants"])).await.ok();

    let response = robot.get(&avoided(mia)).await;

    let read = response.json();
    let mandatory = read["mandatory"].as_array().unwrap();
    assert_eq!(mandatory.len(), 7);
    assert_eq!(read["custom"], json!(["Ghosts", "Ants"]));
    let topics = [mandatory.clone(), vec![json!("Ghosts"), json!("Ants")]].concat();
    assert_eq!(read["topics"], json!(topics));
    let version = read["version"].as_str().unwrap();
    assert_eq!(response.header("etag"), format!("\"{version}\""));
    let instructions = read["instructions"].as_str().unwrap();
    for topic in topics {
        assert!(instructions.contains(topic.as_str().unwrap()), "{topic}");
    }
    assert!(!instructions.contains('\n'), "it is one paragraph");
    serde_json::from_value::<AvoidedView>(read).unwrap();
}

#[tokio::test]
async fn an_up_to_date_assistant_gets_304_without_a_body() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let tag = robot.get(&avoided(mia)).await.header("etag").to_owned();
    let ask = async |known: &str| {
        robot
            .send(
                Method::GET,
                &avoided(mia),
                &[("If-None-Match", known)],
                None,
            )
            .await
    };

    for known in [
        tag.clone(),
        format!("W/{tag}"),
        format!("\"a\", {tag}"),
        "*".into(),
    ] {
        let response = ask(&known).await;
        assert_eq!(
            (response.status.as_u16(), response.body.as_str()),
            (304, ""),
            "{known}"
        );
        assert_eq!(response.header("etag"), tag);
    }
    ask("\"a\"").await.ok();
    ask(tag.trim_matches('"')).await.json();

    ada.put(&own(mia), &json!(["Ghosts"])).await.ok();
    let update = ask(&tag).await;
    assert_eq!(update.json()["custom"], json!(["Ghosts"]));
    assert_ne!(update.header("etag"), tag);
}

#[tokio::test]
async fn a_guardian_who_no_longer_has_the_child_sees_and_changes_nothing() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    app.unlink(mia, BEN).await;

    ben.get(&own(mia)).await.problem(404);
    ben.put(&own(mia), &json!(["Ghosts"])).await.problem(404);
    assert_eq!(ada.get(&own(mia)).await.header("porchlight-guardians"), "1");
}
