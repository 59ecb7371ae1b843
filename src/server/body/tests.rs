//! Invalid bodies of every kind. Time is paused: tokio skips to the next deadline when all tasks wait.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream;
use poem::http::StatusCode;
use poem::{EndpointExt as _, endpoint::make};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::identity::api::ClientNetworks;
use crate::server::listener;
use crate::server::memory::{MemoryBudget, Payer};

const LIMIT: usize = 10;

/// The account that bodies are charged to in these tests.
fn charge() -> Result<Charge, Refusal> {
    Ok(MemoryBudget::default().open(&stranger()))
}

fn stranger() -> Payer {
    Payer::Stranger(ClientNetworks::of([192, 0, 2, 1].into(), false))
}

/// Sends a body to an operation that takes [`LIMIT`] bytes.
async fn sent(length: Option<&str>, body: Body) -> Result<Bytes, Refusal> {
    let mut request = Request::builder().body(body);
    if let Some(length) = length {
        let length = length.parse().unwrap();
        request.headers_mut().insert(header::CONTENT_LENGTH, length);
    }
    read(&mut request, LIMIT).await
}

async fn read(request: &mut Request, limit: usize) -> Result<Bytes, Refusal> {
    match PendingBody::of(request, usize::MAX, charge)? {
        Some(body) => body.read(limit).await,
        None => Ok(Bytes::new()),
    }
}

/// An endless body of one byte per pause.
fn trickling(pause: Duration) -> Body {
    Body::from_bytes_stream(stream::unfold((), move |()| async move {
        tokio::time::sleep(pause).await;
        Some((Ok::<_, io::Error>(Bytes::from_static(b"x")), ()))
    }))
}

fn in_pieces(pieces: Vec<Result<&'static [u8], io::Error>>) -> Body {
    Body::from_bytes_stream(stream::iter(pieces))
}

#[tokio::test(start_paused = true)]
async fn a_body_within_its_limit_arrives_whole() {
    let body = in_pieces(vec![Ok(b"12345"), Ok(b""), Ok(b"67890")]);

    assert_eq!(sent(None, body).await.unwrap(), "1234567890");
    assert_eq!(sent(None, Body::empty()).await.unwrap(), "");
}

#[tokio::test(start_paused = true)]
async fn a_declared_length_over_the_limit_is_refused_before_anything_comes() {
    let start = Instant::now();

    for length in ["11", "18446744073709551615"] {
        let refused = sent(Some(length), trickling(Duration::from_secs(1)))
            .await
            .unwrap_err();

        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_passes_its_limit_is_refused_although_it_declared_less() {
    let body = in_pieces(vec![Ok(b"123456"), Ok(b"78901")]);

    let refused = sent(Some("3"), body).await.unwrap_err();

    assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_trickles_is_given_up_at_the_head_start() {
    let start = Instant::now();

    let refused = sent(None, trickling(Duration::from_millis(1001)))
        .await
        .unwrap_err();

    assert!(refused.detail().contains("in time"), "{refused}");
    assert_eq!(start.elapsed(), BodyLimits::default().head_start);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_stops_coming_is_given_up_although_it_was_fast() {
    let start = Instant::now();
    let fast = stream::iter(Some(Ok(Bytes::from(vec![b'x'; 30_000]))));
    let body = Body::from_bytes_stream(fast.chain(stream::pending::<io::Result<Bytes>>()));
    let mut request = Request::builder().body(body);

    let refused = read(&mut request, 40_000).await.unwrap_err();

    assert!(refused.detail().contains("in time"), "{refused}");
    assert_eq!(start.elapsed(), BodyLimits::default().head_start);
}

#[tokio::test]
async fn the_pace_counts_on_average_and_the_total_is_the_end() {
    let limits = BodyLimits::default();
    let start = Instant::now();
    for (received, seconds) in [(0, 10), (511, 10), (512, 11), (5120, 20), (51_200, 60)] {
        let deadline = limits.deadline(start, received);

        assert_eq!(deadline - start, Duration::from_secs(seconds), "{received}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_broken_body_never_reaches_the_handler() {
    let body = in_pieces(vec![Ok(b"123"), Err(io::ErrorKind::ConnectionReset.into())]);

    let refused = sent(Some("9"), body).await.unwrap_err();

    assert!(refused.detail().contains("whole"), "{refused}");
}

#[tokio::test]
async fn all_bodies_of_one_sender_have_a_limit_until_they_are_handled() {
    let budget = MemoryBudget::default();
    let send = async || {
        let mut request = Request::builder().body(vec![b'x'; 200 * 1024]);
        let body = PendingBody::of(&mut request, usize::MAX, || Ok(budget.open(&stranger())))
            .unwrap()
            .unwrap();
        body.read(1024 * 1024).await.map(|_| body)
    };

    let first = send().await.unwrap();

    let refused = send().await.err().unwrap();
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    drop(first);
    assert!(send().await.is_ok());
}

#[tokio::test]
async fn a_sender_without_a_credential_has_a_limit_of_its_own() {
    let mut request = Request::builder().body("12345");
    let body = PendingBody::of(&mut request, 4, charge).unwrap().unwrap();

    let refused = body.read(LIMIT).await.unwrap_err();

    assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

/// A client that reads nothing before it has sent everything, like most clients.
#[tokio::test]
async fn ten_megabytes_get_their_refusal_over_a_real_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let endpoint = make(|mut request| async move {
        read(&mut request, LIMIT).await?;
        Ok::<_, poem::Error>("handled")
    });
    let shutdown = CancellationToken::new();
    tokio::spawn(listener::serve(
        vec![listener::BoundListener::new(listener, None)],
        Arc::new(endpoint.map_to_response().boxed()),
        listener::ConnectionLimits::default(),
        shutdown.clone(),
        Duration::ZERO,
    ));
    for framing in [
        "Content-Length: 10485760\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\na00000\r\n",
    ] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!("POST / HTTP/1.1\r\nHost: porch\r\nConnection: close\r\n{framing}");

        stream.write_all(head.as_bytes()).await.unwrap();
        stream
            .write_all(&vec![b'x'; 10 * 1024 * 1024])
            .await
            .unwrap();
        stream.write_all(b"\r\n0\r\n\r\n").await.ok();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();

        assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
        assert!(answer.contains("is larger than"), "{answer}");
    }
    shutdown.cancel();
}
