//! Answers are passed on byte for byte and as they come, and what they say is kept.

use super::*;
use crate::support::upstream::{Answer, DONE, EVENTS, LINES, event, events, line, lines, word};

/// An answer, and the text that a transcript should have of it.
struct Script {
    name: &'static str,
    answer: Answer,
    text: String,
}

fn joined(pieces: &[Vec<u8>]) -> String {
    String::from_utf8(pieces.concat()).unwrap()
}

fn of_events(name: &'static str, stream: &str, text: &str) -> Script {
    let pieces = vec![stream.as_bytes().to_vec()];
    Script {
        name,
        answer: Answer::stream(EVENTS, pieces),
        text: text.to_owned(),
    }
}

const TEXT: &str = "Fish drink it! 🐟 Ça va?";

/// Streams of events as servers send them.
fn streams_of_events() -> Vec<Script> {
    let plain = joined(&events(TEXT));
    let delta = |delta: Value| joined(&[event(&delta, None)]);
    let finish = joined(&[event(&json!({}), Some("stop")), DONE.to_vec()]);
    let no_choices = "data: {\"choices\":[],\"usage\":null}\n\n";
    let escaped = delta(json!({"content": "x"})).replace("\"x\"", "\"\\u00c7a \\ud83d\\udc1f\\n\"");
    vec![
        of_events("plain", &plain, TEXT),
        of_events("CRLF", &plain.replace('\n', "\r\n"), TEXT),
        of_events("CR", &plain.replace('\n', "\r"), TEXT),
        of_events(
            "comments",
            &plain.replace("data: {", ": keep-alive\n\ndata: {"),
            TEXT,
        ),
        of_events("no space", &plain.replace("data: ", "data:"), TEXT),
        of_events(
            "no [DONE]",
            plain.strip_suffix("data: [DONE]\n\n").unwrap(),
            TEXT,
        ),
        of_events(
            "event and id",
            &plain.replace("data: {", "event: message\nid: 7\nretry: 1000\ndata: {"),
            TEXT,
        ),
        of_events(
            "no choices",
            &format!("{no_choices}{no_choices}{plain}{no_choices}"),
            TEXT,
        ),
        of_events(
            "reasoning",
            &format!(
                "{}{plain}",
                delta(json!({"reasoning_content": "She asks."}))
            ),
            TEXT,
        ),
        of_events("escaped", &format!("{escaped}{finish}"), "Ça 🐟"),
        of_events(
            "refusal",
            &format!("{}{finish}", delta(json!({"refusal": "I'd rather not."}))),
            "I'd rather not.",
        ),
        of_events(
            "blank lines",
            &format!("\n\n\n{}", plain.replace("\n\n", "\n\n\n\n")),
            TEXT,
        ),
        of_events(
            "garbage",
            &format!("data: {{\n\nnonsense\n\0\u{feff}\n{plain}"),
            TEXT,
        ),
    ]
}

fn other_answers() -> Vec<Script> {
    let long = "word ".repeat(100_000);
    let long = long.trim_end();
    let finish = event(&json!({}), Some("stop"));
    vec![
        Script {
            name: "a huge chunk",
            answer: Answer::stream(EVENTS, vec![[word(long), finish].concat()]),
            text: long.to_owned(),
        },
        Script {
            name: "many chunks",
            answer: Answer::stream(EVENTS, events(&"na ".repeat(5_000))),
            text: "na ".repeat(5_000).trim_end().to_owned(),
        },
        Script {
            name: "lines",
            answer: Answer::stream(LINES, lines(TEXT)),
            text: TEXT.to_owned(),
        },
        Script {
            name: "lines with CRLF",
            answer: Answer::stream(
                LINES,
                vec![joined(&lines(TEXT)).replace('\n', "\r\n").into_bytes()],
            ),
            text: TEXT.to_owned(),
        },
        Script {
            name: "a last line without an end",
            answer: Answer::stream(LINES, vec![line(TEXT, true).trim_ascii_end().to_vec()]),
            text: TEXT.to_owned(),
        },
    ]
}

