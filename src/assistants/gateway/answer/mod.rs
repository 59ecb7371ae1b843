//! What a model answers: every text that it writes, read from a copy of the bytes while they pass on unchanged.
//!
//! The form is recognised from what arrives: server-sent events, one JSON value per line, or one JSON value. Servers differ from
//! what was asked for, and from their own content type.

mod call;
mod fields;
mod json_end;
mod message;
mod parts;
mod reader;
mod text;

pub use call::spoken;
pub use reader::AnswerReader;
pub use text::{Part, Thoughts};

use crate::kernel::host::clock::Timestamp;

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
    /// The upstream's, or this one: at the deadline, at a limit, or when talking was no longer allowed.
    Server,
}

/// A model's answer, as far as it was read.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub text: String,
    /// What the model wrote before or between its words, in fields of its own or as `<think>`.
    pub reasoning: String,
    /// The calls of tools: each one's name and its arguments as they came, as a rule JSON.
    pub tools: Vec<(String, String)>,
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

    /// The same answer; if it doesn't say that it is complete, it was cut off.
    #[must_use]
    pub fn ended_by(mut self, by: CutBy) -> Self {
        self.cut = self.finish.is_none().then_some(by);
        self
    }

    /// Whether nothing was said and no tool was called.
    pub fn is_empty(&self) -> bool {
        let texts = [&self.text, &self.reasoning];
        texts.iter().all(|text| text.trim().is_empty()) && self.tools.is_empty()
    }
}

#[cfg(test)]
mod tests;
