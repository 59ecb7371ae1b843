//! The two cookies at each of the two addresses: one is exchanged for identity tokens, the other belongs to a flow in progress at the provider.
//!
//! On https their names begin with `__Secure-`, so that browsers accept them only over https (draft-ietf-httpbis-rfc6265bis,
//! section 4.1.3): nobody on the network can plant one. A page on a sibling host name, such as `other.example.org` beside
//! `porchlight.example.org`, can plant cookies of both names; then the browser sends two, in an order that the attacker chooses,
//! and nothing tells which is ours. So two cookies with one name are both ignored. Ours stays in the browser, and is valid again
//! once the other is gone.
//!
//! Browsers send cookies to every port of a host (RFC 6265, section 8.5). So the name contains the port unless it is the scheme's
//! default: two servers on one host don't replace each other's cookie. Names formerly lacked it; such a cookie is read if there
//! is no other, and is renamed with the next token. It may be another server's, so it is never removed.
//!
//! At the home's name for https the prefix is `__Host-`, which no other host can plant; browsers require the path `/` for it. The
//! value has a mark that only this server can make. So who read a cookie at the plain address can't use it at the name, and a
//! cookie of the name isn't one at the plain address.

use std::time::Duration;

use cookie::{Cookie, SameSite};
use poem::Request;
use poem::http::{HeaderMap, header};

use super::browser::is_at_name;
use crate::identity::Identity;
use crate::identity::methods::provider::FLOW_LIFE;

/// A cookie of this server, inaccessible to scripts.
pub struct OurCookie {
    name: &'static str,
    path: &'static str,
    same_site: SameSite,
    life: fn(&Identity) -> Duration,
}

/// The cookie that is exchanged for identity tokens. No other site can make a browser send it. Over plain HTTP, the browser sends it
/// to the sign-in endpoints only.
pub const SIGN_IN: OurCookie = OurCookie {
    name: "porchlight_sign_in",
    path: "/api/auth",
    same_site: SameSite::Strict,
    life: |identity| identity.sign_ins.lifetime(),
};

/// For a flow in progress at the provider. The provider's page sends the browser back to us; with `SameSite=Strict` it would come
/// without the cookie.
pub const FLOW: OurCookie = OurCookie {
    name: "porchlight_provider_flow",
    path: "/api/auth/oidc",
    same_site: SameSite::Lax,
    life: |_| FLOW_LIFE,
};

impl OurCookie {
    /// The `Set-Cookie` that sets it in the response to this request.
    pub fn holding(&self, value: &str, request: &Request, identity: &Identity) -> String {
        let life = (self.life)(identity);
        if is_at_name(request) {
            let marked = identity.tokens.mark_cookie(value);
            self.set(&marked, life, request, identity)
        } else {
            self.set(value, life, request, identity)
        }
    }

    /// The `Set-Cookie` that removes it.
    pub fn taken_back(&self, request: &Request, identity: &Identity) -> String {
        self.set("", Duration::ZERO, request, identity)
    }

    fn name(&self, request: &Request, identity: &Identity) -> String {
        let name = self.name_without_port(request, identity);
        match identity.url_at(is_at_name(request)).port() {
            Some(port) => format!("{name}_{port}"),
            None => name,
        }
    }

    fn name_without_port(&self, request: &Request, identity: &Identity) -> String {
        let prefix = if is_at_name(request) {
            "__Host-"
        } else if identity.public_url().is_https() {
            "__Secure-"
        } else {
            ""
        };
        format!("{prefix}{}", self.name)
    }

    fn set(&self, value: &str, life: Duration, request: &Request, identity: &Identity) -> String {
        let seconds = i64::try_from(life.as_secs()).expect("four hundred days are few seconds");
        let path = if is_at_name(request) { "/" } else { self.path };
        Cookie::build((self.name(request, identity), value))
            .path(path)
            .http_only(true)
            .same_site(self.same_site)
            .secure(identity.url_at(is_at_name(request)).is_https())
            .max_age(cookie::time::Duration::seconds(seconds))
            .build()
            .to_string()
    }

    /// The cookie sent with a request, if exactly one was sent. Ignores empty ones.
    pub fn sent_with(&self, request: &Request, identity: &Identity) -> Option<Sent> {
        let name = self.name(request, identity);
        let own = values(request.headers(), &name);
        if is_at_name(request) {
            let marked = only(own)?;
            return Some(Sent {
                value: identity.tokens.marked_value(&marked)?.to_owned(),
                has_old_name: false,
            });
        }
        let old_name = self.name_without_port(request, identity);
        if !own.is_empty() || name == old_name {
            return only(own).map(|value| Sent {
                value,
                has_old_name: false,
            });
        }
        only(values(request.headers(), &old_name)).map(|value| Sent {
            value,
            has_old_name: true,
        })
    }

    /// All cookies sent with a request under this name and the old one.
    pub fn all_sent_with(&self, request: &Request, identity: &Identity) -> Vec<String> {
        let name = self.name(request, identity);
        let mut all = values(request.headers(), &name);
        if is_at_name(request) {
            let marked = all.iter().filter_map(|it| identity.tokens.marked_value(it));
            return marked.map(str::to_owned).collect();
        }
        let old_name = self.name_without_port(request, identity);
        if name != old_name {
            all.extend(values(request.headers(), &old_name));
        }
        all
    }
}

pub struct Sent {
    pub value: String,
    /// Whether its name lacks the port: then it may belong to another server on this host.
    pub has_old_name: bool,
}

fn only(values: Vec<String>) -> Option<String> {
    let mut values = values.into_iter();
    match (values.next(), values.next()) {
        (one, None) => one,
        (_, Some(_)) => None,
    }
}

/// The values of the cookies with this name. Other cookies of the host may contain any bytes.
fn values(headers: &HeaderMap, name: &str) -> Vec<String> {
    let lines = headers.get_all(header::COOKIE).iter();
    let cookies = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b';'));
    let values = cookies.filter_map(|cookie| {
        let equals = cookie.iter().position(|byte| *byte == b'=')?;
        let (sent, value) = (&cookie[..equals], &cookie[equals + 1..]);
        if sent.trim_ascii() != name.as_bytes() {
            return None;
        }
        let value = str::from_utf8(value.trim_ascii()).ok()?;
        (!value.is_empty()).then(|| value.to_owned())
    });
    values.collect()
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;

    use super::*;

    #[test]
    fn a_cookie_is_found_beside_others_with_any_bytes() {
        let cases: [(&[&[u8]], &[&str]); 8] = [
            (&[b"ours=a"], &["a"]),
            (&[b"theirs=\xe9; ours=a"], &["a"]),
            (&[b"ours=a;\xff\xfe=\xc3\x28; x"], &["a"]),
            (&[b"theirs=\xe9", b"  ours = a "], &["a"]),
            (&[b"ours=a", b"ours=b"], &["a", "b"]),
            (&[b"yours=a; Ours=b; oursx=c; ours=; ours"], &[]),
            (&[b"ours=a=b"], &["a=b"]),
            (&[b"ours=\xe9"], &[]),
        ];

        for (lines, expected) in cases {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, HeaderValue::from_bytes(line).unwrap());
            }
            assert_eq!(values(&headers, "ours"), expected, "{headers:?}");
        }
    }
}
