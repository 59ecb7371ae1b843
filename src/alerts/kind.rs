//! The kinds of alerts, and those that guardians are notified of.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

/// What an alert says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "AlertKind", rename_all = "snake_case")]
pub enum Kind {
    /// A watched phrase was said.
    Phrase,
    /// They talked while it was not allowed.
    OutsideTimes,
    /// An assistant refused the rules, or talked without confirming the current ones.
    Rules,
    /// Messages could not be stored.
    NotKept,
    /// An assistant no longer connects.
    Silent,
    /// A model pointed at a message.
    Reviewer,
}

impl Kind {
    /// As a kind that guardians can be notified of at once. Only such alerts count in the bell's number, and are open until they
    /// are dealt with.
    pub fn notifiable(self) -> Option<NotifiableKind> {
        match self {
            Self::Phrase => Some(NotifiableKind::Phrase),
            Self::OutsideTimes => Some(NotifiableKind::OutsideTimes),
            Self::Reviewer => Some(NotifiableKind::Reviewer),
            Self::Rules | Self::NotKept | Self::Silent => None,
        }
    }
}

/// A kind of alert that guardians can be notified of at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "NotifiableAlertKind", rename_all = "snake_case")]
pub enum NotifiableKind {
    /// A phrase that the guardian watches for was said.
    Phrase,
    /// The child and an assistant talked for more than two minutes while it was not allowed.
    OutsideTimes,
    /// A finding of a model that reads conversations.
    Reviewer,
}

impl NotifiableKind {
    pub const ALL: [Self; 3] = [Self::Phrase, Self::OutsideTimes, Self::Reviewer];
}
