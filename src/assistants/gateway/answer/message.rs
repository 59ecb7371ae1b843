//! What the JSON values of an answer say: chunks or whole answers of either API.

use serde_json::value::RawValue;

use super::Answer;
use super::call::{Calls, spoken_in};
use super::fields::{each_item, fields, is_object, text_of};
use super::parts::{Texts, texts_of};
use super::text::{Part, SurrogateJoiner, Thoughts};

/// The maximum length in bytes of an answer's text, and of all arguments of its calls. A longer answer isn't passed on.
pub const MAX_TEXT: usize = 1024 * 1024;

/// How much is kept of an answer's reasoning, in bytes.
const MAX_REASONING: usize = 64 * 1024;

/// The maximum number of answers to one request.
const MAX_CHOICES: usize = 8;

/// An answer so far.
#[derive(Clone, Debug, Default)]
pub struct Message {
    choices: Vec<Choice>,
    /// The length of all texts.
    said: usize,
    reasoning: Reasoning,
    calls: Calls,
    finish: Option<String>,
    has_error: bool,
    /// Whether there was more than is kept.
    is_full: bool,
}

/// One of the answers to a request. Clients get one unless they ask for more.
#[derive(Clone, Debug, Default)]
struct Choice {
    index: u64,
    said: String,
    halves: SurrogateJoiner,
    thoughts: Thoughts,
}

#[derive(Clone, Debug, Default)]
struct Reasoning {
    text: String,
    halves: SurrogateJoiner,
    is_cut: bool,
}

impl Reasoning {
    fn push(&mut self, text: &str) {
        let free = MAX_REASONING - self.text.len();
        self.is_cut |= text.len() > free;
        self.text.push_str(&text[..text.floor_char_boundary(free)]);
    }
}

impl Message {
    /// The length of the text so far.
    pub fn said(&self) -> usize {
        self.said
    }

    pub fn is_full(&self) -> bool {
        self.is_full
    }

    pub fn note_full(&mut self) {
        self.is_full = true;
    }

    /// Reads a value. `is_event` says whether it is one of several.
    pub fn read(&mut self, value: &RawValue, is_event: bool) {
        let names = [
            "error",
            "object",
            "choices",
            "message",
            "response",
            "thinking",
            "done",
            "done_reason",
        ];
        let [
            error,
            object,
            choices,
            message,
            response,
            thinking,
            done,
            reason,
        ] = fields(value, names);
        let is_error = object.is_some_and(|object| object.get() == "\"error\"");
        self.has_error |= error.is_some() || is_error;
        each_item(choices, |choice| self.read_choice(choice, is_event));
        if choices.is_some() {
            return;
        }
        if let Some(message) = message.filter(|message| is_object(message)) {
            let texts = texts_of(message, false);
            self.add(0, &texts);
            self.read_calls(message);
        }
        let text =
            |field: Option<&RawValue>| field.and_then(text_of).unwrap_or_default().into_owned();
        self.add(
            0,
            &Texts {
                said: text(response),
                thought: text(thinking),
            },
        );
        if done.is_some_and(|done| done.get() == "true") {
            self.finish = Some("stop".to_owned());
            self.read_finish(reason);
        }
    }

    fn read_choice(&mut self, choice: &RawValue, is_event: bool) {
        let names = [
            "index",
            "delta",
            "message",
            "text",
            "finish_reason",
            "error",
        ];
        let [index, delta, message, text, finish, error] = fields(choice, names);
        let index = index
            .and_then(|index| index.get().parse().ok())
            .unwrap_or(0);
        self.has_error |= error.is_some();
        let delta = delta.filter(|delta| is_object(delta));
        let message = message.filter(|message| is_object(message));
        if let Some(delta) = delta {
            self.add(index, &texts_of(delta, true));
            self.read_calls(delta);
        }
        if let Some(text) = text.and_then(text_of) {
            self.say(index, &text);
        }
        if let Some(message) = message {
            let mut texts = texts_of(message, false);
            if delta.is_some() {
                self.leave_out_known(index, &mut texts);
            }
            self.add(index, &texts);
            if delta.is_none() || self.calls.is_empty() {
                self.read_calls(message);
            }
        }
        if index == 0 {
            self.read_finish(finish);
            if message.is_some() && !is_event && !self.has_error {
                self.finish.get_or_insert_with(|| "stop".to_owned());
            }
        }
    }