/// The answer with each byte in a chunk of its own.
fn by_byte(answer: &Answer, content_type: &str) -> Answer {
    let bytes = answer.body();
    let bytes = bytes.iter().map(|byte| vec![*byte]);
    Answer::stream(content_type, bytes.collect())
}

/// Whether the text of an answer is kept as it was said.
fn is_kept(transcript: &[String], text: &str) -> bool {
    let lines = transcript.iter().filter(|line| line.starts_with('<'));
    lines.map(|line| line[2..].trim_end()).collect::<Vec<_>>() == [text]
}

#[tokio::test]
async fn the_bytes_of_an_answer_are_the_upstreams_and_its_text_is_kept() {
    let mut answers = Vec::new();
    for script in streams_of_events() {
        answers.push((
            by_byte(&script.answer, EVENTS),
            EVENTS,
            script.name,
            script.text.clone(),
        ));
        answers.push((script.answer, EVENTS, script.name, script.text));
    }
    let family = Family::new(Upstream::step_by_step().await).await;

    for (number, (answer, content_type, name, text)) in answers.into_iter().enumerate() {
        let words = format!("> Question {number}");
        let request = streamed(&[&words]);
        let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
            family.upstream.next().await.answer(&answer).await;
        });

        reply.ok();
        assert_eq!(reply.body, answer.body(), "{name}");
        assert_eq!(reply.header("content-type"), content_type);
        let transcript = family.transcripts().await.pop().unwrap();
        assert_eq!(transcript[0], words);
        assert!(is_kept(&transcript, &text), "{name}: {transcript:?}");
        // A request without a history begins a conversation only while others are remembered.
        family
            .app
            .clock
            .advance(std::time::Duration::from_secs(60 * 60));
    }
}

#[tokio::test]
async fn large_answers_and_ollamas_lines_pass_unchanged() {
    let family = Family::with_ollama(Upstream::step_by_step().await).await;

    for script in other_answers() {
        let words = format!("> About {}", script.name);
        let (path, body) = if script.name.contains("line") {
            ("/gateway/api/chat", chat(&[&words]))
        } else {
            ("/gateway/v1/chat/completions", streamed(&[&words]))
        };
        let (reply, ()) = tokio::join!(family.kitchen.post(path, &body), async {
            family.upstream.next().await.answer(&script.answer).await;
        });

        reply.ok();
        assert!(reply.body == script.answer.body(), "{}", script.name);
        let session = family.sessions().await.pop().unwrap();
        let kept = session["messages"][1]["text_content"].as_str().unwrap();
        // A message holds 64 KiB; a longer one ends with a mark.
        let beginning = kept.strip_suffix(" […]").unwrap_or(kept).trim_end();
        assert!(script.text.starts_with(beginning), "{}", script.name);
        assert!(
            beginning.len() >= script.text.len().min(64 * 1024 - 4),
            "{}",
            script.name
        );
        family
            .app
            .clock
            .advance(std::time::Duration::from_secs(60 * 60));
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_into_two_chunks_at_any_byte_passes_unchanged() {
    let stream = "data:{\"choices\":[{\"delta\":{\"content\":\"Ça 🐟\"}}]}\r\n\r\n\
                  : comment\r\n\r\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\r\n\r\n";
    let stream = stream.as_bytes();
    let respond = |request: &crate::support::upstream::Received| {
        let body = request.json();
        let offset = usize::try_from(body["seed"].as_u64().unwrap()).unwrap();
        let (begin, end) = stream.split_at(offset);
        Answer::stream(EVENTS, vec![begin.to_vec(), end.to_vec()])
    };
    let family = Family::new(Upstream::answering(respond).await).await;

    for offset in 1..stream.len() {
        let body = with(
            streamed(&[&format!("> Cut {offset}")]),
            "seed",
            json!(offset),
        );
        let session = offset.to_string();
        let headers = [("x-porchlight-session", session.as_str())];
        let reply = family.kitchen.chat_with(&headers, &body).await;
        reply.ok();
        assert_eq!(reply.body, stream, "{offset}");
    }

    let transcripts = family.transcripts().await;
    assert_eq!(transcripts.len(), stream.len() - 1);
    for (index, transcript) in transcripts.iter().enumerate() {
        let words = format!("> Cut {}", index + 1);
        assert_eq!(*transcript, [words.as_str(), "< Ça 🐟"]);
    }
}

#[tokio::test]
async fn each_piece_is_passed_on_before_the_next_one_comes() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let request = streamed(&["> Count for me"]);
    let (passed, mut awaited) = tokio::sync::mpsc::channel(1);

    let client = async {
        let mut open = family.kitchen.open_chat(&request).await;
        assert_eq!(open.status, 200);
        for number in 0..20 {
            // The upstream sends the next piece only after this.
            let piece = word(&format!("{number} "));
            assert_eq!(open.until(&piece).await, piece);
            passed.send(()).await.unwrap();
        }
        open.rest().await
    };
    let upstream = async {
        let mut exchange = family.upstream.next().await;
        exchange.begin(EVENTS).await;
        for number in 0..20 {
            exchange.piece(&word(&format!("{number} "))).await;
            awaited.recv().await.unwrap();
        }
        exchange.piece(DONE).await;
        exchange.end().await;
    };
    let (reply, ()) = tokio::join!(client, upstream);

    reply.ok();
    assert_eq!(reply.body, DONE);
}

#[tokio::test]
async fn the_head_is_passed_on_before_the_first_piece_comes() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let request = streamed(&["> Hi"]);

    let (mut open, mut exchange) = tokio::join!(family.kitchen.open_chat(&request), async {
        let mut exchange = family.upstream.next().await;
        exchange.begin(EVENTS).await;
        exchange
    });
    assert_eq!(open.status, 200);
    assert!(open.headers.contains_key("porchlight-rules"));
    assert_eq!(
        open.headers["x-accel-buffering"], "no",
        "nginx would collect it"
    );

    exchange.piece(&word("Hello!")).await;
    open.until(b"\n\n").await;
    exchange.piece(&event(&json!({}), Some("stop"))).await;
    exchange.piece(DONE).await;
    exchange.end().await;
    open.rest().await.ok();
    assert_eq!(family.transcripts().await, [["> Hi", "< Hello!"]]);
}

