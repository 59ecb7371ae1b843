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

/// The scheme by which a browser reached an allowed name, where a trusted proxy says that it isn't the public URL's: among the
/// request's extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherScheme {
    /// `http`, while the public URL is https.
    Http,
    /// `https`, while the public URL is http.
    Https,
}

impl OtherScheme {
    /// As an `Origin` begins with it.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Http => "http://",
            Self::Https => "https://",
        }
    }
}
