//! The setup: the link that creates the first guardian, and what ends it.

use crate::support::features::Facts;
use crate::support::operations::{nothing, write};
use crate::support::test_app::{PUBLIC_URL, Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::{
    ChangeEmail, GetSetupLink, ListGuardians, Operation, RemoveGuardian, SignOutGuardian,
};
use porchlight::kernel::store::Table;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[
(None, None, &["setup"]),
],
    writes: &[
// Only the names of concerns.
write(
        "beginSetup",
        None,
        |_| json!({"token": "set_x", "name": "Ada", "email": "ada@example.org", "children": [{"name": "Mia", "born": "2018-05", "language": "de"}]}),
    ).with_few_values(),
// Only the names of concerns.
write("signInWithSetupLink", None, |_| json!({"token": "set_x"})).with_few_values(),
write("finishSetup", None, nothing),
],
..Facts::NONE
};

const ADA: &str = "ada@example.org";

impl TestApp {
    /// Creates the setup link, as `serve` does at each start. Returns its token.
    async fn open_setup(&self) -> String {
        self.inner.identity.setup.open().await.unwrap();
        self.setup_token().expect("the first run is open")
    }

    fn setup_token(&self) -> Option<String> {
        let link = self.inner.identity.setup.link().unwrap()?;
        let token = link.strip_prefix(&format!("{PUBLIC_URL}/welcome#setup="));
        Some(token.expect("the token is in the fragment").to_owned())
    }

    async fn send_setup(&self, path: &str, body: &Value) -> Response {
        let headers = [("origin", PUBLIC_URL)];
        self.anonymous()
            .send(Method::POST, path, &headers, Some(body.to_string()))
            .await
    }

    async fn begin(&self, token: &str) -> Response {
        let body = json!({"token": token, "name": " Ada ", "email": ADA, "children": [{"name": "Mia", "born": "2018-05", "language": "de"}, {"name": "Noah"}]});
        self.send_setup("/api/setup", &body).await
    }

    async fn go_on(&self, token: &str) -> Response {
        let body = json!({"token": token});
        self.send_setup("/api/setup/sign_in", &body).await
    }

    fn signed_in(&self, answer: &Response) -> Persona<'_> {
        self.bearer(answer.json()["identity_token"].as_str().unwrap())
    }

    async fn is_set_up(&self) -> bool {
        let methods = self.anonymous().get("/api/auth/methods").await.json();
        methods.get("set_up") != Some(&json!(false))
    }

    /// Asks for a sign-in link. Its e-mail is queued.
    async fn ask_for_link(&self, email: &str) {
        let body = json!({"email": email});
        self.anonymous().post("/api/auth/link", &body).await.ok();
    }

    /// Sends the queued e-mails. Returns how many were sent in total.
    async fn emails_sent(&self) -> usize {
        self.inner.queue.deliver_due().await.unwrap();
        self.emails.lock().unwrap().len()
    }

    async fn open_link(&self, link: &str, email: &str) -> Response {
        let (_, token) = link.split_once("#token=").expect("a sign-in link");
        let body = json!({"email": email, "token": token});
        self.send_setup("/api/auth/sign-in", &body).await
    }

    async fn administer<O: Operation>(&self, operation: O) -> O::Answer {
        let answer = self.run_admin(operation).await.0;
        answer.unwrap_or_else(|error| panic!("{error}"))
    }
}

async fn post(guardian: &Persona<'_>, path: &str) -> Response {
    guardian.send(Method::POST, path, &[], None).await
}

async fn make_codes(guardian: &Persona<'_>) -> Response {
    post(guardian, "/api/auth/recovery_codes").await
}

async fn finish(guardian: &Persona<'_>) -> Response {
    post(guardian, "/api/setup/finish").await
}

#[tokio::test]
async fn the_setup_link_creates_the_first_guardian_with_their_children() {
    let app = TestApp::new().await;
    let token = app.open_setup().await;
    assert!(!app.is_set_up().await);
    assert_eq!(app.go_on(&token).await.status, 204);

    let begun = app.begin(&token).await;

    assert_eq!(begun.json()["guardian"]["name"], "Ada");
    assert!(begun.header("set-cookie").contains("HttpOnly"));
    let ada = app.signed_in(&begun);
    assert_eq!(
        ada.get("/api/children").await.json(),
        json!([{"child_id": 1, "name": "Mia"}, {"child_id": 2, "name": "Noah"}])
    );
    let languages = [
        ada.get("/api/child/1/language").await.json(),
        ada.get("/api/child/2/language").await.json(),
    ];
    assert_eq!(languages, [json!({"language": "de"}), json!({})]);
    let sign_ins = ada.get("/api/auth/sign_ins").await.json();
    assert_eq!(sign_ins["items"][0]["via"], "setup");
    let step_up = ada.get("/api/auth/step_up").await.json();
    assert!(step_up.get("until").is_some());
}

