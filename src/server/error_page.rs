//! Error pages for browsers where the React app cannot be served.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Request, Response};
use sha2::{Digest, Sha256};

/// The pages' style sheet, which the content security policy allows by its hash: a file would be refused, too.
const STYLE: &str = include_str!("error_page.css");

/// A page that explains an error, and what to do.
pub struct ErrorPage {
    status: StatusCode,
    title: &'static str,
    heading: &'static str,
    paragraphs: [&'static str; 2],
}

/// The request names an unknown host. The page reveals no address, because the request may come from a DNS rebinding
/// attack.
pub const ANOTHER_HOST: ErrorPage = ErrorPage {
    status: StatusCode::MISDIRECTED_REQUEST,
    title: "Another address",
    heading: "Porchlight does not answer under this address",
    paragraphs: [
        "Please open the address that Porchlight shows when it is started: a link, or a QR code for your phone.",
        "If this address is right, whoever runs Porchlight can allow it with <code>--allow-host</code>, or make it the \
         address of all links with <code>--public-url</code>.",
    ],
};

/// The request's headers are too long; in a browser that means cookies.
pub const TOO_MANY_COOKIES: ErrorPage = ErrorPage {
    status: StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    title: "Too many cookies",
    heading: "Your browser sends too many cookies",
    paragraphs: [
        "Other programs under this address have left so many cookies in your browser that Porchlight cannot read what it sends.",
        "Please delete the cookies of this address in your browser's settings, load this page again and sign in.",
    ],
};

static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| policy(""));

/// The content security policy of a page without scripts. `more` consists of further directives, each with a semicolon and a space
/// after it.
pub fn policy(more: &str) -> HeaderValue {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    let policy =
        format!("default-src 'none'; style-src 'sha256-{hash}'; {more}frame-ancestors 'none'");
    HeaderValue::from_str(&policy).expect("a hash in base64 is plain text")
}

/// A page without scripts. All parts are HTML.
pub fn page(title: &str, heading: &str, content: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{title} · Porchlight</title><style>{STYLE}</style></head><body><main>\
         <h1>{heading}</h1>{content}</main></body></html>\n"
    )
}

/// The response with a [`page`].
pub fn response(status: StatusCode, policy: &HeaderValue, page: String) -> Response {
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .header(header::CONTENT_SECURITY_POLICY, policy.clone())
        .body(Bytes::from(page))
}

impl ErrorPage {
    /// The page, if a browser requested one. Other clients get the usual error format.
    pub fn for_browser(&self, request: &Request) -> Option<Response> {
        let accepts = request.header(header::ACCEPT)?;
        let is_browser = accepts.contains("text/html");
        is_browser.then(|| response(self.status, &POLICY, self.html()))
    }

    fn html(&self) -> String {
        let Self {
            title,
            heading,
            paragraphs: [first, second],
            ..
        } = self;
        page(title, heading, &format!("<p>{first}</p><p>{second}</p>"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_a_page_and_a_program_does_not() {
        for (accept, is_page) in [
            ("text/html,application/xhtml+xml,*/*;q=0.8", true),
            ("application/json", false),
            ("*/*", false),
        ] {
            let request = Request::builder().header(header::ACCEPT, accept).finish();
            assert_eq!(
                ANOTHER_HOST.for_browser(&request).is_some(),
                is_page,
                "{accept}"
            );
        }
        let request = Request::builder().finish();
        assert!(ANOTHER_HOST.for_browser(&request).is_none());
    }

    #[test]
    fn the_style_sheet_ends_as_it_is_hashed() {
        // A browser hashes everything between the tags.
        let page = ANOTHER_HOST.html();
        assert!(page.contains(&format!("<style>{STYLE}</style>")));
    }
}
