//! The client against a scripted upstream on loopback.

mod completions;
mod repeated;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use hyper::{Method, StatusCode};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::*;
use crate::kernel::outgoing::https;

const KEY: &str = "sk-canary-7f3a";
const WORDS: &str = "what the child said";
const LONG: Duration = Duration::from_secs(10);

const ANSWER: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";

/// What a connection of the scripted upstream received.
#[derive(Debug, PartialEq, Eq)]
enum Heard {
    /// The head and the body of a request.
    Request(String),
    /// The client closed the connection.
    Closed,
}

struct Scripted {
    port: u16,
    heard: mpsc::UnboundedReceiver<Heard>,
    connections: Arc<AtomicUsize>,
}

impl Scripted {
    /// Sends these bytes in answer to every request. Connections stay open.
    async fn saying(answer: &'static str) -> Self {
        Self::start(answer, None).await
    }

    async fn start(answer: &'static str, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, heard) = mpsc::unbounded_channel();
        let connections = Arc::new(AtomicUsize::new(0));
        let count = connections.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                count.fetch_add(1, Ordering::Relaxed);
                let (tell, tls) = (tell.clone(), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => play(stream, answer, &tell).await,
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                play(stream, answer, &tell).await;
                            }
                        }
                    }
                });
            }
        });
        Self {
            port,
            heard,
            connections,
        }
    }

    async fn next(&mut self) -> Heard {
        timeout(LONG, self.heard.recv()).await.unwrap().unwrap()
    }

    fn upstream(&self, scheme: &str) -> Upstream {
        Upstream {
            name: "home".to_owned(),
            url: format!("{scheme}://127.0.0.1:{}/v1/", self.port)
                .parse()
                .unwrap(),
            key: Some(KEY.parse().unwrap()),
            models: Vec::new(),
            form: UpstreamForm::OpenAi,
            added_at: Timestamp::from_micros(0),
        }
    }
}

async fn play(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: &str,
    tell: &mpsc::UnboundedSender<Heard>,
) {
    let mut received = Vec::new();
    loop {
        let mut buffer = [0; 4_096];
        let read = stream.read(&mut buffer).await.unwrap_or(0);
        if read == 0 {
            let _ = tell.send(Heard::Closed);
            return;
        }
        received.extend_from_slice(&buffer[..read]);
        let Ok(text) = String::from_utf8(received.clone()) else {
            // A TLS handshake, to a port without TLS.
            let _ = stream.write_all(answer.as_bytes()).await;
            return;
        };
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        if body.len() == length.map_or(0, |length| length.parse().unwrap()) {
            received.clear();
            let _ = tell.send(Heard::Request(text));
            // The client may have closed the connection.
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.flush().await;
        }
    }
}

async fn post(
    client: &UpstreamClient,
    upstream: &Upstream,
) -> Result<UpstreamResponse, UpstreamError> {
    let json = HeaderValue::from_static("application/json");
    let stream = HeaderValue::from_static("text/event-stream");
    let sent = client.send(
        upstream,
        Method::POST,
        "/chat/completions",
        Some(&stream),
        Some(&json),
        Bytes::from_static(WORDS.as_bytes()),
    );
    sent.await
}

#[tokio::test]
async fn only_the_listed_headers_go_upstream() {
    let mut server = Scripted::saying(ANSWER).await;

    let response = post(&UpstreamClient::new(), &server.upstream("http"))
        .await
        .unwrap();

    assert_eq!(response.status, StatusCode::OK);
    assert_eq!(response.headers[CONTENT_TYPE], "application/json");
    assert_eq!(response.body.collect().await.unwrap().to_bytes(), "{}");
    let Heard::Request(text) = server.next().await else {
        panic!("no request");
    };
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let (line, headers) = head.split_once("\r\n").unwrap();
    let mut headers = headers.lines().collect::<Vec<_>>();
    headers.sort_unstable();
    assert_eq!(line, "POST /v1/chat/completions HTTP/1.1");
    let length = format!("content-length: {}", WORDS.len());
    let host = format!("host: 127.0.0.1:{}", server.port);
    let expected = [
        "accept-encoding: identity",
        "accept: text/event-stream",
        "authorization: Bearer sk-canary-7f3a",
        &length,
        "content-type: application/json",
        &host,
    ];
    assert_eq!(headers, expected);
    assert_eq!(body, WORDS);
}

