//! The assistant's endpoints, by feature.

pub mod activities;
pub mod blocked_topics;
mod deliveries;
mod plugins;
mod receipts;
mod rules;
mod summary;

use std::sync::Arc;

use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, OpenApi, Tags};
use serde::Serialize;

use super::AssistantService;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::http::wire::Body;

#[derive(Tags)]
enum Tag {
    /// Endpoints of the voice assistant.
    #[oai(rename = "assistant")]
    Assistant,
}

/// A response that is only sent if the caller doesn't have it already.
#[derive(ApiResponse)]
enum Conditional<T: Type + Serialize> {
    /// The current version.
    #[oai(status = 200)]
    Current(
        Body<T>,
        /// The version, for `If-None-Match`.
        #[oai(header = "ETag")]
        String,
    ),
    /// The caller already has the current version.
    #[oai(status = 304)]
    Unchanged(
        /// The version.
        #[oai(header = "ETag")]
        String,
    ),
}

/// All of the assistant's endpoints. The plug-ins contain the public URL.
pub fn calls(service: &Arc<AssistantService>, public_url: &PublicUrl) -> impl OpenApi + use<> {
    (
        deliveries::DeliveriesCalls {
            service: Arc::clone(service),
        },
        activities::ActivitiesCalls {
            service: Arc::clone(service),
        },
        blocked_topics::BlockedTopicsCalls {
            service: Arc::clone(service),
        },
        rules::RulesCalls {
            service: Arc::clone(service),
        },
        summary::SummaryCalls {
            service: Arc::clone(service),
        },
        plugins::PluginsCalls::new(public_url.clone()),
    )
}
