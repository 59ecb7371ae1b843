//! Servers for tests: an HTTP server that answers by a function, an ACME authority on it, and a DNS provider.

mod authority;
mod records;

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub use authority::{Authority, Fault, problem};
pub use records::Records;

/// An answer.
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

impl From<(u16, String)> for Reply {
    fn from((status, body): (u16, String)) -> Self {
        let headers = Vec::new();
        Self {
            status,
            headers,
            body,
        }
    }
}

/// What a request is answered with; `None` leaves it without an answer for ever.
type Answering = dyn Fn(&str) -> Option<Reply> + Send + Sync;

/// Records what it is asked. It ends when it is dropped.
pub struct Server {
    port: u16,
    /// The method, path and body of each request, and its headers in lower case.
    seen: Arc<Mutex<Vec<(String, String)>>>,
    task: JoinHandle<()>,
}

impl Server {
    pub async fn start<R: Into<Reply>>(answer: impl Fn(&str) -> R + Send + Sync + 'static) -> Self {
        Self::start_with(|_| move |request: &str| Some(answer(request).into())).await
    }

    /// `make` is given the server's URL.
    pub async fn start_with<F>(make: impl FnOnce(String) -> F) -> Self
    where
        F: Fn(&str) -> Option<Reply> + Send + Sync + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let answer: Arc<Answering> = Arc::new(make(format!("http://127.0.0.1:{port}")));
        let seen = Arc::<Mutex<Vec<_>>>::default();
        let recorded = seen.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, answer.clone(), recorded.clone()));
            }
        });
        Self { port, seen, task }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn requests(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap();
        seen.iter().map(|(request, _)| request.clone()).collect()
    }

    pub fn heads(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap();
        seen.iter().map(|(_, head)| head.clone()).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    answer: Arc<Answering>,
    seen: Arc<Mutex<Vec<(String, String)>>>,
) {
    let mut read = Vec::new();
    let head = loop {
        let mut more = [0; 4096];
        match stream.read(&mut more).await {
            Ok(0) | Err(_) => return,
            Ok(length) => read.extend_from_slice(&more[..length]),
        }
        if let Some(end) = read.windows(4).position(|it| it == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let text = String::from_utf8_lossy(&read[..head]).into_owned();
    let lower = text.to_ascii_lowercase();
    let length = lower
        .lines()
        .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())
        .unwrap_or(0);
    while read.len() < head + length {
        let mut more = [0; 4096];
        match stream.read(&mut more).await {
            Ok(0) | Err(_) => return,
            Ok(length) => read.extend_from_slice(&more[..length]),
        }
    }
    let body = String::from_utf8_lossy(&read[head..]).into_owned();
    let line = text.lines().next().unwrap_or_default();
    let request = format!("{} {body}", line.trim_end_matches(" HTTP/1.1"));
    let request = request.trim_end().to_owned();
    seen.lock().unwrap().push((request.clone(), lower));
    let Some(reply) = answer(&request) else {
        return std::future::pending().await;
    };
    let headers = reply
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let written = format!(
        "HTTP/1.1 {} it\r\nconnection: close\r\n{}content-length: {}\r\n\r\n{}",
        reply.status,
        headers.collect::<String>(),
        reply.body.len(),
        if request.starts_with("HEAD") {
            ""
        } else {
            &reply.body
        },
    );
    let _ = stream.write_all(written.as_bytes()).await;
    let _ = stream.shutdown().await;
}
