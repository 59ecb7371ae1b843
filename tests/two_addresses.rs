//! A home's plain address, and its name for https: who can do what at which.

use std::sync::Arc;

use poem::endpoint::BoxEndpoint;
use poem::http::{Method, StatusCode};
use poem::test::TestClient;
use porchlight::kernel::host::addresses::{NameStatus, NamedAddress, Usability};
use porchlight::kernel::http::origin::AtName;
use serde_json::{Value, json};

use crate::support::test_app::TestApp;

const PLAIN: &str = "http://192.168.1.20:8080";
const NAME: &str = "https://blue-lamp.dedyn.io:8443";
const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

struct World {
    app: TestApp,
    client: TestClient<Arc<BoxEndpoint<'static, poem::Response>>>,
    status: NameStatus,
}

/// A response's status, its cookie without attributes, and its body.
struct Answer {
    status: StatusCode,
    cookies: Vec<String>,
    body: Value,
}

impl Answer {
    fn cookie(&self) -> String {
        let cookie = self.cookies.first().expect("a cookie");
        cookie.split(';').next().unwrap().to_owned()
    }
}

impl World {
    /// The name can be used, and Ada and Ben are guardians.
    async fn new() -> Self {
        let status = NameStatus::default();
        let named = NamedAddress {
            url: NAME.parse().unwrap(),
            status: status.clone(),
        };
        let app = TestApp::with_name(PLAIN, named).await;
        app.add_guardian(ADA, None).await;
        app.add_guardian(BEN, None).await;
        let world = Self {
            client: TestClient::new(app.endpoint_with_name()),
            app,
            status,
        };
        world.set(true, true);
        world
    }

    fn set(&self, certificate_is_valid: bool, leads_here: bool) {
        self.status.set(Usability {
            certificate_is_valid,
            leads_here,
        });
    }

    /// A POST from a page of `origin` to `url`.
    async fn post(
        &self,
        url: &str,
        path: &str,
        origin: &str,
        cookie: &str,
        body: &Value,
    ) -> Answer {
        let host = url.split_once("://").unwrap().1;
        let mut request = self
            .client
            .post(path)
            .header("host", host)
            .header("origin", origin)
            .header("cookie", cookie)
            .header("content-type", "application/json")
            .body(body.to_string());
        if url == NAME {
            request = request.data(AtName);
        }
        let answer = request.send().await.0;
        let cookies = answer.headers().get_all("set-cookie").iter();
        let cookies = cookies.map(|it| it.to_str().unwrap().to_owned()).collect();
        let status = answer.status();
        let text = answer.into_body().into_string().await.unwrap();
        Answer {
            status,
            cookies,
            body: serde_json::from_str(&text).unwrap_or_default(),
        }
    }

    async fn sign_in(&self, url: &str, email: &str) -> Answer {
        let token = self.link(url, email).await;
        self.sign_in_with(url, email, &token).await
    }

    /// The token of a link in an e-mail.
    async fn link(&self, url: &str, email: &str) -> String {
        let link = json!({"email": email});
        let asked = self.post(url, "/api/auth/link", url, "", &link).await;
        assert_eq!(asked.status, 202);
        self.app.take_link().await
    }

    async fn sign_in_with(&self, url: &str, email: &str, token: &str) -> Answer {
        let body = json!({"email": email, "token": token});
        self.post(url, "/api/auth/sign-in", url, "", &body).await
    }

    async fn token(&self, url: &str, cookie: &str) -> Answer {
        self.post(url, "/api/auth/token", url, cookie, &Value::Null)
            .await
    }
}

