//! Whole answers, and bodies that are checked before they are sent.

use super::*;
use crate::kernel::outgoing::https::HttpsBody;

#[tokio::test]
async fn a_body_whose_check_fails_is_not_sent_and_one_whose_check_passes_is() {
    for may_send in [true, false] {
        let mut server = Scripted::saying(ANSWER).await;
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        let body = HttpsBody::with_check(Bytes::from_static(WORDS.as_bytes()), move || {
            count.fetch_add(1, Ordering::Relaxed);
            may_send
        });
        let upstream = server.upstream("http");
        let client = UpstreamClient::new();
        let answered = client.complete(&upstream, body, 1_000, LONG).await;

        assert_eq!(asked.load(Ordering::Relaxed), 1);
        if may_send {
            assert_eq!(answered.unwrap(), "{}");
            let Heard::Request(text) = server.next().await else {
                panic!("no request");
            };
            assert!(text.ends_with(WORDS));
        } else {
            let broken = CompletionError::NoResponse(UpstreamError::Broken);
            assert_eq!(answered, Err(broken));
            assert_eq!(server.next().await, Heard::Closed);
        }
    }
}

#[tokio::test]
async fn a_check_does_not_run_before_there_is_a_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let mut upstream = Scripted::saying(ANSWER).await.upstream("http");
    upstream.url = format!("http://127.0.0.1:{port}").parse().unwrap();
    let body = HttpsBody::with_check(Bytes::from_static(b"{}"), || panic!("there is no server"));
    let answered = UpstreamClient::new()
        .complete(&upstream, body, 1_000, LONG)
        .await;

    assert!(matches!(
        answered,
        Err(CompletionError::NoResponse(UpstreamError::Unreachable(_)))
    ));
}

#[tokio::test]
async fn a_whole_answer_is_bounded_in_time_and_size() {
    let client = UpstreamClient::new();
    let body = Bytes::from_static(b"{}");
    let silent = Scripted::saying("").await.upstream("http");
    let late = client.complete(&silent, body.clone(), 1_000, Duration::from_millis(50));
    assert_eq!(late.await, Err(CompletionError::TooSlow));

    let talking = Scripted::saying(ANSWER).await.upstream("http");
    let large = client.complete(&talking, body, 1, LONG);
    assert_eq!(large.await, Err(CompletionError::Unfinished));
}
