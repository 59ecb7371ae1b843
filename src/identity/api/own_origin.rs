//! Whether a request comes from our own pages.

use poem::Request;
use poem::http::header;

use super::browser::is_at_name;
use crate::identity::Identity;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::http::origin::OtherScheme;
use crate::kernel::http::problem::{Code, Refusal};
use crate::kernel::http::wire::named_host;

/// Checks that a request with a cookie comes from our own pages: browsers send the page's origin in `Origin` (RFC 6454), and no
/// other page can forge it.
pub fn require_same_origin(identity: &Identity, request: &Request) -> Result<(), Refusal> {
    if is_own_origin(identity.url_at(is_at_name(request)), request) {
        Ok(())
    } else {
        Err(Refusal::forbidden(
            Code::OtherOrigin,
            "This call may only come from Porchlight's own pages.",
        ))
    }
}

/// Whether the request's origin is the public one, or that of the host it was sent to: the server is also reachable under other
/// host names of this machine, and over the other scheme behind a trusted proxy. The host name itself was checked before.
fn is_own_origin(ours: &PublicUrl, request: &Request) -> bool {
    let scheme = match (request.data::<OtherScheme>(), ours.is_https()) {
        (Some(other), _) => other.prefix(),
        (None, true) => "https://",
        (None, false) => "http://",
    };
    let Some(origin) = request.header(header::ORIGIN) else {
        return false;
    };
    // At the name, `ours` is the name's URL: a page of the plain address, which anybody on the Wi-Fi can change, isn't our own there.
    // Uses the host name that was checked: with an absolute URL it isn't in `Host`.
    origin == ours.origin()
        || named_host(request).is_some_and(|host| origin.strip_prefix(scheme) == Some(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_own_page_is_on_the_public_origin_or_on_the_host_that_was_asked() {
        let cases = [
            (
                "https://porch.example",
                "https://porch.example",
                "porch.example",
                true,
            ),
            (
                "https://porch.example",
                "https://porch.example",
                "porch.local",
                true,
            ),
            (
                "https://192.168.1.2:8443",
                "https://porch.local:8443",
                "porch.local:8443",
                true,
            ),
            (
                "https://192.168.1.2:8443",
                "https://porch.local",
                "porch.local:8443",
                false,
            ),
            (
                "https://192.168.1.2:8443",
                "http://porch.local:8443",
                "porch.local:8443",
                false,
            ),
            (
                "http://127.0.0.1:8080",
                "http://localhost:8080",
                "localhost:8080",
                true,
            ),
            (
                "http://127.0.0.1:8080",
                "https://localhost:8080",
                "localhost:8080",
                false,
            ),
            (
                "https://porch.example",
                "https://evil.example",
                "porch.example",
                false,
            ),
            ("https://porch.example", "null", "porch.example", false),
            ("https://porch.example", "", "", false),
        ];

        for (ours, origin, host, expected) in cases {
            let ours = ours.parse().unwrap();
            let by_host = Request::builder()
                .header(header::ORIGIN, origin)
                .header(header::HOST, host)
                .finish();
            assert_eq!(
                is_own_origin(&ours, &by_host),
                expected,
                "{origin} at {host}, which is {ours}"
            );
            if host.is_empty() {
                continue;
            }
            // As with an absolute URL.
            let uri = format!(
                "{}://{host}/api/auth/token",
                if ours.is_https() { "https" } else { "http" }
            );
            let by_authority = Request::builder()
                .uri(uri.parse().unwrap())
                .header(header::ORIGIN, origin)
                .finish();
            assert_eq!(
                is_own_origin(&ours, &by_authority),
                expected,
                "{origin} at {uri}"
            );
        }
    }

    #[test]
    fn a_host_header_beside_an_absolute_url_says_nothing() {
        let ours = "https://porch.example".parse().unwrap();
        let request = Request::builder()
            .uri("https://porch.local/api/auth/token".parse().unwrap())
            .header(header::HOST, "evil.example")
            .header(header::ORIGIN, "https://evil.example")
            .finish();

        assert!(!is_own_origin(&ours, &request));
    }
}
