//! The listener over real connections. Deadlines are short where a test waits for one to pass, and
//! far away everywhere else.

mod closing;
mod deadlines;
mod tls;

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicUsize, Ordering},
};

use bytes::Bytes;
use futures_util::stream;
use poem::{Body, EndpointExt as _, IntoResponse as _, Request};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    sync::Notify,
    task::JoinHandle,
};

use super::*;
use crate::server::envelope::bound_share;

const FAR: Duration = Duration::from_secs(60);
const SOON: Duration = Duration::from_millis(60);
const HELLO: &[u8] = b"GET / HTTP/1.1\r\nHost: porch\r\n\r\n";
/// The size of `/held`, in bytes: more than the kernel buffers of a connection.
const LARGE: usize = 32 * 1024 * 1024;
const WAIT: &[u8] = b"GET /wait HTTP/1.1\r\nHost: porch\r\n\r\n";

fn patient() -> ConnectionLimits {
    ConnectionLimits {
        first_byte: FAR,
        handshake: FAR,
        head: FAR,
        idle: FAR,
        write_stall: FAR,
        ..ConnectionLimits::default()
    }
}

/// A running server whose handlers can be monitored and released.
struct Porch {
    address: SocketAddr,
    /// Notified when a handler of `/wait` or `/endless` has begun.
    began: Arc<Notify>,
    /// Lets one handler of `/wait` finish.
    release: Arc<Notify>,
    /// The number of bodies of `/endless` that are alive.
    endless: Arc<AtomicUsize>,
    /// The number of responses of `/held` for which something is held.
    held: Arc<AtomicUsize>,
    shutdown: CancellationToken,
    served: JoinHandle<()>,
}

impl Porch {
    async fn open(limits: ConnectionLimits) -> Self {
        Self::open_with(limits, None, FAR).await
    }

