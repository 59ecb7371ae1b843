//! Search: only for the child's guardians, in pages that add up to all matches, and always up to date.

use crate::support::features::Facts;
use crate::support::files::folder_contains;
use crate::support::operations::write;
use crate::support::test_app::{Persona, TestApp};
use porchlight::children::ChildId;
use porchlight::conversations::search::Query;
use porchlight::kernel::store::{StoreError, Table};
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    writes: &[write(
        "searchTranscripts",
        None,
        |_| json!({"words": "octopus", "limit": 5}),
    )],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";

struct Home {
    app: TestApp,
    child: ChildId,
    guardian: String,
}

impl Home {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let guardian = app.guardian(ADA).await.credential().to_owned();
        let child = app.child("Mia", &[ADA]).await;
        Self {
            app,
            child,
            guardian,
        }
    }

    fn ada(&self) -> Persona<'_> {
        self.app.bearer(&self.guardian)
    }

    /// Delivers a session of this day in November, with one message a minute.
    async fn deliver(&self, robot: &Persona<'_>, day: u8, topic: &str, texts: &[&str]) {
        let at = |minute: usize| format!("2026-11-{day:02}T16:{minute:02}:00Z");
        let message = |(index, text): (usize, &&str)| {
            json!({"message_id": format!("m{index}"), "source": "child",
            "text_content": text, "timestamp": at(index)})
        };
        let messages = texts.iter().enumerate().map(message);
        let delivery = json!({"child_id": self.child, "topic": topic, "start_time": at(0),
            "messages": messages.collect::<Value>()});
        robot.deliver(&format!("s{day}"), &delivery).await.ok();
    }

    fn path(&self) -> String {
        format!("/api/child/{}/search", self.child)
    }

    /// Returns all matches, read in pages of this size.
    async fn search(&self, ada: &Persona<'_>, words: &str, limit: usize) -> Vec<Value> {
        let mut all = Vec::new();
        let mut request = json!({"words": words, "limit": limit});
        loop {
            let page = ada.post(&self.path(), &request).await.json();
            let matches = page["matches"].as_array().unwrap();
            assert!(matches.len() <= limit);
            all.extend(matches.iter().cloned());
            assert_eq!(page["next"].is_null(), page["searched_back_to"].is_null());
            match &page["next"] {
                Value::Null => return all,
                next => request["after"] = next.clone(),
            }
        }
    }
}

/// The day and the message id of each match.
fn places(matches: &[Value]) -> Vec<String> {
    let place = |it: &Value| {
        let day = it["timestamp"].as_str().unwrap()[8..10].to_owned();
        format!("{day} {}", it["message_id"].as_str().unwrap())
    };
    matches.iter().map(place).collect()
}

#[tokio::test]
async fn matches_are_newest_first_with_their_session_and_the_positions_of_the_words() {
    let home = Home::new().await;
    let robot = home.app.assistant("robot", &[home.child]).await;
    let ada = home.ada();
    home.deliver(
        &robot,
        20,
        "The sea",
        &["An OCTOPUS 🐙 octopus", "No.", "octopus"],
    )
    .await;
    home.deliver(&robot, 21, "Cats", &["octopus"]).await;

    let found = home.search(&ada, "octopus", 50).await;

    assert_eq!(places(&found), ["21 m0", "20 m2", "20 m0"]);
    assert_eq!(
        found[2],
        json!({"session_id": 1, "topic": "The sea", "start_time": "2026-11-20T16:00:00Z",
            "date": "2026-11-20T16:00:00Z", "message_id": "m0", "source": "child", "timestamp": "2026-11-20T16:00:00Z", "text_content": "An OCTOPUS 🐙 octopus",
            "ranges": [[3, 10], [14, 21]]})
    );
}

#[tokio::test]
async fn a_session_whose_topic_has_all_words_is_found_once_by_its_newest_message() {
    let home = Home::new().await;
    let robot = home.app.assistant("robot", &[home.child]).await;
    let ada = home.ada();
    home.deliver(
        &robot,
        20,
        "The octopus",
        &["Three hearts.", "An octopus.", "Yes."],
    )
    .await;

    let found = home.search(&ada, "octopus", 50).await;
    let both = home.search(&ada, "octopus hearts", 50).await;

    assert_eq!(places(&found), ["20 m2", "20 m1"]);
    assert_eq!(found[0]["ranges"], json!([]));
    assert_eq!(places(&both), ["20 m0"]);
}

