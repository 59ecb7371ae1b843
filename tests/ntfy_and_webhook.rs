//! Notifications by ntfy, and the administrator's webhook.
//!
//! No registry has ntfy's server, so a receiver of our own takes its place: it shows what the documented calls contain.

#[path = "../src/kernel/outgoing/queue/tests/receiver.rs"]
#[allow(
    dead_code,
    reason = "these tests have receivers that answer less badly"
)]
mod receiver;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::support::family;
use crate::support::test_app::{Persona, TestApp, restore};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use poem::http::Method;
use porchlight::admin::{ListNotArriving, RemoveChild, SignOutGuardian};
use porchlight::children::ChildId;
use porchlight::kernel::outgoing::webhook::Webhook;
use porchlight::notifications::Servers;
use receiver::Treatment::{self, Answers, AnswersPage, ClosesAfterRequest};
use receiver::{Received, Receiver};
use serde_json::{Value, json};
use sha2::Sha256;

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const MINUTE: Duration = Duration::from_secs(60);
const PATH: &str = "/api/subscription";
const TOPIC: &str = "/api/subscription/notifications";
const KEY: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Ada and Ben share Mia, who talks with Kitchen. Ada watches for secrets.
struct World {
    app: TestApp,
    mia: ChildId,
    kitchen: String,
    sessions: AtomicU64,
}

impl World {
    async fn new(servers: Servers) -> Self {
        Self::of_app(TestApp::with_servers(servers).await).await
    }

    async fn of_app(app: TestApp) -> Self {
        app.named_guardian(ADA, "Adabanana").await;
        app.named_guardian(BEN, "Benbanana").await;
        let mia = app.child("Miabanana", &[ADA, BEN]).await;
        let kitchen = app.assistant("Kitchen", &[mia]).await;
        let kitchen = kitchen.credential().to_owned();
        let world = Self {
            app,
            mia,
            kitchen,
            sessions: 0.into(),
        };
        let path = format!("/api/child/{mia}/watched_phrases");
        let phrases = json!([{"words": "our secret banana", "side": "either"}]);
        world.of(ADA).await.put(&path, &phrases).await.ok();
        world
    }

