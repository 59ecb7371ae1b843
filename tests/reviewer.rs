//! The consent to a model that reads along, and what each guardian sees and is told of what it points at.

use std::time::Duration;

use crate::support::family;
use crate::support::features::Facts;
use crate::support::operations::{nothing, on, write};
use crate::support::reviewing::{
    ADA, BEN, Reviewed, SAID, careful, completion_of, data_of, loud, quiet,
};
use crate::support::tables::{Pages, Promise};
use crate::support::test_app::{TestApp, restore};
use crate::support::upstream::Received;
use porchlight::admin::RemoveUpstream;
use porchlight::admin::SignOutGuardian;
use porchlight::alerts::reviewer::ReviewerSettings;
use porchlight::identity::Named;
use porchlight::kernel::outgoing::mail::Email;
use porchlight::kernel::store::{Read, Table};
use serde_json::{Value, json};

/// The model and host that a guardian has read about.
fn read_about(_: u64) -> Value {
    json!({"model": "reader", "host": "127.0.0.1:9"})
}

pub static FACTS: Facts = Facts {
    tables: &[
        (Some(Promise::ReviewerConsent), None, &["reviewer-consent"]),
        (Some(Promise::ReviewerAtHome), None, &["reviewer-at-home"]),
        (
            None,
            None,
            &[
                "reviewer-not-reviewed",
                "reviewer-queue",
                "reviewer-reviewed",
                "reviewer-spent",
                "reviewer-figures",
            ],
        ),
    ],
    damaged: &[(
        "reviewer-not-reviewed",
        Pages::ClosedAndLacksARow(&["getReviewer"], &["getAttention"]),
    )],
    writes: &[
        // Here is no model.
        write("switchReviewerOn", None, read_about).with_few_values(),
        write("switchReviewerOff", None, nothing),
        // Here is no model.
        write("confirmReviewer", None, read_about).with_few_values(),
        write("noteReviewerShown", None, read_about),
        // Here is no model.
        write("switchReviewerAtHome", None, on).with_few_values(),
    ],
};

const CLEO: &str = "cleo@example.org";
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The subject of an e-mail about an alert.
const SUBJECT: &str = "Something to look at in Porchlight";

/// The messages of a conversation during which the reviewer is switched on.
const IN_PROGRESS: [&str; 4] = ["One before", "Two before", "Three after", "Four after"];

/// What was sent to the model so far.
async fn leaks(world: &Reviewed) -> usize {
    world.review().await;
    world.endpoint.count()
}

/// The consents that wait for the guardian's answer.
async fn waiting_for(world: &Reviewed, email: &str) -> Value {
    let requests = world.of(email).await.get("/api/household/requests").await;
    requests.json()["reviewers"].clone()
}

#[tokio::test]
async fn without_a_model_or_its_figures_nobody_can_switch_it_on() {
    let mut world = Reviewed::of_guardians(&[ADA], quiet()).await;
    let settings = world.settings.clone();
    world.app.review_with(ReviewerSettings::default());
    assert_eq!(world.state(ADA).await["state"], "unavailable");
    assert_eq!(world.switch_on(ADA).await.status, 409);

    world.app.review_with(settings);
    let untested = world.state(ADA).await;
    assert_eq!(untested["state"], "untested");
    assert_eq!(untested["model"], "reader");
    assert_eq!(untested["private"], true);
    assert_eq!(world.switch_on(ADA).await.status, 409);

    world.test_model(30, 10, 12).await;
    let off = world.state(ADA).await;
    assert_eq!(off["state"], "off");
    assert_eq!(off["figures"]["unfit"], false);
    assert_eq!(off["figures"]["false_alarms_a_week"], 1.0);
    assert_eq!(off["figures"]["tested_at"], "2026-11-20T20:00:00Z");
    let self_harm = json!({"concern": "self_harm", "found": 30, "missed": 10, "false_alarms": 0, "quotes_not_there": 0,
        "seconds": 0.9});
    assert_eq!(off["figures"]["concerns"], json!([self_harm]));
    world.switch_on(ADA).await.ok();
    assert_eq!(world.state(ADA).await["state"], "on");
}

