//! What the client gets, and what is kept, when the upstream or the client fails.

use std::time::Duration;

use super::*;
use crate::support::upstream::{
    Answer, DONE, EVENTS, LINES, completion, events, line, speak, word,
};
use porchlight::assistants::gateway::Patience;

/// An upstream's error in OpenAI's form.
fn error(status: u16) -> Answer {
    let body = json!({"error": {"message": format!("It is {status}."), "code": "theirs"}});
    Answer::json(&body).status(status)
}

#[tokio::test]
async fn an_upstreams_error_keeps_its_status_its_body_and_when_to_try_again() {
    let family = Family::new(Upstream::step_by_step().await).await;

    for status in [400, 404, 408, 409, 413, 422, 429, 500, 501, 503, 529] {
        let answer = error(status)
            .header("retry-after", "7")
            .header("set-cookie", "canary=1");
        for request in [chat(&["> Hi"]), streamed(&["> Hi"])] {
            let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
                family.upstream.next().await.answer(&answer).await;
            });
            assert_eq!(
                (reply.status, &reply.body[..]),
                (status, &answer.body()[..])
            );
            assert_eq!(reply.header("retry-after"), "7");
            assert_eq!(reply.header("content-type"), "application/json");
            assert_eq!(reply.header("set-cookie"), "");
        }
    }

    assert_eq!(
        family.transcripts().await,
        [["> Hi"]],
        "said once, repeated often"
    );
}

#[tokio::test]
async fn an_upstream_that_refuses_its_key_is_not_the_clients_fault() {
    let family = Family::with_ollama(Upstream::step_by_step().await).await;
    let body = format!("{{\"error\": \"Incorrect API key: {UPSTREAM_KEY}\"}}");

    for status in [401, 403] {
        let answer = Answer::whole("application/json", body.clone()).status(status);
        let request = chat(&["> Hi"]);
        let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
            family.upstream.next().await.answer(&answer).await;
        });
        assert_eq!(reply.openai_code(502), "upstream_credentials");
        assert!(!reply.text().contains(UPSTREAM_KEY));
        let (reply, ()) = tokio::join!(family.kitchen.post("/gateway/api/chat", &request), async {
            family.upstream.next().await.answer(&answer).await;
        });
        assert!(!reply.ollama_error(502).contains(UPSTREAM_KEY));
        let (reply, ()) = tokio::join!(family.kitchen.get("/gateway/v1/models"), async {
            family.upstream.next().await.answer(&answer).await;
        });
        assert_eq!(reply.openai_code(502), "upstream_credentials");
    }

    let answer = Answer::whole("application/json", body).status(400);
    let request = chat(&["> Hi"]);
    let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
        family.upstream.next().await.answer(&answer).await;
    });
    assert_eq!(reply.openai_code(502), "upstream_invalid");
    assert!(!reply.text().contains(UPSTREAM_KEY));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Upstream::answering(speak).await;
    let family = Family::new(Upstream::step_by_step().await).await;
    let location = format!("{}/v1/chat/completions", elsewhere.url());

    for status in [301, 302, 303, 307, 308] {
        let answer = Answer::json(&json!({}))
            .status(status)
            .header("location", &location);
        let request = chat(&["> Hi"]);
        let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
            family.upstream.next().await.answer(&answer).await;
        });
        assert_eq!(reply.openai_code(502), "upstream_invalid");
        assert_eq!(reply.header("location"), "");
    }

    assert_eq!(elsewhere.count(), 0);
}

#[tokio::test]
async fn what_is_no_answer_of_a_model_is_an_error() {
    let html = "<html><script>alert(1)</script></html>";
    for answer in [
        Answer::whole("text/html; charset=utf-8", html),
        Answer::whole("TEXT/HTML", html),
        Answer::whole("application/xhtml+xml", html),
        Answer::json(&json!({})).status(304).breaking_off(),
    ] {
        let family = Family::new(Upstream::always(answer).await).await;
        for request in [chat(&["> Hi"]), streamed(&["> Hi"])] {
            let reply = family.kitchen.chat(&request).await;
            assert_eq!(reply.openai_code(502), "upstream_invalid");
        }
    }
}

