//! The gateway's responses.

use std::io;

use bytes::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::kernel::http::problem::JSON;

/// A response's body.
#[derive(Debug)]
pub enum GatewayBody {
    Whole(Bytes),
    /// Pieces as they come from the upstream.
    Pieces(mpsc::Receiver<io::Result<Bytes>>),
}

pub type GatewayResponse = Response<GatewayBody>;

pub fn whole(
    status: StatusCode,
    content_type: &'static str,
    body: impl Into<Bytes>,
) -> GatewayResponse {
    let mut response = Response::new(GatewayBody::Whole(body.into()));
    *response.status_mut() = status;
    let content_type = HeaderValue::from_static(content_type);
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    response
}

pub fn json(status: StatusCode, value: &Value) -> GatewayResponse {
    whole(status, JSON, value.to_string())
}
