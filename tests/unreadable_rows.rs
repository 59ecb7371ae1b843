//! Several damaged rows of one list, and of which kinds; `damaged_records` damages one record of every table.

use crate::support::test_app::{EVENING, Persona, Response, TestApp};
use poem::http::Method;
use porchlight::children::ChildId;
use porchlight::insights::activities::Activities;
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::store::{Key, Read, StoreError, Table};
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

/// Payloads that are valid in no list.
const DAMAGED: [&[u8]; 5] = [
    b"",
    b"{",
    b"[]",
    b"{}",
    br#"{"session_id":1,"child_id":1,"message_count":0,"ended":false,"message_id":"a","activity_id":"a","topic":"a",
        "feedback":"up","duration":1,"score":null,"timestamp":"+10000-01-01T00:00:00Z","at":"+10000-01-01T00:00:00Z",
        "date":"+10000-01-01T00:00:00Z","start_time":"+10000-01-01T00:00:00Z","summary":7}"#,
];

/// Overwrites these rows of a list with damaged payloads.
async fn damage(app: &TestApp, list: Key, places: &[usize]) {
    let places = places.to_vec();
    let damaged = app.inner.store.commit(move |change| {
        let rows = change.keys_below(&list, usize::MAX)?;
        for (place, payload) in places.into_iter().zip(DAMAGED.iter().cycle()) {
            change.put_json(&rows[place], 1, payload)?;
        }
        Ok::<_, StoreError>(())
    });
    damaged.await.unwrap();
}

fn list(table: &'static str, of: u64) -> Key {
    Table::new(table).key().number(of)
}

/// Returns the `unreadable-rows` header, or zero.
fn unreadable(response: &Response) -> u64 {
    match response.header("unreadable-rows") {
        "" => 0,
        count => count.parse().expect("it is a number"),
    }
}

/// Creates completed sessions with one message each, a minute apart.
async fn create_sessions(robot: &Persona<'_>, child: ChildId, count: u64) {
    for number in 1..=count {
        let session = format!("{child}-{number}");
        let start = format!("2026-11-21T16:{number:02}:00Z");
        let opened = json!({"child_id": child, "topic": number.to_string(), "start_time": start});
        let mut delivery = opened;
        delivery["messages"] = json!([{"message_id": "m", "timestamp": start}]);
        delivery["completion"] = json!({"duration": 1});
        robot.deliver(&session, &delivery).await.ok();
    }
}

async fn deliver(robot: &Persona<'_>, child: ChildId, session: &str, count: u64) {
    let messages = (1..=count)
        .map(|number| {
            json!({"message_id": number.to_string(),
                "timestamp": format!("2026-11-21T18:00:{number:02}Z")})
        })
        .collect::<Value>();
    let delivery = json!({"child_id": child, "messages": messages});
    robot.deliver(session, &delivery).await.ok();
}

async fn propose(robot: &Persona<'_>, child: ChildId, ids: &[&str]) {
    let activities = ids
        .iter()
        .map(|id| json!({"activity_id": id, "topic": "A topic"}))
        .collect::<Value>();
    let path = format!("/api/assistant/child/{child}/activities/upcoming");
    robot.put(&path, &activities).await.ok();
}

/// Returns a field of all rows.
fn all(rows: &Value, field: &str) -> Vec<String> {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| match &row[field] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    })
    .collect()
}

