//! Two devices of one guardian: a signed-in one signs in another one, or steps it up.

use std::time::Duration;

use crate::support::device::{Device, LAPTOP, PHONE, from_our_page};
use crate::support::features::Facts;
use crate::support::operations::{nothing, write};
use crate::support::test_app::{PUBLIC_URL, Response, TestApp};
use poem::http::Method;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    writes: &[
        write("beginPairing", None, nothing),
        write("endPairing", None, nothing),
        write("confirmPairing", None, |_| json!({"digits": "no digits"})).with_few_values(),
        write("claimPairing", None, |_| json!({"token": "par_x"})).with_few_values(),
        write("completePairing", None, |_| json!({"claim": "clm_x"})).with_few_values(),
    ],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const PAIRING: &str = "/api/auth/pairing";
const ASKING: &str = "/api/auth/asking_devices";

const ENDED: &str =
    "This code does not work any more. Please show a new one on the device that is signed in.";

/// A guardian with recovery codes and a stepped-up laptop.
async fn at_a_laptop(app: &TestApp) -> (Device<'_>, Value) {
    app.add_guardian(ADA, Some("Ada")).await;
    let laptop = Device::by_email(app, ADA, LAPTOP).await;
    let codes = laptop.codes().await;
    step_up(&laptop, &codes[0]).await;
    (laptop, codes)
}

async fn step_up(device: &Device<'_>, code: &Value) {
    let body = json!({"way": "recovery_code", "code": code});
    device.post("/api/auth/step_up", &body).await.ok();
}

/// Returns the token of the QR code that the device shows.
async fn shown(device: &Device<'_>) -> String {
    let begun = device.post(PAIRING, &Value::Null).await.json();
    let link = begun["shown"]["link"].as_str().unwrap();
    assert!(!begun["shown"]["qr_code"].as_array().unwrap().is_empty());
    let token = link.strip_prefix(&format!("{PUBLIC_URL}/pair#token="));
    token.unwrap().to_owned()
}

async fn scan(app: &TestApp, token: &str) -> Response {
    let body = json!({ "token": token });
    from_our_page(app, "/api/auth/pairing/claim", PHONE, &body).await
}

async fn come_back(app: &TestApp, claimed: &Value) -> Response {
    let body = json!({"claim": claimed["claim"]});
    from_our_page(app, "/api/auth/pairing/completion", PHONE, &body).await
}

async fn type_digits(device: &Device<'_>, digits: &Value) -> Response {
    let body = json!({ "digits": digits });
    device.post("/api/auth/pairing/confirmation", &body).await
}

/// Returns three other digits.
fn others(digits: &Value) -> Value {
    let digits = digits.as_str().unwrap().parse::<u32>().unwrap();
    json!(format!("{:03}", (digits + 1) % 1000))
}

async fn has_stepped_up(device: &Device<'_>) -> bool {
    device.get("/api/auth/step_up").await.get("until").is_some()
}

#[tokio::test]
async fn a_phone_that_scanned_the_code_is_signed_in_once_its_digits_are_typed() {
    let app = TestApp::new().await;
    let (laptop, _) = at_a_laptop(&app).await;
    assert_eq!(laptop.get(PAIRING).await, json!({"state": "ended"}));

    let token = shown(&laptop).await;
    assert_eq!(
        laptop.get(PAIRING).await,
        json!({"state": "waiting", "until": "2026-11-21T20:02:00Z"})
    );
    let claimed = scan(&app, &token).await.json();
    assert_eq!(claimed["whose"], "Ada");
    assert_eq!(claimed["shown_by"]["device"], "Firefox on Linux");
    assert_eq!(come_back(&app, &claimed).await.status, 202);
    let state = laptop.get(PAIRING).await;
    assert_eq!(state["state"], "claimed");
    assert_eq!(state["device"]["device"], "Firefox on Android");
    type_digits(&laptop, &claimed["digits"]).await.ok();
    let phone = Device::new(&app, PHONE, &come_back(&app, &claimed).await);

    let via = phone.sign_ins().await.into_iter();
    assert!(via.map(|it| it["via"].clone()).any(|via| via == "pairing"));
    assert_eq!(come_back(&app, &claimed).await.problem(422), ENDED);
    assert_eq!(scan(&app, &token).await.problem(422), ENDED);
    let again = type_digits(&laptop, &claimed["digits"]).await;
    assert_eq!(again.problem(422), ENDED);
    let state = laptop.get(PAIRING).await;
    assert_eq!(state["state"], "signed_in");
    assert_eq!(state["device"]["device"], "Firefox on Android");
    app.clock.advance(Duration::from_secs(120));
    assert_eq!(laptop.get(PAIRING).await, json!({"state": "ended"}));
}

