//! How many requests a key may send, and what happens to words that can't be stored.

use std::time::Duration;

use super::kept::title;
use super::*;
use crate::support::upstream::{Answer, Exchange, HELLO, completion, speak};
use porchlight::assistants::gateway::AT_A_TIME;
use porchlight::kernel::host::clock::Timestamp;

async fn with_app(app: TestApp) -> Family {
    Family::of(app, Upstream::answering(speak).await, UpstreamForm::OpenAi).await
}

/// The records of one conversation with one answer.
const SMALL_QUOTA: &str = "1MB,4";

#[tokio::test]
async fn words_that_exceed_the_quota_are_not_passed_on() {
    let family = with_app(TestApp::with_quota(SMALL_QUOTA).await).await;
    family.kitchen.chat(&chat(&["> Hi"])).await.ok();
    family.settled().await;
    let hello = format!("< {HELLO}");

    for (policy, request) in [
        (
            StoreFailurePolicy::Closed,
            chat(&["> Hi", &hello, "> More"]),
        ),
        (
            StoreFailurePolicy::Closed,
            streamed(&["> Hi", &hello, "> More"]),
        ),
        (StoreFailurePolicy::Open, chat(&["> Hi", &hello, "> More"])),
    ] {
        choose(&family.app, KITCHEN, "home", policy).await;
        let refused = family.kitchen.chat(&request).await;
        assert_eq!(refused.openai_code(503), "not_kept");
        let seconds = refused.header("retry-after").parse::<u32>().unwrap();
        assert_eq!(seconds, 4 * 60 * 60, "four hours until midnight");
    }

    assert_eq!(family.upstream.count(), 1);
    assert_eq!(family.transcripts().await, [["> Hi", &hello]]);
    family.app.clock.advance(Duration::from_secs(4 * 60 * 60));
    family.kitchen.chat(&chat(&["> Good morning"])).await.ok();
}

#[tokio::test]
async fn the_answer_to_words_within_the_quota_is_stored_beyond_it() {
    let without_the_answer = TestApp::with_quota("1MB,3").await;
    let family = with_app(without_the_answer).await;

    family.kitchen.chat(&chat(&["> Hi"])).await.ok();
    family.settled().await;

    let hello = format!("< {HELLO}");
    assert_eq!(family.transcripts().await, [["> Hi", &hello]]);
    let refused = family.kitchen.chat(&chat(&["> More"])).await;
    assert_eq!(refused.openai_code(503), "not_kept");
}

#[tokio::test]
async fn a_key_that_is_open_passes_on_what_cannot_be_stored_and_counts_it() {
    let family = with_app(TestApp::new().await).await;
    choose(&family.app, KITCHEN, "home", StoreFailurePolicy::Open).await;
    family.kitchen.chat(&chat(&["> Hi"])).await.ok();
    family.settled().await;
    assert_eq!(family.fail_writes().await, 1);
    let hello = format!("< {HELLO}");
    let request = chat(&["> Hi", &hello, "> More"]);

    for _ in 0..2 {
        let reply = family.kitchen.chat(&request).await;
        assert_eq!(reply.json()["choices"][0]["message"]["content"], HELLO);
    }
    let received = family.upstream.received().pop().unwrap().json();
    assert_eq!(
        received["messages"][0]["content"],
        json!(family.instructions().await)
    );
    assert_eq!(family.transcripts().await, [["> Hi", &hello]]);
    // They are shown where the conversation continues.
    family.mend_writes(0).await;
    family.app.clock.advance(Duration::from_secs(4 * 60 * 60));
    family.kitchen.chat(&chat(&["> Good morning"])).await.ok();

    let sessions = family.sessions().await;
    let last = sessions.last().unwrap();
    assert_eq!(
        last["not_kept"],
        json!([{"reason": "not_stored", "count": 2}])
    );
    family
        .kitchen
        .chat(&chat(&["> Good morning", &hello, "> Bye"]))
        .await
        .ok();
    let sessions = family.sessions().await;
    let last = sessions.last().unwrap();
    assert_eq!(last["not_kept"][0]["count"], 2, "counted once");
}

#[tokio::test]
async fn a_key_that_is_open_passes_nothing_on_while_the_clock_is_set_back() {
    let family = with_app(TestApp::new().await).await;
    choose(&family.app, KITCHEN, "home", StoreFailurePolicy::Open).await;
    family.kitchen.chat(&chat(&["> Hi"])).await.ok();
    family
        .app
        .clock
        .set(Timestamp::parse("2026-11-19T20:00:00Z").unwrap());

    let refused = family.kitchen.chat(&chat(&["> Hi"])).await;

    assert_eq!(refused.openai_code(503), "not_kept");
    assert_eq!(family.upstream.count(), 1);
}

