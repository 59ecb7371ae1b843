//! What a child was curious about.

use std::time::Duration;

use crate::support::features::Facts;
use crate::support::operations::{on, part, write};
use crate::support::tables::{Pages, Promise, Words};
use crate::support::test_app::{Persona, TestApp};
use poem::http::Method;
use porchlight::children::ChildId;
use porchlight::identity::Caller;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[
        (
            Some(Promise::WatchedPhrase),
            Some(Words::Conversation),
            &["curious-hidden"],
        ),
        (None, None, &["curious-on"]),
    ],
    damaged: &[("curious-on", Pages::Closed(&["getConversationStarters"]))],
    writes: &[
        part("switchConversationStarters", "curious", on).with_few_values(),
        // The message must exist. The first session of each family has the same number as its child.
        write(
            "hideConversationStarter",
            None,
            |child| json!({"session_id": child.max(1), "message_id": "m2"}),
        )
        .with_few_values(),
    ],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const MOON: &str = "Why does the moon change its shape?";
const BEES: &str = "How do bees make so much honey?";

fn said(id: &str, text: &str) -> Value {
    json!({"message_id": id, "source": "child", "text_content": text, "timestamp": "2026-11-21T16:00:01Z"})
}

/// Delivers a session; returns its id.
async fn session(robot: &Persona<'_>, child: ChildId, name: &str, messages: Value) -> Value {
    let opened = json!({"child_id": child, "topic": name, "start_time": "2026-11-21T16:00:00Z"});
    let opened = robot.deliver(name, &opened).await.json();
    robot.deliver_messages(name, &messages).await.ok();
    opened["session_id"].clone()
}

async fn subjects(guardian: &Persona<'_>, child: ChildId) -> Vec<String> {
    let found = guardian.get(&format!("/api/child/{child}/curious")).await;
    let found = found.json();
    let questions = found["questions"].as_array().unwrap();
    let subjects = questions
        .iter()
        .map(|question| question["subject"].as_str().unwrap());
    subjects.map(str::to_owned).collect()
}

#[tokio::test]
async fn the_subjects_of_a_childs_questions_are_answered_without_its_words() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("Kitchen", &[mia]).await;
    let messages = json!([
        said("a", "Play a song"),
        said("m", "Wów 🌙! Why does the moon change its shape?")
    ]);
    let id = session(&robot, mia, "s", messages).await;

    let found = ada.get(&format!("/api/child/{mia}/curious")).await.json();

    let moon =
        json!({"session_id": id, "message_id": "m", "subject": "the moon", "ranges": [[17, 25]]});
    assert_eq!(found, json!({"on": true, "questions": [moon]}));
    let path = format!("/api/child/{mia}/curious?from=2026-11-14&to=2026-11-20");
    let before = ada.get(&path).await.json();
    assert_eq!(before["questions"], json!([]));
    for (range, at) in [
        ("from=2026-11-21&to=2026-11-20", "?to"),
        ("from=2026-10-01&to=2026-11-20", "?from"),
    ] {
        let path = format!("/api/child/{mia}/curious?{range}");
        assert_eq!(ada.get(&path).await.problem_at(422).1.as_deref(), Some(at));
    }
}

#[tokio::test]
async fn at_most_three_are_answered_first_what_the_child_stayed_on() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("Kitchen", &[mia]).await;
    for (name, text) in [
        ("volcano", "Why do volcanoes erupt at all?"),
        ("ice", "Why does ice float on water?"),
        ("moon", MOON),
    ] {
        session(&robot, mia, name, json!([said("m", text)])).await;
    }
    let stayed = json!([said("1", BEES), said("2", "And do the bees sleep then?")]);
    session(&robot, mia, "bees", stayed).await;

    let found = subjects(&ada, mia).await;

    assert_eq!(found.len(), 3);
    assert_eq!(found[0], "bees");
}

#[tokio::test]
async fn only_the_childs_own_words_count_and_none_near_an_alert() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let ben = app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let robot = app.assistant("Kitchen", &[mia]).await;
    let phrases = json!([{"words": "our secret", "side": "either"}]);
    let path = format!("/api/child/{mia}/watched_phrases");
    ben.put(&path, &phrases).await.ok();
    for (name, field, value) in [
        ("assistant", "source", "assistant"),
        ("father", "source", "dad"),
        ("friend", "speaker", "Leo"),
        ("unknown", "speaker", "unknown"),
    ] {
        let mut message = said("m", MOON);
        message[field] = json!(value);
        session(&robot, mia, name, json!([message])).await;
    }
    let other = session(&robot, mia, "other", json!([said("m", MOON)])).await;
    let path = format!("/api/sessions/{other}/not_child");
    ada.put(&path, &json!({"not_child": true})).await.ok();
    assert_eq!(subjects(&ada, mia).await, [""; 0]);

    let alerted = json!([said("m", BEES), said("n", "It is our secret")]);
    session(&robot, mia, "alerted", alerted).await;

    assert_eq!(subjects(&ben, mia).await, [""; 0], "his phrase was said");
    assert_eq!(
        subjects(&ada, mia).await,
        ["bees"],
        "the alert is Ben's alone"
    );
}

