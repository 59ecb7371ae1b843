//! What a reviewer may point at.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::conversations::transcripts::Message;

/// What a model pointed at.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum,
)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "Concern", rename_all = "snake_case")]
pub enum Concern {
    /// Self-harm.
    SelfHarm,
    /// Somebody outside the child's home hurts or threatens the child, or it isn't known who.
    Hurt,
    /// The same by somebody who lives with the child or belongs to its family, who may be the one that reads the alert.
    HurtAtHome,
    /// Sexual content.
    SexualContent,
    /// A stranger wants contact or secrets.
    Stranger,
    /// Dangerous acts and substances.
    Danger,
    /// Eating and body.
    EatingAndBody,
    /// A blocked topic was talked about.
    BlockedTopic,
    /// The assistant manipulates, claims to be human, keeps secrets from parents, or refuses a harmless question.
    Assistant,
}

impl Concern {
    pub const ALL: [Self; 9] = [
        Self::SelfHarm,
        Self::Hurt,
        Self::HurtAtHome,
        Self::SexualContent,
        Self::Stranger,
        Self::Danger,
        Self::EatingAndBody,
        Self::BlockedTopic,
        Self::Assistant,
    ];

    /// Whether no guardian can find it not worrying as a whole, only single alerts about it.
    pub fn is_grave(self) -> bool {
        matches!(
            self,
            Self::SelfHarm | Self::Hurt | Self::HurtAtHome | Self::SexualContent | Self::Stranger
        )
    }

    /// As it stands in requests, answers and records.
    pub fn key(self) -> &'static str {
        match self {
            Self::SelfHarm => "self_harm",
            Self::Hurt => "hurt",
            Self::HurtAtHome => "hurt_at_home",
            Self::SexualContent => "sexual_content",
            Self::Stranger => "stranger",
            Self::Danger => "danger",
            Self::EatingAndBody => "eating_and_body",
            Self::BlockedTopic => "blocked_topic",
            Self::Assistant => "assistant",
        }
    }

    /// As a person reads it.
    pub fn words(self) -> &'static str {
        match self {
            Self::SelfHarm => "self-harm",
            Self::Hurt => "being hurt or threatened",
            Self::HurtAtHome => "being hurt or threatened at home",
            Self::SexualContent => "sexual content",
            Self::Stranger => "a stranger who wants contact or secrets",
            Self::Danger => "dangerous acts and substances",
            Self::EatingAndBody => "eating and body",
            Self::BlockedTopic => "a blocked topic",
            Self::Assistant => "how the assistant behaves",
        }
    }
}

/// How soon a guardian should look, as the model says.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum,
)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "Severity", rename_all = "snake_case")]
pub enum Severity {
    Look,
    Urgent,
}

impl Severity {
    pub const ALL: [Self; 2] = [Self::Look, Self::Urgent];

    pub fn key(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Urgent => "urgent",
        }
    }
}

/// A place in a message that a reviewer pointed at. It holds no words, and is erased with its message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotePosition {
    /// In UTF-16 units.
    pub range: [usize; 2],
    pub check: TextCheck,
}

/// Tells whether a text has the same words at the same place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TextCheck {
    /// The beginning of the hash of the text up to the quote's end, in hexadecimal. Text may still be added after the quote.
    Text(String),
    /// The beginning of the hash of the quoted words: the form of records that were stored first.
    Words(u16),
}

/// How much of a text's hash is stored, in bytes: so much that nobody finds another text with it.
const CHECK_BYTES: usize = 8;

impl QuotePosition {
    /// `None` if the text has no such range.
    pub fn of(text: &str, range: [usize; 2]) -> Option<Self> {
        words_at(text, range)?;
        let check = TextCheck::Text(check_of(text, range)?);
        Some(Self { range, check })
    }

    /// Whether the text begins as the reviewed one, up to the quote's end.
    pub fn is_in(&self, text: &str) -> bool {
        match (&self.check, words_at(text, self.range)) {
            (TextCheck::Text(check), Some(_)) => check_of(text, self.range).as_ref() == Some(check),
            (TextCheck::Words(check), Some(words)) => {
                let hash = Sha256::digest(words);
                *check == u16::from_be_bytes([hash[0], hash[1]])
            }
            (_, None) => false,
        }
    }
}

/// What a model pointed at, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flagged {
    pub concern: Concern,
    pub severity: Severity,
    /// The model's name.
    pub model: String,
    pub place: QuotePosition,
}

/// A finding about a message.
pub struct Flag {
    /// As it was reviewed.
    pub message: Message,
    /// Whether the message was reviewed before, and said these words then.
    pub is_known: bool,
    pub flagged: Flagged,
}

/// The words in this range of UTF-16 units; `None` if the text has no such range.
pub fn words_at(text: &str, [from, to]: [usize; 2]) -> Option<String> {
    let units = text.encode_utf16().collect::<Vec<_>>();
    String::from_utf16(units.get(from..to)?).ok()
}

fn check_of(text: &str, [_, to]: [usize; 2]) -> Option<String> {
    let hash = Sha256::digest(words_at(text, [0, to])?);
    Some(hex::encode(&hash[..CHECK_BYTES]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_what_json_has() {
        for concern in Concern::ALL {
            assert_eq!(serde_json::json!(concern), concern.key());
        }
        for severity in Severity::ALL {
            assert_eq!(serde_json::json!(severity), severity.key());
        }
    }

    #[test]
    fn a_place_knows_its_text_again() {
        let place = QuotePosition::of("🌙 I climbed on the roof", [3, 12]).unwrap();

        assert!(place.is_in("🌙 I climbed on the roof"));
        assert!(place.is_in("🌙 I climbed"));
        let stored = serde_json::json!(place);
        assert_eq!(stored["check"].as_str().map(str::len), Some(16));
        assert_eq!(
            serde_json::from_value::<QuotePosition>(stored).unwrap(),
            place
        );
        for other in [
            "🌟 I climbed on the roof",
            "🌙 I climbeb on the roof",
            "I climbed on the roof",
            "",
            "🌙",
        ] {
            assert!(!place.is_in(other), "{other}");
        }
        assert_eq!(QuotePosition::of("🌙", [0, 1]), None, "half a character");
        assert_eq!(QuotePosition::of("I", [1, 3]), None);
    }

    #[test]
    fn a_place_that_was_stored_first_knows_its_words_again() {
        let hash = Sha256::digest("I climbed");
        let check = u16::from_be_bytes([hash[0], hash[1]]);
        let stored = serde_json::json!({"range": [3, 12], "check": check});
        let place = serde_json::from_value::<QuotePosition>(stored).unwrap();

        assert!(place.is_in("🌙 I climbed on a roof"));
        assert!(!place.is_in("🌙 I climbeb on a roof"));
    }
}
