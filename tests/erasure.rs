//! A session that is erased permanently is in no response and in no file, even if the process is killed in between.
//!
//! By the clock of its time, the session was deleted long ago, so the next command erases it and compacts the store. strace
//! kills that command at a system call.

use std::fs;
use std::path::Path;

use crate::support::files::{copy, folder_contains};
use crate::support::process::Home;
use crate::support::test_app::TestApp;
use crate::support::trace::{calls_in, can_trace, trace_calls};
use poem::http::Method;
use porchlight::kernel::host::clock::Timestamp;
use serde_json::{Value, json};

/// In the session's text, and nowhere else.
const CANARY: &str = "canaryoctopus";

/// In another session's text.
const STAYS: &str = "staysforever";

/// The store's calls to the disk.
const CALLS: &str = "pwrite64,fsync,fdatasync,sync_file_range,rename,ftruncate,unlink,unlinkat";

/// More messages than one step of an erasure removes.
const MESSAGES: usize = 3_000;

/// Fills the folder with a deleted session whose time is over, and another session.
async fn fill(home: &Home) {
    let app = TestApp::in_folder(&home.data()).await;
    app.clock
        .set(Timestamp::parse("2020-01-01T00:00:00Z").unwrap());
    let ada = app.guardian("ada@example.org").await;
    let mia = app.child("Mia", &["ada@example.org"]).await;
    let robot = app.assistant("kitchen", &[mia]).await;
    let message = |id: usize, text: &str| json!({"message_id": id.to_string(), "text_content": text, "timestamp": "2019-12-31T20:00:00Z"});
    let other = json!({"topic": STAYS, "messages": [message(0, STAYS)]});
    robot.deliver("other", &other).await.ok();
    let ids = (0..MESSAGES).collect::<Vec<_>>();
    let mut session = Value::Null;
    for some in ids.chunks(1_000) {
        let messages = some
            .iter()
            .map(|id| message(*id, CANARY))
            .collect::<Value>();
        let delivery = json!({"topic": CANARY, "messages": messages});
        session = robot.deliver("s", &delivery).await.json()["session_id"].take();
    }
    let path = format!("/api/sessions/{session}");
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    app.inner.store.close();
}

/// Runs a command that opens the store and so erases what is due.
fn erase_traced(home: &Home, trace: &Path, inject: Option<&str>) {
    let command = home.command(&["child", "list"]);
    trace_calls(&command, CALLS, trace, inject);
}

fn assert_erased(home: &Home, after: &str) {
    let exported = home.ok(&["export"]);
    assert!(
        exported.contains(STAYS) && !exported.contains(CANARY),
        "{after}"
    );
    let verified = home.ok(&["verify"]);
    assert!(
        verified.ends_with("Every record can be read.\n"),
        "{after}: {verified}"
    );
    assert!(
        !folder_contains(&home.data(), CANARY),
        "{after}: it is in a file"
    );
    assert!(folder_contains(&home.data(), STAYS), "{after}");
    assert_recorded(home, after);
}

/// The deletion is recorded once, and as checked.
fn assert_recorded(home: &Home, after: &str) {
    let server = home.serve(&[]);
    let token = home.json(&["token", "ada@example.org"]);
    let token = token["identity_token"].as_str().unwrap();
    let answer = server.request("GET", "/api/child/1/deletions", token, None);
    let (status, body) = answer.unwrap();
    assert_eq!(status, 200, "{after}: {body}");
    let page = serde_json::from_str::<Value>(&body).unwrap();
    let records = page["items"].as_array().unwrap();
    assert_eq!(records.len(), 1, "{after}: {body}");
    assert_eq!(records[0]["sessions"], 1, "{after}");
    assert_eq!(records[0]["messages"], MESSAGES, "{after}");
    assert_eq!(records[0]["check"]["outcome"], "not_found", "{after}");
    assert!(records[0]["gone_on"].is_string(), "{after}");
    assert_eq!(server.terminate(), Some(0), "{after}");
}

/// Kills the process at every `every`th call of an erasure, one at a time.
fn kill_at_calls(every: usize) {
    if !can_trace() {
        return;
    }
    let home = Home::new();
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(fill(&home));
    // Years have passed since that family's day, which the server attributes to a wrong clock.
    home.ok(&["clock", "accept"]);
    assert!(folder_contains(&home.data(), CANARY));
    let template = home.path().join("template");
    copy(&home.data(), &template);
    let trace = home.path().join("trace");
    erase_traced(&home, &trace, None);
    assert_erased(&home, "without a fault");
    let calls = calls_in(&fs::read_to_string(trace).unwrap());
    assert!(calls.len() > 20, "{calls:?}");

    let mut kills = 0;
    for (call, number) in calls.iter().step_by(every) {
        fs::remove_dir_all(home.data()).unwrap();
        copy(&template, &home.data());
        let inject = format!("inject={call}:signal=KILL:when={number}");
        erase_traced(&home, Path::new("/dev/null"), Some(&inject));

        assert_erased(&home, &format!("killed at {call} {number}"));
        kills += 1;
    }
    println!("killed at {kills} of {} calls", calls.len());
}

#[test]
fn an_erasure_that_is_killed_leaves_nothing_behind() {
    kill_at_calls(7);
}

#[test]
#[ignore = "takes minutes: make crash"]
fn an_erasure_that_is_killed_at_any_system_call_leaves_nothing_behind() {
    kill_at_calls(1);
}
