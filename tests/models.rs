//! The servers with the models that assistants talk through, and which assistant uses which.

use crate::support::family::{damage, everybody};
use crate::support::features::Facts;
use crate::support::tables::Pages;
use crate::support::test_app::{TestApp, restore};
use crate::support::upstream::{self, Upstream, speak};
use poem::http::Method;
use porchlight::admin::{
    AddAssistant, AddUpstream, AssistantEntry, ChooseUpstream, ListAssistants, ListUpstreams,
    Operation, RemoveUpstream, RevokeAssistant, RotateAssistant, TestUpstream, UpstreamEntry,
    Verify,
};
use porchlight::identity::{AssistantId, KeyKind};
use porchlight::kernel::store::{Read, Record, StoreError, Table};
use porchlight::models::{StoreFailurePolicy, UpstreamForm};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

pub static FACTS: Facts = Facts {
    tables: &[
        // Which model an assistant talks through, as a guardian or the administrator chose; ends when the assistant is revoked.
        (None, None, &["gateway-keys", "gateway-upstreams"]),
    ],
    damaged: &[("gateway-upstreams", Pages::LacksARow(&["getHousehold"]))],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const KEY: &str = "sk-canary-51c0";

fn new_at(name: &str, url: &str) -> AddUpstream {
    AddUpstream {
        name: name.to_owned(),
        url: url.parse().unwrap(),
        key: Some(KEY.to_owned()),
        models: Vec::new(),
        form: UpstreamForm::OpenAi,
    }
}

fn new(name: &str) -> AddUpstream {
    new_at(name, "http://127.0.0.1:1/v1")
}

fn choose(assistant: &str, upstream: Option<&str>) -> ChooseUpstream {
    ChooseUpstream {
        assistant: assistant.to_owned(),
        upstream: upstream.map(str::to_owned),
        when_not_kept: StoreFailurePolicy::Open,
    }
}

fn remove(name: &str) -> RemoveUpstream {
    RemoveUpstream {
        name: name.to_owned(),
    }
}

impl TestApp {
    /// Runs an administrator's request that must succeed.
    async fn arrange<O: Operation>(&self, operation: O) -> O::Answer {
        let (result, _) = self.run_admin(operation).await;
        result.unwrap_or_else(|error| panic!("{error}"))
    }

    async fn refusal(&self, operation: impl Operation) -> String {
        let (result, _) = self.run_admin(operation).await;
        result.err().expect("it is refused").to_string()
    }

    async fn upstreams(&self) -> Vec<UpstreamEntry> {
        self.arrange(ListUpstreams).await.entries
    }

    async fn assistants(&self) -> Vec<AssistantEntry> {
        self.arrange(ListAssistants).await.entries
    }
}

#[tokio::test]
async fn the_name_of_an_upstream_is_unique_ignoring_case() {
    let app = TestApp::new().await;
    app.arrange(new(" Home ")).await;

    let twice = app.refusal(new("home")).await;
    let nobody = app.refusal(remove("cloud")).await;

    assert_eq!(twice, "There is an upstream with the name home already.");
    assert_eq!(
        nobody,
        "There is no upstream with the name cloud. `porchlight upstream list` shows them."
    );
    let listed = app.upstreams().await;
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].name.as_str(), listed[0].has_key), ("Home", true));
    app.arrange(remove("HOME")).await;
    assert!(app.upstreams().await.is_empty());
}

#[tokio::test]
async fn what_is_wrong_with_a_new_upstream_is_said() {
    let app = TestApp::new().await;
    let key = AddUpstream {
        key: Some("two words".to_owned()),
        ..new("home")
    };
    let ollama = AddUpstream {
        form: UpstreamForm::Ollama,
        ..new("home")
    };

    for (new, beginning) in [
        (new("\n"), "An upstream's name has 1 to 64 characters"),
        (key, "An upstream's key has 1 to 4096 characters"),
        (ollama, "Ollama's own API is not below /v1."),
    ] {
        let sentence = app.refusal(new).await;
        assert!(sentence.starts_with(beginning), "{sentence}");
        assert!(!sentence.contains("two words"), "{sentence}");
    }
}

#[tokio::test]
async fn an_upstream_that_an_assistant_uses_is_not_removed() {
    let app = TestApp::new().await;
    app.arrange(new("Home")).await;
    app.gateway_assistant("Kitchen", &[], "home").await;
    app.gateway_assistant("bedroom", &[], "home").await;

    let refused = app.refusal(remove("home")).await;
    assert!(
        refused.starts_with("home is used by Kitchen, bedroom, so it was not removed."),
        "{refused}"
    );
    assert_eq!(app.upstreams().await[0].assistants, ["Kitchen", "bedroom"]);

    for assistant in ["kitchen", "bedroom"] {
        app.arrange(choose(assistant, None)).await;
    }
    app.arrange(remove("home")).await;
}

