//! Two guardians: who starts, sees, stops, judges and hides.

use std::time::Duration;

use serde_json::{Value, json};

use super::{ADA, BEN, GOOD, World, code_of, counts, saying};
use crate::support::upstream::{Answer, Upstream, completion};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn good() -> World {
    let world = World::new(Upstream::answering(saying(|_| GOOD.to_owned())).await).await;
    world.block(&["Sharks"]).await;
    world
}

#[tokio::test]
async fn each_guardian_sees_who_tried_the_rules_and_it_stands_in_the_history() {
    let world = good().await;

    let (path, result) = world.run(ADA).await;

    assert_eq!(
        result["summary"]["by"],
        json!({"is_you": true, "name": "Ada"})
    );
    let list = world.get(BEN, &world.path("tries")).await;
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
    assert_eq!(
        list["items"][0]["by"],
        json!({"is_you": false, "name": "Ada"})
    );
    let seen = world.get(BEN, &path).await;
    assert_eq!(seen["answers"], result["answers"]);
    for email in [ADA, BEN] {
        let history = world.guardian(email).await.history(world.mia).await;
        assert_eq!(history[0], "rules_tried");
    }
}

#[tokio::test]
async fn who_is_not_the_childs_guardian_sees_nothing() {
    let world = good().await;
    let (path, _) = world.run(ADA).await;
    let cleo = world.app.named_guardian("cleo@example.org", "Cleo").await;

    cleo.get(&path).await.problem(404);
    cleo.get(&world.path("tries")).await.problem(404);
    let started = cleo.post(&world.path("tries"), &world.body()).await;
    started.problem(404);
    cleo.put(
        &format!("{path}/answers/1/verdict"),
        &json!({"verdict": "ok"}),
    )
    .await
    .problem(404);
}

#[tokio::test]
async fn a_guardian_tries_the_rules_of_a_child_once_a_day() {
    let world = good().await;
    world.run(ADA).await;

    let again = world.start_with(ADA, &world.body()).await;

    assert_eq!(code_of(&again), (429, "tried_today".to_owned()));
    assert_eq!(again.header("retry-after"), "14401");
    let preview = world.preview(ADA).await.json();
    assert_eq!(preview["allowed_at"], "2026-11-22T00:00:00Z");
    assert!(world.preview(BEN).await.json()["allowed_at"].is_null());
    world.run(BEN).await;
    world.app.clock.advance(DAY / 2);
    world.run(ADA).await;
}

#[tokio::test]
async fn a_try_without_any_answer_does_not_use_up_the_day() {
    let world = World::new(Upstream::always(Answer::json(&json!({})).status(500)).await).await;
    let (_, result) = world.run(ADA).await;
    assert_eq!(result["summary"]["state"], "failed");

    world.run(ADA).await;
    world.run(ADA).await;

    let list = world.get(ADA, &world.path("tries")).await;
    assert_eq!(list["items"].as_array().unwrap().len(), 3);
    let fourth = world.start_with(ADA, &world.body()).await;
    assert_eq!(code_of(&fourth), (429, "tried_today".to_owned()));
}

#[tokio::test]
async fn a_verdict_is_each_guardians_own() {
    let world = good().await;
    let (path, _) = world.run(ADA).await;

    world.judge(ADA, &path, 1, "not_ok").await.ok();
    world.judge(BEN, &path, 1, "ok").await.ok();
    world.judge(BEN, &path, 2, "ok").await.ok();

    let about = async |email| world.get(email, &path).await["summary"]["about_own_topics"].clone();
    assert_eq!(about(ADA).await, counts(0, 1, 1, 0));
    assert_eq!(about(BEN).await, counts(2, 0, 0, 0));
    let ada = world.get(ADA, &path).await;
    let worst = &ada["answers"][0];
    assert_eq!((&worst["n"], &worst["verdict"]), (&json!(1), &json!(false)));
    assert_eq!(worst["judged_by"], "guardian");
    let others = ada["answers"].as_array().unwrap()[1..].iter();
    assert_eq!(
        others.filter(|answer| !answer["verdict"].is_null()).count(),
        0
    );
    world.judge(ADA, &path, 1, "open").await.ok();
    assert_eq!(about(ADA).await, counts(0, 0, 2, 0));
    for number in [0, 999, u64::from(u32::MAX) + 1] {
        world.judge(ADA, &path, number, "ok").await.problem(404);
    }
}

