//! New sign-ins are shown on the guardian's other devices, and announced by e-mail unless they used a link from an e-mail.

use std::time::Duration;

use crate::support::device::{Device, LAPTOP, PHONE, from_our_page};
use crate::support::test_app::{EVENING, TestApp};
use poem::http::Method;
use porchlight::kernel::host::clock::Timestamp;
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";

#[tokio::test]
async fn a_sign_in_is_new_on_the_other_device_until_acknowledged_there() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let phone = Device::by_email(&app, ADA, PHONE).await;
    assert_eq!(phone.new_sign_ins().await, 0);

    let laptop = Device::by_email(&app, ADA, LAPTOP).await;
    assert_eq!(
        (phone.new_sign_ins().await, laptop.new_sign_ins().await),
        (1, 0)
    );
    let sign_ins = phone.sign_ins().await;
    let new = sign_ins
        .iter()
        .find(|sign_in| sign_in["is_new"] == true)
        .unwrap();
    assert_eq!(new["device"], "Firefox on Linux");
    assert!(
        sign_ins
            .iter()
            .any(|sign_in| sign_in["device"] == "Firefox on Android")
    );

    laptop.see_sign_ins().await;
    assert_eq!(phone.new_sign_ins().await, 1, "it doesn't say so of itself");
    phone.see_sign_ins().await;
    assert_eq!(phone.new_sign_ins().await, 0);
    assert!(
        phone
            .sign_ins()
            .await
            .iter()
            .all(|sign_in| sign_in.get("is_new").is_none())
    );
}

#[tokio::test]
async fn a_new_sign_in_that_has_ended_is_not_reported() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let phone = Device::by_email(&app, ADA, PHONE).await;
    Device::by_email(&app, ADA, LAPTOP).await;
    let sign_ins = phone.sign_ins().await;
    let new = sign_ins
        .iter()
        .find(|sign_in| sign_in["is_new"] == true)
        .unwrap();

    let path = format!("/api/auth/sign_ins/{}", new["sign_in_id"].as_str().unwrap());
    phone.call(Method::DELETE, &path, &Value::Null).await.ok();

    assert_eq!(phone.new_sign_ins().await, 0);
}

#[tokio::test]
async fn a_sign_in_by_recovery_code_is_notified_by_email_and_one_by_email_is_not() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let phone = Device::by_email(&app, ADA, PHONE).await;
    let codes = phone.codes().await;
    app.take_emails().await;

    Device::by_code(&app, &codes[0], "<script>").await;

    let emails = app.take_emails().await;
    assert_eq!(emails.len(), 1);
    assert_eq!(emails[0].subject, "A new sign-in to Porchlight");
    assert!(
        emails[0]
            .text
            .contains("an unknown device, Saturday, November 21, 2026, 8:00 PM (UTC)")
    );
    assert_eq!(emails[0].to.to_string(), ADA);
}

#[tokio::test]
async fn another_guardians_sign_in_is_not_reported() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    app.guardian("eve@example.org").await;
    let phone = Device::by_email(&app, ADA, PHONE).await;

    app.sign_in("eve@example.org").await;

    assert_eq!(phone.new_sign_ins().await, 0);
}

/// Pairs another device with the QR code of this one.
async fn pair<'a>(app: &'a TestApp, by: &Device<'_>) -> Device<'a> {
    let begun = by.post("/api/auth/pairing", &Value::Null).await.json();
    let link = begun["shown"]["link"].as_str().unwrap();
    let (_, token) = link.split_once("#token=").unwrap();
    let body = json!({ "token": token });
    let claimed = from_our_page(app, "/api/auth/pairing/claim", PHONE, &body).await;
    let claimed = claimed.json();
    let digits = json!({"digits": claimed["digits"]});
    by.post("/api/auth/pairing/confirmation", &digits)
        .await
        .ok();
    let body = json!({"claim": claimed["claim"]});
    let path = "/api/auth/pairing/completion";
    Device::new(app, PHONE, &from_our_page(app, path, PHONE, &body).await)
}

