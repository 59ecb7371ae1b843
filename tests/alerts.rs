//! Alerts and watched phrases, through the API.

use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::tables::{Pages, Promise, Words};
use crate::support::test_app::{Persona, TestApp};
use poem::http::Method;
use porchlight::children::ChildId;
use porchlight::identity::Caller;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub static FACTS: Facts = Facts {
    tables: &[
        (
            Some(Promise::WatchedPhrase),
            None,
            &["alert-latest", "alert-seen", "watched-edition"],
        ),
        (
            Some(Promise::WatchedPhrase),
            Some(Words::Conversation),
            &["alert-own"],
        ),
        (
            Some(Promise::WatchedPhrase),
            Some(Words::ChildsOwn),
            &["watched-phrases"],
        ),
        (None, Some(Words::Conversation), &["alert"]),
        (
            None,
            None,
            &["alert-assistant", "alert-pending", "alert-place"],
        ),
    ],
    damaged: &[
        (
            "alert",
            Pages::LacksARow(&["listAlerts", "countUnseenAlerts", "getAttention"]),
        ),
        (
            "alert-own",
            Pages::LacksARow(&["listAlerts", "countUnseenAlerts", "getAttention"]),
        ),
        (
            "watched-phrases",
            Pages::ClosedAndLacksARow(&["listWatchedPhrases"], &["getAttention"]),
        ),
    ],
    writes: &[
        write(
            "tryWatchedPhrase",
            None,
            |_| json!({"words": "our secret", "side": "child"}),
        ),
        write(
            "noteAlertsSeen",
            None,
            |child| json!({"child_id": child, "up_to": 1}),
        ),
        write(
            "replaceWatchedPhrases",
            None,
            |_| json!([{"words": "our secret", "side": "child"}]),
        ),
    ],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Ada and Ben share Mia and Leo.
struct World {
    app: TestApp,
    mia: ChildId,
    leo: ChildId,
    key: String,
}

impl World {
    async fn new() -> Self {
        let app = TestApp::new().await;
        app.named_guardian(ADA, "Ada").await;
        app.named_guardian(BEN, "Ben").await;
        let mia = app.child("Mia", &[ADA, BEN]).await;
        let leo = app.child("Leo", &[ADA, BEN]).await;
        let key = app.assistant("kitchen", &[mia, leo]).await;
        let key = key.credential().to_owned();
        Self { app, mia, leo, key }
    }

    async fn of(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    async fn watch(&self, email: &str, child: ChildId, phrases: &Value) {
        let path = format!("/api/child/{child}/watched_phrases");
        self.of(email).await.put(&path, phrases).await.ok();
    }

    /// Watches for a phrase about Mia, on either side.
    async fn watch_mia(&self, email: &str, words: &str) {
        let phrases = json!([{"words": words, "side": "either"}]);
        self.watch(email, self.mia, &phrases).await;
    }

    async fn deliver(&self, child: ChildId, session: &str, messages: Value) -> u64 {
        let delivery = json!({"child_id": child, "messages": messages});
        let robot = self.app.bearer(&self.key);
        let delivered = robot.deliver(session, &delivery).await.json();
        delivered["session_id"].as_u64().unwrap()
    }

    /// Delivers a message of Mia's.
    async fn say(&self, session: &str, id: &str, text: &str) -> u64 {
        let message = json!([{"message_id": id, "source": "child", "text_content": text}]);
        self.deliver(self.mia, session, message).await
    }

    async fn alerts(&self, email: &str, child: ChildId) -> Vec<Value> {
        let path = format!("/api/child/{child}/alerts");
        let page = self.of(email).await.get(&path).await.json();
        page["alerts"].as_array().unwrap().clone()
    }

    /// The unseen alerts of Mia and Leo.
    async fn unseen(&self, email: &str) -> [u64; 2] {
        let counts = self.of(email).await.get("/api/alerts/unseen").await.json();
        let count = |child: ChildId| {
            let mut rows = counts["items"].as_array().unwrap().iter();
            let row = rows.find(|row| row["child_id"] == json!(child));
            row.unwrap()["unseen"].as_u64().unwrap()
        };
        [count(self.mia), count(self.leo)]
    }

    async fn see(&self, email: &str, child: ChildId, up_to: u64) {
        let seen = json!({"child_id": child, "up_to": up_to});
        self.of(email)
            .await
            .put("/api/alerts/seen", &seen)
            .await
            .ok();
    }

    async fn delete(&self, email: &str, session: u64) {
        let path = format!("/api/sessions/{session}");
        let by = self.of(email).await;
        by.send(Method::DELETE, &path, &[], None).await.ok();
    }

    async fn move_to(&self, email: &str, session: u64, child: ChildId) {
        let path = format!("/api/sessions/{session}/child");
        let to = json!({"child_id": child});
        self.of(email).await.put(&path, &to).await.ok();
    }
}

#[tokio::test]
async fn a_phrase_alert_has_its_message_its_neighbours_and_its_count() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;

    let said = |id: &str, minute: u8, text: &str| {
        let at = format!("2026-11-21T19:{minute}:00Z");
        json!({"message_id": id, "source": "assistant", "text_content": text, "timestamp": at})
    };
    let messages = json!([
        said("a", 10, "Hello"),
        said("b", 11, "🌙 It is Our, secret."),
        said("c", 12, "Yes"),
        said("d", 13, "our secret!"),
        said("e", 14, "our"),
        said("f", 15, "secret"),
    ]);
    let session = world.deliver(world.mia, "s", messages).await;

    let alerts = world.alerts(ADA, world.mia).await;
    assert_eq!(alerts.len(), 1);
    let alert = &alerts[0];
    assert_eq!(alert["kind"], "phrase");
    assert_eq!(alert["session_id"], session);
    assert_eq!(alert["message_id"], "b");
    assert_eq!(alert["at"], "2026-11-21T19:11:00Z");
    assert_eq!(alert["count"], 2);
    assert_eq!(alert["text_content"], "🌙 It is Our, secret.");
    assert_eq!(alert["ranges"], json!([[9, 20]]));
    assert_eq!(alert["before"]["text_content"], "Hello");
    assert_eq!(alert["after"]["text_content"], "Yes");
    assert_eq!(alert["assistant"], "kitchen");
    assert_eq!(alert["unseen"], true);
}

#[tokio::test]
async fn what_each_of_two_guardians_can_do_to_the_other() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;
    let session = world.say("s", "a", "our secret").await;
    let ben = world.of(BEN).await;

    // Ben learns nothing of it.
    assert_eq!(world.alerts(BEN, world.mia).await, Vec::<Value>::new());
    assert_eq!(world.unseen(BEN).await, [0, 0]);
    let path = format!("/api/child/{}/watched_phrases", world.mia);
    assert_eq!(ben.get(&path).await.json(), json!([]));
    let history = ben.get(&format!("/api/child/{}/history", world.mia)).await;
    assert!(!history.body.contains("secret"), "{}", history.body);
    let copy = ben.get(&format!("/api/child/{}/export", world.mia)).await;
    copy.ok();
    assert!(!copy.body.contains("watched"));
    assert!(!copy.body.contains("\"alerts\""), "{}", copy.body);

    // His phrases, and what he has seen, change nothing of hers.
    world.watch_mia(BEN, "something else").await;
    world.watch(BEN, world.mia, &json!([])).await;
    world.see(BEN, world.mia, u64::MAX >> 11).await;
    assert_eq!(world.unseen(ADA).await, [1, 0]);

    // Moving makes no unseen alert seen, although she has seen later ones of Leo's.
    world
        .watch(
            ADA,
            world.leo,
            &json!([{"words": "octopus", "side": "child"}]),
        )
        .await;
    let octopus = json!([{"message_id": "a", "text_content": "An octopus!"}]);
    world.deliver(world.leo, "l", octopus).await;
    world.see(ADA, world.leo, u64::MAX >> 11).await;
    assert_eq!(world.unseen(ADA).await, [1, 0]);
    world.move_to(BEN, session, world.leo).await;
    assert_eq!(world.unseen(ADA).await, [0, 1]);
    let alerts = world.alerts(ADA, world.leo).await;
    assert_eq!(alerts.len(), 2);
    assert_eq!(alerts[0]["phrase"]["words"], "our secret");
    assert_eq!(alerts[0]["text_content"], "our secret");

    // Deleting withdraws nothing: it says who did it, without words.
    world.delete(BEN, session).await;
    let alerts = world.alerts(ADA, world.leo).await;
    assert_eq!(alerts[0]["deleted_by"]["name"], "Ben");
    assert!(alerts[0]["restorable_until"].is_string());
    assert_eq!(alerts[0]["text_content"], Value::Null);
    assert_eq!(alerts[0]["before"], Value::Null);
    assert_eq!(world.unseen(ADA).await, [0, 1]);

    // She can restore it.
    let path = format!(
        "/api/child/{}/deleted_sessions/{session}/undelete",
        world.leo
    );
    let ada = world.of(ADA).await;
    ada.send(Method::POST, &path, &[], None).await.ok();
    let alerts = world.alerts(ADA, world.leo).await;
    assert_eq!(alerts[0]["text_content"], "our secret");
    assert_eq!(alerts[0]["deleted_by"], Value::Null);
}

