//! The URL under which a family reaches this server.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// The origin of our pages, such as `https://porchlight.example`. Links in e-mails, the issuer of identity
/// tokens and the check of `Origin` are built from it, never from a request's headers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublicUrl(Url);

/// Text that is not a valid public URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the public URL must be an origin such as https://porchlight.example or http://127.0.0.1:8080, \
     without a path"
)]
pub struct NotAnOrigin;

/// The URL if none is configured.
impl Default for PublicUrl {
    fn default() -> Self {
        "http://127.0.0.1:8080"
            .parse()
            .expect("the default address is an origin")
    }
}

impl PublicUrl {
    /// Whether it is https, so that cookies are `Secure`.
    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether only this machine can reach it.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.0)
    }

    /// The host without the port.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The port, unless it is the scheme's default.
    pub fn port(&self) -> Option<u16> {
        self.0.port()
    }

    /// The origin as a browser writes it in `Origin` (RFC 6454, section 6.2).
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Whether a browser sends this `Host` for the public URL (RFC 9110, section 7.2).
    pub fn is_named_by(&self, host: &str) -> bool {
        let origin = self.origin();
        let own = origin.split_once("://").map(|(_, own)| own);
        own.is_some_and(|own| own.eq_ignore_ascii_case(host))
    }

    /// The URL of a page, given a path such as `/finish-sign-in`.
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.origin())
    }
}

/// Whether only this machine can reach a URL.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_loopback_name(name),
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    }
}

/// Whether nobody on the network can read what is sent to a URL: https, or this machine itself.
pub fn is_protected(url: &Url) -> bool {
    url.scheme() == "https" || url.scheme() == "http" && is_loopback(url)
}

/// Whether a host name always means this machine (RFC 6761, section 6.3).
pub fn is_loopback_name(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
}

impl FromStr for PublicUrl {
    type Err = NotAnOrigin;

    fn from_str(text: &str) -> Result<Self, NotAnOrigin> {
        let url = Url::parse(text).map_err(|_| NotAnOrigin)?;
        let plain = url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        match url.scheme() {
            "http" | "https" if plain && url.host().is_some() => Ok(Self(url)),
            _ => Err(NotAnOrigin),
        }
    }
}

impl TryFrom<String> for PublicUrl {
    type Error = NotAnOrigin;

    fn try_from(text: String) -> Result<Self, NotAnOrigin> {
        text.parse()
    }
}

impl From<PublicUrl> for String {
    fn from(url: PublicUrl) -> Self {
        url.origin()
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_kept_without_its_default_port() {
        let cases = [
            ("https://porchlight.example", "https://porchlight.example"),
            (
                "https://porchlight.example:443/",
                "https://porchlight.example",
            ),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ];

        for (given, expected) in cases {
            assert_eq!(
                given.parse::<PublicUrl>().map(|url| url.to_string()),
                Ok(expected.into())
            );
        }
    }

    #[test]
    fn what_is_more_or_less_than_an_origin_is_refused() {
        let bad = [
            "",
            "porchlight.example",
            "ftp://porchlight.example",
            "https://porchlight.example/app",
            "https://porchlight.example/?a",
            "https://porchlight.example/#a",
            "https://me:secret@porchlight.example",
        ];

        for given in bad {
            assert_eq!(given.parse::<PublicUrl>(), Err(NotAnOrigin), "{given}");
        }
    }

    #[test]
    fn only_this_machines_names_are_loopback() {
        let cases = [
            ("http://localhost:8080", true),
            ("http://127.8.8.8", true),
            ("http://[::1]", true),
            ("http://192.168.1.20", false),
            ("http://localhost.example", false),
        ];

        for (given, expected) in cases {
            assert_eq!(
                given.parse::<PublicUrl>().map(|url| url.is_loopback()),
                Ok(expected)
            );
        }
    }
}