    async fn of(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    async fn choose(&self, email: &str, change: impl FnOnce(&mut Value)) {
        let mut settings = family::subscription_off();
        change(&mut settings);
        self.of(email).await.put(PATH, &settings).await.ok();
    }

    async fn refuse(&self, email: &str, refused: bool) {
        let change = |settings: &mut Value| settings["webhook_refused"] = json!(refused);
        self.choose(email, change).await;
    }

    async fn switch_on(&self, email: &str) -> Value {
        let switched = self
            .of(email)
            .await
            .send(Method::POST, TOPIC, &[], None)
            .await;
        assert_eq!(switched.status, 201, "{}", switched.body);
        switched.json()
    }

    /// A new conversation in which Ada's phrase is said. Returns its id.
    async fn phrase(&self) -> u64 {
        self.delivery(json!([{
            "message_id": "m", "source": "assistant", "text_content": "It is our secret banana.",
        }]))
        .await
    }

    /// A new conversation in which an id was used twice: an alert of all guardians. Returns its id.
    async fn for_all(&self) -> u64 {
        let text =
            |text: &str| json!([{"message_id": "m", "source": "child", "text_content": text}]);
        let session = self.delivery(text("Banana?")).await;
        self.sessions.fetch_sub(1, Ordering::SeqCst);
        assert_eq!(self.delivery(text("Banana!")).await, session);
        session
    }

    async fn delivery(&self, messages: Value) -> u64 {
        let number = self.sessions.fetch_add(1, Ordering::SeqCst);
        let robot = self.app.bearer(&self.kitchen);
        let delivery = json!({"topic": "banana", "messages": messages});
        let delivered = robot.deliver(&format!("s{number}"), &delivery).await;
        delivered.json()["session_id"].as_u64().unwrap()
    }

    /// Sends what is due.
    async fn send(&self) {
        self.app.inner.notifications.queue_due().await.unwrap();
        self.app.inner.queue.deliver_due().await.unwrap();
    }

    async fn pass(&self, minutes: u32) {
        self.app.clock.advance(MINUTE * minutes);
        self.send().await;
    }

    async fn sign_out_everywhere(&self, email: &str) {
        let email = email.parse().unwrap();
        let signed_out = self.app.run_admin(SignOutGuardian { email });
        signed_out.await.0.unwrap();
    }
}

async fn ntfy(treatments: &[Treatment]) -> (Receiver, Servers) {
    let receiver = Receiver::open(treatments).await;
    let server = format!("http://{}", receiver.address).parse().unwrap();
    let servers = Servers {
        ntfy: Some(server),
        webhook: None,
        ..Servers::default()
    };
    (receiver, servers)
}

async fn webhook(treatments: &[Treatment]) -> (Receiver, Servers) {
    let receiver = Receiver::open(treatments).await;
    let url = format!("http://{}/hook/s3cret", receiver.address);
    let servers = Servers {
        ntfy: None,
        webhook: Some(Webhook::new(&url, KEY).unwrap()),
        ..Servers::default()
    };
    (receiver, servers)
}

fn json_of(received: &Received) -> Value {
    serde_json::from_str(&received.body).unwrap()
}

fn texts(received: &[Received]) -> Vec<String> {
    let text = |it: &Received| json_of(it)["message"].as_str().unwrap().to_owned();
    received.iter().map(text).collect()
}

fn decoded(rows: &Value) -> String {
    let rows = rows.as_array().unwrap().iter();
    let rows = rows
        .map(|row| row.as_str().unwrap().as_bytes())
        .collect::<Vec<_>>();
    let (module, border) = (4, 4);
    let side = (rows.len() + 2 * border) * module;
    let mut image = rqrr::PreparedImage::prepare_from_bitmap(side, side, |x, y| {
        let place = |at: usize| (at / module).checked_sub(border);
        let row = place(y).and_then(|row| rows.get(row));
        row.and_then(|row| row.get(place(x)?)) == Some(&b'1')
    });
    image.detect_grids()[0].decode().unwrap().1
}

/// Computes the signature that Standard Webhooks specifies, independently of the server's code.
fn is_signed(received: &Received) -> bool {
    let key = STANDARD.decode(&KEY["whsec_".len()..]).unwrap();
    let header = |name| received.header(name).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
    mac.update(format!("{id}.{timestamp}.{}", received.body).as_bytes());
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    header("webhook-signature") == expected
}

#[tokio::test]
async fn a_topic_is_shown_once_after_a_step_up_and_gets_a_test() {
    let (mut receiver, servers) = ntfy(&[Answers(200)]).await;
    let world = World::new(servers).await;
    let signed_in = world.app.sign_in(ADA).await.json();
    let ada = world
        .app
        .bearer(signed_in["identity_token"].as_str().unwrap());
    world.app.take_emails().await;

    ada.send(Method::POST, TOPIC, &[], None).await.problem(403);
    world.send().await;
    assert!(receiver.received().is_empty());

    let shown = world.switch_on(ADA).await;
    let server = format!("http://{}", receiver.address);
    let topic = shown["topic"].as_str().unwrap();
    assert_eq!(shown["server"], *server);
    assert!(topic.len() == 32 && topic.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let link = format!(
        "ntfy://{}/{topic}?display=Porchlight&secure=false",
        receiver.address
    );
    assert_eq!(shown["link"], *link);
    assert_eq!(decoded(&shown["qr_code"]), link);

    let read = ada.get(PATH).await;
    assert_eq!(
        read.json()["notification"],
        json!({"enabled": true, "server": server, "since": "2026-11-21T20:00:00Z"})
    );
    assert!(!read.body.contains(topic));
    let emails = world.app.take_emails().await;
    let told = emails
        .iter()
        .find(|email| email.subject.contains("notifications"));
    assert!(!told.unwrap().text.contains(topic));
    let received = receiver.received();
    assert_eq!(received.len(), 1);
    assert!(received[0].head.starts_with("POST / HTTP/1.1\r\n"));
    assert!(!received[0].head.contains(topic));
    let mut test = json_of(&received[0]);
    assert_eq!(test["sequence_id"].take().as_str().map(str::len), Some(32));
    assert_eq!(
        test,
        json!({"topic": topic, "title": "Porchlight", "sequence_id": null,
            "message": "Notifications from Porchlight arrive here."})
    );
}

#[tokio::test]
async fn without_an_ntfy_server_notifications_cannot_be_switched_on() {
    let world = World::new(Servers::default()).await;
    let ada = world.of(ADA).await;

    let refused = ada.send(Method::POST, TOPIC, &[], None).await;

    assert!(refused.problem(409).contains("--ntfy"));
    ada.send(Method::DELETE, TOPIC, &[], None).await.ok();
    assert_eq!(
        ada.get(PATH).await.json()["notification"],
        json!({"enabled": false})
    );
}

#[tokio::test]
async fn a_notification_says_only_that_there_is_something_and_leads_to_the_page() {
    let (mut receiver, servers) = ntfy(&[Answers(200)]).await;
    let world = World::new(servers).await;
    world.choose(ADA, |_| ()).await;
    let topic = world.switch_on(ADA).await["topic"].clone();
    world.send().await;
    receiver.received();

    world.phrase().await;
    world.send().await;

    let received = receiver.received();
    let mut told = json_of(&received[0]);
    told["sequence_id"].take();
    let click = format!("https://porchlight.example/child/{}/alerts", world.mia);
    assert_eq!(
        told,
        json!({"topic": topic, "title": "Porchlight", "click": click, "sequence_id": null,
            "message": "Porchlight has something to tell you."})
    );
    assert_eq!(received.len(), 1, "Ben has not switched them on");
    // At most one in ten minutes; what waited comes as one.
    world.phrase().await;
    world.pass(9).await;
    world.phrase().await;
    world.send().await;
    assert!(receiver.received().is_empty());
    world.pass(2).await;
    assert_eq!(receiver.received().len(), 1);
    world.pass(60).await;
    assert!(receiver.received().is_empty());
}

#[tokio::test]
async fn only_a_page_that_a_phone_can_reach_is_linked() {
    for (url, is_linked) in [
        ("http://127.0.0.1:8080", false),
        ("http://192.168.1.20:8080", true),
    ] {
        let (mut receiver, servers) = ntfy(&[Answers(200)]).await;
        let hook = format!("http://{}/hook", receiver.address);
        let servers = Servers {
            webhook: Some(Webhook::new(&hook, KEY).unwrap()),
            ..servers
        };
        let world = World::of_app(TestApp::with_servers_at(url, servers).await).await;
        world.choose(ADA, |_| ()).await;
        world.switch_on(ADA).await;
        world.send().await;
        receiver.received();

        world.phrase().await;
        world.send().await;

        let received = receiver.received();
        assert_eq!(received.len(), 2);
        for request in received {
            let body = json_of(&request);
            let link = body.get("click").or(body["data"].get("link"));
            assert_eq!(link.is_some(), is_linked, "{url}: {body}");
        }
    }
}

#[tokio::test]
async fn switching_off_signing_out_everywhere_and_another_topic_end_a_topic() {
    let (mut receiver, servers) = ntfy(&[Answers(200)]).await;
    let world = World::new(servers).await;
    world.choose(ADA, |_| ()).await;
    let first = world.switch_on(ADA).await["topic"].clone();
    let second = world.switch_on(ADA).await["topic"].clone();
    assert_ne!(first, second);
    world.send().await;
    world.phrase().await;
    world.send().await;
    let received = receiver.received();
    let topics = received.iter().map(|it| json_of(it)["topic"].clone());
    assert_eq!(topics.collect::<Vec<_>>(), [second.clone(), second]);

    let is_on =
        async || world.of(ADA).await.get(PATH).await.json()["notification"]["enabled"].clone();
    world.phrase().await;
    world
        .of(ADA)
        .await
        .send(Method::DELETE, TOPIC, &[], None)
        .await
        .ok();
    assert_eq!(is_on().await, false);
    world.pass(60).await;
    world.phrase().await;
    world.pass(60).await;
    assert!(receiver.received().is_empty());

    world.switch_on(ADA).await;
    world.sign_out_everywhere(ADA).await;
    assert_eq!(is_on().await, false);
    world.phrase().await;
    world.pass(60).await;
    assert!(receiver.received().is_empty(), "nor a test");
}

#[tokio::test]
async fn a_restored_backup_has_no_topic_and_keeps_refusals() {
    let (mut receiver, servers) = webhook(&[Answers(200)]).await;
    let servers = Servers {
        ntfy: Some(format!("http://{}", receiver.address).parse().unwrap()),
        ..servers
    };
    let world = World::new(servers.clone()).await;
    world.refuse(ADA, true).await;
    world.switch_on(ADA).await;
    let folder = tempfile::tempdir().unwrap();
    let (file, restored) = (folder.path().join("backup"), folder.path().join("restored"));
    world.app.back_up(&file).await;
    restore(&file, &restored, family::everybody()).unwrap();
    let robot = world.kitchen.clone();
    world.send().await;
    receiver.received();

    let app = TestApp::in_folder_with_servers(&restored, servers).await;

    let copy = World {
        mia: world.mia,
        kitchen: robot,
        sessions: 100.into(),
        app,
    };
    let read = copy.of(ADA).await.get(PATH).await.json();
    assert_eq!(read["notification"]["enabled"], false);
    assert_eq!(read["restored"]["notifications"], true);
    assert!(read["restored"]["restored_at"].is_string());
    assert_eq!(read["settings"]["webhook_refused"], true);
    copy.phrase().await;
    copy.for_all().await;
    copy.pass(60).await;
    assert!(receiver.received().is_empty());
}

#[tokio::test]
async fn what_waited_for_the_night_is_told_once_and_says_since_when() {
    let (receiver, servers) = ntfy(&[Answers(200)]).await;
    let world = World::new(servers).await;
    world.choose(ADA, |_| ()).await;
    world.switch_on(ADA).await;
    world.send().await;
    let address = receiver.address;
    drop(receiver);
    // The port closes once the task has ended.
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }

    for _ in 0..8 {
        world.phrase().await;
        for _ in 0..60 {
            world.pass(1).await;
        }
    }
    let mut receiver = Receiver::at(address, &[Answers(200)]).await;
    for _ in 0..30 {
        world.pass(1).await;
    }

    let told = texts(&receiver.received());
    let since = "Saturday, November 21, 2026, 8:00 PM (UTC)";
    let expected = format!("Porchlight has had something to tell you since {since}.");
    assert_eq!(told, [expected]);
}

#[tokio::test]
async fn a_notification_whose_answer_was_lost_is_sent_again_as_the_same() {
    let (mut receiver, servers) = ntfy(&[Answers(200), ClosesAfterRequest, Answers(200)]).await;
    let world = World::new(servers).await;
    world.choose(ADA, |_| ()).await;
    world.switch_on(ADA).await;
    world.send().await;
    receiver.received();

    world.phrase().await;
    world.send().await;
    world.pass(1).await;
    world.pass(30).await;

    let received = receiver.received();
    let ids = received.iter().map(|it| json_of(it)["sequence_id"].clone());
    let ids = ids.collect::<Vec<_>>();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1]);
}

