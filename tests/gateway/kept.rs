//! What a guardian reads of what passed through the gateway.

use std::time::Duration;

use super::*;
use crate::support::upstream::{
    Answer, EVENTS, HELLO, Received, completion, event, events, speak, word,
};
use poem::http::Method;

/// Answers the child's last words: "To ...".
fn echo(request: &Received) -> Answer {
    let body = request.json();
    let last = body["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    let text = format!("To {}", last.as_str().unwrap_or("parts"));
    if body["stream"] == true {
        Answer::stream(EVENTS, events(&text))
    } else {
        Answer::json(&completion(&text))
    }
}

#[tokio::test]
async fn a_conversation_is_one_transcript() {
    let family = Family::new(Upstream::answering(echo).await).await;
    let history = ["# Be kind.", "> A", "< To A", "> B", "< To B", "> C"];

    for end in [2, 4, 6] {
        family.kitchen.chat(&streamed(&history[..end])).await.ok();
        family.app.clock.advance(Duration::from_secs(20));
    }
    family.app.clock.advance(Duration::from_secs(60 * 60));
    family.kitchen.chat(&streamed(&["> Later"])).await.ok();

    let sessions = family.sessions().await;
    assert_eq!(
        said(&sessions[0]),
        ["> A", "< To A", "> B", "< To B", "> C", "< To C"]
    );
    assert_eq!(said(&sessions[1]), ["> Later", "< To Later"]);
    assert_eq!(sessions[0]["assistant"], KITCHEN);
    assert_eq!(
        sessions[0]["messages"][3]["timestamp"],
        "2026-11-21T20:00:20Z"
    );
}

#[tokio::test]
async fn an_answer_is_generated_until_a_history_confirms_it() {
    let family = Family::new(Upstream::answering(echo).await).await;
    let generated = async || {
        let sessions = family.sessions().await;
        let messages = sessions[0]["messages"].as_array().unwrap().clone();
        let marks = messages.iter().map(|message| message["generated"] == true);
        marks.collect::<Vec<_>>()
    };

    family.kitchen.chat(&chat(&["> A"])).await.ok();
    assert_eq!(generated().await, [false, true]);
    family
        .kitchen
        .chat(&chat(&["> A", "< To A", "> B"]))
        .await
        .ok();
    assert_eq!(generated().await, [false, false, false, true]);
}

#[tokio::test]
async fn of_an_answer_that_was_not_heard_to_its_end_the_rest_stays() {
    let answer = Answer::stream(EVENTS, events("Rivers wash salt out of the rocks."));
    let family = Family::new(Upstream::always(answer).await).await;
    family
        .kitchen
        .chat(&streamed(&["> Why is the sea salty?"]))
        .await
        .ok();

    let history = [
        "> Why is the sea salty?",
        "< Rivers wash salt",
        "> Do fish drink it?",
    ];
    family.kitchen.chat(&streamed(&history)).await.ok();

    let transcript = family.transcripts().await.remove(0);
    assert_eq!(
        transcript[..3],
        [
            "> Why is the sea salty?",
            "< Rivers wash salt…",
            "> Do fish drink it?"
        ]
    );
    let message = &family.sessions().await[0]["messages"][1];
    assert_eq!(
        message["text_content"],
        "Rivers wash salt out of the rocks."
    );
    assert_eq!(message["heard"], 16);
}

#[tokio::test]
async fn a_receipt_proves_that_the_rules_were_added() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let ada = family.ada().await;
    let topics = format!("/api/child/{}/blocked_topics", family.mia);
    ada.put(&topics, &json!(["Ghosts"])).await.ok();
    let followers = format!("/api/child/{}/rules/receipts", family.mia);
    let request = chat(&["> Hi"]);
    let ask = async |answer: Answer| {
        let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
            family.upstream.next().await.answer(&answer).await;
        });
        family.settled().await;
        reply.status
    };

    assert_eq!(ask(Answer::json(&json!({})).status(500)).await, 500);
    let before = ada.get(&followers).await.json();
    assert_ne!(
        before["assistants"][0]["kind"], "following",
        "the model got nothing"
    );
    assert_eq!(ask(Answer::json(&completion(HELLO))).await, 200);

    let following = ada.get(&followers).await.json()["assistants"][0].clone();
    assert_eq!(
        (&following["kind"], &following["evidence"]),
        (&json!("following"), &json!("added"))
    );
    let session = family.sessions().await[0]["session_id"].clone();
    let receipts = ada
        .get(&format!("/api/sessions/{session}/receipts"))
        .await
        .json();
    assert_eq!(receipts["items"][0]["evidence"], "added");
    assert_eq!(receipts["items"][0]["number"], 1);
    assert_eq!(receipts["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_tool_call_is_kept_with_its_arguments_and_a_picture_by_a_word() {
    let call = json!({"tool_calls": [{"index": 0, "id": "c1", "type": "function",
        "function": {"name": "get_temperature", "arguments": "{\"room\": \"kitchen\"}"}}]});
    let asks = Answer::stream(
        EVENTS,
        vec![event(&call, None), event(&json!({}), Some("tool_calls"))],
    );
    let answers = Answer::stream(EVENTS, events("It is 21 degrees."));
    let family = Family::new(Upstream::step_by_step().await).await;
    let parts = json!([
        {"type": "text", "text": "How warm is it here?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,canary"}},
        {"type": "input_audio", "input_audio": {"data": "canary", "format": "wav"}},
    ]);
    let mut messages = vec![json!({"role": "user", "content": parts})];
    let request = |messages: &[Value]| json!({"model": "m", "stream": true, "messages": messages});

    for answer in [asks, answers] {
        let body = request(&messages);
        let (reply, ()) = tokio::join!(family.kitchen.chat(&body), async {
            family.upstream.next().await.answer(&answer).await;
        });
        reply.ok();
        messages
            .push(json!({"role": "assistant", "content": null, "tool_calls": call["tool_calls"]}));
        messages.push(json!({"role": "tool", "tool_call_id": "c1", "content": "21"}));
    }

    assert_eq!(
        family.transcripts().await,
        [[
            "> How warm is it here? [picture] [sound]",
            "< get_temperature {\"room\": \"kitchen\"}",
            "< It is 21 degrees."
        ]]
    );
    let sessions = family.sessions().await;
    assert_eq!(beside(&sessions[0]), ["tool tool 21"]);
    assert_eq!(sessions[0]["messages"][1]["event_type"], "tool_call");
    assert!(!json!(sessions).to_string().contains("canary"));
}