#[tokio::test]
async fn an_answer_never_has_a_type_that_a_browser_runs() {
    for sent in [
        "image/svg+xml",
        "text/xml",
        "application/javascript",
        "",
        "x",
    ] {
        let answer = Answer::whole(sent, completion("Hello!").to_string());
        let family = Family::new(Upstream::always(answer).await).await;

        let reply = family.kitchen.chat(&chat(&["> Hi"])).await;

        reply.ok();
        assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
    }
}

#[tokio::test]
async fn an_upstream_that_is_not_there_or_speaks_no_http_is_502() {
    let mut gone = Family::new(Upstream::answering(speak).await).await;
    gone.upstream = Upstream::answering(speak).await;
    let garbage =
        Family::new(Upstream::always(Answer::bytes(b"SSH-2.0-OpenSSH_9.9\r\n")).await).await;
    let nothing = Family::new(Upstream::always(Answer::bytes(b"")).await).await;
    let half =
        Family::new(Upstream::always(Answer::bytes(b"HTTP/1.1 200 OK\r\ncontent-ty")).await).await;

    for family in [gone, garbage, nothing, half] {
        let reply = family.kitchen.chat(&chat(&["> Hi"])).await;

        assert_eq!(reply.openai_code(502), "upstream_unreachable");
        assert!(!reply.text().contains("127.0.0.1"), "{}", reply.text());
        assert_eq!(family.transcripts().await, [["> Hi"]], "the words are kept");
    }
}

#[tokio::test]
async fn without_a_first_byte_in_time_it_is_504() {
    let mut app = TestApp::new().await;
    let shortly = Duration::from_millis(100);
    app.inner.gateway.patience = Patience {
        streamed: shortly,
        whole: shortly,
    };
    let upstream = Upstream::always(Answer::silence()).await;
    let family = Family::of(app, upstream, UpstreamForm::Ollama).await;

    let openai = family.kitchen.chat(&chat(&["> Hi"])).await;
    let stream = family.kitchen.chat(&streamed(&["> Hi"])).await;
    let ollama = family
        .kitchen
        .post("/gateway/api/chat", &chat(&["> Hi"]))
        .await;

    assert_eq!(openai.openai_code(504), "upstream_timeout");
    assert!(openai.text().contains("within ten minutes"));
    assert_eq!(stream.openai_code(504), "upstream_timeout");
    assert!(stream.text().contains("within five minutes"));
    let patience = Patience::default();
    assert_eq!(patience.streamed, Duration::from_secs(5 * 60));
    assert_eq!(patience.whole, Duration::from_secs(10 * 60));
    ollama.ollama_error(504);
    assert_eq!(family.transcripts().await, [["> Hi"]]);
}

