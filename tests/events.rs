//! Event streams: their content, and when they end.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::support::operations::{Target, parts};
use crate::support::test_app::{Events, PUBLIC_URL, Persona, TestApp, until_notified};
use poem::http::Method;
use porchlight::admin::{RemoveChild, UnlinkChild};
use porchlight::children::ChildId;
use porchlight::kernel::host::randomness::Randomness;
use serde_json::{Value, json};
use tokio::time::Instant;

const ADA: &str = "ada@example.org";
const GRACE: &str = "grace@example.org";

fn events(child: ChildId) -> String {
    format!("/api/child/{child}/events")
}

async fn block(guardian: &Persona<'_>, child: ChildId, topics: Value) {
    let path = format!("/api/child/{child}/blocked_topics");
    guardian.put(&path, &topics).await.ok();
}

fn message(id: &str, text: &str) -> Value {
    json!({"message_id": id, "source": "child", "text_content": text})
}

async fn say(robot: &Persona<'_>, child: ChildId, session: &str, id: &str) -> Value {
    let delivery = json!({"child_id": child, "messages": [message(id, "Why is the sea salty?")]});
    robot.deliver(session, &delivery).await.json()
}

/// Signs in with a link, as in a browser. Returns the identity token and the cookie.
async fn sign_in(app: &TestApp, email: &str) -> (String, String) {
    let address = email.parse().unwrap();
    let link = app.inner.identity.links.link_for(&address).await.unwrap();
    let token = link.split_once("#token=").unwrap().1;
    let body = json!({"email": email, "token": token}).to_string();
    let headers = [("origin", PUBLIC_URL)];
    let signed_in = app.anonymous();
    let signed_in = signed_in
        .send(Method::POST, "/api/auth/sign-in", &headers, Some(body))
        .await;
    let cookie = signed_in.header("set-cookie").split(';').next().unwrap();
    let token = signed_in.json()["identity_token"]
        .as_str()
        .unwrap()
        .to_owned();
    (token, cookie.to_owned())
}

#[tokio::test]
async fn each_event_follows_its_commit_and_reaches_only_the_streams_of_its_child() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let robot = app.assistant("robot", &[mia, leo]).await;
    let mut leos = ada.stream(&events(leo)).await;
    let mut mias = ada.stream(&events(mia)).await;
    let (of_mia, of_assistant) = (
        format!("/api/child/{mia}"),
        format!("/api/assistant/child/{mia}"),
    );

    let session = say(&robot, mia, "s", "1").await["session_id"].clone();
    mias.until(&format!("session {session}")).await;
    let corrected = json!({"child_id": mia, "messages": [
        {"message_id": "1", "source": "child", "text_content": "Why?", "revision": 1}]});
    robot.deliver("s", &corrected).await.ok();
    mias.until(&format!("session {session}")).await;
    let path = format!("/api/sessions/{session}/messages");
    let read = ada.get(&path).await.json();
    assert_eq!(read["messages"][0]["text_content"], "Why?");
    block(&ada, mia, json!(["Ghosts"])).await;
    let told = mias.until("rules").await;
    assert!(told.contains(&"blocked_topics".to_owned()) && told.contains(&"rules".to_owned()));
    for (path, body, expected) in [
        (
            format!("{of_mia}/context"),
            json!({"text": "Mia is eight."}),
            "context",
        ),
        (
            format!("{of_mia}/times"),
            json!({"time_zone": "UTC", "quiet_hours": []}),
            "times",
        ),
    ] {
        ada.put(&path, &body).await.ok();
        mias.until(expected).await;
    }
    for (operation, part) in parts() {
        let (child, method) = (mia.to_string(), operation.method.clone());
        let path = operation.at(&Target::of([&child, "", "", ""]));
        let body = Some(operation.body(&child).to_string());
        ada.send(method, &path, &[], body).await.ok();
        mias.until(part).await;
    }
    let proposals = json!([{"activity_id": "a", "topic": "Tides"}]);
    let upcoming = format!("{of_assistant}/activities/upcoming");
    robot.put(&upcoming, &proposals).await.ok();
    mias.until("activities").await;
    let report = json!({"note": "well"});
    robot
        .put(&format!("{of_assistant}/report"), &report)
        .await
        .ok();
    mias.until("summary").await;
    let rules = robot.get(&format!("{of_assistant}/rules")).await.json();
    let receipt = json!({"version": rules["version"], "evidence": "in_prompt"});
    let delivery = json!({"child_id": mia, "rules": [receipt]});
    robot.deliver("s", &delivery).await.ok();
    mias.until("receipts").await;
    app.assistant("another robot", &[mia]).await;
    mias.until("everything").await;

    block(&ada, leo, json!(["Spiders"])).await;
    let told = leos.until("rules").await;
    assert_eq!(told, ["blocked_topics", "history", "rules"], "of Leo alone");
}

