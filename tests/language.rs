//! The language that a child speaks with its assistants.

use std::pin::pin;

use futures_util::FutureExt;
use poem::http::Method;
use porchlight::admin::{AddChild, RemoveChild, Seed};
use porchlight::children::ChildId;
use porchlight::kernel::host::language::Language;
use porchlight::rules::schedule::Why;
use serde_json::{Value, json};

use crate::support::features::Facts;
use crate::support::operations::part;
use crate::support::tables::Pages;
use crate::support::test_app::{Persona, TestApp};

pub static FACTS: Facts = Facts {
    tables: &[(None, None, &["child-language"])],
    damaged: &[(
        "child-language",
        Pages::ClosedAndUnknown(
            &["getChildLanguage"],
            &["getRules", "getAssistantRules", "getRulesForAll"],
        ),
    )],
    writes: &[
        // Only one of four languages.
        part(
            "replaceChildLanguage",
            "language",
            |_| json!({"language": "de"}),
        )
        .with_few_values(),
    ],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

const UNKNOWN: &str = "Speak with the child in the child's own language.";
const GERMAN: &str = "Speak German with the child unless it speaks another language.";

fn language(child: ChildId) -> String {
    format!("/api/child/{child}/language")
}

fn rules(child: ChildId) -> String {
    format!("/api/assistant/child/{child}/rules")
}

async fn set(guardian: &Persona<'_>, child: ChildId, code: &str) {
    let body = json!({ "language": code });
    let answer = guardian.put(&language(child), &body).await;
    assert_eq!(answer.json(), body);
}

async fn pause(guardian: &Persona<'_>, child: ChildId) {
    let times = json!({"time_zone": "UTC", "quiet_hours": [], "pause": {}});
    let path = format!("/api/child/{child}/times");
    guardian.put(&path, &times).await.ok();
}

async fn told(robot: &Persona<'_>, path: &str) -> String {
    let rules = robot.get(path).await.json();
    rules["instructions"].as_str().unwrap().to_owned()
}

async fn goodbye(robot: &Persona<'_>, path: &str) -> Value {
    robot.get(path).await.json()["talk"]["goodbye"].clone()
}

#[tokio::test]
async fn a_language_is_said_changed_and_removed_and_each_change_is_in_the_history() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    assert_eq!(ada.get(&language(mia)).await.json(), json!({}));

    set(&ada, mia, "de").await;

    assert_eq!(ben.get(&language(mia)).await.json()["language"], "de");
    set(&ada, mia, "de").await;
    assert_eq!(ben.history(mia).await, ["language"]);
    set(&ben, mia, "fr").await;
    let removed = ada.put(&language(mia), &json!({})).await;
    assert_eq!(removed.json(), json!({}));
    assert_eq!(ben.get(&language(mia)).await.json(), json!({}));
    assert_eq!(ada.history(mia).await, ["language"; 3]);
    for body in [
        json!({"language": "pl"}),
        json!({"language": null}),
        json!({"language": "DE"}),
    ] {
        ada.put(&language(mia), &body).await.problem(400);
    }
}

#[tokio::test]
async fn another_family_can_neither_read_nor_change_it() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA]).await;
    set(&ada, mia, "de").await;

    ben.get(&language(mia)).await.problem(404);
    ben.put(&language(mia), &json!({})).await.problem(404);

    assert_eq!(ada.get(&language(mia)).await.json()["language"], "de");
}

#[tokio::test]
async fn an_assistant_is_told_the_language_and_says_goodbye_in_it() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    pause(&ada, mia).await;
    let unknown = told(&robot, &rules(mia)).await;
    assert!(unknown.contains(UNKNOWN), "{unknown}");
    assert_eq!(
        goodbye(&robot, &rules(mia)).await,
        "We are taking a break from talking now. I look forward to next time!"
    );

    set(&ada, mia, "de").await;

    let german = told(&robot, &rules(mia)).await;
    assert_eq!(german.replace(GERMAN, UNKNOWN), unknown);
    let shown = ada.get(&format!("/api/child/{mia}/rules")).await.json();
    assert_eq!(shown["instructions"], german);
    let expected = "Wir machen jetzt eine Pause. Ich freue mich auf das nächste Mal!";
    assert_eq!(goodbye(&robot, &rules(mia)).await, expected);
    assert_eq!(shown["talk"]["goodbye"], expected);
    let versions = ada.get(&format!("/api/child/{mia}/rules/history")).await;
    assert_eq!(versions.json()["items"][0]["changed"], "language");
    ada.put(&language(mia), &json!({})).await.ok();
    assert_eq!(told(&robot, &rules(mia)).await, unknown);
}

#[test]
fn each_goodbye_is_listed_for_native_speakers() {
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/languages.md");
    let listed = std::fs::read_to_string(document).unwrap();

    for why in [Why::Paused, Why::QuietHours, Why::TimeUsedUp] {
        for language in Language::ALL {
            let goodbye = why.goodbye(language);
            assert!(
                listed.contains(goodbye),
                "docs/languages.md lacks {goodbye}"
            );
        }
    }
}

