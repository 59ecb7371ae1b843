//! Requests to upstreams. Nothing of the assistant's request is sent on except what [`UpstreamClient::send`] is given.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{HeaderMap, Method, Request, StatusCode, Uri};
use rustls::ClientConfig;

use super::upstream::{Upstream, UpstreamKey};
use crate::kernel::certificate::complaint;
use crate::kernel::https::{self, HttpsBody, HttpsClient, HttpsError, NoResponse};

/// For connecting to one address.
const CONNECT: Duration = Duration::from_secs(10);

/// The time limit for the head of a response, from the start of the request. A model that isn't loaded yet takes tens of seconds.
const HEAD: Duration = Duration::from_secs(60);

/// How long an unused connection stays open.
const IDLE: Duration = Duration::from_secs(60);

/// Makes requests over HTTP/1.1 with one pool of connections, which clones share. It follows no redirects, and uses no proxy.
#[derive(Clone)]
pub struct UpstreamClient {
    /// Created with the first request, because reading the system's root certificates takes time and memory.
    client: Arc<OnceLock<HttpsClient>>,
    head_within: Duration,
}

/// The head of an upstream's response, and its body. Dropping the body closes the connection unless all of it was read.
#[derive(Debug)]
pub struct UpstreamResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Incoming,
}

/// Why there is no response. It contains neither the key, nor the path, nor anything that was sent or received.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpstreamError {
    /// There is no connection.
    #[error("The upstream cannot be reached: {0}.")]
    Unreachable(&'static str),
    /// The connection could not be protected. A sentence says why.
    #[error("{0}")]
    Tls(String),
    /// The response's head did not arrive in time.
    #[error("The upstream took too long to begin its answer.")]
    TimedOut,
    /// The connection ended before the response's head, or that isn't HTTP/1.1.
    #[error("The upstream's connection broke off before its answer, or it doesn't speak HTTP.")]
    Broken,
    /// The path can't be appended to the upstream's URL.
    #[error("The request's path cannot be part of a URL.")]
    Path,
}

impl Default for UpstreamClient {
    fn default() -> Self {
        Self::new()
    }
}

impl UpstreamClient {
    /// Trusts the system's root certificates.
    pub fn new() -> Self {
        Self {
            client: Arc::default(),
            head_within: HEAD,
        }
    }

    /// Returns a client with these TLS settings and no open connections.
    #[must_use]
    pub fn with_tls(self, tls: ClientConfig) -> Self {
        let client = Arc::new(OnceLock::from(https::client(tls, CONNECT, IDLE)));
        Self { client, ..self }
    }

    /// Returns a client with the same connections that waits this long for a response's head.
    #[must_use]
    pub fn with_head_within(&self, head_within: Duration) -> Self {
        Self {
            client: self.client.clone(),
            head_within,
        }
    }

    /// Makes a request to the upstream's URL with this path appended, such as `/chat/completions`. If the future is dropped, the
    /// connection is closed.
    pub async fn send(
        &self,
        upstream: &Upstream,
        method: Method,
        path: &str,
        accept: Option<&HeaderValue>,
        content_type: Option<&HeaderValue>,
        body: impl Into<HttpsBody>,
    ) -> Result<UpstreamResponse, UpstreamError> {
        let uri = format!("{}{path}", upstream.url).parse::<Uri>();
        let mut request = Request::new(body.into());
        *request.uri_mut() = uri.map_err(|_| UpstreamError::Path)?;
        *request.method_mut() = method;
        let headers = request.headers_mut();
        // The answer is passed on as it is, and a copy of it is read.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let authorization = upstream.key.as_ref().map(UpstreamKey::bearer);
        let optional = [
            (ACCEPT, accept.cloned()),
            (CONTENT_TYPE, content_type.cloned()),
            (AUTHORIZATION, authorization),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                headers.insert(name, value);
            }
        }
        let client = self
            .client
            .get_or_init(|| https::client(https::system_tls(), CONNECT, IDLE));
        let answered = tokio::time::timeout(self.head_within, client.request(request)).await;
        let response = answered.map_err(|_| UpstreamError::TimedOut)?;
        let (head, body) = response.map_err(|error| why(&error))?.into_parts();
        Ok(UpstreamResponse {
            status: head.status,
            headers: head.headers,
            body,
        })
    }
}

fn why(error: &HttpsError) -> UpstreamError {
    match NoResponse::from(error) {
        NoResponse::Unreachable(why) => UpstreamError::Unreachable(why),
        NoResponse::Tls(wrong) => UpstreamError::Tls(complaint("The upstream's", &wrong)),
        NoResponse::Broken => UpstreamError::Broken,
    }
}
