//! The assistant's calls, feature by feature.

pub mod activities;
pub mod blocked_topics;
mod deliveries;
mod receipts;
mod rules;
mod summary;

use poem_openapi::{OpenApi, Tags};

use super::AssistantService;

/// The tag of these calls.
#[derive(Tags)]
enum Tag {
    /// The voice assistant's door.
    #[oai(rename = "assistant")]
    Assistant,
}

/// All of the assistant's calls.
pub fn calls(service: &AssistantService) -> impl OpenApi + use<> {
    (
        deliveries::DeliveriesCalls {
            service: service.clone(),
        },
        activities::ActivitiesCalls {
            service: service.clone(),
        },
        blocked_topics::BlockedTopicsCalls {
            service: service.clone(),
        },
        rules::RulesCalls {
            service: service.clone(),
        },
        summary::SummaryCalls {
            service: service.clone(),
        },
    )
}
