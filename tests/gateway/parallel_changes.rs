//! The rules in the prompt are those of the version that the response names, while guardians change them all the time.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::*;
use crate::support::upstream::speak;

/// Requests at a time.
const WORKERS: usize = 4;

/// Longer than a conversation is remembered.
const LATER: Duration = Duration::from_secs(60 * 60);

/// The text of each version that the assistant was told.
type Versions = RefCell<BTreeMap<String, String>>;

/// Reads the current version, as the assistant gets it.
fn record_version(family: &Family, versions: &Versions) {
    let (version, instructions) = family.told();
    versions.borrow_mut().insert(version, instructions);
}

/// Changes the topics and the notes in turn. Nobody else does.
async fn change_rules(family: &Family, versions: &Versions, is_over: &Cell<bool>) {
    let mut ada = family.ada().await;
    let of_child = format!("/api/child/{}", family.mia);
    let mut number = 0;
    while !is_over.get() {
        let (path, body) = if number % 2 == 0 {
            (
                "blocked_topics",
                json!([format!("Topic {number}"), "Ghosts"]),
            )
        } else {
            (
                "context",
                json!({"text": format!("Mia likes the number {number}.\n\"So\" she says.")}),
            )
        };
        ada.put(&format!("{of_child}/{path}"), &body).await.ok();
        record_version(family, versions);
        number += 1;
        if number % 5 == 0 {
            // So that conversations end, and what is remembered of them stays small.
            family.app.clock.advance(LATER);
            ada = family.ada().await;
        }
    }
}

/// A request with the number in the child's words, and a system message in one of the forms that clients send.
fn request(number: usize) -> Value {
    let user = json!({"role": "user", "content": format!("Question {number}")});
    let system = |role: &str, content: Value| json!({"role": role, "content": content});
    let part = json!({"type": "text", "text": "Be brief."});
    let messages = match number % 6 {
        0 => vec![user],
        1 => vec![system("system", json!("Be brief.")), user],
        2 => vec![system("developer", json!([part])), user],
        3 => vec![user, system("system", json!("Be brief."))],
        4 => vec![
            system("system", json!("")),
            system("developer", json!("B")),
            user,
        ],
        _ => vec![system("system", json!(null)), user],
    };
    json!({"model": "m", "messages": messages, "stream": number.is_multiple_of(2)})
}

/// Sends requests until there are so many and at least `changes` versions were used. Returns the version that each response
/// names, by the request's number.
async fn ask(
    family: &Family,
    requests: usize,
    changes: usize,
    is_over: &Cell<bool>,
) -> BTreeMap<usize, String> {
    let (next, named) = (Cell::new(0), RefCell::new(BTreeMap::new()));
    let worker = async |worker: usize| {
        let session = format!("worker {worker}");
        let headers = [("x-porchlight-session", session.as_str())];
        loop {
            let used = || named.borrow().values().collect::<BTreeSet<_>>().len();
            if next.get() >= requests && used() >= changes {
                return;
            }
            let number = next.replace(next.get() + 1);
            let reply = family.kitchen.chat_with(&headers, &request(number)).await;
            reply.ok();
            let version = reply.header("porchlight-rules").to_owned();
            named.borrow_mut().insert(number, version);
        }
    };
    futures_util::future::join_all((0..WORKERS).map(worker)).await;
    is_over.set(true);
    named.into_inner()
}

/// The end of the first system message: its last part's text, if it has parts.
fn first_system_text(body: &Value) -> String {
    let messages = body["messages"].as_array().unwrap();
    let is_system =
        |message: &&Value| matches!(message["role"].as_str(), Some("system" | "developer"));
    let content = &messages.iter().find(is_system).unwrap()["content"];
    let last = content
        .as_array()
        .map(|parts| &parts.last().unwrap()["text"]);
    last.unwrap_or(content).as_str().unwrap().to_owned()
}

async fn prove(requests: usize, changes: usize) {
    let mut app = TestApp::new().await;
    app.inner.gateway.budget = "1000000".parse().unwrap();
    let family = Family::of(app, Upstream::answering(speak).await, UpstreamForm::OpenAi).await;
    let (versions, is_over) = (Versions::default(), Cell::new(false));
    record_version(&family, &versions);

    let changing = change_rules(&family, &versions, &is_over);
    let asking = ask(&family, requests, changes, &is_over);
    let ((), named) = tokio::join!(changing, asking);

    let (versions, received) = (versions.into_inner(), family.upstream.received());
    assert_eq!(received.len(), named.len());
    let mut used = BTreeMap::<&String, usize>::new();
    for received in received {
        let body = received.json();
        let messages = body["messages"].as_array().unwrap();
        let words = messages
            .iter()
            .find(|message| message["role"] == "user")
            .unwrap();
        let number = words["content"]
            .as_str()
            .unwrap()
            .strip_prefix("Question ")
            .unwrap();
        let version = &named[&number.parse().unwrap()];
        let text = first_system_text(&body);
        assert!(text.ends_with(&versions[version]), "{version}: {text}");
        *used.entry(version).or_default() += 1;
    }
    println!(
        "{0} of {0} prompts end with the rules of the version that the response names, {1} versions",
        named.len(),
        used.len()
    );
}

#[tokio::test]
async fn each_prompt_ends_with_the_rules_of_the_version_that_the_response_names() {
    prove(500, 20).await;
}

#[tokio::test]
#[ignore = "long"]
async fn each_of_10_000_prompts_ends_with_the_rules_of_the_version_that_the_response_names() {
    prove(10_000, 500).await;
}