#[tokio::test]
async fn pages_of_any_size_add_up_to_one_long_page() {
    let home = Home::new().await;
    let robot = home.app.assistant("robot", &[home.child]).await;
    let ada = home.ada();
    for day in 1..=9 {
        let topic = if day % 3 == 0 { "octopus" } else { "cats" };
        let texts = ["octopus", "no", "octopus octopus", "no", "octopus"];
        home.deliver(&robot, day, topic, &texts[..usize::from(day) % 6])
            .await;
    }
    let whole = home.search(&ada, "octopus", 500).await;
    assert!(whole.len() > 12, "{}", whole.len());

    for limit in [1, 2, 3, 7] {
        assert_eq!(home.search(&ada, "octopus", limit).await, whole, "{limit}");
    }
    let search = &home.app.inner.search;
    let access = home
        .app
        .inner
        .children
        .for_administrator(home.child)
        .unwrap();
    let guardian = home
        .app
        .inner
        .identity
        .guardians
        .get(&home.app.inner.store, &ADA.parse().unwrap());
    let guardian = guardian.unwrap().id;
    for steps in [1, 2, 5] {
        let (mut joined, mut after) = (Vec::new(), None);
        loop {
            let mut left = steps;
            let is_over = move || {
                left -= 1;
                left == 0
            };
            let query = Query::parse("octopus").unwrap();
            let found = search
                .find(&guardian, access.clone(), query, after, 500, is_over)
                .await;
            let found = serde_json::to_value(found.unwrap()).unwrap();
            joined.extend(found["matches"].as_array().unwrap().iter().cloned());
            match found["next"].as_str() {
                None => break,
                next => after = next.map(str::to_owned),
            }
        }
        assert_eq!(joined, whole, "{steps} steps at a time");
    }
}

#[tokio::test]
async fn new_messages_are_found_at_once_and_removed_ones_are_not() {
    let home = Home::new().await;
    let robot = home.app.assistant("robot", &[home.child]).await;
    let ada = home.ada();
    assert_eq!(home.search(&ada, "octopus", 50).await, [Value::Null; 0]);
    home.deliver(&robot, 20, "Sea", &["A squid."]).await;
    let corrected = json!([{"message_id": "m0", "revision": 1, "text_content": "An octopus.",
        "timestamp": "2026-11-20T16:00:00Z"}]);
    robot.deliver_messages("s20", &corrected).await.ok();

    assert_eq!(home.search(&ada, "octopus", 50).await.len(), 1);
    let corrected = json!({"session_id": 1, "topic": "Sea", "start_time": "2026-11-20T16:00:00Z",
        "date": "2026-11-20T16:00:00Z", "message_id": "m0", "source": "child",
        "timestamp": "2026-11-20T16:00:00Z", "text_content": "A squid.", "ranges": [[2, 7]],
        "until": "2026-11-21T20:00:00Z"});
    assert_eq!(home.search(&ada, "squid", 50).await, [corrected]);
    assert_eq!(
        home.search(&ada, "squid octopus", 50).await,
        [Value::Null; 0]
    );
    let (children, child) = (home.app.inner.children.clone(), home.child);
    let removed = home
        .app
        .inner
        .store
        .commit(move |change| children.remove(change, child));
    let access = removed.await.unwrap();
    let refused = ada.post(&home.path(), &json!({"words": "octopus"})).await;
    refused.problem(404);
    home.app.inner.erase(access).await.unwrap();
}

#[tokio::test]
async fn invalid_searches_are_refused_with_their_parameter() {
    let home = Home::new().await;
    let ada = home.ada();
    for (request, status, place) in [
        (json!({"words": "a".repeat(201)}), 400, "/words"),
        (json!({"words": " \"\" "}), 422, "/words"),
        (json!({}), 400, "/words"),
        (json!({"words": "a", "after": "AAAA"}), 400, "/after"),
        (json!({"words": "a", "after": "no marker!"}), 400, "/after"),
        (json!({"words": "a", "limit": 0}), 400, "/limit"),
        (json!({"words": "a", "limit": 501}), 400, "/limit"),
        (json!({"words": "a", "more": 1}), 400, "/more"),
    ] {
        let (_, at) = ada.post(&home.path(), &request).await.problem_at(status);
        assert_eq!(at.as_deref(), Some(place), "{request}");
    }
}

