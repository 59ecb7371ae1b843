//! Request bodies, each read completely before its handler runs.
//!
//! poem reads bodies of any size for any time. [`ReadBody`] reads them first, so that handlers only
//! meet those that are complete and within their limit: a declared length over the limit is
//! refused unread, an undeclared one as soon as it is passed, and a body that trickles is given up.
//! The refusals are typed errors with a status, which the API's envelope puts into words.

use std::{io, sync::Arc, time::Duration};

use bytes::BytesMut;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use poem::{
    Body, Request, Result,
    error::ResponseError,
    http::{StatusCode, header},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

/// How much of a refused body is still read and discarded. A client that sends everything before it reads then gets
/// the refusal instead of a connection reset.
const DISCARDED_BYTES: usize = 32 * 1024 * 1024;
const DISCARDING_TIME: Duration = Duration::from_secs(10);

/// How bodies are read.
#[derive(Clone)]
pub struct BodyLimits {
    /// The most bytes that a body sent to this path may have.
    pub max_bytes: fn(path: &str) -> usize,
    /// From the end of the head to the end of the body: 4 MiB over the slowest home uplink still
    /// sold (1 Mbit/s) take 34 s.
    pub total: Duration,
    /// The time that a body may take before [`Self::bytes_per_second`] is expected of it: a phone
    /// that changes networks is silent for a few seconds.
    pub head_start: Duration,
    /// The minimum average rate after that: a tenth of a modem's.
    pub bytes_per_second: usize,
    /// Bytes of all bodies being read or handled at once; more are refused for the moment. Without
    /// it, many large bodies at once could take all of a small machine's memory.
    pub max_bytes_at_once: usize,
}

impl BodyLimits {
    /// The usual deadlines with the given limits by path.
    #[must_use]
    pub fn new(max_bytes: fn(path: &str) -> usize) -> Self {
        Self {
            max_bytes,
            total: Duration::from_secs(60),
            head_start: Duration::from_secs(10),
            bytes_per_second: 512,
            max_bytes_at_once: 64 * 1024 * 1024,
        }
    }

    /// When a body that began at `start`, and of which `received` bytes came, must have brought
    /// more.
    fn deadline(&self, start: Instant, received: usize) -> Instant {
        let earned = Duration::from_secs((received / self.bytes_per_second.max(1)) as u64);
        start + (self.head_start + earned).min(self.total)
    }
}

/// The body is larger than what its path takes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("What was sent is too large: at most {limit} bytes are taken here.")]
pub struct BodyTooLarge {
    pub limit: usize,
}

/// The body came too slowly, or never ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("What was sent came too slowly. Please try again.")]
pub struct BodyTooSlow;

/// The connection broke, or the body was not as its headers said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("What was sent arrived incomplete. Please try again.")]
pub struct BodyBroken;

/// Too many bodies are being handled at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Porchlight is very busy right now. Please try again in a moment.")]
pub struct TooManyBodies;

impl ResponseError for BodyTooLarge {
    fn status(&self) -> StatusCode {
        StatusCode::PAYLOAD_TOO_LARGE
    }
}

impl ResponseError for BodyTooSlow {
    fn status(&self) -> StatusCode {
        StatusCode::REQUEST_TIMEOUT
    }
}

impl ResponseError for BodyBroken {
    fn status(&self) -> StatusCode {
        StatusCode::BAD_REQUEST
    }
}

impl ResponseError for TooManyBodies {
    fn status(&self) -> StatusCode {
        StatusCode::SERVICE_UNAVAILABLE
    }
}

/// Reads bodies within their limits. Each has an allowance of [`BodyLimits::max_bytes_at_once`] of its own.
pub struct ReadBody {
    limits: BodyLimits,
    at_once: Arc<Semaphore>,
}

impl ReadBody {
    #[must_use]
    pub fn new(limits: BodyLimits) -> Self {
        Self {
            at_once: Arc::new(Semaphore::new(
                limits.max_bytes_at_once.min(Semaphore::MAX_PERMITS),
            )),
            limits,
        }
    }
}

impl ReadBody {
    /// Replaces the request's body with the same bytes in memory; the permit stands for them.
    pub async fn read(&self, request: &mut Request) -> Result<Option<OwnedSemaphorePermit>> {
        let body = request.take_body();
        if body.is_empty() {
            return Ok(None);
        }
        let limit = (self.limits.max_bytes)(request.uri().path());
        let declared = request
            .header(header::CONTENT_LENGTH)
            .and_then(|length| length.parse::<u64>().ok());
        // Such a client asks before it sends, so there will be nothing to throw away.
        let asks_first = request.header(header::EXPECT).is_some();
        let mut pieces = body.into_bytes_stream().boxed();
        if declared.is_some_and(|length| length > limit as u64) {
            if !asks_first {
                tokio::spawn(discard(pieces));
            }
            return Err(BodyTooLarge { limit }.into());
        }

        let start = Instant::now();
        let mut bytes = BytesMut::new();
        let mut room: Option<OwnedSemaphorePermit> = None;
        loop {
            let deadline = self.limits.deadline(start, bytes.len());
            let Ok(next) = tokio::time::timeout_at(deadline, pieces.try_next()).await else {
                return Err(BodyTooSlow.into());
            };
            let Some(piece) = next.map_err(|_| BodyBroken)? else {
                break;
            };
            if bytes.len() + piece.len() > limit {
                tokio::spawn(discard(pieces));
                return Err(BodyTooLarge { limit }.into());
            }
            match (&mut room, self.room_for(piece.len())?) {
                (Some(room), more) => room.merge(more),
                (room, more) => *room = Some(more),
            }
            bytes.extend_from_slice(&piece);
        }
        request.set_body(Body::from_bytes(bytes.freeze()));
        Ok(room)
    }

    fn room_for(&self, bytes: usize) -> Result<OwnedSemaphorePermit, TooManyBodies> {
        let bytes = u32::try_from(bytes).map_err(|_| TooManyBodies)?;
        Arc::clone(&self.at_once)
            .try_acquire_many_owned(bytes)
            .map_err(|_| TooManyBodies)
    }
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
