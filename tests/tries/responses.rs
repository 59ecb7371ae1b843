//! Responses with every field of the contract.

use serde_json::json;

use super::told::reviewed;
use super::{ADA, BEN, World};
use crate::support::test_app::Response;
use crate::support::upstream::{Answer, Upstream};

pub async fn of_tries() -> Vec<(&'static str, Response)> {
    let failing = World::new(Upstream::always(Answer::json(&json!({})).status(500)).await).await;
    let (path, _) = failing.run(ADA).await;
    let failed = failing.guardian(BEN).await.get(&path).await;
    let world = reviewed(30, 10).await;
    let started = world.start_with(ADA, &world.body()).await;
    let path = world.path(&format!("tries/{}", started.json()["try_id"]));
    let mut responses = vec![("getTry", failed), ("startTry", started)];
    world.until_over().await;
    world.judge(ADA, &path, 1, "ok").await.ok();
    world.run(BEN).await;
    world.block(&["Ghosts"]).await;
    let ada = world.guardian(ADA).await;
    for list in ["tries", "tries?limit=1"] {
        responses.push(("listTries", ada.get(&world.path(list)).await));
    }
    responses.push(("getTry", ada.get(&path).await));
    responses.push(("previewTry", world.preview(ADA).await));
    responses.push(("getChildNotice", ada.get(&world.path("for_child")).await));
    responses
}
