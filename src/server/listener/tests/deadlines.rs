//! Slow clients are disconnected, and clients that are being served are not.

use super::*;

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let porch = Porch::open(ConnectionLimits {
        first_byte: SOON,
        ..patient()
    })
    .await;

    let received = until_closed(&mut porch.connect().await).await;

    assert_eq!(received, "");
}

#[tokio::test]
async fn a_half_sent_head_is_closed_however_it_trickles() {
    let porch = Porch::open(ConnectionLimits {
        head: SOON,
        ..patient()
    })
    .await;
    let (mut from_porch, mut to_porch) = porch.connect().await.into_split();
    let trickle = tokio::spawn(async move {
        to_porch.write_all(b"GET / HTTP/1.1\r\nX: ").await?;
        loop {
            to_porch.write_all(b"x").await?;
            tokio::time::sleep(SOON / 20).await;
        }
        #[expect(unreachable_code, reason = "names the error's type")]
        io::Result::Ok(())
    });

    let received = until_closed(&mut from_porch).await;

    assert_eq!(received, "");
    assert!(
        trickle.await.unwrap().is_err(),
        "its writes fail in the end"
    );
}

#[tokio::test]
async fn an_idle_connection_is_closed_after_its_answer() {
    let porch = Porch::open(ConnectionLimits {
        idle: SOON,
        ..patient()
    })
    .await;
    let mut stream = porch.connect().await;

    ask(&mut stream, HELLO).await;

    assert_eq!(until_closed(&mut stream).await, "");
}

#[tokio::test]
async fn the_second_head_has_a_deadline_too() {
    let porch = Porch::open(ConnectionLimits {
        head: SOON,
        ..patient()
    })
    .await;
    let mut stream = porch.connect().await;
    ask(&mut stream, HELLO).await;

    stream.write_all(b"GET / HT").await.unwrap();

    assert_eq!(until_closed(&mut stream).await, "");
}

#[tokio::test]
async fn a_request_in_flight_may_take_longer_than_every_deadline() {
    let limits = ConnectionLimits {
        head: SOON,
        idle: SOON,
        write_stall: SOON,
        ..patient()
    };
    let porch = Porch::open(limits).await;
    let mut stream = porch.waiting_request().await;

    tokio::time::sleep(SOON * 3).await;
    porch.release.notify_one();

    assert!(answer(&mut stream).await.ends_with("waited"));
}

#[tokio::test]
async fn a_peer_that_never_reads_is_dropped_with_its_body() {
    let porch = Porch::open(ConnectionLimits {
        write_stall: SOON,
        ..patient()
    })
    .await;
    let mut stream = porch.connect().await;

    stream
        .write_all(b"GET /endless HTTP/1.1\r\nHost: porch\r\n\r\n")
        .await
        .unwrap();
    porch.began.notified().await;

    let dropped = tokio::time::timeout(FAR, async {
        while porch.endless.load(Ordering::SeqCst) > 0 {
            tokio::time::sleep(SOON).await;
        }
    });
    assert!(
        dropped.await.is_ok(),
        "the body is still waiting to be read"
    );
}

#[tokio::test]
async fn a_head_over_the_limit_is_refused() {
    let porch = Porch::open(ConnectionLimits {
        head_bytes: 8192,
        ..patient()
    })
    .await;
    let mut stream = porch.connect().await;
    let request = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(9000));

    stream.write_all(request.as_bytes()).await.unwrap();

    assert!(until_closed(&mut stream).await.starts_with("HTTP/1.1 431 "));
}
