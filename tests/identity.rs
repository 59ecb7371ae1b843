//! Signing in by e-mail, staying signed in, signing out.

use std::sync::Arc;
use std::time::Duration;

use crate::support::features::Facts;
use crate::support::operations::{Event, nothing, write};
use crate::support::tables::{Pages, Promise, Who};
use crate::support::test_app::{EVENING, PUBLIC_URL, Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::RemoveGuardian;
use porchlight::identity::{self, Named};
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::http::limit::LimitMode;
use porchlight::kernel::outgoing::mail::{EmailAddress, Mailer};
use porchlight::kernel::store::{Change, StoreError};
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[
        (Some(Promise::SignIn), None, &["sign-in", "sign-in-of"]),
        (
            Some(Promise::SignInLink),
            None,
            &["link", "link-of", "link-to"],
        ),
        (
            Some(Promise::RecoveryCode),
            None,
            &["recovery-code", "recovery-code-of", "recovery-codes-made"],
        ),
        // Who a guardian is; ends when they are removed.
        (None, None, &["guardian", "guardian-by-email"]),
        (None, None, &["public-url", "token-key"]),
    ],
    damaged: &[
        (
            "guardian",
            Pages::ClosedAndLacksARow(&["getAddress"], &["getRequests"]),
        ),
        ("sign-in", Pages::ClosedTo(Who::Guardian)),
        ("sign-in-of", Pages::ClosedTo(Who::Guardian)),
        ("token-key", Pages::NewToken),
        (
            "recovery-codes-made",
            Pages::Closed(&["getRecoveryCodes", "getStepUp"]),
        ),
    ],
    writes: &[
        write(
            "requestSignInLink",
            None,
            |_| json!({"email": "somebody@example.org"}),
        ),
        write(
            "signIn",
            None,
            |_| json!({"email": "ada@example.org", "token": "lnk_x"}),
        )
        .with_few_values(),
        write("issueIdentityToken", None, nothing),
        write(
            "signOut",
            Some(Event::SignedOutEverywhere),
            |_| json!({"everywhere": false}),
        ),
        write("endSignIn", None, nothing),
        write("seeSignIns", None, nothing),
        write(
            "signInWithRecoveryCode",
            None,
            |_| json!({"code": "K7QX-3M0V-9T2D-HC1A"}),
        )
        .with_few_values(),
        write("makeRecoveryCodes", None, nothing),
    ],
};

const ADA: &str = "ada@example.org";
const OURS: (&str, &str) = ("origin", PUBLIC_URL);

impl TestApp {
    /// Requests a link. Returns the token in the e-mail.
    async fn link_token(&self, email: &str) -> String {
        self.anonymous()
            .post("/api/auth/link", &json!({"email": email}))
            .await
            .ok();
        self.inner.queue.deliver_due().await.unwrap();
        let emails = self.emails.lock().unwrap();
        let text = &emails.last().expect("an email").text;
        let link = text
            .lines()
            .find(|line| line.contains("#token="))
            .expect("a link");
        link.split_once("#token=").unwrap().1.to_owned()
    }

    fn email_count(&self) -> usize {
        self.emails.lock().unwrap().len()
    }
}

async fn our_post(persona: &Persona<'_>, path: &str, cookie: &str, body: &Value) -> Response {
    let headers = [OURS, ("cookie", cookie)];
    persona
        .send(Method::POST, path, &headers, Some(body.to_string()))
        .await
}

