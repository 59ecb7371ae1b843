//! The assistant's calls, feature by feature.

mod sessions;

use poem_openapi::OpenApi;

use super::AssistantDoor;

/// All of the assistant's calls.
pub fn calls(door: &AssistantDoor) -> impl OpenApi + use<> {
    sessions::SessionsCalls { door: door.clone() }
}
