//! Recordings of real clients, replayed against the real binary with a scripted upstream: a guardian reads what was said.
//!
//! The rule that finds the conversations depends on the time between requests, so libfaketime sets the binary's clock. Without it
//! the test is skipped with a message.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use porchlight::kernel::host::clock::Timestamp;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::support::faketime::{faketime, library};
use crate::support::gateway_client::{GatewayClient, Open};
use crate::support::process::{Home, Server};
use crate::support::upstream::{
    Answer, DONE, EVENTS, Exchange, JSON, LINES, Upstream, completion, event, line, word,
};
use recordings::{Line, Outcome, Provider, clients, expected, lines};

#[path = "../src/assistants/gateway/grouping/tests/recordings.rs"]
mod recordings;

const ADA: &str = "ada@example.org";

/// Requests of one key at a time.
const AT_A_TIME: usize = 4;

/// What the test says at the end of a recording, so that the server ends the conversations before.
const LAST_WORDS: &str = "That was the recording.";

/// Longer than a conversation is remembered.
const LATER: Duration = Duration::from_secs(60 * 60);

/// A server whose clock stands still until the test sets it.
struct TestServer {
    home: Home,
    server: Server,
    upstream: Upstream,
    now: Timestamp,
}

impl TestServer {
    async fn new() -> Option<Self> {
        let library = library()?;
        let home = Home::new();
        home.ok(&["guardian", "add", ADA]);
        let upstream = Upstream::step_by_step().await;
        let url = upstream.url();
        home.ok(&["upstream", "add", "openai", "--url", &format!("{url}/v1")]);
        home.ok(&["upstream", "add", "ollama", "--ollama", "--url", &url]);
        let now = porchlight::kernel::host::clock::Clock::System.now();
        let clock = home.path().join("clock");
        set_clock(&home, now);
        let file = format!("FAKETIME_TIMESTAMP_FILE={}", clock.display());
        let mut prefix = faketime(&library, file);
        prefix.insert(1, "TZ=UTC".to_owned());
        let server = home.serve_with_prefix(&prefix, &["--limits", "off"]);
        Some(Self {
            home,
            server,
            upstream,
            now,
        })
    }

    fn advance_to(&mut self, time: Timestamp) {
        assert!(time >= self.now, "the clock isn't set back");
        self.now = time;
        set_clock(&self.home, time);
    }

    /// Creates a child with a key of its own. Returns the child's number and the client.
    fn child(&self, name: &str, upstream: &str) -> (u64, GatewayClient) {
        let added = self.home.json(&["child", "add", name, "--guardian", ADA]);
        let child = added["child_id"].as_u64().unwrap();
        let number = child.to_string();
        let assistant = [
            "assistant",
            "add",
            name,
            "--child",
            &number,
            "--upstream",
            upstream,
        ];
        let host = self.server.url.strip_prefix("http://").unwrap();
        let client = GatewayClient {
            server: host.parse().unwrap(),
            host: host.to_owned(),
            key: self.home.json(&assistant)["key"]
                .as_str()
                .unwrap()
                .to_owned(),
        };
        (child, client)
    }

