//! Requests that meet a connection being closed.

use super::*;

/// An upstream whose first connection answers so many requests and closes when the next one comes. Further ones answer each.
/// Returns the upstream's URL, and the number of requests and of connections.
async fn closing_after(answers: usize) -> (Upstream, Arc<[AtomicUsize; 2]>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let counts = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let counted = counts.clone();
    tokio::spawn(async move {
        let mut left = answers;
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            counted[1].fetch_add(1, Ordering::Relaxed);
            let mut bytes = Vec::new();
            while stream.read_buf(&mut bytes).await.is_ok_and(|read| read > 0) {
                if !bytes.ends_with(WORDS.as_bytes()) {
                    continue;
                }
                bytes.clear();
                counted[0].fetch_add(1, Ordering::Relaxed);
                if left == 0 {
                    break;
                }
                left -= 1;
                stream.write_all(ANSWER.as_bytes()).await.unwrap();
            }
            left = usize::MAX;
        }
    });
    let upstream = Upstream {
        url: format!("http://127.0.0.1:{port}/v1").parse().unwrap(),
        ..Scripted::saying(ANSWER).await.upstream("http")
    };
    (upstream, counts)
}

fn counts(counts: &[AtomicUsize; 2]) -> [usize; 2] {
    [0, 1].map(|index| counts[index].load(Ordering::Relaxed))
}

#[tokio::test]
async fn a_request_that_meets_a_connection_being_closed_is_sent_once_more() {
    let (upstream, counted) = closing_after(1).await;
    let client = UpstreamClient::new();
    let first = post(&client, &upstream).await.unwrap();
    first.body.collect().await.unwrap();
    // The connection returns to the pool in a task of its own.
    tokio::task::yield_now().await;

    let second = post(&client, &upstream).await.unwrap();

    assert_eq!(second.status, StatusCode::OK);
    assert_eq!(counts(&counted), [3, 2], "requests and connections");
}

#[tokio::test]
async fn a_request_on_a_new_connection_is_sent_once() {
    let (upstream, counted) = closing_after(0).await;

    let error = post(&UpstreamClient::new(), &upstream).await.unwrap_err();

    assert_eq!(error, UpstreamError::Broken);
    assert_eq!(counts(&counted), [1, 1]);
}
