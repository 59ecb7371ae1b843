//! What a child's assistants are doing now: who talks, and who knows of a pause.

use std::time::Duration;

use porchlight::admin::UnlinkChild;
use porchlight::children::ChildId;
use serde_json::{Value, json};

use crate::support::test_app::{Persona, TestApp};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

async fn status(guardian: &Persona<'_>, child: ChildId) -> Value {
    let path = format!("/api/child/{child}/talk_status");
    guardian.get(&path).await.json()
}

/// Sets the child's times to a pause until `until`; without one, it has no end.
async fn pause(guardian: &Persona<'_>, child: ChildId, until: Option<&str>) {
    let pause = until.map_or_else(|| json!({}), |until| json!({"until": until}));
    let times = json!({"time_zone": "UTC", "quiet_hours": [], "pause": pause});
    guardian
        .put(&format!("/api/child/{child}/times"), &times)
        .await
        .ok();
}

async fn resume(guardian: &Persona<'_>, child: ChildId) {
    let times = json!({"time_zone": "UTC", "quiet_hours": []});
    guardian
        .put(&format!("/api/child/{child}/times"), &times)
        .await
        .ok();
}

/// The assistant's copy of the rules: 304 if it is current.
async fn fetch(robot: &Persona<'_>, child: ChildId, tag: &str) -> (u16, String) {
    let path = format!("/api/assistant/child/{child}/rules");
    let method = poem::http::Method::GET;
    let answer = robot
        .send(method, &path, &[("If-None-Match", tag)], None)
        .await;
    (answer.status.as_u16(), answer.header("etag").to_owned())
}

async fn say(robot: &Persona<'_>, child: ChildId, session: &str, id: &str) -> Value {
    let message = json!({"message_id": id, "source": "assistant", "text_content": "Hello!"});
    let delivery = json!({"child_id": child, "messages": [message]});
    robot.deliver(session, &delivery).await.json()["session_id"].clone()
}

#[tokio::test]
async fn a_child_without_an_assistant_has_none_connected() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;

    let expected = json!({"state": "no_assistant", "talking": [], "unconfirmed": []});
    assert_eq!(status(&ada, mia).await, expected);
}

#[tokio::test]
async fn a_conversation_is_live_for_two_minutes_after_its_last_word() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;

    let silent = json!({"state": "not_talking", "talking": [], "unconfirmed": []});
    assert_eq!(status(&ada, mia).await, silent);

    let session = say(&kitchen, mia, "s", "1").await;
    let heard = json!({"last_message_time": "2026-11-21T20:00:00Z", "session_id": session, "assistant": "Kitchen"});
    let talking = json!({"state": "talking", "talking": ["Kitchen"], "unconfirmed": [],
        "session_id": session, "last_heard": heard, "changes_in": 120.0});
    assert_eq!(status(&ada, mia).await, talking);
    let listed = ada.get("/api/children/talk_status").await.json();
    let expected =
        json!({"child_id": mia, "talking": true, "last_message_time": "2026-11-21T20:00:00Z"});
    assert_eq!(listed, json!({"items": [expected]}));

    app.clock.advance(Duration::from_secs(120));
    let over =
        json!({"state": "not_talking", "talking": [], "unconfirmed": [], "last_heard": heard});
    assert_eq!(status(&ada, mia).await, over);
    let listed = ada.get("/api/children/talk_status").await.json();
    assert_eq!(listed["items"][0]["talking"], json!(false));
}