#[tokio::test]
async fn a_webhook_is_signed_and_has_a_kind_ids_times_and_a_link() {
    let (mut receiver, servers) = webhook(&[Answers(503), Answers(204)]).await;
    let world = World::new(servers).await;

    let arrivals = async || world.of(BEN).await.get(ARRIVALS).await.json()["webhook"].clone();

    let session = world.phrase().await;
    world.send().await;
    let why = "The server has a problem (status 503).";
    let refused = json!({"since": "2026-11-21T00:00:00Z", "why": why});
    assert_eq!(arrivals().await, json!({"refused": refused}));
    world.pass(1).await;
    assert_eq!(arrivals().await, json!({}), "when Ada had an alert");

    let received = receiver.received();
    let [first, second] = received.as_slice() else {
        panic!("{} requests", received.len());
    };
    let mia = world.mia;
    assert!(first.head.starts_with("POST /hook/s3cret HTTP/1.1\r\n"));
    assert_eq!(
        json_of(first),
        json!({
            "type": "alert.created",
            "timestamp": "2026-11-21T20:00:00Z",
            "data": {
                "kind": "phrase",
                "alert_id": 1_795_291_200_000_000_u64,
                "child_id": mia,
                "session_id": session,
                "at": "2026-11-21T20:00:00Z",
                "arrived_at": "2026-11-21T20:00:00Z",
                "link": format!("https://porchlight.example/child/{mia}/alerts"),
            },
        })
    );
    assert!(is_signed(first) && is_signed(second));
    assert_eq!(first.body, second.body);
    assert_eq!(first.header("webhook-id"), second.header("webhook-id"));
    assert_eq!(first.header("webhook-timestamp"), Some("1795291200"));
    assert_eq!(second.header("webhook-timestamp"), Some("1795291260"));
    let id = first.header("webhook-id").unwrap();
    assert!(id.starts_with("msg_") && id.len() == 36, "{id}");
}

