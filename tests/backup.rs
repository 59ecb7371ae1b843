//! Backups on demand and on a schedule, restores, exports, and erasure from all files.

use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use crate::support::files::folder_contains;
use crate::support::process::{Home, Server, request, text, wait_for};
use serde_json::{Value, json};

const CANARY: &str = "the canary sings at dusk";

/// A seed with at least one record of each kind.
fn family() -> Value {
    let message = |id: &str, text: &str, at: &str| json!({"message_id": id, "source": "child", "text_content": text, "timestamp": at});
    json!({
        "guardians": [{"email": "ada@example.org", "name": "Ada"}, {"email": "bob@example.org"}],
        "children": [
            {
                "name": "Mia",
                "guardians": ["ada@example.org", "bob@example.org"],
                "blocked_topics": ["Horror films", "gambling"],
                "report": {"strengths": ["asks why"]},
                "upcoming": [{"activity_id": "a2", "topic": "Tides", "summary": "Sea and moon"}],
                "feedback": [{"activity_id": "a1", "feedback": "down", "reason": "too long"}],
                "sessions": [
                    {
                        "start": "2026-11-20T16:00:00Z", "topic": "The moon",
                        "completion": {"duration": 420.5, "score": "well done", "mood": "curious",
                            "end_time": "2026-11-20T16:07:30Z"},
                        "messages": [
                            message("m1", "Why does the moon follow us?", "2026-11-20T16:00:01Z"),
                            message("m2", &format!("{CANARY} {}", "la ".repeat(9_000)), "2026-11-20T16:00:02Z"),
                        ],
                    },
                    {
                        "start": "2026-11-21T16:00:00Z",
                        "messages": [message("m1", "Hello? 🌙 \"quoted\"", "2026-11-21T16:00:01Z")],
                    },
                ],
            },
            {"name": "Leo", "guardians": ["ada@example.org"], "sessions": []},
        ],
    })
}

fn home_with_family() -> Home {
    let home = Home::new();
    std::fs::write(home.path().join("family.json"), family().to_string()).unwrap();
    home.ok(&["seed", "family.json"]);
    home
}

/// Returns an export without its random values.
fn exported(home: &Home, arguments: &[&str]) -> Value {
    let printed = home.ok(&[&["export"], arguments].concat());
    let mut family: Value = serde_json::from_str(&printed).expect("an export is JSON");
    for child in family["children"].as_array_mut().unwrap() {
        for judged in child["feedback"].as_array_mut().unwrap() {
            judged.as_object_mut().unwrap().remove("at");
        }
    }
    family
}

/// Delivers messages until `stop` is set. Returns the number of acknowledged ones.
fn deliver(server: &Server, key: String, stop: &Arc<AtomicBool>) -> JoinHandle<u64> {
    let (url, stop) = (server.url.clone(), stop.clone());
    std::thread::spawn(move || {
        let mut count = 0;
        while !stop.load(Ordering::SeqCst) {
            let message = json!({"message_id": count.to_string(), "text_content": "more",
                "timestamp": "2026-11-21T17:00:00Z"});
            let delivery = json!({"session": "live", "messages": [message]}).to_string();
            let path = "/api/assistant/deliveries";
            let answer = request(&url, "POST", path, &key, Some(&delivery));
            assert_eq!(answer.unwrap().0, 200);
            count += 1;
        }
        count
    })
}

#[test]
fn a_backup_is_restored_completely_into_a_new_folder() {
    let home = home_with_family();
    let before = exported(&home, &[]);

    let made = home.ok(&["backup", "b"]);
    let sound = home.ok(&["verify", "b"]);
    let restored = home.ok(&["restore", "b", "--data", "again"]);

    assert!(made.starts_with("Backed up "), "{made}");
    assert!(sound.contains("message             3"), "{sound}");
    assert!(sound.contains("The backup is whole."), "{sound}");
    assert!(restored.starts_with("Restored "), "{restored}");
    assert_eq!(exported(&home, &["--data", "again"]), before);
    let mode = home
        .path()
        .join("b")
        .metadata()
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let names = std::fs::read_dir(home.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(
        names
            .filter(|name| name.contains("partial") || name.contains("restoring"))
            .count()
            == 0
    );
}

/// Runs a script as root in a namespace for mounts of its own, in the home's folder, with the program as `$0`.
fn in_own_mounts(home: &Home, script: &str) -> Option<std::process::Output> {
    let own = home.command(&[]);
    let mut shell = std::process::Command::new("unshare");
    shell.args(["--mount", "bash", "-euc", script]);
    shell.arg(own.get_program());
    let output = shell.current_dir(home.path()).output().ok()?;
    if output.status.code() == Some(99) || text(&output.stderr).contains("unshare failed") {
        eprintln!("Skipped: nothing can be mounted here (it takes root).");
        return None;
    }
    Some(output)
}

/// A disk of its own at `mounts/data`, with what ext4 puts there, in a folder that can't be written to: like a container's volume.
const MOUNTED: &str = "mkdir -p mounts/data && mount --bind mounts mounts && mount -t tmpfs tmpfs mounts/data \
    && mkdir mounts/data/lost+found && mount -o remount,bind,ro mounts || exit 99\n";

#[test]
fn a_backup_is_restored_where_the_data_folder_is_a_mount_in_a_folder_that_is_read_only() {
    let home = home_with_family();
    home.ok(&["backup", "b"]);
    let before = home.ok(&["export"]);
    let script = "\"$0\" restore b --data mounts/data >&2; ls -A mounts/data mounts >&2; \"$0\" export --data mounts/data";

    let Some(output) = in_own_mounts(&home, &format!("{MOUNTED}{script}")) else {
        return;
    };

    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("restoring"), "{said}");
    assert_eq!(text(&output.stdout), before);
}

