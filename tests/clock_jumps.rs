//! The system clock jumps forward and back under a running server. Expiry still works, no data is lost, nothing panics.
//!
//! libfaketime sets the real binary's clock. Without it the tests are skipped with a message.

use std::fs;
use std::process::Command;

use crate::support::connection::{Connection, Response};
use crate::support::faketime::{faketime, library};
use crate::support::process::{Home, Server, text};
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// A server whose clock the test can set.
struct TestServer {
    home: Home,
    server: Server,
    key: String,
}

impl TestServer {
    fn new() -> Option<Self> {
        let library = library()?;
        let home = Home::new();
        home.ok(&["guardian", "add", ADA]);
        home.ok(&["child", "add", "Mia", "--guardian", ADA]);
        let added = home.json(&["assistant", "add", "robot", "--child", "1"]);
        let key = added["key"].as_str().unwrap().to_owned();
        fs::write(home.path().join("clock"), "+0").unwrap();
        let clock = home.path().join("clock");
        let prefix = faketime(
            &library,
            format!("FAKETIME_TIMESTAMP_FILE={}", clock.display()),
        );
        let server = home.serve_with_prefix(&prefix, &["--limits", "off", "--mail", "console"]);
        Some(Self { home, server, key })
    }

    /// Sets the clock's offset from the true time.
    fn clock(&self, seconds: i64) {
        let beside = self.home.path().join("clock.new");
        fs::write(&beside, format!("{seconds:+}")).unwrap();
        fs::rename(beside, self.home.path().join("clock")).unwrap();
    }