#[tokio::test]
async fn guardians_are_told_of_the_webhook_and_each_can_refuse() {
    let (mut receiver, servers) = webhook(&[Answers(200)]).await;
    let world = World::new(servers).await;
    for email in [ADA, BEN] {
        let read = world.of(email).await.get(PATH).await.json();
        assert_eq!(read["webhook"], json!({"host": "127.0.0.1"}));
    }
    let kinds = async |receiver: &mut Receiver| {
        world.phrase().await;
        world.for_all().await;
        world.send().await;
        let received = receiver.received();
        let kinds = received
            .iter()
            .map(|it| json_of(it)["data"]["kind"].clone());
        kinds.collect::<Vec<_>>()
    };

    assert_eq!(kinds(&mut receiver).await, ["phrase", "not_kept"]);
    // Ben's refusal holds for what is all guardians', and not for Ada's phrases.
    world.refuse(BEN, true).await;
    assert_eq!(kinds(&mut receiver).await, ["phrase"]);
    world.refuse(BEN, false).await;
    world.refuse(ADA, true).await;
    assert_eq!(kinds(&mut receiver).await, [""; 0]);
    world.refuse(ADA, false).await;
    assert_eq!(kinds(&mut receiver).await, ["phrase", "not_kept"]);

    // Nothing is taken from anybody's list.
    let path = format!("/api/child/{}/alerts", world.mia);
    let of_ada = world.of(ADA).await.get(&path).await.json();
    let of_ben = world.of(BEN).await.get(&path).await.json();
    assert_eq!(of_ada["alerts"].as_array().map(Vec::len), Some(8));
    assert_eq!(of_ben["alerts"].as_array().map(Vec::len), Some(4));
}

