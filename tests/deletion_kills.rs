//! Deletions by date that are killed in between, and what the log says of a deletion. What is erased permanently is in no response
//! and in no file. What is too old is either listed and counted, or in 'Recently deleted', and the next start finishes.
//!
//! By the clock of its time, all of it is old long ago, so the next command deletes it. strace kills that command at a system call.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::files::{copy, folder_contains};
use crate::support::process::{Home, Server, wait_for};
use crate::support::test_app::TestApp;
use crate::support::trace::{calls_in, can_trace, trace_calls};
use poem::http::Method;
use porchlight::kernel::host::clock::Timestamp;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

const ADA: &str = "ada@example.org";

/// The store's calls to the disk.
const CALLS: &str = "pwrite64,fsync,fdatasync,sync_file_range,rename,ftruncate,unlink,unlinkat";

/// What is said of the run that isn't killed.
const WITHOUT_A_FAULT: &str = "without a fault";

/// Kills a command that opens the store at every `every`th of its calls, one at a time, on a copy of the folder as it is now.
/// `check` reads the folder afterwards.
fn kill_at_calls(home: &Home, every: usize, mut check: impl FnMut(&str)) {
    let command = || home.command(&["child", "list"]);
    let template = home.path().join("template");
    copy(&home.data(), &template);
    let trace = home.path().join("trace");
    trace_calls(&command(), CALLS, &trace, None);
    check(WITHOUT_A_FAULT);
    let calls = calls_in(&fs::read_to_string(trace).unwrap());
    assert!(calls.len() > 20, "{calls:?}");
    let mut kills = 0;
    for (call, number) in calls.iter().step_by(every) {
        fs::remove_dir_all(home.data()).unwrap();
        copy(&template, &home.data());
        let inject = format!("inject={call}:signal=KILL:when={number}");
        trace_calls(&command(), CALLS, Path::new("/dev/null"), Some(&inject));
        check(&format!("killed at {call} {number}"));
        kills += 1;
    }
    println!("killed at {kills} of {} calls", calls.len());
}

fn assert_verified(home: &Home, after: &str) {
    let verified = home.ok(&["verify"]);
    assert!(
        verified.ends_with("Every record can be read.\n"),
        "{after}: {verified}"
    );
}

/// In the session's text, and nowhere else.
const CANARY: &str = "canaryoctopus";

/// In another session's text.
const STAYS: &str = "staysforever";

/// More messages than one step of an erasure removes.
const MESSAGES: usize = 3_000;

