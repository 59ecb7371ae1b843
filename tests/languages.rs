//! The language of what is sent to a guardian.

use std::time::Duration;

use poem::http::Method;
use serde_json::{Value, json};

use crate::support::family;
use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::requests::ask_to_delete;
use crate::support::test_app::{PUBLIC_URL, Persona, Response, TestApp};

pub static FACTS: Facts = Facts {
    writes: &[
        // Only one of four languages.
        write("replaceLanguage", None, |_| json!({"language": "de"})).with_few_values(),
    ],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const PATH: &str = "/api/auth/language";

async fn choose(guardian: &Persona<'_>, language: &str) -> Response {
    guardian.put(PATH, &json!({"language": language})).await
}

/// Sends a request of a browser with these languages.
async fn from_browser(app: &TestApp, path: &str, languages: &str, body: &Value) -> Response {
    let headers = [("origin", PUBLIC_URL), ("accept-language", languages)];
    let (anonymous, body) = (app.anonymous(), Some(body.to_string()));
    anonymous.send(Method::POST, path, &headers, body).await
}

/// The subjects of what is sent now.
async fn subjects(app: &TestApp) -> Vec<String> {
    let emails = app.take_emails().await.into_iter();
    emails.map(|email| email.subject).collect()
}

/// Signs in by a link that this browser asks for. Returns the e-mail's subject and the answer.
async fn sign_in(app: &TestApp, email: &str, languages: &str) -> (String, Value) {
    let request = json!({ "email": email });
    let asked = from_browser(app, "/api/auth/link", languages, &request).await;
    asked.ok();
    let mail = app.take_emails().await.remove(0);
    let (_, token) = mail.text.split_once("#token=").unwrap();
    let token = token.split_whitespace().next().unwrap();
    let body = json!({"email": email, "token": token});
    let signed_in = from_browser(app, "/api/auth/sign-in", languages, &body).await;
    (mail.subject, signed_in.json())
}

async fn language_of(app: &TestApp, email: &str) -> Value {
    let name = email.parse().unwrap();
    let guardian = app.inner.identity.guardians.named(&app.inner.store, &name);
    json!(guardian.unwrap().language)
}

#[tokio::test]
async fn the_browser_chooses_until_the_guardian_does() {
    let app = TestApp::new().await;
    app.add_guardian(ADA, None).await;
    assert_eq!(language_of(&app, ADA).await, Value::Null);

    let (subject, _) = sign_in(&app, ADA, "it, de-AT;q=0.8, en;q=0.5").await;
    assert_eq!(subject, "Dein Anmeldelink für Porchlight");
    assert_eq!(language_of(&app, ADA).await, "de");
    let (subject, answer) = sign_in(&app, ADA, "fr").await;
    assert_eq!(subject, "Dein Anmeldelink für Porchlight");
    assert_eq!(answer["guardian"]["language"], "de");

    let ada = app.bearer(answer["identity_token"].as_str().unwrap());
    choose(&ada, "es").await.ok();
    let (subject, answer) = sign_in(&app, ADA, "fr").await;
    assert_eq!(subject, "Tu enlace para iniciar sesión en Porchlight");
    assert_eq!(answer["guardian"]["language"], "es");
}

#[tokio::test]
async fn an_unknown_language_is_english() {
    let app = TestApp::with_open_sign_up().await;

    let (subject, _) = sign_in(&app, "new@example.org", "it").await;
    assert_eq!(subject, "Your sign-in link for Porchlight");
    assert_eq!(language_of(&app, "new@example.org").await, Value::Null);
    let (subject, _) = sign_in(&app, "newer@example.org", "fr-CA").await;
    assert_eq!(subject, "Votre lien de connexion à Porchlight");
    assert_eq!(language_of(&app, "newer@example.org").await, "fr");
}

#[tokio::test]
async fn only_languages_that_are_spoken_can_be_chosen() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;

    for wrong in [
        json!({"language": "it"}),
        json!({"language": null}),
        json!({}),
    ] {
        ada.put(PATH, &wrong).await.problem(400);
    }
    app.anonymous()
        .put(PATH, &json!({"language": "de"}))
        .await
        .problem(401);
    assert_eq!(language_of(&app, ADA).await, Value::Null);
}