#[tokio::test]
async fn what_waits_is_not_sent_once_it_is_refused_deleted_or_nobodys() {
    let (receiver, servers) = webhook(&[Answers(200)]).await;
    let address = receiver.address;
    drop(receiver);
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    let world = World::new(servers).await;
    let deleted = world.phrase().await;
    let refused = world.for_all().await;
    world.send().await;

    world.refuse(BEN, true).await;
    let path = format!("/api/sessions/{deleted}");
    let ada = world.of(ADA).await;
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    let mut receiver = Receiver::at(address, &[Answers(200)]).await;
    world.pass(1).await;
    assert!(receiver.received().is_empty(), "{deleted} {refused}");

    world.refuse(BEN, false).await;
    world.phrase().await;
    world.for_all().await;
    let removed = world.app.run_admin(RemoveChild {
        child: world.mia,
        name: "Miabanana".to_owned(),
    });
    removed.await.0.unwrap();
    world.send().await;
    assert!(receiver.received().is_empty());
}

#[tokio::test]
async fn nothing_that_leaves_has_a_word_a_name_or_a_phrase() {
    let (mut receiver, servers) = webhook(&[Answers(200)]).await;
    let servers = Servers {
        ntfy: Some(format!("http://{}", receiver.address).parse().unwrap()),
        ..servers
    };
    let world = World::new(servers).await;
    for email in [ADA, BEN] {
        world
            .choose(email, |settings| settings["quotes"] = json!(true))
            .await;
        world.switch_on(email).await;
    }

    world.phrase().await;
    world.for_all().await;
    world.send().await;

    let received = receiver.received();
    assert_eq!(
        received.len(),
        2 + 1 + 2,
        "two tests, a notification and two webhooks"
    );
    for request in received {
        let all = format!("{request:?}").to_lowercase();
        for word in ["banana", "kitchen", "example.org"] {
            assert!(!all.contains(word), "{word}: {all}");
        }
    }
}

