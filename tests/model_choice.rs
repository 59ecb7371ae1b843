//! Guardians choose the model's server of an assistant, and all guardians of its children see where what is said goes.

use crate::support::family::damage;
use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::test_app::{PUBLIC_URL, Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::{AddUpstream, ChooseUpstream, ListAssistants};
use porchlight::children::ChildId;
use porchlight::kernel::store::Table;
use porchlight::models::UpstreamForm;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    writes: &[write("chooseAssistantUpstream", None, |_| json!({})).with_few_values()],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

async fn add_upstream(app: &TestApp, name: &str, url: &str) {
    let new = AddUpstream {
        name: name.to_owned(),
        url: url.parse().unwrap(),
        key: Some("sk-canary-77".to_owned()),
        models: vec!["llama3".to_owned()],
        form: UpstreamForm::OpenAi,
    };
    app.run_admin(new).await.0.unwrap();
}

fn cloud() -> Value {
    json!({"name": "Cloud", "host": "api.example.org"})
}

async fn connect(
    guardian: &Persona<'_>,
    name: &str,
    children: &[ChildId],
    upstream: &Value,
) -> Response {
    let body = json!({"name": name, "children": children, "upstream": upstream});
    guardian.post("/api/assistants", &body).await
}

fn path_of(connected: &Response) -> String {
    let id = connected.json()["assistant"]["assistant_id"].clone();
    format!("/api/assistants/{}", id.as_str().unwrap())
}

async fn household(guardian: &Persona<'_>) -> Value {
    guardian.get("/api/household").await.json()
}

#[tokio::test]
async fn the_page_lists_what_the_administrator_added_without_urls_and_keys() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let before = household(&ada).await;
    assert_eq!(
        (&before["gateway"], &before["upstreams"]),
        (&Value::Null, &json!([]))
    );

    add_upstream(&app, "Cloud", "https://api.example.org/secret-path/v1").await;

    let listed = ada.get("/api/household").await;
    let household = listed.json();
    let address = format!("{PUBLIC_URL}/gateway/v1");
    assert_eq!(household["gateway"], json!(address));
    let expected = json!([
        {"name": "Cloud", "host": "api.example.org", "form": "openai", "models": ["llama3"]},
    ]);
    assert_eq!(household["upstreams"], expected);
    assert!(!listed.body.contains("canary") && !listed.body.contains("secret-path"));
}

#[tokio::test]
async fn all_guardians_of_a_child_see_where_what_is_said_goes() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let leo = app.child("Leo", &[ADA]).await;
    add_upstream(&app, "Cloud", "https://api.example.org/v1").await;

    let connected = connect(&ada, "chat", &[mia, leo], &cloud()).await;

    let mut own = cloud();
    own["suffixes"] = json!([
        {"child_id": mia, "suffix": "@Mia"},
        {"child_id": leo, "suffix": "@Leo"},
    ]);
    assert_eq!(connected.json()["assistant"]["upstream"], own);
    assert_eq!(household(&ada).await["assistants"][0]["upstream"], own);
    // The names of another guardian's children are not Ben's to see.
    assert_eq!(household(&ben).await["assistants"][0]["upstream"], cloud());
    let expected = ["assistant_upstream", "assistant_connected"];
    assert_eq!(ben.history(mia).await, expected);
    assert_eq!(ada.history(leo).await, expected);
}

#[tokio::test]
async fn a_server_with_another_host_than_the_page_showed_is_not_used() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    add_upstream(&app, "Cloud", "https://elsewhere.example/v1").await;
    let gone = json!({"name": "Gone", "host": "api.example.org"});

    for choice in [cloud(), gone] {
        let sentence = connect(&ada, "chat", &[mia], &choice).await.problem(409);
        assert!(sentence.contains("nothing was changed"), "{sentence}");
    }
    assert_eq!(household(&ada).await["assistants"], json!([]));
    assert!(ada.history(mia).await.is_empty());

    let elsewhere = json!({"name": "cloud", "host": "elsewhere.example"});
    let connected = connect(&ada, "chat", &[mia], &elsewhere).await;
    let path = format!("{}/upstream", path_of(&connected));
    ada.put(&path, &json!({"upstream": cloud()}))
        .await
        .problem(409);
    let upstream = household(&ada).await["assistants"][0]["upstream"].clone();
    assert_eq!(upstream["host"], "elsewhere.example");
}

