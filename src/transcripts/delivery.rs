//! What a delivered message does: it is stored, replaces, or changes nothing.

use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::kernel::clock::Timestamp;

/// The assistant's own name for a session: 1 to 128 of `A–Z a–z 0–9 . _ : -`, unique within that assistant
/// and child.
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
    /// Whose voice it was: a voice print's name, or the assistant's word for a voice that it does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
}

/// A message on its way in.
#[derive(Clone)]
pub struct MessageDelivery {
    /// The message.
    pub message: Message,
    /// Higher ones replace lower ones.
    pub revision: u64,
    /// Whether its timestamp is the assistant's.
    is_timed: bool,
    /// Whether its timestamp is the server's, because the one that was sent cannot be.
    is_adjusted: bool,
}

impl MessageDelivery {
    /// A message with the time at which the assistant says that it was said. A time that cannot be, or none, becomes the
    /// time of arrival.
    pub fn new(
        message: Message,
        revision: u64,
        said_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Self {
        let believed = said_at.filter(|at| is_possible(*at, now));
        let message = Message {
            timestamp: believed.unwrap_or(now),
            ..message
        };
        Self {
            message,
            revision,
            is_timed: believed.is_some(),
            is_adjusted: said_at.is_some() && believed.is_none(),
        }
    }

    /// A message from a file, with the time that stands there.
    pub fn of(message: Message) -> Self {
        Self {
            message,
            revision: 0,
            is_timed: true,
            is_adjusted: false,
        }
    }

    /// Whether the assistant says that it was said after this moment.
    pub(super) fn is_said_after(&self, moment: Timestamp) -> bool {
        self.said_at().is_some_and(|at| at > moment)
    }

    /// When it was said, if the assistant says.
    pub(super) fn said_at(&self) -> Option<Timestamp> {
        self.is_timed.then_some(self.message.timestamp)
    }

    pub(super) fn is_adjusted(&self) -> bool {
        self.is_adjusted
    }
}

impl std::ops::Deref for MessageDelivery {
    type Target = Message;

    fn deref(&self) -> &Message {
        &self.message
    }
}

/// Nothing was said before this: 2000-01-01T00:00:00Z (beyond the specification, section 8).
const EARLIEST: Timestamp = Timestamp::from_micros(946_684_800_000_000);

/// How far ahead of the server's an assistant's clock may be (beyond the specification, section 8).
const AHEAD: Duration = Duration::from_secs(10 * 60);

/// Whether something can have happened at this time.
pub fn is_possible(at: Timestamp, now: Timestamp) -> bool {
    EARLIEST <= at && at <= now.after(AHEAD)
}

/// What became of a delivery's messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// How many were kept: new ones, and ones that replaced an earlier revision.
    pub stored: u64,
    /// How many were known already.
    pub repeated: u64,
    /// Ids under which other words are kept for the same revision.
    pub conflicting: Vec<String>,
    /// Ids of new messages whose time cannot be, and which have the time of arrival.
    pub adjusted: Vec<String>,
    /// Whether a message was moved to an earlier delivered time.
    pub(super) moved: bool,
}

impl Delivered {
    pub(super) fn changed_anything(&self) -> bool {
        self.stored > 0 || self.moved
    }
}

/// Where a message stands in its session, and which revision of it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub at: Timestamp,
    pub arrival: u64,
    pub revision: u64,
    /// The lowest revision that arrived: it says when the message was said, so that the order of arrival does not.
    #[serde(default)]
    pub lowest: u64,
}

/// What to do with a delivered message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is new.
    Store(Place),
    /// It corrects one that is there, in its place.
    Replace(Place),
    /// It is older than what is there, which was said when this one was.
    Move(Place),
    /// The same revision is there. Whether it has the same words is for the caller to see.
    Known,
    /// It is older than what is there.
    Ignore,
}

/// Decides what a delivery does, from what is kept under its id and how many messages arrived before.
pub fn place(kept: Option<Place>, message: &MessageDelivery, arrived: u64) -> Verdict {
    let revision = message.revision;
    let Some(kept) = kept else {
        return Verdict::Store(Place {
            at: message.timestamp,
            arrival: arrived,
            revision,
            lowest: revision,
        });
    };
    if revision > kept.revision {
        Verdict::Replace(Place { revision, ..kept })
    } else if revision == kept.revision {
        Verdict::Known
    } else if revision < kept.lowest && message.is_timed {
        Verdict::Move(Place {
            at: message.timestamp,
            lowest: revision,
            ..kept
        })
    } else {
        Verdict::Ignore
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Message {
        Message {
            message_id: "m".into(),
            source: None,
            text_content: None,
            timestamp: Timestamp::from_micros(0),
            content_type: None,
            event_type: None,
            start_sample: None,
            interrupted: None,
            speaker: None,
        }
    }

    fn at(micros: i64) -> Timestamp {
        EARLIEST.after(Duration::from_micros(micros.unsigned_abs()))
    }

    fn delivery(micros: i64, revision: u64) -> MessageDelivery {
        MessageDelivery::new(message(), revision, Some(at(micros)), at(1_000))
    }

    fn kept(revision: u64, lowest: u64) -> Place {
        Place {
            at: at(5),
            arrival: 3,
            revision,
            lowest,
        }
    }

    #[test]
    fn a_message_goes_where_its_lowest_revision_was_said() {
        let new = Place {
            at: at(7),
            arrival: 4,
            revision: 2,
            lowest: 2,
        };
        let moved = Place {
            at: at(7),
            lowest: 1,
            ..kept(3, 2)
        };
        let cases = [
            (None, 2, Verdict::Store(new)),
            (Some(kept(0, 0)), 1, Verdict::Replace(kept(1, 0))),
            (Some(kept(3, 2)), 1, Verdict::Move(moved)),
            (Some(kept(1, 0)), 1, Verdict::Known),
            (Some(kept(2, 0)), 1, Verdict::Ignore),
            (Some(kept(2, 0)), 0, Verdict::Ignore),
        ];

        for (kept, revision, expected) in cases {
            assert_eq!(place(kept, &delivery(7, revision), 4), expected, "{kept:?}");
        }
    }

    #[test]
    fn a_time_that_cannot_be_becomes_the_time_of_arrival() {
        let now = Timestamp::parse("2026-11-21T20:00:00Z").unwrap();
        let cases = [
            (Some("2026-11-21T20:00:00Z"), "2026-11-21T20:00:00Z", false),
            (Some("2026-11-21T20:10:00Z"), "2026-11-21T20:10:00Z", false),
            (Some("2026-11-21T20:10:01Z"), "2026-11-21T20:00:00Z", true),
            (Some("2000-01-01T00:00:00Z"), "2000-01-01T00:00:00Z", false),
            (Some("1999-12-31T23:59:59Z"), "2026-11-21T20:00:00Z", true),
            (None, "2026-11-21T20:00:00Z", false),
        ];

        for (sent, expected, is_adjusted) in cases {
            let sent_at = sent.map(|sent| Timestamp::parse(sent).unwrap());
            let delivery = MessageDelivery::new(message(), 0, sent_at, now);
            assert_eq!(delivery.timestamp.to_string(), expected, "{sent:?}");
            assert_eq!(delivery.is_adjusted, is_adjusted, "{sent:?}");
        }
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