#[tokio::test]
async fn a_burst_of_writes_is_coalesced_into_few_events() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let mut stream = ada.stream(&events(mia)).await;
    let session = say(&robot, mia, "s", "first").await["session_id"].clone();
    stream.until(&format!("session {session}")).await;

    // The stream isn't read in the meantime.
    for number in 0..50 {
        say(&robot, mia, "s", &number.to_string()).await;
    }
    block(&ada, mia, json!(["Ghosts"])).await;

    let told = stream.until("rules").await;
    let of_session = told
        .iter()
        .filter(|it| **it == format!("session {session}"));
    assert!(of_session.count() <= 2, "{told:?}");
}

#[tokio::test]
async fn a_large_delivery_sends_precise_events_to_its_own_family_only() {
    let app = TestApp::new().await;
    let (ada, grace) = (app.guardian(ADA).await, app.guardian(GRACE).await);
    let (mia, tom) = (
        app.child("Mia", &[ADA]).await,
        app.child("Tom", &[GRACE]).await,
    );
    let robot = app.assistant("robot", &[mia]).await;
    let mut mias = ada.stream(&events(mia)).await;
    let mut toms = grace.stream(&events(tom)).await;
    let messages = (0..1000).map(|number| message(&number.to_string(), "Hello"));
    let delivery = json!({"child_id": mia, "messages": messages.collect::<Vec<_>>()});

    let session = robot.deliver("s", &delivery).await.json()["session_id"].clone();
    block(&grace, tom, json!(["Ghosts"])).await;

    let told = mias.until(&format!("session {session}")).await;
    assert!(!told.contains(&"everything".to_owned()), "{told:?}");
    let told = toms.until("blocked_topics").await;
    assert!(!told.contains(&"everything".to_owned()), "{told:?}");
}

#[tokio::test]
async fn a_silent_stream_sends_a_heartbeat_every_fifteen_seconds() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let opened = Instant::now();
    let mut stream = ada.stream(&events(mia)).await;
    tokio::time::pause();

    for beat in 1..=3 {
        assert_eq!(stream.next().await.as_deref(), Some(":"));
        assert_eq!(opened.elapsed().as_secs(), 15 * beat);
    }
}

#[tokio::test]
async fn a_stream_says_how_long_its_child_has_been_unchanged() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    until_notified().await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(60)).await;
    tokio::time::resume();
    let mut told = ada.stream(&events(leo)).await;
    block(&ada, leo, json!(["Ghosts"])).await;
    told.until("blocked_topics").await;

    let (mias, leos) = (
        ada.stream(&events(mia)).await,
        ada.stream(&events(leo)).await,
    );

    assert!(mias.unchanged_for >= Duration::from_secs(60));
    assert!(leos.unchanged_for < Duration::from_secs(60));
}

/// Asserts that the stream ends within a second of now, without an event.
async fn assert_ends(stream: Events, why: &str) {
    assert_ends_within(stream, Duration::from_secs(1), why).await;
}