const ARRIVALS: &str = "/api/subscription/arrivals";

#[tokio::test]
async fn until_a_notification_arrives_its_guardian_reads_that_none_does() {
    let (_receiver, servers) = ntfy(&[Answers(403), Answers(403), Answers(200)]).await;
    let world = World::new(servers).await;
    let needs =
        async |email| world.of(email).await.get("/api/attention").await.json()["items"][0].clone();
    world.switch_on(ADA).await;
    world.send().await;
    let since = world.app.inner.clock.now().to_string();

    let found = needs(ADA).await;
    assert_eq!(found["state"], "not_reached");
    assert_eq!(found["channel"], "notification");
    assert_eq!(found["since"], since);
    assert_eq!(found["more"], 0);
    assert_eq!(needs(BEN).await["state"], "nothing_heard");

    // Who wants none about this child expects none.
    world
        .choose(ADA, |settings| settings["at_once"]["children"] = json!([]))
        .await;
    assert_eq!(needs(ADA).await["state"], "nothing_heard");
    world.choose(ADA, |_| {}).await;

    world.pass(1).await;
    assert_eq!(
        needs(ADA).await["state"],
        "not_reached",
        "the second was refused, too"
    );
    assert_eq!(needs(ADA).await["since"], since);
    world.pass(5).await;
    assert_eq!(needs(ADA).await["state"], "nothing_heard");
}

#[tokio::test]
async fn a_refused_notification_is_shown_to_its_guardian_and_the_administrator_until_one_is_taken()
{
    let (_receiver, servers) = ntfy(&[Answers(403), Answers(200)]).await;
    let world = World::new(servers).await;
    let not_arriving = async || world.app.run_admin(ListNotArriving).await.0.unwrap();
    world.switch_on(ADA).await;
    assert!(not_arriving().await.is_empty());

    world.send().await;

    let why = "The server does not allow it (status 403).";
    let refused = world.of(ADA).await.get(ARRIVALS).await.json();
    assert_eq!(refused["notification"]["refused"]["why"], why);
    let nothing = json!({"email": {}, "notification": {}, "push": {}, "webhook": {}});
    assert_eq!(world.of(BEN).await.get(ARRIVALS).await.json(), nothing);
    let found = not_arriving().await;
    assert_eq!((found.len(), found[0].channel.as_str()), (1, "ntfy"));
    assert_eq!(found[0].why, why);

    world.pass(1).await;

    let taken = world.of(ADA).await.get(ARRIVALS).await.json();
    assert_eq!(taken["notification"].get("refused"), None);
    assert!(taken["notification"]["taken_at"].is_string());
    assert!(not_arriving().await.is_empty());
}