#[tokio::test]
async fn a_pairing_is_never_reported_as_ended_while_it_signs_the_device_in() {
    let app = TestApp::new().await;
    let (laptop, _) = at_a_laptop(&app).await;
    let claimed = scan(&app, &shown(&laptop).await).await.json();
    type_digits(&laptop, &claimed["digits"]).await.ok();

    let follow = async {
        loop {
            let state = laptop.get(PAIRING).await["state"].clone();
            if state != "claimed" {
                break state;
            }
            tokio::task::yield_now().await;
        }
    };
    let (completed, state) = tokio::join!(come_back(&app, &claimed), follow);

    completed.ok();
    assert_eq!(state, "signed_in");
    assert_eq!(laptop.sign_ins().await.len(), 2);
}

#[tokio::test]
async fn the_addresses_of_both_devices_are_shown() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await.at("192.168.1.20");
    let begun = ada.send(Method::POST, PAIRING, &[], None).await.json();
    let link = begun["shown"]["link"].as_str().unwrap();
    let token = link.split_once("#token=").unwrap().1;

    let body = json!({ "token": token }).to_string();
    let phone = app.anonymous().at("192.168.1.21");
    let headers = [("origin", PUBLIC_URL)];
    let claimed = phone.send(
        Method::POST,
        "/api/auth/pairing/claim",
        &headers,
        Some(body),
    );
    let claimed = claimed.await.json();

    let state = ada.get(PAIRING).await.json();
    assert_eq!(claimed["shown_by"]["address"], "192.168.1.20");
    assert_eq!(state["device"]["address"], "192.168.1.21");
}

#[tokio::test]
async fn showing_a_code_requires_a_step_up() {
    let app = TestApp::new().await;
    app.add_guardian(ADA, None).await;
    let phone = Device::by_email(&app, ADA, PHONE).await;

    let refused = phone.post(PAIRING, &Value::Null).await;

    assert_eq!(refused.problem(403), "Please confirm first that it is you.");
}

#[tokio::test]
async fn a_second_device_that_scans_the_code_invalidates_it_for_both() {
    let app = TestApp::new().await;
    let (laptop, _) = at_a_laptop(&app).await;
    let token = shown(&laptop).await;
    let first = scan(&app, &token).await.json();

    assert_eq!(scan(&app, &token).await.problem(422), ENDED);

    assert_eq!(laptop.get(PAIRING).await, json!({"state": "ended"}));
    assert_eq!(
        type_digits(&laptop, &first["digits"]).await.problem(422),
        ENDED
    );
    assert_eq!(come_back(&app, &first).await.problem(422), ENDED);
}

#[tokio::test]
async fn of_eight_concurrent_scans_none_signs_in_unseen() {
    let app = TestApp::new().await;
    let (laptop, _) = at_a_laptop(&app).await;
    let token = shown(&laptop).await;

    let scans = futures_util::future::join_all((0..8).map(|_| scan(&app, &token))).await;

    let taken = scans.iter().filter(|answer| answer.status == 200);
    assert_eq!(taken.count(), 1);
    assert_eq!(laptop.get(PAIRING).await, json!({"state": "ended"}));
}

