//! Checks whether signing in at the provider would work now.

use chrono::DateTime;
use openidconnect::AsyncHttpClient;
use openidconnect::http::{Request, header};

use super::ProviderSettings;
use super::discovery::{DOCUMENT, Discovery};
use super::http::HttpClient;
use super::keys;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::outgoing::handshake::certificate_ends;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProviderSeen {
    /// When its certificate expires; `None` without TLS.
    pub certificate_ends: Option<Timestamp>,
    /// The provider's time, if it sent one.
    pub clock: Option<Timestamp>,
}

/// Connects to the provider, and fetches its metadata and keys. The error is a sentence that says what doesn't work, and quotes
/// nothing sent by the provider.
pub async fn probe(settings: &ProviderSettings, clock: &Clock) -> Result<ProviderSeen, String> {
    let certificate_ends = certificate_ends(settings.issuer().url(), "The provider").await?;
    let http = HttpClient::new();
    let discovery = Discovery::new(settings.issuer(), clock.clone());
    let reached_but = |reason: String| format!("The provider was reached, but {reason}.");
    let metadata = discovery.metadata(&http).await;
    let metadata = metadata.map_err(|problem| reached_but(problem.to_string()))?;
    if let Some(reason) = keys::complaint(&metadata) {
        return Err(reached_but(reason));
    }
    Ok(ProviderSeen {
        certificate_ends,
        clock: said_time(settings, &http).await,
    })
}

/// The `Date` of a response (RFC 9110, section 6.6.1).
async fn said_time(settings: &ProviderSettings, http: &HttpClient) -> Option<Timestamp> {
    let document = settings.issuer().join(DOCUMENT).ok()?;
    let request = Request::get(document.as_str()).body(Vec::new()).ok()?;
    let answer = http.call(request).await.ok()?;
    let date = answer.headers().get(header::DATE)?.to_str().ok()?;
    let date = DateTime::parse_from_rfc2822(date).ok()?;
    Some(date.to_utc().into())
}