/// Fills the folder with a deleted session whose time is over, and another session.
async fn fill_deleted(home: &Home) {
    let app = TestApp::in_folder(&home.data()).await;
    app.clock
        .set(Timestamp::parse("2020-01-01T00:00:00Z").unwrap());
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
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

fn assert_erased(home: &Home, after: &str) {
    let exported = home.ok(&["export"]);
    assert!(
        exported.contains(STAYS) && !exported.contains(CANARY),
        "{after}"
    );
    assert_verified(home, after);
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
    let token = home.json(&["token", ADA]);
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

fn kill_erasures(every: usize) {
    if !can_trace() {
        return;
    }
    let home = Home::new();
    Runtime::new().unwrap().block_on(fill_deleted(&home));
    // Years have passed since that family's day, which the server attributes to a wrong clock.
    home.ok(&["clock", "accept"]);
    assert!(folder_contains(&home.data(), CANARY));
    kill_at_calls(&home, every, |after| assert_erased(&home, after));
}

#[test]
fn an_erasure_that_is_killed_leaves_nothing_behind() {
    kill_erasures(7);
}

#[test]
#[ignore = "takes minutes: make crash"]
fn an_erasure_that_is_killed_at_any_system_call_leaves_nothing_behind() {
    kill_erasures(1);
}

const OLD: usize = 25;
const KEPT: usize = 3;

/// Fills the folder with completed sessions that are too old, some of which a guardian keeps.
async fn fill_old(home: &Home) {
    let app = TestApp::in_folder(&home.data()).await;
    app.clock
        .set(Timestamp::parse("2020-01-01T00:00:00Z").unwrap());
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let path = format!("/api/child/{mia}/retention");
    ada.put(&path, &json!({"days": 365})).await.ok();
    let robot = app.assistant("kitchen", &[mia]).await;
    for number in 0..OLD + KEPT {
        let said =
            json!({"message_id": "a", "text_content": "Why?", "timestamp": "2019-12-31T20:00:00Z"});
        let delivery = json!({"topic": format!("Topic {number}"), "messages": [said],
            "completion": {"duration": 60, "mood": "curious"}});
        let delivered = robot.deliver(&format!("s{number}"), &delivery).await.json();
        if number >= OLD {
            let path = format!("/api/sessions/{}/kept", delivered["session_id"]);
            ada.put(&path, &json!({"kept": true})).await.ok();
        }
    }
    app.inner.store.close();
}

/// The numbers of the sessions that are listed, and of those in 'Recently deleted'. Panics if what is counted differs from what
/// is listed.
async fn read(home: &Home, after: &str) -> (usize, usize) {
    let app = TestApp::in_folder(&home.data()).await;
    let ada = app.stepped_up(ADA).await;
    let ids = |page: &Value, list: &str| {
        let sessions = page[list].as_array().unwrap().iter();
        let ids = sessions.map(|session| session["session_id"].as_u64().unwrap());
        ids.collect::<BTreeSet<_>>()
    };
    let listed = ada.get("/api/sessions?child_id=1&limit=500").await;
    let listed = ids(&listed.json(), "sessions");
    let path = "/api/child/1/deleted_sessions?limit=500";
    let deleted = ada.get(path).await.json();
    for session in deleted["items"].as_array().unwrap() {
        assert_eq!(session["older_than_days"], 365, "{after}: {session}");
    }
    let deleted = ids(&deleted, "items");
    assert!(
        listed.is_disjoint(&deleted),
        "{after}: {listed:?} {deleted:?}"
    );
    assert_eq!(listed.len() + deleted.len(), OLD + KEPT, "{after}");

    let path = "/api/child/1/activities/completed";
    let activities = ada.get(path).await.json();
    assert_eq!(
        activities.as_array().unwrap().len(),
        listed.len(),
        "{after}"
    );
    let metrics = "/api/child/1/metrics?from=2019-12-01&to=2020-02-01";
    let metrics = ada.get(metrics).await.json();
    let counts = metrics["days"].as_array().unwrap().iter();
    let counted = counts.map(|day| day["sessions"].as_u64().unwrap_or(0));
    assert_eq!(
        counted.sum::<u64>(),
        listed.len() as u64,
        "{after}: {metrics}"
    );
    app.inner.store.close();
    (listed.len(), deleted.len())
}

#[test]
fn deleting_what_is_too_old_goes_on_after_a_kill_and_leaves_nothing_half_done() {
    if !can_trace() {
        return;
    }
    let runtime = Runtime::new().unwrap();
    let home = Home::new();
    runtime.block_on(fill_old(&home));
    // Without a trusted clock nothing is deleted by date.
    home.ok(&["child", "list"]);
    assert_eq!(runtime.block_on(read(&home, "untrusted")), (OLD + KEPT, 0));
    home.ok(&["clock", "accept"]);
    assert_eq!(runtime.block_on(read(&home, "accepted")), (OLD + KEPT, 0));

    let mut halves = 0;
    kill_at_calls(&home, 5, |after| {
        let (listed, deleted) = runtime.block_on(read(&home, after));
        if after == WITHOUT_A_FAULT {
            assert_eq!((listed, deleted), (KEPT, OLD));
        }
        halves += usize::from(listed > KEPT && listed < OLD + KEPT);
        home.ok(&["child", "list"]);
        let finished = runtime.block_on(read(&home, after));
        assert_eq!(finished, (KEPT, OLD), "{after}");
    });
    assert!(halves > 0, "no kill was in between");
    assert_verified(&home, "at the end");
}

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
    let message = json!({"message_id": "1", "text_content": CANARY});
    let delivery = json!({"session": CANARY, "messages": [message]}).to_string();
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
    assert!(!log.contains(CANARY), "{log}");
}
