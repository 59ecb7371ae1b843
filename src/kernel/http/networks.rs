//! The networks that limits count by, because one client may have many addresses.

use std::net::IpAddr;

use ipnet::IpNet;

/// One household: one IPv4 address, or the 64 bits that an IPv6 connection is given (RFC 6177).
pub fn household(address: IpAddr) -> IpNet {
    around(address, 32, 64)
}

/// The network around a household: an IPv4 /24 or an IPv6 /48.
pub fn network(address: IpAddr) -> IpNet {
    around(address, 24, 48)
}

/// The region around a network: an IPv4 /16 or an IPv6 /32, the smallest allocation of an IPv6 provider.
pub fn region(address: IpAddr) -> IpNet {
    around(address, 16, 32)
}

fn around(address: IpAddr, bits_of_v4: u8, bits_of_v6: u8) -> IpNet {
    let address = address.to_canonical();
    let bits = match address {
        IpAddr::V4(_) => bits_of_v4,
        IpAddr::V6(_) => bits_of_v6,
    };
    IpNet::new(address, bits)
        .expect("the prefix is no longer than the address")
        .trunc()
}
