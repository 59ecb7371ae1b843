//! The running server's notifications and webhooks: kills, what is logged, and the commands that test the channels.

#[path = "../src/kernel/outgoing/queue/tests/receiver.rs"]
#[allow(
    dead_code,
    reason = "these tests have receivers that answer less badly"
)]
mod receiver;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::support::files::folder_contains;
use crate::support::load::{Rng, seed};
use crate::support::process::{Home, Server, text};
use receiver::Treatment::{Answers, AnswersWith, ClosesAfterRequest};
use receiver::{Received, Receiver, Treatment};
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";
const KEY: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const TOKEN: &str = "tk_canaryheron";
/// When the child was born, and how an assistant is told that it is 13.
const MONTH: &str = "2013-03";
const AGE: &str = "years old";
const ROUNDS: u64 = 8;

/// A family whose server sends to these receivers.
struct Family {
    home: Home,
    /// The assistant's.
    key: String,
    options: Vec<String>,
}

impl Family {
    fn new(ntfy: Option<&Receiver>, webhook: Option<&Receiver>) -> Self {
        let home = Home::new();
        home.ok(&["guardian", "add", ADA, "--name", "Canaryada"]);
        home.ok(&[
            "child",
            "add",
            "Canarymia",
            "--guardian",
            ADA,
            "--born",
            MONTH,
        ]);
        let added = home.json(&["assistant", "add", "canaryrobot", "--child", "1"]);
        std::fs::write(home.path().join("key"), KEY).unwrap();
        std::fs::write(home.path().join("token"), TOKEN).unwrap();
        let mut options = Vec::new();
        if let Some(ntfy) = ntfy {
            let url = format!("http://{}", ntfy.address);
            options.extend(["--ntfy", &url, "--ntfy-token-file", "token"].map(str::to_owned));
        }
        if let Some(webhook) = webhook {
            let url = format!("http://{}/api/webhook/canarypath", webhook.address);
            options.extend(["--webhook", &url, "--webhook-key-file", "key"].map(str::to_owned));
        }
        Self {
            home,
            key: added["key"].as_str().unwrap().to_owned(),
            options,
        }
    }

