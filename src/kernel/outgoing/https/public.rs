//! Which addresses are on the internet. A request to a server that somebody else than the administrator chose goes to no other:
//! not to this machine, and to nothing at home.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec;

use hyper_util::client::legacy::connect::dns::Name;
use tower_service::Service;

/// Resolves names to addresses on the internet. A name without one has none at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct PublicResolver;

type Resolved = Result<vec::IntoIter<SocketAddr>, io::Error>;

impl Service<Name> for PublicResolver {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = Resolved> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), io::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public = found.filter(|it| is_public(it.ip())).collect::<Vec<_>>();
            if public.is_empty() {
                return Err(io::Error::other("the name has no address on the internet"));
            }
            Ok(public.into_iter())
        })
    }
}

/// Whether an address is on the internet, and no special one (RFC 6890).
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = matches!(
        (a, b, c),
        // This network, private, carrier-grade NAT, loopback, link-local.
        (0 | 10 | 127, ..) | (100, 64..=127, _) | (169, 254, _) | (172, 16..=31, _) | (192, 168, _)
        // IETF protocols, documentation, 6to4 relays, benchmarks.
        | (192, 0, 0 | 2) | (192, 88, 99) | (198, 18 | 19, _) | (198, 51, 100) | (203, 0, 113)
        // Multicast, reserved, broadcast.
        | (224.., ..)
    );
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // NAT64 of a network without IPv4 (RFC 6052).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            let [a, b] = high.to_be_bytes();
            let [c, d] = low.to_be_bytes();
            is_public_v4(Ipv4Addr::new(a, b, c, d))
        }
        // IETF protocols with Teredo, documentation, 6to4, and again documentation.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => {
            false
        }
        // All others are multicast, local, mapped IPv4 or not assigned.
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_at_home_or_of_this_machine_is_public() {
        for public in [
            "8.8.4.4",
            "172.15.0.1",
            "172.32.0.1",
            "100.63.0.1",
            "192.0.1.1",
            "2a00:1450:4001:81b::200a",
            "2600::1",
            "64:ff9b::808:404",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for other in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.168.1.1",
            "198.18.0.1",
            "203.0.113.7",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.4.4",
            "64:ff9b::7f00:1",
            "64:ff9b::c0a8:101",
            "64:ff9b:1::1",
            "fd00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
        ] {
            assert!(!is_public(other.parse().unwrap()), "{other}");
        }
    }
}
