//! How much is read of requests without a credential, and that unfinished requests block nobody else.

use std::net::SocketAddr;
use std::time::Duration;

use crate::support::test_app::{Persona, TestApp};
use porchlight::children::ChildId;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

const MIB: usize = 1024 * 1024;

/// Serves the app on a socket until the guard is dropped.
async fn served(app: &TestApp) -> (SocketAddr, DropGuard) {
    let ending = CancellationToken::new();
    let address = app.serve(ending.clone()).await;
    (address, ending.drop_guard())
}

fn head(path: &str, bearer: Option<&str>, length: usize) -> String {
    let bearer = bearer.map(|bearer| format!("authorization: Bearer {bearer}\r\n"));
    let bearer = bearer.unwrap_or_default();
    format!(
        "POST {path} HTTP/1.1\r\nhost: porchlight.example\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n{bearer}\r\n"
    )
}

/// Sends a request whose body never ends, and forwards the beginning of the response if there is one.
fn unfinished(address: SocketAddr, bearer: Option<String>, answers: mpsc::UnboundedSender<String>) {
    tokio::spawn(async move {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = head("/api/assistant/deliveries", bearer.as_deref(), 4 * MIB);
        stream.write_all(head.as_bytes()).await.unwrap();
        let (mut from_server, mut to_server) = stream.into_split();
        // The server may respond and close before that.
        let _ = to_server.write_all(&vec![b' '; 4 * MIB - 1]).await;
        let mut answer = [0; 12];
        from_server.read_exact(&mut answer).await.unwrap();
        let _ = answers.send(String::from_utf8(answer.to_vec()).unwrap());
        answers.closed().await;
    });
}

/// Creates the key of an assistant that the guardian connects to a child.
async fn connected(guardian: &Persona<'_>, name: &str, child: ChildId) -> String {
    let body = json!({"name": name, "children": [child]});
    let connected = guardian.post("/api/assistants", &body).await.json();
    connected["key"].as_str().unwrap().to_owned()
}

/// Sends a complete request. Returns status and body of the response.
async fn post(
    address: SocketAddr,
    path: &str,
    bearer: Option<&str>,
    body: &Value,
) -> (u16, String) {
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head =
        head(path, bearer, body.len()).replace("content-type", "connection: close\r\ncontent-type");
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), body.to_owned())
}

