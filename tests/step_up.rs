//! Recovery codes and stepping up: the proofs that some actions require in addition to a sign-in.

use std::time::Duration;

use crate::support::features::Facts;
use crate::support::operations::{nothing, write};
use crate::support::tables::Promise;
use crate::support::test_app::{PUBLIC_URL, Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::SignOutGuardian;
use porchlight::kernel::http::limit::LimitMode;
use porchlight::kernel::outgoing::mail::Mailer;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[(Some(Promise::StepUpCode), None, &["step-up-code"])],
    writes: &[
        write("sendStepUpEmail", None, nothing),
        write(
            "stepUp",
            None,
            |_| json!({"way": "email", "code": "no digits"}),
        )
        .with_few_values(),
        write("askOtherDevice", None, nothing),
        write(
            "answerAskingDevice",
            None,
            |_| json!({"digits": "no digits"}),
        )
        .with_few_values(),
        write("refuseAskingDevice", None, nothing),
    ],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const OURS: (&str, &str) = ("origin", PUBLIC_URL);

impl TestApp {
    /// Signs in with the link of an e-mail, which is no stepping up.
    async fn signed_in_by_email(&self, email: &str) -> Persona<'_> {
        let answer = self.sign_in(email).await;
        self.bearer(answer.json()["identity_token"].as_str().unwrap())
    }

    async fn recover(&self, code: &str) -> Response {
        let body = json!({"code": code}).to_string();
        self.anonymous()
            .send(Method::POST, "/api/auth/recovery", &[OURS], Some(body))
            .await
    }

    /// The code of the last e-mail.
    fn emails_code(&self) -> String {
        let emails = self.emails.lock().unwrap();
        let text = &emails.last().expect("an email").text;
        let is_code = |line: &&str| line.len() == 7 && line.replace(' ', "").parse::<u32>().is_ok();
        text.lines().find(is_code).expect("a code").to_owned()
    }
}

async fn make_codes(guardian: &Persona<'_>) -> Response {
    guardian
        .send(Method::POST, "/api/auth/recovery_codes", &[], None)
        .await
}

fn codes(made: &Response) -> Vec<String> {
    serde_json::from_value(made.json()["codes"].clone()).unwrap()
}

async fn step_up(guardian: &Persona<'_>, way: &str, code: &str) -> Response {
    let body = json!({"way": way, "code": code});
    guardian.post("/api/auth/step_up", &body).await
}

async fn send_email(guardian: &Persona<'_>) -> Response {
    guardian
        .send(Method::POST, "/api/auth/step_up/email", &[], None)
        .await
}

/// Whether the guardian counts as stepped up.
async fn has_stepped_up(guardian: &Persona<'_>) -> bool {
    let state = guardian.get("/api/auth/step_up").await.json();
    state.get("until").is_some()
}

#[tokio::test]
async fn a_guardian_gets_ten_codes_at_the_first_sign_in_and_each_signs_in_once() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let ada = app.signed_in_by_email(ADA).await;
    assert_eq!(
        ada.get("/api/auth/recovery_codes").await.json(),
        json!({"left": 0})
    );

    let made = codes(&make_codes(&ada).await);
    let left = ada.get("/api/auth/recovery_codes").await.json();
    assert_eq!(made.len(), 10);
    assert_eq!(
        left,
        json!({"left": 10, "created_at": "2026-11-21T20:00:00Z"})
    );

    let typed = made[4].to_lowercase().replace('-', " ");
    let recovered = app.recover(&typed).await;
    assert_eq!(recovered.json()["guardian"]["email"], ADA);
    assert!(recovered.header("set-cookie").contains("HttpOnly"));
    app.recover(&made[4]).await.problem(422);
    let left = ada.get("/api/auth/recovery_codes").await.json();
    assert_eq!(left["left"], 9);
    let sign_ins = ada.get("/api/auth/sign_ins").await.json();
    let ways = sign_ins["items"].as_array().unwrap().iter();
    assert!(
        ways.clone()
            .any(|sign_in| sign_in["via"] == "recovery_code")
    );
}

#[tokio::test]
async fn concurrent_requests_use_a_code_only_once() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let code = codes(&make_codes(&ada).await)[0].clone();

    let tries = futures_util::future::join_all((0..8).map(|_| app.recover(&code))).await;

    let statuses = tries.iter().map(|answer| answer.status.as_u16());
    assert_eq!(statuses.filter(|status| *status == 200).count(), 1);
}

#[tokio::test]
async fn new_codes_require_a_step_up_if_there_are_codes_and_revoke_the_old_ones() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let ada = app.signed_in_by_email(ADA).await;
    let old = codes(&make_codes(&ada).await);

    make_codes(&ada).await.problem(403);
    step_up(&ada, "recovery_code", &old[0]).await.ok();
    let new = codes(&make_codes(&ada).await);

    assert!(old.iter().all(|code| !new.contains(code)));
    app.recover(&old[1]).await.problem(422);
    app.recover(&new[1]).await.ok();
}

