//! Messages that were delivered but could not be stored. Only their hashes are stored, so that each is counted once; they are
//! erased with the session.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use sha2::{Digest, Sha256};

use super::delivery::MessageDelivery;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotKeptReason {
    /// Another text has the same id and revision, or the message with its id was revised too often.
    IdUsedTwice,
    /// It doesn't match the API's schema.
    Invalid,
    /// The store failed, and the key's setting lets the assistant continue nevertheless.
    NotStored,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotKeptCount {
    pub reason: NotKeptReason,
    pub count: u64,
}

/// Totals over all sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotKeptTotal {
    pub reason: NotKeptReason,
    pub messages: u64,
    /// The number of sessions they belong to.
    pub sessions: u64,
}

/// This is also its stored form.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotKeptMessage {
    reason: NotKeptReason,
    /// A hash of its id, revision and text.
    message: String,
    /// A hash that is equal for a message with another id if it is the same utterance.
    utterance: Option<String>,
}

impl NotKeptMessage {
    /// The stored size of one, in bytes.
    pub(super) const MOST_BYTES: usize = 100;

    /// An invalid message, with the fields that could be read.
    pub fn invalid(id: Option<&str>, revision: u64, text: Option<&str>) -> Self {
        Self {
            reason: NotKeptReason::Invalid,
            message: hash(&(id, revision, text)),
            utterance: None,
        }
    }

    /// A message that was passed on without being stored. `id` is unique within the session.
    pub fn not_stored(id: &str) -> Self {
        Self {
            reason: NotKeptReason::NotStored,
            message: hash(&id),
            utterance: None,
        }
    }

    pub(super) fn with_used_id(message: &MessageDelivery) -> Self {
        Self {
            reason: NotKeptReason::IdUsedTwice,
            message: message_hash(message),
            utterance: Some(utterance_hash(message)),
        }
    }
}

/// At most [`NotKept::MOST`]. This is also its stored form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NotKept(Vec<NotKeptMessage>);

impl NotKept {
    const MOST: usize = 100;

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether it was counted: not if it was counted before or the limit is reached.
    pub(super) fn add(&mut self, message: NotKeptMessage) -> bool {
        let is_known = self.0.iter().any(|known| known.message == message.message);
        let is_added = !is_known && self.0.len() < Self::MOST;
        if is_added {
            self.0.push(message);
        }
        is_added
    }

    /// Uncounts a message that was stored after all, because it was corrected or sent with another id.
    pub(super) fn remove_stored(&mut self, stored: &MessageDelivery) {
        if self.is_empty() {
            return;
        }
        let (message, utterance) = (message_hash(stored), Some(utterance_hash(stored)));
        self.0
            .retain(|known| known.message != message && known.utterance != utterance);
    }

    /// The number of messages that are not in `before`.
    pub(super) fn count_others(&self, before: &Self) -> u64 {
        let others = self.0.iter().filter(|message| !before.0.contains(message));
        others.count() as u64
    }

    /// The counts, without reasons that have none.
    pub(super) fn counts(&self) -> Vec<NotKeptCount> {
        let reasons = [
            NotKeptReason::IdUsedTwice,
            NotKeptReason::Invalid,
            NotKeptReason::NotStored,
        ];
        let counts = reasons.map(|reason| {
            let messages = self.0.iter().filter(|message| message.reason == reason);
            NotKeptCount {
                reason,
                count: messages.count() as u64,
            }
        });
        let some = counts.into_iter().filter(|counted| counted.count > 0);
        some.collect()
    }
}

fn message_hash(message: &MessageDelivery) -> String {
    let id = Some(message.message_id.as_str());
    hash(&(id, message.revision, message.text_content.as_deref()))
}

fn utterance_hash(message: &MessageDelivery) -> String {
    hash(&(message.said_at(), &message.source, &message.text_content))
}

/// 64 bits of a hash of the value's JSON, in hexadecimal.
fn hash(value: &impl Serialize) -> String {
    let json = serde_json::to_vec(value).expect("ids and texts are JSON");
    hex::encode(&Sha256::digest(json)[..8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversations::transcripts::Message;
    use crate::kernel::host::clock::Timestamp;

    fn said(id: &str, text: &str, at: Option<&str>) -> MessageDelivery {
        let now = Timestamp::parse("2026-11-21T20:00:00Z").unwrap();
        let message = Message {
            text_content: Some(text.to_owned()),
            ..Message::new(id, now)
        };
        let at = at.map(|at| Timestamp::parse(at).unwrap());
        MessageDelivery::new(message, 0, at, now)
    }

    const MORNING: Option<&str> = Some("2026-11-21T08:00:00Z");
    const NOON: Option<&str> = Some("2026-11-21T12:00:00Z");

    #[test]
    fn a_message_is_counted_once_and_at_most_a_hundred_are() {
        let mut not_kept = NotKept::default();
        for _ in 0..2 {
            not_kept.add(NotKeptMessage::with_used_id(&said("a", "Yes.", MORNING)));
        }
        assert_eq!(not_kept.0.len(), 1);
        let stored = serde_json::to_string(&not_kept).unwrap();
        assert!(stored.len() <= NotKeptMessage::MOST_BYTES, "{stored}");

        for revision in 0..200 {
            not_kept.add(NotKeptMessage::invalid(Some("b"), revision, None));
        }
        let counts = not_kept.counts();
        let counts = counts.iter().map(|counted| (counted.reason, counted.count));
        assert_eq!(
            counts.collect::<Vec<_>>(),
            [
                (NotKeptReason::IdUsedTwice, 1),
                (NotKeptReason::Invalid, 99)
            ]
        );
    }

    #[test]
    fn a_message_that_is_stored_later_is_no_longer_counted() {
        let used_twice = said("a", "Yes.", MORNING);
        let cases = [
            (said("a~1", "Yes.", MORNING), 0),
            (said("a~1", "Yes.", NOON), 1),
            (said("a~1", "Yes.", None), 1),
            (said("a~1", "No.", MORNING), 1),
        ];
        for (stored, left) in cases {
            let mut not_kept = NotKept::default();
            not_kept.add(NotKeptMessage::with_used_id(&used_twice));
            not_kept.remove_stored(&stored);
            assert_eq!(not_kept.0.len(), left, "{}", stored.message_id);
        }

        let mut not_kept = NotKept::default();
        not_kept.add(NotKeptMessage::invalid(Some("b"), 0, Some("Yes.")));
        not_kept.remove_stored(&said("c", "Yes.", NOON));
        assert_eq!(not_kept.0.len(), 1);
        not_kept.remove_stored(&said("b", "Yes.", NOON));
        assert!(not_kept.is_empty());
    }
}
