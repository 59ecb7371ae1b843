//! Streams of answers, cut at every byte.

mod bounds;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn answer_of(chunks: &[&[u8]]) -> Answer {
    let mut reader = AnswerReader::new();
    for chunk in chunks {
        reader.push(chunk);
    }
    reader.finish()
}

/// What is read: text, tools as `name arguments`, finish.
fn read(chunks: &[&[u8]]) -> (String, Vec<String>, Option<String>) {
    let answer = answer_of(chunks);
    let tools = answer.tools.iter();
    let tools = tools.map(|(name, arguments)| format!("{name} {arguments}"));
    (answer.text, tools.collect(), answer.finish)
}

/// Reads it whole, byte by byte, and in three chunks with every pair of cuts.
#[track_caller]
fn assert_reads(stream: &str, text: &str, tools: &[&str], finish: Option<&str>) {
    let bytes = stream.as_bytes();
    let tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
    let expected = (text.to_owned(), tools, finish.map(str::to_owned));
    assert_eq!(read(&[bytes]), expected, "{stream}");
    let single = bytes.chunks(1).collect::<Vec<_>>();
    assert_eq!(read(&single), expected, "{stream}");
    for first in 0..=bytes.len() {
        let (start, rest) = bytes.split_at(first);
        for second in (0..=rest.len()).step_by(1 + rest.len() / 24) {
            let (middle, end) = rest.split_at(second);
            let found = read(&[start, middle, end]);
            assert_eq!(found, expected, "{first} {second} {stream}");
        }
    }
}

fn delta(content: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": null}]})
        .to_string()
}

fn event(chunk: &serde_json::Value) -> String {
    format!("data: {chunk}\n\n")
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
    assert_reads(&stream, text, &[], Some("stop"));
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
        // Broken values, with and without empty lines.
        format!("data: {{\"choices\": [\ndata: {a}\n\ndata: {b}\n\ndata: {STOP}\n\n"),
        format!("data: {{\"choices\": \"\ndata: {a}\ndata: {b}\ndata: {STOP}\n"),
        format!("{{\"choices\": [\n{a}\n{b}\n{STOP}\n"),
        // An event on several lines.
        format!(
            "data: {{\"choices\": [\ndata: {{\"delta\": {{\"content\": \"A\"}}}}]}}\n\ndata: {b}\n\ndata: {STOP}\n\n"
        ),
    ] {
        assert_reads(&stream, "Aé", &[], Some("stop"));
    }
}

