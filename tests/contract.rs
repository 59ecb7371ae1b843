//! The committed openapi.yaml is what the code describes. `support/contract.rs` checks each response of every test against it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::contract;
use crate::support::family;
use crate::support::operations::{OPERATIONS, READ_OPERATIONS};
use crate::support::test_app::TestApp;
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode};
use porchlight::server;
use serde_json::{Value, json};

const COMMITTED: &str = include_str!("../openapi.yaml");

#[test]
fn the_committed_contract_matches_the_code() {
    assert!(
        server::contract() == COMMITTED,
        "openapi.yaml is stale: run `make generate` and commit what it changes"
    );
}

/// The promise to whoever writes a plug-in.
#[tokio::test]
async fn the_assistants_document_does_not_change_without_a_version() {
    let (version, document) = server::assistant_contract();
    let file = format!(
        "{}/docs/assistant-openapi-{version}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let promised = fs::read_to_string(&file).unwrap_or_default();

    assert!(
        document == promised,
        "raise VERSION in src/server/docs/assistant.rs, run `make generate`, and commit the new file beside {file}"
    );
    let app = TestApp::new().await;
    let answered = app.anonymous().get("/api/assistant/openapi.json").await;
    let same = serde_json::from_str::<Value>(&promised).unwrap();
    assert_eq!(answered.json(), same);
    let length = answered.body.len();
    assert!(length < 30_000, "{length}");
    let parsed = Contract(answered.json());
    let operations = parsed.operations().map(|(name, _)| name.to_owned());
    let of_assistants = OPERATIONS
        .iter()
        .filter(|operation| operation.is_by_assistant());
    let of_assistants = of_assistants.map(|operation| operation.name.to_owned());
    let plugin = ["downloadPlugin".to_owned()];
    assert_eq!(
        operations.collect::<BTreeSet<_>>(),
        of_assistants.chain(plugin).collect()
    );
}

/// POST operations that create nothing: they read, change what there is, or exchange a credential for an identity token.
const CREATES_NOTHING: [&str; 13] = [
    "claimPairing",
    "completePairing",
    "deliver",
    "issueIdentityToken",
    "openInvitation",
    "searchTranscripts",
    "sendTest",
    "signIn",
    "signInWithRecoveryCode",
    "signInWithSetupLink",
    "stepUp",
    "tryWatchedPhrase",
    "useAddressLink",
];

#[tokio::test]
async fn every_operation_has_a_name_a_tag_a_summary_and_its_statuses() {
    let app = TestApp::new().await;
    let contract = app.anonymous().get("/api/openapi.json").await.json();
    let (mut names, mut posts) = (Vec::new(), Vec::new());

    for (path, item) in contract["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap_or_default();
            let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric());
            assert!(plain, "{method} {path} has no camelCase operationId");
            assert_eq!(
                operation["tags"].as_array().map(Vec::len),
                Some(1),
                "{name}"
            );
            assert!(operation["summary"].is_string(), "{name} has no summary");
            let is_assistants = operation["tags"][0] == "assistant";
            let of_any = ["default", "429", "503"];
            let listed = if is_assistants {
                &of_any[..]
            } else {
                &of_any[..1]
            };
            for status in listed {
                assert!(
                    operation["responses"].get(status).is_some(),
                    "{name} lacks {status}"
                );
            }
            let security = operation.get("security").unwrap_or(&contract["security"]);
            if security != &json!([]) {
                for status in ["401", "403"] {
                    assert!(
                        operation["responses"].get(status).is_some(),
                        "{name} lacks {status}"
                    );
                }
            }
            if method == "post" && operation["responses"].get("200").is_some() {
                posts.push(name);
            }
            names.push(name.to_owned());
        }
    }
    posts.sort_unstable();
    assert_eq!(posts, CREATES_NOTHING, "what creates something answers 201");

    // Go's constructors are called so.
    let schemas = contract["components"]["schemas"].as_object().unwrap();
    let constructors = schemas.keys().filter(|name| {
        let created = name.strip_prefix("New");
        created.is_some_and(|name| schemas.contains_key(name))
    });
    assert_eq!(constructors.collect::<Vec<_>>(), [""; 0]);
    let mut distinct = names.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), names.len(), "an operationId is used twice");
}

#[tokio::test]
async fn the_docs_page_lists_the_guardians_credential_first() {
    let app = TestApp::new().await;
    let docs = app.anonymous().get("/api/docs").await;
    docs.ok();

    let (_, schemes) = docs.body.split_once("\"securitySchemes\": {").unwrap();
    let guardian = schemes.find("\"guardian\": {").unwrap();
    let assistant = schemes.find("\"assistant\": {").unwrap();

    assert!(guardian < assistant);
}

/// openapi.yaml, as a client generator reads it.
struct Contract(Value);