#[tokio::test]
async fn nothing_is_added_to_an_answer_of_one_json_value() {
    let body =
        b" {\"choices\" : [{\"message\":{\"content\":\"Hello!\"},\"finish_reason\":\"stop\"},\
                 {\"index\":1,\"message\":{\"content\":\"Good evening!\"}}], \"x\":1e3}\r\n ";
    let answer = Answer::whole("application/json", *body)
        .header("x-request-id", "canary")
        .header("set-cookie", "canary=1")
        .header("server", "canary");
    let family = Family::new(Upstream::always(answer).await).await;

    let reply = family.kitchen.chat(&chat(&["> Hi"])).await;

    reply.ok();
    assert_eq!(&reply.body[..], body);
    assert!(!format!("{:?}", reply.headers).contains("canary"));
    assert_eq!(
        family.transcripts().await,
        [["> Hi", "< Hello!\n\nGood evening!"]],
        "both were passed on"
    );
}

#[tokio::test]
async fn the_form_is_not_what_the_content_type_says() {
    let family = Family::with_ollama(Upstream::step_by_step().await).await;

    for (content_type, body) in [
        ("text/plain", events("Hello!").concat()),
        ("application/json", events("Hello!").concat()),
        ("", events("Hello!").concat()),
        (EVENTS, lines("Hello!").concat()),
        ("application/json", lines("Hello!").concat()),
        (LINES, line("Hello!", true)),
    ] {
        for path in ["/gateway/v1/chat/completions", "/gateway/api/chat"] {
            let answer = Answer::stream(content_type, vec![body.clone()]);
            let request = streamed(&["> Hi"]);
            let (reply, ()) = tokio::join!(family.kitchen.post(path, &request), async {
                family.upstream.next().await.answer(&answer).await;
            });

            assert_eq!(reply.body, body);
            let transcript = family.transcripts().await.pop().unwrap();
            assert_eq!(transcript, ["> Hi", "< Hello!"], "{content_type} {path}");
            family
                .app
                .clock
                .advance(std::time::Duration::from_secs(60 * 60));
        }
    }
}