#[test]
fn what_an_interrupted_restore_left_is_removed_by_the_next_one_and_by_the_next_start() {
    let home = home_with_family();
    home.ok(&["backup", "b"]);
    let before = exported(&home, &[]);
    let leave = |data: &str| {
        let unfinished = home.path().join(data).join("restoring");
        std::fs::create_dir_all(unfinished.join("store")).unwrap();
        std::fs::write(unfinished.join("store/db"), "half of a family's words").unwrap();
        unfinished
    };
    let (in_new, in_old) = (leave("again"), leave("porchlight-data"));
    std::fs::write(home.path().join("again/lock"), "").unwrap();

    home.ok(&["restore", "b", "--data", "again"]);
    let unchanged = exported(&home, &[]);

    assert!(!in_new.exists() && !in_old.exists());
    assert_eq!(unchanged, before);
    assert_eq!(exported(&home, &["--data", "again"]), before);
    let refused = home.refused(&["restore", "b", "--data", "again"]);
    assert!(refused.contains("is not empty"), "{refused}");
}

#[test]
fn a_backup_under_load_is_a_consistent_snapshot() {
    let home = home_with_family();
    let added = home.json(&["assistant", "add", "robot", "--child", "1"]);
    let key = added["key"].as_str().unwrap().to_owned();
    let server = home.serve(&["--limits", "off"]);
    let stop = Arc::new(AtomicBool::new(false));
    let delivering = deliver(&server, key, &stop);

    for round in 0..5 {
        home.ok(&["backup", "b", "--force"]);
        home.ok(&["verify"]);
        let folder = format!("again{round}");
        home.ok(&["restore", "b", "--data", &folder]);
        let verified = home.json(&["verify", "--data", &folder]);
        assert_eq!(
            verified["tables"]["message"],
            verified["tables"]["message-place"]
        );
        let family = exported(&home, &["--data", &folder]);
        let sessions = family["children"][0]["sessions"]
            .as_array()
            .unwrap()
            .clone();
        let live = sessions
            .iter()
            .find(|one| one["messages"][0]["message_id"] == "0");
        let messages = live.map_or(0, |live| live["messages"].as_array().unwrap().len());
        assert_eq!(
            verified["tables"]["message"],
            messages as u64 + 3,
            "deliveries are atomic"
        );
    }
    stop.store(true, Ordering::SeqCst);
    let delivered = delivering.join().unwrap();

    home.ok(&["backup", "b", "--force"]);
    home.ok(&["restore", "b", "--data", "last"]);
    let tables = home.json(&["verify", "--data", "last"])["tables"].clone();
    assert_eq!(tables["message"], delivered + 3);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn an_invalid_backup_is_refused_and_changes_nothing() {
    let home = home_with_family();
    home.ok(&["backup", "b"]);
    let whole = std::fs::read(home.path().join("b")).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(home.path().join(name), bytes).unwrap();
    write("short", &whole[..whole.len() / 2]);
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    write("changed", &changed);
    write("newer", &[b"porchlight-backup 9", &whole[19..]].concat());

    let sentences = [
        (
            "short",
            "It is not whole: its end is missing. Nothing was changed.",
        ),
        ("changed", "It is damaged: "),
        ("newer", "It was made by a newer Porchlight."),
        (
            "family.json",
            "It is no backup of Porchlight's. Nothing was changed.",
        ),
        ("nowhere", "It cannot be read or written: No such file"),
    ];
    for (file, sentence) in sentences {
        let refused = home.refused(&["restore", file, "--data", "again"]);
        assert!(refused.contains(sentence), "{refused}");
        home.refused(&["verify", file]);
        assert!(!home.path().join("again").exists());
    }
    let taken = home.refused(&["restore", "b"]);
    assert!(
        taken.contains("is not empty. A backup is only restored into an empty folder"),
        "{taken}"
    );
    let none = home.refused(&["backup", "c", "--data", "nowhere"]);
    assert_eq!(none, "There is no store in nowhere.");
    assert!(!home.path().join("nowhere").exists());
}

#[test]
fn an_endless_file_is_not_read_as_a_backup() {
    let home = Home::new();
    let pipe = home.path().join("pipe");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).unwrap();

    for file in ["pipe", "/dev/zero", "."] {
        for command in ["verify", "restore"] {
            let refused = home.refused(&[command, file]);
            assert!(
                refused.contains("it is no file but a folder, a pipe or a device"),
                "{command} {file}: {refused}"
            );
        }
    }
    assert!(!home.data().exists());
}

