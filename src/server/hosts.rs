//! The host names that this server answers. A request for another host may come from DNS rebinding (RFC 9110, section
//! 7.4), so it gets a 421.

use std::net::{IpAddr, SocketAddr};

use poem::http::{Method, StatusCode, header};
use poem::{Addr, Error, Request, Response};

use super::address::below_api;
use super::client::is_health_check;
use super::error_page::ANOTHER_HOST;
use super::plain_http::WithoutTls;
use crate::kernel::host::addresses::NamedAddress;
use crate::kernel::host::public_url::{PublicUrl, is_loopback_name};
use crate::kernel::http::origin::AtName;
use crate::kernel::http::problem::{Code, Refusal};
use crate::kernel::http::wire::named_host;

/// The known hosts: the public URL's, this machine's own names, and those that the administrator allows.
#[derive(Clone, Debug)]
pub struct KnownHosts {
    names: std::sync::Arc<[String]>,
    /// Whether the local address of a connection is a known host, too.
    own_addresses: bool,
    /// The domain name for HTTPS, which is served by a listener of its own.
    named: Option<NamedAddress>,
}

impl KnownHosts {
    /// The public URL's host, and others that the administrator allows.
    pub fn new(public_url: &PublicUrl, allowed: &[String]) -> Self {
        let names = std::iter::once(public_url.host()).chain(allowed.iter().map(String::as_str));
        Self {
            names: names.map(str::to_ascii_lowercase).collect(),
            own_addresses: false,
            named: None,
        }
    }

    /// Adds this machine's names in the home network, and the local address of each connection.
    #[must_use]
    pub fn and_at_home(self, names: impl IntoIterator<Item = String>) -> Self {
        let known = self.names.iter().cloned();
        Self {
            names: known.chain(names).collect(),
            own_addresses: true,
            named: self.named,
        }
    }

    /// Adds the home's name, which is the only host of its own listener.
    #[must_use]
    pub fn and_named(self, named: NamedAddress) -> Self {
        Self {
            named: Some(named),
            ..self
        }
    }

    pub fn named(&self) -> Option<&NamedAddress> {
        self.named.as_ref()
    }

