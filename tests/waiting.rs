//! Long polling: requests that wait for a change of the rules.

use crate::support::test_app::{Persona, Response, TestApp};
use futures_util::FutureExt;
use poem::http::Method;
use porchlight::admin::{RevokeAssistant, RotateAssistant};
use porchlight::children::ChildId;
use serde_json::{Value, json};
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

const ADA: &str = "ada@example.org";

fn rules(child: ChildId) -> String {
    format!("/api/assistant/child/{child}/rules")
}

async fn tag(robot: &Persona<'_>, path: &str) -> String {
    robot.get(path).await.header("etag").to_owned()
}

/// A request that waits up to a minute for a version other than `tag`.
async fn wait(robot: &Persona<'_>, path: &str, tag: &str) -> Response {
    let headers = [("If-None-Match", tag)];
    let path = format!("{path}?wait=60");
    robot.send(Method::GET, &path, &headers, None).await
}

async fn block(guardian: &Persona<'_>, child: ChildId, topics: Value) {
    let path = format!("/api/child/{child}/blocked_topics");
    guardian.put(&path, &topics).await.ok();
}

/// Starts a waiting request, makes a change, and returns the response.
async fn woken_by(
    call: impl Future<Output = Response>,
    change: impl Future<Output = ()>,
) -> Response {
    let mut call = pin!(call);
    assert!((&mut call).now_or_never().is_none(), "it waits");
    let (response, ()) = tokio::join!(call, change);
    response
}

#[tokio::test]
async fn a_change_answers_the_waiting_requests_of_its_child_only() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let robot = app.assistant("robot", &[mia, leo]).await;
    let (of_mia, of_leo) = (
        tag(&robot, &rules(mia)).await,
        tag(&robot, &rules(leo)).await,
    );
    let of_all = tag(&robot, "/api/assistant/rules").await;
    let mut leos = pin!(async { wait(&robot, &rules(leo), &of_leo).await });
    assert!((&mut leos).now_or_never().is_none());
    let path = rules(mia);
    let both = async {
        let (one, all) = tokio::join!(
            wait(&robot, &path, &of_mia),
            wait(&robot, "/api/assistant/rules", &of_all)
        );
        assert_eq!(all.json()["blocked_topics"]["custom"], json!(["Ghosts"]));
        one
    };

    let answered = woken_by(both, block(&ada, mia, json!(["Ghosts"]))).await;

    assert_eq!(
        answered.json()["blocked_topics"]["custom"],
        json!(["Ghosts"])
    );
    assert_ne!(answered.header("etag"), of_mia);
    assert!((&mut leos).now_or_never().is_none());
    let context = format!("/api/child/{leo}/context");
    let change = async {
        ada.put(&context, &json!({"text": "Leo is five."}))
            .await
            .ok();
    };
    let (answered, ()) = tokio::join!(leos, change);
    assert_eq!(answered.json()["context"], json!("Leo is five."));
}

#[tokio::test]
async fn a_request_with_an_outdated_version_is_answered_at_once() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;

    let other = wait(&robot, &rules(mia), "\"0-0\"").await;
    let nothing = robot.get(&format!("{}?wait=60", rules(mia))).await;

    assert_eq!((other.status.as_u16(), nothing.status.as_u16()), (200, 200));
    let (sentence, at) = robot
        .get(&format!("{}?wait=61", rules(mia)))
        .await
        .problem_at(400);
    assert_eq!(sentence, "A whole number from 0 to 60 is expected here.");
    assert_eq!(at.as_deref(), Some("?wait"));
}

#[tokio::test]
async fn a_waiting_request_gets_304_after_its_timeout() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let known = tag(&robot, &rules(mia)).await;
    let mut call = pin!(async { wait(&robot, &rules(mia), &known).await });
    assert!((&mut call).now_or_never().is_none());

    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(60)).await;
    let answered = call.await;

    assert_eq!(answered.status.as_u16(), 304);
    assert_eq!(answered.header("etag"), known);
}

#[tokio::test]
async fn waiting_requests_are_answered_when_a_pause_begins_and_when_it_ends() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let (path, times) = (rules(mia), format!("/api/child/{mia}/times"));
    let known = tag(&robot, &path).await;
    let pause = async {
        let until = json!({"until": "2026-11-21T20:00:30Z"});
        let times_with_pause = json!({"time_zone": "UTC", "quiet_hours": [], "pause": until});
        ada.put(&times, &times_with_pause).await.ok();
    };

    let paused = woken_by(wait(&robot, &path, &known), pause).await;
    assert_eq!(paused.json()["talk"]["why"], json!("paused"));
    let known = paused.header("etag").to_owned();
    let end = async {
        tokio::time::pause();
        app.clock.advance(Duration::from_secs(30));
    };
    let ended = woken_by(wait(&robot, &path, &known), end).await;

    assert_eq!(ended.json()["talk"]["allowed"], json!(true));
    assert_eq!(
        ended.json()["version"],
        paused.json()["version"],
        "a pause is no version"
    );
}

