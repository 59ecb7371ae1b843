//! Moved sessions whose two children no longer have the same guardians.

use crate::support::features::Facts;
use crate::support::operations::{Event, write};
use crate::support::tables::Promise;
use crate::support::test_app::{Persona, TestApp};
use poem::http::Method;
use porchlight::admin::{LinkChild, RemoveGuardian, UnlinkChild};
use porchlight::children::ChildId;
use porchlight::identity::{AssistantId, Caller};
use porchlight::kernel::store::{StoreError, Table};
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[(Some(Promise::MovedSessionName), None, &["session-moved"])],
    writes: &[write(
        "moveSession",
        Some(Event::MovedInto),
        |child| json!({"child_id": child}),
    )],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const CLEO: &str = "cleo@example.org";

/// Ada and Ben share Mia and Leo. Ada's assistant talks with Mia only. One of Mia's sessions was moved to Leo.
struct Household {
    app: TestApp,
    mia: ChildId,
    leo: ChildId,
    key: String,
    moved: Value,
}

impl Household {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let ada = app.guardian(ADA).await;
        app.guardian(BEN).await;
        let mia = app.child("Mia", &[ADA, BEN]).await;
        let leo = app.child("Leo", &[ADA, BEN]).await;
        let connected = json!({"name": "kitchen", "children": [mia]});
        let connected = ada.post("/api/assistants", &connected).await.json();
        let key = connected["key"].as_str().unwrap().to_owned();
        let mut household = Self {
            app,
            mia,
            leo,
            key,
            moved: Value::Null,
        };
        household.moved = household.deliver(&said("a")).await["session_id"].clone();
        household.move_to(leo).await;
        household
    }

    async fn of(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    async fn deliver(&self, fields: &Value) -> Value {
        self.app.bearer(&self.key).deliver("s", fields).await.json()
    }

    async fn move_to(&self, child: ChildId) {
        let path = format!("/api/sessions/{}/child", self.moved);
        let to = json!({"child_id": child});
        self.of(ADA).await.put(&path, &to).await.ok();
    }

    async fn link(&self, child: ChildId, email: &str) {
        let email = email.parse().unwrap();
        let linked = self.app.run_admin(LinkChild { child, email });
        linked.await.0.unwrap();
    }

    async fn unlink(&self, child: ChildId, email: &str) {
        let email = email.parse().unwrap();
        let unlinked = self.app.run_admin(UnlinkChild { child, email });
        unlinked.await.0.unwrap();
    }

    /// Leaves Mia to Ada alone, and Leo to Ben alone.
    async fn part(&self) {
        self.unlink(self.mia, BEN).await;
        self.unlink(self.leo, ADA).await;
    }

    async fn reunite(&self) {
        self.link(self.mia, BEN).await;
        self.link(self.leo, ADA).await;
    }

    /// Ben's responses about Leo.
    async fn leos(&self) -> Vec<String> {
        let ben = self.of(BEN).await;
        let mut answers = Vec::new();
        for path in [
            format!("/api/sessions?child_id={}", self.leo),
            format!("/api/sessions/{}/messages", self.moved),
            format!("/api/sessions/{}/receipts", self.moved),
            format!("/api/child/{}/activities/completed", self.leo),
            format!("/api/child/{}/summary", self.leo),
            format!("/api/child/{}/rules", self.leo),
            format!("/api/child/{}/deleted_sessions", self.leo),
        ] {
            answers.push(ben.get(&path).await.body);
        }
        answers
    }

    fn rows(&self, table: &'static str) -> usize {
        self.app.count_rows(table)
    }
}

fn said(id: &str) -> Value {
    json!({"messages": [{"message_id": id, "text_content": id, "timestamp": "2026-11-21T19:50:00Z"}]})
}

/// The same for a key with several children.
fn said_of(child: ChildId, id: &str) -> Value {
    let mut delivery = said(id);
    delivery["child_id"] = json!(child);
    delivery
}

