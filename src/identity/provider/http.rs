//! Calls to the provider: over https (or on this machine), within ten seconds, of a bounded size, and
//! following nobody elsewhere.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;
use url::Url;

use super::settings::keeps_secrets;

/// For one call, from connecting to the last byte: a person is waiting.
const DEADLINE: Duration = Duration::from_secs(10);

/// The largest answer, in bytes. Discovery documents and key sets have 2 to 10 KiB.
const LARGEST_ANSWER: usize = 256 * 1024;

/// Why there is no answer. It holds nothing that the provider wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    #[error("it sends us to an address that is neither https nor on this machine")]
    Unprotected,
    #[error("it could not be reached")]
    NoConnection,
    #[error("it took longer than ten seconds")]
    TooSlow,
    #[error("its answer was too large or broke off")]
    Broken,
}

impl Unreachable {
    /// The same, for the log.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Unprotected => {
                "it sends us to an address that is neither https nor on this machine"
            }
            Self::NoConnection => "it could not be reached",
            Self::TooSlow => "it took longer than ten seconds",
            Self::Broken => "its answer was too large or broke off",
        }
    }
}

/// What calls the provider.
pub struct HttpClient(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl HttpClient {
    /// A client that trusts whom this machine trusts.
    pub fn new() -> Self {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(DEADLINE));
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls())
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(DEADLINE)
            .build(connector);
        Self(client)
    }

    async fn answer(&self, request: HttpRequest) -> Result<HttpResponse, Unreachable> {
        let url = Url::parse(&request.uri().to_string());
        if !url.is_ok_and(|url| keeps_secrets(&url)) {
            return Err(Unreachable::Unprotected);
        }
        let sent = self
            .0
            .request(request.map(|body| Full::new(Bytes::from(body))));
        let (parts, body) = sent
            .await
            .map_err(|_| Unreachable::NoConnection)?
            .into_parts();
        let body = Limited::new(body, LARGEST_ANSWER).collect().await;
        let body = body.map_err(|_| Unreachable::Broken)?.to_bytes().to_vec();
        Ok(HttpResponse::from_parts(parts, body))
    }
}

/// Trusts the machine's own roots; where there are none, nobody.
fn tls() -> ClientConfig {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .expect("ring supports the versions that rustls deems safe");
    match Verifier::new(provider) {
        // "Dangerous" is any verifier of one's own; this one is the system's.
        Ok(verifier) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        Err(error) => {
            tracing::warn!(%error, "no root certificates were found on this machine");
            builder
                .with_root_certificates(RootCertStore::empty())
                .with_no_client_auth()
        }
    }
}

impl<'c> AsyncHttpClient<'c> for HttpClient {
    type Error = Unreachable;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Unreachable>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let answer = tokio::time::timeout(DEADLINE, self.answer(request));
            answer.await.unwrap_or(Err(Unreachable::TooSlow))
        })
    }
}
