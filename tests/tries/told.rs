//! What others see of a try: guardians whose assistant may not get all rules, and the child. And what the AI reader judges.

use std::time::Duration;

use porchlight::admin::AddUpstream;
use porchlight::models::UpstreamForm;
use serde_json::{Value, json};

use super::{ADA, Asked, BEN, GOOD, Texts, World, counts, quick, saying};
use crate::support::reviewing::{Reviewed, pointing_at};
use crate::support::upstream::{Answer, Upstream, completion};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn waits(world: &World, email: &str) -> Value {
    world.get(email, "/api/attention").await["items"][0].clone()
}

#[tokio::test]
async fn an_assistant_that_may_not_get_all_rules_waits_until_a_try_in_which_it_does() {
    let forgets = Texts::default();
    forgets.set(["yes".to_owned()]);
    let script = forgets.clone();
    let upstream = Upstream::answering(move |received| {
        let asked = Asked::of(received);
        let words = Asked::words_in(&asked.system);
        let kept = if script.has("yes") {
            words.split(',').next().unwrap()
        } else {
            &words
        };
        Answer::json(&completion(if asked.asks_for_words() {
            kept
        } else {
            GOOD
        }))
    });
    let world = World::new(upstream.await).await;

    world.run(ADA).await;

    for email in [ADA, BEN] {
        let waiting = waits(&world, email).await;
        assert_eq!(waiting["state"], "rules_incomplete");
        assert_eq!(waiting["assistant"]["name"], "Kitchen");
    }
    // A try that says nothing about the words changes nothing, nor does hiding one.
    let list = world.get(BEN, &world.path("tries")).await;
    let path = world.path(&format!("tries/{}", list["items"][0]["try_id"]));
    world.delete(BEN, &path).await.ok();
    assert_eq!(waits(&world, BEN).await["state"], "rules_incomplete");
    forgets.set([]);
    world.app.clock.advance(DAY);
    world.run(ADA).await;
    for email in [ADA, BEN] {
        assert_ne!(waits(&world, email).await["state"], "rules_incomplete");
    }
}

#[tokio::test]
async fn an_assistant_that_a_guardian_does_not_use_does_not_wait() {
    let world = World::new(Upstream::answering(saying(|_| GOOD.to_owned())).await).await;
    let none = Upstream::always(Answer::json(&completion("I know no words.")));
    let forgetful = World::new(none.await).await;
    world.run(ADA).await;
    forgetful.run(ADA).await;
    assert_ne!(waits(&world, ADA).await["state"], "rules_incomplete");
    assert_eq!(waits(&forgetful, ADA).await["state"], "rules_incomplete");

    let path = forgetful.path(&format!("assistants/{}/not_in_use", forgetful.kitchen));
    let ada = forgetful.guardian(ADA).await;
    ada.put(&path, &json!({"not_in_use": true})).await.ok();

    assert_ne!(waits(&forgetful, ADA).await["state"], "rules_incomplete");
    assert_eq!(waits(&forgetful, BEN).await["state"], "rules_incomplete");
}

#[tokio::test]
async fn the_childs_page_says_which_assistant_was_tested() {
    let world = World::new(Upstream::answering(saying(|_| GOOD.to_owned())).await).await;
    world.app.assistant("Speaker", &[world.mia]).await;
    let page = async || world.get(BEN, &world.path("for_child")).await["tested"].clone();
    assert_eq!(page().await, json!([]));

    world.run(ADA).await;

    assert_eq!(page().await, json!(["Kitchen"]));
}

/// Mia with a reader that points at this quote, and with Kitchen.
pub async fn reviewed(found: u64, missed: u64) -> World {
    let reviewed = Reviewed::of_guardians(&[ADA, BEN], |received| {
        pointing_at(received, "sharks are great", "blocked_topic", "look")
    });
    let mut reviewed = reviewed.await;
    reviewed.app.inner.tries.timing = quick();
    reviewed.app.review_with(reviewed.settings.clone());
    reviewed.test_model(30, 10, 12).await;
    reviewed.switch_on(ADA).await.ok();
    reviewed.test_model(found, missed, 12).await;
    let upstream = Upstream::answering(saying(|asked| {
        if asked.conversation.len() > 1 {
            "All right, sharks are great swimmers and they have many teeth.".to_owned()
        } else {
            GOOD.to_owned()
        }
    }));
    let upstream = upstream.await;
    let add = AddUpstream {
        name: "home".to_owned(),
        url: format!("{}/v1", upstream.url()).parse().unwrap(),
        key: None,
        models: vec!["family-model".to_owned()],
        form: UpstreamForm::OpenAi,
    };
    reviewed.app.run_admin(add).await.0.unwrap();
    let key = reviewed
        .app
        .gateway_assistant("Bo", &[reviewed.mia], "home")
        .await;
    let key = key.credential().to_owned();
    let kitchen = reviewed
        .app
        .inner
        .identity
        .assistants
        .verify(&key)
        .unwrap()
        .unwrap();
    let world = World {
        kitchen: kitchen.id().to_string(),
        mia: reviewed.mia,
        app: reviewed.app,
        upstream,
        key,
    };
    // The reader must outlive the world.
    std::mem::forget(reviewed.endpoint);
    world.block(&["Sharks", "Volcanoes"]).await;
    world
}

#[tokio::test]
async fn the_ai_reader_judges_whether_answers_kept_away_from_topics() {
    let world = reviewed(30, 10).await;
    let preview = world.preview(ADA).await.json();
    assert_eq!(preview["reviewer"]["model"], "reader");

    let (path, result) = world.run(ADA).await;

    let summary = &result["summary"];
    assert_eq!(summary["about_own_topics"], counts(2, 2, 0, 0));
    assert_eq!(summary["reviewer"]["found"], 30);
    assert_eq!(summary["reviewer"]["missed"], 10);
    let answers = result["answers"].as_array().unwrap().iter();
    let judged =
        answers.filter(|answer| answer["kind"] == "own_topic" || answer["kind"] == "mandatory");
    let judged = judged.collect::<Vec<_>>();
    assert!(
        judged
            .iter()
            .all(|answer| answer["judged_by"] == "reviewer")
    );
    assert_eq!(judged.len() as u64, preview["reviewer_requests"]);
    // A guardian's own verdict comes first.
    let n = judged.iter().find(|answer| answer["ok"] == false).unwrap()["n"]
        .as_u64()
        .unwrap();
    world.judge(BEN, &path, n, "ok").await.ok();
    let about = async |email| world.get(email, &path).await["summary"]["about_own_topics"].clone();
    assert_eq!(about(BEN).await["not_ok"], 1);
    assert_eq!(about(ADA).await["not_ok"], 2);
    assert_eq!(
        world.get(ADA, &world.path("alerts")).await["alerts"],
        json!([])
    );
}

#[tokio::test]
async fn an_ai_reader_that_is_unfit_judges_nothing() {
    let world = reviewed(1, 39).await;
    assert!(world.preview(ADA).await.json()["reviewer"].is_null());

    let (_, result) = world.run(ADA).await;

    let summary = &result["summary"];
    assert_eq!(summary["about_own_topics"], counts(0, 0, 4, 0));
    assert!(summary["reviewer"].is_null());
}
