//! The clock of a running server jumps, forward and back: what should end ends, nothing is lost between, nothing panics.
//!
//! libfaketime moves the clock of the real binary. Where it isn't installed, the tests say so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::connection::{Answer, Connection};
use crate::support::process::{Home, Server, text};
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// A house whose clock can be moved.
struct House {
    home: Home,
    server: Server,
    key: String,
}

impl House {
    fn new() -> Option<Self> {
        let library = library()?;
        let home = Home::new();
        home.ok(&["guardian", "add", ADA]);
        home.ok(&["child", "add", "Mia", "--guardian", ADA]);
        let added = home.json(&["assistant", "add", "robot", "--child", "1"]);
        let key = added["key"].as_str().unwrap().to_owned();
        fs::write(home.path().join("clock"), "+0").unwrap();
        let clock = home.path().join("clock");
        let words = within(
            &library,
            format!("FAKETIME_TIMESTAMP_FILE={}", clock.display()),
        );
        let server = home.serve_within(&words, &["--limits", "off"]);
        Some(Self { home, server, key })
    }

    /// Sets the clock so many seconds off the true time, from now on.
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
    ) -> Answer {
        self.call_as("", method, path, headers, body)
    }

    fn call_as(
        &self,
        bearer: &str,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Answer {
        let mut connection = Connection::open(&self.server.url).unwrap();
        connection
            .call(method, path, bearer, headers, body)
            .unwrap()
    }

    fn get(&self, bearer: &str, path: &str) -> Value {
        let answer = self.call_as(bearer, "GET", path, &[], None);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        serde_json::from_str(&answer.body).unwrap()
    }

    fn put(&self, bearer: &str, path: &str, body: &Value) {
        let answer = self.call_as(bearer, "PUT", path, &[], Some(body));
        assert!(
            matches!(answer.status, 200 | 204),
            "{path}: {}",
            answer.body
        );
    }

    fn token(&self) -> String {
        let made = self.home.json(&["token", ADA]);
        made["identity_token"].as_str().unwrap().to_owned()
    }

    /// The status with which this token reads the children.
    fn with_token(&self, token: &str) -> u16 {
        self.call_as(token, "GET", "/api/children", &[], None)
            .status
    }

    /// The token in a fresh link.
    fn link(&self) -> String {
        let printed = self.home.ok(&["sign-in-link", ADA]);
        let (_, token) = printed.split_once("#token=").unwrap();
        token.split_whitespace().next().unwrap().to_owned()
    }

    fn sign_in(&self, link: &str) -> Answer {
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

    /// Nothing panicked, and the server ends as it should.
    fn close(self) {
        let (code, log) = self.server.terminate_and_tell();
        assert_eq!(code, Some(0), "{log}");
        assert!(!log.contains("panic"), "{log}");
    }
}

/// What makes a program see a clock that is set by this.
fn within(library: &Path, setting: String) -> Vec<String> {
    // The time is looked up at every question; what measures spans is left alone, or nothing would wait.
    vec![
        "env".to_owned(),
        format!("LD_PRELOAD={}", library.display()),
        setting,
        "FAKETIME_NO_CACHE=1".to_owned(),
        "FAKETIME_DONT_FAKE_MONOTONIC=1".to_owned(),
        "DONT_FAKE_MONOTONIC=1".to_owned(),
    ]
}

/// Where Debian's package puts it.
fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").unwrap().flatten();
    let within = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
    let found = within.chain([PathBuf::from("/usr/lib/faketime/libfaketimeMT.so.1")]);
    let found = found.into_iter().find(|path| path.exists());
    if found.is_none() {
        eprintln!("Skipped: libfaketime is missing. Run: apt-get install faketime");
    }
    found
}

#[test]
fn tokens_links_and_sign_ins_end_when_they_should_though_the_clock_jumps() {
    let Some(house) = House::new() else { return };

    let early = house.token();
    assert_eq!(house.with_token(&early), 200);
    house.clock(9 * MINUTE);
    assert_eq!(house.with_token(&early), 200);
    house.clock(11 * MINUTE);
    assert_eq!(house.with_token(&early), 401, "ten minutes are over");
    let late = house.token();
    assert_eq!(house.with_token(&late), 200);
    house.clock(-DAY);
    let before = house.token();
    assert_eq!(
        house.with_token(&before),
        200,
        "one can sign in after a jump back"
    );
    house.clock(22 * MINUTE);
    for token in [&early, &late, &before] {
        assert_eq!(
            house.with_token(token),
            401,
            "a jump back lengthens nothing"
        );
    }

    house.clock(0);
    let (in_time, too_late) = (house.link(), house.link());
    house.clock(29 * MINUTE);
    let signed_in = house.sign_in(&in_time);
    assert_eq!(signed_in.status, 200, "{}", signed_in.body);
    assert_ne!(house.sign_in(&in_time).status, 200, "once is once");
    house.clock(-HOUR);
    assert_ne!(house.sign_in(&in_time).status, 200, "before that, too");
    house.clock(31 * MINUTE);
    assert_ne!(house.sign_in(&too_late).status, 200, "half an hour is over");

    let cookie = signed_in.cookie;
    for week in 1..5 {
        house.clock(week * 6 * DAY);
        assert_eq!(house.refresh(&cookie), 200, "day {}", week * 6);
    }
    house.clock(31 * DAY);
    assert_eq!(house.refresh(&cookie), 401, "thirty days are over");
    house.clock(0);
    let idle = house.sign_in(&house.link()).cookie;
    house.clock(8 * DAY);
    assert_eq!(house.refresh(&idle), 401, "it was not used for a week");
    house.close();
}