#[tokio::test]
async fn choosing_requires_a_step_up_and_an_assistant_of_ones_own_children() {
    let app = TestApp::new().await;
    let (stepped_up, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let leo = app.child("Leo", &[ADA]).await;
    let eve = app.guardian("eve@example.org").await;
    add_upstream(&app, "Cloud", "https://api.example.org/v1").await;
    let connected = connect(&stepped_up, "chat", &[mia, leo], &cloud()).await;
    let path = format!("{}/upstream", path_of(&connected));
    let none = json!({});

    let ada = app.not_stepped_up(ADA).await;
    ada.put(&path, &none).await.problem(403);
    ben.put(&path, &none).await.problem(409);
    eve.put(&path, &none).await.problem(404);

    stepped_up.put(&path, &none).await.ok();
    assert_eq!(
        household(&ada).await["assistants"][0]["upstream"],
        Value::Null
    );
    assert_eq!(ben.history(mia).await[0], "assistant_upstream");
    let chosen = json!({"upstream": cloud()});
    let assistant = stepped_up.put(&path, &chosen).await.json();
    assert_eq!(assistant["upstream"]["host"], "api.example.org");
}

#[tokio::test]
async fn an_assistant_with_a_plug_in_is_given_no_server() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    add_upstream(&app, "Cloud", "https://api.example.org/v1").await;
    let body = json!({"name": "Kitchen", "children": [mia]});
    let connected = ada.post("/api/assistants", &body).await;
    assert_eq!(connected.json()["assistant"]["kind"], "plug_in");
    let path = format!("{}/upstream", path_of(&connected));

    let sentence = ada
        .put(&path, &json!({"upstream": cloud()}))
        .await
        .problem(409);

    assert!(sentence.contains("has a plug-in"), "{sentence}");
    let chat = connect(&ada, "chat", &[mia], &cloud()).await;
    assert_eq!(chat.json()["assistant"]["kind"], "gateway");
    let path = format!("{}/upstream", path_of(&chat));
    let without = ada.put(&path, &json!({})).await.json();
    assert_eq!(without["kind"], "gateway", "it stays what it is for");
    ada.put(&path, &json!({"upstream": cloud()})).await.ok();
}

#[tokio::test]
async fn choosing_another_server_keeps_what_happens_to_words_that_cannot_be_kept() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    add_upstream(&app, "Home", "http://127.0.0.1:1").await;
    add_upstream(&app, "Cloud", "https://api.example.org/v1").await;
    let home = json!({"name": "Home", "host": "127.0.0.1:1"});
    let connected = connect(&ada, "chat", &[mia], &home).await;
    let open = ChooseUpstream {
        assistant: "chat".to_owned(),
        upstream: Some("Home".to_owned()),
        when_not_kept: porchlight::models::StoreFailurePolicy::Open,
    };
    app.run_admin(open).await.0.unwrap();

    let path = format!("{}/upstream", path_of(&connected));
    ada.put(&path, &json!({"upstream": cloud()})).await.ok();

    let listed = app.run_admin(ListAssistants).await.0.unwrap();
    let listed = serde_json::to_value(&listed.entries).unwrap().to_string();
    assert!(listed.contains(r#""when_not_kept":"open""#), "{listed}");
    assert!(listed.contains("Cloud"), "{listed}");
}

#[tokio::test]
async fn an_assistant_with_an_unreadable_server_can_be_given_another_and_revoked() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    add_upstream(&app, "Home", "http://127.0.0.1:1").await;
    add_upstream(&app, "Cloud", "https://api.example.org/v1").await;
    let home = json!({"name": "Home", "host": "127.0.0.1:1"});
    let connected = connect(&ada, "chat", &[mia], &home).await;
    let row = Table::new("gateway-upstreams").key().text("home");
    damage(&app.inner, row, b"\x01\x00{".to_vec()).await;

    let listed = ada.get("/api/household").await;
    assert_eq!(listed.header("unreadable-rows"), "1");
    assert_eq!(listed.json()["assistants"][0]["upstream"], Value::Null);

    let path = path_of(&connected);
    let chosen = json!({"upstream": cloud()});
    ada.put(&format!("{path}/upstream"), &chosen).await.ok();
    ada.send(Method::DELETE, &path, &[], None).await.ok();
}
