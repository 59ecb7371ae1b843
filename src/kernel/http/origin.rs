//! The origin of a request.

use std::net::IpAddr;

use ipnet::IpNet;

/// The client's address, a request extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// The network of the client, a request extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The household's network: an IPv4 /24 or an IPv6 /48.
    pub network: IpNet,
    /// Whether any guardian was signed in from the same network lately.
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