#[tokio::test]
async fn an_assistant_has_the_upstream_that_was_chosen_last() {
    let app = TestApp::new().await;
    app.arrange(new("Home")).await;
    app.arrange(new("cloud")).await;
    let added = AddAssistant {
        name: "kitchen".to_owned(),
        children: Vec::new(),
        upstream: Some("HOME".to_owned()),
    };
    app.arrange(added).await;
    let entry = app.assistants().await.remove(0);
    assert_eq!(entry.upstream.as_deref(), Some("Home"));
    assert_eq!(entry.when_not_kept, Some(StoreFailurePolicy::Closed));

    app.arrange(choose("kitchen", Some("cloud"))).await;

    let found = app
        .inner
        .gateway
        .upstreams
        .of_key(&app.inner.store, &entry.id);
    let (upstream, chosen) = found.unwrap().unwrap();
    assert_eq!((&*upstream.name, &*chosen.upstream), ("cloud", "cloud"));
    assert_eq!(chosen.when_not_kept, StoreFailurePolicy::Open);
}

#[tokio::test]
async fn an_assistant_is_not_added_with_an_upstream_that_is_not_there() {
    let app = TestApp::new().await;
    let added = AddAssistant {
        name: "kitchen".to_owned(),
        children: Vec::new(),
        upstream: Some("cloud".to_owned()),
    };

    let sentence = app.refusal(added).await;

    assert!(sentence.starts_with("There is no upstream with the name cloud."));
    assert!(app.assistants().await.is_empty());
}

#[tokio::test]
async fn a_revoked_assistant_uses_no_upstream_and_a_rotated_one_keeps_its_own() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    app.arrange(new("home")).await;
    app.gateway_assistant("kitchen", &[mia], "home").await;
    let upstream = json!({"name": "home", "host": "127.0.0.1:1"});
    let body = json!({"name": "bedroom", "children": [mia], "upstream": upstream});
    let connected = ada.post("/api/assistants", &body).await.json();
    let bedroom = connected["assistant"]["assistant_id"]
        .as_str()
        .unwrap()
        .to_owned();

    let name = || "kitchen".to_owned();
    app.arrange(RotateAssistant { name: name() }).await;
    assert_eq!(app.upstreams().await[0].assistants.len(), 2);
    app.arrange(RevokeAssistant { name: name() }).await;
    let path = format!("/api/assistants/{bedroom}");
    let revoked = ada.send(Method::DELETE, &path, &[], None).await;

    assert!(revoked.status.is_success(), "{}", revoked.body);
    let rows = Table::new("gateway-keys").key();
    assert_eq!(app.inner.store.keys_below(&rows, 9).unwrap(), []);
    app.arrange(remove("home")).await;
}

