//! Sessions and messages: assistants deliver them, guardians read them.

use std::time::Duration;

use crate::support::features::Facts;
use crate::support::tables::{Pages, Promise, Words};
use crate::support::test_app::{Persona, TestApp};
use porchlight::children::{ChildId, SessionId};
use porchlight::conversations::search::Query;
use porchlight::conversations::transcripts::{MessageDelivery, TranscriptsError};
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[
        (
            Some(Promise::SessionName),
            Some(Words::Conversations),
            &["session-name"],
        ),
        (
            None,
            Some(Words::Conversation),
            &["message", "message-place", "session", "session-state"],
        ),
        (None, None, &["session-open", "session-talk"]),
    ],
    damaged: &[
        (
            "message",
            Pages::LacksARow(&["listMessages", "listAlerts", "getConversationStarters"]),
        ),
        ("message-place", Pages::LacksARow(&["listAlerts"])),
        (
            "session",
            Pages::LacksARow(&[
                "listSessions",
                "getMetrics",
                "getTalkStatus",
                "listChildTalk",
                "getConversationStarters",
                "getAttention",
            ]),
        ),
        (
            "session-state",
            Pages::ClosedAndLacksARow(
                &[
                    "getSession",
                    "getSessionKept",
                    "listMessages",
                    "listSessionReceipts",
                ],
                &[
                    "getMetrics",
                    "listSessions",
                    "getTalkStatus",
                    "listChildTalk",
                    "listAlerts",
                    "getAttention",
                ],
            ),
        ),
        (
            "session-talk",
            Pages::ClosedAndLacksARow(
                &[
                    "getRules",
                    "getTalkStatus",
                    "getAssistantRules",
                    "getRulesForAll",
                ],
                &["getMetrics"],
            ),
        ),
    ],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";

fn message(id: &str, second: u8, text: &str) -> Value {
    json!({
        "message_id": id,
        "source": "child",
        "text_content": text,
        "timestamp": format!("2026-11-21T19:55:{second:02}Z"),
    })
}