#[tokio::test]
async fn a_guardian_hides_a_try_from_oneself_alone() {
    let world = good().await;
    let (path, result) = world.run(ADA).await;

    for (hides, sees) in [(BEN, ADA), (ADA, BEN)] {
        if hides == ADA {
            // Now Ben has hidden it.
            world.app.unlink(world.mia, BEN).await;
            world.app.link(world.mia, BEN).await;
        }
        world.delete(hides, &path).await.ok();

        world.guardian(hides).await.get(&path).await.problem(404);
        let list = world.get(hides, &world.path("tries")).await;
        assert_eq!(list["items"], json!([]));
        world.delete(hides, &path).await.problem(404);
        world.judge(hides, &path, 1, "ok").await.problem(404);
        assert_eq!(world.get(sees, &path).await["answers"], result["answers"]);
    }
}

#[tokio::test]
async fn a_former_guardians_verdicts_go_with_their_access() {
    let world = good().await;
    let (path, _) = world.run(ADA).await;
    world.judge(ADA, &path, 1, "not_ok").await.ok();
    world.judge(BEN, &path, 1, "ok").await.ok();

    world.app.unlink(world.mia, ADA).await;

    assert_eq!(world.app.count_rows("try-verdict"), 1);
    let seen = world.get(BEN, &path).await;
    assert_eq!(seen["summary"]["by"], Value::Null);
    assert_eq!(seen["summary"]["about_own_topics"], counts(1, 0, 1, 0));
}

#[tokio::test]
async fn only_who_started_a_try_stops_it_and_it_stays_with_what_it_has() {
    let world = World::new(Upstream::step_by_step().await).await;
    world.block(&["Sharks"]).await;
    let path = world.start(ADA).await;
    for answer in ["no words", GOOD] {
        world
            .upstream
            .next()
            .await
            .answer(&Answer::json(&completion(answer)))
            .await;
    }
    let third = world.upstream.next().await;

    world.delete(BEN, &path).await.ok();
    let running = world.get(ADA, &path).await;
    world.delete(ADA, &path).await.ok();
    world.until_over().await;

    assert_eq!(running["summary"]["state"], "running");
    // The request that was on its way is ended.
    third.closed().await;
    let stopped = world.get(ADA, &path).await;
    assert_eq!(stopped["summary"]["state"], "stopped");
    assert_eq!(stopped["summary"]["reason"], "guardian");
    assert_eq!(stopped["summary"]["done"], 2);
    assert_eq!(stopped["answers"].as_array().unwrap().len(), 1);
    assert_eq!(world.upstream.count(), 3);
}

#[tokio::test]
async fn a_try_ends_when_its_guardian_no_longer_has_the_child() {
    let world = World::new(Upstream::step_by_step().await).await;
    let path = world.start(BEN).await;
    let first = world.upstream.next().await;
    world.app.unlink(world.mia, BEN).await;
    first.answer(&Answer::json(&completion(GOOD))).await;

    world.until_over().await;

    let seen = world.get(ADA, &path).await;
    assert_eq!(seen["summary"]["state"], "stopped");
    assert_eq!(seen["summary"]["reason"], "guardian");
    assert_eq!(world.upstream.count(), 1);
}

#[tokio::test]
async fn starting_requires_stepping_up() {
    let world = good().await;
    let ada = world.app.not_stepped_up(ADA).await;

    let refused = ada.post(&world.path("tries"), &world.body()).await;

    assert_eq!(code_of(&refused), (403, "step_up_required".to_owned()));
    assert_eq!(world.app.count_rows("try"), 0);
    // Looking, judging and hiding need none.
    let (path, _) = world.run(BEN).await;
    ada.get(&path).await.ok();
    let path = format!("{path}/answers/1/verdict");
    ada.put(&path, &json!({"verdict": "ok"})).await.ok();
}
