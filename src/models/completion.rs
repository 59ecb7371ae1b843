//! One whole answer of a model, for the server itself.

use std::time::Duration;

use bytes::Bytes;
use hyper::header::HeaderValue;
use hyper::{Method, StatusCode};

use super::client::{UpstreamClient, UpstreamError, UpstreamStatus};
use super::upstream::{Upstream, UpstreamForm};
use crate::kernel::outgoing::https::{self, HttpsBody};

static JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Why there is no whole answer. It quotes nothing that was sent or received.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompletionError {
    #[error(transparent)]
    NoResponse(#[from] UpstreamError),
    #[error("The model took too long.")]
    TooSlow,
    #[error("The model's answer broke off, or is too large.")]
    Unfinished,
    #[error("The model's server redirects to another address. Redirects are not followed.")]
    Redirect,
    #[error("The model's server refuses the key, or wants one (status {0}).")]
    Key(u16),
    #[error(
        "The model's server does not have this model, or there is nothing at its address (status 404)."
    )]
    NothingThere,
    #[error("The model's server refuses more requests (status 429).")]
    TooMany,
    #[error("The model's server answered with the status {0}.")]
    Status(u16),
}

impl UpstreamClient {
    /// Sends a body of `/chat/completions`, and returns the body of the answer. Nothing is read beyond `largest` bytes, or after
    /// `within`, which is the time for all of it.
    pub async fn complete(
        &self,
        upstream: &Upstream,
        body: impl Into<HttpsBody>,
        largest: usize,
        within: Duration,
    ) -> Result<Bytes, CompletionError> {
        let path = match upstream.form {
            UpstreamForm::OpenAi => "/chat/completions",
            UpstreamForm::Ollama => "/v1/chat/completions",
        };
        let answered = async {
            // The head comes when the model is done.
            let client = self.with_head_within(within);
            let sent = client.send(upstream, Method::POST, path, Some(&JSON), Some(&JSON), body);
            let response = sent.await?;
            check(response.status)?;
            let read = https::read_body(response.body, largest).await;
            read.ok_or(CompletionError::Unfinished)
        };
        let answered = tokio::time::timeout(within, answered).await;
        match answered {
            Ok(Err(CompletionError::NoResponse(UpstreamError::TimedOut))) | Err(_) => {
                Err(CompletionError::TooSlow)
            }
            Ok(answered) => answered,
        }
    }
}

fn check(status: StatusCode) -> Result<(), CompletionError> {
    Err(match UpstreamStatus::of(status) {
        UpstreamStatus::Success => return Ok(()),
        UpstreamStatus::Redirect => CompletionError::Redirect,
        UpstreamStatus::Key(status) => CompletionError::Key(status),
        UpstreamStatus::NothingThere => CompletionError::NothingThere,
        UpstreamStatus::TooMany => CompletionError::TooMany,
        UpstreamStatus::Other(status) => CompletionError::Status(status),
    })
}
