//! The response to a request head that cannot be parsed.
//!
//! Such a head never becomes a request: hyper answers it by itself, with a status and no body, and closes. This stream
//! wraps the socket for hyper. It recognises such a response, because hyper writes it while no request of the
//! connection is in progress, and writes one with a body instead.
//!
//! Over HTTP/2 the `h2` crate answers a head that is too large. That response is compressed with the connection's
//! HPACK state and cannot be replaced.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use bytes::{Buf, Bytes};
use poem::http::{Response, StatusCode};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::activity::Activity;

/// Returns the response, for a status, to a request head that cannot be parsed.
pub type HeadRefusal = Arc<dyn Fn(StatusCode) -> Response<Bytes> + Send + Sync>;

/// A stream that replaces hyper's own error responses, which have no body.
pub(super) struct HeadRefusalStream<S> {
    stream: S,
    activity: Arc<Activity>,
    refusal: HeadRefusal,
    replacing: Option<Replacement>,
}

/// The bytes that are written instead of hyper's.
struct Replacement {
    bytes: Bytes,
    /// The number of hyper's bytes that it replaces.
    instead_of: usize,
}

impl<S> HeadRefusalStream<S> {
    pub(super) fn new(stream: S, activity: Arc<Activity>, refusal: HeadRefusal) -> Self {
        Self {
            stream,
            activity,
            refusal,
            replacing: None,
        }
    }

    /// Checks whether these bytes are hyper's own error response. If so, the replacement is written instead.
    fn recognise(&mut self, written: &[u8]) {
        if self.replacing.is_none() && !self.activity.is_answering() {
            self.replacing = in_words(written, &self.refusal).map(|bytes| Replacement {
                bytes,
                instead_of: written.len(),
            });
        }
    }
}

impl<S: AsyncWrite + Unpin> HeadRefusalStream<S> {
    /// Writes the replacement, if there is one, and then reports hyper's bytes as written.
    fn poll_replacement(&mut self, cx: &mut Context<'_>) -> Option<Poll<io::Result<usize>>> {
        let replacement = self.replacing.as_mut()?;
        while replacement.bytes.has_remaining() {
            match Pin::new(&mut self.stream).poll_write(cx, &replacement.bytes) {
                Poll::Ready(Ok(0)) => {
                    return Some(Poll::Ready(Err(io::ErrorKind::WriteZero.into())));
                }
                Poll::Ready(Ok(count)) => replacement.bytes.advance(count),
                not_written => return Some(not_written),
            }
        }
        let instead_of = replacement.instead_of;
        self.replacing = None;
        Some(Poll::Ready(Ok(instead_of)))
    }
}

/// The replacement, if this is a complete error response of hyper's without a body. hyper's `date` and `connection`
/// headers are kept.
fn in_words(written: &[u8], refusal: &HeadRefusal) -> Option<Bytes> {
    let head = str::from_utf8(written).ok()?.strip_suffix("\r\n\r\n")?;
    let (status_line, fields) = head.split_once("\r\n")?;
    let status = status_line.strip_prefix("HTTP/1.")?.get(2..5)?;
    let status = status.parse::<StatusCode>().ok()?;
    let announces_nothing = |field: &&str| field.eq_ignore_ascii_case("content-length: 0");
    if !status.is_client_error() || !fields.split("\r\n").any(|field| announces_nothing(&field)) {
        return None;
    }
    let (parts, body) = refusal(status).into_parts();
    let mut bytes = status_line.as_bytes().to_vec();
    for field in fields
        .split("\r\n")
        .filter(|field| !announces_nothing(field))
    {
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(field.as_bytes());
    }
    for (name, value) in &parts.headers {
        bytes.extend_from_slice(format!("\r\n{name}: ").as_bytes());
        bytes.extend_from_slice(value.as_bytes());
    }
    bytes.extend_from_slice(format!("\r\ncontent-length: {}\r\n\r\n", body.len()).as_bytes());
    bytes.extend_from_slice(&body);
    Some(bytes.into())
}

impl<S: AsyncRead + Unpin> AsyncRead for HeadRefusalStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for HeadRefusalStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.recognise(buf);
        if let Some(written) = self.poll_replacement(cx) {
            return written;
        }
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // hyper writes a head in one slice.
        if let [head] = bufs {
            self.recognise(head);
        }
        if let Some(written) = self.poll_replacement(cx) {
            return written;
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(cx))?;
        self.activity.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