async fn sign_in(app: &TestApp, email: &str, token: &str) -> Response {
    let body = json!({"email": email, "token": token});
    our_post(&app.anonymous(), "/api/auth/sign-in", "", &body).await
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

async fn refresh(app: &TestApp, cookie: &str) -> Response {
    let headers = [OURS, ("cookie", cookie)];
    app.anonymous()
        .send(Method::POST, "/api/auth/token", &headers, None)
        .await
}

#[tokio::test]
async fn without_mail_no_sign_in_link_is_offered() {
    for (app, offered) in [
        (TestApp::new().await, true),
        (
            TestApp::with_mailer(Mailer::Nobody, LimitMode::Off).await,
            false,
        ),
    ] {
        let methods = app.anonymous().get("/api/auth/methods").await.json();

        assert_eq!(methods, json!({"email_link": offered, "set_up": false}));
    }
}

#[tokio::test]
async fn an_emails_link_signs_the_guardian_in() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    app.child("Mia", &[ADA]).await;

    let token = app.link_token("Ada@Example.org").await;
    let signed_in = sign_in(&app, ADA, &token).await;

    let issued = signed_in.json();
    assert_eq!(issued["expires_in"], 600);
    assert_eq!(issued["guardian"]["email"], ADA);
    let bearer = issued["identity_token"].as_str().unwrap();
    let children = app.bearer(bearer).get("/api/children").await.json();
    assert_eq!(children, json!([{"child_id": 1, "name": "Mia"}]));
    let set = signed_in.header("set-cookie");
    for attribute in [
        "HttpOnly",
        "SameSite=Strict",
        "Secure",
        "Path=/api/auth",
        "Max-Age=2592000",
    ] {
        assert!(set.contains(attribute), "{attribute}");
    }
}

#[tokio::test]
async fn the_email_holds_the_link_in_the_fragment_and_no_address() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;

    app.link_token(ADA).await;

    let emails = app.emails.lock().unwrap();
    for part in [&emails[0].text, &emails[0].html] {
        assert!(part.contains(&format!("{PUBLIC_URL}/finish-sign-in#token=lnk_")));
        assert!(!part.contains(ADA));
    }
}

#[tokio::test]
async fn an_unknown_address_gets_the_same_response_and_no_email() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;

    let known = app
        .anonymous()
        .post("/api/auth/link", &json!({"email": ADA}))
        .await;
    let unknown = app
        .anonymous()
        .post("/api/auth/link", &json!({"email": "eve@example.org"}))
        .await;
    app.inner.queue.deliver_due().await.unwrap();

    assert_eq!((known.status.as_u16(), &known.body), (202, &String::new()));
    assert_eq!((known.status, known.body), (unknown.status, unknown.body));
    assert_eq!(app.email_count(), 1);
    let waiting = app.inner.queue.deliver_due().await.unwrap();
    assert_eq!(waiting, None, "both queues are empty");
}

#[tokio::test]
async fn a_pending_email_is_not_queued_twice() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;

    for _ in 0..3 {
        app.anonymous()
            .post("/api/auth/link", &json!({"email": ADA}))
            .await
            .ok();
    }
    app.inner.queue.deliver_due().await.unwrap();

    assert_eq!(app.email_count(), 1);
}

#[tokio::test]
async fn each_link_failure_has_its_own_message() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let used = app.link_token(ADA).await;
    sign_in(&app, ADA, &used).await.ok();
    let expired = app.link_token(ADA).await;
    let fresh = app.link_token(ADA).await;
    let mangled = format!("{}A", &fresh[..fresh.len() - 1]);

    let wrong_email = sign_in(&app, "eve@example.org", &fresh).await.problem(401);
    let used = sign_in(&app, ADA, &used).await.problem(401);
    let mangled = sign_in(&app, ADA, &mangled).await.problem(401);
    let nonsense = sign_in(&app, ADA, "hello").await.problem(401);
    app.clock.advance(Duration::from_secs(30 * 60));
    let expired = sign_in(&app, ADA, &expired).await.problem(401);

    assert!(wrong_email.starts_with("This sign-in link was sent to another e-mail address."));
    assert_eq!(
        used,
        "This sign-in link has already been used. Please ask for a new one."
    );
    assert_eq!(
        expired,
        "This sign-in link has expired. Please ask for a new one."
    );
    assert_eq!(
        mangled,
        "This sign-in link is not valid. Please ask for a new one."
    );
    assert_eq!(nonsense, mangled);
}

#[tokio::test]
async fn five_wrong_addresses_invalidate_a_link_and_fewer_do_not() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let (first, second) = (app.link_token(ADA).await, app.link_token(ADA).await);

    for _ in 0..4 {
        sign_in(&app, "eve@example.org", &first).await.problem(401);
    }
    sign_in(&app, ADA, &first).await.ok();
    for _ in 0..5 {
        sign_in(&app, "eve@example.org", &second).await.problem(401);
    }

    let ended = sign_in(&app, ADA, &second).await.problem(401);
    assert!(ended.contains("too many wrong e-mail addresses"), "{ended}");
}