#[tokio::test]
async fn no_error_and_no_file_repeats_the_words() {
    let home = Home::new().await;
    let ada = home.ada();
    let robot = home.app.assistant("robot", &[home.child]).await;
    home.deliver(&robot, 20, "Sea", &["An octopus."]).await;
    let canary = "kanarienvogel";
    let words = format!("{canary} {}", "x".repeat(200));
    for request in [
        json!({"words": words}),
        json!({"words": canary, "after": canary}),
        json!({"words": canary, "limit": canary}),
        json!({"words": [canary]}),
    ] {
        let response = ada.post(&home.path(), &request).await;
        assert_eq!(response.status, 400, "{}", response.body);
        assert!(!response.body.contains(canary), "{}", response.body);
    }
    assert_eq!(home.search(&ada, canary, 50).await, [Value::Null; 0]);
    assert!(!folder_contains(home.app.data(), canary));
}

#[tokio::test]
async fn unreadable_messages_and_sessions_are_left_out_and_counted_once() {
    let home = Home::new().await;
    let robot = home.app.assistant("robot", &[home.child]).await;
    let ada = home.ada();
    for day in 1..=3 {
        home.deliver(&robot, day, "Sea", &["octopus", "octopus"])
            .await;
    }
    let child = home.child;
    let damaged = home.app.inner.store.commit(move |change| {
        let sessions = Table::new("session")
            .key()
            .number(child.to_string().parse().unwrap());
        let session = change_keys(change, &sessions)?[1].clone();
        let messages = Table::new("message").key().number(1);
        let message = change_keys(change, &messages)?[0].clone();
        change.put_json(&session, 1, b"{")?;
        change.put_json(&message, 1, b"{")?;
        Ok::<_, StoreError>(())
    });
    damaged.await.unwrap();

    let response = ada.post(&home.path(), &json!({"words": "octopus"})).await;

    assert_eq!(response.header("unreadable-rows"), "2");
    assert_eq!(
        places(response.json()["matches"].as_array().unwrap()),
        ["03 m1", "03 m0", "01 m1"]
    );
    assert_eq!(home.search(&ada, "octopus", 1).await.len(), 3);
}

fn change_keys(
    change: &porchlight::kernel::store::Change,
    list: &porchlight::kernel::store::Key,
) -> Result<Vec<porchlight::kernel::store::Key>, StoreError> {
    porchlight::kernel::store::Read::keys_below(change, list, usize::MAX)
}

#[tokio::test]
async fn a_session_can_be_read_around_a_message_and_onwards_in_both_directions() {
    let home = Home::new().await;
    let robot = home.app.assistant("robot", &[home.child]).await;
    let ada = home.ada();
    let texts = (0..20).map(|number| number.to_string()).collect::<Vec<_>>();
    let texts = texts.iter().map(String::as_str).collect::<Vec<_>>();
    home.deliver(&robot, 20, "Numbers", &texts).await;
    let messages = "/api/sessions/1/messages?limit=6";
    let ids = |page: &Value| {
        let messages = page["messages"].as_array().unwrap().iter();
        messages
            .map(|it| it["message_id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };

    let middle = ada.get(&format!("{messages}&around=m10")).await.json();
    assert_eq!(ids(&middle), ["m7", "m8", "m9", "m10", "m11", "m12"]);
    let follow = async |parameter: &str, page: &Value, field: &str| {
        let path = format!("{messages}&{parameter}={}", page[field].as_str().unwrap());
        ada.get(&path).await.json()
    };
    let later = follow("after", &middle, "next").await;
    let earlier = follow("before", &middle, "previous").await;
    let first = follow("before", &earlier, "previous").await;

    assert_eq!(ids(&later)[0], "m13");
    assert_eq!(ids(&earlier), ["m1", "m2", "m3", "m4", "m5", "m6"]);
    assert_eq!(ids(&first), ["m0"]);
    assert!(first["previous"].is_null());
    let start = ada.get(&format!("{messages}&around=m1")).await.json();
    assert_eq!(
        (ids(&start)[0].as_str(), start["previous"].is_null()),
        ("m0", true)
    );
    let end = ada.get(&format!("{messages}&around=m19")).await.json();
    assert_eq!(ids(&end).last().map(String::as_str), Some("m19"));
    assert!(end["next"].is_null());
    ada.get(&format!("{messages}&around=none"))
        .await
        .problem(404);
    let both = format!(
        "{messages}&around=m1&after={}",
        middle["next"].as_str().unwrap()
    );
    ada.get(&both).await.problem(400);
}