#[tokio::test]
async fn a_guardians_test_shows_what_became_of_it() {
    let (mut receiver, servers) = ntfy(&[Answers(200), AnswersPage, Answers(200)]).await;
    let world = World::new(servers).await;
    world.switch_on(ADA).await;
    world.send().await;
    receiver.received();
    let ada = world.of(ADA).await;
    let test = async |channel: &str| {
        let body = Some(json!({"channel": channel}).to_string());
        let path = "/api/subscription/tests";
        ada.send(Method::POST, path, &[], body).await.json()
    };

    let login = test("notification").await;
    let outcome = "The server answered with a web page (status 200), perhaps to sign in.";
    assert_eq!(login, json!({"taken": false, "outcome": outcome}));
    let shown = ada.get(ARRIVALS).await.json();
    assert_eq!(shown["notification"]["refused"]["why"], outcome);
    let taken = test("notification").await;
    assert_eq!(taken["taken"], true);
    let email = test("email").await;
    assert_eq!(
        email,
        json!({"taken": true, "outcome": "The mail server accepted it."})
    );
    let shown = ada.get(ARRIVALS).await.json();
    assert_eq!(shown["notification"].get("refused"), None);
    assert!(shown["email"]["taken_at"].is_string());
}

#[tokio::test]
async fn a_guardian_can_send_five_tests_at_once() {
    let app = TestApp::with_rate_limits().await;
    let ada = app.guardian(ADA).await;
    let channel = json!({"channel": "email"});

    let mut statuses = Vec::new();
    for _ in 0..6 {
        let answer = ada.post("/api/subscription/tests", &channel).await;
        statuses.push(answer.status.as_u16());
    }

    assert_eq!(statuses, [200, 200, 200, 200, 200, 429]);
}

#[tokio::test]
async fn a_flood_of_one_childs_alerts_takes_no_place_of_another_and_none_is_lost() {
    let (receiver, servers) = webhook(&[Answers(503)]).await;
    let address = receiver.address;
    drop(receiver);
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    let world = World::new(servers).await;
    for _ in 0..130 {
        world.phrase().await;
    }
    let ben = world.app.child("Tombanana", &[BEN]).await;
    let robot = world.app.assistant("Bedroom", &[ben]).await;
    let path = format!("/api/child/{ben}/watched_phrases");
    let phrases = json!([{"words": "help me", "side": "either"}]);
    world.of(BEN).await.put(&path, &phrases).await.ok();
    let delivery = json!({"topic": "banana", "messages": [{
        "message_id": "m", "source": "child", "text_content": "Help me!",
    }]});
    let robot = world.app.bearer(robot.credential());
    robot.deliver("other", &delivery).await;

    let mut receiver = Receiver::at(address, &[Answers(200)]).await;
    while let Some(next) = world.app.inner.queue.deliver_due().await.unwrap() {
        world.app.clock.advance(next);
    }

    let received = receiver.received();
    let of = |child: ChildId| {
        let of = received.iter().map(json_of);
        let of = of.filter(|it| it["data"]["child_id"] == json!(child));
        of.collect::<Vec<_>>()
    };
    let (of_mia, of_tom) = (of(world.mia), of(ben));
    assert_eq!((of_mia.len(), of_tom.len()), (101, 1));
    let more = of_mia.iter().find(|it| it["type"] == "alert.more");
    assert_eq!(more.unwrap()["data"]["count"], 30);
    assert!(received.iter().all(is_signed));
}