#[tokio::test]
async fn a_cookie_of_one_address_is_none_at_the_other() {
    let world = World::new().await;
    let at_plain = world.sign_in(PLAIN, BEN).await.cookie();
    let named = world.sign_in(NAME, ADA).await;
    let at_name = named.cookie();

    assert!(
        at_plain.starts_with("porchlight_sign_in_8080=rfr_"),
        "{at_plain}"
    );
    assert!(
        at_name.starts_with("__Host-porchlight_sign_in_8443=rfr_"),
        "{at_name}"
    );
    let attributes = &named.cookies[0];
    for wanted in ["Secure", "HttpOnly", "SameSite=Strict", "Path=/;"] {
        assert!(attributes.contains(wanted), "{wanted} in {attributes}");
    }
    assert_eq!(world.token(PLAIN, &at_plain).await.status, 200);
    assert_eq!(world.token(NAME, &at_name).await.status, 200);
    assert_eq!(world.token(NAME, &at_plain).await.status, 204);
    assert_eq!(world.token(PLAIN, &at_name).await.status, 204);
    // An attacker who read the plain cookie sends it under the name of the HTTPS cookie, and the reverse.
    let (_, stolen) = at_plain.split_once('=').unwrap();
    let renamed = format!("__Host-porchlight_sign_in_8443={stolen}");
    assert_eq!(world.token(NAME, &renamed).await.status, 204);
    let (_, marked) = at_name.split_once('=').unwrap();
    let renamed = format!("porchlight_sign_in_8080={marked}");
    assert_eq!(world.token(PLAIN, &renamed).await.status, 401);
    let (unmarked, _) = marked.rsplit_once('.').unwrap();
    let renamed = format!("porchlight_sign_in_8080={unmarked}");
    for is_usable in [true, false] {
        world.set(is_usable, true);
        assert_eq!(world.token(PLAIN, &renamed).await.status, 204);
    }
}

#[tokio::test]
async fn each_address_takes_calls_of_its_own_pages_alone() {
    let world = World::new().await;
    for (url, origin, expected) in [
        (PLAIN, PLAIN, 204),
        (NAME, NAME, 204),
        (NAME, PLAIN, 403),
        (PLAIN, NAME, 403),
        (NAME, "http://blue-lamp.dedyn.io:8443", 403),
        (NAME, "https://blue-lamp.dedyn.io", 403),
        (NAME, "null", 403),
    ] {
        let answer = world
            .post(url, "/api/auth/token", origin, "", &Value::Null)
            .await;
        assert_eq!(answer.status, expected, "{origin} at {url}");
    }
}

#[tokio::test]
async fn the_plain_address_is_closed_for_who_signed_in_at_the_name_while_that_works() {
    let world = World::new().await;
    let ada = world.sign_in(PLAIN, ADA).await.cookie();
    let ben = world.sign_in(PLAIN, BEN).await.cookie();
    assert_eq!(world.token(PLAIN, &ada).await.status, 200);

    let named = world.sign_in(NAME, ADA).await.cookie();

    assert_eq!(
        world.token(PLAIN, &ada).await.status,
        401,
        "it was sent unencrypted, so it has ended"
    );
    let link = world.link(PLAIN, ADA).await;
    for _ in 0..3 {
        let refused = world.sign_in_with(PLAIN, ADA, &link).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.body["code"]),
            (403, &json!("open_the_name"))
        );
        assert_eq!(refused.body["args"], json!({ "url": NAME }));
        assert!(refused.cookies.is_empty());
    }
    world.set(false, true);
    let ada = world.sign_in_with(PLAIN, ADA, &link).await.cookie();
    world.set(true, true);
    let closed = world.token(PLAIN, &ada).await;
    assert_eq!(
        (closed.status.as_u16(), &closed.body["code"]),
        (403, &json!("open_the_name"))
    );
    assert_eq!(closed.body["args"], json!({ "url": NAME }));
    assert!(closed.cookies.is_empty());
    assert_eq!(
        world.token(PLAIN, &ben).await.status,
        200,
        "nobody else is concerned"
    );

    for (certificate_is_valid, leads_here, fault) in [
        (false, true, "certificate"),
        (false, false, "certificate"),
        (true, false, "leads_elsewhere"),
    ] {
        world.set(certificate_is_valid, leads_here);
        let unusable = json!({"url": NAME, "fault": fault});
        for open in [
            world.token(PLAIN, &ada).await,
            world.sign_in(PLAIN, ADA).await,
        ] {
            assert_eq!(open.status, 200);
            assert_eq!(open.body["guardian"]["unusable_name"], unusable);
        }
        for (url, cookie) in [(PLAIN, &ben), (NAME, &named)] {
            let other = world.token(url, cookie).await;
            assert_eq!(other.body["guardian"]["unusable_name"], Value::Null);
        }
    }
    world.set(true, true);
    assert_eq!(world.token(PLAIN, &ada).await.status, 403);
    assert_eq!(world.token(NAME, &named).await.status, 200);
}

