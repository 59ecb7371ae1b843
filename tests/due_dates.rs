//! Due dates wait until the clock can be trusted: for six hours of running after a jump, or until `porchlight clock accept`.

use std::time::Duration;

use crate::support::files::folder_contains;
use crate::support::requests::{ask_to_delete, confirm};
use crate::support::test_app::{PUBLIC_URL, Persona, TestApp};
use poem::http::Method;
use porchlight::admin::{AcceptClock, GetClockState};
use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::store::{Read, Table};
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const NEW: &str = "ada@example.net";
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A family with one pending item for each kind of due date.
struct Family {
    app: TestApp,
    mia: ChildId,
    session: Value,
}

impl Family {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let ada = app.guardian(ADA).await;
        let mia = app.child("Mia", &[ADA]).await;
        let noah = app.child("Noah", &[ADA]).await;
        let robot = app.assistant("kitchen", &[mia]).await;
        let delivered = robot.deliver("s", &json!({"topic": "Tides"})).await.json();
        let session = delivered["session_id"].clone();
        let path = format!("/api/sessions/{session}");
        ada.send(Method::DELETE, &path, &[], None).await.ok();
        ask_to_delete(&ada, noah, "Noah").await.ok();
        let body = json!({"children": [mia]});
        ada.post("/api/invitations", &body).await.ok();
        let family = Self { app, mia, session };
        family.ask_for_another_address().await;
        family
    }

    /// Asks for another address and confirms it.
    async fn ask_for_another_address(&self) {
        let ada = self.reader().await;
        let body = json!({ "email": NEW });
        ada.put("/api/auth/address", &body).await.ok();
        let token = loop {
            let email = self.app.next_email().await;
            if let Some((_, rest)) = email.text.split_once("/address#token=") {
                break rest.split_whitespace().next().unwrap().to_owned();
            }
        };
        let (origin, body) = ([("origin", PUBLIC_URL)], json!({ "token": token }));
        let body = Some(body.to_string());
        let answered = self.app.anonymous();
        let answered = answered.send(Method::POST, "/api/auth/email", &origin, body);
        answered.await.ok();
    }

    async fn reader(&self) -> Persona<'_> {
        let new = NEW.parse().unwrap();
        match self.app.inner.identity.sign_ins.token_for(&new).await {
            Ok(issued) => self.app.bearer(&issued.identity_token),
            Err(_) => self.app.stepped_up(ADA).await,
        }
    }

    fn now(&self) -> Timestamp {
        self.app.inner.clock.now()
    }

    async fn maintain(&self) {
        self.app.inner.run_maintenance(|_| {}).await.unwrap();
    }

    /// The number of pending items: the deleted session, the child, the invitation and the address.
    async fn waiting(&self) -> [usize; 4] {
        let reader = self.reader().await;
        let path = format!("/api/child/{}/deleted_sessions", self.mia);
        let deleted = reader.get(&path).await.json();
        let requests = reader.get("/api/household/requests").await.json();
        let address = reader.get("/api/auth/address").await.json();
        [
            deleted["items"].as_array().unwrap().len(),
            requests["requests"].as_array().unwrap().len(),
            requests["invitations"].as_array().unwrap().len(),
            usize::from(address["email"] == ADA),
        ]
    }

    async fn restarted(self) -> Self {
        let now = self.now();
        let Self { app, mia, session } = self;
        let app = app.restarted_at(now).await;
        Self { app, mia, session }
    }
}

#[tokio::test]
async fn a_clock_that_is_briefly_ahead_deletes_and_expires_nothing() {
    let family = Family::new().await;
    let now = family.now();

    family.app.clock.set(now.after(15 * DAY));
    family.maintain().await;
    assert_eq!(family.waiting().await, [1, 1, 1, 1]);
    family.app.clock.set(now.after(Duration::from_secs(8)));
    family.maintain().await;

    assert_eq!(family.waiting().await, [1, 1, 1, 1]);
    let path = format!(
        "/api/child/{}/deleted_sessions/{}/undelete",
        family.mia, family.session
    );
    let ada = family.reader().await;
    ada.send(Method::POST, &path, &[], None).await.ok();
}

