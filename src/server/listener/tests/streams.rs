//! HTTP/2 streams whose data the peer doesn't read.

use h2::client::{Builder, SendRequest};
use h2::{Reason, RecvStream};

use super::tls::{Files, connect};
use super::*;
use crate::server::listener::tls::HTTP_2;

/// A client that reads as much of each stream as its window allows, and then nothing until the test says so.
struct Client {
    sender: SendRequest<Bytes>,
    _porch: Porch,
    _files: Files,
}

impl Client {
    async fn with_window(bytes: u32) -> Self {
        Self::with(bytes, SOON).await
    }

    async fn with(window: u32, write_stall: Duration) -> Self {
        let limits = ConnectionLimits {
            write_stall,
            ..patient()
        };
        Self::of(window, limits).await
    }

    async fn of(window: u32, limits: ConnectionLimits) -> Self {
        let (files, certificate) = Files::new();
        let tls = Arc::new(files.open().unwrap());
        let porch = Porch::open_with(limits, Some(tls), FAR).await;
        let stream = connect(&porch, &certificate, HTTP_2).await.unwrap();
        let mut builder = Builder::new();
        builder.initial_window_size(window);
        builder.initial_connection_window_size(1024 * 1024);
        let (sender, mut connection) = builder.handshake(stream).await.unwrap();
        let mut pings = connection.ping_pong().unwrap();
        tokio::spawn(connection);
        // It keeps sending pings.
        tokio::spawn(async move {
            while pings.ping(h2::Ping::opaque()).await.is_ok() {
                tokio::time::sleep(SOON / 4).await;
            }
        });
        Self {
            sender,
            _porch: porch,
            _files: files,
        }
    }

    async fn get(&mut self, path: &str) -> RecvStream {
        let uri = format!("https://localhost{path}");
        let request = poem::http::Request::get(uri).body(()).unwrap();
        let mut sender = self.sender.clone().ready().await.unwrap();
        let (response, _) = sender.send_request(request, true).unwrap();
        let response = response.await.unwrap();
        assert_eq!(response.status(), 200);
        response.into_body()
    }
}

/// Reads until the stream is reset; returns the number of bytes before.
async fn until_reset(mut body: RecvStream) -> usize {
    let mut received = 0;
    loop {
        let next = tokio::time::timeout(FAR / 4, body.data()).await;
        match next.expect("the stream was never reset") {
            Some(Ok(piece)) => received += piece.len(),
            Some(Err(error)) => {
                assert_eq!(error.reason(), Some(Reason::CANCEL));
                return received;
            }
            None => panic!("the stream ended"),
        }
    }
}

#[tokio::test]
async fn a_stream_whose_data_waits_is_reset_and_the_others_go_on() {
    let mut client = Client::with_window(0).await;

    let stalled = client.get("/large").await;

    assert_eq!(until_reset(stalled).await, 0);
    let _second = client.get("/").await;
}

#[tokio::test]
async fn a_stream_is_reset_though_only_its_last_byte_waits() {
    let mut client = Client::with_window(LARGE as u32 - 1).await;

    let stalled = client.get("/large").await;

    assert_eq!(until_reset(stalled).await, LARGE - 1);
}

#[tokio::test]
async fn a_stream_that_is_given_a_byte_now_and_then_is_reset() {
    let mut client = Client::with_window(1).await;
    let mut trickling = client.get("/large").await;

    let mut received = 0;
    while let Some(Ok(piece)) = trickling.data().await {
        received += piece.len();
        assert!(received < 1000, "it goes on and on");
        tokio::time::sleep(SOON / 4).await;
        let _ = trickling.flow_control().release_capacity(1);
    }

    assert!(received < LARGE, "{received}");
    assert!(!trickling.is_end_stream());
}

#[tokio::test]
async fn a_stream_without_data_waiting_stays_open() {
    let mut client = Client::with_window(1000).await;
    let mut quiet = client.get("/quiet").await;
    let first = quiet.data().await.unwrap().unwrap();

    tokio::time::sleep(SOON * 3).await;
    client._porch.release.notify_one();

    let rest = quiet.data().await.unwrap().unwrap();
    assert_eq!((&*first, &*rest), (&b"first "[..], &b"rest"[..]));
    while let Some(piece) = quiet.data().await {
        assert_eq!(piece.unwrap(), "");
    }
    assert!(quiet.is_end_stream());
}

#[tokio::test]
async fn what_is_held_for_a_response_is_held_until_its_data_is_gone() {
    let mut client = Client::with(LARGE as u32 - 1, FAR).await;
    let mut body = client.get("/held").await;
    let held = Arc::clone(&client._porch.held);

    while body.flow_control().used_capacity() < LARGE - 1 {
        body.data().await.unwrap().unwrap();
    }
    assert_eq!(held.load(Ordering::SeqCst), 1);

    body.flow_control().release_capacity(LARGE - 1).unwrap();
    while let Some(piece) = body.data().await {
        piece.unwrap();
    }
    assert_eq!(held.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_stranger_has_fewer_streams_than_a_home() {
    for (is_home, streams) in [(false, 16), (true, 64)] {
        let limits = ConnectionLimits {
            is_home: Arc::new(move |_| is_home),
            ..patient()
        };
        let mut client = Client::of(1000, limits).await;

        let _answered = client.get("/").await;

        assert_eq!(client.sender.current_max_send_streams(), streams);
    }
}
