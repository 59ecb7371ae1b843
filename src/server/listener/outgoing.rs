//! The data of a response, from its body until the connection has sent it.
//!
//! A body that was read to its end may still be in memory, because the peer doesn't read: hyper buffers it for HTTP/1, and
//! over HTTP/2 each stream has its own window, which the peer may leave at zero. So the data itself reports when it
//! is dropped. This determines how long an HTTP/2 stream may wait ([`StreamExecutor`]) and what is [`Held`] for a response.

use std::any::Any;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Frame, SizeHint};
use hyper::rt::Executor;
use poem::Response;
use tokio::time::{Instant, sleep_until};

use super::activity::InFlight;
use super::admission::ProxiedRequest;

/// How much of a stream's waiting data must be sent to restart its timeout: in 30 seconds a tenth of a modem's rate.
const PROGRESS: usize = 4096;

/// Dropped once no data of the response is in memory any more. Handlers insert it into a response's extensions.
#[derive(Clone)]
pub struct Held(#[expect(dead_code, reason = "it is only dropped")] Arc<dyn Any + Send + Sync>);

impl Held {
    pub fn new(value: impl Any + Send + Sync) -> Self {
        Self(Arc::new(value))
    }
}

/// The length of the response's body in bytes; `None` if it isn't known beforehand.
pub fn length_of(response: &mut Response) -> Option<u64> {
    let body = BoxBody::<Bytes, std::io::Error>::from(response.take_body());
    let length = body.size_hint().exact();
    response.set_body(poem::Body::from(body));
    length
}

pub(super) struct Piece {
    bytes: Bytes,
    progress: Option<Arc<StreamProgress>>,
    _held: Option<Held>,
}

impl Buf for Piece {
    fn remaining(&self) -> usize {
        self.bytes.len()
    }

    fn chunk(&self) -> &[u8] {
        &self.bytes
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
        if let Some(progress) = &self.progress {
            progress.taken(count);
        }
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        if let Some(progress) = &self.progress {
            progress.taken(self.bytes.len());
        }
    }
}

/// The data of one HTTP/2 stream that was handed to the connection and not yet sent to the peer.
#[derive(Default)]
pub(super) struct StreamProgress(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    bytes: usize,
    /// The number of bytes that must be sent to restart the timeout.
    owed: usize,
    since: Option<Instant>,
    end: Option<Waker>,
}

impl Waiting {
    fn restart(&mut self) {
        self.owed = PROGRESS;
        self.since = (self.bytes > 0).then(Instant::now);
    }
}

impl StreamProgress {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn given(&self, bytes: usize) {
        let mut waiting = self.waiting();
        let was_empty = waiting.bytes == 0;
        waiting.bytes += bytes;
        if was_empty {
            waiting.restart();
        }
    }

    fn taken(&self, bytes: usize) {
        let mut waiting = self.waiting();
        waiting.bytes -= bytes;
        waiting.owed = waiting.owed.saturating_sub(bytes);
        if waiting.owed == 0 || waiting.bytes == 0 {
            waiting.restart();
        }
        if waiting.bytes == 0
            && let Some(end) = waiting.end.take()
        {
            end.wake();
        }
    }

    fn is_taken(&self) -> bool {
        self.waiting().bytes == 0
    }

    /// Ready when no data waits.
    fn poll_taken(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut waiting = self.waiting();
        if waiting.bytes == 0 {
            return Poll::Ready(());
        }
        waiting.end = Some(cx.waker().clone());
        Poll::Pending
    }

    /// When the stream must be reset, unless more is sent; `None` while no data waits.
    fn deadline(&self, write_stall: Duration) -> Option<Instant> {
        self.waiting().since.map(|since| since + write_stall)
    }
}

tokio::task_local! {
    /// The progress of the HTTP/2 stream that the current task serves.
    static PROGRESS_OF_STREAM: Arc<StreamProgress>;
}

/// Runs the HTTP/2 streams of a connection, each in its own task. A stream is reset when its data has waited for too
/// long, regardless of the rest of the connection; a stream whose response has no data at the moment isn't.
#[derive(Clone)]
pub(super) struct StreamExecutor {
    pub(super) write_stall: Duration,
}

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for StreamExecutor {
    fn execute(&self, stream: F) {
        let progress = Arc::<StreamProgress>::default();
        let served = until_stalled(stream, Arc::clone(&progress), self.write_stall);
        tokio::spawn(PROGRESS_OF_STREAM.scope(progress, served));
    }
}

/// Drops the stream when its data has waited for too long; h2 then resets it and drops the data.
async fn until_stalled(
    stream: impl Future<Output = ()>,
    progress: Arc<StreamProgress>,
    write_stall: Duration,
) {
    let mut stream = pin!(stream);
    let mut timer = None;
    poll_fn(|cx| {
        if stream.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        // Only its own task gives the stream data, so whenever data begins to wait this is polled.
        while let Some(deadline) = progress.deadline(write_stall) {
            let timer = timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
            ready!(timer.as_mut().poll(cx));
            if deadline <= Instant::now() {
                tracing::debug!("reset a stream whose data was not taken");
                return Poll::Ready(());
            }
            timer.as_mut().reset(deadline);
        }
        timer = None;
        Poll::Pending
    })
    .await;
}

/// A response's body. Its request counts as in flight until the body is dropped.
///
/// Over HTTP/2 the end of the body is reported only once its data was sent. Otherwise hyper would drop the body, and with it
/// the means to reset the stream, while the data is still waiting.
pub(super) struct Outgoing<B> {
    body: B,
    ended: bool,
    progress: Option<Arc<StreamProgress>>,
    held: Option<Held>,
    in_flight: (InFlight, Option<ProxiedRequest>),
}

impl<B: Body> Outgoing<B> {
    /// Must be called in the task of the request.
    pub(super) fn new(
        body: B,
        held: Option<Held>,
        in_flight: (InFlight, Option<ProxiedRequest>),
    ) -> Self {
        if body.is_end_stream() {
            in_flight.0.finished();
        }
        Self {
            body,
            ended: false,
            progress: PROGRESS_OF_STREAM.try_with(Arc::clone).ok(),
            held,
            in_flight,
        }
    }

    fn piece(&self, bytes: Bytes) -> Piece {
        if let Some(progress) = &self.progress {
            progress.given(bytes.len());
        }
        Piece {
            bytes,
            progress: self.progress.clone(),
            _held: self.held.clone(),
        }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Outgoing<B> {
    type Data = Piece;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Piece>, B::Error>>> {
        if !self.ended {
            if let Some(frame) = ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                return Poll::Ready(Some(
                    frame.map(|frame| frame.map_data(|bytes| self.piece(bytes))),
                ));
            }
            self.ended = true;
        }
        if let Some(progress) = &self.progress {
            ready!(progress.poll_taken(cx));
        }
        self.in_flight.0.finished();
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream() && self.progress.as_ref().is_none_or(|it| it.is_taken())
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