async fn assert_ends_within(mut stream: Events, limit: Duration, why: &str) {
    tokio::time::pause();
    let before = Instant::now();
    let told = stream.next().await;
    assert_eq!(told, None, "{why}");
    assert!(before.elapsed() <= limit, "{why}");
    tokio::time::resume();
}

#[tokio::test]
async fn a_stream_ends_with_its_sign_in_and_no_other_does() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let grace = app.guardian(GRACE).await;
    let mia = app.child("Mia", &[ADA, GRACE]).await;
    let mut stays = grace.stream(&events(mia)).await;
    let email = || ADA.parse().unwrap();

    let (token, cookie) = sign_in(&app, ADA).await;
    let (other_token, other_cookie) = sign_in(&app, ADA).await;
    let stream = app.bearer(&token).stream(&events(mia)).await;
    let other = app.bearer(&other_token).stream(&events(mia)).await;
    let sign_out = async |cookie: &str, body: Value| {
        let headers = [("origin", PUBLIC_URL), ("cookie", cookie)];
        let anonymous = app.anonymous();
        let sent = anonymous.send(
            Method::POST,
            "/api/auth/sign-out",
            &headers,
            Some(body.to_string()),
        );
        sent.await.ok();
    };
    sign_out(&cookie, json!({})).await;
    assert_ends(stream, "signed out").await;
    let (third_token, _) = sign_in(&app, ADA).await;
    let third = app.bearer(&third_token).stream(&events(mia)).await;
    sign_out(&other_cookie, json!({"everywhere": true})).await;
    assert_ends(other, "signed out everywhere").await;
    assert_ends(third, "signed out everywhere by another device").await;

    let (token, _) = sign_in(&app, ADA).await;
    let (other_token, _) = sign_in(&app, ADA).await;
    let stream = app.bearer(&token).stream(&events(mia)).await;
    let listed = app.bearer(&token).get("/api/auth/sign_ins").await.json();
    let current = listed["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["current"] == true);
    let path = format!(
        "/api/auth/sign_ins/{}",
        current.unwrap()["sign_in_id"].as_str().unwrap()
    );
    let other = app.bearer(&other_token);
    other.send(Method::DELETE, &path, &[], None).await.ok();
    assert_ends(stream, "ended from another device").await;

    let stream = other.stream(&events(mia)).await;
    let inner = app.inner.clone();
    let removed = app
        .inner
        .store
        .commit(move |change| inner.identity.remove_guardian(change, &email()).map(drop));
    removed.await.unwrap();
    assert_ends(stream, "removed").await;

    block(&grace, mia, json!(["Ghosts"])).await;
    stays.until("rules").await;
}

#[tokio::test]
async fn a_stream_ends_when_its_guardian_loses_the_child() {
    let app = TestApp::new().await;
    let (ada, grace) = (app.guardian(ADA).await, app.guardian(GRACE).await);
    let mia = app.child("Mia", &[ADA, GRACE]).await;
    let (adas, graces) = (
        ada.stream(&events(mia)).await,
        grace.stream(&events(mia)).await,
    );

    let unlink = UnlinkChild {
        child: mia,
        email: ADA.parse().unwrap(),
    };
    app.run_admin(unlink).await.0.unwrap();
    assert_ends(adas, "unlinked").await;
    ada.get(&events(mia)).await.problem(404);

    let remove = RemoveChild {
        child: mia,
        name: "Mia".to_owned(),
    };
    app.run_admin(remove).await.0.unwrap();
    assert_ends(graces, "the child was removed").await;
}