#[tokio::test]
async fn an_alert_that_is_damaged_or_of_an_unknown_version_costs_one_row() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let phrases = json!([{"words": "our secret", "side": "either"}]);
    let path = format!("/api/child/{mia}/watched_phrases");
    ada.put(&path, &phrases).await.ok();
    for session in ["1", "2", "3"] {
        let said = json!([{"message_id": "m", "source": "child", "text_content": "our secret"}]);
        robot
            .deliver(session, &json!({"messages": said}))
            .await
            .ok();
        let lost = json!([{"message_id": "x", "revision": "1"}]);
        let session = format!("lost-{session}");
        robot
            .deliver(&session, &json!({"messages": lost}))
            .await
            .ok();
    }
    let path = format!("/api/child/{mia}/alerts");
    let alerts = async || {
        let response = ada.get(&path).await;
        let json = response.json();
        let kinds = json["alerts"].as_array().unwrap().iter();
        let kinds = kinds.map(|alert| alert["kind"].as_str().unwrap().to_owned());
        let ringing = ada.get("/api/alerts/unseen").await;
        assert_eq!(unreadable(&ringing), unreadable(&response));
        let unseen = ringing.json()["items"][0]["unseen"].as_u64().unwrap();
        (
            kinds.collect::<Vec<_>>().join(" "),
            unseen,
            unreadable(&response),
        )
    };
    let write = async |table: &'static str, place: usize, version: u8, alert: Value| {
        let written = app.inner.store.commit(move |change| {
            let rows = change.keys_below(&list(table, mia.number()), usize::MAX)?;
            change.put_json(&rows[place], version, alert.to_string().as_bytes())
        });
        written.await.unwrap();
    };
    let all = "not_kept phrase not_kept phrase not_kept phrase".to_owned();
    assert_eq!(alerts().await, (all.clone(), 3, 0));

    // The same rows with a newer program's version, then damaged.
    let first = u64::try_from(EVENING.parse::<Timestamp>().unwrap().micros()).unwrap();
    let alert = |kind: &str, number: u64| {
        json!({"alert_id": first - 1 + number, "kind": kind, "count": 1,
            "at": "2026-11-21T20:00:00Z", "arrived_at": "2026-11-21T20:00:00Z"})
    };
    write("alert-own", 1, 1, alert("phrase", 3)).await;
    write("alert", 1, 1, alert("not_kept", 4)).await;
    assert_eq!(alerts().await, (all, 3, 0));
    write("alert-own", 1, 2, alert("phrase", 3)).await;
    let without = "not_kept phrase not_kept not_kept phrase".to_owned();
    assert_eq!(alerts().await, (without, 2, 1));
    write("alert", 1, 9, alert("not_kept", 4)).await;
    let without = "not_kept phrase not_kept phrase".to_owned();
    assert_eq!(alerts().await, (without.clone(), 2, 2));
    write("alert", 1, 1, json!([])).await;
    assert_eq!(alerts().await, (without, 2, 2));
}

#[tokio::test]
async fn paging_continues_after_damaged_rows_and_each_page_counts_its_own() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, tom) = (
        app.child("Mia", &[ADA]).await,
        app.child("Tom", &[ADA]).await,
    );
    let robot = app.assistant("robot", &[mia, tom]).await;
    for child in [mia, tom] {
        create_sessions(&robot, child, 12).await;
        deliver(&robot, child, &format!("{child}-1"), 11).await;
    }
    let damaged = [2, 3, 4, 5, 6, 11];
    damage(&app, list("session", mia.number()), &damaged).await;
    damage(&app, list("message", 1), &damaged).await;
    let lists = [
        (
            format!("/api/sessions?child_id={mia}&before="),
            "sessions",
            "topic",
            ["12", "11", "5", "4", "3", "2"],
        ),
        (
            "/api/sessions/1/messages?after=".to_owned(),
            "messages",
            "message_id",
            ["m", "1", "7", "8", "9", "10"],
        ),
    ];

    for (path, rows, field, expected) in lists {
        for (limit, counts) in [
            (1, vec![0, 0, 5, 0, 0, 1]),
            (2, vec![0, 5, 1]),
            (4, vec![5, 1]),
            (6, vec![6]),
        ] {
            let (mut seen, mut counted, mut next) = (Vec::new(), Vec::new(), None::<String>);
            loop {
                let address = match &next {
                    Some(next) => format!("{path}{next}&limit={limit}"),
                    None => format!("{}&limit={limit}", path.rsplit_once(['&', '?']).unwrap().0)
                        .replace("messages&", "messages?"),
                };
                let page = ada.get(&address).await;
                let from_cache = ada.get(&address).await;
                assert_eq!(unreadable(&page), unreadable(&from_cache));
                assert_eq!(page.body, from_cache.body);
                counted.push(unreadable(&page));
                let page = page.json();
                seen.extend(all(&page[rows], field));
                match page["next"].as_str() {
                    Some(text) => next = Some(text.to_owned()),
                    None => break,
                }
            }

            assert_eq!(seen, expected, "{rows}, {limit} at once");
            assert_eq!(counted, counts, "{rows}, {limit} at once");
        }
    }
    let toms = [
        (format!("/api/sessions?child_id={tom}"), "sessions"),
        ("/api/sessions/13/messages".to_owned(), "messages"),
    ];
    for (path, rows) in toms {
        let whole = ada.get(&path).await;
        assert_eq!(whole.json()[rows].as_array().unwrap().len(), 12, "{rows}");
        assert_eq!(whole.headers.get("unreadable-rows"), None, "{rows}");
    }
}