#[tokio::test]
async fn of_eight_concurrent_polls_one_is_signed_in() {
    let app = TestApp::new().await;
    let (laptop, _) = at_a_laptop(&app).await;
    let claimed = scan(&app, &shown(&laptop).await).await.json();
    type_digits(&laptop, &claimed["digits"]).await.ok();

    let tries = (0..8).map(|_| come_back(&app, &claimed));
    let tries = futures_util::future::join_all(tries).await;

    let signed_in = tries.iter().filter(|answer| answer.status == 200);
    assert_eq!(signed_in.count(), 1);
    assert_eq!(laptop.sign_ins().await.len(), 2);
}

#[tokio::test]
async fn the_third_wrong_digits_end_a_pairing() {
    let app = TestApp::new().await;
    let (laptop, _) = at_a_laptop(&app).await;
    let claimed = scan(&app, &shown(&laptop).await).await.json();
    let wrong = others(&claimed["digits"]);

    for _ in 0..2 {
        let refused = type_digits(&laptop, &wrong).await;
        assert_eq!(
            refused.problem(422),
            "The other device shows other digits. Please look again."
        );
    }
    let last = type_digits(&laptop, &wrong).await;
    assert_eq!(
        last.problem(422),
        "Wrong digits three times. Please begin again."
    );

    type_digits(&laptop, &claimed["digits"]).await.problem(422);
    assert_eq!(come_back(&app, &claimed).await.problem(422), ENDED);
}

#[tokio::test]
async fn a_code_expires_after_two_minutes_with_a_new_one_or_when_dismissed() {
    let app = TestApp::new().await;
    let (laptop, codes) = at_a_laptop(&app).await;
    let late = shown(&laptop).await;
    app.clock.advance(Duration::from_secs(120));
    assert_eq!(scan(&app, &late).await.problem(422), ENDED);

    let first = shown(&laptop).await;
    let second = shown(&laptop).await;
    assert_eq!(scan(&app, &first).await.problem(422), ENDED);
    let claimed = scan(&app, &second).await.json();
    app.clock.advance(Duration::from_secs(120));
    assert_eq!(
        type_digits(&laptop, &claimed["digits"]).await.problem(422),
        ENDED
    );

    step_up(&laptop, &codes[1]).await;
    let put_away = shown(&laptop).await;
    laptop
        .call(Method::DELETE, PAIRING, &Value::Null)
        .await
        .ok();
    assert_eq!(scan(&app, &put_away).await.problem(422), ENDED);
}

#[tokio::test]
async fn a_signed_out_device_cannot_complete_a_pairing() {
    let app = TestApp::new().await;
    let (laptop, codes) = at_a_laptop(&app).await;
    let phone = Device::by_email(&app, ADA, PHONE).await;
    let end_the_laptops = async || {
        let all = phone.sign_ins().await;
        let laptops = all.iter().find(|it| it["current"] != true).unwrap();
        let path = format!(
            "/api/auth/sign_ins/{}",
            laptops["sign_in_id"].as_str().unwrap()
        );
        phone.call(Method::DELETE, &path, &Value::Null).await.ok();
    };
    let claimed = scan(&app, &shown(&laptop).await).await.json();
    type_digits(&laptop, &claimed["digits"]).await.ok();

    end_the_laptops().await;
    assert_eq!(come_back(&app, &claimed).await.problem(422), ENDED);

    let other = Device::by_code(&app, &codes[1], LAPTOP).await;
    let token = shown(&other).await;
    end_the_laptops().await;
    assert_eq!(scan(&app, &token).await.problem(422), ENDED);
}

