//! Rate limits, tested through the API.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::process::{Home, Server};
use crate::support::test_app::{PUBLIC_URL, Persona, Response, TestApp};
use poem::http::Method;
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";
const HOME: &str = "192.0.2.7";

async fn request_link(client: &Persona<'_>, email: &str) -> Response {
    client
        .post("/api/auth/link", &json!({"email": email}))
        .await
}

async fn cookie_call(client: &Persona<'_>, path: &str, body: Option<&Value>) -> Response {
    let headers = [("origin", PUBLIC_URL)];
    client
        .send(Method::POST, path, &headers, body.map(Value::to_string))
        .await
}

/// Returns `retry-after` in seconds.
#[track_caller]
fn wait(refused: &Response) -> u64 {
    refused.problem(429);
    refused.header("retry-after").parse().expect("seconds")
}

#[tokio::test]
async fn one_household_can_request_ten_emails_and_then_one_each_minute() {
    let app = TestApp::with_rate_limits().await;
    let home = app.anonymous().at(HOME);

    for number in 0..10 {
        request_link(&home, &format!("{number}@example.org"))
            .await
            .ok();
    }
    let refused = request_link(&home, ADA).await;

    assert_eq!(
        refused.problem(429),
        "There were too many requests from your network in a short time. \
         Please wait a little and try again."
    );
    assert_eq!(wait(&refused), 60);
    request_link(&app.anonymous().at("192.0.2.8"), ADA)
        .await
        .ok();
    app.clock.advance(Duration::from_secs(60));
    request_link(&home, ADA).await.ok();
    assert_eq!(wait(&request_link(&home, ADA).await), 60);
}

/// Signs Ada in from home, and issues a token.
async fn sign_in_from_home(app: &TestApp) {
    let home = app.anonymous().at(HOME);
    let link = app
        .inner
        .identity
        .links
        .link_for(&ADA.parse().unwrap())
        .await;
    let link = link.unwrap();
    let (_, token) = link.split_once("#token=").unwrap();
    let body = json!({"email": ADA, "token": token});
    cookie_call(&home, "/api/auth/sign-in", Some(&body))
        .await
        .ok();
}

#[tokio::test]
async fn one_network_can_request_five_links_for_an_address_and_the_first_request_is_never_refused()
{
    let app = TestApp::with_rate_limits().await;
    app.guardian(ADA).await;
    let mut refusals = Vec::new();

    for email in [ADA, "nobody@example.org"] {
        for network in 0..2 {
            let mut accepted = 0;
            let refused = loop {
                let somewhere = app.anonymous().at(&format!("198.51.{network}.{accepted}"));
                let response = request_link(&somewhere, email).await;
                match response.status.as_u16() {
                    202 => accepted += 1,
                    _ => break response,
                }
            };
            assert_eq!((accepted, wait(&refused)), (5, 300));
            refusals.push(refused.body);
        }
        let elsewhere = app.anonymous().at("203.0.113.1");
        request_link(&elsewhere, &email.to_uppercase()).await.ok();
    }

    assert_eq!(refusals[0], refusals[1]);
    assert!(refusals[0].contains("Please look for the latest email"));
}