#[tokio::test]
async fn a_page_of_completed_activities_is_full_despite_damaged_rows() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let most = Activities::COMPLETED_AT_ONCE;
    let (inner, count) = (app.inner.clone(), most + 20);
    let access = inner.children.for_administrator(mia).unwrap();
    let filled = app.inner.store.commit(move |change| {
        for _ in 0..count {
            let session =
                inner
                    .assistant
                    .begin_session(change, &access, Default::default(), None)?;
            let completion = porchlight::assistants::deliveries::SessionCompletion {
                duration: Some(1.into()),
                ..Default::default()
            };
            inner
                .assistant
                .complete(change, &access, session.session_id, completion)?;
        }
        Ok::<_, porchlight::assistants::deliveries::AssistantError>(())
    });
    filled.await.unwrap();
    let damaged = (most - 5..most + 5).collect::<Vec<_>>();
    damage(&app, list("completed", mia.number()), &damaged).await;
    let path = format!("/api/child/{mia}/activities/completed");

    let first = ada.get(&path).await;
    let ids = all(&first.json(), "session_id");
    let last = ids.last().unwrap();
    let second = ada.get(&format!("{path}?before={last}")).await;

    assert_eq!((ids.len(), unreadable(&first)), (most, 10));
    assert_eq!(all(&second.json(), "session_id").len(), 10);
    assert_eq!(unreadable(&second), 0);
}

#[tokio::test]
async fn an_assistant_can_read_past_damaged_feedback() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    propose(&robot, mia, &["a", "b", "c", "d", "e", "f"]).await;
    let judge = async |id: &str| {
        let path = format!("/api/child/{mia}/activities/upcoming/{id}/feedback");
        ada.put(&path, &json!({"feedback": "up"})).await.ok();
    };
    for id in ["a", "b", "c", "d", "e"] {
        judge(id).await;
    }
    damage(&app, list("verdict", mia.number()), &[0, 1, 2, 3, 4]).await;
    let path = format!("/api/assistant/child/{mia}/feedback");

    let first = robot.get(&path).await;
    judge("f").await;
    let next = first.json()["next"].as_str().unwrap().to_owned();
    let second = robot.get(&format!("{path}?after={next}")).await;

    assert_eq!(
        (first.json()["feedback"].clone(), unreadable(&first)),
        (json!([]), 5)
    );
    assert_eq!(all(&second.json()["feedback"], "activity_id"), ["f"]);
    assert_eq!(unreadable(&second), 0);
}

#[tokio::test]
async fn a_damaged_message_that_is_corrected_counts_once() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let say = async |revision: u64| {
        let said = json!({"message_id": "m", "source": "assistant", "text_content": "Hello!",
            "timestamp": "2026-11-21T18:00:00Z", "revision": revision});
        robot.deliver("s", &json!({"messages": [said]})).await.ok();
    };
    say(0).await;
    damage(&app, list("message", 1), &[0]).await;

    say(1).await;

    let path = format!("/api/child/{mia}/metrics");
    let metrics = ada.get(&path).await.json();
    let days = metrics["days"].as_array().unwrap().iter();
    let spoken = days.filter_map(|day| day["messages_of_assistant"].as_u64());
    assert_eq!(spoken.sum::<u64>(), 1);
    let session = ada.get("/api/sessions/1").await.json();
    assert_eq!(session["message_count"], 1);
}

#[tokio::test]
async fn damaged_feedback_can_be_replaced_but_not_taken_back() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    propose(&robot, mia, &["a"]).await;
    let up = json!({"feedback": "up"});
    let path = format!("/api/child/{mia}/activities/upcoming/a/feedback");
    let upcoming = format!("/api/child/{mia}/activities/upcoming");
    ada.put(&path, &up).await.ok();
    damage(&app, list("verdict", mia.number()), &[0]).await;

    let refused = ada.send(Method::DELETE, &path, &[], None).await;
    let hidden = ada.get(&upcoming).await.json();
    ada.put(&path, &up).await.ok();
    ada.send(Method::DELETE, &path, &[], None).await.ok();

    refused.problem(503);
    assert_eq!(hidden, json!([]));
    assert_eq!(all(&ada.get(&upcoming).await.json(), "activity_id"), ["a"]);
}

