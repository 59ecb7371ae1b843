//! HTTP clients for other servers: HTTP/1.1 with or without TLS, no redirects, no proxy from the environment.

mod body;
mod public;

use std::error::Error;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::crypto::ring;
use rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};
use rustls_platform_verifier::Verifier;

use public::PublicResolver;

pub use body::{HttpsBody, read_beginning, read_body};
pub use hyper_util::client::legacy::{Error as HttpsError, ResponseFuture};

/// Clones share its connections.
pub type HttpsClient = Client<HttpsConnector<HttpConnector>, HttpsBody>;

/// Reaches addresses on the internet alone, by https.
pub type PublicClient = Client<HttpsConnector<HttpConnector<PublicResolver>>, HttpsBody>;

/// A client for hosts that somebody else than the administrator chose, which are names. Each request has a connection of its own.
pub fn public_client(tls: ClientConfig, connect_within: Duration) -> PublicClient {
    let mut tcp = HttpConnector::new_with_resolver(PublicResolver);
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(connect_within));
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_only()
        .enable_http1()
        .wrap_connector(tcp);
    Client::builder(TokioExecutor::new())
        .pool_max_idle_per_host(0)
        .build(connector)
}

/// Connecting to an address is given up after `connect_within`, and an unused connection is closed after `idle`; without any such
/// time, each request has a connection of its own.
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
        .pool_max_idle_per_host(if idle.is_zero() { 0 } else { usize::MAX })
        .build(connector)
}

/// Trusts the system's root certificates; without any, trusts nobody. Reading them takes some 40 ms.
pub fn system_tls() -> ClientConfig {
    match Verifier::new(Arc::new(ring::default_provider())) {
        // "Dangerous" only means a custom verifier; this one is the system's.
        Ok(verifier) => tls()
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        Err(error) => {
            tracing::warn!(%error, "no root certificates were found on this machine");
            untrusting_tls()
        }
    }
}

/// Trusts no certificate: for requests over plain HTTP.
pub fn untrusting_tls() -> ClientConfig {
    tls()
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth()
}

fn tls() -> ConfigBuilder<ClientConfig, WantsVerifier> {
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring supports the versions that rustls deems safe")
}

/// Why a request got no response.
#[derive(Clone, Debug)]
pub enum NoResponse {
    /// There is no connection. The words say why, after "cannot be reached:".
    Unreachable(&'static str),
    /// The connection could not be protected.
    Tls(rustls::Error),
    /// The connection ended before the response's head, or that isn't HTTP/1.1.
    Broken,
}

impl From<&HttpsError> for NoResponse {
    fn from(error: &HttpsError) -> Self {
        if !error.is_connect() {
            return Self::Broken;
        }
        let mut kind = None;
        let mut next = error.source();
        while let Some(cause) = next {
            if let Some(wrong) = cause.downcast_ref::<rustls::Error>() {
                return Self::Tls(wrong.clone());
            }
            next = match cause.downcast_ref::<io::Error>() {
                Some(error) => {
                    kind = Some(error.kind());
                    // `source` of such an error leaves out the error that it wraps.
                    error.get_ref().map(|inner| inner as &(dyn Error + 'static))
                }
                None => cause.source(),
            };
        }
        Self::Unreachable(match kind {
            Some(ErrorKind::ConnectionRefused) => "no program listens at that port",
            Some(ErrorKind::TimedOut) => "nothing answers at that address",
            Some(ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable) => {
                "the network has no way to that address"
            }
            Some(ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe) => {
                "it closed the connection at once"
            }
            // The resolver's errors have no kind of their own.
            _ => "its host name is unknown, or there is no network",
        })
    }
}