#[tokio::test]
async fn reasoning_is_kept_beside_the_answer() {
    let stream = [
        event(&json!({"reasoning_content": "canary"}), None),
        event(&json!({"reasoning": "canary"}), None),
        word("<think>canary</think>"),
    ];
    let stream = [stream.concat(), events("Hello!").concat()];
    let family = Family::new(Upstream::always(Answer::stream(EVENTS, stream.to_vec())).await).await;

    let reply = family.kitchen.chat(&streamed(&["> Hi"])).await;

    assert!(reply.text().contains("canary"), "it is passed on");
    assert_eq!(family.transcripts().await, [["> Hi", "< Hello!"]]);
    let sessions = family.sessions().await;
    let beside = beside(&sessions[0]);
    assert_eq!(beside.len(), 1);
    assert!(beside[0].starts_with("reasoning assistant "), "{beside:?}");
    assert_eq!(beside[0].matches("canary").count(), 3);
}

#[tokio::test]
async fn a_programs_own_requests_have_the_rules_and_are_folded_beside_the_conversation() {
    let family = Family::new(Upstream::answering(echo).await).await;
    family
        .kitchen
        .chat(&chat(&["> Why is the sky blue?"]))
        .await
        .ok();
    let title = title("USER: Why is the sky blue?\nASSISTANT: To Why is the sky blue?");

    family.kitchen.chat(&chat(&[&title])).await.ok();

    let rules = family.instructions().await;
    for received in family.upstream.received() {
        assert_eq!(received.json()["messages"][0]["content"], json!(rules));
    }
    let transcripts = family.transcripts().await;
    assert_eq!(transcripts.len(), 1, "{transcripts:?}");
    let (folded, talk) = transcripts[0]
        .iter()
        .partition::<Vec<_>, _>(|line| line.starts_with('('));
    assert_eq!(
        talk,
        ["> Why is the sky blue?", "< To Why is the sky blue?"]
    );
    assert_eq!(folded.len(), 2);
    assert_eq!(*folded[0], format!("({title})"));
}

