//! The grouping rule: which conversation a chat request belongs to, and which words in it are new.
//!
//! A client of OpenAI's or Ollama's chat API sends the whole history with every request, and says neither where a conversation
//! begins nor which words it sent before. This module compares each history with the recent sessions of the same key and child.
//! It returns the child's new words, how much of earlier answers the child heard, and whether the request was the program's own,
//! for example for a title.
//!
//! **No text is lost, whoever writes the request.** What makes a text old is that it is stored. The child's words after the last
//! known item are new, and what else the model reads is stored once beside the conversation. When in doubt, words are kept;
//! nothing is deleted or shortened because a later history lacks it.
//!
//! There is no I/O here. [`ConversationTracker`] is what is remembered of one key and
//! child, which the caller stores. It has hashes instead of texts.

mod alignment;
mod begin;
mod choice;
mod entry;
mod history;
mod kind;
mod memory;
mod message;
mod readable;
mod request;
mod session;
mod stored_text_lookup;
mod templates;
mod text_hash;
mod update;

pub use begin::{Begun, MovedIn};
pub use history::heard_units;
pub use memory::{Answered, ConversationTracker};
pub use message::{BackgroundId, ConversationRef, Message, MessageId, SessionNumber, TurnId};
pub use request::{Request, RequestHeaders};
pub use session::Session;
pub use stored_text_lookup::StoredTextLookup;
pub use text_hash::{TextHash, TextKey};
pub use update::{Additions, Heard};

#[cfg(test)]
mod tests;
