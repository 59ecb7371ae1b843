//! Streams of answers, cut at every byte.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// What is read: text, tools as `name arguments`, finish.
fn read(form: AnswerForm, chunks: &[&[u8]]) -> (String, Vec<String>, Option<String>) {
    let mut reader = AnswerReader::new(form);
    for chunk in chunks {
        reader.push(chunk);
    }
    let answer = reader.finish();
    let tools = answer.tools.iter();
    let tools = tools.map(|(name, arguments)| format!("{name} {arguments}"));
    (answer.text, tools.collect(), answer.finish)
}

/// Reads it whole, byte by byte, and in three chunks with every pair of cuts.
#[track_caller]
fn assert_reads(form: AnswerForm, stream: &str, text: &str, tools: &[&str], finish: Option<&str>) {
    let bytes = stream.as_bytes();
    let tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
    let expected = (text.to_owned(), tools, finish.map(str::to_owned));
    assert_eq!(read(form, &[bytes]), expected, "{stream}");
    let single = bytes.chunks(1).collect::<Vec<_>>();
    assert_eq!(read(form, &single), expected, "{stream}");
    for first in 0..=bytes.len() {
        let (start, rest) = bytes.split_at(first);
        for second in (0..=rest.len()).step_by(1 + rest.len() / 24) {
            let (middle, end) = rest.split_at(second);
            let found = read(form, &[start, middle, end]);
            assert_eq!(found, expected, "{first} {second} {stream}");
        }
    }
}

fn delta(content: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": null}]})
        .to_string()
}

const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

#[test]
fn a_plain_stream_is_read_however_it_is_cut() {
    let stream = format!(
        "data: {}\n\ndata: {}\n\ndata: {STOP}\n\ndata: [DONE]\n\n",
        delta("Fish do 🐟 "),
        delta("trinken: größer 海")
    );

    let text = "Fish do 🐟 trinken: größer 海";
    assert_reads(AnswerForm::Events, &stream, text, &[], Some("stop"));
}

#[test]
fn unusual_streams_are_read() {
    let (a, b) = (delta("A"), delta("é"));
    let usage = r#"{"choices":[],"usage":{"total_tokens":5}}"#;
    for stream in [
        // Carriage returns, alone or with a line feed.
        format!("data: {a}\r\n\r\ndata: {b}\r\n\r\ndata: {STOP}\r\n\r\ndata: [DONE]\r\n\r\n"),
        format!("data: {a}\r\rdata: {b}\r\rdata: {STOP}\r\r"),
        // Comments, ids, names of events, and no space after the colon.
        format!(
            ": hi\n\nevent: message\nid: 1\ndata:{a}\n\n:\nretry: 5\ndata:{b}\n\ndata:{STOP}\n\n"
        ),
        // Empty choices, no end, and no line feed after the last line.
        format!("data: {usage}\n\ndata: {a}\n\ndata: {b}\n\ndata: {STOP}"),
        // No empty lines.
        format!("data: {a}\ndata: {b}\ndata: {STOP}\ndata: [DONE]\n"),
        // Broken lines.
        format!("data: {{\"choices\n\ndata: {a}\n\nnonsense\n\ndata: {b}\n\ndata: {STOP}\n\n"),
        // An event on several lines.
        format!(
            "data: {{\"choices\": [\ndata: {{\"delta\": {{\"content\": \"A\"}}}}]}}\n\ndata: {b}\n\ndata: {STOP}\n\n"
        ),
    ] {
        assert_reads(AnswerForm::Events, &stream, "Aé", &[], Some("stop"));
    }
}

#[test]
fn only_the_first_choice_is_an_answer_and_reasoning_is_none() {
    let chunk = |value: serde_json::Value| format!("data: {value}\n\n");
    let second =
        json!({"choices": [{"index": 1, "delta": {"content": "B"}, "finish_reason": "length"}]});
    let both = json!({"choices": [
        {"index": 1, "delta": {"content": "B"}},
        {"index": 0, "delta": {"content": "A", "reasoning_content": "hm", "reasoning": "hm"}}
    ]});
    let refusal = json!({"choices": [{"delta": {"refusal": "No."}}]});
    let stream = [
        chunk(second.clone()),
        chunk(both),
        chunk(json!({"choices": [{"delta": {"content": "<think>why</think>"}}]})),
        chunk(refusal),
        chunk(second),
    ];

    assert_reads(AnswerForm::Events, &stream.concat(), "ANo.", &[], None);
}

