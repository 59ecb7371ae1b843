//! Who the provider says it is: its addresses and keys (OpenID Connect Discovery 1.0).
//!
//! Asked when first needed and then kept for a day. When it can't be had, the old answer goes on; without
//! one, it is asked again by whoever signs in next, a few seconds later at the earliest, so that a provider
//! that is down is not run over by those who wait for it.

use std::sync::Arc;
use std::time::Duration;

use openidconnect::core::CoreProviderMetadata;
use openidconnect::{DiscoveryError, IssuerUrl};
use tokio::sync::Mutex;

use super::ProviderProblem;
use super::http::{HttpClient, Unreachable};
use crate::kernel::clock::{Clock, Timestamp};

/// How long an answer is kept. Keys that change in between are noticed by a token that they don't verify.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

/// How soon the provider is asked again after it could not be reached.
const PAUSE: Duration = Duration::from_secs(5);

/// What is known of the provider.
pub struct Discovery {
    issuer: IssuerUrl,
    clock: Clock,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    answer: Option<(Arc<CoreProviderMetadata>, Timestamp)>,
    failed_at: Option<Timestamp>,
}

impl Discovery {
    /// Nothing is known yet.
    pub fn new(issuer: &IssuerUrl, clock: Clock) -> Self {
        Self {
            issuer: issuer.clone(),
            clock,
            known: Mutex::default(),
        }
    }

    /// What the provider says of itself.
    ///
    /// # Errors
    ///
    /// When it doesn't, and never did.
    pub async fn metadata(
        &self,
        http: &HttpClient,
    ) -> Result<Arc<CoreProviderMetadata>, ProviderProblem> {
        let mut known = self.known.lock().await;
        let now = self.clock.now();
        match &known.answer {
            Some((answer, asked_at)) if now.since(*asked_at) < FRESH => Ok(answer.clone()),
            _ => self.ask(&mut known, http).await,
        }
    }

    /// What the provider says of itself by now, after a token that `seen` does not verify.
    ///
    /// # Errors
    ///
    /// When it says nothing new.
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

    async fn ask(
        &self,
        known: &mut Known,
        http: &HttpClient,
    ) -> Result<Arc<CoreProviderMetadata>, ProviderProblem> {
        let now = self.clock.now();
        let just_failed = known
            .failed_at
            .is_some_and(|at| at <= now && now < at.after(PAUSE));
        let asked = match just_failed {
            true => Err("it could not be reached a moment ago"),
            false => CoreProviderMetadata::discover_async(self.issuer.clone(), http)
                .await
                .map_err(|error| reason(&error)),
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

/// What the log reads: nothing that the provider wrote.
fn reason(error: &DiscoveryError<Unreachable>) -> &'static str {
    match error {
        DiscoveryError::Request(unreachable) => unreachable.reason(),
        DiscoveryError::Response(..) => "its discovery document or keys are not to be had",
        DiscoveryError::Parse(_) => "its discovery document or keys cannot be read",
        DiscoveryError::Validation(_) => "its discovery document names another issuer",
        _ => "its discovery document cannot be asked for",
    }
}
