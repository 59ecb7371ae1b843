//! A new sign-in is seen on the guardian's other devices, and by letter where no letter led to it.

use crate::support::test_app::{PUBLIC_URL, Response, TestApp};
use poem::http::Method;
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";
const PHONE: &str = "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0";
const LAPTOP: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

/// A device that is signed in.
struct Device<'a> {
    app: &'a TestApp,
    cookie: String,
}

impl<'a> Device<'a> {
    fn new(app: &'a TestApp, signed_in: &Response) -> Self {
        let cookie = signed_in.header("set-cookie");
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Self { app, cookie }
    }

    /// Signs in with the link of a letter.
    async fn by_letter(app: &'a TestApp, user_agent: &str) -> Self {
        let body = json!({"email": ADA});
        app.anonymous().post("/api/auth/link", &body).await.ok();
        app.inner.identity.outbox.deliver_due().await.unwrap();
        let letter = app.letters.lock().unwrap().pop().expect("a letter");
        let (_, token) = letter.text.split_once("#token=").expect("a link");
        let token = token.split_whitespace().next().unwrap();
        let body = json!({"email": ADA, "token": token});
        Self::new(
            app,
            &send(app, "/api/auth/sign-in", user_agent, &body).await,
        )
    }

    /// Signs in with a recovery code.
    async fn by_code(app: &'a TestApp, code: &Value, user_agent: &str) -> Self {
        let body = json!({"code": code});
        Self::new(
            app,
            &send(app, "/api/auth/recovery", user_agent, &body).await,
        )
    }

    async fn minted(&self) -> Value {
        let headers = [("origin", PUBLIC_URL), ("cookie", self.cookie.as_str())];
        let anonymous = self.app.anonymous();
        let minted = anonymous.send(Method::POST, "/api/auth/token", &headers, None);
        minted.await.json()
    }

    /// How many new sign-ins elsewhere its next token tells of.
    async fn new_sign_ins(&self) -> u64 {
        let minted = self.minted().await;
        minted["guardian"]["new_sign_ins"].as_u64().unwrap_or(0)
    }

    async fn call(&self, method: Method, path: &str) -> Response {
        let token = self.minted().await["identity_token"].clone();
        let bearer = self.app.bearer(token.as_str().unwrap());
        bearer.send(method, path, &[], None).await
    }

    async fn see(&self) {
        self.call(Method::POST, "/api/auth/sign-ins/seen")
            .await
            .ok();
    }

    async fn sign_ins(&self) -> Vec<Value> {
        let listed = self.call(Method::GET, "/api/auth/sign-ins").await.json();
        listed.as_array().unwrap().clone()
    }
}

async fn send(app: &TestApp, path: &str, user_agent: &str, body: &Value) -> Response {
    let headers = [("origin", PUBLIC_URL), ("user-agent", user_agent)];
    let anonymous = app.anonymous();
    let sent = anonymous.send(Method::POST, path, &headers, Some(body.to_string()));
    sent.await
}

async fn codes(device: &Device<'_>) -> Value {
    let made = device.call(Method::POST, "/api/auth/recovery-codes").await;
    made.json()["codes"].clone()
}

#[tokio::test]
async fn a_sign_in_elsewhere_is_new_on_the_other_device_until_that_one_has_seen_it() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let phone = Device::by_letter(&app, PHONE).await;
    assert_eq!(phone.new_sign_ins().await, 0);

    let laptop = Device::by_letter(&app, LAPTOP).await;
    assert_eq!(
        (phone.new_sign_ins().await, laptop.new_sign_ins().await),
        (1, 0)
    );
    let sign_ins = phone.sign_ins().await;
    let new = sign_ins
        .iter()
        .find(|sign_in| sign_in["is_new"] == true)
        .unwrap();
    assert_eq!(new["device"], "Firefox on Linux");
    assert!(
        sign_ins
            .iter()
            .any(|sign_in| sign_in["device"] == "Firefox on Android")
    );

    laptop.see().await;
    assert_eq!(phone.new_sign_ins().await, 1, "it doesn't say so of itself");
    phone.see().await;
    assert_eq!(phone.new_sign_ins().await, 0);
    assert!(
        phone
            .sign_ins()
            .await
            .iter()
            .all(|sign_in| sign_in.get("is_new").is_none())
    );
}

#[tokio::test]
async fn a_new_sign_in_that_was_ended_is_no_news() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let phone = Device::by_letter(&app, PHONE).await;
    Device::by_letter(&app, LAPTOP).await;
    let sign_ins = phone.sign_ins().await;
    let new = sign_ins
        .iter()
        .find(|sign_in| sign_in["is_new"] == true)
        .unwrap();

    let path = format!("/api/auth/sign-ins/{}", new["sign_in_id"].as_str().unwrap());
    phone.call(Method::DELETE, &path).await.ok();

    assert_eq!(phone.new_sign_ins().await, 0);
}

#[tokio::test]
async fn a_sign_in_by_recovery_code_is_told_by_letter_and_one_by_letter_is_not() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let phone = Device::by_letter(&app, PHONE).await;
    let codes = codes(&phone).await;
    assert_eq!(app.letters.lock().unwrap().len(), 0);

    Device::by_code(&app, &codes[0], "<script>").await;
    tokio::task::yield_now().await;

    let letters = app.letters.lock().unwrap();
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].subject, "A new sign-in to Porchlight");
    assert!(
        letters[0]
            .text
            .contains("an unknown device, 2026-11-21T20:00:00Z")
    );
    assert_eq!(letters[0].to.to_string(), ADA);
}

#[tokio::test]
async fn another_guardians_sign_in_is_no_news() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    app.guardian("eve@example.org").await;
    let phone = Device::by_letter(&app, PHONE).await;

    app.sign_in("eve@example.org").await;

    assert_eq!(phone.new_sign_ins().await, 0);
}
