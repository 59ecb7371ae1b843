//! What all guardians must agree to: whose answer counts for which edition of a request, and what each event does to it.

use std::time::Duration;

use poem::http::Method;
use porchlight::admin::{LinkChild, Reinstate};
use porchlight::children::ChildId;
use porchlight::identity::{Named, suspend_all};
use porchlight::kernel::store::StoreError;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::requests::{self, confirm_edition, record_shown, stop};
use crate::support::test_app::{PUBLIC_URL, Persona, TestApp, restore};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const CLEO: &str = "cleo@example.org";
const DAN: &str = "dan@example.org";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const RETENTION: &str = "retention";

/// What Ada asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Deletion,
    Retention,
    Invitation,
}

/// What happens after Ben has read Ada's request, and his page reported it as shown. Cleo hasn't seen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// Ada asks for something else. Of an invitation: somebody else than Ben knows of accepts it.
    Edited,
    /// Ada asks for the same again.
    EditedToTheSame,
    CancelledByAda,
    CancelledByCleo,
    /// Ada cancels it, and asks for the same again.
    ProposedAgain,
    AdaLeaves,
    AdaRejoins,
    BenLeaves,
    BenRejoins,
    CleoLeaves,
    DanJoins,
    AdaIsSuspended,
    BackupRestored,
}

/// What Ben reads then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Nothing,
    /// The edition that he has read.
    AsRead,
    /// The edition that he has read, which counts as not shown.
    NotShown,
    /// Another edition, which counts as not shown.
    Anew,
}

use Event::{
    AdaIsSuspended, AdaLeaves, AdaRejoins, BackupRestored, BenLeaves, BenRejoins, CancelledByAda,
    CancelledByCleo, CleoLeaves, DanJoins, Edited, EditedToTheSame, ProposedAgain,
};
use Kind::{Deletion, Invitation, Retention};
use Seen::{Anew, AsRead, NotShown, Nothing};

/// Each event, what Ben reads of a deletion, of a shorter retention and of an invitation, and what his click on what he had read is
/// answered.
#[rustfmt::skip]
const TABLE: [(Event, [(Seen, u16); 3]); 13] = [
    // A deletion can't be changed.
    (Edited,          [(AsRead, 204),   (Anew, 412),     (Anew, 412)]),
    // Another invitation is another request.
    (EditedToTheSame, [(AsRead, 204),   (AsRead, 204),   (AsRead, 204)]),
    (CancelledByAda,  [(Nothing, 404),  (Nothing, 404),  (Nothing, 404)]),
    (CancelledByCleo, [(Nothing, 404),  (Nothing, 404),  (Nothing, 404)]),
    (ProposedAgain,   [(Anew, 412),     (Anew, 412),     (Anew, 404)]),
    (AdaLeaves,       [(Nothing, 404),  (Nothing, 404),  (Nothing, 404)]),
    (AdaRejoins,      [(Nothing, 404),  (Nothing, 404),  (Nothing, 404)]),
    (BenLeaves,       [(Nothing, 404),  (Nothing, 404),  (Nothing, 404)]),
    (BenRejoins,      [(NotShown, 204), (NotShown, 204), (NotShown, 204)]),
    (CleoLeaves,      [(AsRead, 204),   (AsRead, 204),   (AsRead, 204)]),
    (DanJoins,        [(AsRead, 204),   (AsRead, 204),   (AsRead, 204)]),
    // Somebody else may be signed in as Ada. The others can stop it.
    (AdaIsSuspended,  [(AsRead, 204),   (AsRead, 204),   (AsRead, 204)]),
    (BackupRestored,  [(Nothing, 404),  (Nothing, 404),  (Nothing, 404)]),
];

/// Ada, Ben and Cleo, who share Mia.
struct World {
    app: TestApp,
    mia: ChildId,
    /// The token of the invitation's link.
    token: String,
    _folder: Option<TempDir>,
}

impl World {
    async fn new() -> Self {
        let app = TestApp::new().await;
        for email in [ADA, BEN, CLEO, DAN] {
            app.guardian(email).await;
        }
        let mia = app.child("Mia", &[ADA, BEN, CLEO]).await;
        Self {
            app,
            mia,
            token: String::new(),
            _folder: None,
        }
    }