#[tokio::test]
async fn a_fourth_link_invalidates_the_oldest() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mut tokens = Vec::new();
    for _ in 0..4 {
        tokens.push(app.link_token(ADA).await);
        app.clock.advance(Duration::from_secs(1));
    }

    let oldest = sign_in(&app, ADA, &tokens[0]).await.problem(401);

    assert!(oldest.starts_with("This sign-in link was replaced by a newer one."));
    for token in &tokens[1..] {
        sign_in(&app, ADA, token).await.ok();
    }
}

#[tokio::test]
async fn a_used_link_does_not_count_towards_the_limit() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mut tokens = Vec::new();
    for _ in 0..3 {
        tokens.push(app.link_token(ADA).await);
        app.clock.advance(Duration::from_secs(1));
    }

    sign_in(&app, ADA, &tokens.pop().unwrap()).await.ok();
    tokens.push(app.link_token(ADA).await);

    for token in &tokens {
        sign_in(&app, ADA, token).await.ok();
    }
}

/// Uses a link in `parallel` concurrent requests, for `rounds` links. Exactly one request for each link succeeds.
async fn race_for_links(rounds: usize, parallel: usize) {
    let app = Arc::new(TestApp::new().await);
    app.guardian(ADA).await;

    for _ in 0..rounds {
        let token = app.link_token(ADA).await;
        let posts = (0..parallel).map(|_| {
            let (app, token) = (app.clone(), token.clone());
            tokio::spawn(async move { sign_in(&app, ADA, &token).await })
        });
        let mut winners = 0;
        for post in posts.collect::<Vec<_>>() {
            let response = post.await.unwrap();
            if response.status.is_success() {
                winners += 1
            } else {
                assert_eq!(
                    response.problem(401),
                    "This sign-in link has already been used. Please ask for a new one."
                )
            }
        }
        assert_eq!(winners, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_use_a_link_only_once() {
    race_for_links(20, 64).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the long form"]
async fn concurrent_requests_use_a_link_only_once_in_two_thousand_rounds() {
    race_for_links(2_000, 64).await;
}

#[tokio::test]
async fn a_cookie_in_use_issues_tokens_for_thirty_days() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let token = app.link_token(ADA).await;
    let cookie = cookie(&sign_in(&app, ADA, &token).await);
    let day = Duration::from_secs(24 * 60 * 60);

    for _ in 0..5 {
        app.clock.advance(6 * day - Duration::from_secs(1));
        refresh(&app, &cookie).await.ok();
    }
    app.clock.advance(Duration::from_secs(5));

    refresh(&app, &cookie).await.problem(401);
}

#[tokio::test]
async fn a_cookie_expires_after_seven_idle_days() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let token = app.link_token(ADA).await;
    let cookie = cookie(&sign_in(&app, ADA, &token).await);

    app.clock.advance(Duration::from_secs(7 * 24 * 60 * 60));
    let ended = refresh(&app, &cookie).await;

    assert_eq!(
        ended.problem(401),
        "You are not signed in any more. Please sign in again."
    );
    assert_eq!(ended.header("set-cookie"), "", "the clock may be wrong");
    let everywhere = json!({"everywhere": true});
    our_post(&app.anonymous(), "/api/auth/sign-out", &cookie, &everywhere)
        .await
        .ok();
    let expired = refresh(&app, &cookie).await;
    expired.problem(401);
    assert!(expired.header("set-cookie").contains("Max-Age=0"));
}

#[tokio::test]
async fn a_clock_that_was_days_ahead_signs_nobody_out_once_corrected() {
    let app = TestApp::new().await;
    let token = {
        app.guardian(ADA).await;
        app.link_token(ADA).await
    };
    let cookie_before = cookie(&sign_in(&app, ADA, &token).await);
    let evening = Timestamp::parse(EVENING).unwrap();
    app.clock.advance(Duration::from_secs(3 * 24 * 60 * 60));
    let used = refresh(&app, &cookie_before).await;
    let issued_ahead = used.json()["identity_token"].clone();
    let token = app.link_token(ADA).await;
    let cookie_ahead = cookie(&sign_in(&app, ADA, &token).await);
    // The last use is recorded in the background.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    let written = app.inner.store.commit(|_| Ok::<_, StoreError>(()));
    written.await.unwrap();

    app.clock.set(evening);

    for cookie in [&cookie_before, &cookie_ahead] {
        let minted = refresh(&app, cookie).await.json();
        let bearer = app.bearer(minted["identity_token"].as_str().unwrap());
        bearer.get("/api/children").await.ok();
    }
    let bearer = app.bearer(issued_ahead.as_str().unwrap());
    bearer.get("/api/children").await.problem(401);
}

#[tokio::test]
async fn a_sign_in_is_suspended_while_the_clock_is_behind() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let token = app.link_token(ADA).await;
    let cookie = cookie(&sign_in(&app, ADA, &token).await);
    let evening = Timestamp::parse(EVENING).unwrap();

    for behind in [
        "2026-11-13T20:00:00Z",
        "2025-11-21T20:00:00Z",
        "1970-01-01T00:00:10Z",
    ] {
        app.clock.set(Timestamp::parse(behind).unwrap());
        let waits = refresh(&app, &cookie).await;
        let sentence = waits.problem(503);
        assert!(
            sentence.starts_with("The clock of this server is behind"),
            "{sentence}"
        );
        assert_eq!(waits.header("retry-after"), "60");
        assert_eq!(waits.header("set-cookie"), "");
        ada.get("/api/children").await.problem(503);
    }
    app.clock.set(evening);

    refresh(&app, &cookie).await.ok();
    ada.get("/api/children").await.ok();
}

#[tokio::test]
async fn another_cookie_is_not_mistaken_for_ours() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let token = app.link_token(ADA).await;
    let cookie = cookie(&sign_in(&app, ADA, &token).await);

    refresh(&app, &format!("theme=dark; {cookie}")).await.ok();
    let theirs_alone = refresh(&app, "theme=dark").await;

    assert_eq!(theirs_alone.status, 204);
}