#[test]
#[ignore = "waits for ten seconds"]
fn commands_time_out_after_ten_seconds_if_the_server_is_suspended() {
    let home = home_with_family();
    let server = home.serve(&[]);
    let process = rustix::process::Pid::from_raw(server.id().try_into().unwrap()).unwrap();
    let signal = |signal| rustix::process::kill_process(process, signal).unwrap();
    signal(rustix::process::Signal::STOP);

    let waiting = ["verify", "backup b", "export", "child list", "check"].map(|command| {
        let arguments = command.split(' ').collect::<Vec<_>>();
        let mut command_line = home.command(&arguments);
        command_line.stdout(Stdio::piped()).stderr(Stdio::piped());
        (command, command_line.spawn().unwrap())
    });

    for (command, command_line) in waiting {
        let ended = command_line.wait_with_output().unwrap();
        let (printed, error) = (text(&ended.stdout), text(&ended.stderr));
        let sentence = "The running server has not answered for 10 seconds:";
        match command {
            "check" => assert!(printed.contains(sentence), "{printed}"),
            _ => {
                assert_eq!(ended.status.code(), Some(1), "{command}: {error}");
                assert!(error.starts_with(sentence), "{command}: {error}");
            }
        }
    }
    assert_eq!(
        std::fs::read_dir(home.path()).unwrap().count(),
        2,
        "no partial backup"
    );
    signal(rustix::process::Signal::CONT);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn an_existing_file_is_replaced_only_on_request() {
    let home = home_with_family();
    let stored = home.path().join("kept");
    for command in [&["backup", "kept"][..], &["export", "--out", "kept"]] {
        std::fs::write(&stored, "mine").unwrap();

        let refused = home.refused(command);
        let untouched = std::fs::read_to_string(&stored).unwrap();
        home.ok(&[command, &["--force"]].concat());

        assert!(
            refused.contains("it exists already, and is only replaced with --force"),
            "{refused}"
        );
        assert_eq!(untouched, "mine");
        assert_ne!(std::fs::read(&stored).unwrap(), b"mine");
        let device = [&command[..command.len() - 1], &["/dev/null", "--force"]].concat();
        let refused = home.refused(&device);
        assert!(refused.contains("a pipe or a device"), "{refused}");
    }
}

#[test]
fn a_restored_backup_contains_no_sign_ins_and_suspends_guardians_and_keys_until_they_are_reinstated()
 {
    let home = home_with_family();
    let added = home.json(&["assistant", "add", "kitchen\u{202e}", "--child", "1"]);
    let key = added["key"].as_str().unwrap().to_owned();
    let token = home.json(&["token", "ada@example.org"])["identity_token"].clone();
    home.ok(&["sign-in-link", "ada@example.org"]);
    let server = home.serve(&["--mail", "console", "--public-url", "http://127.0.0.1:1"]);
    home.ok(&["backup", "b"]);
    let in_backup = home.json(&["verify", "b"])["tables"].clone();
    server.terminate();

    let output = home.ok(&["restore", "b", "--data", "again"]);
    let restored = home.json(&["restore", "b", "--data", "for-programs"]);

    assert!(
        output.contains("no sign-in link, invitation or recovery code works."),
        "{output}"
    );
    assert!(
        output.contains(
            "\n  guardian   ada@example.org\n  guardian   bob@example.org\n  assistant  kitchen[RLO]\n"
        ),
        "{output}"
    );
    assert_eq!(
        restored["suspended"],
        json!({
            "guardians": ["ada@example.org", "bob@example.org"],
            "assistants": ["kitchen\u{202e}"],
        })
    );
    let stored = home.json(&["verify", "--data", "again"])["tables"].clone();
    for table in ["sign-in", "sign-in-of", "link", "link-of"] {
        assert_eq!(in_backup[table], 1, "the backup holds it");
        assert_eq!(stored[table], Value::Null, "{table}");
        assert_eq!(restored["tables"][table], Value::Null, "{table}");
    }
    assert_eq!(stored["guardian"], in_backup["guardian"]);
    let server = home.serve(&["--data", "again"]);
    let call = |bearer: &str, path| request(&server.url, "GET", path, bearer, None).unwrap().0;
    let (old_token, door) = (
        token.as_str().unwrap(),
        "/api/assistant/child/1/blocked_topics",
    );
    assert_eq!(call(old_token, "/api/children"), 401);
    assert_eq!(call(&key, door), 401);
    let listed = home.ok(&["guardian", "list", "--data", "again"]);
    assert!(listed.contains("ada@example.org (suspended)"), "{listed}");

    // While the server runs.
    let refused = home.refused(&[
        "reinstate",
        "--guardian",
        "eve@example.org",
        "--data",
        "again",
    ]);
    assert!(refused.contains("There is no guardian with the address eve@example.org"));
    let reinstated = home.ok(&[
        "reinstate",
        "--assistant",
        "kitchen\u{202e}",
        "--data",
        "again",
    ]);
    assert!(
        reinstated.starts_with("Let 0 guardians and 1 assistant in again.\n")
            && reinstated.contains("  guardian   ada@example.org\n"),
        "{reinstated}"
    );
    assert_eq!(call(&key, door), 200);
    assert_eq!(call(old_token, "/api/children"), 401);
    let token = home.json(&["token", "ada@example.org", "--data", "again"]);
    let token = token["identity_token"].as_str().unwrap();
    assert_eq!(call(token, "/api/children"), 200, "naming her lets her in");
    let listed = home.ok(&["guardian", "list", "--data", "again"]);
    assert!(!listed.contains("ada@example.org (suspended)"), "{listed}");
}

#[test]
fn restoring_reinstates_the_named_guardians_or_all() {
    let home = home_with_family();
    home.ok(&["backup", "b"]);

    let named = home.json(&[
        "restore",
        "b",
        "--data",
        "named",
        "--guardian",
        "ada@example.org",
    ]);
    let all = home.json(&["restore", "b", "--data", "all", "--all"]);
    let nobody = home.refused(&[
        "restore",
        "b",
        "--data",
        "nobody",
        "--guardian",
        "eve@example.org",
    ]);

    assert_eq!(named["suspended"]["guardians"], json!(["bob@example.org"]));
    assert_eq!(all["suspended"], json!({"guardians": [], "assistants": []}));
    assert!(nobody.contains("There is no guardian with the address eve@example.org"));
    assert!(!home.path().join("nobody").exists());
}

#[test]
fn a_backup_that_cannot_be_written_leaves_the_old_one() {
    let home = home_with_family();
    home.ok(&["backup", "b"]);

    let refused = home.refused(&["backup", "no/such/folder/b"]);

    assert!(
        refused.contains("no/such/folder/b cannot be written: No such file"),
        "{refused}"
    );
    home.ok(&["verify", "b"]);
}

#[test]
fn an_export_can_be_imported_as_a_seed() {
    let home = home_with_family();
    let all = exported(&home, &[]);
    let mia = exported(&home, &["--child", "1"]);
    let output = home.ok(&["export", "--out", "all.json"]);

    let again = Home::new();
    std::fs::copy(home.path().join("all.json"), again.path().join("all.json")).unwrap();
    again.ok(&["seed", "all.json"]);

    assert_eq!(
        output,
        "Exported 2 children with 2 sessions and 3 messages.\n"
    );
    assert_eq!(exported(&again, &[]), all);
    assert_eq!(mia["children"].as_array().unwrap().len(), 1);
    assert_eq!(mia["children"][0], all["children"][0]);
    for (given, got) in [
        ("/children/0/blocked_topics", &all),
        ("/children/0/report", &all),
        ("/children/0/upcoming", &all),
        ("/children/0/sessions/0/messages", &all),
        ("/children/0/sessions/0/completion", &all),
        ("/children/0/feedback", &all),
        ("/guardians", &all),
    ] {
        assert_eq!(got.pointer(given), family().pointer(given), "{given}");
    }
    let server = home.serve(&[]);
    assert_eq!(exported(&home, &[]), all, "with a server too");
    server.terminate();
    let refused = home.refused(&["export", "--child", "7"]);
    assert_eq!(refused, "There is no child with the number 7.");
}

#[test]
fn an_export_has_each_sessions_assistant_and_name() {
    let home = home_with_family();
    let key = home.json(&["assistant", "add", "kitchen", "--child", "2"])["key"].clone();
    let server = home.serve(&[]);
    let delivery = json!({"session": "lesson:7", "start_time": "2026-11-21T18:00:00Z"}).to_string();
    let path = "/api/assistant/deliveries";
    let key = key.as_str().unwrap();
    assert_eq!(
        request(&server.url, "POST", path, key, Some(&delivery))
            .unwrap()
            .0,
        200
    );

    let known_as =
        |home: &Home| exported(home, &[])["children"][1]["sessions"][0]["known_as"].clone();
    assert_eq!(
        known_as(&home),
        json!({"assistant": "kitchen", "name": "lesson:7"})
    );
    home.ok(&["assistant", "revoke", "kitchen"]);
    assert_eq!(known_as(&home), json!({"name": "lesson:7"}));
    server.terminate();

    let again = Home::new();
    let all = home.ok(&["export"]);
    std::fs::write(again.path().join("all.json"), all).unwrap();
    again.ok(&["seed", "all.json"]);
    assert_eq!(known_as(&again), Value::Null, "it has no assistant");
    assert_eq!(
        exported(&again, &[])["children"][1]["sessions"][0]["start"],
        "2026-11-21T18:00:00Z"
    );
}

#[test]
fn a_removed_childs_data_is_in_no_file() {
    for served in [false, true] {
        let home = home_with_family();
        let server = served.then(|| home.serve(&[]));
        assert!(folder_contains(&home.data(), CANARY), "it was there");
        assert!(folder_contains(&home.data(), "Mia"));

        let output = home.ok(&["child", "remove", "1", "--confirm", "Mia"]);

        assert!(output.contains("Backups made before keep it."), "{output}");
        for trace in [
            CANARY,
            "Mia",
            "Horror films",
            "asks why",
            "Sea and moon",
            "too long",
        ] {
            assert!(
                !folder_contains(&home.data(), trace),
                "{trace}, served: {served}"
            );
        }
        let left = exported(&home, &[]);
        assert_eq!(left["children"][0]["name"], "Leo");
        home.ok(&["verify"]);
        if let Some(server) = server {
            home.ok(&["child", "add", "Zoe", "--guardian", "ada@example.org"]);
            assert_eq!(server.terminate(), Some(0));
            assert!(home.ok(&["child", "list"]).contains("Zoe"));
        }
    }
}

#[test]
fn old_names_and_addresses_of_guardians_are_in_no_file() {
    let address = "zelda.quill@former.example";
    let removals: [(&[&str], &[&str]); 2] = [
        (
            &["guardian", "remove", address],
            &[address, "former.example", "Zelda Quill"],
        ),
        (
            &["guardian", "change-email", address, "z@now.example"],
            &[address, "former.example"],
        ),
    ];
    for (removal, traces) in removals {
        for served in [false, true] {
            let home = home_with_family();
            let server = served.then(|| home.serve(&[]));
            home.ok(&["guardian", "add", address, "--name", "Zelda Quill"]);
            home.ok(&["child", "link", "1", "--guardian", address]);
            home.ok(&["sign-in-link", address]);
            home.ok(&["token", address]);
            for trace in traces {
                assert!(folder_contains(&home.data(), trace), "it was there");
            }

            home.ok(removal);

            for trace in traces {
                assert!(
                    !folder_contains(&home.data(), trace),
                    "{removal:?} left {trace}, served: {served}"
                );
            }
            home.ok(&["verify"]);
            drop(server);
        }
    }
}

#[test]
fn the_next_backup_removes_the_file_of_a_killed_one_but_not_one_in_progress() {
    let home = home_with_family();
    let at = |name: &str| home.path().join(name);
    let left = |name: &str| {
        let entries = std::fs::read_dir(home.path()).unwrap().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        names
            .filter(|it| it.starts_with(name) && it.ends_with(".partial"))
            .count()
    };
    let server = home.serve(&[]);
    let pid = rustix::process::Pid::from_raw(i32::try_from(server.id()).unwrap()).unwrap();
    // A server that doesn't answer keeps the command at its file.
    rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    let mut killed = home.command(&["backup", "family.backup"]).spawn().unwrap();
    wait_for(|| (left("family.backup") == 1).then_some(()));
    killed.kill().unwrap();
    killed.wait().unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::CONT).unwrap();
    let begun = b"porchlight-backup 1 2026-11-21T16:05:00Z\nand every family's words";
    std::fs::write(at("monday.backup.4711.partial"), begun).unwrap();
    std::fs::write(at("busy.backup.4712.partial"), begun).unwrap();
    std::fs::write(at("notes.7.partial"), "somebody else's").unwrap();
    let busy = std::fs::File::open(at("busy.backup.4712.partial")).unwrap();
    busy.lock().unwrap();

    home.ok(&["backup", "family.backup"]);

    assert_eq!(left("family.backup"), 0);
    assert_eq!(left("monday.backup"), 0, "a backup of another name");
    assert_eq!(left("busy.backup"), 1, "one that is being written");
    assert_eq!(left("notes"), 1, "a file that is none of ours");
    server.terminate();
}