impl Contract {
    async fn of(app: &TestApp) -> Self {
        Self(app.anonymous().get("/api/openapi.json").await.json())
    }

    /// Resolves references. Returns the schema, parameter, header or response and its name, if it has one.
    fn resolve<'a>(&'a self, mut schema: &'a Value) -> (&'a Value, Option<&'a str>) {
        let mut name = None;
        while let Some(reference) = schema["$ref"].as_str() {
            name = reference.rsplit('/').next();
            schema = self.0.pointer(&reference[1..]).unwrap();
        }
        (schema, name)
    }

    /// Returns a composed schema's parts.
    fn parts<'a>(schema: &'a Value, how: &str) -> impl Iterator<Item = &'a Value> {
        schema[how].as_array().into_iter().flatten()
    }

    fn operations(&self) -> impl Iterator<Item = (&str, &Value)> {
        let paths = self.0["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|item| item.as_object().unwrap().values());
        operations.map(|operation| (operation["operationId"].as_str().unwrap(), operation))
    }

    /// Returns the schema of an operation's JSON response.
    fn answered(operation: &Value) -> Option<&Value> {
        let responses = operation["responses"].as_object().unwrap();
        let (_, success) = responses
            .iter()
            .find(|(status, _)| status.starts_with('2'))?;
        success["content"].get("application/json")?.get("schema")
    }

    /// Visits all nested schemas with their paths, and each named schema once.
    fn walk(
        &self,
        schema: &Value,
        place: &str,
        seen: &mut BTreeSet<String>,
        look: &mut impl FnMut(&Value, &str),
    ) {
        let (schema, name) = self.resolve(schema);
        if name.is_some_and(|name| !seen.insert(name.to_owned())) {
            return;
        }
        let place = name.unwrap_or(place);
        look(schema, place);
        for how in ["allOf", "anyOf", "oneOf"] {
            for part in Self::parts(schema, how) {
                self.walk(part, place, seen, look);
            }
        }
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            self.walk(property, &format!("{place}.{field}"), seen, look);
        }
        if let Some(items) = schema.get("items") {
            self.walk(items, &format!("{place}[]"), seen, look);
        }
    }
}

/// Lists whose fields the specification names, and codes that are created and shown once.
const OTHER_LISTS: [&str; 13] = [
    "listAlerts",
    "listBlockedTopics",
    "listChildren",
    "listCompletedActivities",
    "listFeedback",
    "listMessages",
    "listSessions",
    "listUpcomingActivities",
    "listWatchedPhrases",
    "makeRecoveryCodes",
    "replaceBlockedTopics",
    "replaceWatchedPhrases",
    "searchTranscripts",
];

#[tokio::test]
async fn every_list_is_answered_as_items_and_next() {
    let app = TestApp::new().await;
    let contract = Contract::of(&app).await;
    let mut others = Vec::new();

    for (name, operation) in contract.operations() {
        let Some(schema) = Contract::answered(operation) else {
            continue;
        };
        let (schema, _) = contract.resolve(schema);
        let fields = schema["properties"].as_object();
        let is_array = |schema: &Value| contract.resolve(schema).0["type"] == "array";
        let is_only_a_list =
            || fields.is_some_and(|fields| fields.len() == 1 && fields.values().all(is_array));
        let has = |field: &str| fields.is_some_and(|fields| fields.contains_key(field));
        let is_list =
            name.starts_with("list") || is_array(schema) || has("next") || is_only_a_list();
        if is_list && !(has("next") && is_array(&schema["properties"]["items"])) {
            others.push(name);
        }
    }

    others.sort_unstable();
    assert_eq!(others, OTHER_LISTS);
}

/// Times with names of their own: the specification's, and events with no time but `at`.
const OTHER_TIMES: [&str; 18] = [
    "AccessLog.today",
    "AccessWeek.week",
    "Alert.at",
    "AssistantFeedback.at",
    "CompletedActivity.date",
    "DeletedSession.date",
    "HistoryEntry.at",
    "LastSession.date",
    "Message.timestamp",
    "MessageRequest.timestamp",
    "ReceiptRequest.at",
    "SearchMatch.date",
    "SearchMatch.timestamp",
    "SearchPage.searched_back_to",
    "Session.date",
    "SessionOfTopic.date",
    "SessionReceipt.at",
    "TriedMatch.timestamp",
];