#[tokio::test]
async fn a_key_cannot_write_to_a_moved_session_whose_child_has_other_guardians() {
    let household = Household::new().await;
    assert_eq!(
        household.deliver(&said("b")).await["session_id"],
        household.moved
    );
    household.part().await;
    let before = household.leos().await;

    let delivered = household.deliver(&said("c")).await;
    let mut more = said("d");
    let robot = household.app.bearer(&household.key);
    let rules = robot
        .get(&format!("/api/assistant/child/{}/rules", household.mia))
        .await;
    more["rules"] = json!([{"version": rules.json()["version"], "evidence": "set"}]);
    more["completion"] = json!({"duration": 7200, "mood": "glad"});
    let completed = household.deliver(&more).await;

    assert_ne!(delivered["session_id"], household.moved);
    assert_eq!(completed["session_id"], delivered["session_id"]);
    assert_eq!(household.leos().await, before);
    let path = format!("/api/sessions/{}", delivered["session_id"]);
    let session = household.of(ADA).await.get(&path).await.json();
    assert_eq!(session["child_id"], json!(household.mia));
    assert_eq!(session["message_count"], 2);
}

#[tokio::test]
async fn a_moved_session_loses_its_name_for_good() {
    let household = Household::new().await;
    household.part().await;
    household.reunite().await;

    let first = household.deliver(&said("b")).await;
    household.move_to(household.mia).await;
    let second = household.deliver(&said("c")).await;

    assert_ne!(first["session_id"], household.moved);
    assert_eq!(second["session_id"], first["session_id"]);
    assert_eq!(household.rows("session-moved"), 0);
}

#[tokio::test]
async fn a_moved_session_loses_its_name_when_its_child_is_removed_from_the_assistant() {
    let mut household = Household::new().await;
    let (mia, leo) = (household.mia, household.leo);
    let connected = json!({"name": "robot", "children": [mia, leo]});
    let ada = household.of(ADA).await;
    let connected = ada.post("/api/assistants", &connected).await.json();
    household.key = connected["key"].as_str().unwrap().to_owned();
    household.moved = household.deliver(&said_of(mia, "a")).await["session_id"].clone();
    household.move_to(leo).await;
    assert_eq!(
        household.deliver(&said_of(mia, "b")).await["session_id"],
        household.moved
    );

    let id = connected["assistant"]["assistant_id"].as_str().unwrap();
    let path = format!("/api/child/{leo}/assistants/{id}");
    let ada = household.of(ADA).await;
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    let first = household.deliver(&said_of(mia, "c")).await;
    let (inner, id) = (household.app.inner.clone(), AssistantId::from_text(id));
    let added = household.app.inner.store.commit(move |change| {
        let assistant = Caller::Assistant(id);
        inner.children.link(change, leo, &assistant).unwrap();
        Ok::<_, StoreError>(())
    });
    added.await.unwrap();
    let second = household.deliver(&said_of(mia, "d")).await;

    assert_ne!(first["session_id"], household.moved);
    assert_eq!(second["session_id"], first["session_id"]);
}

#[tokio::test]
async fn a_session_that_was_moved_back_keeps_its_name_despite_other_guardians() {
    let household = Household::new().await;
    household.move_to(household.mia).await;
    assert_eq!(household.rows("session-moved"), 0);

    household.part().await;

    assert_eq!(
        household.deliver(&said("b")).await["session_id"],
        household.moved
    );
}

