//! The context and the rules for assistants: what is in force, and its version.

use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::tables::{Pages, Promise, Words};
use crate::support::test_app::{Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::Seed;
use porchlight::children::ChildId;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[
        (
            Some(Promise::RuleReceipt),
            None,
            &["rules-key", "rules-version"],
        ),
        (
            Some(Promise::RuleReceipt),
            Some(Words::ChildsOwn),
            &["rules-text"],
        ),
        (None, Some(Words::ChildsOwn), &["context"]),
    ],
    damaged: &[
        (
            "context",
            Pages::ClosedAndLacksARow(
                &[
                    "getContext",
                    "getRules",
                    "getAssistantRules",
                    "getRulesForAll",
                    "listConnections",
                    "getReceipts",
                ],
                &["getAttention"],
            ),
        ),
        ("rules-key", Pages::NewVersion),
        // The first one may be a part of the instructions, which the history doesn't read.
        ("rules-text", Pages::Below("rules/history")),
        (
            "rules-version",
            Pages::ClosedAndLacksARow(
                &[
                    "getRules",
                    "getAssistantRules",
                    "getRulesForAll",
                    "listConnections",
                    "getReceipts",
                ],
                &["listRulesHistory", "getAttention"],
            ),
        ),
    ],
    writes: &[write(
        "replaceContext",
        None,
        |_| json!({"text": "Mia is eight."}),
    )],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

fn context(child: ChildId) -> String {
    format!("/api/child/{child}/context")
}

async fn put_if(guardian: &Persona<'_>, child: ChildId, tag: &str, text: &str) -> Response {
    let body = json!({"text": text}).to_string();
    let headers = [("If-Match", tag)];
    guardian
        .send(Method::PUT, &context(child), &headers, Some(body))
        .await
}

/// The rules that the assistant gets, and the version's number.
async fn told(robot: &Persona<'_>, child: ChildId) -> (Value, u64) {
    let path = format!("/api/assistant/child/{child}/rules");
    let answer = robot.get(&path).await;
    let rules = answer.json();
    let version = rules["version"].as_str().unwrap().to_owned();
    assert_eq!(answer.header("etag"), format!("\"{version}\""));
    let (number, tag) = version.split_once('-').unwrap();
    assert_eq!(tag.len(), 16);
    (rules, number.parse().unwrap())
}

#[tokio::test]
async fn a_context_is_stored_unchanged_and_reaches_the_assistant() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let text = " Mia is eight.\n\nShe is afraid of <b>dogs</b>. 🐕\u{202e} ";

    assert_eq!(ada.get(&context(mia)).await.json(), json!({"text": ""}));
    let (before, number) = told(&robot, mia).await;
    assert_eq!((number, before.get("context")), (0, None));
    let kept = ada.put(&context(mia), &json!({"text": text})).await;

    assert_eq!(kept.json(), json!({"text": text}));
    let read = ada.get(&context(mia)).await;
    assert_eq!(read.json(), json!({"text": text}));
    assert_eq!(read.header("etag"), kept.header("etag"));
    assert_eq!(read.header("porchlight-guardians"), "1");
    let (rules, number) = told(&robot, mia).await;
    assert_eq!((number, &rules["context"]), (1, &json!(text.trim())));
    let instructions = rules["instructions"].as_str().unwrap();
    assert!(instructions.contains(text.trim()), "{instructions}");
    assert!(
        instructions.contains("Violence, Hate, and Harassment"),
        "{instructions}"
    );
    let seen = ada.get(&format!("/api/child/{mia}/rules")).await.json();
    assert_eq!(
        seen,
        json!({
            "number": 1, "instructions": instructions, "talk": {"allowed": true}, "seconds_used": 0,
        })
    );
}

#[tokio::test]
async fn a_context_has_at_most_4000_characters() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;

    ada.put(&context(mia), &json!({"text": "ä".repeat(4_000)}))
        .await
        .ok();
    let refused = ada
        .put(&context(mia), &json!({"text": "ä".repeat(4_001)}))
        .await;

    let (sentence, place) = refused.problem_at(400);
    assert_eq!(
        sentence,
        "A text in the request is longer than 4000 characters."
    );
    assert_eq!(place.as_deref(), Some("/text"));
    assert_eq!(
        ada.get(&context(mia)).await.json(),
        json!({"text": "ä".repeat(4_000)})
    );
}

#[tokio::test]
async fn of_two_concurrent_edits_the_second_guardian_gets_412() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let tag = ada.get(&context(mia)).await.header("etag").to_owned();

    put_if(&ada, mia, &tag, "Ada's words").await.ok();
    let refused = put_if(&ben, mia, &tag, "Ben's words").await;

    assert_eq!(
        refused.problem(412),
        "The text was changed meanwhile. Please look at it again and repeat your change."
    );
    let there = ben.get(&context(mia)).await;
    assert_eq!(there.json(), json!({"text": "Ada's words"}));
    put_if(&ben, mia, there.header("etag"), "Both").await.ok();
    assert_eq!(ada.get(&context(mia)).await.json(), json!({"text": "Both"}));
}

