//! Decides whether a peer is in the home network: on a network that this machine's own network devices are attached to.
//!
//! A peer is at home if the kernel's route to it has no gateway and leaves by an interface with a device beneath it (a network
//! card, a Wi-Fi stick), by a bridge over one, or by an interface that the administrator named. Peers behind a router are not at
//! home. Neither is the router itself, because its traffic may be that of others (address translation). Routers are
//! recognized by the addresses that routes name as gateways, of either family, and by the link-layer address of these: a router's
//! other addresses on that link have the same. A router with several link-layer addresses is indistinguishable from a
//! device. A peer that only the default route leads to isn't at home either: on a mobile network the whole internet needs no
//! gateway.
//!
//! If the kernel doesn't say, or its answer cannot be read, the peer is refused.

mod netlink;

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

/// Where the kernel lists the network interfaces of this namespace.
const INTERFACES: &str = "/sys/class/net";

/// The kernel's route to a peer (RTM_GETROUTE: the matching entry of the routing table).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Route {
    /// Whether the peer is this machine itself.
    is_local: bool,
    /// Whether it goes through a gateway or has several paths.
    has_gateway: bool,
    /// The length of the matched prefix, in bits; 0 for the default route.
    prefix: u8,
    /// The interface by which it leaves.
    interface: Option<String>,
}

/// A neighbour as in RFC 826 and RFC 4861: an address on a link, and the link-layer address that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Neighbour {
    address: IpAddr,
    interface: u32,
    /// The link-layer address, such as the six bytes of Ethernet.
    link_address: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAddress {
    pub address: IpAddr,
    pub interface: String,
}

/// The home networks. Clones share the list of interfaces.
#[derive(Clone, Debug, Default)]
pub struct HomeNetwork {
    /// The interfaces that count although no device is beneath them.
    named: Arc<[String]>,
}

impl HomeNetwork {
    /// The networks of this machine's devices, and of the interfaces with these names.
    pub fn new(named: impl IntoIterator<Item = String>) -> Self {
        Self {
            named: named.into_iter().collect(),
        }
    }

    /// Whether a peer is at home. This asks the kernel, which takes some microseconds.
    pub fn admits(&self, peer: SocketAddr) -> bool {
        let address = peer.ip().to_canonical();
        if address.is_loopback() {
            return true;
        }
        let scope = match peer {
            SocketAddr::V6(peer) => peer.scope_id(),
            SocketAddr::V4(_) => 0,
        };
        let decided = || {
            let route = netlink::route(address, scope)?;
            Ok::<_, std::io::Error>(
                is_at_home(&route, |name| self.is_home(name))
                    && (route.is_local
                        || !is_router(address, &netlink::gateways()?, &netlink::neighbours()?)),
            )
        };
        decided().unwrap_or_else(|error| {
            tracing::debug!(%error, "the kernel doesn't tell the way to a peer");
            false
        })
    }

    /// This machine's addresses on the home networks, IPv4 first. Link-local addresses are left out: a browser can't open them.
    pub fn own_addresses(&self) -> std::io::Result<Vec<OwnAddress>> {
        let mut own = netlink::addresses()?;
        own.retain(|own| !is_link_local(own.address) && self.is_home(&own.interface));
        own.sort_by_key(|own| own.address);
        Ok(own)
    }

