//! Signing in through an external OpenID Connect provider, and its failures.

use std::time::Duration;

use crate::support::device::{Device, LAPTOP};
use crate::support::features::Facts;
use crate::support::provider::{Basic, Document, FakeProvider, Script, Signature};
use crate::support::tables::Promise;
use crate::support::test_app::{PUBLIC_URL, Response, TestApp};
use poem::http::{Method, StatusCode};
use porchlight::identity::{ProviderAnswer, ProviderSettings, probe_provider};
use porchlight::kernel::host::clock::Clock;
use serde_json::{Value, json};
use url::Url;

pub static FACTS: Facts = Facts {
    tables: &[
        (
            Some(Promise::ProviderAccount),
            None,
            &["provider-account", "provider-account-of"],
        ),
        (None, None, &["provider-flow", "provider-flow-by-time"]),
    ],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";

/// Starts a provider and an app with one guardian.
async fn start_app() -> (FakeProvider, TestApp) {
    let provider = FakeProvider::start_new().await;
    let app = TestApp::with_provider(provider.settings(), false).await;
    app.guardian(ADA).await;
    (provider, app)
}

/// Returns the `set-cookie` header without its attributes.
fn cookie(response: &Response) -> String {
    response
        .header("set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned()
}

/// Starts a flow. Returns the authorization URL and the flow's cookie.
async fn begin(app: &TestApp) -> (Url, String) {
    let response = app.anonymous().get("/api/auth/oidc/start").await;
    assert_eq!(response.status, StatusCode::FOUND, "{}", response.body);
    (
        response
            .header("location")
            .parse()
            .expect("the provider's page"),
        cookie(&response),
    )
}

async fn complete(app: &TestApp, flow: &str, query: &str) -> Response {
    let path = format!("/api/auth/oidc/callback?{query}");
    app.anonymous()
        .send(Method::GET, &path, &[("cookie", flow)], None)
        .await
}

/// Runs a complete sign-in.
async fn sign_in(provider: &FakeProvider, app: &TestApp) -> Response {
    let (page, flow) = begin(app).await;
    complete(app, &flow, &provider.consent(&page)).await
}

async fn refresh(app: &TestApp, cookie: &str) -> Response {
    let headers = [("origin", PUBLIC_URL), ("cookie", cookie)];
    app.anonymous()
        .send(Method::POST, "/api/auth/token", &headers, None)
        .await
}

/// Returns the guardian that a response signs in.
async fn assert_signed_in(app: &TestApp, response: &Response) -> Value {
    assert_eq!(
        (response.status, response.header("location")),
        (StatusCode::FOUND, "/")
    );
    refresh(app, &cookie(response)).await.json()["guardian"].clone()
}

/// Asserts that a response redirects to the login page with an error code, and sets no cookie.
#[track_caller]
fn assert_refused(response: &Response, code: &str) {
    let location = format!("/login#error={code}");
    assert_eq!(
        (response.status, response.header("location")),
        (StatusCode::FOUND, location.as_str())
    );
    assert_eq!(response.header("set-cookie"), "");
}

#[tokio::test]
async fn a_guardian_signs_in_with_their_account() {
    let (provider, app) = start_app().await;

    let response = sign_in(&provider, &app).await;

    assert_eq!(assert_signed_in(&app, &response).await["email"], ADA);
    let cookies = response.headers.get_all("set-cookie").iter();
    let cookies = cookies
        .map(|cookie| cookie.to_str().unwrap())
        .collect::<Vec<_>>();
    assert!(cookies[0].starts_with("__Secure-porchlight_sign_in=rfr_"));
    for attribute in [
        "HttpOnly",
        "SameSite=Strict",
        "Secure",
        "Path=/api/auth;",
        "Max-Age=2592000",
    ] {
        assert!(
            format!("{};", cookies[0]).contains(attribute),
            "{attribute}"
        );
    }
    assert!(
        cookies[1].starts_with("__Secure-porchlight_provider_flow=;")
            && cookies[1].contains("Max-Age=0")
    );
}

#[tokio::test]
async fn the_authorization_request_is_complete_and_contains_no_secret() {
    let (provider, app) = start_app().await;

    let response = app.anonymous().get("/api/auth/oidc/start").await;

    let page: Url = response.header("location").parse().unwrap();
    assert!(
        page.as_str()
            .starts_with(&format!("{}/authorize?", provider.issuer()))
    );
    let value = |name| {
        page.query_pairs()
            .find(|(key, _)| key == name)
            .unwrap()
            .1
            .into_owned()
    };
    assert_eq!(
        value("redirect_uri"),
        format!("{PUBLIC_URL}/api/auth/oidc/callback")
    );
    assert_eq!(value("scope"), "openid email profile");
    assert_eq!(value("response_type"), "code");
    assert_eq!((value("state").len(), value("nonce").len()), (43, 43));
    assert!(!page.as_str().contains("s3cret"));
    let set = response.header("set-cookie");
    assert!(set.starts_with("__Secure-porchlight_provider_flow=oid_"));
    for attribute in [
        "HttpOnly",
        "SameSite=Lax",
        "Secure",
        "Path=/api/auth/oidc",
        "Max-Age=600",
    ] {
        assert!(set.contains(attribute), "{attribute}");
    }
    let methods = app.anonymous().get("/api/auth/methods").await.json();
    assert_eq!(
        methods,
        json!({"email_link": true, "oidc": {"name": "Example ID"}})
    );
}

/// Starts a flow with this `Host` header.
async fn begin_at(app: &TestApp, host: &str, path: &str) -> Response {
    let host = [("host", host)];
    app.anonymous().send(Method::GET, path, &host, None).await
}

#[tokio::test]
async fn a_request_to_another_host_name_is_redirected_to_the_public_one() {
    let (provider, app) = start_app().await;

    let response = begin_at(&app, "localhost:8080", "/api/auth/oidc/start").await;

    let here = format!("{PUBLIC_URL}/api/auth/oidc/start?moved=true");
    assert_eq!(
        (response.status, response.header("location")),
        (StatusCode::FOUND, here.as_str())
    );
    assert_eq!(response.header("set-cookie"), "");
    // A proxy may change the `Host` header; that must not cause a redirect loop.
    for (host, path) in [
        ("Porchlight.Example", "/api/auth/oidc/start"),
        ("localhost:8080", "/api/auth/oidc/start?moved=true"),
    ] {
        let response = begin_at(&app, host, path).await;
        assert!(response.header("location").starts_with(&provider.issuer()));
    }
}

#[tokio::test]
async fn without_a_provider_its_endpoints_are_not_found() {
    let app = TestApp::new().await;

    app.anonymous()
        .get("/api/auth/oidc/start")
        .await
        .problem(404);
    app.anonymous()
        .get("/api/auth/oidc/callback?code=a&state=b")
        .await
        .problem(404);
    assert_eq!(
        app.anonymous().get("/api/auth/methods").await.json(),
        json!({"email_link": true, "set_up": false})
    );
}

#[tokio::test]
async fn the_client_secret_is_sent_by_a_supported_method() {
    let ways: [Option<&[&str]>; 3] = [
        None,
        Some(&["client_secret_post", "client_secret_basic"]),
        Some(&["client_secret_post"]),
    ];

    for ways in ways {
        let (provider, app) = start_app().await;
        provider.configure(|script| script.secret_methods = ways);

        assert_signed_in(&app, &sign_in(&provider, &app).await).await;
    }
}

#[tokio::test]
async fn the_address_may_come_from_the_userinfo_endpoint() {
    let (provider, app) = start_app().await;
    provider.configure(|script| script.email_in_token = false);

    let response = sign_in(&provider, &app).await;

    assert_eq!(assert_signed_in(&app, &response).await["email"], ADA);
}

#[tokio::test]
async fn an_account_stays_linked_to_its_guardian_when_addresses_change() {
    let (provider, app) = start_app().await;
    let first = sign_in(&provider, &app).await;
    let ada = assert_signed_in(&app, &first).await;
    let identity = app.inner.identity.clone();
    let changed = app.inner.store.commit(move |change| {
        identity.change_email(
            change,
            &ADA.parse().unwrap(),
            &"a@new.example".parse().unwrap(),
        )
    });
    changed.await.unwrap();
    app.guardian("eve@example.org").await;

    provider.configure(|script| {
        script.email = "eve@example.org";
        script.verified = false;
    });
    let again = assert_signed_in(&app, &sign_in(&provider, &app).await).await;

    assert_eq!(
        (&again["id"], &again["email"]),
        (&ada["id"], &json!("a@new.example"))
    );
}

#[tokio::test]
async fn signing_out_everywhere_ends_a_pending_provider_sign_in() {
    let (provider, app) = start_app().await;
    let first = sign_in(&provider, &app).await;
    let (page, flow) = begin(&app).await;
    app.clock.advance(Duration::from_secs(1));

    let body = Some(json!({"everywhere": true}).to_string());
    let signed_in = cookie(&first);
    let headers = [("origin", PUBLIC_URL), ("cookie", &signed_in)];
    let nobody = app.anonymous();
    nobody
        .send(Method::POST, "/api/auth/sign-out", &headers, body)
        .await
        .ok();
    let response = complete(&app, &flow, &provider.consent(&page)).await;

    assert_refused(&response, "expired");
    app.clock.advance(Duration::from_secs(1));
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;
}

#[tokio::test]
async fn a_removed_guardians_account_is_unlinked() {
    let (provider, app) = start_app().await;
    let signed_in = sign_in(&provider, &app).await;
    let ada = assert_signed_in(&app, &signed_in).await;
    let identity = app.inner.identity.clone();
    let removed = app
        .inner
        .store
        .commit(move |change| identity.remove_guardian(change, &ADA.parse().unwrap()));
    removed.await.unwrap();

    refresh(&app, &cookie(&signed_in)).await.problem(401);
    assert_refused(&sign_in(&provider, &app).await, "unknown_guardian");

    app.guardian(ADA).await;
    provider.configure(|script| script.verified = false);
    assert_refused(&sign_in(&provider, &app).await, "unverified_email");
    provider.reset();
    let somebody_new = assert_signed_in(&app, &sign_in(&provider, &app).await).await;
    assert_ne!(somebody_new["id"], ada["id"]);
}

#[tokio::test]
async fn another_account_with_a_guardians_verified_address_replaces_the_linked_one() {
    let (provider, app) = start_app().await;
    sign_in(&provider, &app).await;

    provider.configure(|script| script.subject = "account-8");
    let second = sign_in(&provider, &app).await;
    provider.configure(|script| {
        script.subject = "account-7";
        script.verified = false;
    });
    let former = sign_in(&provider, &app).await;

    assert_eq!(assert_signed_in(&app, &second).await["email"], ADA);
    assert_refused(&former, "unverified_email");
}

#[tokio::test]
async fn a_claimed_address_creates_no_guardian() {
    let (provider, app) = start_app().await;

    provider.configure(|script| script.email = "eve@example.org");
    assert_refused(&sign_in(&provider, &app).await, "unknown_guardian");
    provider.configure(|script| script.email = "not an address");
    assert_refused(&sign_in(&provider, &app).await, "unknown_guardian");
    for email_in_token in [true, false] {
        provider.reset();
        provider.configure(|script| {
            script.verified = false;
            script.email_in_token = email_in_token;
        });
        assert_refused(&sign_in(&provider, &app).await, "unverified_email");
    }
}

#[tokio::test]
async fn with_open_sign_up_a_verified_address_creates_a_guardian() {
    let provider = FakeProvider::start_new().await;
    let app = TestApp::with_provider(provider.settings(), true).await;

    provider.configure(|script| script.verified = false);
    assert_refused(&sign_in(&provider, &app).await, "unverified_email");
    provider.reset();
    let response = sign_in(&provider, &app).await;

    assert_eq!(assert_signed_in(&app, &response).await["email"], ADA);
}

#[tokio::test]
async fn a_refused_consent_is_shown_as_such() {
    let (provider, app) = start_app().await;
    let errors = [
        ("access_denied", "denied"),
        ("server_error", "failed"),
        ("%3Cb%3E", "failed"),
    ];

    for (error, code) in errors {
        let (page, flow) = begin(&app).await;
        let state = page
            .query_pairs()
            .find(|(key, _)| key == "state")
            .unwrap()
            .1
            .into_owned();
        let query = format!("error={error}&error_description=%3Cscript%3E&state={state}");

        assert_refused(&complete(&app, &flow, &query).await, code);
        assert_refused(
            &complete(&app, &flow, &provider.consent(&page)).await,
            "expired",
        );
    }
}

/// Signs in without the pages. Returns the error for the log.
async fn reason(provider: &FakeProvider, app: &TestApp) -> String {
    let (page, flow) = begin(app).await;
    reason_of(app, &flow, &provider.consent(&page)).await
}

/// Completes a flow with this query. Returns the error for the log.
async fn reason_of(app: &TestApp, flow: &str, query: &str) -> String {
    let value = |name| {
        let mut pairs = url::form_urlencoded::parse(query.as_bytes());
        pairs
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    };
    let response = ProviderAnswer {
        state: value("state"),
        code: value("code"),
        ..Default::default()
    };
    let flow = flow.split_once('=').map(|(_, secret)| secret);
    let completed = app.inner.identity.provider.complete(flow, response).await;
    completed
        .outcome
        .expect_err("nobody is signed in")
        .to_string()
}

/// The logged error, and the fault that causes it.
type Wrong = (&'static str, fn(&mut Script));

#[tokio::test]
async fn an_invalid_id_token_signs_nobody_in() {
    let (provider, app) = start_app().await;
    let wrongs: [Wrong; 11] = [
        ("its ID token is for another flow", |script| {
            script.nonce = Some("another flow's")
        }),
        ("its ID token is another issuer's", |script| {
            script.issuer = Some("https://evil.example");
        }),
        ("its ID token is for another audience", |script| {
            script.audience = vec!["another-client"];
        }),
        ("its ID token is for another audience", |script| {
            script.audience = vec!["porchlight", "another-client"];
        }),
        ("its ID token has expired", |script| {
            script.expires = "2026-11-21T20:00:00Z"
        }),
        ("its ID token's signature is wrong", |script| {
            script.signature = Signature::None
        }),
        (
            "it signs with HS256, which is not supported: let it sign with RS256, ES256 or EdDSA",
            |script| script.signature = Signature::ClientSecret,
        ),
        ("its ID token's signature is wrong", |script| {
            script.signature = Signature::UnknownKey
        }),
        ("its ID token does not hold", |script| {
            script.access_token_hash = Some("AAAA")
        }),
        ("its ID token names no subject", |script| {
            script.subject = ""
        }),
        ("it does not tell the account's address", |script| {
            script.email_in_token = false;
            script.userinfo_subject = Some("account-8");
        }),
    ];

    for (expected, play) in wrongs {
        provider.reset();
        provider.configure(play);
        assert_eq!(reason(&provider, &app).await, expected);
        assert_refused(&sign_in(&provider, &app).await, "failed");
    }
    provider.reset();
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;
}

#[tokio::test]
async fn a_subject_is_as_long_as_the_standard_allows_and_no_longer() {
    let (provider, app) = start_app().await;

    provider.configure(|script| script.subject = "s".repeat(255).leak());
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;

    provider.configure(|script| script.subject = "s".repeat(256).leak());
    assert_eq!(
        reason(&provider, &app).await,
        "its ID token names no subject"
    );
}

#[tokio::test]
async fn a_callback_is_valid_once_and_only_in_the_browser_that_started_it() {
    let (provider, app) = start_app().await;
    let (page, flow) = begin(&app).await;
    let (_, strangers) = begin(&app).await;
    let response = provider.consent(&page);

    assert_refused(&complete(&app, "", &response).await, "expired");
    let forged = format!("__Secure-porchlight_provider_flow=oid_{}", "A".repeat(43));
    assert_refused(&complete(&app, &forged, &response).await, "expired");
    assert_refused(&complete(&app, &strangers, &response).await, "failed");
    assert_refused(
        &complete(&app, &flow, "code=code-0&state=made-up").await,
        "failed",
    );
    assert_refused(&complete(&app, &flow, "code=code-0").await, "failed");

    assert_signed_in(&app, &complete(&app, &flow, &response).await).await;
    assert_refused(&complete(&app, &flow, &response).await, "expired");
}

#[tokio::test]
async fn a_code_from_another_flow_is_refused() {
    let (provider, app) = start_app().await;
    let (first, _) = begin(&app).await;
    let stolen = provider.consent(&first);
    let code = stolen.split('&').next().unwrap();
    let (page, flow) = begin(&app).await;
    let state = page
        .query_pairs()
        .find(|(key, _)| key == "state")
        .unwrap()
        .1
        .into_owned();

    let reason = reason_of(&app, &flow, &format!("{code}&state={state}")).await;

    assert_eq!(reason, "it did not take the code");
}

#[tokio::test]
async fn a_callback_from_another_issuer_is_refused() {
    let (provider, app) = start_app().await;
    let (page, flow) = begin(&app).await;
    let response = provider
        .consent(&page)
        .replace(&provider.issuer(), "https://evil.example");

    assert_refused(&complete(&app, &flow, &response).await, "failed");
}

#[tokio::test]
async fn a_flow_expires_after_ten_minutes() {
    let (provider, app) = start_app().await;
    let (page, flow) = begin(&app).await;
    let response = provider.consent(&page);

    app.clock.advance(Duration::from_secs(600));

    assert_refused(&complete(&app, &flow, &response).await, "expired");
}

#[tokio::test]
async fn a_rotated_key_is_fetched_once() {
    let (provider, app) = start_app().await;
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;
    assert_eq!(provider.discoveries(), 1, "it is cached");

    provider.rotate_key();
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;
    assert_eq!(provider.discoveries(), 2);

    provider.configure(|script| script.signature = Signature::UnknownKey);
    assert_refused(&sign_in(&provider, &app).await, "failed");
    assert_eq!(provider.discoveries(), 3);

    for signature in [Signature::None, Signature::ClientSecret] {
        provider.configure(|script| script.signature = signature);
        assert_refused(&sign_in(&provider, &app).await, "failed");
        assert_eq!(provider.discoveries(), 3, "still invalid");
    }
}

#[tokio::test]
async fn a_provider_that_is_down_affects_nothing_else_and_may_recover() {
    let provider = FakeProvider::stopped().await;
    let app = TestApp::with_provider(provider.settings(), false).await;
    app.guardian(ADA).await;

    assert_refused(&app.anonymous().get("/api/auth/oidc/start").await, "failed");
    let methods = app.anonymous().get("/api/auth/methods").await.json();
    assert_eq!(methods["oidc"]["name"], "Example ID");

    provider.start().await;
    provider.configure(|script| script.status = StatusCode::BAD_GATEWAY);
    assert_refused(&app.anonymous().get("/api/auth/oidc/start").await, "failed");
    assert_eq!(provider.discoveries(), 0, "not repeated at once");
    app.clock.advance(Duration::from_secs(5));
    assert_refused(&app.anonymous().get("/api/auth/oidc/start").await, "failed");
    assert_eq!(provider.discoveries(), 1);

    provider.reset();
    app.clock.advance(Duration::from_secs(5));
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;

    provider.configure(|script| script.status = StatusCode::BAD_GATEWAY);
    app.clock.advance(Duration::from_secs(24 * 60 * 60));
    begin(&app).await;
}

#[tokio::test]
async fn nobody_is_redirected_to_a_provider_that_went_down() {
    let (provider, app) = start_app().await;
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;

    provider.stop().await;
    begin(&app).await;
    app.clock.advance(Duration::from_secs(5));
    assert_refused(&app.anonymous().get("/api/auth/oidc/start").await, "failed");
    let methods = app.anonymous().get("/api/auth/methods").await.json();
    assert_eq!(methods["oidc"]["name"], "Example ID");

    provider.start().await;
    assert_refused(&app.anonymous().get("/api/auth/oidc/start").await, "failed");
    assert_eq!(provider.discoveries(), 1, "not repeated at once");
    app.clock.advance(Duration::from_secs(5));
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;
    assert_eq!(provider.discoveries(), 2);
    begin(&app).await;
    assert_eq!(provider.discoveries(), 2, "nor after a success");
}

#[tokio::test]
async fn a_known_provider_is_available_whatever_its_response() {
    let (provider, app) = start_app().await;
    begin(&app).await;

    provider.configure(|script| script.status = StatusCode::BAD_GATEWAY);
    app.clock.advance(Duration::from_secs(60));

    begin(&app).await;
    assert_eq!(provider.discoveries(), 2);
}

/// Begins a step-up in the browser with this cookie. Returns the authorization URL and the flow's cookie.
async fn begin_stepping_up(app: &TestApp, cookie_of_sign_in: &str) -> (Url, String) {
    let headers = [("cookie", cookie_of_sign_in)];
    let path = "/api/auth/oidc/start?step_up=true";
    let anonymous = app.anonymous();
    let response = anonymous.send(Method::GET, path, &headers, None).await;
    assert_eq!(response.status, StatusCode::FOUND, "{}", response.body);
    let page = response.header("location");
    (
        page.parse().expect("the provider's page"),
        cookie(&response),
    )
}

/// Steps up. Returns the redirect's location.
async fn step_up(provider: &FakeProvider, app: &TestApp, cookie_of_sign_in: &str) -> String {
    let (page, flow) = begin_stepping_up(app, cookie_of_sign_in).await;
    let response = complete(app, &flow, &provider.consent(&page)).await;
    response.header("location").to_owned()
}

/// Returns the response of `GET /auth/step_up` in the browser with this cookie.
async fn step_up_state(app: &TestApp, cookie: &str) -> Value {
    let token = refresh(app, cookie).await.json()["identity_token"].clone();
    let guardian = app.bearer(token.as_str().unwrap());
    guardian.get("/api/auth/step_up").await.json()
}

#[tokio::test]
async fn an_account_holder_steps_up_by_authenticating_again() {
    let (provider, app) = start_app().await;
    provider.configure(|script| script.authenticated = Some("2026-11-20T08:00:00Z"));
    let signed_in = cookie(&sign_in(&provider, &app).await);
    let before = step_up_state(&app, &signed_in).await;
    assert_eq!(before, json!({"ways": ["email", "provider"]}));
    provider.configure(|script| script.authenticated = Some("2026-11-21T20:00:30Z"));

    let (page, flow) = begin_stepping_up(&app, &signed_in).await;
    assert!(
        page.query_pairs()
            .any(|pair| pair == ("max_age".into(), "0".into()))
    );
    let query = provider.consent(&page);
    let done = complete(&app, &flow, &query).await;

    assert_eq!(done.header("location"), "/you#step_up=done");
    assert!(
        done.header("set-cookie").contains("Max-Age=0"),
        "it begins no sign-in"
    );
    let after = step_up_state(&app, &signed_in).await;
    assert_eq!(after["until"], "2026-11-21T20:10:00Z");
    let again = complete(&app, &flow, &query).await;
    assert_refused(&again, "expired");
    let (page, _) = begin(&app).await;
    assert!(
        !page.as_str().contains("max_age=0"),
        "signing in doesn't ask for a fresh one"
    );
}

#[tokio::test]
async fn an_old_or_missing_auth_time_does_not_step_up() {
    let (provider, app) = start_app().await;
    let signed_in = cookie(&sign_in(&provider, &app).await);

    for authenticated in [None, Some("2026-11-21T19:58:59Z")] {
        provider.configure(|script| script.authenticated = authenticated);
        let location = step_up(&provider, &app, &signed_in).await;
        assert_eq!(location, "/you#step_up=failed", "{authenticated:?}");
    }

    assert!(step_up_state(&app, &signed_in).await.get("until").is_none());
}

#[tokio::test]
async fn another_guardians_account_does_not_step_up() {
    let (provider, app) = start_app().await;
    app.guardian("ben@example.org").await;
    provider.configure(|script| script.authenticated = Some("2026-11-21T20:00:00Z"));
    let adas = cookie(&sign_in(&provider, &app).await);
    provider.configure(|script| (script.subject, script.email) = ("account-8", "ben@example.org"));
    let bens = cookie(&sign_in(&provider, &app).await);

    // One linked to Ben, and one not linked yet.
    let with_bens = step_up(&provider, &app, &adas).await;
    provider.configure(|script| (script.subject, script.email) = ("account-9", "ben@example.org"));
    let with_nobodys = step_up(&provider, &app, &adas).await;

    assert_eq!(with_bens, "/you#step_up=other_account");
    assert_eq!(with_nobodys, "/you#step_up=other_account");
    assert!(step_up_state(&app, &adas).await.get("until").is_none());
    assert!(step_up_state(&app, &bens).await.get("until").is_none());
}

#[tokio::test]
async fn a_missing_or_ended_sign_in_cannot_step_up() {
    let (provider, app) = start_app().await;
    provider.configure(|script| script.authenticated = Some("2026-11-21T20:00:00Z"));
    let path = "/api/auth/oidc/start?step_up=true";
    assert_refused(&app.anonymous().get(path).await, "expired");
    let signed_in = cookie(&sign_in(&provider, &app).await);
    let (page, flow) = begin_stepping_up(&app, &signed_in).await;

    let headers = [("origin", PUBLIC_URL), ("cookie", signed_in.as_str())];
    let anonymous = app.anonymous();
    let ended = anonymous.send(
        Method::POST,
        "/api/auth/sign-out",
        &headers,
        Some("{}".to_owned()),
    );
    ended.await.ok();

    let late = complete(&app, &flow, &provider.consent(&page)).await;
    assert_eq!(late.header("location"), "/you#step_up=expired");
}

#[tokio::test]
async fn a_stepped_up_guardians_account_verifies_their_address() {
    let provider = FakeProvider::start_new().await;
    let app = TestApp::with_provider(provider.settings(), false).await;
    provider.configure(|script| script.authenticated = Some("2026-11-21T20:00:00Z"));
    let setup = &app.inner.identity.setup;
    setup.open().await.unwrap();
    let link = setup.link().unwrap().unwrap();
    let begin = json!({
        "token": link.split_once("#setup=").unwrap().1, "name": "Ada", "email": ADA, "children": [{"name": "Mia"}],
    });
    let headers = [("origin", PUBLIC_URL)];
    let anonymous = app.anonymous();
    let begun = anonymous.send(
        Method::POST,
        "/api/setup",
        &headers,
        Some(begin.to_string()),
    );
    let signed_in = cookie(&begun.await);
    assert_refused(&sign_in(&provider, &app).await, "unknown_guardian");

    // The setup counts as a step-up for ten minutes.
    app.clock.advance(Duration::from_secs(11 * 60));
    provider.configure(|script| script.authenticated = Some("2026-11-21T20:11:00Z"));
    let too_late = step_up(&provider, &app, &signed_in).await;
    assert_eq!(too_late, "/you#step_up=other_account");
    let again = json!({"token": link.split_once("#setup=").unwrap().1}).to_string();
    let again = anonymous.send(Method::POST, "/api/setup/sign_in", &headers, Some(again));
    let signed_in = cookie(&again.await);
    let done = step_up(&provider, &app, &signed_in).await;

    assert_eq!(done, "/you#step_up=done");
    let minted = refresh(&app, &signed_in).await.json();
    assert!(minted["guardian"].get("email_unverified").is_none());
    assert_eq!(
        assert_signed_in(&app, &sign_in(&provider, &app).await).await["email"],
        ADA
    );
}

#[tokio::test]
async fn text_for_numbers_and_booleans_and_empty_urls_are_harmless() {
    let (provider, app) = start_app().await;
    provider.configure(|script| {
        script.email_in_token = false;
        script.alter = |document, json| match document {
            Document::Discovery => {
                json["registration_endpoint"] = json!("");
                json["op_tos_uri"] = json!("not a URL");
                json["claims_parameter_supported"] = json!("true");
            }
            Document::Tokens => {
                json["expires_in"] = json!("3600");
                json["scope"] = json!(["openid"]);
            }
            Document::Claims => json["updated_at"] = json!("2026-11-20T08:00:00.123Z"),
            Document::UserInfo => {
                json["email_verified"] = json!("true");
                json["updated_at"] = json!("1795291200");
                json["picture"] = json!("");
            }
            Document::Keys | Document::Header => {}
        };
    });

    let by_user_info = sign_in(&provider, &app).await;
    assert_eq!(assert_signed_in(&app, &by_user_info).await["email"], ADA);

    provider.configure(|script| {
        script.subject = "account-8";
        script.email_in_token = true;
        script.alter = |document, json| {
            if document == Document::Claims {
                json["email_verified"] = json!("true");
            }
        };
    });
    let by_token = sign_in(&provider, &app).await;
    assert_eq!(assert_signed_in(&app, &by_token).await["email"], ADA);

    provider.configure(|script| {
        script.subject = "account-9";
        script.alter = |document, json| {
            if document == Document::Claims {
                json["email_verified"] = json!("false");
            }
        };
    });
    assert_refused(&sign_in(&provider, &app).await, "unverified_email");
}

#[tokio::test]
async fn claims_of_other_types_are_read_and_their_signature_is_checked() {
    let (provider, app) = start_app().await;
    provider.configure(|script| {
        script.alter = |document, json| {
            if document == Document::Claims {
                for time in ["iat", "exp"] {
                    json[time] = json!(json[time].to_string());
                }
                json["sub"] = json!(4711);
                json["email_verified"] = json!(1);
                json["acr"] = json!(1);
                json["amr"] = json!("pwd");
                json["address"] = json!("1 High Street");
            }
        };
    });

    let signed_in = sign_in(&provider, &app).await;
    assert_eq!(assert_signed_in(&app, &signed_in).await["email"], ADA);

    for signature in [
        Signature::UnknownKey,
        Signature::ClientSecret,
        Signature::None,
    ] {
        provider.configure(|script| script.signature = signature);
        assert_refused(&sign_in(&provider, &app).await, "failed");
    }
}

#[tokio::test]
async fn an_empty_userinfo_endpoint_counts_as_missing() {
    let (provider, app) = start_app().await;
    provider.configure(|script| {
        script.alter = |document, json| {
            if document == Document::Discovery {
                json["userinfo_endpoint"] = json!("");
            }
        };
    });
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;

    provider.configure(|script| (script.subject, script.email_in_token) = ("account-8", false));

    let reason = reason(&provider, &app).await;
    assert_eq!(
        reason,
        "the account's address is not verified: email is missing"
    );
}

#[tokio::test]
async fn a_key_without_an_id_may_be_the_one_that_the_token_names() {
    let (provider, app) = start_app().await;
    provider.configure(|script| {
        script.alter = |document, json| {
            if document == Document::Keys {
                json["keys"][0].as_object_mut().unwrap().remove("kid");
            }
        };
    });
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;

    provider.configure(|script| script.signature = Signature::UnknownKey);

    let reason = reason(&provider, &app).await;
    assert_eq!(reason, "its ID token's signature is wrong");
}

#[tokio::test]
async fn a_client_secret_is_sent_again_unencoded_if_the_provider_does_not_decode_it() {
    let (provider, app) = start_app().await;
    provider.configure(|script| script.basic = Basic::Raw);
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;

    let wrong = Some("another s3cret".to_owned());
    let wrong = ProviderSettings::new(&provider.issuer(), "porchlight", wrong, "Example ID");
    let app = TestApp::with_provider(wrong.unwrap(), false).await;

    let reason = reason(&provider, &app).await;
    assert_eq!(reason, "it did not take the client id and the secret");
}

#[tokio::test]
async fn another_audience_is_accepted_only_if_the_administrator_names_it() {
    let provider = FakeProvider::start_new().await;
    let settings = provider
        .settings()
        .with_audiences(vec!["project".to_owned()]);
    let app = TestApp::with_provider(settings, false).await;
    app.guardian(ADA).await;

    provider.configure(|script| script.audience = vec!["porchlight", "project"]);
    assert_signed_in(&app, &sign_in(&provider, &app).await).await;

    for audience in [
        vec!["project"],
        vec!["porchlight", "project", "another-client"],
    ] {
        provider.configure(|script| script.audience = audience);
        let reason = reason(&provider, &app).await;
        assert_eq!(reason, "its ID token is for another audience");
    }
    provider.configure(|script| {
        script.audience = vec!["porchlight", "project"];
        script.alter = |document, json| {
            if document == Document::Claims {
                json["azp"] = json!("project");
            }
        };
    });
    let reason = reason(&provider, &app).await;
    assert_eq!(reason, "its ID token is for another audience");
}

/// Leaves `email_verified` out, as Entra, Synology and Authentik do.
fn without_email_verified(document: Document, json: &mut Value) {
    if matches!(document, Document::Claims | Document::UserInfo) {
        json.as_object_mut().unwrap().remove("email_verified");
    }
}

/// Starts a provider that doesn't send `email_verified`, and an app that trusts its addresses.
async fn start_trusting_app(open_sign_up: bool) -> (FakeProvider, TestApp) {
    let provider = FakeProvider::start_new().await;
    provider.configure(|script| script.alter = without_email_verified);
    let settings = provider.settings().trusting_email().unwrap();
    let app = TestApp::with_provider(settings, open_sign_up).await;
    (provider, app)
}

/// Steps up with a recovery code.
async fn step_up_with_code(device: &Device<'_>) {
    let code = &device.codes().await[0];
    let body = json!({"way": "recovery_code", "code": code});
    device.post("/api/auth/step_up", &body).await.json();
}

#[tokio::test]
async fn the_log_says_whether_email_verified_is_missing_or_false() {
    let (provider, app) = start_app().await;

    provider.configure(|script| script.alter = without_email_verified);
    let missing = reason(&provider, &app).await;
    provider.reset();
    provider.configure(|script| script.verified = false);
    let is_false = reason(&provider, &app).await;

    let reason = "the account's address is not verified: email_verified is ";
    assert_eq!(missing, format!("{reason}missing"));
    assert_eq!(is_false, format!("{reason}false"));
}

#[tokio::test]
async fn a_trusted_address_links_no_guardian_who_has_not_stepped_up() {
    let (provider, app) = start_trusting_app(false).await;
    app.guardian(ADA).await;
    assert_refused(&sign_in(&provider, &app).await, "not_linked");
    let ada = Device::by_email(&app, ADA, LAPTOP).await;
    assert_eq!(ada.get("/api/auth/step_up").await["can_link"], true);

    // A recent authentication doesn't verify the address.
    provider.configure(|script| script.authenticated = Some("2026-11-21T20:00:00Z"));
    let refused = step_up(&provider, &app, &ada.cookie).await;
    assert_eq!(refused, "/you#step_up=other_account");
    assert_refused(&sign_in(&provider, &app).await, "not_linked");

    // After a step-up the provider need not send `auth_time`.
    provider.configure(|script| script.authenticated = None);
    step_up_with_code(&ada).await;
    let linked = step_up(&provider, &app, &ada.cookie).await;

    assert_eq!(linked, "/you#step_up=done");
    assert_eq!(ada.get("/api/auth/step_up").await.get("can_link"), None);
    let signed_in = assert_signed_in(&app, &sign_in(&provider, &app).await).await;
    assert_eq!(signed_in["email"], ADA);
}

#[tokio::test]
async fn a_stepped_up_guardian_cannot_link_an_account_with_another_address() {
    let (provider, app) = start_trusting_app(false).await;
    app.guardian(ADA).await;
    provider.configure(|script| script.email = "eve@example.org");
    let ada = Device::by_email(&app, ADA, LAPTOP).await;
    step_up_with_code(&ada).await;

    let refused = step_up(&provider, &app, &ada.cookie).await;

    assert_eq!(refused, "/you#step_up=other_account");
    assert_refused(&sign_in(&provider, &app).await, "unknown_guardian");
}

#[tokio::test]
async fn an_address_that_the_provider_calls_unverified_is_not_trusted() {
    let (provider, app) = start_trusting_app(true).await;
    provider.reset();
    provider.configure(|script| script.verified = false);

    for email_in_token in [true, false] {
        provider.configure(|script| script.email_in_token = email_in_token);
        assert_refused(&sign_in(&provider, &app).await, "unverified_email");
    }
}

#[tokio::test]
async fn with_open_sign_up_a_trusted_address_creates_a_guardian_whose_address_is_unconfirmed() {
    let (provider, app) = start_trusting_app(true).await;

    let stranger = assert_signed_in(&app, &sign_in(&provider, &app).await).await;
    let again = assert_signed_in(&app, &sign_in(&provider, &app).await).await;

    assert_eq!(
        (&stranger["email"], &stranger["email_unverified"]),
        (&json!(ADA), &json!(true))
    );
    assert_eq!(again["id"], stranger["id"]);
    // The owner of the address isn't signed in as the stranger.
    app.guardian(ADA).await;
    let owner = Device::by_email(&app, ADA, LAPTOP).await.mint().await;
    assert_ne!(owner.json()["guardian"]["id"], stranger["id"]);
}

#[tokio::test]
async fn a_provider_that_sends_no_auth_time_is_not_offered_for_stepping_up() {
    let (provider, app) = start_app().await;
    let (page, _) = begin(&app).await;
    assert!(page.query_pairs().any(|(name, _)| name == "max_age"));
    let ways = async |cookie: &str| step_up_state(&app, cookie).await["ways"].clone();

    let signed_in = cookie(&sign_in(&provider, &app).await);
    assert_eq!(ways(&signed_in).await, json!(["email"]));

    // Now it sends one.
    provider.configure(|script| script.authenticated = Some("2026-11-20T08:00:00Z"));
    sign_in(&provider, &app).await;
    assert_eq!(ways(&signed_in).await, json!(["email", "provider"]));

    // It sends none if `max_age` was requested.
    provider.configure(|script| script.authenticated = None);
    let location = step_up(&provider, &app, &signed_in).await;
    assert_eq!(location, "/you#step_up=failed");
    assert_eq!(ways(&signed_in).await, json!(["email"]));
}

/// Signs with ES512 only.
fn with_es512(document: Document, json: &mut Value) {
    match document {
        Document::Discovery => json["id_token_signing_alg_values_supported"] = json!(["ES512"]),
        Document::Header => json["alg"] = json!("ES512"),
        _ => {}
    }
}

/// Has only a key on the curve P-521.
fn with_p_521(document: Document, json: &mut Value) {
    match document {
        Document::Keys => {
            let point = "A".repeat(88);
            let key = json!({"kty": "EC", "crv": "P-521", "kid": "key-1", "x": point, "y": point});
            json["keys"] = json!([key]);
        }
        Document::Header => json["alg"] = json!("ES256"),
        _ => {}
    }
}

#[tokio::test]
async fn unsupported_keys_and_algorithms_are_named_in_the_log_and_by_a_check() {
    let (provider, app) = start_app().await;
    let wrongs: [Wrong; 3] = [
        (
            "it signs with ES512, which is not supported: let it sign with RS256, ES256 or EdDSA",
            |script| script.alter = with_es512,
        ),
        (
            "its key is on the curve P-521, which is not supported: let it use P-256",
            |script| script.alter = with_p_521,
        ),
        (
            "its RSA key is too short: let it use one of 2048 bits",
            |script| script.signature = Signature::ShortKey,
        ),
    ];
    let check = async || probe_provider(&provider.settings(), &Clock::System).await;

    for (expected, play) in wrongs {
        provider.reset();
        provider.configure(play);
        app.clock.advance(Duration::from_secs(24 * 60 * 60));
        assert_eq!(reason(&provider, &app).await, expected);
        let sentence = format!("The provider was reached, but {expected}.");
        assert_eq!(check().await, Err(sentence));
    }
    provider.reset();
    assert!(check().await.is_ok());
}
