//! A wrapper of a connection's socket that reports the connection's activity.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use ipnet::IpNet;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Sleep,
};

use super::activity::Activity;
use super::frames::{BYTES_OF_ONE, FrameBudget, FrameCounter};

/// A stream that reports received bytes, and fails when a write stalls for too long.
///
/// `TCP_USER_TIMEOUT` is set too, for data that is unacknowledged when we close. Whether it also ends a connection
/// whose peer is alive but doesn't read depends on the kernel.
pub(super) struct MonitoredStream<S> {
    stream: S,
    activity: Arc<Activity>,
    write_stall: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
    meter: Option<FrameMeter>,
}

/// Delays the reading of HTTP/2 frames that make no progress.
pub(super) struct FrameMeter {
    counter: FrameCounter,
    network: IpNet,
    budget: Arc<FrameBudget>,
    /// Bytes written that have not yet earned credit.
    written: usize,
    paused: Option<Pin<Box<Sleep>>>,
}

impl FrameMeter {
    pub(super) fn new(network: IpNet, budget: Arc<FrameBudget>) -> Self {
        Self {
            counter: FrameCounter::new(),
            network,
            budget,
            written: 0,
            paused: None,
        }
    }

    /// Ready when the connection may be read.
    fn poll_allowed(&mut self, cx: &mut Context<'_>, activity: &Activity) -> Poll<()> {
        while activity.credit() < 0 {
            if let Some(paused) = &mut self.paused {
                ready!(paused.as_mut().poll(cx));
                self.paused = None;
            }
            let debt = -activity.credit();
            match self.budget.take(self.network, debt) {
                Ok(()) => activity.earn(debt),
                Err(again_at) => {
                    self.paused = Some(Box::pin(tokio::time::sleep_until(again_at)));
                }
            }
        }
        Poll::Ready(())
    }

    fn wrote(&mut self, bytes: usize, activity: &Activity) {
        self.written += bytes;
        let earned = self.written / BYTES_OF_ONE;
        if earned > 0 {
            self.written %= BYTES_OF_ONE;
            activity.earn(i64::try_from(earned).unwrap_or(i64::MAX));
        }
    }
}

impl<S> MonitoredStream<S> {
    /// `meter` is for HTTP/2.
    pub(super) fn new(
        stream: S,
        activity: Arc<Activity>,
        write_stall: Duration,
        meter: Option<FrameMeter>,
    ) -> Self {
        Self {
            stream,
            activity,
            write_stall,
            stalled: None,
            meter,
        }
    }

    fn wrote(&mut self, attempt: &Poll<io::Result<usize>>) {
        if let (Some(meter), Poll::Ready(Ok(bytes))) = (&mut self.meter, attempt) {
            meter.wrote(*bytes, &self.activity);
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
        let this = &mut *self;
        if let Some(meter) = &mut this.meter {
            ready!(meter.poll_allowed(cx, &this.activity));
        }
        let before = buf.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(cx, buf))?;
        let read = &buf.filled()[before..];
        if !read.is_empty() {
            this.activity.heard();
        }
        if let Some(meter) = &mut this.meter {
            this.activity.spend(meter.counter.cost(read));
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
        self.wrote(&attempt);
        self.unless_stalled(cx, attempt)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.wrote(&attempt);
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
    use crate::server::listener::frames::OF_A_REQUEST;

    const STALL: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn writing_fails_when_the_peer_takes_nothing_for_too_long() {
        let (ours, mut theirs) = tokio::io::duplex(4);
        let mut monitored = MonitoredStream::new(
            ours,
            Arc::new(Activity::new(CancellationToken::new())),
            STALL,
            None,
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

    /// Reads this many PRIORITY frames from a client of this network, and returns how long that took.
    async fn flood(
        frames: usize,
        network: &str,
        budget: &Arc<FrameBudget>,
        each: impl Fn(&Activity),
    ) -> Duration {
        let (ours, mut theirs) = tokio::io::duplex(1400);
        let activity = Arc::new(Activity::new(CancellationToken::new()));
        let meter = FrameMeter::new(network.parse().unwrap(), Arc::clone(budget));
        let mut monitored = MonitoredStream::new(ours, Arc::clone(&activity), STALL, Some(meter));
        let sender = tokio::spawn(async move {
            let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
            theirs.write_all(preface).await.unwrap();
            let frame = [0, 0, 5, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 7];
            theirs.write_all(&frame.repeat(frames)).await.unwrap();
        });
        let start = tokio::time::Instant::now();
        let mut buffer = [0; 1400];
        while monitored.read(&mut buffer).await.unwrap() > 0 {
            each(&activity);
        }
        sender.await.unwrap();
        start.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn frames_without_progress_are_read_a_thousand_a_second_of_a_network() {
        let budget = Arc::default();

        let first = flood(10_000, "2001:db8::/48", &budget, |_| {}).await;
        let neighbour = flood(10_000, "2001:db8::/48", &budget, |_| {}).await;
        let other = flood(2_000, "192.0.2.0/24", &budget, |_| {}).await;

        let expected = Duration::from_secs(7)..Duration::from_secs(10);
        assert!(expected.contains(&first), "{first:?}");
        assert!(neighbour > Duration::from_secs(9), "{neighbour:?}");
        assert_eq!(other, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn frames_of_a_client_that_finishes_requests_never_wait() {
        let budget = Arc::default();
        // Two requests for each hundred frames.
        let each = |activity: &Activity| activity.earn(2 * OF_A_REQUEST);

        let took = flood(20_000, "2001:db8::/48", &budget, each).await;

        assert_eq!(took, Duration::ZERO);
    }
}