#[tokio::test]
async fn an_answer_that_breaks_off_ends_with_an_error_and_is_kept_as_interrupted() {
    let half_events = [word("Fish "), word("drink ")].concat();
    let half_lines = [line("Fish ", false), line("drink ", false)].concat();
    let (mut in_an_event, mut in_a_line) = (half_events.clone(), half_lines.clone());
    in_an_event.extend_from_slice(b"data: {\"choi");
    in_a_line.extend_from_slice(b"{\"mess");
    let cases = [
        (EVENTS, half_events.clone(), half_events.clone()),
        (
            EVENTS,
            in_an_event.clone(),
            [&in_an_event[..], b"\n\n"].concat(),
        ),
        (LINES, half_lines.clone(), half_lines.clone()),
        (LINES, in_a_line.clone(), [&in_a_line[..], b"\n"].concat()),
    ];
    let family = Family::with_ollama(Upstream::step_by_step().await).await;

    for (number, (content_type, sent, before_error)) in cases.into_iter().enumerate() {
        let words = format!("> Question {number}");
        let (path, request) = match content_type {
            EVENTS => ("/gateway/v1/chat/completions", streamed(&[&words])),
            _ => ("/gateway/api/chat", chat(&[&words])),
        };
        let answer = Answer::stream(content_type, vec![sent]).breaking_off();
        let (reply, ()) = tokio::join!(family.kitchen.post(path, &request), async {
            family.upstream.next().await.answer(&answer).await;
        });

        reply.ok();
        let error = reply.body.strip_prefix(&before_error[..]).unwrap();
        let error = error.strip_prefix(b"data: ").unwrap_or(error);
        let error = serde_json::from_slice::<Value>(error).unwrap();
        assert!(
            error["error"].is_object() || error["error"].is_string(),
            "{error}"
        );
        let transcript = family.transcripts().await.pop().unwrap();
        assert_eq!(transcript, [words.as_str(), "< Fish drink …"]);
        family.app.clock.advance(Duration::from_secs(60 * 60));
    }
}

#[tokio::test]
async fn an_upstream_that_lies_about_the_length_is_passed_on_as_far_as_it_goes() {
    let whole = completion("Hello!").to_string();
    let family = Family::new(Upstream::step_by_step().await).await;

    // Claims more than it sends: one JSON value can't have an error at its end, so the connection breaks off.
    let half = &whole[..whole.len() / 2];
    let more = Answer::whole("application/json", half).claiming(whole.len());
    let request = chat(&["> Claims more"]);
    let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
        let exchange = family.upstream.next().await;
        exchange.answer(&more.breaking_off()).await;
    });
    assert!(reply.is_cut);
    assert_eq!(reply.body, half);

    // Claims less: the rest belongs to no answer.
    let less = Answer::whole("application/json", format!("{whole}canary")).claiming(whole.len());
    let request = chat(&["> Claims less"]);
    let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
        family.upstream.next().await.answer(&less).await;
    });
    reply.ok();
    assert_eq!(reply.body, whole);

    let said = family.transcripts().await.concat();
    assert_eq!(said, ["> Claims more", "> Claims less", "< Hello!"]);
}

#[tokio::test]
async fn an_answer_that_ended_is_whole_although_the_connection_breaks_off() {
    let pieces = events("Hello!");
    let finished = &pieces[..pieces.len() - 1];
    let answer = Answer::stream(EVENTS, finished.to_vec()).breaking_off();
    let family = Family::new(Upstream::always(answer).await).await;

    let reply = family.kitchen.chat(&streamed(&["> Hi"])).await;

    assert_eq!(reply.body, finished.concat(), "no error is added");
    assert_eq!(family.transcripts().await, [["> Hi", "< Hello!"]]);
}

#[tokio::test]
async fn when_the_client_leaves_the_upstream_is_cancelled_and_what_was_sent_is_kept() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let request = streamed(&["> Tell me a story"]);

    let (mut open, mut exchange) = tokio::join!(family.kitchen.open_chat(&request), async {
        let mut exchange = family.upstream.next().await;
        exchange.begin(EVENTS).await;
        exchange.piece(&word("Once upon ")).await;
        exchange
    });
    open.until(b"\n\n").await;
    exchange.piece(&word("a time ")).await;
    open.until(b"\n\n").await;
    drop(open);
    exchange.closed().await;

    assert_eq!(
        family.transcripts().await,
        [["> Tell me a story", "< Once upon a time …"]]
    );
}

