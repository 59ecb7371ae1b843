//! The committed contract matches the code, and responses match the contract.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

use crate::support::device::{Device, LAPTOP};
use crate::support::family;
use crate::support::operations::{OPERATIONS, READ_OPERATIONS};
use crate::support::requests::ask_to_delete;
use crate::support::reviewing::{ADA, BEN, Reviewed, pointing_at};
use crate::support::test_app::{PUBLIC_URL, Persona, Response, TestApp};
use crate::support::upstream::Received;
use crate::tries::responses::of_tries;
use poem::http::Method;
use porchlight::admin::{AddUpstream, Seed};
use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::outgoing::webhook::Webhook;
use porchlight::kernel::store::backup_state::ScheduleState;
use porchlight::kernel::store::{StoreError, Table};
use porchlight::models::UpstreamForm;
use porchlight::notifications::Servers;
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

impl TestApp {
    /// Signs in an existing guardian by e-mail, without a step-up.
    pub async fn not_stepped_up(&self, email: &str) -> Persona<'_> {
        let signed_in = self.sign_in(email).await.json();
        self.bearer(signed_in["identity_token"].as_str().unwrap())
    }

    /// Signs a guardian in with a link from an e-mail.
    pub async fn sign_in(&self, email: &str) -> Response {
        let request = json!({"email": email});
        self.anonymous().post("/api/auth/link", &request).await.ok();
        let token = self.take_link().await;
        let body = json!({"email": email, "token": token}).to_string();
        let headers = [("origin", PUBLIC_URL)];
        let anonymous = self.anonymous();
        let sent = anonymous.send(Method::POST, "/api/auth/sign-in", &headers, Some(body));
        sent.await
    }
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

    /// Returns where a value violates a schema. Collects the value's fields in `met`.
    fn faults(
        &self,
        schema: &Value,
        value: &Value,
        place: &str,
        met: &mut BTreeSet<String>,
    ) -> Vec<String> {
        let (schema, name) = self.resolve(schema);
        let place = name.unwrap_or(place);
        if value.is_null() && schema["nullable"] == true {
            return Vec::new();
        }
        let mut faults = Vec::new();
        for part in Self::parts(schema, "allOf") {
            faults.extend(self.faults(part, value, place, met));
        }
        for how in ["anyOf", "oneOf"] {
            let mut each =
                Self::parts(schema, how).map(|part| self.faults(part, value, place, met));
            if schema.get(how).is_some() && !each.any(|faults| faults.is_empty()) {
                faults.push(format!("{place} is none of {how}: {value}"));
            }
        }
        let fits = match (schema["type"].as_str(), value) {
            (None, _) => true,
            (Some("object"), Value::Object(fields)) => {
                let required = Self::parts(schema, "required").filter_map(Value::as_str);
                let missing = required.filter(|field| !fields.contains_key(*field));
                faults.extend(missing.map(|field| format!("{place}.{field} is missing")));
                for (field, value) in fields {
                    let place = format!("{place}.{field}");
                    match (
                        schema["properties"].get(field),
                        schema.get("additionalProperties"),
                    ) {
                        (Some(schema), _) => {
                            met.insert(place.clone());
                            faults.extend(self.faults(schema, value, &place, met));
                        }
                        (None, Some(Value::Bool(true))) => {}
                        (None, Some(schema)) => {
                            faults.extend(self.faults(schema, value, &place, met));
                        }
                        // An unspecified object may contain anything.
                        (None, None) if schema.get("properties").is_none() => {}
                        (None, None) => faults.push(format!("{place} is not documented")),
                    }
                }
                true
            }
            (Some("array"), Value::Array(items)) => {
                for item in items {
                    let place = format!("{place}[]");
                    faults.extend(self.faults(&schema["items"], item, &place, met));
                }
                let most = schema["maxItems"].as_u64().unwrap_or(u64::MAX);
                items.len() as u64 <= most
            }
            (Some("string"), Value::String(text)) => {
                let length = text.chars().count() as u64;
                let listed = schema
                    .get("enum")
                    .is_none_or(|list| list.as_array().unwrap().contains(value));
                let is_time = || Timestamp::parse(text).is_some();
                length >= schema["minLength"].as_u64().unwrap_or(0)
                    && length <= schema["maxLength"].as_u64().unwrap_or(u64::MAX)
                    && listed
                    && (schema["format"] != "date-time" || is_time())
            }
            (Some("integer"), Value::Number(number)) => !number.is_f64(),
            (Some("number"), Value::Number(number)) => {
                let least = schema["minimum"].as_f64().unwrap_or(f64::MIN);
                number.as_f64().unwrap() >= least
            }
            (Some("boolean"), Value::Bool(_)) => true,
            _ => false,
        };
        if !fits {
            faults.push(format!("{place} is not what its schema says: {value}"));
        }
        faults
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

/// The fields that occur in no response below, with the reason.
const NOT_MET: [&str; 26] = [
    // After days.
    "Alert.all_assistants",
    "Alert.deleted_older_than_days",
    "ChildAttention.conversations",
    // Only of an assistant that uses the gateway: tests/gateway/fields.rs.
    "Connection.settings_dropped",
    "DeletedSession.older_than_days",
    // This test's server has no name for https; that of tests/two_addresses.rs has.
    "Guardian.signed_out_url",
    "Guardian.unusable_name",
    // This test's server has no external provider; that of tests/provider.rs has.
    "OidcMethod.name",
    // Lists that have only one page.
    "Page_AskingDevice.next",
    "Page_ChildAttention.next",
    "Page_ChildTalk.next",
    "Page_Concern.next",
    "Page_Connection.next",
    "Page_SignIn.next",
    "Page_UnseenAlerts.next",
    // What is wrong in one message has no values yet.
    "PushSubscriptionStatus.ended_since",
    "Rejected.args",
    // Also of the provider.
    "SignInMethods.oidc",
    "StepUp.can_link",
    // Only after a backup was restored: tests/ntfy_and_webhook.rs.
    "Subscription.restored",
    "SubscriptionRestored.notifications",
    "SubscriptionRestored.quotes",
    "SubscriptionRestored.restored_at",
    // Only if there is too much to read in one request.
    "TriedPhrase.next",
    "UnusableName.fault",
    "UnusableName.url",
];

/// Three assistants: one follows an older list of topics, one refuses the current list, and one only requests it.
async fn report_rules(app: &TestApp, robot: &Persona<'_>, child: ChildId, guardian: &Persona<'_>) {
    let cautious = app.assistant("cautious", &[child]).await;
    let rules = format!("/api/assistant/child/{child}/rules");
    let report = async |robot: &Persona<'_>, receipt: Value| {
        let mut receipt = receipt;
        receipt["version"] = robot.get(&rules).await.json()["version"].clone();
        let mut asked = receipt.clone();
        asked["evidence"] = json!("fetched");
        let delivery = json!({"child_id": child, "topic": "Moon", "rules": [asked, receipt]});
        robot.deliver("0", &delivery).await.ok();
    };
    report(robot, json!({"evidence": "in_prompt"})).await;
    let topics = format!("/api/child/{child}/blocked_topics");
    let kept = guardian.put(&topics, &json!(["Ghosts", "Bees"])).await;
    kept.ok();
    let refused =
        json!({"evidence": "fetched", "refused": "too long", "at": "2026-11-21T16:00:00Z"});
    report(&cautious, refused).await;
    app.assistant("curious", &[child])
        .await
        .get(&rules)
        .await
        .ok();
}

