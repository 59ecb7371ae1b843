//! The headers of every response: security policies and caching.

use poem::Response;
use poem::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::kernel::host::public_url::PublicUrl;

/// The policy of our pages: resources from this server only, nothing inline, no framing.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'";

/// The policy of all other responses: they are data, and a browser that shows one as a page may load nothing.
const DATA_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Browser features that our pages don't use and therefore forbid.
const PERMISSIONS: &str = "accelerometer=(), autoplay=(), camera=(), display-capture=(), \
     encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), \
     midi=(), payment=(), picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), \
     usb=(), xr-spatial-tracking=()";

/// The constant headers of every response.
const ALWAYS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
];

/// The constant headers of pages only. They restrict what a page may do, and are half of a short response's bytes.
const ON_PAGES: [(HeaderName, &str); 2] = [
    (HeaderName::from_static("permissions-policy"), PERMISSIONS),
    (OPENER_POLICY, "same-origin"),
];

/// Browsers honour it only on https and on this machine (HTML, "cross-origin opener policies"), and log a warning
/// elsewhere.
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// nginx collects a response before it passes it on, unless this is `no`.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Whether browsers must use https only for this host (RFC 6797). Never for its subdomains, and only if the
/// administrator asks for it: a browser then refuses plain http on every port of the host, where other services may run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hsts {
    /// Browsers delete an earlier setting.
    #[default]
    Off,
    /// Browsers remember it for two years.
    On,
}

impl Hsts {
    fn value(self) -> &'static str {
        match self {
            Self::Off => "max-age=0",
            Self::On => "max-age=63072000",
        }
    }
}

/// The headers, prepared once.
pub struct Headers {
    page: HeaderMap,
    data: HeaderMap,
}

impl Headers {
    /// The headers of a server with this public URL.
    pub fn new(public_url: &PublicUrl, hsts: Hsts) -> Self {
        let hsts = public_url
            .is_https()
            .then_some((header::STRICT_TRANSPORT_SECURITY, hsts.value()));
        let is_trustworthy = public_url.is_https() || public_url.is_loopback();
        let on_pages: Vec<_> = ON_PAGES
            .into_iter()
            .filter(|(name, _)| is_trustworthy || *name != OPENER_POLICY)
            .collect();
        let with = |policy, more: &[(HeaderName, &'static str)]| {
            let changeable = [
                (header::CONTENT_SECURITY_POLICY, policy),
                (header::CACHE_CONTROL, "no-store"),
            ];
            let headers = ALWAYS.into_iter().chain(more.iter().cloned());
            let headers = headers.chain(changeable).chain(hsts.clone());
            headers
                .map(|(name, value)| (name, HeaderValue::from_static(value)))
                .collect()
        };
        Self {
            page: with(PAGE_POLICY, &on_pages),
            data: with(DATA_POLICY, &[]),
        }
    }

    /// Adds the headers. A response may set its own caching and content policy; its values for the others are dropped.
    pub fn on(&self, mut answer: Response) -> Response {
        let headers = answer.headers_mut();
        if is_kind(headers, b"text/event-stream") {
            // poem would let a browser cache an event stream.
            headers.remove(header::CACHE_CONTROL);
            headers.insert(BUFFERING, HeaderValue::from_static("no"));
        }
        let ours = if is_kind(headers, b"text/html") {
            &self.page
        } else {
            &self.data
        };
        // Cloning the prepared headers hashes no name, as inserting each would.
        let mut all = ours.clone();
        let mut kept = None;
        for (name, value) in std::mem::take(headers) {
            match name {
                Some(name) if is_changeable(&name) || !ours.contains_key(&name) => {
                    all.insert(name.clone(), value);
                    kept = Some(name);
                }
                Some(_) => kept = None,
                // A further value of the header before it.
                None => {
                    if let Some(name) = &kept {
                        all.append(name, value);
                    }
                }
            }
        }
        *headers = all;
        answer
    }
}

/// Whether the content is of this media type: a browser shows `text/html` as a page.
fn is_kind(headers: &HeaderMap, media_type: &[u8]) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(media_type))
}

/// Whether a response's own value for this header stays.
fn is_changeable(name: &HeaderName) -> bool {
    *name == header::CONTENT_SECURITY_POLICY || *name == header::CACHE_CONTROL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_answer_says_of_its_caching_stands_and_of_its_protection_does_not() {
        let answer = Response::builder()
            .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
            .header(header::CACHE_CONTROL, "no-cache")
            .header(header::X_FRAME_OPTIONS, "SAMEORIGIN")
            .header(header::SET_COOKIE, "a=1")
            .header(header::SET_COOKIE, "b=2")
            .finish();

        let url = "https://porchlight.example".parse().unwrap();
        let answer = Headers::new(&url, Hsts::Off).on(answer);

        let headers = answer.headers();
        assert_eq!(headers[header::CACHE_CONTROL], "no-cache");
        assert_eq!(headers[header::X_FRAME_OPTIONS], "DENY");
        assert_eq!(headers[header::CONTENT_SECURITY_POLICY], PAGE_POLICY);
        assert_eq!(headers[header::STRICT_TRANSPORT_SECURITY], "max-age=0");
        let cookies = headers.get_all(header::SET_COOKIE).iter();
        assert_eq!(cookies.collect::<Vec<_>>(), ["a=1", "b=2"]);
        assert_eq!(headers.len(), ALWAYS.len() + ON_PAGES.len() + 1 + 3 + 2);
    }

    #[test]
    fn browsers_keep_https_only_when_asked_to_and_never_for_other_hosts() {
        for (url, hsts, expected) in [
            ("https://porchlight.example", Hsts::Off, Some("max-age=0")),
            (
                "https://porchlight.example:8443",
                Hsts::On,
                Some("max-age=63072000"),
            ),
            ("http://192.168.1.20:8080", Hsts::On, None),
        ] {
            let headers = Headers::new(&url.parse().unwrap(), hsts);
            let answer = headers.on(Response::builder().finish());
            let sent = answer.headers().get(header::STRICT_TRANSPORT_SECURITY);
            let expected = expected.map(HeaderValue::from_static);
            assert_eq!(sent, expected.as_ref(), "{url}");
        }
    }

    #[test]
    fn the_opener_policy_is_sent_where_browsers_follow_it() {
        for (url, is_sent) in [
            ("https://porchlight.example", true),
            ("http://127.0.0.1:8080", true),
            ("http://192.168.1.20:8080", false),
        ] {
            let answer = Response::builder()
                .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
                .finish();
            let answer = Headers::new(&url.parse().unwrap(), Hsts::Off).on(answer);
            assert_eq!(
                answer.headers().contains_key(OPENER_POLICY),
                is_sent,
                "{url}"
            );
            assert!(answer.headers().contains_key("permissions-policy"), "{url}");
        }
    }

    #[test]
    fn a_stream_of_events_is_stored_and_collected_nowhere() {
        let answer = Response::builder()
            .header(header::CONTENT_TYPE, "text/event-stream")
            .header(header::CACHE_CONTROL, "no-cache")
            .finish();

        let url = "https://porchlight.example".parse().unwrap();
        let answer = Headers::new(&url, Hsts::Off).on(answer);

        assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
        assert_eq!(answer.headers()[BUFFERING], "no", "nginx would collect it");
    }
}