#[tokio::test]
async fn another_programs_non_ascii_cookie_signs_nobody_out() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let token = app.link_token(ADA).await;
    let cookie = cookie(&sign_in(&app, ADA, &token).await);

    refresh(&app, &format!("theme=caf\u{e9}; {cookie}"))
        .await
        .ok();
    refresh(&app, &format!("{cookie}; caf\u{e9}=dark"))
        .await
        .ok();
}

/// A server on a port of this host, with one guardian, and a browser.
struct OnAPort {
    app: TestApp,
    origin: &'static str,
}

impl OnAPort {
    async fn new(origin: &'static str) -> Self {
        let app = TestApp::at(origin).await;
        app.guardian(ADA).await;
        Self { app, origin }
    }

    async fn post(&self, path: &str, cookie: &str, body: &Value) -> Response {
        let headers = [("origin", self.origin), ("cookie", cookie)];
        let nobody = self.app.anonymous();
        nobody
            .send(Method::POST, path, &headers, Some(body.to_string()))
            .await
    }

    /// Signs in. Returns the cookie.
    async fn sign_in(&self) -> String {
        let token = self.app.link_token(ADA).await;
        let body = json!({"email": ADA, "token": token});
        cookie(&self.post("/api/auth/sign-in", "", &body).await)
    }

    async fn refresh(&self, cookie: &str) -> Response {
        let headers = [("origin", self.origin), ("cookie", cookie)];
        self.app
            .anonymous()
            .send(Method::POST, "/api/auth/token", &headers, None)
            .await
    }
}

#[tokio::test]
async fn two_servers_on_one_host_do_not_sign_each_other_out() {
    for [one, other] in [
        ["http://nas.example:8080", "http://nas.example:8081"],
        ["https://nas.example", "https://nas.example:8443"],
    ] {
        let (one, other) = (OnAPort::new(one).await, OnAPort::new(other).await);
        let (ours, theirs) = (one.sign_in().await, other.sign_in().await);
        let name = |cookie: &str| cookie.split('=').next().unwrap().to_owned();
        assert_ne!(name(&ours), name(&theirs));
        let both = format!("{ours}; {theirs}");

        for server in [&one, &other] {
            server.refresh(&both).await.ok();
        }
        one.post("/api/auth/sign-out", &both, &json!({"everywhere": true}))
            .await
            .ok();

        let signed_out = one.refresh(&theirs).await;
        assert_eq!(signed_out.status, 204, "{}", signed_out.body);
        other.refresh(&both).await.ok();
    }
}

