//! The summary of a child.

use std::time::Duration;

use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::tables::{Pages, Words};
use crate::support::test_app::{Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::Seed;
use porchlight::children::ChildId;
use porchlight::insights::summary::api::SummaryOrNull;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[
        (
            None,
            Some(Words::Conversation),
            &["summary-latest", "summary-part"],
        ),
        (
            None,
            Some(Words::Conversations),
            &[
                "summary",
                "summary-mood",
                "summary-mood-rank",
                "summary-topic",
                "summary-topic-rank",
            ],
        ),
        (None, Some(Words::ChildsOwn), &["report"]),
        (None, None, &["report-by", "summary-totals"]),
    ],
    damaged: &[
        ("report", Pages::Closed(&["getSummary"])),
        ("report-by", Pages::Closed(&["getSummary"])),
        ("summary", Pages::Closed(&["getSummary"])),
        ("summary-latest", Pages::AsBefore),
        ("summary-mood", Pages::AsBefore),
        ("summary-mood-rank", Pages::AsBefore),
        ("summary-part", Pages::LacksARow(&["getMetrics"])),
        ("summary-topic", Pages::AsBefore),
        ("summary-topic-rank", Pages::AsBefore),
        ("summary-totals", Pages::AsBefore),
    ],
    writes: &[write(
        "replaceReport",
        None,
        |_| json!({"note": "well", "more": [1.5]}),
    )],
};

const ADA: &str = "ada@example.org";

async fn summary(guardian: &Persona<'_>, child: ChildId) -> Value {
    guardian
        .get(&format!("/api/child/{child}/summary"))
        .await
        .json()
}

async fn open(robot: &Persona<'_>, name: &str, session: Value) {
    robot.deliver(name, &session).await.ok();
}

async fn complete(robot: &Persona<'_>, name: &str, completion: Value) {
    robot.complete(name, &completion).await.ok();
}

async fn report(robot: &Persona<'_>, child: ChildId, body: &str) -> Response {
    let path = format!("/api/assistant/child/{child}/report");
    robot
        .send(Method::PUT, &path, &[], Some(body.to_owned()))
        .await
}

#[tokio::test]
async fn a_child_without_data_has_no_summary() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;

    let response = ada.get(&format!("/api/child/{mia}/summary")).await;

    assert_eq!(
        (response.status.as_u16(), response.body.as_str()),
        (200, "null")
    );
}

#[tokio::test]
async fn a_summary_lists_the_most_important_first() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    for (name, topic, start) in [
        ("a", "Bees", "2026-11-18T16:00:00Z"),
        ("b", "The moon", "2026-11-21T16:00:00Z"),
        ("c", " the Moon", "2026-11-20T16:00:00Z"),
    ] {
        let session = json!({"child_id": mia, "topic": topic, "start_time": start});
        open(&robot, name, session).await;
    }
    complete(&robot, "a", json!({"duration": 600, "mood": "curious"})).await;
    complete(&robot, "b", json!({"duration": 89.5, "mood": "happy"})).await;
    complete(&robot, "c", json!({"duration": 0.5, "mood": "Curious"})).await;
    report(&robot, mia, r#"{"strengths": ["asks why"], "note": 1.0}"#)
        .await
        .ok();

    let response = ada.get(&format!("/api/child/{mia}/summary")).await;

    assert_eq!(
        response.body,
        "{\"sessions\":3,\"minutes\":12,\
         \"last_session\":{\"date\":\"2026-11-21T16:00:00Z\",\"topic\":\"The moon\",\"session_id\":2},\
         \"topics\":[{\"topic\":\"The moon\",\"sessions\":2},{\"topic\":\"Bees\",\"sessions\":1}],\
         \"moods\":{\"curious\":2,\"happy\":1},\
         \"report\":{\"strengths\": [\"asks why\"], \"note\": 1.0},\
         \"report_from\":{\"arrived_at\":\"2026-11-21T20:00:00Z\",\"assistant\":\"robot\"}}"
    );
}