    async fn of(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    async fn keep_for(&self, email: &str, days: u64) -> u16 {
        let path = format!("/api/child/{}/retention", self.mia);
        let guardian = self.of(email).await;
        let chosen = guardian.put(&path, &json!({"days": days})).await;
        chosen.status.as_u16()
    }

    /// Ada asks. Returns the status of the answer.
    async fn ask(&mut self, kind: Kind) -> u16 {
        let ada = self.app.stepped_up(ADA).await;
        match kind {
            Deletion => {
                let asked = requests::ask_to_delete(&ada, self.mia, "Mia").await;
                asked.status.as_u16()
            }
            Retention => self.keep_for(ADA, 365).await,
            Invitation => {
                let body = json!({"children": [self.mia]});
                let invited = ada.post("/api/invitations", &body).await;
                if invited.status.is_success() {
                    let link = invited.json()["shown"]["link"].clone();
                    let (_, token) = link.as_str().unwrap().split_once("#token=").unwrap();
                    self.token = token.to_owned();
                }
                invited.status.as_u16()
            }
        }
    }

    /// Ada's oldest request, as this guardian reads it.
    async fn seen(&self, email: &str, kind: Kind) -> Option<Value> {
        let all = self.of(email).await.get("/api/household/requests").await;
        let all = all.json();
        let of_kind = match kind {
            Deletion | Retention => &all["requests"],
            Invitation => &all["invitations"],
        };
        of_kind.as_array().unwrap().first().cloned()
    }

    async fn record_shown(&self, email: &str, kind: Kind, read: &Value) {
        let guardian = self.of(email).await;
        let noted = match kind {
            Deletion | Retention => {
                let (kind, edition) = (read["kind"].as_str(), read["edition"].as_str());
                record_shown(&guardian, self.mia, kind.unwrap(), edition.unwrap()).await
            }
            Invitation => {
                let shown =
                    json!({"invitation_id": read["invitation_id"], "edition": read["edition"]});
                let shown = json!({"requests": [], "invitations": [shown]});
                guardian.post("/api/household/requests/shown", &shown).await
            }
        };
        noted.ok();
    }

    fn path(&self, kind: Kind, read: &Value) -> String {
        match kind {
            Deletion => format!("/api/child/{}/requests/deletion", self.mia),
            Retention => format!("/api/child/{}/requests/retention", self.mia),
            Invitation => format!(
                "/api/invitations/{}",
                read["invitation_id"].as_str().unwrap()
            ),
        }
    }

    /// The guardian's click on what they have read.
    async fn confirm(&self, email: &str, kind: Kind, read: &Value) -> u16 {
        let path = format!("{}/confirmation", self.path(kind, read));
        let edition = read["edition"].to_string();
        let headers = [("if-match", edition.as_str())];
        let confirmed = self.of(email).await;
        let confirmed = confirmed.send(Method::PUT, &path, &headers, None).await;
        confirmed.status.as_u16()
    }

    async fn stop(&self, email: &str, kind: Kind, read: &Value) {
        let stopping = self.of(email).await;
        let path = self.path(kind, read);
        stopping.send(Method::DELETE, &path, &[], None).await.ok();
    }

    async fn leave(&self, email: &str) {
        let path = format!("/api/child/{}/guardians/me", self.mia);
        let leaving = self.of(email).await;
        leaving.send(Method::DELETE, &path, &[], None).await.ok();
    }

    async fn link(&self, email: &str) {
        let (child, email) = (self.mia, email.parse().unwrap());
        let link = LinkChild { child, email };
        self.app.run_admin(link).await.0.unwrap();
    }

    async fn reinstate(&self, email: &str) {
        let named = Named {
            guardians: vec![email.parse().unwrap()],
            ..Named::default()
        };
        self.app.run_admin(Reinstate(named)).await.0.unwrap();
    }

    async fn happen(&mut self, event: Event, kind: Kind, read: &Value) {
        match event {
            Edited => match kind {
                Deletion => {
                    let ada = self.of(ADA).await;
                    let other = requests::ask_to_delete(&ada, self.mia, "Leo").await;
                    other.problem(422);
                }
                Retention => assert_eq!(self.keep_for(ADA, 30).await, 200),
                Invitation => {
                    let body =
                        json!({"token": self.token, "name": "Eve", "email": "eve@example.org"});
                    let (anonymous, headers) = (self.app.anonymous(), [("origin", PUBLIC_URL)]);
                    let path = "/api/invitations/accept";
                    let body = Some(body.to_string());
                    let accepted = anonymous.send(Method::POST, path, &headers, body);
                    accepted.await.ok();
                }
            },
            EditedToTheSame => {
                self.app.clock.advance(DAY);
                assert!(self.ask(kind).await < 300);
            }
            CancelledByAda => self.stop(ADA, kind, read).await,
            CancelledByCleo => self.stop(CLEO, kind, read).await,
            ProposedAgain => {
                self.stop(ADA, kind, read).await;
                assert!(self.ask(kind).await < 300);
            }
            AdaLeaves => self.leave(ADA).await,
            AdaRejoins => {
                self.leave(ADA).await;
                self.link(ADA).await;
            }
            BenLeaves => self.leave(BEN).await,
            BenRejoins => {
                self.leave(BEN).await;
                self.link(BEN).await;
            }
            CleoLeaves => self.leave(CLEO).await,
            DanJoins => self.link(DAN).await,
            AdaIsSuspended => {
                let now = self.app.inner.clock.now();
                let suspended = self.app.inner.store.commit(move |change| {
                    suspend_all(change, now)?;
                    Ok::<_, StoreError>(())
                });
                suspended.await.unwrap();
                self.reinstate(BEN).await;
            }
            BackupRestored => {
                let folder = tempfile::tempdir().unwrap();
                let file = folder.path().join("backup");
                let restored = folder.path().join("restored");
                self.app.back_up(&file).await;
                restore(&file, &restored, Named::default()).unwrap();
                self.app = TestApp::in_folder(&restored).await;
                self._folder = Some(folder);
                self.reinstate(BEN).await;
            }
        }
    }
}

#[tokio::test]
async fn an_answer_counts_for_what_was_read_and_each_event_does_what_the_table_says() {
    for (event, of_kinds) in TABLE {
        for (kind, (expected, click)) in [Deletion, Retention, Invitation].into_iter().zip(of_kinds)
        {
            let mut world = World::new().await;
            assert!(world.ask(kind).await < 300);
            let read = world.seen(BEN, kind).await.unwrap();
            world.record_shown(BEN, kind, &read).await;

            world.happen(event, kind, &read).await;

            let at = format!("{kind:?}, {event:?}");
            let seen = match world.seen(BEN, kind).await {
                None => Nothing,
                Some(seen) => match (
                    seen["edition"] == read["edition"],
                    &seen["answers"]["shown"],
                ) {
                    (true, Value::Bool(true)) => AsRead,
                    (true, _) => NotShown,
                    (false, Value::Bool(false)) => Anew,
                    (false, _) => panic!("{at}: Ben wasn't shown it"),
                },
            };
            assert_eq!(seen, expected, "{at}");
            assert_eq!(world.confirm(BEN, kind, &read).await, click, "{at}");
        }
    }
}

#[tokio::test]
async fn a_click_on_365_days_does_not_confirm_30() {
    let world = World::new().await;
    world.leave(CLEO).await;
    assert_eq!(world.keep_for(ADA, 365).await, 200);
    let ben = world.of(BEN).await;
    let read = requests::edition(&ben, world.mia, RETENTION).await;
    record_shown(&ben, world.mia, RETENTION, &read).await.ok();
    world.app.take_emails().await;

    assert_eq!(world.keep_for(ADA, 30).await, 200);

    let mail = world.app.next_email().await;
    assert!(mail.text.contains("for 30 days only"), "{}", mail.text);
    let refused = confirm_edition(&ben, world.mia, RETENTION, &read).await;
    let sentence = refused.problem(412);
    assert!(
        sentence.contains("has changed since you read it"),
        "{sentence}"
    );
    // Of the edition that he has read; the other one wasn't shown.
    record_shown(&ben, world.mia, RETENTION, &read).await.ok();
    let seen = &requests::requests(&ben, RETENTION).await[0];
    assert_eq!(seen["days"], 30);
    assert_eq!(seen["answers"], json!({"shown": false, "confirmed": false}));
    requests::confirm(&ben, world.mia, RETENTION).await.ok();
    let path = format!("/api/child/{}/retention", world.mia);
    assert_eq!(ben.get(&path).await.json()["days"], 30);
}

#[tokio::test]
async fn an_answer_names_what_was_read() {
    let mut world = World::new().await;
    world.ask(Retention).await;
    world.ask(Invitation).await;
    let ben = world.of(BEN).await;

    for kind in [Retention, Invitation] {
        let read = world.seen(BEN, kind).await.unwrap();
        let path = format!("{}/confirmation", world.path(kind, &read));
        ben.send(Method::PUT, &path, &[], None).await.problem(400);
        let anything = [("if-match", "*")];
        let answered = ben.send(Method::PUT, &path, &anything, None).await;
        answered.problem(400);
        let weak = format!("W/{}", read["edition"]);
        let weak = [("if-match", weak.as_str())];
        ben.send(Method::PUT, &path, &weak, None).await.problem(412);
    }
}

#[tokio::test]
async fn a_changed_request_begins_the_seven_days_anew_and_an_unchanged_one_does_not() {
    let world = World::new().await;
    world.leave(CLEO).await;
    assert_eq!(world.keep_for(ADA, 90).await, 200);
    requests::read(&world.of(BEN).await, world.mia, RETENTION).await;
    let due = async || {
        let seen = world.seen(BEN, Retention).await.unwrap();
        seen["answers"]["due_at"].clone()
    };

    world.app.clock.advance(3 * DAY);
    assert_eq!(world.keep_for(ADA, 90).await, 200);
    assert_eq!(due().await, "2026-11-29T00:00:00Z");
    assert_eq!(world.keep_for(ADA, 30).await, 200);
    assert_eq!(due().await, Value::Null);
    requests::read(&world.of(BEN).await, world.mia, RETENTION).await;

    assert_eq!(due().await, "2026-12-02T00:00:00Z");
}

#[tokio::test]
async fn another_guardian_learns_the_day_of_a_showing_once_it_is_over_and_no_moment() {
    for kind in [Deletion, Retention, Invitation] {
        let mut world = World::new().await;
        world.leave(CLEO).await;
        assert!(world.ask(kind).await < 300);
        let before = world.seen(ADA, kind).await;
        let ada = world.of(ADA).await;
        let events = format!("/api/child/{}/events", world.mia);
        let mut events = ada.stream(&events).await;

        let read = world.seen(BEN, kind).await.unwrap();
        world.record_shown(BEN, kind, &read).await;

        assert_eq!(world.seen(ADA, kind).await, before, "{kind:?}");
        let due = async |email: &str| {
            let seen = world.seen(email, kind).await.unwrap();
            seen["answers"]["due_at"].clone()
        };
        assert_eq!(due(BEN).await, "2026-11-29T00:00:00Z");
        // The next event is of another change.
        let topics = format!("/api/child/{}/blocked_topics", world.mia);
        let ben = world.of(BEN).await;
        ben.put(&topics, &json!(["Ghosts"])).await.ok();
        let told = events.until("blocked_topics").await;
        assert!(!told.iter().any(|event| event == "requests"), "{told:?}");
        world.app.clock.advance(world.app.rest_of_day());
        assert_eq!(due(ADA).await, "2026-11-29T00:00:00Z");
    }
}

#[tokio::test]
async fn a_request_is_made_or_changed_three_times_in_seven_days() {
    let world = World::new().await;
    for days in [365, 90, 30] {
        assert_eq!(world.keep_for(ADA, days).await, 200);
    }

    let path = format!("/api/child/{}/retention", world.mia);
    let ada = world.of(ADA).await;
    let sentence = ada.put(&path, &json!({"days": 365})).await.problem(422);
    assert!(
        sentence.contains("three times in the last seven days"),
        "{sentence}"
    );
    // What is asked already, of another child, and by somebody else isn't counted. Neither is stopping.
    assert_eq!(world.keep_for(ADA, 30).await, 200);
    let noah = world.app.child("Noah", &[ADA, BEN]).await;
    requests::ask_to_delete(&ada, noah, "Noah").await.ok();
    stop(&ada, world.mia, RETENTION).await.ok();
    assert_eq!(world.keep_for(BEN, 90).await, 200);
}

#[tokio::test]
async fn a_request_that_is_proposed_again_each_day_is_taken_three_times_in_seven_days() {
    for kind in [Deletion, Retention] {
        let mut world = World::new().await;
        let mut taken = Vec::new();
        for _ in 0..9 {
            taken.push(world.ask(kind).await < 300);
            if let Some(read) = world.seen(BEN, kind).await {
                world.stop(BEN, kind, &read).await;
            }
            world.app.clock.advance(DAY);
        }

        let (yes, no) = (true, false);
        assert_eq!(taken, [yes, yes, yes, no, no, no, no, yes, yes], "{kind:?}");
    }
}

#[tokio::test]
async fn a_request_that_nobody_stops_waits_for_a_guardian_who_joined_since() {
    let world = World::new().await;
    world.leave(CLEO).await;
    assert_eq!(world.keep_for(ADA, 90).await, 200);
    requests::read(&world.of(BEN).await, world.mia, RETENTION).await;
    world.link(DAN).await;

    world.app.clock.advance(8 * DAY);
    world.app.inner.run_maintenance(|_| {}).await.unwrap();

    let seen = world.seen(DAN, Retention).await.unwrap();
    assert_eq!(seen["answers"], json!({"shown": false, "confirmed": false}));
}

impl World {
    /// Ada and Ben, who share Mia. She has one conversation, which is older than 365 days.
    async fn with_old_conversation() -> Self {
        let app = TestApp::new().await;
        for (email, name) in [(ADA, "Ada"), (BEN, "Ben")] {
            app.named_guardian(email, name).await;
        }
        let mia = app.child("Mia", &[ADA, BEN]).await;
        let robot = app.assistant("kitchen", &[mia]).await;
        robot.deliver("old", &json!({"topic": "Tides"})).await.ok();
        app.clock.advance(400 * DAY);
        Self {
            app,
            mia,
            token: String::new(),
            _folder: None,
        }
    }

