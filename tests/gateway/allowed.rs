//! Talking that is not allowed: the upstream hears nothing, and the child hears a goodbye.

use super::*;
use crate::support::gateway_client::Open;
use crate::support::test_app::until_notified;
use crate::support::upstream::{DONE, EVENTS, Exchange, HELLO, LINES, line, speak, word};
use porchlight::kernel::host::clock::Timestamp;

fn at(time: &str) -> Timestamp {
    Timestamp::parse(time).unwrap()
}

async fn set_schedule(family: &Family, times: Value) {
    let path = format!("/api/child/{}/times", family.mia);
    family.ada().await.put(&path, &times).await.ok();
}

fn paused() -> Value {
    json!({"time_zone": "UTC", "quiet_hours": [], "pause": {}})
}

fn unlimited() -> Value {
    json!({"time_zone": "UTC", "quiet_hours": []})
}

/// The goodbye that the assistant must say.
async fn goodbye(family: &Family) -> String {
    let robot = family.plug_in().await;
    let path = format!("/api/assistant/child/{}/rules", family.mia);
    let rules = robot.get(&path).await.json();
    rules["talk"]["goodbye"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_paused_child_hears_a_goodbye_in_each_form_and_the_upstream_nothing() {
    let family = Family::with_ollama(Upstream::answering(speak).await).await;
    set_schedule(&family, paused()).await;
    let goodbye = goodbye(&family).await;
    let kitchen = &family.kitchen;

    let whole = kitchen.chat(&chat(&["> One"])).await;
    let stream = kitchen.chat(&streamed(&["> Two"])).await;
    let lines = kitchen.post("/gateway/api/chat", &chat(&["> Three"])).await;
    let line = with(chat(&["> Four"]), "stream", json!(false));
    let line = kitchen.post("/gateway/api/chat", &line).await;

    let answer = whole.json();
    let choice = &answer["choices"][0];
    assert_eq!(answer["object"], "chat.completion");
    assert_eq!(answer["model"], "family-model");
    assert_eq!(choice["message"]["role"], "assistant");
    assert_eq!(choice["message"]["content"], json!(goodbye));
    assert_eq!(choice["finish_reason"], "stop");
    let unused = json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0});
    assert_eq!(answer["usage"], unused);

    assert_eq!(stream.header("content-type"), EVENTS);
    let events = stream.text().split_terminator("\n\n");
    let mut events = events
        .map(|event| event.strip_prefix("data: ").unwrap())
        .collect::<Vec<_>>();
    assert_eq!(events.pop(), Some("[DONE]"));
    let events = events
        .iter()
        .map(|event| serde_json::from_str::<Value>(event).unwrap())
        .collect::<Vec<_>>();
    let content = events
        .iter()
        .filter_map(|event| event["choices"][0]["delta"]["content"].as_str());
    assert_eq!(content.collect::<String>(), goodbye);
    let finish = events
        .iter()
        .filter_map(|event| event["choices"][0]["finish_reason"].as_str());
    assert_eq!(finish.collect::<Vec<_>>(), ["stop"]);

    let read = lines.text().lines();
    let read = read
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .collect::<Vec<_>>();
    let content = read
        .iter()
        .filter_map(|line| line["message"]["content"].as_str());
    assert_eq!(content.collect::<String>(), goodbye);
    let (last, before) = read.split_last().unwrap();
    assert_eq!(
        (&last["done"], &last["done_reason"]),
        (&json!(true), &json!("stop"))
    );
    assert_eq!(last["eval_count"], 0);
    assert!(before.iter().all(|line| line["done"] == false));

    let line = line.json();
    assert_eq!(line["message"]["content"], json!(goodbye));
    assert_eq!(line["done"], true);

    assert_eq!(family.upstream.count(), 0);
    let said = family.transcripts().await.concat();
    let expected = ["One", "Two", "Three", "Four"];
    let expected = expected.map(|words| [format!("> {words}"), format!("< {goodbye}")]);
    assert_eq!(said, expected.concat());
}

#[tokio::test]
async fn a_german_child_hears_the_goodbye_in_german() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let path = format!("/api/child/{}/language", family.mia);
    let german = json!({"language": "de"});
    family.ada().await.put(&path, &german).await.ok();
    set_schedule(&family, paused()).await;

    let answer = family.kitchen.chat(&chat(&["> Hallo"])).await.json();

    let expected = "Wir machen jetzt eine Pause. Ich freue mich auf das nächste Mal!";
    assert_eq!(answer["choices"][0]["message"]["content"], expected);
    assert_eq!(goodbye(&family).await, expected);
    assert_eq!(family.upstream.count(), 0);
    let said = family.transcripts().await.concat();
    assert_eq!(said, ["> Hallo", &format!("< {expected}")]);
}

