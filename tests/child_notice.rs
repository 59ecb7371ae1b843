//! The page that tells a child what is kept.

use crate::support::features::Facts;
use crate::support::operations::part;
use crate::support::test_app::TestApp;
use serde_json::json;

pub static FACTS: Facts = Facts {
    tables: &[(None, None, &["page-for-child"])],
    writes: &[part(
        "chooseChildNoticeEdition",
        "for_child",
        |_| json!({"edition": "younger"}),
    )
    .with_few_values()],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

#[tokio::test]
async fn the_page_names_who_reads_and_who_talks_and_not_what_is_blocked() {
    let app = TestApp::new().await;
    let ada = app.named_guardian(ADA, "Ada").await;
    app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let path = format!("/api/child/{mia}/for_child");
    app.assistant("Kitchen", &[mia]).await;
    let topics = format!("/api/child/{mia}/blocked_topics");
    ada.put(&topics, &json!(["Ghosts"])).await.ok();

    let page = ada.get(&path).await;

    assert_eq!(
        page.json(),
        json!({
            "child_name": "Mia",
            "guardians": ["Ada"],
            "nameless_guardians": 1,
            "reviewed": false,
            "assistants": ["Kitchen"],
            "told_age": [],
            "tested": [],
        })
    );
}

#[tokio::test]
async fn the_edition_is_chosen_for_all_guardians_and_each_change_is_in_the_history() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let ben = app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let path = format!("/api/child/{mia}/for_child");

    for edition in ["younger", "older", "older"] {
        let choice = json!({ "edition": edition });
        ada.put(&path, &choice).await.ok();
    }

    assert_eq!(ben.get(&path).await.json()["edition"], "older");
    let history = ben.get(&format!("/api/child/{mia}/history")).await.json();
    let entries = history["items"].as_array().unwrap();
    let changes = entries.iter().map(|entry| entry["what"].as_str().unwrap());
    assert_eq!(
        changes.collect::<Vec<_>>(),
        ["page_for_child", "page_for_child"]
    );
    let unknown = json!({"edition": "oldest"});
    ada.put(&path, &unknown).await.problem(400);
    assert_eq!(ada.get(&path).await.json()["edition"], "older");
}

#[tokio::test]
async fn the_page_ends_with_the_administrators_helpline() {
    let helpline = Some("Childline 0800 1111".parse().unwrap());
    let app = TestApp::adjusted(|app| app.child_notices.helpline = helpline).await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;

    let page = ada.get(&format!("/api/child/{mia}/for_child")).await;

    assert_eq!(page.json()["helpline"], "Childline 0800 1111");
}
