//! The month in which a child was born, and the age that assistants are told.

use std::pin::pin;
use std::time::Duration;

use futures_util::FutureExt;
use poem::http::Method;
use porchlight::admin::{AddChild, Seed};
use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use serde_json::{Value, json};

use crate::support::features::Facts;
use crate::support::operations::part;
use crate::support::tables::Pages;
use crate::support::test_app::{Persona, TestApp};

pub static FACTS: Facts = Facts {
    tables: &[(None, None, &["born"])],
    damaged: &[(
        "born",
        Pages::ClosedAndUnknown(
            &["getBirthMonth"],
            &[
                "getRules",
                "getAssistantRules",
                "getRulesForAll",
                "getChildNotice",
            ],
        ),
    )],
    writes: &[part(
        "replaceBirthMonth",
        "born",
        |_| json!({"born": "2018-05"}),
    )],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What holds at any age.
const ALWAYS: &str = "always say that you are a computer program";

fn born(child: ChildId) -> String {
    format!("/api/child/{child}/born")
}

fn rules(child: ChildId) -> String {
    format!("/api/assistant/child/{child}/rules")
}

async fn set(guardian: &Persona<'_>, child: ChildId, month: &str) {
    let body = json!({ "born": month });
    guardian.put(&born(child), &body).await.ok();
}

async fn block(guardian: &Persona<'_>, child: ChildId, topic: &str) {
    let path = format!("/api/child/{child}/blocked_topics");
    guardian.put(&path, &json!([topic])).await.ok();
}

/// The instructions that an assistant gets.
async fn told(robot: &Persona<'_>, path: &str) -> String {
    let rules = robot.get(path).await.json();
    let text = rules["instructions"].as_str().unwrap();
    assert!(text.contains(ALWAYS), "{text}");
    text.to_owned()
}

fn number(rules: &Value) -> u64 {
    let (number, _) = rules["version"].as_str().unwrap().split_once('-').unwrap();
    number.parse().unwrap()
}

/// The newest versions of the rules: what was changed, and whether a guardian is named.
async fn versions(guardian: &Persona<'_>, child: ChildId) -> Vec<(Value, bool)> {
    let path = format!("/api/child/{child}/rules/history");
    let page = guardian.get(&path).await.json();
    let versions = page["items"].as_array().unwrap().iter();
    versions
        .map(|version| (version["changed"].clone(), version.get("by").is_some()))
        .collect()
}

async fn maintain_at(app: &TestApp, time: &str) {
    let now = app.inner.clock.now();
    app.clock
        .advance(time.parse::<Timestamp>().unwrap().since(now));
    app.inner.maintain().await.unwrap();
}

#[tokio::test]
async fn a_month_of_birth_is_given_changed_and_removed_and_each_change_is_in_the_history() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    assert_eq!(ada.get(&born(mia)).await.json(), json!({}));

    // It is November 2026.
    let answered = ada.put(&born(mia), &json!({"born": "2018-05"})).await;

    assert_eq!(answered.json(), json!({"born": "2018-05", "age": 8}));
    set(&ada, mia, "2018-05").await;
    assert_eq!(ben.get(&born(mia)).await.json(), answered.json());
    assert_eq!(ben.history(mia).await, ["birth_month"]);
    set(&ben, mia, "2017-12").await;
    let page = ada.get(&format!("/api/child/{mia}/history")).await;
    assert_eq!(ada.history(mia).await, ["birth_month", "birth_month"]);
    assert!(!page.body.contains("2017-12") && !page.body.contains("2018-05"));
    let removed = ada.put(&born(mia), &json!({"born": null})).await;
    assert_eq!(removed.json(), json!({}));
    assert_eq!(ben.get(&born(mia)).await.json(), json!({}));
    assert_eq!(ada.history(mia).await.len(), 3);
    let children = ada.get("/api/children").await.json();
    assert_eq!(children, json!([{"child_id": mia, "name": "Mia"}]));
}

#[tokio::test]
async fn a_month_in_the_future_too_long_ago_or_of_another_form_is_refused() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    set(&ada, mia, "2018-05").await;

    for (month, sentence, code) in [
        (
            "2026-12",
            "The month of birth can't be in the future.",
            "birth_month_in_future",
        ),
        (
            "2001-10",
            "The month of birth can be at most 25 years ago.",
            "birth_month_too_long_ago",
        ),
    ] {
        let refused = ada.put(&born(mia), &json!({ "born": month })).await;
        let place = Some("/born".to_owned());
        assert_eq!(refused.problem_at(422), (sentence.to_owned(), place));
        let problem: Value = serde_json::from_str(&refused.body).unwrap();
        assert_eq!(problem["code"], code);
        let body = json!({"name": "Leo", "born": month});
        let refused = ada.post("/api/children", &body).await.problem_at(422);
        assert_eq!(refused.1.as_deref(), Some("/born"));
    }
    for body in [
        json!({"born": "2018-5"}),
        json!({"born": "2018-13"}),
        json!({"born": 2018}),
        json!({}),
    ] {
        ada.put(&born(mia), &body).await.problem(400);
    }

    assert_eq!(ada.get(&born(mia)).await.json()["born"], "2018-05");
    assert_eq!(ada.history(mia).await, ["birth_month"]);
    set(&ada, mia, "2001-11").await;
    set(&ada, mia, "2026-11").await;
    assert_eq!(ada.get(&born(mia)).await.json()["age"], 0);
}

