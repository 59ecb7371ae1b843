//! Changing a guardian's address: it takes effect once the new address was confirmed by e-mail and a day has passed without a
//! cancellation.

use std::time::Duration;

use crate::support::features::Facts;
use crate::support::operations::{nothing, write};
use crate::support::tables::{Pages, Promise};
use crate::support::test_app::{PUBLIC_URL, Persona, Response, TestApp};
use poem::http::Method;
use porchlight::kernel::http::limit::LimitMode;
use porchlight::kernel::outgoing::mail::{Email, Mailer};
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[(
        Some(Promise::AddressChange),
        None,
        &["address-change", "address-change-by-token"],
    )],
    damaged: &[("address-change", Pages::Closed(&["getAddress"]))],
    writes: &[
        write(
            "askForAddress",
            None,
            |_| json!({"email": "elsewhere@example.org"}),
        ),
        write("stopAddressChange", None, nothing),
        write("useAddressLink", None, |_| json!({"token": "adr_x"})).with_few_values(),
    ],
};

const ADA: &str = "ada@example.org";
const NEW: &str = "ada@example.net";
const BEN: &str = "ben@example.org";
const ADDRESS: &str = "/api/auth/address";
const HOUR: Duration = Duration::from_secs(60 * 60);
const ENDED: &str = "This link does not work any more. If you still want to change your address, please ask for it again.";

async fn ask(guardian: &Persona<'_>, email: &str) -> Response {
    guardian.put(ADDRESS, &json!({ "email": email })).await
}

/// Returns the pending change, or `null`.
async fn pending(guardian: &Persona<'_>) -> Value {
    guardian.get(ADDRESS).await.json()["change"].clone()
}

/// Returns the token in the only e-mail to this address.
fn token(emails: &[Email], to: &str) -> String {
    let mut to = emails.iter().filter(|mail| mail.to.to_string() == to);
    let mail = to.next().expect("an email");
    assert!(to.next().is_none());
    let line = mail.text.lines().find(|line| line.contains("/address#"));
    let (_, token) = line.unwrap().split_once('=').unwrap();
    token.to_owned()
}

async fn use_link(app: &TestApp, token: &str) -> Response {
    let body = json!({ "token": token }).to_string();
    let headers = [("origin", PUBLIC_URL)];
    let anonymous = app.anonymous();
    anonymous
        .send(Method::POST, "/api/auth/email", &headers, Some(body))
        .await
}

/// Advances the clock in steps, running the server's maintenance in each.
async fn pass(app: &TestApp, time: Duration) {
    app.clock.advance(time);
    let changes = &app.inner.identity.address_changes;
    changes.complete_due(app.inner.due.due()).await.unwrap();
}

/// Whether the address gets a sign-in link.
async fn gets_links(app: &TestApp, email: &str) -> bool {
    let body = json!({ "email": email });
    app.anonymous().post("/api/auth/link", &body).await.ok();
    let emails = app.take_emails().await;
    emails
        .iter()
        .any(|mail| mail.to.to_string() == email && mail.text.contains("#token=lnk_"))
}

#[tokio::test]
async fn a_confirmed_address_takes_effect_a_day_after_the_request() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;

    ask(&ada, NEW).await.ok();
    let sent = app.take_emails().await;
    let asked = json!({
        "email": NEW, "requested_at": "2026-11-21T20:00:00Z", "answered": false, "due_at": "2026-11-22T20:00:00Z",
    });
    assert_eq!(pending(&ada).await, asked);
    let used = use_link(&app, &token(&sent, NEW)).await.json();
    assert_eq!(used, json!({"outcome": "confirmed"}));
    assert_eq!(pending(&ada).await["answered"], true);
    pass(&app, HOUR * 24 - Duration::from_secs(1)).await;
    assert!(!gets_links(&app, NEW).await);
    assert!(gets_links(&app, ADA).await);

    pass(&app, Duration::from_secs(1)).await;

    assert!(gets_links(&app, NEW).await);
    assert!(!gets_links(&app, ADA).await);
    let ada = app.stepped_up(NEW).await;
    assert_eq!(ada.get(ADDRESS).await.json(), json!({ "email": NEW }));
    assert_eq!(use_link(&app, &token(&sent, ADA)).await.problem(422), ENDED);
}

