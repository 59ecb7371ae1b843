//! Recordings of real clients: what each sent, and what a transcript should hold.
//!
//! Bodies of `/v1/responses` are replayed as the bodies of `/chat/completions` with the same conversation, because the gateway
//! has no such endpoint; so is the one of `/api/generate`. A history that the provider kept is added.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

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

/// Requests that `expected.json` has as the app's own, and that are shown as a conversation: only a known template makes a
/// request the app's own. The recording of xiaozhi leaves out most of its system prompts, so its templates can't fit.
const CONVERSATIONS: [(&str, u64); 7] = [
    // An AI task of Home Assistant's: what it asks for is free.
    ("home-assistant-openai", 12),
    // Structured output.
    ("llm", 7),
    ("openai-python", 15),
    ("vercel-ai-sdk-compatible", 6),
    // A prompt of the recording's own.
    ("openai-python", 6),
    ("xiaozhi", 6),
    ("xiaozhi", 7),
];

/// A request for two answers, which is refused: only one could be shown as what was said.
const REFUSED: [(&str, u64); 1] = [("openai-python", 13)];

/// The words of [`REFUSED`].
const REFUSED_WORDS: [(&str, &str); 1] = [("openai-python", "What is on this picture? [picture]")];

/// Words with an answer that was passed on, before their longer form came. Both stay.
const ANSWERED_EARLY: [(&str, &str, [&str; 2]); 1] = [(
    "livekit",
    "Tell me a joke about a penguin.",
    [
        "Tell me a joke",
        "Why did the penguin cross the ice? To get to the other slide!",
    ],
)];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/gateway")
}

/// A recorded request to a chat endpoint, with the answer.
pub struct Line {
    pub number: u64,
    /// In seconds since the recording began.
    pub at: f64,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Value,
    pub answer: Value,
}

/// Reads a recording, in the order in which the answers ended.
pub fn lines(client: &str) -> Vec<Line> {
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
    let is_refused = |line: &Value| {
        let number = line["n"].as_u64().unwrap();
        REFUSED.contains(&(client, number))
    };
    let lines = lines.iter().filter(|line| chat(line) && !is_refused(line));
    let lines = lines.map(|line| Line {
        number: line["n"].as_u64().unwrap(),
        at: line["at"].as_f64().unwrap(),
        path: line["path"].as_str().unwrap().to_owned(),
        headers: serde_json::from_value(line["headers"].clone()).unwrap(),
        body: line["body"].clone(),
        answer: line["answer"].clone(),
    });
    lines.collect()
}

/// Puts in the values that are written as `{"$same": "NUMBER/PLACE"}`.
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
pub struct Provider(HashMap<String, Vec<Value>>);

impl Provider {
    /// The body that the gateway gets. Requests must be given in their order.
    pub fn body(&mut self, line: &Line) -> Value {
        let mut body = line.body.clone();
        if line.path.ends_with("/responses") {
            body = self.chat_body(&line.body);
            self.keep(line, &body);
        } else if line.path == "/api/generate" {
            let prompt = json!([{"role": "user", "content": body["prompt"]}]);
            body = json!({"model": body["model"], "messages": prompt, "stream": body["stream"]});
        }
        body
    }

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
        let mut chat = json!({"model": body["model"], "messages": messages});
        for field in ["stream", "user", "safety_identifier", "prompt_cache_key"] {
            chat[field] = body[field].clone();
        }
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

/// Sessions as `expected.json` has them, and the numbers of the background requests.
pub struct Outcome {
    pub sessions: Vec<Value>,
    pub background: BTreeSet<u64>,
}

pub fn expected(client: &str) -> Outcome {
    let text = std::fs::read_to_string(folder().join(client).join("expected.json")).unwrap();
    let mut expected = serde_json::from_str::<Value>(&text).unwrap();
    for (of, recorded, ours) in DIFFERENCES {
        let sessions = expected["sessions"].as_array_mut().unwrap().iter_mut();
        let messages = sessions.flat_map(|session| session.as_array_mut().unwrap());
        for message in messages.filter(|message| of == client && message[1] == recorded) {
            message[1] = json!(ours);
        }
    }
    // What was heard ends with its last letter.
    for session in expected["sessions"].as_array_mut().unwrap() {
        let messages = session.as_array_mut().unwrap().iter_mut();
        for message in messages.filter(|message| message[2] == "interrupted") {
            message[1] = json!(message[1].as_str().unwrap().trim_end());
        }
    }
    let mut sessions = expected["sessions"].as_array().unwrap().clone();
    for (of, longer, [words, answer]) in ANSWERED_EARLY {
        let session = sessions.iter_mut().map(|it| it.as_array_mut().unwrap());
        let mut session = session.filter(|it| of == client && it[0][1] == longer);
        if let Some(session) = session.next() {
            let early = [json!(["child", words]), json!(["assistant", answer])];
            session.splice(..0, early);
        }
    }
    for (of, refused) in REFUSED_WORDS {
        sessions.retain(|session| of != client || session[0][1] != refused);
    }
    let mut background: BTreeSet<u64> =
        serde_json::from_value(expected["background"].clone()).unwrap();
    for line in lines(client) {
        if CONVERSATIONS.contains(&(client, line.number)) {
            background.remove(&line.number);
            sessions.push(conversation(&line));
        }
    }
    Outcome {
        sessions,
        background,
    }
}

/// A request and its answer as a session.
fn conversation(line: &Line) -> Value {
    let body = Provider::default().body(line);
    let words = &body["messages"].as_array().unwrap().last().unwrap()["content"];
    let mut session = vec![json!(["child", words])];
    if line.answer["text"]
        .as_str()
        .is_some_and(|text| !text.is_empty())
    {
        session.push(json!(["assistant", line.answer["text"]]));
    }
    json!(session)
}

/// The names of the recorded clients, in alphabetical order.
pub fn clients() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let entries = entries.map(|entry| entry.unwrap());
    let folders = entries.filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().into_string().unwrap());
    let mut clients = names.collect::<Vec<_>>();
    clients.sort();
    clients
}
