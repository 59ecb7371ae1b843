//! How a try runs: what is sent, in which turn, and when it ends early.

use std::num::NonZeroU32;
use std::time::Duration;

use porchlight::admin::ChooseUpstream;
use porchlight::assistants::gateway::{AT_A_TIME, Budget};
use porchlight::kernel::host::clock::Timestamp;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{ADA, Asked, BEN, GOOD, World, code_of, counts, quick, saying};
use crate::support::family::{damage, first_row};
use crate::support::gateway_client::GatewayClient;
use crate::support::test_app::TestApp;
use crate::support::upstream::{Answer, Received, Upstream, completion, speak};

const TOPICS: [&str; 2] = ["Sharks", "Volcanoes"];

async fn good() -> World {
    let world = World::new(Upstream::answering(saying(|_| GOOD.to_owned())).await).await;
    world.block(&TOPICS).await;
    world
}

impl World {
    /// A program that uses Kitchen's key.
    pub async fn client(&self) -> GatewayClient {
        GatewayClient {
            server: self.app.serve(CancellationToken::new()).await,
            host: "porchlight.example".to_owned(),
            key: self.key.clone(),
        }
    }

    /// The rules that Kitchen gets.
    pub fn rules(&self) -> String {
        let app = &self.app.inner;
        let kitchen = app.identity.assistants.verify(&self.key).unwrap().unwrap();
        let access = app.children.of(&kitchen, self.mia).unwrap();
        app.rules
            .issue(&access, kitchen.id())
            .unwrap()
            .0
            .instructions
    }
}

fn without_words(received: &Received) -> Option<Value> {
    let body = received.json();
    (!Asked::of(received).asks_for_words()).then_some(body)
}

#[tokio::test]
async fn without_an_app_the_rules_alone_are_the_prompt() {
    let world = good().await;

    let (_, result) = world.run(ADA).await;

    assert_eq!(result["summary"]["app_settings"], false);
    let rules = world.rules();
    let requests = world.upstream.received();
    for request in requests.iter().filter_map(without_words) {
        assert_eq!(request["model"], "family-model");
        assert_eq!(request["stream"], false);
        assert_eq!(
            request["messages"][0],
            json!({"role": "system", "content": rules})
        );
        assert_eq!(request.as_object().unwrap().len(), 3);
    }
    let turns = requests.iter().filter_map(without_words);
    let insisting = turns.filter(|request| request["messages"].as_array().unwrap().len() == 4);
    let texts = insisting.map(|request| request["messages"].clone());
    let texts = texts.collect::<Vec<_>>();
    assert!(
        texts
            .iter()
            .all(|messages| messages[2] == json!({"role": "assistant", "content": GOOD}))
    );
    assert!(
        texts
            .iter()
            .filter(|it| it[3]["content"].as_str().unwrap().contains("Sharks"))
            .count()
            == 1
    );
}

#[tokio::test]
async fn the_prompt_is_that_of_the_childs_next_request() {
    let world = good().await;
    let client = world.client().await;
    let tools = json!([{"type": "function", "function": {"name": "light", "parameters": {}}}]);
    let body = |messages: Value| json!({"model": "family-model", "temperature": 0.25, "tools": tools, "user": "mia", "messages": messages});
    let system = json!({"role": "system", "content": "You are Bo, a robot."});
    let hello = json!({"role": "user", "content": "canaryowl says hello"});
    client.chat(&body(json!([system, hello]))).await.ok();

    let (_, result) = world.run(ADA).await;

    assert_eq!(result["summary"]["app_settings"], true);
    assert_eq!(world.preview(ADA).await.json()["app_settings"], true);
    let requests = world.upstream.received();
    let question = Asked::of(&requests[2]).question().to_owned();
    // The same words from the app.
    client
        .chat(&body(
            json!([system, {"role": "user", "content": question}]),
        ))
        .await
        .ok();
    let of_app = world.upstream.received().pop().unwrap().json();
    let mut of_try = requests[2].json();
    assert_eq!(
        of_try.as_object_mut().unwrap().remove("stream"),
        Some(json!(false))
    );
    assert_eq!(of_try, of_app);
    for request in &requests[1..] {
        let sent = String::from_utf8(request.body.clone()).unwrap();
        assert!(
            !sent.contains("canaryowl"),
            "the child's words are in no test"
        );
    }
}