#[test]
fn nothing_is_lost_or_out_of_order_when_the_clock_jumps() {
    let Some(house) = House::new() else { return };
    let base = "/api/assistant";
    let activities = (1..=4).map(|id| json!({"activity_id": id.to_string(), "topic": "Tides"}));
    let activities = Value::from_iter(activities);
    house.put(
        &house.key,
        &format!("{base}/child/1/activities/upcoming"),
        &activities,
    );

    let mut after = String::new();
    let jumps = [0, HOUR, -HOUR, -YEAR, 80 * YEAR];
    for (number, jump) in jumps.into_iter().enumerate() {
        house.clock(jump);
        let token = house.token();
        let session = format!("{base}/sessions/s{number}");
        house.put(&house.key, &session, &json!({"child_id": 1}));
        let said = json!([{"message_id": "1", "timestamp": "2026-11-21T16:00:00Z", "text_content": "hi"},
            {"message_id": "2", "timestamp": "2026-11-21T16:00:01Z", "text_content": "ho"}]);
        let path = format!("{session}/messages");
        assert_eq!(
            house
                .call_as(&house.key, "POST", &path, &[], Some(&said))
                .status,
            200
        );
        house.put(
            &house.key,
            &format!("{session}/completion"),
            &json!({"duration": 60}),
        );
        let activity = format!("/api/child/1/activities/upcoming/{}", number % 4 + 1);
        house.put(
            &token,
            &format!("{activity}/feedback"),
            &json!({"feedback": "up"}),
        );
        house.put(
            &token,
            "/api/child/1/blocked_topics",
            &json!([format!("matter {jump}")]),
        );

        // What an assistant asks for next is what was judged since it last asked, whatever the clock says.
        let news = house.get(&house.key, &format!("{base}/child/1/feedback{after}"));
        let judged = news["feedback"].as_array().unwrap();
        assert_eq!(judged.len(), 1, "after a jump to {jump}: {news}");
        assert_eq!(judged[0]["activity_id"], (number % 4 + 1).to_string());
        after = format!("?after={}", news["next"].as_str().unwrap());
        assert_eq!(
            house.get(&token, "/api/child/1/blocked_topics"),
            json!([format!("matter {jump}")])
        );
        assert!(house.get(&token, "/api/child/1/summary").is_object());
        assert_eq!(house.call("GET", "/readyz", &[], None).status, 200);
    }

    house.clock(0);
    let token = house.token();
    let mut numbers = Vec::new();
    let mut page = house.get(&token, "/api/sessions?child_id=1&limit=1");
    loop {
        let sessions = page["sessions"].as_array().unwrap().iter();
        numbers.extend(sessions.map(|session| session["session_id"].as_u64().unwrap()));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        page = house.get(
            &token,
            &format!("/api/sessions?child_id=1&limit=1&before={next}"),
        );
    }
    numbers.sort_unstable();
    assert_eq!(
        numbers,
        [1, 2, 3, 4, 5],
        "each session on one page, and once"
    );
    for number in numbers {
        let said = house.get(&token, &format!("/api/sessions/{number}/messages"));
        let said = said["messages"].as_array().unwrap().iter();
        let ids = said.map(|message| message["message_id"].as_str().unwrap());
        assert_eq!(ids.collect::<Vec<_>>(), ["1", "2"]);
    }
    let completed = house.get(&token, "/api/child/1/activities/completed");
    assert_eq!(completed.as_array().unwrap().len(), jumps.len());
    house.close();
}

#[test]
fn a_sign_in_outlives_a_clock_that_is_wrong() {
    let Some(house) = House::new() else { return };
    let cookie = house.sign_in(&house.link()).cookie;
    let token = house.token();

    // Back by a day and by a year, to 1970 as a small machine starts, and a year ahead.
    for (jump, refresh, call) in [
        (-DAY, 503, 503),
        (-YEAR, 503, 503),
        (-56 * YEAR, 503, 503),
        (YEAR, 401, 401),
    ] {
        house.clock(jump);
        assert_eq!(house.refresh(&cookie), refresh, "after a jump by {jump}");
        assert_eq!(house.with_token(&token), call, "after a jump by {jump}");
        // Another sign-in meanwhile forgets nothing.
        assert_eq!(house.sign_in(&house.link()).status, 200);
        house.clock(0);
        assert_eq!(
            house.refresh(&cookie),
            200,
            "after a jump by {jump} and back"
        );
        assert_eq!(house.with_token(&token), 200);
    }
    house.close();
}

#[test]
fn a_clock_before_1970_is_a_sentence_and_no_panic() {
    let Some(library) = library() else { return };
    let home = Home::new();
    home.ok(&["guardian", "add", ADA]);
    let words = within(&library, "FAKETIME=@1966-11-21 20:00:00".to_owned());

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
        let mut ran = Command::new(&words[0]);
        ran.args(&words[1..]).current_dir(home.path());
        let ran = ran.arg(env!("CARGO_BIN_EXE_porchlight")).args(command);
        let output = ran.output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        assert!(
            said.starts_with("The clock of this machine shows 1966-11-21")
                && said.lines().count() == 1,
            "{command:?}: {said}"
        );
    }
    home.ok(&["guardian", "list"]);
}