fn texts(messages: &Value) -> Vec<&str> {
    let messages = messages["messages"].as_array().unwrap();
    messages
        .iter()
        .map(|message| message["text_content"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn messages_delivered_in_any_order_are_read_in_chronological_order() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;

    let opened = robot
        .deliver(
            "s-1",
            &json!({"child_id": mia, "topic": "The moon", "start_time": "2026-11-21T16:05:00Z"}),
        )
        .await
        .json();
    let name = "s-1";
    let two = json!([
        message("b", 2, "two"),
        message("c", 2, "two again"),
        message("a", 1, "one")
    ]);
    let receipt = robot.deliver_messages(name, &two).await.json();
    let again = robot
        .deliver_messages(
            name,
            &json!([message("a", 1, "changed?"), message("b", 2, "two")]),
        )
        .await
        .json();

    let outcome = |stored: u64, repeated: u64, conflicting: Value| {
        json!({"session_id": 1, "stored": stored, "repeated": repeated, "erased": 0,
            "conflicting": conflicting, "adjusted": [], "repaired": [], "rejected": [], "unknown": []})
    };
    assert_eq!(receipt, outcome(3, 0, json!([])));
    assert_eq!(again, outcome(0, 1, json!(["a"])));
    let path = format!("/api/sessions/{}/messages", opened["session_id"]);
    assert_eq!(
        texts(&ada.get(&path).await.json()),
        ["one", "two", "two again"]
    );
    let sessions = ada
        .get(&format!("/api/sessions?child_id={mia}"))
        .await
        .json();
    assert_eq!(
        sessions,
        json!({"sessions": [{
            "session_id": opened["session_id"],
            "child_id": mia,
            "topic": "The moon",
            "start_time": "2026-11-21T16:05:00Z",
            "date": "2026-11-21T16:05:00Z",
            "duration": 13802.0,
            "last_message_time": "2026-11-21T19:55:02Z",
            "message_count": 3,
            "ended": false,
            "assistant": "robot",
            "assistant_id": robot.get("/api/assistant").await.json()["assistant_id"],
            "not_kept": [{"reason": "id_used_twice", "count": 1}],
        }]})
    );
}

#[tokio::test]
async fn a_late_retry_does_not_undo_a_correction() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let opened = robot.deliver("s", &json!({"child_id": mia})).await.json();
    let name = "s";
    let mut whole = json!([
        message("a", 1, "The moon is a rock."),
        message("b", 2, "Oh!")
    ]);
    whole[0]["source"] = json!("assistant");
    let heard = json!([{
        "message_id": "a", "source": "assistant", "text_content": "The moon", "revision": 1,
        "interrupted": true, "timestamp": "2026-11-21T16:09:00Z",
    }]);

    robot.deliver_messages(name, &whole).await.ok();
    robot.deliver_messages(name, &heard).await.ok();
    robot.deliver_messages(name, &whole).await.ok();

    let path = format!("/api/sessions/{}/messages", opened["session_id"]);
    let read = ada.get(&path).await.json();
    assert_eq!(texts(&read), ["The moon", "Oh!"]);
    assert_eq!(read["messages"][0]["interrupted"], true);
    let before = &read["messages"][0]["earlier"][0];
    assert_eq!(before["text_content"], "The moon is a rock.");
    assert_eq!(read["messages"][0]["timestamp"], "2026-11-21T19:55:01Z");
}

/// Replaces a child's message of Mia's by higher revisions, each an hour after the one before, and returns it as a guardian reads
/// it.
async fn corrected(texts: &[&str]) -> Value {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let key = app.assistant("robot", &[mia]).await.credential().to_owned();
    for (revision, text) in texts.iter().enumerate() {
        let mut said = message("a", 1, text);
        said["revision"] = json!(revision);
        let delivery = json!({"child_id": mia, "messages": [said]});
        app.bearer(&key).deliver("s", &delivery).await.ok();
        app.clock.advance(Duration::from_secs(60 * 60));
    }
    let ada = app.stepped_up(ADA).await;
    ada.get("/api/sessions/1/messages").await.json()["messages"][0].take()
}

#[tokio::test]
async fn a_corrected_message_shows_what_it_said_before() {
    let read = corrected(&["I want to run away", "I want ice cream"]).await;

    assert_eq!(read["text_content"], "I want ice cream");
    let before = json!([{"source": "child", "text_content": "I want to run away",
        "until": "2026-11-21T21:00:00Z"}]);
    assert_eq!(read["earlier"], before);
    let unchanged = corrected(&["I want ice cream", "I want ice cream"]).await;
    assert_eq!(unchanged["earlier"], Value::Null);
}

#[tokio::test]
async fn every_text_of_a_message_is_kept_and_a_seventh_correction_is_refused() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let revised = async |revision: u64, text: &str| {
        let mut said = message("a", 1, text);
        said["revision"] = json!(revision);
        let messages = json!([message("other", 0, "Hello"), said]);
        robot.deliver_messages("s", &messages).await.json()
    };
    let outcome = |answer: &Value| {
        let fields = ["stored", "repeated", "rejected"].map(|field| answer[field].clone());
        json!(fields)
    };
    for (revision, text) in ["a", "b", "c", "d", "e", "f", "g"].iter().enumerate() {
        revised(revision as u64, text).await;
    }

    let rejected = json!([{"index": 1, "message_id": "a", "at": "/messages/1/revision", "code": "revised_too_often",
        "detail": "This message was revised too often. Send the text as a message of its own."}]);
    for _ in 0..2 {
        assert_eq!(outcome(&revised(7, "h").await), json!([0, 1, rejected]));
    }
    assert_eq!(outcome(&revised(6, "g").await), json!([0, 2, []]));
    assert_eq!(outcome(&revised(8, "g").await), json!([1, 1, []]));

    let read = ada.get("/api/sessions/1/messages").await.json();
    let read = &read["messages"][1];
    assert_eq!(read["text_content"], "g");
    let earlier = read["earlier"].as_array().unwrap().iter();
    let texts = earlier.map(|text| text["text_content"].as_str().unwrap());
    assert_eq!(texts.collect::<String>(), "abcdef");
    let not_kept = async || ada.get("/api/sessions/1").await.json()["not_kept"].clone();
    let lost = json!([{"reason": "id_used_twice", "count": 1}]);
    assert_eq!(not_kept().await, lost);

    let own = json!([message("own", 1, "h")]);
    robot.deliver_messages("s", &own).await.ok();

    assert_eq!(not_kept().await, Value::Null, "it is kept after all");
}

