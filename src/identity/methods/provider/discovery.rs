//! The provider's metadata: its endpoints and keys (OpenID Connect Discovery 1.0).
//!
//! Fetched when first needed and then kept for a day. If a refresh fails, the old metadata stays in use. Without any, the next
//! sign-in fetches it again, but not within a few seconds, so that waiting users don't overload a provider that is down.
//!
//! A browser redirected to a provider that is down would show an error of its own, and the user wouldn't know what to do next. So
//! before the redirect, the provider must have sent any response, a few seconds ago or now.

use std::sync::Arc;
use std::time::Duration;

use openidconnect::core::CoreProviderMetadata;
use openidconnect::http::Request;
use openidconnect::{AsyncHttpClient, DiscoveryError, IssuerUrl};
use tokio::sync::Mutex;

use super::ProviderProblem;
use super::http::{HttpClient, Unreachable};
use crate::kernel::host::clock::{Clock, Timestamp};

/// How long metadata is kept. Keys that change meanwhile are noticed when they don't verify a token.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

/// The minimum time between two attempts, and how long a response counts as recent.
const PAUSE: Duration = Duration::from_secs(5);

/// How long a provider whose metadata is known may take to respond: a person is waiting.
const PATIENCE: Duration = Duration::from_secs(3);

/// The path of the metadata below the issuer (Discovery 1.0, section 4).
pub const DOCUMENT: &str = ".well-known/openid-configuration";

/// Logged if the issuer's URL can't be requested.
const NO_DOCUMENT: &str = "its discovery document cannot be asked for";

/// Logged if a request is skipped because the last one failed just now.
const JUST_NOW: &str = "it could not be reached a moment ago";

pub struct Discovery {
    issuer: IssuerUrl,
    clock: Clock,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    answer: Option<(Arc<CoreProviderMetadata>, Timestamp)>,
    failed_at: Option<Timestamp>,
    /// When the provider was last called, and whether it responded.
    called: Option<(Timestamp, bool)>,
}

impl Known {
    /// Whether it responded to a recent call; `None` if there was none.
    fn was_there(&self, now: Timestamp) -> Option<bool> {
        let (at, there) = self.called?;
        (at <= now && now < at.after(PAUSE)).then_some(there)
    }
}

impl Discovery {
    pub fn new(issuer: &IssuerUrl, clock: Clock) -> Self {
        Self {
            issuer: issuer.clone(),
            clock,
            known: Mutex::default(),
        }
    }

    /// Returns the provider's metadata. Fails if it can't be fetched and never was.
    pub async fn metadata(
        &self,
        http: &HttpClient,
    ) -> Result<Arc<CoreProviderMetadata>, ProviderProblem> {
        self.kept_or_asked(&mut *self.known.lock().await, http)
            .await
    }

    /// Like [`metadata`](Self::metadata), but also fails if the provider doesn't respond now, so that a browser can be redirected
    /// to it. Concurrent callers share one request.
    pub async fn reachable_metadata(
        &self,
        http: &HttpClient,
    ) -> Result<Arc<CoreProviderMetadata>, ProviderProblem> {
        let mut known = self.known.lock().await;
        let metadata = self.kept_or_asked(&mut known, http).await?;
        match known.was_there(self.clock.now()) {
            Some(true) => Ok(metadata),
            Some(false) => Err(ProviderProblem::failed(JUST_NOW)),
            None => self
                .probe(&mut known, http)
                .await
                .map(|()| metadata)
                .map_err(ProviderProblem::failed),
        }
    }

    /// Fetches the metadata again after `seen` did not verify a token, unless another caller has already.
    pub async fn renewed(
        &self,
        http: &HttpClient,
        seen: &Arc<CoreProviderMetadata>,
    ) -> Result<Arc<CoreProviderMetadata>, ProviderProblem> {
        let mut known = self.known.lock().await;
        match &known.answer {
            Some((answer, _)) if !Arc::ptr_eq(answer, seen) => Ok(answer.clone()),
            _ => self.ask(&mut known, http).await,
        }
    }

    async fn kept_or_asked(
        &self,
        known: &mut Known,
        http: &HttpClient,
    ) -> Result<Arc<CoreProviderMetadata>, ProviderProblem> {
        let now = self.clock.now();
        match &known.answer {
            Some((answer, asked_at)) if now.since(*asked_at) < FRESH => Ok(answer.clone()),
            _ => self.ask(known, http).await,
        }
    }

