//! The access matrix: every caller × every operation × their own, another family's and missing data.
//!
//! Who may call an operation is what openapi.yaml says (`tests/support/operations.rs`). All others must be refused, and another
//! family's data must be byte for byte like missing data.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::support::operations::{Caller, OPERATIONS, Operation, PUBLIC, Target};
use crate::support::tables::all_rows;
use crate::support::test_app::{Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::RemoveChild;
use porchlight::children::ChildId;
use porchlight::notifications::Servers;
use serde_json::json;

/// A child with a session, a guardian, and an assistant that calls the session `s`.
struct Family {
    child: ChildId,
    session: String,
    guardian: String,
    assistant: String,
    assistant_id: String,
    invitation: String,
}

impl Family {
    fn target(&self) -> Target {
        let child = self.child.to_string();
        Target::of([&child, &self.session, &self.assistant_id, &self.invitation])
    }
}

async fn family(app: &TestApp, email: &str) -> Family {
    let guardian = app.guardian(email).await.credential().to_owned();
    let child = app.child("Mia", &[email]).await;
    let robot = app.assistant(&format!("robot of {email}"), &[child]).await;
    let opened = robot.deliver("s", &json!({"child_id": child})).await.json();
    let said = json!([{"message_id": "m2", "timestamp": "2026-11-21T19:00:00Z"}]);
    robot.deliver_messages("s", &said).await.ok();
    let upcoming = json!([{"activity_id": "b", "topic": "Tides"}]);
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

async fn call(persona: &Persona<'_>, operation: &Operation, target: &Target) -> Response {
    let read = match operation.name {
        "confirmRequest" | "confirmInvitation" => Some("\"edn_1\""),
        _ => None,
    };
    call_if(persona, operation, target, read).await
}

/// Calls an operation on what the caller has read.
async fn call_if(
    persona: &Persona<'_>,
    operation: &Operation,
    target: &Target,
    read: Option<&str>,
) -> Response {
    let body = operation.body(&target.child);
    let body = (!body.is_null()).then(|| body.to_string());
    let headers = read.map(|read| ("if-match", read));
    let (method, path) = (operation.method.clone(), operation.at(target));
    persona.send(method, &path, headers.as_slice(), body).await
}

#[test]
fn who_needs_no_credential_is_known() {
    let public = OPERATIONS
        .iter()
        .filter(|operation| operation.caller == Caller::Public);
    let public = public.map(|operation| operation.name);
    assert_eq!(
        public.collect::<BTreeSet<_>>(),
        BTreeSet::from(PUBLIC),
        "edit PUBLIC in tests/support/operations.rs"
    );
}

#[tokio::test]
async fn every_operation_that_is_not_public_requires_a_credential() {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    let gone = family(&app, "gone@example.org").await;
    let (inner, email) = (app.inner.clone(), "gone@example.org".parse().unwrap());
    let identity = inner.identity.clone();
    let removed = inner
        .store
        .commit(move |change| identity.remove_guardian(change, &email));
    removed.await.unwrap();
    let assistants = inner.identity.assistants.clone();
    let revoked = inner
        .store
        .commit(move |change| assistants.revoke(change, "robot of gone@example.org"));
    revoked.await.unwrap();
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
    let target = ada.target();

    for operation in OPERATIONS.iter() {
        if operation.caller == Caller::Public {
            continue;
        }
        for (who, credential) in strangers {
            let persona = credential.map_or_else(|| app.anonymous(), |bearer| app.bearer(bearer));
            let response = call(&persona, operation, &target).await;
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
        let target = family.target();
        for operation in OPERATIONS.iter() {
            let bearer = match operation.caller {
                Caller::OwnAffairs | Caller::Guardian => &family.guardian,
                Caller::Assistant => &family.assistant,
                _ => continue,
            };
            // Here is no try, and no assistant of the gateway's.
            let is_refused = ["getTry", "previewTry"].contains(&operation.name);
            if operation.method == Method::GET && !is_refused {
                call(&app.bearer(bearer), operation, &target).await.ok();
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
    let target = ada.target();
    app.clock.advance(Duration::from_secs(600));

    for operation in OPERATIONS.iter() {
        let caller = operation.caller;
        if matches!(
            caller,
            Caller::Guardian | Caller::OwnAffairs | Caller::OwnSignIn
        ) {
            let response = call(&app.bearer(&ada.guardian), operation, &target).await;
            assert_eq!(response.status.as_u16(), 401, "{}", operation.name);
        }
    }
}

#[tokio::test]
async fn each_kind_of_credential_gets_403_from_the_other_kinds_operations() {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    let target = ada.target();

    for operation in OPERATIONS.iter() {
        let wrong = match operation.caller {
            Caller::Public => continue,
            Caller::Guardian | Caller::OwnAffairs | Caller::OwnSignIn => &ada.assistant,
            Caller::Assistant | Caller::AssistantItself => &ada.guardian,
        };
        let response = call(&app.bearer(wrong), operation, &target).await;
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
    let theirs = ada.target();
    let absent = [
        Target::of(["999", "999", "asi_999", "inv_999"]),
        Target::of(["mia", "mia", "asi_mia", "inv_mia"]),
        Target::of(["%FF", "%FF", "%FF", "%FF"]),
        Target::of([
            "-1",
            "9007199254740993",
            "asi_9007199254740993",
            "inv_9007199254740993",
        ]),
    ];

    let before = all_rows(&app);

    for operation in OPERATIONS.iter() {
        let credential = match operation.caller {
            Caller::Public | Caller::OwnAffairs | Caller::OwnSignIn | Caller::AssistantItself => {
                continue;
            }
            Caller::Guardian => &eve.guardian,
            Caller::Assistant => &eve.assistant,
        };
        let persona = app.bearer(credential);
        let refused = call(&persona, operation, &theirs).await;
        assert_eq!(refused.status, 404, "{}: {}", operation.name, refused.body);
        refused.problem(404);
        if operation.method == Method::PUT {
            let stale = call_if(&persona, operation, &theirs, Some("\"x\"")).await;
            assert_eq!(stale.body, refused.body, "{}", operation.name);
            assert_eq!(stale.headers, refused.headers, "{}", operation.name);
        }
        for target in &absent {
            let missing = call(&persona, operation, target).await;
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
    let after = all_rows(&app);
    let changed = after
        .keys()
        .filter(|table| after.get(*table) != before.get(*table));
    assert_eq!(changed.collect::<Vec<_>>(), [""; 0]);
    assert_eq!(after.len(), before.len());
}

/// Returns what a request reads from each table, once the caller's own data is cached.
async fn reads(
    app: &TestApp,
    persona: &Persona<'_>,
    operation: &Operation,
    target: &Target,
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
        let (own, theirs) = (eve.child.to_string(), ada.child.to_string());
        let of = |child: &str, ids: &Target| Target {
            child: child.to_owned(),
            ..ids.clone()
        };
        let (adas, nobodys) = (
            ada.target(),
            Target::of(["999", "999", "asi_999", "inv_999"]),
        );

        for operation in OPERATIONS.iter() {
            let persona = match operation.caller {
                Caller::Guardian => app.bearer(&eve.guardian),
                Caller::Assistant => app.bearer(&eve.assistant),
                _ => continue,
            };
            let expected = reads(&app, &persona, operation, &nobodys).await;
            let read = reads(&app, &persona, operation, &of(&theirs, &adas)).await;
            assert_eq!(read, expected, "{}", operation.name);
            // These have further ids below one's own child.
            let names_more = ["sessionId", "assistantId", "invitationId"];
            if names_more.iter().any(|name| operation.names(name)) {
                let expected = reads(&app, &persona, operation, &of(&own, &nobodys)).await;
                let read = reads(&app, &persona, operation, &of(&own, &adas)).await;
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
        ..Servers::default()
    };
    let app = TestApp::with_servers(servers).await;
    let ada = family(&app, "ada@example.org").await;
    let bob = app.guardian("bob@example.org").await;
    app.link(ada.child, "bob@example.org").await;
    let target = ada.target();

    for operation in OPERATIONS.iter() {
        let allowed: &[&str] = match operation.caller {
            Caller::Public | Caller::OwnSignIn => continue,
            Caller::OwnAffairs | Caller::Guardian => &[&ada.guardian, bob.credential()],
            Caller::Assistant | Caller::AssistantItself => &[&ada.assistant],
        };
        for credential in allowed {
            let response = call(&app.bearer(credential), operation, &target).await;
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
            // Here is no model, no alert, and another push key; see `tests/reviewer.rs`, `tests/attention.rs` and `tests/push.rs`.
            let needs_more_than_access = [
                "replacePushSubscription",
                "switchReviewerOn",
                "confirmReviewer",
                "setAlertNotWorrying",
                "setAlertDealtWith",
                // The assistant isn't the gateway's; see `tests/tries.rs`.
                "previewTry",
                "startTry",
                // The first guardian has hidden it.
                "deleteTry",
                "getTry",
                "judgeTryAnswer",
                // The first guardian has given it.
                "takeBackFeedback",
            ];
            if needs_more_than_access.contains(&operation.name) {
                assert!([200, 204, 404, 409].contains(&response.status.as_u16()));
                continue;
            }
            if ends.contains(&operation.name) {
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
            if needs_more.contains(&operation.name) {
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
    app.unlink(ada.child, "ada@example.org").await;
    let target = ada.target();

    for operation in OPERATIONS.iter() {
        if operation.caller == Caller::Guardian {
            let response = call(&app.bearer(&ada.guardian), operation, &target).await;
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
async fn all_answers(beside: Option<&str>) -> Vec<(&'static str, String)> {
    let app = TestApp::new().await;
    let ada = family(&app, "ada@example.org").await;
    if let Some(other) = beside {
        family(&app, other).await;
    }
    let target = ada.target();
    let mut answers = Vec::new();
    let (adding, others) = OPERATIONS
        .iter()
        .partition::<Vec<_>, _>(|operation| operation.name == "addChild");
    for operation in others.into_iter().chain(adding) {
        for bearer in ["", &ada.assistant, &ada.guardian] {
            let persona = match bearer {
                "" => app.anonymous(),
                bearer => app.bearer(bearer),
            };
            // What is added at different times isn't sorted by random ids.
            app.clock.advance(Duration::from_millis(1));
            let response = call(&persona, operation, &target).await;
            let mut answer = without_random_values(&response);
            if operation.name == "addChild" {
                // Gaps in the child ids reveal that there are other children (`docs/SECURITY.md`).
                answer.retain(|character| !character.is_ascii_digit());
            }
            answers.push((operation.name, answer));
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