#[tokio::test]
async fn when_the_budget_of_the_day_is_used_up_it_is_429_until_midnight() {
    let mut app = TestApp::new().await;
    app.inner.gateway.budget = "2".parse().unwrap();
    let family = with_app(app).await;

    family.kitchen.chat(&chat(&["> One"])).await.ok();
    family.kitchen.chat(&chat(&["> Two"])).await.ok();
    let refused = family.kitchen.chat(&chat(&["> Three"])).await;

    assert_eq!(refused.openai_code(429), "rate_limit_exceeded");
    let seconds = refused.header("retry-after").parse::<u64>().unwrap();
    let day = 4 * 60 * 60;
    assert!((day..=day + 1).contains(&seconds), "{seconds}");
    assert_eq!(family.upstream.count(), 2);
    let words = family.transcripts().await.concat();
    assert!(!words.contains(&"> Three".to_owned()), "{words:?}");
    family.app.clock.advance(Duration::from_secs(seconds));
    family.kitchen.chat(&chat(&["> Four"])).await.ok();
}

/// Opens so many requests of the kitchen's, which the upstream doesn't answer.
async fn open(family: &Family, count: usize) -> (Vec<tokio::task::JoinHandle<()>>, Vec<Exchange>) {
    let (mut clients, mut exchanges) = (Vec::new(), Vec::new());
    for number in 0..count {
        let (kitchen, body) = (family.kitchen.clone(), chat(&[&format!("> {number}")]));
        clients.push(tokio::spawn(async move { kitchen.chat(&body).await.ok() }));
        exchanges.push(family.upstream.next().await);
    }
    (clients, exchanges)
}

#[tokio::test]
async fn a_child_of_a_key_has_four_requests_at_a_time() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let bedroom = family
        .app
        .gateway_assistant("Bedroom", &[family.mia], "home")
        .await;
    let bedroom = family.kitchen.with_key(bedroom.credential());
    let answer = Answer::json(&completion(HELLO));
    let (clients, mut exchanges) = open(&family, AT_A_TIME).await;

    let refused = family.kitchen.chat(&chat(&["> One more"])).await;
    let body = chat(&["> Hi"]);
    let (other, ()) = tokio::join!(bedroom.chat(&body), async {
        family.upstream.next().await.answer(&answer).await;
    });

    assert_eq!(AT_A_TIME, 4);
    assert_eq!(refused.openai_code(429), "rate_limit_exceeded");
    assert_ne!(refused.header("retry-after"), "");
    other.ok();

    // A place is free again after one of them.
    exchanges.pop().unwrap().answer(&answer).await;
    let body = chat(&["> Now"]);
    let (now, ()) = tokio::join!(family.kitchen.chat(&body), async {
        family.upstream.next().await.answer(&answer).await;
    });
    now.ok();
    for exchange in exchanges {
        exchange.answer(&answer).await;
    }
    for client in clients {
        client.await.unwrap();
    }
    let words = family.transcripts().await.concat();
    assert!(!words.contains(&"> One more".to_owned()), "{words:?}");
}

#[tokio::test]
async fn neither_a_sibling_nor_the_apps_own_request_waits_for_a_childs_four() {
    let mut family = Family::new(Upstream::step_by_step().await).await;
    let leo = family.app.child("Leo", &[ADA]).await;
    let both = &[family.mia, leo];
    let both = family.app.gateway_assistant("Both", both, "home").await;
    family.kitchen.key = both.credential().to_owned();
    let answer = Answer::json(&completion(HELLO));
    let of = |name: &str, body| with(body, "model", json!(format!("family-model@{name}")));
    let (mut clients, mut exchanges) = (Vec::new(), Vec::new());
    for number in 0..AT_A_TIME {
        let body = of("Mia", chat(&[&format!("> {number}")]));
        let kitchen = family.kitchen.clone();
        clients.push(tokio::spawn(async move { kitchen.chat(&body).await.ok() }));
        exchanges.push(family.upstream.next().await);
    }

    let body = of("Leo", chat(&["> Hi"]));
    let (sibling, ()) = tokio::join!(family.kitchen.chat(&body), async {
        family.upstream.next().await.answer(&answer).await;
    });
    let titles = ["USER: 0", "USER: 1"].map(|quoted| of("Mia", chat(&[&title(quoted)])));
    let (background, second) = tokio::join!(family.kitchen.chat(&titles[0]), async {
        let exchange = family.upstream.next().await;
        let second = family.kitchen.chat(&titles[1]).await;
        exchange.answer(&answer).await;
        second
    });

    sibling.ok();
    background.ok();
    assert_eq!(second.openai_code(429), "rate_limit_exceeded");
    for exchange in exchanges {
        exchange.answer(&answer).await;
    }
    for client in clients {
        client.await.unwrap();
    }
}

#[tokio::test]
async fn requests_at_the_same_time_are_each_kept() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let (clients, exchanges) = open(&family, AT_A_TIME).await;

    for (number, exchange) in exchanges.into_iter().enumerate().rev() {
        let said = exchange.received.json()["messages"][1]["content"].clone();
        assert_eq!(said, number.to_string());
        let answer = Answer::json(&completion(&format!("To {number}")));
        exchange.answer(&answer).await;
    }
    for client in clients {
        client.await.unwrap();
    }

    let mut said = family.transcripts().await.concat();
    said.sort();
    let expected = [
        "< To 0", "< To 1", "< To 2", "< To 3", "> 0", "> 1", "> 2", "> 3",
    ];
    assert_eq!(said, expected);
}