#[test]
fn a_missing_backup_folder_is_refused_unless_it_may_be_created() {
    let home = home_with_family();
    let serve = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--backup-dir",
        "usb/porchlight",
    ];

    let refused = home.refused(&serve);
    let server = home.serve(&[&serve[3..], &["--backup-dir-create"]].concat());
    let folder = home.path().join("usb/porchlight");
    wait_for(|| std::fs::read_dir(&folder).ok()?.next()?.ok());
    server.terminate();

    assert!(
        refused.contains("usb/porchlight, is not there") && refused.contains("--backup-dir-create"),
        "{refused}"
    );
}

/// The disk is removed while the server runs.
#[test]
fn a_backup_folder_that_disappears_is_not_created_again() {
    let home = home_with_family();
    let folder = home.path().join("backups");
    std::fs::create_dir(&folder).unwrap();
    let options = ["--backup-dir", "backups", "--backup-every", "1s"];
    let server = home.serve(&options);
    wait_for(|| std::fs::read_dir(&folder).ok()?.next()?.ok());

    std::fs::rename(&folder, home.path().join("gone")).unwrap();
    // The first failure may belong to a backup that was already being written.
    wait_for(|| {
        let check = home.ok(&["check"]);
        check.contains("backups, is not there").then_some(())
    });

    assert!(!folder.exists());
    server.terminate();
}