#[tokio::test]
async fn a_phrase_about_the_child_that_an_assistant_names_is_heard_in_a_moved_session_too() {
    let world = World::new().await;
    let both =
        json!([{"words": "our secret", "side": "either"}, {"words": "octopus", "side": "child"}]);
    world.watch(ADA, world.mia, &both).await;
    let of_leo =
        json!([{"words": "octopus", "side": "child"}, {"words": "shark", "side": "either"}]);
    world.watch(ADA, world.leo, &of_leo).await;
    let session = world.say("s", "a", "Hello").await;
    world.move_to(BEN, session, world.leo).await;

    let again = world.say("s", "b", "An octopus, a shark: our secret").await;

    assert_eq!(again, session, "the delivery followed the move");
    assert_eq!(world.unseen(ADA).await, [0, 3]);
    let alerts = world.alerts(ADA, world.leo).await;
    let words = alerts.iter().map(|alert| {
        assert_eq!(alert["count"], 1, "each is counted once");
        alert["phrase"]["words"].as_str().unwrap()
    });
    let words = words.collect::<BTreeSet<_>>();
    assert_eq!(words, BTreeSet::from(["octopus", "our secret", "shark"]));
    assert_eq!(world.unseen(BEN).await, [0, 0]);
}

#[tokio::test]
async fn an_alert_seen_before_a_move_stays_seen() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;
    let session = world.say("s", "a", "our secret").await;
    world.see(ADA, world.mia, u64::MAX >> 11).await;

    world.move_to(BEN, session, world.leo).await;

    assert_eq!(world.unseen(ADA).await, [0, 0]);
    assert_eq!(world.alerts(ADA, world.leo).await[0]["unseen"], false);
    assert_eq!(world.alerts(ADA, world.mia).await.len(), 0);
}

