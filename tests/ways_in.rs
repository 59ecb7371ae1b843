//! Every way to sign in, and the credentials that must be refused: expired, used, used twice concurrently, a removed guardian's,
//! another family's, guessed, and replayed after a restore. Print the table with: `cargo test --test app ways_in -- --nocapture`

use std::time::Duration;

use crate::support::device::{Device, LAPTOP, PHONE, from_our_page};
use crate::support::family::everybody;
use crate::support::provider::FakeProvider;
use crate::support::test_app::{Response, TestApp, restore};
use poem::http::Method;
use porchlight::admin::RemoveGuardian;
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";
const EVE: &str = "eve@example.net";
const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Email,
    AdministratorsLink,
    OtherDevice,
    RecoveryCode,
    Provider,
    Invitation,
}

const WAYS: [Way; 6] = [
    Way::Email,
    Way::AdministratorsLink,
    Way::OtherDevice,
    Way::RecoveryCode,
    Way::Provider,
    Way::Invitation,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Right,
    Stale,
    Used,
    Raced,
    OfARemovedGuardian,
    OfAnotherFamily,
    Guessed,
    Restored,
}

const CASES: [Case; 8] = [
    Case::Right,
    Case::Stale,
    Case::Used,
    Case::Raced,
    Case::OfARemovedGuardian,
    Case::OfAnotherFamily,
    Case::Guessed,
    Case::Restored,
];

/// The cases that don't exist, with the reason.
fn does_not_apply(way: Way, case: Case) -> Option<&'static str> {
    match (way, case) {
        (Way::RecoveryCode, Case::Stale) => Some("paper has no end; new codes end the old"),
        (Way::Invitation, Case::OfAnotherFamily) => Some("whoever holds the link is invited"),
        _ => None,
    }
}

/// The credential of somebody who wants to sign in.
#[derive(Clone)]
enum Held {
    /// The body of a call from our own pages.
    Body(&'static str, Value),
    /// The flow's cookie, and the provider's response.
    Flow { cookie: String, query: String },
}

struct Scene {
    app: TestApp,
    provider: FakeProvider,
}

impl Scene {
    async fn new() -> Self {
        let provider = FakeProvider::start_new().await;
        let app = TestApp::with_provider(provider.settings(), false).await;
        app.add_guardian(ADA, Some("Ada")).await;
        app.add_guardian(EVE, Some("Eve")).await;
        app.child("Mia", &[ADA]).await;
        Self { app, provider }
    }

    /// Returns the credential for Ada, or for a guest she invites.
    async fn hold(&self, way: Way) -> Held {
        let app = &self.app;
        match way {
            Way::Email => {
                let body = json!({ "email": ADA });
                app.anonymous().post("/api/auth/link", &body).await.ok();
                app.inner.queue.deliver_due().await.unwrap();
                let mail = app.emails.lock().unwrap().pop().expect("an email");
                link(&mail.text)
            }
            Way::AdministratorsLink => {
                let links = &app.inner.identity.links;
                link(&links.link_for(&ADA.parse().unwrap()).await.unwrap())
            }
            Way::OtherDevice => {
                let claimed = self.claim().await;
                let digits = json!({"digits": claimed["digits"]});
                let laptop = &claimed["laptop"];
                let laptop = app.bearer(laptop.as_str().unwrap());
                let path = "/api/auth/pairing/confirmation";
                laptop.post(path, &digits).await.ok();
                come_back(&claimed)
            }
            Way::RecoveryCode => {
                let laptop = Device::by_email(app, ADA, LAPTOP).await;
                let code = laptop.codes().await[3].clone();
                Held::Body("/api/auth/recovery", json!({ "code": code }))
            }
            Way::Provider => {
                let started = app.anonymous().get("/api/auth/oidc/start").await;
                let page = started.header("location").parse().unwrap();
                let cookie = started.header("set-cookie");
                Held::Flow {
                    cookie: cookie.split(';').next().unwrap().to_owned(),
                    query: self.provider.consent(&page),
                }
            }
            Way::Invitation => {
                let ada = app.stepped_up(ADA).await;
                let children = ada.get("/api/children").await.json();
                let invite = json!({"children": [children[0]["child_id"]]});
                let shown = ada.post("/api/invitations", &invite).await.json();
                let (_, token) = shown["shown"]["link"]
                    .as_str()
                    .unwrap()
                    .split_once("#token=")
                    .unwrap();
                let body = json!({"token": token, "name": "Cleo", "email": "cleo@example.org"});
                Held::Body("/api/invitations/accept", body)
            }
        }
    }

