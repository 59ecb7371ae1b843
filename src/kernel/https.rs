//! HTTP clients for other servers: HTTP/1.1 with or without TLS, no redirects, no proxy from the environment.

mod body;

use std::sync::Arc;
use std::time::Duration;

use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

pub use body::HttpsBody;
pub use hyper_util::client::legacy::Error as HttpsError;

/// Clones share its connections.
pub type HttpsClient = Client<HttpsConnector<HttpConnector>, HttpsBody>;

/// Connecting to an address is given up after `connect_within`, and an unused connection is closed after `idle`.
pub fn client(tls: ClientConfig, connect_within: Duration, idle: Duration) -> HttpsClient {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(connect_within));
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_or_http()
        .enable_http1()
        .wrap_connector(tcp);
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(idle)
        .build(connector)
}

/// Trusts the system's root certificates; without any, trusts nobody.
pub fn system_tls() -> ClientConfig {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .expect("ring supports the versions that rustls deems safe");
    match Verifier::new(provider) {
        // "Dangerous" only means a custom verifier; this one is the system's.
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
