//! The calls of tools in an answer.

use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{fields, text_of};
use super::json_end::JsonEndScanner;
use super::text::SurrogateJoiner;

/// The maximum number of calls in one answer.
const MAX_CALLS: usize = 64;

/// The maximum length of a tool's name, in characters.
const MAX_NAME: usize = 200;

/// The tools with which a model speaks instead of answering; their only argument is what it says.
const SPEAKING_TOOLS: [&str; 6] = [
    "direct_answer",
    "final_answer",
    "reply",
    "respond",
    "say",
    "speak",
];

/// What a model says with a tool for speaking; `None` for other tools.
pub fn spoken<'a>(name: &str, arguments: &'a Value) -> Option<&'a str> {
    if !is_for_speaking(name) {
        return None;
    }
    let mut texts = arguments.as_object()?.values().filter_map(Value::as_str);
    let first = texts.next()?;
    texts.next().is_none().then_some(first)
}

fn is_for_speaking(name: &str) -> bool {
    SPEAKING_TOOLS.contains(&name.to_ascii_lowercase().as_str())
}

/// What a model says with its calls instead of in its text.
pub fn spoken_in(calls: &[(String, String)]) -> Option<String> {
    let mut speaking = calls.iter().filter(|(name, _)| is_for_speaking(name));
    speaking.find_map(|(name, arguments)| {
        let arguments = serde_json::from_str(arguments).ok()?;
        spoken(name, &arguments).map(str::to_owned)
    })
}

/// The calls so far.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    calls: Vec<Call>,
    /// The length of all arguments.
    bytes: usize,
}

#[derive(Clone, Debug, Default)]
struct Call {
    index: Option<u64>,
    id: Vec<u8>,
    name: String,
    arguments: String,
    halves: SurrogateJoiner,
    balance: JsonEndScanner,
    /// Whether the arguments are one whole JSON value.
    is_complete: bool,
}

/// A piece of a call.
struct Piece<'a> {
    index: Option<u64>,
    /// Among the calls of the same chunk.
    place: usize,
    id: Vec<u8>,
    name: String,
    arguments: Option<&'a RawValue>,
}

impl Calls {
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Reads a piece of a call. Returns `false` if the arguments of all calls would exceed `most` bytes.
    pub fn read(&mut self, place: usize, call: &RawValue, most: usize) -> bool {
        let [index, id, function, custom] = fields(call, ["index", "id", "function", "custom"]);
        let function = function.or(custom).unwrap_or(call);
        let [name, arguments, input] = fields(function, ["name", "arguments", "input"]);
        let text =
            |field: Option<&RawValue>| field.and_then(text_of).unwrap_or_default().into_owned();
        let name = SurrogateJoiner::default()
            .joined(&text(name))
            .chars()
            .take(MAX_NAME)
            .collect();
        let piece = Piece {
            index: index.and_then(|index| index.get().parse().ok()),
            place,
            id: text(id),
            name,
            arguments: arguments.or(input),
        };
        if piece.name.is_empty() && piece.arguments.is_none() {
            return true;
        }
        self.add(piece, most)
    }

    fn add(&mut self, piece: Piece<'_>, most: usize) -> bool {
        let known = self.index_of(&piece).unwrap_or(self.calls.len());
        if known == self.calls.len() {
            if known == MAX_CALLS {
                return false;
            }
            self.calls.push(Call {
                index: piece.index,
                ..Call::default()
            });
        }
        let call = &mut self.calls[known];
        if call.name.is_empty() {
            call.name = piece.name;
        }
        if call.id.is_empty() {
            call.id = piece.id;
        }
        let Some(arguments) = piece.arguments else {
            return true;
        };
        let escaped = text_of(arguments);
        let text = match &escaped {
            Some(text) => call.halves.joined(text),
            None => arguments.get().into(),
        };
        self.bytes += text.len();
        if self.bytes > most {
            return false;
        }
        call.is_complete |= call.balance.end_in(text.as_bytes()).is_some();
        call.arguments.push_str(&text);
        true
    }

    /// The call that a piece continues. Without an index, each name begins a call. Some servers give all calls the same index,
    /// others repeat the name in each piece.
    fn index_of(&self, piece: &Piece<'_>) -> Option<usize> {
        let Some(index) = piece.index else {
            let is_next = piece.name.is_empty() && piece.place < self.calls.len();
            return is_next.then_some(piece.place);
        };
        let mut calls = self.calls.iter();
        let known = calls.rposition(|call| call.index == Some(index))?;
        let call = &self.calls[known];
        let differs = |own: &[u8], new: &[u8]| !own.is_empty() && !new.is_empty() && own != new;
        let has_arguments = piece
            .arguments
            .is_some_and(|arguments| arguments.get() != "\"\"");
        let is_another = differs(&call.id, &piece.id)
            || differs(call.name.as_bytes(), piece.name.as_bytes())
            || !piece.name.is_empty() && call.is_complete && has_arguments;
        (!is_another).then_some(known)
    }

    /// Name and arguments of each call, in order.
    pub fn finish(self) -> Vec<(String, String)> {
        let calls = self.calls.into_iter().map(|mut call| {
            call.arguments.push_str(call.halves.end());
            (call.name, call.arguments)
        });
        calls.collect()
    }
}