#[tokio::test]
async fn a_get_without_a_key_has_no_body_and_no_authorization() {
    let mut server = Scripted::saying(ANSWER).await;
    let upstream = Upstream {
        key: None,
        ..server.upstream("http")
    };

    let client = UpstreamClient::new();
    let sent = client.send(&upstream, Method::GET, "/models", None, None, Bytes::new());
    sent.await.unwrap();

    let host = format!("host: 127.0.0.1:{}", server.port);
    let expected =
        format!("GET /v1/models HTTP/1.1\r\naccept-encoding: identity\r\n{host}\r\n\r\n");
    assert_eq!(server.next().await, Heard::Request(expected));
}

#[tokio::test]
async fn clones_share_connections() {
    let server = Scripted::saying(ANSWER).await;
    let (client, upstream) = (UpstreamClient::new(), server.upstream("http"));

    for _ in 0..3 {
        let response = post(&client.clone(), &upstream).await.unwrap();
        response.body.collect().await.unwrap();
        // The connection returns to the pool in a task of its own.
        tokio::task::yield_now().await;
    }

    assert_eq!(server.connections.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_request_over_plain_http_reads_no_certificates() {
    let server = Scripted::saying(ANSWER).await;
    let client = UpstreamClient::new();

    post(&client, &server.upstream("http")).await.unwrap();

    assert!(!client.has_read_certificates());
}

#[tokio::test]
async fn certificates_that_could_not_be_read_are_read_again() {
    static READS: AtomicUsize = AtomicUsize::new(0);
    let client = UpstreamClient::new().with_system_tls(|| {
        assert!(READS.fetch_add(1, Ordering::Relaxed) > 0, "the first time");
        https::untrusting_tls()
    });
    let upstream = Upstream {
        url: "https://127.0.0.1:1/v1".parse().unwrap(),
        ..Scripted::saying(ANSWER).await.upstream("http")
    };

    let first = post(&client, &upstream).await.unwrap_err();
    let others = [
        post(&client, &upstream).await.unwrap_err(),
        post(&client, &upstream).await.unwrap_err(),
    ];

    let sentence = "This machine's root certificates could not be read.";
    assert_eq!(first, UpstreamError::Tls(sentence.to_owned()));
    for other in others {
        assert!(matches!(other, UpstreamError::Unreachable(_)), "{other:?}");
    }
    assert_eq!(READS.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn dropping_the_body_closes_the_connection() {
    let begun = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nOnce \r\n";
    let mut server = Scripted::saying(begun).await;
    let mut response = post(&UpstreamClient::new(), &server.upstream("http"))
        .await
        .unwrap();
    let first = response.body.frame().await.unwrap().unwrap();
    assert_eq!(first.into_data().unwrap(), "Once ");
    assert!(matches!(server.next().await, Heard::Request(_)));

    drop(response);

    assert_eq!(server.next().await, Heard::Closed);
}

#[tokio::test]
async fn a_silent_upstream_is_given_up_and_its_connection_closed() {
    let mut server = Scripted::saying("HTTP/1.1 200").await;
    let client = UpstreamClient::new().with_head_within(Duration::from_millis(50));

    let error = post(&client, &server.upstream("http")).await.unwrap_err();

    assert_eq!(error, UpstreamError::TimedOut);
    assert!(matches!(server.next().await, Heard::Request(_)));
    assert_eq!(server.next().await, Heard::Closed);
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = "HTTP/1.1 307 Temporary Redirect\r\nlocation: /v2\r\ncontent-length: 0\r\n\r\n";
    let mut server = Scripted::saying(elsewhere).await;

    let response = post(&UpstreamClient::new(), &server.upstream("http"))
        .await
        .unwrap();

    assert_eq!(response.status, StatusCode::TEMPORARY_REDIRECT);
    assert_eq!(response.headers[LOCATION], "/v2");
    drop(response);
    assert!(matches!(server.next().await, Heard::Request(_)));
    assert_eq!(server.next().await, Heard::Closed);
    assert_eq!(server.connections.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn an_upstream_that_hangs_up_or_is_not_there_is_told_apart() {
    let garbage = Scripted::saying("220 mail.test ready\r\n").await;
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let nobody = Upstream {
        url: nobody.parse().unwrap(),
        ..garbage.upstream("http")
    };
    let client = UpstreamClient::new();

    let broken = post(&client, &garbage.upstream("http")).await.unwrap_err();
    let unreachable = post(&client, &nobody).await.unwrap_err();

    assert_eq!(broken, UpstreamError::Broken);
    let sentence = "The upstream cannot be reached: no program listens at that port.";
    assert_eq!(unreachable.to_string(), sentence);
}

/// A certificate for the host that the system doesn't trust, and the settings of a client that trusts only it.
fn certified(host: &str) -> (TlsAcceptor, ClientConfig) {
    let key = rcgen::KeyPair::generate().unwrap();
    let made = rcgen::CertificateParams::new(vec![host.to_owned()]).unwrap();
    let own = made.self_signed(&key).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let server = ServerConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![own.der().clone()],
            key.serialize_der().try_into().unwrap(),
        )
        .unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(own.der().clone()).unwrap();
    let client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    (TlsAcceptor::from(Arc::new(server)), client)
}

#[tokio::test]
async fn a_trusted_certificate_protects_the_request() {
    let (acceptor, trusting) = certified("127.0.0.1");
    let mut server = Scripted::start(ANSWER, Some(acceptor)).await;
    let client = UpstreamClient::new().with_tls(trusting);

    let response = post(&client, &server.upstream("https")).await.unwrap();

    assert_eq!(response.status, StatusCode::OK);
    assert!(matches!(server.next().await, Heard::Request(_)));
}

#[tokio::test]
async fn nothing_is_sent_without_a_trusted_certificate() {
    let (acceptor, _) = certified("127.0.0.1");
    let mut untrusted = Scripted::start(ANSWER, Some(acceptor)).await;
    let (acceptor, trusting) = certified("other.example");
    let mut misnamed = Scripted::start(ANSWER, Some(acceptor)).await;
    let mut plain = Scripted::saying(ANSWER).await;
    let client = UpstreamClient::new().with_tls(trusting.clone());

    let cases = [
        (&mut untrusted, "was it made anew?"),
        (&mut misnamed, "is for another name."),
        (&mut plain, "port does not speak TLS from the first byte."),
    ];
    for (server, sentence) in cases {
        let error = post(&client, &server.upstream("https")).await.unwrap_err();
        assert!(matches!(error, UpstreamError::Tls(_)), "{error:?}");
        assert!(error.to_string().ends_with(sentence), "{error}");
        if let Ok(Heard::Request(text)) = server.heard.try_recv() {
            panic!("{text}");
        }
    }
}

#[tokio::test]
async fn neither_debug_output_nor_errors_contain_the_key_the_path_or_the_words() {
    let garbage = Scripted::saying("garbage\r\n\r\n").await;
    let upstream = garbage.upstream("http");
    let slow = UpstreamClient::new().with_head_within(Duration::ZERO);

    let mut texts = vec![format!("{upstream:?}")];
    for error in [
        post(&UpstreamClient::new(), &upstream).await.unwrap_err(),
        post(&UpstreamClient::new(), &garbage.upstream("https"))
            .await
            .unwrap_err(),
        post(&slow, &upstream).await.unwrap_err(),
    ] {
        texts.push(format!("{error} {error:?}"));
    }

    for text in &texts {
        assert!(!text.contains(KEY) && !text.contains(WORDS), "{text}");
        assert!(!text.contains("completions"), "{text}");
    }
}