#[tokio::test]
async fn after_a_jump_due_dates_wait_for_six_hours_of_running() {
    let family = Family::new().await;
    let jumped = family.now().after(15 * DAY);
    family.app.clock.set(jumped);
    family.maintain().await;

    for _ in 0..5 {
        family.app.clock.advance(HOUR);
        family.maintain().await;
    }
    assert_eq!(family.waiting().await, [1, 1, 1, 1]);
    family.app.clock.advance(HOUR);
    family.maintain().await;

    assert_eq!(family.waiting().await, [0, 0, 0, 0]);
}

#[tokio::test]
async fn the_six_hours_add_up_over_restarts_and_the_administrator_can_end_them() {
    let family = Family::new().await;
    family.app.clock.set(family.now().after(15 * DAY));
    family.maintain().await;
    for _ in 0..5 {
        family.app.clock.advance(HOUR);
        family.maintain().await;
    }
    let family = family.restarted().await;
    family.maintain().await;
    assert_eq!(family.waiting().await, [1, 1, 1, 1]);
    family.app.clock.advance(HOUR);
    family.maintain().await;
    assert_eq!(family.waiting().await, [0, 0, 0, 0]);

    let family = Family::new().await;
    family.app.clock.set(family.now().after(15 * DAY));
    family.maintain().await;
    family.app.run_admin(AcceptClock).await.0.unwrap();
    family.maintain().await;
    assert_eq!(family.waiting().await, [0, 0, 0, 0]);
}

#[tokio::test]
async fn a_start_after_more_than_a_day_waits_and_one_within_a_day_does_not() {
    let family = Family::new().await;
    family.maintain().await;
    let later = family.now().after(15 * DAY);
    let Family { app, mia, session } = family;
    let app = app.restarted_at(later).await;
    let family = Family { app, mia, session };
    family.maintain().await;
    assert_eq!(family.waiting().await, [1, 1, 1, 1]);

    let family = Family::new().await;
    family.app.clock.advance(6 * DAY + 12 * HOUR);
    family.maintain().await;
    assert_eq!(family.waiting().await, [1, 1, 1, 0]);
    let later = family.now().after(20 * HOUR);
    let Family { app, mia, session } = family;
    let app = app.restarted_at(later).await;
    let family = Family { app, mia, session };
    family.maintain().await;
    assert_eq!(family.waiting().await, [0, 0, 1, 0]);
}

#[tokio::test]
async fn a_deletion_that_every_guardian_confirmed_does_not_wait_for_the_clock() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    ask_to_delete(&ada, mia, "Mia").await.ok();
    app.clock.set(app.inner.clock.now().after(2 * HOUR));
    app.inner.run_maintenance(|_| {}).await.unwrap();
    let ben = app.stepped_up(BEN).await;
    confirm(&ben, mia, "deletion").await.ok();

    app.inner.run_maintenance(|_| {}).await.unwrap();

    let listed = app.stepped_up(ADA).await.get("/api/children").await.json();
    assert_eq!(listed, json!([]));
}

#[tokio::test]
async fn old_names_leave_the_files_at_night_and_deleted_data_once_an_hour() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("canaryMia", &[ADA]).await;
    let robot = app.assistant("kitchen", &[mia]).await;
    let is_required = || app.inner.store.requires_compaction().unwrap();
    app.inner.maintain().await.unwrap();
    let delete = async |name: &str| {
        let delivered = robot.deliver(name, &json!({"topic": "Tides"})).await.json();
        let session = &delivered["session_id"];
        let ada = app.stepped_up(ADA).await;
        let path = format!("/api/sessions/{session}");
        ada.send(Method::DELETE, &path, &[], None).await.ok();
        let path = format!("/api/child/{mia}/deleted_sessions/{session}");
        ada.send(Method::DELETE, &path, &[], None).await.ok();
    };

    let path = format!("/api/child/{mia}/name");
    ada.put(&path, &json!({"name": "Mia"})).await.ok();
    app.inner.maintain().await.unwrap();
    assert!(is_required(), "it waits for the night");
    // It is 20:00.
    app.clock.advance(7 * HOUR);
    app.inner.maintain().await.unwrap();
    assert!(!is_required());

    app.clock.advance(2 * HOUR);
    delete("first").await;
    app.inner.maintain().await.unwrap();
    assert!(!is_required(), "the first one at once");
    delete("second").await;
    app.inner.maintain().await.unwrap();
    assert!(is_required(), "the next one waits for an hour");
    app.clock.advance(HOUR);
    app.inner.maintain().await.unwrap();
    assert!(!is_required());
    delete("third").await;
    app.inner.run_maintenance(|_| {}).await.unwrap();
    assert!(!is_required(), "the administrator's at once");
}