#[tokio::test]
async fn when_a_pause_ends_the_conversation_goes_on() {
    let family = Family::new(Upstream::answering(speak).await).await;
    family.kitchen.chat(&chat(&["> Hi"])).await.ok();
    set_schedule(&family, paused()).await;
    let goodbye = format!("< {}", goodbye(&family).await);
    let hello = format!("< {HELLO}");
    let mut history = vec!["> Hi", &hello, "> Are you there?"];

    family.kitchen.chat(&chat(&history)).await.ok();
    assert_eq!(family.upstream.count(), 1);
    set_schedule(&family, unlimited()).await;
    history.extend([&goodbye, "> And now?"]);
    family.kitchen.chat(&chat(&history)).await.ok();

    assert_eq!(family.upstream.count(), 2);
    history.push(&hello);
    assert_eq!(family.transcripts().await, [history]);
}

#[tokio::test]
async fn quiet_hours_and_the_days_minutes_are_enforced_by_the_clock() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let night = json!({"days": days, "from": "20:30", "to": "07:00"});
    set_schedule(&family, json!({"time_zone": "UTC", "quiet_hours": [night]})).await;
    let ask = async |hour: &str| {
        let time = format!("2026-11-{hour}");
        family.app.clock.set(at(&time));
        family
            .kitchen
            .chat(&chat(&[&format!("> {hour}")]))
            .await
            .ok();
        family.upstream.count()
    };

    assert_eq!(ask("21T20:29:59Z").await, 1);
    assert_eq!(ask("21T20:30:00Z").await, 1);
    assert_eq!(ask("22T06:59:59Z").await, 1);
    assert_eq!(ask("22T07:00:00Z").await, 2);

    let minutes = json!({"time_zone": "UTC", "quiet_hours": [], "minutes_a_day": 1});
    set_schedule(&family, minutes).await;
    // What was said through the gateway counts, from the first message of a conversation to its last.
    assert_eq!(ask("23T10:00:00Z").await, 3);
    let mut history = vec!["> 23T10:00:00Z".to_owned(), format!("< {HELLO}")];
    for seconds in [30, 59, 61] {
        let time = format!("2026-11-23T10:0{}:{:02}Z", seconds / 60, seconds % 60);
        family.app.clock.set(at(&time));
        history.push(format!("> After {seconds}"));
        let messages = history.iter().map(String::as_str).collect::<Vec<_>>();
        family.kitchen.chat(&chat(&messages)).await.ok();
        history.push(format!("< {HELLO}"));
    }
    family.app.clock.set(at("2026-11-23T10:01:30Z"));
    let before = family.upstream.count();
    family.kitchen.chat(&chat(&["> One more"])).await.ok();
    assert_eq!(family.upstream.count(), before, "the minute is used up");
    assert_eq!(ask("24T10:00:00Z").await, before + 1, "the next day");
}

/// Opens a stream and passes these pieces on. The content type is that of the path's API.
async fn running(family: &Family, path: &str, pieces: &[Vec<u8>]) -> (Open, Exchange) {
    let content_type = if path.ends_with("/api/chat") {
        LINES
    } else {
        EVENTS
    };
    let body = streamed(&["> Tell me a story"]).to_string();
    let (mut open, mut exchange) =
        tokio::join!(family.kitchen.open("POST", path, &[], body), async {
            let mut exchange = family.upstream.next().await;
            exchange.begin(content_type).await;
            exchange
        });
    for piece in pieces {
        exchange.piece(piece).await;
        open.until(piece).await;
    }
    (open, exchange)
}

const OPENAI: &str = "/gateway/v1/chat/completions";
const OLLAMA: &str = "/gateway/api/chat";

/// The stream's end without an error, after which nothing is asked again.
async fn proper_end(open: Open, exchange: Exchange) -> String {
    exchange.closed().await;
    let reply = open.rest().await;
    reply.ok();
    assert!(!reply.is_cut);
    reply.text().to_owned()
}