#[test]
fn further_choices_are_kept_behind_the_first() {
    let stream = [
        event(
            &json!({"choices": [{"index": 1, "delta": {"content": "B"}, "finish_reason": "length"}]}),
        ),
        event(
            &json!({"choices": [{"index": 1, "delta": {"content": "b"}}, {"delta": {"content": "A"}}]}),
        ),
        event(&json!({"choices": [{"index": 2, "delta": {"refusal": "No."}}]})),
    ];

    assert_reads(&stream.concat(), "A\n\nBb\n\nNo.", &[], None);
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
    let tools = [r#"get {"room": "kitchen"}"#, "set {}"];
    assert_reads(&stream.concat(), "", &tools, None);

    let legacy = json!({"choices": [{"message": {"function_call": {"name": "get", "arguments": "{}"}},
        "finish_reason": "function_call"}]});
    let legacy = legacy.to_string();
    assert_reads(&legacy, "", &["get {}"], Some("function_call"));
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

    let tools = [r#"direct_answer {"response": "Fish do."}"#];
    assert_reads(&stream.concat(), "Fish do.", &tools, None);
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
        assert_reads(&stream, text, &tools, Some("length"));
    }
    let older = json!({"message": {"content": "Hi"}, "done": true}).to_string();
    assert_reads(&older, "Hi", &[], Some("stop"));
}

#[test]
fn whole_answers_are_read() {
    let openai = json!({"choices": [
        {"index": 0, "message": {"content": "Fish 🐟"}, "finish_reason": "stop"},
        {"index": 1, "message": {"content": "Birds"}}
    ]});
    let openai = format!("{openai:#}\n");
    assert_reads(&openai, "Fish 🐟\n\nBirds", &[], Some("stop"));

    let ollama = json!({"message": {"content": "Fish"}, "done": true, "done_reason": "stop"});
    assert_reads(&ollama.to_string(), "Fish", &[], Some("stop"));
}

#[test]
fn an_error_in_the_middle_is_noticed() {
    for stream in [
        format!(
            "data: {}\n\ndata: {{\"error\": {{\"message\": \"x\"}}}}\n\n",
            delta("A")
        ),
        format!(
            "data: {}\n\ndata: {{\"object\": \"error\", \"message\": \"x\"}}\n\n",
            delta("A")
        ),
        format!("data: {}\n\n{{\"error\": \"x\"}}\n\n", delta("A")),
        "{\"message\": {\"content\": \"A\"}}\n{\"error\": \"x\"}\n".to_owned(),
        event(&json!({"choices": [{"delta": {"content": "A"}, "finish_reason": "error"}]})),
        event(&json!({"choices": [{"delta": {"content": "A"}, "error": {"code": 502}}]})),
    ] {
        let answer = answer_of(&[stream.as_bytes()]);
        assert!(answer.has_error, "{stream}");
        assert_eq!((answer.text.as_str(), &answer.finish), ("A", &None));
        assert_eq!(answer.ended_by(CutBy::Server).cut, Some(CutBy::Server));
    }
}

#[test]
fn only_a_real_finish_completes_an_answer() {
    for (finish, is_complete) in [
        (json!("stop"), true),
        (json!("length"), true),
        (json!("tool_calls"), true),
        (json!(""), false),
        (json!("null"), false),
        (json!(null), false),
        (json!(5), false),
    ] {
        let chunk = json!({"choices": [{"delta": {"content": "A"}, "finish_reason": finish}]});
        let stream = format!("data: {chunk}\n\ndata: [DONE]\n\n");
        let answer = answer_of(&[stream.as_bytes()]).ended_by(CutBy::Server);
        assert_eq!(answer.cut.is_none(), is_complete, "{finish}");
    }
    let whole = json!({"choices": [{"message": {"content": "A"}, "finish_reason": ""}]});
    assert_reads(&whole.to_string(), "A", &[], Some("stop"));
    let half = r#"{"message": {"content": "A"}, "done": false}"#;
    assert_reads(half, "A", &[], None);
}

/// Reads it in chunks of each size: the reasoning and the text.
#[track_caller]
fn assert_thinks(stream: &str, reasoning: &str, text: &str) {
    for size in [1, 2, 3, 5, 7, stream.len()] {
        let chunks = stream.as_bytes().chunks(size).collect::<Vec<_>>();
        let answer = answer_of(&chunks);
        let found = (answer.reasoning.as_str(), answer.text.as_str());
        assert_eq!(found, (reasoning, text), "{stream}");
    }
}

#[test]
fn reasoning_is_kept_apart_from_the_words() {
    let of = |delta: serde_json::Value| event(&json!({"choices": [{"delta": delta}]}));
    for name in ["reasoning_content", "reasoning", "thinking"] {
        let stream =
            of(json!({name: "She "})) + &of(json!({name: "asks."})) + &of(json!({"content": "Hi"}));
        assert_thinks(&stream, "She asks.", "Hi");
    }
    let tags = ["<th", "ink>She", " asks.</thi", "nk>", "Hi <", "3"];
    let tags = tags.map(|text| of(json!({"content": text}))).concat();
    assert_thinks(&tags, "She asks.", "Hi <3");
    assert_thinks(&of(json!({"content": "<think>She asks."})), "She asks.", "");
    // Some servers send it in two fields.
    let twice = json!({"reasoning": "hm", "reasoning_content": "hm", "reasoning_details": [{"text": "hm"}]});
    assert_thinks(&of(twice), "hm", "");
    assert_thinks(
        &of(json!({"reasoning_details": [{"text": "h"}, {"summary": "m"}]})),
        "hm",
        "",
    );
    let parts = json!([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Hi"}]);
    assert_thinks(&of(json!({"content": parts})), "hm", "Hi");
    let ollama = json!({"message": {"content": "Hi", "thinking": "hm"}, "done": true});
    assert_thinks(&ollama.to_string(), "hm", "Hi");
    assert_thinks(
        &json!({"response": "Hi", "thinking": "hm", "done": true}).to_string(),
        "hm",
        "Hi",
    );
}

#[test]
fn long_reasoning_is_cut_with_a_mark() {
    let thought = "é".repeat(40_000);
    let stream =
        event(&json!({"choices": [{"delta": {"reasoning": thought, "content": "Hi"}}]})).repeat(2);
    let mut reader = AnswerReader::new();
    reader.push(stream.as_bytes());
    assert!(!reader.is_full(), "the words are passed on");
    let answer = reader.finish();

    let kept = answer.reasoning.strip_suffix(" […]").unwrap();
    assert_eq!(kept.len(), 64 * 1024);
    assert_eq!(answer.text, "HiHi");
}

#[test]
fn texts_are_read_wherever_a_server_puts_them() {
    let of = |choice: serde_json::Value| event(&json!({"choices": [choice]}));
    for stream in [
        of(json!({"text": "Hello"})),
        of(json!({"delta": {"audio": {"id": "a", "data": "AAAA"}}}))
            + &of(json!({"delta": {"audio": {"transcript": "Hello"}}})),
        of(json!({"delta": {"content": "Hello", "audio": {"transcript": "Hello"}}})),
        of(json!({"delta": {"content": [{"type": "text", "text": "Hel"}, "lo"]}})),
        of(json!({"delta": {"refusal": "Hello"}})),
        of(json!({"delta": {}, "message": {"content": "Hello"}})),
        of(json!({"delta": null, "message": {"content": "Hello"}})),
        // The whole text so far beside each piece.
        of(json!({"delta": {"content": "Hel"}, "message": {"content": "Hel"}}))
            + &of(json!({"delta": {"content": "lo"}, "message": {"content": "Hello"}}))
            + &of(json!({"delta": {}, "message": {"content": "Hello"}})),
        json!({"response": "Hello", "done": true}).to_string(),
        json!({"choices": [{"text": "Hello"}]}).to_string(),
        json!({"choices": [{"message": {"content": null, "audio": {"transcript": "Hello"}}}]})
            .to_string(),
        format!(
            "[{}]",
            json!({"choices": [{"delta": {"content": "Hello"}}]})
        ),
    ] {
        assert_eq!(answer_of(&[stream.as_bytes()]).text, "Hello", "{stream}");
    }
    let parts = json!([{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {}},
        {"type": "output_audio"}, {"type": "file"}, {"type": "refusal", "refusal": "No."}, {"type": "new"}, 5]);
    let whole = json!({"choices": [{"message": {"content": parts}}]});
    let text = "Look: [picture] [sound] [file] No.";
    assert_reads(&whole.to_string(), text, &[], Some("stop"));
}

#[test]
fn the_form_is_recognised_from_the_bytes() {
    let (a, b) = (delta("A"), delta("é"));
    for (stream, form) in [
        (
            format!("\u{feff}data: {a}\n\ndata: {b}\n\n"),
            AnswerForm::Events,
        ),
        (format!("{a}\n{b}\n"), AnswerForm::Lines),
        (format!("\u{feff}{a}{b}"), AnswerForm::Lines),
        (format!("{a}\n\ndata: {b}\n\n"), AnswerForm::Events),
        (format!(" {a}\r\n {b}"), AnswerForm::Lines),
    ] {
        assert_reads(&stream, "Aé", &[], None);
        let mut reader = AnswerReader::new();
        assert_eq!(reader.form(), None);
        reader.push(stream.as_bytes());
        assert_eq!(reader.form(), Some(form), "{stream}");
    }
    let mut reader = AnswerReader::new();
    reader.push(b"{\"choices\": [");
    assert_eq!(reader.form(), Some(AnswerForm::Whole));
}

#[test]
fn halves_of_a_character_in_two_chunks_are_one() {
    let half = |text: &str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
    };
    for (pieces, text) in [
        (&[r"A fish \ud83d", r"\udc1f!"][..], "A fish 🐟!"),
        (&[r"\ud83d", "", r"\udc1f"], "🐟"),
        (&[r"\ud83d", "x"], "\u{fffd}x"),
        (&[r"\ud83d"], "\u{fffd}"),
    ] {
        let stream = pieces.iter().map(|piece| half(piece)).collect::<String>();
        assert_reads(&stream, text, &[], None);
    }
}

#[test]
fn what_pythons_servers_write_is_read() {
    let stream = "data: {\"choices\": [{\"delta\": {\"content\": \"NaN \"}, \"logprob\": NaN}]}\n\n\
        data: {\"choices\": [{\"delta\": {\"content\": \"is one\"}, \"logprob\": -Infinity}], \"x\": 1e999}\n\n";
    assert_reads(stream, "NaN is one", &[], None);
}

#[test]
fn calls_without_an_index_of_their_own_are_told_apart() {
    let call = |id: &str, name: &str, arguments: &str| {
        let call =
            json!({"index": 0, "id": id, "function": {"name": name, "arguments": arguments}});
        event(&json!({"choices": [{"delta": {"tool_calls": [call]}}]}))
    };
    for (stream, tools) in [
        // Each call whole, and all with the first index.
        (
            call("", "get", r#"{"a": 1}"#)
                + &call("", "get", r#"{"a": 2}"#)
                + &call("", "set", "{}"),
            vec![r#"get {"a": 1}"#, r#"get {"a": 2}"#, "set {}"],
        ),
        (
            call("x", "get", "")
                + &call("", "", "{\"a\":")
                + &call("y", "get", "{}")
                + &call("", "", ""),
            vec![r#"get {"a":"#, "get {}"],
        ),
        // The name in each piece.
        (
            call("x", "get", "{\"a\": ") + &call("x", "get", "1}") + &call("x", "get", ""),
            vec![r#"get {"a": 1}"#],
        ),
        (call("", "", "{}"), vec![" {}"]),
    ] {
        assert_reads(&stream, "", &tools, None);
    }
    let custom = json!({"choices": [{"message": {"tool_calls": [
        {"type": "custom", "custom": {"name": "run", "input": "ls"}}, {"name": "go", "arguments": {"x": null}}
    ]}}]});
    let custom = custom.to_string().replace("null", "NaN");
    let answer = answer_of(&[custom.as_bytes()]);
    let tools = [("run", "ls"), ("go", r#"{"x":0  }"#)];
    assert_eq!(
        answer.tools,
        tools.map(|(name, arguments)| (name.to_owned(), arguments.to_owned()))
    );
}
