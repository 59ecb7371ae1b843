//! The grouping rule: which conversation a chat request belongs to, and which words in it are new.
//!
//! A client of OpenAI's or Ollama's chat API sends the whole history with every request, and says neither where a conversation
//! begins nor which words it sent before. This module compares each history with the recent sessions of the same key and child.
//! It returns the child's new words, how much of earlier answers the child heard, and whether the request was the program's own,
//! for example for a title.
//!
//! No word is lost: when in doubt, words are kept, and nothing is deleted because a later history lacks it.
//!
//! There is no I/O here. [`Request`] and [`AnswerReader`] parse bytes; [`Grouping`] is the memory of one key and child,
//! which the caller stores.

mod alignment;
mod answer;
mod background;
mod begin;
mod choice;
mod entry;
mod history;
mod json;
mod memory;
mod message;
mod ollama;
mod request;
mod session;
mod update;

pub use answer::{Answer, AnswerForm, AnswerReader, CutBy};
pub use background::BackgroundReason;
pub use begin::{Begun, MovedIn};
pub use json::parse as parse_json;
pub use memory::{Answered, Grouping};
pub use message::{FoldedId, Message, MessageId, Place, SessionNumber, Speaker, TurnId};
pub use request::{InvalidRequest, Request, RequestHeaders};

#[cfg(test)]
mod tests;