/// What only the gateway writes: an assistant whose prompt has the list, and messages with its fields, one of which a phrase
/// occurs in. Another session is somebody else's, not the child's.
async fn import_chat(app: &TestApp) -> Vec<(&'static str, Response)> {
    const LOU: &str = "lou@example.org";
    let start = "2026-11-20T18:00:00Z";
    let added = json!({"list": {"number": 0}, "evidence": "added", "since": start});
    let phrase = json!({"words": "sunny", "side": "either"});
    let watched = json!({"guardian": LOU, "words": "sunny", "side": "either"});
    let alert = json!({"kind": "phrase", "at": start, "session_id": 7, "message_id": "tool",
        "guardian": LOU, "phrase": phrase});
    let messages = json!([
        {"source": "assistant", "text_content": "Rain", "generated": true},
        {"source": "assistant", "text_content": "Rain", "interrupted": true, "heard": 2, "from_app": true},
        {"message_id": "tool", "source": "tool", "text_content": "Sunny", "kind": "tool"},
    ]);
    let text = json!({
        "guardians": [{"email": LOU}],
        "assistants": [{"name": "Chat"}],
        "children": [{
            "name": "Zoe", "guardians": [LOU], "assistants": [{"name": "Chat", "follows": added}],
            "watched_phrases": [watched], "alerts": [alert],
            "sessions": [
                {"session_id": 7, "start": start, "messages": messages},
                {"start": "2026-11-20T17:00:00Z", "not_child": true},
            ],
        }],
    });
    let text = text.to_string();
    app.run_admin(Seed { text }).await.0.unwrap();
    let lou = app.stepped_up(LOU).await;
    let children = lou.get("/api/children").await.json();
    let zoe = &children[0]["child_id"];
    let receipts = lou.get(&format!("/api/child/{zoe}/rules/receipts")).await;
    let sessions = format!("/api/sessions?child_id={zoe}");
    let sessions = lou.get(&sessions).await;
    let session = sessions.json()["sessions"][0]["session_id"].clone();
    let messages = lou.get(&format!("/api/sessions/{session}/messages")).await;
    let path = |path: &str| format!("/api/child/{zoe}/{path}");
    let search = json!({"words": "sunny"});
    vec![
        ("getReceipts", receipts),
        ("listSessions", sessions),
        ("listMessages", messages),
        (
            "searchTranscripts",
            lou.post(&path("search"), &search).await,
        ),
        (
            "tryWatchedPhrase",
            lou.post(&path("watched_phrases/try"), &phrase).await,
        ),
        ("listAlerts", lou.get(&path("alerts")).await),
    ]
}

async fn add_upstream(app: &TestApp) {
    let new = AddUpstream {
        name: "Home".to_owned(),
        url: "http://127.0.0.1:1".parse().unwrap(),
        key: None,
        models: vec!["llama3".to_owned()],
        form: UpstreamForm::Ollama,
    };
    let added = app.run_admin(new).await;
    added.0.unwrap();
}