    fn with<'a>(&'a self, arguments: &[&'a str]) -> Vec<&'a str> {
        let options = self.options.iter().map(String::as_str);
        arguments.iter().copied().chain(options).collect()
    }

    fn serve(&self, log: &str) -> Server {
        let arguments = ["--limits", "off", "--assistant-quota", "off", "--log", log];
        self.home.serve(&self.with(&arguments))
    }

    fn ask(&self, server: &Server, method: &str, path: &str, body: Option<&Value>) -> Value {
        let token = self.home.json(&["token", ADA]);
        let token = token["identity_token"].as_str().unwrap();
        let body = body.map(Value::to_string);
        let (status, answer) = server
            .request(method, path, token, body.as_deref())
            .unwrap();
        assert!((200..300).contains(&status), "{status}: {answer}");
        serde_json::from_str(&answer).unwrap_or_default()
    }

    fn watch(&self, server: &Server) {
        let phrases = json!([{"words": "canary secret", "side": "assistant"}]);
        let path = "/api/child/1/watched_phrases";
        self.ask(server, "PUT", path, Some(&phrases));
    }

    fn subscribe(&self, server: &Server) {
        let settings = json!({
            "time_zone": "UTC",
            "at_once": {"email": false, "kinds": ["phrase"], "urgent_passes": false},
            "weekly": {"enabled": false, "weekday": "sun", "hour": 18},
            "quotes": false,
            "webhook_refused": false,
        });
        self.ask(server, "PUT", "/api/subscription", Some(&settings));
    }
}

/// Delivers a message with the phrase.
fn deliver_one(url: &str, key: &str, session: &str) -> Option<(u16, String)> {
    let text = "A canary secret.";
    let message = json!({"message_id": "m", "source": "assistant", "text_content": text});
    let delivery = json!({"session": session, "messages": [message]}).to_string();
    let path = "/api/assistant/deliveries";
    crate::support::process::request(url, "POST", path, key, Some(&delivery))
}

/// Fewer than a child's alerts that can wait, each with a message of its own.
const MOST_AT_ONCE: u64 = 90;

/// Delivers a message with the phrase in one session after the other, until the server is gone or [`MOST_AT_ONCE`] are acknowledged.
/// Counts the acknowledged ones.
fn deliver(url: &str, key: &str, round: u64, acknowledged: &AtomicU64) {
    while acknowledged.load(Ordering::SeqCst) < MOST_AT_ONCE {
        let session = format!("{round}-{}", acknowledged.load(Ordering::SeqCst));
        match deliver_one(url, key, &session) {
            Some((200, _)) => acknowledged.fetch_add(1, Ordering::SeqCst),
            Some((status, body)) => panic!("{status}: {body}"),
            None => return,
        };
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_webhooks_of_acknowledged_deliveries_survive_kills() {
    let mut rng = Rng::from(seed());
    let mut receiver = Receiver::open(&[Answers(204)]).await;
    let family = Family::new(None, Some(&receiver));
    family.watch(&family.serve("info"));
    let mut acknowledged = 0;
    let mut received = Vec::<Received>::new();

    let id = |it: &Received| {
        let body = serde_json::from_str::<Value>(&it.body).unwrap();
        body["data"]["alert_id"].as_u64().unwrap()
    };
    let alerts = |received: &[Received]| received.iter().map(id).collect::<Vec<_>>();
    let are_received = |received: &[Received], acknowledged: u64| {
        let distinct = alerts(received).into_iter().collect::<BTreeSet<_>>();
        distinct.len() as u64 >= acknowledged
    };

    for round in 0..ROUNDS {
        let server = family.serve("info");
        while !are_received(&received, acknowledged) {
            received.push(receiver.next().await);
        }
        let (count, writes) = (AtomicU64::new(0), 1 + rng.below(40));
        let delay = Duration::from_micros(rng.below(50_000));
        let url = server.url.clone();
        std::thread::scope(|scope| {
            scope.spawn(|| deliver(&url, &family.key, round, &count));
            while count.load(Ordering::SeqCst) < writes {
                std::thread::park_timeout(Duration::from_millis(1));
            }
            std::thread::park_timeout(delay);
            server.kill();
        });
        acknowledged += count.load(Ordering::SeqCst);
        received.extend(receiver.received());
    }
    let server = family.serve("info");
    while !are_received(&received, acknowledged) {
        received.push(receiver.next().await);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    received.extend(receiver.received());
    assert_eq!(server.terminate(), Some(0));

    // A repetition has the id of the first, and at most one message is repeated after each kill.
    let mut by_alert = BTreeMap::<u64, BTreeSet<String>>::new();
    for (alert, request) in alerts(&received).into_iter().zip(&received) {
        let id = request.header("webhook-id").unwrap().to_owned();
        by_alert.entry(alert).or_default().insert(id);
    }
    assert!(by_alert.values().all(|ids| ids.len() == 1));
    let repeated = received.len() - by_alert.len();
    assert!(
        repeated <= usize::try_from(ROUNDS).unwrap(),
        "{repeated} repetitions"
    );
    assert!(
        by_alert.len() - usize::try_from(acknowledged).unwrap() <= usize::try_from(ROUNDS).unwrap()
    );
    let order = alerts(&received);
    let mut first = BTreeSet::new();
    let firsts = order
        .into_iter()
        .filter(|alert| first.insert(*alert))
        .collect::<Vec<_>>();
    assert!(firsts.is_sorted(), "{firsts:?}");
    println!("{ROUNDS} kills, {acknowledged} acknowledged alerts, {repeated} repetitions");
}

#[tokio::test(flavor = "multi_thread")]
async fn topic_token_key_path_and_words_are_in_no_log_url_or_error() {
    let redirects = AnswersWith(307, "location: http://127.0.0.1:1/canarypath");
    let refusing = [Answers(200), redirects, Answers(403), ClosesAfterRequest];
    let mut ntfy = Receiver::open(&refusing).await;
    let refusing = [Answers(400), Answers(422), ClosesAfterRequest];
    let mut webhook = Receiver::open(&refusing).await;
    let family = Family::new(Some(&ntfy), Some(&webhook));
    let server = family.serve("debug");
    family.watch(&server);
    family.subscribe(&server);
    let path = "/api/subscription/notifications";
    let topic = family.ask(&server, "POST", path, None)["topic"].clone();
    let topic = topic.as_str().unwrap();
    let mut requests = vec![ntfy.next().await];
    for session in ["canary1", "canary2", "canary3"] {
        deliver_one(&server.url, &family.key, session).unwrap();
        requests.push(webhook.next().await);
    }
    requests.push(ntfy.next().await);

    let tested = family.home.run(&["notify-test", ADA]);
    let checked = family.home.run(&family.with(&["check", "--online"]));

    requests.extend([ntfy.received(), webhook.received()].concat());
    let (code, log) = server.terminate_with_log();
    assert_eq!(code, Some(0));
    assert!(log.contains("a message was refused"), "{log}");
    let outputs = [tested, checked];
    let printed = outputs.map(|output| text(&output.stdout) + &text(&output.stderr));
    let printed = printed.concat();
    assert!(
        printed.contains("webhook  The connection broke off"),
        "{printed}"
    );
    assert!(
        printed.contains("does not allow it (status 403)"),
        "{printed}"
    );
    for canary in [topic, TOKEN, &KEY[6..], "canary", MONTH, AGE] {
        assert!(!log.contains(canary), "{canary} is logged: {log}");
        assert!(!printed.contains(canary), "{canary}: {printed}");
    }
    assert!(requests.len() >= 7, "{}", requests.len());
    for request in &requests {
        let line = request.head.lines().next().unwrap();
        assert!(!line.contains(topic), "{line}");
        let body = request.body.to_lowercase();
        assert!(!body.contains("canary"), "{body}");
        assert!(!body.contains(MONTH) && !body.contains(AGE), "{body}");
    }
    // They are the administrator's, and not in the store.
    for canary in [TOKEN, &KEY[6..], "canarypath"] {
        assert!(!folder_contains(&family.home.data(), canary), "{canary}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn notify_test_prints_what_each_server_answered_with_and_without_a_running_server() {
    let mut ntfy = Receiver::open(&[Answers(200)]).await;
    let mut webhook = Receiver::open(&[Answers(200)]).await;
    let family = Family::new(Some(&ntfy), Some(&webhook));
    let test = |more: &[&str]| {
        let arguments = [&["notify-test", ADA], more].concat();
        let output = family.home.run(&arguments);
        (
            output.status.code(),
            text(&output.stdout) + &text(&output.stderr),
        )
    };
    let mail = ["--mail", "console"];

    let nothing = "\
email    No mail server is configured (--smtp).
ntfy     No ntfy server is configured (--ntfy).
devices  Only a running server with https can notify devices.
webhook  No webhook is configured (--webhook).
";
    assert_eq!(test(&[]), (Some(0), nothing.to_owned()));
    let (code, alone) = test(&family.with(&mail));
    assert_eq!(code, Some(0), "{alone}");
    for sentence in [
        "A test from Porchlight",
        "email    The mail server accepted it.",
        "ntfy     This guardian has not switched notifications on.",
        "webhook  The server answered with the status 200.",
    ] {
        assert!(alone.contains(sentence), "{alone}");
    }
    let event = serde_json::from_str::<Value>(&webhook.next().await.body).unwrap();
    assert_eq!(
        (&event["type"], &event["data"]),
        (&json!("test"), &json!({}))
    );

    let server = family.serve("info");
    family.ask(&server, "POST", "/api/subscription/notifications", None);
    ntfy.next().await;
    let (code, through) = test(&[]);
    assert_eq!(code, Some(0), "{through}");
    assert!(through.contains("email    No mail server"), "{through}");
    assert!(
        through.contains("ntfy     The server answered with the status 200."),
        "{through}"
    );
    webhook.next().await;
    assert!(ntfy.next().await.body.contains("arrive here"));
    assert_eq!(server.terminate(), Some(0));

    drop((ntfy, webhook));
    let (code, refused) = test(&family.with(&[]));
    assert_eq!(code, Some(1), "{refused}");
    assert!(
        refused.contains("no program listens at that port"),
        "{refused}"
    );
    assert!(
        refused.contains("2 of the messages were not sent."),
        "{refused}"
    );
    let unknown = family.home.refused(&["notify-test", "eve@example.org"]);
    assert!(!unknown.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn check_online_asks_for_ntfys_health_and_connects_to_the_webhooks_host() {
    let mut healthy = Receiver::open(&[Treatment::Healthy]).await;
    let mut webhook = Receiver::open(&[Answers(200)]).await;
    let family = Family::new(Some(&healthy), Some(&webhook));

    let printed = family.home.ok(&family.with(&["check", "--online"]));

    assert!(
        printed.contains("ntfy now     is healthy; no certificate"),
        "{printed}"
    );
    assert!(
        printed.contains("webhook now  can be reached; no certificate"),
        "{printed}"
    );
    let asked = healthy.received();
    assert!(asked[0].head.starts_with("GET /v1/health HTTP/1.1\r\n"));
    assert_eq!(asked[0].header("authorization"), None);
    assert!(webhook.received().is_empty(), "nothing is sent");

    let other = Receiver::open(&[Answers(200)]).await;
    let family = Family::new(Some(&other), None);
    let refused = family.home.refused(&family.with(&["check", "--online"]));
    assert!(
        refused.contains("its answer is not an ntfy server's"),
        "{refused}"
    );
    drop(other);
    let refused = family.home.refused(&family.with(&["check", "--online"]));
    assert!(
        refused.contains("The ntfy server cannot be reached"),
        "{refused}"
    );
}