#[tokio::test]
async fn a_model_that_is_unfit_cannot_be_switched_on_or_confirmed() {
    let world = Reviewed::elsewhere(&[ADA, BEN], quiet()).await;
    world.switch_on(ADA).await.ok();
    world.show(BEN).await.ok();
    for (found, missed, alarms, sentence) in [
        (
            0,
            297,
            0,
            "In its test it pointed at none of the 297 places it should have.",
        ),
        (
            9,
            10,
            12,
            "In its test it pointed at only 9 of the 19 places it should have.",
        ),
        (
            30,
            10,
            25,
            "In its test it raised 25 false alarms in 12 ordinary weeks.",
        ),
    ] {
        world.test_model(found, missed, alarms).await;
        assert_eq!(world.state(ADA).await["figures"]["unfit"], true);
        let refused = format!("{sentence} Don't rely on it.");
        assert_eq!(world.confirm(BEN).await.problem(409), refused);
        assert_eq!(world.state(ADA).await["state"], "waiting");
    }
    world.switch_off(BEN).await.ok();
    let refused = world.switch_on(ADA).await.problem(409);
    assert!(refused.contains("25 false alarms"), "{refused}");
    assert_eq!(world.state(ADA).await["state"], "off");

    world.test_model(30, 10, 12).await;
    world.switch_on(ADA).await.ok();
    world.confirm(BEN).await.ok();
    assert_eq!(world.state(BEN).await["state"], "on");
}

#[tokio::test]
async fn it_needs_stepping_up_and_names_what_was_read() {
    let world = Reviewed::tested(&[ADA], quiet()).await;
    let named = world.named();
    let ada = world.app.not_stepped_up(ADA).await;
    ada.put(&world.path("reviewer"), &named).await.problem(403);
    let confirmation = world.path("reviewer/confirmation");
    ada.put(&confirmation, &named).await.problem(403);
    let at_home = world.path("reviewer/at_home");
    ada.put(&at_home, &json!({"on": true})).await.problem(403);
    ada.put(&at_home, &json!({"on": false})).await.ok();

    for other in [
        json!({"model": "other", "host": named["host"]}),
        json!({"model": named["model"], "host": "other.example"}),
    ] {
        world.put(ADA, "reviewer", &other).await.problem(409);
    }
    let incomplete = json!({"model": "reader"});
    world.put(ADA, "reviewer", &incomplete).await.problem(400);
    assert_eq!(world.state(ADA).await["state"], "off");
}

/// For a host on the home network one guardian is enough; any of them can switch it off.
#[tokio::test]
async fn at_a_private_host_one_guardian_is_enough_and_another_can_end_it() {
    let world = Reviewed::tested(&[ADA, BEN], loud()).await;
    world.talk("before", &[SAID]).await;
    assert_eq!(leaks(&world).await, 0, "nobody switched it on");

    world.switch_on(ADA).await.ok();
    assert_eq!(leaks(&world).await, 0, "it was said before");
    assert_eq!(world.state(BEN).await["state"], "on");
    world.talk("on", &[SAID]).await;
    assert_eq!(leaks(&world).await, 1);
    assert_eq!(world.alerts(BEN).await.len(), 1);

    world.talk("queued", &[SAID]).await;
    world.switch_off(BEN).await.ok();
    assert_eq!(leaks(&world).await, 1, "what waited is not sent");
    world.talk("off", &[SAID]).await;
    assert_eq!(leaks(&world).await, 1);
    assert_eq!(world.state(ADA).await["state"], "off");
    let whats = world.history(ADA).await;
    assert_eq!(whats[..2], ["reviewer_off", "reviewer_on"]);
}

