//! The access matrix: every caller × every operation × their own, another family's and missing data.
//!
//! The operations come from openapi.yaml, and one without a row here fails the test. Access without a row must be refused, and
//! another family's data must be byte for byte like missing data.

use std::time::Duration;

use crate::support::family;
use crate::support::test_app::{Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::RemoveChild;
use porchlight::children::ChildId;
use porchlight::notifications::Servers;
use serde_json::{Value, json};

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    Public,
    /// A guardian, on their own account.
    OwnAffairs,
    /// A guardian, on one of their sign-ins. `tests/identity.rs` and `tests/pairing.rs` test the ownership.
    OwnSignIn,
    /// A guardian, on a child.
    Guardian,
    /// An assistant, on a child.
    Assistant,
    /// An assistant, on itself.
    AssistantItself,
}

/// An operation: its caller, and a valid body.
struct Row {
    operation: &'static str,
    caller: Caller,
    body: fn(&str) -> Value,
}

const fn row(operation: &'static str, caller: Caller, body: fn(&str) -> Value) -> Row {
    Row {
        operation,
        caller,
        body,
    }
}

fn nothing(_: &str) -> Value {
    Value::Null
}

/// The model and host that a guardian has read about.
fn reviewer(_: &str) -> Value {
    json!({"model": "reader", "host": "127.0.0.1:9"})
}

