//! The host names that this server answers. A request for another host may come from DNS rebinding (RFC 9110, section
//! 7.4), so it gets a 421.

use std::net::{IpAddr, SocketAddr};

use poem::http::StatusCode;
use poem::{Error, Request};

use super::client::is_health_check;
use super::error_page::ANOTHER_HOST;
use crate::kernel::host::public_url::{PublicUrl, is_loopback_name};
use crate::kernel::http::problem::{Code, Refusal};
use crate::kernel::http::wire::named_host;

/// The known hosts: the public URL's, this machine's own names, and those that the administrator allows.
#[derive(Clone, Debug)]
pub struct KnownHosts {
    names: std::sync::Arc<[String]>,
    /// Whether the local address of a connection is a known host, too.
    own_addresses: bool,
}

impl KnownHosts {
    /// The public URL's host, and others that the administrator allows.
    pub fn new(public_url: &PublicUrl, allowed: &[String]) -> Self {
        let names = std::iter::once(public_url.host()).chain(allowed.iter().map(String::as_str));
        Self {
            names: names.map(str::to_ascii_lowercase).collect(),
            own_addresses: false,
        }
    }

    /// Adds this machine's names in the home network, and the local address of each connection.
    #[must_use]
    pub fn and_at_home(self, names: impl IntoIterator<Item = String>) -> Self {
        let known = self.names.iter().cloned();
        Self {
            names: known.chain(names).collect(),
            own_addresses: true,
        }
    }

    /// Refuses a request for an unknown host; a browser gets a page that says what to do. The two health checks answer under any
    /// name.
    pub fn admit(&self, request: &Request) -> Result<(), Error> {
        let arrived_at = request.local_addr().as_socket_addr();
        let is_known = |host| self.know(host, arrived_at.copied());
        if is_health_check(request) || named_host(request).is_some_and(is_known) {
            return Ok(());
        }
        let refusal = match named_host(request) {
            Some(_) => Refusal::new(
                StatusCode::MISDIRECTED_REQUEST,
                Code::UnknownHost,
                "This server does not answer under this name. The administrator can allow it with --allow-host.",
            ),
            None => Refusal::new(
                StatusCode::MISDIRECTED_REQUEST,
                Code::NoHost,
                "The request names no host, or more than one.",
            ),
        };
        match ANOTHER_HOST.for_browser(request) {
            Some(page) => Err(Error::from_response(page)),
            None => Err(refusal.into()),
        }
    }

    /// Whether a `Host` header names a known host, with any port.
    fn know(&self, host: &str, arrived_at: Option<SocketAddr>) -> bool {
        let name = without_port(host);
        let is_own = |address: IpAddr| {
            self.own_addresses && arrived_at.is_some_and(|own| own.ip().to_canonical() == address)
        };
        self.names
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
            || is_loopback_name(name)
            || name
                .trim_start_matches('[')
                .trim_end_matches(']')
                .parse::<IpAddr>()
                .is_ok_and(|address| address.is_loopback() || is_own(address))
    }
}

/// The name or address in a `Host` header.
pub(super) fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_known() {
        let url = "https://porchlight.example".parse().unwrap();
        let hosts = KnownHosts::new(&url, &["nas.local".to_owned()]);
        let cases = [
            ("porchlight.example", true),
            ("Porchlight.Example:443", true),
            ("nas.local:8080", true),
            ("localhost:8080", true),
            ("127.0.0.1", true),
            ("127.9.9.9:1", true),
            ("[::1]:8080", true),
            ("[::1]", true),
            ("evil.example", false),
            ("porchlight.example.evil.example", false),
            ("192.168.1.20", false),
            ("", false),
            (":8080", false),
        ];

        for (host, known) in cases {
            assert_eq!(hosts.know(host, None), known, "{host}");
        }
    }

    #[test]
    fn at_home_the_address_that_a_connection_arrives_at_is_a_name_and_no_other_is() {
        let url = "http://192.168.1.20:8080".parse().unwrap();
        let hosts = KnownHosts::new(&url, &[]);
        let at_home = hosts
            .clone()
            .and_at_home(["nas".to_owned(), "nas.local".to_owned()]);
        let new = Some("[::ffff:192.168.1.77]:8080".parse().unwrap());

        for (host, known) in [
            ("192.168.1.77:8080", true),
            ("192.168.1.20:8080", true),
            ("192.168.1.78:8080", false),
            ("nas:8080", true),
            ("NAS.local:8080", true),
            ("evil.example:8080", false),
        ] {
            assert_eq!(at_home.know(host, new), known, "{host}");
        }
        assert!(!hosts.know("192.168.1.77", new));
    }
}
