//! Serves one connection from its first byte to its last.

use std::{convert::Infallible, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use poem::{
    Addr, Request,
    endpoint::DynEndpoint,
    http::{self, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use rustix::net::sockopt;
use tokio::{net::TcpStream, time::timeout};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tokio_util::either::Either;

use crate::kernel::http::origin::AtName;
use crate::server::plain_http::WithoutTls;

use super::{
    ConnectionLimits, ServerState,
    activity::{Activity, Phase},
    admission::{ConnectionSlot, ProxiedRequest, ShareExhausted, Ticket},
    monitored::MonitoredStream,
    outgoing::{Held, Outgoing},
};

/// The size of hyper's read buffer: a head, or a piece of a body.
const READ_BUFFER: usize = 64 * 1024;

/// TCP keep-alive: idle time before the first probe, interval, number of probes. A phone that left the network frees its
/// slot after two minutes.
const KEEPALIVE: (Duration, Duration, u32) = (Duration::from_secs(60), Duration::from_secs(15), 4);

/// A connection without TLS, or with it.
type Stream = Either<TcpStream, TlsStream<TcpStream>>;

/// Runs until the peer disconnects, a deadline passes, the connection is evicted, or the server shuts down. Then the ticket is
/// released.
pub(super) async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    ticket: Ticket,
    server: Arc<ServerState>,
) {
    tokio::select! {
        () = run_session(stream, peer, &ticket, &server) => {}
        () = ticket.activity.evicted() => {}
    }
}

async fn run_session(
    stream: TcpStream,
    peer: SocketAddr,
    ticket: &Ticket,
    server: &Arc<ServerState>,
) {
    let Ok(local) = stream.local_addr() else {
        return;
    };
    if let Err(error) = set_options(&stream, &server.limits) {
        tracing::debug!(%error, "a connection's options could not be set");
    }
    let shaken = tokio::select! {
        shaken = timeout(server.limits.handshake, tls_handshake(stream, server)) => shaken,
        () = server.closing.cancelled() => return,
    };
    let stream = match shaken {
        Ok(Ok(stream)) => stream,
        // A browser that doesn't trust the certificate also ends here, so this is no warning.
        Ok(Err(error)) => return tracing::debug!(%peer, %error, "a TLS handshake failed"),
        Err(_) => return tracing::debug!(%peer, "a TLS handshake took too long"),
    };
    let scheme = match &stream {
        Either::Left(_) => Scheme::HTTP,
        Either::Right(_) => Scheme::HTTPS,
    };
    let service = Service {
        local,
        peer,
        scheme,
        activity: Arc::clone(&ticket.activity),
        place: ticket.place.clone(),
        server: Arc::clone(server),
    };
    service.activity.restart();
    service.serve(stream).await;
}

/// The TLS handshake, unless the server has no certificate or the client doesn't begin one.
async fn tls_handshake(stream: TcpStream, server: &ServerState) -> io::Result<Stream> {
    match &server.tls {
        Some(tls) if !begins_without_tls(&stream).await => {
            let config = tls.config().ok_or(io::ErrorKind::NotFound)?;
            let accepted = TlsAcceptor::from(config).accept(stream);
            accepted.await.map(Either::Right)
        }
        _ => Ok(Either::Left(stream)),
    }
}

/// Whether the first byte is an ASCII letter, as in an HTTP request; TLS begins with 0x16 (RFC 8446, section 5.1). The
/// byte is only peeked.
async fn begins_without_tls(stream: &TcpStream) -> bool {
    let mut first = [0];
    matches!(stream.peek(&mut first).await, Ok(1)) && first[0].is_ascii_uppercase()
}

fn set_options(stream: &TcpStream, limits: &ConnectionLimits) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let unacknowledged = u32::try_from(limits.write_stall.as_millis()).unwrap_or(u32::MAX);
    sockopt::set_tcp_user_timeout(stream, unacknowledged)?;
    let (silence, interval, times) = KEEPALIVE;
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, silence)?;
    sockopt::set_tcp_keepintvl(stream, interval)?;
    sockopt::set_tcp_keepcnt(stream, times)?;
    Ok(())
}

#[derive(Clone)]
struct Service {
    local: SocketAddr,
    peer: SocketAddr,
    scheme: Scheme,
    activity: Arc<Activity>,
    place: ConnectionSlot,
    server: Arc<ServerState>,
}

type Answer = http::Response<Outgoing<BoxBody<Bytes, io::Error>>>;

impl Service {
    async fn answer(self, request: http::Request<Incoming>) -> Result<Answer, Infallible> {
        let in_flight = self.activity.begin_request();
        let proxied = self.begin_proxied(&request);
        let without_tls = self.server.tls.is_some() && self.scheme == Scheme::HTTP;
        let local = LocalAddr(Addr::SocketAddr(self.local));
        let remote = RemoteAddr(Addr::SocketAddr(self.peer));
        let mut request: Request = (request, local, remote, self.scheme).into();
        if without_tls {
            request.extensions_mut().insert(WithoutTls);
        }
        if self.server.is_named {
            request.extensions_mut().insert(AtName);
        }
        let proxied = proxied.unwrap_or_else(|exhausted| {
            request.extensions_mut().insert(exhausted);
            None
        });
        // `BoxEndpoint::call` is an `async fn`, whose future would store the request several times.
        let answer = DynEndpoint::call(&**self.server.endpoint, request).await;
        let answer = answer.unwrap_or_else(poem::Error::into_response);
        let mut response = http::Response::<_>::from(answer);
        let held = response.extensions_mut().remove::<Held>();
        Ok(response.map(|body| Outgoing::new(body, held, (in_flight, proxied))))
    }

    /// Counts a request that a proxy forwarded for its client.
    fn begin_proxied(
        &self,
        request: &http::Request<Incoming>,
    ) -> Result<Option<ProxiedRequest>, ShareExhausted> {
        if !self.place.is_proxys() {
            return Ok(None);
        }
        let limits = &self.server.limits;
        let client = (limits.client)(self.peer.ip(), request.headers());
        if (limits.is_proxy)(client) {
            // No client is named: it is a health check, or the proxy doesn't write `X-Forwarded-For`.
            return Ok(None);
        }
        self.place.begin_proxied(client).map(Some)
    }

    /// Runs the connection, and closes it when its phase lasts too long or the server shuts down. A request in flight may
    /// still finish.
    async fn serve(self, stream: Stream) {
        let (activity, server) = (Arc::clone(&self.activity), Arc::clone(&self.server));
        let limits = &server.limits;
        let stream = MonitoredStream::new(stream, Arc::clone(&activity), limits.write_stall);
        let connection = http1::Builder::new()
            .max_header_size(limits.head_bytes)
            .max_buf_size(READ_BUFFER.max(limits.head_bytes))
            // hyper's own timer for heads would also run while the connection is idle.
            .header_read_timeout(None)
            .serve_connection(
                TokioIo::new(stream),
                service_fn(move |request| self.clone().answer(request)),
            );
        let mut connection = pin!(connection);
        tokio::select! {
            biased;
            // The result doesn't matter: the peer disconnected, or sent something other than HTTP.
            _ = connection.as_mut() => return,
            () = server.closing.cancelled() => {}
            phase = activity.overdue(limits) => if phase != Phase::Idle {
                return;
            }
        }
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            biased;
            _ = connection => {}
            _ = activity.overdue(limits) => {}
        }
    }
}
