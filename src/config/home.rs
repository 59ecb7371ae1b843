//! The options of `serve --home`.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use clap::Args;

use super::Unsound;
use crate::kernel::host::home_network::HomeNetwork;

/// The default address to listen on with `--home`: all addresses, IPv6 and IPv4.
pub const EVERYWHERE: SocketAddr = SocketAddr::new(IpAddr::V6(Ipv6Addr::UNSPECIFIED), 8080);

/// What the home network needs.
#[derive(Clone, Debug, Args)]
pub struct HomeOptions {
    /// Answer the devices of the home network, and nobody who comes through the router
    #[arg(long, env = "PORCHLIGHT_HOME", conflicts_with_all = ["public_url", "trusted_proxies"])]
    home: bool,

    /// A network interface that leads home although no device is beneath it, such as a container's eth0. May be given more
    /// than once
    #[arg(
        long,
        env = "PORCHLIGHT_HOME_ON",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = interface,
        requires = "home"
    )]
    home_on: Vec<String>,
}

/// Parses an interface's name in a list that may have spaces after its commas.
fn interface(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.trim().to_owned())
}

impl HomeOptions {
    /// Returns the home network; `None` without `--home`. Fails in a demonstration, or if no network interface is at home.
    pub(super) fn check(&self, demo: bool) -> Result<Option<HomeNetwork>, Unsound> {
        if !self.home {
            return Ok(None);
        }
        if demo {
            return Err(Unsound(
                "The demonstration is for this machine alone: leave --home out.".into(),
            ));
        }
        let home = HomeNetwork::new(self.home_on.iter().cloned());
        match home.has_interface() {
            Ok(true) => Ok(Some(home)),
            Ok(false) => Err(Unsound(
                "No network interface of this machine leads home: none has a device beneath it. In a container, name the \
                 interface that does: --home-on eth0."
                    .into(),
            )),
            Err(error) => Err(Unsound(format!(
                "Which network interfaces this machine has cannot be found out: {error}."
            ))),
        }
    }
}
