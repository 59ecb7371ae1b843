//! The grouping rule with recorded clients and with random traffic.

mod clients;
mod figures;
mod properties;
mod recordings;
mod rules;
mod streams;
mod texts;
mod traffic;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::kernel::clock::Timestamp;

/// So many seconds after some midnight.
fn time(seconds: f64) -> Timestamp {
    let midnight = Timestamp::parse("2026-11-25T00:00:00Z").unwrap();
    midnight.after(Duration::from_secs_f64(seconds))
}

/// A grouping, and what its caller stores.
#[derive(Default)]
struct Caller {
    grouping: Grouping,
    messages: BTreeMap<MessageId, Message>,
}

impl Caller {
    fn begin(&mut self, request: &Request, now: Timestamp) -> Begun {
        self.restart();
        let begun = self.grouping.begin(request, now);
        for MovedIn { folded, .. } in &begun.moved_in {
            for message in self.messages.values_mut() {
                if message.place == Place::Folded(*folded) {
                    message.place = begun.place;
                }
            }
        }
        for message in &begun.messages {
            self.store(message);
        }
        for id in &begun.confirmed {
            let message = self.messages.get_mut(id).unwrap();
            assert!(message.generated, "{message:?} was confirmed twice");
            message.generated = false;
        }
        begun
    }

    fn answered(&mut self, turn: TurnId, answer: &Answer, now: Timestamp) {
        self.restart();
        let answered = self.grouping.answered(turn, answer, now);
        if let Some(message) = &answered.message {
            self.store(message);
        }
    }

    fn failed(&mut self, turn: TurnId, now: Timestamp) {
        self.restart();
        self.grouping.failed(turn, now);
    }

    fn end(&mut self, now: Timestamp) {
        let later = now.after(Duration::from_secs(60 * 60));
        for message in self.grouping.end_idle(later) {
            self.store(&message);
        }
    }

    fn store(&mut self, message: &Message) {
        if let Some(earlier) = self.messages.get(&message.id) {
            assert!(message.revision > earlier.revision, "{message:?}");
            assert_eq!(
                (message.place, message.speaker, message.at),
                (earlier.place, earlier.speaker, earlier.at)
            );
        }
        self.messages.insert(message.id, message.clone());
    }

    /// Stores the grouping and reads it back.
    fn restart(&mut self) {
        let stored = serde_json::to_vec(&self.grouping).unwrap();
        self.grouping = serde_json::from_slice(&stored).unwrap();
    }

    fn ask(&mut self, request: &Request, seconds: f64, text: &str) -> Begun {
        let begun = self.begin(request, time(seconds));
        self.answered(begun.turn, &answer(text), time(seconds));
        begun
    }

    /// The messages of each session, in order.
    fn transcripts(&self) -> BTreeMap<SessionNumber, Vec<&Message>> {
        let mut transcripts = BTreeMap::<_, Vec<_>>::new();
        for message in self.messages.values() {
            if let Place::Session(session) = message.place {
                transcripts.entry(session).or_default().push(message);
            }
        }
        for messages in transcripts.values_mut() {
            messages.sort_by_key(|message| (message.at, message.id));
        }
        transcripts
    }
}

/// A request with these messages: `>` before a word of the child's, `<` before one of the assistant's, `#` before an instruction.
fn request(messages: &[&str]) -> Request {
    request_with(messages, &[], &json!({}))
}

fn request_with(messages: &[&str], headers: &[(&str, &str)], fields: &Value) -> Request {
    let messages = messages.iter().map(|message| {
        let (role, text) = match message.split_at(1) {
            (">", text) => ("user", text),
            ("<", text) => ("assistant", text),
            (_, text) => ("system", text),
        };
        json!({"role": role, "content": text})
    });
    let mut body = fields.clone();
    body["messages"] = messages.collect();
    let headers = RequestHeaders::from_pairs(headers.iter().copied());
    Request::from_chat_completions(body.to_string().as_bytes(), &headers).unwrap()
}

fn answer(text: &str) -> Answer {
    Answer {
        text: text.to_owned(),
        finish: Some("stop".to_owned()),
        ..Answer::default()
    }
}
