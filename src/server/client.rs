//! The client's address, which the rate limits count by.
//!
//! Anybody can write `X-Forwarded-For`, so it counts only as far as it was written by proxies that the
//! administrator trusts (`--trusted-proxy`; none by default). Each proxy appends the address it saw at the
//! right end; so from there, the first address that is no trusted proxy's is the client's. Everything
//! left of it may be made up by the client. Entries that an appending proxy cannot have written are counted and warned
//! of ([`ForwardingFaults`]): they mean that the proxy passes on the client's own header. (`Forwarded`, RFC 7239, is not
//! supported: nginx and Caddy don't write it, and honouring two headers lets a client choose the one that its proxy doesn't
//! clean.)

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use ipnet::IpNet;
use poem::Request;
use poem::http::{HeaderMap, Method};

use crate::kernel::http::forwarding::{ForwardingFault, ForwardingFaults};
use crate::kernel::http::origin::ClientAddress;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The networks of the trusted reverse proxies.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Arc<[IpNet]>);

impl TrustedProxies {
    pub fn new(networks: impl IntoIterator<Item = IpNet>) -> Self {
        Self(networks.into_iter().collect())
    }

    pub fn trust(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The client's address for a request from `peer` with these headers.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        self.read(peer, headers).0
    }

    /// The client's address, and any fault in the header.
    fn read(&self, peer: IpAddr, headers: &HeaderMap) -> (IpAddr, Option<ForwardingFault>) {
        let mut client = peer.to_canonical();
        if !self.trust(client) {
            return (client, None);
        }
        if !headers.contains_key(FORWARDED_FOR) {
            return (client, Some(ForwardingFault::Missing));
        }
        let lines = headers.get_all(FORWARDED_FOR).iter();
        // A line that isn't text ends the search, like an address that cannot be parsed.
        let lines = lines.map(|line| line.to_str().unwrap_or_default());
        let seen = lines
            .flat_map(|line| line.split(','))
            .collect::<Vec<_>>()
            .into_iter()
            .rev();
        for text in seen {
            if !self.trust(client) {
                break;
            }
            let Some(address) = address(text.trim()) else {
                return (client, Some(ForwardingFault::NoAddress));
            };
            if !can_connect(address) {
                return (client, Some(ForwardingFault::Impossible));
            }
            client = address;
        }
        (client, None)
    }
}

/// Whether a connection can come from this address.
fn can_connect(address: IpAddr) -> bool {
    let broadcast = address == IpAddr::from(Ipv4Addr::BROADCAST);
    !address.is_unspecified() && !address.is_multicast() && !broadcast
}

/// Parses an address as proxies write it: bare, in brackets, or with a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    let address = bare.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    Some(address.or_else(with_port)?.to_canonical())
}

/// Whether a request is a health check, which needs neither a client address nor a known host. `OPTIONS /`, without a host, is
/// what haproxy sends unless it is configured otherwise.
pub fn is_health_check(request: &Request) -> bool {
    match request.uri().path() {
        "/healthz" | "/readyz" => true,
        path => path == "/" && *request.method() == Method::OPTIONS,
    }
}

/// Resolves the client's address once and stores it in the request's extensions.
pub fn identify(proxies: &TrustedProxies, faults: &ForwardingFaults, request: &mut Request) {
    let peer = request.remote_addr().as_socket_addr().map(SocketAddr::ip);
    if let Some(peer) = peer {
        let (client, fault) = proxies.read(peer, request.headers());
        // The proxy itself sends health checks, on behalf of no client.
        if let Some(fault) = fault.filter(|_| !is_health_check(request)) {
            faults.note(fault);
        }
        request.extensions_mut().insert(ClientAddress(client));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded: &[&str]) -> String {
        let networks = ["10.0.0.0/8", "2001:db8::/32"];
        let proxies = TrustedProxies::new(networks.map(|network| network.parse().unwrap()));
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append(FORWARDED_FOR, line.parse().unwrap());
        }
        proxies.client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn a_stranger_cannot_say_who_they_are() {
        assert_eq!(client("192.0.2.1", &["198.51.100.7"]), "192.0.2.1");
        assert_eq!(client("192.0.2.1", &["10.0.0.1"]), "192.0.2.1");
        assert_eq!(client("::ffff:192.0.2.1", &[]), "192.0.2.1");
    }

    #[test]
    fn behind_trusted_proxies_the_rightmost_address_that_is_none_of_theirs_counts() {
        let cases: [(&[&str], &str); 9] = [
            (&["198.51.100.7"], "198.51.100.7"),
            (&["1.1.1.1, 198.51.100.7"], "198.51.100.7"),
            (&["1.1.1.1, 198.51.100.7, 10.0.0.2"], "198.51.100.7"),
            (&["1.1.1.1", "198.51.100.7", "2001:db8::2"], "198.51.100.7"),
            (&["198.51.100.7:4711"], "198.51.100.7"),
            (&["[2001:470::7]:4711"], "2001:470::7"),
            (&["[2001:470::7]"], "2001:470::7"),
            (&["::ffff:198.51.100.7"], "198.51.100.7"),
            (&["10.9.9.9, 10.0.0.2"], "10.9.9.9"),
        ];

        for (forwarded, expected) in cases {
            assert_eq!(client("10.0.0.1", forwarded), expected, "{forwarded:?}");
        }
    }

    #[test]
    fn what_a_proxy_that_writes_the_header_cannot_have_sent_is_told() {
        let proxies = TrustedProxies::new(["10.0.0.0/8".parse().unwrap()]);
        let fault = |peer: &str, forwarded: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in forwarded {
                headers.append(FORWARDED_FOR, line.parse().unwrap());
            }
            proxies.read(peer.parse().unwrap(), &headers).1
        };
        let cases: [(&[&str], Option<ForwardingFault>); 11] = [
            (&["198.51.100.7"], None),
            // Left of the client's address is what the client wrote; an appending proxy passes it on.
            (&["x, 0.0.0.0, 198.51.100.7"], None),
            (&["0.0.0.0", "198.51.100.7, 10.0.0.2"], None),
            (&["10.0.0.3, 10.0.0.2"], None),
            (&[], Some(ForwardingFault::Missing)),
            (&[""], Some(ForwardingFault::NoAddress)),
            (&["198.51.100.7, unknown"], Some(ForwardingFault::NoAddress)),
            (&["unknown, 10.0.0.2"], Some(ForwardingFault::NoAddress)),
            (&["0.0.0.0"], Some(ForwardingFault::Impossible)),
            (&["255.255.255.255"], Some(ForwardingFault::Impossible)),
            (&["ff02::1"], Some(ForwardingFault::Impossible)),
        ];

        for (forwarded, expected) in cases {
            assert_eq!(fault("10.0.0.1", forwarded), expected, "{forwarded:?}");
            assert_eq!(fault("192.0.2.1", forwarded), None, "a stranger's word");
        }
    }

    #[test]
    fn what_cannot_be_read_ends_at_the_proxy_that_wrote_it() {
        for line in [
            "",
            "unknown",
            "1.1.1.1, _hidden",
            "1.1.1.1,",
            "1.1.1.1, 300.1.1.1",
        ] {
            assert_eq!(client("10.0.0.1", &[line]), "10.0.0.1", "{line}");
        }
    }
}