#[tokio::test]
async fn a_subject_does_not_return_within_four_weeks() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("Kitchen", &[mia]).await;
    session(&robot, mia, "first", json!([said("m", MOON)])).await;
    assert_eq!(subjects(&ada, mia).await, ["the moon"]);

    for (days, expected) in [(20, &[][..]), (50, &["the moon"][..])] {
        app.clock.advance(Duration::from_secs(days * 24 * 60 * 60));
        let ada = app.stepped_up(ADA).await;
        let at = app.inner.clock.now();
        let message =
            json!({"message_id": "m", "source": "child", "text_content": MOON, "timestamp": at});
        let name = format!("after-{days}");
        let opened = json!({"child_id": mia, "start_time": at});
        robot.deliver(&name, &opened).await.ok();
        robot.deliver_messages(&name, &json!([message])).await.ok();
        assert_eq!(subjects(&ada, mia).await, expected, "{days}");
    }
}

#[tokio::test]
async fn what_one_guardian_hides_stays_for_the_other_and_follows_its_session() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let ben = app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let robot = app.assistant("Kitchen", &[mia]).await;
    let id = session(&robot, mia, "s", json!([said("m", MOON)])).await;
    let path = format!("/api/child/{mia}/curious/hidden");
    let question = json!({"session_id": id, "message_id": "m"});

    ada.put(&path, &question).await.ok();
    ada.put(&path, &question).await.ok();

    assert_eq!(subjects(&ada, mia).await, [""; 0]);
    assert_eq!(subjects(&ben, mia).await, ["the moon"]);
    let history = ben.get(&format!("/api/child/{mia}/history")).await.json();
    assert_eq!(history["items"], json!([]));
    let path_of_session = format!("/api/sessions/{id}");
    ada.send(Method::DELETE, &path_of_session, &[], None)
        .await
        .ok();
    assert_eq!(subjects(&ben, mia).await, [""; 0]);
    let deleted = format!("/api/child/{mia}/deleted_sessions/{id}/undelete");
    ada.send(Method::POST, &deleted, &[], None).await.ok();
    assert_eq!(subjects(&ben, mia).await, ["the moon"]);
    assert_eq!(subjects(&ada, mia).await, [""; 0], "it is still hidden");
    for unknown in [
        json!({"session_id": id, "message_id": "x"}),
        json!({"session_id": 999, "message_id": "m"}),
    ] {
        ada.put(&path, &unknown).await.problem(404);
    }
}

#[tokio::test]
async fn the_switch_is_for_all_guardians_and_in_the_history() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let ben = app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let robot = app.assistant("Kitchen", &[mia]).await;
    session(&robot, mia, "s", json!([said("m", MOON)])).await;
    let path = format!("/api/child/{mia}/curious/on");

    for on in [false, false, true] {
        ada.put(&path, &json!({ "on": on })).await.ok();
        let found = ben.get(&format!("/api/child/{mia}/curious")).await.json();
        assert_eq!(found["on"], on);
        assert_eq!(found["questions"].as_array().unwrap().is_empty(), !on);
    }

    let history = ben.get(&format!("/api/child/{mia}/history")).await.json();
    let entries = history["items"].as_array().unwrap();
    let changes = entries.iter().map(|entry| entry["what"].as_str().unwrap());
    assert_eq!(changes.collect::<Vec<_>>(), ["curious_on", "curious_off"]);
    let ben = app.stepped_up(BEN).await;
    let copy = ben.get(&format!("/api/child/{mia}/export")).await.json();
    assert_eq!(copy["children"][0]["something_to_talk_about"], true);
}

#[tokio::test]
async fn it_is_off_by_default_for_an_older_child() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let edition = format!("/api/child/{mia}/for_child");
    let path = format!("/api/child/{mia}/curious");

    for (chosen, on) in [("younger", true), ("older", false)] {
        ada.put(&edition, &json!({ "edition": chosen })).await.ok();
        assert_eq!(ada.get(&path).await.json()["on"], on, "{chosen}");
    }
    let switch = format!("{path}/on");
    ada.put(&switch, &json!({"on": true})).await.ok();

    assert_eq!(ada.get(&path).await.json()["on"], true);
}

#[tokio::test]
async fn a_request_that_cannot_read_the_weeks_before_shows_nothing_rather_than_a_question_again() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("Kitchen", &[mia]).await;
    let before = json!([{"message_id": "b", "source": "child", "text_content": MOON, "timestamp": "2026-11-07T16:00:01Z"}]);
    let opened = json!({"child_id": mia, "start_time": "2026-11-07T16:00:00Z"});
    robot.deliver("before", &opened).await.ok();
    robot.deliver_messages("before", &before).await.ok();
    session(&robot, mia, "s", json!([said("m", MOON), said("n", BEES)])).await;
    let chosen = async |most_steps: usize| {
        let guardians = &app.inner.identity.guardians;
        let ada = guardians.get(&app.inner.store, &ADA.parse().unwrap());
        let guardian = ada.unwrap().id;
        let access = app
            .inner
            .children
            .of(Caller::Guardian(guardian.clone()), mia)
            .unwrap();
        let mut steps = 0;
        let is_over = move || {
            steps += 1;
            steps >= most_steps
        };
        let found = app
            .inner
            .conversation_starters
            .questions(access, guardian, None, None, is_over);
        let found = found.await.unwrap().chosen.into_iter();
        let subjects = found.map(|candidate| candidate.question.subject);
        subjects.collect::<Vec<_>>()
    };

    assert_eq!(
        chosen(usize::MAX).await,
        ["bees"],
        "the moon returns only after weeks"
    );
    assert_eq!(chosen(2).await, [""; 0]);
}
