//! `porchlight rules try`, and a server that is killed while a try runs.

use std::time::Duration;

use porchlight::admin::AddUpstream;
use porchlight::models::UpstreamForm;
use serde_json::{Value, json};

use crate::support::process::{Home, Server, wait_for};
use crate::support::test_app::TestApp;
use crate::support::upstream::{Answer, Received, Upstream, completion};

const ADA: &str = "ada@example.org";

/// In each answer, and in no log.
const SAID: &str = "canaryostrich";

/// Mia, whose assistant Kitchen talks through this upstream.
async fn fill(home: &Home, url: &str) {
    let app = TestApp::in_folder(&home.data()).await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let add = AddUpstream {
        name: "home".to_owned(),
        url: url.parse().unwrap(),
        key: None,
        models: vec!["family-model".to_owned()],
        form: UpstreamForm::OpenAi,
    };
    app.run_admin(add).await.0.unwrap();
    app.gateway_assistant("Kitchen", &[mia], "home").await;
    app.inner.store.close();
}

fn world(respond: fn(&Received) -> Answer) -> (tokio::runtime::Runtime, Home, Upstream) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let home = Home::new();
    let upstream = runtime.block_on(Upstream::answering(respond));
    let url = format!("{}/v1", upstream.url());
    runtime.block_on(fill(&home, &url));
    (runtime, home, upstream)
}

fn canary(_: &Received) -> Answer {
    Answer::json(&completion(&format!(
        "{SAID} is what I say, and it is fine to talk."
    )))
}

/// What Ada gets.
fn call(home: &Home, server: &Server, method: &str, path: &str, body: Option<Value>) -> Value {
    let token = home.ok(&["token", ADA]);
    let body = body.map(|body| body.to_string());
    let answer = server.request(method, path, token.trim(), body.as_deref());
    let (status, body) = answer.unwrap();
    assert!((200..300).contains(&status), "{status} {body}");
    serde_json::from_str(&body).unwrap()
}

const TRY: [&str; 5] = ["rules", "try", "1", "--assistant", "Kitchen"];

#[test]
fn the_command_prints_the_answers_with_and_without_a_server() {
    let (_runtime, home, upstream) = world(canary);

    let alone = home.ok(&TRY);
    let server = home.serve(&["--log", "debug"]);
    let beside = home.json(&[&TRY[..], &["--language", "de"]].concat());
    let (_, log) = server.terminate_with_log();

    for line in [
        "Mia's rules with Kitchen: family-model at 127.0.0.1:",
        "With the rules alone: what its app sends is not known.",
        "12 questions harmless: 0 as expected, 0 not, 12 not judged, 0 without an answer.",
        "It may not get all of the rules. Missing was the word at the beginning, the middle, the end.",
        "Another try can come out differently.",
        "   Test question. Mia didn't ask this.",
    ] {
        assert!(alone.contains(line), "{line}\n{alone}");
    }
    assert_eq!(beside["try"]["state"], "finished");
    assert_eq!(beside["try"]["language"], "de");
    assert_eq!(beside["remark"], "Another try can come out differently.");
    let answers = beside["answers"].as_array().unwrap();
    assert!(
        answers
            .iter()
            .all(|answer| answer["note"] == "Test question. Mia didn't ask this.")
    );
    assert!(upstream.count() > 60);
    assert!(!log.contains(SAID) && !log.contains("Prüfwörter"), "{log}");
}

#[test]
fn questions_of_a_file_are_asked() {
    let (_runtime, home, upstream) = world(canary);
    let file = home.path().join("questions.jsonl");
    std::fs::write(
        &file,
        "{\"id\": \"moon\", \"first_message\": \"Is the moon a planet?\"}\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();

    let printed = home.ok(&[&TRY[..], &["--prompts", file]].concat());
    std::fs::write(file, "moon\n").unwrap();
    let refused = home.run(&[&TRY[..], &["--prompts", file]].concat());

    assert!(
        printed.contains("1. Is the moon a planet? [not judged]"),
        "{printed}"
    );
    assert_eq!(upstream.count(), 1);
    assert_eq!(refused.status.code(), Some(1));
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.starts_with("Line 1 is not a question"), "{told}");
}

fn slow(received: &Received) -> Answer {
    std::thread::park_timeout(Duration::from_millis(40));
    canary(received)
}

#[test]
fn a_try_that_was_running_when_the_server_was_killed_is_interrupted_with_what_it_has() {
    let (_runtime, home, upstream) = world(slow);
    let server = home.serve(&[]);
    let household = call(&home, &server, "GET", "/api/household", None);
    let assistant = household["assistants"][0]["assistant_id"].clone();
    let body = json!({"assistant": assistant, "language": "en"});
    let started = call(&home, &server, "POST", "/api/child/1/tries", Some(body));
    let path = format!("/api/child/1/tries/{}", started["try_id"]);
    wait_for(|| (upstream.count() >= 8).then_some(()));
    server.kill();
    let sent = upstream.count() as u64;

    let server = home.serve(&[]);
    let found = call(&home, &server, "GET", &path, None);

    assert_eq!(found["summary"]["state"], "interrupted");
    let done = found["summary"]["done"].as_u64().unwrap();
    assert!(done <= sent && done + 2 >= sent, "{done} of {sent}");
    let answers = found["answers"].as_array().unwrap();
    assert_eq!(answers.len() as u64 + 1, done);
    assert!(
        answers
            .iter()
            .all(|answer| answer["answer"].to_string().contains(SAID))
    );
    assert_eq!(upstream.count() as u64, sent, "it doesn't go on by itself");
}