    fn get(&self, token: &str, path: &str) -> Value {
        let (status, body) = self.server.request("GET", path, token, None).unwrap();
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// The messages of each of the child's sessions, as a guardian reads them.
    fn transcripts(&self, child: u64) -> Vec<Vec<Value>> {
        let token = self.home.json(&["token", ADA]);
        let token = token["identity_token"].as_str().unwrap();
        let path = format!("/api/sessions?child_id={child}&limit=500");
        let list = self.get(token, &path);
        let sessions = list["sessions"].as_array().unwrap().iter();
        let messages = sessions.map(|session| {
            let path = format!("/api/sessions/{}/messages?limit=500", session["session_id"]);
            let page = self.get(token, &path);
            page["messages"].as_array().unwrap().clone()
        });
        messages.collect()
    }

    /// Sends a request. Returns when the upstream has it.
    async fn begin(
        &self,
        client: &GatewayClient,
        path: &str,
        headers: &[(String, String)],
        body: &Value,
    ) -> (JoinHandle<Open>, Exchange) {
        let (client, path, headers, body) = (
            client.clone(),
            path.to_owned(),
            headers.to_vec(),
            body.to_string(),
        );
        let mut opening = tokio::spawn(async move {
            let headers = headers.iter();
            let headers = headers.map(|(name, value)| (name.as_str(), value.as_str()));
            client
                .open("POST", &path, &headers.collect::<Vec<_>>(), body)
                .await
        });
        tokio::select! {
            exchange = self.upstream.next() => (opening, exchange),
            opened = &mut opening => {
                let reply = opened.unwrap().rest().await;
                panic!("the upstream isn't asked: {} {}", reply.status, reply.text());
            }
        }
    }

    /// Waits until no request of the key is being passed on, and so all was kept: then the upstream gets as many as a key has at
    /// a time.
    async fn settle(&self, client: &GatewayClient) {
        loop {
            let mut asking = tokio::task::JoinSet::new();
            for _ in 0..AT_A_TIME {
                let client = client.clone();
                asking.spawn(async move { client.get("/gateway/v1/models").await.status });
            }
            let mut exchanges = Vec::new();
            while exchanges.len() < AT_A_TIME {
                tokio::select! {
                    exchange = self.upstream.next() => exchanges.push(exchange),
                    refused = asking.join_next() => {
                        assert_eq!(refused.unwrap().unwrap(), 429);
                        break;
                    }
                }
            }
            let is_settled = exchanges.len() == AT_A_TIME;
            for exchange in exchanges {
                exchange.answer(&Answer::json(&json!({"data": []}))).await;
            }
            asking.join_all().await;
            if is_settled {
                return;
            }
        }
    }
}

fn set_clock(home: &Home, now: Timestamp) {
    // libfaketime takes a time without a zone.
    let time = now.to_string().replace('T', " ").replace('Z', "");
    let beside = home.path().join("clock.new");
    std::fs::write(&beside, time).unwrap();
    std::fs::rename(beside, home.path().join("clock")).unwrap();
}

/// The pieces of a recorded answer up to its end or to where it was cut, and the type of its content.
fn pieces_of(line_of: &Line, body: &Value, path: &str) -> (&'static str, Vec<Vec<u8>>) {
    let recorded = &line_of.answer;
    let text = recorded["text"].as_str().unwrap_or_default();
    let is_cut = recorded["cut"].is_object();
    let calls = recorded["tool_calls"].as_array().cloned();
    let call = recorded["function_call"].is_object();
    let calls = calls.or(call.then(|| vec![json!({"function": recorded["function_call"]})]));
    let words = text.split_inclusive(' ').filter(|word| !word.is_empty());
    let is_ollama = path == "/gateway/api/chat";
    match (is_ollama, body["stream"].as_bool().unwrap_or(is_ollama)) {
        (true, false) => (JSON, vec![with_calls(&line(text, true), "/message", calls)]),
        (false, false) => {
            let whole = completion(text).to_string();
            let whole = with_calls(whole.as_bytes(), "/choices/0/message", calls);
            (JSON, vec![whole])
        }
        (true, true) => {
            let mut pieces = words.map(|word| line(word, false)).collect::<Vec<_>>();
            if calls.is_some() {
                pieces.push(with_calls(&line("", false), "/message", calls));
            }
            if !is_cut {
                pieces.push(line("", true));
            }
            (LINES, pieces)
        }
        (false, true) => {
            let mut pieces = words.map(word).collect::<Vec<_>>();
            if let Some(calls) = calls {
                pieces.push(event(&json!({"tool_calls": calls}), None));
            }
            if !is_cut {
                pieces.push(event(&json!({}), Some("stop")));
                pieces.push(DONE.to_vec());
            }
            (EVENTS, pieces)
        }
    }
}

/// The JSON with the calls of tools in the message at this place.
fn with_calls(json: &[u8], message: &str, calls: Option<Vec<Value>>) -> Vec<u8> {
    let Some(calls) = calls else {
        return json.to_vec();
    };
    let mut value = serde_json::from_slice::<Value>(json).unwrap();
    value.pointer_mut(message).unwrap()["tool_calls"] = json!(calls);
    format!("{value}\n").into_bytes()
}

/// The headers that the client set. The others belong to the connection, or are the test's own.
fn headers_of(line: &Line) -> Vec<(String, String)> {
    let own = |name: &str| {
        !matches!(
            name,
            "authorization"
                | "host"
                | "connection"
                | "content-length"
                | "content-type"
                | "transfer-encoding"
        )
    };
    let headers = line.headers.iter();
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
    headers.filter(|(name, _)| own(name)).collect()
}

fn path_of(line: &Line) -> &'static str {
    if line.path == "/api/chat" {
        "/gateway/api/chat"
    } else {
        "/gateway/v1/chat/completions"
    }
}

