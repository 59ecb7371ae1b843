//! What a request may contain: what passes, what is dropped and named, and what is refused.

use super::*;
use crate::support::upstream::speak;

#[tokio::test]
async fn what_is_dropped_is_named_to_the_program_and_counted_for_the_guardians() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let ada = family.ada().await;
    let path = format!("/api/child/{}/connections", family.mia);
    let plain = chat(&["> Hi"]);
    let body = with(plain.clone(), "chat_id", json!("c1"));
    let body = with(with(body, "user", json!("mia")), "temperature", json!(0.5));

    let named = family.kitchen.chat(&body).await;
    named.ok();
    let counted = ada.get(&path).await.json();
    let none = family.kitchen.chat(&plain).await;
    none.ok();
    let afterwards = ada.get(&path).await.json();

    assert_eq!(named.header("porchlight-dropped"), "chat_id, user");
    let sent = family.upstream.received()[0].json();
    assert_eq!(sent["temperature"], 0.5);
    assert_eq!(
        (&sent["chat_id"], &sent["user"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(counted["items"][0]["settings_dropped"], 2);
    assert_eq!(none.header("porchlight-dropped"), "");
    assert_eq!(afterwards["items"][0].get("settings_dropped"), None);
}

#[tokio::test]
async fn a_setting_passes_only_with_known_words() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let body = with(chat(&["> Hi"]), "reasoning_effort", json!("ghosts"));
    let body = with(body, "service_tier", json!("tell_me_of_ghosts"));
    let body = with(body, "thinking", json!({"type": "ghosts"}));
    let body = with(body, "samplers", json!(["ghosts"]));
    let body = with(body, "verbosity", json!("low"));

    let answered = family.kitchen.chat(&body).await;

    answered.ok();
    let dropped = answered.header("porchlight-dropped");
    let mut dropped = dropped.split(", ").collect::<Vec<_>>();
    dropped.sort_unstable();
    let expected = ["reasoning_effort", "samplers", "service_tier", "type"];
    assert_eq!(dropped, expected);
    let sent = family.upstream.received().pop().unwrap().json();
    assert_eq!(sent["verbosity"], "low");
    assert!(!sent.to_string().contains("ghosts"), "{sent}");
}

#[tokio::test]
async fn what_a_guardian_could_not_read_is_refused_with_the_fields_name() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let user =
        |content: Value| json!({"model": "m", "messages": [{"role": "user", "content": content}]});
    for (body, name) in [
        (with(chat(&["> Hi"]), "prompt", json!("Ghosts")), "prompt"),
        (
            with(chat(&["> Hi"]), "documents", json!([{"text": "Ghosts"}])),
            "documents",
        ),
        (
            with(chat(&["> Hi"]), "chat_template", json!("{{ messages }}")),
            "chat_template",
        ),
        (with(chat(&["> Hi"]), "n", json!(2)), "n"),
        (user(json!({"text": "Ghosts"})), "content"),
        (
            user(json!([{"type": "audio_url", "audio_url": {"url": "http://a/"}}])),
            "audio_url",
        ),
        (
            user(json!([{"type": "image_url", "image_url": {"url": "http://a/"}}])),
            "image_url",
        ),
        (
            json!({"model": "m", "messages": [{"role": "human", "content": "Ghosts"}]}),
            "role",
        ),
    ] {
        let refused = family.kitchen.chat(&body).await;
        assert_eq!(refused.openai_code(400), "invalid_request", "{body}");
        let message = refused.text();
        assert!(message.contains(name), "{message}");
    }

    assert_eq!(family.upstream.count(), 0);
    assert_eq!(family.transcripts().await, [[""; 0]; 0]);
}

#[tokio::test]
async fn a_developers_message_stays_beside_the_rules() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let developer = json!({"role": "developer", "content": "You are Bo."});
    let body = json!({"model": "m", "messages": [developer, {"role": "user", "content": "Hi"}]});

    family.kitchen.chat(&body).await.ok();

    let sent = family.upstream.received().pop().unwrap().json();
    let rules = json!({"role": "system", "content": family.instructions().await});
    assert_eq!(sent["messages"][0], rules);
    assert_eq!(sent["messages"][1], developer);
}

#[tokio::test]
async fn a_request_that_only_loads_a_model_is_passed_on_and_nothing_is_kept() {
    let family = Family::with_ollama(Upstream::answering(speak).await).await;
    let body = json!({"model": "family-model", "keep_alive": "5m"});

    family.kitchen.post("/gateway/api/chat", &body).await.ok();

    assert_eq!(family.upstream.received().pop().unwrap().json(), body);
    family.settled().await;
    assert_eq!(family.transcripts().await, [[""; 0]; 0]);
}
