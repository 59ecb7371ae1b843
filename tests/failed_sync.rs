//! A failed sync while the server runs: the change is neither acknowledged nor visible, and later writes are refused.
//!
//! strace is attached to the running server and makes each fdatasync fail with EIO. The bytes are in the page cache by then, so
//! after a restart the change may or may not be there.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::support::process::{Home, Server};
use crate::support::trace::can_trace;

const ADA: &str = "ada@example.org";

const TOPICS: &str = "/api/child/1/blocked_topics";

/// strace, attached to a server whose syncs fail. It detaches on exit.
struct FailingSyncs(Child);

impl FailingSyncs {
    fn of(server: &Server) -> Self {
        let mut strace = Command::new("strace")
            .args(["-f", "-p", &server.id().to_string()])
            .args(["-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO"])
            .args(["-o", "/dev/null"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(strace.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("attached") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "strace ended");
        }
        Self(strace)
    }

    fn end(mut self) {
        let pid = rustix::process::Pid::from_child(&self.0);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.0.wait().unwrap();
    }
}

/// A guardian who reads and replaces Mia's blocked topics.
struct Ada {
    home: Home,
    server: Server,
    token: String,
}

impl Ada {
    fn new() -> Self {
        let home = Home::new();
        home.ok(&["guardian", "add", ADA]);
        home.ok(&["child", "add", "Mia", "--guardian", ADA]);
        Self::signed_in(home)
    }

    /// Starts the server. A token is valid for one address only, so each start needs a new one.
    fn signed_in(home: Home) -> Self {
        let server = home.serve(&[]);
        let issued = home.json(&["token", ADA]);
        let token = issued["identity_token"].as_str().unwrap().to_owned();
        Self {
            home,
            server,
            token,
        }
    }

    fn after_kill(self) -> Self {
        self.server.kill();
        Self::signed_in(self.home)
    }

    fn topics(&self) -> (u16, String) {
        let response = self.server.request("GET", TOPICS, &self.token, None);
        response.expect("the server is running")
    }

    fn block(&self, topics: &str) -> (u16, String) {
        let response = self
            .server
            .request("PUT", TOPICS, &self.token, Some(topics));
        response.expect("the server is running")
    }
}

#[test]
fn a_change_whose_sync_failed_is_neither_acknowledged_nor_visible() {
    if !can_trace() {
        return;
    }
    let ada = Ada::new();
    assert_eq!(ada.block(r#"["Dinosaurs"]"#).0, 200);

    let failing = FailingSyncs::of(&ada.server);
    let (status, answer) = ada.block(r#"["Volcanoes"]"#);
    failing.end();

    assert_eq!(status, 503);
    assert!(
        answer.contains("It is not known whether this was kept."),
        "{answer}"
    );
    let stored = (200, r#"["Dinosaurs"]"#.to_owned());
    assert_eq!(ada.topics(), stored, "the change is not visible");

    // A failed sync is never retried: the system may have dropped the unwritten pages.
    let (status, answer) = ada.block(r#"["Geysers"]"#);
    assert_eq!(status, 503);
    assert!(answer.contains("Nothing was changed"), "{answer}");
    assert_eq!(ada.topics(), stored);
    let ready = ada.server.request("GET", "/readyz", "", None).unwrap();
    assert_eq!(ready.0, 503);

    let ada = ada.after_kill();
    let (_, actual) = ada.topics();
    let possible = [r#"["Dinosaurs"]"#, r#"["Volcanoes"]"#];
    assert!(possible.contains(&actual.as_str()), "{actual}");
    assert_eq!(ada.block(r#"["Geysers"]"#).0, 200);
}
