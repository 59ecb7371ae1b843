//! The recorded clients, replayed against the rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::{Value, json};

use super::recordings::{Line, Outcome, Provider, clients, expected, lines};
use super::*;

fn request(line: &Line, provider: &mut Provider) -> Request {
    let headers = line.headers.iter();
    let headers = headers.map(|(name, value)| (name.as_str(), value.as_str()));
    let dialect = if line.path == "/api/chat" {
        Dialect::Ollama
    } else {
        Dialect::OpenAi
    };
    parsed(dialect, &provider.body(line), &headers.collect::<Vec<_>>())
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
    let bytes = match (is_ollama, is_streamed) {
        (true, is_streamed) => json!({"message": message, "done": !is_streamed}).to_string(),
        (false, true) => {
            let chunk = json!({"choices": [{"index": 0, "delta": message}]});
            format!("data: {chunk}\n\ndata: [DONE]\n\n")
        }
        (false, false) => json!({"choices": [{"index": 0, "message": message}]}).to_string(),
    };
    let mut reader = AnswerReader::new();
    reader.push(bytes.as_bytes());
    let mut answer = reader.finish();
    answer.cut = match recorded["cut"]["by"].as_str() {
        None => None,
        Some("client") => Some(CutBy::Client),
        Some(_) => Some(CutBy::Server),
    };
    Some(answer)
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
            let parsed = request(next, &mut provider);
            // The gateway, too, waits a moment for the request whose texts this one quotes.
            let sibling = starts.next_if(|sibling| {
                sibling.at - next.at < 1.0 && caller.tracker.quotes_unknown(&parsed, &caller.stored)
            });
            let sibling = sibling.map(|sibling| (sibling.number, request(sibling, &mut provider)));
            let begins = sibling.into_iter().chain([(next.number, parsed)]);
            for (number, request) in begins {
                let begun = caller.begin(&request, now);
                turns.insert(number, begun.turn);
                if matches!(begun.place, ConversationRef::Background(_)) {
                    background.insert(number);
                }
            }
        }
        let turn = turns[&line.number];
        match recorded_answer(line) {
            Some(answer) => caller.answered(turn, &answer, now),
            None => caller.failed(turn, now),
        }
    }
    let transcripts = caller.transcripts();
    let sessions = transcripts.values().map(|messages| {
        let messages = messages.iter().map(|message| {
            let source = match message.source {
                SourceLabel::Child => "child",
                _ => "assistant",
            };
            let text = caller.read(message);
            if message.interrupted {
                json!([source, text.trim_end(), "interrupted"])
            } else {
                json!([source, text])
            }
        });
        messages.collect()
    });
    Outcome {
        sessions: sessions.collect(),
        background,
    }
}

#[test]
fn each_recorded_client_gets_its_sessions_words_and_background() {
    let mut table = String::new();
    let mut differences = String::new();
    for client in &clients() {
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
    home-assistant-openai           3  24  1  0
    livekit                         4  25  1  0
    llm                             4  13  0  0
    ollama-python                   4  11  1  0
    open-webui                      2  12  1  9
    openai-agents-chat              4  14  1  0
    openai-agents-responses         3  14  1  0
    openai-python                  11  31  2  0
    openai-python-responses         3  12  0  0
    pipecat                         2  19  1  0
    vercel-ai-sdk-compatible        5  13  1  0
    xiaozhi                         4  15  1  0
    ");
}
