//! Moving, deleting and restoring sessions, and the download.

use std::time::Duration;

use crate::support::features::Facts;
use crate::support::files::folder_contains;
use crate::support::operations::{nothing, write};
use crate::support::tables::{Pages, Promise, Words};
use crate::support::test_app::TestApp;
use poem::http::Method;
use porchlight::admin::UnlinkChild;
use porchlight::children::ChildId;
use proptest::prelude::*;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[
        (Some(Promise::KeptSession), None, &["session-keeps"]),
        (
            Some(Promise::DeletedSession),
            Some(Words::Conversation),
            &["erased-session", "session-hidden"],
        ),
        (
            Some(Promise::ErasedName),
            None,
            &["erased-name", "erased-name-key", "erased-name-until"],
        ),
        (
            None,
            None,
            &[
                "deletion",
                "deletion-pending",
                "deletion-sessions",
                "child-deletion",
                "child-deletion-pending",
                "child-deletion-sessions",
                "erasure",
                "session-erasing",
            ],
        ),
    ],
    damaged: &[
        ("session-keeps", Pages::Closed(&["getSessionKept"])),
        ("erased-session", Pages::LacksARow(&["listDeletedSessions"])),
        ("session-hidden", Pages::LacksARow(&["listDeletedSessions"])),
        ("deletion", Pages::LacksARow(&["listDeletions"])),
    ],
    writes: &[
        write("keepSession", None, |_| json!({"kept": true})),
        write("deleteSession", None, nothing),
        write(
            "noteDeletedSessionsShown",
            None,
            |_| json!({"sessions": [2, 3]}),
        ),
        write("undeleteSession", None, nothing),
        write("eraseSession", None, nothing),
    ],
};

const ADA: &str = "ada@example.org";
const BOB: &str = "bob@example.org";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// In the session's text, and nowhere else.
const CANARY: &str = "canaryoctopus";

struct House {
    app: TestApp,
    mia: ChildId,
    leo: ChildId,
    robot: String,
}

impl House {
    /// Creates a guardian, two children and their assistant.
    async fn new() -> Self {
        let app = TestApp::new().await;
        app.guardian(ADA).await;
        let mia = app.child("Mia", &[ADA]).await;
        let leo = app.child("Leo", &[ADA]).await;
        let robot = app.assistant("kitchen", &[mia, leo]).await;
        let robot = robot.credential().to_owned();
        Self {
            app,
            mia,
            leo,
            robot,
        }
    }

    async fn deliver(&self, child: ChildId, name: &str, fields: Value) -> Value {
        let mut fields = fields;
        fields["child_id"] = json!(child);
        let robot = self.app.bearer(&self.robot);
        robot.deliver(name, &fields).await.json()
    }

    /// Delivers a completed session of Mia's with the canary, named `s`. Returns its id.
    async fn session(&self) -> u64 {
        let delivery = json!({
            "topic": CANARY, "start_time": "2026-11-21T19:40:00Z", "device": "kitchen",
            "messages": [
                {"message_id": "a", "source": "child", "text_content": CANARY, "timestamp": "2026-11-21T19:41:00Z"},
                {"message_id": "b", "source": "assistant", "text_content": CANARY.repeat(900),
                    "timestamp": "2026-11-21T19:49:00Z"},
            ],
            "completion": {"end_time": "2026-11-21T19:50:00Z", "mood": "curious"},
        });
        let answer = self.deliver(self.mia, "s", delivery).await;
        answer["session_id"].as_u64().unwrap()
    }

    async fn call(&self, method: Method, path: &str) -> u16 {
        let reader = self.app.stepped_up(ADA).await;
        let response = reader.send(method, path, &[], None).await;
        response.status.as_u16()
    }

    async fn erase(&self, session: u64) {
        let path = format!("/api/sessions/{session}");
        assert_eq!(self.call(Method::DELETE, &path).await, 204);
    }

    async fn bring_back(&self, child: ChildId, session: u64) {
        let path = format!("/api/child/{child}/deleted_sessions/{session}/undelete");
        assert_eq!(self.call(Method::POST, &path).await, 204);
    }

