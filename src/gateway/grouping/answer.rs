//! Reads a copy of an upstream's answer, streamed or not, while its bytes pass on unchanged.

use serde_json::Value;

use super::history::{spoken, text_of, without_reasoning};
use super::json;
use crate::kernel::clock::Timestamp;

/// The maximum length in bytes of a line and of an answer's text. Longer lines, and the rest of a longer text, are ignored.
const MAX_LINE: usize = 4 * 1024 * 1024;
const MAX_TEXT: usize = 1024 * 1024;

/// The maximum length in bytes of JSON that spans several lines of an event.
const MAX_JOINED: usize = 64 * 1024;

/// The maximum number of tool calls that are read in one answer.
const MAX_TOOLS: usize = 64;

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// Server-sent events: `/chat/completions` with `"stream": true`.
    Events,
    /// One JSON value per line: Ollama with `"stream": true`.
    Lines,
    /// One JSON value.
    Whole,
}

/// Who ended an answer before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutBy {
    Client,
    Upstream,
}

/// A model's answer, as far as it was read.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub text: String,
    /// The first choice's calls: name and arguments.
    pub(super) tools: Vec<(String, Value)>,
    /// Such as `stop` or `length`; `None` if the answer doesn't say that it is complete.
    pub finish: Option<String>,
    /// Whether the upstream reported an error, perhaps after a part of the answer.
    pub has_error: bool,
    pub cut: Option<CutBy>,
    /// When the first of it was sent: the time of its message. A later request can begin before an interrupted answer's end is
    /// known.
    pub began: Option<Timestamp>,
}

impl Answer {
    /// A complete answer with this text.
    pub fn whole(text: String) -> Self {
        Self {
            text,
            finish: Some("stop".to_owned()),
            ..Self::default()
        }
    }

    /// An answer of which only this text was sent.
    pub fn cut_off(text: String, by: CutBy) -> Self {
        Self {
            text,
            cut: Some(by),
            ..Self::default()
        }
    }

    /// The names of the called tools, in order.
    pub fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.tools.is_empty()
    }
}

#[derive(Clone, Default)]
struct ToolCall {
    index: u64,
    name: String,
    /// An object, or JSON text that arrives in pieces.
    arguments: Value,
}

/// Reads an answer from chunks that may be cut anywhere.
#[derive(Clone)]
pub struct AnswerReader {
    form: AnswerForm,
    /// The bytes since the last end of a line.
    line: Vec<u8>,
    /// Whether the current line exceeds [`MAX_LINE`].
    is_too_long: bool,
    /// Whether the last byte was a carriage return, so that a line feed belongs to the same end of line.
    was_return: bool,
    /// The `data` lines of the current event.
    data: Vec<u8>,
    text: String,
    tools: Vec<ToolCall>,
    finish: Option<String>,
    has_error: bool,
}

impl AnswerReader {
    pub fn new(form: AnswerForm) -> Self {
        Self {
            form,
            line: Vec::new(),
            is_too_long: false,
            was_return: false,
            data: Vec::new(),
            text: String::new(),
            tools: Vec::new(),
            finish: None,
            has_error: false,
        }
    }

    pub fn push(&mut self, chunk: &[u8]) {
        if self.form == AnswerForm::Whole {
            self.append(chunk);
            return;
        }
        let mut rest = chunk;
        if self.was_return && !rest.is_empty() {
            self.was_return = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.append(&rest[..end]);
            self.end_line();
            let is_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            if is_return {
                self.was_return = rest.is_empty();
                rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            }
        }
        self.append(rest);
    }

    /// What was read so far.
    pub fn so_far(&self) -> Answer {
        self.clone().finish()
    }

    /// Returns what was read. The answer needs no end marker.
    pub fn finish(mut self) -> Answer {
        self.end_line();
        let tools = self.tools.into_iter().map(|call| {
            let arguments = match &call.arguments {
                Value::String(json) => serde_json::from_str(json).unwrap_or(call.arguments),
                _ => call.arguments,
            };
            (call.name, arguments)
        });
        let tools = tools
            .filter(|(name, _)| !name.is_empty())
            .collect::<Vec<_>>();
        let mut text = without_reasoning(&self.text);
        if text.trim().is_empty() {
            let said = tools
                .iter()
                .find_map(|(name, arguments)| spoken(name, arguments));
            text = said.unwrap_or_default().to_owned();
        }
        Answer {
            text,
            tools,
            finish: self.finish,
            has_error: self.has_error,
            cut: None,
            began: None,
        }
    }