#[tokio::test]
async fn a_pause_is_known_to_an_assistant_that_has_fetched_it() {
    let app = TestApp::new().await;
    let ada = app.named_guardian(ADA, "Ada").await;
    let ben = app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let room = app.assistant("Room", &[mia]).await;
    let (_, kitchens) = fetch(&kitchen, mia, "").await;
    fetch(&room, mia, "").await;

    pause(&ada, mia, Some("2026-11-21T21:00:00Z")).await;
    let seen = status(&ada, mia).await;
    assert_eq!(seen["state"], json!("pausing"));
    assert_eq!(seen["unconfirmed"], json!(["Kitchen", "Room"]));
    assert_eq!(seen["until"], json!("2026-11-21T21:00:00Z"));
    assert_eq!(seen["changes_in"], json!(3600.0));

    let (answered, kitchens) = fetch(&kitchen, mia, &kitchens).await;
    assert_eq!(answered, 200);
    assert_eq!(status(&ada, mia).await["unconfirmed"], json!(["Room"]));
    fetch(&room, mia, "").await;
    let seen = status(&ada, mia).await;
    assert_eq!(seen["state"], json!("paused"));
    assert_eq!(seen["paused_by"], json!({"is_you": true, "name": "Ada"}));
    let bens = status(&ben, mia).await;
    assert_eq!(bens["paused_by"], json!({"is_you": false, "name": "Ada"}));

    // A later end is fetched anew: who knows only the earlier one would talk from then on.
    pause(&ben, mia, Some("2026-11-22T07:00:00Z")).await;
    let seen = status(&ada, mia).await;
    assert_eq!(seen["unconfirmed"], json!(["Kitchen", "Room"]));
    assert_eq!(seen["paused_by"], json!({"is_you": false}));
    assert_eq!(fetch(&kitchen, mia, &kitchens).await.0, 200);
    assert_eq!(status(&ada, mia).await["unconfirmed"], json!(["Room"]));

    resume(&ada, mia).await;
    let seen = status(&ada, mia).await;
    assert_eq!(seen["state"], json!("not_talking"));
    assert_eq!(seen["unconfirmed"], json!([]));
}

#[tokio::test]
async fn who_continues_through_a_pause_is_still_talking() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let session = say(&kitchen, mia, "s", "1").await;
    app.clock.advance(Duration::from_secs(30));

    pause(&ada, mia, None).await;
    fetch(&kitchen, mia, "").await;
    app.clock.advance(Duration::from_secs(60));
    say(&kitchen, mia, "s", "2").await;
    assert_eq!(status(&ada, mia).await["state"], json!("paused"));
    // The end of a pause that lasts may change; it began when it began.
    pause(&ada, mia, Some("2026-11-22T07:00:00Z")).await;
    app.clock.advance(Duration::from_secs(1));
    say(&kitchen, mia, "s", "3").await;

    let seen = status(&ada, mia).await;
    assert_eq!(seen["state"], json!("still_talking"));
    assert_eq!(seen["talking"], json!(["Kitchen"]));
    assert_eq!(seen["unconfirmed"], json!(["Kitchen"]));
    assert_eq!(seen["session_id"], session);
}

#[tokio::test]
async fn an_assistant_of_several_children_is_told_of_each_ones_pause() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let leo = app.child("Leo", &[ADA]).await;
    let speaker = app.assistant("Speaker", &[mia, leo]).await;
    let all = "/api/assistant/rules";
    let before = speaker.get(all).await.header("etag").to_owned();

    pause(&ada, leo, Some("2026-11-21T21:00:00Z")).await;
    assert_eq!(status(&ada, leo).await["state"], json!("pausing"));
    let paused = speaker.get(all).await.header("etag").to_owned();
    assert_eq!(status(&ada, leo).await["state"], json!("paused"));
    pause(&ada, leo, Some("2026-11-21T22:00:00Z")).await;
    let longer = speaker.get(all).await.header("etag").to_owned();

    assert!(before != paused && paused != longer);
    assert_eq!(status(&ada, mia).await["state"], json!("not_talking"));
}

#[tokio::test]
async fn a_pause_survives_a_restart_and_a_former_guardian_is_not_named() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let ben = app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    pause(&ben, mia, None).await;
    let app = app.restarted().await;
    let unlink = UnlinkChild {
        child: mia,
        email: BEN.parse().unwrap(),
    };
    app.run_admin(unlink).await.0.unwrap();

    let seen = status(&app.stepped_up(ADA).await, mia).await;
    assert_eq!(seen["state"], json!("paused"));
    assert_eq!(seen.get("paused_by"), None);
}
