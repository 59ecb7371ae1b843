//! Devices that are notified by Web Push. What a push service gets and answers: `tests/push_service.rs`.

use poem::http::Method;
use porchlight::admin::{RemoveGuardian, SignOutGuardian};
use porchlight::kernel::store::{Read as _, Table};
use porchlight::notifications::Servers;
use serde_json::{Value, json};

use crate::support::family::{self, push_device};
use crate::support::test_app::{Persona, Response, TestApp, restore};

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

fn is_on(status: &Value) -> bool {
    status.get("since").is_some()
}

#[tokio::test]
async fn a_device_is_notified_after_a_step_up_which_is_emailed() {
    let app = app().await;
    let signed_in = app.sign_in(ADA).await.json();
    let plain = app.bearer(signed_in["identity_token"].as_str().unwrap());
    plain.put(PATH, &push_device()).await.problem(403);
    assert!(!is_on(&status(&plain).await));
    app.take_emails().await;

    let ada = app.stepped_up(ADA).await;
    let key = status(&ada).await["key"].as_str().unwrap().to_owned();
    ada.put(PATH, &push_device()).await.ok();

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
        let mut device = push_device();
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
    let mut more = push_device();
    more["expirationTime"] = json!(null);
    ada.put(PATH, &more).await.problem(400);
    assert!(!is_on(&status(&ada).await));
}

#[tokio::test]
async fn without_https_no_device_is_notified() {
    let app = TestApp::with_servers_at("http://192.168.1.20:8080", Servers::default()).await;
    app.guardian(ADA).await;
    let ada = app.stepped_up(ADA).await;

    let refused = ada.put(PATH, &push_device()).await;

    assert_eq!(refused.status, 409, "{}", refused.body);
    assert_eq!(code(&refused), "push_not_configured");
    assert_eq!(status(&ada).await, json!({"others": 0}));
}

#[tokio::test]
async fn a_device_ends_with_its_sign_in_and_its_guardian() {
    let app = app().await;
    let rows = || rows(&app);
    let add = async || {
        let ada = app.stepped_up(ADA).await;
        ada.put(PATH, &push_device()).await.ok();
        assert_eq!(rows(), 1);
        ada
    };

    // Another device ends it.
    add().await;
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
    assert_eq!(rows(), 0);

    add().await;
    let email = ADA.parse().unwrap();
    app.run_admin(SignOutGuardian { email }).await.0.unwrap();
    assert_eq!(rows(), 0);

    add().await;
    let email = ADA.parse().unwrap();
    app.run_admin(RemoveGuardian { email }).await.0.unwrap();
    assert_eq!(rows(), 0);
}

#[tokio::test]
async fn a_browser_notifies_who_is_signed_in_there_last() {
    let app = app().await;
    let (ada, ben) = (app.stepped_up(ADA).await, app.stepped_up(BEN).await);
    ada.put(PATH, &push_device()).await.ok();

    ben.put(PATH, &push_device()).await.ok();

    assert!(!is_on(&status(&ada).await) && is_on(&status(&ben).await));
    // Another browser's is its own.
    let mut another = push_device();
    another["endpoint"] = json!("https://web.push.apple.com/abc");
    ada.put(PATH, &another).await.ok();
    assert!(is_on(&status(&ada).await) && is_on(&status(&ben).await));
}

#[tokio::test]
async fn a_restored_backup_notifies_no_device() {
    let app = app().await;
    let ada = app.stepped_up(ADA).await;
    ada.put(PATH, &push_device()).await.ok();
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