#[tokio::test]
async fn a_guardian_who_gets_both_children_at_once_leaves_a_moved_session_its_name() {
    let household = Household::new().await;
    household.app.guardian("cleo@example.org").await;
    let (inner, children) = (household.app.inner.clone(), [household.mia, household.leo]);
    let linked = household.app.inner.store.commit(move |change| {
        let email = "cleo@example.org".parse().unwrap();
        let cleo = inner.identity.guardians.get(change, &email).unwrap().id;
        let cleo = Caller::Guardian(cleo);
        for child in children {
            inner.children.link(change, child, &cleo).unwrap();
        }
        Ok::<_, StoreError>(())
    });
    linked.await.unwrap();

    assert_eq!(
        household.deliver(&said("b")).await["session_id"],
        household.moved
    );
    let email = BEN.parse().unwrap();
    let removed = household.app.run_admin(RemoveGuardian { email });
    removed.await.0.unwrap();
    assert_eq!(
        household.deliver(&said("c")).await["session_id"],
        household.moved
    );
}

#[tokio::test]
async fn a_key_cannot_write_to_a_moved_session_that_is_deleted() {
    let household = Household::new().await;
    let path = format!("/api/sessions/{}", household.moved);
    let ben = household.of(BEN).await;
    ben.send(Method::DELETE, &path, &[], None).await.ok();
    household.part().await;
    let before = household.leos().await;

    let delivered = household.deliver(&said("b")).await;

    assert_ne!(delivered["session_id"], household.moved);
    assert_eq!(household.leos().await, before);
    let erased = format!(
        "/api/child/{}/deleted_sessions/{}",
        household.leo, household.moved
    );
    let back = format!("{erased}/undelete");
    ben.send(Method::POST, &back, &[], None).await.ok();
    let messages = ben.get(&format!("{path}/messages")).await.json();
    assert_eq!(messages["messages"].as_array().unwrap().len(), 1);
    // Nor does Ben's permanent deletion affect Ada.
    ben.send(Method::DELETE, &path, &[], None).await.ok();
    ben.send(Method::DELETE, &erased, &[], None).await.ok();
    let again = household.deliver(&said("a")).await;
    assert_eq!(
        (&again["session_id"], &again["stored"], &again["erased"]),
        (&delivered["session_id"], &json!(1), &json!(0))
    );
}

#[tokio::test]
async fn an_erased_session_that_had_lost_its_name_is_not_delivered_again() {
    for lies_in_recently_erased in [false, true] {
        let household = Household::new().await;
        let ben = household.of(BEN).await;
        let session = format!("/api/sessions/{}", household.moved);
        let erase = || ben.send(Method::DELETE, &session, &[], None);
        if lies_in_recently_erased {
            erase().await.ok();
        }
        // Leo has another guardian for a while; in the end Ben has both children alone.
        household.app.guardian(CLEO).await;
        household.link(household.leo, CLEO).await;
        household.unlink(household.leo, CLEO).await;
        household.unlink(household.leo, ADA).await;
        household.unlink(household.mia, ADA).await;
        if !lies_in_recently_erased {
            erase().await.ok();
        }
        let erased = format!(
            "/api/child/{}/deleted_sessions/{}",
            household.leo, household.moved
        );
        ben.send(Method::DELETE, &erased, &[], None).await.ok();

        let again = household.deliver(&said("a")).await;
        let mut later = said("b");
        later["messages"][0]["timestamp"] = json!("2026-11-21T19:50:01Z");
        let later = household.deliver(&later).await;

        assert_eq!(
            (&again["stored"], &again["erased"]),
            (&json!(0), &json!(1)),
            "{lies_in_recently_erased}"
        );
        assert_eq!((&later["stored"], &later["erased"]), (&json!(1), &json!(0)));
    }
}

#[tokio::test]
async fn an_unrecorded_move_is_checked_with_each_delivery() {
    let household = Household::new().await;
    let forgotten = household.app.inner.store.commit(|change| {
        let all = Table::new("session-moved").key();
        change.remove_below(&all, usize::MAX)
    });
    assert_eq!(forgotten.await.unwrap(), 2);
    household.part().await;
    let before = household.leos().await;

    let delivered = household.deliver(&said("b")).await;

    assert_ne!(delivered["session_id"], household.moved);
    assert_eq!(household.leos().await, before);
}