#[tokio::test]
async fn a_session_counts_from_when_it_is_opened_and_its_outcome_when_it_is_over() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;

    open(&robot, "a", json!({"child_id": mia})).await;
    let begun = summary(&ada, mia).await;
    complete(
        &robot,
        "a",
        json!({"duration": 120, "topic": "Bees", "mood": "happy"}),
    )
    .await;
    let over = summary(&ada, mia).await;

    let now = "2026-11-21T20:00:00Z";
    assert_eq!(
        begun,
        json!({"sessions": 1, "minutes": 0, "last_session": {"date": now, "session_id": 1},
               "topics": [], "moods": {}})
    );
    assert_eq!(
        over,
        json!({"sessions": 1, "minutes": 2,
               "last_session": {"date": now, "topic": "Bees", "session_id": 1},
               "topics": [{"topic": "Bees", "sessions": 1}], "moods": {"happy": 1}})
    );
}

#[tokio::test]
async fn a_repeated_delivery_counts_once_and_a_correction_is_recounted() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let session = json!({"child_id": mia, "topic": "Bees", "start_time": "2026-11-20T16:00:00Z"});
    let other = json!({"child_id": mia, "topic": "Ants", "start_time": "2026-11-19T16:00:00Z"});
    let completion = json!({"duration": 600.25, "mood": "tired"});
    open(&robot, "other", other).await;
    for _ in 0..3 {
        open(&robot, "a", session.clone()).await;
        complete(&robot, "a", completion.clone()).await;
    }
    let once = summary(&ada, mia).await;

    complete(&robot, "a", json!({"duration": 60.1, "topic": "Wasps"})).await;
    let shorter = summary(&ada, mia).await;
    open(
        &robot,
        "a",
        json!({"child_id": mia, "start_time": "2026-11-01T16:00:00Z"}),
    )
    .await;
    let earlier = summary(&ada, mia).await;

    assert_eq!(once["sessions"], 2);
    assert_eq!(once["minutes"], 10);
    assert_eq!(once["moods"], json!({"tired": 1}));
    assert_eq!(shorter["sessions"], 2);
    assert_eq!(shorter["minutes"], 1);
    assert_eq!(
        shorter["moods"],
        json!({"tired": 1}),
        "what is left out stays"
    );
    assert_eq!(
        shorter["topics"],
        json!([{"topic": "Ants", "sessions": 1}, {"topic": "Wasps", "sessions": 1}])
    );
    assert_eq!(shorter["last_session"]["topic"], "Wasps");
    assert_eq!(earlier["last_session"]["topic"], "Ants");
    assert_eq!(earlier["minutes"], 1);
}

#[tokio::test]
async fn only_the_most_frequent_topics_and_moods_are_named() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    for n in 0..60 {
        let name = format!("s{n}");
        let topic = format!("Topic {:02}", n % 55);
        open(&robot, &name, json!({"child_id": mia, "topic": topic})).await;
        let mood = format!("mood {:02}", n % 25);
        complete(&robot, &name, json!({"duration": 1e300, "mood": mood})).await;
    }

    let summary = summary(&ada, mia).await;

    assert_eq!(summary["sessions"], 60);
    assert_eq!(
        summary["minutes"],
        60 * 24 * 60,
        "a session counts for a day at most"
    );
    let topics = summary["topics"].as_array().unwrap();
    assert_eq!(topics.len(), 50);
    assert_eq!(topics[0], json!({"topic": "Topic 00", "sessions": 2}));
    assert_eq!(topics[49], json!({"topic": "Topic 49", "sessions": 1}));
    assert_eq!(summary["moods"].as_object().unwrap().len(), 20);
    assert_eq!(summary["moods"]["mood 09"], 3);
}

#[tokio::test]
async fn a_report_alone_is_a_summary_and_is_stored_byte_for_byte() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let odd = "{\n  \"z\": 1.50, \"a\": 12345678901234567890123, \"ü\": \"\\u00fc<b>\", \"__proto__\": {}, \"n\": null\n}";

    let put = report(&robot, mia, &format!(" \n{odd}\n ")).await;

    assert_eq!((put.status.as_u16(), put.body.as_str()), (204, ""));
    let response = ada.get(&format!("/api/child/{mia}/summary")).await;
    let expected = format!(
        "{{\"sessions\":0,\"minutes\":0,\"topics\":[],\"moods\":{{}},\"report\":{odd},\
         \"report_from\":{{\"arrived_at\":\"2026-11-21T20:00:00Z\",\"assistant\":\"robot\"}}}}"
    );
    assert_eq!(response.body, expected);
    report(&robot, mia, "{}").await.ok();
    assert_eq!(
        summary(&ada, mia).await["report"],
        json!({}),
        "the latest one"
    );
}

