//! On a full disk writes are refused and no data is lost. With free space, writes resume without a restart.
//!
//! The tests mount a small tmpfs. Without the right to mount they are skipped with a message.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::support::connection::{Connection, Response};
use crate::support::process::{Home, Server, text, wait_for};
use crate::support::test_app::TestApp;
use porchlight::admin::{Operation, Progress, Reports, Seed};
use porchlight::identity::KeyKind;
use porchlight::kernel::store::{Key, Purpose, Read, Store, StoreError, Table};
use serde_json::{Value, json};

const MEGABYTE: u64 = 1024 * 1024;

/// A mounted tmpfs.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Option<Self> {
        Self::of("size=48m", at)
    }

    fn of(size: &str, at: &Path) -> Option<Self> {
        fs::create_dir(at).unwrap();
        let options = ["-t", "tmpfs", "-o", size, "tmpfs"];
        let mounted = Command::new("mount").args(options).arg(at).output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self(at.to_owned())),
            _ => {
                eprintln!("Skipped: a small disk cannot be mounted here (it takes root).");
                None
            }
        }
    }

    fn free(&self) -> u64 {
        let stat = rustix::fs::statvfs(&self.0).unwrap();
        stat.f_bavail * stat.f_frsize
    }

    /// Fills the disk up to `free` bytes.
    fn fill(&self, free: u64) {
        let _ = fs::remove_file(self.0.join("fill"));
        let length = self.free().saturating_sub(free);
        let mut file = File::create(self.0.join("fill")).unwrap();
        file.write_all(&vec![7; usize::try_from(length).unwrap()])
            .unwrap();
    }

    fn empty(&self) {
        fs::remove_file(self.0.join("fill")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

fn deliver(server: &Server, key: &str, id: &str) -> (u16, Value) {
    let message =
        json!({"message_id": id, "timestamp": "2026-11-21T16:00:00Z", "text_content": "hi"});
    let delivery = json!({"session": "s", "messages": [message]}).to_string();
    let response = server.request("POST", "/api/assistant/deliveries", key, Some(&delivery));
    let (status, body) = response.unwrap();
    (status, serde_json::from_str(&body).unwrap())
}

#[test]
fn without_free_inodes_the_server_starts_with_a_warning_and_accepts_commands_once_there_are_some() {
    let home = Home::new();
    let Some(disk) = SmallDisk::of("size=48m,nr_inodes=64", &home.path().join("disk")) else {
        return;
    };
    let data = ["--data", "disk/data"];
    home.ok(&[&["guardian", "add", "ada@example.org"][..], &data].concat());
    let more = (0..).map(|number| disk.0.join(format!("file-{number}")));
    let filled = more.take_while(|file| File::create(file).is_ok()).count();
    assert!(filled > 0);

    let server = home.serve(&data);
    let (status, _) = server.request("GET", "/readyz", "", None).unwrap();
    fs::remove_file(disk.0.join("file-0")).unwrap();
    wait_for(|| {
        let health = home.run(&[&["health"][..], &data].concat());
        health.status.success().then_some(())
    });

    assert_eq!(status, 200);
    let (_, log) = server.terminate_with_log();
    assert!(log.contains("no room for the socket"), "{log}");
}

const DATA: [&str; 2] = ["--data", "disk/data"];
const ADA: &str = "ada@example.org";

/// The arguments of a command, for the store on the small disk.
fn with<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &DATA].concat()
}

/// Adds a guardian, a child and an assistant. Returns the assistant's key.
fn add_family(home: &Home) -> String {
    home.ok(&with(&["guardian", "add", ADA]));
    home.ok(&with(&["child", "add", "Mia", "--guardian", ADA]));
    let added = home.json(&with(&["assistant", "add", "robot", "--child", "1"]));
    added["key"].as_str().unwrap().to_owned()
}