#[tokio::test]
async fn the_first_codes_require_a_recent_sign_in() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let signed_in = app.sign_in(ADA).await;
    let cookie = signed_in.header("set-cookie");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    app.clock.advance(Duration::from_secs(600));
    let headers = [OURS, ("cookie", cookie.as_str())];
    let anonymous = app.anonymous();
    let minted = anonymous.send(Method::POST, "/api/auth/token", &headers, None);
    let token = minted.await.json()["identity_token"].clone();
    let ada = app.bearer(token.as_str().unwrap());

    make_codes(&ada).await.problem(403);
}

#[tokio::test]
async fn stepping_up_by_email_lasts_ten_minutes_in_the_browser_that_asked() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let (kitchen, hall) = (
        app.signed_in_by_email(ADA).await,
        app.signed_in_by_email(ADA).await,
    );
    assert!(!has_stepped_up(&kitchen).await);

    send_email(&kitchen).await.ok();
    let code = app.emails_code();
    step_up(&hall, "email", &code).await.problem(422);
    let until = step_up(&kitchen, "email", &code).await.json()["until"].clone();

    assert_eq!(until, "2026-11-21T20:10:00Z");
    assert!(has_stepped_up(&kitchen).await && !has_stepped_up(&hall).await);
    step_up(&kitchen, "email", &code).await.problem(422);
    app.clock.advance(Duration::from_secs(599));
    assert!(has_stepped_up(&kitchen).await);
}

#[tokio::test]
async fn a_code_ends_with_a_new_email_or_five_wrong_attempts() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let ada = app.signed_in_by_email(ADA).await;

    send_email(&ada).await.ok();
    let first = app.emails_code();
    send_email(&ada).await.ok();
    let second = app.emails_code();
    step_up(&ada, "email", &first).await.problem(422);
    for _ in 0..4 {
        step_up(&ada, "email", "no code").await.problem(422);
    }
    step_up(&ada, "email", &second).await.problem(422);

    assert!(!has_stepped_up(&ada).await);
}

#[tokio::test]
async fn concurrent_requests_with_one_emailed_code_step_up_once() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let ada = app.signed_in_by_email(ADA).await;
    send_email(&ada).await.ok();
    let code = app.emails_code();

    let tries = (0..6).map(|_| step_up(&ada, "email", &code));
    let tries = futures_util::future::join_all(tries).await;

    let right = tries.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(right, 1);
}

#[tokio::test]
async fn another_guardians_recovery_code_does_not_step_up_and_stays_valid() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let bens = codes(&make_codes(&ben).await);
    make_codes(&ada).await.ok();
    let phone = app.signed_in_by_email(ADA).await;

    step_up(&phone, "recovery_code", &bens[0])
        .await
        .problem(422);

    assert!(!has_stepped_up(&phone).await);
    app.recover(&bens[0]).await.ok();
}

#[tokio::test]
async fn a_recovery_code_and_the_administrators_link_step_up_and_an_emailed_link_does_not() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let code = codes(&make_codes(&ada).await)[0].clone();
    let signed_in = |answer: Response| {
        let token = answer.json()["identity_token"].clone();
        app.bearer(token.as_str().unwrap())
    };

    let recovered = signed_in(app.recover(&code).await);
    let links = &app.inner.identity.links;
    let link = links.link_for(&ADA.parse().unwrap()).await.unwrap();
    let token = link.split_once("#token=").unwrap().1;
    let body = json!({"email": ADA, "token": token}).to_string();
    let anonymous = app.anonymous();
    let opened = anonymous.send(Method::POST, "/api/auth/sign-in", &[OURS], Some(body));
    let by_administrator = signed_in(opened.await);

    assert!(has_stepped_up(&recovered).await);
    assert!(has_stepped_up(&by_administrator).await);
    assert!(!has_stepped_up(&app.signed_in_by_email(ADA).await).await);
}

#[tokio::test]
async fn a_download_and_erasing_at_once_require_a_step_up_and_deleting_does_not() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let opened = robot.deliver("s", &json!({"child_id": mia})).await.json();
    let ada = app.signed_in_by_email(ADA).await;
    let session = format!("/api/sessions/{}", opened["session_id"]);
    let now = format!("/api/child/{mia}/deleted_sessions/{}", opened["session_id"]);
    let copy = format!("/api/child/{mia}/export");

    ada.send(Method::DELETE, &session, &[], None).await.ok();
    ada.send(Method::DELETE, &now, &[], None).await.problem(403);
    let refused = ada.get(&copy).await;
    assert_eq!(
        serde_json::from_str::<Value>(&refused.body).unwrap(),
        json!({"detail": "Please confirm first that it is you.", "code": "step_up_required"})
    );
    send_email(&ada).await.ok();
    step_up(&ada, "email", &app.emails_code()).await.ok();

    ada.get(&copy).await.ok();
    ada.send(Method::DELETE, &now, &[], None).await.ok();
}