    /// Requests the discovery document from the configured issuer, and nothing else. Any response counts.
    async fn probe(&self, known: &mut Known, http: &HttpClient) -> Result<(), &'static str> {
        let document = self.issuer.join(DOCUMENT).map_err(|_| NO_DOCUMENT)?;
        let request = Request::get(document.as_str())
            .body(Vec::new())
            .map_err(|_| NO_DOCUMENT)?;
        let called = match tokio::time::timeout(PATIENCE, http.call(request)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(unreachable)) => Err(unreachable.reason()),
            Err(_) => Err("it took longer than three seconds"),
        };
        known.called = Some((self.clock.now(), called.is_ok()));
        if let Err(reason) = called {
            tracing::warn!(reason, "the OpenID Connect provider is not there");
        }
        called
    }

    async fn ask(
        &self,
        known: &mut Known,
        http: &HttpClient,
    ) -> Result<Arc<CoreProviderMetadata>, ProviderProblem> {
        let now = self.clock.now();
        let just_failed = known
            .failed_at
            .is_some_and(|at| at <= now && now < at.after(PAUSE));
        let asked = if just_failed {
            Err(JUST_NOW)
        } else {
            let asked = CoreProviderMetadata::discover_async(self.issuer.clone(), http).await;
            let there = !matches!(asked, Err(DiscoveryError::Request(_)));
            known.called = Some((self.clock.now(), there));
            asked.map_err(|error| reason(&error))
        };
        match asked {
            Ok(answer) => {
                let answer = Arc::new(answer);
                known.answer = Some((answer.clone(), now));
                known.failed_at = None;
                Ok(answer)
            }
            Err(reason) => {
                if !just_failed {
                    known.failed_at = Some(now);
                    tracing::warn!(reason, "the OpenID Connect provider does not say who it is");
                }
                let old = known.answer.as_ref().map(|(answer, _)| answer.clone());
                old.ok_or(ProviderProblem::failed(reason))
            }
        }
    }
}

/// The reason for the log. It quotes nothing sent by the provider.
fn reason(error: &DiscoveryError<Unreachable>) -> &'static str {
    match error {
        DiscoveryError::Request(unreachable) => unreachable.reason(),
        DiscoveryError::Response(..) => "its discovery document or keys are not to be had",
        DiscoveryError::Parse(_) => "its discovery document or keys cannot be read",
        DiscoveryError::Validation(_) => "its discovery document names another issuer",
        _ => NO_DOCUMENT,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::net::TcpListener;

    use super::*;
    use crate::kernel::host::clock::ManualClock;

    #[tokio::test(start_paused = true)]
    async fn a_known_provider_that_hangs_is_given_up_after_three_seconds_by_all_who_wait() {
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", silent.local_addr().unwrap());
        let discovery = known_since(&issuer, Duration::from_secs(60));
        let http = HttpClient::new();

        let asked_at = tokio::time::Instant::now();
        let (first, second) = tokio::join!(
            discovery.reachable_metadata(&http),
            discovery.reachable_metadata(&http),
        );

        assert_eq!(asked_at.elapsed().as_secs(), PATIENCE.as_secs());
        let reason = |answer: Result<_, ProviderProblem>| answer.unwrap_err().to_string();
        assert_eq!(reason(first), "it took longer than three seconds");
        assert_eq!(reason(second), JUST_NOW);
        assert!(discovery.metadata(&http).await.is_ok(), "it is still known");
    }

    /// A cache filled this long ago.
    fn known_since(issuer: &str, ago: Duration) -> Discovery {
        let metadata = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "jwks_uri": format!("{issuer}/keys"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["EdDSA"],
        });
        let metadata: CoreProviderMetadata = serde_json::from_value(metadata).unwrap();
        let then = Timestamp::parse("2026-11-21T20:00:00Z").unwrap();
        let now = then.after(ago);
        let discovery = Discovery::new(
            &IssuerUrl::new(issuer.to_owned()).unwrap(),
            Clock::Manual(ManualClock::at(now)),
        );
        discovery.known.try_lock().unwrap().answer = Some((Arc::new(metadata), then));
        discovery
    }
}
