//! A request's body, and a response's.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, SizeHint};

/// Decides whether a body may be sent.
type Check = Box<dyn FnOnce() -> bool + Send>;

/// A request's body. It may have a check, which runs when there is a connection and the first byte is about to be written. If it
/// fails, nothing of the body is sent, and the connection is closed.
pub struct HttpsBody {
    bytes: Option<Bytes>,
    check: Option<Check>,
}

impl HttpsBody {
    /// The same body, to be sent again; `None` if it has a check.
    pub fn copy(&self) -> Option<Self> {
        self.check.is_none().then(|| Self {
            bytes: self.bytes.clone(),
            check: None,
        })
    }

    pub fn with_check(bytes: Bytes, check: impl FnOnce() -> bool + Send + 'static) -> Self {
        Self {
            bytes: Some(bytes),
            check: Some(Box::new(check)),
        }
    }
}

impl From<Bytes> for HttpsBody {
    fn from(bytes: Bytes) -> Self {
        Self {
            bytes: Some(bytes).filter(|bytes| !bytes.is_empty()),
            check: None,
        }
    }
}

impl Body for HttpsBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if self.check.take().is_some_and(|check| !check()) {
            self.bytes = None;
            return Poll::Ready(Some(Err(io::Error::other(
                "the body may no longer be sent",
            ))));
        }
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, Bytes::len) as u64)
    }
}

/// Reads a response's body; `None` if it has more bytes than this, or breaks off.
pub async fn read_body(body: impl Body<Data = Bytes>, largest: usize) -> Option<Bytes> {
    let mut read = Vec::new();
    let is_whole = read_beginning(body, &mut read, largest).await;
    is_whole.then(|| read.into())
}

/// Reads a response's body up to this number of bytes; returns whether that is all of it. If it is cancelled, `read` has what
/// arrived. Dropping the rest closes the connection.
pub async fn read_beginning(
    body: impl Body<Data = Bytes>,
    read: &mut Vec<u8>,
    largest: usize,
) -> bool {
    let mut body = pin!(body);
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            return false;
        };
        let data = frame.into_data().unwrap_or_default();
        let left = largest - read.len();
        read.extend_from_slice(&data[..data.len().min(left)]);
        if data.len() > left {
            return false;
        }
    }
    true
}