/// The matrix. A new operation needs a row here.
const ROWS: [Row; 129] = [
    row(
        "requestSignInLink",
        Caller::Public,
        |_| json!({"email": "somebody@example.org"}),
    ),
    row(
        "signIn",
        Caller::Public,
        |_| json!({"email": "a@b.example", "token": "lnk_x"}),
    ),
    row("issueIdentityToken", Caller::Public, nothing),
    row("signOut", Caller::Public, |_| json!({})),
    row("listSignInMethods", Caller::Public, nothing),
    row("startOidcSignIn", Caller::Public, nothing),
    row("completeOidcSignIn", Caller::Public, nothing),
    row("listSignIns", Caller::OwnAffairs, nothing),
    row("endSignIn", Caller::OwnSignIn, nothing),
    row("seeSignIns", Caller::OwnAffairs, nothing),
    row(
        "signInWithRecoveryCode",
        Caller::Public,
        |_| json!({"code": "K7QX-3M0V-9T2D-HC1A"}),
    ),
    row(
        "beginSetup",
        Caller::Public,
        |_| json!({"token": "set_x", "name": "Ada", "email": "ada@example.org", "children": ["Mia"]}),
    ),
    row(
        "signInWithSetupLink",
        Caller::Public,
        |_| json!({"token": "set_x"}),
    ),
    row("finishSetup", Caller::OwnAffairs, nothing),
    row("getRecoveryCodes", Caller::OwnAffairs, nothing),
    row("makeRecoveryCodes", Caller::OwnAffairs, nothing),
    row("getStepUp", Caller::OwnAffairs, nothing),
    row("sendStepUpEmail", Caller::OwnAffairs, nothing),
    row(
        "stepUp",
        Caller::OwnAffairs,
        |_| json!({"way": "email", "code": "no digits"}),
    ),
    row("beginPairing", Caller::OwnAffairs, nothing),
    row("getPairing", Caller::OwnAffairs, nothing),
    row("endPairing", Caller::OwnAffairs, nothing),
    row(
        "confirmPairing",
        Caller::OwnAffairs,
        |_| json!({"digits": "no digits"}),
    ),
    row(
        "claimPairing",
        Caller::Public,
        |_| json!({"token": "par_x"}),
    ),
    row(
        "completePairing",
        Caller::Public,
        |_| json!({"claim": "clm_x"}),
    ),
    row("askOtherDevice", Caller::OwnAffairs, nothing),
    row("listAskingDevices", Caller::OwnAffairs, nothing),
    row(
        "answerAskingDevice",
        Caller::OwnSignIn,
        |_| json!({"digits": "no digits"}),
    ),
    row("refuseAskingDevice", Caller::OwnSignIn, nothing),
    row("getAddress", Caller::OwnAffairs, nothing),
    row(
        "askForAddress",
        Caller::OwnAffairs,
        |_| json!({"email": "elsewhere@example.org"}),
    ),
    row("stopAddressChange", Caller::OwnAffairs, nothing),
    row(
        "useAddressLink",
        Caller::Public,
        |_| json!({"token": "adr_x"}),
    ),
    row("listChildren", Caller::OwnAffairs, nothing),
    row("addChild", Caller::OwnAffairs, |_| json!({"name": "Noah"})),
    row(
        "renameChild",
        Caller::Guardian,
        |_| json!({"name": "Mia Lou"}),
    ),
    row("getHousehold", Caller::OwnAffairs, nothing),
    row(
        "connectAssistant",
        Caller::OwnAffairs,
        |child| json!({"name": "den", "children": [child.parse::<u64>().unwrap_or(0)]}),
    ),
    row(
        "renameAssistant",
        Caller::Guardian,
        |_| json!({"name": "attic"}),
    ),
    row("rotateAssistant", Caller::Guardian, nothing),
    row("chooseAssistantUpstream", Caller::Guardian, |_| json!({})),
    row("revokeAssistant", Caller::Guardian, nothing),
    row("takeChildOff", Caller::Guardian, nothing),
    row("keepAssistantKey", Caller::Guardian, nothing),
    row("listRequests", Caller::OwnAffairs, nothing),
    row("noteRequestsShown", Caller::Guardian, |child| {
        json!({
            "requests": [{"child_id": child.parse::<u64>().unwrap_or(0), "kind": "deletion", "edition": "edn_1"}],
            "invitations": [{"invitation_id": "inv_none", "edition": "edn_1"}],
        })
    }),
    row("leaveChild", Caller::Guardian, nothing),
    row(
        "requestChildDeletion",
        Caller::Guardian,
        |_| json!({"name": "Mia Lou"}),
    ),
    row("confirmRequest", Caller::Guardian, nothing),
    row("stopRequest", Caller::Guardian, nothing),
    row("getRetention", Caller::Guardian, nothing),
    row(
        "chooseRetention",
        Caller::Guardian,
        |_| json!({"days": null}),
    ),
    row("getReviewer", Caller::Guardian, nothing),
    row("switchReviewerOn", Caller::Guardian, reviewer),
    row("switchReviewerOff", Caller::Guardian, nothing),
    row("confirmReviewer", Caller::Guardian, reviewer),
    row("noteReviewerShown", Caller::Guardian, reviewer),
    row(
        "switchReviewerAtHome",
        Caller::Guardian,
        |_| json!({"on": true}),
    ),
    row("listNotWorrying", Caller::Guardian, nothing),
    row(
        "replaceNotWorrying",
        Caller::Guardian,
        |_| json!({"concerns": ["danger"]}),
    ),
    row(
        "setAlertNotWorrying",
        Caller::Guardian,
        |_| json!({"not_worrying": true}),
    ),
    row("getSessionKept", Caller::Guardian, nothing),
    row("keepSession", Caller::Guardian, |_| json!({"kept": true})),
    row(
        "inviteGuardian",
        Caller::Guardian,
        |child| json!({"children": [child.parse::<u64>().unwrap_or(0)]}),
    ),
    row("confirmInvitation", Caller::Guardian, nothing),
    row("stopInvitation", Caller::Guardian, nothing),
    row(
        "openInvitation",
        Caller::Public,
        |_| json!({"token": "ivt_x"}),
    ),
    row(
        "acceptInvitation",
        Caller::Public,
        |_| json!({"token": "ivt_x", "name": "Cleo", "email": "cleo@example.org"}),
    ),
    row(
        "joinByInvitation",
        Caller::OwnAffairs,
        |_| json!({"token": "ivt_x"}),
    ),
    row("listSessions", Caller::Guardian, nothing),
    row("getSession", Caller::Guardian, nothing),
    row("listMessages", Caller::Guardian, nothing),
    row(
        "searchTranscripts",
        Caller::Guardian,
        |_| json!({"words": "octopus"}),
    ),
    row("listAlerts", Caller::Guardian, nothing),
    row("countUnseenAlerts", Caller::OwnAffairs, nothing),
    row(
        "noteAlertsSeen",
        Caller::Guardian,
        |child| json!({"child_id": child.parse::<u64>().unwrap_or(0), "up_to": 1}),
    ),
    row("getSubscription", Caller::OwnAffairs, nothing),
    row("replaceSubscription", Caller::OwnAffairs, |_| {
        family::subscription()
    }),
    row("getArrivals", Caller::OwnAffairs, nothing),
    row(
        "sendTest",
        Caller::OwnAffairs,
        |_| json!({"channel": "email"}),
    ),
    row("switchNotificationsOn", Caller::OwnAffairs, nothing),
    row("switchNotificationsOff", Caller::OwnAffairs, nothing),
    row("listWatchedPhrases", Caller::Guardian, nothing),
    row(
        "replaceWatchedPhrases",
        Caller::Guardian,
        |_| json!([{"words": "our secret", "side": "either"}]),
    ),
    row(
        "tryWatchedPhrase",
        Caller::Guardian,
        |_| json!({"words": "our secret", "side": "either"}),
    ),
    row(
        "moveSession",
        Caller::Guardian,
        |child| json!({"child_id": child.parse::<u64>().unwrap_or(0)}),
    ),
    row(
        "markNotChild",
        Caller::Guardian,
        |_| json!({"not_child": true}),
    ),
    row("deleteSession", Caller::Guardian, nothing),
    row("listDeletedSessions", Caller::Guardian, nothing),
    row("listDeletions", Caller::Guardian, nothing),
    row(
        "noteDeletedSessionsShown",
        Caller::Guardian,
        |_| json!({"sessions": [1]}),
    ),
    row("undeleteSession", Caller::Guardian, nothing),
    row("eraseSession", Caller::Guardian, nothing),
    row("exportChild", Caller::Guardian, nothing),
    row("getSummary", Caller::Guardian, nothing),
    row("getMetrics", Caller::Guardian, nothing),
    row("listCompletedActivities", Caller::Guardian, nothing),
    row("listUpcomingActivities", Caller::Guardian, nothing),
    row(
        "giveFeedback",
        Caller::Guardian,
        |_| json!({"feedback": "up"}),
    ),
    row("listBlockedTopics", Caller::Guardian, nothing),
    row("replaceBlockedTopics", Caller::Guardian, |_| {
        json!(["Spiders"])
    }),
    row("getContext", Caller::Guardian, nothing),
    row(
        "replaceContext",
        Caller::Guardian,
        |_| json!({"text": "Mia is eight."}),
    ),
    row("getChildNotice", Caller::Guardian, nothing),
    row("getAccessLog", Caller::Guardian, nothing),
    row("getConversationStarters", Caller::Guardian, nothing),
    row(
        "switchConversationStarters",
        Caller::Guardian,
        |_| json!({"on": true}),
    ),
    // The first session of each family has its child's number.
    row(
        "hideConversationStarter",
        Caller::Guardian,
        |child| json!({"session_id": child.parse::<u64>().unwrap_or(1).max(1), "message_id": "m"}),
    ),
    row(
        "chooseChildNoticeEdition",
        Caller::Guardian,
        |_| json!({"edition": "younger"}),
    ),
    row("getTimes", Caller::Guardian, nothing),
    row(
        "replaceTimes",
        Caller::Guardian,
        |_| json!({"time_zone": "UTC", "quiet_hours": []}),
    ),
    row("getRules", Caller::Guardian, nothing),
    row("getTalkStatus", Caller::Guardian, nothing),
    row("listChildTalk", Caller::OwnAffairs, nothing),
    row("listConnections", Caller::Guardian, nothing),
    row("getReceipts", Caller::Guardian, nothing),
    row("listSessionReceipts", Caller::Guardian, nothing),
    row("listRulesHistory", Caller::Guardian, nothing),
    row("listHistory", Caller::Guardian, nothing),
    row("streamEvents", Caller::Guardian, nothing),
    row("getRulesForAll", Caller::AssistantItself, nothing),
    row("getAssistantRules", Caller::Assistant, nothing),
    row("getAssistant", Caller::AssistantItself, nothing),
    row(
        "deliver",
        Caller::Assistant,
        |child| json!({"session": "s", "child_id": child.parse::<u64>().unwrap_or(0)}),
    ),
    row(
        "replaceReport",
        Caller::Assistant,
        |_| json!({"note": "well"}),
    ),
    row(
        "replaceUpcomingActivities",
        Caller::Assistant,
        |_| json!([{"activity_id": "next", "topic": "Tides"}]),
    ),
    row("listFeedback", Caller::Assistant, nothing),
    row("getAssistantBlockedTopics", Caller::Assistant, nothing),
    row("downloadPlugin", Caller::Public, nothing),
];

