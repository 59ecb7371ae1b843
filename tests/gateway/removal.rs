//! Keys that are revoked, and sessions and children that are deleted, also while an answer is passed on.

use std::time::Duration;

use super::*;
use crate::support::files::folder_contains;
use crate::support::gateway_client::Open;
use crate::support::upstream::{DONE, EVENTS, Exchange, HELLO, events, speak, word};
use poem::http::Method;
use porchlight::admin::{RevokeAssistant, RotateAssistant};
use porchlight::identity::Caller;
use porchlight::kernel::store::{Read, Table};

/// In what the child and the assistant say, and nowhere else.
pub const CANARY: &str = "canaryoctopus";

const TABLES: [&str; 3] = ["gateway-tracker", "gateway-session", "gateway-partial"];

impl Family {
    /// The number of rows in each of [`TABLES`].
    fn rows(&self) -> [usize; 3] {
        TABLES.map(|table| {
            let all = Table::new(table).key();
            let rows = self.app.inner.store.keys_below(&all, usize::MAX);
            rows.unwrap().len()
        })
    }

    async fn delete(&self, path: &str) {
        let ada = self.ada().await;
        let deleted = ada.send(Method::DELETE, path, &[], None).await;
        assert_eq!(deleted.status, 204, "{path}");
    }

    /// Deletes a session at once.
    async fn erase(&self, session: u64) {
        self.delete(&format!("/api/sessions/{session}")).await;
        let child = self.mia;
        self.delete(&format!("/api/child/{child}/deleted_sessions/{session}"))
            .await;
    }

    /// Compacts the store, and looks for the canary in its files.
    async fn has_canary(&self) -> bool {
        self.app.inner.run_maintenance(|_| {}).await.unwrap();
        let (_, exported) = self.app.exported().await;
        exported.contains(CANARY) || folder_contains(self.app.data(), CANARY)
    }

    /// A request of which one piece of the answer was passed on.
    pub async fn half_answered(&self, words: &str) -> (Open, Exchange) {
        let request = streamed(&[words]);
        let (mut open, exchange) = tokio::join!(self.kitchen.open_chat(&request), async {
            let mut exchange = self.upstream.next().await;
            exchange.begin(EVENTS).await;
            exchange.piece(&word(&format!("{CANARY} "))).await;
            exchange
        });
        open.until(b"\n\n").await;
        (open, exchange)
    }
}

/// Sends the rest of an answer, and reads it.
pub async fn finish(open: Open, mut exchange: Exchange) {
    let rest = events("again.").concat();
    exchange.piece(&rest).await;
    exchange.end().await;
    let reply = open.rest().await;
    reply.ok();
    assert!(reply.body.ends_with(DONE));
}

/// Waits until an answer is ended by Porchlight, properly for the client.
async fn cut_off(open: Open, exchange: Exchange) {
    exchange.closed().await;
    let reply = open.rest().await;
    reply.ok();
    assert!(reply.body.ends_with(DONE));
}

#[tokio::test]
async fn nothing_is_left_of_a_session_that_is_deleted_permanently() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let words = format!("> About the {CANARY}");
    family.kitchen.chat(&chat(&[&words])).await.ok();
    let title = super::kept::title(&format!("USER: {}", &words[2..]));
    family.kitchen.chat(&chat(&[&title])).await.ok();
    family.settled().await;
    assert!(family.has_canary().await);
    assert_eq!(family.rows(), [1, 1, 0]);

    family.erase(1).await;

    assert!(!family.has_canary().await);
    assert_eq!(family.rows()[1..], [0, 0]);
    // The next request begins a conversation.
    family.kitchen.chat(&chat(&["> Hi"])).await.ok();
    assert_eq!(family.transcripts().await.concat()[0], "> Hi");
}

#[tokio::test]
async fn a_session_that_is_deleted_while_it_is_answered_stays_deleted() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let (open, exchange) = family.half_answered(&format!("> About the {CANARY}")).await;

    family.erase(1).await;
    finish(open, exchange).await;

    assert_eq!(family.transcripts().await, [[""; 0]; 0]);
    assert!(!family.has_canary().await);
    assert_eq!(family.rows()[1..], [0, 0]);
}

#[tokio::test]
async fn a_session_that_is_deleted_and_restored_goes_on() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let (open, exchange) = family.half_answered("> Hi").await;

    family.delete("/api/sessions/1").await;
    finish(open, exchange).await;
    family.settled().await;
    let path = format!("/api/child/{}/deleted_sessions/1/undelete", family.mia);
    let restored = family
        .ada()
        .await
        .send(Method::POST, &path, &[], None)
        .await;
    assert_eq!(restored.status, 204);

    let transcript = family.transcripts().await.remove(0);
    assert_eq!(transcript[0], "> Hi");
}