#[tokio::test]
async fn a_correction_withdraws_no_alert_and_a_later_phrase_counts_once() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;
    let revised = async |revision: u64, text: &str| {
        let message = json!([{"message_id": "a", "text_content": text, "revision": revision}]);
        world.deliver(world.mia, "s", message).await;
        world.alerts(ADA, world.mia).await
    };

    assert_eq!(revised(0, "our").await.len(), 0);
    let alerts = revised(1, "our secret").await;
    assert_eq!((alerts.len(), &alerts[0]["count"]), (1, &json!(1)));
    let alerts = revised(2, "our secret, always").await;
    assert_eq!((alerts.len(), &alerts[0]["count"]), (1, &json!(1)));
    assert_eq!(alerts[0]["earlier"]["text_content"], "our secret");
    let alerts = revised(3, "hours, Seb").await;
    assert_eq!((alerts.len(), &alerts[0]["corrected"]), (1, &json!(true)));
    assert_eq!(alerts[0]["text_content"], "hours, Seb");
    // A late repeat of an earlier revision.
    assert_eq!(revised(1, "our secret").await[0]["count"], 1);
}

/// Replaces a message of Mia's by these texts.
async fn revise(world: &World, session: &str, id: &str, texts: &[&str]) {
    for (revision, text) in texts.iter().enumerate() {
        let message = json!([{"message_id": id, "source": "child", "text_content": text, "revision": revision}]);
        world.deliver(world.mia, session, message).await;
    }
}

/// The earlier texts of each message of a conversation, as a guardian reads them.
async fn earlier_texts(world: &World, email: &str, session: u64) -> Vec<String> {
    let path = format!("/api/sessions/{session}/messages");
    let read = world.of(email).await.get(&path).await.json();
    let messages = read["messages"].as_array().unwrap().iter();
    let texts = messages.map(|message| {
        let earlier = message["earlier"].as_array().into_iter().flatten();
        let texts = earlier.map(|text| text["text_content"].as_str().unwrap());
        texts.collect::<Vec<_>>().join(", ")
    });
    texts.collect()
}

#[tokio::test]
async fn no_revisions_remove_what_was_said_or_tell_what_is_watched() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;
    world.watch_mia(BEN, "my teacher").await;
    let session = world.say("s", "0", "It's our secret").await;
    for (id, words) in [("1", "our secret"), ("2", "my teacher"), ("3", "pizza")] {
        let texts = ["Hi", words, "b", "c", "d", "e", "f", "g", "h"];
        revise(&world, "s", id, &texts).await;
    }

    for email in [ADA, BEN] {
        let kept = [
            "",
            "Hi, our secret, b, c, d, e",
            "Hi, my teacher, b, c, d, e",
            "Hi, pizza, b, c, d, e",
        ];
        assert_eq!(earlier_texts(&world, email, session).await, kept);
    }
    let alert = world.alerts(BEN, world.mia).await[0].take();
    assert_eq!(alert["earlier"]["text_content"], "my teacher");
}

#[tokio::test]
async fn a_phrase_that_a_revision_keeps_shows_the_words_around_it_that_rang() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;
    let texts = [
        "This is our secret: I come at nine",
        "Our secret recipe has a pinch of salt",
    ];

    revise(&world, "s", "a", &texts).await;

    let alert = world.alerts(ADA, world.mia).await[0].take();
    assert_eq!(alert["earlier"]["text_content"], texts[0]);
    assert_eq!(alert["earlier"]["ranges"], json!([[8, 18]]));
    assert_eq!(alert["corrected"], true);
    assert_eq!(alert["text_content"], texts[1]);
    assert_eq!(alert["ranges"], json!([[0, 10]]));
    assert_eq!(alert["count"], 1);
}

