//! Where a request comes from.

use std::net::IpAddr;

use ipnet::IpNet;

/// The client's address, among the request's extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// The network that a request comes from, among the request's extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The network around the household: an IPv4 /24 or an IPv6 /48.
    pub network: IpNet,
    /// Whether a guardian, whichever, was signed in from the same household lately.
    pub is_home: bool,
}
