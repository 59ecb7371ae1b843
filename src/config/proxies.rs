//! The networks of trusted reverse proxies.

use std::net::IpAddr;

use ipnet::IpNet;

use super::ServeOptions;
use crate::kernel::host::public_url::PublicUrl;

/// The shortest prefix of a network of proxies: 10.0.0.0/8 is the largest network that one
/// household or one operator of proxies uses.
const NARROWEST_PROXIES: u8 = 8;

/// Parses a network or a single address.
pub(super) fn network(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    let network = text.parse::<IpNet>().ok();
    let address = || text.parse::<IpAddr>().ok().map(IpNet::from);
    let network = network
        .or_else(address)
        .ok_or("it must look like 10.0.0.0/8 or 10.0.0.1")?;
    Ok(network.trunc())
}

impl ServeOptions {
    pub(super) fn check_proxies(&self, warnings: &mut Vec<String>) {
        let behind_https = self.public_url.as_ref().is_some_and(PublicUrl::is_https);
        if behind_https && self.tls_cert.is_none() && self.trusted_proxies.is_empty() {
            warnings.push(
                "The public URL is https, which Porchlight doesn't answer itself (--tls-cert), and no proxy is                  trusted (--trusted-proxy): everybody behind the proxy shares the limits of one household."
                    .into(),
            );
        }
        for network in &self.trusted_proxies {
            if network.prefix_len() < NARROWEST_PROXIES {
                warnings.push(format!(
                    "{network} (--trusted-proxy) holds far more than proxies: whoever asks from there can write                      themselves another address, and so get past the limits."
                ));
            }
        }
    }
}
