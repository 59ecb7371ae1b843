//! Who looked: which reads of a child's words are counted, and what other guardians see of the counts.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::support::features::Facts;
use crate::support::operations::{OPERATIONS, Operation, READ_OPERATIONS, Target};
use crate::support::tables::Pages;
use crate::support::test_app::{Persona, Response, TestApp, until_notified};
use poem::http::Method;
use porchlight::admin::{
    Backup, Export, MakeSignInLink, RemoveChild, Seed, SignInArguments, UnlinkChild,
};
use porchlight::children::ChildId;
use porchlight::kernel::store::{Read, Table};
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[(None, None, &["look"])],
    damaged: &[("look", Pages::LacksARow(&["getAccessLog"]))],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What the child said, in no topic and not in its first message.
const SAID: &str = "zanzibar";

/// Ada and Ben have Mia, who said something on Saturday, November 21.
struct World {
    app: TestApp,
    mia: ChildId,
    /// The newest conversation.
    session: String,
}

impl World {
    async fn new() -> Self {
        let app = TestApp::new().await;
        app.add_guardian(ADA, Some("Ada")).await;
        app.add_guardian(BEN, Some("Ben")).await;
        let mia = app.child("Mia", &[ADA, BEN]).await;
        let world = Self {
            session: String::new(),
            app,
            mia,
        };
        let session = world.talk("one").await;
        Self { session, ..world }
    }

    async fn talk(&self, name: &str) -> String {
        let robot = self.app.assistant(name, &[self.mia]).await;
        let message = |id: &str, text: &str| json!({"message_id": id, "source": "child", "text_content": text});
        let messages = [
            message("1", "Hello"),
            message("2", SAID),
            message("3", "Bye"),
        ];
        let delivery = json!({"child_id": self.mia, "topic": "Islands", "messages": messages});
        let opened = robot.deliver(name, &delivery).await.json();
        opened["session_id"].to_string()
    }

    /// A guardian who signed in in the browser.
    async fn browser(&self, email: &str) -> Persona<'_> {
        self.app.not_stepped_up(email).await
    }

    fn child(&self, path: &str) -> String {
        format!("/api/child/{}/{path}", self.mia)
    }

    async fn access_log(&self, email: &str) -> Value {
        let guardian = self.browser(email).await;
        guardian.get(&self.child("looks")).await.json()
    }

    /// What Ben sees of somebody else.
    async fn others(&self, by: &str) -> Value {
        let access_log = self.access_log(BEN).await;
        let others = access_log["others"].as_array().unwrap();
        let other = others.iter().find(|other| other["by"] == by);
        other.cloned().unwrap_or_default()
    }

    /// How many days of reading and copies of Ada Ben sees.
    async fn counted(&self) -> (u64, usize) {
        let ada = self.others("guardian").await;
        let weeks = ada["weeks"].as_array().unwrap().iter();
        let days = weeks.map(|week| week["days"].as_u64().unwrap()).sum();
        (days, ada["copies"].as_array().unwrap().len())
    }

    async fn open(&self, guardian: &Persona<'_>, session: &str) {
        let path = format!("/api/sessions/{session}/messages");
        guardian.get(&path).await.ok();
    }

    fn stored(&self) -> usize {
        let all = Table::new("look").key();
        let rows = self.app.inner.store.keys_below(&all, usize::MAX);
        rows.unwrap().len()
    }
}

/// Calls an operation that reads, as a guardian.
async fn read(world: &World, guardian: &Persona<'_>, operation: &Operation) -> Response {
    let ids = [
        &world.mia.to_string(),
        &world.session,
        "asi_none",
        "inv_none",
    ];
    let path = operation.at(&Target::of(ids));
    match operation.name {
        "searchTranscripts" => guardian.post(&path, &json!({"words": SAID})).await,
        "tryWatchedPhrase" => {
            let phrase = json!({"words": SAID, "side": "either"});
            guardian.post(&path, &phrase).await
        }
        _ => guardian.get(&path).await,
    }
}

