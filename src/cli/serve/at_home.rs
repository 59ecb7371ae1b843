//! What `serve --home` calls this machine, and what it says of it.

use std::net::{IpAddr, SocketAddr};

use crate::admin::AdminError;
use crate::kernel::home_network::HomeNetwork;
use crate::kernel::public_url::{NotAnOrigin, PublicUrl};

/// The address that a phone in the same network can open; by this machine's name while it has no address at home.
pub fn public_url(home: &HomeNetwork, scheme: &str, port: u16) -> Result<PublicUrl, AdminError> {
    let own = home.own_addresses().map_err(|error| {
        AdminError::new(format!(
            "This machine's addresses cannot be found out: {error}."
        ))
    })?;
    let host = match own.first().map(|own| own.address) {
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(address)) => format!("[{address}]"),
        None => format!("{}.local", host_name()),
    };
    let url = format!("{scheme}://{host}:{port}");
    url.parse()
        .map_err(|error: NotAnOrigin| AdminError::new(error.to_string()))
}

/// The names by which this machine is known at home, beside its addresses.
pub fn names() -> Vec<String> {
    match host_name() {
        // Without a name, none may be taken for it.
        name if name.is_empty() => Vec::new(),
        name => vec![format!("{name}.local"), name],
    }
}

/// This machine's own name, without a domain.
fn host_name() -> String {
    let system = rustix::system::uname();
    let name = system.nodename().to_string_lossy().to_ascii_lowercase();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// What the greeting says of the home network: what plain http means, and whether the address has changed since the last
/// start.
pub fn say(url: &PublicUrl, before: Option<&PublicUrl>) -> String {
    let mut said = String::new();
    if let Some(before) = before.filter(|before| *before != url && !before.is_loopback()) {
        said += &format!(
            "The address has changed: it was {before}. Give this machine a fixed address in the router, so that bookmarks and \
             assistants find it.\n"
        );
    }
    if !url.is_https() {
        said += "At home it speaks plain http: whoever listens on the Wi-Fi can take a sign-in over. For https, start with \
                 --tls-cert, --tls-key and --public-url https://NAME instead of --home.\n";
    }
    said
}

/// The IPv4 address to listen on when `listen` is `[::]` and the system has no IPv6; `None` for any other address.
pub fn without_ipv6(listen: SocketAddr) -> Option<SocketAddr> {
    let everywhere = SocketAddr::new(IpAddr::from([0, 0, 0, 0]), listen.port());
    (listen.is_ipv6() && listen.ip().is_unspecified()).then_some(everywhere)
}