#[tokio::test]
async fn an_answer_that_is_cut_short_takes_no_words_from_its_alert() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;
    let whole = "I come at nine. It's our secret.";
    for (revision, text) in [(0, whole), (1, "I come")] {
        let message = json!([{"message_id": "a", "source": "assistant", "text_content": text,
            "interrupted": revision == 1, "revision": revision}]);
        world.deliver(world.mia, "s", message).await;
    }

    let alert = world.alerts(ADA, world.mia).await[0].take();
    assert_eq!(alert["earlier"]["text_content"], whole);
    assert_eq!(alert["text_content"], "I come");
}

#[tokio::test]
async fn only_new_words_open_an_alert_again_and_it_shows_them() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;
    let ada = world.of(ADA).await;
    let revised = async |revision: u64, text: &str| {
        let message = json!([{"message_id": "a", "source": "child", "text_content": text,
            "interrupted": revision > 3, "revision": revision}]);
        world.deliver(world.mia, "s", message).await;
        world.alerts(ADA, world.mia).await[0].take()
    };
    let alert = revised(0, "Our secret garden").await;
    let path = format!(
        "/api/child/{}/alerts/{}/dealt_with",
        world.mia, alert["alert_id"]
    );
    let deal_with = async || ada.put(&path, &json!({"dealt_with": true})).await.ok();
    deal_with().await;

    let opened = revised(1, "Our secret: I come at nine").await;
    assert_eq!(opened["dealt_with"], false);
    let shown = revised(2, "Good night").await;
    assert_eq!(
        shown["earlier"]["text_content"],
        "Our secret: I come at nine"
    );
    deal_with().await;
    for (revision, text) in [(3, "Our secret garden"), (4, "Our secret garden")] {
        assert_eq!(
            revised(revision, text).await["dealt_with"],
            true,
            "{revision}"
        );
    }
    assert_eq!(revised(5, "our secret").await["count"], 1);
}

#[tokio::test]
async fn what_nobody_sees_hides_no_phrase() {
    let world = World::new().await;
    world.watch_mia(ADA, "run away").await;
    let tags = |text: &str| {
        let tag = |letter: char| char::from_u32(0xe0000 + u32::from(letter)).unwrap();
        text.chars().map(tag).collect::<String>()
    };
    let hidden = format!("Hello!{}", tags("Run away tonight"));

    world.say("a", "1", "Let's run\u{200b}away").await;
    world.say("b", "1", &hidden).await;

    let alerts = world.alerts(ADA, world.mia).await;
    let ranges = alerts.iter().map(|alert| alert["ranges"].clone());
    let ranges = ranges.collect::<Vec<_>>();
    assert_eq!(ranges, [json!([[6, 22]]), json!([[6, 14]])]);
    let found = world.of(ADA).await.find_all(world.mia, "tonight").await;
    assert_eq!(found.len(), 1);
}

#[tokio::test]
async fn an_alert_of_a_corrected_message_shows_the_text_that_rang() {
    let world = World::new().await;
    world.watch_mia(BEN, "our secret").await;
    let session = world.say("s", "a", "🌙 Is it our secret?").await;
    world.app.clock.advance(3 * DAY);
    let revised = json!([{"message_id": "a", "source": "child", "text_content": "Is it hours?", "revision": 1}]);
    world.deliver(world.mia, "s", revised).await;
    let shown = async |child| {
        let alert = &world.alerts(BEN, child).await[0];
        assert_eq!(alert["corrected"], true);
        assert_eq!(alert["text_content"], "Is it hours?");
        assert_eq!(alert["ranges"], json!([]));
        alert["earlier"].clone()
    };
    let expected = json!({"source": "child", "text_content": "🌙 Is it our secret?",
        "ranges": [[9, 19]], "until": "2026-11-24T20:00:00Z"});

    assert_eq!(shown(world.mia).await, expected);
    world.move_to(ADA, session, world.leo).await;
    assert_eq!(shown(world.leo).await, expected);
    world.delete(ADA, session).await;
    assert_eq!(
        world.alerts(BEN, world.leo).await[0]["earlier"],
        Value::Null
    );
    let path = format!(
        "/api/child/{}/deleted_sessions/{session}/undelete",
        world.leo
    );
    let ben = world.of(BEN).await;
    ben.send(Method::POST, &path, &[], None).await.ok();
    assert_eq!(shown(world.leo).await, expected);
}

