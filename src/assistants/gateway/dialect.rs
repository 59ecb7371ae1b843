//! The APIs that clients speak.

use serde::{Deserialize, Serialize};

use crate::models::UpstreamForm;

/// Which API the client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    OpenAi,
    Ollama,
}

impl Dialect {
    /// Where an upstream takes chat requests.
    pub fn chat_path(self, upstream: UpstreamForm) -> &'static str {
        match (self, upstream) {
            (Self::Ollama, _) => "/api/chat",
            (Self::OpenAi, UpstreamForm::Ollama) => "/v1/chat/completions",
            (Self::OpenAi, UpstreamForm::OpenAi) => "/chat/completions",
        }
    }

    /// Whether an upstream of this form has this API.
    pub fn is_taken_by(self, upstream: UpstreamForm) -> bool {
        self == Self::OpenAi || upstream == UpstreamForm::Ollama
    }
}
