//! How an assistant is connected: what its deliveries had, and what was refused.

use crate::support::test_app::{Persona, TestApp};
use poem::http::Method;
use porchlight::children::ChildId;
use serde_json::{Value, json};
use std::time::Duration;

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

const AT: &str = "2026-11-21T19:55:00Z";

async fn connections(guardian: &Persona<'_>, child: ChildId) -> Value {
    let path = format!("/api/child/{child}/connections");
    guardian.get(&path).await.json()["items"].clone()
}

/// The latest refusal, which says when it was.
async fn refusal(guardian: &Persona<'_>, child: ChildId) -> Value {
    let latest = connections(guardian, child).await[0].clone();
    assert_eq!(latest["refused"].is_null(), latest["refused_at"].is_null());
    latest["refused"].clone()
}

fn message(id: &str, text: &str, at: &str) -> Value {
    json!([{"message_id": id, "text_content": text, "timestamp": at}])
}

#[tokio::test]
async fn a_new_assistant_is_heard_with_its_first_delivery_and_its_checks_add_up() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let before = connections(&ada, mia).await;
    let seen = async || connections(&ada, mia).await[0]["seen"].clone();

    let first = message("1", "Why?", AT);
    robot.deliver_messages("s", &first).await.ok();
    let times = seen().await;
    robot.deliver_messages("s", &first).await.ok();
    let revised =
        json!([{"message_id": "1", "text_content": "Why not?", "timestamp": AT, "revision": 1}]);
    robot.deliver_messages("s", &revised).await.ok();
    robot.complete("s", &json!({"duration": 60})).await.ok();
    let rules = format!("/api/assistant/child/{mia}/rules");
    let version = robot.get(&rules).await.json()["version"].clone();
    let receipt = json!({"rules": [{"version": version, "evidence": "set"}]});
    robot.deliver("s", &receipt).await.ok();

    assert_eq!(before[0]["seen"], json!([]));
    assert_eq!(before[0]["heard_at"], Value::Null);
    assert_eq!(times, json!(["times"]));
    let after = connections(&ada, mia).await[0].clone();
    assert_eq!(
        after["seen"],
        json!([
            "times",
            "repeated_ids",
            "correction",
            "completion",
            "receipt"
        ])
    );
    assert!(after["heard_at"].is_string());
    assert_eq!(after["follows_rules"], true);
    assert_eq!(after["refused"], Value::Null);
}

#[tokio::test]
async fn what_is_refused_says_why_by_kind_and_without_words() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;

    robot
        .deliver_messages("s", &message("1", "One", AT))
        .await
        .ok();
    let reused = message("1", "Sharks", AT);
    robot.deliver_messages("s", &reused).await.ok();
    assert_eq!(refusal(&ada, mia).await, "reused_id");
    let late = message("2", "Sharks", "2036-01-01T00:00:00Z");
    robot.deliver_messages("s", &late).await.ok();
    assert_eq!(refusal(&ada, mia).await, "assistant_clock");
    robot
        .deliver_messages("s", &json!([{"message_id": 3}]))
        .await;
    assert_eq!(refusal(&ada, mia).await, "malformed");
    app.clock.advance(Duration::from_secs(1));
    robot
        .deliver("s", &json!({"child_id": 99}))
        .await
        .problem(404);
    assert_eq!(refusal(&ada, mia).await, "child");
    app.clock.advance(Duration::from_secs(1));
    robot.deliver_bytes(b"{Sharks").await.problem(400);
    assert_eq!(refusal(&ada, mia).await, "malformed");
    app.clock.advance(Duration::from_secs(1));
    let host = [("host", "elsewhere.example")];
    let body = json!({"session": "s"}).to_string();
    robot
        .send(Method::POST, "/api/assistant/deliveries", &host, Some(body))
        .await
        .problem(421);
    assert_eq!(refusal(&ada, mia).await, "host");
    assert_eq!(
        connections(&ada, mia).await[0]["refused_at"],
        "2026-11-21T20:00:03Z"
    );

    let shown = connections(&ada, mia).await.to_string();
    assert!(
        !shown.contains("Sharks") && !shown.contains("elsewhere"),
        "{shown}"
    );
}