#[tokio::test]
async fn every_operation_that_answers_with_what_was_said_is_counted_for_the_others() {
    let world = World::new().await;
    let app = &world.app;
    let stepped_up = app.stepped_up(ADA).await;
    let phrases = json!([{"words": SAID, "side": "either"}]);
    let watched = world.child("watched_phrases");
    world.browser(ADA).await.put(&watched, &phrases).await.ok();
    world.talk("two").await;
    let codes = stepped_up.send(Method::POST, "/api/auth/recovery_codes", &[], None);
    let code = codes.await.json()["codes"][0].clone();
    let others = ["searchTranscripts", "tryWatchedPhrase", "exportChild"];
    let others = OPERATIONS
        .iter()
        .filter(|operation| others.contains(&operation.name));
    let by_guardian = READ_OPERATIONS.iter().copied();
    // Here is no try.
    let by_guardian =
        by_guardian.filter(|reading| !reading.is_by_assistant() && reading.name != "getTry");
    let (mut telling, mut before) = (BTreeSet::new(), world.counted().await);
    assert_eq!(before, (0, 0));

    for operation in by_guardian.chain(others) {
        let (name, ada) = (operation.name, world.browser(ADA).await);
        if name == "exportChild" {
            let proof = json!({"way": "recovery_code", "code": code});
            ada.post("/api/auth/step_up", &proof).await.ok();
        }
        let answer = read(&world, &ada, operation).await;
        answer.ok();
        app.clock.advance(DAY);
        let after = world.counted().await;
        // These have the guardian's own phrase, and nothing that was said.
        let is_own = ["listWatchedPhrases", "getAttention"].contains(&name);
        let is_told = answer.body.contains(SAID) && !is_own;
        if is_told {
            telling.insert(name);
        }
        let copies = usize::from(name == "exportChild");
        let expected = (
            before.0 + u64::from(is_told) - copies as u64,
            before.1 + copies,
        );
        assert_eq!(after, expected, "{name}");
        before = after;
    }

    let expected = [
        "exportChild",
        "listAlerts",
        "listMessages",
        "searchTranscripts",
        "tryWatchedPhrase",
    ];
    assert_eq!(telling, BTreeSet::from(expected));
}

#[tokio::test]
async fn of_oneself_the_days_and_of_others_nothing_finer_than_a_week() {
    let world = World::new().await;
    let app = &world.app;
    let ada = world.browser(ADA).await;
    world.open(&ada, &world.session).await;
    let words = json!({"words": "islands"});
    ada.post(&world.child("search"), &words).await.ok();

    let own = world.access_log(ADA).await;
    assert_eq!(own["today"], "2026-11-21");
    let today = json!({"day": "2026-11-21", "read": true, "searched": true, "copied": false});
    assert_eq!(own["own"], json!([today]));
    assert_eq!(own["others"][0]["name"], "Ben");
    assert_eq!(own["others"][0]["weeks"], json!([]));

    app.clock.advance(2 * DAY);
    let ada = world.browser(ADA).await;
    world.open(&ada, &world.session).await;
    app.clock.advance(DAY);
    let seen = world.access_log(BEN).await;

    assert_eq!(seen["own"], json!([]));
    let weeks = json!([{"week": "2026-11-23", "days": 1}, {"week": "2026-11-16", "days": 1}]);
    let told = json!({
        "by": "guardian", "name": "Ada", "weeks": weeks, "copies": [], "sign_in_links": [],
    });
    assert_eq!(seen["others"], json!([told]));
}