#[tokio::test]
async fn at_another_host_every_guardian_confirms_first() {
    let world = Reviewed::elsewhere(&[ADA, BEN, CLEO], loud()).await;
    assert_eq!(world.state(ADA).await["private"], false);
    world.switch_on(ADA).await.ok();
    let emails = world.app.take_emails().await;
    let told = emails
        .iter()
        .filter(|email| email.subject.contains("AI reader"));
    let mut told = told.map(|email| email.to.to_string()).collect::<Vec<_>>();
    told.sort();
    assert_eq!(told, [BEN, CLEO]);
    world.talk("one", &[SAID]).await;
    assert_eq!(leaks(&world).await, 0, "nobody else agreed");

    world.confirm(BEN).await.ok();
    world.talk("two", &[SAID]).await;
    assert_eq!(leaks(&world).await, 0, "Cleo did not agree");
    let seen = world.state(BEN).await;
    assert_eq!(
        (&seen["state"], &seen["confirmed"]),
        (&json!("waiting"), &json!(true))
    );
    assert_eq!(world.state(CLEO).await["confirmed"], false);

    world.talk("just-before", &[SAID]).await;
    world.confirm(CLEO).await.ok();
    assert_eq!(world.state(ADA).await["state"], "on");
    assert_eq!(leaks(&world).await, 0, "all of it was said before");
    world.talk("three", &[SAID]).await;
    assert_eq!(leaks(&world).await, 1);
    world.switch_off(CLEO).await.ok();
    world.talk("four", &[SAID]).await;
    assert_eq!(leaks(&world).await, 1);
}

#[tokio::test]
async fn what_waits_for_a_guardian_is_among_their_requests_until_they_agree_or_it_ends() {
    let world = Reviewed::elsewhere(&[ADA, BEN, CLEO], loud()).await;
    assert_eq!(waiting_for(&world, BEN).await, json!([]));
    world.switch_on(ADA).await.ok();
    assert_eq!(waiting_for(&world, ADA).await, json!([]), "Ada wants it");
    let waiting = waiting_for(&world, BEN).await;
    assert_eq!(waiting[0]["child_id"], json!(world.mia));
    assert_eq!(waiting[0]["by"], json!({"is_you": false, "name": "ada"}));
    assert_eq!(waiting[0]["since"], world.state(BEN).await["since"]);

    world.show(BEN).await.ok();
    assert_eq!(waiting_for(&world, BEN).await, waiting, "only shown");
    world.confirm(BEN).await.ok();
    assert_eq!(waiting_for(&world, BEN).await, json!([]));
    assert_eq!(waiting_for(&world, CLEO).await, waiting);
    world.switch_off(CLEO).await.ok();
    assert_eq!(waiting_for(&world, CLEO).await, json!([]));
}

#[tokio::test]
async fn at_another_host_it_begins_seven_days_after_all_were_shown_it() {
    let world = Reviewed::elsewhere(&[ADA, BEN], loud()).await;
    world.switch_on(ADA).await.ok();
    world.pass(20 * DAY);
    world.talk("one", &[SAID]).await;
    assert_eq!(leaks(&world).await, 0, "Ben was not shown it");
    assert!(world.state(ADA).await["due_at"].is_null());

    world.show(BEN).await.ok();
    assert!(world.state(ADA).await["due_at"].is_null());
    let midnight = world.app.inner.clock.now().up_to_utc_day();
    let due_at = json!(midnight.after(7 * DAY));
    assert_eq!(world.state(BEN).await["due_at"], due_at);
    world.pass(world.app.rest_of_day());
    assert_eq!(world.state(ADA).await["due_at"], due_at);
    world.pass(7 * DAY - MINUTE);
    world.talk("two", &[SAID]).await;
    assert_eq!(leaks(&world).await, 0);
    world.pass(MINUTE);
    assert_eq!(world.state(BEN).await["state"], "on");
    world.talk("three", &[SAID]).await;
    assert_eq!(leaks(&world).await, 1);
}

/// Continues and ends a conversation of which two messages were said before the consent. Only the others are sent.
async fn expect_only_later_messages(world: &Reviewed) {
    world.talk("s", &IN_PROGRESS).await;
    world.review().await;
    assert_eq!(world.sent(), ["Three after|Four after"]);
}