    async fn open_with(
        limits: ConnectionLimits,
        tls: Option<Arc<TlsReloader>>,
        grace: Duration,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (began, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let endless = Arc::new(AtomicUsize::new(0));
        let held = Arc::new(AtomicUsize::new(0));
        let shutdown = CancellationToken::new();
        let endpoint = {
            let (began, release) = (Arc::clone(&began), Arc::clone(&release));
            let (endless, held) = (Arc::clone(&endless), Arc::clone(&held));
            poem::endpoint::make(move |request: Request| {
                let (began, release) = (Arc::clone(&began), Arc::clone(&release));
                let (endless, held) = (Arc::clone(&endless), Arc::clone(&held));
                async move {
                    if let Err(refusal) = bound_share(&request) {
                        return refusal.into_response();
                    }
                    match request.uri().path() {
                        "/wait" => {
                            began.notify_one();
                            release.notified().await;
                            "waited".into_response()
                        }
                        "/held" => {
                            let mut response = vec![b'x'; LARGE].into_response();
                            let alive = Held::new(Alive::among(held));
                            response.extensions_mut().insert(alive);
                            response
                        }
                        "/endless" => {
                            let body = endless_body(endless);
                            began.notify_one();
                            body.into_response()
                        }
                        _ => format!("{} {}", request.scheme(), request.remote_addr())
                            .into_response(),
                    }
                }
            })
        };
        let served = tokio::spawn(serve(
            vec![BoundListener::new(listener, tls)],
            Arc::new(endpoint.map_to_response().boxed()),
            limits,
            shutdown.clone(),
            grace,
        ));
        Self {
            address,
            began,
            release,
            endless,
            held,
            shutdown,
            served,
        }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    async fn connect_from(&self, address: [u8; 4]) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((address, 0).into()).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    /// A connection whose request is being handled.
    async fn waiting_request(&self) -> TcpStream {
        let mut stream = self.connect().await;
        stream.write_all(WAIT).await.unwrap();
        self.began.notified().await;
        stream
    }
}

/// Counts its living instances.
struct Alive(Arc<AtomicUsize>);

impl Alive {
    fn among(living: Arc<AtomicUsize>) -> Self {
        living.fetch_add(1, Ordering::SeqCst);
        Self(living)
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Alive while somebody may still read from it.
fn endless_body(living: Arc<AtomicUsize>) -> Body {
    Body::from_bytes_stream(stream::unfold(Alive::among(living), |alive| async {
        Some((
            Ok::<_, io::Error>(Bytes::from_static(&[b'x'; 65536])),
            alive,
        ))
    }))
}

/// Sends one request and reads its response, which ends with "127.0.0.1:port" or "waited".
async fn ask<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, request: &[u8]) -> String {
    stream.write_all(request).await.unwrap();
    answer(stream).await
}

async fn answer<S: AsyncRead + Unpin>(stream: &mut S) -> String {
    let mut heard = String::new();
    loop {
        let mut buffer = [0; 1024];
        let count = stream.read(&mut buffer).await.unwrap();
        assert_ne!(count, 0, "closed after {heard:?}");
        heard.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        let Some((head, body)) = heard.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head.split("content-length: ").nth(1).unwrap();
        let length: usize = length.split("\r\n").next().unwrap().parse().unwrap();
        if body.len() >= length {
            return heard;
        }
    }
}

/// Waits until the server closes the connection, and returns what it sent before.
async fn until_closed<S: AsyncRead + Unpin>(stream: &mut S) -> String {
    let mut received = Vec::new();
    // A reset closes the connection, too.
    let _ = tokio::time::timeout(FAR, stream.read_to_end(&mut received))
        .await
        .expect("it was never closed");
    String::from_utf8(received).unwrap()
}

#[tokio::test]
async fn requests_are_answered_on_one_connection_and_the_peer_is_known() {
    let porch = Porch::open(patient()).await;
    let mut stream = porch.connect().await;
    let expected = format!("http socket://{}", stream.local_addr().unwrap());

    for _ in 0..3 {
        let answer = ask(&mut stream, HELLO).await;

        assert!(answer.ends_with(&expected), "{answer}");
    }
}

#[tokio::test]
async fn a_head_that_cannot_be_read_is_refused_without_a_body() {
    let porch = Porch::open(patient()).await;
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(101));
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(70_000));
    let cases = [
        ("hello\r\n\r\n", "400 Bad Request"),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "400 Bad Request"),
        ("GET / HTTP/9.9\r\n\r\n", "400 Bad Request"),
        (
            "POST / HTTP/1.1\r\ncontent-length: many\r\n\r\n",
            "400 Bad Request",
        ),
        (&many, "431 Request Header Fields Too Large"),
        (&long, "431 Request Header Fields Too Large"),
    ];

    for (request, status) in cases {
        let mut stream = porch.connect().await;
        // The response may come before all of a long head is sent.
        let _ = stream.write_all(request.as_bytes()).await;
        let answer = until_closed(&mut stream).await;

        let (head, body) = answer.split_once("\r\n\r\n").expect(&answer);
        assert!(
            head.starts_with(&format!("HTTP/1.1 {status}\r\n")),
            "{head}"
        );
        assert!(head.contains("connection: close"), "{head}");
        assert_eq!(body, "");
    }
}

#[tokio::test]
async fn a_head_that_cannot_be_read_is_refused_behind_requests_that_can() {
    let porch = Porch::open(patient()).await;
    let mut stream = porch.connect().await;
    ask(&mut stream, HELLO).await;

    let pipelined = [HELLO, HELLO, b"hello\r\n\r\n"].concat();
    stream.write_all(&pipelined).await.unwrap();
    let answers = until_closed(&mut stream).await;

    assert_eq!(
        answers.matches("HTTP/1.1 200 OK\r\n").count(),
        2,
        "{answers}"
    );
    assert!(answers.contains("HTTP/1.1 400 Bad Request"), "{answers}");
}

