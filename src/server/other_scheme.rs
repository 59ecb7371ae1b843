//! Allowed hosts that a trusted proxy serves under another scheme than the public URL's: at home `http://nas.local`, from
//! outside `https://porchlight.example`.
//!
//! Cookies are made for the public URL. Over plain http a browser accepts no cookie with the attribute `Secure` or the name
//! prefix `__Secure-`. So over plain http both are removed from responses, and the prefix is restored in requests.

use poem::http::{HeaderMap, HeaderValue, header};
use poem::{Request, Response};

use super::client::TrustedProxies;
use super::hosts::without_port;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::http::origin::OtherScheme;
use crate::kernel::http::wire::named_host;

const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// The name prefix of cookies that a browser accepts over https only. All of ours have it.
const SECURE: &[u8] = b"__Secure-";
const OURS: &[u8] = b"porchlight_";

/// Stores in the request's extensions that its browser used the other scheme, if a trusted proxy says so.
pub fn identify(proxies: &TrustedProxies, public_url: &PublicUrl, request: &mut Request) {
    let peer = request.remote_addr().as_socket_addr().copied();
    if !peer.is_some_and(|peer| proxies.trust(peer.ip())) {
        return;
    }
    let host = named_host(request).map(without_port);
    if host.is_none_or(|host| host.eq_ignore_ascii_case(public_url.host())) {
        return;
    }
    let used = last_scheme(request.headers()).filter(|used| {
        let is_https = *used == OtherScheme::Https;
        is_https != public_url.is_https()
    });
    let Some(used) = used else { return };
    if used == OtherScheme::Http {
        rename_cookies(request.headers_mut());
    }
    request.extensions_mut().insert(used);
}

/// Removes from the cookies what a browser doesn't accept over plain http.
pub fn strip_secure(response: &mut Response) {
    let set = response.headers().get_all(header::SET_COOKIE).iter();
    let loosened = set.map(loosened).collect::<Vec<_>>();
    response.headers_mut().remove(header::SET_COOKIE);
    for cookie in loosened {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

fn loosened(cookie: &HeaderValue) -> HeaderValue {
    let bytes = cookie.as_bytes();
    let bytes = bytes.strip_prefix(SECURE).unwrap_or(bytes);
    let parts = bytes.split(|byte| *byte == b';');
    let kept = parts.filter(|part| !part.trim_ascii().eq_ignore_ascii_case(b"secure"));
    let kept = kept.collect::<Vec<_>>().join(&b';');
    HeaderValue::from_bytes(&kept).unwrap_or_else(|_| cookie.clone())
}

/// The scheme that the nearest proxy reports; entries left of it may be the client's own.
fn last_scheme(headers: &HeaderMap) -> Option<OtherScheme> {
    let last = headers.get_all(FORWARDED_PROTO).iter().next_back()?;
    let last = last.to_str().ok()?.rsplit(',').next()?.trim();
    match last {
        _ if last.eq_ignore_ascii_case("http") => Some(OtherScheme::Http),
        _ if last.eq_ignore_ascii_case("https") => Some(OtherScheme::Https),
        _ => None,
    }
}

fn rename_cookies(headers: &mut HeaderMap) {
    let sent = headers.get_all(header::COOKIE).iter();
    let renamed = sent.map(renamed).collect::<Vec<_>>();
    headers.remove(header::COOKIE);
    for cookies in renamed {
        headers.append(header::COOKIE, cookies);
    }
}

fn renamed(cookies: &HeaderValue) -> HeaderValue {
    let each = cookies.as_bytes().split(|byte| *byte == b';');
    let renamed = each.map(|cookie| match cookie.trim_ascii_start() {
        ours if ours.starts_with(OURS) => [SECURE, ours].concat(),
        other => other.to_vec(),
    });
    let renamed = renamed.collect::<Vec<_>>().join(&b"; "[..]);
    HeaderValue::from_bytes(&renamed).unwrap_or_else(|_| cookies.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_loosened_and_get_their_names_back() {
        let set = HeaderValue::from_static(
            "__Secure-porchlight_sign_in_8443=ref_1; HttpOnly; SameSite=Strict; Secure; Path=/api/auth; Max-Age=7",
        );
        let sent =
            HeaderValue::from_bytes(b"theirs=\xe9; porchlight_sign_in_8443=ref_1;porchlight_x=1")
                .unwrap();

        assert_eq!(
            loosened(&set),
            "porchlight_sign_in_8443=ref_1; HttpOnly; SameSite=Strict; Path=/api/auth; Max-Age=7"
        );
        assert_eq!(
            renamed(&sent).as_bytes(),
            b"theirs=\xe9; __Secure-porchlight_sign_in_8443=ref_1; __Secure-porchlight_x=1"
        );
    }

    #[test]
    fn the_scheme_is_what_the_last_proxy_says() {
        for (said, scheme) in [
            ("http", Some(OtherScheme::Http)),
            ("http, https", Some(OtherScheme::Https)),
            ("HTTP", Some(OtherScheme::Http)),
            ("ws", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(FORWARDED_PROTO, HeaderValue::from_static(said));
            assert_eq!(last_scheme(&headers), scheme, "{said}");
        }
    }
}
