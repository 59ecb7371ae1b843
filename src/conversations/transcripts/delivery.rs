//! What to do with a delivered message: store it, replace an earlier revision, or ignore it.

use std::str::FromStr;
use std::time::Duration;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::kernel::host::clock::Timestamp;

/// The assistant's own id of a session: 1 to 128 of `A–Z a–z 0–9 . _ : -`, unique within that assistant and child.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionName(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "A session's name has 1 to 128 characters: letters A to Z, digits, dot, underscore, colon and hyphen."
)]
pub struct NotASessionName;

impl SessionName {
    /// In characters.
    const LONGEST: usize = 128;

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

/// A message, as it is stored and returned.
#[skip_serializing_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The assistant's id of it, unique within the session.
    pub message_id: String,
    /// Who spoke; `assistant` for the assistant itself.
    pub source: Option<String>,
    /// Exactly as delivered.
    pub text_content: Option<String>,
    /// The time given by the first delivery.
    pub timestamp: Timestamp,
    /// As the assistant names it.
    pub content_type: Option<String>,
    /// As the assistant names it.
    pub event_type: Option<String>,
    /// The offset in the recording, in samples.
    pub start_sample: Option<u64>,
    /// Whether it was interrupted. The text then ends where the child stopped hearing it, or `heard` says where.
    pub interrupted: Option<bool>,
    /// The name of a voice print, or the assistant's word for an unknown voice.
    pub speaker: Option<String>,
    /// Whether it was sent to the app, and it is not known yet whether the child heard it.
    pub generated: Option<bool>,
    /// How much of an interrupted text the child heard, in UTF-16 code units; `None` if the text ends there.
    pub heard: Option<u32>,
    /// Whether the app wrote it in the assistant's name: no model answered it through this server.
    pub from_app: Option<bool>,
    /// What it is, if it wasn't said in the conversation.
    pub kind: Option<MessageKind>,
    /// What it said before it was replaced, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierText>,
}

/// What a message said until it was replaced. This is also its stored form.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierText {
    /// Who spoke then.
    pub source: Option<String>,
    /// The voice then.
    pub speaker: Option<String>,
    pub text_content: String,
    /// When it was replaced.
    pub until: Timestamp,
}

/// What a message is that wasn't said in its conversation.
// Such a message has no part in minutes, counts and charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "MessageKind", rename_all = "snake_case")]
pub enum MessageKind {
    /// A request that the app made by itself, for example for a title, or its answer.
    Background,
    /// Older history that the app sent, and that was not stored before.
    Earlier,
    /// The app's own text for the model: system messages and descriptions of tools.
    Instructions,
    /// What the model wrote for itself before it answered.
    Reasoning,
    /// A tool's result, which the model read.
    Tool,
}

impl Message {
    /// Without words.
    pub fn new(message_id: impl Into<String>, timestamp: Timestamp) -> Self {
        Self {
            message_id: message_id.into(),
            source: None,
            text_content: None,
            timestamp,
            content_type: None,
            event_type: None,
            start_sample: None,
            interrupted: None,
            speaker: None,
            generated: None,
            heard: None,
            from_app: None,
            kind: None,
            earlier: Vec::new(),
        }
    }

    /// Whether it was said in the conversation.
    pub fn is_said(&self) -> bool {
        self.kind.is_none()
    }

    /// Whether its text is searched, matched with phrases and reviewed. Only the app's own request isn't: it consists of a
    /// template and of messages that are stored already.
    pub fn is_examined(&self) -> bool {
        self.kind != Some(MessageKind::Background) || self.is_assistants()
    }
}

#[derive(Clone)]
pub struct MessageDelivery {
    pub message: Message,
    /// Its index in the request.
    pub index: u32,
    /// Higher revisions replace lower ones.
    pub revision: u64,
    /// Whether the assistant gave the timestamp.
    is_timed: bool,
    /// Whether the server replaced an impossible timestamp with its own.
    is_adjusted: bool,
}

