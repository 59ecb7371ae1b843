//! Connects to a server without asking it anything, to check the connection and the certificate.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::ServerName;
use tokio::net::{TcpStream, ToSocketAddrs};
use tokio_rustls::TlsConnector;
use url::Url;

use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::certificate::{complaint, valid_until};
use crate::kernel::outgoing::https;

/// For connecting, and for the TLS handshake.
const DEADLINE: Duration = Duration::from_secs(10);

/// Connects, and returns when the server's certificate expires; `None` without TLS. The error is a sentence. `server` is such as
/// "The provider".
pub async fn certificate_ends(url: &Url, server: &str) -> Result<Option<Timestamp>, String> {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let port = url.port_or_known_default().unwrap_or(443);
    let connected = connect((bare, port), server).await?;
    if url.scheme() != "https" {
        return Ok(None);
    }
    tls_handshake(connected, bare, server).await
}

/// As [`certificate_ends`], for the server of a name at a known address.
pub async fn certificate_ends_at(
    address: SocketAddr,
    name: &str,
    server: &str,
) -> Result<Option<Timestamp>, String> {
    let connected = connect(address, server).await?;
    tls_handshake(connected, name, server).await
}

async fn connect(address: impl ToSocketAddrs, server: &str) -> Result<TcpStream, String> {
    let connected = tokio::time::timeout(DEADLINE, TcpStream::connect(address)).await;
    connected
        .map_err(|_| format!("{server} did not answer in time."))?
        .map_err(|error| format!("{server} cannot be reached ({}).", error.kind()))
}

async fn tls_handshake(
    connected: TcpStream,
    name: &str,
    server: &str,
) -> Result<Option<Timestamp>, String> {
    let name = ServerName::try_from(name.to_owned())
        .map_err(|_| format!("{server}'s host name is not one."))?;
    let connector = TlsConnector::from(Arc::new(https::system_tls()));
    let shaken = tokio::time::timeout(DEADLINE, connector.connect(name, connected)).await;
    let slow = |_| format!("{server} did not answer in time.");
    let stream = shaken.map_err(slow)?.map_err(|error| {
        let of_tls = error.get_ref().and_then(|it| it.downcast_ref());
        match of_tls {
            Some(wrong) => complaint(&format!("{server}'s"), wrong),
            None => format!(
                "{server}'s connection could not be protected ({}).",
                error.kind()
            ),
        }
    })?;
    let (_, session) = stream.get_ref();
    Ok(session
        .peer_certificates()
        .and_then(|chain| valid_until(chain.first()?)))
}
