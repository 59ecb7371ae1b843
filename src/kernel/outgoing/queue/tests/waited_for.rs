//! Messages that a person waits for.

use super::*;
use crate::kernel::outgoing::mail::fake_server::{
    Answer::{Say, Silence},
    FakeServer, Script, willing,
};
use crate::kernel::outgoing::mail::stopped_clock::StoppedClock;

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_message_waits_no_longer_than_until_all_of_it_was_sent() {
    let clock = StoppedClock::stop();
    let mut server = FakeServer::filtering(Duration::from_secs(60)).await;
    let scene = Scene::with_server(server.port);
    scene.test_kind.know("ada", Lane::Security);
    scene.put("ada", "Hello").await.unwrap();
    let letter = scene.letter.clone();
    let patience = Duration::from_secs(15);
    let sending = tokio::spawn(async move { letter.send_now("ada", "", patience).await });

    server.hear(".").await;
    tokio::time::advance(patience).await;
    assert_eq!(sending.await.unwrap(), Ok(()));
    assert_eq!(scene.recipients(), ["ada"], "it isn't answered");
    tokio::time::advance(Duration::from_secs(60)).await;

    drop(clock);
    let lines = server.lines().await;
    assert_eq!(
        lines.last().map(String::as_str),
        Some("QUIT"),
        "it isn't cut off"
    );
}

#[tokio::test(start_paused = true)]
async fn what_a_person_waits_for_in_vain_or_was_refused_is_not_sent_later() {
    let clock = StoppedClock::stop();
    let refuses = |c: &str| {
        if c.starts_with("RCPT") {
            Say("450 later\r\n")
        } else {
            willing(c)
        }
    };
    let mut silent = FakeServer::start(|c| if c == "DATA" { Silence } else { willing(c) }).await;
    let refusing = FakeServer::start(refuses).await;
    for port in [silent.port, refusing.port] {
        let scene = Scene::with_server(port);
        scene.test_kind.know("ada", Lane::Security);
        scene.put("ada", "Hello").await.unwrap();
        let letter = scene.letter.clone();
        let patience = Duration::from_secs(5);
        let sending = tokio::spawn(async move { letter.send_now("ada", "", patience).await });

        if port == silent.port {
            silent.hear("DATA").await;
            tokio::time::advance(patience).await;
        }

        assert_eq!(sending.await.unwrap(), Err(NotSent));
        assert!(scene.recipients().is_empty());
    }
    drop(clock);
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_message_that_another_task_sends_learns_what_became_of_it() {
    let refuses = |c: &str| {
        if c == "DATA" {
            Say("550 no\r\n")
        } else {
            willing(c)
        }
    };
    let cases: [(Script, _); 2] = [(willing, Ok(())), (refuses, Err(NotSent))];
    for (script, expected) in cases {
        let clock = StoppedClock::stop();
        let server = FakeServer::start(script).await;
        let scene = Scene::with_server(server.port);
        scene.test_kind.know("ada", Lane::Security);
        scene.put("ada", "Hello").await.unwrap();
        let patience = Duration::from_secs(15);

        let (one, other) = tokio::join!(
            scene.letter.send_now("ada", "", patience),
            scene.letter.send_now("ada", "", patience),
        );

        assert_eq!((one, other), (expected, expected));
        drop(clock);
    }
}

#[tokio::test]
async fn what_is_gone_before_it_could_be_waited_for_is_not_reported_as_sent() {
    let scene = Scene::new();
    scene.test_kind.know("ada", Lane::Security);

    let patience = Duration::from_secs(15);
    let sent = scene.letter.send_now("ada", "", patience).await;

    assert_eq!(sent, Err(NotSent));
}