#[tokio::test]
async fn nothing_tells_another_guardian_the_moment_of_a_read() {
    let world = World::new().await;
    let ben = world.browser(BEN).await;
    let access_log = world.child("looks");
    let before = ben.get(&access_log).await.body;
    let mut events = ben.stream(&world.child("events")).await;

    world.open(&world.browser(ADA).await, &world.session).await;
    world.app.inner.access_log.flush().await.unwrap();
    until_notified().await;

    assert_eq!(world.stored(), 1);
    assert_eq!(ben.get(&access_log).await.body, before);
    // The next event is of another change.
    let topics = json!(["Ghosts"]);
    ben.put(&world.child("blocked_topics"), &topics).await.ok();
    let told = events.until("blocked_topics").await;
    assert!(
        !told
            .iter()
            .any(|event| event == "looks" || event == "everything"),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_conversation_that_opens_by_itself_is_a_glance_for_the_three_newest_of_a_day() {
    let world = World::new().await;
    let newer = world.talk("two").await;
    let ada = world.browser(ADA).await;
    let glance =
        |session: &str, rest: &str| format!("/api/sessions/{session}/messages?glance=true{rest}");
    let is_read = async || world.access_log(ADA).await["own"] != json!([]);

    ada.get(&glance(&newer, "")).await.ok();
    ada.get(&glance(&newer, "&limit=100")).await.ok();
    for name in ["three", "four"] {
        let newest = world.talk(name).await;
        ada.get(&glance(&newest, "")).await.ok();
    }
    // It stays on the page.
    ada.get(&glance(&newer, "")).await.ok();
    assert!(!is_read().await);
    let fourth = world.talk("five").await;
    ada.get(&glance(&fourth, "")).await.ok();
    assert!(is_read().await);

    // An older one, a further page, and the flag with another value.
    for rest in ["1", "2", "3"] {
        world.app.clock.advance(DAY);
        let ada = world.browser(ADA).await;
        let page = ada.get(&glance(&fourth, "&limit=1")).await.json();
        let next = page["next"].as_str().unwrap();
        let today = world.access_log(ADA).await["today"].clone();
        let is_read = async || world.access_log(ADA).await["own"][0]["day"] == today;
        assert!(!is_read().await);
        let path = match rest {
            "1" => glance(&world.session, ""),
            "2" => glance(&fourth, &format!("&after={next}")),
            _ => format!("/api/sessions/{fourth}/messages?glance=false"),
        };
        ada.get(&path).await.ok();
        assert!(is_read().await, "{path}");
    }
}

#[tokio::test]
async fn alerts_at_a_glance_have_no_words() {
    let world = World::new().await;
    let ada = world.browser(ADA).await;
    let phrases = json!([{"words": SAID, "side": "either"}]);
    let watched = world.child("watched_phrases");
    ada.put(&watched, &phrases).await.ok();
    world.talk("two").await;

    let glance = ada.get(&world.child("alerts?glance=true")).await.json();

    let alert = &glance["alerts"][0];
    assert_eq!(alert["kind"], "phrase");
    assert_eq!(alert["text_content"], Value::Null);
    assert_eq!(alert["before"], Value::Null);
    assert_eq!(world.access_log(ADA).await["own"], json!([]));
    let opened = ada.get(&world.child("alerts")).await.json();
    assert_eq!(opened["alerts"][0]["text_content"], SAID);
    assert_eq!(world.access_log(ADA).await["own"][0]["read"], true);
}

#[tokio::test]
async fn the_administrator_is_told_apart() {
    let world = World::new().await;
    let app = &world.app;
    let token = app.stepped_up(ADA).await;
    world.open(&token, &world.session).await;
    app.clock.advance(DAY);
    app.exported().await;
    app.clock.advance(DAY);
    let child = Some(world.mia);
    app.run_admin(Export { child }).await.0.unwrap();
    app.clock.advance(DAY);
    app.run_admin(Backup).await.0.unwrap();
    app.clock.advance(DAY);
    let email = ADA.parse().unwrap();
    let access = SignInArguments {
        email,
        public_url: None,
    };
    app.run_admin(MakeSignInLink(access)).await.0.unwrap();

    let administrator = world.others("command_line").await;

    let copies = ["2026-11-24", "2026-11-23", "2026-11-22"];
    assert_eq!(
        administrator,
        json!({
            "by": "command_line",
            "weeks": [{"week": "2026-11-16", "days": 1}],
            "copies": copies,
            "sign_in_links": ["2026-11-25"],
        })
    );
    assert_eq!(world.counted().await, (0, 0));
    assert_eq!(world.access_log(ADA).await["own"], json!([]));
}

#[tokio::test]
async fn marks_are_written_after_a_while_and_outlive_a_restart() {
    let world = World::new().await;
    let ada = world.browser(ADA).await;
    world.open(&ada, &world.session).await;
    assert_eq!(world.stored(), 0, "a read doesn't write");
    world.app.inner.access_log.flush().await.unwrap();
    world.open(&ada, &world.session).await;
    world.app.inner.access_log.flush().await.unwrap();
    assert_eq!(world.stored(), 1);
    let World { app, mia, session } = world;
    let (app, session) = (app.restarted().await, session);
    let world = World { app, mia, session };

    assert_eq!(world.access_log(ADA).await["own"][0]["day"], "2026-11-21");
    let ada = world.browser(ADA).await;
    ada.post(&world.child("search"), &json!({"words": "bye"}))
        .await
        .ok();
    world.app.inner.access_log.flush().await.unwrap();

    let own = world.access_log(ADA).await["own"].clone();
    assert_eq!(
        own,
        json!([{"day": "2026-11-21", "read": true, "searched": true, "copied": false}])
    );
}

#[tokio::test]
async fn what_a_former_guardian_read_stays_without_a_name_and_ends_with_the_child() {
    let world = World::new().await;
    let app = &world.app;
    let ada = world.browser(ADA).await;
    world.open(&ada, &world.session).await;
    app.inner.access_log.flush().await.unwrap();
    let (child, email) = (world.mia, ADA.parse().unwrap());
    let unlink = UnlinkChild { child, email };
    app.run_admin(unlink).await.0.unwrap();
    app.clock.advance(DAY);

    let former = world.others("former_guardian").await;

    assert_eq!(former["weeks"], json!([{"week": "2026-11-16", "days": 1}]));
    assert_eq!(former.get("name"), None);
    assert_eq!(world.others("guardian").await, Value::Null);

    let ben = world.browser(BEN).await;
    world.open(&ben, &world.session).await;
    let name = "Mia".to_owned();
    let remove = RemoveChild { child, name };
    app.run_admin(remove).await.0.unwrap();
    // What was noted before the removal isn't written after it.
    app.inner.access_log.flush().await.unwrap();
    assert_eq!(world.stored(), 0);
}

#[tokio::test]
async fn days_are_kept_for_400_days() {
    let world = World::new().await;
    let app = &world.app;
    let ada = world.browser(ADA).await;
    world.open(&ada, &world.session).await;
    app.inner.access_log.flush().await.unwrap();
    assert_eq!(world.access_log(ADA).await["own"][0]["day"], "2026-11-21");

    app.clock.advance(399 * DAY);
    app.inner.run_maintenance(|_| {}).await.unwrap();
    assert_eq!(world.access_log(ADA).await["own"][0]["day"], "2026-11-21");
    app.clock.advance(DAY);
    assert_eq!(world.access_log(ADA).await["own"], json!([]));
    app.clock.advance(2 * DAY);
    app.inner.run_maintenance(|_| {}).await.unwrap();
    assert_eq!(world.stored(), 0);
}

#[tokio::test]
async fn a_copy_has_ones_own_days_and_the_weeks_of_others_without_names() {
    let world = World::new().await;
    let app = &world.app;
    for email in [ADA, BEN] {
        let guardian = world.browser(email).await;
        world.open(&guardian, &world.session).await;
    }
    app.clock.advance(3 * DAY);
    for email in [ADA, BEN] {
        let guardian = world.browser(email).await;
        world.open(&guardian, &world.session).await;
    }
    app.inner.access_log.flush().await.unwrap();
    let ada = app.stepped_up(ADA).await;

    let copy = ada.get(&world.child("export")).await.json();

    let access_log = &copy["children"][0]["looks"];
    let own = access_log["own"].as_array().unwrap().iter();
    let own = own.map(|own| own["day"].as_str().unwrap());
    assert_eq!(own.collect::<Vec<_>>(), ["2026-11-24", "2026-11-21"]);
    let ben = json!({
        "by": "guardian", "copies": [], "sign_in_links": [],
        "weeks": [{"week": "2026-11-16", "days": 1}],
    });
    assert_eq!(access_log["others"], json!([ben]));

    let again = TestApp::new().await;
    let text = copy.to_string();
    again.run_admin(Seed { text }).await.0.unwrap();
    let rows = again.inner.store.keys_below(&Table::new("look").key(), 1);
    assert_eq!(rows.unwrap(), []);
}

#[tokio::test]
async fn no_time_zone_ends_a_day_of_reading_early() {
    let world = World::new().await;
    let ben = world.browser(BEN).await;
    world.open(&world.browser(ADA).await, &world.session).await;

    for zone in ["Pacific/Kiritimati", "Etc/GMT+12", "Asia/Tokyo"] {
        let times = json!({"time_zone": zone, "quiet_hours": []});
        ben.put(&world.child("times"), &times).await.ok();
        assert_eq!(world.counted().await, (0, 0), "{zone}");
    }

    let own = world.access_log(ADA).await;
    assert_eq!(own["today"], "2026-11-21");
    assert_eq!(own["own"][0]["day"], "2026-11-21");
    world.app.clock.advance(DAY);
    assert_eq!(world.counted().await, (1, 0));
}
