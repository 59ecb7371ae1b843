//! What was acknowledged survives a kill in the middle of a delivery.

#[path = "support/process.rs"]
mod process;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use process::{Home, Server, request};
use serde_json::{Value, json};

/// Kills of a usual run; the long form asks for more.
const ROUNDS: usize = 50;

/// Assistants' lines of delivery at once.
const WRITERS: u64 = 4;

/// How many messages are acknowledged, in all, before the server is killed: somewhere in the middle.
fn patience(round: usize) -> u64 {
    3 + (round as u64 * 7) % 23
}

struct Family {
    home: Home,
    key: String,
}

impl Family {
    fn new() -> Self {
        let home = Home::new();
        home.ok(&["guardian", "add", "ada@example.org"]);
        home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);
        let added = home.json(&["assistant", "add", "robot", "--child", "1"]);
        let key = added["key"].as_str().unwrap().to_owned();
        Self { home, key }
    }

    /// Delivers from several lines at once until the server is killed; the ids that were acknowledged.
    fn deliver_until_killed(&self, server: Server, round: usize) -> BTreeSet<String> {
        let open = json!({"child_id": 1}).to_string();
        for writer in 0..WRITERS {
            let path = format!("/api/assistant/sessions/w{writer}");
            assert_eq!(
                server
                    .request("PUT", &path, &self.key, Some(&open))
                    .unwrap()
                    .0,
                200
            );
        }
        let acknowledged = Arc::new(AtomicU64::new(0));
        let dead = Arc::new(AtomicBool::new(false));
        let lines = (0..WRITERS).map(|writer| {
            let (url, key) = (server.url.clone(), self.key.clone());
            let (acknowledged, dead) = (acknowledged.clone(), dead.clone());
            std::thread::spawn(move || {
                let mut mine = BTreeSet::new();
                for number in 0.. {
                    let id = format!("{round}-{writer}-{number}");
                    let path = format!("/api/assistant/sessions/w{writer}/messages");
                    let message = json!([{"message_id": id, "timestamp": "2026-11-21T16:00:00Z",
                        "text_content": "x".repeat(number * 37 % 20_000)}]);
                    match request(&url, "POST", &path, &key, Some(&message.to_string())) {
                        Some((200, _)) => {
                            mine.insert(id);
                            acknowledged.fetch_add(1, Ordering::SeqCst);
                        }
                        _ => assert!(dead.load(Ordering::SeqCst), "a delivery failed in life"),
                    }
                    if dead.load(Ordering::SeqCst) {
                        break;
                    }
                }
                mine
            })
        });
        let lines = lines.collect::<Vec<_>>();
        while acknowledged.load(Ordering::SeqCst) < patience(round) {
            std::thread::yield_now();
        }
        dead.store(true, Ordering::SeqCst);
        server.kill();
        lines
            .into_iter()
            .flat_map(|line| line.join().unwrap())
            .collect()
    }

    /// Every message's id that a guardian can read, in all sessions.
    fn readable(&self, server: &Server) -> Vec<String> {
        let token = self.home.json(&["token", "ada@example.org"]);
        let token = token["identity_token"].as_str().unwrap();
        let get = |path: &str| -> Value {
            let (status, body) = server.request("GET", path, token, None).unwrap();
            assert_eq!(status, 200, "{body}");
            serde_json::from_str(&body).unwrap()
        };
        let mut ids = Vec::new();
        let sessions = get("/api/sessions?child_id=1");
        for session in sessions["sessions"].as_array().unwrap() {
            let mut read = 0;
            let mut after = String::new();
            loop {
                let number = &session["session_id"];
                let page = get(&format!("/api/sessions/{number}/messages?limit=500{after}"));
                let messages = page["messages"].as_array().unwrap();
                read += messages.len() as u64;
                let named = messages
                    .iter()
                    .map(|message| message["message_id"].as_str().unwrap());
                ids.extend(named.map(str::to_owned));
                let Some(next) = page["next"].as_str() else {
                    break;
                };
                after = format!("&after={next}");
            }
            assert_eq!(
                session["message_count"], read,
                "a session counts what is there"
            );
        }
        ids
    }
}

fn kill_in_the_middle(rounds: usize) {
    let family = Family::new();
    let mut acknowledged = BTreeSet::new();

    for round in 0..rounds {
        let server = family.home.serve(&[]);
        acknowledged.extend(family.deliver_until_killed(server, round));
    }

    let server = family.home.serve(&[]);
    let readable = family.readable(&server);
    let distinct = readable.iter().cloned().collect::<BTreeSet<_>>();
    let lost = acknowledged.difference(&distinct).collect::<Vec<_>>();
    assert_eq!(
        lost,
        Vec::<&String>::new(),
        "an acknowledged message is gone"
    );
    assert_eq!(distinct.len(), readable.len(), "a message is there twice");
    assert!(acknowledged.len() as u64 >= rounds as u64 * 3);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn every_acknowledged_message_survives_fifty_kills_and_none_is_doubled() {
    kill_in_the_middle(ROUNDS);
}

#[test]
#[ignore = "long: make test-long"]
fn every_acknowledged_message_survives_a_thousand_kills() {
    kill_in_the_middle(1_000);
}