#[tokio::test]
async fn of_a_conversation_in_progress_what_was_said_before_is_not_sent() {
    let before = &IN_PROGRESS[..2];

    // At a private host.
    let world = Reviewed::tested(&[ADA], quiet()).await;
    world.say("s", before).await;
    world.pass(MINUTE);
    world.switch_on(ADA).await.ok();
    expect_only_later_messages(&world).await;

    // At another one, once all have confirmed it.
    let world = Reviewed::elsewhere(&[ADA, BEN], quiet()).await;
    world.switch_on(ADA).await.ok();
    world.pass(MINUTE);
    world.say("s", before).await;
    world.pass(MINUTE);
    world.confirm(BEN).await.ok();
    expect_only_later_messages(&world).await;

    // At another one, seven days after it was shown to all.
    let world = Reviewed::elsewhere(&[ADA, BEN], quiet()).await;
    world.switch_on(ADA).await.ok();
    world.show(BEN).await.ok();
    world.pass(world.app.rest_of_day() + 7 * DAY - MINUTE / 6);
    world.say("s", before).await;
    world.pass(MINUTE);
    expect_only_later_messages(&world).await;
}

#[tokio::test]
async fn at_another_host_one_who_objects_ends_it_at_once() {
    let world = Reviewed::elsewhere(&[ADA, BEN], loud()).await;
    world.switch_on(ADA).await.ok();
    world.show(BEN).await.ok();
    world.switch_off(BEN).await.ok();
    world.pass(8 * DAY);
    world.talk("one", &[SAID]).await;
    assert_eq!(leaks(&world).await, 0);

    // A new question begins anew.
    world.switch_on(ADA).await.ok();
    assert_eq!(world.state(BEN).await["shown"], false);
    world.talk("two", &[SAID]).await;
    assert_eq!(leaks(&world).await, 0);
}

#[tokio::test]
async fn a_guardian_who_joins_must_agree_and_one_who_leaves_takes_the_consent_along() {
    let world = Reviewed::elsewhere(&[ADA, BEN], loud()).await;
    world.switch_on(ADA).await.ok();
    world.confirm(BEN).await.ok();
    world.talk("one", &[SAID]).await;
    assert_eq!(leaks(&world).await, 1);

    world.app.named_guardian(CLEO, "Cleo").await;
    world.link(CLEO, true).await;
    world.talk("two", &[SAID]).await;
    assert_eq!(leaks(&world).await, 1, "Cleo was not asked");
    world.confirm(CLEO).await.ok();
    world.talk("three", &[SAID]).await;
    assert_eq!(leaks(&world).await, 2);

    world.link(ADA, false).await;
    world.talk("four", &[SAID]).await;
    assert_eq!(leaks(&world).await, 2);
    assert_eq!(world.state(BEN).await["state"], "off");
}

#[tokio::test]
async fn signing_out_everywhere_switches_it_off_in_every_guardians_sight() {
    let world = Reviewed::elsewhere(&[ADA, BEN], loud()).await;
    world.switch_on(ADA).await.ok();
    world.confirm(BEN).await.ok();
    let ben = world.of(BEN).await;
    let mut events = ben.stream(&world.path("events")).await;
    let latest = async || world.get(BEN, "history").await["items"][0].take();
    let sign_out = async || {
        let email = ADA.parse().unwrap();
        let signed_out = SignOutGuardian { email };
        world.app.run_admin(signed_out).await.0.unwrap();
    };
    assert_eq!(latest().await["what"], "reviewer_confirmed");

    sign_out().await;

    events.until("reviewer").await;
    let entry = latest().await;
    assert_eq!(entry["what"], "reviewer_off");
    assert_eq!(entry["by"]["is_you"], false);
    assert_eq!(entry["at"], "2026-11-21T20:00:00Z");
    assert_eq!(world.state(BEN).await["state"], "off");
    // Nothing more is recorded, and what Ben agreed to ends nobody's consent.
    world.switch_on(BEN).await.ok();
    sign_out().await;
    assert_eq!(latest().await["what"], "reviewer_on");
}