#[tokio::test]
async fn the_request_that_interrupts_an_answer_says_how_much_of_it_was_heard() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let request = streamed(&["> Tell me a story"]);
    let (mut open, _unfinished) = tokio::join!(family.kitchen.open_chat(&request), async {
        let mut exchange = family.upstream.next().await;
        exchange.begin(EVENTS).await;
        exchange.piece(&word("Once upon a time ")).await;
        exchange
    });
    open.until(b"\n\n").await;
    drop(open);

    let request = streamed(&["> Tell me a story", "< Once upon", "> Stop!"]);
    tokio::join!(family.kitchen.chat(&request), async {
        let exchange = family.upstream.next().await;
        exchange
            .answer(&Answer::stream(EVENTS, events("All right.")))
            .await;
    });

    assert_eq!(
        family.transcripts().await,
        [[
            "> Tell me a story",
            "< Once upon…",
            "> Stop!",
            "< All right."
        ]]
    );
}

#[tokio::test]
async fn an_answer_that_is_nearly_complete_when_the_client_leaves_is_kept_whole() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let request = streamed(&["> Tell me a story"]);

    let (mut open, mut exchange) = tokio::join!(family.kitchen.open_chat(&request), async {
        let mut exchange = family.upstream.next().await;
        exchange.begin(EVENTS).await;
        exchange.piece(&word("Once upon ")).await;
        exchange
    });
    open.until(b"\n\n").await;
    // The rest is in the gateway's socket before it can notice that the client has left.
    let rest = events("a time.").concat();
    exchange.piece(&rest).await;
    drop(open);
    exchange.end().await;

    assert_eq!(
        family.transcripts().await,
        [["> Tell me a story", "< Once upon a time."]]
    );
}

#[tokio::test]
async fn when_the_client_leaves_before_the_first_byte_the_upstream_is_cancelled() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let request = streamed(&["> Hi"]);

    let exchange = {
        let asking = std::pin::pin!(family.kitchen.open_chat(&request));
        let next = std::pin::pin!(family.upstream.next());
        match futures_util::future::select(asking, next).await {
            futures_util::future::Either::Left(_) => panic!("nothing was answered"),
            futures_util::future::Either::Right((exchange, _)) => exchange,
        }
    };
    exchange.closed().await;
    assert_eq!(family.transcripts().await, [["> Hi"]]);

    // The same words again are a retry.
    let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
        let answer = Answer::stream(EVENTS, events("Hello!"));
        family.upstream.next().await.answer(&answer).await;
    });
    reply.ok();
    assert_eq!(family.transcripts().await, [["> Hi", "< Hello!"]]);
}

#[tokio::test]
async fn an_upstream_that_never_ends_is_cancelled_when_the_client_leaves() {
    let family = Family::with_ollama(Upstream::step_by_step().await).await;

    for (path, content_type, piece) in [
        ("/gateway/v1/chat/completions", EVENTS, word("again ")),
        ("/gateway/api/chat", LINES, line("again ", false)),
    ] {
        let request = streamed(&[&format!("> {path}")]).to_string();
        let (mut open, mut exchange) =
            tokio::join!(family.kitchen.open("POST", path, &[], request), async {
                let mut exchange = family.upstream.next().await;
                exchange.begin(content_type).await;
                exchange
            });
        for _ in 0..50 {
            exchange.piece(&piece).await;
            open.until(b"\n").await;
        }
        drop(open);
        exchange.closed().await;
    }

    let transcripts = family.transcripts().await.concat();
    assert!(transcripts[1].starts_with("< again again ") && transcripts[1].ends_with('…'));
    assert!(transcripts[3].starts_with("< again again ") && transcripts[3].ends_with('…'));
}

#[tokio::test]
async fn an_error_in_mid_stream_is_passed_on() {
    let error = b"data: {\"error\":{\"message\":\"Out of memory\"}}\n\n".to_vec();
    let answer = Answer::stream(EVENTS, vec![word("Fish "), error, DONE.to_vec()]);
    let family = Family::new(Upstream::always(answer.clone()).await).await;

    let reply = family.kitchen.chat(&streamed(&["> Do fish drink?"])).await;

    assert_eq!(reply.body, answer.body());
    let transcript = family.transcripts().await.pop().unwrap();
    assert_eq!(transcript[1], "< Fish …", "it is interrupted");
}