#[tokio::test]
async fn upstreams_and_who_uses_them_are_restored_from_a_backup() {
    let app = TestApp::new().await;
    app.arrange(new("home")).await;
    app.gateway_assistant("kitchen", &[], "home").await;
    let (folder, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = folder.path().join("backup");
    app.back_up(&file).await;

    restore(&file, target.path(), everybody()).unwrap();

    let restored = TestApp::in_temp_dir(target).await;
    let id: AssistantId = restored.assistants().await.remove(0).id;
    let found = restored
        .inner
        .gateway
        .upstreams
        .of_key(&restored.inner.store, &id);
    let (upstream, _) = found.unwrap().unwrap();
    assert_eq!(upstream.name, "home");
    assert!(upstream.key.is_some());
}

#[tokio::test]
async fn an_unreadable_upstream_is_counted_and_can_be_removed() {
    let app = TestApp::new().await;
    app.arrange(new("home")).await;
    app.gateway_assistant("kitchen", &[], "home").await;
    let row = Table::new("gateway-upstreams").key().text("home");
    damage(&app.inner, row, b"\x01\x00{".to_vec()).await;

    let listed = app.arrange(ListUpstreams).await;
    let id = app.assistants().await.remove(0).id;
    let used = app.inner.gateway.upstreams.of_key(&app.inner.store, &id);

    assert_eq!(listed.unreadable, 1);
    assert!(used.is_err(), "it isn't taken for none");
    app.arrange(choose("kitchen", None)).await;
    app.arrange(remove("home")).await;
}

#[tokio::test]
async fn the_key_of_an_upstream_is_in_no_list_no_export_and_no_debug_output() {
    let app = TestApp::new().await;
    let added = app.arrange(new("home")).await;
    app.gateway_assistant("kitchen", &[], "home").await;
    let changed = app.arrange(choose("kitchen", Some("home"))).await;

    let mut texts = vec![app.exported().await.1];
    let json = |answer: Value| answer.to_string();
    texts.push(json(json!(app.arrange(ListUpstreams).await)));
    texts.push(json(json!(app.arrange(ListAssistants).await)));
    texts.push(json(json!(app.arrange(Verify).await)));
    texts.push(json(json!(added)));
    texts.push(json(json!(changed)));
    let upstream = app
        .inner
        .gateway
        .upstreams
        .get(&app.inner.store, "home")
        .unwrap();
    texts.push(format!("{upstream:?}"));
    texts.push(app.refusal(remove("home")).await);

    assert_eq!(texts.iter().filter(|text| text.contains(KEY)).count(), 0);
}

/// Answers each request with what its first line begins with. Everything else gets 404.
async fn scripted(script: &'static [(&str, String)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 8_192];
            let read = stream.read(&mut request).await.unwrap();
            request.truncate(read);
            let found = script
                .iter()
                .find(|(line, _)| request.starts_with(line.as_bytes()));
            let answer = found.map_or_else(|| json_answer(404, "{}"), |(_, it)| it.clone());
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    format!("http://{address}")
}

fn answer(head: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
}

fn json_answer(status: u16, body: &str) -> String {
    answer(
        &format!("{status} -\r\ncontent-type: application/json"),
        body,
    )
}

async fn tested(
    script: Vec<(&'static str, String)>,
    change: fn(&mut AddUpstream),
    path: &str,
    model: Option<&str>,
) -> Result<(Vec<String>, Option<String>), String> {
    let app = TestApp::new().await;
    let url = scripted(Vec::leak(script)).await + path;
    let mut new = new_at("home", &url);
    change(&mut new);
    app.arrange(new).await;
    let request = TestUpstream {
        name: "Home".to_owned(),
        model: model.map(str::to_owned),
    };
    match app.run_admin(request).await.0 {
        Ok(tested) => Ok((tested.models, tested.answered)),
        Err(error) => Err(error.to_string().replace(&url, "URL")),
    }
}

const MODELS: &str = r#"{"data": [{"id": "small"}, {"id": "large"}]}"#;
const CHOICES: &str = r#"{"choices": [{"message": {"content": "H"}}]}"#;

#[tokio::test]
async fn an_upstream_that_works_is_tested() {
    let works = || {
        vec![
            ("GET /v1/models ", json_answer(200, MODELS)),
            ("POST /v1/chat/completions ", json_answer(200, CHOICES)),
        ]
    };
    let models = vec!["small".to_owned(), "large".to_owned()];

    let listed = tested(works(), |_| {}, "/v1", None).await;
    assert_eq!(listed, Ok((models.clone(), None)));
    let asked = tested(works(), |_| {}, "/v1", Some("large")).await;
    assert_eq!(asked, Ok((models.clone(), Some("large".to_owned()))));
    let limited = |new: &mut AddUpstream| new.models = vec!["small".to_owned()];
    let asked = tested(works(), limited, "/v1", None).await;
    assert_eq!(asked, Ok((models, Some("small".to_owned()))));
    let without_a_list = works().split_off(1);
    let asked = tested(without_a_list, limited, "/v1", None).await;
    assert_eq!(asked, Ok((Vec::new(), Some("small".to_owned()))));
}

#[tokio::test]
async fn ollama_is_tested_with_its_own_api() {
    let script = vec![
        (
            "GET /api/tags ",
            json_answer(200, r#"{"models": [{"name": "llama3:latest"}]}"#),
        ),
        (
            "POST /api/chat ",
            json_answer(200, r#"{"message": {"content": "H"}, "done": true}"#),
        ),
    ];

    let ollama = |new: &mut AddUpstream| new.form = UpstreamForm::Ollama;
    let asked = tested(script, ollama, "", Some("llama3")).await;

    let model = || "llama3:latest".to_owned();
    assert_eq!(asked, Ok((vec![model()], Some("llama3".to_owned()))));
}

#[tokio::test]
async fn what_is_wrong_with_an_upstream_is_said_without_what_it_answered() {
    let echo = format!("{{\"error\": \"Incorrect key {KEY}\"}}");
    let page = answer("200 OK\r\ncontent-type: text/html; charset=utf-8", "<html>");
    let moved = answer(
        "301 Moved\r\nlocation: https://me:pw@a.example/v1/models?key=1",
        "",
    );
    let with_key = |_: &mut AddUpstream| {};
    let without: fn(&mut AddUpstream) = |new| new.key = None;
    let list = |answer: String| vec![("GET ", answer)];

    for (script, change, path, sentence) in [
        (
            list(json_answer(401, &echo)),
            with_key as fn(&mut AddUpstream),
            "/v1",
            "The upstream refuses its key (status 401).",
        ),
        (
            list(json_answer(403, &echo)),
            without,
            "/v1",
            "The upstream wants a key (status 403). Remove it, and add it again with --key-file.",
        ),
        (
            list(json_answer(404, &echo)),
            with_key,
            "",
            "There is nothing at URL/models (status 404). Does its URL lack /v1 at the end?",
        ),
        (
            list(json_answer(404, &echo)),
            with_key,
            "/v1",
            "There is nothing at URL/models (status 404).",
        ),
        (
            list(page),
            with_key,
            "",
            "The upstream answered with a web page instead of JSON. Does its URL lack /v1 at the end?",
        ),
        (
            list(json_answer(200, &echo)),
            with_key,
            "/v1",
            "The upstream's answer is not one of OpenAI's API.",
        ),
        (
            list(moved),
            with_key,
            "/v1",
            "The upstream redirects to https://a.example/v1. Redirects are not followed; if that address is right, please \
             add the upstream with it.",
        ),
        (
            list(json_answer(500, &echo)),
            with_key,
            "/v1",
            "The upstream answered with the status 500.",
        ),
        (
            list("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{".to_owned()),
            with_key,
            "/v1",
            "The upstream began an answer that took too long, broke off, or is larger than 4 MB.",
        ),
    ] {
        let refused = tested(script, change, path, None).await;
        assert_eq!(refused, Err(sentence.to_owned()));
    }
}

#[tokio::test]
async fn a_model_that_takes_no_system_messages_is_named() {
    for status in [400, 422, 500] {
        let refusing = Upstream::answering(move |received| {
            let has_system =
                received.method == "POST" && received.json()["messages"][0]["role"] == "system";
            if has_system {
                upstream::Answer::json(&json!({"error": "System role not supported"}))
                    .status(status)
            } else {
                speak(received)
            }
        });
        let server = refusing.await;
        let app = TestApp::new().await;
        let mut new = new_at("home", &format!("{}/v1", server.url()));
        new.models = vec!["family-model".to_owned()];
        app.arrange(new).await;
        let test = || TestUpstream {
            name: "home".to_owned(),
            model: None,
        };

        let sentence = app.refusal(test()).await;

        let expected = "The model family-model takes no system messages, so rules can't reach it.";
        assert!(sentence.starts_with(expected), "{sentence}");
    }
}

#[tokio::test]
async fn a_model_that_the_upstream_does_not_have_is_named() {
    let script = vec![("GET /v1/models ", json_answer(200, MODELS))];

    let refused = tested(script, |_| {}, "/v1", Some("huge")).await;

    let sentence = "The upstream does not have the model huge.";
    assert_eq!(refused, Err(sentence.to_owned()));
}

#[tokio::test]
async fn an_upstream_that_is_not_there_is_said_to_be_unreachable() {
    let app = TestApp::new().await;
    app.arrange(new("home")).await;
    let request = TestUpstream {
        name: "home".to_owned(),
        model: None,
    };

    let sentence = app.refusal(request).await;

    let expected = "The upstream cannot be reached: no program listens at that port.";
    assert_eq!(sentence, expected);
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
struct AnyRecord(Map<String, Value>);

impl Record for AnyRecord {}

#[tokio::test]
async fn a_key_from_before_there_were_kinds_is_the_gateways_if_it_has_an_upstream() {
    let app = TestApp::new().await;
    app.arrange(new("home")).await;
    app.gateway_assistant("chat", &[], "home").await;
    app.assistant("plug-in", &[]).await;
    let changed = app.inner.store.commit(|change| {
        for key in change.keys_below(&Table::new("assistant").key(), 9)? {
            let mut record = change.get::<AnyRecord>(&key)?.unwrap();
            record.0.remove("kind").unwrap();
            change.put(&key, &record)?;
        }
        let done = Table::new("backfill").key().text("gateway-key-kinds");
        assert!(change.remove(&done)?);
        Ok::<_, StoreError>(())
    });
    changed.await.unwrap();

    let app = app.restarted().await;

    let kinds = app.assistants().await.into_iter();
    let kinds = kinds.map(|entry| (entry.name, entry.kind.unwrap()));
    let mut kinds = kinds.collect::<Vec<_>>();
    kinds.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = [
        ("chat".to_owned(), KeyKind::Gateway),
        ("plug-in".to_owned(), KeyKind::AssistantApi),
    ];
    assert_eq!(kinds, expected);
}
