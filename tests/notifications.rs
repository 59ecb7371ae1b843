//! What a guardian is notified of, and when.

use crate::support::family;
use crate::support::features::Facts;
use crate::support::operations::{nothing, write};
use crate::support::tables::{Pages, Promise};
use crate::support::test_app::{Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::{RemoveChild, RemoveGuardian, SignOutGuardian};
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[
        (
            Some(Promise::QuotesInEmails),
            None,
            &["subscription", "told-last", "told-waiting"],
        ),
        // That a guardian refuses the webhook; ends when they are removed.
        (None, None, &["webhook-refused"]),
        // Whether messages arrive; ends when the guardian is removed.
        (None, None, &["message-arrivals"]),
        (None, None, &["unsubscribe-key"]),
    ],
    damaged: &[(
        "subscription",
        Pages::ClosedAndUnknown(&["getSubscription"], &["getAttention"]),
    )],
    writes: &[
        write("replaceSubscription", None, |_| family::subscription()),
        // Here is no server that takes messages.
        write("sendTest", None, |_| json!({"channel": "email"})).with_few_values(),
        write("switchNotificationsOn", None, nothing),
        write("switchNotificationsOff", None, nothing),
    ],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const PATH: &str = "/api/subscription";

fn with(place: &str, value: Value) -> Value {
    let mut settings = family::subscription_off();
    let (parent, field) = place.rsplit_once('/').unwrap();
    settings.pointer_mut(parent).unwrap()[field] = value;
    settings
}

async fn replace(guardian: &Persona<'_>, settings: &Value, tag: &str) -> Response {
    let headers = [("if-match", tag)];
    let body = Some(settings.to_string());
    guardian.send(Method::PUT, PATH, &headers, body).await
}

/// Signs in with the link of an e-mail, which is no stepping up.
async fn not_stepped_up<'a>(app: &'a TestApp, email: &str) -> Persona<'a> {
    let answer = app.sign_in(email).await;
    app.bearer(answer.json()["identity_token"].as_str().unwrap())
}

async fn sign_out_everywhere(app: &TestApp, email: &str) {
    let email = email.parse().unwrap();
    let signed_out = app.run_admin(SignOutGuardian { email });
    signed_out.await.0.unwrap();
}

#[tokio::test]
async fn everything_is_off_at_first_and_what_is_chosen_is_ones_own() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;

    let first = ada.get(PATH).await;
    let expected =
        json!({"settings": family::subscription_off(), "notification": {"enabled": false}});
    assert_eq!(first.json(), expected);

    let mut chosen = family::subscription();
    chosen["at_once"]["children"] = json!([mia]);
    let kept = replace(&ada, &chosen, first.header("etag")).await;

    assert_eq!(kept.json()["settings"], chosen);
    let read = ada.get(PATH).await;
    assert_eq!(
        (read.json(), read.header("etag")),
        (kept.json(), kept.header("etag"))
    );
    assert_eq!(ben.get(PATH).await.json(), expected);
    replace(&ada, &family::subscription_off(), first.header("etag"))
        .await
        .problem(412);
    assert_eq!(ada.get(PATH).await.json()["settings"], chosen);
}

