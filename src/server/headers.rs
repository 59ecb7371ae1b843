//! The headers of every answer: what a browser may do with it, and that nobody keeps it.

use poem::http::{HeaderMap, HeaderName, HeaderValue, header};
use poem::{Endpoint, IntoResponse, Request, Response, Result};

/// Our pages: everything from here, nothing inline, nothing framed.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'";

/// What a page may not use: everything that a page of ours has no need of.
const PERMISSIONS: &str = "accelerometer=(), autoplay=(), camera=(), display-capture=(), \
     encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), \
     midi=(), payment=(), picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), \
     usb=(), xr-spatial-tracking=()";

/// The same for every answer.
const ALWAYS: [(HeaderName, &str); 7] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS),
    (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
];

/// Two years (hstspreload.org asks for at least one).
const HSTS: &str = "max-age=63072000; includeSubDomains";

/// Adds the headers. What an answer says of its own caching and policy stands.
pub async fn protect<E: Endpoint>(https: bool, next: E, request: Request) -> Result<Response> {
    let mut response = match next.call(request).await {
        Ok(response) => response.into_response(),
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    default(headers, header::CONTENT_SECURITY_POLICY, PAGE_POLICY);
    default(headers, header::CACHE_CONTROL, "no-store");
    if https {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static(HSTS),
        );
    }
    Ok(response)
}

fn default(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers
        .entry(name)
        .or_insert(HeaderValue::from_static(value));
}
