//! Answers that can't be stored when they end.

use std::time::Duration;

use super::removal::{CANARY, finish};
use super::*;
use crate::support::gateway_client::Open;
use crate::support::upstream::{Answer, EVENTS, Exchange, HELLO, completion, event, events};
use porchlight::kernel::store::Event;

const PARTIAL: &str = "gateway-partial";

impl Family {
    /// A request of which one piece of the answer was passed on and saved.
    async fn saved_by_half(&self) -> (Open, Exchange) {
        let mut changes = self.app.inner.store.changes();
        let half = self.half_answered("> Hi").await;
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(1)).await;
        tokio::time::resume();
        let partials = Table::new(PARTIAL).key();
        while let Some(event) = changes.next().await {
            if matches!(event, Event::Written(written) if written.touches(&partials)) {
                break;
            }
        }
        half
    }
}

#[tokio::test]
async fn what_was_saved_of_an_answer_is_stored_once_the_store_works_again() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let (open, exchange) = family.saved_by_half().await;
    family.fail_writes().await;
    finish(open, exchange).await;
    family.settled().await;
    let conversations = &family.app.inner.gateway.conversations;

    family.app.clock.advance(Duration::from_secs(31 * 60));
    conversations.end_idle().await;
    assert_eq!(family.app.count_rows(PARTIAL), 1);
    family.mend_writes(0).await;
    let body = chat(&["> Bye"]);
    tokio::join!(family.kitchen.chat(&body), async {
        let answer = Answer::json(&completion(HELLO));
        family.upstream.next().await.answer(&answer).await;
    });
    conversations.end_idle().await;

    let hello = format!("< {HELLO}");
    let half = format!("< {CANARY} …");
    assert_eq!(
        family.transcripts().await,
        [["> Hi", &half], ["> Bye", &hello]]
    );
    assert_eq!(family.app.count_rows(PARTIAL), 0);
}

#[tokio::test]
async fn at_the_start_one_keys_failure_does_not_keep_anothers_answer_from_being_stored() {
    let mut family = Family::new(Upstream::step_by_step().await).await;
    let bedroom = family
        .app
        .gateway_assistant("Bedroom", &[family.mia], "home")
        .await;
    let bedroom = family.kitchen.with_key(bedroom.credential());
    let first = family.saved_by_half().await;
    family.kitchen = bedroom;
    let second = family.saved_by_half().await;
    assert_eq!(family.fail_writes().await, 2);
    for (open, exchange) in [first, second] {
        finish(open, exchange).await;
    }
    family.settled().await;
    family.mend_writes(1).await;

    let conversations = &family.app.inner.gateway.conversations;
    conversations.finish_interrupted().await.unwrap();

    let mut transcripts = family.transcripts().await;
    transcripts.sort();
    let half = format!("< {CANARY} …");
    assert_eq!(transcripts, [vec!["> Hi"], vec!["> Hi", &half]]);
}

#[tokio::test]
async fn an_answer_whose_reasoning_is_beyond_the_limit_is_counted_once() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let request = streamed(&["> Hi"]);
    let (open, mut exchange) = tokio::join!(family.kitchen.open_chat(&request), async {
        let mut exchange = family.upstream.next().await;
        exchange.begin(EVENTS).await;
        exchange
    });
    let used_up = family.app.inner.store.commit(|change| {
        let keys = change.keys_below(&Table::new("gateway-tracker").key(), 1)?;
        let stored = change.payload(&keys[0])?.unwrap();
        let mut tracker = serde_json::from_slice::<Value>(&stored.json).unwrap();
        tracker["reasoning"] = json!({"days": [{"day": 20_778, "counts": 20_000_000}]});
        change.put_json(&keys[0], stored.version, tracker.to_string().as_bytes())
    });
    used_up.await.unwrap();
    family.fail_writes().await;

    let thinks = event(&json!({"reasoning_content": "She greets."}), None);
    exchange
        .piece(&[thinks, events("Hello!").concat()].concat())
        .await;
    exchange.end().await;
    open.rest().await.ok();
    family.settled().await;
    family.mend_writes(0).await;
    let body = chat(&["> Bye"]);
    tokio::join!(family.kitchen.chat(&body), async {
        let answer = Answer::json(&completion(HELLO));
        family.upstream.next().await.answer(&answer).await;
    });

    family.app.inner.gateway.conversations.end_idle().await;
    let sessions = family.sessions().await;
    let not_kept = sessions.iter().map(|session| &session["not_kept"]);
    let once = json!([{"reason": "not_stored", "count": 1}]);
    assert_eq!(not_kept.collect::<Vec<_>>(), [&once, &Value::Null]);
}

#[tokio::test]
async fn a_lost_answer_is_counted_in_its_session_without_another_request() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let (open, exchange) = family.saved_by_half().await;
    family.fail_writes().await;
    finish(open, exchange).await;
    family.settled().await;
    let conversations = &family.app.inner.gateway.conversations;

    conversations.end_idle().await;
    assert_eq!(family.sessions().await[0]["not_kept"], Value::Null);
    family.mend_writes(0).await;
    conversations.end_idle().await;
    conversations.end_idle().await;

    let sessions = family.sessions().await;
    let once = json!([{"reason": "not_stored", "count": 1}]);
    assert_eq!(sessions[0]["not_kept"], once);
    let half = format!("< {CANARY} …");
    assert_eq!(family.transcripts().await, [["> Hi", &half]]);
    assert_eq!(family.app.count_rows(PARTIAL), 0);
}