#[tokio::test]
async fn another_model_or_another_host_ends_the_consent_for_good() {
    for is_private in [true, false] {
        let guardians = [ADA, BEN];
        let mut world = if is_private {
            Reviewed::tested(&guardians, loud()).await
        } else {
            Reviewed::elsewhere(&guardians, loud()).await
        };
        let settings = world.settings.clone();
        world.switch_on(ADA).await.ok();
        world.confirm(BEN).await.ok();
        world.talk("one", &[SAID]).await;
        assert_eq!(leaks(&world).await, 1);

        let other = ReviewerSettings {
            model: Some("other".to_owned()),
            ..settings.clone()
        };
        world.app.review_with(other);
        world.talk("two", &[SAID]).await;
        assert_eq!(leaks(&world).await, 1, "nobody agreed to the other model");
        assert_eq!(world.state(ADA).await["ended"], true);

        world.app.review_with(settings);
        world.talk("three", &[SAID]).await;
        assert_eq!(leaks(&world).await, 1, "the consent has ended");
        let view = world.state(ADA).await;
        assert_eq!(
            (&view["state"], &view["ended"]),
            (&json!("off"), &json!(true))
        );
        world.switch_on(ADA).await.ok();
        if !is_private {
            assert_eq!(world.state(BEN).await["state"], "waiting");
        }
    }
}

#[tokio::test]
async fn an_upstream_whose_address_the_administrator_changes_ends_the_consent() {
    for is_private in [true, false] {
        let mut world = Reviewed::tested(&[ADA, BEN], loud()).await;
        let url = |path: &str| {
            let url = world.endpoint.url();
            let url = if is_private {
                url
            } else {
                url.replace("127.0.0.1", "0.0.0.0")
            };
            format!("{url}{path}")
        };
        let (first, second) = (url("/v1"), url("/v2"));
        world.app.review_with(ReviewerSettings {
            server: None,
            ..world.settings.clone()
        });
        world.add_upstream("home", &first).await;
        if !is_private {
            world
                .test_model_at(&first.replace("http://", "").replace("/v1", ""))
                .await;
        }
        world.switch_on(ADA).await.ok();
        world.confirm(BEN).await.ok();
        world.talk("one", &[SAID]).await;
        assert_eq!(leaks(&world).await, 1);

        for (name, address) in [("two", &second), ("three", &first)] {
            let removed = RemoveUpstream {
                name: "home".to_owned(),
            };
            world.app.run_admin(removed).await.0.unwrap();
            world.add_upstream("home", address).await;
            world.talk(name, &[SAID]).await;
            assert_eq!(leaks(&world).await, 1, "{name}");
        }
        assert_eq!(world.state(BEN).await["ended"], true);
    }
}

#[tokio::test]
async fn of_several_upstreams_the_one_that_has_the_model_is_asked() {
    let mut world = Reviewed::tested(&[ADA], loud()).await;
    world.app.review_with(ReviewerSettings {
        server: None,
        ..world.settings.clone()
    });
    assert_eq!(world.state(ADA).await["state"], "unavailable");
    world
        .add_upstream("cloud", "https://api.example.org/v1")
        .await;
    assert_eq!(world.state(ADA).await["host"], "api.example.org");
    let url = format!("{}/v1", world.endpoint.url());
    world.add_upstream("home", &url).await;
    assert_eq!(world.state(ADA).await["state"], "unavailable", "which one?");

    world.add_upstream_with("den", &url, &["reader"]).await;
    world.switch_on(ADA).await.ok();
    world.talk("one", &[SAID]).await;
    assert_eq!(leaks(&world).await, 1);
}