#[tokio::test]
async fn a_stream_outlives_its_token_and_ends_with_the_sign_in() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let (token, _) = sign_in(&app, ADA).await;
    let mut stream = app.bearer(&token).stream(&events(mia)).await;

    app.clock.advance(Duration::from_secs(6 * 24 * 60 * 60));
    app.bearer(&token).get(&events(mia)).await.problem(401);
    let (fresh, _) = sign_in(&app, ADA).await;
    block(&app.bearer(&fresh), mia, json!(["Ghosts"])).await;
    stream.until("rules").await;

    app.clock.advance(Duration::from_secs(24 * 60 * 60));
    // Expiring writes nothing, so only the check every ten seconds notices it. It may begin at the end of the pause after an
    // event, a tenth of a second.
    assert_ends_within(stream, Duration::from_secs(11), "a week without a use").await;
}

#[tokio::test]
async fn a_stopping_server_ends_all_streams_and_refuses_new_ones() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let mut stream = ada.stream(&events(mia)).await;

    app.inner.drain();

    assert_eq!(stream.next().await, None);
    let refused = ada.get(&events(mia)).await;
    assert_eq!(refused.header("retry-after"), "5");
    refused.problem(503);
}

#[tokio::test]
async fn one_guardians_streams_cannot_exhaust_the_connections() {
    let app = TestApp::new().await;
    let (ada, grace) = (app.guardian(ADA).await, app.guardian(GRACE).await);
    let mia = app.child("Mia", &[ADA, GRACE]).await;
    let mut open = Vec::new();
    for _ in 0..12 {
        open.push(ada.stream(&events(mia)).await);
    }

    let refused = ada.get(&events(mia)).await;

    assert_eq!(refused.header("retry-after"), "30");
    assert!(
        refused
            .problem(429)
            .starts_with("You have more pages open at once")
    );
    grace.stream(&events(mia)).await;
    open.pop();
    ada.stream(&events(mia)).await;
}

/// A page that shows everything about a child: it fetches all data when its stream opens, then only what the events name.
struct Page<'a> {
    guardian: &'a Persona<'a>,
    child: ChildId,
    stream: Events,
    shown: BTreeMap<String, Value>,
}

impl<'a> Page<'a> {
    async fn open(guardian: &'a Persona<'a>, child: ChildId) -> Self {
        let stream = guardian.stream(&events(child)).await;
        let mut page = Self {
            guardian,
            child,
            stream,
            shown: BTreeMap::new(),
        };
        page.fetch("everything").await;
        page
    }

    async fn fetch_path(&mut self, path: String) -> Value {
        let read = self.guardian.get(&path).await;
        self.shown.insert(path, read.json());
        read.json()
    }

    /// Fetches what an event names.
    async fn fetch(&mut self, event: &str) {
        let child = self.child;
        let of_child = |parts: &[&str]| {
            let path = |part: &&str| format!("/api/child/{child}/{part}");
            parts.iter().map(path).collect::<Vec<_>>()
        };
        let session = |id: &str| {
            [
                format!("/api/sessions?child_id={child}&limit=500"),
                format!("/api/sessions/{id}"),
                format!("/api/sessions/{id}/messages?limit=500"),
                format!("/api/sessions/{id}/receipts"),
            ]
        };
        let receipts = ["rules/receipts", "talk_status", "connections"];
        let paths = match event {
            ":" => return,
            "summary" | "context" | "connections" | "blocked_topics" | "alerts" => {
                of_child(&[event])
            }
            "times" | "history" => of_child(&[event, "talk_status"]),
            "rules" => of_child(&["rules", "rules/history", "rules/receipts", "connections"]),
            "activities" => of_child(&["activities/completed", "activities/upcoming"]),
            "receipts" => of_child(&receipts),
            "everything" => {
                let list = format!("/api/sessions?child_id={child}&limit=500");
                let listed = self.fetch_path(list).await;
                let ids = listed["sessions"].as_array().unwrap().iter();
                let mut paths = ids
                    .flat_map(|it| session(&it["session_id"].to_string()))
                    .collect::<Vec<_>>();
                paths.extend(of_child(&[
                    "alerts",
                    "summary",
                    "context",
                    "times",
                    "connections",
                    "history",
                    "blocked_topics",
                    "rules",
                    "rules/history",
                    "rules/receipts",
                    "talk_status",
                    "activities/completed",
                    "activities/upcoming",
                ]));
                paths
            }
            other => {
                let id = other.strip_prefix("session ").expect("a known event");
                let mut paths = session(id).to_vec();
                paths.extend(of_child(&receipts));
                paths
            }
        };
        for path in paths {
            self.fetch_path(path).await;
        }
    }