#[tokio::test]
async fn a_confirmation_after_the_day_takes_effect_at_once_and_sign_ins_stay() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    ask(&ada, NEW).await.ok();
    let sent = app.take_emails().await;
    let signed_in = app.sign_in(ADA).await.json();
    pass(&app, HOUR * 25).await;
    assert!(gets_links(&app, ADA).await);

    use_link(&app, &token(&sent, NEW)).await.ok();

    assert!(gets_links(&app, NEW).await);
    let id = signed_in["guardian"]["id"].clone();
    assert_eq!(app.sign_in(NEW).await.json()["guardian"]["id"], id);
}

#[tokio::test]
async fn a_change_is_stopped_from_the_old_address_the_page_or_by_signing_out_everywhere() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;

    ask(&ada, NEW).await.ok();
    let sent = app.take_emails().await;
    use_link(&app, &token(&sent, NEW)).await.ok();
    let used = use_link(&app, &token(&sent, ADA)).await.json();
    assert_eq!(used, json!({"outcome": "stopped"}));
    assert_eq!(pending(&ada).await, Value::Null);
    assert_eq!(use_link(&app, &token(&sent, NEW)).await.problem(422), ENDED);

    ask(&ada, NEW).await.ok();
    let sent = app.take_emails().await;
    ada.send(Method::DELETE, ADDRESS, &[], None).await.ok();
    ada.send(Method::DELETE, ADDRESS, &[], None).await.ok();
    assert_eq!(use_link(&app, &token(&sent, NEW)).await.problem(422), ENDED);

    ask(&ada, NEW).await.ok();
    let sent = app.take_emails().await;
    let (access, email) = (app.inner.identity.clone(), ADA.parse().unwrap());
    let ended = app
        .inner
        .store
        .commit(move |change| access.sign_guardian_out(change, &email));
    ended.await.unwrap();
    assert_eq!(use_link(&app, &token(&sent, NEW)).await.problem(422), ENDED);

    pass(&app, HOUR * 48).await;
    assert!(gets_links(&app, ADA).await);
}

#[tokio::test]
async fn asking_for_another_guardians_address_gets_the_same_response_and_changes_nothing() {
    let app = TestApp::new().await;
    let (ada, _ben) = (app.guardian(ADA).await, app.guardian(BEN).await);

    let free = ask(&ada, NEW).await;
    let waits_for_free = pending(&ada).await;
    app.take_emails().await;
    let taken = ask(&ada, BEN).await;
    let waits_for_taken = pending(&ada).await;
    let sent = app.take_emails().await;

    assert_eq!(
        (free.status, free.body, free.headers),
        (taken.status, taken.body, taken.headers)
    );
    let keys = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(&waits_for_free), keys(&waits_for_taken));
    let to = sent.iter().map(|mail| mail.to.to_string());
    assert_eq!(to.collect::<Vec<_>>(), [ADA], "Ben hears nothing of it");
    pass(&app, HOUR * 48).await;
    assert!(gets_links(&app, ADA).await && gets_links(&app, BEN).await);
}

#[tokio::test]
async fn an_address_that_another_guardian_got_in_the_meantime_stays_theirs() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    ask(&ada, NEW).await.ok();
    let sent = app.take_emails().await;
    use_link(&app, &token(&sent, NEW)).await.ok();
    app.add_guardian(NEW, Some("Neva")).await;

    pass(&app, HOUR * 24).await;

    let neva = app.sign_in(NEW).await.json();
    assert_eq!(neva["guardian"]["name"], "Neva");
    assert!(gets_links(&app, ADA).await);
    assert_eq!(pending(&app.stepped_up(ADA).await).await, Value::Null);
}