/// An operation of openapi.yaml.
struct Operation {
    name: String,
    method: Method,
    path: String,
}

/// A child with a session, a guardian, and an assistant that calls the session `s`.
struct Family {
    child: ChildId,
    session: String,
    guardian: String,
    assistant: String,
    assistant_id: String,
    invitation: String,
}

async fn family(app: &TestApp, email: &str) -> Family {
    let guardian = app.guardian(email).await.credential().to_owned();
    let child = app.child("Mia", &[email]).await;
    let robot = app.assistant(&format!("robot of {email}"), &[child]).await;
    let opened = robot.deliver("s", &json!({"child_id": child})).await.json();
    let said = json!([{"message_id": "m", "timestamp": "2026-11-21T19:00:00Z"}]);
    robot.deliver_messages("s", &said).await.ok();
    let upcoming = json!([{"activity_id": "next", "topic": "Tides"}]);
    let path = format!("/api/assistant/child/{child}/activities/upcoming");
    robot.put(&path, &upcoming).await.ok();
    let session = opened["session_id"].to_string();
    let assistant = robot.credential().to_owned();
    let household = app.bearer(&guardian).get("/api/household").await.json();
    let assistant_id = household["assistants"][0]["assistant_id"].as_str();
    let parent = app.bearer(&guardian);
    let invite = json!({"children": [child]});
    parent.post("/api/invitations", &invite).await.ok();
    let requests = parent.get("/api/household/requests").await.json();
    let invitation = requests["invitations"][0]["invitation_id"].as_str();
    Family {
        invitation: invitation.unwrap().to_owned(),
        child,
        session,
        assistant_id: assistant_id.unwrap().to_owned(),
        guardian,
        assistant,
    }
}

