//! What passes through the gateway, and the upstream's key, are in no log, export, answer or output of a command.

use serde_json::{Value, json};

use crate::support::files::folder_contains;
use crate::support::gateway_client::GatewayClient;
use crate::support::process::{Home, text};
use crate::support::upstream::{Answer, Received, Upstream, speak};

const ADA: &str = "ada@example.org";

/// The upstream's key.
const KEY: &str = "sk-canary-4b1d";

/// In the child's words, the answers and the upstream's errors.
const SECRET: &str = "canaryoctopus";

/// Answers in many ways, as the child's words ask for, with the key and the words where a server might repeat them.
fn respond(request: &Received) -> Answer {
    let key = request.header("authorization").to_owned();
    let body = String::from_utf8_lossy(&request.body).into_owned();
    let error = json!({"error": {"message": format!("{SECRET}: wrong key {key}")}});
    let wants = |what: &str| body.contains(&format!("give me {what}"));
    if wants("401") {
        Answer::json(&error).status(401)
    } else if wants("403") {
        Answer::json(&error).status(403)
    } else if wants("a redirect") {
        let location = format!("https://elsewhere.example/{SECRET}?key={key}");
        Answer::json(&error)
            .status(307)
            .header("location", &location)
    } else if wants("a page") {
        Answer::whole("text/html", format!("<html>{key}</html>"))
    } else if wants("garbage") {
        Answer::bytes(format!("{key} {SECRET}\r\n\r\n").as_bytes())
    } else if wants("a half") {
        let half = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{SECRET} ");
        Answer::stream("text/event-stream", vec![half.into_bytes()]).breaking_off()
    } else if wants("500") {
        Answer::json(&json!({"error": SECRET})).status(500)
    } else {
        speak(request).header("x-key", &key)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_the_upstreams_key_nor_what_was_said_is_logged_or_shown() {
    let upstream = Upstream::answering(respond).await;
    let home = Home::new();
    home.ok(&["guardian", "add", ADA]);
    home.ok(&["child", "add", "Mia", "--guardian", ADA]);
    std::fs::write(home.path().join("key"), KEY).unwrap();
    let url = format!("{}/v1", upstream.url());
    home.ok(&[
        "upstream",
        "add",
        "home",
        "--url",
        &url,
        "--key-file",
        "key",
    ]);
    std::fs::remove_file(home.path().join("key")).unwrap();
    let assistant = [
        "assistant",
        "add",
        "robot",
        "--child",
        "1",
        "--upstream",
        "home",
    ];
    let key = home.json(&assistant)["key"].as_str().unwrap().to_owned();
    let server = home.serve(&["--log", "debug", "--limits", "off"]);
    let host = server.url.strip_prefix("http://").unwrap();
    let client = GatewayClient {
        server: host.parse().unwrap(),
        host: host.to_owned(),
        key: key.clone(),
    };

    let mut replies = Vec::new();
    let wishes = [
        "an answer",
        "401",
        "403",
        "a redirect",
        "a page",
        "garbage",
        "a half",
        "500",
    ];
    for (number, wish) in wishes.into_iter().enumerate() {
        for stream in [true, false] {
            let words = format!("{SECRET} {number} {stream}: give me {wish}");
            let messages = json!([{"role": "user", "content": words}]);
            let body = json!({"model": SECRET, "stream": stream, "messages": messages});
            replies.push(client.chat(&body).await);
        }
    }
    let invalid: [(&str, &str, Value); 4] = [
        (
            "POST",
            "/gateway/v1/chat/completions",
            json!({"messages": SECRET}),
        ),
        ("POST", "/gateway/v1/responses", json!({"input": SECRET})),
        ("POST", "/gateway/v1/canaryoctopus", json!(SECRET)),
        ("GET", "/gateway/v1/models/canaryoctopus", Value::Null),
    ];
    for (method, path, body) in invalid {
        replies.push(client.send(method, path, &[], body.to_string()).await);
    }
    replies.push(client.get("/gateway/v1/models").await);
    let wrong = client.with_key(&format!("{key}{SECRET}"));
    replies.push(wrong.get("/gateway/v1/models").await);
    let token = home.json(&["token", ADA]);
    let token = token["identity_token"].as_str().unwrap();
    let mut outputs = Vec::new();
    for path in [
        "/api/child/1/export",
        "/api/household",
        "/api/child/1/rules/receipts",
    ] {
        let (status, body) = server.request("GET", path, token, None).unwrap();
        assert_eq!(status, 200, "{body}");
        outputs.push(body);
    }
    let commands: [&[&str]; 6] = [
        &["export"],
        &["upstream", "list", "--json"],
        &["assistant", "list", "--json"],
        &["verify"],
        &["check"],
        &["upstream", "test", "home"],
    ];
    for command in commands {
        let output = home.run(command);
        outputs.push(text(&output.stdout) + &text(&output.stderr));
    }
    let (code, log) = server.terminate_with_log();

    assert_eq!(code, Some(0), "{log}");
    for reply in &replies {
        let shown = format!("{:?} {}", reply.headers, reply.text());
        assert!(!shown.contains(KEY), "{shown}");
    }
    for output in &outputs {
        assert!(!output.contains(KEY), "{output}");
    }
    assert!(outputs[0].contains(SECRET), "the transcript is exported");
    assert!(log.contains("POST"), "requests are logged: {log}");
    for secret in [KEY, SECRET, &key] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
    assert!(folder_contains(&home.data(), KEY), "the store has it");
    assert_eq!(replies[0].status, 200);
}