#[tokio::test]
async fn a_session_that_is_moved_goes_on_with_the_other_child_until_it_is_deleted() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let leo = family.app.child("Leo", &[ADA]).await;
    let words = format!("> About the {CANARY}");
    family.kitchen.chat(&chat(&[&words])).await.ok();
    family.settled().await;
    let to_leo = json!({"child_id": leo});
    let ada = family.ada().await;
    ada.put("/api/sessions/1/child", &to_leo).await.ok();

    let hello = format!("< {HELLO}");
    let history = [words.as_str(), &hello, "> And now?"];
    family.kitchen.chat(&chat(&history)).await.ok();
    family.settled().await;
    let moved = sessions(&ada, leo).await;
    assert_eq!(said(&moved[0]), [history.as_slice(), &[&hello]].concat());
    assert_eq!(family.transcripts().await, [[""; 0]; 0]);

    family.delete("/api/sessions/1").await;
    let path = format!("/api/child/{leo}/deleted_sessions/1");
    family.delete(&path).await;
    assert!(!family.has_canary().await);
    assert_eq!(family.rows()[1..], [0, 0]);
}

#[tokio::test]
async fn nothing_is_left_of_a_child_that_is_deleted_while_it_is_answered() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let (open, exchange) = family.half_answered(&format!("> About the {CANARY}")).await;
    let (inner, child) = (family.app.inner.clone(), family.mia);

    let store = &family.app.inner.store;
    let removed = store.commit(move |change| inner.children.remove(change, child));
    let removed = removed.await.unwrap();
    family.app.inner.erase(removed).await.unwrap();
    cut_off(open, exchange).await;
    family.settled().await;

    assert_eq!(family.rows(), [0, 0, 0]);
    assert!(!family.has_canary().await);
    let refused = family.kitchen.chat(&chat(&["> Hi"])).await;
    assert_eq!(refused.openai_code(400), "child_required");
}

#[tokio::test]
async fn a_key_that_is_revoked_ends_the_answer_that_is_passed_on() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let (open, exchange) = family.half_answered("> Hi").await;

    let revoke = RevokeAssistant {
        name: KITCHEN.to_owned(),
    };
    assert!(family.app.run_admin(revoke).await.0.is_ok());
    cut_off(open, exchange).await;

    let refused = family.kitchen.chat(&chat(&["> Hi again"])).await;
    assert_eq!(refused.openai_code(401), "invalid_api_key");
    assert_eq!(family.upstream.count(), 1);
    let transcript = family.transcripts().await.remove(0);
    assert_eq!(transcript[0], "> Hi");
    // What is remembered for later requests goes, as of any conversation that is over.
    family.app.clock.advance(Duration::from_secs(60 * 60));
    let conversations = &family.app.inner.gateway.conversations;
    conversations.end_idle().await;
    assert_eq!(family.rows()[1..], [0, 0]);
}

#[tokio::test]
async fn a_key_that_is_rotated_keeps_the_answer_that_is_passed_on() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let (open, exchange) = family.half_answered("> Hi").await;

    let rotate = RotateAssistant {
        name: KITCHEN.to_owned(),
    };
    assert!(family.app.run_admin(rotate).await.0.is_ok());
    finish(open, exchange).await;

    let expected = format!("< {CANARY} again.");
    assert_eq!(family.transcripts().await, [["> Hi", &expected]]);
    let refused = family.kitchen.chat(&chat(&["> Hi again"])).await;
    assert_eq!(refused.openai_code(401), "invalid_api_key");
}

#[tokio::test]
async fn a_child_that_is_removed_from_the_key_is_not_talked_with() {
    let family = Family::new(Upstream::step_by_step().await).await;
    let (open, exchange) = family.half_answered("> Hi").await;
    let (app, child) = (&family.app, family.mia);
    let signed = app.inner.identity.assistants.verify(&family.kitchen.key);
    let kitchen = Caller::Assistant(signed.unwrap().unwrap().id().clone());
    let children = app.inner.children.clone();

    let unlinked = app
        .inner
        .store
        .commit(move |change| children.unlink(change, child, &kitchen));
    unlinked.await.unwrap();
    cut_off(open, exchange).await;

    let refused = family.kitchen.chat(&chat(&["> Hi again"])).await;
    assert_eq!(refused.openai_code(400), "child_required");
    assert_eq!(family.upstream.count(), 1);
    family.app.clock.advance(Duration::from_secs(60 * 60));
    let conversations = &family.app.inner.gateway.conversations;
    conversations.end_idle().await;
    assert_eq!(family.rows()[1..], [0, 0]);
}

#[tokio::test]
async fn after_half_an_hour_nothing_is_remembered_of_a_conversation() {
    let family = Family::new(Upstream::answering(speak).await).await;
    family
        .kitchen
        .chat(&chat(&[&format!("> About the {CANARY}")]))
        .await
        .ok();
    family.settled().await;
    assert_eq!(family.rows(), [1, 1, 0]);
    for table in TABLES {
        assert!(!table_has(&family, table, CANARY), "{table} has no text");
    }

    family.app.clock.advance(Duration::from_secs(30 * 60 + 1));
    let conversations = &family.app.inner.gateway.conversations;
    conversations.end_idle().await;

    assert_eq!(family.rows()[1..], [0, 0]);
    assert_eq!(family.transcripts().await.len(), 1, "the transcript stays");
}

/// Whether a row of a table has this text.
fn table_has(family: &Family, table: &'static str, text: &str) -> bool {
    let store = &family.app.inner.store;
    let rows = store.keys_below(&Table::new(table).key(), usize::MAX);
    rows.unwrap().iter().any(|key| {
        let payload = store.payload(key).unwrap().unwrap();
        str::from_utf8(&payload.json).unwrap().contains(text)
    })
}