#[tokio::test]
async fn a_pause_ends_a_running_stream_and_what_was_passed_on_is_kept() {
    for (path, piece, end) in [
        (OPENAI, word("Once "), "\"finish_reason\":\"stop\""),
        (OLLAMA, line("Once ", false), "\"done\":true"),
    ] {
        let family = Family::with_ollama(Upstream::step_by_step().await).await;
        let (open, exchange) = running(&family, path, &[piece]).await;

        set_schedule(&family, paused()).await;

        let rest = proper_end(open, exchange).await;
        assert!(rest.contains(end), "{rest}");
        assert_eq!(
            rest.ends_with(str::from_utf8(DONE).unwrap()),
            path == OPENAI
        );
        let transcript = family.transcripts().await;
        assert_eq!(transcript, [["> Tell me a story", "< Once …"]]);
    }
}

#[tokio::test]
async fn a_pause_before_the_first_word_is_a_goodbye() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let whole = chat(&["> Hi"]);

    // While the upstream is asked, and between its head and its first word.
    let (reply, ()) = tokio::join!(family.kitchen.chat(&whole), async {
        let exchange = family.upstream.next().await;
        set_schedule(&family, paused()).await;
        exchange.closed().await;
    });
    let goodbye = goodbye(&family).await;
    set_schedule(&family, unlimited()).await;
    let (open, exchange) = running(&family, OPENAI, &[]).await;
    set_schedule(&family, paused()).await;

    assert_eq!(
        reply.json()["choices"][0]["message"]["content"],
        json!(goodbye)
    );
    let rest = proper_end(open, exchange).await;
    assert!(rest.contains(&goodbye), "{rest}");
    let goodbye = format!("< {goodbye}");
    let said = family.transcripts().await.concat();
    assert_eq!(said, ["> Hi", &goodbye, "> Tell me a story", &goodbye]);
}

#[tokio::test]
async fn quiet_hours_end_a_running_stream() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let night = json!({"days": days, "from": "20:30", "to": "07:00"});
    set_schedule(&family, json!({"time_zone": "UTC", "quiet_hours": [night]})).await;
    family.app.clock.set(at("2026-11-21T20:29:59.9Z"));
    let (open, exchange) = running(&family, OPENAI, &[word("Once ")]).await;

    family.app.clock.set(at("2026-11-21T20:30:00Z"));

    proper_end(open, exchange).await;
    let transcript = family.transcripts().await;
    assert_eq!(transcript, [["> Tell me a story", "< Once …"]]);
}

#[tokio::test]
async fn a_running_stream_uses_the_days_minutes() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let minutes = json!({"time_zone": "UTC", "quiet_hours": [], "minutes_a_day": 1});
    set_schedule(&family, minutes).await;
    family.app.clock.set(at("2026-11-23T10:00:00Z"));
    let (mut open, mut exchange) = running(&family, OPENAI, &[word("Once ")]).await;
    let context = format!("/api/child/{}/context", family.mia);

    // Any change of the rules makes it look at the clock.
    family.app.clock.set(at("2026-11-23T10:00:59Z"));
    family
        .ada()
        .await
        .put(&context, &json!({"text": "Six years."}))
        .await
        .ok();
    exchange.piece(&word("upon ")).await;
    open.until(&word("upon ")).await;
    family.app.clock.set(at("2026-11-23T10:01:00Z"));
    family
        .ada()
        .await
        .put(&context, &json!({"text": "Seven years."}))
        .await
        .ok();

    proper_end(open, exchange).await;
    let transcript = family.transcripts().await;
    assert_eq!(transcript, [["> Tell me a story", "< Once upon …"]]);
}

#[tokio::test]
async fn a_running_stream_follows_the_last_rules_if_they_cannot_be_read_any_more() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let night = json!({"days": days, "from": "20:30", "to": "07:00"});
    set_schedule(&family, json!({"time_zone": "UTC", "quiet_hours": [night]})).await;
    family.app.clock.set(at("2026-11-21T20:00:00Z"));
    let (mut open, mut exchange) = running(&family, OPENAI, &[word("Once ")]).await;
    let damage = || async {
        let damaged = family.app.inner.store.commit(|change| {
            let keys = change.keys_below(&Table::new("times").key(), 1)?;
            change.put_json(&keys[0], 1, b"{")
        });
        damaged.await.unwrap();
    };

    damage().await;
    until_notified().await;
    exchange.piece(&word("upon ")).await;
    open.until(&word("upon ")).await;
    family.app.clock.set(at("2026-11-21T20:30:00Z"));
    damage().await;

    proper_end(open, exchange).await;
    let transcript = family.transcripts().await;
    assert_eq!(transcript, [["> Tell me a story", "< Once upon …"]]);
}
