//! One version of a child's rules.

use serde::{Deserialize, Serialize};

use super::RulesInForce;
use crate::identity::GuardianId;
use crate::kernel::clock::Timestamp;
use crate::times::Times;

/// A list of blocked topics: the version that last changed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicsVersion {
    /// That version's number; 0 while nobody has changed the list.
    pub number: u64,
    /// When it took effect; `None` for the list from before the first change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

/// What of the rules a guardian changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
    /// The blocked topics.
    BlockedTopics,
    /// What the assistant should know of the child.
    Context,
    /// When the assistant may talk.
    Times,
}

/// One version.
#[derive(Debug)]
pub struct StoredVersion {
    /// Its number.
    pub number: u64,
    /// When it took effect; `None` for the state before the first change.
    pub since: Option<Timestamp>,
    /// Until when it held; `None` for what is in force.
    pub until: Option<Timestamp>,
    /// What was changed.
    pub changed: Option<Changed>,
    /// Who changed it.
    pub by: Option<GuardianId>,
    /// The guardians' own topics.
    pub topics: Vec<String>,
    /// Which list of topics this is.
    pub topics_version: TopicsVersion,
    /// What the assistant should know of the child.
    pub context: Option<String>,
    /// When the assistant might talk; a pause is no part of a version.
    pub times: Times,
    /// What the assistants were told.
    pub instructions: String,
}

impl StoredVersion {
    /// What held before the first change.
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
            instructions: rules.instructions,
        }
    }

    /// The version behind the one whose number `rules` have.
    pub fn of(rules: RulesInForce, since: Timestamp, changed: Changed, by: GuardianId) -> Self {
        let number = rules.number + 1;
        let topics_version = match changed {
            Changed::BlockedTopics => TopicsVersion {
                number,
                since: Some(since),
            },
            Changed::Context | Changed::Times => rules.topics_version,
        };
        Self {
            number,
            since: Some(since),
            changed: Some(changed),
            by: Some(by),
            topics_version,
            ..Self::first(rules)
        }
    }
}
