//! The assistant's calls, feature by feature.

pub mod activities;
pub mod blocked_topics;
pub mod sessions;
pub mod summary;

use super::AssistantDoor;
use activities::ActivitiesCalls;
use blocked_topics::BlockedTopicsCalls;
use sessions::SessionsCalls;
use summary::SummaryCalls;

/// All of the assistant's calls.
pub type AssistantCalls = (
    SessionsCalls,
    ActivitiesCalls,
    BlockedTopicsCalls,
    SummaryCalls,
);

/// The calls at this door.
pub fn calls(door: &AssistantDoor) -> AssistantCalls {
    (
        SessionsCalls { door: door.clone() },
        ActivitiesCalls { door: door.clone() },
        BlockedTopicsCalls { door: door.clone() },
        SummaryCalls { door: door.clone() },
    )
}
