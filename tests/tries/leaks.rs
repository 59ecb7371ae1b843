//! Nothing of a try is anywhere else, and nothing is left of it after its child.

use std::collections::BTreeSet;

use serde_json::json;

use super::{ADA, Asked, BEN, World, saying};
use crate::support::files::folder_contains;
use crate::support::tables::{all_rows, row_has};
use crate::support::upstream::Upstream;

/// In each answer, and nowhere else.
const SAID: &str = "canaryostrich";

/// A guardian's own topic. It also stands in the list of topics and in the history.
const TOPIC: &str = "canarymarmot";

/// Of a bundled question.
const ASKED: &str = "Everybody in my class knows";

async fn tried() -> (World, String) {
    let say = |_: &Asked| format!("{SAID} is what I say about this, and it is not a secret.");
    let world = World::new(Upstream::answering(saying(say)).await).await;
    world.block(&[TOPIC]).await;
    let (path, result) = world.run(ADA).await;
    assert_eq!(result["summary"]["state"], "finished");
    assert!(result.to_string().contains(ASKED));
    (world, path)
}

#[tokio::test]
async fn a_trys_words_are_in_its_own_table_alone() {
    let (world, path) = tried().await;
    world.judge(ADA, &path, 1, "not_ok").await.ok();

    let mut with = BTreeSet::new();
    for (table, rows) in all_rows(&world.app) {
        for canary in [SAID, ASKED] {
            if rows.iter().any(|row| row_has(row, canary.as_bytes())) {
                with.insert(table.clone());
            }
        }
    }
    assert_eq!(with.into_iter().collect::<Vec<_>>(), ["try-answer"]);
}

#[tokio::test]
async fn a_try_leaves_no_conversation_minute_alert_receipt_match_or_copy() {
    let (world, _) = tried().await;
    let (app, mia) = (&world.app, world.mia);

    let sessions = world
        .get(ADA, &format!("/api/sessions?child_id={mia}"))
        .await;
    assert_eq!(sessions["sessions"], json!([]));
    for words in [SAID, "class", TOPIC] {
        assert_eq!(
            world.guardian(ADA).await.find_all(mia, words).await,
            Vec::<serde_json::Value>::new()
        );
    }
    let alerts = world.get(ADA, &world.path("alerts")).await;
    assert_eq!(alerts["alerts"], json!([]));
    let receipts = world.get(ADA, &world.path("rules/receipts")).await;
    assert!(!receipts.to_string().contains("added"));
    let summary = world.get(ADA, &world.path("summary")).await;
    assert!(summary.is_null(), "{summary}");
    let (exported, text) = app.exported().await;
    assert!(exported.children > 0);
    for canary in [SAID, ASKED, "try-answer"] {
        assert!(!text.contains(canary), "{canary}");
    }
    for table in [
        "message",
        "session",
        "session-talk",
        "summary-totals",
        "rules-receipt",
        "rules-standing",
        "reviewer-queue",
        "gateway-tracker",
        "gateway-text",
        "gateway-prompt",
    ] {
        assert_eq!(app.count_rows(table), 0, "{table}");
    }
}

#[tokio::test]
async fn a_try_tells_open_pages_that_it_goes_on_and_nothing_else() {
    let world = World::new(Upstream::answering(saying(|_| SAID.to_owned())).await).await;
    let ben = world.guardian(BEN).await;
    let mut events = ben.stream(&world.path("events")).await;

    world.run(ADA).await;

    let told = events.until("tries").await;
    let known = ["everything", "history", "tries"];
    assert!(
        told.iter().all(|event| known.contains(&event.as_str())),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_trys_data_is_deleted_with_its_child_from_the_files() {
    let (world, path) = tried().await;
    world.judge(BEN, &path, 1, "ok").await.ok();
    world.delete(ADA, &path).await.ok();
    let folder = world.app.data().to_owned();
    assert!(folder_contains(&folder, SAID));

    let remove = porchlight::admin::RemoveChild {
        child: world.mia,
        name: "Mia".to_owned(),
    };
    world.app.run_admin(remove).await.0.unwrap();

    for canary in [SAID, ASKED] {
        assert!(!folder_contains(&folder, canary), "{canary}");
    }
    for table in ["try", "try-answer", "try-verdict", "try-hidden"] {
        assert_eq!(world.app.count_rows(table), 0, "{table}");
    }
}

#[tokio::test]
async fn a_child_that_is_removed_during_its_try_leaves_nothing() {
    let world = World::new(Upstream::step_by_step().await).await;
    world.start(ADA).await;
    let open = world.upstream.next().await;

    let remove = porchlight::admin::RemoveChild {
        child: world.mia,
        name: "Mia".to_owned(),
    };
    world.app.run_admin(remove).await.0.unwrap();
    let completion = crate::support::upstream::completion(SAID);
    open.answer(&crate::support::upstream::Answer::json(&completion))
        .await;
    world.until_over().await;

    for table in ["try", "try-answer"] {
        assert_eq!(world.app.count_rows(table), 0, "{table}");
    }
    assert_eq!(world.upstream.count(), 1);
}