#[tokio::test]
async fn new_sign_ins_cannot_acknowledge_each_other_for_the_guardians_older_device() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let owner = Device::by_email(&app, ADA, PHONE).await;
    let codes = owner.codes().await;
    let stolen = Device::by_code(&app, &codes[0], LAPTOP).await;
    let paired = pair(&app, &stolen).await;
    let next = pair(&app, &stolen).await;
    assert_eq!(owner.new_sign_ins().await, 3);

    for device in [&stolen, &paired, &next, &paired] {
        device.see_sign_ins().await;
    }

    assert_eq!(owner.new_sign_ins().await, 3);
    let by_email = Device::by_email(&app, ADA, LAPTOP).await;
    assert_eq!(by_email.new_sign_ins().await, 3);
}

#[tokio::test]
async fn a_device_that_is_new_itself_acknowledges_only_for_itself() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let owner = Device::by_email(&app, ADA, PHONE).await;
    let laptop = Device::by_email(&app, ADA, LAPTOP).await;
    let tablet = Device::by_email(&app, ADA, PHONE).await;
    assert_eq!(laptop.new_sign_ins().await, 1);

    laptop.see_sign_ins().await;

    assert_eq!(laptop.new_sign_ins().await, 0);
    let listed = laptop.sign_ins().await;
    assert!(listed.iter().all(|one| one.get("is_new").is_none()));
    assert_eq!(tablet.new_sign_ins().await, 1, "that of the laptop");
    assert_eq!(owner.new_sign_ins().await, 2);
}

#[tokio::test]
async fn the_guardians_first_sign_in_acknowledges_for_all_devices_and_so_do_those_it_acknowledged()
{
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let first = Device::by_email(&app, ADA, PHONE).await;
    let second = Device::by_email(&app, ADA, LAPTOP).await;

    first.see_sign_ins().await;
    let third = Device::by_email(&app, ADA, PHONE).await;
    assert_eq!(third.new_sign_ins().await, 0);
    second.see_sign_ins().await;

    assert_eq!(first.new_sign_ins().await, 0);
}

#[tokio::test]
async fn a_sign_in_stays_new_after_every_older_one_has_ended() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let owner = Device::by_email(&app, ADA, PHONE).await;
    let codes = owner.codes().await;
    let stolen = Device::by_code(&app, &codes[0], LAPTOP).await;
    let current = |sign_ins: Vec<Value>| {
        let current = sign_ins.into_iter().find(|one| one["current"] == true);
        current.unwrap()["sign_in_id"].as_str().unwrap().to_owned()
    };
    let path = format!("/api/auth/sign_ins/{}", current(owner.sign_ins().await));

    stolen.call(Method::DELETE, &path, &Value::Null).await.ok();
    let again = Device::by_email(&app, ADA, PHONE).await;
    stolen.see_sign_ins().await;

    assert_eq!(again.new_sign_ins().await, 1, "the stolen one is told");
    again.see_sign_ins().await;
    assert_eq!(again.new_sign_ins().await, 0, "the parent can dismiss it");
}

#[tokio::test]
async fn a_sign_in_by_emailed_link_after_signing_out_everywhere_acknowledges_for_all_devices() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let before = Device::by_email(&app, ADA, PHONE).await;
    before.sign_out(&json!({"everywhere": true})).await.ok();

    let phone = Device::by_email(&app, ADA, PHONE).await;
    let laptop = Device::by_email(&app, ADA, LAPTOP).await;

    assert_eq!(phone.new_sign_ins().await, 1);
    assert_eq!(laptop.new_sign_ins().await, 0);
    let tablet = Device::by_email(&app, ADA, PHONE).await;
    phone.see_sign_ins().await;
    assert_eq!(tablet.new_sign_ins().await, 0);
}

#[tokio::test]
async fn a_stolen_recovery_code_used_right_after_signing_out_everywhere_hides_no_sign_in() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let before = Device::by_email(&app, ADA, PHONE).await;
    let codes = before.codes().await;
    before.sign_out(&json!({"everywhere": true})).await.ok();

    let stolen = Device::by_code(&app, &codes[0], LAPTOP).await;
    let owner = Device::by_email(&app, ADA, PHONE).await;
    let paired = pair(&app, &stolen).await;
    assert_eq!(owner.new_sign_ins().await, 2);
    stolen.see_sign_ins().await;
    paired.see_sign_ins().await;

    assert_eq!(owner.new_sign_ins().await, 2);
    let tablet = Device::by_email(&app, ADA, PHONE).await;
    assert_eq!(tablet.new_sign_ins().await, 3, "the owner's, too");
}