/// Runs a command on a `disk` that is mounted read-only.
fn on_read_only(home: &Home, arguments: &[&str]) -> Option<std::process::Output> {
    let own = home.command(arguments);
    let mut shell = std::process::Command::new("unshare");
    shell.args(["--mount", "bash", "-c"]);
    shell.arg(
        "mount --bind disk disk && mount -o remount,bind,ro disk || exit 99; exec \"$0\" \"$@\"",
    );
    shell.arg(own.get_program()).args(own.get_args());
    shell.env("TMPDIR", home.path().join("tmp"));
    let output = shell.current_dir(home.path()).output().ok()?;
    if output.status.code() == Some(99) || text(&output.stderr).contains("unshare failed") {
        eprintln!("Skipped: nothing can be mounted here (it takes root).");
        return None;
    }
    Some(output)
}

#[test]
fn verify_backup_and_export_work_from_a_read_only_disk_and_leave_nothing_elsewhere() {
    let home = Home::new();
    std::fs::create_dir(home.path().join("disk")).unwrap();
    let data = ["--data", "disk/data"];
    let with = |arguments: &[&'static str]| [arguments, &data].concat();
    home.ok(&with(&["guardian", "add", "ada@example.org"]));
    home.ok(&with(&[
        "child",
        "add",
        "Mia",
        "--guardian",
        "ada@example.org",
    ]));
    let temporary = home.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    // A killed process leaves such a folder.
    let left = temporary.join("porchlight-copy-0123456789abcdef");
    std::fs::create_dir(&left).unwrap();
    std::fs::write(left.join("in-use"), "").unwrap();

    for arguments in [
        &["verify"][..],
        &["backup", "family.backup"],
        &["export"],
        &["child", "list"],
    ] {
        let Some(output) = on_read_only(&home, &with(arguments)) else {
            return;
        };
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    }
    let changed = on_read_only(&home, &with(&["child", "rename", "1", "Maja"])).unwrap();
    assert_eq!(changed.status.code(), Some(1));
    assert!(
        text(&changed.stderr).contains("refuses writes"),
        "{}",
        text(&changed.stderr)
    );
    let set_up = on_read_only(&home, &with(&["setup-link"])).unwrap();
    let said = text(&set_up.stderr);
    assert!(said.contains("This Porchlight is set up."), "{said}");
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    home.ok(&["restore", "family.backup", "--data", "again"]);
    assert_eq!(
        exported(&home, &["--data", "again"]),
        exported(&home, &data)
    );
}

#[test]
fn failing_to_remove_an_old_backup_is_only_a_warning() {
    let home = home_with_family();
    let folder = home.path().join("backups");
    std::fs::create_dir(&folder).unwrap();
    let options = ["--backup-dir", "backups", "--backup-keep", "1"];
    let server = home.serve(&options);
    let made = wait_for(|| {
        let mut entries = std::fs::read_dir(&folder).unwrap().flatten();
        let made = entries.find(|entry| entry.path().extension().is_some_and(|it| it == "backup"));
        made.map(|entry| entry.file_name().into_string().unwrap())
    });
    server.terminate();
    std::fs::remove_file(folder.join(&made)).unwrap();
    let (ours, _) = made.rsplit_once('-').unwrap();
    // Not even root can unlink a folder.
    let old = format!("{ours}-20200101T000000Z.backup");
    std::fs::create_dir(folder.join(&old)).unwrap();
    let server = home.serve(&options);

    let check = wait_for(|| {
        let check = home.ok(&[&["check"], &options[..]].concat());
        check.contains("cannot be removed").then_some(check)
    });

    let warning = format!("Warning: The last scheduled backup worked, but backups/{old}");
    assert!(check.contains(&warning), "{check}");
    assert!(!check.contains("have failed"), "{check}");
    server.terminate();
}

#[test]
fn two_homes_with_one_backup_folder_each_keep_their_own() {
    let homes = [home_with_family(), home_with_family()];
    let folder = homes[0].path().join("backups");
    let path = folder.to_str().unwrap();
    let options = [
        "--backup-dir",
        path,
        "--backup-dir-create",
        "--backup-keep",
        "1",
    ];

    let servers = [0, 1].map(|number| {
        let server = homes[number].serve(&options);
        wait_for(|| {
            let check = homes[number].ok(&[&["check"], &options[..]].concat());
            check.contains("last at 20").then_some(())
        });
        server
    });

    let backups = std::fs::read_dir(&folder).unwrap();
    assert_eq!(backups.count(), 2, "one of each");
    for server in servers {
        server.terminate();
    }
}

#[test]
fn the_data_are_read_from_a_disk_that_refuses_writes_although_it_is_mounted_for_writing() {
    if !crate::support::trace::can_trace() {
        return;
    }
    let home = home_with_family();
    let data = ["--data", "porchlight-data"];
    let before = home.ok(&["export"]);
    // As ext4 answers after an error (`emergency_ro`), and a broken disk.
    for error in ["EROFS", "EIO"] {
        let traced = |arguments: &[&str]| {
            let own = home.command(&[arguments, &data].concat());
            let mut strace = std::process::Command::new("strace");
            strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=openat"]);
            strace.args(["-P", "porchlight-data/.write-test", "-e"]);
            strace.arg(format!("inject=openat:error={error}"));
            strace.arg(own.get_program()).args(own.get_args());
            strace.current_dir(home.path()).output().unwrap()
        };

        let read = traced(&["export"]);
        let changed = traced(&["child", "rename", "1", "Maja"]);

        let said = text(&read.stderr);
        assert!(said.contains("refuses writes"), "{said}");
        assert_eq!(text(&read.stdout), before);
        assert!(!changed.status.success());
    }
    assert_eq!(home.ok(&["export"]), before);
}

#[test]
fn scheduled_backups_keep_the_newest_files() {
    let home = home_with_family();
    let folder = home.path().join("backups");
    let backups = || {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        let mut names = names
            .filter(|name| name.ends_with(".backup"))
            .collect::<Vec<_>>();
        names.sort();
        names
    };
    let server = home.serve(&[
        "--backup-dir",
        "backups",
        "--backup-dir-create",
        "--backup-every",
        "1s",
        "--backup-keep",
        "2",
    ]);

    let first = wait_for(|| backups().first().cloned());
    wait_for(|| (backups().len() == 2 && !backups().contains(&first)).then_some(()));
    server.terminate();

    let stored = backups();
    assert_eq!(stored.len(), 2, "{stored:?}");
    let newest = format!("backups/{}", stored[1]);
    home.ok(&["restore", &newest, "--data", "again"]);
    assert_eq!(exported(&home, &["--data", "again"]), exported(&home, &[]));
    let check = home.ok(&["check", "--backup-dir", "backups", "--backup-every", "7d"]);
    assert!(
        check.contains("every 7days to backups, the newest 7 kept; last at 20"),
        "{check}"
    );
}

#[test]
fn an_encrypted_backup_is_verified_and_restored_with_its_secret_key_alone() {
    let home = home_with_family();
    let recipient = home.make_age_key("key.txt");
    let _other = home.make_age_key("other.txt");

    let made = home.ok(&["backup", "b.age", "--backup-recipient", &recipient]);

    assert!(made.starts_with("Backed up "), "{made}");
    assert!(!folder_contains(home.path(), "porchlight-backup"));
    let without = home.refused(&["verify", "b.age"]);
    assert!(
        without.contains("It is encrypted. Name the file with its secret key: --identity FILE."),
        "{without}"
    );
    let wrong = home.refused(&[
        "restore",
        "b.age",
        "--identity",
        "other.txt",
        "--data",
        "again",
    ]);
    assert!(
        wrong.contains(
            "It is encrypted for another key than those in the identity file. Nothing was changed."
        ),
        "{wrong}"
    );
    let sound = home.ok(&["verify", "b.age", "--identity", "key.txt"]);
    assert!(sound.contains("The backup is whole."), "{sound}");

    let whole = std::fs::read(home.path().join("b.age")).unwrap();
    std::fs::write(home.path().join("cut.age"), &whole[..whole.len() - 20]).unwrap();
    let cut = home.refused(&[
        "restore",
        "cut.age",
        "--identity",
        "key.txt",
        "--data",
        "again",
    ]);
    assert!(
        cut.contains(
            "cannot be restored. It is damaged: it cannot be decrypted. Nothing was changed."
        ),
        "{cut}"
    );

    home.ok(&[
        "restore",
        "b.age",
        "--identity",
        "key.txt",
        "--data",
        "again",
    ]);
    assert_eq!(exported(&home, &["--data", "again"]), exported(&home, &[]));
}

#[test]
fn scheduled_backups_are_encrypted_and_no_file_ever_holds_one_in_plain() {
    let home = home_with_family();
    let recipient = home.make_age_key("key.txt");
    let folder = home.path().join("backups");
    let names = || {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect::<Vec<_>>()
    };
    let stop = Arc::new(AtomicBool::new(false));
    let looking = {
        let (folder, stop) = (folder.clone(), stop.clone());
        std::thread::spawn(move || {
            let mut access_log = 0;
            while !stop.load(Ordering::SeqCst) {
                for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                    let bytes = std::fs::read(entry.path()).unwrap_or_default();
                    assert!(
                        bytes.is_empty() || bytes.starts_with(b"age-encryption.org/"),
                        "{entry:?}"
                    );
                    access_log += 1;
                }
            }
            access_log
        })
    };
    let options = [
        "--backup-dir=backups",
        "--backup-dir-create",
        "--backup-every=1s",
        "--backup-keep=2",
    ];
    let server = home.serve(&[&options[..], &["--backup-recipient", &recipient]].concat());

    let first = wait_for(|| {
        names()
            .into_iter()
            .find(|name| name.ends_with(".backup.age"))
    });
    wait_for(|| (!names().contains(&first)).then_some(()));
    server.terminate();
    stop.store(true, Ordering::SeqCst);

    assert!(looking.join().unwrap() > 0);
    let newest = names().into_iter().max().unwrap();
    assert!(newest.ends_with("Z.backup.age"), "{newest}");
    home.ok(&["verify", &format!("backups/{newest}"), "--identity=key.txt"]);
    let check = home.ok(&[&["check", "--backup-recipient", &recipient], &options[..1]].concat());
    assert!(check.contains("; encrypted; last at 20"), "{check}");
}