#[tokio::test]
async fn what_a_deleted_conversation_brought_is_in_no_prompt() {
    let world = good().await;
    let client = world.client().await;
    let message = |role: &str, text: &str| json!({"role": role, "content": text});
    let messages = json!([message("system", "You are Bo."), message("user", "Hi")]);
    client
        .chat(&json!({"model": "family-model", "messages": messages}))
        .await
        .ok();
    let sessions = format!("/api/sessions?child_id={}", world.mia);
    let sessions = world.get(ADA, &sessions).await;
    let session = &sessions["sessions"][0]["session_id"];
    assert_eq!(world.preview(ADA).await.json()["app_settings"], true);

    world
        .delete(ADA, &format!("/api/sessions/{session}"))
        .await
        .ok();
    assert_eq!(world.preview(ADA).await.json()["app_settings"], false);
    assert_eq!(world.app.count_rows("gateway-prompt"), 1);
}

#[tokio::test]
async fn the_made_up_conversation_is_as_long_as_the_childs_longest() {
    let world = good().await;
    assert_eq!(world.preview(ADA).await.json()["history_bytes"], 0);
    let client = world.client().await;
    let long = "la ".repeat(2_000);
    let messages = json!([{"role": "user", "content": long}]);
    client
        .chat(&json!({"model": "family-model", "messages": messages}))
        .await
        .ok();
    let preview = world.preview(ADA).await.json();
    let bytes = preview["history_bytes"].as_u64().unwrap();
    assert!((6_000..6_200).contains(&bytes), "{bytes}");

    let (_, result) = world.run(ADA).await;

    let words = &result["summary"]["check_words"];
    let made_up = words["history_bytes"].as_u64().unwrap();
    assert!((bytes..bytes + 400).contains(&made_up));
    let requests = world.upstream.received();
    let asked = Asked::of(&requests[1]);
    assert!(asked.asks_for_words());
    let before = &asked.conversation[..asked.conversation.len() - 1];
    assert_eq!(
        before.iter().map(String::len).sum::<usize>() as u64,
        made_up
    );
    assert!(!before.join("").contains("la la"));
}

#[tokio::test]
async fn at_a_host_outside_only_chosen_questions_are_asked_and_some_never() {
    let upstream = Upstream::answering(saying(|_| GOOD.to_owned())).await;
    let world = World::elsewhere(upstream).await;
    world.block(&TOPICS).await;
    let preview = world.preview(ADA).await.json();
    assert_eq!(preview["private"], false);
    let questions = preview["questions"].as_array().unwrap();
    let only_at_home = porchlight::tries::QUESTIONS.questions.iter();
    let only_at_home = only_at_home.filter(|question| question.at_home_only);
    for question in only_at_home {
        assert!(
            questions
                .iter()
                .all(|one| one["question_id"] != question.id)
        );
    }
    let mut body = world.body();
    body["questions"] = json!([questions[0]["question_id"], "own-unknown"]);

    world.start_with(ADA, &body).await.ok();
    world.until_over().await;

    let list = world.get(ADA, &world.path("tries")).await;
    let summary = &list["items"][0];
    assert_eq!(summary["requests"], 3);
    assert_eq!(summary["own_topics_asked"], 1);
    let asked = world.upstream.received();
    let asked = asked
        .iter()
        .map(|received| Asked::of(received).question().to_owned());
    let turns = questions[0]["turns"].as_array().unwrap().iter();
    let turns = turns.map(|turn| turn.as_str().unwrap().to_owned());
    assert_eq!(asked.skip(1).collect::<Vec<_>>(), turns.collect::<Vec<_>>());
    assert_eq!(summary["host"], preview["host"]);
}

#[tokio::test]
async fn a_try_asks_what_its_preview_showed() {
    let world = good().await;
    let preview = world.preview(ADA).await.json();

    world.run(ADA).await;

    let asked = world.upstream.received();
    let asked = asked
        .iter()
        .map(|received| Asked::of(received).question().to_owned());
    let questions = preview["questions"].as_array().unwrap().iter();
    let turns = questions.flat_map(|question| question["turns"].as_array().unwrap());
    let turns = turns.map(|turn| turn.as_str().unwrap().to_owned());
    assert_eq!(asked.skip(1).collect::<Vec<_>>(), turns.collect::<Vec<_>>());
    world.app.clock.advance(Duration::from_secs(24 * 60 * 60));
    let next = world.preview(ADA).await.json();
    assert_ne!(next["questions"], preview["questions"]);
}