#[tokio::test]
async fn a_cookie_from_before_its_name_had_the_port_stays_valid_and_is_renamed() {
    let server = OnAPort::new("http://nas.example:8080").await;
    let neighbour = OnAPort::new("http://nas.example:8081").await;
    let of_before = server.sign_in().await.replace("_8080=", "=");

    let minted = server.refresh(&of_before).await;
    let moved = cookie(&minted);
    minted.ok();
    assert_eq!(moved, of_before.replace("sign_in=", "sign_in_8080="));
    let both = format!("{of_before}; {moved}");
    let again = server.refresh(&both).await;
    again.ok();
    assert_eq!(again.header("set-cookie"), "");

    let elsewhere = neighbour.refresh(&of_before).await;
    assert_eq!(elsewhere.status, 204, "it isn't the neighbour's");
    assert_eq!(elsewhere.header("set-cookie"), "");

    server
        .post("/api/auth/sign-out", &both, &json!({}))
        .await
        .ok();
    assert_eq!(server.refresh(&of_before).await.status, 204);
}

#[tokio::test]
async fn the_cookies_name_has_the_host_prefix() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let token = app.link_token(ADA).await;
    let cookie = cookie(&sign_in(&app, ADA, &token).await);

    assert!(
        cookie.starts_with("__Secure-porchlight_sign_in=rfr_"),
        "{cookie}"
    );
    let without_prefix = cookie.replace("__Secure-", "");
    assert_eq!(refresh(&app, &without_prefix).await.status, 204);
}

#[tokio::test]
async fn on_plain_http_the_cookies_name_has_no_prefix() {
    let app = TestApp::on_plain_http().await;
    app.guardian(ADA).await;
    let token = app.link_token(ADA).await;

    let ours = [("origin", "http://porchlight.example")];
    let body = Some(json!({"email": ADA, "token": token}).to_string());
    let nobody = app.anonymous();
    let signed_in = nobody
        .send(Method::POST, "/api/auth/sign-in", &ours, body)
        .await;

    let set = signed_in.header("set-cookie");
    assert!(set.starts_with("porchlight_sign_in=rfr_"), "{set}");
    assert!(!set.contains("Secure"), "{set}");
    let headers = [ours[0], ("cookie", &cookie(&signed_in))];
    let minted = nobody
        .send(Method::POST, "/api/auth/token", &headers, None)
        .await;
    minted.ok();
}

#[tokio::test]
async fn two_cookies_with_our_name_are_both_ignored_and_not_deleted() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    app.guardian("eve@example.org").await;
    let token = app.link_token(ADA).await;
    let adas = cookie(&sign_in(&app, ADA, &token).await);
    let token = app.link_token("eve@example.org").await;
    let eves = cookie(&sign_in(&app, "eve@example.org", &token).await);

    for both in [format!("{adas}; {eves}"), format!("{eves}; {adas}")] {
        let response = refresh(&app, &both).await;
        assert_eq!(
            (response.status.as_u16(), response.body.as_str()),
            (204, "")
        );
        assert_eq!(response.header("set-cookie"), "");
    }
    let in_two_lines = [OURS, ("cookie", &adas), ("cookie", &eves)];
    let nobody = app.anonymous();
    let response = nobody
        .send(Method::POST, "/api/auth/token", &in_two_lines, None)
        .await;
    assert_eq!(response.status, 204);

    refresh(&app, &adas).await.ok();
    let both = format!("{eves}; {adas}");
    our_post(&app.anonymous(), "/api/auth/sign-out", &both, &json!({}))
        .await
        .ok();
    refresh(&app, &adas).await.problem(401);
}

/// The ways to end all of a guardian's sign-ins, links and e-mails.
#[derive(Clone, Copy, Debug)]
enum End {
    SignOutEverywhere,
    SignOutByCommand,
    ChangeEmail,
}