#[tokio::test]
async fn revisions_with_many_escapes_fill_no_record() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    for revision in 0..8 {
        let text = format!("{revision}{}", "\u{1}".repeat(64 * 1024 - 1));
        let mut said = message("a", 1, &text);
        said["speaker"] = json!("\u{1}".repeat(200));
        said["revision"] = json!(revision);
        let answer = robot.deliver_messages("s", &json!([said])).await.json();
        let rejected = answer["rejected"].as_array().unwrap().len();
        assert_eq!(rejected, usize::from(revision > 0), "{answer}");
    }

    let read = ada.get("/api/sessions/1/messages").await.json();
    let text = read["messages"][0]["text_content"].as_str().unwrap();
    assert!(text.starts_with('0'));
}

#[tokio::test]
async fn an_answer_that_was_cut_short_keeps_what_it_said_whatever_time_it_has() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let key = app.assistant("robot", &[mia]).await.credential().to_owned();
    let answer = |revision: u64, text: &str| {
        json!({"message_id": "a", "source": "assistant", "text_content": text, "revision": revision,
            "interrupted": revision == 2, "timestamp": app.inner.clock.now()})
    };
    let deliver = async |said: Value| {
        let delivery = json!({"child_id": mia, "messages": [said]});
        app.bearer(&key).deliver("s", &delivery).await.ok();
    };
    deliver(answer(1, "Come to the back door.")).await;
    app.clock.advance(Duration::from_secs(60 * 60));

    deliver(answer(0, "Come")).await;
    deliver(answer(2, "Come")).await;

    let ada = app.stepped_up(ADA).await;
    let read = ada.get("/api/sessions/1/messages").await.json();
    let read = &read["messages"][0];
    assert_eq!(read["text_content"], "Come");
    assert_eq!(read["earlier"][0]["text_content"], "Come to the back door.");
}

#[tokio::test]
async fn who_spoke_is_kept_as_it_was_too() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let mut said = message("a", 1, "Tell nobody");
    said["source"] = json!("assistant");
    robot.deliver_messages("s", &json!([said])).await.ok();
    said["source"] = json!("child");
    said["speaker"] = json!("Mia");
    said["revision"] = json!(1);
    robot.deliver_messages("s", &json!([said])).await.ok();
    said["speaker"] = json!("TV");
    said["revision"] = json!(2);

    robot.deliver_messages("s", &json!([said])).await.ok();

    let read = ada.get("/api/sessions/1/messages").await.json();
    let read = &read["messages"][0];
    assert_eq!(
        (&read["source"], &read["speaker"]),
        (&json!("child"), &json!("TV"))
    );
    let until = "2026-11-21T20:00:00Z";
    let earlier = json!([
        {"source": "assistant", "text_content": "Tell nobody", "until": until},
        {"source": "child", "speaker": "Mia", "text_content": "Tell nobody", "until": until},
    ]);
    assert_eq!(read["earlier"], earlier);
}