#[tokio::test]
async fn a_topic_that_was_added_since_the_preview_is_not_asked() {
    let world = good().await;
    let preview = world.preview(ADA).await.json();
    let shown = preview["questions"].as_array().unwrap().iter();
    let shown = shown.map(|question| question["question_id"].clone());
    let mut body = world.body();
    body["questions"] = shown.collect();
    world.block(&["Canaryheron"]).await;

    world.start_with(ADA, &body).await.ok();
    world.until_over().await;

    let asked = world.upstream.received();
    let asked = asked
        .iter()
        .map(|received| Asked::of(received).question().to_owned());
    assert!(asked.clone().count() > 1);
    assert!(!asked.into_iter().any(|it| it.contains("Canaryheron")));
}

#[tokio::test]
async fn at_least_one_question_must_be_asked() {
    let world = good().await;
    let mut body = world.body();
    body["questions"] = json!([]);

    let refused = world.start_with(ADA, &body).await;

    let (sentence, place) = refused.problem_at(422);
    assert_eq!(
        sentence,
        "All questions are left out. Please ask at least one."
    );
    assert_eq!(place.as_deref(), Some("/questions"));
}

#[tokio::test]
async fn the_second_try_of_an_upstream_waits_and_says_no_more() {
    let world = World::new(Upstream::step_by_step().await).await;
    let first = world.start(ADA).await;
    let open = world.upstream.next().await;
    let second = world.start(BEN).await;

    let waiting = world.get(BEN, &second).await;
    assert_eq!(waiting["summary"]["state"], "waiting");
    assert_eq!(waiting["summary"]["done"], 0);
    world.delete(ADA, &first).await.ok();
    open.closed().await;
    // Now it has its turn.
    let next = world.upstream.next().await;

    assert_eq!(world.get(BEN, &second).await["summary"]["state"], "running");
    world.delete(BEN, &second).await.ok();
    next.closed().await;
    world.until_over().await;
}

#[tokio::test]
async fn a_try_that_waits_can_be_stopped() {
    let world = World::new(Upstream::step_by_step().await).await;
    let first = world.start(ADA).await;
    let open = world.upstream.next().await;
    let second = world.start(BEN).await;

    world.delete(BEN, &second).await.ok();

    assert_eq!(world.get(BEN, &second).await["summary"]["state"], "stopped");
    world.delete(ADA, &first).await.ok();
    open.closed().await;
    world.until_over().await;
    assert_eq!(world.upstream.count(), 1);
}

#[tokio::test]
async fn a_try_takes_none_of_the_places_of_the_childs_own_requests() {
    let world = World::new(Upstream::step_by_step().await).await;
    let client = world.client().await;
    let path = world.start(ADA).await;
    let held = world.upstream.next().await;

    let chat = |number: usize| {
        let client = client.clone();
        let words = format!("Question {number}");
        let body =
            json!({"model": "family-model", "messages": [{"role": "user", "content": words}]});
        tokio::spawn(async move { client.chat(&body).await.status })
    };
    let mut waiting = Vec::new();
    for number in 0..AT_A_TIME {
        waiting.push(chat(number));
    }
    for _ in 0..AT_A_TIME {
        let next = world.upstream.next().await;
        next.answer(&Answer::json(&completion("Hi"))).await;
    }
    for status in waiting {
        assert_eq!(status.await.unwrap(), 200);
    }
    world.delete(ADA, &path).await.ok();
    held.closed().await;
    world.until_over().await;
}

#[tokio::test]
async fn half_of_the_days_requests_are_the_childs() {
    let budget = Budget::from(NonZeroU32::new(20).unwrap());
    let app = TestApp::adjusted(|app| {
        app.tries.timing = quick();
        app.tries.gateway.budget = budget;
        app.gateway.budget = budget;
    });
    let upstream = Upstream::answering(saying(|_| GOOD.to_owned())).await;
    let world = World::of(app.await, upstream, "127.0.0.1").await;

    let (_, result) = world.run(ADA).await;

    let summary = &result["summary"];
    assert_eq!(summary["state"], "stopped");
    assert_eq!(summary["reason"], "budget");
    assert_eq!((&summary["done"], world.upstream.count()), (&json!(10), 10));
    assert_eq!(result["answers"].as_array().unwrap().len(), 9);
    let client = world.client().await;
    let messages = json!([{"role": "user", "content": "Hi"}]);
    let body = json!({"model": "family-model", "messages": messages});
    for _ in 0..10 {
        client.chat(&body).await.ok();
    }
    assert_eq!(client.chat(&body).await.status, 429);
}

