//! A new sign-in is seen on the guardian's other devices, and by letter where no letter led to it.

use crate::support::device::{Device, LAPTOP, PHONE};
use crate::support::test_app::TestApp;
use poem::http::Method;
use serde_json::Value;

const ADA: &str = "ada@example.org";

#[tokio::test]
async fn a_sign_in_elsewhere_is_new_on_the_other_device_until_that_one_has_seen_it() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let phone = Device::by_letter(&app, ADA, PHONE).await;
    assert_eq!(phone.new_sign_ins().await, 0);

    let laptop = Device::by_letter(&app, ADA, LAPTOP).await;
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
async fn a_new_sign_in_that_was_ended_is_no_news() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let phone = Device::by_letter(&app, ADA, PHONE).await;
    Device::by_letter(&app, ADA, LAPTOP).await;
    let sign_ins = phone.sign_ins().await;
    let new = sign_ins
        .iter()
        .find(|sign_in| sign_in["is_new"] == true)
        .unwrap();

    let path = format!("/api/auth/sign-ins/{}", new["sign_in_id"].as_str().unwrap());
    phone.call(Method::DELETE, &path, &Value::Null).await.ok();

    assert_eq!(phone.new_sign_ins().await, 0);
}

#[tokio::test]
async fn a_sign_in_by_recovery_code_is_told_by_letter_and_one_by_letter_is_not() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let phone = Device::by_letter(&app, ADA, PHONE).await;
    let codes = phone.codes().await;
    assert_eq!(app.letters.lock().unwrap().len(), 0);

    Device::by_code(&app, &codes[0], "<script>").await;
    tokio::task::yield_now().await;

    let letters = app.letters.lock().unwrap();
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].subject, "A new sign-in to Porchlight");
    assert!(
        letters[0]
            .text
            .contains("an unknown device, Saturday, November 21, 2026, 8:00 PM (UTC)")
    );
    assert_eq!(letters[0].to.to_string(), ADA);
}

#[tokio::test]
async fn another_guardians_sign_in_is_no_news() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    app.guardian("eve@example.org").await;
    let phone = Device::by_letter(&app, ADA, PHONE).await;

    app.sign_in("eve@example.org").await;

    assert_eq!(phone.new_sign_ins().await, 0);
}