#[tokio::test]
async fn without_a_valid_key_nothing_is_noted() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    app.assistant("robot", &[mia]).await;

    let host = [("host", "elsewhere.example")];
    let stranger = app.bearer(&format!("ast_{}", "A".repeat(43)));
    stranger
        .send(Method::POST, "/api/assistant/deliveries", &host, None)
        .await
        .problem(421);

    assert_eq!(refusal(&ada, mia).await, Value::Null);
}

#[tokio::test]
async fn another_familys_deliveries_and_refusals_are_not_shown() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA]).await;
    let tom = app.child("Tom", &[BEN]).await;
    let shared = app.assistant("shared", &[mia, tom]).await;

    let messages = message("1", "Why?", AT);
    let delivery = json!({"child_id": tom, "messages": messages});
    shared.deliver("s", &delivery).await.ok();
    shared
        .deliver("s", &json!({"messages": messages}))
        .await
        .problem(422);

    let row = connections(&ada, mia).await[0].clone();
    assert_eq!(row["seen"], json!([]));
    assert_eq!(
        (&row["heard_at"], &row["refused"]),
        (&Value::Null, &Value::Null)
    );
    let row = connections(&ben, tom).await[0].clone();
    assert_eq!(
        (&row["seen"], &row["refused"]),
        (&json!(["times"]), &Value::Null)
    );
}

#[tokio::test]
async fn an_open_page_is_notified_of_a_refusal_if_it_may_see_it() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let mut events = ada.stream(&format!("/api/child/{mia}/events")).await;

    robot
        .deliver("s", &json!({"child_id": 99}))
        .await
        .problem(404);

    events.until("connections").await;
}

#[tokio::test]
async fn a_plug_in_and_an_older_one_are_shown_to_guardians_of_each_child() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[BEN]).await,
    );
    let robot = app.assistant("robot", &[mia, leo]).await;
    let current = env!("CARGO_PKG_VERSION");
    let call = async |path: &str, user_agent: &str| {
        let headers = [("user-agent", user_agent)];
        robot.send(Method::GET, path, &headers, None).await.ok();
        connections(&ada, mia).await[0]["plugin"].clone()
    };

    let shown = [
        call("/api/assistant", "curl/8.0").await,
        call("/api/assistant", "porchlight-livekit/<b>").await,
        call("/api/assistant", "porchlight-livekit/0.0.1").await,
        call(
            &format!("/api/assistant/child/{mia}/rules"),
            &format!("porchlight-livekit/{current}"),
        )
        .await,
        call("/api/assistant", "curl/8.0").await,
    ];

    let plugin = |version: &str, is_older: bool| json!({"name": "livekit", "version": version, "current_version": current, "is_older": is_older});
    let newest = plugin(current, false);
    let expected = [
        Value::Null,
        Value::Null,
        plugin("0.0.1", true),
        newest.clone(),
        newest.clone(),
    ];
    assert_eq!(shown, expected);
    assert_eq!(connections(&ben, leo).await[0]["plugin"], newest);
}

#[tokio::test]
async fn without_a_valid_key_a_plug_ins_name_leaves_nothing() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    app.assistant("robot", &[mia]).await;
    let headers = [("user-agent", "porchlight-livekit/0.0.1")];

    let plugin = "/api/assistant/plugins/livekit";
    let stranger = app.anonymous();
    for (caller, path) in [
        (&stranger, "/api/assistant"),
        (&stranger, plugin),
        (&ada, "/api/assistant"),
    ] {
        caller.send(Method::GET, path, &headers, None).await;
    }

    assert_eq!(connections(&ada, mia).await[0]["plugin"], Value::Null);
}
