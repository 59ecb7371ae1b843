//! The grouping rule with recorded clients and with random traffic.

mod clients;
mod figures;
mod habits;
mod kept;
mod properties;
mod recordings;
mod rules;
mod texts;
mod traffic;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::assistants::gateway::answer::{Answer, AnswerReader, CutBy};
use crate::assistants::gateway::body::ChatBody;
use crate::assistants::gateway::dialect::Dialect;
use crate::assistants::gateway::grouping::message::SourceLabel;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::hmac_key::HmacKey;

/// So many seconds after some midnight.
fn time(seconds: f64) -> Timestamp {
    let midnight = Timestamp::parse("2026-11-25T00:00:00Z").unwrap();
    midnight.after(Duration::from_secs_f64(seconds))
}

/// What a caller stores.
#[derive(Default)]
struct Stored {
    messages: BTreeMap<MessageId, Message>,
    hashes: HashSet<TextHash>,
}

impl StoredTextLookup for Stored {
    fn has(&self, hash: TextHash) -> bool {
        self.hashes.contains(&hash)
    }

    fn text(&self, place: ConversationRef, id: MessageId) -> Option<String> {
        let message = self.messages.get(&id)?;
        assert_eq!(message.place, place);
        Some(message.text.clone())
    }
}

/// A tracker, and what its caller stores.
#[derive(Default)]
struct Caller {
    tracker: ConversationTracker,
    stored: Stored,
    /// How much of an interrupted message was heard, in UTF-16 code units.
    heard: BTreeMap<MessageId, usize>,
}

impl Caller {
    fn begin(&mut self, request: &Request, now: Timestamp) -> Begun {
        self.restart();
        let begun = self.tracker.begin(request, &self.stored, now);
        for MovedIn { background, .. } in &begun.moved_in {
            for message in self.stored.messages.values_mut() {
                if message.place == ConversationRef::Background(*background) {
                    message.place = begun.place;
                    message.kind = None;
                }
            }
        }
        let added = &begun.added;
        self.store_all(&added.messages, &added.hashes);
        for id in &added.confirmed {
            self.confirm(*id);
        }
        for heard in &added.heard {
            self.hear(heard);
        }
        begun
    }

    fn answered(&mut self, turn: TurnId, answer: &Answer, now: Timestamp) {
        self.restart();
        let answered = self.tracker.answered(turn, answer, &key(), now);
        self.store_all(&answered.messages, &answered.hashes);
        answered.heard.iter().for_each(|heard| self.hear(heard));
    }

    fn failed(&mut self, turn: TurnId, now: Timestamp) {
        self.restart();
        self.tracker.failed(turn, now);
    }

    fn confirm(&mut self, id: MessageId) {
        let message = self.stored.messages.get_mut(&id).unwrap();
        assert!(message.generated, "{message:?} was confirmed twice");
        message.generated = false;
    }

    fn hear(&mut self, heard: &Heard) {
        self.confirm(heard.id);
        let message = self.stored.messages.get_mut(&heard.id).unwrap();
        message.interrupted = true;
        let units = heard_units(&message.text, &heard.compared);
        self.heard.insert(heard.id, units);
    }

    fn store_all(&mut self, messages: &[Message], hashes: &BTreeSet<TextHash>) {
        messages.iter().for_each(|message| self.store(message));
        self.stored.hashes.extend(hashes);
    }

    fn store(&mut self, message: &Message) {
        if let Some(earlier) = self.stored.messages.get(&message.id) {
            assert!(message.revision > earlier.revision, "{message:?}");
            assert_eq!(
                (message.place, message.source, message.at),
                (earlier.place, earlier.source, earlier.at)
            );
        }
        self.stored.messages.insert(message.id, message.clone());
    }

    /// Stores the tracker and reads it back.
    fn restart(&mut self) {
        let sessions = serde_json::to_vec(&self.tracker.sessions).unwrap();
        let stored = serde_json::to_vec(&self.tracker).unwrap();
        self.tracker = serde_json::from_slice(&stored).unwrap();
        self.tracker.sessions = serde_json::from_slice(&sessions).unwrap();
    }

    /// What a parent reads of a message: the part that was heard.
    fn read(&self, message: &Message) -> String {
        let units = self.heard.get(&message.id).copied();
        let text = message
            .text
            .encode_utf16()
            .take(units.unwrap_or(usize::MAX));
        String::from_utf16(&text.collect::<Vec<_>>()).unwrap()
    }

    fn ask(&mut self, request: &Request, seconds: f64, text: &str) -> Begun {
        let begun = self.begin(request, time(seconds));
        self.answered(begun.turn, &answer(text), time(seconds));
        begun
    }

    /// What was said in each session, in order.
    fn transcripts(&self) -> BTreeMap<SessionNumber, Vec<&Message>> {
        let mut transcripts = BTreeMap::<_, Vec<_>>::new();
        let said = self.stored.messages.values();
        for message in said.filter(|it| it.kind.is_none() && !it.is_tool_call) {
            if let ConversationRef::Session(session) = message.place {
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
    parsed(Dialect::OpenAi, &body, headers)
}

fn parsed(dialect: Dialect, body: &Value, headers: &[(&str, &str)]) -> Request {
    let headers = RequestHeaders::from_pairs(headers.iter().copied());
    let body = body.to_string();
    let body = ChatBody::read(dialect, body.as_bytes()).unwrap();
    Request::new(&body, &headers, &key())
}

fn key() -> TextKey {
    TextKey(HmacKey::generate(&Randomness::repeatable()))
}

fn answer(text: &str) -> Answer {
    Answer {
        text: text.to_owned(),
        finish: Some("stop".to_owned()),
        ..Answer::default()
    }
}