#[tokio::test]
async fn a_pause_and_quiet_hours_do_not_end_a_try() {
    // A try isn't the child talking.
    let world = World::new(Upstream::step_by_step().await).await;
    let path = world.start(ADA).await;
    let first = world.upstream.next().await;
    let pause = json!({"time_zone": "UTC", "quiet_hours": [], "pause": {}});
    world
        .guardian(BEN)
        .await
        .put(&world.path("times"), &pause)
        .await
        .ok();

    first.answer(&Answer::json(&completion("no words"))).await;
    let second = world.upstream.next().await;

    assert_eq!(world.get(ADA, &path).await["summary"]["state"], "running");
    second.answer(&Answer::json(&completion(GOOD))).await;
    let third = world.upstream.next().await;
    world.delete(ADA, &path).await.ok();
    third.closed().await;
    world.until_over().await;
    // The child hears a goodbye meanwhile.
    let client = world.client().await;
    let messages = json!([{"role": "user", "content": "Hi"}]);
    let goodbye = client
        .chat(&json!({"model": "family-model", "messages": messages}))
        .await;
    assert_eq!(goodbye.status, 200);
    assert_eq!(world.upstream.count(), 3);
}

#[tokio::test]
async fn a_try_of_an_assistant_that_is_changed_ends() {
    let world = World::new(Upstream::step_by_step().await).await;
    let path = world.start(ADA).await;
    let first = world.upstream.next().await;

    let choose = ChooseUpstream {
        assistant: "Kitchen".to_owned(),
        upstream: None,
        when_not_kept: porchlight::models::StoreFailurePolicy::default(),
    };
    world.app.run_admin(choose).await.0.unwrap();
    first.answer(&Answer::json(&completion("no words"))).await;
    world.until_over().await;

    let stopped = world.get(ADA, &path).await;
    assert_eq!(stopped["summary"]["state"], "stopped");
    assert_eq!(stopped["summary"]["reason"], "assistant_changed");
}

#[tokio::test]
async fn an_assistant_that_cannot_be_asked_is_refused_with_a_sentence() {
    let world = good().await;
    world.app.assistant("Speaker", &[world.mia]).await;
    let household = world.get(ADA, "/api/household").await;
    let assistants = household["assistants"].as_array().unwrap().iter();
    let mut speakers = assistants.filter(|assistant| assistant["name"] == "Speaker");
    let speaker = speakers.next().unwrap()["assistant_id"].clone();
    let ada = world.guardian(ADA).await;

    for (assistant, status, code) in [
        (speaker, 409, "try_not_through_gateway"),
        (
            json!("asi_00000000000000000000000000000000"),
            404,
            "not_found",
        ),
    ] {
        let body = json!({"assistant": assistant, "language": "en"});
        let refused = ada.post(&world.path("tries"), &body).await;
        assert_eq!(code_of(&refused), (status, code.to_owned()));
        let preview = format!("tries/preview?assistant={}", assistant.as_str().unwrap());
        let refused = ada.get(&world.path(&preview)).await;
        assert_eq!(code_of(&refused), (status, code.to_owned()));
    }
}

#[tokio::test]
async fn an_unknown_model_is_known_after_the_first_request() {
    let upstream = Upstream::answering(speak).await;
    let world = World::new(upstream).await;
    let add = porchlight::admin::AddUpstream {
        name: "open".to_owned(),
        url: format!("{}/v1", world.upstream.url()).parse().unwrap(),
        key: None,
        models: Vec::new(),
        form: porchlight::models::UpstreamForm::OpenAi,
    };
    world.app.run_admin(add).await.0.unwrap();
    let choose = ChooseUpstream {
        assistant: "Kitchen".to_owned(),
        upstream: Some("open".to_owned()),
        when_not_kept: porchlight::models::StoreFailurePolicy::default(),
    };
    world.app.run_admin(choose).await.0.unwrap();

    let unknown = world.preview(ADA).await;
    let client = world.client().await;
    let messages = json!([{"role": "user", "content": "Hi"}]);
    client
        .chat(&json!({"model": "their-model", "messages": messages}))
        .await
        .ok();
    let known = world.preview(ADA).await.json();

    assert_eq!(code_of(&unknown), (409, "try_without_model".to_owned()));
    assert_eq!(known["model"], "their-model");
}

