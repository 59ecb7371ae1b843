//! Sockets to listen on.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket};

use super::at_home;
use crate::admin::AdminError;

/// The number of connections that may wait to be accepted, as in [`TcpListener::bind`].
const BACKLOG: u32 = 1024;

pub async fn listen(address: SocketAddr) -> Result<TcpListener, AdminError> {
    let bound = match (bind(address).await, at_home::without_ipv6(address)) {
        (Err(_), Some(ipv4)) => bind(ipv4).await,
        (bound, _) => bound,
    };
    bound.map_err(|error| AdminError::new(format!("{address} cannot be listened on: {error}.")))
}

/// Listens at an address; at `[::]` also for IPv4, even if the system's default (`net.ipv6.bindv6only`) is another.
async fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    if !(address.is_ipv6() && address.ip().is_unspecified()) {
        return TcpListener::bind(address).await;
    }
    let socket = TcpSocket::new_v6()?;
    rustix::net::sockopt::set_ipv6_v6only(&socket, false)?;
    // As `TcpListener::bind` does.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}