#[test]
fn age_itself_decrypts_a_backup_and_encrypts_one_that_can_be_restored() {
    let age = |arguments: &[&str], home: &Home| {
        let output = std::process::Command::new("age")
            .args(arguments)
            .current_dir(home.path())
            .output();
        output.map(|output| assert!(output.status.success(), "{}", text(&output.stderr)))
    };
    let home = home_with_family();
    let recipient = home.make_age_key("key.txt");
    home.ok(&["backup", "b.age", "--backup-recipient", &recipient]);

    if age(
        &["--decrypt", "-i", "key.txt", "-o", "plain", "b.age"],
        &home,
    )
    .is_err()
    {
        eprintln!("skipped: age is missing. Run: apt-get install age");
        return;
    }
    let sound = home.ok(&["verify", "plain"]);
    assert!(sound.contains("The backup is whole."), "{sound}");

    age(&["-r", &recipient, "-o", "again.age", "plain"], &home).unwrap();
    home.ok(&[
        "restore",
        "again.age",
        "--identity=key.txt",
        "--data",
        "again",
    ]);
    assert_eq!(exported(&home, &["--data", "again"]), exported(&home, &[]));
}

#[test]
fn a_recipient_that_is_no_public_key_is_refused_and_never_shown() {
    let home = Home::new();
    let _public = home.make_age_key("key.txt");
    let written = std::fs::read_to_string(home.path().join("key.txt")).unwrap();
    let secret = written.lines().last().unwrap();

    let printed = home.refused(&["backup", "b", "--backup-recipient", secret]);

    assert!(printed.contains("This is the secret key."), "{printed}");
    assert!(!printed.contains(secret), "the secret key is printed");
}