#[tokio::test]
async fn another_family_can_neither_read_nor_change_it() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA]).await;
    set(&ada, mia, "2018-05").await;

    ben.get(&born(mia)).await.problem(404);
    ben.put(&born(mia), &json!({"born": null}))
        .await
        .problem(404);

    assert_eq!(ada.get(&born(mia)).await.json()["born"], "2018-05");
}

#[tokio::test]
async fn an_assistant_is_told_the_age_and_never_the_month() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let unknown = told(&robot, &rules(mia)).await;
    assert!(unknown.contains("You do not know how old the child is."));

    set(&ada, mia, "2018-05").await;

    let answer = robot.get(&rules(mia)).await;
    assert_eq!(number(&answer.json()), 1);
    assert!(!answer.body.contains("2018-05"), "{}", answer.body);
    let text = told(&robot, &rules(mia)).await;
    assert!(text.contains("The child is 8 years old. Use short words and short sentences."));
    let shown = ada.get(&format!("/api/child/{mia}/rules")).await.json();
    assert_eq!(shown["instructions"], text);
    // The same age is no new version.
    set(&ada, mia, "2018-06").await;
    assert_eq!(number(&robot.get(&rules(mia)).await.json()), 1);
    set(&ada, mia, "2013-05").await;
    assert!(
        told(&robot, &rules(mia))
            .await
            .contains("13 years old. Speak as to a teenager")
    );
    ada.put(&born(mia), &json!({"born": null})).await.ok();
    assert_eq!(told(&robot, &rules(mia)).await, unknown);
    let expected = [
        (json!("birth_month"), true),
        (json!("birth_month"), true),
        (json!("birth_month"), true),
        (Value::Null, false),
    ];
    assert_eq!(versions(&ada, mia).await, expected);
}

#[tokio::test]
async fn a_key_for_several_children_gets_the_youngest_ones_lines_and_no_age() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    set(&ada, mia, "2012-05").await;
    let own = app.assistant("own", &[mia]).await;
    let both = app.assistant("both", &[mia, leo]).await;
    assert!(told(&own, &rules(mia)).await.contains("14 years old"));
    let before = both.get(&rules(mia)).await;

    set(&ada, leo, "2020-05").await;

    for path in [&rules(mia), &rules(leo), "/api/assistant/rules"] {
        let text = told(&both, path).await;
        assert!(text.contains("Use very short sentences"), "{path}: {text}");
        assert!(!text.contains("years old"), "{path}: {text}");
        assert!(!text.contains("teenager"), "{path}: {text}");
    }
    assert!(told(&own, &rules(mia)).await.contains("14 years old"));
    // The copy of another child's rules changes, too, and the version that it reports stays valid.
    let after = both.get(&rules(mia)).await;
    assert_ne!(before.header("etag"), after.header("etag"));
    assert_eq!(before.json()["version"], after.json()["version"]);
    let receipt = json!({"version": before.json()["version"], "evidence": "set"});
    let delivery = json!({"child_id": mia, "rules": [receipt]});
    let kept = both.deliver("s", &delivery).await.json();
    assert_eq!(kept["rejected"], json!([]));
}

#[tokio::test]
async fn the_calendar_makes_a_version_in_the_month_of_the_birthday_where_the_child_lives() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let zone = json!({"time_zone": "Pacific/Kiritimati", "quiet_hours": []});
    let times = format!("/api/child/{mia}/times");
    ada.put(&times, &zone).await.ok();
    set(&ada, mia, "2018-12").await;
    let robot = app.assistant("robot", &[mia]).await;
    let before = robot.get(&rules(mia)).await;
    assert!(told(&robot, &rules(mia)).await.contains("7 years old"));

    // There it is 14 hours later.
    maintain_at(&app, "2026-11-30T09:59:00Z").await;
    assert_eq!(robot.get(&rules(mia)).await.json(), before.json());
    maintain_at(&app, "2026-11-30T10:00:00Z").await;

    let ada = app.stepped_up(ADA).await;
    let after = robot.get(&rules(mia)).await;
    assert_eq!(number(&after.json()), number(&before.json()) + 1);
    assert!(told(&robot, &rules(mia)).await.contains("8 years old"));
    let newest = versions(&ada, mia).await.swap_remove(0);
    assert_eq!(newest, (json!("calendar"), false));
    // Nobody changed anything, so the history of changes has no entry.
    assert_eq!(ada.history(mia).await, ["birth_month", "time_zone"]);
    // What it used until then was told to it.
    let receipt = json!({"version": before.json()["version"], "evidence": "set"});
    let delivery = json!({"child_id": mia, "rules": [receipt]});
    let kept = robot.deliver("s", &delivery).await.json();
    assert_eq!(kept["rejected"], json!([]));
    maintain_at(&app, "2026-12-31T09:00:00Z").await;
    assert_eq!(robot.get(&rules(mia)).await.json(), after.json());
}

