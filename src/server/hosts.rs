//! The host names that this server answers. A request for another host may come from DNS rebinding (RFC 9110, section
//! 7.4), so it gets a 421.

use std::net::IpAddr;

use poem::Request;
use poem::http::StatusCode;

use super::client::is_health_check;
use crate::kernel::problem::Refusal;
use crate::kernel::public_url::{PublicUrl, is_loopback_name};
use crate::kernel::wire::named_host;

/// The hosts that may be named: the public URL's, this machine's own names, and those that were allowed.
#[derive(Clone, Debug)]
pub struct KnownHosts {
    names: std::sync::Arc<[String]>,
}

impl KnownHosts {
    /// The public URL's host, and others that the administrator allows.
    pub fn new(public_url: &PublicUrl, allowed: &[String]) -> Self {
        let names = std::iter::once(public_url.host()).chain(allowed.iter().map(String::as_str));
        Self {
            names: names.map(str::to_ascii_lowercase).collect(),
        }
    }

    /// Refuses a request for an unknown host. The two health checks answer under any name.
    pub fn admit(&self, request: &Request) -> Result<(), Refusal> {
        if is_health_check(request) || named_host(request).is_some_and(|host| self.know(host)) {
            return Ok(());
        }
        let detail = match named_host(request) {
            Some(_) => {
                "This server does not answer under this name. The administrator can allow it with --allow-host."
            }
            None => "The request names no host, or more than one.",
        };
        Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, detail))
    }

    /// Whether a `Host` header names one of them, with whatever port.
    fn know(&self, host: &str) -> bool {
        let name = without_port(host);
        self.names
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
            || is_loopback_name(name)
            || name
                .trim_start_matches('[')
                .trim_end_matches(']')
                .parse::<IpAddr>()
                .is_ok_and(|address| address.is_loopback())
    }
}

fn without_port(host: &str) -> &str {
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
            assert_eq!(hosts.know(host), known, "{host}");
        }
    }
}