#[tokio::test]
async fn an_invalid_code_gets_the_same_error_as_an_expired_one() {
    let app = TestApp::new().await;
    for token in ["par_x", "", "lnk_0000", "par_".repeat(20).as_str()] {
        assert_eq!(scan(&app, token).await.problem(422), ENDED);
    }
    let none = come_back(&app, &json!({"claim": "clm_x"})).await;
    assert_eq!(none.problem(422), ENDED);
}

#[tokio::test]
async fn another_guardian_neither_sees_nor_confirms_a_pairing() {
    let app = TestApp::new().await;
    let (laptop, _) = at_a_laptop(&app).await;
    app.add_guardian(BEN, None).await;
    let bens = Device::by_email(&app, BEN, LAPTOP).await;
    let claimed = scan(&app, &shown(&laptop).await).await.json();

    assert_eq!(bens.get(PAIRING).await, json!({"state": "ended"}));
    assert_eq!(
        type_digits(&bens, &claimed["digits"]).await.problem(422),
        ENDED
    );
    assert_eq!(come_back(&app, &claimed).await.status, 202);
}

#[tokio::test]
async fn a_paired_device_has_not_stepped_up_and_is_notified_by_email() {
    let app = TestApp::new().await;
    let (laptop, _) = at_a_laptop(&app).await;
    let claimed = scan(&app, &shown(&laptop).await).await.json();
    type_digits(&laptop, &claimed["digits"]).await.ok();

    let phone = Device::new(&app, PHONE, &come_back(&app, &claimed).await);

    assert!(!has_stepped_up(&phone).await);
    let refused = phone.post(PAIRING, &Value::Null).await;
    refused.problem(403);
    let mail = app.next_email().await;
    assert_eq!(mail.subject, "A new sign-in to Porchlight");
    assert!(mail.text.contains("Firefox on Android"));
    assert_eq!(laptop.new_sign_ins().await, 0, "it has let the phone in");
    let tablet = Device::by_email(&app, ADA, LAPTOP).await;
    assert_eq!(tablet.new_sign_ins().await, 1);
}

/// Asks the guardian's other devices. Returns the digits that this device shows.
async fn ask(device: &Device<'_>) -> Value {
    let asked = device.post("/api/auth/step_up/other_device", &Value::Null);
    asked.await.json()["digits"].clone()
}

async fn answer(device: &Device<'_>, digits: &Value) -> Response {
    let asking = device.get(ASKING).await;
    let sign_in = asking["items"][0]["sign_in_id"]
        .as_str()
        .unwrap_or("sgn_none");
    let path = format!("{ASKING}/{sign_in}");
    device.post(&path, &json!({ "digits": digits })).await
}

/// A laptop that signed in over a day ago, and a new phone.
async fn old_and_new(app: &TestApp) -> (Device<'_>, Device<'_>) {
    app.add_guardian(ADA, Some("Ada")).await;
    let laptop = Device::by_email(app, ADA, LAPTOP).await;
    app.clock.advance(Duration::from_secs(24 * 60 * 60 + 1));
    (laptop, Device::by_email(app, ADA, PHONE).await)
}

#[tokio::test]
async fn a_device_older_than_a_day_steps_up_another_one_with_its_digits() {
    let app = TestApp::new().await;
    let (laptop, phone) = old_and_new(&app).await;
    let ways = phone.get("/api/auth/step_up").await["ways"].clone();
    assert_eq!(ways, json!(["email", "other_device"]));

    let digits = ask(&phone).await;
    assert_eq!(phone.get("/api/auth/step_up").await["is_asking"], true);
    let asking = laptop.get(ASKING).await;
    assert_eq!(asking["items"][0]["device"]["device"], "Firefox on Android");
    assert_eq!(phone.get(ASKING).await["items"], json!([]));
    answer(&laptop, &digits).await.ok();

    assert!(has_stepped_up(&phone).await);
    assert!(!has_stepped_up(&laptop).await);
    assert_eq!(laptop.get(ASKING).await["items"], json!([]));
    answer(&laptop, &digits).await.problem(404);
}

