//! Request bodies, each read completely before its handler runs.
//!
//! poem reads bodies without a limit of size or time. [`ReadBody`] reads them first, so that handlers only
//! receive complete ones within the limits. A declared length over the limit is refused before anything is read; a
//! body without a declared length is refused when it exceeds the limit; a body that arrives too slowly is refused, too. Each
//! byte that is read counts against its sender's memory budget ([`super::memory`]).
//! The refusals are typed errors with a status, which [`super::envelope`] converts to the API's format.

use std::{io, time::Duration};

use bytes::BytesMut;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use poem::{
    Body, Request, Result,
    error::ResponseError,
    http::{StatusCode, header},
};
use tokio::time::Instant;

use super::memory::Charge;

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

/// The body is larger than its path accepts, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("What was sent is too large: at most {limit} bytes are taken here.")]
pub struct BodyTooLarge {
    pub limit: usize,
}

/// The body arrived too slowly, or never ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("What was sent came too slowly. Please try again.")]
pub struct BodyTooSlow;

/// The connection broke, or the body didn't match its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("What was sent arrived incomplete. Please try again.")]
pub struct BodyBroken;

/// The caller's memory budget is used up at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Porchlight is very busy right now. Please try again in a moment.")]
pub struct TooManyBytes;

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

impl ResponseError for TooManyBytes {
    fn status(&self) -> StatusCode {
        StatusCode::SERVICE_UNAVAILABLE
    }
}

#[derive(Default)]
pub struct ReadBody {
    limits: BodyLimits,
}

impl ReadBody {
    /// Replaces the request's body, of at most `limit` bytes, with the same bytes in memory, which `charge` accounts for.
    pub async fn read(
        &self,
        request: &mut Request,
        limit: usize,
        mut charge: Charge,
    ) -> Result<Charge> {
        let body = request.take_body();
        let declared = request
            .header(header::CONTENT_LENGTH)
            .and_then(|length| length.parse::<u64>().ok());
        // Such a client waits for `100 Continue` before it sends, so there will be nothing to discard.
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
        loop {
            let silence = Instant::now() + self.limits.head_start;
            let deadline = self.limits.deadline(start, bytes.len()).min(silence);
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
            charge.add(piece.len()).map_err(|_| TooManyBytes)?;
            bytes.extend_from_slice(&piece);
        }
        request.set_body(Body::from_bytes(bytes.freeze()));
        Ok(charge)
    }

    /// Discards the body of a request that is refused without it.
    pub fn discard(&self, request: &mut Request) {
        let body = request.take_body();
        if request.header(header::EXPECT).is_none() {
            tokio::spawn(discard(body.into_bytes_stream().boxed()));
        }
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
