//! POST requests: notifications and webhooks to servers that the administrator named, and messages to push services, which browsers name.
//!
//! The status decides: 2xx means received; 400, 413 and 422 refuse this request; anything else is about the server or the
//! settings, so it may work later, and `Retry-After` says when. A web page isn't an answer: behind a login page, no request
//! arrives. Redirects are not followed, so that nobody but the administrator chooses who gets the request.
//! Each request has a connection of its own, because a server that closes an idle connection just as it is used again leaves
//! open whether it received the request.
//!
//! No error contains a URL, a header or anything that the server wrote: a path or a topic may be a secret.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use chrono::DateTime;
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request, StatusCode, Uri};
use url::Url;

use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::certificate::complaint;
use crate::kernel::outgoing::https::{
    self, HttpsBody, HttpsClient, NoResponse, PublicClient, ResponseFuture,
};

/// For connecting to one address.
const CONNECT: Duration = Duration::from_secs(10);

/// From the start of the request to the response's head.
const HEAD: Duration = Duration::from_secs(30);

/// For the beginning of a body.
const BODY: Duration = Duration::from_secs(2);

/// The maximum number of bytes that are read of a response's body. ntfy's error messages have about 150.
const LARGEST_BODY: usize = 4 * 1024;

/// An absolute `http` or `https` URL without user info and fragment, to which requests can be made. `None` for any other text.
pub fn server_url(text: &str) -> Option<Url> {
    let url = Url::parse(text.trim()).ok()?;
    let is_valid = matches!(url.scheme(), "http" | "https")
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none()
        && url.has_host()
        // Of some URLs, hyper can't make requests.
        && url.as_str().parse::<Uri>().is_ok();
    is_valid.then_some(url)
}

/// A request, with a JSON body unless a header says otherwise.
#[derive(Clone)]
pub struct Post {
    pub url: Uri,
    /// Besides those that every request has.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    pub body: Bytes,
}

impl Post {
    fn request(&self) -> Request<HttpsBody> {
        let mut request = Request::post(self.url.clone())
            .header(USER_AGENT, "Porchlight")
            .header(CONNECTION, "close");
        if self.headers.iter().all(|(name, _)| name != CONTENT_TYPE) {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.body(HttpsBody::from(self.body.clone()));
        request.expect("its parts are valid")
    }
}

/// Redacted: the URL, the headers and the body may hold secrets.
impl fmt::Debug for Post {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Post(…)")
    }
}

/// A response.
#[derive(Debug)]
pub struct PostAnswer {
    pub status: StatusCode,
    retry_after: Option<HeaderValue>,
    /// The beginning of the body. If a POST was a success, it is empty unless it may be a web page.
    pub body: Vec<u8>,
}

/// What a status means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Received,
    /// It may work later, but not before this has passed if the server said so.
    Later(Option<Duration>),
    Refused,
}

impl PostAnswer {
    pub fn verdict(&self, now: Timestamp) -> Verdict {
        match self.status {
            status if status.is_success() && !self.is_web_page() => Verdict::Received,
            StatusCode::BAD_REQUEST
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::UNPROCESSABLE_ENTITY => Verdict::Refused,
            _ => Verdict::Later(self.retry_after(now)),
        }
    }

    fn is_web_page(&self) -> bool {
        let text = self.body.trim_ascii_start();
        [b"<!doctype html".as_slice(), b"<html"]
            .iter()
            .any(|start| {
                text.get(..start.len())
                    .is_some_and(|found| found.eq_ignore_ascii_case(start))
            })
    }

    /// Whether a push service says that the subscription has ended (RFC 8030, section 7.3).
    pub fn is_gone(&self) -> bool {
        matches!(self.status, StatusCode::NOT_FOUND | StatusCode::GONE)
    }

    /// Why it isn't received, in a sentence.
    pub fn complaint(&self) -> String {
        let status = self.status.as_u16();
        match self.status {
            found if found.is_success() => {
                format!(
                    "The server answered with a web page (status {status}), perhaps to sign in."
                )
            }
            found if found.is_redirection() => format!(
                "The server answered with the status {status}, a redirect. Redirects are not followed."
            ),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                format!("The server does not allow it (status {status}).")
            }
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                format!("There is nothing at this address (status {status}).")
            }
            StatusCode::TOO_MANY_REQUESTS => {
                format!("The server says that it gets too many (status {status}).")
            }
            found if found.is_server_error() => {
                format!("The server has a problem (status {status}).")
            }
            _ => format!("The server refused it (status {status})."),
        }
    }

    /// RFC 9110, section 10.2.3: seconds, or a date.
    fn retry_after(&self, now: Timestamp) -> Option<Duration> {
        let text = self.retry_after.as_ref()?.to_str().ok()?.trim();
        if let Ok(seconds) = text.parse::<u32>() {
            return Some(Duration::from_secs(seconds.into()));
        }
        let date = DateTime::parse_from_rfc2822(text).ok()?;
        Some(Timestamp::from(date.to_utc()).since(now))
    }
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    #[error("The server cannot be reached: {0}.")]
    Unreachable(&'static str),
    #[error("{0}")]
    Tls(String),
    /// The server may have received the request.
    #[error("The server took too long to answer.")]
    TimedOut,
    /// The server may have received the request.
    #[error("The connection broke off before the answer, or the server doesn't speak HTTP.")]
    Broken,
}

impl PostError {
    /// Whether the server may have received the request.
    pub fn may_be_received(&self) -> bool {
        matches!(self, Self::TimedOut | Self::Broken)
    }
}

