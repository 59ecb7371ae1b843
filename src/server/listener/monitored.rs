//! A wrapper of a connection's socket that reports the connection's activity.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Sleep,
};

use super::activity::Activity;

/// A stream that reports received bytes, and fails when a write stalls for too long.
///
/// `TCP_USER_TIMEOUT` is set too, for data that is unacknowledged when we close. Whether it also ends a connection
/// whose peer is alive but doesn't read depends on the kernel.
pub(super) struct MonitoredStream<S> {
    stream: S,
    activity: Arc<Activity>,
    write_stall: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> MonitoredStream<S> {
    pub(super) fn new(stream: S, activity: Arc<Activity>, write_stall: Duration) -> Self {
        Self {
            stream,
            activity,
            write_stall,
            stalled: None,
        }
    }

    /// Passes on the result of a write, and fails when it has been pending for too long.
    fn unless_stalled<T>(
        &mut self,
        cx: &mut Context<'_>,
        attempt: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if attempt.is_ready() {
            self.stalled = None;
            return attempt;
        }
        let write_stall = self.write_stall;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(write_stall)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for MonitoredStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        if buf.filled().len() > before {
            self.activity.heard();
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for MonitoredStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.unless_stalled(cx, attempt)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.unless_stalled(cx, attempt)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let attempt = Pin::new(&mut self.stream).poll_flush(cx);
        self.unless_stalled(cx, attempt)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let attempt = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.unless_stalled(cx, attempt)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio_util::sync::CancellationToken;

    use super::*;

    const STALL: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn writing_fails_when_the_peer_takes_nothing_for_too_long() {
        let (ours, mut theirs) = tokio::io::duplex(4);
        let mut monitored = MonitoredStream::new(
            ours,
            Arc::new(Activity::new(CancellationToken::new())),
            STALL,
        );
        let start = tokio::time::Instant::now();
        let reader = tokio::spawn(async move {
            tokio::time::sleep(STALL / 2).await;
            theirs.read_u32().await.unwrap();
            theirs
        });

        let error = monitored.write_all(b"twelve bytes").await.unwrap_err();

        let _theirs = reader.await.unwrap();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(start.elapsed(), STALL / 2 + STALL, "what was taken counts");
    }
}