#[tokio::test]
async fn a_key_that_is_told_no_age_learns_of_no_birthday() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    set(&ada, mia, "2017-12").await;
    set(&ada, leo, "2016-05").await;
    let own = app.assistant("own", &[mia]).await;
    let both = app.assistant("both", &[mia, leo]).await;
    let paths = [rules(mia), rules(leo), "/api/assistant/rules".to_owned()];
    let answers = async |assistant: &Persona<'_>| {
        let mut answers = Vec::new();
        for path in &paths {
            let answer = assistant.get(path).await;
            answers.push((answer.header("etag").to_owned(), answer.body));
        }
        answers
    };
    let before = answers(&both).await;
    let own_before = own.get(&rules(mia)).await.json();

    // Mia turns nine.
    maintain_at(&app, "2026-12-01T12:00:00Z").await;

    assert_eq!(answers(&both).await, before);
    let own_after = own.get(&rules(mia)).await.json();
    assert_eq!(number(&own_after), number(&own_before) + 1);
    for ((_, rules), child) in before.iter().zip([mia, leo, mia]) {
        let version = serde_json::from_str::<Value>(rules).unwrap()["version"].take();
        let receipt = json!({"version": version, "evidence": "set"});
        let delivery = json!({"child_id": child, "rules": [receipt]});
        let session = format!("of-{child}");
        let kept = both.deliver(&session, &delivery).await.json();
        assert_eq!(kept["rejected"], json!([]));
    }
    let ada = app.stepped_up(ADA).await;
    block(&ada, mia, "Ghosts").await;
    let after = answers(&both).await;
    assert_ne!(after[0], before[0]);
    assert_ne!(after[2], before[2]);
    assert_eq!(after[1], before[1]);

    // Mia turns ten, and is spoken to in another way.
    maintain_at(&app, "2027-12-01T12:00:00Z").await;

    let at_ten = answers(&both).await;
    assert_ne!(at_ten[0], after[0]);
    assert!(at_ten[0].1.contains("give reasons"), "{}", at_ten[0].1);
}

#[tokio::test]
async fn a_birthday_answers_an_assistant_that_waits() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    set(&ada, mia, "2018-12").await;
    let robot = app.assistant("robot", &[mia]).await;
    let tag = robot.get(&rules(mia)).await.header("etag").to_owned();
    let headers = [("If-None-Match", &*tag)];
    let path = format!("{}?wait=60", rules(mia));
    let mut call = pin!(robot.send(Method::GET, &path, &headers, None));
    assert!((&mut call).now_or_never().is_none(), "it waits");

    let (answer, ()) = tokio::join!(call, maintain_at(&app, "2026-12-01T12:00:00Z"));

    let rules = answer.json();
    let text = rules["instructions"].as_str().unwrap();
    assert!(text.contains("8 years old"), "{text}");
}

#[tokio::test]
async fn while_the_clock_is_not_trusted_nobody_grows_older() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    set(&ada, mia, "2018-12").await;

    // The clock jumps, without the uptime.
    app.clock.set("2031-01-01T00:00:00Z".parse().unwrap());
    app.inner.maintain().await.unwrap();

    let ada = app.stepped_up(ADA).await;
    assert_eq!(ada.get(&born(mia)).await.json()["age"], 7);
    assert_eq!(versions(&ada, mia).await.len(), 2);
}

#[tokio::test]
async fn the_childs_page_names_the_assistants_that_know_its_age() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    app.assistant("Kitchen", &[mia]).await;
    app.assistant("Car", &[mia, leo]).await;
    let page = async |child: ChildId| {
        let page = ada.get(&format!("/api/child/{child}/for_child")).await;
        let page = page.json();
        (page["age"].clone(), page["told_age"].clone())
    };
    assert_eq!(page(mia).await, (Value::Null, json!([])));

    set(&ada, mia, "2018-05").await;
    set(&ada, leo, "2012-05").await;

    assert_eq!(page(mia).await, (json!(8), json!(["Kitchen"])));
    assert_eq!(page(leo).await, (Value::Null, json!([])));
}