/// `.github/CONTRIBUTING.md` has the table.
#[tokio::test]
async fn every_kind_of_time_has_one_name() {
    let app = TestApp::new().await;
    let contract = Contract::of(&app).await;
    let (mut others, mut no_times) = (Vec::new(), Vec::new());

    for (name, schema) in contract.0["components"]["schemas"].as_object().unwrap() {
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            let (property, _) = contract.resolve(property);
            let last_word = field.rsplit('_').next().unwrap();
            let is_moment = matches!(last_word, "since" | "until")
                || matches!(last_word, "at" | "time") && last_word != field;
            let is_day = last_word == "on" && last_word != field;
            let place = format!("{name}.{field}");
            match property["format"].as_str() {
                Some("date-time") if is_moment => {}
                Some("date") if is_day || matches!(field.as_str(), "from" | "to" | "day") => {}
                Some("date-time" | "date") => others.push(place),
                _ if is_moment || is_day => no_times.push(place),
                _ => {}
            }
        }
    }

    others.sort_unstable();
    assert_eq!(others, OTHER_TIMES);
    assert_eq!(no_times, [""; 0], "named like a time");
}

#[tokio::test]
async fn the_headers_of_versions_are_written_once() {
    let app = TestApp::new().await;
    let contract = Contract::of(&app).await;
    let mut inline = Vec::new();

    for (name, operation) in contract.operations() {
        let parameters = Contract::parts(operation, "parameters");
        let parameters = parameters.filter(|it| it["in"] == "header");
        inline.extend(parameters.map(|it| format!("{name} {}", it["name"])));
        // The assistants' document stands alone.
        let is_assistants = operation["tags"][0] == "assistant";
        for response in operation["responses"].as_object().unwrap().values() {
            let tag = response["headers"].get("ETag");
            if !is_assistants && tag.is_some_and(|tag| tag.get("$ref").is_none()) {
                inline.push(format!("{name} ETag"));
            }
        }
    }

    assert_eq!(inline, [""; 0]);
}

/// Limited elsewhere: heads have a total limit, and topics are normalized before they are counted.
const LIMITED_ELSEWHERE: [&str; 11] = [
    "getAssistantBlockedTopics If-None-Match",
    "getAssistantRules If-None-Match",
    "getRulesForAll If-None-Match",
    "replaceBlockedTopics If-Match",
    "replaceBlockedTopics",
    "replaceContext If-Match",
    "confirmRequest If-Match",
    "replaceTimes If-Match",
    "replaceWatchedPhrases If-Match",
    "confirmInvitation If-Match",
    "replaceSubscription If-Match",
];

#[tokio::test]
async fn every_string_and_list_in_a_request_has_a_documented_limit() {
    let app = TestApp::new().await;
    let contract = Contract::of(&app).await;
    let mut without = Vec::new();
    let (mut texts, mut lists) = (0, 0);

    for (name, operation) in contract.operations() {
        let parameters = Contract::parts(operation, "parameters").map(|it| {
            let (it, _) = contract.resolve(it);
            (
                format!("{name} {}", it["name"].as_str().unwrap()),
                &it["schema"],
            )
        });
        let bodies = operation["requestBody"]["content"].as_object();
        let bodies = bodies
            .into_iter()
            .flat_map(|contents| contents.values())
            .map(|content| (name.to_owned(), &content["schema"]));
        for (place, schema) in parameters.chain(bodies) {
            contract.walk(
                schema,
                &place,
                &mut BTreeSet::new(),
                &mut |schema, place| {
                    let bounded = match schema["type"].as_str() {
                        Some("string") => {
                            texts += 1;
                            schema.get("maxLength").is_some()
                                || schema.get("enum").is_some()
                                || schema["format"] == "date-time"
                        }
                        Some("array") => {
                            lists += 1;
                            schema.get("maxItems").is_some()
                        }
                        _ => true,
                    };
                    if !bounded {
                        without.push(place.to_owned());
                    }
                },
            );
        }
    }

    assert!(texts > 20 && lists > 2, "{texts} texts and {lists} lists");
    assert_eq!(without, LIMITED_ELSEWHERE, "these have no limit");
}

/// The text of all Rust files in a folder.
fn sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap();
    let texts = entries.map(|entry| {
        let path = entry.unwrap().path();
        match path.extension() {
            _ if path.is_dir() => sources(&path),
            Some(extension) if extension == "rs" => fs::read_to_string(&path).unwrap(),
            _ => String::new(),
        }
    });
    texts.collect()
}

#[tokio::test]
async fn each_field_of_an_answer_is_read_by_a_test() {
    let contract = Contract::of(&TestApp::new().await).await;
    let mut fields = BTreeSet::new();
    for (name, operation) in contract.operations() {
        if let Some(schema) = Contract::answered(operation) {
            contract.walk(schema, name, &mut BTreeSet::new(), &mut |schema, _| {
                let names = schema["properties"].as_object().into_iter().flatten();
                fields.extend(names.map(|(name, _)| name.clone()));
            });
        }
    }
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"));
    let quoted = sources.split('"').collect::<BTreeSet<_>>();
    let not_read = fields.iter().filter(|it| !quoted.contains(it.as_str()));

    assert_eq!(not_read.collect::<Vec<_>>(), [""; 0]);
    assert!(fields.len() > 300, "{}", fields.len());
}

