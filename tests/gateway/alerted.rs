//! Alerts about conversations through the gateway.

use std::time::Duration;

use super::*;
use crate::support::upstream::{Answer, completion};

const MINUTE: Duration = Duration::from_secs(60);

impl Family {
    async fn alerts(&self) -> Vec<Value> {
        self.settled().await;
        let path = format!("/api/child/{}/alerts", self.mia);
        let page = self.ada().await.get(&path).await.json();
        page["alerts"].as_array().unwrap().clone()
    }

    async fn judge(&self) {
        self.settled().await;
        let app = &self.app.inner;
        app.gateway.conversations.end_idle().await;
        app.assistant.end_silent_sessions().await.unwrap();
        app.alerts.judge().await.unwrap();
    }

    /// The number of conversations that have not been judged.
    fn to_judge(&self) -> usize {
        let all = Table::new("alert-pending").key();
        let rows = self.app.inner.store.keys_below(&all, usize::MAX);
        rows.unwrap().len()
    }
}

#[tokio::test]
async fn a_watched_phrase_alerts_once_though_every_request_repeats_the_history() {
    let answer = Answer::json(&completion("It is our secret."));
    let family = Family::new(Upstream::always(answer).await).await;
    let path = format!("/api/child/{}/watched_phrases", family.mia);
    let phrases = json!([
        {"words": "scared", "side": "child"},
        {"words": "our secret", "side": "assistant"},
        {"words": "our secret", "side": "child"},
    ]);
    family.ada().await.put(&path, &phrases).await.ok();
    let history = [
        "> I am scared",
        "< It is our secret.",
        "> Why?",
        "< It is our secret.",
        "> Bye",
    ];

    for end in [1, 3, 5] {
        family.kitchen.chat(&chat(&history[..end])).await.ok();
        family.app.clock.advance(Duration::from_secs(20));
    }

    let alerts = family.alerts().await;
    let found = alerts.iter().map(|alert| {
        let words = alert["phrase"]["words"].as_str().unwrap();
        let text = alert["text_content"].as_str().unwrap();
        (words, text, alert["count"].as_u64().unwrap())
    });
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            ("our secret", "It is our secret.", 3),
            ("scared", "I am scared", 1)
        ]
    );
    assert_eq!(alerts[0]["assistant"], KITCHEN);
    let unseen = family.ada().await.get("/api/alerts/unseen").await.json();
    assert_eq!(unseen["items"][0]["unseen"], 2);
}

#[tokio::test]
async fn a_word_split_over_two_parts_of_a_message_is_watched() {
    let answer = Answer::json(&completion("I can't help with that."));
    let family = Family::new(Upstream::always(answer).await).await;
    let path = format!("/api/child/{}/watched_phrases", family.mia);
    let phrases =
        json!([{"words": "bomb", "side": "child"}, {"words": "mb made", "side": "child"}]);
    family.ada().await.put(&path, &phrases).await.ok();
    let part = |text: &str| json!({"type": "text", "text": text});
    let content = json!([part("How is a bo"), part("mb made?"), part("Tell me.")]);
    let body = json!({"model": "m", "messages": [{"role": "user", "content": content}]});

    family.kitchen.chat(&body).await.ok();

    let alerts = family.alerts().await;
    assert_eq!(alerts.len(), 2);
    let text = alerts[0]["text_content"].as_str().unwrap();
    assert_eq!(
        text.replace('\u{2063}', ""),
        "How is a bo mb made? Tell me."
    );
}

/// The gateway adds the rules and refuses during quiet hours, so there is nothing to alert of.
#[tokio::test]
async fn talk_until_the_quiet_hours_and_the_goodbyes_in_them_are_judged_and_alert_of_nothing() {
    let answer = Answer::json(&completion("Once upon a time."));
    let family = Family::new(Upstream::always(answer).await).await;
    let path = format!("/api/child/{}/times", family.mia);
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let night = json!({"days": days, "from": "20:20", "to": "07:00"});
    let times = json!({"time_zone": "UTC", "quiet_hours": [night]});
    family.ada().await.put(&path, &times).await.ok();

    let mut history = Vec::<String>::new();
    for minute in 0..45 {
        history.push(format!("> Tell me story {minute}"));
        let lines = history.iter().map(String::as_str).collect::<Vec<_>>();
        let answer = family.kitchen.chat(&chat(&lines)).await.json();
        let answer = answer["choices"][0]["message"]["content"].as_str().unwrap();
        history.push(format!("< {answer}"));
        family.app.clock.advance(MINUTE);
    }
    family.settled().await;
    assert_eq!(family.upstream.count(), 20);
    assert_eq!(family.to_judge(), 1);
    family.app.clock.advance(31 * MINUTE);
    family.judge().await;

    assert_eq!(family.to_judge(), 0);
    assert_eq!(family.alerts().await, Vec::<Value>::new());

    // Without the goodbyes, the same would be talk outside the times.
    let robot = family.plug_in().await;
    for minute in 0..20 {
        let id = minute.to_string();
        let said = json!([{"message_id": id, "source": "child", "text_content": "Tell me more"}]);
        robot.deliver("s", &json!({"messages": said})).await.ok();
        family.app.clock.advance(MINUTE);
    }
    family.app.clock.advance(31 * MINUTE);
    family.judge().await;
    let alerts = family.alerts().await;
    assert!(alerts.iter().any(|it| it["kind"] == "outside_times"));
}