#[tokio::test]
async fn a_device_younger_than_a_day_cannot_step_up_another_one_and_is_not_offered() {
    let app = TestApp::new().await;
    app.add_guardian(ADA, None).await;
    let (laptop, phone) = (
        Device::by_email(&app, ADA, LAPTOP).await,
        Device::by_email(&app, ADA, PHONE).await,
    );
    let ways = phone.get("/api/auth/step_up").await["ways"].clone();
    assert_eq!(ways, json!(["email"]));
    let refused = phone
        .post("/api/auth/step_up/other_device", &Value::Null)
        .await;
    assert_eq!(
        refused.problem(422),
        "There is no other device on which you have been signed in for over a day."
    );

    app.clock.advance(Duration::from_secs(24 * 60 * 60));
    let tablet = Device::by_email(&app, ADA, PHONE).await;
    let digits = ask(&phone).await;

    assert_eq!(tablet.get(ASKING).await["items"], json!([]));
    let sign_ins = phone.sign_ins().await;
    let phones = sign_ins.iter().find(|it| it["current"] == true).unwrap();
    let path = format!("{ASKING}/{}", phones["sign_in_id"].as_str().unwrap());
    let body = json!({ "digits": digits });
    tablet.post(&path, &body).await.problem(404);
    laptop.post(&path, &body).await.ok();
    assert!(has_stepped_up(&phone).await);
}

#[tokio::test]
async fn another_guardians_device_does_not_get_the_question() {
    let app = TestApp::new().await;
    app.add_guardian(BEN, None).await;
    let bens = Device::by_email(&app, BEN, LAPTOP).await;
    let (_laptop, phone) = old_and_new(&app).await;
    let digits = ask(&phone).await;

    assert_eq!(bens.get(ASKING).await["items"], json!([]));
    let sign_ins = phone.sign_ins().await;
    let phones = sign_ins.iter().find(|it| it["current"] == true).unwrap();
    let path = format!("{ASKING}/{}", phones["sign_in_id"].as_str().unwrap());
    let refused = bens.post(&path, &json!({ "digits": digits })).await;
    refused.problem(404);
    let refused = bens.call(Method::DELETE, &path, &Value::Null).await;
    refused.problem(404);
    assert_eq!(phone.get("/api/auth/step_up").await["is_asking"], true);
}

#[tokio::test]
async fn three_wrong_digits_a_refusal_or_two_minutes_end_the_question() {
    let app = TestApp::new().await;
    let (laptop, phone) = old_and_new(&app).await;
    let is_asking = async || {
        phone
            .get("/api/auth/step_up")
            .await
            .get("is_asking")
            .is_some()
    };
    let digits = ask(&phone).await;
    for _ in 0..3 {
        answer(&laptop, &others(&digits)).await.problem(422);
    }
    assert!(!is_asking().await);

    ask(&phone).await;
    let asking = laptop.get(ASKING).await;
    let path = format!(
        "{ASKING}/{}",
        asking["items"][0]["sign_in_id"].as_str().unwrap()
    );
    laptop.call(Method::DELETE, &path, &Value::Null).await.ok();
    assert!(!is_asking().await);

    let digits = ask(&phone).await;
    app.clock.advance(Duration::from_secs(120));
    assert!(!is_asking().await);
    answer(&laptop, &digits).await.problem(404);
    assert!(!has_stepped_up(&phone).await);
}

#[tokio::test]
async fn the_page_of_another_device_is_notified_of_the_question_at_once() {
    let app = TestApp::new().await;
    app.add_guardian(BEN, None).await;
    let (laptop, phone) = old_and_new(&app).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let bearer = laptop.mint().await.json()["identity_token"].clone();
    let page = app.bearer(bearer.as_str().unwrap());
    let mut events = page.stream(&format!("/api/child/{mia}/events")).await;

    ask(&phone).await;

    assert_eq!(events.until("asking_devices").await, ["asking_devices"]);
}