#[tokio::test]
async fn the_children_get_the_time_zone_of_the_device_if_it_is_known() {
    for (zone, expected) in [
        (Some("Asia/Tokyo"), "Asia/Tokyo"),
        (Some("Mars/Olympus"), "UTC"),
        (None, "UTC"),
    ] {
        let app = TestApp::new().await;
        let token = app.open_setup().await;
        let mut body = json!({"token": token, "name": "Ada", "email": ADA, "children": [{"name": "Mia"}, {"name": "Noah"}]});
        if let Some(zone) = zone {
            body["time_zone"] = json!(zone);
        }

        let begun = app.send_setup("/api/setup", &body).await;

        let ada = app.signed_in(&begun);
        for child in [1, 2] {
            let times = ada.get(&format!("/api/child/{child}/times")).await.json();
            assert_eq!(times, json!({"time_zone": expected, "quiet_hours": []}));
        }
    }
}

#[tokio::test]
async fn the_setup_link_continues_as_the_same_guardian_until_the_codes_are_saved() {
    let app = TestApp::new().await;
    let token = app.open_setup().await;
    let scanner = app.begin(&token).await;
    let ada = scanner.json()["guardian"]["id"].clone();

    let browser = app.go_on(&token).await;
    assert_eq!(browser.json()["guardian"]["id"], ada);
    app.begin(&token).await.problem(409);
    let guardian = app.signed_in(&browser);
    finish(&guardian).await.problem(422);
    assert!(!app.is_set_up().await);
    make_codes(&guardian).await.ok();
    assert_eq!(app.go_on(&token).await.status, 200);

    finish(&guardian).await.ok();

    assert!(app.is_set_up().await);
    app.go_on(&token).await.problem(401);
    app.begin(&token).await.problem(401);
    assert_eq!(app.setup_token(), None);
    finish(&guardian).await.ok();
    let app = app.restarted().await;
    app.inner.identity.setup.open().await.unwrap();
    assert_eq!(app.setup_token(), None);
}

#[tokio::test]
async fn each_start_creates_a_new_setup_link_and_revokes_the_last_one() {
    let app = TestApp::new().await;
    let first = app.open_setup().await;
    let begun = app.begin(&first).await;
    let ada = begun.json()["guardian"]["id"].clone();

    let app = app.restarted().await;
    let second = app.open_setup().await;

    app.go_on(&first).await.problem(401);
    assert_eq!(app.go_on(&second).await.json()["guardian"]["id"], ada);
}