#[tokio::test]
async fn each_change_creates_a_version_and_an_identical_write_does_not() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let topics = format!("/api/child/{mia}/blocked_topics");
    let changes = [
        (topics.clone(), json!(["Ghosts"]), 1),
        (topics.clone(), json!(["Ghosts"]), 1),
        (context(mia), json!({"text": "Mia is eight."}), 2),
        (context(mia), json!({"text": "Mia is eight. "}), 2),
        (topics, json!([]), 3),
        (context(mia), json!({"text": ""}), 4),
    ];
    let mut versions = Vec::new();

    for (path, body, expected) in changes {
        ada.put(&path, &body).await.ok();
        let (rules, number) = told(&robot, mia).await;
        assert_eq!(number, expected, "{body}");
        versions.push(rules["version"].clone());
    }

    versions.dedup();
    assert_eq!(versions.len(), 4, "each has its own name");
    let kept = app
        .inner
        .store
        .verify(&porchlight::app::record_kinds(), |_| {});
    let tables = kept.unwrap().tables;
    assert_eq!(
        tables["rules-version"], 5,
        "with what held before the first change"
    );
}

#[tokio::test]
async fn an_up_to_date_assistant_gets_304_and_version_names_differ_per_assistant() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let robot = app.assistant("robot", &[mia, leo]).await;
    let other = app.assistant("other", &[mia]).await;
    let (mias, _) = told(&robot, mia).await;
    let tag = format!("\"{}\"", mias["version"].as_str().unwrap());
    let path = format!("/api/assistant/child/{mia}/rules");
    let ask = async || {
        robot
            .send(Method::GET, &path, &[("If-None-Match", &tag)], None)
            .await
    };

    assert_eq!(
        (ask().await.status.as_u16(), ask().await.body.as_str()),
        (304, "")
    );
    ada.put(&context(mia), &json!({"text": "Mia is eight."}))
        .await
        .ok();
    assert_eq!(ask().await.status, 200);

    let (mias, _) = told(&robot, mia).await;
    let (others, _) = told(&other, mia).await;
    let (leos, _) = told(&robot, leo).await;
    assert_ne!(mias["version"], others["version"]);
    assert_eq!(mias["instructions"], others["instructions"]);
    assert_ne!(leos["instructions"], mias["instructions"]);
}

#[tokio::test]
async fn the_name_of_a_version_survives_a_restart() {
    let app = TestApp::new().await;
    let mia = app.child("Mia", &[]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let key = robot.credential().to_owned();
    let (before, _) = told(&robot, mia).await;

    let app = app.restarted().await;

    assert_eq!(told(&app.bearer(&key), mia).await.0, before);
}

#[tokio::test]
async fn a_context_is_exported_and_imported() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    ada.put(&context(mia), &json!({"text": "Mia is \"eight\"."}))
        .await
        .ok();
    let (_, text) = app.exported().await;

    let again = TestApp::new().await;
    let (seeded, _) = again.run_admin(Seed { text: text.clone() }).await;

    assert!(seeded.is_ok());
    assert_eq!(again.exported().await.1, text);
    assert!(text.contains(r#""context": "Mia is \"eight\"."#), "{text}");
}

/// The size of all stored keys and values.
fn bytes_kept(app: &TestApp) -> usize {
    let mut snapshot = app.inner.store.snapshot();
    let mut bytes = 0;
    while let Some(pairs) = snapshot.step().unwrap() {
        let pairs = pairs.iter().map(|(key, value)| key.len() + value.len());
        bytes += pairs.sum::<usize>();
    }
    bytes
}

#[tokio::test]
async fn the_stored_size_of_a_change_grows_with_the_change() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let path = format!("/api/child/{mia}/blocked_topics");
    let list = |changed: usize| -> Value {
        let topics = (0..500).map(|number| match number {
            250 => format!("changed {changed}"),
            _ => format!("{number:03} {}", "x".repeat(196)),
        });
        topics.collect()
    };
    ada.put(&path, &list(0)).await.ok();
    let per_change = |before: usize| (bytes_kept(&app) - before) / 20;

    let before = bytes_kept(&app);
    for number in 0..20 {
        let text = format!("Mia is {number:06}.");
        ada.put(&context(mia), &json!({"text": text})).await.ok();
    }
    let of_a_context = per_change(before);
    let before = bytes_kept(&app);
    for number in 1..=20 {
        ada.put(&path, &list(number)).await.ok();
    }
    let of_a_topic = per_change(before);

    println!("{of_a_context} bytes for a context of 14, {of_a_topic} for a topic of 500");
    assert!(of_a_context < 2_000, "{of_a_context}");
    assert!(of_a_topic < 14_000, "{of_a_topic}");
}