#[tokio::test]
async fn an_alert_marks_the_quote_says_which_model_pointed_at_it_and_loses_its_words_with_them() {
    let world = Reviewed::on(&[ADA, BEN], loud()).await;
    let text = format!("🌙 Yesterday {SAID}, twice.");
    let session = world.talk("s", &["Hello?", &text, "Wow"]).await;
    world.review().await;

    for email in [ADA, BEN] {
        let alerts = world.alerts(email).await;
        assert_eq!(alerts.len(), 1);
        let alert = &alerts[0];
        assert_eq!(alert["kind"], "reviewer");
        assert_eq!(alert["flagged"]["concern"], "danger");
        assert_eq!(alert["flagged"]["severity"], "look");
        assert_eq!(alert["flagged"]["model"], "reader");
        assert_eq!(alert["flagged"]["not_worrying"], false);
        assert_eq!(alert["text_content"], text);
        assert_eq!(alert["ranges"], json!([[13, 13 + SAID.len()]]));
        assert_eq!(alert["before"]["text_content"], "Hello?");
        assert_eq!(alert["after"]["text_content"], "Wow");
        assert_eq!(world.unseen(email).await, 1);
    }
    let stored = world.rows("alert");
    assert!(!stored.contains("octopus"), "an alert holds no words");

    // A later correction: the words are gone, the alert stays.
    let corrected = json!({"messages": [
        {"message_id": "s-1", "source": "child", "text_content": "Nothing at all", "revision": 2}]});
    world.deliver("s", &corrected).await;
    let alerts = world.alerts(ADA).await;
    assert_eq!(alerts[0]["corrected"], true);
    assert_eq!(alerts[0]["ranges"], json!([]));
    assert_eq!(alerts[0]["earlier"]["text_content"], text);
    assert_eq!(
        alerts[0]["earlier"]["ranges"],
        json!([[13, 13 + SAID.len()]])
    );

    // With its conversation deleted, the alert is left without words.
    world.delete(ADA, session).await;
    let alert = &world.alerts(ADA).await[0];
    assert_eq!(alert["flagged"]["concern"], "danger");
    assert!(alert["text_content"].is_null());
    assert!(alert["restorable_until"].is_string());
}

#[tokio::test]
async fn not_worrying_is_ones_own_and_can_be_undone() {
    let world = Reviewed::on(&[ADA, BEN], loud()).await;
    world.talk("one", &[SAID]).await;
    world.talk("two", &[SAID]).await;
    world.review().await;
    let alerts = world.alerts(ADA).await;
    let first = format!("alerts/{}/not_worrying", alerts[0]["alert_id"]);
    let yes = json!({"not_worrying": true});
    world.put(ADA, &first, &yes).await.ok();

    assert_eq!(world.alerts(ADA).await[0]["flagged"]["not_worrying"], true);
    assert_eq!(world.unseen(ADA).await, 1);
    assert_eq!(world.alerts(BEN).await[0]["flagged"]["not_worrying"], false);
    assert_eq!(world.unseen(BEN).await, 2);
    let no = json!({"not_worrying": false});
    world.put(ADA, &first, &no).await.ok();
    assert_eq!(world.unseen(ADA).await, 2);

    let choose = async |concerns: Value| {
        let concerns = json!({"items": concerns});
        world.put(ADA, "not_worrying", &concerns).await
    };
    let chosen = async |email| world.get(email, "not_worrying").await["items"].take();
    choose(json!(["danger", "danger"])).await.ok();
    assert_eq!(chosen(ADA).await, json!(["danger"]));
    assert_eq!(chosen(BEN).await, json!([]));
    world.talk("three", &[SAID]).await;
    world.review().await;
    assert_eq!(world.alerts(ADA).await.len(), 3);
    assert_eq!((world.unseen(ADA).await, world.unseen(BEN).await), (0, 3));
    choose(json!([])).await.ok();
    assert_eq!(world.unseen(ADA).await, 3);

    choose(json!(["boredom"])).await.problem(400);
    let nobodys = "alerts/999999/not_worrying";
    world.put(ADA, nobodys, &yes).await.problem(404);

    // It ends with the access.
    world.put(ADA, &first, &yes).await.ok();
    choose(json!(["danger"])).await.ok();
    world.link(ADA, false).await;
    world.link(ADA, true).await;
    assert_eq!(chosen(ADA).await, json!([]));
    let flags = world.alerts(ADA).await;
    assert!(
        flags
            .iter()
            .all(|alert| alert["flagged"]["not_worrying"] == false)
    );
}