#[tokio::test]
async fn signing_out_everywhere_or_changing_the_address_ends_sign_ins_links_and_emails() {
    for end in [
        End::SignOutEverywhere,
        End::SignOutByCommand,
        End::ChangeEmail,
    ] {
        let app = TestApp::new().await;
        let ada = app.guardian(ADA).await;
        let bob = app.guardian("bob@example.org").await;
        let token = app.link_token(ADA).await;
        let cookie = cookie(&sign_in(&app, ADA, &token).await);
        let link = app.link_token(ADA).await;
        let bobs = app.link_token("bob@example.org").await;
        let request = json!({"email": ADA});
        app.anonymous().post("/api/auth/link", &request).await.ok();
        let emails = app.email_count();

        let now_at = match end {
            End::SignOutEverywhere => {
                let body = json!({"everywhere": true});
                our_post(&app.anonymous(), "/api/auth/sign-out", &cookie, &body)
                    .await
                    .ok();
                ADA
            }
            End::SignOutByCommand => {
                let identity = app.inner.identity.clone();
                let ended = app.inner.store.commit(move |change| {
                    identity.sign_guardian_out(change, &ADA.parse().unwrap())
                });
                ended.await.unwrap();
                ADA
            }
            End::ChangeEmail => {
                let identity = app.inner.identity.clone();
                let to = email("ada@new.example");
                let changed = app.inner.store.commit(move |change| {
                    identity.change_email(change, &ADA.parse().unwrap(), &to)
                });
                changed.await.unwrap();
                "ada@new.example"
            }
        };

        ada.get("/api/children").await.problem(401);
        refresh(&app, &cookie).await.problem(401);
        for address in [ADA, now_at] {
            sign_in(&app, address, &link).await.problem(401);
        }
        app.inner.queue.deliver_due().await.unwrap();
        assert_eq!(app.email_count(), emails, "{end:?}: no email is sent");
        bob.get("/api/children").await.ok();
        sign_in(&app, "bob@example.org", &bobs).await.ok();
        let fresh = app.link_token(now_at).await;
        sign_in(&app, now_at, &fresh).await.ok();
    }
}

fn email(text: &str) -> EmailAddress {
    text.parse().unwrap()
}

#[tokio::test]
async fn ending_a_sign_in_clears_its_cache_entries() {
    let app = TestApp::new().await;
    let cached = || app.inner.store.count_cached();
    let (ada, bob) = (
        app.guardian(ADA).await,
        app.guardian("bob@example.org").await,
    );
    bob.get("/api/auth/sign_ins").await.ok();
    let bobs = cached();
    ada.get("/api/auth/sign_ins").await.ok();
    assert_eq!(cached(), bobs + 1, "her token is cached");

    let (identity, signed_in) = (&app.inner.identity, ada.credential());
    let signed_in = identity.sign_ins.verify(signed_in).unwrap().unwrap();
    let id = signed_in.sign_in().clone();
    identity.sign_ins.end(&signed_in, id).await.unwrap();
    assert_eq!(cached(), bobs);

    ada.get("/api/auth/sign_ins").await.problem(401);
    assert_eq!(cached(), bobs, "and not cached again");
}

#[tokio::test]
async fn removing_a_guardian_clears_their_cache_entries() {
    let app = TestApp::new().await;
    let cached = || app.inner.store.count_cached();
    let (ada, bob) = (
        app.guardian(ADA).await,
        app.guardian("bob@example.org").await,
    );
    app.child("Mia", &[ADA]).await;
    let leo = app.child("Leo", &["bob@example.org"]).await;
    bob.get("/api/children").await.ok();
    bob.get(&format!("/api/child/{leo}/blocked_topics"))
        .await
        .ok();
    let bobs = cached();
    ada.get("/api/children").await.ok();
    ada.get("/api/child/1/blocked_topics").await.ok();
    assert!(cached() > bobs);

    let removal = RemoveGuardian {
        email: email(ADA).into(),
    };
    let removed = app.run_admin(removal).await.0;

    assert!(removed.is_ok());
    // The child remains, and so do its own entries.
    let of_the_child = cached() - bobs;
    assert!(of_the_child <= 1, "{of_the_child} responses are cached");
}

#[tokio::test]
async fn without_a_cookie_the_response_is_signed_out_and_not_an_error() {
    let app = TestApp::new().await;

    let response = refresh(&app, "").await;

    assert_eq!(
        (response.status.as_u16(), response.body.as_str()),
        (204, "")
    );
}

