//! Devices that are notified by Web Push. What a push service gets and answers: `tests/push_service.rs`.

use std::time::Duration;

use poem::http::Method;
use porchlight::admin::{RemoveGuardian, SignOutGuardian};
use porchlight::kernel::store::{Read as _, Table};
use porchlight::notifications::Servers;
use serde_json::{Value, json};

use crate::support::device::{Device, LAPTOP, PHONE};
use crate::support::family::{self, push_device};
use crate::support::features::Facts;
use crate::support::operations::{nothing, write};
use crate::support::tables::{Pages, Promise};
use crate::support::test_app::{Persona, Response, TestApp, restore};

pub static FACTS: Facts = Facts {
    tables: &[
        (
            Some(Promise::SignIn),
            None,
            &["push-device", "push-device-ended"],
        ),
        (None, None, &["push-key"]),
    ],
    damaged: &[
        (
            "push-device-ended",
            Pages::LacksAFieldAndARow(&["getAttention", "getPushSubscription", "getArrivals"], &[]),
        ),
        ("push-key", Pages::NewPushKey),
    ],
    writes: &[
        // Only addresses of push services, and keys.
        write("replacePushSubscription", None, |_| family::push_device("")).with_few_values(),
        write("deletePushSubscription", None, nothing),
    ],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const PATH: &str = "/api/subscription/push";

async fn app() -> TestApp {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    app.guardian(BEN).await;
    app
}

fn rows(app: &TestApp) -> usize {
    let all = Table::new("push-device").key();
    app.inner.store.keys_below(&all, usize::MAX).unwrap().len()
}

async fn status(by: &Persona<'_>) -> Value {
    by.get(PATH).await.json()
}

fn code(refused: &Response) -> Value {
    serde_json::from_str::<Value>(&refused.body).unwrap()["code"].clone()
}

/// What the persona's browser subscribes to.
async fn device(by: &Persona<'_>) -> Value {
    push_device(status(by).await["key"].as_str().unwrap())
}

fn is_on(status: &Value) -> bool {
    status.get("since").is_some()
}

#[tokio::test]
async fn a_device_is_notified_after_a_step_up_which_is_emailed() {
    let app = app().await;
    let signed_in = app.sign_in(ADA).await.json();
    let plain = app.bearer(signed_in["identity_token"].as_str().unwrap());
    plain.put(PATH, &device(&plain).await).await.problem(403);
    assert!(!is_on(&status(&plain).await));
    app.take_emails().await;

    let ada = app.stepped_up(ADA).await;
    let key = status(&ada).await["key"].as_str().unwrap().to_owned();
    ada.put(PATH, &device(&ada).await).await.ok();

    assert_eq!(
        status(&ada).await,
        json!({"key": key, "since": "2026-11-21T20:00:00Z", "others": 0})
    );
    // An uncompressed point, in base64url.
    assert!(key.len() == 87 && key.starts_with('B'));
    let elsewhere = status(&plain).await;
    assert!(!is_on(&elsewhere) && elsewhere["others"] == 1);
    let read = ada.get("/api/subscription").await.body;
    let shown = format!("{read}{elsewhere}");
    for secret in ["wpush", "BCVxsr7N", "BTBZMqHH"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    let emails = app.take_emails().await;
    let told = emails
        .iter()
        .filter(|it| it.subject.contains("notifications"));
    assert_eq!(told.count(), 1);

    ada.send(Method::DELETE, PATH, &[], None).await.ok();
    assert!(!is_on(&status(&ada).await));
}

#[tokio::test]
async fn endpoints_of_no_known_service_and_invalid_keys_are_refused() {
    let app = app().await;
    let ada = app.stepped_up(ADA).await;
    let refused = async |field: &str, value: &str| {
        let mut device = device(&ada).await;
        device[field] = json!(value);
        let refused = ada.put(PATH, &device).await;
        assert_eq!(refused.status, 422, "{field} {value}: {}", refused.body);
        code(&refused)
    };

    for endpoint in [
        "",
        "http://fcm.googleapis.com/a",
        "https://fcm.googleapis.com:8443/a",
        "https://me@fcm.googleapis.com/a",
        "https://fcm.googleapis.com.example.org/a",
        "https://127.0.0.1/a",
        "https://router.home/a",
    ] {
        assert_eq!(refused("endpoint", endpoint).await, "push_endpoint_unknown");
    }
    for field in ["p256dh", "auth"] {
        for value in ["", "AAAA", "?"] {
            assert_eq!(refused(field, value).await, "push_keys_invalid");
        }
    }
    let mut more = device(&ada).await;
    more["expirationTime"] = json!(null);
    ada.put(PATH, &more).await.problem(400);
    assert!(!is_on(&status(&ada).await));
}

#[tokio::test]
async fn without_https_no_device_is_notified() {
    let app = TestApp::with_servers_at("http://192.168.1.20:8080", Servers::default()).await;
    app.guardian(ADA).await;
    let ada = app.stepped_up(ADA).await;

    let refused = ada.put(PATH, &push_device("")).await;

    assert_eq!(refused.status, 409, "{}", refused.body);
    assert_eq!(code(&refused), "push_not_configured");
    assert_eq!(status(&ada).await, json!({"others": 0}));
}

#[tokio::test]
async fn a_device_ends_with_its_sign_in_and_its_guardian() {
    let app = app().await;
    let rows = || rows(&app);
    let add = async |persona: Persona<'_>| {
        persona.put(PATH, &device(&persona).await).await.ok();
        assert_eq!(rows(), 1);
    };
    let ended = |how: &str| assert_eq!(rows(), 0, "{how}");
    // Another device ends it.
    add(app.stepped_up(ADA).await).await;
    let other = app.stepped_up(ADA).await;
    let sign_ins = other.get("/api/auth/sign_ins").await.json();
    for sign_in in sign_ins["items"].as_array().unwrap() {
        if sign_in["current"] != true {
            let path = format!(
                "/api/auth/sign_ins/{}",
                sign_in["sign_in_id"].as_str().unwrap()
            );
            other.send(Method::DELETE, &path, &[], None).await.ok();
        }
    }
    ended("another device");

    add(app.stepped_up(ADA).await).await;
    let email = ADA.parse().unwrap();
    app.run_admin(SignOutGuardian { email }).await.0.unwrap();
    ended("the administrator");

    add(app.stepped_up(ADA).await).await;
    let email = ADA.parse().unwrap();
    app.run_admin(RemoveGuardian { email }).await.0.unwrap();
    ended("removed");
}

#[tokio::test]
async fn signing_out_here_or_everywhere_ends_it_also_after_recovery() {
    let app = app().await;
    let phone = Device::by_email(&app, ADA, PHONE).await;
    let codes = phone.codes().await;
    let step_up = json!({"way": "recovery_code", "code": codes[0]});
    phone.post("/api/auth/step_up", &step_up).await.ok();
    let laptop = Device::by_email(&app, ADA, LAPTOP).await;
    let key = phone.get(PATH).await["key"].clone();
    let device = push_device(key.as_str().unwrap());
    phone.call(Method::PUT, PATH, &device).await.ok();
    assert_eq!(rows(&app), 1);

    laptop.sign_out(&json!({})).await.ok();
    assert_eq!(rows(&app), 1, "another device");
    phone.sign_out(&json!({})).await.ok();
    assert_eq!(rows(&app), 0);

    let ada = app.stepped_up(ADA).await;
    ada.put(PATH, &device).await.ok();
    let recovered = Device::by_code(&app, &codes[1], LAPTOP).await;
    assert_eq!(rows(&app), 1);
    recovered.sign_out(&json!({"everywhere": true})).await.ok();
    assert_eq!(rows(&app), 0);
}

/// Queued messages to devices, by guardian and sign-in.
fn queued(app: &TestApp) -> usize {
    let of_kind = Table::new("queue").key().text("alerts-push");
    app.inner.store.keys_below(&of_kind, 100).unwrap().len()
}

#[tokio::test]
async fn quiet_hours_hold_for_all_devices_of_a_guardian_and_for_no_others() {
    let app = app().await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let personas = [
        app.stepped_up(ADA).await,
        app.stepped_up(ADA).await,
        app.stepped_up(BEN).await,
    ];
    for (number, persona) in personas.iter().enumerate() {
        let mut device = device(persona).await;
        device["endpoint"] = json!(format!("https://web.push.apple.com/{number}"));
        persona.put(PATH, &device).await.ok();
        let phrases = json!([{"words": "our secret", "side": "either"}]);
        let path = format!("/api/child/{mia}/watched_phrases");
        persona.put(&path, &phrases).await.ok();
    }
    let mut chosen = family::subscription();
    chosen["at_once"]["email"] = json!(false);
    chosen["time_zone"] = json!("UTC");
    chosen["at_once"]["quiet_hours"] = json!({"from": "19:00", "to": "23:00"});
    personas[0].put("/api/subscription", &chosen).await.ok();

    let delivery = json!({"session": "first", "topic": "Games", "messages": [
        {"message_id": "m", "source": "assistant", "text_content": "It is our secret."},
    ]});
    kitchen
        .post("/api/assistant/deliveries", &delivery)
        .await
        .ok();

    assert_eq!(queued(&app), 1, "Ben's");
    app.clock.advance(Duration::from_secs(3 * 60 * 60 + 60));
    app.inner.notifications.queue_due().await.unwrap();
    assert_eq!(queued(&app), 3);
}

#[tokio::test]
async fn a_device_of_another_key_ends_at_the_start_and_is_refused() {
    let app = app().await;
    app.child("Mia", &[ADA, BEN]).await;
    let ada = app.stepped_up(ADA).await;
    let former = device(&ada).await;
    ada.put(PATH, &former).await.ok();
    let app = app.restarted().await;
    assert_eq!(rows(&app), 1);

    let key = Table::new("push-key").key();
    family::damage(&app.inner, key, b"?".to_vec()).await;
    let app = app.restarted().await;

    assert_eq!(rows(&app), 0);
    let ada = app.stepped_up(ADA).await;
    assert_ne!(status(&ada).await["key"], former["key"]);
    let refused = ada.put(PATH, &former).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    assert_eq!(code(&refused), "push_key_replaced");
    // Ada learns it on another device, and Ben doesn't.
    let is_ended = async |by: &Persona<'_>| {
        let arrivals = by.get("/api/subscription/arrivals").await.json();
        let attention = by.get("/api/attention").await.body;
        let is_ended = status(by).await.get("ended_since").is_some();
        assert_eq!(arrivals["push"].get("refused").is_some(), is_ended);
        assert_eq!(attention.contains(r#""channel":"push""#), is_ended);
        is_ended
    };
    let ben = app.stepped_up(BEN).await;
    assert!(is_ended(&ada).await && !is_ended(&ben).await);
    ada.put(PATH, &device(&ada).await).await.ok();
    assert!(!is_ended(&ada).await);
}

#[tokio::test]
async fn a_further_device_takes_the_place_of_the_oldest() {
    let app = app().await;
    let mut oldest = None;
    for number in 0..11 {
        let ada = app.stepped_up(ADA).await;
        let mut device = device(&ada).await;
        device["endpoint"] = json!(format!("https://web.push.apple.com/{number}"));
        ada.put(PATH, &device).await.ok();
        app.clock.advance(Duration::from_secs(1));
        oldest.get_or_insert(ada);
    }

    assert_eq!(rows(&app), 10);
    assert!(!is_on(&status(&oldest.unwrap()).await));
}

#[tokio::test]
async fn a_test_is_sent_to_the_callers_device_alone() {
    // A name that leads nowhere (RFC 2606).
    let servers = Servers {
        push_hosts: vec!["push.invalid".parse().unwrap()],
        ..Servers::default()
    };
    let app = TestApp::with_servers(servers).await;
    app.guardian(ADA).await;
    app.child("Mia", &[ADA]).await;
    let (ada, elsewhere) = (app.stepped_up(ADA).await, app.stepped_up(ADA).await);
    let mut none = device(&ada).await;
    none["endpoint"] = json!("https://push.invalid/a");
    ada.put(PATH, &none).await.ok();
    let test = json!({"channel": "push"});

    let off = elsewhere.post("/api/subscription/tests", &test).await;
    let sent = ada.post("/api/subscription/tests", &test).await.json();

    assert_eq!(
        off.json(),
        json!({"taken": false, "outcome": "This device is not notified. Switch it on again."})
    );
    assert_eq!(sent["taken"], false);
    let arrivals = ada.get("/api/subscription/arrivals").await.json();
    assert_eq!(arrivals["push"]["refused"]["why"], sent["outcome"]);
    let attention = ada.get("/api/attention").await.body;
    assert!(attention.contains(r#""channel":"push""#), "{attention}");
    ada.send(Method::DELETE, PATH, &[], None).await.ok();
    let arrivals = ada.get("/api/subscription/arrivals").await.json();
    assert_eq!(arrivals["push"], json!({}));
}

#[tokio::test]
async fn a_browser_notifies_who_is_signed_in_there_last() {
    let app = app().await;
    let (ada, ben) = (app.stepped_up(ADA).await, app.stepped_up(BEN).await);
    ada.put(PATH, &device(&ada).await).await.ok();

    ben.put(PATH, &device(&ben).await).await.ok();

    assert!(!is_on(&status(&ada).await) && is_on(&status(&ben).await));
    let is_ended = async |by| status(by).await.get("ended_since").is_some();
    assert!(is_ended(&ada).await && !is_ended(&ben).await);
    // Another browser's is its own.
    let mut another = device(&ada).await;
    another["endpoint"] = json!("https://web.push.apple.com/abc");
    ada.put(PATH, &another).await.ok();
    assert!(is_on(&status(&ada).await) && is_on(&status(&ben).await));
}

#[tokio::test]
async fn a_restored_backup_notifies_no_device() {
    let app = app().await;
    let ada = app.stepped_up(ADA).await;
    ada.put(PATH, &device(&ada).await).await.ok();
    let key = status(&ada).await["key"].clone();
    let folder = tempfile::tempdir().unwrap();
    let (file, restored) = (folder.path().join("backup"), folder.path().join("restored"));
    app.back_up(&file).await;
    restore(&file, &restored, family::everybody()).unwrap();

    let copy = TestApp::in_folder(&restored).await;

    assert_eq!(rows(&copy), 0);
    let found = status(&copy.stepped_up(ADA).await).await;
    assert!(found["others"] == 0 && found["key"] != key);
}
