//! How the administrator's commands identify a guardian: by id, or by address, which may be unverified.

use std::time::Duration;

use crate::support::test_app::{PUBLIC_URL, TestApp};
use poem::http::Method;
use porchlight::admin::{Answer, Request};
use porchlight::children::ChildId;
use porchlight::identity::GuardianName;
use serde_json::json;

const ADA: &str = "ada@example.org";
const TYPED: &str = "grandma@example.org";

/// A guest invited by Ada types an address. Returns the guest's id.
async fn typed(app: &TestApp, child: ChildId, email: &str) -> String {
    let ada = app.stepped_up(ADA).await;
    let invitation = json!({"children": [child]});
    let made = ada.post("/api/invitations", &invitation).await.json();
    let link = made["shown"]["link"].as_str().unwrap();
    let (_, token) = link.split_once("#token=").unwrap();
    let body = json!({"token": token, "name": "Guest", "email": email}).to_string();
    let headers = [("origin", PUBLIC_URL)];
    // So that the newest guardian is the last in the list.
    app.clock.advance(Duration::from_secs(1));
    let guest = app.anonymous();
    let accepted = guest.send(
        Method::POST,
        "/api/invitations/accept",
        &headers,
        Some(body),
    );
    let accepted = accepted.await.json();
    assert_eq!(accepted["guardian"]["email_unverified"], true);
    let all = app.run_admin(Request::ListGuardians).await.0.unwrap();
    let all = all.to_json().as_array().unwrap().clone();
    let newest = all
        .iter()
        .rfind(|guardian| guardian["email"] == email)
        .unwrap();
    newest["id"].as_str().unwrap().to_owned()
}

async fn refused(app: &TestApp, request: Request) -> String {
    let refused = app.run_admin(request).await.0.err();
    refused.expect("it is refused").to_string()
}

fn by(name: &str) -> GuardianName {
    name.parse().unwrap()
}

#[tokio::test]
async fn an_unverified_address_gives_nobody_access_to_a_child() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let guest = typed(&app, mia, TYPED).await;
    let link = |name: &str| Request::LinkChild {
        child: leo,
        email: by(name),
    };
    let add = |name: &str| Request::AddChild {
        name: "Tom".to_owned(),
        guardians: vec![by(ADA), by(name)],
        time_zone: None,
    };

    for request in [link(TYPED), add(TYPED)] {
        let sentence = refused(&app, request).await;
        assert!(sentence.contains("not confirmed"), "{sentence}");
        assert!(sentence.contains(&guest), "{sentence}");
    }
    let family = json!({"children": [{"name": "Tom", "guardians": [TYPED]}]});
    let text = family.to_string();
    let sentence = refused(&app, Request::Seed { text }).await;
    assert!(sentence.contains("nobody here has"), "{sentence}");

    for request in [link(&guest), add(&guest)] {
        app.run_admin(request).await.0.unwrap();
    }
    // Once another guardian has verified the address, it is theirs.
    app.add_guardian(TYPED, None).await;
    let linked = app.run_admin(link(TYPED)).await.0.unwrap().to_json();
    assert_eq!(linked["guardians"], json!([ADA, TYPED, TYPED]));
}

#[tokio::test]
async fn an_unverified_address_of_several_guardians_identifies_none_of_them() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let ids = [typed(&app, mia, TYPED).await, typed(&app, mia, TYPED).await];
    let of = |email: GuardianName| {
        [
            Request::SignInLink {
                email: email.clone(),
            },
            Request::Token {
                email: email.clone(),
            },
            Request::SignOutGuardian {
                email: email.clone(),
            },
            Request::UnlinkChild {
                child: mia,
                email: email.clone(),
            },
            Request::ChangeEmail {
                from: email.clone(),
                to: "new@example.org".parse().unwrap(),
            },
            Request::RemoveGuardian { email },
        ]
    };

    for request in of(by(TYPED)) {
        let sentence = refused(&app, request).await;
        for id in &ids {
            assert!(sentence.contains(id), "{sentence}");
        }
    }
    for request in of(by(&ids[0])) {
        app.run_admin(request).await.0.unwrap();
    }

    let left = app.run_admin(Request::ListGuardians).await.0.unwrap();
    let left = left.to_json();
    let left = left.as_array().unwrap().iter();
    let left = left.map(|guardian| guardian["id"].as_str().unwrap());
    assert!(left.clone().any(|id| id == ids[1]));
    assert!(!left.clone().any(|id| id == ids[0]));
}

#[tokio::test]
async fn a_sign_in_link_for_an_unverified_address_comes_with_a_warning_and_the_guardians_name() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let guest = typed(&app, mia, TYPED).await;

    for (name, is_told) in [(ADA, false), (TYPED, true), (guest.as_str(), true)] {
        let link = Request::SignInLink { email: by(name) };
        let token = Request::Token { email: by(name) };
        for request in [link, token] {
            let answer = app.run_admin(request).await.0.unwrap();
            assert!(matches!(
                answer,
                Answer::SignInLink { .. } | Answer::Token { .. }
            ));
            let answer = answer.to_json();
            let unconfirmed = answer.get("unconfirmed");
            assert_eq!(unconfirmed.is_some(), is_told, "{name}: {answer}");
            let id = unconfirmed.map(|guardian| &guardian["id"]);
            assert!(id.is_none_or(|id| *id == json!(guest)), "{answer}");
        }
    }
}

#[tokio::test]
async fn removing_a_guardian_with_an_unverified_address_keeps_its_owners_link() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let guest = typed(&app, mia, TYPED).await;
    app.add_guardian(TYPED, None).await;
    let asked = json!({"email": TYPED});
    app.anonymous().post("/api/auth/link", &asked).await.ok();
    app.inner.queue.deliver_due().await.unwrap();
    let mail = app.emails.lock().unwrap().pop().expect("an email");
    let (_, rest) = mail.text.split_once("#token=").unwrap();
    let token = rest.split_whitespace().next().unwrap();

    for request in [
        Request::SignOutGuardian { email: by(&guest) },
        Request::RemoveGuardian { email: by(&guest) },
    ] {
        app.run_admin(request).await.0.unwrap();
    }

    let headers = [("origin", PUBLIC_URL)];
    let body = json!({"token": token, "email": TYPED}).to_string();
    let owner = app.anonymous();
    let signed_in = owner.send(Method::POST, "/api/auth/sign-in", &headers, Some(body));
    signed_in.await.ok();
}
