//! The assistant's calls, feature by feature.

pub mod activities;
pub mod blocked_topics;
mod sessions;
mod summary;

use poem_openapi::{OpenApi, Tags};

use super::AssistantDoor;

/// The tag of these calls.
#[derive(Tags)]
enum Tag {
    /// The voice assistant's door.
    #[oai(rename = "assistant")]
    Assistant,
}

/// All of the assistant's calls.
pub fn calls(door: &AssistantDoor) -> impl OpenApi + use<> {
    (
        sessions::SessionsCalls { door: door.clone() },
        activities::ActivitiesCalls { door: door.clone() },
        blocked_topics::BlockedTopicsCalls { door: door.clone() },
        summary::SummaryCalls { door: door.clone() },
    )
}
