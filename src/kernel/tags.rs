//! The parts into which the contract, Swagger UI and the generated client are divided.

use poem_openapi::Tags;

/// One tag for each feature.
#[derive(Tags)]
pub enum Tag {
    /// Signing in and out.
    #[oai(rename = "identity")]
    Identity,
    /// The children that a guardian sees.
    #[oai(rename = "children")]
    Children,
    /// Sessions and what was said in them.
    #[oai(rename = "transcripts")]
    Transcripts,
    /// What is known of a child at a glance.
    #[oai(rename = "summary")]
    Summary,
    /// Completed and upcoming activities.
    #[oai(rename = "activities")]
    Activities,
    /// Topics that the assistant avoids.
    #[oai(rename = "blocked-topics")]
    BlockedTopics,
    /// The voice assistant's door.
    #[oai(rename = "assistant")]
    Assistant,
}