/// Switches notifications on, on a server that can send them and has a webhook.
async fn notified() -> Vec<(&'static str, Response)> {
    let servers = Servers {
        ntfy: Some("http://127.0.0.1:1".parse().unwrap()),
        webhook: Webhook::new(
            "https://home.example/hook",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        )
        .ok(),
        ..Servers::default()
    };
    let app = TestApp::with_servers(servers).await;
    app.guardian("ada@example.org").await;
    app.child("Mia", &["ada@example.org"]).await;
    let ada = app.stepped_up("ada@example.org").await;
    let path = "/api/subscription/notifications";
    let on = ada.send(Method::POST, path, &[], None).await;
    let read = ada.get("/api/subscription").await;
    let channel = json!({"channel": "notification"});
    let tested = ada.post("/api/subscription/tests", &channel).await;
    let channel = json!({"channel": "email"});
    let accepted = ada.post("/api/subscription/tests", &channel).await;
    // With a refusal: nobody listens at that port.
    let arrivals = ada.get("/api/subscription/arrivals").await;
    let not_reached = ada.get("/api/attention").await;
    let path = "/api/subscription/push";
    let key = ada.get(path).await.json()["key"].clone();
    let device = family::push_device(key.as_str().unwrap());
    ada.put(path, &device).await.ok();
    let notified = ada.get(path).await;
    vec![
        ("switchNotificationsOn", on),
        ("getSubscription", read),
        ("sendTest", tested),
        ("sendTest", accepted),
        ("getArrivals", arrivals),
        ("getAttention", not_reached),
        ("getPushSubscription", notified),
    ]
}

/// Pairs a new device, and steps it up with one that signed in over a day ago.
async fn pair_two_devices(app: &TestApp) -> Vec<(&'static str, Response)> {
    const EVE: &str = "eve@example.org";
    const FROM_OUR_PAGE: [(&str, &str); 2] = [("origin", PUBLIC_URL), ("user-agent", LAPTOP)];
    app.add_guardian(EVE, Some("Eve")).await;
    let old = Device::by_email(app, EVE, LAPTOP).await;
    let mut responses = Vec::new();
    let eve = app.stepped_up(EVE).await.at("192.168.1.20");
    let state = async || ("getPairing", eve.get("/api/auth/pairing").await);
    responses.push(state().await);
    let begun = eve.send(Method::POST, "/api/auth/pairing", &FROM_OUR_PAGE, None);
    let begun = begun.await;
    let link = begun.json()["shown"]["link"].as_str().unwrap().to_owned();
    responses.push(("beginPairing", begun));
    responses.push(state().await);
    let phone = app.anonymous().at("192.168.1.21");
    let post = async |path: &str, body: Value| {
        let body = Some(body.to_string());
        phone.send(Method::POST, path, &FROM_OUR_PAGE, body).await
    };
    let token = json!({"token": link.split_once("#token=").unwrap().1});
    let claimed = post("/api/auth/pairing/claim", token).await;
    let claim = claimed.json();
    responses.push(("claimPairing", claimed));
    responses.push(state().await);
    let come_back = json!({"claim": claim["claim"]});
    let waiting = post("/api/auth/pairing/completion", come_back.clone()).await;
    assert_eq!(waiting.status, 202);
    let digits = json!({"digits": claim["digits"]});
    eve.post("/api/auth/pairing/confirmation", &digits)
        .await
        .ok();
    let paired = post("/api/auth/pairing/completion", come_back).await;
    responses.push(("completePairing", paired));

    app.clock.advance(Duration::from_secs(24 * 60 * 60 + 1));
    let new = app.sign_in(EVE).await.json()["identity_token"].clone();
    let new = app.bearer(new.as_str().unwrap()).at("192.168.1.22");
    let ask = new.send(
        Method::POST,
        "/api/auth/step_up/other_device",
        &FROM_OUR_PAGE,
        None,
    );
    responses.push(("askOtherDevice", ask.await));
    responses.push(("getStepUp", new.get("/api/auth/step_up").await));
    let asked = old.call(Method::GET, "/api/auth/asking_devices", &Value::Null);
    responses.push(("listAskingDevices", asked.await));
    responses
}

/// Asks for another address and confirms it.
async fn change_an_address(app: &TestApp) -> Vec<(&'static str, Response)> {
    let eve = app.stepped_up("eve@example.org").await;
    let own = async || ("getAddress", eve.get("/api/auth/address").await);
    let mut responses = vec![own().await];
    app.take_emails().await;
    let next = json!({"email": "eve@example.net"});
    eve.put("/api/auth/address", &next).await.ok();
    for to in ["eve@example.net", "eve@example.org"] {
        let mail = loop {
            let mail = app.next_email().await;
            if mail.to.to_string() == to {
                break mail;
            }
            app.emails.lock().unwrap().insert(0, mail);
            tokio::task::yield_now().await;
        };
        let (_, link) = mail.text.split_once("/address#").unwrap();
        let token = link
            .split_whitespace()
            .next()
            .unwrap()
            .split_once('=')
            .unwrap()
            .1;
        let body = Some(json!({"token": token}).to_string());
        let anonymous = app.anonymous();
        let used = anonymous.send(
            Method::POST,
            "/api/auth/email",
            &[("origin", PUBLIC_URL)],
            body,
        );
        responses.push(("useAddressLink", used.await));
        responses.push(own().await);
    }
    responses
}