#[tokio::test]
async fn an_address_gets_ten_emails_from_all_networks_and_the_latest_link_works() {
    let app = TestApp::with_rate_limits().await;
    app.guardian(ADA).await;
    let ask = async |network: u8| {
        let somewhere = app.anonymous().at(&format!("198.51.{network}.1"));
        request_link(&somewhere, ADA).await.ok();
        app.inner.queue.deliver_due().await.unwrap();
    };
    for network in 0..50 {
        ask(network).await;
    }
    let sent = std::mem::take(&mut *app.emails.lock().unwrap());
    assert_eq!(sent.len(), 10);

    app.clock.advance(Duration::from_secs(299));
    ask(200).await;
    assert!(app.emails.lock().unwrap().is_empty());
    let (_, token) = sent[9].text.split_once("#token=").unwrap();
    let token = token.split_whitespace().next().unwrap();
    let body = json!({"email": ADA, "token": token});
    let new = app.anonymous().at("203.0.113.1");
    cookie_call(&new, "/api/auth/sign-in", Some(&body))
        .await
        .ok();
    app.clock.advance(Duration::from_secs(1));
    ask(201).await;
    assert_eq!(app.emails.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn strangers_who_request_a_parents_links_do_not_lock_out_the_parent() {
    let app = TestApp::with_rate_limits().await;
    app.guardian(ADA).await;
    sign_in_from_home(&app).await;
    let home = app.anonymous().at(HOME);

    for network in 0..100 {
        let stranger = app.anonymous().at(&format!("198.51.{network}.1"));
        request_link(&stranger, ADA).await;
        request_link(&stranger, "nobody@example.org").await;
    }

    // Requests from home succeed for known and unknown addresses.
    for email in [ADA, "nobody@example.org"] {
        for _ in 0..4 {
            request_link(&home, email).await.ok();
        }
    }
}

#[tokio::test]
async fn neighbours_who_exhaust_their_network_limit_do_not_lock_out_a_home() {
    let app = TestApp::with_rate_limits().await;
    app.guardian(ADA).await;
    sign_in_from_home(&app).await;

    for host in 100..200 {
        let neighbour = app.anonymous().at(&format!("192.0.2.{host}"));
        request_link(&neighbour, &format!("{host}@example.org")).await;
    }

    wait(&request_link(&app.anonymous().at("192.0.2.8"), ADA).await);
    request_link(&app.anonymous().at(HOME), ADA).await.ok();
}

#[tokio::test]
async fn an_ipv6_network_shares_one_limit() {
    let app = TestApp::with_rate_limits().await;
    let mut accepted = 0;

    for subnet in 0..100 {
        let home = app.anonymous().at(&format!("2001:db8:7:{subnet:x}::1"));
        let response = request_link(&home, &format!("{subnet}@example.org")).await;
        accepted += usize::from(response.status.is_success());
    }

    assert_eq!(accepted, 80);
    request_link(&app.anonymous().at("2001:db8:8::1"), ADA)
        .await
        .ok();
}

#[tokio::test]
async fn each_sign_in_endpoint_has_its_own_limit() {
    let app = TestApp::with_rate_limits().await;
    let link = json!({"email": ADA, "token": "lnk_x"});
    let home = app.anonymous().at(HOME);

    let mut tried = 0;
    while cookie_call(&home, "/api/auth/sign-in", Some(&link))
        .await
        .status
        != 429
    {
        tried += 1;
    }
    assert_eq!(tried, 20);
    let mut minted = 0;
    while cookie_call(&home, "/api/auth/token", None).await.status != 429 {
        minted += 1;
    }
    assert_eq!(minted, 120);
    assert_eq!(wait(&cookie_call(&home, "/api/auth/token", None).await), 1);
    let mut begun = 0;
    while home.get("/api/auth/oidc/start").await.status != 429 {
        begun += 1;
    }
    assert_eq!(begun, 30);
    let head = home.send(Method::HEAD, "/api/auth/oidc/start", &[], None);
    assert_eq!(head.await.status, 429);
    request_link(&home, ADA).await.ok();
    home.get("/api/auth/methods").await.ok();
}

#[tokio::test]
async fn a_limited_provider_sign_in_redirects_to_a_page() {
    let app = TestApp::with_rate_limits().await;
    let home = app.anonymous().at(HOME);
    for _ in 0..30 {
        home.get("/api/auth/oidc/start").await.problem(404);
    }

    let browser = [("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")];
    for step in ["start", "callback?code=a&state=b"] {
        let path = format!("/api/auth/oidc/{step}");
        let response = home.send(Method::GET, &path, &browser, None).await;

        assert_eq!(
            (response.status.as_u16(), response.header("location")),
            (302, "/login#error=too_many")
        );
    }
}

#[tokio::test]
async fn other_spellings_of_a_url_share_its_limit() {
    let app = TestApp::with_rate_limits().await;
    let home = app.anonymous().at(HOME);

    for path in [
        "/api/auth/link/",
        "/api/auth/lin%6B",
        "/api//auth/link",
        "/api/./auth/link",
    ] {
        home.post(path, &json!({"email": ADA})).await.problem(404);
    }
}

#[tokio::test]
async fn guessing_credentials_is_limited_and_does_not_lock_out_a_parent() {
    let app = TestApp::with_rate_limits().await;
    let ada = app.guardian(ADA).await.at(HOME);
    let stranger = app.bearer("ast_guess").at(HOME);

    for _ in 0..60 {
        stranger.get("/api/children").await.problem(401);
    }

    assert_eq!(wait(&stranger.get("/api/children").await), 1);
    ada.get("/api/children").await.ok();
    app.clock.advance(Duration::from_secs(1));
    stranger.get("/api/children").await.problem(401);
}

#[tokio::test]
async fn an_assistant_can_write_a_thousand_times_at_once_and_then_fifty_times_a_second() {
    let app = TestApp::with_rate_limits().await;
    let mia = app.child("Mia", &[]).await;
    let robot = app.assistant("robot", &[mia]).await.at(HOME);
    let other = app.assistant("other", &[mia]).await.at(HOME);
    // A write for an unknown child stores nothing, but counts.
    let session = json!({"child_id": 999});

    for _ in 0..1000 {
        robot.deliver("s", &session).await.problem(404);
    }
    let refused = robot.deliver("s", &session).await;

    assert_eq!(wait(&refused), 1);
    assert!(
        refused
            .problem(429)
            .starts_with("The assistant sends more than Porchlight takes")
    );
    other.deliver("s", &json!({"child_id": mia})).await.ok();
    app.clock.advance(Duration::from_secs(1));
    for _ in 0..50 {
        robot.deliver("s", &session).await.problem(404);
    }
    wait(&robot.deliver("s", &session).await);
}

#[tokio::test]
async fn a_busy_family_behind_one_address_stays_below_the_limits() {
    let app = TestApp::with_rate_limits().await;
    app.guardian(ADA).await;
    app.guardian("bob@example.org").await;
    let home = app.anonymous().at(HOME);

    for hour in 0..24 {
        for email in [ADA, "bob@example.org"] {
            for _ in 0..2 {
                request_link(&home, email).await.ok();
                app.clock.advance(Duration::from_secs(60));
            }
            let link = json!({"email": email, "token": "lnk_mistyped"});
            for _ in 0..5 {
                cookie_call(&home, "/api/auth/sign-in", Some(&link))
                    .await
                    .problem(401);
            }
        }
        for _ in 0..100 {
            assert_ne!(
                cookie_call(&home, "/api/auth/token", None).await.status,
                429,
                "{hour}"
            );
        }
        app.clock.advance(Duration::from_secs(56 * 60));
    }
}

/// Requests links for different addresses until the server refuses. Returns the number accepted.
fn links_until_refused(server: &Server, forwarded: &str, who: &str) -> usize {
    let host = server.url.strip_prefix("http://").unwrap();
    let status = |number: usize| {
        let body = format!(r#"{{"email": "{who}{number}@example.org"}}"#);
        let mut stream = TcpStream::connect(host).unwrap();
        write!(
            stream,
            "POST /api/auth/link HTTP/1.1\r\nhost: {host}\r\nx-forwarded-for: {forwarded}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response.split(' ').nth(1).unwrap().to_owned()
    };
    (0..30)
        .take_while(|number| status(*number) == "202")
        .count()
}

#[test]
fn a_forwarded_address_counts_when_a_trusted_proxy_wrote_it() {
    let home = Home::new();
    let server = home.serve(&["--trusted-proxy", "127.0.0.0/8"]);

    assert_eq!(links_until_refused(&server, "192.0.2.1", "a"), 10);
    assert_eq!(links_until_refused(&server, "192.0.2.2", "b"), 10);
    assert_eq!(links_until_refused(&server, "192.0.2.3, 192.0.2.1", "c"), 0);
}

#[test]
fn an_untrusted_client_cannot_forge_its_address() {
    let home = Home::new();
    let server = home.serve(&[]);

    assert_eq!(links_until_refused(&server, "192.0.2.1", "a"), 10);
    assert_eq!(links_until_refused(&server, "192.0.2.2", "b"), 0);
}

#[test]
fn limits_off_disables_the_limits() {
    let home = Home::new();
    let server = home.serve(&["--limits", "off"]);

    assert_eq!(links_until_refused(&server, "", "a"), 30);
}