#[tokio::test]
async fn each_assistant_has_its_own_report_and_the_latest_one_is_shown() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let kitchen = app
        .assistant("Kitchen", &[mia])
        .await
        .credential()
        .to_owned();
    let toy = app.assistant("Toy", &[mia]).await.credential().to_owned();
    let put = async |key: &str, n: u8| {
        let body = json!({"n": n}).to_string();
        report(&app.bearer(key), mia, &body).await.ok();
        app.clock.advance(Duration::from_secs(60));
    };
    let shown = async || {
        let summary = summary(&app.stepped_up(ADA).await, mia).await;
        json!([
            summary["report"]["n"],
            summary["report_from"]["assistant"],
            summary["report_from"]["arrived_at"]
        ])
    };

    put(&kitchen, 1).await;
    put(&toy, 2).await;
    assert_eq!(shown().await, json!([2, "Toy", "2026-11-21T20:01:00Z"]));

    let toy_id = app.bearer(&toy).get("/api/assistant").await.json()["assistant_id"].take();
    let path = format!("/api/child/{mia}/assistants/{}", toy_id.as_str().unwrap());
    let ada = app.stepped_up(ADA).await;
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    assert_eq!(shown().await, json!([1, "Kitchen", "2026-11-21T20:00:00Z"]));
    assert_eq!(app.count_rows("report-by"), 1);
    assert_eq!(app.count_rows("report"), 1);
}

#[tokio::test]
async fn a_report_from_a_file_is_shown_until_an_assistant_has_its_own() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let family = json!({"guardians": [{"email": ADA}], "children": [
        {"name": "Mia", "guardians": [ADA], "report": {"n": 0}}]});
    let seed = Seed {
        text: family.to_string(),
    };
    app.run_admin(seed).await.0.unwrap();
    let mia = ChildId::new(1);
    let kitchen = app
        .assistant("Kitchen", &[mia])
        .await
        .credential()
        .to_owned();
    let before = summary(&app.stepped_up(ADA).await, mia).await;
    assert_eq!(
        (&before["report"], &before["report_from"]),
        (&json!({"n": 0}), &Value::Null)
    );

    report(&app.bearer(&kitchen), mia, r#"{"n": 1}"#).await.ok();

    assert_eq!(
        summary(&app.stepped_up(ADA).await, mia).await["report"],
        json!({"n": 1})
    );
    assert_eq!(
        app.count_rows("report"),
        1,
        "it can only have been Kitchen's"
    );
}

#[tokio::test]
async fn an_invalid_report_is_refused_and_the_last_one_stays() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let largest = format!("{{\"a\":\"{}\"}}", "x".repeat(64 * 1024 - 8));
    report(&robot, mia, &largest).await.ok();
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(20_000), "]".repeat(20_000));
    let larger = format!("{{\"a\":\"{}\"}}", "x".repeat(64 * 1024 - 7));
    let far_larger = format!("{{\"a\":\"{}\"}}", "x".repeat(5 * 1024 * 1024));
    let cases = [
        ("", 400),
        ("{", 400),
        ("[]", 400),
        ("null", 400),
        ("7", 400),
        ("{} {}", 400),
        ("{\"a\":1e999}", 400),
        ("{\"a\":\"\\ud800\"}", 400),
        (deep.as_str(), 400),
        (larger.as_str(), 413),
        (far_larger.as_str(), 413),
    ];

    for (body, status) in cases {
        let sentence = report(&robot, mia, body).await.problem(status);
        assert!(sentence.ends_with('.'), "{sentence}");
    }

    let kept = summary(&ada, mia).await;
    assert_eq!(kept["report"].to_string(), largest);
}

#[tokio::test]
async fn stored_records_match_the_documented_types() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let none = summary(&ada, mia).await;
    open(&robot, "a", json!({"child_id": mia})).await;
    let bare = summary(&ada, mia).await;
    let over = json!({"duration": 60, "mood": "happy", "topic": "Bees"});
    complete(&robot, "a", over).await;
    report(&robot, mia, r#"{"a": [1, null]}"#).await.ok();
    let full = summary(&ada, mia).await;

    for (response, is_there) in [(none, false), (bare, true), (full, true)] {
        let read = serde_json::from_value::<SummaryOrNull>(response).unwrap();
        assert_eq!(read.0.is_some(), is_there);
    }
}
