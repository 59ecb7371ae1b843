//! What a reviewer may point at.

use serde::{Deserialize, Serialize};

/// Why a guardian might want to look at a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Concern {
    SelfHarm,
    /// Somebody outside the child's home hurts or threatens the child, or it isn't known who.
    Hurt,
    /// The same by somebody who lives with the child or belongs to its family, who may be the one that reads the alert.
    HurtAtHome,
    SexualContent,
    /// A stranger wants contact or secrets.
    Stranger,
    /// Dangerous acts and substances.
    Danger,
    EatingAndBody,
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
            Self::Assistant => "the assistant's behavior",
        }
    }
}

/// How soon a guardian should look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
}