#[tokio::test]
async fn old_names_leave_the_files_at_the_next_start_if_no_server_ran_at_night() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    app.inner.maintain().await.unwrap();
    let path = format!("/api/child/{mia}/name");
    ada.put(&path, &json!({"name": "Leo"})).await.ok();

    let app = app.restarted().await;
    app.inner.maintain().await.unwrap();

    assert!(!app.inner.store.requires_compaction().unwrap());
}

#[tokio::test]
async fn a_former_name_is_forgotten_after_thirty_days() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("canaryname", &[ADA]).await;
    let path = format!("/api/child/{mia}/name");
    ada.put(&path, &json!({"name": "Mia"})).await.ok();

    app.clock.advance(30 * DAY - Duration::from_secs(1));
    app.inner.run_maintenance(|_| {}).await.unwrap();
    assert!(folder_contains(app.data(), "canaryname"));
    app.clock.advance(Duration::from_secs(1));
    app.inner.run_maintenance(|_| {}).await.unwrap();

    assert!(!folder_contains(app.data(), "canaryname"));
}

#[tokio::test]
async fn an_unreadable_session_does_not_prevent_the_deletion_of_others() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, noah) = (
        app.child("Mia", &[ADA]).await,
        app.child("Noah", &[ADA]).await,
    );
    let robot = app.assistant("kitchen", &[mia, noah]).await;
    for (name, child) in [("a", mia), ("b", noah)] {
        let fields = json!({"topic": "Tides", "child_id": child});
        let session = robot.deliver(name, &fields).await.json()["session_id"].clone();
        let path = format!("/api/sessions/{session}");
        ada.send(Method::DELETE, &path, &[], None).await.ok();
    }
    // The link that lists Mia's guardians is unreadable, so it is unknown who must be shown her session.
    let damaged = app.inner.store.commit(move |change| {
        let links = Table::new("has-guardian").key().number(mia.number());
        let rows = change.keys_below(&links, usize::MAX)?;
        change.put_json(&rows[0], 1, b"{")
    });
    damaged.await.unwrap();

    app.clock.advance(7 * DAY);
    let failed = app.inner.run_maintenance(|_| {}).await;

    assert!(failed.is_err());
    let all = Table::new("erased-session").key();
    let left = app.inner.store.keys_below(&all, usize::MAX).unwrap();
    assert_eq!(left.len(), 1, "Noah's is deleted");
}

#[tokio::test]
async fn check_warns_that_due_dates_and_deliveries_wait_for_the_clock() {
    let family = Family::new().await;
    let state = async || {
        let state = family.app.run_admin(GetClockState).await.0.unwrap();
        let refused = state.refused.map(|refused| refused.count);
        (state.due_waits_seconds, refused)
    };
    assert_eq!(state().await, (None, None));

    family
        .app
        .clock
        .set(Timestamp::parse("2026-11-19T20:00:00Z").unwrap());
    let robot = family.app.assistant("den", &[family.mia]).await;
    for name in ["x", "y"] {
        let delivery = json!({"topic": "Tides"});
        robot.deliver(name, &delivery).await.problem(503);
    }

    assert_eq!(state().await, (Some(6 * 60 * 60), Some(2)));
    family.app.run_admin(AcceptClock).await.0.unwrap();
    assert_eq!(state().await, (None, None));
}
