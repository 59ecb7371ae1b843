//! What the tracker asks its caller.

use super::message::{ConversationRef, MessageId};
use super::text_hash::TextHash;

/// What the caller has stored of a key and child.
pub trait StoredTextLookup {
    /// Whether a text with this hash was stored within the last 400 days, also if it was erased since.
    fn has(&self, hash: TextHash) -> bool;

    /// The text of a message; `None` if it can't be read.
    fn text(&self, place: ConversationRef, id: MessageId) -> Option<String>;
}