/// Sends requests. Clones share the TLS settings.
#[derive(Clone)]
pub struct PostClient {
    /// Created with the first request, because reading the system's root certificates takes time and memory.
    client: Arc<OnceLock<HttpsClient>>,
    public: Arc<OnceLock<PublicClient>>,
    head_within: Duration,
}

impl Default for PostClient {
    fn default() -> Self {
        Self {
            client: Arc::default(),
            public: Arc::default(),
            head_within: HEAD,
        }
    }
}

impl PostClient {
    /// Returns a client that waits this long for a response's head.
    #[must_use]
    pub fn with_head_within(self, head_within: Duration) -> Self {
        Self {
            head_within,
            ..self
        }
    }

    pub async fn send(&self, post: &Post) -> Result<PostAnswer, PostError> {
        self.ask(post.request()).await
    }

    /// Sends it by https to an address on the internet; to any other, the host [cannot be reached](PostError::Unreachable).
    pub async fn send_to_internet(&self, post: &Post) -> Result<PostAnswer, PostError> {
        let client = self
            .public
            .get_or_init(|| https::public_client(https::system_tls(), CONNECT));
        self.answer(client.request(post.request()), true).await
    }

    pub async fn get(&self, url: Uri) -> Result<PostAnswer, PostError> {
        let request = Request::get(url)
            .header(USER_AGENT, "Porchlight")
            .header(CONNECTION, "close");
        let request = request.body(HttpsBody::from(Bytes::new()));
        self.ask(request.expect("its parts are valid")).await
    }

    async fn ask(&self, request: Request<HttpsBody>) -> Result<PostAnswer, PostError> {
        let client = self
            .client
            .get_or_init(|| https::client(https::system_tls(), CONNECT, CONNECT));
        let is_post = request.method() == Method::POST;
        self.answer(client.request(request), is_post).await
    }

    async fn answer(&self, answer: ResponseFuture, is_post: bool) -> Result<PostAnswer, PostError> {
        let answered = tokio::time::timeout(self.head_within, answer).await;
        let response = answered.map_err(|_| PostError::TimedOut)?;
        let response = response.map_err(|error| match NoResponse::from(&error) {
            NoResponse::Unreachable(why) => PostError::Unreachable(why),
            NoResponse::Tls(wrong) => PostError::Tls(complaint("The server's", &wrong)),
            NoResponse::Broken => PostError::Broken,
        })?;
        let (head, body) = response.into_parts();
        let content_type = head.headers.get(CONTENT_TYPE);
        let may_be_page = content_type.is_some_and(|it| it.as_bytes().starts_with(b"text/html"));
        let mut beginning = Vec::new();
        if !(is_post && head.status.is_success() && !may_be_page) {
            let reading = https::read_beginning(body, &mut beginning, LARGEST_BODY);
            // What has arrived until then is enough.
            let _ = tokio::time::timeout(BODY, reading).await;
        }
        Ok(PostAnswer {
            status: head.status,
            retry_after: head.headers.get(RETRY_AFTER).cloned(),
            body: beginning,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(status: u16, retry_after: Option<&'static str>) -> Verdict {
        let answer = PostAnswer {
            status: StatusCode::from_u16(status).unwrap(),
            retry_after: retry_after.map(HeaderValue::from_static),
            body: Vec::new(),
        };
        answer.verdict(Timestamp::parse("2026-11-21T20:00:00Z").unwrap())
    }

    #[test]
    fn the_status_decides_what_became_of_a_request() {
        for received in [200, 202, 204, 299] {
            assert_eq!(verdict(received, None), Verdict::Received);
        }
        for later in [
            300, 301, 302, 304, 307, 308, 401, 403, 404, 405, 408, 410, 421, 425, 429, 500, 502,
            503, 507, 599,
        ] {
            assert_eq!(verdict(later, None), Verdict::Later(None), "{later}");
        }
        for about_the_message in [400, 413, 422] {
            let found = verdict(about_the_message, Some("1"));
            assert_eq!(found, Verdict::Refused, "{about_the_message}");
        }
    }

    #[test]
    fn a_web_page_is_no_answer() {
        let page = |body: &str| {
            let answer = PostAnswer {
                status: StatusCode::OK,
                retry_after: None,
                body: body.into(),
            };
            answer.verdict(Timestamp::MIN) != Verdict::Received
        };

        for login in ["<!DOCTYPE html><title>Sign in</title>", "\n <html lang=en>"] {
            assert!(page(login), "{login}");
        }
        for answer in ["", "{}", "ok", "<", "<htm", "<response/>", "é"] {
            assert!(!page(answer), "{answer}");
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_and_anything_else_is_ignored() {
        let after = |text| verdict(429, Some(text));

        assert_eq!(after("120"), Verdict::Later(Some(Duration::from_secs(120))));
        let date = "Sat, 21 Nov 2026 20:01:30 GMT";
        assert_eq!(after(date), Verdict::Later(Some(Duration::from_secs(90))));
        let past = "Sat, 21 Nov 2026 19:00:00 GMT";
        assert_eq!(after(past), Verdict::Later(Some(Duration::ZERO)));
        for nonsense in ["", "-1", "soon", "1e9", "99999999999999999999"] {
            assert_eq!(after(nonsense), Verdict::Later(None), "{nonsense}");
        }
    }

    #[test]
    fn debug_output_reveals_nothing_of_a_request() {
        let post = Post {
            url: Uri::from_static("https://hooks.example/api/webhook/s3cret"),
            headers: Vec::new(),
            body: Bytes::from_static(b"s3cret"),
        };

        assert_eq!(format!("{post:?}"), "Post(…)");
    }
}