#[tokio::test]
async fn of_several_browsers_with_the_setup_link_one_can_begin() {
    let app = TestApp::new().await;
    let token = app.open_setup().await;

    let tries = futures_util::future::join_all((0..8).map(|_| app.begin(&token))).await;

    let statuses = tries.iter().map(|answer| answer.status.as_u16());
    let mut statuses = statuses.collect::<Vec<_>>();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
    let ada = app.signed_in(tries.iter().find(|answer| answer.status == 201).unwrap());
    let children = ada.get("/api/children").await.json();
    assert_eq!(children.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_invalid_name_does_not_begin_the_setup() {
    let app = TestApp::new().await;
    let token = app.open_setup().await;
    let twenty_one = vec![json!({"name": "Mia"}); 21];
    for (name, children, place) in [
        (" ", json!([{"name": "Mia"}]), "/name"),
        (
            "Ada",
            json!([{"name": "Mia"}, {"name": "No\nah"}]),
            "/children/1/name",
        ),
        (
            "Ada",
            json!([{"name": "Mia"}, {"name": "Noah", "born": "2026-12"}]),
            "/children/1/born",
        ),
        ("Ada", json!([]), "/children"),
        ("Ada", json!(twenty_one), "/children"),
    ] {
        let body = json!({"token": token, "name": name, "email": ADA, "children": children});
        let refused = app.send_setup("/api/setup", &body).await.problem_at(422);
        assert_eq!(refused.1.as_deref(), Some(place));
    }

    assert_eq!(app.go_on(&token).await.status, 204);
    app.begin(&token).await.ok();
}

#[tokio::test]
async fn only_our_own_pages_can_begin_and_continue_the_setup() {
    let app = TestApp::new().await;
    let token = app.open_setup().await;
    let body = json!({"token": token, "name": "Ada", "email": ADA, "children": [{"name": "Mia"}]});

    let strange = [("origin", "https://elsewhere.example")];
    for (path, body) in [
        ("/api/setup", body),
        ("/api/setup/sign_in", json!({"token": token})),
    ] {
        let anonymous = app.anonymous();
        let sent = anonymous.send(Method::POST, path, &strange, Some(body.to_string()));
        sent.await.problem(403);
    }
    assert_eq!(app.go_on(&token).await.status, 204);
}

#[tokio::test]
async fn the_setup_ends_when_the_administrator_adds_a_guardian() {
    let app = TestApp::new().await;
    let token = app.open_setup().await;

    app.guardian("ben@example.org").await;

    assert!(app.is_set_up().await);
    app.begin(&token).await.problem(401);
    let refused = app.run_admin(GetSetupLink).await.0;
    let sentence = refused.err().expect("there is no link").to_string();
    assert!(sentence.contains("is set up"), "{sentence}");
}

#[tokio::test]
async fn a_store_with_guardians_has_no_setup() {
    let app = TestApp::new().await;
    let ben = app.guardian("ben@example.org").await;
    ben.get("/api/children").await.ok();
    let forgotten = app
        .inner
        .store
        .commit(|change| change.remove(&Table::new("setup").key()));
    assert!(forgotten.await.unwrap());

    app.inner.identity.setup.open().await.unwrap();

    assert!(app.is_set_up().await);
    assert_eq!(app.setup_token(), None);
}

#[tokio::test]
async fn removing_the_first_guardian_or_signing_them_out_everywhere_ends_the_setup() {
    async fn assert_ends(operation: impl Operation) {
        let app = TestApp::new().await;
        let token = app.open_setup().await;
        app.begin(&token).await.ok();

        app.administer(operation).await;

        app.go_on(&token).await.problem(401);
        assert!(app.is_set_up().await);
    }
    let email = || ADA.parse().unwrap();

    assert_ends(RemoveGuardian { email: email() }).await;
    assert_ends(SignOutGuardian { email: email() }).await;
    let to = "ada@example.net".parse().unwrap();
    assert_ends(ChangeEmail { from: email(), to }).await;
}

#[tokio::test]
async fn an_unverified_address_is_never_looked_up_and_need_not_be_unique() {
    let app = TestApp::new().await;
    let token = app.open_setup().await;
    let begun = app.begin(&token).await;
    let first = app.signed_in(&begun);

    // The e-mail goes to the verified owner of the address, or to nobody.
    app.ask_for_link(ADA).await;
    assert_eq!(app.emails_sent().await, 0);
    app.guardian(ADA).await;
    let answer = app.sign_in(ADA).await;
    assert_ne!(
        answer.json()["guardian"]["id"],
        begun.json()["guardian"]["id"]
    );

    // Confirming by e-mail doesn't take the address from its verified owner.
    step_up_by_email(&app, &first).await.ok();
    let answer = app.sign_in(ADA).await;
    assert_ne!(
        answer.json()["guardian"]["id"],
        begun.json()["guardian"]["id"]
    );
}

#[tokio::test]
async fn answering_an_email_verifies_the_address() {
    let app = TestApp::new().await;
    let token = app.open_setup().await;
    let begun = app.begin(&token).await;
    let first = app.signed_in(&begun);
    let guardians = app.administer(ListGuardians).await.entries;
    assert!(guardians[0].unverified);

    step_up_by_email(&app, &first).await.ok();

    let answer = app.sign_in(ADA).await;
    assert_eq!(
        answer.json()["guardian"]["id"],
        begun.json()["guardian"]["id"]
    );
    let guardians = app.administer(ListGuardians).await.entries;
    assert!(!guardians[0].unverified);
}

#[tokio::test]
async fn the_administrators_link_signs_in_a_guardian_with_an_unverified_address() {
    let app = TestApp::new().await;
    let token = app.open_setup().await;
    let begun = app.begin(&token).await;

    let email = ADA.parse().unwrap();
    let link = app.inner.identity.links.link_for(&email).await.unwrap();

    let answer = app.open_link(&link, ADA).await;
    assert_eq!(
        answer.json()["guardian"]["id"],
        begun.json()["guardian"]["id"]
    );
}

#[tokio::test]
async fn signing_out_everywhere_keeps_the_emails_of_an_unverified_addresss_owner() {
    let app = TestApp::new().await;
    let token = app.open_setup().await;
    let begun = app.begin(&token).await;
    let cookie = begun.header("set-cookie");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    app.guardian(ADA).await;
    app.ask_for_link(ADA).await;

    let headers = [("origin", PUBLIC_URL), ("cookie", cookie.as_str())];
    let body = Some(json!({"everywhere": true}).to_string());
    let anonymous = app.anonymous();
    let signed_out = anonymous.send(Method::POST, "/api/auth/sign-out", &headers, body);
    signed_out.await.ok();

    assert_eq!(app.emails_sent().await, 1);
}

/// Steps up with the code of an e-mail to the guardian's own address.
async fn step_up_by_email(app: &TestApp, guardian: &Persona<'_>) -> Response {
    post(guardian, "/api/auth/step_up/email").await.ok();
    let text = app.emails.lock().unwrap().last().unwrap().text.clone();
    let is_code = |line: &&str| line.len() == 7 && line.replace(' ', "").parse::<u32>().is_ok();
    let code = text.lines().find(is_code).expect("a code").to_owned();
    let body = json!({"way": "email", "code": code});
    guardian.post("/api/auth/step_up", &body).await
}
