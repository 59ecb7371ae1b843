//! A kill while conversations are reviewed: each is reviewed, and none leads to two alerts.

use std::time::Duration;

use crate::support::load::{Rng, seed};
use crate::support::process::Home;
use crate::support::reviewing::{self, data_of, figures, settings_at};
use crate::support::test_app::TestApp;
use crate::support::upstream::{Answer, Received, Upstream};
use poem::http::Method;
use serde_json::{Value, json};

const CONVERSATIONS: usize = 40;

const SAID: &str = "I climb on the roof";

fn respond(received: &Received) -> Answer {
    // As long as a small model takes for a short conversation, and longer than between two writes.
    std::thread::park_timeout(Duration::from_millis(15));
    reviewing::pointing_at(received, SAID, "danger", "look")
}

/// Fills the folder with conversations that wait for a review, of which one is deleted.
async fn fill(home: &Home, url: &str) -> Value {
    let mut app = TestApp::in_folder(&home.data()).await;
    let settings = settings_at(url);
    let host = settings.server.as_ref().unwrap().url.host();
    app.review_with(settings);
    reviewing::write(&app, figures(&host, 1, 0, 0)).await;
    let ada = app.guardian(reviewing::ADA).await;
    let mia = app.child("Mia", &[reviewing::ADA]).await;
    let robot = app.assistant("kitchen", &[mia]).await;
    let named = json!({"model": "reader", "host": host});
    let path = format!("/api/child/{mia}/reviewer");
    ada.put(&path, &named).await.ok();
    let mut last = Value::Null;
    for number in 0..=CONVERSATIONS {
        let text = format!("{SAID} {number}.");
        let said = json!([{"message_id": "a", "source": "child", "text_content": text}]);
        let delivery = json!({"messages": said, "completion": {"duration": 1}});
        let name = number.to_string();
        last = robot.deliver(&name, &delivery).await.json()["session_id"].take();
    }
    let path = format!("/api/sessions/{last}");
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    app.inner.store.close();
    last
}

#[test]
fn a_kill_at_any_step_of_a_review_forgets_none_and_repeats_no_alert() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let home = Home::new();
    let endpoint = runtime.block_on(Upstream::answering(respond));
    let url = format!("{}/v1", endpoint.url());
    let deleted = runtime.block_on(fill(&home, &url));
    let key = home.path().join("reviewer-key");
    std::fs::write(&key, "sk-reader\n").unwrap();
    let options = [
        "--reviewer-model",
        "reader",
        "--reviewer-url",
        &url,
        "--reviewer-key-file",
        key.to_str().unwrap(),
    ];
    let mut rng = Rng::from(seed());
    let mut kills = 0;
    let is_over = || {
        let known = endpoint.received();
        let sent = known
            .iter()
            .map(|received| data_of(received)["conversation"][0]["text"].to_string());
        sent.collect::<std::collections::BTreeSet<_>>().len() == CONVERSATIONS
    };
    while !is_over() {
        let before = endpoint.count();
        let server = home.serve(&options);
        // After a request at least, at a random moment of it or of what follows.
        let wanted = before + 1 + usize::try_from(rng.below(4)).unwrap();
        for _ in 0..600 {
            if endpoint.count() >= wanted || is_over() {
                break;
            }
            std::thread::park_timeout(Duration::from_millis(5));
        }
        std::thread::park_timeout(Duration::from_micros(rng.below(40_000)));
        server.kill();
        kills += 1;
        assert!(kills < 4 * CONVERSATIONS, "{} requests", endpoint.count());
    }
    let server = home.serve(&options);
    let token = home.json(&["token", reviewing::ADA]);
    let token = token["identity_token"].as_str().unwrap();
    let alerts = || {
        let (status, body) = server
            .request("GET", "/api/child/1/alerts?limit=200", token, None)
            .unwrap();
        assert_eq!(status, 200, "{body}");
        let page = serde_json::from_str::<Value>(&body).unwrap();
        page["alerts"].as_array().unwrap().clone()
    };
    for _ in 0..200 {
        if alerts().len() == CONVERSATIONS {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(50));
    }
    let alerts = alerts();
    assert_eq!(alerts.len(), CONVERSATIONS);
    assert!(alerts.iter().all(|alert| alert["count"] == 1), "{alerts:?}");
    assert!(alerts.iter().all(|alert| alert["session_id"] != deleted));
    let canary = format!("{SAID} {CONVERSATIONS}.");
    let sent = endpoint.received();
    assert!(
        sent.iter()
            .all(|received| !String::from_utf8_lossy(&received.body).contains(&canary))
    );
    println!(
        "{kills} kills, {} requests for {CONVERSATIONS} conversations, each with one alert",
        endpoint.count()
    );
    assert_eq!(server.terminate(), Some(0));
}