#[tokio::test]
async fn signing_out_revokes_earlier_tokens_at_once() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mut devices = Vec::new();
    for _ in 0..3 {
        let token = app.link_token(ADA).await;
        let signed_in = sign_in(&app, ADA, &token).await;
        let bearer = signed_in.json()["identity_token"]
            .as_str()
            .unwrap()
            .to_owned();
        devices.push((cookie(&signed_in), bearer));
    }
    let is_in = async |bearer: &str| app.bearer(bearer).get("/api/children").await.status == 200;

    let (phone, phone_token) = &devices[0];
    let out = our_post(&app.anonymous(), "/api/auth/sign-out", phone, &json!({})).await;
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert!(!is_in(phone_token).await);
    refresh(&app, phone).await.problem(401);
    assert!(is_in(&devices[1].1).await, "the other sign-ins remain");

    let (laptop, laptop_token) = &devices[1];
    let everywhere = json!({"everywhere": true});
    our_post(&app.anonymous(), "/api/auth/sign-out", laptop, &everywhere)
        .await
        .ok();
    assert!(!is_in(laptop_token).await);
    assert!(!is_in(&devices[2].1).await);
}

#[tokio::test]
async fn a_removed_guardian_loses_access_at_once_and_gets_a_new_id_when_added_again() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    app.child("Mia", &[ADA]).await;
    let link = app.link_token(ADA).await;
    let (identity, email) = (app.inner.identity.clone(), ADA.parse().unwrap());

    let removed = app
        .inner
        .store
        .commit(move |change| identity.remove_guardian(change, &email));
    removed.await.unwrap();

    ada.get("/api/children").await.problem(401);
    sign_in(&app, ADA, &link).await.problem(401);
    let again = app.guardian(ADA).await;
    assert_eq!(again.get("/api/children").await.json(), json!([]));
}

#[tokio::test]
async fn two_guardians_cannot_have_the_same_address() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    app.guardian("bob@example.org").await;
    let change = async |to: &str| {
        let (identity, to) = (app.inner.identity.clone(), to.parse().unwrap());
        let changed = app
            .inner
            .store
            .commit(move |change| identity.change_email(change, &ADA.parse().unwrap(), &to));
        changed.await.map(|ada| ada.email.to_string())
    };

    let refused = change("Bob@Example.org").await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "A guardian with the address Bob@Example.org exists already."
    );
    assert_eq!(
        change(ADA).await.unwrap(),
        ADA,
        "a guardian's own address is no conflict"
    );
    assert_eq!(change("a@new.example").await.unwrap(), "a@new.example");
}

#[tokio::test]
async fn a_cookie_call_from_another_page_is_refused() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let token = app.link_token(ADA).await;
    let body = Some(json!({"email": ADA, "token": token}).to_string());
    let strangers: [&[(&str, &str)]; 4] = [
        &[],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "http://porchlight.example")],
    ];

    for headers in strangers {
        let nobody = app.anonymous();
        let response = nobody
            .send(Method::POST, "/api/auth/sign-in", headers, body.clone())
            .await;
        let sentence = response.problem(403);
        assert_eq!(
            sentence,
            "This call may only come from Porchlight's own pages."
        );
    }
    sign_in(&app, ADA, &token).await.ok();
}

#[tokio::test]
async fn each_kind_of_credential_is_refused_where_another_is_expected() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let link = app.link_token(ADA).await;
    let forged = format!("ast_{}", "A".repeat(43));

    robot.get("/api/children").await.problem(403);
    ada.deliver("s", &json!({"child_id": mia}))
        .await
        .problem(403);
    for credential in [link.as_str(), forged.as_str(), "", "rfr_x", "a.b.c"] {
        let somebody = app.bearer(credential);
        somebody.get("/api/children").await.problem(401);
        somebody
            .deliver("s", &json!({"child_id": mia}))
            .await
            .problem(401);
    }
    sign_in(&app, ADA, robot.credential()).await.problem(401);
}

#[tokio::test]
async fn with_open_sign_up_a_used_link_creates_a_guardian_without_children() {
    let app = TestApp::with_open_sign_up().await;

    let token = app.link_token("new@example.org").await;
    let guardians = || {
        app.inner
            .identity
            .guardians
            .list(&app.inner.store)
            .unwrap()
            .0
    };
    assert!(guardians().is_empty(), "the address is not verified");
    let another = app.link_token("New@example.org").await;
    let issued = sign_in(&app, "new@example.org", &token).await.json();
    sign_in(&app, "new@example.org", &another).await.ok();

    assert_eq!(guardians().len(), 1);
    let bearer = issued["identity_token"].as_str().unwrap();
    assert_eq!(
        app.bearer(bearer).get("/api/children").await.json(),
        json!([])
    );
}

