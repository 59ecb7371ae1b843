//! What a delivered message does: it is stored, replaces, or changes nothing.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::kernel::clock::Timestamp;

/// The assistant's own name for a session: 1 to 128 of `A–Z a–z 0–9 . _ : -`, unique within that assistant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionName(String);

/// Text that cannot name a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "A session's name has 1 to 128 characters: letters A to Z, digits, dot, underscore, colon and hyphen."
)]
pub struct NotASessionName;

impl SessionName {
    /// The longest name, in characters (contract, section 4).
    const LONGEST: usize = 128;

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SessionName {
    type Err = NotASessionName;

    fn from_str(text: &str) -> Result<Self, NotASessionName> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
        let fits = (1..=Self::LONGEST).contains(&text.len()) && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned())).ok_or(NotASessionName)
    }
}

/// One utterance, as it is stored and answered.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The assistant's id for it, unique within the session.
    pub message_id: String,
    /// Who spoke; the assistant's own label is `assistant`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What was said, exactly as it was delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_content: Option<String>,
    /// When it was said, as the first delivery has it.
    pub timestamp: Timestamp,
    /// The kind of content, in the assistant's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The kind of event, in the assistant's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_type: Option<String>,
    /// Where in the recording it starts, in samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_sample: Option<u64>,
    /// Whether it was cut short; then the text is what was heard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<bool>,
}

/// A message on its way in.
#[derive(Clone)]
pub struct MessageDelivery {
    /// The message.
    pub message: Message,
    /// Higher ones replace lower ones.
    pub revision: u64,
}

impl std::ops::Deref for MessageDelivery {
    type Target = Message;

    fn deref(&self) -> &Message {
        &self.message
    }
}

/// What became of a delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// Messages that were new.
    pub stored: u64,
    /// Messages that replaced an earlier revision.
    pub replaced: u64,
    /// Messages that were known already.
    pub ignored: u64,
    /// How many messages the session has now.
    pub message_count: u64,
}

impl Delivered {
    pub(super) fn changed_anything(&self) -> bool {
        self.stored + self.replaced > 0
    }
}

/// Where a message stands in its session, and which revision of it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub at: Timestamp,
    pub arrival: u64,
    pub revision: u64,
}

/// What to do with a delivered message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is new.
    Store(Place),
    /// It corrects one that is there, in its place.
    Replace(Place),
    /// It is known, or older than what is there.
    Ignore,
}

/// Decides what a delivery does, from what is kept under its id and how many messages arrived before.
pub fn place(kept: Option<Place>, message: &MessageDelivery, arrived: u64) -> Verdict {
    let revision = message.revision;
    match kept {
        None => Verdict::Store(Place {
            at: message.timestamp,
            arrival: arrived,
            revision,
        }),
        Some(kept) if revision > kept.revision => Verdict::Replace(Place { revision, ..kept }),
        Some(_) => Verdict::Ignore,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivery(micros: i64, revision: u64) -> MessageDelivery {
        let message = Message {
            message_id: "m".into(),
            source: None,
            text_content: None,
            timestamp: Timestamp::from_micros(micros),
            content_type: None,
            event_type: None,
            start_sample: None,
            interrupted: None,
        };
        MessageDelivery { message, revision }
    }

    fn kept(revision: u64) -> Option<Place> {
        Some(Place {
            at: Timestamp::from_micros(5),
            arrival: 3,
            revision,
        })
    }

    #[test]
    fn a_new_message_takes_the_next_place() {
        let place_of_new = place(None, &delivery(7, 2), 4);

        let expected = Place {
            at: Timestamp::from_micros(7),
            arrival: 4,
            revision: 2,
        };
        assert_eq!(place_of_new, Verdict::Store(expected));
    }

    #[test]
    fn a_higher_revision_replaces_in_the_first_deliverys_place() {
        let corrected = place(kept(0), &delivery(99, 1), 4);

        let expected = Place {
            at: Timestamp::from_micros(5),
            arrival: 3,
            revision: 1,
        };
        assert_eq!(corrected, Verdict::Replace(expected));
    }

    #[test]
    fn an_equal_or_lower_revision_changes_nothing() {
        assert_eq!(place(kept(1), &delivery(5, 1), 4), Verdict::Ignore);
        assert_eq!(place(kept(1), &delivery(5, 0), 4), Verdict::Ignore);
    }

    #[test]
    fn a_sessions_name_has_1_to_128_plain_characters() {
        let longest = "a".repeat(128);
        for name in ["a", "2026-11-21T16:05", "room.7_b", &longest] {
            assert!(name.parse::<SessionName>().is_ok(), "{name}");
        }
        let too_long = "a".repeat(129);
        for name in ["", "a b", "ä", "a/b", "a\n", &too_long] {
            assert_eq!(name.parse::<SessionName>(), Err(NotASessionName), "{name}");
        }
    }
}