    async fn erase_now(&self, child: ChildId, session: u64) -> u16 {
        let path = format!("/api/child/{child}/deleted_sessions/{session}");
        self.call(Method::DELETE, &path).await
    }

    async fn move_to(&self, session: u64, child: ChildId) {
        let path = format!("/api/sessions/{session}/child");
        let reader = self.app.stepped_up(ADA).await;
        reader.put(&path, &json!({"child_id": child})).await.ok();
    }

    async fn erased(&self, child: ChildId) -> Value {
        let path = format!("/api/child/{child}/deleted_sessions");
        self.app.stepped_up(ADA).await.get(&path).await.json()
    }

    /// All responses about a child to a guardian or an assistant, and the download.
    async fn answers(&self, child: ChildId) -> Vec<String> {
        let (reader, robot) = (self.app.stepped_up(ADA).await, self.app.bearer(&self.robot));
        let of_child = format!("/api/child/{child}");
        let list = reader.get(&format!("/api/sessions?child_id={child}")).await;
        let mut answers = vec![list.body.clone()];
        for path in ["summary", "activities/completed"] {
            answers.push(reader.get(&format!("{of_child}/{path}")).await.body);
        }
        let rules = reader.get(&format!("{of_child}/rules")).await.json();
        answers.push(rules["seconds_used"].to_string());
        let mut copy = reader.get(&format!("{of_child}/export")).await.json();
        let copy = copy["children"][0].as_object_mut().unwrap();
        // Reading changes the data about the assistant, and deleting changes the history.
        copy.retain(|field, _| field != "history" && field != "assistants");
        answers.push(Value::from(copy.clone()).to_string());
        answers.push(Value::from(reader.find_all(child, CANARY).await).to_string());
        let talk = robot
            .get(&format!("/api/assistant{}/rules", &of_child[4..]))
            .await;
        answers.push(talk.json()["talk"].to_string());
        for session in list.json()["sessions"].as_array().unwrap() {
            let id = &session["session_id"];
            for path in ["", "/messages", "/messages?around=a", "/receipts"] {
                let response = reader.get(&format!("/api/sessions/{id}{path}")).await;
                answers.push(response.body);
            }
        }
        answers
    }

    fn rows(&self, table: &'static str) -> usize {
        self.app.count_rows(table)
    }

    async fn run_maintenance(&self) {
        self.app.inner.run_maintenance(|_| {}).await.unwrap();
    }
}

#[tokio::test]
async fn a_deleted_session_is_in_no_response_and_is_restored_unchanged() {
    let house = House::new().await;
    let other = json!({"topic": "Bees", "start_time": "2026-11-20T19:40:00Z",
        "completion": {"duration": 60}});
    house.deliver(house.mia, "other", other).await;
    let without = house.answers(house.mia).await;
    let session = house.session().await;
    let with = house.answers(house.mia).await;

    house.erase(session).await;
    house.erase(session).await;

    assert_eq!(house.answers(house.mia).await, without);
    for path in ["", "/messages", "/messages?around=a", "/receipts"] {
        let path = format!("/api/sessions/{session}{path}");
        assert_eq!(house.call(Method::GET, &path).await, 404, "{path}");
    }
    let listed = house.erased(house.mia).await;
    assert_eq!(
        listed,
        json!({"may_erase": true, "items": [{
            "session_id": session, "topic": CANARY, "start_time": "2026-11-21T19:40:00Z",
            "date": "2026-11-21T19:40:00Z", "last_message_time": "2026-11-21T19:49:00Z", "message_count": 2,
            "deleted_at": "2026-11-21T20:00:00Z", "restorable_until": "2026-11-28T20:00:00Z", "by": {"is_you": true},
        }]})
    );

    house.bring_back(house.mia, session).await;
    house.bring_back(house.mia, session).await;
    assert_eq!(house.answers(house.mia).await, with);
    assert_eq!(house.erased(house.mia).await["items"], json!([]));
    let history = format!("/api/child/{}/history", house.mia);
    let history = house.app.stepped_up(ADA).await.get(&history).await.json();
    let entries = history["items"].as_array().unwrap().iter();
    let what = entries.map(|entry| entry["what"].as_str().unwrap().to_owned());
    assert_eq!(
        what.collect::<Vec<_>>(),
        ["session_undeleted", "session_deleted"]
    );
}

