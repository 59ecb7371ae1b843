//! An upstream on 127.0.0.1 that records each request and answers as the test says: by a function, or step by step.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

pub const JSON: &str = "application/json";
pub const EVENTS: &str = "text/event-stream";
pub const LINES: &str = "application/x-ndjson";

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Received {
    pub method: String,
    pub path: String,
    /// In order, with the names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Received {
    /// The header's value, or an empty string.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }
}

/// What an upstream sends to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    framing: Framing,
    pieces: Vec<Vec<u8>>,
    end: End,
}

#[derive(Clone, Copy, Debug)]
enum Framing {
    /// Each piece is a chunk.
    Chunked,
    /// `Content-Length` with this value.
    Length(usize),
    /// The pieces are all that is sent, without a head.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The connection can be used again.
    Complete,
    /// The connection closes after the last piece.
    BreaksOff,
    /// Nothing more is sent until the client leaves.
    Hangs,
}

impl Answer {
    /// A stream, with each piece in a chunk of its own.
    pub fn stream(content_type: &str, pieces: Vec<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type".to_owned(), content_type.to_owned())],
            framing: Framing::Chunked,
            pieces,
            end: End::Complete,
        }
    }

    pub fn whole(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self {
            framing: Framing::Length(body.len()),
            ..Self::stream(content_type, vec![body])
        }
    }

    pub fn json(body: &Value) -> Self {
        Self::whole(JSON, body.to_string())
    }

    /// Bytes that need not be HTTP; then the connection closes.
    pub fn bytes(bytes: &[u8]) -> Self {
        Self {
            framing: Framing::None,
            end: End::BreaksOff,
            ..Self::stream("", vec![bytes.to_vec()])
        }
    }

    /// Nothing, not even a head.
    pub fn silence() -> Self {
        Self::bytes(b"").hanging()
    }

    pub fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Claims a length that need not be the true one.
    pub fn claiming(self, length: usize) -> Self {
        Self {
            framing: Framing::Length(length),
            ..self
        }
    }

    pub fn breaking_off(self) -> Self {
        Self {
            end: End::BreaksOff,
            ..self
        }
    }

    pub fn hanging(self) -> Self {
        Self {
            end: End::Hangs,
            ..self
        }
    }

    /// All bytes of the body.
    pub fn body(&self) -> Vec<u8> {
        self.pieces.concat()
    }
}

/// An answer to a request without a stream.
pub fn completion(text: &str) -> Value {
    let message = json!({"role": "assistant", "content": text});
    json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "family-model",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}})
}

/// One event of a stream.
pub fn event(delta: &Value, finish: Option<&str>) -> Vec<u8> {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    let chunk = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [choice]});
    format!("data: {chunk}\n\n").into_bytes()
}

/// The events of a complete answer, one for each word.
pub fn events(text: &str) -> Vec<Vec<u8>> {
    let words = text.split_inclusive(' ').map(word);
    let end = [event(&json!({}), Some("stop")), DONE.to_vec()];
    words.chain(end).collect()
}

/// The event of one word.
pub fn word(text: &str) -> Vec<u8> {
    event(&json!({"content": text}), None)
}

pub const DONE: &[u8] = b"data: [DONE]\n\n";

/// One line of Ollama's stream.
pub fn line(text: &str, is_last: bool) -> Vec<u8> {
    let message = json!({"role": "assistant", "content": text});
    let mut line = json!({"model": "family-model", "message": message, "done": is_last});
    if is_last {
        line["done_reason"] = json!("stop");
    }
    format!("{line}\n").into_bytes()
}

/// The lines of a complete answer, one for each word.
pub fn lines(text: &str) -> Vec<Vec<u8>> {
    let words = text.split_inclusive(' ').map(|word| line(word, false));
    words.chain([line("", true)]).collect()
}

type Respond = dyn Fn(&Received) -> Answer + Send + Sync;

/// The upstream. It stops when dropped.
pub struct Upstream {
    address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    exchanges: tokio::sync::Mutex<mpsc::UnboundedReceiver<Exchange>>,
    _server: AbortOnDropHandle<()>,
}

impl Upstream {
    /// Answers each request as the function says.
    pub async fn answering(respond: impl Fn(&Received) -> Answer + Send + Sync + 'static) -> Self {
        Self::start(Some(Arc::new(respond))).await
    }

    /// Answers each request in the same way.
    pub async fn always(answer: Answer) -> Self {
        Self::answering(move |_| answer.clone()).await
    }

    /// Answers nothing by itself: the test takes each request from [`Upstream::next`].
    pub async fn step_by_step() -> Self {
        Self::start(None).await
    }

    async fn start(respond: Option<Arc<Respond>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let received = Arc::<Mutex<Vec<Received>>>::default();
        let (sender, exchanges) = mpsc::unbounded_channel();
        let requests = received.clone();
        let server = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                // Without it, small pieces would be joined on their way.
                stream.set_nodelay(true).unwrap();
                let (requests, respond, sender) =
                    (requests.clone(), respond.clone(), sender.clone());
                connections.spawn(serve(stream, requests, respond, sender));
            }
        });
        Self {
            address,
            received,
            exchanges: tokio::sync::Mutex::new(exchanges),
            _server: AbortOnDropHandle::new(server),
        }
    }

    /// The address without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.received.lock().unwrap().len()
    }

    /// Waits for the next request.
    pub async fn next(&self) -> Exchange {
        let next = self.exchanges.lock().await.recv().await;
        next.expect("the upstream answers step by step")
    }
}

