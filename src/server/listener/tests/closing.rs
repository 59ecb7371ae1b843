//! Shutdown of the server.

use super::*;

#[tokio::test]
async fn closing_finishes_requests_in_flight_and_lets_nobody_in() {
    let porch = Porch::open(patient()).await;
    let mut busy = porch.waiting_request().await;
    let mut silent = porch.connect().await;
    let mut idle = porch.connect().await;
    ask(&mut idle, HELLO).await;

    porch.shutdown.cancel();

    assert_eq!(until_closed(&mut silent).await, "");
    assert_eq!(until_closed(&mut idle).await, "");
    assert!(TcpStream::connect(porch.address).await.is_err());
    assert!(!porch.served.is_finished());
    porch.release.notify_one();
    assert!(until_closed(&mut busy).await.ends_with("waited"));
    porch.served.await.unwrap();
}

#[tokio::test]
async fn closing_drops_a_stuck_request_after_the_grace() {
    let porch = Porch::open_with(patient(), None, SOON).await;
    let mut stuck = porch.waiting_request().await;

    porch.shutdown.cancel();

    porch.served.await.unwrap();
    assert_eq!(until_closed(&mut stuck).await, "");
}

#[tokio::test]
async fn a_dropped_server_leaves_no_connection_behind() {
    let porch = Porch::open(patient()).await;
    let mut stream = porch.waiting_request().await;

    porch.served.abort();

    assert_eq!(until_closed(&mut stream).await, "");
}
