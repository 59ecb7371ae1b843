//! One system call of a commit, a checkpoint or a compaction fails. After a restart, acknowledged changes are there and no
//! record is damaged.
//!
//! strace makes one call per thread fail with EIO while a child is removed, which commits, compacts and flushes.

use std::fs;
use std::path::Path;

use crate::support::files::copy;
use crate::support::process::Home;
use crate::support::trace::{TIMED_OUT, calls_in, can_trace, trace_calls};

/// The store's calls to the disk.
const CALLS: &str = "pwrite64,fsync,fdatasync,sync_file_range,rename,ftruncate";

/// Creates the demonstration family and a child to remove. Returns the child's number.
fn home_with_a_child_to_remove() -> (Home, String) {
    let home = Home::new();
    home.ok(&["seed", "--demo"]);
    home.ok(&[
        "child",
        "add",
        "Gone",
        "--guardian",
        "demo@porchlight.example",
    ]);
    let children = home.json(&["child", "list"]);
    let children = children.as_array().unwrap();
    let gone = children.iter().find(|child| child["name"] == "Gone");
    let number = gone.unwrap()["child_id"].to_string();
    (home, number)
}

/// Removes the child under strace. Returns the exit status.
fn remove_traced(home: &Home, child: &str, trace: &Path, inject: Option<&str>) -> Option<i32> {
    let removal = home.command(&["child", "remove", child, "--confirm", "Gone"]);
    trace_calls(&removal, CALLS, trace, inject)
}

/// Injects a fault into every `every`th call of a removal, one at a time.
fn fail_calls(every: usize) {
    if !can_trace() {
        return;
    }
    let (home, gone) = home_with_a_child_to_remove();
    let before = home.ok(&["export"]);
    let template = home.path().join("template");
    copy(&home.data(), &template);
    let trace = home.path().join("trace");
    assert_eq!(remove_traced(&home, &gone, &trace, None), Some(0));
    let after = home.ok(&["export"]);
    assert_ne!(before, after);
    let calls = calls_in(&fs::read_to_string(trace).unwrap());
    assert!(calls.len() > 20, "{calls:?}");

    let (mut failed, mut injected) = (0, 0);
    for (call, number) in calls.iter().step_by(every) {
        fs::remove_dir_all(home.data()).unwrap();
        copy(&template, &home.data());
        let inject = format!("inject={call}:error=EIO:when={number}");
        let ended = remove_traced(&home, &gone, Path::new("/dev/null"), Some(&inject));
        assert_ne!(ended, TIMED_OUT, "{call} {number}: the command timed out");

        let state = home.ok(&["export"]);
        let verified = home.ok(&["verify"]);

        assert!(
            verified.ends_with("Every record can be read.\n"),
            "{call} {number}: {verified}"
        );
        match ended {
            Some(0) => assert_eq!(
                state, after,
                "{call} {number} failed, and it was acknowledged"
            ),
            _ => assert!(state == before || state == after, "{call} {number} failed"),
        }
        failed += usize::from(ended != Some(0));
        injected += 1;
    }
    println!(
        "{injected} of {} calls failed, and {failed} removals",
        calls.len()
    );
    assert!(failed > 0);
}

#[test]
fn acknowledged_changes_survive_a_failed_system_call() {
    fail_calls(7);
}

#[test]
#[ignore = "takes minutes: make crash"]
fn acknowledged_changes_survive_a_fault_at_every_system_call() {
    fail_calls(1);
}