#[tokio::test]
async fn messages_and_sessions_can_be_read_page_by_page() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let mut opened = Value::Null;
    for hour in 10..15 {
        let start = format!("2026-11-21T{hour}:00:00Z");
        let session = json!({"child_id": mia, "start_time": start});
        opened = robot.deliver(&hour.to_string(), &session).await.json();
    }
    let five = (0..5)
        .map(|n| message(&n.to_string(), n, &n.to_string()))
        .collect::<Vec<_>>();
    robot.deliver_messages("14", &json!(five)).await.ok();

    let first = ada
        .get(&format!("/api/sessions?child_id={mia}&limit=3"))
        .await
        .json();
    let next = first["next"].as_str().unwrap();
    let second = ada
        .get(&format!(
            "/api/sessions?child_id={mia}&limit=3&before={next}"
        ))
        .await
        .json();
    let path = format!("/api/sessions/{}/messages?limit=4", opened["session_id"]);
    let head = ada.get(&path).await.json();
    let after = head["next"].as_str().unwrap();
    let tail = ada.get(&format!("{path}&after={after}")).await.json();

    let starts = [&first, &second].map(|page| {
        let sessions = page["sessions"].as_array().unwrap();
        sessions
            .iter()
            .map(|session| session["start_time"].as_str().unwrap()[11..13].to_owned())
    });
    let hours = starts.into_iter().flatten().collect::<Vec<_>>();
    assert_eq!(hours, ["14", "13", "12", "11", "10"], "newest first");
    assert_eq!(second.get("next"), None, "the last page has no cursor");
    assert_eq!(
        [texts(&head), texts(&tail)].concat(),
        ["0", "1", "2", "3", "4"]
    );
}

#[tokio::test]
async fn a_single_session_is_equal_to_its_row_in_the_list() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let session = json!({"child_id": mia, "topic": "Bees", "start_time": "2026-11-21T16:00:00Z"});
    robot.deliver("s", &session).await.ok();
    robot
        .deliver_messages("s", &json!([message("a", 1, "Buzz?")]))
        .await
        .ok();

    let list = ada
        .get(&format!("/api/sessions?child_id={mia}"))
        .await
        .json();
    let listed = &list["sessions"][0];
    let alone = ada
        .get(&format!("/api/sessions/{}", listed["session_id"]))
        .await
        .json();

    assert_eq!(alone, *listed);
    assert_eq!(alone["message_count"], 1);
}

#[tokio::test]
async fn the_same_name_with_another_child_means_another_session() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let robot = app.assistant("robot", &[mia, leo]).await;
    let say = |child, text| json!({"child_id": child, "messages": [message("a", 1, text)]});

    let mias = robot.deliver("s", &say(mia, "Mia's words")).await.json();
    let leos = robot.deliver("s", &say(leo, "Leo's words")).await.json();
    let nobodys = robot
        .deliver_messages("s", &json!([message("b", 2, "Whose words?")]))
        .await;

    for (child, session, text) in [(mia, &mias, "Mia's words"), (leo, &leos, "Leo's words")] {
        let path = format!("/api/sessions/{}/messages", session["session_id"]);
        assert_eq!(texts(&ada.get(&path).await.json()), [text]);
        let listed = ada
            .get(&format!("/api/sessions?child_id={child}"))
            .await
            .json();
        assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
    }
    let (sentence, place) = nobodys.problem_at(422);
    assert_eq!(
        sentence,
        "This key is for more than one child, or for none. Please say whose session it is: child_id."
    );
    assert_eq!(place.as_deref(), Some("/child_id"));
}

#[tokio::test]
async fn an_assistant_delivers_for_its_own_children_only() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let robot = app.assistant("robot", &[mia]).await;
    let other = app.assistant("other", &[leo]).await;
    robot.deliver("s", &json!({"child_id": mia})).await.ok();

    let opened = other.deliver("t", &json!({"child_id": mia})).await;
    let opened_for_nobody = other.deliver("t", &json!({"child_id": 404})).await;

    let (_, place) = opened.problem_at(404);
    assert_eq!(place.as_deref(), Some("/child_id"));
    assert_eq!(opened.body, opened_for_nobody.body);
}

#[tokio::test]
async fn missing_fields_stay_missing_and_text_is_unchanged() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let opened = robot.deliver("s", &json!({"child_id": mia})).await.json();
    let strange = " <b>مرحبا</b>\u{202e} 👩‍🚀\u{0}\n ";
    let long = "ä".repeat(32 * 1024);
    let bare = json!([
        {"message_id": "bare", "timestamp": "2026-11-21T16:00:00Z"},
        {"message_id": "strange", "text_content": strange, "timestamp": "2026-11-21T16:00:01Z"},
        {"message_id": "long", "text_content": long, "timestamp": "2026-11-21T16:00:02Z"},
    ]);

    robot.deliver_messages("s", &bare).await.ok();

    let path = format!("/api/sessions/{}/messages", opened["session_id"]);
    let read = ada.get(&path).await.json();
    let expected = json!({"message_id": "bare", "timestamp": "2026-11-21T16:00:00Z"});
    assert_eq!(read["messages"][0], expected);
    assert_eq!(read["messages"][1]["text_content"], strange);
    assert_eq!(read["messages"][2]["text_content"], long);
}