/// The operations of openapi.yaml; those that remove the session or the key come last.
async fn operations(app: &TestApp) -> Vec<Operation> {
    let contract = app.anonymous().get("/api/openapi.json").await.json();
    let paths = contract["paths"].as_object().unwrap().clone();
    let all = paths.into_iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().clone();
        methods
            .into_iter()
            .map(move |(method, operation)| Operation {
                name: operation["operationId"].as_str().unwrap().to_owned(),
                method: method.to_uppercase().parse().unwrap(),
                path: path.clone(),
            })
    });
    let mut all = all.collect::<Vec<_>>();
    all.sort_by_key(|operation| {
        let last = [
            "confirmInvitation",
            "stopInvitation",
            "requestChildDeletion",
            "confirmRequest",
            "stopRequest",
            "deleteSession",
            "undeleteSession",
            "eraseSession",
            "rotateAssistant",
            "takeChildOff",
            "revokeAssistant",
            "leaveChild",
        ];
        last.iter().position(|name| *name == operation.name)
    });
    all
}

fn row_of(operation: &Operation) -> &'static Row {
    let found = ROWS.iter().find(|row| row.operation == operation.name);
    found.unwrap_or_else(|| {
        panic!(
            "{} has no row in tests/access.rs: add one for its intended caller",
            operation.name
        )
    })
}

/// The ids in a request's path: a child, a session, an assistant and an invitation.
struct Target<'a> {
    child: &'a str,
    session: &'a str,
    assistant: &'a str,
    invitation: &'a str,
}