#[tokio::test]
async fn what_cannot_be_chosen_is_refused_with_its_place() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    app.guardian(BEN).await;
    let tom = app.child("Tom", &[BEN]).await;
    let quiet = |from: &str, to: &str| json!({"from": from, "to": to});
    let cases = [
        ("/time_zone", json!("Mars/Olympus"), 422, "/time_zone"),
        (
            "/at_once/kinds",
            json!(["phrase", "phrase"]),
            422,
            "/at_once/kinds/1",
        ),
        ("/at_once/kinds", json!(["silent"]), 400, "/at_once/kinds/0"),
        (
            "/at_once/quiet_hours",
            quiet("07:00", "07:00"),
            422,
            "/at_once/quiet_hours/to",
        ),
        (
            "/at_once/quiet_hours",
            json!(["22:00", "07:00"]),
            400,
            "/at_once/quiet_hours",
        ),
        (
            "/at_once/children",
            json!(vec![tom; 101]),
            422,
            "/at_once/children",
        ),
        ("/at_once/children", json!([tom]), 404, "/at_once/children"),
        (
            "/at_once/children",
            json!([987_654]),
            404,
            "/at_once/children",
        ),
        ("/weekly/hour", json!(24), 422, "/weekly/hour"),
        ("/weekly/weekday", json!("friday"), 400, "/weekly/weekday"),
        ("/weekly", json!([false, "sun", 18]), 400, "/weekly"),
    ];

    for (place, value, status, at) in cases {
        let refused = ada.put(PATH, &with(place, value.clone())).await;

        let (_, found) = refused.problem_at(status);
        assert_eq!(found.as_deref(), Some(at), "{place} {value}");
    }
    assert_eq!(
        ada.get(PATH).await.json()["settings"],
        family::subscription_off()
    );
}

#[tokio::test]
async fn a_child_is_no_longer_chosen_once_a_guardian_has_it_no_more() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let chosen = with("/at_once/children", json!([mia, leo]));
    ada.put(PATH, &chosen).await.ok();

    let removed = app.run_admin(RemoveChild {
        child: mia,
        name: "Mia".to_owned(),
    });
    removed.await.0.unwrap();

    let settings = ada.get(PATH).await.json()["settings"].clone();
    assert_eq!(settings["at_once"]["children"], json!([leo]));
}

#[tokio::test]
async fn quotes_need_a_step_up_are_told_by_email_and_end_with_signing_out_everywhere() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let ada = not_stepped_up(&app, ADA).await;
    app.take_emails().await;
    let with_quotes = with("/quotes", json!(true));

    ada.put(PATH, &with_quotes).await.problem(403);
    assert_eq!(ada.get(PATH).await.json()["settings"]["quotes"], false);
    assert!(app.take_emails().await.is_empty());

    let stepped_up = app.stepped_up(ADA).await;
    let kept = stepped_up.put(PATH, &with_quotes).await.json();
    assert_eq!(kept["settings"]["quotes"], true);
    assert_eq!(kept["quotes_since"], "2026-11-21T20:00:00Z");
    let emails = app.take_emails().await;
    let [told] = &*emails else {
        panic!("{} emails", emails.len());
    };
    for part in [&told.text, &told.html] {
        assert!(part.contains("include quotes and topics"), "{part}");
        assert!(part.contains("November 21, 2026, 8:00 PM"), "{part}");
        let (_, body) = part.split_once("<body").unwrap_or(("", part));
        assert!(!body.contains('{'), "{part}");
    }

    // What is on stays on without another step-up and without another e-mail.
    ada.put(PATH, &with_quotes).await.ok();
    assert!(app.take_emails().await.is_empty());

    sign_out_everywhere(&app, ADA).await;
    let again = app.stepped_up(ADA).await.get(PATH).await.json();
    assert_eq!(again["settings"]["quotes"], false);
    assert_eq!(again.get("quotes_since"), None);
}

#[tokio::test]
async fn nothing_is_left_of_a_removed_guardian() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    ada.put(PATH, &family::subscription()).await.ok();
    let guardian = app
        .inner
        .identity
        .guardians
        .get(&app.inner.store, &ADA.parse().unwrap())
        .unwrap();
    assert!(is_subscribed(&app, &guardian.id));

    let email = ADA.parse().unwrap();
    let removed = app.run_admin(RemoveGuardian { email });
    removed.await.0.unwrap();

    assert!(!is_subscribed(&app, &guardian.id));
}

fn is_subscribed(app: &TestApp, guardian: &porchlight::identity::GuardianId) -> bool {
    let found = porchlight::notifications::Notifications::find(&app.inner.store, guardian);
    found.unwrap().is_some()
}