/// Lets a guardian read on some days and take a copy.
async fn add_access_log(app: &TestApp, child: ChildId, email: &str) {
    let guardians = &app.inner.identity.guardians;
    let guardian = guardians.get(&app.inner.store, &email.parse().unwrap());
    let guardian = guardian.unwrap().id;
    let added = app.inner.store.commit(move |change| {
        for day in ["2026-11-18", "2026-11-20"] {
            let access_log = Table::new("look").key().number(child.number());
            let access_log = access_log.text(guardian.as_str()).text(day);
            change.put_json(&access_log, 1, br#"{"read": true, "copied": true}"#)?;
        }
        Ok::<_, StoreError>(())
    });
    added.await.unwrap();
}

#[tokio::test]
async fn every_success_response_matches_its_schema() {
    let helpline = Some("Childline 0800 1111".parse().unwrap());
    let app = TestApp::adjusted(|app| app.child_notices.helpline = helpline).await;
    let contract = Contract::of(&app).await;
    let ada = app.guardian("ada@example.org").await;
    app.add_guardian("grace@example.org", Some("Grace")).await;
    let guardians = ["ada@example.org", "grace@example.org"];
    let mia = app.child("Mia", &guardians).await;
    let robot = app.assistant("robot", &[mia]).await;
    let full = json!({"message_id": "full", "source": "assistant", "text_content": "Hi",
        "timestamp": "2026-11-21T16:00:00.25+01:00", "revision": 3, "content_type": "text",
        "event_type": "final", "start_sample": 16_000, "interrupted": true, "speaker": "Mia"});
    let bare = json!({"message_id": "bare", "timestamp": "2026-11-21T16:00:00Z"});
    let said = json!({"message_id": "said", "source": "child", "text_content": "Why?",
        "timestamp": "2026-11-21T16:00:00Z"});
    let details = [
        json!({"child_id": mia}),
        json!({"child_id": mia, "topic": "Moon", "start_time": "2026-11-21T16:00:00Z", "device": "kitchen"}),
    ];
    let completions = [
        json!({"duration": 0}),
        json!({"duration": 61.5, "score": 0.9, "mood": "curious", "topic": "The moon",
            "end_time": "2026-11-21T16:01:01Z"}),
        json!({"duration": 10, "score": "well done", "topic": "Bees"}),
    ];
    let mut responses = Vec::new();

    for (number, completion) in completions.iter().enumerate() {
        let session = number.to_string();
        let opened = robot.deliver(&session, &details[number % 2]).await;
        responses.push(("deliver", opened));
        let messages =
            json!([full, bare, {"message_id": "m"}, {"message_id": "bad", "revision": "1"}]);
        let delivered = robot.deliver_messages(&session, &messages).await;
        responses.push(("deliver", delivered));
        robot.complete(&session, completion).await.ok();
    }
    let child = format!("/api/child/{mia}");
    let base = format!("/api/assistant/child/{mia}");
    let proposals = json!([{"activity_id": "a", "topic": "Volcano", "summary": "It smokes."},
        {"activity_id": "b", "topic": "Song"}, {"activity_id": "c", "topic": "Kite"}]);
    let upcoming = format!("{base}/activities/upcoming");
    robot.put(&upcoming, &proposals).await.ok();
    let report = json!({"headline": "Mia asks why."});
    robot.put(&format!("{base}/report"), &report).await.ok();
    let listed = ada.get(&format!("{child}/activities/upcoming")).await;
    responses.push(("listUpcomingActivities", listed));
    for (activity, verdict) in [
        ("b", json!({"feedback": "up", "reason": "She asked twice."})),
        ("c", json!({"feedback": "down"})),
    ] {
        let feedback = format!("{child}/activities/upcoming/{activity}/feedback");
        ada.put(&feedback, &verdict).await.ok();
    }
    let topics = format!("{child}/blocked_topics");
    responses.push((
        "replaceBlockedTopics",
        ada.put(&topics, &json!(["Ghosts"])).await,
    ));
    // Enough that the history merges some of them into one entry.
    for emails in 1..=21 {
        let context = json!({"text": "a".repeat(emails)});
        ada.put(&format!("{child}/context"), &context).await.ok();
    }
    let context = json!({"text": "Mia is eight."});
    let replaced = ada.put(&format!("{child}/context"), &context).await;
    responses.push(("replaceContext", replaced));
    let edition = json!({"edition": "older"});
    ada.put(&format!("{child}/for_child"), &edition).await.ok();
    let phrases = json!([{"words": "hi", "side": "assistant"}]);
    let watched = format!("{child}/watched_phrases");
    let replaced = ada.put(&watched, &phrases).await;
    responses.push(("replaceWatchedPhrases", replaced));
    let mut subscription = family::subscription();
    subscription["at_once"]["children"] = json!([]);
    subscription["quotes"] = json!(true);
    let replaced = ada.put("/api/subscription", &subscription).await;
    responses.push(("replaceSubscription", replaced));
    responses.extend(notified().await);
    for (id, text) in [("w1", "So?"), ("w2", "Hi!"), ("w3", "Yes.")] {
        let said = json!({"message_id": id, "source": "assistant", "text_content": text});
        robot.deliver_messages("0", &json!([said])).await.ok();
    }
    let switch = format!("{child}/curious/on");
    ada.put(&switch, &json!({"on": true})).await.ok();
    let asked = json!({"message_id": "q", "source": "child", "text_content": "How do bees make so much honey?"});
    let asking = json!({"child_id": mia, "messages": [asked]});
    robot.deliver("asking", &asking).await.ok();
    let tried = json!({"words": "hi", "side": "either"});
    let tried = ada.post(&format!("{watched}/try"), &tried).await;
    responses.push(("tryWatchedPhrase", tried));
    let times = json!({
        "time_zone": "Europe/Berlin", "pause": {"until": "2030-01-01T00:00:00Z"}, "minutes_a_day": 45,
        "quiet_hours": [{"days": ["mon", "sun"], "from": "20:30", "to": "07:00"}],
    });
    let replaced = ada.put(&format!("{child}/times"), &times).await;
    responses.push(("replaceTimes", replaced));
    let hello = json!({"message_id": "live", "source": "child", "text_content": "Hello?"});
    let live = json!({"child_id": mia, "messages": [hello]});
    robot.deliver("live", &live).await.ok();
    let plugin = [("user-agent", "porchlight-livekit/0.0.1")];
    let own = robot.send(Method::GET, "/api/assistant", &plugin, None);
    own.await.ok();
    let signed_in = app.sign_in("grace@example.org").await;
    let cookie = signed_in
        .header("set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let token = signed_in.json()["identity_token"].clone();
    let grace = app.bearer(token.as_str().unwrap());
    let german = json!({"language": "de"});
    grace.put("/api/auth/language", &german).await.ok();
    report_rules(&app, &robot, mia, &grace).await;
    responses.push(("signIn", signed_in));
    let headers = [("origin", PUBLIC_URL), ("cookie", cookie.as_str())];
    let anonymous = app.anonymous();
    let minted = anonymous.send(Method::POST, "/api/auth/token", &headers, None);
    responses.push(("issueIdentityToken", minted.await));
    let made = ada.send(Method::POST, "/api/auth/recovery_codes", &[], None);
    let made = made.await;
    let codes = made.json()["codes"].clone();
    responses.push(("makeRecoveryCodes", made));
    let told = anonymous.send(Method::POST, "/api/auth/token", &headers, None);
    let told = told.await;
    let other = told.json()["identity_token"].clone();
    responses.push(("issueIdentityToken", told));
    let other = app.bearer(other.as_str().unwrap());
    let counted = other.get("/api/auth/recovery_codes").await;
    responses.push(("getRecoveryCodes", counted));
    let stepped_up = json!({"way": "recovery_code", "code": codes[0]});
    let stepped_up = ada.post("/api/auth/step_up", &stepped_up).await;
    responses.push(("stepUp", stepped_up));
    let headers = [("origin", PUBLIC_URL)];
    let body = Some(json!({"code": codes[1]}).to_string());
    let recovered = anonymous.send(Method::POST, "/api/auth/recovery", &headers, body);
    responses.push(("signInWithRecoveryCode", recovered.await));
    add_upstream(&app).await;
    let upstream = json!({"name": "Home", "host": "127.0.0.1:1"});
    let connect = json!({"name": "den", "children": [mia], "upstream": upstream});
    let connected = ada.post("/api/assistants", &connect).await;
    let den = connected.json()["assistant"]["assistant_id"].clone();
    let den = format!("/api/assistants/{}", den.as_str().unwrap());
    responses.push(("connectAssistant", connected));
    let chosen = json!({"upstream": upstream});
    let chosen = ada.put(&format!("{den}/upstream"), &chosen).await;
    responses.push(("chooseAssistantUpstream", chosen));
    let key = format!("{den}/key");
    let rotated = ada.send(Method::POST, &key, &[], None);
    responses.push(("rotateAssistant", rotated.await));
    let named = json!({"name": "Mia"});
    let renamed = ada.put(&format!("{child}/name"), &named).await;
    responses.push(("renameChild", renamed));
    let new = TestApp::new().await;
    new.inner.identity.setup.open().await.unwrap();
    let link = new.inner.identity.setup.link().unwrap().unwrap();
    let setup = link.split_once("#setup=").unwrap().1;
    let household = json!({"token": setup, "name": "Ada", "email": "ada@example.org", "children": [{"name": "Mia"}]});
    let anyone = new.anonymous();
    let methods = anyone.get("/api/auth/methods").await;
    responses.push(("getSignInMethods", methods));
    let body = Some(household.to_string());
    let agent = (
        "user-agent",
        "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Firefox/145.0",
    );
    let on_a_phone = [headers[0], agent];
    let begun = anyone.send(Method::POST, "/api/setup", &on_a_phone, body);
    let begun = begun.await;
    let cookie = begun
        .header("set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let first = begun.json()["identity_token"].as_str().unwrap().to_owned();
    responses.push(("beginSetup", begun));
    let body = Some(json!({"token": setup}).to_string());
    let signed_in = anyone.send(Method::POST, "/api/setup/sign_in", &headers, body);
    responses.push(("signInWithSetupLink", signed_in.await));
    let with_cookie = [headers[0], ("cookie", cookie.as_str())];
    let minted = anyone.send(Method::POST, "/api/auth/token", &with_cookie, None);
    responses.push(("issueIdentityToken", minted.await));
    let listed = new.bearer(&first).get("/api/auth/sign_ins").await;
    responses.push(("listSignIns", listed));
    for email in guardians {
        add_access_log(&app, mia, email).await;
    }
    let without_topic = json!({"child_id": mia, "messages": [said]});
    robot.deliver("no-topic", &without_topic).await.ok();
    for (name, persona, path) in [
        (
            "getSignInMethods",
            &anonymous,
            "/api/auth/methods".to_owned(),
        ),
        ("listSignIns", &ada, "/api/auth/sign_ins".to_owned()),
        ("getStepUp", &ada, "/api/auth/step_up".to_owned()),
        (
            "getRecoveryCodes",
            &ada,
            "/api/auth/recovery_codes".to_owned(),
        ),
        ("listChildren", &ada, "/api/children".to_owned()),
        ("getHousehold", &ada, "/api/household".to_owned()),
        ("getSummary", &ada, format!("{child}/summary")),
        (
            "listSessions",
            &ada,
            format!("/api/sessions?child_id={mia}&limit=2"),
        ),
        (
            "listMessages",
            &ada,
            "/api/sessions/1/messages?limit=1".to_owned(),
        ),
        ("listMessages", &ada, "/api/sessions/1/messages".to_owned()),
        ("getSession", &ada, "/api/sessions/2".to_owned()),
        (
            "listCompletedActivities",
            &ada,
            format!("{child}/activities/completed"),
        ),
        ("getMetrics", &ada, format!("{child}/metrics")),
        ("listBlockedTopics", &ada, topics),
        ("getContext", &ada, format!("{child}/context")),
        ("getChildNotice", &ada, format!("{child}/for_child")),
        ("getAccessLog", &ada, format!("{child}/looks")),
        ("getConversationStarters", &ada, format!("{child}/curious")),
        ("listAlerts", &ada, format!("{child}/alerts?limit=1")),
        ("listAlerts", &ada, format!("{child}/alerts")),
        ("getSubscription", &ada, "/api/subscription".to_owned()),
        ("countUnseenAlerts", &ada, "/api/alerts/unseen".to_owned()),
        (
            "listWatchedPhrases",
            &ada,
            format!("{child}/watched_phrases"),
        ),
        ("getTimes", &ada, format!("{child}/times")),
        ("getRules", &ada, format!("{child}/rules")),
        ("getTalkStatus", &ada, format!("{child}/talk_status")),
        (
            "listChildTalk",
            &ada,
            "/api/children/talk_status".to_owned(),
        ),
        ("getAssistantRules", &robot, format!("{base}/rules")),
        ("getRulesForAll", &robot, "/api/assistant/rules".to_owned()),
        ("listConnections", &ada, format!("{child}/connections")),
        ("getReceipts", &ada, format!("{child}/rules/receipts")),
        (
            "listSessionReceipts",
            &ada,
            "/api/sessions/1/receipts".to_owned(),
        ),
        (
            "listSessionReceipts",
            &ada,
            "/api/sessions/4/receipts".to_owned(),
        ),
        (
            "listSessionReceipts",
            &ada,
            "/api/sessions/1/receipts?limit=1".to_owned(),
        ),
        (
            "listSessionReceipts",
            &ada,
            "/api/sessions/4/receipts?limit=1".to_owned(),
        ),
        (
            "listRulesHistory",
            &ada,
            format!("{child}/rules/history?limit=1"),
        ),
        ("listRulesHistory", &ada, format!("{child}/rules/history")),
        ("listHistory", &ada, format!("{child}/history?limit=1")),
        ("listHistory", &ada, format!("{child}/history")),
        ("getAssistant", &robot, "/api/assistant".to_owned()),
        ("listFeedback", &robot, format!("{base}/feedback")),
        (
            "getAssistantBlockedTopics",
            &robot,
            format!("{base}/blocked_topics"),
        ),
    ] {
        responses.push((name, persona.get(&path).await));
    }

    let also = app.stepped_up("grace@example.org").await;
    responses.push(("getAttention", also.get("/api/attention").await));
    let around = "/api/sessions/1/messages?around=m&limit=2";
    responses.push(("listMessages", ada.get(around).await));
    for request in [json!({"words": "moon", "limit": 1}), json!({"words": "hi"})] {
        let path = format!("{child}/search");
        responses.push(("searchTranscripts", ada.post(&path, &request).await));
    }

    let corrected = json!({"message_id": "w2", "text_content": "Why?", "revision": 1});
    let corrected = robot.deliver_messages("0", &json!([corrected])).await;
    let session = &corrected.json()["session_id"];
    let messages = ada.get(&format!("/api/sessions/{session}/messages")).await;
    responses.push(("listMessages", messages));
    let alerts = format!("{child}/alerts");
    talk_while_paused(&app, &ada, &robot, &child).await;
    responses.push(("listAlerts", ada.get(&alerts).await));
    let exported = ada.get(&format!("{child}/export")).await;
    responses.push(("exportChild", exported));
    for session in [1, 2] {
        let path = format!("/api/sessions/{session}");
        let first = ada.get("/api/sessions/1/messages?limit=1").await;
        assert!(
            session == 2 || first.json()["messages"][0]["timestamp"] == "2026-11-21T15:00:00.250Z"
        );
        ada.send(Method::DELETE, &path, &[], None).await.ok();
    }
    responses.push(("listAlerts", ada.get(&alerts).await));
    let erased = format!("{child}/deleted_sessions");
    for path in [format!("{erased}?limit=1"), erased] {
        let reader = app.bearer(token.as_str().unwrap());
        responses.push(("listDeletedSessions", reader.get(&path).await));
    }

    let grace = app.stepped_up("grace@example.org").await;
    let made = grace.send(Method::POST, "/api/auth/recovery_codes", &[], None);
    made.await.ok();
    let told = app.bearer(token.as_str().unwrap());
    let told = told.get("/api/auth/recovery_codes").await;
    responses.push(("getRecoveryCodes", told));
    let noah = app.child("Noah", &["grace@example.org"]).await;
    let by_email = json!({"children": [mia], "email": "cleo@example.org"});
    let invited = grace.post("/api/invitations", &by_email).await;
    responses.push(("inviteGuardian", invited));
    let to_show = json!({"children": [mia]});
    let shown = grace.post("/api/invitations", &to_show).await;
    let link = shown.json()["shown"]["link"].as_str().unwrap().to_owned();
    responses.push(("inviteGuardian", shown));
    let token = link.split_once("#token=").unwrap().1;
    let open = json!({"token": token});
    let opened = anonymous.post("/api/invitations/open", &open).await;
    responses.push(("openInvitation", opened));
    let accept = json!({"token": token, "name": "Dan", "email": "dan@example.org"});
    let body = Some(accept.to_string());
    let accepted = anonymous.send(Method::POST, "/api/invitations/accept", &on_a_phone, body);
    let accepted = accepted.await;
    let dan = accepted.json()["identity_token"].clone();
    let dan = app.bearer(dan.as_str().unwrap());
    responses.push(("getHousehold", dan.get("/api/household").await));
    responses.push(("acceptInvitation", accepted));
    for (child, name) in [(mia, "Mia"), (noah, "Noah")] {
        ask_to_delete(&grace, child, name).await.ok();
    }
    responses.extend(Box::pin(of_reviewer()).await);
    responses.extend(Box::pin(of_tries()).await);
    let retention = format!("{child}/retention");
    let chosen = grace.put(&retention, &json!({"days": 365})).await;
    responses.push(("chooseRetention", chosen));
    let ada = app.stepped_up("ada@example.org").await;
    for reader in [&ada, &grace] {
        responses.push(("getRequests", reader.get("/api/household/requests").await));
    }
    let connect = json!({"name": "porch", "children": [mia]});
    grace.post("/api/assistants", &connect).await.ok();
    let both = json!({"name": "both", "children": [mia, noah], "upstream": upstream});
    let connected = grace.post("/api/assistants", &both).await;
    responses.push(("connectAssistant", connected));
    let left = format!("{child}/guardians/me");
    grace.send(Method::DELETE, &left, &[], None).await.ok();
    let backed_up = ScheduleState {
        succeeded_at: Some(app.inner.clock.now()),
        ..ScheduleState::default()
    };
    let noted = app.inner.store.commit(move |change| backed_up.put(change));
    noted.await.unwrap();
    responses.push(("getHousehold", ada.get("/api/household").await));
    responses.extend(pair_two_devices(&app).await);
    responses.extend(change_an_address(&app).await);

    responses.extend(import_chat(&app).await);

    let kim = family::add(&app, "kim@example.org", "Kim").await;
    let operations = contract.operations().collect::<BTreeMap<_, _>>();
    for reading in READ_OPERATIONS.iter() {
        if Contract::answered(operations[reading.name]).is_some() {
            responses.push((reading.name, kim.read(&app, reading).await));
        }
    }

    for write in OPERATIONS
        .iter()
        .filter(|operation| operation.write.is_some())
    {
        if Contract::answered(operations[write.name]).is_some() {
            let response = kim.call(&app, write).await;
            // Some answer without a body if there is nothing to tell.
            if response.status.is_success() && !response.body.is_empty() {
                responses.push((write.name, response));
            }
        }
    }

    responses.extend(delete_permanently(&app).await);

    let mut faults = Vec::new();
    let (mut met, mut documented) = (BTreeSet::new(), BTreeSet::new());
    for (name, response) in &responses {
        let schema = Contract::answered(operations[name]).expect("it has a JSON response");
        faults.extend(contract.faults(schema, &response.json(), name, &mut met));
    }
    let mut called = responses
        .iter()
        .map(|(name, _)| *name)
        .collect::<BTreeSet<_>>();
    for (name, operation) in &operations {
        if let Some(schema) = Contract::answered(operation) {
            assert!(called.remove(name), "{name} is not called above");
            contract.walk(schema, name, &mut BTreeSet::new(), &mut |schema, place| {
                let fields = schema["properties"].as_object().into_iter().flatten();
                documented.extend(fields.map(|(field, _)| format!("{place}.{field}")));
            });
        }
    }
    assert_eq!(faults, [""; 0]);
    let not_met = documented.difference(&met).collect::<Vec<_>>();
    assert_eq!(not_met, NOT_MET, "fields that occur in no response above");
}

/// Two deletion records, one of which is checked.
async fn delete_permanently(app: &TestApp) -> Vec<(&'static str, Response)> {
    let email = "ella@example.org";
    app.guardian(email).await;
    let lou = app.child("Lou", &[email]).await;
    let robot = app.assistant("for Lou", &[lou]).await;
    for name in ["first", "second"] {
        let said = json!({"message_id": "1", "text_content": "Hello"});
        let delivered = robot.deliver(name, &json!({"messages": [said]})).await;
        let session = delivered.json()["session_id"].to_string();
        for path in [
            format!("/api/sessions/{session}"),
            format!("/api/child/{lou}/deleted_sessions/{session}"),
        ] {
            let ella = app.stepped_up(email).await;
            ella.send(Method::DELETE, &path, &[], None).await.ok();
        }
        app.inner.run_maintenance(|_| {}).await.unwrap();
        app.clock.advance(Duration::from_secs(60 * 60));
    }
    let ella = app.stepped_up(email).await;
    let mut responses = Vec::new();
    for query in ["?limit=1", ""] {
        let path = format!("/api/child/{lou}/deletions{query}");
        responses.push(("listDeletions", ella.get(&path).await));
    }
    responses
}

/// A model that waits for a guardian, and then points at something.
async fn of_reviewer() -> Vec<(&'static str, Response)> {
    let said = "I climb on the roof";
    let respond = move |received: &Received| pointing_at(received, said, "danger", "urgent");
    let world = Reviewed::elsewhere(&[ADA, BEN], respond).await;
    let (ada, path) = (world.of(ADA).await, world.path("reviewer"));
    let mut responses = vec![("getReviewer", ada.get(&path).await)];
    world.switch_on(ADA).await.ok();
    world.show(BEN).await.ok();
    let requests = world.of(BEN).await.get("/api/household/requests").await;
    responses.push(("getRequests", requests));
    // When it begins; Ada is told once the day is over.
    responses.push(("getReviewer", world.of(BEN).await.get(&path).await));
    let at_home = json!({"on": true});
    ada.put(&world.path("reviewer/at_home"), &at_home)
        .await
        .ok();
    responses.push(("getReviewer", ada.get(&path).await));
    world.confirm(BEN).await.ok();
    world.talk("s", &[said]).await;
    world.review().await;
    responses.push(("listAlerts", ada.get(&world.path("alerts")).await));
    responses.push(("getAttention", ada.get("/api/attention").await));
    let concerns = world.path("not_worrying");
    ada.put(&concerns, &json!({"items": ["danger"]})).await.ok();
    responses.push(("listNotWorrying", ada.get(&concerns).await));
    responses
}

/// Leads to an alert.
async fn talk_while_paused(app: &TestApp, ada: &Persona<'_>, robot: &Persona<'_>, child: &str) {
    let path = format!("{child}/times");
    let before = ada.get(&path).await.json();
    let mut paused = before.clone();
    paused["pause"] = json!({});
    ada.put(&path, &paused).await.ok();
    let mut now = app.inner.clock.now();
    let messages = (0..3).map(|number| {
        now = now.after(Duration::from_secs(120));
        json!({"message_id": number.to_string(), "text_content": "Hello", "timestamp": now.to_string()})
    });
    let messages = messages.collect::<Vec<_>>();
    let child_id = child.rsplit('/').next().unwrap().parse::<u64>().unwrap();
    let delivery = json!({"child_id": child_id, "messages": messages, "completion": {}});
    robot.deliver("paused", &delivery).await.ok();
    app.inner.alerts.judge().await.unwrap();
    ada.put(&path, &before).await.ok();
}

#[tokio::test]
async fn every_error_response_matches_its_schema() {
    let app = TestApp::new().await;
    let contract = Contract::of(&app).await;
    let ada = app.guardian("ada@example.org").await;
    let schema = json!({"$ref": "#/components/schemas/Problem"});

    for (status, response) in [
        (400, ada.get("/api/sessions").await),
        (400, ada.post("/api/auth/link", &json!({"email": 1})).await),
        (401, app.anonymous().get("/api/children").await),
        (
            403,
            ada.put("/api/assistant/child/1/report", &json!({})).await,
        ),
        (404, ada.get("/api/child/1/summary").await),
        (405, ada.post("/api/household", &json!({})).await),
    ] {
        let problem = serde_json::from_str(&response.body).unwrap();
        let faults = contract.faults(&schema, &problem, "Problem", &mut BTreeSet::new());
        assert_eq!((response.status.as_u16(), faults), (status, Vec::new()));
    }
}