#[tokio::test]
async fn of_what_happens_at_home_nobody_is_told_unless_one_asks_for_it() {
    let hit = "Papa hit me again with the belt";
    let respond = move |received: &Received| {
        let data = data_of(received);
        let mut findings = Vec::new();
        for message in data["conversation"].as_array().unwrap() {
            for (part, concern) in [
                (hit, "hurt_at_home"),
                ("again with the belt", "hurt"),
                ("I climb on the roof", "danger"),
            ] {
                if message["text"].as_str().unwrap().contains(part) {
                    findings.push(json!({"concern": concern, "message_id": message["id"],
                        "quote": part, "severity": "urgent"}));
                }
            }
        }
        completion_of(&Value::from(findings))
    };
    let world = Reviewed::on(&[ADA, BEN], respond).await;
    let said = [hit, "Oh no", "I climb on the roof"];
    world.talk("one", &said).await;
    world.review().await;
    let concerns = |alerts: &[Value]| {
        let concerns = alerts
            .iter()
            .map(|alert| alert["flagged"]["concern"].clone());
        let mut concerns = concerns
            .map(|it| it.as_str().unwrap().to_owned())
            .collect::<Vec<_>>();
        concerns.sort();
        concerns
    };
    assert_eq!(concerns(&world.alerts(ADA).await), ["danger"]);
    assert!(
        !world.rows("alert").contains("hurt"),
        "it is not even stored"
    );

    let at_home = async |email, on: bool| {
        let on = json!({"on": on});
        world.put(email, "reviewer/at_home", &on).await.ok();
    };
    at_home(BEN, true).await;
    assert_eq!(world.state(ADA).await["at_home"], true);
    assert_eq!(world.state(ADA).await["at_home_by"]["name"], "ben");
    world.talk("two", &said).await;
    world.review().await;
    for email in [ADA, BEN] {
        let told = concerns(&world.alerts(email).await);
        assert_eq!(told, ["danger", "danger", "hurt", "hurt_at_home"]);
    }

    at_home(ADA, false).await;
    world.talk("three", &said).await;
    world.review().await;
    assert_eq!(world.alerts(ADA).await.len(), 5);
    let whats = world.history(ADA).await;
    assert_eq!(whats[..2], ["reviewer_home_off", "reviewer_home_on"]);
}

#[tokio::test]
async fn the_page_for_the_child_says_whether_a_program_reads_along() {
    let world = Reviewed::elsewhere(&[ADA, BEN], quiet()).await;
    let page = async || world.get(ADA, "for_child").await["reviewed"].take();
    assert_eq!(page().await, false);
    world.switch_on(ADA).await.ok();
    assert_eq!(page().await, false, "Ben has not agreed");
    world.confirm(BEN).await.ok();
    assert_eq!(page().await, true);
    world.switch_off(BEN).await.ok();
    assert_eq!(page().await, false);
}

#[tokio::test]
async fn a_restored_backup_brings_back_alerts_and_no_consent() {
    let world = Reviewed::on(&[ADA], loud()).await;
    world.talk("one", &[SAID]).await;
    world.review().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("family.backup");
    world.app.back_up(&file).await;
    let data = folder.path().join("restored");
    restore(&file, &data, Named::default()).unwrap();
    let restored = TestApp::in_folder(&data).await;

    let rows = |table: &'static str| {
        let keys = restored.inner.store.keys_below(&Table::new(table).key(), 9);
        keys.unwrap().len()
    };
    assert_eq!(rows("alert"), 1);
    assert_eq!(rows("reviewer-reviewed"), 1, "it is not reviewed again");
    assert_eq!(rows("reviewer-consent") + rows("reviewer-queue"), 0);
}

/// Ada and Ben get e-mails about Mia's alerts. It is 20:00.
async fn with_emails() -> Reviewed {
    let world = Reviewed::on(&[ADA, BEN], careful()).await;
    for email in [ADA, BEN] {
        subscribe(&world, email, |_| {}).await;
    }
    world.app.take_emails().await;
    world
}