/// What needs more than a family that has everything else: a secret, another device, a model or a push service, or that nothing of
/// it was changed before. The tests of each feature have it.
const NEEDS_MORE: [&str; 32] = [
    "acceptInvitation",
    "answerAskingDevice",
    "askOtherDevice",
    "beginSetup",
    "claimPairing",
    "completePairing",
    "confirmInvitation",
    "confirmPairing",
    "confirmRequest",
    "confirmReviewer",
    "endSignIn",
    "eraseSession",
    "joinByInvitation",
    "judgeTryAnswer",
    "leaveChild",
    "openInvitation",
    "refuseAskingDevice",
    "renameChild",
    "replacePushSubscription",
    "requestChildDeletion",
    "revokeAssistant",
    "setAlertDealtWith",
    "setAlertNotWorrying",
    "signIn",
    "signInWithRecoveryCode",
    "signInWithSetupLink",
    "startTry",
    "stepUp",
    "stopInvitation",
    "switchNotificationsOn",
    "switchReviewerOn",
    "useAddressLink",
];

#[tokio::test]
async fn each_operation_is_called_by_a_family_that_has_everything() {
    let app = TestApp::new().await;
    let kim = family::add(&app, "kim@example.org", "Kim").await;
    for reading in READ_OPERATIONS.iter() {
        kim.read(&app, reading).await.ok();
    }
    let mut refused = Vec::new();
    for writing in OPERATIONS.iter().filter(|it| it.write.is_some()) {
        let answered = kim.call(&app, writing).await;
        if !answered.status.is_success() {
            refused.push(writing.name);
        }
    }
    refused.sort_unstable();
    assert_eq!(refused, NEEDS_MORE);
}

/// Responses to GET: path, status, body, and what is wrong with it.
#[test]
fn a_response_that_is_not_as_declared_is_found() {
    const CHILDREN: &str = "/api/children";
    let child = |field: &str, value: Value| {
        let mut child = json!({"child_id": 1, "name": "Mia"});
        child[field] = value;
        json!([child])
    };
    let error = |field: &str, value: Value| {
        let mut error =
            json!({"detail": "There is no such child.", "code": "child_names_out_of_range"});
        error[field] = value;
        error
    };
    let known = error("args", json!({"name": "Mia", "count": 1}));
    let quiet = json!({"time_zone": "Europe/Berlin", "quiet_hours": [{"days": ["mon"], "from": "24:30", "to": "07:00"}]});
    for (path, status, body, fault) in [
        (CHILDREN, 200, child("name", json!("Lou")), ""),
        (
            CHILDREN,
            200,
            json!([{"child_id": 1}]),
            "/0/name is missing",
        ),
        (
            CHILDREN,
            200,
            child("age", json!(8)),
            "/0/age isn't declared",
        ),
        (
            CHILDREN,
            200,
            child("name", json!(8)),
            "/0/name is no string",
        ),
        (
            CHILDREN,
            200,
            child("name", json!("a".repeat(201))),
            "/0/name has 201 characters",
        ),
        (
            CHILDREN,
            200,
            child("child_id", json!(0)),
            "/0/child_id is 0",
        ),
        (
            CHILDREN,
            200,
            child("child_id", json!(1.5)),
            "/0/child_id is no integer",
        ),
        (CHILDREN, 200, json!({}), "is no array"),
        (CHILDREN, 201, json!([]), "the status isn't declared"),
        (CHILDREN, 404, known.clone(), "the status isn't declared"),
        (CHILDREN, 429, known.clone(), ""),
        ("/api/child/1/summary", 404, known.clone(), ""),
        (
            "/api/child/1/summary",
            404,
            error("code", json!("other")),
            "/code isn't listed",
        ),
        (
            "/api/child/1/summary",
            404,
            error("args", json!({"a": []})),
            "/args/a is none of what it may be",
        ),
        (
            "/api/child/1/times",
            200,
            quiet,
            "/quiet_hours/0/from has another form",
        ),
        ("/api/nothing", 404, known, ""),
        ("/api/nothing", 404, json!({}), "/detail is missing"),
    ] {
        let status = StatusCode::from_u16(status).unwrap();
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        let found = contract::fault(&Method::GET, path, status, &headers, &body.to_string());
        let found = found.unwrap_or_default();
        assert!(
            found.contains(fault) && found.is_empty() == fault.is_empty(),
            "{fault}: {found}"
        );
        headers.insert("content-type", HeaderValue::from_static("text/html"));
        let found = contract::fault(&Method::GET, path, status, &headers, "<html>");
        assert!(found.is_some(), "{path} {status}");
    }
}
