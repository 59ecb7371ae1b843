//! What the server's log says of deleted conversations that are still in a file.

use std::fs;

use serde_json::{Value, json};

use crate::support::process::{Home, Server, wait_for};

const ADA: &str = "ada@example.org";

/// What the child said.
const SECRET: &str = "canaryoctopus";

const STILL_THERE: &str = "deleted conversations are still in a file";

/// The outcome of the check of the only record.
fn outcome(server: &Server, token: &str) -> Option<String> {
    let (status, body) = server
        .request("GET", "/api/child/1/deletions", token, None)
        .unwrap();
    assert_eq!(status, 200, "{body}");
    let page = serde_json::from_str::<Value>(&body).unwrap();
    page["items"][0]["check"]["outcome"]
        .as_str()
        .map(str::to_owned)
}

#[test]
fn what_is_found_in_a_file_is_logged_once_without_a_word_until_it_is_gone() {
    let home = Home::new();
    home.ok(&["guardian", "add", ADA]);
    home.ok(&["child", "add", "Mia", "--guardian", ADA]);
    let key = home.json(&["assistant", "add", "robot", "--child", "1"]);
    let server = home.serve(&[]);
    let message = json!({"message_id": "1", "text_content": SECRET});
    let delivery = json!({"session": SECRET, "messages": [message]}).to_string();
    let path = "/api/assistant/deliveries";
    let key = key["key"].as_str().unwrap();
    let (status, body) = server.request("POST", path, key, Some(&delivery)).unwrap();
    assert_eq!(status, 200, "{body}");
    let left_over = home.data().join("left-over");
    fs::create_dir(&left_over).unwrap();
    for file in ["store.wal.0", "store.wal.1"] {
        fs::copy(home.data().join(file), left_over.join(file)).unwrap();
    }
    let token = home.json(&["token", ADA]);
    let token = token["identity_token"].as_str().unwrap();
    for path in ["/api/sessions/1", "/api/child/1/deleted_sessions/1"] {
        let (status, body) = server.request("DELETE", path, token, None).unwrap();
        assert_eq!(status, 204, "{body}");
    }
    wait_for(|| outcome(&server, token).filter(|outcome| outcome == "found"));

    // Each rewrites the files, and searches them.
    for _ in 0..2 {
        home.ok(&["child", "rename", "1", "Lou"]);
        assert_eq!(outcome(&server, token).as_deref(), Some("found"));
    }
    fs::remove_dir_all(left_over).unwrap();
    home.ok(&["child", "rename", "1", "Mia"]);

    assert_eq!(outcome(&server, token).as_deref(), Some("not_found"));
    let (code, log) = server.terminate_with_log();
    assert_eq!(code, Some(0));
    assert_eq!(log.matches(STILL_THERE).count(), 1, "{log}");
    assert!(log.contains("left-over/store.wal."), "{log}");
    assert!(!log.contains(SECRET), "{log}");
}