#[tokio::test]
async fn a_session_name_of_ten_thousand_characters_gets_an_error_message() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let name = "a".repeat(10_000);

    let response = robot
        .deliver(&name.to_string(), &json!({"child_id": mia}))
        .await;

    assert_eq!(
        response.problem(400),
        "A session's name has 1 to 128 characters: letters A to Z, digits, dot, underscore, colon \
         and hyphen."
    );
}

/// Stores a message as the gateway does, with fields that an assistant can't deliver.
async fn store(app: &TestApp, child: ChildId, session: SessionId, message: Value, revision: u64) {
    let inner = app.inner.clone();
    let access = inner.children.for_administrator(child).unwrap();
    let message = serde_json::from_value(message).unwrap();
    let stored = app.inner.store.commit(move |change| {
        let mut delivery = MessageDelivery::of(message);
        delivery.revision = revision;
        let stored = inner
            .transcripts
            .deliver(change, &access, session, vec![delivery]);
        stored.map(drop)
    });
    stored.await.unwrap();
}

async fn confirm_heard(
    app: &TestApp,
    child: ChildId,
    session: SessionId,
    message: &'static str,
) -> Result<(), TranscriptsError> {
    let inner = app.inner.clone();
    let access = inner.children.for_administrator(child).unwrap();
    let confirmed = app.inner.store.commit(move |change| {
        inner
            .transcripts
            .confirm_heard(change, &access, session, message, |_| None)
    });
    confirmed.await
}

/// Everything about a session but its messages: its row, the day's figures, and what is found of a word.
async fn figures(ada: &Persona<'_>, child: ChildId, session: SessionId) -> Value {
    let day = "from=2026-11-21&to=2026-11-21";
    let metrics = format!("/api/child/{child}/metrics?{day}");
    json!([
        ada.get(&format!("/api/sessions/{session}")).await.json(),
        ada.get(&metrics).await.json()["days"],
        ada.find_all(child, "title").await,
    ])
}

#[tokio::test]
async fn what_nobody_said_is_shown_and_counts_only_from_the_revision_that_says_otherwise() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let said =
        json!({"child_id": mia, "messages": [message("a", 10, "Why?"), message("b", 20, "Bye!")]});
    let session = robot.deliver("s", &said).await.json()["session_id"].clone();
    let session = SessionId::new(session.as_u64().unwrap());
    let before = figures(&ada, mia, session).await;
    assert_eq!(before[0]["message_count"], 2);
    let request = message("c", 5, "Generate a title.");
    let mut answer = message("d", 30, "Curiosity");
    answer["source"] = json!("assistant");
    let background = |message: &Value| {
        let mut message = message.clone();
        message["kind"] = json!("background");
        message
    };

    for message in [&request, &answer] {
        store(&app, mia, session, background(message), 0).await;
    }
    assert_eq!(figures(&ada, mia, session).await, before);
    let path = format!("/api/sessions/{session}/messages");
    let read = ada.get(&path).await.json();
    let expected = ["Generate a title.", "Why?", "Bye!", "Curiosity"];
    assert_eq!(texts(&read), expected);
    assert_eq!(read["messages"][0], background(&request));
    // It is the model's own text, so it is searched.
    let found = ada.find_all(mia, "curiosity").await;
    assert_eq!(found[0]["message_id"], "d");
    assert_eq!(found[0]["kind"], "background");

    for message in [&request, &answer] {
        store(&app, mia, session, message.clone(), 1).await;
    }
    let counted = figures(&ada, mia, session).await;
    assert_eq!(counted[0]["message_count"], 4);
    assert_eq!(counted[0]["first_words"], "Generate a title.");
    assert_eq!(counted[0]["date"], "2026-11-21T19:55:05Z");
    assert_eq!(counted[0]["last_message_time"], "2026-11-21T19:55:30Z");
    assert_eq!(counted[0]["duration"], 25.0);
    assert_eq!(counted[1][0]["messages_of_assistant"], 1);
    assert_eq!(counted[2][0]["message_id"], "c");

    for message in [&request, &answer] {
        store(&app, mia, session, background(message), 2).await;
    }
    assert_eq!(figures(&ada, mia, session).await, before);
}