#[tokio::test]
async fn only_available_ways_to_step_up_are_offered() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let ways = async |guardian: &Persona<'_>| {
        guardian.get("/api/auth/step_up").await.json()["ways"].clone()
    };
    assert_eq!(ways(&ada).await, json!(["email"]));
    make_codes(&ada).await.ok();
    assert_eq!(ways(&ada).await, json!(["email", "recovery_code"]));

    let without_mail = TestApp::with_mailer(Mailer::Nobody, LimitMode::Off).await;
    let ada = without_mail.guardian(ADA).await;
    assert_eq!(ways(&ada).await, json!([]));
    assert_eq!(
        send_email(&ada).await.problem(422),
        "This Porchlight sends no emails."
    );
}

#[tokio::test]
async fn five_emails_are_sent_and_then_one_in_five_minutes() {
    let app = TestApp::with_rate_limits().await;
    let ada = app.guardian(ADA).await;

    for _ in 0..5 {
        send_email(&ada).await.ok();
    }

    send_email(&ada).await.problem(429);
    assert_eq!(app.emails.lock().unwrap().len(), 5);
}

#[tokio::test]
async fn repeated_requests_get_about_twenty_emails_a_day() {
    let app = TestApp::with_rate_limits().await;
    app.guardian(ADA).await;
    let email = ADA.parse().unwrap();

    // Ten hours, in which eight more of the day's twenty come back.
    for _ in 0..120 {
        let issued = app.inner.identity.sign_ins.token_for(&email).await.unwrap();
        send_email(&app.bearer(&issued.identity_token)).await;
        app.clock.advance(Duration::from_secs(5 * 60));
    }

    assert_eq!(app.emails.lock().unwrap().len(), 28);
}

#[tokio::test]
async fn without_mail_a_sign_in_lasts_ninety_idle_days() {
    let app = TestApp::with_mailer(Mailer::Nobody, LimitMode::Off).await;
    let ada = app.guardian(ADA).await;
    let code = codes(&make_codes(&ada).await)[0].clone();
    let recovered = app.recover(&code).await;
    let cookie = recovered.header("set-cookie").to_owned();
    assert!(cookie.contains("Max-Age=34560000"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let headers = [OURS, ("cookie", cookie.as_str())];
    let mint = async || {
        let anonymous = app.anonymous();
        let minted = anonymous.send(Method::POST, "/api/auth/token", &headers, None);
        minted.await.status.as_u16()
    };

    app.clock.advance(Duration::from_secs(89 * 24 * 60 * 60));
    assert_eq!(mint().await, 200);
    app.clock.advance(Duration::from_secs(90 * 24 * 60 * 60));
    assert_eq!(mint().await, 401);
}

#[tokio::test]
async fn recovery_codes_can_be_created_three_times_a_day_and_again_after_signing_out_everywhere() {
    let app = TestApp::with_rate_limits().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let not_stepped_up = app.signed_in_by_email(ADA).await;
    make_codes(&ada).await.ok();
    for _ in 0..5 {
        make_codes(&not_stepped_up).await.problem(403);
    }
    for _ in 0..2 {
        make_codes(&ada).await.ok();
    }

    let refused = make_codes(&ada).await;
    assert!(refused.problem(429).contains("three times"));
    assert_eq!(refused.header("retry-after"), "86400");
    make_codes(&ben).await.ok();
    sign_out_everywhere(&app, ADA).await;
    let ada = app.stepped_up(ADA).await;
    for _ in 0..3 {
        make_codes(&ada).await.ok();
    }
    make_codes(&ada).await.problem(429);
    app.clock.advance(Duration::from_secs(24 * 60 * 60));
    make_codes(&app.stepped_up(ADA).await).await.ok();
}

async fn sign_out_everywhere(app: &TestApp, email: &str) {
    let email = email.parse().unwrap();
    let signed_out = app.run_admin(SignOutGuardian { email });
    signed_out.await.0.unwrap();
}

#[tokio::test]
async fn new_codes_of_one_device_are_mailed_once_in_ten_minutes_and_those_of_another_once_more() {
    let app = TestApp::with_rate_limits().await;
    app.guardian(ADA).await;
    let emails = async || app.take_emails().await.len();
    let (one, other) = (app.stepped_up(ADA).await, app.stepped_up(ADA).await);

    make_codes(&one).await.ok();
    make_codes(&one).await.ok();
    assert_eq!(emails().await, 1);
    make_codes(&other).await.ok();
    assert_eq!(emails().await, 1, "it may be somebody else's device");
}

#[tokio::test]
async fn a_guardian_gets_at_most_twenty_emails_a_day_about_new_sign_ins_and_codes() {
    let app = TestApp::with_rate_limits().await;
    app.guardian(ADA).await;
    for _ in 0..12 {
        // Each time with new codes, and signed in with one of them.
        let made = make_codes(&app.stepped_up(ADA).await).await;
        app.recover(&codes(&made)[0]).await.ok();
        sign_out_everywhere(&app, ADA).await;
    }

    assert_eq!(app.take_emails().await.len(), 20);
}