    /// Refuses a request for an unknown host; a browser gets a page that says what to do. The two health checks answer under any
    /// name.
    pub fn admit(&self, request: &Request) -> Result<(), Error> {
        let arrived_at = request.local_addr().as_socket_addr();
        let is_name = |host: &str| {
            let named = self.named.as_ref();
            named.is_some_and(|it| without_port(host).eq_ignore_ascii_case(it.url.host()))
        };
        let is_known = |host| match request.data::<AtName>() {
            Some(_) => is_name(host),
            None => self.know(host, arrived_at.copied()),
        };
        let is_answered = named_host(request).is_some_and(is_known);
        if is_answered {
            self.note_reached(request);
        }
        if is_answered || is_health_check(request) {
            return Ok(());
        }
        if named_host(request).is_some_and(is_name)
            && let Some(answer) = self.at_the_name(request)
        {
            return Err(Error::from_response(answer));
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

    /// Notes that another device reached the name by https. Only then did it find the name and accept the certificate.
    fn note_reached(&self, request: &Request) {
        let ip = |address: &Addr| Some(address.as_socket_addr()?.ip().to_canonical());
        let is_other = ip(&request.remote_addr().0) != ip(&request.local_addr().0);
        if let (Some(named), Some(_)) = (&self.named, request.data::<AtName>())
            && request.data::<WithoutTls>().is_none()
            && is_other
        {
            named.status.note_reached();
        }
    }

    /// Redirects a page that was asked for by plain http to the name, while that can be used. The redirect isn't permanent, because
    /// the name may end.
    fn at_the_name(&self, request: &Request) -> Option<Response> {
        let named = self.named.as_ref().filter(|it| it.status.is_usable())?;
        let is_page = matches!(*request.method(), Method::GET | Method::HEAD)
            && below_api(request.uri().path()).is_none();
        let path = request.uri().path_and_query().map_or("/", |it| it.as_str());
        is_page.then(|| {
            Response::builder()
                .status(StatusCode::TEMPORARY_REDIRECT)
                .header(header::LOCATION, named.url.page(path))
                .finish()
        })
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
    use poem::http::uri::Scheme;
    use poem::web::{LocalAddr, RemoteAddr};
    use poem::{Body, RequestParts, http};

    use super::*;
    use crate::kernel::host::addresses::{NameStatus, Usability};

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
    fn the_name_has_a_listener_of_its_own_and_is_redirected_to_it_while_it_can_be_used() {
        let status = NameStatus::default();
        let named = NamedAddress {
            url: "https://blue-lamp.dedyn.io:8443".parse().unwrap(),
            status: status.clone(),
        };
        let url = "http://192.168.1.20:8080".parse().unwrap();
        let hosts = KnownHosts::new(&url, &[]).and_named(named);
        let asked = |host: &str, is_at_name: bool| {
            let mut request = Request::builder()
                .uri("/child/1?a=b".parse().unwrap())
                .header(header::HOST, host)
                .finish();
            if is_at_name {
                request.extensions_mut().insert(AtName);
            }
            match hosts.admit(&request) {
                Ok(()) => "answered".to_owned(),
                Err(error) => {
                    let answer = error.into_response();
                    let location = answer.headers().get(header::LOCATION);
                    match location {
                        Some(location) => location.to_str().unwrap().to_owned(),
                        None => answer.status().as_u16().to_string(),
                    }
                }
            }
        };

        assert_eq!(asked("blue-lamp.dedyn.io:8443", true), "answered");
        for other in ["192.168.1.20:8443", "evil.example", "localhost:8443"] {
            assert_eq!(asked(other, true), "421", "{other}");
        }
        assert_eq!(asked("192.168.1.20:8080", false), "answered");
        assert_eq!(asked("blue-lamp.dedyn.io:8080", false), "421");
        status.set(Usability {
            certificate_is_valid: true,
            leads_here: true,
        });
        assert_eq!(
            asked("blue-lamp.dedyn.io:8080", false),
            "https://blue-lamp.dedyn.io:8443/child/1?a=b"
        );
    }

    #[test]
    fn the_name_was_reached_once_another_device_asked_for_it_by_https() {
        let status = NameStatus::default();
        let hosts = KnownHosts::new(&"http://192.168.1.20:8080".parse().unwrap(), &[]);
        let hosts = hosts.and_named(NamedAddress {
            url: "https://blue-lamp.dedyn.io:8443".parse().unwrap(),
            status: status.clone(),
        });
        let asked = |path: &str, host: &str, from: &str, is_tls: bool| {
            let addr = |text: &str| Addr::SocketAddr(text.parse().unwrap());
            let head = http::Request::get(path).header(header::HOST, host);
            let (head, ()) = head.body(()).unwrap().into_parts();
            let (local, remote) = (LocalAddr(addr("192.168.1.20:8443")), RemoteAddr(addr(from)));
            let head = RequestParts::from((head, local, remote, Scheme::HTTPS));
            let mut request = Request::from_parts(head, Body::empty());
            request.extensions_mut().insert(AtName);
            if !is_tls {
                request.extensions_mut().insert(WithoutTls);
            }
            let _ = hosts.admit(&request);
            status.was_reached()
        };
        let (name, phone) = ("blue-lamp.dedyn.io:8443", "192.168.1.50:4000");

        assert!(!asked("/", name, phone, false));
        assert!(!asked("/healthz", "evil.example", phone, true));
        assert!(!asked("/", "192.168.1.20:8443", phone, true));
        assert!(!asked("/", name, "192.168.1.20:4000", true));
        assert!(asked("/", name, phone, true));
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