    /// The number of Mia's conversations after some nights: none once she is deleted, or once the shorter time applies.
    async fn conversations(&self, nights: u32) -> usize {
        self.app.clock.advance(nights * DAY);
        self.app.inner.run_maintenance(|_| {}).await.unwrap();
        let path = format!("/api/sessions?child_id={}", self.mia);
        let listed = self.of(BEN).await.get(&path).await;
        if listed.status == 404 {
            return 0;
        }
        listed.json()["sessions"].as_array().unwrap().len()
    }
}

#[tokio::test]
async fn another_guardian_is_told_of_a_request_and_can_stop_it_for_seven_days_after_it_was_shown() {
    for (kind, asks, changes) in [
        (
            Deletion,
            "Ada asks to delete Mia's profile and conversations.",
            ["erasure_asked", "erasure_stopped"],
        ),
        (
            Retention,
            "Ada asks to keep Mia's conversations for 365 days only.",
            ["retention_asked", "retention_stopped"],
        ),
    ] {
        let mut world = World::with_old_conversation().await;
        world.app.take_emails().await;
        assert!(world.ask(kind).await < 300);
        let mail = world.app.next_email().await;
        assert_eq!(mail.to.to_string(), BEN);
        assert!(mail.text.contains(asks), "{}", mail.text);
        let seen = world.seen(BEN, kind).await.unwrap();
        assert_eq!(seen["by"], json!({"is_you": false, "name": "Ada"}));
        let unanswered = json!({"shown": false, "confirmed": false});
        assert_eq!(seen["answers"], unanswered);
        assert_eq!(world.conversations(100).await, 1, "nobody showed it to Ben");

        let shown = world.seen(BEN, kind).await.unwrap();
        world.record_shown(BEN, kind, &shown).await;
        let shown = world.seen(BEN, kind).await.unwrap();
        assert_eq!(shown["answers"]["due_at"], "2028-04-12T00:00:00Z");
        assert_eq!(world.conversations(6).await, 1);
        let ben = world.app.not_stepped_up(BEN).await;
        let name = shown["kind"].as_str().unwrap();
        stop(&ben, world.mia, name).await.ok();
        stop(&ben, world.mia, name).await.problem(404);
        assert_eq!(world.conversations(2).await, 1, "stopped");

        assert!(world.ask(kind).await < 300);
        let history = world.of(BEN).await.history(world.mia).await;
        assert_eq!(history[..3], [changes[0], changes[1], changes[0]]);
        requests::read(&world.of(BEN).await, world.mia, name).await;
        assert_eq!(world.conversations(8).await, 0, "seven days later");
    }
}

#[tokio::test]
async fn a_request_takes_effect_once_every_other_guardian_has_confirmed_it() {
    for (kind, name) in [(Deletion, "deletion"), (Retention, RETENTION)] {
        let mut world = World::with_old_conversation().await;
        let ben = world.of(BEN).await;
        requests::confirm(&ben, world.mia, name).await.problem(404);
        assert!(world.ask(kind).await < 300);

        let read = world.seen(ADA, kind).await.unwrap();
        assert_eq!(world.confirm(ADA, kind, &read).await, 204);
        let left = world.conversations(0).await;
        assert_eq!(left, 1, "who asks cannot confirm it for Ben");
        let ben = world.app.not_stepped_up(BEN).await;
        requests::confirm(&ben, world.mia, name).await.problem(403);
        assert_eq!(world.confirm(BEN, kind, &read).await, 204);

        assert_eq!(world.conversations(0).await, 0);
        assert_eq!(world.seen(BEN, kind).await, None);
    }
}
