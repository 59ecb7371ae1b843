//! Finds the JSON values in the bytes of an answer, in whatever form they come.

use std::mem::take;

use memchr::memchr2;
use serde_json::value::RawValue;

use super::fields::{each_item, replace_non_finite_numbers};
use super::json_end::JsonEndScanner;
use super::message::Message;
use super::{Answer, AnswerForm};

/// The maximum length in bytes of one JSON value. It is more than [`MAX_TEXT`](super::message::MAX_TEXT) in escapes.
const MAX_VALUE: usize = 8 * 1024 * 1024;

const DATA: &[u8] = b"data:";
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// How much of a line tells its kind, in bytes.
const LONGEST_START: usize = DATA.len() + BYTE_ORDER_MARK.len();

/// Where in a line the next byte is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Position {
    /// At its start, or in a beginning that may still become [`DATA`].
    #[default]
    Start,
    /// Where JSON stands.
    Json,
    /// In what isn't JSON: comments, the names of events.
    Other,
}

/// Reads an answer from chunks that may be cut anywhere. A value is parsed when its end has come, not again with each chunk.
#[derive(Debug, Default)]
pub struct AnswerReader {
    place: Position,
    /// The bytes of a line whose beginning can't be told yet.
    start: Vec<u8>,
    /// Whether the last byte was a carriage return, so that a line feed belongs to the same end of line.
    was_return: bool,
    /// A JSON value whose end hasn't come. It may span lines, also those of one event.
    value: Vec<u8>,
    balance: JsonEndScanner,
    /// Whether the value is an event's.
    is_event: bool,
    has_events: bool,
    has_lines: bool,
    message: Message,
    #[cfg(test)]
    pub(super) parsed: usize,
}

impl AnswerReader {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while let [first, ..] = rest
            && !self.is_full()
        {
            if take(&mut self.was_return) && *first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let end = memchr2(b'\n', b'\r', rest);
            self.read_line(&rest[..end.unwrap_or(rest.len())]);
            let Some(end) = end else {
                return;
            };
            self.end_line();
            self.was_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
        }
        if self.is_full() {
            self.value = Vec::new();
        }
    }

    /// Whether the answer has more than is kept. Then nothing more is read.
    pub fn is_full(&self) -> bool {
        self.message.is_full()
    }

    /// The length of the text so far.
    pub fn said(&self) -> usize {
        self.message.said()
    }

    /// The form of what has come; `None` if that can't be told yet.
    pub fn form(&self) -> Option<AnswerForm> {
        if self.has_events {
            Some(AnswerForm::Events)
        } else if self.has_lines {
            Some(AnswerForm::Lines)
        } else {
            (!self.value.is_empty()).then_some(AnswerForm::Whole)
        }
    }

    /// What was read so far, without a value whose end hasn't come.
    pub fn so_far(&self) -> Answer {
        self.message.clone().finish()
    }

    /// Returns what was read.
    pub fn finish(mut self) -> Answer {
        if !self.is_full() {
            self.give_up();
        }
        self.message.finish()
    }

    /// Reads a piece of a line.
    fn read_line(&mut self, piece: &[u8]) {
        match self.place {
            Position::Other => {}
            Position::Json => self.read_json(piece),
            Position::Start if self.start.is_empty() && piece.len() > LONGEST_START => {
                self.begin_line(piece)
            }
            Position::Start => {
                self.start.extend_from_slice(piece);
                if self.start.starts_with(BYTE_ORDER_MARK) {
                    self.start.drain(..BYTE_ORDER_MARK.len());
                }
                let is_open = |begin: &[u8]| begin.starts_with(&self.start);
                if !is_open(DATA) && !is_open(BYTE_ORDER_MARK) {
                    let start = take(&mut self.start);
                    self.begin_line(&start);
                }
            }
        }
    }

    /// Reads the beginning of a line, with which its kind can be told.
    fn begin_line(&mut self, line: &[u8]) {
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        let data = line.strip_prefix(DATA);
        let is_another = if self.is_event {
            data.is_none() && line.starts_with(b"{")
        } else {
            data.is_some()
        };
        if is_another && !self.value.is_empty() {
            self.give_up();
        }
        self.place = Position::Json;
        if let Some(data) = data {
            self.is_event = true;
            self.has_events = true;
            self.read_json(data);
        } else if self.value.is_empty() {
            self.is_event = false;
            self.read_json(line);
        } else if self.is_event {
            // Another field of the same event.
            self.place = Position::Other;
        } else {
            self.read_json(line);
        }
    }

    fn end_line(&mut self) {
        let start = take(&mut self.start);
        let is_empty = self.place == Position::Start && start.is_empty();
        if !start.is_empty() {
            self.begin_line(&start);
        }
        self.place = Position::Start;
        if is_empty && self.is_event {
            self.give_up();
        } else if self.balance.is_in_string() {
            // No string spans lines.
            self.forget_value();
        } else if !self.value.is_empty() {
            self.add_to_value(b"\n");
        }
    }

    fn read_json(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while !rest.is_empty() {
            if self.value.is_empty() {
                rest = rest.trim_ascii_start();
                match rest.first() {
                    None => return,
                    Some(b'{' | b'[') => {}
                    Some(_) => {
                        self.place = Position::Other;
                        return;
                    }
                }
            }
            let Some(end) = self.balance.end_in(rest) else {
                self.add_to_value(rest);
                return;
            };
            if self.value.is_empty() {
                self.parse(&rest[..end]);
            } else {
                self.add_to_value(&rest[..end]);
                let value = take(&mut self.value);
                if !self.parse(&value) {
                    self.parse_lines(&value);
                }
            }
            rest = &rest[end..];
        }
    }

    fn add_to_value(&mut self, piece: &[u8]) {
        if self.value.len() + piece.len() > MAX_VALUE {
            self.message.note_full();
        } else {
            self.value.extend_from_slice(piece);
        }
    }

    fn forget_value(&mut self) {
        self.value.clear();
        self.balance = JsonEndScanner::default();
    }

    /// Reads the lines of a value whose end doesn't come, each by itself.
    pub(super) fn give_up(&mut self) {
        let value = take(&mut self.value);
        self.balance = JsonEndScanner::default();
        self.parse_lines(&value);
    }

    fn parse_lines(&mut self, value: &[u8]) {
        if value.contains(&b'\n') {
            for line in value.split(|byte| *byte == b'\n') {
                self.parse(line);
            }
        }
    }

    /// Returns whether it is JSON.
    fn parse(&mut self, value: &[u8]) -> bool {
        #[cfg(test)]
        {
            self.parsed += value.len();
        }
        let text = String::from_utf8_lossy(value);
        if let Ok(value) = serde_json::from_str::<&RawValue>(&text) {
            self.read(value);
            return true;
        }
        let Some(repaired) = replace_non_finite_numbers(&text) else {
            return false;
        };
        let value = serde_json::from_str::<&RawValue>(&repaired);
        value.map(|value| self.read(value)).is_ok()
    }

    fn read(&mut self, value: &RawValue) {
        self.has_lines |= !self.is_event;
        let is_event = self.is_event;
        let message = &mut self.message;
        if value.get().starts_with('[') {
            each_item(Some(value), |value| message.read(value, is_event));
        } else {
            message.read(value, is_event);
        }
    }
}
