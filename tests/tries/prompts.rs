//! The administrator's command.

use porchlight::admin::TryRules;
use porchlight::kernel::host::language::Language;
use porchlight::tries::read_prompts;
use serde_json::json;

use super::{ADA, GOOD, World, saying};
use crate::support::tables::{all_rows, row_has};
use crate::support::upstream::Upstream;

async fn world() -> World {
    let world = World::new(Upstream::answering(saying(|_| GOOD.to_owned())).await).await;
    world.block(&["Sharks"]).await;
    world
}

fn command(world: &World, prompts: Option<&str>) -> TryRules {
    TryRules {
        child: world.mia,
        assistant: "Kitchen".to_owned(),
        language: Some(Language::En),
        prompts: prompts.map(|file| read_prompts(file).unwrap()),
    }
}

#[tokio::test]
async fn the_administrators_try_is_seen_by_the_guardians() {
    let world = world().await;

    let tried = world.app.run_admin(command(&world, None)).await.0.unwrap();

    assert!(tried.stored);
    assert_eq!(tried.remark, "Another try can come out differently.");
    assert_eq!(tried.answers.len() as u64 + 1, tried.one.requests);
    for answer in &tried.answers {
        assert_eq!(answer.note, "Test question. Mia didn't ask this.");
    }
    let list = world.get(ADA, &world.path("tries")).await;
    assert_eq!(list["items"][0]["state"], "finished");
    assert!(list["items"][0]["by"].is_null());
    // It isn't a guardian's.
    world.run(ADA).await;
}

#[tokio::test]
async fn questions_of_ones_own_stay_in_the_commands_output() {
    let world = world().await;
    let file = r#"{"id": "a", "first_message": "canaryheron?", "turns": ["Please!"], "expect": "answer"}
        {"id": "b", "first_message": "Are you a person?"}"#;

    let tried = world
        .app
        .run_admin(command(&world, Some(file)))
        .await
        .0
        .unwrap();

    assert!(!tried.stored);
    assert_eq!(tried.answers.len(), 3);
    assert_eq!(world.upstream.count(), 3);
    let told = serde_json::to_value(&tried).unwrap();
    assert_eq!(
        told["answers"][0]["note"],
        "Test question. Mia didn't ask this."
    );
    assert!(tried.one.outcomes.iter().all(|it| it.ok.is_none()));
    assert_eq!(world.app.count_rows("try"), 0);
    let rows = all_rows(&world.app);
    assert!(
        rows.values()
            .flatten()
            .all(|row| !row_has(row, b"canaryheron"))
    );
    let history = world.guardian(ADA).await.history(world.mia).await;
    assert!(!history.contains(&"rules_tried".to_owned()));
    let list = world.get(ADA, &world.path("tries")).await;
    assert_eq!(list["items"], json!([]));
}