#[test]
fn the_sentences_about_alerts_are_listed_for_native_speakers() {
    let read = |path: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        std::fs::read_to_string(path).unwrap()
    };
    let document = read("docs/languages.md");
    let (_, section) = document
        .split_once("\n## E-mails and notifications about alerts\n")
        .unwrap();
    let mut listed = 0;
    for (name, code) in [("German", "de"), ("French", "fr"), ("Spanish", "es")] {
        let texts = read(&format!("src/kernel/host/texts/{code}.ftl"));
        let texts = texts.replace("{ $", "{").replace(" }", "}");
        let marked = format!("  * {name}: ");
        for sentence in section.lines().filter_map(|it| it.strip_prefix(&*marked)) {
            assert!(texts.contains(sentence), "{code}.ftl lacks {sentence}");
            listed += 1;
        }
    }
    assert!(listed >= 33, "{listed}");
}

#[tokio::test]
async fn another_language_answers_an_assistant_that_waits() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    pause(&ada, mia).await;
    set(&ada, mia, "fr").await;
    let tag = robot.get(&rules(mia)).await.header("etag").to_owned();
    let headers = [("If-None-Match", &*tag)];
    let path = format!("{}?wait=60", rules(mia));
    let mut call = pin!(robot.send(Method::GET, &path, &headers, None));
    assert!((&mut call).now_or_never().is_none(), "it waits");

    let (answer, ()) = tokio::join!(call, set(&ada, mia, "es"));

    let rules = answer.json();
    let text = rules["instructions"].as_str().unwrap();
    assert!(text.contains("Speak Spanish with the child"), "{text}");
    let goodbye = rules["talk"]["goodbye"].as_str().unwrap();
    assert!(goodbye.starts_with("Ahora hacemos una pausa."), "{goodbye}");
    assert_ne!(answer.header("etag"), tag);
}

#[tokio::test]
async fn a_key_for_several_children_is_told_the_language_that_they_share() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[ADA]).await,
    );
    let both = app.assistant("both", &[mia, leo]).await;
    let all = "/api/assistant/rules";
    pause(&ada, leo).await;
    set(&ada, mia, "de").await;
    assert!(told(&both, all).await.contains(UNKNOWN));
    let english = goodbye(&both, all).await;
    assert!(english.as_str().unwrap().starts_with("We are taking"));
    let before = both.get(all).await;

    set(&ada, leo, "de").await;

    assert!(told(&both, all).await.contains(GERMAN));
    let german = goodbye(&both, all).await;
    assert!(german.as_str().unwrap().starts_with("Wir machen"));
    assert_ne!(both.get(all).await.header("etag"), before.header("etag"));
    set(&ada, leo, "fr").await;
    assert!(told(&both, all).await.contains(UNKNOWN));
    assert_eq!(goodbye(&both, all).await, english);
    // Each child's own rules name its own language.
    assert!(told(&both, &rules(mia)).await.contains(GERMAN));
}

#[tokio::test]
async fn it_is_said_with_a_new_child_and_is_in_its_file_and_ends_with_it() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let body = json!({"name": "Mia", "language": "de"});
    let added = ada.post("/api/children", &body).await.json();
    let mia = ChildId::new(added["child_id"].as_u64().unwrap());
    let add = AddChild {
        name: "Leo".to_owned(),
        guardians: vec![ADA.parse().unwrap()],
        language: Some(Language::Fr),
        ..AddChild::default()
    };
    let leo = app.run_admin(add).await.0.ok().unwrap().child_id;
    assert_eq!(ada.get(&language(mia)).await.json()["language"], "de");
    assert_eq!(ada.get(&language(leo)).await.json()["language"], "fr");
    assert_eq!(ada.history(mia).await, ["child_added"]);

    let (_, file) = app.exported().await;

    let read = serde_json::from_str::<Value>(&file).unwrap();
    let languages = read["children"].as_array().unwrap().iter();
    let languages = languages.map(|child| child["language"].clone());
    assert_eq!(languages.collect::<Vec<_>>(), ["de", "fr"]);
    let other = TestApp::new().await;
    let seeded = other.run_admin(Seed { text: file.clone() }).await.0;
    seeded.map_err(|error| error.to_string()).unwrap();
    let ada = other.stepped_up(ADA).await;
    let children = ada.get("/api/children").await.json();
    let copied = ChildId::new(children[0]["child_id"].as_u64().unwrap());
    let text = ada.get(&format!("/api/child/{copied}/rules")).await.json();
    let text = text["instructions"].as_str().unwrap().to_owned();
    assert!(text.contains(GERMAN), "{text}");
    let broken = file.replace("\"language\": \"de\"", "\"language\": \"pl\"");
    assert_ne!(broken, file);
    let refused = TestApp::new().await.run_admin(Seed { text: broken }).await;
    assert!(refused.0.is_err());
    assert_eq!(app.count_rows("child-language"), 2);
    let remove = RemoveChild {
        child: mia,
        name: "Mia".to_owned(),
    };
    let removed = app.run_admin(remove).await.0;
    removed.map_err(|error| error.to_string()).unwrap();
    assert_eq!(app.count_rows("child-language"), 1);
}