    fn call(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Response {
        self.call_as("", method, path, headers, body)
    }

    fn call_as(
        &self,
        bearer: &str,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Response {
        let mut connection = Connection::open(&self.server.url).unwrap();
        connection
            .call(method, path, bearer, headers, body)
            .unwrap()
    }

    fn get(&self, bearer: &str, path: &str) -> Value {
        let response = self.call_as(bearer, "GET", path, &[], None);
        assert_eq!(response.status, 200, "{path}: {}", response.body);
        serde_json::from_str(&response.body).unwrap()
    }

    fn put(&self, bearer: &str, path: &str, body: &Value) {
        let response = self.call_as(bearer, "PUT", path, &[], Some(body));
        assert!(
            matches!(response.status, 200 | 204),
            "{path}: {}",
            response.body
        );
    }

    fn token(&self) -> String {
        let made = self.home.json(&["token", ADA]);
        made["identity_token"].as_str().unwrap().to_owned()
    }

    /// Returns the status of a request with this token.
    fn status_with(&self, token: &str) -> u16 {
        self.call_as(token, "GET", "/api/children", &[], None)
            .status
    }

    /// Creates a sign-in link. Returns its token.
    fn link(&self) -> String {
        let printed = self.home.ok(&["sign-in-link", ADA]);
        let (_, token) = printed.split_once("#token=").unwrap();
        token.split_whitespace().next().unwrap().to_owned()
    }

    fn sign_in(&self, link: &str) -> Response {
        let body = json!({"email": ADA, "token": link});
        let origin = self.server.url.clone();
        self.call(
            "POST",
            "/api/auth/sign-in",
            &[("origin", &origin)],
            Some(&body),
        )
    }

    fn refresh(&self, cookie: &str) -> u16 {
        let headers = [("origin", self.server.url.as_str()), ("cookie", cookie)];
        self.call("POST", "/api/auth/token", &headers, None).status
    }

    /// Stops the server. Fails if anything panicked.
    fn close(self) {
        let (code, log) = self.server.terminate_with_log();
        assert_eq!(code, Some(0), "{log}");
        assert!(!log.contains("panic"), "{log}");
    }
}

#[test]
fn tokens_links_and_sign_ins_expire_on_time_despite_clock_jumps() {
    let Some(app) = TestServer::new() else { return };

    let early = app.token();
    assert_eq!(app.status_with(&early), 200);
    app.clock(9 * MINUTE);
    assert_eq!(app.status_with(&early), 200);
    app.clock(11 * MINUTE);
    assert_eq!(app.status_with(&early), 401, "expired after 10 minutes");
    let late = app.token();
    assert_eq!(app.status_with(&late), 200);
    app.clock(-DAY);
    let before = app.token();
    assert_eq!(
        app.status_with(&before),
        200,
        "a new token works after a jump back"
    );
    app.clock(22 * MINUTE);
    for token in [&early, &late, &before] {
        assert_eq!(app.status_with(token), 401, "a jump back extends no token");
    }

    app.clock(0);
    let (in_time, too_late) = (app.link(), app.link());
    app.clock(29 * MINUTE);
    let signed_in = app.sign_in(&in_time);
    assert_eq!(signed_in.status, 200, "{}", signed_in.body);
    assert_ne!(app.sign_in(&in_time).status, 200, "it was used");
    app.clock(-HOUR);
    assert_ne!(app.sign_in(&in_time).status, 200, "it stays used");
    app.clock(31 * MINUTE);
    assert_ne!(
        app.sign_in(&too_late).status,
        200,
        "expired after 30 minutes"
    );

    let cookie = signed_in.cookie;
    for week in 1..5 {
        app.clock(week * 6 * DAY);
        assert_eq!(app.refresh(&cookie), 200, "day {}", week * 6);
    }
    app.clock(31 * DAY);
    assert_eq!(app.refresh(&cookie), 401, "expired after 30 days");
    app.clock(0);
    let idle = app.sign_in(&app.link()).cookie;
    app.clock(8 * DAY);
    assert_eq!(app.refresh(&idle), 401, "it was idle for a week");
    app.close();
}

#[test]
fn clock_jumps_lose_and_reorder_nothing() {
    let Some(app) = TestServer::new() else { return };
    let base = "/api/assistant";
    let activities = (1..=4).map(|id| json!({"activity_id": id.to_string(), "topic": "Tides"}));
    let activities = Value::from_iter(activities);
    app.put(
        &app.key,
        &format!("{base}/child/1/activities/upcoming"),
        &activities,
    );

    let mut after = String::new();
    let jumps = [0, HOUR, -HOUR, -YEAR, 80 * YEAR];
    for (number, jump) in jumps.into_iter().enumerate() {
        app.clock(jump);
        let token = app.token();
        let messages = json!([{"message_id": "1", "timestamp": "2026-11-21T16:00:00Z", "text_content": "hi"},
            {"message_id": "2", "timestamp": "2026-11-21T16:00:01Z", "text_content": "ho"}]);
        let delivery = json!({"session": format!("s{number}"), "messages": messages, "completion": {"duration": 60}});
        let deliver = || {
            let path = format!("{base}/deliveries");
            let response = app.call_as(&app.key, "POST", &path, &[], Some(&delivery));
            response.status
        };
        if jump == -YEAR {
            assert_eq!(deliver(), 503, "the clock was set back");
            app.home.ok(&["clock", "accept"]);
        }
        assert_eq!(deliver(), 200);
        let activity = format!("/api/child/1/activities/upcoming/{}", number % 4 + 1);
        app.put(
            &token,
            &format!("{activity}/feedback"),
            &json!({"feedback": "up"}),
        );
        app.put(
            &token,
            "/api/child/1/blocked_topics",
            &json!([format!("matter {jump}")]),
        );

        // The assistant gets exactly the feedback since its last request, despite the clock.
        let update = app.get(&app.key, &format!("{base}/child/1/feedback{after}"));
        let feedback = update["feedback"].as_array().unwrap();
        assert_eq!(feedback.len(), 1, "after a jump to {jump}: {update}");
        assert_eq!(feedback[0]["activity_id"], (number % 4 + 1).to_string());
        after = format!("?after={}", update["next"].as_str().unwrap());
        assert_eq!(
            app.get(&token, "/api/child/1/blocked_topics"),
            json!([format!("matter {jump}")])
        );
        assert!(app.get(&token, "/api/child/1/summary").is_object());
        assert_eq!(app.call("GET", "/readyz", &[], None).status, 200);
    }

    app.clock(0);
    let token = app.token();
    let mut numbers = Vec::new();
    let mut page = app.get(&token, "/api/sessions?child_id=1&limit=1");
    loop {
        let sessions = page["sessions"].as_array().unwrap().iter();
        numbers.extend(sessions.map(|session| session["session_id"].as_u64().unwrap()));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        page = app.get(
            &token,
            &format!("/api/sessions?child_id=1&limit=1&before={next}"),
        );
    }
    numbers.sort_unstable();
    assert_eq!(
        numbers,
        [1, 2, 3, 4, 5],
        "each session is on exactly one page"
    );
    for number in numbers {
        let messages = app.get(&token, &format!("/api/sessions/{number}/messages"));
        let messages = messages["messages"].as_array().unwrap().iter();
        let ids = messages.map(|message| message["message_id"].as_str().unwrap());
        assert_eq!(ids.collect::<Vec<_>>(), ["1", "2"]);
    }
    let completed = app.get(&token, "/api/child/1/activities/completed");
    assert_eq!(completed.as_array().unwrap().len(), jumps.len());
    app.close();
}

#[test]
fn a_sign_in_survives_a_wrong_clock() {
    let Some(app) = TestServer::new() else { return };
    let cookie = app.sign_in(&app.link()).cookie;
    let token = app.token();

    // To 1970: a machine without a clock battery boots with that time.
    for (jump, refresh, call) in [
        (-DAY, 200, 401),
        (-YEAR, 503, 503),
        (-56 * YEAR, 503, 503),
        (YEAR, 401, 401),
    ] {
        app.clock(jump);
        assert_eq!(app.refresh(&cookie), refresh, "after a jump by {jump}");
        assert_eq!(app.status_with(&token), call, "after a jump by {jump}");
        // Another sign-in leaves this one valid.
        assert_eq!(app.sign_in(&app.link()).status, 200);
        app.clock(0);
        assert_eq!(app.refresh(&cookie), 200, "after a jump by {jump} and back");
        assert_eq!(app.status_with(&token), 200);
    }
    app.close();
}

#[test]
fn a_clock_that_is_briefly_ahead_deletes_nothing_that_waits() {
    let Some(app) = TestServer::new() else { return };
    let messages = json!([{"message_id": "1", "text_content": "hi"}]);
    let delivery = json!({"session": "s", "messages": messages});
    let path = "/api/assistant/deliveries";
    let delivered = app.call_as(&app.key, "POST", path, &[], Some(&delivery));
    assert_eq!(delivered.status, 200, "{}", delivered.body);
    let deleted = app.call_as(&app.token(), "DELETE", "/api/sessions/1", &[], None);
    assert_eq!(deleted.status, 204, "{}", deleted.body);

    app.clock(8 * DAY);
    // The server deletes what is due before it answers.
    app.home.ok(&["child", "rename", "1", "Mia Lou"]);
    app.clock(0);

    let path = "/api/child/1/deleted_sessions/1/undelete";
    let restored = app.call_as(&app.token(), "POST", path, &[], None);
    assert_eq!(restored.status, 204, "{}", restored.body);
    let session = app.get(&app.token(), "/api/sessions/1/messages");
    assert_eq!(session["messages"][0]["text_content"], "hi");
    assert!(app.home.ok(&["check"]).contains("clock accept"));
    app.home.ok(&["clock", "accept"]);
    assert!(!app.home.ok(&["check"]).contains("clock accept"));
    app.close();
}

#[test]
fn a_clock_before_1970_causes_an_error_message_and_no_panic() {
    let Some(library) = library() else { return };
    let home = Home::new();
    home.ok(&["guardian", "add", ADA]);
    let prefix = faketime(&library, "FAKETIME=@1966-11-21 20:00:00".to_owned());

    let commands: [&[&str]; 7] = [
        &["serve", "--listen", "127.0.0.1:0"],
        &["guardian", "list"],
        &["token", ADA],
        &["verify"],
        &["check"],
        &["export"],
        &["health"],
    ];
    for command in commands {
        let mut ran = Command::new(&prefix[0]);
        ran.args(&prefix[1..]).current_dir(home.path());
        let ran = ran.arg(env!("CARGO_BIN_EXE_porchlight")).args(command);
        let output = ran.output().unwrap();
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {messages}");
        assert!(
            messages.starts_with("The clock of this machine shows 1966-11-21")
                && messages.lines().count() == 1,
            "{command:?}: {messages}"
        );
    }
    home.ok(&["guardian", "list"]);
}