#[tokio::test]
async fn what_a_server_that_ended_left_unfinished_is_interrupted_with_what_it_has() {
    let world = World::new(Upstream::step_by_step().await).await;
    world.block(&TOPICS).await;
    let path = world.start(ADA).await;
    for answer in ["no words", GOOD] {
        world
            .upstream
            .next()
            .await
            .answer(&Answer::json(&completion(answer)))
            .await;
    }
    let open = world.upstream.next().await;

    world.app.inner.tries.finish_interrupted().await;

    let interrupted = world.get(ADA, &path).await;
    assert_eq!(interrupted["summary"]["state"], "interrupted");
    assert_eq!(
        interrupted["summary"]["about_own_topics"],
        counts(0, 0, 1, 0)
    );
    assert_eq!(interrupted["answers"].as_array().unwrap().len(), 1);
    open.answer(&Answer::json(&completion(GOOD))).await;
    world.until_over().await;
    assert_eq!(world.get(ADA, &path).await, interrupted);
}

#[tokio::test]
async fn an_unreadable_try_blocks_no_other_and_keeps_no_answers() {
    let world = good().await;
    world.run(ADA).await;
    let kinds = porchlight::tries::FEATURE.kinds.iter();
    let tries = kinds.clone().find(|kind| kind.name() == "try").unwrap();
    let (key, _) = first_row(&world.app.inner.store, tries).unwrap();
    damage(&world.app.inner, key, b"{".to_vec()).await;
    assert!(world.app.count_rows("try-answer") > 0);

    world.app.inner.maintain().await.unwrap();

    assert_eq!(world.app.count_rows("try-answer"), 0);
    world.run(BEN).await;
    assert!(world.app.count_rows("try-answer") > 0);
}

#[tokio::test]
async fn answers_are_deleted_after_thirty_days_and_figures_after_four_hundred() {
    let world = good().await;
    let (path, result) = world.run(ADA).await;
    world.judge(ADA, &path, 1, "not_ok").await.ok();
    world.delete(BEN, &path).await.ok();
    let until = result["summary"]["answers_until"].as_str().unwrap();
    assert_eq!(until, "2026-12-21T20:00:00Z");
    let due = Timestamp::parse(until).unwrap();
    let maintain = async |at: Timestamp| {
        let clock = &world.app.clock;
        clock.advance(at.since(world.app.inner.clock.now()));
        // The clock is trusted.
        let app = &world.app.inner;
        let due = app.due.clone();
        app.store
            .commit(move |change| due.accept(change))
            .await
            .unwrap();
        app.maintain().await.unwrap();
    };

    maintain(due.before(Duration::from_secs(60 * 60))).await;
    let before = world.get(ADA, &path).await;
    maintain(due.after(Duration::from_secs(60 * 60))).await;
    let after = world.get(ADA, &path).await;

    assert_eq!(
        before["answers"].as_array().unwrap().len() as u64 + 1,
        result["summary"]["done"]
    );
    assert_eq!(after["answers"], json!([]));
    assert_eq!(world.app.count_rows("try-answer"), 0);
    assert_eq!(
        after["summary"]["about_own_topics"],
        before["summary"]["about_own_topics"]
    );
    world.judge(ADA, &path, 2, "ok").await.problem(404);
    maintain(due.after(Duration::from_secs(371 * 24 * 60 * 60))).await;
    for table in ["try", "try-verdict", "try-hidden"] {
        assert_eq!(world.app.count_rows(table), 0, "{table}");
    }
}

#[tokio::test]
async fn a_change_of_the_rules_after_a_try_is_told() {
    let world = good().await;
    let (path, result) = world.run(ADA).await;
    assert_eq!(result["summary"]["rules_changed_at"], Value::Null);
    world.app.clock.advance(Duration::from_secs(60));
    let quiet = json!({"time_zone": "UTC", "quiet_hours": [{"days": ["mon"], "from": "20:00", "to": "07:00"}]});
    world
        .guardian(BEN)
        .await
        .put(&world.path("times"), &quiet)
        .await
        .ok();
    assert_eq!(
        world.get(ADA, &path).await["summary"]["rules_changed_at"],
        Value::Null
    );

    world.app.clock.advance(Duration::from_secs(60));
    world.block(&["Ghosts"]).await;

    let changed = world.get(ADA, &path).await;
    assert_eq!(
        changed["summary"]["rules_changed_at"],
        "2026-11-21T20:02:00Z"
    );
}
