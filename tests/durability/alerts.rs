//! The server is killed at random moments. The alerts of an acknowledged delivery's phrases are there, each once.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::load::{Rng, seed};
use crate::support::process::{Home, Server, wait_for};

const ADA: &str = "ada@example.org";
const ROUNDS: u64 = 8;

/// Delivers messages with the phrase, one for each session, until the server is gone. Counts those that are acknowledged.
fn deliver(url: &str, key: &str, round: u64, acknowledged: &AtomicU64) {
    loop {
        let session = format!("{round}-{}", acknowledged.load(Ordering::SeqCst));
        let message = json!({
            "message_id": session, "source": "assistant", "text_content": "It is our secret.",
        });
        let delivery = json!({"session": session, "messages": [message]}).to_string();
        let path = "/api/assistant/deliveries";
        match crate::support::process::request(url, "POST", path, key, Some(&delivery)) {
            Some((200, _)) => acknowledged.fetch_add(1, Ordering::SeqCst),
            Some((status, body)) => panic!("{status}: {body}"),
            None => return,
        };
    }
}

/// The messages of all alerts, newest first.
fn alerts(home: &Home, server: &Server) -> Vec<String> {
    let token = home.json(&["token", ADA]);
    let token = token["identity_token"].as_str().unwrap();
    let (mut all, mut before) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/child/1/alerts?limit=200{before}");
        let (status, body) = server.request("GET", &path, token, None).unwrap();
        assert_eq!(status, 200, "{body}");
        let page = serde_json::from_str::<Value>(&body).unwrap();
        let alerts = page["alerts"].as_array().unwrap().iter();
        all.extend(alerts.map(|alert| alert["message_id"].as_str().unwrap().to_owned()));
        match page["next"].as_str() {
            Some(next) => before = format!("&before={next}"),
            None => return all,
        }
    }
}

#[test]
fn the_alerts_of_acknowledged_deliveries_survive_kills() {
    let mut rng = Rng::from(seed());
    let home = Home::new();
    home.ok(&["guardian", "add", ADA]);
    home.ok(&["child", "add", "Mia", "--guardian", ADA]);
    let key = home.json(&["assistant", "add", "robot", "--child", "1"]);
    let key = key["key"].as_str().unwrap();
    let serve = || home.serve(&["--limits", "off", "--assistant-quota", "off"]);
    let server = serve();
    let token = home.json(&["token", ADA]);
    let phrases = json!([{"words": "our secret", "side": "assistant"}]).to_string();
    let path = "/api/child/1/watched_phrases";
    let token = token["identity_token"].as_str().unwrap();
    let (status, body) = server.request("PUT", path, token, Some(&phrases)).unwrap();
    assert_eq!(status, 200, "{body}");
    drop(server);

    let mut expected = BTreeSet::new();
    for round in 0..ROUNDS {
        let server = serve();
        let (acknowledged, writes) = (AtomicU64::new(0), 1 + rng.below(40));
        let delay = Duration::from_micros(rng.below(3_000));
        let url = server.url.clone();
        std::thread::scope(|scope| {
            scope.spawn(|| deliver(&url, key, round, &acknowledged));
            wait_for(|| (acknowledged.load(Ordering::SeqCst) >= writes).then_some(()));
            std::thread::park_timeout(delay);
            server.kill();
        });
        let count = acknowledged.load(Ordering::SeqCst);
        expected.extend((0..count).map(|number| format!("{round}-{number}")));
    }

    let server = serve();
    let found = alerts(&home, &server);
    let different = found.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(found.len(), different.len(), "an alert is there twice");
    let lost = expected.difference(&different).collect::<Vec<_>>();
    assert_eq!(lost, [""; 0]);
    // At most the one delivery of each round whose answer was lost.
    assert!(different.len() - expected.len() <= usize::try_from(ROUNDS).unwrap());
    assert_eq!(server.terminate(), Some(0));
    println!("{ROUNDS} kills, {} acknowledged alerts", expected.len());
}