#[tokio::test]
async fn a_sign_in_at_the_name_ends_the_guardians_others_at_the_plain_address_and_says_so() {
    let world = World::new().await;
    let ada = world.sign_in(PLAIN, ADA).await;
    let ben = world.sign_in(PLAIN, BEN).await.cookie();
    let bearer = ada.body["identity_token"].as_str().unwrap().to_owned();
    let children = async || {
        let request = world
            .client
            .get("/api/children")
            .header("host", &PLAIN[7..]);
        let request = request.header("authorization", format!("Bearer {bearer}"));
        request.send().await.0.status()
    };
    assert_eq!(children().await, 200);

    let named = world.sign_in(NAME, ADA).await;

    assert_eq!(named.body["guardian"]["signed_out_url"], PLAIN);
    let again = world.token(NAME, &named.cookie()).await;
    assert_eq!(again.body["guardian"]["signed_out_url"], PLAIN);
    world.app.clock.advance(std::time::Duration::from_secs(600));
    let later = world.token(NAME, &named.cookie()).await;
    assert_eq!(later.body["guardian"]["signed_out_url"], Value::Null);
    world.set(false, true);
    assert_eq!(world.token(PLAIN, &ada.cookie()).await.status, 401);
    assert_eq!(children().await, 401);
    assert_eq!(world.token(PLAIN, &ben).await.status, 200);
    world.set(true, true);
    let second = world.sign_in(NAME, ADA).await;
    assert_eq!(second.body["guardian"]["signed_out_url"], Value::Null);
    assert_eq!(world.token(NAME, &named.cookie()).await.status, 200);
}

#[tokio::test]
async fn the_closed_plain_address_uses_up_no_recovery_code() {
    let world = World::new().await;
    let ada = world.app.stepped_up(ADA).await;
    let made = ada
        .send(Method::POST, "/api/auth/recovery_codes", &[], None)
        .await
        .json();
    let code = made["codes"][0].as_str().expect("a code").to_owned();
    world.sign_in(NAME, ADA).await;
    let typed = json!({ "code": code });
    let use_at = async |url| world.post(url, "/api/auth/recovery", url, "", &typed).await;

    for _ in 0..2 {
        assert_eq!(use_at(PLAIN).await.body["code"], "open_the_name");
    }
    assert_eq!(use_at(NAME).await.status, 200);
    assert_eq!(use_at(NAME).await.status, 422);
}

#[tokio::test]
async fn links_in_emails_begin_with_the_name_while_it_can_be_used_and_once_a_device_reached_it() {
    let world = World::new().await;
    for (is_usable, was_reached, url) in [
        (true, false, PLAIN),
        (true, true, NAME),
        (false, true, PLAIN),
    ] {
        world.set(is_usable, true);
        if was_reached {
            world.status.note_reached();
        }
        let link = json!({"email": ADA});
        world.post(PLAIN, "/api/auth/link", PLAIN, "", &link).await;
        let email = world.app.next_email().await;
        assert!(
            email.text.contains(&format!("{url}/finish-sign-in#")),
            "{}",
            email.text
        );
    }
}

#[tokio::test]
async fn a_code_to_scan_has_the_name_only_once_a_device_reached_it() {
    let world = World::new().await;
    let begin = async || {
        let ada = world.app.stepped_up(ADA).await;
        let shown = ada.post("/api/auth/pairing", &json!({})).await.json();
        shown["shown"]["link"].as_str().expect("a link").to_owned()
    };

    assert!(begin().await.starts_with(PLAIN));
    world.status.note_reached();
    assert!(begin().await.starts_with(NAME));
    world.set(false, true);
    assert!(begin().await.starts_with(PLAIN));
}
