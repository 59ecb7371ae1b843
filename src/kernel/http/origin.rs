//! The origin of a request.

use std::net::IpAddr;

use ipnet::IpNet;

/// The client's address, a request extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// Where a request came from, a request extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The network around the client's household: an IPv4 /24 or an IPv6 /48.
    pub network: IpNet,
    /// Whether any guardian was signed in lately from the same household: one IPv4 address, or 64 bits of an IPv6 address.
    pub is_home: bool,
}

/// Marks a request that came by https to the home's name: a request extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtName;

/// The scheme by which a browser reached an allowed host, if a trusted proxy reports one that differs from the public URL's: a
/// request extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherScheme {
    /// `http`, while the public URL is https.
    Http,
    /// `https`, while the public URL is http.
    Https,
}

impl OtherScheme {
    /// The scheme as the start of an `Origin` header.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Http => "http://",
            Self::Https => "https://",
        }
    }
}