#[test]
fn a_full_disk_stops_only_writes_and_only_while_it_is_full() {
    let home = Home::new();
    let Some(disk) = SmallDisk::mount(&home.path().join("disk")) else {
        return;
    };
    let key = add_family(&home);
    let server = home.serve(&DATA);
    let token = home.json(&with(&["token", ADA]))["identity_token"].clone();
    let exported = || {
        let family: Value = serde_json::from_str(&home.ok(&with(&["export"]))).unwrap();
        let messages = &family["children"][0]["sessions"][0]["messages"];
        messages.as_array().unwrap().len()
    };
    assert_eq!(deliver(&server, &key, "before").0, 200);

    disk.fill(8 * 1024 * 1024);
    let (status, refused) = deliver(&server, &key, "full");
    assert_eq!(status, 507, "{refused}");
    assert!(
        refused["detail"]
            .as_str()
            .unwrap()
            .starts_with("There is no room left on the disk")
    );
    let (status, _) = server
        .request(
            "GET",
            "/api/sessions/1/messages",
            token.as_str().unwrap(),
            None,
        )
        .unwrap();
    assert_eq!((status, exported()), (200, 1), "reads still work");
    assert_eq!(server.request("GET", "/readyz", "", None).unwrap().0, 503);

    disk.empty();
    assert_eq!(deliver(&server, &key, "after").0, 200, "writes resume");

    disk.fill(0);
    server.kill();
    let server = home.serve(&DATA);
    assert_eq!(exported(), 2, "it starts on a full disk");
    assert_eq!(deliver(&server, &key, "still full").0, 507);
    server.terminate();
    let server = home.serve(&DATA);
    assert_eq!(exported(), 2, "and a second time");

    disk.empty();
    assert_eq!(deliver(&server, &key, "room again").0, 200);
    assert_eq!(exported(), 3);
    assert_eq!(server.terminate(), Some(0));
}

/// A little more than the time between two writes of who looked.
const UNTIL_WRITTEN: Duration = Duration::from_secs(25);

#[test]
fn reads_are_answered_on_a_full_disk_and_who_looked_is_written_soon_after_there_is_room() {
    let home = Home::new();
    let Some(disk) = SmallDisk::mount(&home.path().join("disk")) else {
        return;
    };
    let key = add_family(&home);
    let sign_in = |server: &Server| {
        let link = home.json(&with(&["sign-in-link", ADA]));
        server.sign_in(ADA, link["link"].as_str().unwrap())
    };
    let own = |server: &Server, token: &str| {
        let (status, body) = server
            .request("GET", "/api/child/1/looks", token, None)
            .unwrap();
        assert_eq!(status, 200, "{body}");
        let access_log = serde_json::from_str::<Value>(&body).unwrap();
        let own = &access_log["own"][0];
        [own["read"] == true, own["searched"] == true]
    };
    let server = home.serve(&DATA);
    assert_eq!(deliver(&server, &key, "one").0, 200);
    let token = sign_in(&server);

    disk.fill(0);
    assert_eq!(deliver(&server, &key, "full").0, 507);
    let read = server.request("GET", "/api/sessions/1/messages", &token, None);
    assert_eq!(read.unwrap().0, 200);
    std::thread::park_timeout(UNTIL_WRITTEN);
    let words = json!({"words": "hi"}).to_string();
    let found = server.request("POST", "/api/child/1/search", &token, Some(&words));
    assert_eq!(found.unwrap().0, 200);
    assert_eq!(own(&server, &token), [true, true]);

    disk.empty();
    std::thread::park_timeout(UNTIL_WRITTEN);
    server.kill();
    let server = home.serve(&DATA);
    assert_eq!(own(&server, &sign_in(&server)), [true, true]);
    assert_eq!(server.terminate(), Some(0));
}

/// The requests and commands of one family on a nearly full disk.
struct Household<'a> {
    home: &'a Home,
    server: &'a Server,
    number: usize,
}

impl<'a> Household<'a> {
    fn new(home: &'a Home, server: &'a Server, number: usize) -> Self {
        Self {
            home,
            server,
            number,
        }
    }

    /// Adds the people and the assistants that `endings` removes.
    fn prepare(home: &Home, number: usize) {
        let run = |arguments: &[&str]| home.ok(&[arguments, &DATA].concat());
        let (ada, ben) = (ada(number), ben(number));
        run(&["guardian", "add", &ada]);
        run(&["guardian", "add", &ben]);
        for child in ["stays", "goes"] {
            run(&[
                "child",
                "add",
                child,
                "--guardian",
                &ada,
                "--guardian",
                &ben,
            ]);
        }
        let child = (2 * number + 1).to_string();
        for assistant in ["rotated", "revoked"] {
            let name = format!("{assistant}-{number}");
            run(&["assistant", "add", &name, "--child", &child]);
        }
    }

