//! A home's plain address, and its name for https: who can do what at which.

use std::sync::Arc;

use poem::endpoint::BoxEndpoint;
use poem::http::StatusCode;
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
        let link = json!({"email": email});
        let asked = self.post(url, "/api/auth/link", url, "", &link).await;
        assert_eq!(asked.status, 202);
        let token = self.app.take_link().await;
        let body = json!({"email": email, "token": token});
        self.post(url, "/api/auth/sign-in", url, "", &body).await
    }

    async fn token(&self, url: &str, cookie: &str) -> Answer {
        self.post(url, "/api/auth/token", url, cookie, &Value::Null)
            .await
    }

    /// Waits until that a guardian signed in at the name is written.
    async fn settle(&self) {
        tokio::task::yield_now().await;
        let store = &self.app.inner.store;
        let after = store.commit(|_| Ok::<_, porchlight::kernel::store::StoreError>(()));
        after.await.unwrap();
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
    world.settle().await;

    let closed = world.token(PLAIN, &ada).await;
    assert_eq!(
        (closed.status.as_u16(), &closed.body["code"]),
        (409, &json!("open_the_name"))
    );
    assert_eq!(closed.body["args"], json!({ "url": NAME }));
    assert!(closed.cookie().starts_with("porchlight_beside_name=1"));
    let again = world.sign_in(PLAIN, ADA).await;
    assert_eq!(
        (again.status.as_u16(), &again.body["code"]),
        (403, &json!("open_the_name"))
    );
    assert!(again.cookies.is_empty());
    assert_eq!(
        world.token(PLAIN, &ben).await.status,
        200,
        "nobody else is concerned"
    );

    for (certificate_is_valid, leads_here) in [(false, true), (true, false)] {
        world.set(certificate_is_valid, leads_here);
        assert_eq!(world.token(PLAIN, &ada).await.status, 200);
        assert_eq!(world.sign_in(PLAIN, ADA).await.status, 200);
    }
    world.set(true, true);
    assert_eq!(world.token(PLAIN, &ada).await.status, 409);
    assert_eq!(world.token(NAME, &named).await.status, 200);
}

#[tokio::test]
async fn links_in_emails_begin_with_the_name_while_it_can_be_used() {
    let world = World::new().await;
    for (is_usable, url) in [(true, NAME), (false, PLAIN)] {
        world.set(is_usable, true);
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
