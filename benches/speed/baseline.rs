//! The baselines: bare poem, the same bytes from memory, a raw synced append, and the store alone.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use poem::endpoint::make_sync;
use poem::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::web::{Data, Path as PathParameter};
use poem::{Body, EndpointExt, Response, Route, Server, handler};
use porchlight::kernel::store::{Store, StoreError, Table};

use super::data::BoxError;
use super::load::RawResponse;
use super::stopwatch::Stopwatch;

/// Status, headers and body of responses captured from the real server.
type Captured = Arc<Vec<(StatusCode, HeaderMap, bytes::Bytes)>>;

/// Starts a bare poem server. It answers `/hello`, and each of `responses` from memory at `/copy/0`, `/copy/1` and so on.
pub async fn serve(responses: impl Iterator<Item = &RawResponse>) -> Result<SocketAddr, BoxError> {
    let captured = responses.map(capture).collect::<Result<Vec<_>, _>>()?;
    let routes = Route::new()
        .at("/hello", make_sync(|_| "hello"))
        .at("/copy/:index", copy)
        .data(Captured::new(captured));
    let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await?;
    let address = acceptor.local_addr();
    let address = address
        .iter()
        .find_map(|address| address.as_socket_addr().copied())
        .ok_or("the baseline server has no socket address")?;
    tokio::spawn(Server::new_with_acceptor(acceptor).run(routes));
    Ok(address)
}

fn capture(response: &RawResponse) -> Result<(StatusCode, HeaderMap, bytes::Bytes), BoxError> {
    let mut headers = HeaderMap::new();
    for (name, value) in &response.headers {
        // hyper sets these headers itself.
        if !["connection", "content-length", "date"].contains(&name.as_str()) {
            let name = HeaderName::from_bytes(name.as_bytes())?;
            headers.insert(name, HeaderValue::from_str(value)?);
        }
    }
    let status = StatusCode::from_u16(response.status)?;
    Ok((status, headers, response.body.clone().into()))
}

#[handler]
fn copy(PathParameter(index): PathParameter<usize>, captured: Data<&Captured>) -> Response {
    let (status, headers, body) = &captured[index];
    let mut response = Response::builder()
        .status(*status)
        .body(Body::from(body.clone()));
    *response.headers_mut() = headers.clone();
    response
}

/// Appends `bytes` bytes to a file in `folder` and calls fdatasync, repeatedly. Returns the appends per second.
pub fn append_and_sync(folder: &Path, bytes: usize, seconds: u32) -> Result<f64, BoxError> {
    let path = folder.join("appended");
    let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
    let record = vec![b'x'; bytes];
    let watch = Stopwatch::start();
    let mut count = 0.0;
    while watch.seconds() < f64::from(seconds) {
        file.write_all(&record)?;
        File::sync_data(&file)?;
        count += 1.0;
    }
    let rate = count / watch.seconds();
    std::fs::remove_file(path)?;
    Ok(rate)
}

const MESSAGE: Table = Table::new("bench-message");
const POSITION: Table = Table::new("bench-message-place");
const SESSION: Table = Table::new("bench-session");

/// Commits batches of `batch` messages to the store from `writers` concurrent writers. The records have the sizes of
/// a delivery's, without HTTP, JSON parsing, access checks or rules. Returns the batches per second.
pub async fn commit_batches(
    store: &Store,
    batch: u64,
    writers: u64,
    seconds: u32,
) -> Result<f64, BoxError> {
    // Session ids are unique across all runs.
    static NEXT_SESSION: AtomicU64 = AtomicU64::new(1);
    let watch = Stopwatch::start();
    let writers = (0..writers).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            let session = NEXT_SESSION.fetch_add(1, Ordering::Relaxed);
            let mut batches = 0;
            while watch.seconds() < f64::from(seconds) {
                commit_batch(&store, session, batches * batch, batch).await?;
                batches += 1;
            }
            Ok::<_, StoreError>(batches)
        })
    });
    let mut batches = 0;
    for writer in writers.collect::<Vec<_>>() {
        batches += writer.await??;
    }
    Ok(batches as f64 / watch.seconds())
}

async fn commit_batch(
    store: &Store,
    session: u64,
    first: u64,
    batch: u64,
) -> Result<(), StoreError> {
    let committed = store.commit(move |change| {
        for number in first..first + batch {
            let id = format!("run-{number}");
            let message = format!(
                "{{\"message_id\":\"{id}\",\"source\":\"child\",\"text_content\":\"{}\",\"timestamp\":\
                 \"2026-11-21T16:05:03Z\"}}",
                "x".repeat(115)
            );
            let position = format!(
                "{{\"at\":\"2026-11-21T16:05:03Z\",\"arrival\":{number},\"revision\":0}}"
            );
            let key = POSITION.key().number(session).text(&id);
            change.put_json(&key, 1, position.as_bytes())?;
            let key = MESSAGE.key().number(session).signed(0).number(number);
            change.put_json(&key, 1, message.as_bytes())?;
        }
        change.put(&SESSION.key().number(session), &(first + batch))
    });
    committed.await
}
