//! One version of a child's rules.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{IssuedProfile, RulesInForce};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::rules::schedule::Schedule;

/// A list of blocked topics: the version that last changed it.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicsVersion {
    /// That version's number; 0 before the first change.
    pub number: u64,
    /// When it took effect; `None` for the list from before the first change.
    pub since: Option<Timestamp>,
}

/// The part of the rules that was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "RulesChange", rename_all = "snake_case")]
pub enum Changed {
    /// The blocked topics.
    BlockedTopics,
    /// What the assistant should know of the child.
    Context,
    /// The times at which the assistant may talk.
    Times,
    /// The month in which the child was born.
    BirthMonth,
    /// The language that the child speaks with its assistants.
    Language,
    /// The child's age, by the calendar: nobody changed anything.
    Calendar,
}

#[derive(Debug)]
pub struct StoredVersion {
    pub number: u64,
    /// When it took effect; `None` for the state before the first change.
    pub since: Option<Timestamp>,
    /// When it was replaced; `None` for the current version.
    pub until: Option<Timestamp>,
    pub changed: Option<Changed>,
    pub by: Option<GuardianId>,
    /// The guardians' own topics.
    pub topics: Vec<String>,
    /// The version of the list of topics.
    pub topics_version: TopicsVersion,
    /// What the assistant should know of the child.
    pub context: Option<String>,
    /// When the assistant might talk; a pause is not part of a version.
    pub times: Schedule,
    /// What the instructions say of the child; `None` if it isn't known any more.
    pub profile: Option<IssuedProfile>,
    /// The instructions that the assistants received.
    pub instructions: String,
}

impl StoredVersion {
    /// The state before the first change.
    pub fn first(rules: RulesInForce) -> Self {
        Self {
            number: rules.number,
            since: None,
            until: None,
            changed: None,
            by: None,
            topics: rules.topics,
            topics_version: rules.topics_version,
            context: rules.context,
            times: rules.times,
            profile: Some(rules.profile),
            instructions: rules.instructions,
        }
    }

    /// The version after the one whose number is in `rules`.
    pub fn of(
        rules: RulesInForce,
        since: Timestamp,
        changed: Changed,
        by: Option<GuardianId>,
    ) -> Self {
        let number = rules.number + 1;
        let topics_version = match changed {
            Changed::BlockedTopics => TopicsVersion {
                number,
                since: Some(since),
            },
            Changed::Context
            | Changed::Times
            | Changed::BirthMonth
            | Changed::Language
            | Changed::Calendar => rules.topics_version,
        };
        Self {
            number,
            since: Some(since),
            changed: Some(changed),
            by,
            topics_version,
            ..Self::first(rules)
        }
    }
}