async fn serve(
    mut stream: TcpStream,
    requests: Arc<Mutex<Vec<Received>>>,
    respond: Option<Arc<Respond>>,
    exchanges: mpsc::UnboundedSender<Exchange>,
) {
    while let Some(received) = read(&mut stream).await {
        requests.lock().unwrap().push(received.clone());
        let mut exchange = Exchange { received, stream };
        let Some(respond) = &respond else {
            let _ = exchanges.send(exchange);
            return;
        };
        let answer = respond(&exchange.received);
        if !exchange.write(&answer).await {
            return;
        }
        stream = exchange.stream;
    }
}

/// Reads a request; `None` if the connection ends before it is complete.
async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let body = bytes.split_off(end + 4);
    let head = String::from_utf8(bytes).unwrap();
    let mut head_lines = head.lines();
    let mut first = head_lines.next()?.split(' ');
    let mut received = Received {
        method: first.next()?.to_owned(),
        path: first.next()?.to_owned(),
        headers: head_lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect(),
        body,
    };
    assert_eq!(received.header("transfer-encoding"), "");
    let length = received.header("content-length").parse().unwrap_or(0);
    while received.body.len() < length {
        if stream.read_buf(&mut received.body).await.ok()? == 0 {
            return None;
        }
    }
    Some(received)
}

/// A request that awaits its answer. The connection closes when this is dropped.
pub struct Exchange {
    pub received: Received,
    stream: TcpStream,
}

impl Exchange {
    /// Sends a whole answer, and waits for what its end says.
    pub async fn answer(mut self, answer: &Answer) {
        self.write(&answer.clone().header("connection", "close"))
            .await;
    }

    /// Sends the head of a stream.
    pub async fn begin(&mut self, content_type: &str) {
        let answer = Answer::stream(content_type, Vec::new()).header("connection", "close");
        self.send(head_of(&answer).as_bytes()).await;
    }

    /// Sends a piece of a stream, as one chunk.
    pub async fn piece(&mut self, piece: &[u8]) {
        self.send(&chunk(piece)).await;
    }

    /// Ends a stream.
    pub async fn end(mut self) {
        self.send(b"0\r\n\r\n").await;
    }

    /// Waits until the client has closed the connection.
    pub async fn closed(mut self) {
        let mut byte = [0];
        // An error is a closed connection, too.
        let read = self.stream.read(&mut byte).await.unwrap_or(0);
        assert_eq!(read, 0, "a request is sent before the last is answered");
    }

    /// Sends bytes. Returns whether the client was still there.
    async fn send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).await.is_ok()
    }

    /// Sends an answer. Returns whether the connection can be used again.
    async fn write(&mut self, answer: &Answer) -> bool {
        if !self.send(head_of(answer).as_bytes()).await {
            return false;
        }
        for piece in &answer.pieces {
            let sent = match answer.framing {
                Framing::Chunked => self.send(&chunk(piece)).await,
                Framing::Length(_) | Framing::None => self.send(piece).await,
            };
            if !sent {
                return false;
            }
        }
        match answer.end {
            End::Complete if matches!(answer.framing, Framing::Chunked) => {
                self.send(b"0\r\n\r\n").await
            }
            End::Complete => true,
            End::BreaksOff => false,
            End::Hangs => {
                let _ = self.stream.read(&mut [0]).await;
                false
            }
        }
    }
}

fn head_of(answer: &Answer) -> String {
    let framing = match answer.framing {
        Framing::Chunked => "transfer-encoding: chunked".to_owned(),
        Framing::Length(length) => format!("content-length: {length}"),
        Framing::None => return String::new(),
    };
    let headers = answer.headers.iter();
    let headers = headers.map(|(name, value)| format!("{name}: {value}\r\n"));
    let headers = headers.collect::<String>();
    format!("HTTP/1.1 {} -\r\n{headers}{framing}\r\n\r\n", answer.status)
}

fn chunk(piece: &[u8]) -> Vec<u8> {
    let head = format!("{:x}\r\n", piece.len());
    [head.as_bytes(), piece, b"\r\n"].concat()
}

/// What [`speak`] says.
pub const HELLO: &str = "Hello, Mia! How was your day?";

/// Answers correctly in both APIs, OpenAI's and Ollama's.
pub fn speak(request: &Received) -> Answer {
    let path = request.path.as_str();
    let is_streamed = |default| request.json()["stream"].as_bool().unwrap_or(default);
    match path.strip_prefix("/v1").unwrap_or(path) {
        "/models" => Answer::json(&json!({"object": "list", "data": [
            {"id": "family-model", "object": "model", "owned_by": "us"},
            {"id": "x@large", "object": "model", "owned_by": "us"},
        ]})),
        "/chat/completions" if is_streamed(false) => Answer::stream(EVENTS, events(HELLO)),
        "/chat/completions" => Answer::json(&completion(HELLO)),
        "/api/chat" if is_streamed(true) => Answer::stream(LINES, lines(HELLO)),
        "/api/chat" => Answer::whole(JSON, line(HELLO, true)),
        "/api/tags" => Answer::json(&json!({"models": [
            {"name": "family-model", "model": "family-model", "size": 1},
        ]})),
        "/api/version" => Answer::json(&json!({"version": "0.12.6"})),
        "/api/show" => Answer::json(&json!({"capabilities": ["completion"]})),
        _ => Answer::json(&json!({"error": {"message": "There is no such path."}})).status(404),
    }
}