#[tokio::test]
async fn what_is_held_for_a_response_is_held_until_its_data_is_gone() {
    let porch = Porch::open(patient()).await;
    let mut stream = porch.connect().await;
    let request = b"GET /held HTTP/1.1\r\nHost: porch\r\n\r\n";
    stream.write_all(request).await.unwrap();

    stream.read_u8().await.unwrap();
    assert_eq!(porch.held.load(Ordering::SeqCst), 1);

    let mut body = (&mut stream).take(LARGE as u64);
    tokio::io::copy(&mut body, &mut tokio::io::sink())
        .await
        .unwrap();
    // A second request is read once the first response was sent. The rest of that one stands before its response.
    ask(&mut stream, HELLO).await;
    assert_eq!(porch.held.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn one_address_gets_its_share_and_others_theirs() {
    let porch = Porch::open(ConnectionLimits {
        max_per_address: 2,
        ..patient()
    })
    .await;
    let mut busy = Vec::new();
    for _ in 0..2 {
        let mut stream = porch.connect_from([127, 0, 0, 2]).await;
        stream.write_all(WAIT).await.unwrap();
        porch.began.notified().await;
        busy.push(stream);
    }

    let mut third = porch.connect_from([127, 0, 0, 2]).await;

    assert_eq!(until_closed(&mut third).await, "");
    let mut parent = porch.connect_from([127, 0, 0, 3]).await;
    assert!(ask(&mut parent, HELLO).await.contains("127.0.0.3"));
}

#[tokio::test]
async fn sixty_four_idle_connections_keep_nobody_at_their_address_out() {
    let porch = Porch::open(patient()).await;
    let mut idle = Vec::new();
    for _ in 0..64 {
        let mut stream = porch.connect().await;
        ask(&mut stream, HELLO).await;
        idle.push(stream);
    }

    let mut newcomer = porch.connect().await;
    ask(&mut newcomer, HELLO).await;

    assert_eq!(until_closed(&mut idle[0]).await, "");
    for stream in &mut idle[1..] {
        ask(stream, HELLO).await;
    }
}

#[tokio::test]
async fn in_a_full_house_an_idle_connection_makes_room_but_a_busy_one_does_not() {
    let porch = Porch::open(ConnectionLimits {
        max_connections: 2,
        ..patient()
    })
    .await;
    let mut busy = porch.waiting_request().await;
    let mut idle = porch.connect().await;
    ask(&mut idle, HELLO).await;

    let mut newcomer = porch.waiting_request().await;

    assert_eq!(until_closed(&mut idle).await, "");
    let mut refused = porch.connect().await;
    assert_eq!(until_closed(&mut refused).await, "");
    porch.release.notify_one();
    assert!(answer(&mut busy).await.ends_with("waited"));
    porch.release.notify_one();
    assert!(answer(&mut newcomer).await.ends_with("waited"));
}

#[tokio::test]
async fn through_a_proxy_each_client_gets_a_share_of_requests() {
    let porch = Porch::open(ConnectionLimits {
        max_per_address: 2,
        is_proxy: Arc::new(|address| address == IpAddr::from([127, 0, 0, 2])),
        client: Arc::new(|peer, headers| {
            let client = headers.get("x-client").and_then(|it| it.to_str().ok());
            client.map_or(peer, |client| client.parse().unwrap())
        }),
        ..patient()
    })
    .await;
    let ask_for = |client: &'static str| {
        let head = format!("GET /wait HTTP/1.1\r\nHost: porch\r\nX-Client: {client}\r\n\r\n");
        let porch = &porch;
        async move {
            let mut stream = porch.connect_from([127, 0, 0, 2]).await;
            stream.write_all(head.as_bytes()).await.unwrap();
            stream
        }
    };
    let mut busy = Vec::new();
    for _ in 0..2 {
        busy.push(ask_for("192.0.2.1").await);
        porch.began.notified().await;
    }

    let refused = answer(&mut ask_for("192.0.2.1").await).await;

    assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
    assert!(refused.contains("retry-after: 5"), "{refused}");
    let _other = ask_for("192.0.2.2").await;
    porch.began.notified().await;
    porch.release.notify_one();
    assert!(answer(&mut busy[0]).await.ends_with("waited"));
    let _further = ask_for("192.0.2.1").await;
    porch.began.notified().await;
}

#[test]
fn connections_leave_room_for_other_files() {
    for (open_files, max_connections) in [(1024, 896), (u64::MAX, 4096), (64, 16)] {
        let limits = ConnectionLimits::default().within_open_files(open_files);

        assert_eq!(limits.max_connections, max_connections, "{open_files}");
    }
}