/// Ada, who chose German, and Ben share Mia, who talks with Kitchen.
#[tokio::test]
async fn each_guardian_is_written_to_in_their_own_language() {
    let app = TestApp::new().await;
    let ada = app.named_guardian(ADA, "Ada").await;
    let ben = app.named_guardian(BEN, "Ben").await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    choose(&ada, "de").await.ok();
    app.take_emails().await;

    // What Ben did is told to Ada, and what Ada did to Ben.
    let invite = json!({"children": [mia], "email": "kim@example.org"});
    ben.post("/api/invitations", &invite).await.ok();
    let mut sent = subjects(&app).await;
    sent.sort();
    assert_eq!(
        sent,
        [
            "An invitation to Porchlight",
            "Jemand wurde zu Porchlight eingeladen"
        ]
    );
    let invite = json!({"children": [mia], "email": "leo@example.org"});
    ada.post("/api/invitations", &invite).await.ok();
    let mut sent = subjects(&app).await;
    sent.sort();
    assert_eq!(
        sent,
        [
            "Eine Einladung zu Porchlight",
            "Somebody was invited to Porchlight"
        ]
    );
    ask_to_delete(&ben, mia, "Mia").await.ok();
    let asked = app.take_emails().await.remove(0);
    assert_eq!(
        asked.subject,
        "Das Profil eines Kindes soll in Porchlight gelöscht werden"
    );
    assert!(
        asked
            .text
            .starts_with("Hallo Ada,\n\nBen möchte das Profil"),
        "{}",
        asked.text
    );

    // Her own access.
    ada.post("/api/auth/recovery_codes", &Value::Null)
        .await
        .ok();
    let made = app.take_emails().await.remove(0);
    assert_eq!(made.subject, "Neue Ersatzcodes für Porchlight");
    assert!(
        made.text
            .contains("Samstag, 21. November 2026 um 20:00 (UTC)"),
        "{}",
        made.text
    );
    let next = json!({"email": "ada@example.net"});
    ada.put("/api/auth/address", &next).await.ok();
    let mut sent = subjects(&app).await;
    sent.sort();
    assert_eq!(
        sent,
        [
            "Deine Adresse in Porchlight wird geändert",
            "Ist das deine Adresse für Porchlight?"
        ]
    );

    // Alerts at once, quotes, a test and the week.
    let phrases = json!([{"words": "our secret", "side": "either"}]);
    let path = format!("/api/child/{mia}/watched_phrases");
    ada.put(&path, &phrases).await.ok();
    let mut settings = family::subscription_off();
    settings["at_once"]["email"] = json!(true);
    settings["weekly"]["enabled"] = json!(true);
    settings["quotes"] = json!(true);
    ada.put("/api/subscription", &settings).await.ok();
    assert_eq!(
        subjects(&app).await,
        ["Deine E-Mails von Porchlight werden Zitate enthalten"]
    );
    let test = json!({"channel": "email"});
    ada.post("/api/subscription/tests", &test).await.ok();
    assert_eq!(subjects(&app).await, ["Ein Test von Porchlight"]);
    let said = json!([{"message_id": "m", "source": "child", "text_content": "our secret"}]);
    let delivery = json!({"child_id": mia, "messages": said});
    kitchen.deliver("s", &delivery).await.ok();
    app.inner.notifications.queue_due().await.unwrap();
    let alerted = app.take_emails().await.remove(0);
    assert_eq!(alerted.subject, "In Porchlight wartet etwas auf dich");
    let sentence = "In einem Gespräch von Mia fiel ein Stichwort, auf das du achtest.";
    assert!(alerted.text.contains(sentence) && alerted.html.contains(sentence));
    assert!(alerted.html.contains("<html lang=\"de\">"));
    app.clock.advance(Duration::from_secs(24 * 60 * 60));
    app.inner.notifications.queue_weekly().await.unwrap();
    let week = app.take_emails().await.remove(0);
    assert_eq!(week.subject, "Deine Woche in Porchlight");
    assert!(
        week.text
            .contains("hier ist deine Woche vom 15. bis 21. November."),
        "{}",
        week.text
    );
}
