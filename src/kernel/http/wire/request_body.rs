//! Reading a request's body.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use poem::Request;

use crate::kernel::http::problem::Refusal;

/// Reads the body of the request that it is an extension of. A request without it has no body.
pub trait ReadBody: Send + Sync {
    /// Returns the whole body, if it has at most this many bytes. A body can be read once.
    fn read(&self, largest: usize) -> BoxFuture<'_, Result<Bytes, Refusal>>;
}

/// Reads a request's body when its operation asks for it.
pub async fn read_body(request: &Request, largest: usize) -> Result<Bytes, Refusal> {
    match request.data::<Arc<dyn ReadBody>>() {
        Some(body) => body.read(largest).await,
        None => Ok(Bytes::new()),
    }
}
