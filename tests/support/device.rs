//! A guardian's browser: it keeps the cookie, and requests a token for each call.

use poem::http::Method;
use serde_json::{Value, json};

use super::test_app::{PUBLIC_URL, Response, TestApp};

pub const PHONE: &str = "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0";
pub const LAPTOP: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

/// A device that is signed in.
pub struct Device<'a> {
    app: &'a TestApp,
    user_agent: &'static str,
    pub cookie: String,
}

impl<'a> Device<'a> {
    /// Takes the cookie from a sign-in response.
    pub fn new(app: &'a TestApp, user_agent: &'static str, signed_in: &Response) -> Self {
        let cookie = signed_in.header("set-cookie");
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Self {
            app,
            user_agent,
            cookie,
        }
    }

    /// Signs in with the link of an e-mail.
    pub async fn by_email(app: &'a TestApp, email: &str, user_agent: &'static str) -> Self {
        let body = json!({ "email": email });
        app.anonymous().post("/api/auth/link", &body).await.ok();
        let token = app.take_link().await;
        let body = json!({"email": email, "token": token});
        let signed_in = from_our_page(app, "/api/auth/sign-in", user_agent, &body).await;
        Self::new(app, user_agent, &signed_in)
    }

    /// Signs in with a recovery code.
    pub async fn by_code(app: &'a TestApp, code: &Value, user_agent: &'static str) -> Self {
        let body = json!({ "code": code });
        let signed_in = from_our_page(app, "/api/auth/recovery", user_agent, &body).await;
        Self::new(app, user_agent, &signed_in)
    }

    /// Requests a token.
    pub async fn mint(&self) -> Response {
        let headers = [("origin", PUBLIC_URL), ("cookie", self.cookie.as_str())];
        let anonymous = self.app.anonymous();
        anonymous
            .send(Method::POST, "/api/auth/token", &headers, None)
            .await
    }

    /// Signs out with this body.
    pub async fn sign_out(&self, body: &Value) -> Response {
        let headers = [("origin", PUBLIC_URL), ("cookie", self.cookie.as_str())];
        let (path, body) = ("/api/auth/sign-out", Some(body.to_string()));
        let anonymous = self.app.anonymous();
        anonymous.send(Method::POST, path, &headers, body).await
    }

    /// The number of unacknowledged sign-ins that the next token reports.
    pub async fn new_sign_ins(&self) -> u64 {
        let minted = self.mint().await.json();
        minted["guardian"]["new_sign_ins"].as_u64().unwrap_or(0)
    }

    /// Calls an operation with a new token. A body of `null` is omitted.
    pub async fn call(&self, method: Method, path: &str, body: &Value) -> Response {
        let token = self.mint().await.json()["identity_token"].clone();
        let bearer = self.app.bearer(token.as_str().unwrap());
        let body = (!body.is_null()).then(|| body.to_string());
        let headers = [("user-agent", self.user_agent)];
        bearer.send(method, path, &headers, body).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.call(Method::POST, path, body).await
    }

    pub async fn get(&self, path: &str) -> Value {
        self.call(Method::GET, path, &Value::Null).await.json()
    }

    pub async fn see_sign_ins(&self) {
        self.post("/api/auth/sign_ins/seen", &Value::Null)
            .await
            .ok();
    }

    pub async fn sign_ins(&self) -> Vec<Value> {
        let listed = self.get("/api/auth/sign_ins").await;
        listed["items"].as_array().unwrap().clone()
    }

    /// Makes recovery codes.
    pub async fn codes(&self) -> Value {
        let made = self.post("/api/auth/recovery_codes", &Value::Null).await;
        made.json()["codes"].clone()
    }
}

/// Sends a signed-out request from one of our own pages.
pub async fn from_our_page(app: &TestApp, path: &str, user_agent: &str, body: &Value) -> Response {
    let headers = [("origin", PUBLIC_URL), ("user-agent", user_agent)];
    let anonymous = app.anonymous();
    anonymous
        .send(Method::POST, path, &headers, Some(body.to_string()))
        .await
}