#[tokio::test]
async fn it_is_given_with_a_new_child_and_is_in_its_file() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let body = json!({"name": "Mia", "born": "2018-05"});
    let added = ada.post("/api/children", &body).await.json();
    let mia = ChildId::new(added["child_id"].as_u64().unwrap());
    let add = AddChild {
        name: "Leo".to_owned(),
        guardians: vec![ADA.parse().unwrap()],
        born: Some("2020-02".parse().unwrap()),
        ..AddChild::default()
    };
    let leo = app.run_admin(add).await.0.ok().unwrap().child_id;
    assert_eq!(added, json!({"child_id": mia, "name": "Mia"}));
    assert_eq!(ada.get(&born(mia)).await.json()["age"], 8);
    assert_eq!(ada.get(&born(leo)).await.json()["age"], 6);
    assert_eq!(ada.history(mia).await, ["child_added"]);
    block(&ada, mia, "Ghosts").await;

    let (_, file) = app.exported().await;

    let read = serde_json::from_str::<Value>(&file).unwrap();
    let months = read["children"].as_array().unwrap().iter();
    let months = months.map(|child| child["born"].clone());
    assert_eq!(months.collect::<Vec<_>>(), ["2018-05", "2020-02"]);
    let copy = app.stepped_up(ADA).await;
    let copy = copy.get(&format!("/api/child/{mia}/export")).await.json();
    assert_eq!(copy["children"][0]["born"], "2018-05");
    let other = TestApp::new().await;
    // A year later somewhere else.
    other.clock.advance(DAY * 365);
    let seeded = other.run_admin(Seed { text: file.clone() }).await.0;
    seeded.map_err(|error| error.to_string()).unwrap();
    let ada = other.stepped_up(ADA).await;
    let children = ada.get("/api/children").await.json();
    let mia = ChildId::new(children[0]["child_id"].as_u64().unwrap());
    let expected = json!({"born": "2018-05", "age": 9});
    assert_eq!(ada.get(&born(mia)).await.json(), expected);
    let text = ada.get(&format!("/api/child/{mia}/rules")).await.json();
    let text = text["instructions"].as_str().unwrap().to_owned();
    assert!(text.contains("9 years old"), "{text}");
    let broken = file.replace("\"2018-05\"", "\"May 2018\"");
    let refused = TestApp::new().await.run_admin(Seed { text: broken }).await;
    let refused = refused.0.err().unwrap().to_string();
    assert!(
        refused.contains("A month of birth must look like 2018-05"),
        "{refused}"
    );
}

#[tokio::test]
async fn rules_of_a_store_from_before_have_the_lines_for_an_unknown_age() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let instructions = "Be kind. Avoid \"Ghosts\".";
    // A version that an earlier program stored, with its own wording.
    let file = json!({
        "guardians": [{"email": ADA}],
        "assistants": [{"name": "old"}],
        "children": [{"name": "Ben", "guardians": [ADA], "blocked_topics": ["Ghosts"], "assistants": [{"name": "old"}],
            "rules": [{"number": 1, "since": "2026-11-01T10:00:00Z", "changed": "blocked_topics", "by": ADA,
                "blocked_topics": ["Ghosts"], "instructions": instructions}]}],
    });
    let seed = Seed {
        text: file.to_string(),
    };
    app.run_admin(seed)
        .await
        .0
        .map_err(|error| error.to_string())
        .unwrap();
    let children = ada.get("/api/children").await.json();
    let mut ben = children.as_array().unwrap().iter();
    let ben = ben.find(|child| child["child_id"] != json!(mia)).unwrap();
    let ben = ChildId::new(ben["child_id"].as_u64().unwrap());
    let shown = ada.get(&format!("/api/child/{ben}/rules")).await.json();
    let text = shown["instructions"].as_str().unwrap();
    assert!(
        text.contains("You do not know how old the child is."),
        "{text}"
    );
    assert_eq!(shown["number"], 1);

    set(&ada, ben, "2018-05").await;

    let (_, file) = app.exported().await;
    let read = serde_json::from_str::<Value>(&file).unwrap();
    let versions = &read["children"][1]["rules"];
    assert_eq!(versions[1]["changed"], "birth_month");
    assert!(
        versions[1]["instructions"]
            .as_str()
            .unwrap()
            .contains("8 years old")
    );
}

#[tokio::test]
async fn a_child_that_is_deleted_takes_its_month_along() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    set(&ada, mia, "2018-05").await;
    assert_eq!(app.count_rows("born"), 1);

    let remove = porchlight::admin::RemoveChild {
        child: mia,
        name: "Mia".to_owned(),
    };
    app.run_admin(remove)
        .await
        .0
        .map_err(|error| error.to_string())
        .unwrap();

    assert_eq!(app.count_rows("born"), 0);
}
