//! What a browser shows when it asked for a host that isn't ours.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Request, Response};
use sha2::{Digest, Sha256};

/// The page's style sheet, which the content security policy allows by its hash: a file would be refused, too.
const STYLE: &str = include_str!("page.css");

/// It tells no address: the one who asks may be a page that rebinds a name to this machine.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Another address · Porchlight</title><style>{STYLE}</style></head><body><main>\
         <h1>Porchlight does not answer under this address</h1>\
         <p>Please open the address that Porchlight shows when it is started: a link, or a QR code for your phone.</p>\
         <p>If this address is right, whoever runs Porchlight can allow it with <code>--allow-host</code>, or make it the \
         address of all links with <code>--public-url</code>.</p></main></body></html>\n"
    )
});

static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!("default-src 'none'; style-src 'sha256-{hash}'; frame-ancestors 'none'");
    HeaderValue::from_str(&policy).expect("a hash in base64 is plain text")
});

/// The page, if a browser asks for one. Programs get the error's usual shape.
pub fn for_browser(request: &Request) -> Option<Response> {
    let accepts = request.header(header::ACCEPT)?;
    accepts.contains("text/html").then(|| {
        Response::builder()
            .status(StatusCode::MISDIRECTED_REQUEST)
            .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
            .header(header::CONTENT_SECURITY_POLICY, POLICY.clone())
            .body(PAGE.as_str())
    })
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
            assert_eq!(for_browser(&request).is_some(), is_page, "{accept}");
        }
        assert!(for_browser(&Request::builder().finish()).is_none());
    }

    #[test]
    fn the_style_sheet_ends_as_it_is_hashed() {
        // A browser hashes all between the tags.
        assert!(PAGE.contains(&format!("<style>{STYLE}</style>")));
    }
}