    fn call(&self, path: &str, cookie: &str, body: &Value) -> Response {
        let headers = [("origin", self.server.url.as_str()), ("cookie", cookie)];
        let mut connection = Connection::open(&self.server.url).unwrap();
        connection
            .call("POST", path, "", &headers, Some(body))
            .unwrap()
    }

    fn sign_in(&self, link: &str) -> Response {
        let (_, token) = link.split_once("#token=").unwrap();
        let token = token.split_whitespace().next().unwrap();
        let body = json!({"email": ada(self.number), "token": token});
        self.call("/api/auth/sign-in", "", &body)
    }

    /// Runs a command. Returns its output or its error message.
    fn command(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.home.run(&[arguments, &DATA].concat());
        if output.status.success() {
            Ok(text(&output.stdout))
        } else {
            Err(text(&output.stderr))
        }
    }

    /// Runs every command that ends or removes something.
    fn endings(&self) -> [(&'static str, Result<String, String>); 6] {
        let number = self.number;
        let (ben, ada) = (ben(number), ada(number));
        let (stays, goes) = ((2 * number + 1).to_string(), (2 * number + 2).to_string());
        let (rotated, revoked) = (format!("rotated-{number}"), format!("revoked-{number}"));
        [
            ("token", self.command(&["token", &ada])),
            ("rotate", self.command(&["assistant", "rotate", &rotated])),
            ("revoke", self.command(&["assistant", "revoke", &revoked])),
            (
                "unlink",
                self.command(&["child", "unlink", &stays, "--guardian", &ben]),
            ),
            (
                "guardian remove",
                self.command(&["guardian", "remove", &ben]),
            ),
            (
                "child remove",
                self.command(&["child", "remove", &goes, "--confirm", "goes"]),
            ),
        ]
    }
}

fn ada(number: usize) -> String {
    format!("ada-{number}@example.org")
}

fn ben(number: usize) -> String {
    format!("ben-{number}@example.org")
}

/// Whether `check` warns that removed data is still in the files.
fn erasure_is_pending(home: &Home) -> bool {
    let found = home.json(&[&["check"][..], &DATA].concat());
    let warnings = found["warnings"].as_array().unwrap().iter();
    let mut warnings = warnings.map(|warning| warning.as_str().unwrap());
    warnings.any(|warning| warning.starts_with("Something that was removed"))
}

#[test]
fn removals_work_on_a_full_disk_and_staying_signed_in_needs_no_space() {
    let home = Home::new();
    let Some(disk) = SmallDisk::mount(&home.path().join("disk")) else {
        return;
    };
    for number in 0..4 {
        Household::prepare(&home, number);
    }
    let key = home.json(&[&["assistant", "add", "robot", "--child", "1"][..], &DATA].concat());
    let key = key["key"].as_str().unwrap().to_owned();
    let server = home.serve(&DATA);
    assert_eq!(deliver(&server, &key, "before").0, 200);

    for (number, free) in [15, 5, 3].into_iter().enumerate() {
        disk.fill(free * MEGABYTE);
        let household = Household::new(&home, &server, number);
        let requested = household.call("/api/auth/link", "", &json!({"email": ada(number)}));
        assert_eq!(requested.status, 202, "{free} MB: {}", requested.body);
        let link = household.command(&["sign-in-link", &ada(number)]).unwrap();
        let signed_in = household.sign_in(&link);
        assert_eq!(signed_in.status, 200, "{free} MB: {}", signed_in.body);
        let minted = household.call("/api/auth/token", &signed_in.cookie, &json!({}));
        assert_eq!(minted.status, 200, "{free} MB: {}", minted.body);
        for (what, done) in household.endings() {
            assert!(done.is_ok(), "{what} with {free} MB: {done:?}");
        }
        let out = household.call("/api/auth/sign-out", &signed_in.cookie, &json!({}));
        assert_eq!(out.status, 204, "{free} MB: {}", out.body);
        assert_eq!(deliver(&server, &key, "full").0, 507, "{free} MB");
        assert!(
            household
                .command(&["guardian", "add", "eve@example.org"])
                .is_err()
        );
        assert!(erasure_is_pending(&home), "{free} MB");
    }

    disk.empty();
    let household = Household::new(&home, &server, 3);
    let link = household.command(&["sign-in-link", &ada(3)]).unwrap();
    let (signed_in, second) = (
        household.sign_in(&link),
        household.command(&["sign-in-link", &ada(3)]),
    );
    for free in [1, 0] {
        disk.fill(free * MEGABYTE);
        let minted = household.call("/api/auth/token", &signed_in.cookie, &json!({}));
        assert_eq!(minted.status, 200, "{free} MB: {}", minted.body);
        let token = serde_json::from_str::<Value>(&minted.body).unwrap()["identity_token"].clone();
        let children = server.request("GET", "/api/children", token.as_str().unwrap(), None);
        assert_eq!(children.unwrap().0, 200, "{free} MB");
        for (what, done) in household.endings() {
            let error = done.expect_err(what);
            assert!(
                error.starts_with("There is no room left on the disk"),
                "{what}: {error}"
            );
        }
        assert_eq!(
            household.sign_in(second.as_ref().unwrap()).status,
            507,
            "{free} MB"
        );
        let out = household.call("/api/auth/sign-out", &signed_in.cookie, &json!({}));
        assert_eq!(out.status, 507, "{free} MB");
    }

    disk.empty();
    for (what, done) in household.endings() {
        assert!(done.is_ok(), "{what} with free space: {done:?}");
    }
    assert_eq!(household.sign_in(second.as_ref().unwrap()).status, 200);
    assert_eq!(deliver(&server, &key, "after").0, 200);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn what_restricts_the_assistant_works_on_a_full_disk() {
    let home = Home::new();
    let Some(disk) = SmallDisk::mount(&home.path().join("disk")) else {
        return;
    };
    let key = add_family(&home);
    let server = home.serve(&DATA);
    let token = home.json(&with(&["token", ADA]))["identity_token"].clone();
    let put = |path: &str, body: &Value| {
        let headers = [("if-match", "*")];
        let mut connection = Connection::open(&server.url).unwrap();
        let path = format!("/api/child/1/{path}");
        let token = token.as_str().unwrap();
        let response = connection.call("PUT", &path, token, &headers, Some(body));
        response.unwrap().status
    };
    let free = json!({"time_zone": "UTC", "quiet_hours": []});
    let with_field = |name: &str, value: Value| {
        let mut times = free.clone();
        times[name] = value;
        times
    };
    let night = json!([{"days": ["mon"], "from": "20:00", "to": "07:00"}]);

    for megabytes in [15, 5, 4] {
        disk.fill(megabytes * MEGABYTE);
        assert_eq!(deliver(&server, &key, "full").0, 507);
        for (what, path, less, more) in [
            ("pause", "times", with_field("pause", json!({})), &free),
            (
                "quiet hours",
                "times",
                with_field("quiet_hours", night.clone()),
                &free,
            ),
            (
                "minutes",
                "times",
                with_field("minutes_a_day", json!(30)),
                &free,
            ),
            ("topics", "blocked_topics", json!(["Sharks"]), &json!([])),
            (
                "starters",
                "curious/on",
                json!({"on": false}),
                &json!({"on": true}),
            ),
        ] {
            assert!(put(path, &less) < 300, "{what} with {megabytes} MB");
            if path == "times" {
                assert!(put(path, &less) < 300, "{what} again");
            }
            assert_eq!(put(path, more), 507, "{what} with {megabytes} MB");
            disk.empty();
            assert!(put(path, more) < 300, "{what} with free space");
            disk.fill(megabytes * MEGABYTE);
        }
    }
    disk.empty();
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn what_lets_somebody_back_in_works_on_a_full_disk() {
    let home = Home::new();
    let Some(disk) = SmallDisk::mount(&home.path().join("disk")) else {
        return;
    };
    home.ok(&["guardian", "add", ADA]);
    home.ok(&["backup", "family.backup"]);
    home.ok(&with(&["restore", "family.backup"]));
    // The first command allocates the store's logs.
    home.ok(&with(&["guardian", "list"]));

    disk.fill(5 * MEGABYTE);
    let reinstated = home.json(&with(&["reinstate", "--all"]));
    home.ok(&with(&["clock", "accept"]));
    let refused = home.refused(&with(&["guardian", "add", "ben@example.org"]));

    assert_eq!(reinstated["reinstated"]["guardians"], 1);
    assert!(refused.contains("There is no room left"), "{refused}");
}

#[test]
fn failed_backups_on_a_full_disk_are_mailed_once() {
    let home = Home::new();
    let Some(disk) = SmallDisk::mount(&home.path().join("disk")) else {
        return;
    };
    add_family(&home);
    fs::write(home.path().join("file"), "").unwrap();
    fs::create_dir(home.path().join("folder")).unwrap();
    let put_backups_in = |target: &str| {
        let link = home.path().join("new-link");
        std::os::unix::fs::symlink(target, &link).unwrap();
        fs::rename(link, home.path().join("backups")).unwrap();
    };
    let wait_for_check = |is_awaited: &dyn Fn(&str) -> bool| {
        wait_for(|| is_awaited(&home.ok(&with(&["check"]))).then_some(()));
    };
    put_backups_in("file");
    disk.fill(5 * MEGABYTE);
    let mut server = home.serve(&with(&[
        "--backup-dir",
        "backups",
        "--backup-every",
        "1s",
        "--mail",
        "console",
        "--alert-mail",
        "admin@example.org",
    ]));
    server.prints_until("Porchlight: the backup failed");

    put_backups_in("backups");
    wait_for_check(&|shown| shown.contains("symbolic links"));
    put_backups_in("folder");
    wait_for_check(&|shown| !shown.contains("Scheduled backups have failed"));
    put_backups_in("file");
    let printed = server.prints_until("Porchlight: the backup failed");

    assert!(!printed.contains("symbolic links"), "{printed}");
    server.terminate();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_fails_as_the_disk_fills_says_why_and_is_erased_once_there_is_space() {
    let home = Home::new();
    let Some(disk) = SmallDisk::mount(&home.path().join("disk")) else {
        return;
    };
    let app = TestApp::in_folder(&home.path().join("disk/data")).await;
    let session = json!({"start": "2026-11-21T16:05:00Z", "messages": [{"text_content": "hi"}]});
    let children = ["Mia", "Leo"].map(|name| json!({"name": name, "sessions": [session]}));
    let family = json!({"assistants": [{"name": "Kitchen"}], "children": children});
    let (disk, inner) = (Arc::new(disk), app.inner.clone());
    let filled = disk.clone();
    // Just before the family becomes visible, somebody adds an assistant of the same name.
    let reports = Reports::of_progress(move |made: Progress| {
        if made.done == made.total {
            let assistants = inner.identity.assistants.clone();
            let added = inner
                .store
                .commit_blocking(Purpose::Ordinary, move |change| {
                    assistants.add(change, "Kitchen", None, KeyKind::AssistantApi)
                });
            added.unwrap();
            filled.fill(MEGABYTE / 2);
        }
    });

    let text = family.to_string();
    let refused = Seed { text }.run(&app.inner, &reports).await.unwrap_err();
    let left = app.inner.children.unfinished().unwrap().len();
    disk.empty();
    app.inner.maintain().await.unwrap();

    assert!(refused.to_string().contains("Kitchen"), "{refused}");
    assert_eq!(left, 2);
    assert!(app.inner.children.unfinished().unwrap().is_empty());
}

#[test]
fn a_removed_child_is_erased_once_there_is_space_and_a_full_disk_can_be_read() {
    let home = Home::new();
    let Some(disk) = SmallDisk::mount(&home.path().join("disk")) else {
        return;
    };
    Household::prepare(&home, 0);
    let key = home.json(&[&["assistant", "add", "robot", "--child", "1"][..], &DATA].concat());
    let key = key["key"].as_str().unwrap().to_owned();
    let server = home.serve(&DATA);
    assert_eq!(deliver(&server, &key, "before").0, 200);
    let link = home.ok(&[&["sign-in-link", &ada(0)][..], &DATA].concat());
    let cookie = Household::new(&home, &server, 0).sign_in(&link).cookie;
    // The cookie's name contains the port, which differs for each server here. Without the port it is the name of an earlier
    // version.
    let (name, value) = cookie.split_once('=').unwrap();
    let cookie = format!("{}={value}", name.rsplit_once('_').unwrap().0);

    disk.fill(5 * MEGABYTE);
    let removed = home.json(&[&["child", "remove", "2", "--confirm", "goes"][..], &DATA].concat());
    assert!(removed["traces"].is_string(), "{removed}");
    assert!(erasure_is_pending(&home));
    assert!(!home.path().join("disk/data/store.2").exists());
    server.terminate();
    let offline = home.ok(&[&["child", "list"][..], &DATA].concat());
    assert!(
        !offline.contains("goes"),
        "a command without a server works"
    );
    let server = home.serve(&DATA);
    disk.empty();
    // The server retries every few seconds.
    let gone = (0..2_000).any(|_| !erasure_is_pending(&home));
    assert!(gone, "the erasure completes once there is space");
    assert!(home.path().join("disk/data/store.2").exists());
    server.kill();

    for (messages, free) in (1..).zip([0, 1, 2, 3, 5, 15, 17]) {
        disk.fill(free * MEGABYTE);
        let server = home.serve(&DATA);
        let household = Household::new(&home, &server, 0);
        let minted = household.call("/api/auth/token", &cookie, &json!({}));
        assert_eq!(minted.status, 200, "{free} MB: {}", minted.body);
        let token = serde_json::from_str::<Value>(&minted.body).unwrap()["identity_token"].clone();
        let token = token.as_str().unwrap();
        let page = server.request("GET", "/api/sessions/1/messages", token, None);
        let page = page.unwrap();
        let page: Value = serde_json::from_str(&page.1).unwrap();
        assert_eq!(
            page["messages"].as_array().unwrap().len(),
            messages,
            "{free} MB: {page}"
        );
        // A later write survives the next start.
        disk.empty();
        assert_eq!(
            deliver(&server, &key, &format!("after {free}")).0,
            200,
            "{free} MB"
        );
        match free % 2 {
            0 => server.kill(),
            _ => drop(server.terminate()),
        }
    }
}

const THING: Table = Table::new("thing");

/// Returns a key far from those of neighbouring numbers.
fn scattered(number: u64) -> Key {
    THING
        .key()
        .number(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Writes scattered records concurrently until the disk is full. Returns their number.
async fn write_until_full(store: &Store) -> u64 {
    let mut number = 0;
    loop {
        let changes = (0..64).map(|place| {
            let first = number + place * 4;
            store.commit(move |change| {
                for number in first..first + 4 {
                    change.put_json(
                        &scattered(number),
                        1,
                        format!("\"{number:0200}\"").as_bytes(),
                    )?;
                }
                Ok::<_, StoreError>(())
            })
        });
        for done in futures_util::future::join_all(changes).await {
            match done {
                Ok(()) => {}
                Err(StoreError::Full) => return number,
                Err(error) => panic!("{error}"),
            }
        }
        number += 256;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sled_never_gets_a_disk_full_error_while_the_store_grows_and_shrinks() {
    let home = Home::new();
    let Some(disk) = SmallDisk::of("size=64m", &home.path().join("disk")) else {
        return;
    };
    let folder = home.path().join("disk/data");
    let store = Store::open(&folder).unwrap();

    let written = write_until_full(&store).await;
    let left = disk.free();
    assert!(left >= 4 * MEGABYTE, "{left} of {written} records");
    println!("{written} records, then {} KB free", left / 1024);

    // Large concurrent changes are refused before the disk is full.
    disk.fill(17 * MEGABYTE);
    let large = (0..8).map(|change_number| {
        store.commit(move |change| {
            for part in 0..60 {
                let key = scattered(1 << 40 | change_number << 8 | part);
                change.put_json(&key, 1, format!("\"{}\"", "a".repeat(50_000)).as_bytes())?;
            }
            Ok::<_, StoreError>(())
        })
    });
    for done in futures_util::future::join_all(large).await {
        assert!(matches!(done, Ok(()) | Err(StoreError::Full)), "{done:?}");
    }
    assert!(disk.free() >= 4 * MEGABYTE, "{}", disk.free());

    // A long erasure with little free space, while the large changes are flushed.
    disk.fill(5 * MEGABYTE);
    let (mut least, mut refused) = (u64::MAX, 0);
    loop {
        let removed = store.commit_for(Purpose::Essential, |change| {
            change.remove_some_below(&THING.key())
        });
        let removed = removed.await;
        least = least.min(disk.free());
        let removed = match removed {
            // The flush temporarily used more space than usual.
            Err(StoreError::Full) if refused < 100 => {
                refused += 1;
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
            removed => removed.unwrap(),
        };
        if removed == 0 {
            break;
        }
    }
    println!("the erasure left at least {} KB free", least / 1024);
    assert!(store.keys_below(&THING.key(), 1).unwrap().is_empty());
    store.close();
    drop(store);

    disk.fill(0);
    let store = Store::open(&folder).unwrap();
    assert!(store.keys_below(&THING.key(), 1).unwrap().is_empty());
}
