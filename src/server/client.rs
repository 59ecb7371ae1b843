//! From where a request comes: what limits are counted by.
//!
//! Anybody can write `X-Forwarded-For`, so it counts only as far as it was written by proxies that the
//! administrator trusts (`--trusted-proxy`; none by default). Each proxy adds the address it saw at the
//! right end; so from there, the first address that is no trusted proxy's is the client's. What stands
//! left of it is whatever the client made up. (`Forwarded`, RFC 7239, says the same; nginx and Caddy don't
//! write it, and honouring two headers lets a client choose the one that its proxy doesn't clean.)

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use ipnet::IpNet;
use poem::Request;
use poem::http::HeaderMap;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address of whoever sent a request, among the request's extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// The networks of the reverse proxies whose word counts.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Arc<[IpNet]>);

impl TrustedProxies {
    /// These networks.
    pub fn new(networks: impl IntoIterator<Item = IpNet>) -> Self {
        Self(networks.into_iter().collect())
    }

    /// Whether this is a trusted proxy's address.
    pub fn trust(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Who sent a request that `peer` handed over with these headers.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        if !self.trust(client) {
            return client;
        }
        let lines = headers.get_all(FORWARDED_FOR).iter();
        // A line that is no text ends the search, as an address does that cannot be read.
        let lines = lines.map(|line| line.to_str().unwrap_or_default());
        let seen = lines
            .flat_map(|line| line.split(','))
            .collect::<Vec<_>>()
            .into_iter()
            .rev();
        for text in seen {
            let Some(address) = address(text.trim()).filter(|_| self.trust(client)) else {
                break;
            };
            client = address;
        }
        client
    }
}

/// An address as proxies write it: bare, in brackets, or with a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    let address = bare.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    Some(address.or_else(with_port)?.to_canonical())
}

/// Notes who sent the request, once, for all who ask later.
pub fn identify(proxies: &TrustedProxies, request: &mut Request) {
    let peer = request.remote_addr().as_socket_addr().map(SocketAddr::ip);
    if let Some(peer) = peer {
        let client = proxies.client(peer, request.headers());
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
