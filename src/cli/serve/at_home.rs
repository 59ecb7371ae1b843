//! The names and the greeting of `serve --home`.

use std::net::{IpAddr, SocketAddr};

use crate::admin::AdminError;
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::home_network::HomeNetwork;
use crate::kernel::host::public_url::PublicUrl;

/// The URL that a phone in the same network can open; uses this machine's name while it has no address there.
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
    url.parse().map_err(AdminError::new)
}

/// The domains that home routers append to device names: `.local` is multicast DNS, `.lan` OpenWrt's and others', `.fritz.box`
/// the FRITZ!Box's, `.home.arpa` that of RFC 8375.
const DOMAINS: [&str; 4] = ["local", "lan", "fritz.box", "home.arpa"];

/// The names of this machine in the home network, besides its addresses.
pub fn names() -> Vec<String> {
    let system = rustix::system::uname();
    let read = |file| std::fs::read_to_string(file).unwrap_or_default();
    names_of(
        &system.nodename().to_string_lossy(),
        &read("/etc/hosts"),
        &read("/etc/resolv.conf"),
    )
}

/// The machine's name with each of these domains, its fully qualified name from `/etc/hosts` (`hostname --fqdn`), and its name
/// with the search domains of this machine's resolver.
fn names_of(nodename: &str, hosts: &str, resolver: &str) -> Vec<String> {
    let full = nodename.trim_end_matches('.').to_ascii_lowercase();
    let name = full.split('.').next().unwrap_or_default().to_owned();
    // An empty name is useless, and every machine is called `localhost`.
    if name.is_empty() || name == "localhost" {
        return Vec::new();
    }
    let words = |line: &str| -> Vec<String> {
        let said = line.split('#').next().unwrap_or_default();
        said.split_ascii_whitespace()
            .map(|word| word.trim_end_matches('.').to_ascii_lowercase())
            .collect()
    };
    let of_hosts = hosts.lines().flat_map(|line| {
        let names = words(line).split_off(1.min(words(line).len()));
        let is_ours = names.contains(&name);
        let begins = format!("{name}.");
        names
            .into_iter()
            .filter(move |it| is_ours && it.starts_with(&begins))
    });
    let searched = resolver
        .lines()
        .flat_map(|line| match words(line).as_slice() {
            [key, domains @ ..] if key == "search" || key == "domain" => domains.to_vec(),
            _ => Vec::new(),
        });
    let with_domain = |domain: String| format!("{name}.{domain}");
    let usual = DOMAINS.map(str::to_owned).into_iter().chain(searched);
    let mut names = vec![name.clone(), full];
    names.extend(of_hosts);
    names.extend(usual.filter(|domain| !domain.is_empty()).map(with_domain));
    names.sort();
    names.dedup();
    names
}

/// This machine's own name, without a domain.
fn host_name() -> String {
    let system = rustix::system::uname();
    let name = system.nodename().to_string_lossy().to_ascii_lowercase();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// The greeting's text about the home network: what plain HTTP means, and whether the address has changed since the last start.
pub fn say(addresses: &Addresses, before: Option<&PublicUrl>) -> String {
    let url = &addresses.plain;
    let mut said = String::new();
    if let Some(before) = before.filter(|before| *before != url && !before.is_loopback()) {
        said += &format!(
            "The address has changed: it was {before}. Give this machine a fixed address in the router, so that bookmarks and \
             assistants find it.\n"
        );
    }
    if addresses.named.is_none() && !url.is_https() {
        said += "At home it speaks plain http: whoever listens on the Wi-Fi can take a sign-in over. For https, get a free name, and \
                 start with --https-name: docs/https-at-home.md.\n";
    }
    if let Some(named) = &addresses.named {
        let url = &named.url;
        said += &if named.status.is_usable() {
            format!(
                "Parents open {url} for https. Assistants go on using {}.\n",
                addresses.plain
            )
        } else {
            format!("Soon with https at {url}. `porchlight check` says how far it is.\n")
        };
    }
    said
}

/// The IPv4 address to listen on if `listen` is `[::]` and the system has no IPv6; `None` for any other address.
pub fn without_ipv6(listen: SocketAddr) -> Option<SocketAddr> {
    let everywhere = SocketAddr::new(IpAddr::from([0, 0, 0, 0]), listen.port());
    (listen.is_ipv6() && listen.ip().is_unspecified()).then_some(everywhere)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_at_home_has_its_full_name_and_those_that_routers_give_it() {
        let hosts = "127.0.0.1 localhost\n127.0.1.1\tNAS.example.org nas # ours\n192.168.1.9 printer.example.org printer\n";
        let resolver =
            "# written by the network\nsearch speedport.ip fritz.box.\nnameserver 192.168.1.1\n";

        assert_eq!(
            names_of("Nas", hosts, resolver),
            [
                "nas",
                "nas.example.org",
                "nas.fritz.box",
                "nas.home.arpa",
                "nas.lan",
                "nas.local",
                "nas.speedport.ip"
            ]
        );
        assert!(names_of("nas.example.com", "", "").contains(&"nas.example.com".to_owned()));
    }

    #[test]
    fn a_machine_without_a_name_of_its_own_has_none() {
        for name in ["", "localhost", "localhost.localdomain"] {
            assert_eq!(names_of(name, "127.0.0.1 localhost\n", ""), [""; 0]);
        }
    }
}
