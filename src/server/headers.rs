//! The headers of every answer: what a browser may do with it, and that nobody keeps it.

use poem::Response;
use poem::http::{HeaderMap, HeaderName, HeaderValue, header};

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

/// The headers, laid out once.
pub struct Headers(HeaderMap);

impl Headers {
    /// Those of a server that is reached by https, or only by http.
    pub fn new(https: bool) -> Self {
        let always = ALWAYS.into_iter().chain([
            (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
            (header::CACHE_CONTROL, "no-store"),
        ]);
        let hsts = https.then_some((header::STRICT_TRANSPORT_SECURITY, HSTS));
        let headers = always.chain(hsts);
        Self(
            headers
                .map(|(name, value)| (name, HeaderValue::from_static(value)))
                .collect(),
        )
    }

    /// The answer with the headers. What it says of its own caching and policy stands, and of nothing else.
    pub fn on(&self, mut answer: Response) -> Response {
        let mut headers = self.0.clone();
        let own = std::mem::take(answer.headers_mut());
        let mut last = None;
        for (name, value) in own {
            match name {
                Some(name) if is_always(&name) => last = None,
                Some(name) => {
                    headers.insert(&name, value);
                    last = Some(name);
                }
                // Another value of the header before.
                None => {
                    if let Some(name) = &last {
                        headers.append(name, value);
                    }
                }
            }
        }
        *answer.headers_mut() = headers;
        answer
    }
}

fn is_always(name: &HeaderName) -> bool {
    *name == header::STRICT_TRANSPORT_SECURITY || ALWAYS.iter().any(|(always, _)| always == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_answer_says_of_its_caching_stands_and_of_its_protection_does_not() {
        let answer = Response::builder()
            .header(header::CACHE_CONTROL, "no-cache")
            .header(header::X_FRAME_OPTIONS, "SAMEORIGIN")
            .header(header::SET_COOKIE, "a=1")
            .header(header::SET_COOKIE, "b=2")
            .finish();

        let answer = Headers::new(true).on(answer);

        let headers = answer.headers();
        assert_eq!(headers[header::CACHE_CONTROL], "no-cache");
        assert_eq!(headers[header::X_FRAME_OPTIONS], "DENY");
        assert_eq!(headers[header::CONTENT_SECURITY_POLICY], PAGE_POLICY);
        assert_eq!(headers[header::STRICT_TRANSPORT_SECURITY], HSTS);
        let cookies = headers.get_all(header::SET_COOKIE).iter();
        assert_eq!(cookies.collect::<Vec<_>>(), ["a=1", "b=2"]);
        assert_eq!(headers.len(), 7 + 2 + 1 + 2);
    }
}