    /// Fetches what is named up to this event.
    async fn follow_until(&mut self, last: &str) {
        for event in self.stream.until(last).await {
            self.fetch(&event).await;
        }
    }
}

/// Makes one write, chosen by these numbers.
async fn write(ada: &Persona<'_>, robot: &Persona<'_>, child: ChildId, chosen: [u8; 3]) {
    let [kind, which, what] = chosen;
    let (of_child, of_assistant) = (
        format!("/api/child/{child}"),
        format!("/api/assistant/child/{child}"),
    );
    let session = format!("s{}", which % 4);
    match kind % 8 {
        0 => block(ada, child, json!([format!("Topic {what}")])).await,
        1 => {
            let context = json!({"text": format!("Context {what}")});
            ada.put(&format!("{of_child}/context"), &context).await.ok();
        }
        2 => {
            let times =
                json!({"time_zone": "UTC", "quiet_hours": [], "minutes_a_day": what.max(1)});
            ada.put(&format!("{of_child}/times"), &times).await.ok();
        }
        3 => {
            let completion = json!({"child_id": child, "completion": {"duration": what}});
            robot.deliver(&session, &completion).await.ok();
        }
        4 => {
            let upcoming = json!([{"activity_id": "a", "topic": format!("Topic {what}")}]);
            let path = format!("{of_assistant}/activities/upcoming");
            robot.put(&path, &upcoming).await.ok();
        }
        5 => {
            let rules = robot.get(&format!("{of_assistant}/rules")).await.json();
            let receipt = json!({"version": rules["version"], "evidence": "set"});
            let delivery = json!({"child_id": child, "rules": [receipt]});
            robot.deliver(&session, &delivery).await.ok();
        }
        6 => {
            let words = json!({"message_id": (what % 4).to_string(), "text_content": "Oh", "revision": which});
            let delivery = json!({"child_id": child, "messages": [words]});
            robot.deliver(&session, &delivery).await.ok();
        }
        _ => {
            say(robot, child, &session, &what.to_string()).await;
        }
    }
}

#[tokio::test]
async fn a_page_that_follows_the_events_equals_a_reload_after_any_writes_and_reconnects() {
    let rng = Randomness::repeatable();
    let mut met = BTreeSet::new();
    for case in 0..12 {
        let app = TestApp::new().await;
        let ada = app.guardian(ADA).await;
        let mia = app.child("Mia", &[ADA]).await;
        let robot = app.assistant("robot", &[mia]).await;
        let mut page = Page::open(&ada, mia).await;
        for _ in 0..10 {
            let [kind, which, what, then, ..] = rng.bytes();
            write(&ada, &robot, mia, [kind, which, what]).await;
            met.insert(kind % 8);
            match then % 8 {
                0 => {
                    // The connection breaks, and a write happens before it is back.
                    drop(page);
                    write(&ada, &robot, mia, [which, what, kind]).await;
                    page = Page::open(&ada, mia).await;
                }
                1 => {
                    // The write may have changed nothing; then there is no event.
                    let soon = Duration::from_millis(20);
                    let event = tokio::time::timeout(soon, page.stream.next()).await;
                    if let Ok(event) = event {
                        page.fetch(&event.unwrap()).await;
                    }
                }
                _ => {}
            }
        }
        // A heartbeat means that no event is pending.
        tokio::time::pause();
        page.follow_until(":").await;
        tokio::time::resume();

        let reloaded = Page::open(&ada, mia).await;
        assert_eq!(page.shown, reloaded.shown, "case {case}");
    }
    assert_eq!(met.len(), 8);
}