#[tokio::test]
async fn sides_and_known_speakers_decide_what_is_watched() {
    let world = World::new().await;
    world
        .watch(
            ADA,
            world.mia,
            &json!([
                {"words": "child side", "side": "child"},
                {"words": "assistant side", "side": "assistant"},
                {"words": "either side", "side": "either"},
            ]),
        )
        .await;
    let cases = [
        (
            json!({"source": "child"}),
            vec!["child side", "either side"],
        ),
        (json!({}), vec!["child side", "either side"]),
        (
            json!({"source": "assistant"}),
            vec!["assistant side", "either side"],
        ),
        (
            json!({"source": "user", "speaker": "Mia"}),
            vec!["child side", "either side"],
        ),
        (
            json!({"source": "user", "speaker": "unknown"}),
            vec!["child side", "either side"],
        ),
        // Ben chooses his own name, so it takes nothing from what Ada sees.
        (
            json!({"source": "user", "speaker": "Ben"}),
            vec!["child side", "either side"],
        ),
        (
            json!({"source": "user", "speaker": "ada"}),
            vec!["either side"],
        ),
        (
            json!({"source": "user", "speaker": "Leo"}),
            vec!["either side"],
        ),
    ];

    for (number, (mut message, expected)) in cases.into_iter().enumerate() {
        message["message_id"] = json!("m");
        message["text_content"] = json!("Child side, assistant side, either side.");
        let session = world
            .deliver(world.mia, &format!("s{number}"), json!([message]))
            .await;
        let alerts = world.alerts(ADA, world.mia).await;
        let of_session = alerts.iter().filter(|alert| alert["session_id"] == session);
        let mut found = of_session
            .map(|alert| alert["phrase"]["words"].as_str().unwrap())
            .collect::<Vec<_>>();
        found.sort_unstable();
        assert_eq!(found, expected, "{message}");
    }
}

#[tokio::test]
async fn nobody_hides_a_speaker_from_another_guardian_by_a_name() {
    let world = World::new().await;
    let phrase = json!([{"words": "our secret", "side": "child"}]);
    world.watch(ADA, world.mia, &phrase).await;
    let said_by = async |session: &str, speaker: &str| {
        let message = json!([{
            "message_id": "m", "source": "user", "speaker": speaker, "text_content": "Our secret",
        }]);
        let session = world.deliver(world.mia, session, message).await;
        let alerts = world.alerts(ADA, world.mia).await;
        alerts.iter().any(|alert| alert["session_id"] == session)
    };
    let rename = async |email: &str, name: &str| {
        let path = format!("/api/child/{}/name", world.leo);
        let renamed = json!({"name": name});
        world.of(email).await.put(&path, &renamed).await.ok();
    };

    assert!(!said_by("a", "Leo").await);
    rename(BEN, "speaker_1").await;
    assert!(said_by("b", "speaker_1").await);
    assert!(said_by("c", "Leo").await, "it is nobody's name");
    rename(BEN, "Leo").await;
    assert!(said_by("d", "Leo").await);
    // She gives the name herself.
    rename(ADA, "Leo Maximilian").await;
    rename(ADA, "Leo").await;
    assert!(!said_by("e", "Leo").await);
}

#[tokio::test]
async fn a_copy_has_the_callers_own_alerts_and_phrases_and_nobody_elses() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;
    world.watch_mia(BEN, "Our Secret!").await;
    world.say("s", "m", "our secret").await;

    let path = format!("/api/child/{}/export", world.mia);
    for (email, words) in [(ADA, "our secret"), (BEN, "Our Secret!")] {
        let copy = world.of(email).await.get(&path).await.json();
        let copied = &copy["children"][0];
        let phrase = json!({"words": words, "side": "either"});
        let watched = json!({"guardian": email, "words": words, "side": "either"});
        assert_eq!(copied["watched_phrases"], json!([watched]));
        assert_eq!(copied["alerts"].as_array().unwrap().len(), 1);
        assert_eq!(copied["alerts"][0]["kind"], "phrase");
        assert_eq!(copied["alerts"][0]["phrase"], phrase);
        assert_eq!(copied["alerts"][0]["guardian"], email);
    }
    let (_, all) = world.app.exported().await;
    assert!(!all.contains("watched_phrases") && !all.contains("\"alerts\""));
}

#[tokio::test]
async fn phrases_are_replaced_as_a_whole_and_only_in_the_expected_version() {
    let world = World::new().await;
    let ada = world.of(ADA).await;
    let path = format!("/api/child/{}/watched_phrases", world.mia);
    let put = async |version: &str, body: Value| {
        let headers = [("if-match", version), ("content-type", "application/json")];
        ada.send(Method::PUT, &path, &headers, Some(body.to_string()))
            .await
    };

    let first = ada.get(&path).await.header("etag").to_owned();
    let list = json!([{"words": " Our secret ", "side": "either"}, {"words": "our SECRET!", "side": "either"}]);
    let kept = put(&first, list).await;
    assert_eq!(
        kept.json(),
        json!([{"words": "Our secret", "side": "either"}])
    );
    put(&first, json!([])).await.problem(412);
    let wrong = put(
        kept.header("etag"),
        json!([{"words": "ok", "side": "child"}, {"words": "x", "side": "child"}]),
    )
    .await;
    assert_eq!(
        wrong.problem_at(422),
        (
            "A phrase has at least 2 characters.".to_owned(),
            Some("/1/words".to_owned())
        )
    );
    let many = (0..31).map(|number| json!({"words": format!("phrase {number}"), "side": "child"}));
    put(kept.header("etag"), many.collect()).await.problem(400);
    assert_eq!(ada.get(&path).await.json(), kept.json());
}

