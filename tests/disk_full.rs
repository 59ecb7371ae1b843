//! On a full disk nothing new is kept and nothing is lost; with room again, it goes on by itself.
//!
//! A small disk of one's own takes the right to mount one. Where that isn't given, the test says so.

#[path = "support/process.rs"]
mod process;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use process::{Home, Server};
use serde_json::{Value, json};

/// A disk of 48 MB.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Option<Self> {
        fs::create_dir(at).unwrap();
        let options = ["-t", "tmpfs", "-o", "size=48m", "tmpfs"];
        let mounted = Command::new("mount").args(options).arg(at).output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self(at.to_owned())),
            _ => {
                eprintln!("Skipped: a small disk cannot be mounted here (it takes root).");
                None
            }
        }
    }

    /// Leaves so many bytes free.
    fn fill(&self, free: u64) {
        let stat = rustix::fs::statvfs(&self.0).unwrap();
        let much = (stat.f_bavail * stat.f_frsize).saturating_sub(free);
        let mut file = File::create(self.0.join("fill")).unwrap();
        file.write_all(&vec![7; usize::try_from(much).unwrap()])
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
        json!([{"message_id": id, "timestamp": "2026-11-21T16:00:00Z", "text_content": "hi"}]);
    let path = "/api/assistant/sessions/s/messages";
    let answer = server.request("POST", path, key, Some(&message.to_string()));
    let (status, body) = answer.unwrap();
    (status, serde_json::from_str(&body).unwrap())
}

#[test]
fn a_full_disk_stops_writing_alone_and_only_while_it_is_full() {
    let home = Home::new();
    let Some(disk) = SmallDisk::mount(&home.path().join("disk")) else {
        return;
    };
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
    let key = home.json(&with(&["assistant", "add", "robot", "--child", "1"]))["key"].clone();
    let key = key.as_str().unwrap();
    let server = home.serve(&data);
    let open = json!({"child_id": 1}).to_string();
    server
        .request("PUT", "/api/assistant/sessions/s", key, Some(&open))
        .unwrap();
    let token = home.json(&with(&["token", "ada@example.org"]))["identity_token"].clone();
    let exported = || {
        let family: Value = serde_json::from_str(&home.ok(&with(&["export"]))).unwrap();
        let messages = &family["children"][0]["sessions"][0]["messages"];
        messages.as_array().unwrap().len()
    };
    assert_eq!(deliver(&server, key, "before").0, 200);

    disk.fill(8 * 1024 * 1024);
    let (status, refused) = deliver(&server, key, "full");
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
    assert_eq!((status, exported()), (200, 1), "reading goes on");
    assert_eq!(server.request("GET", "/readyz", "", None).unwrap().0, 503);

    disk.empty();
    assert_eq!(
        deliver(&server, key, "after").0,
        200,
        "writing goes on by itself"
    );

    disk.fill(0);
    server.kill();
    let server = home.serve(&data);
    assert_eq!(exported(), 2, "it starts on a full disk");
    assert_eq!(deliver(&server, key, "still full").0, 507);
    server.terminate();
    let server = home.serve(&data);
    assert_eq!(exported(), 2, "and again");

    disk.empty();
    assert_eq!(deliver(&server, key, "room again").0, 200);
    assert_eq!(exported(), 3);
    assert_eq!(server.terminate(), Some(0));
}