async fn call(persona: &Persona<'_>, operation: &Operation, target: &Target<'_>) -> Response {
    let mut path = format!("/api{}", operation.path)
        .replace("{childId}", target.child)
        .replace("{sessionId}", target.session)
        .replace("{assistantId}", target.assistant)
        .replace("{invitationId}", target.invitation)
        .replace("{alertId}", "1")
        .replace("{kind}", "deletion")
        .replace("{activityId}", "next");
    if operation.name == "listSessions" {
        path = format!("{path}?child_id={}", target.child);
    }
    let body = (row_of(operation).body)(target.child);
    let body = (!body.is_null()).then(|| body.to_string());
    // What the caller has read.
    let answers = ["confirmRequest", "confirmInvitation"].contains(&operation.name.as_str());
    let headers: &[(&str, &str)] = if answers {
        &[("if-match", "\"edn_1\"")]
    } else {
        &[]
    };
    persona
        .send(operation.method.clone(), &path, headers, body)
        .await
}

#[tokio::test]
async fn every_operation_that_is_not_public_requires_a_credential() {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    let gone = family(&app, "gone@example.org").await;
    let (inner, email) = (app.inner.clone(), "gone@example.org".parse().unwrap());
    let removed = app.inner.store.commit(move |change| {
        inner.identity.access.remove_guardian(change, &email)?;
        inner
            .identity
            .assistants
            .revoke(change, "robot of gone@example.org")
    });
    removed.await.unwrap();
    let forged_key = format!("ast_{}", "A".repeat(43));
    let strangers = [
        ("nobody", None),
        ("a removed guardian", Some(gone.guardian.as_str())),
        ("a revoked assistant", Some(gone.assistant.as_str())),
        ("a forged key", Some(forged_key.as_str())),
        (
            "a link's token",
            Some("lnk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        ),
        (
            "a cookie's secret",
            Some("rfr_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        ),
    ];
    let target = Target {
        child: &ada.child.to_string(),
        session: &ada.session,
        assistant: &ada.assistant_id,
        invitation: &ada.invitation,
    };

    for operation in operations(&app).await {
        if row_of(&operation).caller == Caller::Public {
            continue;
        }
        for (who, credential) in strangers {
            let persona = credential.map_or_else(|| app.anonymous(), |bearer| app.bearer(bearer));
            let response = call(&persona, &operation, &target).await;
            assert_eq!(
                response.status.as_u16(),
                401,
                "{who} at {}: {}",
                operation.name,
                response.body
            );
        }
    }
}

#[tokio::test]
async fn removing_a_child_clears_its_cache_entries() {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    let eve = family(&app, "eve@example.org").await;
    // A cached empty list has no data of the child, so it may stay.
    let topics = format!("/api/child/{}/blocked_topics", ada.child);
    let guardian = app.bearer(&ada.guardian);
    guardian.put(&topics, &json!(["Spiders"])).await.ok();
    let completion = json!({"duration": 1, "topic": "Tides"});
    let robot = app.bearer(&ada.assistant);
    robot.complete("s", &completion).await.ok();
    let read = async |family: &Family| {
        let target = Target {
            child: &family.child.to_string(),
            session: &family.session,
            assistant: &family.assistant_id,
            invitation: &family.invitation,
        };
        for operation in operations(&app).await {
            let bearer = match row_of(&operation).caller {
                Caller::OwnAffairs | Caller::Guardian => &family.guardian,
                Caller::Assistant => &family.assistant,
                _ => continue,
            };
            if operation.method == Method::GET {
                call(&app.bearer(bearer), &operation, &target).await.ok();
            }
        }
    };
    let cached = || app.inner.store.count_cached();
    read(&eve).await;
    let of_eves = cached();
    read(&ada).await;
    assert!(cached() > of_eves + 5, "the cache is filled");

    let removal = RemoveChild {
        child: ada.child,
        name: "Mia".to_owned(),
    };
    let removed = app.run_admin(removal).await.0;

    assert!(removed.is_ok());
    // The guardian's token and the assistant's key stay cached.
    assert!(cached() <= of_eves + 2, "{} and {of_eves}", cached());
}

#[tokio::test]
async fn an_expired_or_revoked_token_is_refused_with_401() {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    let target = Target {
        child: &ada.child.to_string(),
        session: &ada.session,
        assistant: &ada.assistant_id,
        invitation: &ada.invitation,
    };
    app.clock.advance(Duration::from_secs(600));

    for operation in operations(&app).await {
        let caller = row_of(&operation).caller;
        if matches!(
            caller,
            Caller::Guardian | Caller::OwnAffairs | Caller::OwnSignIn
        ) {
            let response = call(&app.bearer(&ada.guardian), &operation, &target).await;
            assert_eq!(response.status.as_u16(), 401, "{}", operation.name);
        }
    }
}

#[tokio::test]
async fn each_kind_of_credential_gets_403_from_the_other_kinds_operations() {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    let target = Target {
        child: &ada.child.to_string(),
        session: &ada.session,
        assistant: &ada.assistant_id,
        invitation: &ada.invitation,
    };

    for operation in operations(&app).await {
        let wrong = match row_of(&operation).caller {
            Caller::Public => continue,
            Caller::Guardian | Caller::OwnAffairs | Caller::OwnSignIn => &ada.assistant,
            Caller::Assistant | Caller::AssistantItself => &ada.guardian,
        };
        let response = call(&app.bearer(wrong), &operation, &target).await;
        assert_eq!(
            response.status.as_u16(),
            403,
            "{}: {}",
            operation.name,
            response.body
        );
    }
}

#[tokio::test]
async fn another_familys_data_is_byte_for_byte_like_missing_data() {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    let eve = family(&app, "eve@example.org").await;
    let theirs = Target {
        child: &ada.child.to_string(),
        session: &ada.session,
        assistant: &ada.assistant_id,
        invitation: &ada.invitation,
    };
    let absent = [
        Target {
            child: "999",
            session: "999",
            assistant: "asi_999",
            invitation: "inv_999",
        },
        Target {
            child: "mia",
            session: "mia",
            assistant: "asi_mia",
            invitation: "inv_mia",
        },
        Target {
            child: "-1",
            session: "9007199254740993",
            assistant: "asi_9007199254740993",
            invitation: "inv_9007199254740993",
        },
    ];

    for operation in operations(&app).await {
        let credential = match row_of(&operation).caller {
            Caller::Public | Caller::OwnAffairs | Caller::OwnSignIn | Caller::AssistantItself => {
                continue;
            }
            Caller::Guardian => &eve.guardian,
            Caller::Assistant => &eve.assistant,
        };
        let persona = app.bearer(credential);
        let refused = call(&persona, &operation, &theirs).await;
        assert_eq!(refused.status, 404, "{}: {}", operation.name, refused.body);
        refused.problem(404);
        for target in &absent {
            let missing = call(&persona, &operation, target).await;
            let is_malformed = target.child != "999" && missing.status == 400;
            // A malformed id in a query or a body gets an error that names the field; it reveals nothing.
            if is_malformed && missing.body.contains("\"at\":") {
                continue;
            }
            assert_eq!(missing.body, refused.body, "{}", operation.name);
            assert_eq!(missing.status, refused.status, "{}", operation.name);
            assert_eq!(missing.headers, refused.headers, "{}", operation.name);
        }
    }
}

/// Returns what a request reads from each table, once the caller's own data is cached.
async fn reads(
    app: &TestApp,
    persona: &Persona<'_>,
    operation: &Operation,
    target: &Target<'_>,
) -> Vec<String> {
    call(persona, operation, target).await;
    app.inner.store.record_reads();
    let refused = call(persona, operation, target).await;
    let reads = app.inner.store.recorded_reads();
    assert!(
        !refused.status.is_success(),
        "{}: {}",
        operation.name,
        refused.body
    );
    reads
}

#[tokio::test]
async fn another_familys_data_is_looked_up_with_the_same_reads_as_missing_data() {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    let eve = family(&app, "eve@example.org").await;
    let erased = format!("/api/sessions/{}", ada.session);
    let owner = app.bearer(&ada.guardian);
    for hides in [false, true] {
        if hides {
            owner.send(Method::DELETE, &erased, &[], None).await.ok();
        }
        let of = |child| {
            let theirs = Target {
                child,
                session: &ada.session,
                assistant: &ada.assistant_id,
                invitation: &ada.invitation,
            };
            let nobodys = Target {
                child,
                session: "999",
                assistant: "asi_999",
                invitation: "inv_999",
            };
            (theirs, nobodys)
        };
        let (own, theirs) = (eve.child.to_string(), ada.child.to_string());

        for operation in operations(&app).await {
            let persona = match row_of(&operation).caller {
                Caller::Guardian => app.bearer(&eve.guardian),
                Caller::Assistant => app.bearer(&eve.assistant),
                _ => continue,
            };
            let (another, mut missing) = of(&theirs);
            missing.child = "999";
            let expected = reads(&app, &persona, &operation, &missing).await;
            let read = reads(&app, &persona, &operation, &another).await;
            assert_eq!(read, expected, "{}", operation.name);
            // These have further ids below one's own child.
            let names_more = ["{sessionId}", "{assistantId}", "{invitationId}"];
            if names_more.iter().any(|name| operation.path.contains(name)) {
                let (another, missing) = of(&own);
                let expected = reads(&app, &persona, &operation, &missing).await;
                let read = reads(&app, &persona, &operation, &another).await;
                assert_eq!(read, expected, "{} of one's own child", operation.name);
            }
        }
    }
}

#[tokio::test]
async fn marking_another_familys_invitation_as_shown_reads_the_same_as_marking_a_missing_one() {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    let eve = family(&app, "eve@example.org").await;
    let persona = app.bearer(&eve.guardian);
    let mut of_each = Vec::new();
    for invitation in ["inv_999", &ada.invitation] {
        let shown = json!({"invitation_id": invitation, "edition": "edn_1"});
        let body = json!({"requests": [], "invitations": [shown]});
        app.inner.store.record_reads();
        let noted = persona.post("/api/household/requests/shown", &body).await;
        of_each.push(app.inner.store.recorded_reads());
        noted.ok();
    }

    assert_eq!(of_each[0], of_each[1]);
}

#[tokio::test]
async fn every_linked_guardian_and_assistant_has_access() {
    let servers = Servers {
        ntfy: Some("http://127.0.0.1:1".parse().unwrap()),
        webhook: None,
    };
    let app = TestApp::with_servers(servers).await;
    let ada = family(&app, "ada@example.org").await;
    let bob = app.guardian("bob@example.org").await;
    let (inner, child, email) = (
        app.inner.clone(),
        ada.child,
        "bob@example.org".parse().unwrap(),
    );
    let linked = app.inner.store.commit(move |change| {
        let bob = inner.identity.guardians.get(change, &email).unwrap();
        let caller = porchlight::identity::Caller::Guardian(bob.id);
        inner.children.link(change, child, &caller)
    });
    linked.await.unwrap();
    let target = Target {
        child: &ada.child.to_string(),
        session: &ada.session,
        assistant: &ada.assistant_id,
        invitation: &ada.invitation,
    };

    for operation in operations(&app).await {
        let allowed: &[&str] = match row_of(&operation).caller {
            Caller::Public | Caller::OwnSignIn => continue,
            Caller::OwnAffairs | Caller::Guardian => &[&ada.guardian, bob.credential()],
            Caller::Assistant | Caller::AssistantItself => &[&ada.assistant],
        };
        for credential in allowed {
            let response = call(&app.bearer(credential), &operation, &target).await;
            // Only a child's only guardian may do this; see `tests/retention.rs`.
            if operation.name == "eraseSession" {
                assert!([404, 409].contains(&response.status.as_u16()));
                continue;
            }
            // The first guardian has already done it; see `tests/household.rs`.
            let ends = [
                "takeChildOff",
                "revokeAssistant",
                "confirmInvitation",
                "stopInvitation",
                "requestChildDeletion",
                "confirmRequest",
                "stopRequest",
                "leaveChild",
            ];
            // Here is no model, and no alert of one; see `tests/reviewer.rs`.
            let needs_a_model = ["switchReviewerOn", "confirmReviewer", "setAlertNotWorrying"];
            if needs_a_model.contains(&operation.name.as_str()) {
                assert!([404, 409].contains(&response.status.as_u16()));
                continue;
            }
            if ends.contains(&operation.name.as_str()) {
                assert!([204, 404, 409, 412].contains(&response.status.as_u16()));
                continue;
            }
            // These need a code from an e-mail, a link or another device. See `tests/step_up.rs`, `tests/invitations.rs` and
            // `tests/pairing.rs`.
            let needs_more = [
                "stepUp",
                "joinByInvitation",
                "confirmPairing",
                "askOtherDevice",
            ];
            if needs_more.contains(&operation.name.as_str()) {
                response.problem(422);
                continue;
            }
            assert!(
                response.status.is_success(),
                "{}: {}",
                operation.name,
                response.body
            );
        }
    }
}

#[tokio::test]
async fn an_unlinked_guardian_loses_access_at_once() {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    let (inner, child, email) = (
        app.inner.clone(),
        ada.child,
        "ada@example.org".parse().unwrap(),
    );
    let unlinked = app.inner.store.commit(move |change| {
        let ada = inner.identity.guardians.get(change, &email).unwrap();
        inner.children.unlink(
            change,
            child,
            &porchlight::identity::Caller::Guardian(ada.id),
        )
    });
    unlinked.await.unwrap();
    let target = Target {
        child: &ada.child.to_string(),
        session: &ada.session,
        assistant: &ada.assistant_id,
        invitation: &ada.invitation,
    };

    for operation in operations(&app).await {
        if row_of(&operation).caller == Caller::Guardian {
            let response = call(&app.bearer(&ada.guardian), &operation, &target).await;
            assert_eq!(
                response.status, 404,
                "{}: {}",
                operation.name, response.body
            );
        }
    }
}

/// The response without random values: secrets, ids, tags and QR codes, which are the long words with a digit, and without the
/// milliseconds for which a stream's child was unchanged.
fn without_random_values(response: &Response) -> String {
    let headers = response.headers.iter();
    let headers = headers.filter(|(name, _)| *name != "porchlight-unchanged-for");
    let headers = headers.map(|(name, value)| {
        let value = value.to_str().unwrap();
        format!("{name}: {value}\n")
    });
    let text = format!(
        "{}\n{}\n{}",
        response.status,
        headers.collect::<String>(),
        response.body
    );
    let is_of_a_word =
        |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    let words = text.split_inclusive(|character| !is_of_a_word(character));
    let known = words.map(|word| {
        let is_by_chance =
            word.len() > 14 && word.contains(|character: char| character.is_ascii_digit());
        if is_by_chance { "…" } else { word }
    });
    known.collect()
}

/// The responses of every operation to a family, to its assistant and to a stranger.
async fn all_answers(beside: Option<&str>) -> Vec<(String, String)> {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    if let Some(other) = beside {
        family(&app, other).await;
    }
    let target = Target {
        child: &ada.child.to_string(),
        session: &ada.session,
        assistant: &ada.assistant_id,
        invitation: &ada.invitation,
    };
    let mut answers = Vec::new();
    let (adding, others) = operations(&app)
        .await
        .into_iter()
        .partition::<Vec<_>, _>(|operation| operation.name == "addChild");
    for operation in others.into_iter().chain(adding) {
        for bearer in ["", &ada.assistant, &ada.guardian] {
            let persona = match bearer {
                "" => app.anonymous(),
                bearer => app.bearer(bearer),
            };
            // What is added at different times isn't sorted by random ids.
            app.clock.advance(Duration::from_millis(1));
            let response = call(&persona, &operation, &target).await;
            let mut answer = without_random_values(&response);
            if operation.name == "addChild" {
                // Gaps in the child ids reveal that there are other children (`docs/SECURITY.md`).
                answer.retain(|character| !character.is_ascii_digit());
            }
            answers.push((operation.name.clone(), answer));
        }
    }
    answers
}

#[tokio::test]
async fn no_answer_depends_on_whether_another_family_exists() {
    let alone = all_answers(None).await;
    let beside = all_answers(Some("eve@example.net")).await;

    assert!(alone.iter().any(|(_, answer)| answer.contains("Mia")));
    assert_eq!(alone.len(), beside.len());
    for (alone, beside) in alone.iter().zip(&beside) {
        assert_eq!(alone, beside);
    }
}