#[tokio::test]
async fn a_new_guardians_alerts_begin_at_joining_and_end_with_the_access() {
    let world = World::new().await;
    world.watch_mia(BEN, "our secret").await;
    world.say("s", "a", "our secret").await;
    assert_eq!(world.alerts(BEN, world.mia).await.len(), 1);

    let path = format!("/api/child/{}/guardians/me", world.mia);
    let ben = world.of(BEN).await;
    ben.send(Method::DELETE, &path, &[], None).await.ok();
    world.say("t", "a", "our secret").await;
    let children = world.app.inner.children.clone();
    let guardians = &world.app.inner.identity.guardians;
    let ben = guardians.get(&world.app.inner.store, &BEN.parse().unwrap());
    let (ben, mia) = (Caller::Guardian(ben.unwrap().id), world.mia);
    let linked = world
        .app
        .inner
        .store
        .commit(move |change| children.link(change, mia, &ben));
    linked.await.unwrap();

    assert_eq!(world.alerts(BEN, world.mia).await.len(), 0);
    let path = format!("/api/child/{}/watched_phrases", world.mia);
    assert_eq!(world.of(BEN).await.get(&path).await.json(), json!([]));
}

#[tokio::test]
async fn a_refusal_and_messages_that_could_not_be_kept_are_told_to_all_without_ringing() {
    let world = World::new().await;
    let robot = world.app.bearer(&world.key);
    let path = format!("/api/assistant/child/{}/rules", world.mia);
    let version = robot.get(&path).await.json()["version"].clone();
    let receipt = async |session: &str, minute: u8, refused: Option<&str>| {
        let at = format!("2026-11-21T19:{minute}:00Z");
        let mut receipt = json!({"version": version, "evidence": "set", "at": at});
        if let Some(reason) = refused {
            receipt["refused"] = json!(reason);
        }
        let delivery = json!({"child_id": world.mia, "rules": [receipt]});
        robot.deliver(session, &delivery).await.ok();
        let alerts = world.alerts(ADA, world.mia).await;
        alerts
            .iter()
            .filter(|alert| alert["kind"] == "rules")
            .count()
    };

    // Once, until it is right again.
    assert_eq!(receipt("a", 10, Some("too long")).await, 1);
    assert_eq!(receipt("b", 11, Some("too long")).await, 1);
    assert_eq!(receipt("c", 12, None).await, 1);
    assert_eq!(receipt("d", 13, Some("too long")).await, 2);

    let bad = json!([{"message_id": "x", "revision": "1"}, {"message_id": "y", "revision": "1"}]);
    for _ in 0..2 {
        world.deliver(world.mia, "e", bad.clone()).await;
    }
    for email in [ADA, BEN] {
        let alerts = world.alerts(email, world.mia).await;
        assert_eq!(alerts.len(), 3);
        assert_eq!(
            (&alerts[0]["kind"], &alerts[0]["count"]),
            (&json!("not_kept"), &json!(2))
        );
        assert_eq!(world.unseen(email).await, [0, 0]);
    }
    let copy = world
        .of(ADA)
        .await
        .get(&format!("/api/child/{}/export", world.mia))
        .await;
    assert_eq!(
        copy.json()["children"][0]["alerts"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[tokio::test]
async fn trying_counts_the_conversations_of_90_days_and_stores_nothing() {
    let world = World::new().await;
    for session in ["a", "b"] {
        world.say(session, "1", "our secret").await;
        world.say(session, "2", "our secret again").await;
    }
    revise(&world, "c", "1", &["It is our secret", "nothing"]).await;
    let old = json!([{"message_id": "1", "text_content": "our secret", "timestamp": "2026-08-01T10:00:00Z"}]);
    world.deliver(world.mia, "old", old).await;
    let ada = world.of(ADA).await;
    let path = format!("/api/child/{}/watched_phrases/try", world.mia);
    let tried = async |words: &str, side: &str| {
        ada.post(&path, &json!({"words": words, "side": side}))
            .await
            .json()
    };

    let found = tried("Our secret", "child").await;
    assert_eq!(found["count"], 3);
    assert_eq!(found["items"].as_array().unwrap().len(), 3);
    assert_eq!(found["items"][0]["text_content"], "It is our secret");
    assert_eq!(found["items"][0]["until"], "2026-11-21T20:00:00Z");
    assert_eq!(found["items"][1]["ranges"], json!([[0, 10]]));
    assert_eq!(found["next"], Value::Null);
    assert_eq!(tried("our secret", "assistant").await["count"], 0);
    assert_eq!(world.alerts(ADA, world.mia).await.len(), 0);
}

#[tokio::test]
async fn alerts_are_erased_with_their_session_and_after_400_days() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;
    let session = world.say("s", "a", "our secret").await;
    world.delete(ADA, session).await;
    world.app.clock.advance(91 * DAY);
    world
        .app
        .run_admin(porchlight::admin::AcceptClock)
        .await
        .0
        .unwrap();
    world.app.inner.run_maintenance(|_| {}).await.unwrap();
    assert_eq!(world.alerts(ADA, world.mia).await.len(), 0);

    world.say("t", "a", "our secret").await;
    world.app.clock.advance(399 * DAY);
    world.app.inner.run_maintenance(|_| {}).await.unwrap();
    assert_eq!(world.alerts(ADA, world.mia).await.len(), 1);
    world.app.clock.advance(2 * DAY);
    assert_eq!(world.alerts(ADA, world.mia).await.len(), 0);
    world.app.inner.run_maintenance(|_| {}).await.unwrap();
    let table = porchlight::kernel::store::Table::new("alert-own").key();
    use porchlight::kernel::store::Read;
    assert_eq!(world.app.inner.store.keys_below(&table, 1).unwrap(), []);
}

#[tokio::test]
async fn the_pages_of_the_list_have_each_alert_once() {
    let world = World::new().await;
    world.watch_mia(ADA, "our secret").await;
    for number in 0..7 {
        world.say(&format!("s{number}"), "a", "our secret").await;
        let bad = json!([{"message_id": "x", "revision": "1"}]);
        world.deliver(world.mia, &format!("s{number}"), bad).await;
    }
    let ada = world.of(ADA).await;
    let (mut ids, mut next) = (Vec::<u64>::new(), String::new());
    loop {
        let path = format!("/api/child/{}/alerts?limit=3{next}", world.mia);
        let page = ada.get(&path).await.json();
        let alerts = page["alerts"].as_array().unwrap().iter();
        ids.extend(alerts.map(|alert| alert["alert_id"].as_u64().unwrap()));
        match page["next"].as_str() {
            Some(marker) => next = format!("&before={marker}"),
            None => break,
        }
    }

    assert_eq!(ids.len(), 14);
    assert!(ids.is_sorted_by(|id, next| id > next), "{ids:?}");
}

#[tokio::test]
async fn the_numbers_of_alerts_tell_nothing_of_other_guardians_alerts() {
    let mut numbers = Vec::new();
    for bens in ["nothing", "our secret"] {
        let world = World::new().await;
        world.watch_mia(ADA, "octopus").await;
        world.watch_mia(BEN, bens).await;
        for (session, text) in [("a", "octopus"), ("b", "our secret"), ("c", "octopus")] {
            world.say(session, "1", text).await;
            world.app.clock.advance(Duration::from_secs(1));
        }
        // Moving numbers them anew.
        let session = world.say("d", "1", "our secret").await;
        world.app.clock.advance(Duration::from_secs(1));
        world.move_to(BEN, session, world.leo).await;
        world.app.clock.advance(Duration::from_secs(1));
        world.say("e", "1", "octopus").await;
        let alerts = world.alerts(ADA, world.mia).await;
        let ids = alerts
            .iter()
            .map(|alert| alert["alert_id"].as_u64().unwrap());
        numbers.push(ids.collect::<Vec<_>>());
    }

    assert_eq!(numbers[0].len(), 3);
    assert_eq!(numbers[0], numbers[1]);
    assert!(numbers[0].iter().all(|id| *id > 1_795_000_000_000_000));
}

#[tokio::test]
async fn the_event_comes_on_every_stream_of_that_guardian_and_on_no_other() {
    let world = World::new().await;
    let (ada, ben) = (world.of(ADA).await, world.of(BEN).await);
    world.watch_mia(ADA, "our secret").await;
    let events = |child: ChildId| format!("/api/child/{child}/events");
    let mut adas = ada.stream(&events(world.leo)).await;
    let mut bens = ben.stream(&events(world.mia)).await;

    world.say("s", "a", "our secret").await;

    adas.until("alerts").await;
    let renamed = json!({"text": "Mia is eight."});
    ben.put(&format!("/api/child/{}/context", world.mia), &renamed)
        .await
        .ok();
    let told = bens.until("rules").await;
    assert!(!told.contains(&"alerts".to_owned()), "{told:?}");
}

/// A step of the model test.
#[derive(Clone, Copy, Debug)]
enum Step {
    Deliver {
        session: u8,
        message: u8,
        revision: u8,
        text: u8,
    },
    Watch {
        by: bool,
        leo: bool,
        phrases: u8,
    },
    Move {
        session: u8,
        leo: bool,
    },
    Delete {
        session: u8,
    },
    Restore {
        session: u8,
    },
    Restart,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..3_u8, 0..2_u8, 0..4_u8, 0..8_u8).prop_map(|(session, message, revision, text)| {
            Step::Deliver { session, message, revision, text }
        }),
        2 => (any::<bool>(), any::<bool>(), 0..4_u8)
            .prop_map(|(by, leo, phrases)| Step::Watch { by, leo, phrases }),
        2 => (0..3_u8, any::<bool>()).prop_map(|(session, leo)| Step::Move { session, leo }),
        1 => (0..3_u8).prop_map(|session| Step::Delete { session }),
        1 => (0..3_u8).prop_map(|session| Step::Restore { session }),
        1 => Just(Step::Restart),
    ]
}