#[tokio::test]
async fn unfinished_bodies_of_strangers_block_no_delivery_and_no_sign_in() {
    let app = TestApp::new().await;
    let mia = app.child("Mia", &[]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let (address, _serving) = served(&app).await;
    let (answers, mut received) = mpsc::unbounded_channel();

    for _ in 0..32 {
        unfinished(address, None, answers.clone());
    }
    for _ in 0..32 {
        assert_eq!(received.recv().await.unwrap(), "HTTP/1.1 401");
    }

    let key = Some(robot.credential());
    let delivery = json!({"session": "s", "child_id": mia});
    let delivered = post(address, "/api/assistant/deliveries", key, &delivery).await;
    assert_eq!(delivered.0, 200, "{}", delivered.1);
    let link = json!({"email": "ada@example.org"});
    assert_eq!(post(address, "/api/auth/link", None, &link).await.0, 202);
}

#[tokio::test]
async fn unfinished_bodies_of_one_key_leave_the_others_their_share() {
    let app = TestApp::new().await;
    let mia = app.child("Mia", &[]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let other = app.assistant("other", &[mia]).await;
    let (address, _serving) = served(&app).await;
    let (answers, mut received) = mpsc::unbounded_channel();

    for _ in 0..8 {
        unfinished(
            address,
            Some(robot.credential().to_owned()),
            answers.clone(),
        );
    }
    assert_eq!(received.recv().await.unwrap(), "HTTP/1.1 503");

    let delivery = json!({"session": "s", "child_id": mia});
    let key = Some(other.credential());
    let delivered = post(address, "/api/assistant/deliveries", key, &delivery).await;
    assert_eq!(delivered.0, 200, "{}", delivered.1);
}

#[tokio::test]
async fn all_keys_of_a_guardian_together_leave_another_family_its_share() {
    let app = TestApp::new().await;
    let (ada, bob) = (
        app.guardian("ada@example.org").await,
        app.guardian("bob@example.org").await,
    );
    let mia = app.child("Mia", &["ada@example.org"]).await;
    let tom = app.child("Tom", &["bob@example.org"]).await;
    let other = connected(&bob, "other", tom).await;
    let (address, _serving) = served(&app).await;
    let (answers, mut received) = mpsc::unbounded_channel();

    // 12 MiB each, within the budget of a single key.
    for number in 0..4 {
        let key = connected(&ada, &format!("robot {number}"), mia).await;
        for _ in 0..3 {
            unfinished(address, Some(key.clone()), answers.clone());
        }
    }
    let refused = tokio::time::timeout(Duration::from_secs(15), received.recv()).await;
    assert_eq!(
        refused.expect("nothing is refused").unwrap(),
        "HTTP/1.1 503"
    );

    let words = "x".repeat(MIB);
    let body = json!({"session": "s", "child_id": tom, "messages": [{"text": words}]});
    let delivered = post(address, "/api/assistant/deliveries", Some(&other), &body).await;
    assert_ne!(delivered.0, 503, "{}", delivered.1);
}

#[tokio::test]
async fn a_credential_is_checked_before_the_body() {
    let app = TestApp::new().await;
    let (address, _serving) = served(&app).await;

    for bearer in [None, Some("ast_guess")] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = head("/api/assistant/deliveries", bearer, 1000);
        stream.write_all(head.as_bytes()).await.unwrap();

        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(str::from_utf8(&answer).unwrap(), "HTTP/1.1 401");
    }
}

#[tokio::test]
async fn four_kibibytes_are_read_without_a_credential() {
    let app = TestApp::new().await;
    let stranger = app.anonymous();
    let link = |length: usize| json!({"email": "ada@example.org", "x": "x".repeat(length)});

    stranger
        .post("/api/auth/link", &link(3000))
        .await
        .problem(400);
    let refused = stranger.post("/api/auth/link", &link(5000)).await;

    assert_eq!(
        refused.problem(413),
        "The request's body is larger than 4 KiB, the most that this address takes."
    );
    let children = (0..20).map(|number| format!("{number:0100}"));
    let household = json!({
        "token": "set_x",
        "name": "Ada",
        "email": "ada@example.org",
        "children": children.collect::<Vec<_>>(),
    });
    let set_up = stranger.post("/api/setup", &household).await;
    assert_ne!(set_up.status, 413);
}

#[tokio::test]
async fn unread_responses_of_a_guardian_use_up_only_their_own_share() {
    let app = TestApp::new().await;
    let (ada, bob) = (
        app.guardian("ada@example.org").await,
        app.guardian("bob@example.org").await,
    );
    let mia = app
        .child("Mia", &["ada@example.org", "bob@example.org"])
        .await;
    let robot = app.assistant("robot", &[mia]).await;
    let messages = (0..50).map(|number| {
        json!({"message_id": format!("m{number}"), "source": "user",
            "timestamp": "2026-11-21T16:05:00Z", "text_content": "word ".repeat(3200)})
    });
    let messages = messages.collect::<Vec<_>>();
    robot
        .deliver("s", &json!({"child_id": mia, "messages": messages}))
        .await
        .ok();
    let path = "/api/sessions/1/messages";

    let mut on_their_way = Vec::new();
    let refused = loop {
        let response = ada.open(path).await;
        if !response.is_success() {
            break response;
        }
        on_their_way.push(response);
        assert!(on_their_way.len() < 100, "there is no end to it");
    };

    assert_eq!(refused.status(), 503);
    assert!(on_their_way.len() > 10, "{}", on_their_way.len());
    bob.get(path).await.ok();
    on_their_way.clear();
    ada.get(path).await.ok();
}