#[test]
fn a_failed_scheduled_backup_is_shown_by_check_and_mailed() {
    let home = home_with_family();
    std::fs::write(home.path().join("backups"), "a file, not a folder").unwrap();
    let mut server = home.serve(&[
        "--backup-dir",
        "backups",
        "--mail",
        "console",
        "--alert-mail",
        "admin@example.org",
    ]);

    let mail = server.prints_until("`porchlight check` shows");

    assert!(mail.contains("Email to admin@example.org"), "{mail}");
    assert!(mail.contains("Porchlight: the backup failed"), "{mail}");
    let check = home.ok(&["check"]);
    assert!(
        check.contains("Warning: Scheduled backups have failed since 20"),
        "{check}"
    );
    assert!(check.contains("backups cannot be"), "{check}");
    server.terminate();
}

#[test]
fn the_error_for_damaged_files_names_the_restore_command() {
    // sled treats damage after its snapshot, which it writes on opening, as a torn tail.
    for openings in [0, 2] {
        let home = home_with_family();
        for _ in 0..openings {
            home.ok(&["child", "list"]);
        }
        let database = home.data().join("store/db");
        let whole = std::fs::read(&database).unwrap();
        let mut damaged = whole.clone();
        for place in 0..whole.len() - CANARY.len() {
            if whole[place..].starts_with(CANARY.as_bytes()) {
                damaged[place..place + 4].fill(0);
            }
        }
        std::fs::write(&database, damaged).unwrap();

        let verified = home.run(&["verify"]);

        let problem = text(&verified.stderr);
        assert_eq!(
            verified.status.code(),
            Some(1),
            "{openings}: {}",
            text(&verified.stdout)
        );
        let named = problem.contains("damaged") && problem.contains("porchlight restore FILE");
        assert!(named, "{openings}: {problem}");
    }
}