const PHRASES: [&str; 2] = ["our secret", "hit me"];

/// The phrases in a bit set.
fn chosen(bits: u8) -> impl Iterator<Item = &'static str> {
    let all = PHRASES.into_iter().enumerate();
    all.filter(move |(index, _)| bits & (1 << index) != 0)
        .map(|(_, phrase)| phrase)
}

fn text_of(bits: u8) -> String {
    let mut words = chosen(bits).map(str::to_uppercase).collect::<Vec<_>>();
    words.push(
        if bits & 4 == 0 {
            "hitchhiking mermaid"
        } else {
            "four secrets"
        }
        .to_owned(),
    );
    words.join(", ")
}

#[derive(Default)]
struct ModelSession {
    id: u64,
    in_leo: bool,
    is_deleted: bool,
    /// Revision of each message, and the phrases that it ever had.
    messages: BTreeMap<u8, (u8, u8)>,
    /// The count by guardian and phrase.
    alerts: BTreeMap<(bool, &'static str), u64>,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn alerts_agree_with_a_model(steps in prop::collection::vec(any_step(), 1..25)) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(agrees_with_model(steps));
    }
}

async fn agrees_with_model(steps: Vec<Step>) {
    let mut world = World::new().await;
    let mut watched = BTreeMap::<(bool, bool), u8>::new();
    let mut sessions = BTreeMap::<u8, ModelSession>::new();
    let email = |ben: bool| if ben { BEN } else { ADA };
    for step in steps {
        let child = |leo: bool, world: &World| if leo { world.leo } else { world.mia };
        match step {
            Step::Deliver {
                session,
                message,
                revision,
                text,
            } => {
                let text_content = text_of(text);
                let said = json!([{"message_id": message.to_string(), "revision": revision,
                    "source": "child", "text_content": text_content}]);
                let id = world.deliver(world.mia, &session.to_string(), said).await;
                let model = sessions.entry(session).or_default();
                model.id = id;
                let before = model.messages.get(&message).copied();
                if before.is_some_and(|(there, _)| there >= revision) {
                    continue;
                }
                let had = before.map_or(0, |(_, had)| had);
                model.messages.insert(message, (revision, had | text));
                for ben in [false, true] {
                    let of = |leo| watched.get(&(ben, leo)).copied().unwrap_or(0);
                    // The assistant names Mia, also in a session that was moved to Leo.
                    let bits = of(false) | of(model.in_leo);
                    for phrase in chosen(bits & text) {
                        let had = chosen(had).any(|it| it == phrase);
                        let count = model.alerts.entry((ben, phrase)).or_default();
                        if *count == 0 || !had {
                            *count += 1;
                        }
                    }
                }
            }
            Step::Watch { by, leo, phrases } => {
                watched.insert((by, leo), phrases);
                let list = chosen(phrases).map(|words| json!({"words": words, "side": "child"}));
                world
                    .watch(email(by), child(leo, &world), &list.collect())
                    .await;
            }
            Step::Move { session, leo } => {
                let Some(model) = sessions.get_mut(&session).filter(|it| !it.is_deleted) else {
                    continue;
                };
                if model.in_leo != leo {
                    model.in_leo = leo;
                    world.move_to(ADA, model.id, child(leo, &world)).await;
                }
            }
            Step::Delete { session } => {
                let Some(model) = sessions.get_mut(&session).filter(|it| !it.is_deleted) else {
                    continue;
                };
                model.is_deleted = true;
                world.delete(BEN, model.id).await;
            }
            Step::Restore { session } => {
                let Some(model) = sessions.get_mut(&session).filter(|it| it.is_deleted) else {
                    continue;
                };
                model.is_deleted = false;
                let of = child(model.in_leo, &world);
                let path = format!("/api/child/{of}/deleted_sessions/{}/undelete", model.id);
                let ada = world.of(ADA).await;
                ada.send(Method::POST, &path, &[], None).await.ok();
            }
            Step::Restart => world.app = world.app.restarted().await,
        }
    }
    for (ben, leo) in [(false, false), (false, true), (true, false), (true, true)] {
        let of = if leo { world.leo } else { world.mia };
        let mut found = world
            .alerts(email(ben), of)
            .await
            .iter()
            // A second text under one revision is a message that could not be kept.
            .filter(|alert| alert["kind"] == "phrase")
            .map(|alert| {
                let has_words = alert["text_content"].is_string();
                (
                    alert["session_id"].as_u64().unwrap(),
                    alert["phrase"]["words"].as_str().unwrap().to_owned(),
                    alert["count"].as_u64().unwrap(),
                    has_words,
                )
            })
            .collect::<Vec<_>>();
        found.sort_unstable();
        let of_child = sessions.values().filter(|session| session.in_leo == leo);
        let mut expected = of_child
            .flat_map(|session| {
                let own = session.alerts.iter().filter(|((by, _), _)| *by == ben);
                own.map(|((_, phrase), count)| {
                    (
                        session.id,
                        (*phrase).to_owned(),
                        *count,
                        !session.is_deleted,
                    )
                })
            })
            .collect::<Vec<_>>();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
