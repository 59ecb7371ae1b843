//! What of an upstream's response the client gets.

use std::time::Duration;

use hyper::Response;
use hyper::header::{self, HeaderMap, HeaderValue};
use tokio::time::timeout;

use super::error::GatewayError;
use super::response::GatewayBody;
use crate::kernel::outgoing::https;
use crate::models::{Upstream, UpstreamResponse, UpstreamStatus};

/// Of an upstream's error, in bytes.
const LARGEST_ERROR: usize = 256 * 1024;

/// For reading an upstream's error.
const ERROR_TIME: Duration = Duration::from_secs(10);

/// What the client gets of an upstream's error: its status, its body and its `Retry-After`. A body that repeats the upstream's
/// key is left out.
pub async fn upstreams_error(upstream: &Upstream, response: UpstreamResponse) -> GatewayError {
    match UpstreamStatus::of(response.status) {
        UpstreamStatus::Key(_) => return GatewayError::upstream_credentials(),
        UpstreamStatus::Success | UpstreamStatus::Redirect | UpstreamStatus::Other(..400) => {
            return GatewayError::upstream_invalid();
        }
        UpstreamStatus::NothingThere | UpstreamStatus::TooMany | UpstreamStatus::Other(_) => {}
    }
    let body = https::read_body(response.body, LARGEST_ERROR);
    let Ok(Some(body)) = timeout(ERROR_TIME, body).await else {
        return GatewayError::upstream_invalid();
    };
    let key = upstream.key.as_ref();
    if key.is_some_and(|key| key.is_leaked_in(&body)) {
        return GatewayError::upstream_invalid();
    }
    let mut answer = Response::new(GatewayBody::Whole(body));
    *answer.status_mut() = response.status;
    pass_on_headers(&response.headers, answer.headers_mut());
    if let Some(after) = response.headers.get(header::RETRY_AFTER) {
        answer
            .headers_mut()
            .insert(header::RETRY_AFTER, after.clone());
    }
    GatewayError::passed_on(answer)
}

/// Passes the content type on, if a browser doesn't run what has it.
pub fn pass_on_headers(from: &HeaderMap, to: &mut HeaderMap) {
    const HARMLESS: [&str; 4] = [
        "application/json",
        "application/x-ndjson",
        "text/event-stream",
        "text/plain",
    ];
    let sent = from.get(header::CONTENT_TYPE);
    let harmless = sent.filter(|value| HARMLESS.contains(&media_type(value).as_str()));
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    to.insert(header::CONTENT_TYPE, harmless.cloned().unwrap_or(plain));
}

fn media_type(value: &HeaderValue) -> String {
    let value = value.to_str().unwrap_or_default();
    let name = value.split(';').next().unwrap_or_default();
    name.trim().to_ascii_lowercase()
}

pub fn is_html(headers: &HeaderMap) -> bool {
    let sent = headers.get(header::CONTENT_TYPE).map(media_type);
    sent.is_some_and(|name| name.contains("html"))
}