    /// Some servers repeat the whole text so far beside each piece of it.
    fn leave_out_known(&mut self, index: u64, texts: &mut Texts) {
        let known = self.choices.iter().find(|choice| choice.index == index);
        let known = known.map_or(&b""[..], |choice| choice.said.as_bytes());
        if texts.said.starts_with(known) {
            texts.said.drain(..known.len());
        } else if known.ends_with(&texts.said) {
            texts.said.clear();
        }
        if !self.reasoning.text.is_empty() {
            texts.thought.clear();
        }
    }

    fn add(&mut self, choice: u64, texts: &Texts) {
        if !texts.thought.is_empty() {
            let thought = self.reasoning.halves.joined(&texts.thought);
            self.reasoning.push(&thought);
        }
        self.say(choice, &texts.said);
    }

    fn say(&mut self, index: u64, piece: &[u8]) {
        if piece.is_empty() {
            return;
        }
        let known = self.choices.iter().position(|choice| choice.index == index);
        let known = known.unwrap_or(self.choices.len());
        if known == self.choices.len() {
            if known == MAX_CHOICES {
                self.is_full = true;
                return;
            }
            self.choices.push(Choice {
                index,
                ..Choice::default()
            });
        }
        let Self {
            choices,
            said,
            reasoning,
            is_full,
            ..
        } = self;
        let choice = &mut choices[known];
        let text = choice.halves.joined(piece);
        choice.thoughts.split(&text, |part, text| match part {
            Part::Said => {
                let free = MAX_TEXT - *said;
                *is_full |= text.len() > free;
                let text = &text[..text.floor_char_boundary(free)];
                *said += text.len();
                choice.said.push_str(text);
            }
            Part::Thought => reasoning.push(text),
        });
    }

    fn read_calls(&mut self, message: &RawValue) {
        let [calls, call] = fields(message, ["tool_calls", "function_call"]);
        let mut place = 0;
        each_item(calls, |call| {
            self.is_full |= !self.calls.read(place, call, MAX_TEXT);
            place += 1;
        });
        if let Some(call) = call {
            self.is_full |= !self.calls.read(0, call, MAX_TEXT);
        }
    }

    /// Ignores a finish reason that is empty or null.
    fn read_finish(&mut self, reason: Option<&RawValue>) {
        let reason = reason.and_then(text_of).unwrap_or_default();
        match &*reason {
            b"" | b"null" => {}
            b"error" => self.has_error = true,
            reason => {
                let reason = String::from_utf8_lossy(reason);
                self.finish = Some(reason.chars().take(40).collect());
            }
        }
    }

    /// What was read. The answer needs no end marker.
    pub fn finish(mut self) -> Answer {
        for choice in &mut self.choices {
            choice.said.push_str(choice.halves.end());
            let (part, held) = choice.thoughts.end();
            match part {
                Part::Said => choice.said.push_str(&held),
                Part::Thought => self.reasoning.push(&held),
            }
        }
        let mut reasoning = self.reasoning.text;
        reasoning.push_str(self.reasoning.halves.end());
        if self.reasoning.is_cut {
            reasoning.push_str(" […]");
        }
        self.choices.sort_by_key(|choice| choice.index);
        let said = self.choices.into_iter().map(|choice| choice.said);
        let said = said.filter(|said| !said.is_empty()).collect::<Vec<_>>();
        let mut text = said.join("\n\n");
        let tools = self.calls.finish();
        if text.trim().is_empty() {
            text = spoken_in(&tools).unwrap_or_default();
        }
        Answer {
            text,
            reasoning,
            tools,
            finish: self.finish,
            has_error: self.has_error,
            cut: None,
            began: None,
        }
    }
}