#[tokio::test]
async fn a_sign_in_by_emailed_link_acknowledges_if_no_older_device_is_acknowledged() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let before = Device::by_email(&app, ADA, PHONE).await;
    let codes = before.codes().await;
    before.sign_out(&json!({"everywhere": true})).await.ok();
    let phone = Device::by_code(&app, &codes[0], PHONE).await;
    let by_code = Device::by_code(&app, &codes[1], LAPTOP).await;
    let laptop = Device::by_email(&app, ADA, LAPTOP).await;
    let tablet = Device::by_email(&app, ADA, PHONE).await;
    assert_eq!(tablet.new_sign_ins().await, 3);

    by_code.see_sign_ins().await;
    assert_eq!(tablet.new_sign_ins().await, 3);
    laptop.see_sign_ins().await;

    assert_eq!(tablet.new_sign_ins().await, 1, "the laptop's own");
    phone.see_sign_ins().await;
    assert_eq!(tablet.new_sign_ins().await, 0, "the phone is acknowledged");
}

#[tokio::test]
async fn a_sign_in_that_begins_while_the_clock_is_behind_is_new_and_younger_than_the_others() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let owner = Device::by_email(&app, ADA, PHONE).await;
    let codes = owner.codes().await;
    let evening = Timestamp::parse(EVENING).unwrap();
    let days_before = Timestamp::parse("2026-11-18T20:00:00Z").unwrap();

    app.clock.set(days_before);
    let stolen = Device::by_code(&app, &codes[0], LAPTOP).await;
    app.clock.set(evening);
    let other = Device::by_email(&app, ADA, LAPTOP).await;
    stolen.see_sign_ins().await;

    assert_eq!(owner.new_sign_ins().await, 2);
    assert_eq!(other.new_sign_ins().await, 1);
}

#[tokio::test]
async fn new_recovery_codes_are_notified_by_email_and_on_existing_devices() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let phone = Device::by_email(&app, ADA, PHONE).await;
    let first = phone.codes().await;
    let laptop = Device::by_email(&app, ADA, LAPTOP).await;
    let body = json!({"way": "recovery_code", "code": first[0]});
    laptop.post("/api/auth/step_up", &body).await.ok();
    app.clock.advance(Duration::from_secs(60));
    app.take_emails().await;

    laptop.codes().await;

    {
        let emails = app.take_emails().await;
        assert_eq!(emails.len(), 1);
        assert_eq!(emails[0].subject, "New recovery codes for Porchlight");
        assert!(emails[0].text.contains("Firefox on Linux"));
    }
    app.clock.advance(Duration::from_secs(60));
    let tablet = Device::by_email(&app, ADA, PHONE).await;
    assert_eq!(tells_of_codes(&phone).await, (true, true));
    assert_eq!(tells_of_codes(&laptop).await, (false, false));
    assert_eq!(tells_of_codes(&tablet).await, (false, false));
    laptop.see_sign_ins().await;
    assert_eq!(tells_of_codes(&phone).await, (true, true));
    phone.see_sign_ins().await;
    assert_eq!(tells_of_codes(&phone).await, (false, false));
}

/// Whether its next token and its count of codes report new recovery codes.
async fn tells_of_codes(device: &Device<'_>) -> (bool, bool) {
    let minted = device.mint().await.json();
    let counted = device.get("/api/auth/recovery_codes").await;
    (
        minted["guardian"]["new_recovery_codes"] == true,
        counted["are_new"] == true,
    )
}

#[tokio::test]
async fn signing_out_everywhere_revokes_the_recovery_codes_only_on_request() {
    for (body, ends) in [
        (json!({"everywhere": true}), false),
        (json!({"everywhere": true, "recovery_codes": true}), true),
    ] {
        let app = TestApp::new().await;
        app.guardian(ADA).await;
        let phone = Device::by_email(&app, ADA, PHONE).await;
        let codes = phone.codes().await;
        let here = json!({"recovery_codes": true});
        phone.sign_out(&here).await.problem(422);

        phone.sign_out(&body).await.ok();

        let code = json!({"code": codes[0]});
        let tried = from_our_page(&app, "/api/auth/recovery", LAPTOP, &code).await;
        let status = if ends { 422 } else { 200 };
        assert_eq!(tried.status, status, "{body}: {}", tried.body);
    }
}