/// Sends a recorded request, and lets the upstream answer as it did.
async fn replay(server: &TestServer, client: &GatewayClient, line: &Line, body: &Value) {
    let path = path_of(line);
    let (opening, mut exchange) = server.begin(client, path, &headers_of(line), body).await;
    let recorded = &line.answer;
    if recorded["cut"]["before_first_byte"] == true {
        opening.abort();
        exchange.closed().await;
        return;
    }
    let status = u16::try_from(recorded["status"].as_u64().unwrap()).unwrap();
    if status != 200 {
        let error = json!({"error": {"message": "scripted error"}});
        exchange.answer(&Answer::json(&error).status(status)).await;
        let reply = opening.await.unwrap().rest().await;
        let expected = if status == 401 { 502 } else { status };
        assert_eq!(reply.status, expected);
        return;
    }
    let (content_type, pieces) = pieces_of(line, body, path);
    if recorded["cut"]["by"] == "client" {
        exchange.begin(content_type).await;
        let mut open = opening.await.unwrap();
        for piece in &pieces {
            exchange.piece(piece).await;
            open.until(piece).await;
        }
        drop(open);
        exchange.closed().await;
        return;
    }
    let mut answer = Answer::stream(content_type, pieces);
    if recorded["cut"]["by"] == "upstream" {
        answer = answer.breaking_off();
    }
    exchange.answer(&answer).await;
    let reply = opening.await.unwrap().rest().await;
    assert_eq!(reply.status, 200);
    assert!(reply.body.starts_with(&answer.body()));
}

/// The text of the child's words at the end of a request.
fn last_words(body: &Value) -> Option<String> {
    let last = body["messages"].as_array().unwrap().last()?;
    let content = &last["content"];
    let text = content.as_str().or_else(|| content[0]["text"].as_str());
    (last["role"] == "user").then(|| text.unwrap_or_default().trim().to_owned())
}

/// What a guardian reads, in the form of `expected.json`, and the words of background requests.
struct Read {
    sessions: Vec<Value>,
    background: BTreeSet<String>,
}

impl Read {
    fn of(transcripts: &[Vec<Value>]) -> Self {
        let mut read = Self {
            sessions: Vec::new(),
            background: BTreeSet::new(),
        };
        for messages in transcripts {
            let mut session = Vec::new();
            for message in messages {
                let text = message["text_content"].as_str().unwrap();
                let heard = message["heard"].as_u64().unwrap_or(u64::MAX);
                let heard = text.encode_utf16().take(usize::try_from(heard).unwrap());
                let text = String::from_utf16(&heard.collect::<Vec<_>>()).unwrap();
                let is_child = message["source"] == "child";
                let source = if is_child { "child" } else { "assistant" };
                if message["kind"] == "background" {
                    // xiaozhi's wish for a goodbye is a part of its conversation.
                    if is_child && !text.contains("来结束这场对话吧") {
                        read.background.insert(text.trim().to_owned());
                    }
                } else if message["kind"].is_string() {
                    // It stands beside the conversation.
                } else if message["interrupted"] == true {
                    session.push(json!([source, text.trim_end(), "interrupted"]));
                } else if message["event_type"] != "tool_call" {
                    session.push(json!([source, text]));
                }
            }
            if !session.is_empty() && session[0][1] != LAST_WORDS {
                read.sessions.push(json!(session));
            }
        }
        read
    }

