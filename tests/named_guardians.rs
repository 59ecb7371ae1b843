//! How the administrator's commands identify a guardian: by id, or by address, which may be unverified.

use std::time::Duration;

use crate::support::test_app::{PUBLIC_URL, TestApp};
use poem::http::Method;
use porchlight::admin::{
    AddChild, ChangeEmail, LinkChild, ListGuardians, MakeSignInLink, MakeToken, Operation,
    RemoveGuardian, Seed, SignInArguments, SignOutGuardian, UnlinkChild,
};
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
    let all = app.run_admin(ListGuardians).await.0.unwrap();
    let mut all = all.entries.iter();
    let newest = all.rfind(|guardian| guardian.email.as_str() == email);
    newest.unwrap().id.to_string()
}

async fn run(app: &TestApp, operation: impl Operation) -> Result<(), String> {
    let done = app.run_admin(operation).await.0;
    done.map(drop).map_err(|error| error.to_string())
}

async fn refused(app: &TestApp, operation: impl Operation) -> String {
    run(app, operation).await.expect_err("it is refused")
}

fn access(name: &str) -> SignInArguments {
    SignInArguments {
        email: by(name),
        public_url: None,
    }
}

/// Does to a guardian of Mia what can be done, and returns what became of each.
async fn run_all(app: &TestApp, mia: ChildId, name: &str) -> [Result<(), String>; 6] {
    let (email, to) = (by(name), "new@example.org".parse().unwrap());
    let sign_out = SignOutGuardian {
        email: email.clone(),
    };
    let unlink = UnlinkChild {
        child: mia,
        email: email.clone(),
    };
    let from = email.clone();
    [
        run(app, MakeSignInLink(access(name))).await,
        run(app, MakeToken(access(name))).await,
        run(app, sign_out).await,
        run(app, unlink).await,
        run(app, ChangeEmail { from, to }).await,
        run(app, RemoveGuardian { email }).await,
    ]
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
    let link = |name: &str| LinkChild {
        child: leo,
        email: by(name),
    };
    let add = |name: &str| AddChild {
        name: "Tom".to_owned(),
        guardians: vec![by(ADA), by(name)],
        ..AddChild::default()
    };

    for sentence in [
        refused(&app, link(TYPED)).await,
        refused(&app, add(TYPED)).await,
    ] {
        assert!(sentence.contains("not confirmed"), "{sentence}");
        assert!(sentence.contains(&guest), "{sentence}");
    }
    let family = json!({"children": [{"name": "Tom", "guardians": [TYPED]}]});
    let text = family.to_string();
    let sentence = refused(&app, Seed { text }).await;
    assert!(sentence.contains("nobody here has"), "{sentence}");

    run(&app, link(&guest)).await.unwrap();
    run(&app, add(&guest)).await.unwrap();
    // Once another guardian has verified the address, it is theirs.
    app.add_guardian(TYPED, None).await;
    let linked = app.run_admin(link(TYPED)).await.0.unwrap();
    assert_eq!(json!(linked.guardians), json!([ADA, TYPED, TYPED]));
}

#[tokio::test]
async fn an_unverified_address_of_several_guardians_identifies_none_of_them() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let ids = [typed(&app, mia, TYPED).await, typed(&app, mia, TYPED).await];

    for done in run_all(&app, mia, TYPED).await {
        let sentence = done.unwrap_err();
        for id in &ids {
            assert!(sentence.contains(id), "{sentence}");
        }
    }
    for done in run_all(&app, mia, &ids[0]).await {
        done.unwrap();
    }

    let left = app.run_admin(ListGuardians).await.0.unwrap();
    let left = left.entries.iter().map(|guardian| guardian.id.to_string());
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
        let link = app.run_admin(MakeSignInLink(access(name))).await.0;
        let token = app.run_admin(MakeToken(access(name))).await.0;
        for unconfirmed in [link.unwrap().unconfirmed, token.unwrap().unconfirmed] {
            assert_eq!(unconfirmed.is_some(), is_told, "{name}");
            let id = unconfirmed.map(|guardian| guardian.id.to_string());
            assert!(id.is_none_or(|id| id == guest), "{name}");
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

    let email = by(&guest);
    run(&app, SignOutGuardian { email }).await.unwrap();
    let email = by(&guest);
    run(&app, RemoveGuardian { email }).await.unwrap();

    let headers = [("origin", PUBLIC_URL)];
    let body = json!({"token": token, "email": TYPED}).to_string();
    let owner = app.anonymous();
    let signed_in = owner.send(Method::POST, "/api/auth/sign-in", &headers, Some(body));
    signed_in.await.ok();
}