#[tokio::test]
async fn a_deleted_session_can_be_restored_for_seven_days_after_the_last_words_even_if_the_clock_was_set_back()
 {
    let house = House::new().await;
    let session = house.session().await;
    house.app.clock.advance(Duration::from_secs(30 * 60));
    let late = json!({"messages": [
        {"message_id": "late", "text_content": "Bye!", "timestamp": "2026-11-21T19:50:00Z"}]});
    house.deliver(house.mia, "s", late).await;

    house.app.clock.set("2026-11-21T20:00:00Z".parse().unwrap());
    house.erase(session).await;

    let listed = house.erased(house.mia).await;
    assert_eq!(
        listed["items"][0]["restorable_until"],
        "2026-11-28T20:30:00Z"
    );
}

#[tokio::test]
async fn deliveries_to_a_deleted_session_are_hidden_with_it() {
    let house = House::new().await;
    let session = house.session().await;
    house.erase(session).await;
    let without = house.answers(house.mia).await;

    let late = json!({"topic": "Squid", "messages": [{"message_id": "c", "text_content": CANARY,
        "timestamp": "2026-11-21T19:51:00Z"}], "completion": {"duration": 900, "score": "well done"}});
    let answer = house.deliver(house.mia, "s", late).await;

    assert_eq!(
        (&answer["stored"], &answer["erased"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(house.answers(house.mia).await, without);
    house.bring_back(house.mia, session).await;
    let completed = format!("/api/child/{}/activities/completed", house.mia);
    assert_eq!(
        house.app.stepped_up(ADA).await.get(&completed).await.json(),
        json!([{"session_id": session, "date": "2026-11-21", "ended_at": "2026-11-21T19:50:00Z", "topic": "Squid",
            "duration": 900.0, "score": "well done", "mood": "curious"}])
    );
    let summary = format!("/api/child/{}/summary", house.mia);
    let summary = house.app.stepped_up(ADA).await.get(&summary).await.json();
    assert_eq!(
        (&summary["sessions"], &summary["minutes"]),
        (&json!(1), &json!(15))
    );
}

#[tokio::test]
async fn a_session_that_ended_while_hidden_is_an_activity_once_restored() {
    let house = House::new().await;
    let said = json!({"messages": [{"message_id": "a", "timestamp": "2026-11-21T19:59:00Z"},
        {"message_id": "b", "timestamp": "2026-11-21T20:00:00Z"}]});
    let opened = house.deliver(house.mia, "s", said).await;
    let session = opened["session_id"].as_u64().unwrap();
    house.erase(session).await;
    let completed = format!("/api/child/{}/activities/completed", house.mia);

    house.app.clock.advance(DAY);
    house
        .app
        .inner
        .assistant
        .end_silent_sessions()
        .await
        .unwrap();

    let reader = house.app.stepped_up(ADA).await;
    assert_eq!(reader.get(&completed).await.json(), json!([]));
    house.bring_back(house.mia, session).await;
    let activities = reader.get(&completed).await.json();
    assert_eq!(activities[0]["duration"], 60.0);
}

#[tokio::test]
async fn messages_from_before_an_erasure_are_dropped_and_counted() {
    let house = House::new().await;
    let session = house.session().await;
    house.erase(session).await;
    assert_eq!(house.erase_now(house.mia, session).await, 204);
    assert_eq!(house.erase_now(house.mia, session).await, 404);
    let message =
        |id: &str, at: Option<&str>| json!({"message_id": id, "text_content": id, "timestamp": at});
    let deliver = async |messages: Value| {
        let delivery =
            json!({"topic": "Late", "messages": messages, "completion": {"duration": 9}});
        house.deliver(house.mia, "s", delivery).await
    };

    let again = deliver(json!([
        message("a", Some("2026-11-21T19:41:00Z")),
        message("b", Some("2026-11-21T20:00:00Z")),
        message("c", None),
        message("d", Some("1999-01-01T00:00:00Z"))
    ]));
    let again = again.await;
    let nothing = deliver(json!([])).await;
    house.app.clock.advance(Duration::from_secs(60));
    let later = deliver(json!([
        message("a", Some("2026-11-21T20:00:30Z")),
        message("c", None)
    ]))
    .await;
    let once_more = deliver(json!([message("b", Some("2026-11-21T19:42:00Z"))])).await;

    assert_eq!(again["erased"], 4);
    assert_eq!(again.get("session_id"), None);
    assert_eq!(
        (&again["stored"], &again["adjusted"]),
        (&json!(0), &json!([]))
    );
    assert_eq!(
        (nothing.get("session_id"), &nothing["erased"]),
        (None, &json!(0))
    );
    assert_eq!((&later["stored"], &later["erased"]), (&json!(1), &json!(1)));
    assert_ne!(later["session_id"], session);
    assert_eq!(
        (once_more.get("session_id"), &once_more["erased"]),
        (None, &json!(1))
    );
    // With another child, or from another assistant, the name means another session.
    let elsewhere = house
        .deliver(house.leo, "s", json!({"messages": [message("a", None)]}))
        .await;
    assert_eq!(elsewhere["stored"], 1);
}

#[tokio::test]
async fn the_hash_of_a_name_is_kept_for_400_days() {
    let house = House::new().await;
    let session = house.session().await;
    house.erase(session).await;
    house.erase_now(house.mia, session).await;
    let old = || json!({"messages": [{"message_id": "a", "timestamp": "2026-11-21T19:41:00Z"}]});

    house.app.clock.advance(DAY * 399);
    house.run_maintenance().await;
    let before = house.deliver(house.mia, "s", old()).await;
    house.app.clock.advance(DAY);
    house.run_maintenance().await;
    assert_eq!(
        house.rows("erased-name") + house.rows("erased-name-until"),
        0
    );
    let after = house.deliver(house.mia, "s", old()).await;

    assert_eq!(
        (&before["erased"], &after["erased"]),
        (&json!(1), &json!(0))
    );
}

#[tokio::test]
async fn a_deleted_session_is_erased_after_seven_days() {
    let house = House::new().await;
    let session = house.session().await;
    house.erase(session).await;

    let summary = format!("/api/child/{}/summary", house.mia);
    let summary = house.app.stepped_up(ADA).await.get(&summary).await;
    assert_eq!(summary.body, "null", "it was the only session");
    house.app.clock.advance(DAY * 7 - Duration::from_secs(1));
    house.run_maintenance().await;
    assert_eq!(
        house.erased(house.mia).await["items"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    house.app.clock.advance(Duration::from_secs(1));

    // Its time is over, even before the server's maintenance runs.
    assert_eq!(house.erased(house.mia).await["items"], json!([]));
    let back = format!(
        "/api/child/{}/deleted_sessions/{session}/undelete",
        house.mia
    );
    assert_eq!(house.call(Method::POST, &back).await, 404);
    house.run_maintenance().await;
    assert_eq!(house.rows("message"), 0);
    assert!(!folder_contains(house.app.data(), CANARY));
}

#[tokio::test]
async fn with_two_guardians_each_can_restore_and_nobody_can_erase_at_once() {
    let house = House::new().await;
    let session = house.session().await;
    let bob = house.app.guardian(BOB).await;
    let mia = house.mia;
    house.link(BOB).await;
    house.erase(session).await;

    assert_eq!(house.erase_now(house.mia, session).await, 409);
    let listed = bob
        .get(&format!("/api/child/{mia}/deleted_sessions"))
        .await
        .json();
    assert_eq!(listed["may_erase"], false);
    assert_eq!(listed["items"][0]["by"], json!({"is_you": false}));
    let back = format!("/api/child/{mia}/deleted_sessions/{session}/undelete");
    bob.send(Method::POST, &back, &[], None).await.ok();

    assert_eq!(
        house
            .call(Method::GET, &format!("/api/sessions/{session}"))
            .await,
        200
    );
    // Nor can he move it to a child that he doesn't have.
    let path = format!("/api/sessions/{session}/child");
    let ada = house.app.stepped_up(ADA).await;
    let refused = ada.put(&path, &json!({"child_id": house.leo})).await;
    assert_eq!(refused.problem_at(422).1.as_deref(), Some("/child_id"));
    let unknown = ada.put(&path, &json!({"child_id": 999})).await;
    assert_eq!(unknown.problem_at(404).1.as_deref(), Some("/child_id"));
}

#[tokio::test]
async fn a_moved_session_belongs_to_the_other_child_and_deliveries_follow_it() {
    let house = House::new().await;
    let session = house.session().await;
    let (empty, with) = (
        house.answers(house.leo).await,
        house.answers(house.mia).await,
    );

    for child in [house.leo, house.mia, house.leo] {
        house.move_to(session, child).await;
    }
    let more = json!({"messages": [{"message_id": "c", "timestamp": "2026-11-21T19:45:00Z"}]});
    let answer = house.deliver(house.mia, "s", more).await;

    assert_eq!(
        (&answer["session_id"], &answer["stored"]),
        (&json!(session), &json!(1))
    );
    let named = |answers: Vec<String>| answers.join("\n").contains(CANARY);
    assert!(!named(house.answers(house.mia).await));
    assert!(named(house.answers(house.leo).await));
    let own = house
        .deliver(house.leo, "s", json!({"topic": "Leo's own"}))
        .await;
    assert_ne!(own["session_id"], session);
    house.erase(own["session_id"].as_u64().unwrap()).await;
    house.move_to(session, house.mia).await;
    assert_eq!(house.answers(house.leo).await, empty);
    assert_ne!(house.answers(house.mia).await, with);
    // It keeps its name when it is deleted, too: under the child it was opened for.
    house.move_to(session, house.leo).await;
    house.erase(session).await;
    house.erase_now(house.leo, session).await;
    let late = json!({"messages": [{"message_id": "c", "timestamp": "2026-11-21T19:45:00Z"}]});
    assert_eq!(house.deliver(house.mia, "s", late).await["erased"], 1);
}

#[tokio::test]
async fn the_name_of_a_session_that_was_removed_with_its_new_child_opens_a_new_session() {
    let house = House::new().await;
    let session = house.session().await;
    house.move_to(session, house.leo).await;
    let (inner, leo) = (house.app.inner.clone(), house.leo);
    let removed = house
        .app
        .inner
        .store
        .commit(move |change| inner.children.remove(change, leo));
    let access = removed.await.unwrap();

    let first = house
        .deliver(house.mia, "s", json!({"topic": "Anew"}))
        .await;
    house.app.inner.erase(access).await.unwrap();
    let second = house
        .deliver(house.mia, "s", json!({"topic": "Anew"}))
        .await;

    assert_ne!(first["session_id"], session);
    assert_eq!(second["session_id"], first["session_id"]);
}

#[tokio::test]
async fn a_download_has_all_data_of_the_child_and_names_nobody_else() {
    let house = House::new().await;
    house.session().await;
    house
        .deliver(house.leo, "l", json!({"topic": "Leo's secret"}))
        .await;
    let bob = house.app.guardian(BOB).await;
    let mia = house.mia;
    house.link(BOB).await;
    let context = format!("/api/child/{mia}/context");
    bob.put(&context, &json!({"text": "Mia is eight."}))
        .await
        .ok();

    let copy = house
        .app
        .stepped_up(ADA)
        .await
        .get(&format!("/api/child/{mia}/export"))
        .await;

    assert_eq!(
        copy.header("content-disposition"),
        "attachment; filename=\"porchlight-mia.json\""
    );
    assert_eq!(copy.header("cache-control"), "no-store");
    let read = copy.json();
    assert_eq!(read["guardians"], json!([{"email": ADA}]));
    assert_eq!(
        read["children"][0]["sessions"][0]["messages"][0]["text_content"],
        CANARY
    );
    assert_eq!(read["children"][0]["context"], "Mia is eight.");
    assert!(!copy.body.contains(BOB) && !copy.body.contains("Leo") && !copy.body.contains("ast_"));
    // It can be imported.
    let seeded = TestApp::new().await;
    let request = porchlight::admin::Seed { text: copy.body };
    seeded
        .run_admin(request)
        .await
        .0
        .map_err(|error| error.to_string())
        .unwrap();
}

#[tokio::test]
async fn open_pages_are_notified_of_a_deletion_without_its_content() {
    let house = House::new().await;
    let session = house.session().await;
    let reader = house.app.stepped_up(ADA).await;
    let mut stream = reader
        .stream(&format!("/api/child/{}/events", house.mia))
        .await;

    house.erase(session).await;

    let told = stream.until("summary").await;
    for what in ["activities", "deleted_sessions", "history", "rules"] {
        assert!(told.iter().any(|event| event == what), "{what}: {told:?}");
    }
    assert!(told.contains(&format!("session {session}")), "{told:?}");
}

/// A step in the life of a family's sessions.
#[derive(Clone, Debug)]
enum Step {
    Say { name: u8, message: u8 },
    Complete { name: u8 },
    Erase { name: u8 },
    BringBack { name: u8 },
    Move { name: u8, to_leo: bool },
    Wait,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = 0..3_u8;
    let step = prop_oneof![
        4 => (name.clone(), 0..6_u8).prop_map(|(name, message)| Step::Say { name, message }),
        1 => name.clone().prop_map(|name| Step::Complete { name }),
        2 => name.clone().prop_map(|name| Step::Erase { name }),
        2 => name.clone().prop_map(|name| Step::BringBack { name }),
        2 => (name, any::<bool>()).prop_map(|(name, to_leo)| Step::Move { name, to_leo }),
        1 => Just(Step::Wait),
    ];
    prop::collection::vec(step, 1..24)
}

/// Runs the steps, or only their deliveries, restores and moves back everything, and returns the responses.
async fn run(steps: &[Step], only_deliveries: bool) -> Vec<String> {
    let house = House::new().await;
    let mut ids = [None; 3];
    let mut owner = [house.mia; 3];
    let mut hidden = [false; 3];
    let name_of = |name: u8| format!("s{name}");
    for step in steps {
        match *step {
            Step::Say { name, message } => {
                let delivery = json!({
                    "topic": (message % 2 == 0).then(|| format!("Topic {message}")),
                    "start_time": (message == 3).then_some("2026-11-21T18:00:00Z"),
                    "messages": [{"message_id": message.to_string(), "text_content": CANARY,
                        "timestamp": format!("2026-11-21T19:{:02}:00Z", 10 + message)}],
                });
                let answer = house.deliver(house.mia, &name_of(name), delivery).await;
                ids[usize::from(name)] = answer["session_id"].as_u64();
            }
            Step::Complete { name } if ids[usize::from(name)].is_some() => {
                let completion =
                    json!({"completion": {"duration": 60 * (1 + u32::from(name)), "mood": "glad"}});
                house.deliver(house.mia, &name_of(name), completion).await;
            }
            Step::Wait => {
                house.app.clock.advance(Duration::from_secs(31 * 60));
                house
                    .app
                    .inner
                    .assistant
                    .end_silent_sessions()
                    .await
                    .unwrap();
            }
            _ if only_deliveries => {}
            Step::Complete { .. } => {}
            Step::Erase { name } => {
                if let Some(id) = ids[usize::from(name)] {
                    house.erase(id).await;
                    hidden[usize::from(name)] = true;
                }
            }
            Step::BringBack { name } => {
                if let Some(id) = ids[usize::from(name)] {
                    house.bring_back(owner[usize::from(name)], id).await;
                    hidden[usize::from(name)] = false;
                }
            }
            Step::Move { name, to_leo } => {
                if let Some(id) = ids[usize::from(name)].filter(|_| !hidden[usize::from(name)]) {
                    let child = if to_leo { house.leo } else { house.mia };
                    house.move_to(id, child).await;
                    owner[usize::from(name)] = child;
                }
            }
        }
    }
    for (place, id) in ids.into_iter().enumerate() {
        if let Some(id) = id {
            house.bring_back(owner[place], id).await;
            house.move_to(id, house.mia).await;
        }
    }
    let mut answers = house.answers(house.mia).await;
    answers.extend(house.answers(house.leo).await);
    answers
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn deliveries_give_the_same_result_despite_deletions_restores_and_moves_in_between(steps in steps()) {
        let runtime = tokio::runtime::Runtime::new().unwrap();

        let with = runtime.block_on(run(&steps, false));

        let without = runtime.block_on(run(&steps, true));
        prop_assert_eq!(with, without);
    }
}

impl House {
    /// Makes somebody a guardian of Mia, too.
    async fn link(&self, email: &str) {
        self.app.link(self.mia, email).await;
    }

    /// Records that the deleted sessions were shown to a guardian.
    async fn show(&self, email: &str, sessions: &[u64]) {
        let path = format!("/api/child/{}/deleted_sessions/shown", self.mia);
        let reader = self.app.stepped_up(email).await;
        reader
            .post(&path, &json!({"sessions": sessions}))
            .await
            .ok();
    }

    async fn deleted(&self) -> Vec<Value> {
        let erased = self.erased(self.mia).await;
        erased["items"].as_array().unwrap().clone()
    }
}

#[tokio::test]
async fn a_shared_deleted_session_stays_until_seven_days_after_each_guardian_was_shown_it() {
    let house = House::new().await;
    let session = house.session().await;
    house.app.guardian(BOB).await;
    house.link(BOB).await;
    house.erase(session).await;
    house.show(ADA, &[session]).await;

    house.app.clock.advance(30 * DAY);
    house.run_maintenance().await;
    let deleted = house.deleted().await;
    assert_eq!(
        deleted[0]["restorable_until"], "2027-02-19T20:00:00Z",
        "ninety days"
    );
    house.show(BOB, &[session, 999]).await;
    house.app.clock.advance(Duration::from_secs(60));
    house.show(BOB, &[session]).await;
    assert_eq!(house.deleted().await, deleted, "his day isn't over");
    house.app.clock.advance(house.app.rest_of_day());
    assert_eq!(
        house.deleted().await[0]["restorable_until"],
        "2026-12-29T00:00:00Z",
        "seven days after the day on which Bob was shown it first"
    );
    house.app.clock.advance(7 * DAY - Duration::from_secs(1));
    house.run_maintenance().await;
    assert_eq!(house.deleted().await.len(), 1);
    house.app.clock.advance(Duration::from_secs(1));

    house.run_maintenance().await;
    assert_eq!(house.deleted().await, [] as [Value; 0]);
    assert!(!folder_contains(house.app.data(), CANARY));
}

#[tokio::test]
async fn a_guardian_who_left_and_returned_has_not_been_shown_a_deleted_session() {
    for by_administrator in [false, true] {
        let house = House::new().await;
        let session = house.session().await;
        house.app.guardian(BOB).await;
        house.link(BOB).await;
        house.erase(session).await;
        house.show(ADA, &[session]).await;
        house.show(BOB, &[session]).await;
        house.app.clock.advance(house.app.rest_of_day());
        let until = house.deleted().await[0]["restorable_until"].clone();
        assert_eq!(until, "2026-11-29T00:00:00Z");

        if by_administrator {
            let (child, email) = (house.mia, BOB.parse().unwrap());
            let unlinked = house.app.run_admin(UnlinkChild { child, email });
            unlinked.await.0.unwrap();
        } else {
            let path = format!("/api/child/{}/guardians/me", house.mia);
            let bob = house.app.stepped_up(BOB).await;
            bob.send(Method::DELETE, &path, &[], None).await.ok();
        }
        house.link(BOB).await;

        let deleted = house.deleted().await;
        assert_eq!(deleted[0]["restorable_until"], "2027-02-19T20:00:00Z");
        let path = format!("/api/child/{}/deleted_sessions", house.mia);
        let bobs = house.app.stepped_up(BOB).await.get(&path).await.json();
        assert_eq!(bobs["items"][0]["unseen"], true);
    }
}

#[tokio::test]
async fn no_event_tells_that_another_guardian_was_shown_a_deleted_session() {
    let house = House::new().await;
    let session = house.session().await;
    let bob = house.app.guardian(BOB).await;
    house.link(BOB).await;
    house.erase(session).await;
    let ada = house.app.stepped_up(ADA).await;
    let mut events = ada
        .stream(&format!("/api/child/{}/events", house.mia))
        .await;

    house.show(BOB, &[session]).await;

    // The next event is of another change.
    let topics = format!("/api/child/{}/blocked_topics", house.mia);
    bob.put(&topics, &json!(["Ghosts"])).await.ok();
    let told = events.until("blocked_topics").await;
    assert!(
        !told.iter().any(|event| event == "deleted_sessions"),
        "{told:?}"
    );
}

#[tokio::test]
async fn words_in_a_deleted_session_make_it_new_to_every_guardian() {
    let house = House::new().await;
    let session = house.session().await;
    house.app.guardian(BOB).await;
    house.link(BOB).await;
    house.erase(session).await;
    house.show(BOB, &[session]).await;
    let unseen = async |email: &str| {
        let path = format!("/api/child/{}/deleted_sessions", house.mia);
        let page = house.app.stepped_up(email).await.get(&path).await.json();
        page["items"][0]["unseen"] == true
    };
    assert_eq!((unseen(ADA).await, unseen(BOB).await), (false, false));

    house.app.clock.advance(6 * DAY);
    let said =
        json!({"messages": [{"message_id": "late", "text_content": CANARY, "timestamp": null}]});
    house.deliver(house.mia, "s", said.clone()).await;

    assert_eq!((unseen(ADA).await, unseen(BOB).await), (true, true));
    let after = async || house.deleted().await[0]["restorable_until"].clone();
    assert_eq!(after().await, "2027-02-25T20:00:00Z", "ninety days");
    for email in [ADA, BOB] {
        house.show(email, &[session]).await;
    }
    house.app.clock.advance(house.app.rest_of_day());
    assert_eq!(after().await, "2026-12-05T00:00:00Z", "seven days");
    // The same again changes nothing, and neither does an end without words.
    house.app.clock.advance(DAY);
    house.deliver(house.mia, "s", said).await;
    let end = json!({"completion": {"duration": 900}});
    house.deliver(house.mia, "s", end).await;
    assert_eq!(after().await, "2026-12-05T00:00:00Z");
    house.app.clock.advance(6 * DAY - Duration::from_secs(1));
    house.run_maintenance().await;
    assert_eq!(house.deleted().await.len(), 1);
    house.app.clock.advance(Duration::from_secs(1));
    house.run_maintenance().await;
    assert_eq!(house.deleted().await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_session_that_is_restored_while_due_ones_are_deleted_stays() {
    let house = House::new().await;
    let session = house.session().await;
    house.erase(session).await;
    house.app.clock.advance(7 * DAY - Duration::from_secs(1));
    let reader = house.app.stepped_up(ADA).await;
    let (hold, held) = std::sync::mpsc::channel::<()>();
    let store = house.app.inner.store.clone();
    let busy = tokio::spawn(async move {
        let waited = store.commit(move |_| {
            let _ = held.recv();
            Ok::<_, porchlight::kernel::store::StoreError>(())
        });
        waited.await.unwrap();
    });
    tokio::task::yield_now().await;
    let path = format!(
        "/api/child/{}/deleted_sessions/{session}/undelete",
        house.mia
    );
    let (clock, inner) = (house.app.clock.clone(), house.app.inner.clone());

    let restored = async {
        let restored = reader.send(Method::POST, &path, &[], None);
        assert_eq!(restored.await.status.as_u16(), 204);
    };
    let deleted = async {
        clock.advance(Duration::from_secs(1));
        let deleting = inner.run_maintenance(|_| {});
        tokio::pin!(deleting);
        // It has read what is due, but waits for the writer; the session is restored first.
        let _ = futures_util::poll!(&mut deleting);
        clock.set("2026-11-28T19:59:59Z".parse().unwrap());
        hold.send(()).unwrap();
        deleting.await.unwrap();
    };
    tokio::join!(restored, deleted);
    busy.await.unwrap();

    assert_eq!(house.deleted().await, [] as [Value; 0]);
    let path = format!("/api/sessions/{session}/messages");
    let messages = house.app.stepped_up(ADA).await.get(&path).await.json();
    assert_eq!(messages["messages"].as_array().unwrap().len(), 2);
}