#[test]
fn calls_of_tools_are_joined() {
    let part = |calls: serde_json::Value| {
        let chunk = json!({"choices": [{"delta": {"tool_calls": calls}}]});
        format!("data: {chunk}\n\n")
    };
    let stream = [
        part(json!([{"index": 0, "id": "x", "function": {"name": "get", "arguments": ""}}])),
        part(json!([{"index": 0, "function": {"arguments": "{\"room\": \"kit"}}])),
        part(json!([{"index": 1, "function": {"name": "set", "arguments": "{}"}}])),
        part(json!([{"index": 0, "function": {"arguments": "chen\"}"}}])),
    ];
    let tools = [r#"get {"room":"kitchen"}"#, "set {}"];
    assert_reads(AnswerForm::Events, &stream.concat(), "", &tools, None);

    let legacy = json!({"choices": [{"message": {"function_call": {"name": "get", "arguments": "{}"}},
        "finish_reason": "function_call"}]});
    let legacy = legacy.to_string();
    assert_reads(
        AnswerForm::Whole,
        &legacy,
        "",
        &["get {}"],
        Some("function_call"),
    );
}

#[test]
fn what_a_tool_for_speaking_says_is_the_answer() {
    let part = |arguments: &str, name: Option<&str>| {
        let call = json!([{"index": 0, "function": {"name": name, "arguments": arguments}}]);
        format!(
            "data: {}\n\n",
            json!({"choices": [{"delta": {"tool_calls": call}}]})
        )
    };
    let stream = [
        part("{\"response\": \"Fish", Some("direct_answer")),
        part(" do.\"}", None),
    ];

    let tools = [r#"direct_answer {"response":"Fish do."}"#];
    assert_reads(
        AnswerForm::Events,
        &stream.concat(),
        "Fish do.",
        &tools,
        None,
    );
}

#[test]
fn ollamas_lines_are_read() {
    let lines = [
        json!({"message": {"role": "assistant", "content": "Fish ", "thinking": "hm"}, "done": false}),
        json!({"message": {"content": "dö 🐟", "tool_calls": [
            {"function": {"name": "get", "arguments": {"room": "kitchen"}}},
            {"function": {"name": "get", "arguments": {"room": "hall"}}}
        ]}, "done": false}),
        json!({"message": {"content": ""}, "done": true, "done_reason": "length"}),
    ];
    let lines = lines.map(|line| line.to_string());
    let tools = [r#"get {"room":"kitchen"}"#, r#"get {"room":"hall"}"#];

    for stream in [lines.join("\n"), lines.join("\r\n") + "\r\n\r\n"] {
        let text = "Fish dö 🐟";
        assert_reads(AnswerForm::Lines, &stream, text, &tools, Some("length"));
    }
    let older = json!({"message": {"content": "Hi"}, "done": true}).to_string();
    assert_reads(AnswerForm::Lines, &older, "Hi", &[], Some("stop"));
}

#[test]
fn whole_answers_are_read() {
    let openai = json!({"choices": [
        {"index": 0, "message": {"content": "Fish 🐟"}, "finish_reason": "stop"},
        {"index": 1, "message": {"content": "Birds"}}
    ]});
    let openai = format!("{openai:#}\n");
    assert_reads(AnswerForm::Whole, &openai, "Fish 🐟", &[], Some("stop"));

    let ollama = json!({"message": {"content": "Fish"}, "done": true, "done_reason": "stop"});
    assert_reads(
        AnswerForm::Whole,
        &ollama.to_string(),
        "Fish",
        &[],
        Some("stop"),
    );
}

#[test]
fn an_error_in_the_middle_is_noticed() {
    for (form, stream) in [
        (
            AnswerForm::Events,
            format!(
                "data: {}\n\ndata: {{\"error\": {{\"message\": \"x\"}}}}\n\n",
                delta("A")
            ),
        ),
        (
            AnswerForm::Lines,
            "{\"message\": {\"content\": \"A\"}}\n{\"error\": \"x\"}\n".to_owned(),
        ),
    ] {
        let mut reader = AnswerReader::new(form);
        reader.push(stream.as_bytes());
        let answer = reader.finish();
        assert!(answer.has_error);
        assert_eq!((answer.text.as_str(), answer.finish), ("A", None));
    }
}

#[test]
fn a_line_that_is_too_long_is_skipped() {
    let mut reader = AnswerReader::new(AnswerForm::Lines);
    for _ in 0..5 {
        reader.push(&vec![b' '; 1024 * 1024]);
    }
    reader.push(b"\n{\"message\": {\"content\": \"A\"}}\n");

    assert_eq!(reader.finish().text, "A");
}

/// Pieces of streams, valid and not.
const PIECES: [&[u8]; 13] = [
    b"data: ",
    b"data:",
    b"\r",
    b"\n",
    b"\r\n",
    b"{\"choices\": [",
    b"{\"delta\": {\"content\": \"\xf0\x9f\"}}",
    b"]}",
    b"[DONE]",
    b"\xff",
    b": ",
    b"{\"message\": {\"tool_calls\": [{\"function\": {\"arguments\": 5}}, 7]}, \"done\": true}",
    b"{\"choices\": [{\"delta\": {\"tool_calls\": [{\"index\": -1, \"function\": {\"arguments\": [1]}}]}}]}",
];

proptest! {
    #[test]
    fn hostile_streams_never_panic(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40),
        size in 1..30_usize,
    ) {
        let bytes = pieces.concat();
        for form in [AnswerForm::Events, AnswerForm::Lines, AnswerForm::Whole] {
            let chunks = bytes.chunks(size).collect::<Vec<_>>();
            prop_assert_eq!(read(form, &chunks), read(form, &[&bytes]));
        }
    }
}
