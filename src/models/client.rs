//! Requests to upstreams. Nothing of the assistant's request is sent on except what [`UpstreamClient::send`] is given.

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::http::Extensions;
use hyper::http::uri::Scheme;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use hyper_util::client::legacy::connect::HttpInfo;
use rustls::ClientConfig;
use tokio::sync::OnceCell;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::Instant;

use super::encoding::UpstreamBody;
use super::upstream::{Upstream, UpstreamKey};
use crate::kernel::outgoing::certificate::complaint;
use crate::kernel::outgoing::https::{self, HttpsBody, HttpsClient, HttpsError, NoResponse};

/// For connecting to one address.
const CONNECT: Duration = Duration::from_secs(10);

/// The time limit for the head of a response, from the start of the request, unless another one is set.
const HEAD: Duration = Duration::from_secs(60);

/// How long an unused connection stays open.
const IDLE: Duration = Duration::from_secs(60);

/// An upstream that closes an unused connection as a request comes does so at once.
const CLOSED_AT_ONCE: Duration = Duration::from_secs(1);

/// How long after a response a connection is still known to have had one: longer than any answer and [`IDLE`] together.
const KNOWN: Duration = Duration::from_secs(15 * 60);

/// Makes requests over HTTP/1.1 with one pool of connections, which clones share. It follows no redirects, and uses no proxy.
#[derive(Clone)]
pub struct UpstreamClient {
    plain: Arc<Clients>,
    /// Created with the first request over TLS, because reading the system's root certificates takes time and memory.
    tls: Arc<OnceCell<Clients>>,
    system_tls: fn() -> ClientConfig,
    /// When each connection, by its own address, last had a response.
    answered: Arc<Mutex<HashMap<SocketAddr, Instant>>>,
    head_within: Duration,
}

struct Clients {
    pooled: HttpsClient,
    /// Each of its requests has a connection of its own.
    unpooled: HttpsClient,
}

impl Clients {
    fn new(tls: ClientConfig) -> Self {
        Self {
            pooled: https::client(tls.clone(), CONNECT, IDLE),
            unpooled: https::client(tls, CONNECT, Duration::ZERO),
        }
    }
}

/// The head of an upstream's response, and its body. Dropping the body closes the connection unless all of it was read.
#[derive(Debug)]
pub struct UpstreamResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// Without its `Content-Encoding`.
    pub body: UpstreamBody,
}

/// What a response's status means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpstreamStatus {
    Success,
    /// Redirects are not followed.
    Redirect,
    /// The key is refused, or one is missing.
    Key(u16),
    NothingThere,
    TooMany,
    Other(u16),
}