    fn append(&mut self, bytes: &[u8]) {
        if self.is_too_long || self.line.len() + bytes.len() > MAX_LINE {
            self.is_too_long = true;
            self.line.clear();
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_too_long) {
            return;
        }
        match self.form {
            AnswerForm::Events => self.read_event_line(&line),
            AnswerForm::Lines | AnswerForm::Whole => {
                if let Ok(value) = json::parse(&line) {
                    self.read(&value);
                }
            }
        }
        // Keeps its capacity for the next line.
        self.line = line;
        self.line.clear();
    }

    /// An event's data may be spread over several lines. It is read as soon as it is complete: some upstreams leave out the
    /// empty line after it.
    fn read_event_line(&mut self, line: &[u8]) {
        if line.is_empty() {
            self.data.clear();
            return;
        }
        let Some(data) = line.strip_prefix(b"data:") else {
            return;
        };
        let data = data.strip_prefix(b" ").unwrap_or(data);
        if let Ok(value) = json::parse(data) {
            self.data.clear();
            self.read(&value);
        } else if self.data.len() + data.len() < MAX_JOINED {
            self.data.extend_from_slice(data);
            self.data.push(b'\n');
            if let Ok(value) = json::parse(&self.data) {
                self.data.clear();
                self.read(&value);
            }
        }
    }

    /// Reads a chunk or a whole answer of either API.
    fn read(&mut self, value: &Value) {
        if !value["error"].is_null() {
            self.has_error = true;
        }
        let choices = value["choices"].as_array();
        let is_first = |choice: &&Value| choice["index"].as_u64().unwrap_or(0) == 0;
        if let Some(choice) = choices.into_iter().flatten().find(is_first) {
            let part = if choice["delta"].is_object() {
                &choice["delta"]
            } else {
                &choice["message"]
            };
            self.read_message(part);
            self.read_finish(&choice["finish_reason"]);
        } else if value["message"].is_object() {
            self.read_message(&value["message"]);
            if value["done"] == true {
                self.finish = Some("stop".to_owned());
                self.read_finish(&value["done_reason"]);
            }
        }
    }

    fn read_finish(&mut self, reason: &Value) {
        if let Some(reason) = reason.as_str() {
            self.finish = Some(reason.chars().take(40).collect());
        }
    }

    fn read_message(&mut self, message: &Value) {
        for text in [&message["content"], &message["refusal"]] {
            let text = text_of(text);
            let free = MAX_TEXT.saturating_sub(self.text.len());
            self.text.push_str(&text[..text.floor_char_boundary(free)]);
        }
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        for (place, call) in calls.enumerate() {
            let index = call["index"].as_u64();
            self.read_call(index, place, &call["function"]);
        }
        self.read_call(Some(0), 0, &message["function_call"]);
    }

    /// Joins the pieces of a call by its index. Without one, each name begins a call.
    fn read_call(&mut self, index: Option<u64>, place: usize, function: &Value) {
        let name = function["name"].as_str().unwrap_or_default();
        let arguments = &function["arguments"];
        if name.is_empty() && arguments.is_null() {
            return;
        }
        let known = match index {
            Some(index) => self.tools.iter().position(|call| call.index == index),
            None if name.is_empty() => Some(place),
            None => None,
        };
        let known = known.unwrap_or(self.tools.len());
        if known == self.tools.len() && known < MAX_TOOLS {
            self.tools.push(ToolCall {
                index: index.unwrap_or(u64::MAX),
                ..ToolCall::default()
            });
        }
        let Some(call) = self.tools.get_mut(known) else {
            return;
        };
        if call.name.is_empty() {
            call.name = name.chars().take(200).collect();
        }
        match (&mut call.arguments, arguments) {
            (Value::String(json), Value::String(piece)) if json.len() < MAX_TEXT => {
                json.push_str(piece);
            }
            (own @ Value::Null, arguments) => *own = arguments.clone(),
            _ => {}
        }
    }
}