#[tokio::test]
async fn the_public_key_of_our_tokens_is_published() {
    let app = TestApp::new().await;

    let keys = app.anonymous().get("/.well-known/jwks.json").await.json();

    assert_eq!(keys["keys"][0]["crv"], "Ed25519");
    assert_eq!(keys["keys"][0]["kty"], "OKP");
    assert_eq!(keys["keys"][0].get("d"), None, "no private key");
}

#[tokio::test]
async fn a_guardian_sees_their_sign_ins_and_ends_one() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    app.clock.advance(Duration::from_secs(60));
    let token = app.link_token(ADA).await;
    let phone = sign_in(&app, ADA, &token).await;
    let phones_token = phone.json()["identity_token"].as_str().unwrap().to_owned();

    let sign_ins = ada.get("/api/auth/sign_ins").await.json()["items"].take();
    let seen = |n: usize, field: &str| sign_ins[n][field].clone();
    assert_eq!(sign_ins.as_array().unwrap().len(), 2);
    assert_eq!([seen(0, "via"), seen(1, "via")], ["link", "command_line"]);
    assert_eq!([seen(0, "current"), seen(1, "current")], [false, true]);
    assert_eq!(seen(0, "started_at"), "2026-11-21T20:01:00Z");
    assert_eq!(seen(0, "used_at"), "2026-11-21T20:01:00Z");

    let path = format!(
        "/api/auth/sign_ins/{}",
        seen(0, "sign_in_id").as_str().unwrap()
    );
    let ended = ada.send(Method::DELETE, &path, &[], None).await;

    assert_eq!((ended.status.as_u16(), ended.body.as_str()), (204, ""));
    app.bearer(&phones_token)
        .get("/api/children")
        .await
        .problem(401);
    refresh(&app, &cookie(&phone)).await.problem(401);
    let left = ada.get("/api/auth/sign_ins").await.json();
    assert_eq!(left["items"].as_array().unwrap().len(), 1);
    ada.send(Method::DELETE, &path, &[], None)
        .await
        .problem(404);
}

#[tokio::test]
async fn a_guardian_cannot_see_or_end_another_guardians_sign_ins() {
    let app = TestApp::new().await;
    let (ada, eve) = (
        app.guardian(ADA).await,
        app.guardian("eve@example.org").await,
    );
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let adas = ada.get("/api/auth/sign_ins").await.json()["items"][0]["sign_in_id"].clone();
    let path = format!("/api/auth/sign_ins/{}", adas.as_str().unwrap());

    let not_hers = eve.send(Method::DELETE, &path, &[], None).await;
    let not_there = eve
        .send(Method::DELETE, "/api/auth/sign_ins/sgn_0", &[], None)
        .await;
    not_hers.problem(404);
    assert_eq!(not_hers.body, not_there.body);
    robot.get("/api/auth/sign_ins").await.problem(403);
    robot
        .send(Method::DELETE, &path, &[], None)
        .await
        .problem(403);
    app.anonymous().get("/api/auth/sign_ins").await.problem(401);

    let left = ada.get("/api/auth/sign_ins").await.json();
    assert_eq!(left["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_guardian_whom_a_restored_backup_suspended_gets_no_email_until_reinstated() {
    let app = TestApp::new().await;
    app.guardian("ada@example.org").await;
    let suspend =
        |change: &mut Change| identity::suspend_all(change, Timestamp::parse(EVENING).unwrap());
    app.inner.store.commit(suspend).await.unwrap();
    let ask = async || {
        let body = json!({"email": "ada@example.org"});
        let asked = app.anonymous().post("/api/auth/link", &body).await;
        app.inner.queue.deliver_due().await.unwrap();
        (asked.status.as_u16(), app.emails.lock().unwrap().len())
    };
    assert_eq!(ask().await, (202, 0));

    let named = Named {
        guardians: vec!["ada@example.org".parse().unwrap()],
        ..Named::default()
    };
    let reinstated = app
        .inner
        .store
        .commit(move |change| identity::reinstate(change, &named));
    assert_eq!(reinstated.await.unwrap().guardians, 1);

    assert_eq!(ask().await, (202, 1));
}
