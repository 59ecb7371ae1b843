//! One request to the model, and what counts of its answer.

use std::time::Duration;

use super::answer::{self, LARGEST, NotAnAnswer};
use super::locating::{Located, locate};
use super::request::{Request, Said};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::https::HttpsBody;
use crate::models::{CompletionError, Upstream, UpstreamClient, UpstreamError};

/// For one answer.
pub const DEADLINE: Duration = Duration::from_secs(5 * 60);

/// About how many bytes of a request are one token, if the server doesn't say how many there were. English has four; counting
/// too many keeps the budget.
const BYTES_A_TOKEN: u64 = 3;

/// The model that reviews, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    pub name: String,
    pub upstream: Upstream,
}

impl Model {
    /// The host that pages and figures name.
    pub fn host(&self) -> String {
        self.upstream.url.host()
    }

    /// Whether its host is on the home network, as far as its name tells.
    pub fn is_private(&self) -> bool {
        self.upstream.url.is_private()
    }
}

/// The model and host that were displayed to the guardian.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedModel {
    pub model: String,
    pub host: String,
}

impl NamedModel {
    pub fn is(&self, model: &Model) -> bool {
        self.model == model.name && self.host == model.host()
    }
}

/// Why an answer is missing. It quotes nothing that was said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReviewFailed {
    #[error(transparent)]
    NoAnswer(#[from] CompletionError),
    #[error(transparent)]
    NotAnAnswer(#[from] NotAnAnswer),
}

impl ReviewFailed {
    /// Whether nothing reached the model.
    pub fn is_before_sending(&self) -> bool {
        matches!(
            self,
            Self::NoAnswer(CompletionError::NoResponse(
                UpstreamError::Unreachable(_) | UpstreamError::Tls(_) | UpstreamError::Path
            ))
        )
    }
}

/// What the model said of some messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    pub located: Located,
    /// What it took without the blocked topics: by the server's own count, or an estimate.
    pub tokens: u64,
}

/// About how many tokens a request takes, without the blocked topics.
pub fn estimated_tokens(request: &Request) -> u64 {
    let bytes = request.body.len() as u64;
    bytes.saturating_sub(request.topic_bytes) / BYTES_A_TOKEN
}

/// Asks the model about these messages.
pub async fn judge(
    client: &UpstreamClient,
    model: &Model,
    said: &[Said],
    blocked_topics: &[String],
    rng: &Randomness,
) -> Result<Judged, ReviewFailed> {
    let request = Request::new(&model.name, said, blocked_topics, rng);
    ask(client, model, request, said, DEADLINE, || true).await
}

/// Sends a request about these messages, if `check` permits it right before its first byte.
pub async fn ask(
    client: &UpstreamClient,
    model: &Model,
    request: Request,
    said: &[Said],
    within: Duration,
    check: impl FnOnce() -> bool + Send + 'static,
) -> Result<Judged, ReviewFailed> {
    let (estimate, topic_bytes) = (estimated_tokens(&request), request.topic_bytes);
    let body = HttpsBody::with_check(request.body, check);
    let body = client.complete(&model.upstream, body, LARGEST, within);
    let answer = answer::parse(&body.await?)?;
    Ok(Judged {
        located: locate(&answer.findings, &request.ids, said),
        // A token has at least one byte.
        tokens: answer
            .tokens
            .map_or(estimate, |tokens| tokens.saturating_sub(topic_bytes)),
    })
}
