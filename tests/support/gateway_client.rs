//! A program that uses the gateway: each request has a connection of its own, which closes when the test drops the response.

use std::net::SocketAddr;

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::{HeaderMap, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_util::task::AbortOnDropHandle;

#[derive(Clone)]
pub struct GatewayClient {
    pub server: SocketAddr,
    /// The `Host` header.
    pub host: String,
    /// The `Authorization` header is left out if it is empty.
    pub key: String,
}

/// A response whose body is not read yet.
pub struct Open {
    pub status: StatusCode,
    pub headers: HeaderMap,
    body: Incoming,
    _connection: AbortOnDropHandle<()>,
}

/// A response with its body.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
    /// Whether the connection closed before the end of the body.
    pub is_cut: bool,
}

impl GatewayClient {
    /// The same program with another key.
    pub fn with_key(&self, key: &str) -> Self {
        Self {
            key: key.to_owned(),
            ..self.clone()
        }
    }

    /// Sends a request. Returns when the head of the response is there.
    pub async fn open(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Open {
        let opened = self.try_open(method, path, headers, body).await;
        opened.expect("the server answers")
    }

    /// Like [`GatewayClient::open`]. Returns `None` if the server is gone.
    pub async fn try_open(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Option<Open> {
        let stream = TcpStream::connect(self.server).await.ok()?;
        let connected = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
        let (mut sender, connection) = connected.ok()?;
        let connection = tokio::spawn(async move {
            // The response tells of an error.
            let _ = connection.await;
        });
        let connection = AbortOnDropHandle::new(connection);
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", &self.host);
        if !self.key.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.key));
        }
        if !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(body.into())).unwrap();
        let (head, body) = sender.send_request(request).await.ok()?.into_parts();
        Some(Open {
            status: head.status,
            headers: head.headers,
            body,
            _connection: connection,
        })
    }

    pub async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Reply {
        self.open(method, path, headers, body).await.rest().await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], "").await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &[], body.to_string()).await
    }

    /// Sends a body to `/gateway/v1/chat/completions`.
    pub async fn chat(&self, body: &Value) -> Reply {
        self.post("/gateway/v1/chat/completions", body).await
    }

    /// Like [`GatewayClient::chat`], with more headers.
    pub async fn chat_with(&self, headers: &[(&str, &str)], body: &Value) -> Reply {
        let path = "/gateway/v1/chat/completions";
        self.send("POST", path, headers, body.to_string()).await
    }

    /// Sends a body to `/gateway/v1/chat/completions`. Returns when the head of the response is there.
    pub async fn open_chat(&self, body: &Value) -> Open {
        let path = "/gateway/v1/chat/completions";
        self.open("POST", path, &[], body.to_string()).await
    }
}

impl Open {
    /// Reads the body until it has these bytes at its end. Panics if it ends before.
    pub async fn until(&mut self, end: &[u8]) -> Vec<u8> {
        let mut read = Vec::new();
        while !read.ends_with(end) {
            let frame = self.body.frame().await.expect("the body goes on").unwrap();
            read.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
        }
        read
    }

    /// Reads the body to its end.
    pub async fn rest(mut self) -> Reply {
        let mut body = BytesMut::new();
        let is_cut = loop {
            match self.body.frame().await {
                None => break false,
                Some(Err(_)) => break true,
                Some(Ok(frame)) => {
                    body.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
                }
            }
        };
        Reply {
            status: self.status.as_u16(),
            headers: self.headers,
            body: body.freeze(),
            is_cut,
        }
    }
}

impl Reply {
    /// The header's value, or an empty string.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    pub fn text(&self) -> &str {
        str::from_utf8(&self.body).expect("the body is text")
    }

    /// Returns the JSON body. Panics unless the status is 200.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    /// Panics unless the status is 200 and the body is complete.
    #[track_caller]
    pub fn ok(&self) {
        assert_eq!((self.status, self.is_cut), (200, false), "{}", self.text());
    }

    /// Returns the code of an error in OpenAI's form. Panics unless this is the status.
    #[track_caller]
    pub fn openai_code(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let body = serde_json::from_slice::<Value>(&self.body).expect("the error is JSON");
        let error = &body["error"];
        for field in ["message", "type", "code"] {
            assert!(error[field].is_string(), "{field}: {body}");
        }
        error["code"].as_str().unwrap().to_owned()
    }

    /// Returns the sentence of an error in Ollama's form. Panics unless this is the status.
    #[track_caller]
    pub fn ollama_error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let body = serde_json::from_slice::<Value>(&self.body).expect("the error is JSON");
        body["error"].as_str().expect("a sentence").to_owned()
    }
}