async fn subscribe(world: &Reviewed, email: &str, change: impl FnOnce(&mut Value)) {
    let mut settings = family::subscription_off();
    settings["at_once"]["email"] = json!(true);
    change(&mut settings["at_once"]);
    let by = world.of(email).await;
    by.put("/api/subscription", &settings).await.ok();
}

/// The e-mails about alerts that are sent now.
async fn emails(world: &Reviewed) -> Vec<Email> {
    world.review().await;
    world.app.inner.notifications.queue_due().await.unwrap();
    let mut emails = world.app.take_emails().await;
    emails.retain(|email| email.subject == SUBJECT);
    emails
}

/// Who gets an e-mail about alerts now.
async fn emailed(world: &Reviewed) -> Vec<String> {
    let emails = emails(world).await;
    let mut recipients = emails
        .iter()
        .map(|email| email.to.to_string())
        .collect::<Vec<_>>();
    recipients.sort();
    recipients
}

#[tokio::test]
async fn each_guardian_who_chose_that_kind_gets_an_email_about_a_finding() {
    let world = with_emails().await;
    subscribe(&world, BEN, |at_once| at_once["kinds"] = json!(["phrase"])).await;
    world.talk("s", &["I climb on the roof"]).await;
    let sent = emails(&world).await;
    assert_eq!((sent.len(), sent[0].to.to_string()), (1, ADA.to_owned()));
    assert!(!sent[0].is_urgent && !sent[0].text.contains("Please look now."));
}

#[tokio::test]
async fn what_is_urgent_passes_the_quiet_hours_of_those_who_want_that() {
    let world = with_emails().await;
    for (email, passes) in [(ADA, true), (BEN, false)] {
        subscribe(&world, email, |at_once| {
            at_once["quiet_hours"] = json!({"from": "19:00", "to": "23:00"});
            at_once["urgent_passes"] = json!(passes);
        })
        .await;
    }
    let said = ["I climb on the roof", "Be careful."];
    world.say("s", &said).await;
    world.review().await;
    world.pass(31 * MINUTE);
    assert!(emailed(&world).await.is_empty());
    assert_eq!(
        world.alerts(ADA).await[0]["flagged"]["severity"],
        "look",
        "a long conversation is reviewed before it has ended"
    );

    // The alert of the same conversation becomes urgent.
    let said = [said[0], said[1], "I am on the roof now"];
    world.talk("s", &said).await;
    let sent = emails(&world).await;
    assert_eq!((sent.len(), sent[0].to.to_string()), (1, ADA.to_owned()));
    let first = "\n\nPlease look now.\n\nAn AI reader flagged something in Mia's";
    assert!(
        sent[0].is_urgent && sent[0].text.contains(first),
        "{}",
        sent[0].text
    );
    assert!(!sent[0].text.contains("roof") && !sent[0].html.contains("roof"));
    let alerts = world.alerts(ADA).await;
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0]["flagged"]["severity"], "urgent");

    world.pass(3 * HOUR);
    assert_eq!(emailed(&world).await, [BEN]);
}

#[tokio::test]
async fn only_the_others_get_an_email_about_what_a_guardian_finds_not_worrying() {
    let world = with_emails().await;
    let concerns = json!({"items": ["danger"]});
    world.put(ADA, "not_worrying", &concerns).await.ok();
    world.talk("concern", &["I climb on the roof"]).await;
    assert_eq!(emailed(&world).await, [BEN]);

    // One alert, while it waits for the end of the quiet hours.
    let none = json!({"items": []});
    world.put(ADA, "not_worrying", &none).await.ok();
    for email in [ADA, BEN] {
        subscribe(&world, email, |at_once| {
            at_once["quiet_hours"] = json!({"from": "19:00", "to": "23:00"});
        })
        .await;
    }
    world.talk("alert", &["I climb on another roof"]).await;
    assert!(emailed(&world).await.is_empty());
    let number = world.alerts(ADA).await[0]["alert_id"].clone();
    let alert = format!("alerts/{number}/not_worrying");
    let yes = json!({"not_worrying": true});
    world.put(ADA, &alert, &yes).await.ok();
    world.pass(4 * HOUR);
    assert_eq!(emailed(&world).await, [BEN]);
}