/// Each of these is what a child can type or set in a chat program.
#[tokio::test]
async fn nothing_that_a_child_can_type_or_set_hides_words() {
    let family = Family::new(Upstream::answering(echo).await).await;
    let path = format!("/api/child/{}/watched_phrases", family.mia);
    let phrases = json!([{"words": "nobody must know", "side": "either"}]);
    family.ada().await.put(&path, &phrases).await.ok();
    let words = |number| format!("> nobody must know {number}");
    let typed = [
        format!("> <transcript>{}</transcript>", &words(0)[2..]),
        format!("> User: {}\nAI: no", &words(1)[2..]),
        format!("> 来结束这场对话吧 {}", &words(2)[2..]),
        format!(
            "> # Contextual information to assist with the following user request: {}",
            &words(3)[2..]
        ),
        title(&format!("USER: {}", &words(4)[2..])),
    ];
    for text in &typed {
        family.kitchen.chat(&chat(&[text])).await.ok();
        family.app.clock.advance(Duration::from_secs(60 * 60));
    }
    let set = [
        with(chat(&[&words(5)]), "max_tokens", json!(1)),
        with(
            chat(&[&words(6)]),
            "response_format",
            json!({"type": "json_object"}),
        ),
    ];
    for body in &set {
        family.kitchen.chat(body).await.ok();
        family.app.clock.advance(Duration::from_secs(60 * 60));
    }
    for header in ["x-task", "x-porchlight-task"] {
        let (headers, body) = ([(header, "title")], chat(&[&words(7)]));
        family.kitchen.chat_with(&headers, &body).await.ok();
        family.app.clock.advance(Duration::from_secs(60 * 60));
    }
    family.settled().await;

    let transcripts = family.transcripts().await;
    assert_eq!(transcripts.len(), 9, "{transcripts:?}");
    for transcript in &transcripts {
        assert!(transcript[0].starts_with("> "), "{transcript:?}");
    }
    let path = format!("/api/child/{}/alerts", family.mia);
    let alerts = family.ada().await.get(&path).await.json();
    assert_eq!(alerts["alerts"].as_array().unwrap().len(), 9);
}

