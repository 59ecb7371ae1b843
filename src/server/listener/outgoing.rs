//! The data of a response, from its body until the connection has sent it.
//!
//! A body that was read to its end may still be in memory, because the peer doesn't read and hyper buffers it. So the
//! data itself keeps what is [`Held`] for the response.

use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Frame, SizeHint};
use poem::Response;

use super::activity::InFlight;
use super::admission::ProxiedRequest;

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
    }
}

/// A response's body. Its request counts as in flight until the body is dropped.
pub(super) struct Outgoing<B> {
    body: B,
    held: Option<Held>,
    _in_flight: (InFlight, Option<ProxiedRequest>),
}

impl<B> Outgoing<B> {
    pub(super) fn new(
        body: B,
        held: Option<Held>,
        in_flight: (InFlight, Option<ProxiedRequest>),
    ) -> Self {
        Self {
            body,
            held,
            _in_flight: in_flight,
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
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        frame.map_ok(|frame| {
            frame.map_data(|bytes| Piece {
                bytes,
                _held: self.held.clone(),
            })
        })
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
