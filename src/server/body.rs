//! Request bodies, each read completely before its handler runs.
//!
//! poem reads bodies without a limit of size or time. Here a declared length over the limit is refused before anything is read; a
//! body without a declared length is refused when it exceeds the limit; a body that arrives too slowly is refused, too. Each
//! byte that is read counts against its sender's memory budget ([`super::memory`]). The limit is the operation's, so nothing is
//! read before the operation knows its caller.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, Stream, StreamExt as _, TryStreamExt as _};
use poem::http::header;
use poem::{Body, Request};
use tokio::time::Instant;

use super::memory::Charge;
use crate::kernel::http::problem::{Code, Refusal};
use crate::kernel::http::wire::ReadBody;

/// How much of a refused body is still read and discarded. A client that sends everything before it reads then gets
/// the refusal instead of a connection reset.
const DISCARDED_BYTES: usize = 32 * 1024 * 1024;
const DISCARDING_TIME: Duration = Duration::from_secs(10);

/// The time limits of bodies.
#[derive(Clone)]
pub struct BodyLimits {
    /// From the end of the head to the end of the body: 4 MiB take 34 s over the slowest home uplink still
    /// sold (1 Mbit/s).
    pub total: Duration,
    /// The time before [`Self::bytes_per_second`] is enforced, and the longest silence: a phone
    /// that changes networks is silent for a few seconds.
    pub head_start: Duration,
    /// The minimum average rate after that: a tenth of a modem's.
    pub bytes_per_second: usize,
}

impl Default for BodyLimits {
    fn default() -> Self {
        Self {
            total: Duration::from_secs(60),
            head_start: Duration::from_secs(10),
            bytes_per_second: 512,
        }
    }
}

impl BodyLimits {
    /// The time by which a body that began at `start`, and of which `received` bytes have arrived, must have
    /// brought more.
    fn deadline(&self, start: Instant, received: usize) -> Instant {
        let earned = Duration::from_secs((received / self.bytes_per_second.max(1)) as u64);
        start + (self.head_start + earned).min(self.total)
    }
}

/// The body of a request, until an operation reads it.
pub struct PendingBody {
    unread: Mutex<Option<Unread>>,
    /// The maximum size, whatever the operation accepts, in bytes.
    largest: usize,
    /// The memory charged for the bytes read so far. Dropping it releases them.
    charge: Mutex<Option<Charge>>,
}

struct Unread {
    body: Body,
    /// `Content-Length`.
    declared: Option<u64>,
    /// Whether the client waits for `100 Continue` before it sends, so that there is nothing to discard.
    asks_first: bool,
}

impl PendingBody {
    /// Takes the request's body, if it has one. Bytes that are read count against the charge.
    pub fn of(
        request: &mut Request,
        largest: usize,
        charge: impl FnOnce() -> Result<Charge, Refusal>,
    ) -> Result<Option<Self>, Refusal> {
        let Some(unread) = Unread::of(request) else {
            return Ok(None);
        };
        match charge() {
            Ok(charge) => Ok(Some(Self {
                unread: Mutex::new(Some(unread)),
                largest,
                charge: Mutex::new(Some(charge)),
            })),
            Err(refusal) => {
                unread.discard();
                Err(refusal)
            }
        }
    }

    /// Discards the body, unless it was read.
    pub fn discard(&self) {
        if let Some(unread) = take(&self.unread) {
            unread.discard();
        }
    }
}

fn take<T>(slot: &Mutex<Option<T>>) -> Option<T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl ReadBody for PendingBody {
    fn read(&self, largest: usize) -> BoxFuture<'_, Result<Bytes, Refusal>> {
        async move {
            let unread = take(&self.unread).zip(take(&self.charge));
            let Some((unread, mut charge)) = unread else {
                return Ok(Bytes::new());
            };
            let largest = largest.min(self.largest);
            let limits = BodyLimits::default();
            let bytes = unread.read(largest, &limits, &mut charge).await?;
            *self.charge.lock().unwrap_or_else(PoisonError::into_inner) = Some(charge);
            Ok(bytes)
        }
        .boxed()
    }
}

impl Unread {
    fn of(request: &mut Request) -> Option<Self> {
        let body = request.take_body();
        (!body.is_empty()).then(|| Self {
            body,
            declared: request
                .header(header::CONTENT_LENGTH)
                .and_then(|length| length.parse().ok()),
            asks_first: request.header(header::EXPECT).is_some(),
        })
    }

    async fn read(
        self,
        largest: usize,
        limits: &BodyLimits,
        charge: &mut Charge,
    ) -> Result<Bytes, Refusal> {
        if self.declared.is_some_and(|length| length > largest as u64) {
            self.discard();
            return Err(too_large(largest));
        }
        let mut pieces = self.body.into_bytes_stream().boxed();
        let start = Instant::now();
        let mut bytes = BytesMut::new();
        loop {
            let silence = Instant::now() + limits.head_start;
            let deadline = limits.deadline(start, bytes.len()).min(silence);
            let Ok(next) = tokio::time::timeout_at(deadline, pieces.try_next()).await else {
                return Err(Refusal::malformed(
                    Code::BodyLate,
                    "The request's body did not arrive in time.",
                ));
            };
            let Some(piece) = next.map_err(|_| broken())? else {
                return Ok(bytes.freeze());
            };
            if bytes.len() + piece.len() > largest {
                tokio::spawn(discard(pieces));
                return Err(too_large(largest));
            }
            charge.add(piece.len())?;
            bytes.extend_from_slice(&piece);
        }
    }

    fn discard(self) {
        if !self.asks_first {
            tokio::spawn(discard(self.body.into_bytes_stream().boxed()));
        }
    }
}

/// Discards the body of a request that is answered without it.
pub fn discard_body(request: &mut Request) {
    if let Some(unread) = Unread::of(request) {
        unread.discard();
    }
}

fn too_large(limit: usize) -> Refusal {
    let largest = match limit / (1024 * 1024) {
        0 => format!("{} KiB", limit / 1024),
        mebibytes => format!("{mebibytes} MiB"),
    };
    let sentence =
        format!("The request's body is larger than {largest}, the most that this address takes.");
    Refusal::too_large(Code::BodyTooLarge, sentence)
        .with("largest", largest)
        .at("")
}

/// The connection broke, or the body doesn't match its headers.
fn broken() -> Refusal {
    Refusal::malformed(
        Code::BodyBroken,
        "The request's body did not arrive whole, or not in the form that its headers announce.",
    )
}

async fn discard(mut pieces: impl Stream<Item = io::Result<bytes::Bytes>> + Unpin) {
    let mut discarded = 0;
    let _ = tokio::time::timeout(DISCARDING_TIME, async {
        while let Some(Ok(piece)) = pieces.next().await {
            discarded += piece.len();
            if discarded > DISCARDED_BYTES {
                break;
            }
        }
    })
    .await;
}

#[cfg(test)]
mod tests;