    /// A phone that has scanned the code of Ada's laptop; the token is included.
    async fn claim(&self) -> Value {
        let laptop = self.app.stepped_up(ADA).await;
        let begun = laptop
            .send(Method::POST, "/api/auth/pairing", &[], None)
            .await
            .json();
        let (_, token) = begun["shown"]["link"]
            .as_str()
            .unwrap()
            .split_once("#token=")
            .unwrap();
        let body = json!({ "token": token });
        let claimed = from_our_page(&self.app, "/api/auth/pairing/claim", PHONE, &body).await;
        let mut claimed = claimed.json();
        claimed["laptop"] = json!(laptop.credential());
        claimed
    }

    /// Uses it. Returns the name of the guardian who is then signed in.
    async fn try_it(&self, held: &Held) -> Option<String> {
        signed_in(&self.app, held).await
    }

    async fn remove_ada(&self) {
        let email = ADA.parse().unwrap();
        let (removed, _) = self.app.run_admin(RemoveGuardian { email }).await;
        assert!(removed.is_ok());
    }

    /// Another family uses it.
    async fn try_as_eve(&self, way: Way) -> Option<String> {
        let app = &self.app;
        match (way, self.hold(way).await) {
            // With her own address.
            (Way::Email | Way::AdministratorsLink, Held::Body(path, mut body)) => {
                body["email"] = json!(EVE);
                self.try_it(&Held::Body(path, body)).await
            }
            // She types the digits of a device that scanned Ada's code.
            (Way::OtherDevice, _) => {
                let claimed = self.claim().await;
                let eve = app.stepped_up(EVE).await;
                let digits = json!({"digits": claimed["digits"]});
                let path = "/api/auth/pairing/confirmation";
                eve.post(path, &digits).await.problem(422);
                self.try_it(&come_back(&claimed)).await
            }
            // It doesn't step her up.
            (_, Held::Body(_, body)) => {
                let eve = Device::by_email(app, EVE, LAPTOP).await;
                let typed = json!({"way": "recovery_code", "code": body["code"]});
                eve.post("/api/auth/step_up", &typed).await.problem(422);
                None
            }
            // Her browser started another flow.
            (_, Held::Flow { query, .. }) => {
                let Held::Flow { cookie, .. } = self.hold(way).await else {
                    panic!("the provider's is a flow");
                };
                self.try_it(&Held::Flow { cookie, query }).await
            }
        }
    }
}

fn link(text: &str) -> Held {
    let (_, token) = text.split_once("#token=").expect("a link");
    let token = token.split_whitespace().next().unwrap();
    Held::Body("/api/auth/sign-in", json!({"email": ADA, "token": token}))
}

fn come_back(claimed: &Value) -> Held {
    let body = json!({"claim": claimed["claim"]});
    Held::Body("/api/auth/pairing/completion", body)
}

async fn signed_in(app: &TestApp, held: &Held) -> Option<String> {
    let answer: Response = match held {
        Held::Body(path, body) => from_our_page(app, path, PHONE, body).await,
        Held::Flow { cookie, query } => {
            let path = format!("/api/auth/oidc/callback?{query}");
            let headers = [("cookie", cookie.as_str())];
            app.anonymous()
                .send(Method::GET, &path, &headers, None)
                .await
        }
    };
    assert!(answer.status.as_u16() < 500, "{}", answer.body);
    let cookie = answer.header("set-cookie");
    if !cookie.contains("=rfr_") {
        return None;
    }
    let minted = Device::new(app, PHONE, &answer).mint().await.json();
    Some(minted["guardian"]["name"].as_str().unwrap().to_owned())
}

/// A random credential of the same form.
fn guessed(held: &Held) -> Held {
    let other = |text: &str| {
        let swap = |byte: u8| match byte {
            b'A' => 'B',
            b'2' => '3',
            _ if byte.is_ascii_digit() => '2',
            _ => 'A',
        };
        let (prefix, secret) = text.split_at(if text.contains('_') { 4 } else { 0 });
        let swapped = secret
            .bytes()
            .map(|byte| if byte == b'-' { '-' } else { swap(byte) });
        format!("{prefix}{}", swapped.collect::<String>())
    };
    match held {
        Held::Body(path, body) => {
            let mut body = body.clone();
            for field in ["token", "claim", "code"] {
                if let Some(secret) = body.get(field).and_then(Value::as_str) {
                    body[field] = json!(other(secret));
                }
            }
            Held::Body(path, body)
        }
        Held::Flow { cookie, query } => {
            let (name, secret) = cookie.split_once('=').unwrap();
            Held::Flow {
                cookie: format!("{name}={}", other(secret)),
                query: query.clone(),
            }
        }
    }
}

/// How long it is valid.
fn life(way: Way) -> Duration {
    Duration::from_secs(match way {
        Way::Email | Way::AdministratorsLink => 30 * MINUTE,
        Way::OtherDevice => 2 * MINUTE,
        Way::Provider => 10 * MINUTE,
        Way::Invitation => 14 * DAY,
        Way::RecoveryCode => Duration::MAX.as_secs(),
    })
}

/// Runs one case. Returns the names of the guardians who are signed in by it.
async fn outcome(way: Way, case: Case) -> Vec<String> {
    let scene = Scene::new().await;
    match case {
        Case::Right => {
            let held = scene.hold(way).await;
            scene.try_it(&held).await.into_iter().collect()
        }
        Case::Stale => {
            let held = scene.hold(way).await;
            scene.app.clock.advance(life(way));
            scene.try_it(&held).await.into_iter().collect()
        }
        Case::Used => {
            let held = scene.hold(way).await;
            scene.try_it(&held).await.expect("the first time");
            scene.try_it(&held).await.into_iter().collect()
        }
        Case::Raced => {
            let held = scene.hold(way).await;
            let tries = (0..8).map(|_| scene.try_it(&held));
            let tries = futures_util::future::join_all(tries).await;
            tries.into_iter().flatten().collect()
        }
        Case::OfARemovedGuardian => {
            let held = scene.hold(way).await;
            scene.remove_ada().await;
            scene.try_it(&held).await.into_iter().collect()
        }
        Case::OfAnotherFamily => scene.try_as_eve(way).await.into_iter().collect(),
        Case::Guessed => {
            let held = guessed(&scene.hold(way).await);
            scene.try_it(&held).await.into_iter().collect()
        }
        Case::Restored => {
            let held = scene.hold(way).await;
            let folder = tempfile::TempDir::new().unwrap();
            let (file, data) = (folder.path().join("backup"), folder.path().join("data"));
            scene.app.back_up(&file).await;
            restore(&file, &data, everybody()).unwrap();
            let provider = scene.provider.settings();
            let restored = TestApp::in_folder_with_provider(&data, provider).await;
            signed_in(&restored, &held).await.into_iter().collect()
        }
    }
}

#[tokio::test]
async fn each_way_to_sign_in_works_once_for_the_right_person_and_for_nobody_else() {
    println!(
        "| Way in | {} |",
        CASES.map(|case| format!("{case:?}")).join(" | ")
    );
    let mut wrong = Vec::new();
    for way in WAYS {
        let mut row = format!("| {way:?} |");
        for case in CASES {
            if let Some(reason) = does_not_apply(way, case) {
                row += &format!(" ({reason}) |");
                continue;
            }
            let signed_in = Box::pin(outcome(way, case)).await;
            let expected: &[&str] = match (case, way) {
                (Case::Right | Case::Raced, Way::Invitation) => &["Cleo"],
                (Case::Right | Case::Raced, _) => &["Ada"],
                _ => &[],
            };
            if signed_in != expected {
                wrong.push(format!("{way:?}, {case:?}: {signed_in:?}"));
            }
            let cell = if signed_in.is_empty() {
                "nobody".to_owned()
            } else {
                signed_in.join(", ")
            };
            row += &format!(" {cell} |");
        }
        println!("{row}");
    }
    assert_eq!(wrong, [""; 0]);
}