#[tokio::test]
async fn a_new_request_replaces_the_last_one_and_can_be_confirmed_for_seven_days() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    ask(&ada, NEW).await.ok();
    let first = app.take_emails().await;
    ask(&ada, "ada@example.com").await.ok();
    let second = app.take_emails().await;
    assert_eq!(
        use_link(&app, &token(&first, NEW)).await.problem(422),
        ENDED
    );
    assert_eq!(
        use_link(&app, &token(&first, ADA)).await.problem(422),
        ENDED
    );

    app.clock.advance(HOUR * 24 * 7);

    let late = use_link(&app, &token(&second, "ada@example.com")).await;
    assert_eq!(late.problem(422), ENDED);
    pass(&app, Duration::ZERO).await;
    assert_eq!(
        use_link(&app, &token(&second, ADA)).await.problem(422),
        ENDED
    );
}

#[tokio::test]
async fn an_address_change_requires_a_step_up_a_mail_server_and_a_different_address() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let by_email = app.sign_in(ADA).await.json();
    let by_email = app.bearer(by_email["identity_token"].as_str().unwrap());
    app.take_emails().await;

    ask(&by_email, NEW).await.problem(403);
    assert_eq!(
        ask(&ada, "ADA@example.org").await.problem(422),
        "This is your address already."
    );
    ask(&ada, "no address").await.problem(400);
    assert!(app.take_emails().await.is_empty());

    let without_mail = TestApp::with_mailer(Mailer::Nobody, LimitMode::Off).await;
    let ada = without_mail.guardian(ADA).await;
    assert_eq!(
        ask(&ada, NEW).await.problem(422),
        "This Porchlight sends no emails."
    );
}

#[tokio::test]
async fn a_guardian_can_ask_for_five_address_changes_a_day() {
    let app = TestApp::with_rate_limits().await;
    let ada = app.guardian(ADA).await;
    for number in 0..5 {
        ask(&ada, &format!("{number}@example.net")).await.ok();
    }

    ask(&ada, "5@example.net").await.problem(429);
}

#[tokio::test]
async fn an_unverified_address_changes_as_soon_as_the_new_one_is_confirmed() {
    let app = TestApp::new().await;
    let setup = &app.inner.identity.setup;
    setup.open().await.unwrap();
    let link = setup.link().unwrap().unwrap();
    let typed = "ada@exmaple.org";
    let begin = json!({
        "token": link.split_once("#setup=").unwrap().1, "name": "Ada", "email": typed, "children": [{"name": "Mia"}],
    });
    let headers = [("origin", PUBLIC_URL)];
    let anonymous = app.anonymous();
    let begun = anonymous.send(
        Method::POST,
        "/api/setup",
        &headers,
        Some(begin.to_string()),
    );
    let begun = begun.await.json();
    let ada = app.bearer(begun["identity_token"].as_str().unwrap());
    ask(&ada, ADA).await.ok();
    let sent = app.take_emails().await;
    let to = sent.iter().map(|mail| mail.to.to_string());
    assert_eq!(
        to.collect::<Vec<_>>(),
        [ADA],
        "nobody answers for the typed one"
    );

    use_link(&app, &token(&sent, ADA)).await.ok();

    assert!(gets_links(&app, ADA).await);
    assert_eq!(ada.get(ADDRESS).await.json(), json!({ "email": ADA }));
}

#[tokio::test]
async fn another_guardian_neither_sees_nor_stops_an_address_change() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    ask(&ada, NEW).await.ok();

    ben.send(Method::DELETE, ADDRESS, &[], None).await.ok();

    assert_eq!(pending(&ben).await, Value::Null);
    assert_eq!(pending(&ada).await["email"], NEW);
}