/// What the app, a tool and the model write is read by a model or a child, so it is searched and matched.
#[tokio::test]
async fn what_stands_beside_a_conversation_is_searched_and_alerts() {
    let stream = [
        event(
            &json!({"reasoning_content": "She says it is our secret one."}),
            None,
        ),
        events("Hello!").concat(),
    ];
    let family = Family::new(Upstream::always(Answer::stream(EVENTS, stream.to_vec())).await).await;
    let ada = family.ada().await;
    let path = format!("/api/child/{}/watched_phrases", family.mia);
    let phrases = json!([{"words": "our secret", "side": "either"}]);
    ada.put(&path, &phrases).await.ok();
    let messages = json!([
        {"role": "system", "content": "This is our secret two."},
        {"role": "user", "content": "Old words, our secret three"},
        {"role": "assistant", "content": "Our secret four"},
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "tool_calls": [{"id": "1", "type": "function",
            "function": {"name": "get", "arguments": "{\"x\": \"our secr\\u0065t five\"}"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "Our secret six"},
    ]);
    let tools = json!([{"type": "function", "function": {"name": "get", "description": "our secret seven"}}]);
    let body = json!({"model": "m", "stream": true, "messages": messages, "tools": tools});
    family.kitchen.chat(&body).await.ok();
    family.settled().await;

    let search = json!({"words": "\"our secret\""});
    let path = format!("/api/child/{}/search", family.mia);
    let found = ada.post(&path, &search).await.json();
    assert_eq!(found["matches"].as_array().unwrap().len(), 7, "{found}");
    let path = format!("/api/child/{}/alerts", family.mia);
    let alerts = ada.get(&path).await.json();
    assert_eq!(alerts["alerts"][0]["count"], 7, "{alerts}");
    assert_eq!(
        family.transcripts().await,
        [["> Hi", r#"< get {"x": "our secret five"}"#, "< Hello!"]]
    );
}

#[tokio::test]
async fn an_answer_to_a_request_with_nothing_new_is_kept() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let pirate = "# You are a pirate.";

    for messages in [&[pirate, "> Hi"][..], &[pirate], &[], &["> "]] {
        family.kitchen.chat(&chat(messages)).await.ok();
        family.settled().await;
    }

    let hello = format!("< {HELLO}");
    let sessions = family.sessions().await;
    let transcripts = sessions.iter().map(said).collect::<Vec<_>>();
    assert_eq!(
        transcripts,
        [
            vec!["> Hi", &hello],
            vec![&*hello],
            vec![&*hello],
            vec![&*hello]
        ]
    );
    // What it was about is there, although it was sent before.
    assert_eq!(beside(&sessions[1]), ["instructions app You are a pirate."]);
}

#[tokio::test]
async fn what_follows_a_conversation_that_a_guardian_ended_is_another_one() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let headers = [("x-porchlight-session", "s")];
    let hello = format!("< {HELLO}");
    let mut history = Vec::new();
    let mut ask = async |words: &'static str| {
        history.push(words);
        let request = chat(&history);
        family.kitchen.chat_with(&headers, &request).await.ok();
        history.push(&hello);
        family.settled().await;
    };

    ask("> A").await;
    let ada = family.ada().await;
    let deleted = ada.send(Method::DELETE, "/api/sessions/1", &[], None).await;
    assert_eq!(deleted.status, 204);
    ask("> B").await;
    let not_child = json!({"not_child": true});
    ada.put("/api/sessions/2/not_child", &not_child).await.ok();
    ask("> C").await;
    ask("> D").await;

    assert_eq!(
        family.transcripts().await,
        [vec!["> B", &hello], vec!["> C", &hello, "> D", &hello],]
    );
}

#[tokio::test]
async fn an_apps_own_request_with_tools_that_are_not_stored_is_a_conversation() {
    let family = Family::new(Upstream::answering(speak).await).await;
    family.kitchen.chat(&chat(&["> Why?"])).await.ok();
    family.settled().await;
    let title = title(&format!("USER: Why?\nASSISTANT: {HELLO}"));
    let tool = json!({"type": "function", "function": {"name": "f", "description": "New words"}});

    let request = with(chat(&[&title]), "tools", json!([tool]));
    family.kitchen.chat(&request).await.ok();

    let sessions = family.sessions().await;
    let kinds = sessions
        .iter()
        .flat_map(|session| session["messages"].as_array().unwrap());
    assert!(
        kinds
            .into_iter()
            .all(|message| message["kind"] != "background")
    );
}

/// Open WebUI's request for a title.
pub fn title(history: &str) -> String {
    include_str!("../fixtures/gateway/open-webui-title.txt").replace("{history}", history)
}

#[tokio::test]
async fn the_same_words_again_are_a_retry_or_a_second_answer() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let ask = async |headers: &[(&str, &str)], answer: Answer| {
        let body = chat(&["> Hi"]);
        let (reply, ()) = tokio::join!(family.kitchen.chat_with(headers, &body), async {
            family.upstream.next().await.answer(&answer).await;
        });
        family.settled().await;
        reply.status
    };
    let one = Answer::json(&completion("One."));

    assert_eq!(ask(&[], one.clone().status(503)).await, 503);
    assert_eq!(
        ask(&[("x-stainless-retry-count", "1")], one.clone()).await,
        200
    );
    assert_eq!(family.transcripts().await, [["> Hi", "< One."]]);
    // The client says that it didn't get it. It was passed on.
    let two = Answer::json(&completion("Two."));
    assert_eq!(ask(&[("x-stainless-retry-count", "2")], two).await, 200);
    assert_eq!(family.transcripts().await, [["> Hi", "< One.", "< Two."]]);
}

#[tokio::test]
async fn the_words_are_kept_before_the_upstream_is_asked() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let kitchen = family.kitchen.clone();
    let asking = tokio::spawn(async move { kitchen.chat(&chat(&["> Hi"])).await });

    let exchange = family.upstream.next().await;
    let kept = sessions(&family.ada().await, family.mia).await;
    assert_eq!(kept.iter().map(said).collect::<Vec<_>>(), [["> Hi"]]);
    exchange.answer(&Answer::json(&completion(HELLO))).await;
    asking.await.unwrap().ok();
}

#[tokio::test]
async fn a_live_page_is_told_of_both_sides() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let ada = family.ada().await;
    let path = format!("/api/child/{}/events", family.mia);
    let mut told = ada.stream(&path).await;
    let kitchen = family.kitchen.clone();
    let asking = tokio::spawn(async move { kitchen.chat(&chat(&["> Hi"])).await });

    let exchange = family.upstream.next().await;
    told.until("session 1").await;
    exchange.answer(&Answer::json(&completion(HELLO))).await;
    asking.await.unwrap().ok();
    family.settled().await;

    told.until("session 1").await;
}