    fn messages(&self) -> impl Iterator<Item = &Value> {
        let sessions = self.sessions.iter();
        sessions.flat_map(|session| session.as_array().unwrap())
    }
}

/// Replays a client. Returns its row of the table, and how its transcripts differ from what is expected.
async fn compare(server: &mut TestServer, client: &str) -> (String, String) {
    let mut recorded = lines(client);
    // The gateway waits a moment for the conversation that a title quotes. Here one request follows the other.
    for number in [2, 13].iter().filter(|_| client == "open-webui") {
        let title = recorded.iter().position(|line| line.number == *number);
        let talk = recorded.iter().position(|line| line.number == number + 1);
        if let (Some(title), Some(talk)) = (title, talk)
            && title < talk
        {
            let at = recorded[talk].at;
            let mut line = recorded.remove(title);
            line.at = at;
            recorded.insert(talk, line);
        }
    }
    let is_ollama = recorded.iter().any(|line| line.path.starts_with("/api/"));
    let upstream = if is_ollama { "ollama" } else { "openai" };
    let (child, key) = server.child(client, upstream);
    let Outcome {
        sessions: expected,
        background: numbers,
    } = expected(client);
    let (mut provider, mut background) = (Provider::default(), BTreeSet::new());
    let start = server.now;
    for line in &recorded {
        server.advance_to(start.after(Duration::from_secs_f64(line.at)));
        let body = provider.body(line);
        if numbers.contains(&line.number) {
            background.extend(last_words(&body));
        }
        replay(server, &key, line, &body).await;
        server.settle(&key).await;
    }
    server.advance_to(server.now.after(LATER));
    let body =
        json!({"model": "family-model", "messages": [{"role": "user", "content": LAST_WORDS}]});
    let path = "/gateway/v1/chat/completions";
    let (opening, exchange) = server.begin(&key, path, &[], &body).await;
    exchange.answer(&Answer::json(&completion("Good."))).await;
    opening.await.unwrap().rest().await.ok();
    server.settle(&key).await;
    server.advance_to(server.now.after(LATER));

    let read = Read::of(&server.transcripts(child));
    let mut differences = String::new();
    for (name, these, those) in [
        ("read", &read.sessions, &expected),
        ("expected", &expected, &read.sessions),
    ] {
        for session in these.iter().filter(|it| !those.contains(it)) {
            writeln!(differences, "{client}: {name} {session}").unwrap();
        }
    }
    if read.sessions.len() != expected.len() || read.background != background {
        let (read, sessions) = (&read.background, read.sessions.len());
        writeln!(
            differences,
            "{client}: {sessions} sessions, background {read:?}, expected {background:?}"
        )
        .unwrap();
    }
    let interrupted = read
        .messages()
        .filter(|message| message[2] == "interrupted");
    let row = format!(
        "{client:30} {:8} {:8} {:8} {:11} {:10}\n",
        recorded.len(),
        read.sessions.len(),
        read.messages().count(),
        interrupted.count(),
        numbers.len()
    );
    (row, differences)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guardian_reads_what_was_said_with_each_recorded_client() {
    let Some(mut server) = TestServer::new().await else {
        return;
    };

    let mut table = format!(
        "{:30} {:8} {:8} {:8} {:11} {:10}\n",
        "client", "requests", "sessions", "messages", "interrupted", "background"
    );
    let mut all = String::new();
    for client in clients() {
        let (row, differences) = compare(&mut server, &client).await;
        table.push_str(&row);
        all.push_str(&differences);
    }

    println!("{table}");
    assert_eq!(all, "");
}
