//! The listener: limits connections, enforces deadlines, and shuts the server down.
//!
//! `poem::Server` waits for ever for a request that never ends, spins when the process runs
//! out of file descriptors, and never finishes a shutdown while a client stays connected. So this module
//! accepts connections itself and runs hyper on them.
//!
//! A connection is always in one of four phases (silent, sending a head, busy with a request, idle between requests),
//! and all but "busy" have a deadline; see `activity`. Busy connections are bounded by the deadline for a request's
//! body ([`super::body`]) and by the one for a peer that stops reading. When the maximum number of connections is reached, one
//! is closed in the network that holds most; see `admission`.
//!
//! It speaks HTTP/1.1 alone, with and without TLS. Later versions are for a reverse proxy to offer.

mod activity;
mod admission;
mod answers;
mod connection;
mod monitored;
mod open_files;
mod outgoing;
#[cfg(test)]
mod tests;
mod tls;

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use futures_util::future::{OptionFuture, join_all};
use poem::{Response, endpoint::BoxEndpoint, http::HeaderMap};
use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use admission::ShareExhausted;
pub use open_files::raise_open_files_limit;
pub use outgoing::{Held, length_of};
pub use tls::{TlsProblem, TlsReloader};

use admission::Admission;
use answers::Answers;

/// The pause before accepting again when no file descriptor is left.
const BACK_OFF: Duration = Duration::from_millis(100);

/// Determines the client of a request from the peer and the request's headers.
pub type ClientOf = dyn Fn(IpAddr, &HeaderMap) -> IpAddr + Send + Sync;

#[derive(Clone)]
pub struct ConnectionLimits {
    /// From connecting to the first byte. Browsers open connections in advance and may not need
    /// them; they open another if one is closed.
    pub first_byte: Duration,
    /// For the TLS handshake: three messages, for which a phone on a bad network needs two
    /// seconds.
    pub handshake: Duration,
    /// From the first byte of a request to the end of its headers. They fit into one or two packets, so only an
    /// attacker needs longer.
    pub head: Duration,
    /// Between two requests. Longer than reverse proxies keep an idle connection (nginx 60 s, Caddy 120 s), because
    /// closing one just as the proxy sends a request would fail that request.
    pub idle: Duration,
    /// How long a peer may read nothing of what we send. Thirty seconds covers a tunnel on a train.
    pub write_stall: Duration,
    /// The total number of connections; each needs a descriptor and some 20 KiB (50 KiB under TLS). Ten
    /// thousand times a family's needs, and less memory than a small machine has.
    pub max_connections: usize,
    /// Connections from one IPv4 address or one IPv6 network of 64 bits: ten devices behind one
    /// router, six connections each. A further one replaces the one that was idle longest.
    pub max_per_address: usize,
    /// The size of a request's line and headers, in bytes. Ours need one KiB or two, a proxy adds some. Above 16 KiB
    /// the envelope refuses; above this, or above 100 headers, hyper does, without a body.
    pub head_bytes: usize,
    /// Whether an address is a trusted reverse proxy, whose requests count for the clients it forwards for.
    pub is_proxy: Arc<dyn Fn(IpAddr) -> bool + Send + Sync>,
    /// Determines the client whose request a trusted proxy forwards.
    pub client: Arc<ClientOf>,
    /// Whether somebody was signed in from an address; a part of the connections is reserved for these.
    pub is_home: Arc<dyn Fn(IpAddr) -> bool + Send + Sync>,
    /// Whether a peer may connect. Otherwise its connection is closed before a byte is read or written.
    pub may_connect: Arc<dyn Fn(SocketAddr) -> bool + Send + Sync>,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            first_byte: Duration::from_secs(15),
            handshake: Duration::from_secs(10),
            head: Duration::from_secs(10),
            idle: Duration::from_secs(130),
            write_stall: Duration::from_secs(30),
            max_connections: 4096,
            max_per_address: 64,
            head_bytes: 64 * 1024,
            is_proxy: Arc::new(|_| false),
            client: Arc::new(|peer, _| peer),
            is_home: Arc::new(|_| false),
            may_connect: Arc::new(|_| true),
        }
    }
}

