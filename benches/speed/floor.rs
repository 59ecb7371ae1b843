//! What could at best be reached: bare endpoints, a bare file, and the store without anything above it.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use poem::endpoint::make_sync;
use poem::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::web::Path as PathOf;
use poem::{Body, EndpointExt, Response, Route, Server, handler};
use porchlight::kernel::store::{Store, StoreError, Table};

use super::data::Failed;
use super::load::Answer;
use super::stopwatch::Stopwatch;

/// Answers that are kept in memory: status, headers and bytes of what the real server has answered.
type Kept = Arc<Vec<(StatusCode, HeaderMap, bytes::Bytes)>>;

/// Serves `/hello`, and `/same/0`, `/same/1` … from memory, with poem alone.
pub async fn serve(answers: &[Answer]) -> Result<SocketAddr, Failed> {
    let kept = answers.iter().map(keep).collect::<Result<Vec<_>, _>>()?;
    let routes = Route::new()
        .at("/hello", make_sync(|_| "hello"))
        .at("/same/:number", same)
        .data(Kept::new(kept));
    let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await?;
    let address = acceptor.local_addr();
    let address = address
        .iter()
        .find_map(|address| address.as_socket_addr().copied())
        .ok_or("the bare server has no address")?;
    tokio::spawn(Server::new_with_acceptor(acceptor).run(routes));
    Ok(address)
}

fn keep(answer: &Answer) -> Result<(StatusCode, HeaderMap, bytes::Bytes), Failed> {
    let mut headers = HeaderMap::new();
    for (name, value) in &answer.headers {
        // Those are about the connection, and hyper writes them itself.
        if !["connection", "content-length", "date"].contains(&name.as_str()) {
            let name = HeaderName::from_bytes(name.as_bytes())?;
            headers.insert(name, HeaderValue::from_str(value)?);
        }
    }
    let status = StatusCode::from_u16(answer.status)?;
    Ok((status, headers, answer.body.clone().into()))
}

#[handler]
fn same(PathOf(number): PathOf<usize>, kept: poem::web::Data<&Kept>) -> Response {
    let (status, headers, bytes) = &kept[number];
    let mut response = Response::builder()
        .status(*status)
        .body(Body::from(bytes.clone()));
    *response.headers_mut() = headers.clone();
    response
}

/// Appends so many bytes to a file in `folder` and syncs it, again and again; how often in a second.
pub fn append_and_sync(folder: &Path, bytes: usize, seconds: u32) -> Result<f64, Failed> {
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
const PLACE: Table = Table::new("bench-message-place");
const SESSION: Table = Table::new("bench-session");

/// Commits batches of so many messages, by as many writers, to the store alone: the records of a delivery, of the same
/// sizes, without HTTP, JSON, access or rules. How many batches a second.
pub async fn commit_batches(
    store: &Store,
    batch: u64,
    writers: u64,
    seconds: u32,
) -> Result<f64, Failed> {
    // What no other run has used.
    static SESSIONS: AtomicU64 = AtomicU64::new(1);
    let watch = Stopwatch::start();
    let writing = (0..writers).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            let session = SESSIONS.fetch_add(1, Ordering::Relaxed);
            let mut batches = 0;
            while watch.seconds() < f64::from(seconds) {
                commit_batch(&store, session, batches * batch, batch).await?;
                batches += 1;
            }
            Ok::<_, StoreError>(batches)
        })
    });
    let mut batches = 0;
    for writer in writing.collect::<Vec<_>>() {
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
            let place = format!(
                "{{\"at\":\"2026-11-21T16:05:03Z\",\"arrival\":{number},\"revision\":0}}"
            );
            let key = PLACE.key().number(session).text(&id);
            change.put_json(&key, 1, place.as_bytes())?;
            let key = MESSAGE.key().number(session).signed(0).number(number);
            change.put_json(&key, 1, message.as_bytes())?;
        }
        change.put(&SESSION.key().number(session), &(first + batch))
    });
    committed.await?
}
