//! A kill while sessions that are too old are deleted: each is either listed and counted, or in 'Recently deleted', and the next
//! start finishes.
//!
//! By the clock of its time, the sessions are old long ago, so the next command deletes them. strace kills that command at a
//! system call.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::files::copy;
use crate::support::process::Home;
use crate::support::test_app::TestApp;
use crate::support::trace::{calls_in, can_trace, trace_calls};
use porchlight::kernel::host::clock::Timestamp;
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";

/// The store's calls to the disk.
const CALLS: &str = "pwrite64,fsync,fdatasync,sync_file_range,rename,ftruncate,unlink,unlinkat";

const OLD: usize = 25;
const KEPT: usize = 3;

/// Fills the folder with completed sessions that are too old, some of which a guardian keeps.
async fn fill(home: &Home) {
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

/// Runs a command that opens the store and so deletes what is too old.
fn expire_traced(home: &Home, trace: &Path, inject: Option<&str>) {
    trace_calls(&home.command(&["child", "list"]), CALLS, trace, inject);
}

fn kill_at_calls(every: usize) {
    if !can_trace() {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let home = Home::new();
    runtime.block_on(fill(&home));
    // Without a trusted clock nothing is deleted by date.
    home.ok(&["child", "list"]);
    assert_eq!(runtime.block_on(read(&home, "untrusted")), (OLD + KEPT, 0));
    home.ok(&["clock", "accept"]);
    assert_eq!(runtime.block_on(read(&home, "accepted")), (OLD + KEPT, 0));
    let template = home.path().join("template");
    copy(&home.data(), &template);
    let trace = home.path().join("trace");
    expire_traced(&home, &trace, None);
    assert_eq!(
        runtime.block_on(read(&home, "without a fault")),
        (KEPT, OLD)
    );
    let calls = calls_in(&fs::read_to_string(trace).unwrap());

    let (mut kills, mut halves) = (0, 0);
    for (call, number) in calls.iter().step_by(every) {
        fs::remove_dir_all(home.data()).unwrap();
        copy(&template, &home.data());
        let inject = format!("inject={call}:signal=KILL:when={number}");
        expire_traced(&home, Path::new("/dev/null"), Some(&inject));

        let after = format!("killed at {call} {number}");
        let (listed, _) = runtime.block_on(read(&home, &after));
        halves += usize::from(listed > KEPT && listed < OLD + KEPT);
        home.ok(&["child", "list"]);
        assert_eq!(
            runtime.block_on(read(&home, &after)),
            (KEPT, OLD),
            "{after}"
        );
        kills += 1;
    }
    println!(
        "killed at {kills} of {} calls, {halves} times in between",
        calls.len()
    );
    assert!(halves > 0, "no kill was in between");
    let verified = home.ok(&["verify"]);
    assert!(
        verified.ends_with("Every record can be read.\n"),
        "{verified}"
    );
}

#[test]
fn deleting_what_is_too_old_goes_on_after_a_kill_and_leaves_nothing_half_done() {
    kill_at_calls(5);
}