#[tokio::test]
async fn a_stopping_server_answers_all_waiting_requests() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let known = tag(&robot, &rules(mia)).await;
    let path = rules(mia);

    let answered = woken_by(wait(&robot, &path, &known), async { app.inner.drain() }).await;

    assert_eq!(answered.status.as_u16(), 304);
    assert_eq!(wait(&robot, &path, &known).await.status.as_u16(), 304);
}

#[tokio::test]
async fn a_revoked_key_gets_no_notification() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let rotated = app.assistant("rotated", &[mia]).await;
    let revoked = app.assistant("revoked", &[mia]).await;
    let (first, second) = (
        tag(&rotated, &rules(mia)).await,
        tag(&revoked, &rules(mia)).await,
    );
    let path = rules(mia);
    let both = async {
        let (rotated, revoked) = tokio::join!(
            wait(&rotated, &path, &first),
            wait(&revoked, &path, &second)
        );
        revoked.problem(401);
        rotated
    };
    let change = async {
        let rotate = RotateAssistant {
            name: "rotated".into(),
        };
        app.run_admin(rotate).await.0.unwrap();
        let revoke = RevokeAssistant {
            name: "revoked".into(),
        };
        app.run_admin(revoke).await.0.unwrap();
        block(&ada, mia, json!(["Ghosts"])).await;
    };

    let answered = woken_by(both, change).await;

    answered.problem(401);
}

#[tokio::test]
async fn a_waiting_request_ends_with_its_key() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let key_of = async |name: &str| {
        let connected = json!({"name": name, "children": [mia, leo]});
        let connected = ada.post("/api/assistants", &connected).await.json();
        let id = connected["assistant"]["assistant_id"].as_str().unwrap();
        (
            id.to_owned(),
            app.bearer(connected["key"].as_str().unwrap()),
        )
    };
    for path in [rules(mia), "/api/assistant/rules".to_owned()] {
        let (id, robot) = key_of("revoked").await;
        let known = tag(&robot, &path).await;
        let revoke = async {
            let path = format!("/api/assistants/{id}");
            ada.send(Method::DELETE, &path, &[], None).await.ok();
        };
        let answered = woken_by(wait(&robot, &path, &known), revoke).await;
        answered.problem(401);

        let (id, robot) = key_of("rotated").await;
        let known = tag(&robot, &path).await;
        let rotate = async {
            let path = format!("/api/assistants/{id}/key");
            ada.send(Method::POST, &path, &[], None).await.ok();
        };
        let answered = woken_by(wait(&robot, &path, &known), rotate).await;
        answered.problem(401);
        let path = format!("/api/assistants/{id}");
        ada.send(Method::DELETE, &path, &[], None).await.ok();
    }

    // Without its last child the key is revoked.
    let (id, robot) = key_of("kitchen").await;
    for (child, status) in [(mia, 404), (leo, 401)] {
        let known = tag(&robot, &rules(child)).await;
        let take_off = async {
            let path = format!("/api/child/{child}/assistants/{id}");
            ada.send(Method::DELETE, &path, &[], None).await.ok();
        };
        let path = rules(child);
        let answered = woken_by(wait(&robot, &path, &known), take_off).await;
        answered.problem(status);
    }
}

#[tokio::test]
async fn a_request_for_all_children_waits_for_the_keys_current_children() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    block(&ada, leo, json!(["Clowns"])).await;
    let robot = app.assistant("robot", &[mia, leo]).await;
    let path = "/api/assistant/rules";
    let known = tag(&robot, path).await;
    let ids = ada.get("/api/household").await.json();
    let id = ids["assistants"][0]["assistant_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let take_off = async {
        let path = format!("/api/child/{leo}/assistants/{id}");
        ada.send(Method::DELETE, &path, &[], None).await.ok();
    };

    let answered = woken_by(wait(&robot, path, &known), take_off).await;

    assert_eq!(answered.json()["blocked_topics"]["custom"], json!([]));
    let known = answered.header("etag").to_owned();
    let change = block(&ada, mia, json!(["Ghosts"]));
    let answered = woken_by(wait(&robot, path, &known), change).await;
    assert_eq!(
        answered.json()["blocked_topics"]["custom"],
        json!(["Ghosts"])
    );
}

#[tokio::test]
async fn one_assistants_waiting_requests_cannot_exhaust_the_connections() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let (path, known) = (rules(mia), tag(&robot, &rules(mia)).await);
    let mut calls = (0..16)
        .map(|_| Box::pin(wait(&robot, &path, &known)))
        .collect::<Vec<_>>();
    for call in &mut calls {
        assert!(call.now_or_never().is_none());
    }

    let one_more = wait(&robot, &path, &known).await;

    assert_eq!(one_more.status.as_u16(), 304);
    drop(calls);
    assert!(wait(&robot, &path, &known).now_or_never().is_none());
}
