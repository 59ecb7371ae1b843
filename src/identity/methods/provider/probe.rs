//! Checks whether signing in at the provider would work now.

use std::sync::Arc;
use std::time::Duration;

use chrono::DateTime;
use openidconnect::AsyncHttpClient;
use openidconnect::http::{Request, header};
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use url::Url;

use super::ProviderSettings;
use super::discovery::{DOCUMENT, Discovery};
use super::http::HttpClient;
use super::keys;
use crate::kernel::certificate::{complaint, valid_until};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::https;

/// For connecting and the TLS handshake.
const DEADLINE: Duration = Duration::from_secs(10);

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
    let certificate_ends = certificate_ends(settings.issuer().url()).await?;
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

/// Connects, and returns when the provider's certificate expires.
async fn certificate_ends(issuer: &Url) -> Result<Option<Timestamp>, String> {
    let host = issuer.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let port = issuer.port_or_known_default().unwrap_or(443);
    let slow = |_| "The provider did not answer in time.".to_owned();
    let connected = tokio::time::timeout(DEADLINE, TcpStream::connect((bare, port))).await;
    let connected = connected
        .map_err(slow)?
        .map_err(|error| format!("The provider cannot be reached ({}).", error.kind()))?;
    if issuer.scheme() != "https" {
        return Ok(None);
    }
    let name = ServerName::try_from(bare.to_owned())
        .map_err(|_| "The provider's host name is not one.".to_owned())?;
    let connector = TlsConnector::from(Arc::new(https::system_tls()));
    let shaken = tokio::time::timeout(DEADLINE, connector.connect(name, connected)).await;
    let stream = shaken.map_err(slow)?.map_err(|error| {
        let of_tls = error.get_ref().and_then(|it| it.downcast_ref());
        match of_tls {
            Some(wrong) => complaint("The provider's", wrong),
            None => format!(
                "The provider's connection could not be protected ({}).",
                error.kind()
            ),
        }
    })?;
    let (_, session) = stream.get_ref();
    Ok(session
        .peer_certificates()
        .and_then(|chain| valid_until(chain.first()?)))
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