impl UpstreamStatus {
    pub fn of(status: StatusCode) -> Self {
        match status {
            _ if status.is_success() => Self::Success,
            _ if status.is_redirection() => Self::Redirect,
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Self::Key(status.as_u16()),
            StatusCode::NOT_FOUND => Self::NothingThere,
            StatusCode::TOO_MANY_REQUESTS => Self::TooMany,
            _ => Self::Other(status.as_u16()),
        }
    }
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
    /// The response is compressed, though that wasn't asked for, and in an unknown way.
    #[error("The upstream's answer is compressed in a way that Porchlight doesn't know.")]
    Encoding,
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
            plain: Arc::new(Clients::new(https::untrusting_tls())),
            tls: Arc::default(),
            system_tls: https::system_tls,
            answered: Arc::default(),
            head_within: HEAD,
        }
    }

    /// Returns a client with these TLS settings and no open connections.
    #[must_use]
    pub fn with_tls(self, tls: ClientConfig) -> Self {
        Self {
            tls: Arc::new(OnceCell::new_with(Some(Clients::new(tls)))),
            ..self
        }
    }

    /// Returns a client with the same connections that waits this long for a response's head.
    #[must_use]
    pub fn with_head_within(&self, head_within: Duration) -> Self {
        Self {
            head_within,
            ..self.clone()
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
        let body = body.into();
        let again = body.copy();
        let mut request = Request::new(body);
        *request.uri_mut() = uri.map_err(|_| UpstreamError::Path)?;
        *request.method_mut() = method;
        let headers = request.headers_mut();
        // A copy of the answer is read.
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
        // Reading the system's root certificates takes time that isn't the upstream's.
        let clients = self.clients(request.uri()).await?;
        let answered = self.request(clients, request, again);
        let answered = tokio::time::timeout(self.head_within, answered).await;
        let response = answered.map_err(|_| UpstreamError::TimedOut)?;
        let (head, body) = response.map_err(|error| why(&error))?.into_parts();
        Ok(UpstreamResponse {
            body: UpstreamBody::new(&head.headers, body).ok_or(UpstreamError::Encoding)?,
            status: head.status,
            headers: head.headers,
        })
    }

    #[cfg(test)]
    pub(super) fn with_system_tls(self, system_tls: fn() -> ClientConfig) -> Self {
        Self { system_tls, ..self }
    }

    #[cfg(test)]
    pub(super) fn has_read_certificates(&self) -> bool {
        self.tls.get().is_some()
    }

    /// Fails if the certificates could not be read; the next request reads them again.
    async fn clients(&self, uri: &Uri) -> Result<&Clients, UpstreamError> {
        if uri.scheme() != Some(&Scheme::HTTPS) {
            return Ok(&self.plain);
        }
        let read = || async { Ok(Clients::new(spawn_blocking(self.system_tls).await?)) };
        let clients = self.tls.get_or_try_init(read).await;
        clients.map_err(|_: JoinError| {
            let sentence = "This machine's root certificates could not be read.";
            UpstreamError::Tls(sentence.to_owned())
        })
    }

    /// Sends a request, and once more on a new connection if the upstream closed an unused one as it came.
    async fn request(
        &self,
        clients: &Clients,
        request: Request<HttpsBody>,
        again: Option<HttpsBody>,
    ) -> Result<Response<Incoming>, HttpsError> {
        let (head, body) = request.into_parts();
        let again = again.map(|body| Request::from_parts(head.clone(), body));
        let sent = Instant::now();
        let answered = clients.pooled.request(Request::from_parts(head, body));
        let response = match (answered.await, again) {
            (Err(error), Some(again))
                if sent.elapsed() < CLOSED_AT_ONCE && self.was_unused(&error) =>
            {
                clients.unpooled.request(again).await?
            }
            (answered, _) => answered?,
        };
        self.note_answered(response.extensions());
        Ok(response)
    }

    fn note_answered(&self, connection: &Extensions) {
        let now = Instant::now();
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.retain(|_, at| now.duration_since(*at) < KNOWN);
        if let Some(connection) = connection.get::<HttpInfo>() {
            answered.insert(connection.local_addr(), now);
        }
    }

    /// Whether a connection that had a response before was closed without another one.
    fn was_unused(&self, error: &HttpsError) -> bool {
        let mut extras = Extensions::new();
        if let Some(connection) = error.connect_info() {
            connection.get_extras(&mut extras);
        }
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = extras.get::<HttpInfo>();
        let is_reused = connection.is_some_and(|it| answered.contains_key(&it.local_addr()));
        is_reused && is_closed(error)
    }
}

fn is_closed(error: &HttpsError) -> bool {
    let error = error
        .source()
        .and_then(|it| it.downcast_ref::<hyper::Error>());
    error.is_some_and(|error| {
        let io = error.source().and_then(|it| it.downcast_ref::<io::Error>());
        let is_reset = |error: &io::Error| {
            matches!(
                error.kind(),
                ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::ConnectionAborted
            )
        };
        error.is_incomplete_message()
            || error.is_closed()
            || error.is_canceled()
            || io.is_some_and(is_reset)
    })
}

fn why(error: &HttpsError) -> UpstreamError {
    match NoResponse::from(error) {
        NoResponse::Unreachable(why) => UpstreamError::Unreachable(why),
        NoResponse::Tls(wrong) => UpstreamError::Tls(complaint("The upstream's", &wrong)),
        NoResponse::Broken => UpstreamError::Broken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_has_one_meaning() {
        use UpstreamStatus::{Key, NothingThere, Other, Redirect, Success, TooMany};
        let cases = [
            (&[200, 204, 299][..], Success),
            (&[301, 308], Redirect),
            (&[404], NothingThere),
            (&[429], TooMany),
        ];
        let numbered = [101, 400, 500, 999].map(|status| (status, Other(status)));
        let cases = cases
            .iter()
            .flat_map(|(all, means)| all.iter().map(|it| (*it, *means)));

        for (status, expected) in cases
            .chain(numbered)
            .chain([401, 403].map(|it| (it, Key(it))))
        {
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(UpstreamStatus::of(status), expected, "{status}");
        }
    }
}
