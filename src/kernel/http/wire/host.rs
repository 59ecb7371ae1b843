//! The host that a request names.

use poem::Request;
use poem::http::header;

/// The one host that a request names, with its port; `None` if it names several (RFC 9112, section 3.2).
pub fn named_host(request: &Request) -> Option<&str> {
    if let Some(authority) = request.uri().authority() {
        return Some(authority.as_str());
    }
    let mut named = request.headers().get_all(header::HOST).iter();
    let host = named.next()?.to_str().ok()?;
    named.next().is_none().then_some(host)
}
