//! Recordings of real clients: what each sent, and what a transcript should hold.
//!
//! Bodies of `/v1/responses` are replayed as the bodies of `/chat/completions` with the same conversation, because the gateway
//! has no such endpoint; so is the one of `/api/generate`. A history that the provider kept is added.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::*;

/// Where a transcript differs from `expected.json` on purpose.
const DIFFERENCES: [(&str, &str, &str); 2] = [
    // The recording's author left the picture out. A parent must see that there was one.
    (
        "openai-python",
        "What is on this picture?",
        "What is on this picture? [picture]",
    ),
    // A parent reads "sound".
    ("openai-python", "[audio]", "[sound]"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/gateway")
}

/// A recorded request to a chat endpoint, with the answer.
struct Line {
    number: u64,
    at: f64,
    path: String,
    headers: Vec<(String, String)>,
    body: Value,
    answer: Value,
}

/// Reads a recording, in the order in which the answers ended.
fn lines(client: &str) -> Vec<Line> {
    let text = std::fs::read_to_string(folder().join(client).join("requests.jsonl")).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut lines = lines
        .filter(|line| line.get("n").is_some())
        .collect::<Vec<_>>();
    let originals = lines
        .iter()
        .map(|line| (line["n"].as_u64().unwrap(), line.clone()))
        .collect::<HashMap<_, _>>();
    for line in &mut lines {
        put_in_repeated(line, &originals);
    }
    let chat = |line: &Value| {
        let path = line["path"].as_str().unwrap();
        let endpoints = [
            "/chat/completions",
            "/responses",
            "/api/chat",
            "/api/generate",
        ];
        line["method"] == "POST" && endpoints.iter().any(|end| path.ends_with(end))
    };
    let lines = lines.iter().filter(|line| chat(line)).map(|line| Line {
        number: line["n"].as_u64().unwrap(),
        at: line["at"].as_f64().unwrap(),
        path: line["path"].as_str().unwrap().to_owned(),
        headers: serde_json::from_value(line["headers"].clone()).unwrap(),
        body: line["body"].clone(),
        answer: line["answer"].clone(),
    });
    lines.collect()
}

/// Replaces each `{"$same": "NUMBER/PLACE"}` by the value at that place of that request.
fn put_in_repeated(value: &mut Value, originals: &HashMap<u64, Value>) {
    if let Some(same) = value["$same"].as_str() {
        let (number, place) = same.split_once('/').unwrap();
        let original = &originals[&number.parse().unwrap()];
        let mut original = original.pointer(&format!("/{place}")).unwrap().clone();
        put_in_repeated(&mut original, originals);
        *value = original;
        return;
    }
    match value {
        Value::Array(values) => values
            .iter_mut()
            .for_each(|it| put_in_repeated(it, originals)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|it| put_in_repeated(it, originals)),
        _ => {}
    }
}

/// The histories that the provider of `/v1/responses` keeps, by the id of the answer or the conversation.
#[derive(Default)]
struct Provider(HashMap<String, Vec<Value>>);

impl Provider {
    /// The body of `/chat/completions` for a body of `/v1/responses`.
    fn chat_body(&self, body: &Value) -> Value {
        let previous = [&body["previous_response_id"], &body["conversation"]];
        let previous = previous.into_iter().find_map(Value::as_str);
        let kept = previous.and_then(|id| self.0.get(id));
        let mut messages = kept.cloned().unwrap_or_default();
        match &body["input"] {
            Value::String(text) => messages.push(json!({"role": "user", "content": text})),
            items => messages.extend(items.as_array().unwrap().iter().filter_map(chat_message)),
        }
        let mut chat = body.clone();
        chat["messages"] = json!(messages);
        chat["max_tokens"] = body["max_output_tokens"].clone();
        chat["response_format"] = body["text"]["format"].clone();
        chat
    }

    fn keep(&mut self, line: &Line, chat: &Value) {
        let mut messages = chat["messages"].as_array().unwrap().clone();
        let answer = &line.answer;
        messages.push(json!({"role": "assistant", "content": answer["text"]}));
        messages.extend(chat_message(&{
            let mut call = answer["function_call"].clone();
            if call.is_object() {
                call["type"] = json!("function_call");
            }
            call
        }));
        for id in [&answer["id"], &line.body["conversation"]] {
            if let Some(id) = id.as_str() {
                self.0.insert(id.to_owned(), messages.clone());
            }
        }
    }
}

fn chat_message(item: &Value) -> Option<Value> {
    match item["type"].as_str() {
        Some("function_call") => Some(json!({"role": "assistant", "tool_calls": [{"function":
            {"name": item["name"], "arguments": item["arguments"]}}]})),
        Some("function_call_output") => Some(json!({"role": "tool", "content": item["output"]})),
        _ if item["role"].is_string() => Some(item.clone()),
        other => {
            assert!(item.is_null() || other == Some("reasoning"), "{item}");
            None
        }
    }
}

fn request(line: &Line, provider: &mut Provider) -> Request {
    let headers = line.headers.iter();
    let headers = headers.map(|(name, value)| (name.as_str(), value.as_str()));
    let headers = RequestHeaders::from_pairs(headers);
    let bytes = |body: &Value| body.to_string().into_bytes();
    if line.path == "/api/chat" {
        return Request::from_ollama_chat(&bytes(&line.body), &headers).unwrap();
    }
    let mut body = line.body.clone();
    if line.path.ends_with("/responses") {
        body = provider.chat_body(&line.body);
        provider.keep(line, &body);
    } else if line.path == "/api/generate" {
        body["messages"] = json!([{"role": "user", "content": body["prompt"]}]);
    }
    Request::from_chat_completions(&bytes(&body), &headers).unwrap()
}

/// The answer, read from bytes in the form that the client asked for. `None` if nothing was sent.
fn recorded_answer(line: &Line) -> Option<Answer> {
    let recorded = &line.answer;
    let is_ollama = line.path.starts_with("/api/");
    let is_streamed = line.body["stream"] == true || is_ollama && line.body["stream"].is_null();
    if recorded["status"] != 200 {
        return None;
    }
    let calls = recorded["tool_calls"].as_array().cloned();
    let call = recorded["function_call"].is_object();
    let calls = calls.or(call.then(|| vec![json!({"function": recorded["function_call"]})]));
    let message = json!({"role": "assistant", "content": recorded["text"], "tool_calls": calls});
    let (form, bytes) = match (is_ollama, is_streamed) {
        (true, true) => (
            AnswerForm::Lines,
            json!({"message": message, "done": false}).to_string(),
        ),
        (true, false) => (
            AnswerForm::Whole,
            json!({"message": message, "done": true}).to_string(),
        ),
        (false, true) => {
            let chunk = json!({"choices": [{"index": 0, "delta": message}]});
            (
                AnswerForm::Events,
                format!("data: {chunk}\n\ndata: [DONE]\n\n"),
            )
        }
        (false, false) => {
            let whole = json!({"choices": [{"index": 0, "message": message}]});
            (AnswerForm::Whole, whole.to_string())
        }
    };
    let mut reader = AnswerReader::new(form);
    reader.push(bytes.as_bytes());
    let mut answer = reader.finish();
    answer.cut = match recorded["cut"]["by"].as_str() {
        None => None,
        Some("client") => Some(CutBy::Client),
        Some(_) => Some(CutBy::Upstream),
    };
    Some(answer)
}

/// Sessions as `expected.json` has them, and the numbers of the background requests.
struct Outcome {
    sessions: Vec<Value>,
    background: BTreeSet<u64>,
}

fn replayed(client: &str) -> Outcome {
    let lines = lines(client);
    let mut starts = lines.iter().collect::<Vec<_>>();
    starts.sort_by_key(|line| line.number);
    let mut starts = starts.into_iter().peekable();
    let mut caller = Caller::default();
    let mut provider = Provider::default();
    let mut turns = BTreeMap::new();
    let mut background = BTreeSet::new();
    let mut now = time(0.0);
    for line in &lines {
        // Requests begin in the order of their numbers.
        while let Some(next) = starts.next_if(|next| next.number <= line.number) {
            now = time(next.at);
            let begun = caller.begin(&request(next, &mut provider), now);
            turns.insert(next.number, begun.turn);
            if begun.background.is_some() {
                background.insert(next.number);
            }
        }
        let turn = turns[&line.number];
        match recorded_answer(line) {
            Some(answer) => caller.answered(turn, &answer, now),
            None => caller.failed(turn, now),
        }
    }
    caller.end(now);
    let transcripts = caller.transcripts();
    let sessions = transcripts.values().map(|messages| {
        let messages = messages.iter().map(|message| {
            let source = match message.speaker {
                Speaker::Child => "child",
                Speaker::Assistant => "assistant",
            };
            if message.interrupted {
                json!([source, message.text, "interrupted"])
            } else {
                json!([source, message.text])
            }
        });
        messages.collect()
    });
    Outcome {
        sessions: sessions.collect(),
        background,
    }
}

fn expected(client: &str) -> Outcome {
    let text = std::fs::read_to_string(folder().join(client).join("expected.json")).unwrap();
    let mut expected = serde_json::from_str::<Value>(&text).unwrap();
    for (of, recorded, ours) in DIFFERENCES {
        let sessions = expected["sessions"].as_array_mut().unwrap().iter_mut();
        let messages = sessions.flat_map(|session| session.as_array_mut().unwrap());
        for message in messages.filter(|message| of == client && message[1] == recorded) {
            message[1] = json!(ours);
        }
    }
    Outcome {
        sessions: expected["sessions"].as_array().unwrap().clone(),
        background: serde_json::from_value(expected["background"].clone()).unwrap(),
    }
}

#[test]
fn each_recorded_client_gets_its_sessions_words_and_background() {
    let entries = std::fs::read_dir(folder()).unwrap();
    let entries = entries.map(|entry| entry.unwrap());
    let folders = entries.filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().into_string().unwrap());
    let mut clients = names.collect::<Vec<_>>();
    clients.sort();

    let mut table = String::new();
    let mut differences = String::new();
    for client in &clients {
        let (found, expected) = (replayed(client), expected(client));
        let count = |sessions: &[Value]| {
            let messages = sessions.iter().flat_map(|it| it.as_array().unwrap());
            messages.collect::<Vec<_>>().len()
        };
        let interrupted = found.sessions.iter().flat_map(|it| it.as_array().unwrap());
        let interrupted = interrupted.filter(|message| message[2] == "interrupted");
        writeln!(
            table,
            "{client:30} {:2} {:3} {:2} {:2}",
            found.sessions.len(),
            count(&found.sessions),
            interrupted.count(),
            found.background.len(),
        )
        .unwrap();
        for session in found
            .sessions
            .iter()
            .filter(|it| !expected.sessions.contains(it))
        {
            writeln!(differences, "{client}: found {session}").unwrap();
        }
        for session in expected
            .sessions
            .iter()
            .filter(|it| !found.sessions.contains(it))
        {
            writeln!(differences, "{client}: expected {session}").unwrap();
        }
        if found.sessions.len() != expected.sessions.len()
            || found.background != expected.background
        {
            writeln!(
                differences,
                "{client}: background {:?}, expected {:?}",
                found.background, expected.background
            )
            .unwrap();
        }
    }

    assert_eq!(differences, "");
    // Sessions, messages, interrupted answers, background requests.
    insta::assert_snapshot!(table, @r"
    home-assistant-extended-openai  2  18  0  0
    home-assistant-local-openai     2  22  1  0
    home-assistant-ollama           2  20  1  0
    home-assistant-openai           2  22  1  1
    livekit                         4  23  1  0
    llm                             3  11  0  1
    ollama-python                   4  11  1  0
    open-webui                      2  12  1  9
    openai-agents-chat              4  14  1  0
    openai-agents-responses         3  14  1  0
    openai-python                  10  29  2  2
    openai-python-responses         3  12  0  0
    pipecat                         2  19  1  0
    vercel-ai-sdk-compatible        4  11  1  1
    xiaozhi                         2  11  1  2
    ");
}