impl ConnectionLimits {
    /// Lowers the number of connections to what this many descriptors (from
    /// [`raise_open_files_limit`]) can carry, leaving 128 for the store, mail and the admin socket.
    #[must_use]
    pub fn within_open_files(mut self, open_files: u64) -> Self {
        let room = usize::try_from(open_files.saturating_sub(128)).unwrap_or(usize::MAX);
        self.max_connections = self.max_connections.min(room.max(16));
        self
    }
}

/// A socket, and how it is spoken on.
pub struct BoundListener {
    pub socket: TcpListener,
    /// The certificate, if TLS is terminated here.
    pub tls: Option<Arc<TlsReloader>>,
    /// Whether it answers the home's name for https, as the only address beside another listener's.
    pub is_named: bool,
}

impl BoundListener {
    pub fn new(socket: TcpListener, tls: Option<Arc<TlsReloader>>) -> Self {
        Self {
            socket,
            tls,
            is_named: false,
        }
    }
}

/// The state that all connections of a listener share.
struct ServerState {
    endpoint: Arc<BoxEndpoint<'static, Response>>,
    tls: Option<Arc<TlsReloader>>,
    is_named: bool,
    limits: ConnectionLimits,
    /// Cancelled at shutdown: requests in flight finish, and no new one begins.
    closing: CancellationToken,
}

/// Answers requests until `shutdown` is cancelled; the listeners share the limits. Then no more connections are accepted,
/// requests in flight may finish within `grace`, and the rest are dropped. An event stream counts as in flight: its handler
/// should end it on shutdown.
pub async fn serve(
    listeners: Vec<BoundListener>,
    endpoint: Arc<BoxEndpoint<'static, Response>>,
    limits: ConnectionLimits,
    shutdown: CancellationToken,
    grace: Duration,
) {
    let closed = CancellationToken::new();
    // If this future is dropped, its connections are closed too.
    let _closes_at_the_end = closed.clone().drop_guard();
    let admission = Arc::new(Admission::new(&limits, closed.clone()));
    let connections = TaskTracker::new();
    let accepting = listeners.into_iter().map(|listener| {
        let BoundListener {
            socket,
            tls,
            is_named,
        } = listener;
        let renewal = OptionFuture::from(tls.clone().map(TlsReloader::watch));
        let server = Arc::new(ServerState {
            endpoint: Arc::clone(&endpoint),
            tls,
            is_named,
            limits: limits.clone(),
            closing: shutdown.clone(),
        });
        let accepted = accept(socket, server, Arc::clone(&admission), connections.clone());
        async move { tokio::join!(accepted, renewal) }
    });
    tokio::select! {
        _ = join_all(accepting) => {}
        () = shutdown.cancelled() => {}
    }

    connections.close();
    if tokio::time::timeout(grace, connections.wait())
        .await
        .is_err()
    {
        tracing::warn!(
            connections = connections.len(),
            "dropping requests that did not finish in time"
        );
        closed.cancel();
        connections.wait().await;
    }
}

/// Accepts connections. Never returns.
async fn accept(
    listener: TcpListener,
    server: Arc<ServerState>,
    admission: Arc<Admission>,
    connections: TaskTracker,
) {
    let (mut was_exhausted, mut refused_one) = (false, false);
    let mut answers = Answers::default();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                was_exhausted = false;
                if !answers.get(peer, &*server.limits.may_connect) {
                    if !refused_one {
                        tracing::warn!(
                            "a connection was refused, because it comes from elsewhere than the home network; further ones \
                             are refused without a word"
                        );
                    }
                    refused_one = true;
                    continue;
                }
                let Some(ticket) = admission.admit(peer.ip()) else {
                    tracing::debug!(%peer, "too many connections; closed this one");
                    continue;
                };
                let server = Arc::clone(&server);
                connections.spawn(connection::serve(stream, peer, ticket, server));
            }
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) => {
                if !was_exhausted {
                    tracing::warn!(%error, "cannot accept connections; waiting for room");
                }
                was_exhausted = true;
                admission.make_room();
                tokio::time::sleep(BACK_OFF).await;
            }
        }
    }
}

/// Whether only this connection failed. Any other error (EMFILE, ENFILE, ENOBUFS, ENOMEM) would recur at once, so
/// retrying without a pause would busy a core.
fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}