#[tokio::test]
async fn a_topic_is_found_although_a_search_continues_behind_what_nobody_said() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let said =
        json!({"child_id": mia, "topic": "The octopus", "messages": [message("a", 10, "Why?")]});
    let session = robot.deliver("s", &said).await.json()["session_id"].clone();
    let session = SessionId::new(session.as_u64().unwrap());
    for (id, at) in [("b", 20), ("c", 30)] {
        let mut answer = message(id, at, "Curiosity");
        answer["source"] = json!("assistant");
        answer["kind"] = json!("background");
        store(&app, mia, session, answer, 0).await;
    }
    let whole = ada.find_all(mia, "octopus").await;
    assert_eq!(whole[0]["message_id"], "a");

    let (inner, email) = (&app.inner, ADA.parse().unwrap());
    let guardian = inner.identity.guardians.get(&inner.store, &email).unwrap();
    let (mut joined, mut after) = (Vec::new(), None);
    loop {
        let access = inner.children.for_administrator(mia).unwrap();
        let query = Query::parse("octopus").unwrap();
        let search = inner
            .search
            .find(&guardian.id, access, query, after, 500, || true);
        let found = serde_json::to_value(search.await.unwrap()).unwrap();
        joined.extend(found["matches"].as_array().unwrap().iter().cloned());
        after = found["next"].as_str().map(str::to_owned);
        if after.is_none() {
            break;
        }
    }
    assert_eq!(joined, whole);
}

#[tokio::test]
async fn an_answer_is_confirmed_as_heard_at_the_same_revision_and_open_pages_learn_of_it() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let leo = app.child("Leo", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let session = robot.deliver("s", &json!({"child_id": mia})).await.json();
    let session = SessionId::new(session["session_id"].as_u64().unwrap());
    let mut sent = message("a", 1, "Because.");
    sent["generated"] = json!(true);
    store(&app, mia, session, sent.clone(), 1).await;
    let path = format!("/api/sessions/{session}/messages");
    assert_eq!(ada.get(&path).await.json()["messages"], json!([sent]));
    let mut events = ada.stream(&format!("/api/child/{mia}/events")).await;

    confirm_heard(&app, mia, session, "a").await.unwrap();

    events.until(&format!("session {session}")).await;
    let heard = json!([message("a", 1, "Because.")]);
    assert_eq!(ada.get(&path).await.json()["messages"], heard);
    confirm_heard(&app, mia, session, "a").await.unwrap();
    confirm_heard(&app, mia, session, "gone").await.unwrap();
    let of_another = confirm_heard(&app, leo, session, "a").await;
    assert!(matches!(of_another, Err(TranscriptsError::NoSuchSession)));
    // The revision is still the first one, so a late repeat changes nothing, and the next one does.
    store(&app, mia, session, sent.clone(), 1).await;
    assert_eq!(ada.get(&path).await.json()["messages"], heard);
    store(&app, mia, session, sent.clone(), 2).await;
    assert_eq!(ada.get(&path).await.json()["messages"], json!([sent]));
}

#[tokio::test]
async fn an_assistant_cannot_deliver_what_only_the_gateway_knows() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let mut delivered = message("a", 1, "Why?");
    delivered["generated"] = json!(true);
    delivered["kind"] = json!("background");

    let delivery = json!({"child_id": mia, "messages": [delivered]});
    let answer = robot.deliver("s", &delivery).await.json();

    let unknown = json!(["messages[].generated", "messages[].kind"]);
    assert_eq!(answer["unknown"], unknown);
    let path = format!("/api/sessions/{}/messages", answer["session_id"]);
    let read = ada.get(&path).await.json();
    assert_eq!(read["messages"], json!([message("a", 1, "Why?")]));
}