    /// Whether this machine has an interface in a home network.
    pub fn has_interface(&self) -> std::io::Result<bool> {
        for interface in std::fs::read_dir(INTERFACES)? {
            let name = interface?.file_name();
            if name.to_str().is_some_and(|name| self.is_home(name)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an interface is in a home network.
    fn is_home(&self, name: &str) -> bool {
        self.named.iter().any(|named| named == name) || is_over_device(Path::new(INTERFACES), name)
    }
}

/// Decides by the route to the peer.
fn is_at_home(route: &Route, is_home: impl Fn(&str) -> bool) -> bool {
    route.is_local
        || !route.has_gateway && route.prefix > 0 && route.interface.as_deref().is_some_and(is_home)
}

/// Whether the peer is a gateway or has the link-layer address of one.
fn is_router(peer: IpAddr, gateways: &[IpAddr], neighbours: &[Neighbour]) -> bool {
    let links_of = |address| neighbours.iter().filter(move |it| it.address == address);
    gateways.contains(&peer)
        || links_of(peer).any(|own| {
            let has_same = |gateway: &Neighbour| {
                gateway.interface == own.interface && gateway.link_address == own.link_address
            };
            gateways
                .iter()
                .any(|gateway| links_of(*gateway).any(has_same))
        })
}

/// Whether a device is beneath an interface, or beneath one that it bridges.
fn is_over_device(interfaces: &Path, name: &str) -> bool {
    let has_device = |name: &Path| interfaces.join(name).join("device").exists();
    if has_device(Path::new(name)) {
        return true;
    }
    let Ok(bridged) = std::fs::read_dir(interfaces.join(name).join("brif")) else {
        return false;
    };
    bridged
        .filter_map(Result::ok)
        .any(|port| has_device(Path::new(&port.file_name())))
}

/// Whether an address is only meaningful together with an interface (RFC 3927, RFC 4291).
fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local() || address.is_loopback(),
        IpAddr::V6(address) => address.is_unicast_link_local() || address.is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_link(interface: &str) -> Route {
        Route {
            is_local: false,
            has_gateway: false,
            prefix: 24,
            interface: Some(interface.to_owned()),
        }
    }

    #[test]
    fn who_is_on_link_by_an_interface_at_home_is_at_home_and_nobody_else() {
        let cases = [
            ("on link", on_link("wlan0"), true),
            (
                "this machine itself",
                Route {
                    is_local: true,
                    interface: Some("lo".into()),
                    ..on_link("")
                },
                true,
            ),
            (
                "through a gateway",
                Route {
                    has_gateway: true,
                    ..on_link("wlan0")
                },
                false,
            ),
            (
                "by the default route, without a gateway",
                Route {
                    prefix: 0,
                    ..on_link("wlan0")
                },
                false,
            ),
            ("by another interface", on_link("tun0"), false),
            (
                "by none",
                Route {
                    interface: None,
                    ..on_link("")
                },
                false,
            ),
        ];

        for (what, route, expected) in cases {
            let decided = is_at_home(&route, |name| name == "wlan0");
            assert_eq!(decided, expected, "{what}");
        }
    }

    #[test]
    fn a_router_is_known_by_its_link_layer_address_on_the_same_link() {
        let neighbour = |address: &str, interface, link: u8| Neighbour {
            address: address.parse().unwrap(),
            interface,
            link_address: vec![2, 0, 0, 0, 0, link],
        };
        let neighbours = [
            neighbour("192.168.1.1", 2, 1),
            neighbour("fe80::1", 2, 1),
            neighbour("fd00::1", 2, 1),
            neighbour("192.168.1.254", 2, 1),
            neighbour("192.168.1.34", 2, 34),
            neighbour("192.168.9.1", 3, 1),
        ];
        let gateways = ["192.168.1.1".parse().unwrap(), "fe80::1".parse().unwrap()];
        let cases = [
            ("192.168.1.1", true),
            ("fe80::1", true),
            ("fd00::1", true),
            ("192.168.1.254", true),
            ("192.168.1.34", false),
            ("192.168.9.1", false),
            ("192.168.1.77", false),
        ];

        for (peer, expected) in cases {
            let decided = is_router(peer.parse().unwrap(), &gateways, &neighbours);
            assert_eq!(decided, expected, "{peer}");
        }
        let nobody_is_asked = is_router(gateways[0], &gateways, &[]);
        assert!(
            nobody_is_asked,
            "a gateway whose link-layer address isn't known"
        );
    }

    #[test]
    fn an_interface_leads_home_over_a_device_or_a_bridge_over_one() {
        let folder = tempfile::tempdir().unwrap();
        let make = |path: &str| std::fs::create_dir_all(folder.path().join(path)).unwrap();
        make("wlan0/device");
        make("br0/brif/wlan0");
        make("docker0/brif/veth1");
        make("veth1");
        make("tun0");

        let cases = [
            ("wlan0", true),
            ("br0", true),
            ("docker0", false),
            ("veth1", false),
            ("tun0", false),
            ("gone", false),
        ];
        for (name, expected) in cases {
            assert_eq!(is_over_device(folder.path(), name), expected, "{name}");
        }
    }

    #[test]
    fn this_machine_is_always_at_home() {
        let home = HomeNetwork::default();
        for peer in ["127.0.0.1:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
            assert!(home.admits(peer.parse().unwrap()), "{peer}");
        }
        for own in netlink::addresses().unwrap() {
            if own.address.is_ipv4() {
                assert!(home.admits(SocketAddr::new(own.address, 1)), "{own:?}");
            }
        }
    }
}