#[tokio::test]
async fn more_than_is_kept_does_not_reach_the_client() {
    let piece = word(&"word ".repeat(20_000));
    let answer = Answer::stream(EVENTS, vec![piece.clone(); 12]);
    let family = Family::new(Upstream::always(answer).await).await;

    let reply = family.kitchen.chat(&streamed(&["> Hi"])).await;

    let passed = 1024 * 1024 / 100_000 * piece.len();
    assert!(reply.body[..passed] == piece.repeat(passed / piece.len()));
    let end = str::from_utf8(&reply.body[passed..]).unwrap();
    assert!(end.starts_with("data: {\"error\":"), "{end:.100}");
    let transcript = family.transcripts().await.pop().unwrap();
    assert!(transcript[1].ends_with('…'), "it is interrupted");
}

#[tokio::test]
async fn an_answer_without_a_real_finish_is_interrupted() {
    let family = Family::new(Upstream::step_by_step().await).await;

    for finish in [None, Some(""), Some("null")] {
        let pieces = vec![word("Fish "), event(&json!({}), finish), DONE.to_vec()];
        let answer = Answer::stream(EVENTS, pieces);
        let request = streamed(&["> Hi"]);
        let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
            family.upstream.next().await.answer(&answer).await;
        });

        assert_eq!(reply.body, answer.body(), "nothing is added");
        let transcript = family.transcripts().await.pop().unwrap();
        assert_eq!(transcript, ["> Hi", "< Fish …"], "{finish:?}");
        family
            .app
            .clock
            .advance(std::time::Duration::from_secs(60 * 60));
    }
}

#[tokio::test]
async fn an_answer_that_is_compressed_unasked_is_decompressed() {
    let text = events("Hello!").concat();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &text).unwrap();
    let compressed = vec![encoder.finish().unwrap()];
    let gzip = Answer::stream(EVENTS, compressed.clone()).header("content-encoding", "gzip");
    let other = Answer::stream(EVENTS, compressed).header("content-encoding", "br");
    let family = Family::new(Upstream::step_by_step().await).await;
    let request = streamed(&["> Hi"]);

    let (refused, ()) = tokio::join!(family.kitchen.chat(&request), async {
        family.upstream.next().await.answer(&other).await;
    });
    let (reply, ()) = tokio::join!(family.kitchen.chat(&request), async {
        family.upstream.next().await.answer(&gzip).await;
    });

    assert_eq!(refused.openai_code(502), "upstream_invalid");
    assert_eq!(reply.body, text);
    assert_eq!(reply.header("content-encoding"), "");
    assert_eq!(family.transcripts().await, [["> Hi", "< Hello!"]]);
}

#[tokio::test]
async fn an_answer_is_read_in_the_form_that_it_has() {
    // Not streamed, although the client asked for a stream.
    let answer = Answer::json(&crate::support::upstream::completion("Hello!"));
    let family = Family::new(Upstream::always(answer.clone()).await).await;

    let reply = family.kitchen.chat(&streamed(&["> Hi"])).await;

    assert_eq!(reply.body, answer.body());
    assert_eq!(family.transcripts().await, [["> Hi", "< Hello!"]]);
}

#[tokio::test]
async fn a_client_that_reads_slowly_gets_everything() {
    let text = "slowly ".repeat(20_000);
    let answer = Answer::stream(EVENTS, events(&text));
    let family = Family::new(Upstream::always(answer.clone()).await).await;

    let mut open = family.kitchen.open_chat(&streamed(&["> Hi"])).await;
    let first = open.until(b"\n\n").await;
    // Meanwhile another request is answered.
    family.kitchen.chat(&chat(&["> Hi"])).await.ok();
    let rest = open.rest().await;

    rest.ok();
    assert!([first, rest.body.to_vec()].concat() == answer.body());
}