#[tokio::test]
async fn a_damaged_proposal_does_not_block_feedback_on_another() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    propose(&robot, mia, &["a", "b", "c", "d", "e", "f", "g"]).await;
    damage(&app, list("upcoming", mia.number()), &[0, 2, 3, 4, 5]).await;
    let path = |id| format!("/api/child/{mia}/activities/upcoming/{id}/feedback");

    ada.put(&path("b"), &json!({"feedback": "up"})).await.ok();

    ada.put(&path("a"), &json!({"feedback": "up"}))
        .await
        .problem(404);
    let left = ada
        .get(&format!("/api/child/{mia}/activities/upcoming"))
        .await;
    assert_eq!(all(&left.json(), "activity_id"), ["g"]);
    assert_eq!(unreadable(&left), 5);
}

#[tokio::test]
async fn an_unreadable_link_grants_no_access_and_affects_no_other_link() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let ben = app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let tom = app.child("Tom", &[ADA]).await;
    let tina = app.child("Tina", &[BEN]).await;
    let sessions = |child| format!("/api/sessions?child_id={child}");
    let links = Table::new("guardian-has").key();
    let all = app.inner.store.list::<ChildId>(&links).unwrap();
    let adas = ada.get("/api/children").await.json();
    assert_eq!((all.len(), adas.as_array().unwrap().len()), (4, 2));

    // Mia's link to one of her two guardians. The keys start with the guardian.
    let whose = all.iter().position(|child| *child == mia);
    damage(&app, links, &[whose.unwrap()]).await;
    let responses = [
        (
            ada.get("/api/children").await,
            ada.get(&sessions(mia)).await,
        ),
        (
            ben.get("/api/children").await,
            ben.get(&sessions(mia)).await,
        ),
    ];

    let statuses = responses.map(|(children, sessions)| {
        assert_eq!(children.status, sessions.status);
        children.status.as_u16()
    });
    assert!(
        statuses == [503, 200] || statuses == [200, 503],
        "{statuses:?}"
    );
    ada.get(&sessions(tom)).await.ok();
    ben.get(&sessions(tina)).await.ok();
}

/// Lists that fail with 503 if a row is damaged; the rows of the last one are only in memory.
const FAIL_CLOSED: [&str; 9] = [
    "listChildren",
    "getSession",
    "getSessionKept",
    "listSignIns",
    "listWatchedPhrases",
    "getAssistant",
    "getTimes",
    // Its questions are no rows.
    "previewTry",
    "listAskingDevices",
];

#[tokio::test]
async fn every_list_of_rows_says_in_the_contract_how_many_are_missing() {
    let app = TestApp::new().await;
    let contract = app.anonymous().get("/api/openapi.json").await.json();
    let resolve = |schema: &Value| match schema["$ref"].as_str() {
        Some(name) => contract
            .pointer(name.trim_start_matches('#'))
            .unwrap()
            .clone(),
        None => schema.clone(),
    };
    let is_rows =
        |schema: &Value| schema["type"] == "array" && resolve(&schema["items"])["type"] == "object";
    let mut counted = 0;

    for item in contract["paths"].as_object().unwrap().values() {
        if let Some(operation) = item.get("get") {
            let name = operation["operationId"].as_str().unwrap();
            let response = &operation["responses"]["200"];
            let schema = resolve(&response["content"]["application/json"]["schema"]);
            let fields = schema["properties"].as_object();
            let has_rows =
                is_rows(&schema) || fields.is_some_and(|fields| fields.values().any(is_rows));
            // They are derived from the rows of conversations and of assistants.
            let has_rows = has_rows || ["getTalkStatus", "getChildNotice"].contains(&name);
            let header = &response["headers"]["Unreadable-Rows"];
            if has_rows && !FAIL_CLOSED.contains(&name) {
                assert!(
                    header.is_object(),
                    "{name} doesn't document Unreadable-Rows"
                );
                counted += 1;
            } else {
                assert!(header.is_null(), "{name} answers no rows");
            }
        }
    }
    assert!(counted > 20, "{counted}");
}