impl MessageDelivery {
    /// A message with the time that the assistant gave. A missing or impossible time becomes the time of arrival.
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
            index: 0,
            revision,
            is_timed: believed.is_some(),
            is_adjusted: said_at.is_some() && believed.is_none(),
        }
    }

    /// A message from a file, with its stored time.
    pub fn of(message: Message) -> Self {
        Self {
            message,
            index: 0,
            revision: 0,
            is_timed: true,
            is_adjusted: false,
        }
    }

    /// Whether the assistant gave a time later than this one.
    pub(super) fn is_said_after(&self, moment: Timestamp) -> bool {
        self.said_at().is_some_and(|at| at > moment)
    }

    /// The timestamp that the assistant sent, if it is plausible.
    pub fn said_at(&self) -> Option<Timestamp> {
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

/// 2000-01-01T00:00:00Z; earlier timestamps are taken for an unset clock.
const EARLIEST: Timestamp = Timestamp::from_micros(946_684_800_000_000);

/// How far an assistant's clock may be ahead of the server's.
const AHEAD: Duration = Duration::from_secs(10 * 60);

/// Whether a message can have this timestamp: not before 2000, and at most ten minutes ahead of the server's clock.
pub fn is_possible(at: Timestamp, now: Timestamp) -> bool {
    EARLIEST <= at && at <= now.after(AHEAD)
}

/// A message that a delivery stored.
#[derive(Clone, PartialEq, Eq)]
pub enum StoredMessage {
    New(Message),
    /// A new revision. `before` is the one it replaced, unless that was unreadable; `arrival` the number with which the first one
    /// arrived.
    Revision {
        message: Message,
        before: Option<Box<Message>>,
        arrival: u64,
    },
}

/// The result of a delivery.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Delivered {
    /// In the order of the delivery.
    pub stored: Vec<StoredMessage>,
    /// Messages that were already stored.
    pub repeated: u64,
    /// Ids whose stored message has the same revision but another text.
    pub conflicting: Vec<String>,
    /// Ids of new messages whose impossible time was replaced by the time of arrival.
    pub adjusted: Vec<String>,
    /// Indices and ids of messages that were revised too often.
    pub revised_too_often: Vec<(u32, String)>,
    /// Whether a message was moved to an earlier time.
    pub(super) moved: bool,
}

impl Delivered {
    pub fn changed_anything(&self) -> bool {
        !self.stored.is_empty() || self.moved
    }
}

/// A message's position in its session, and its stored revision.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagePosition {
    pub at: Timestamp,
    pub arrival: u64,
    pub revision: u64,
    /// The lowest revision that arrived. It decides the message's time, so that the order of arrival doesn't.
    #[serde(default)]
    pub lowest: u64,
    /// When it was first stored; `None` for one stored before this field existed.
    pub stored_at: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The message is new.
    Store(MessagePosition),
    /// Replaces the stored revision at the same position.
    Replace(MessagePosition),
    /// Older than any revision so far: the stored text stays, but moves to the time of this revision.
    Move(MessagePosition),
    /// The same revision is stored. The caller compares the texts.
    Known,
    /// An older revision; changes nothing.
    Ignore,
}

/// Decides what to do with a delivered message, given what is stored under its id and how many messages arrived before it.
pub fn place(kept: Option<MessagePosition>, message: &MessageDelivery, arrived: u64) -> Verdict {
    let revision = message.revision;
    let Some(kept) = kept else {
        return Verdict::Store(MessagePosition {
            at: message.timestamp,
            arrival: arrived,
            revision,
            lowest: revision,
            stored_at: None,
        });
    };
    if revision > kept.revision {
        Verdict::Replace(MessagePosition { revision, ..kept })
    } else if revision == kept.revision {
        Verdict::Known
    } else if revision < kept.lowest && message.is_timed {
        Verdict::Move(MessagePosition {
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
        Message::new("m", Timestamp::from_micros(0))
    }

    fn at(micros: i64) -> Timestamp {
        EARLIEST.after(Duration::from_micros(micros.unsigned_abs()))
    }

    fn delivery(micros: i64, revision: u64) -> MessageDelivery {
        MessageDelivery::new(message(), revision, Some(at(micros)), at(1_000))
    }

    fn kept(revision: u64, lowest: u64) -> MessagePosition {
        MessagePosition {
            at: at(5),
            arrival: 3,
            revision,
            lowest,
            stored_at: None,
        }
    }

    #[test]
    fn the_lowest_revision_decides_the_position_of_a_message() {
        let new = MessagePosition {
            at: at(7),
            arrival: 4,
            revision: 2,
            lowest: 2,
            stored_at: None,
        };
        let moved = MessagePosition {
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
    fn an_impossible_time_becomes_the_time_of_arrival() {
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
    fn a_session_name_has_1_to_128_ascii_characters() {
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
