//! All accepted input can be read back, for every record type and every write operation.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::family::{self, Family, READ_OPERATIONS};
use crate::support::test_app::{PUBLIC_URL, TestApp, restore};
use poem::http::Method;
use porchlight::admin::seed;
use porchlight::admin::verify::record_kinds;
use porchlight::kernel::store::{PARTS_TABLE, Payload, RecordKind};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

/// Edge cases of JSON, Unicode, doubles and dates.
const EDGES: [&str; 53] = [
    r#""9999-12-31T23:59:59-00:01""#,
    r#""9999-12-31T23:59:59.9999999Z""#,
    r#""9999-12-31T23:59:60Z""#,
    r#""9999-12-31T23:59:59+23:59""#,
    r#""0000-01-01T00:00:00Z""#,
    r#""0000-01-01T00:00:00+00:01""#,
    r#""0000-01-01T00:00:00-23:59""#,
    r#""+10000-01-01T00:00:00Z""#,
    r#""-0001-12-31T23:59:59Z""#,
    r#""2016-12-31T23:59:60Z""#,
    r#""2026-11-21T16:05:00.123456789+14:00""#,
    r#""2026-11-21t16:05:00z""#,
    r#""2026-11-21 16:05:00Z""#,
    "0",
    "-0",
    "-0.0",
    "1",
    "-1",
    "0.1",
    "1e308",
    "1.7976931348623157e308",
    "1797693134862315708e290",
    "1e309",
    "5e-324",
    "2.2250738585072011e-308",
    "1e-400",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "123456789012345678901234567890",
    "1.0000000000000002",
    "0.30000000000000004",
    "null",
    "true",
    "[]",
    "{}",
    r#"{"a":{"b":[1,{"c":null}]},"a":2}"#,
    r#""""#,
    r#"" ""#,
    r#""\u0000""#,
    r#""a\u0000b\u0001""#,
    r#""\ud800""#,
    r#""\ud83c\udf19""#,
    r#""\u202e\ufeff\u0085""#,
    r#""İıẞß""#,
    r#""e\u0301 \u0958""#,
    r#"".""#,
    r#""../../x?y#z%00""#,
    r#""ada@example.org""#,
    r#""ben@example.net""#,
];

/// Generates JSON: edge cases, and random times, numbers and strings.
fn any_json() -> impl Strategy<Value = String> {
    let number = any::<f64>().prop_filter("JSON has no others", |number| number.is_finite());
    prop_oneof![
        prop::sample::select(EDGES.as_slice()).prop_map(str::to_owned),
        any_time().prop_map(|time| json!(time).to_string()),
        number.prop_map(|number| format!("{number:e}")),
        any::<u64>().prop_map(|number| number.to_string()),
        any::<i64>().prop_map(|number| number.to_string()),
        // As `any::<String>()`, whose regular expression is parsed for each value.
        prop::string::string_regex(r"\PC*")
            .unwrap()
            .prop_map(|text| json!(text).to_string()),
        (1..200_usize).prop_map(|depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth))),
        prop::sample::select(vec![199, 200, 201, 2_001, 65_537])
            .prop_map(|length| format!("\"{}\"", "ä".repeat(length))),
    ]
}

fn any_time() -> impl Strategy<Value = String> {
    let year = prop_oneof![Just(0), Just(1), Just(9_999), 0..=9_999];
    let day = prop_oneof![Just((1, 1)), Just((12, 31)), (1..=12, 1..=28)];
    let minutes = prop_oneof![Just(0), -1_439..=1_439];
    let decimals = prop::string::string_regex(r"(\.[0-9]{1,12})?").unwrap();
    (year, day, 0..24, 0..60, 0..=60, decimals, minutes).prop_map(
        |(year, (month, day), hour, minute, second, decimals, offset)| {
            let sign = if offset < 0 { '-' } else { '+' };
            let (hours, rest) = (i32::abs(offset) / 60, i32::abs(offset) % 60);
            format!(
                "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{decimals}{sign}{hours:02}:{rest:02}"
            )
        },
    )
}

/// Returns `base` with other values at these places. They are inserted as text, as `Value` can't hold all JSON.
fn with(base: &Value, replaced: &[(String, String)]) -> String {
    let mut changed = base.clone();
    for (number, (place, _)) in replaced.iter().enumerate() {
        if let Some(found) = changed.pointer_mut(place) {
            *found = json!(format!("@place {number}@"));
        }
    }
    let mut text = changed.to_string();
    for (number, (_, json)) in replaced.iter().enumerate() {
        text = text.replace(&json!(format!("@place {number}@")).to_string(), json);
    }
    text
}

/// Generates up to three places in `base` and their new values.
fn replacements(base: &Value) -> impl Strategy<Value = Vec<(String, String)>> + use<> {
    let places = family::leaves(base);
    prop::collection::vec((prop::sample::select(places), any_json()), 1..=3)
}

/// Returns a test runner with a fixed seed.
fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    )
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// Returns the path and the text of each source file, without tests.
fn sources() -> Vec<(String, String)> {
    fn read(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && name != "tests" {
                read(&path, found);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = fs::read_to_string(&path).unwrap();
                let program = text.split("#[cfg(test)]\nmod ").next().unwrap();
                found.push((path.display().to_string(), program.to_owned()));
            }
        }
    }
    let mut found = Vec::new();
    read(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut found,
    );
    found
}

/// Returns all texts between `start` and the next `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let pieces = text.split(start).skip(1);
    pieces
        .filter_map(|piece| Some(piece.split_once(end)?.0))
        .collect()
}

#[test]
fn verify_knows_every_table_and_record_type_in_the_source() {
    let kinds = record_kinds();
    let known = kinds.iter().map(RecordKind::name).collect::<BTreeSet<_>>();
    assert_eq!(known.len(), kinds.len(), "a table is listed twice");
    let sources = sources();
    let all = sources
        .iter()
        .map(|(_, text)| text.as_str())
        .collect::<String>();
    let mut in_source = BTreeSet::from([PARTS_TABLE]);

    for (path, text) in &sources {
        for table in between(text, "Table::new(\"", "\")") {
            in_source.insert(table);
            assert!(
                known.contains(table) || table == PARTS_TABLE,
                "{path} has the table “{table}”, which `verify` cannot decode: add it to the KINDS of that store"
            );
        }
        for record in between(text, "impl Record for ", " {") {
            assert!(
                all.contains(&format!("RecordKind::of::<{record}>(")),
                "{path} stores {record}, and no table in KINDS holds it: add it"
            );
        }
    }
    for table in known {
        assert!(
            in_source.contains(table),
            "nothing in the source has the table “{table}”"
        );
    }
}

/// Returns one row of each table.
async fn one_row_per_table() -> Vec<(RecordKind, Value)> {
    let app = TestApp::new().await;
    let family = family::add(&app, "ada@example.org", "Mia").await;
    family::fill_other_tables(&app.inner, &family).await;
    let rows = family::record_kinds().into_iter().map(|kind| {
        let row = family::first_row(&app.inner.store, &kind);
        let (_, payload) = row.unwrap_or_else(|| panic!("“{}” is empty: fill it", kind.name()));
        (kind, serde_json::from_slice(&payload).unwrap())
    });
    rows.collect()
}

/// Returns the payload of a version 1 record.
fn written(json: &[u8]) -> Payload {
    let (version, json) = (1, json.to_vec().into());
    Payload { version, json }
}

/// Asserts that a payload is either refused or round-trips.
fn assert_round_trips(kind: &RecordKind, payload: &str) -> Result<(), TestCaseError> {
    let Ok(once) = kind.rewritten(written(payload.as_bytes())) else {
        return Ok(());
    };
    let twice = kind.rewritten(written(&once));
    let shown = || String::from_utf8_lossy(&once).into_owned();
    prop_assert!(
        twice.is_ok(),
        "{}: {payload} becomes {}",
        kind.name(),
        shown()
    );
    prop_assert_eq!(
        twice.unwrap(),
        once.clone(),
        "{}: {} becomes {}",
        kind.name(),
        payload,
        shown()
    );
    Ok(())
}

#[test]
fn every_readable_record_round_trips() {
    let rows = runtime().block_on(one_row_per_table());
    for (kind, row) in &rows {
        for place in family::leaves(row) {
            for edge in EDGES {
                let payload = with(row, &[(place.clone(), edge.to_owned())]);
                assert_round_trips(kind, &payload).unwrap();
            }
        }
        let by_chance = replacements(row).prop_map(|replaced| with(row, &replaced));
        let outcome = runner(300).run(&by_chance, |payload| assert_round_trips(kind, &payload));
        outcome.unwrap();
    }
}

/// A write operation: its caller, path and body.
struct WriteOperation {
    operation: &'static str,
    method: &'static str,
    by_assistant: bool,
    path: &'static str,
    body: fn(&Family) -> Value,
}

/// All write operations. A new one needs a row here.
fn write_operations() -> Vec<WriteOperation> {
    let row = |operation, method, by_assistant, path, body| WriteOperation {
        operation,
        method,
        by_assistant,
        path,
        body,
    };
    vec![
        // It writes nothing, but accepts text typed by a person.
        row(
            "searchTranscripts",
            "POST",
            false,
            "/child/{childId}/search",
            |_| json!({"words": "moon", "limit": 5}),
        ),
        row(
            "requestSignInLink",
            "POST",
            false,
            "/auth/link",
            |_| json!({"email": "somebody@example.org"}),
        ),
        row(
            "signIn",
            "POST",
            false,
            "/auth/sign-in",
            |family| json!({"email": family.email, "token": "lnk_x"}),
        ),
        row(
            "signInWithRecoveryCode",
            "POST",
            false,
            "/auth/recovery",
            |_| json!({"code": "K7QX-3M0V-9T2D-HC1A"}),
        ),
        row("seeSignIns", "POST", false, "/auth/sign-ins/seen", |_| {
            Value::Null
        }),
        row("beginPairing", "POST", false, "/auth/pairing", |_| {
            Value::Null
        }),
        row("endPairing", "DELETE", false, "/auth/pairing", |_| {
            Value::Null
        }),
        row(
            "confirmPairing",
            "POST",
            false,
            "/auth/pairing/confirmation",
            |_| json!({"digits": "123"}),
        ),
        row(
            "claimPairing",
            "POST",
            false,
            "/auth/pairing/claim",
            |_| json!({"token": "par_x"}),
        ),
        row(
            "completePairing",
            "POST",
            false,
            "/auth/pairing/completion",
            |_| json!({"claim": "clm_x"}),
        ),
        row(
            "askForAddress",
            "PUT",
            false,
            "/auth/address",
            |_| json!({"email": "elsewhere@example.org"}),
        ),
        row(
            "stopAddressChange",
            "DELETE",
            false,
            "/auth/address",
            |_| Value::Null,
        ),
        row(
            "useAddressLink",
            "POST",
            false,
            "/auth/email",
            |_| json!({"token": "adr_x"}),
        ),
        row(
            "askOtherDevice",
            "POST",
            false,
            "/auth/step-up/other-device",
            |_| Value::Null,
        ),
        row(
            "answerAskingDevice",
            "POST",
            false,
            "/auth/asking-devices/sgn_none",
            |_| json!({"digits": "123"}),
        ),
        row(
            "refuseAskingDevice",
            "DELETE",
            false,
            "/auth/asking-devices/sgn_none",
            |_| Value::Null,
        ),
        row(
            "beginSetup",
            "POST",
            false,
            "/setup",
            |_| json!({"token": "set_x", "name": "Ada", "email": "ada@example.org", "children": ["Mia"]}),
        ),
        row(
            "addChild",
            "POST",
            false,
            "/children",
            |_| json!({"name": "Noah"}),
        ),
        row(
            "renameChild",
            "PUT",
            false,
            "/child/{childId}/name",
            |_| json!({"name": "Mia Lou"}),
        ),
        row(
            "keepAssistantKey",
            "PUT",
            false,
            "/assistants/{assistantId}/key/kept",
            |_| Value::Null,
        ),
        row(
            "noteRequestsShown",
            "POST",
            false,
            "/household/requests/shown",
            |family| {
                json!({"requests": [{"child_id": family.child, "kind": "deletion", "edition": "edn_1"}],
                    "invitations": [{"invitation_id": "inv_none", "edition": "edn_1"}]})
            },
        ),
        row(
            "leaveChild",
            "DELETE",
            false,
            "/child/999999/guardians/me",
            |_| Value::Null,
        ),
        row(
            "requestChildDeletion",
            "PUT",
            false,
            "/child/{childId}/deletion",
            |_| json!({"name": "Mia Lou"}),
        ),
        row(
            "confirmRequest",
            "PUT",
            false,
            "/child/{childId}/requests/deletion/confirmation",
            |_| Value::Null,
        ),
        row(
            "stopRequest",
            "DELETE",
            false,
            "/child/{childId}/requests/deletion",
            |_| Value::Null,
        ),
        row(
            "chooseRetention",
            "PUT",
            false,
            "/child/{childId}/retention",
            |_| json!({"days": 365}),
        ),
        row(
            "switchReviewerOn",
            "PUT",
            false,
            "/child/{childId}/reviewer",
            |_| json!({"model": "reader", "host": "127.0.0.1:9"}),
        ),
        row(
            "confirmReviewer",
            "PUT",
            false,
            "/child/{childId}/reviewer/confirmation",
            |_| json!({"model": "reader", "host": "127.0.0.1:9"}),
        ),
        row(
            "noteReviewerShown",
            "PUT",
            false,
            "/child/{childId}/reviewer/shown",
            |_| json!({"model": "reader", "host": "127.0.0.1:9"}),
        ),
        row(
            "switchReviewerAtHome",
            "PUT",
            false,
            "/child/{childId}/reviewer/at_home",
            |_| json!({"on": true}),
        ),
        row(
            "switchReviewerOff",
            "DELETE",
            false,
            "/child/{childId}/reviewer",
            |_| Value::Null,
        ),
        row(
            "replaceNotWorrying",
            "PUT",
            false,
            "/child/{childId}/not_worrying",
            |_| json!({"concerns": ["danger"]}),
        ),
        row(
            "setAlertNotWorrying",
            "PUT",
            false,
            "/child/{childId}/alerts/1/not_worrying",
            |_| json!({"not_worrying": true}),
        ),
        row(
            "keepSession",
            "PUT",
            false,
            "/sessions/2/kept",
            |_| json!({"kept": true}),
        ),
        row(
            "inviteGuardian",
            "POST",
            false,
            "/invitations",
            |family| json!({"children": [family.child], "email": "cleo@example.org"}),
        ),
        row(
            "confirmInvitation",
            "PUT",
            false,
            "/invitations/inv_none/confirmation",
            |_| Value::Null,
        ),
        row(
            "stopInvitation",
            "DELETE",
            false,
            "/invitations/inv_none",
            |_| Value::Null,
        ),
        row(
            "openInvitation",
            "POST",
            false,
            "/invitations/open",
            |_| json!({"token": "ivt_x"}),
        ),
        row(
            "acceptInvitation",
            "POST",
            false,
            "/invitations/accept",
            |_| json!({"token": "ivt_x", "name": "Cleo", "email": "cleo@example.org"}),
        ),
        row(
            "joinByInvitation",
            "POST",
            false,
            "/invitations/join",
            |_| json!({"token": "ivt_x"}),
        ),
        row(
            "connectAssistant",
            "POST",
            false,
            "/assistants",
            |family| json!({"name": "den", "children": [family.child]}),
        ),
        row(
            "renameAssistant",
            "PUT",
            false,
            "/assistants/{assistantId}/name",
            |_| json!({"name": "attic"}),
        ),
        row(
            "rotateAssistant",
            "POST",
            false,
            "/assistants/asi_none/key",
            |_| Value::Null,
        ),
        row(
            "chooseAssistantUpstream",
            "PUT",
            false,
            "/assistants/{assistantId}/upstream",
            |_| json!({"upstream": {"name": "home", "host": "127.0.0.1"}}),
        ),
        row(
            "revokeAssistant",
            "DELETE",
            false,
            "/assistants/asi_none",
            |_| Value::Null,
        ),
        row(
            "takeChildOff",
            "DELETE",
            false,
            "/child/{childId}/assistants/asi_none",
            |_| Value::Null,
        ),
        row(
            "signInWithSetupLink",
            "POST",
            false,
            "/setup/sign-in",
            |_| json!({"token": "set_x"}),
        ),
        row("finishSetup", "POST", false, "/setup/finish", |_| {
            Value::Null
        }),
        row(
            "makeRecoveryCodes",
            "POST",
            false,
            "/auth/recovery-codes",
            |_| Value::Null,
        ),
        row(
            "sendStepUpEmail",
            "POST",
            false,
            "/auth/step-up/email",
            |_| Value::Null,
        ),
        row(
            "stepUp",
            "POST",
            false,
            "/auth/step-up",
            |_| json!({"way": "email", "code": "123456"}),
        ),
        row("issueIdentityToken", "POST", false, "/auth/token", |_| {
            Value::Null
        }),
        row(
            "signOut",
            "POST",
            false,
            "/auth/sign-out",
            |_| json!({"everywhere": false}),
        ),
        row("endSignIn", "DELETE", false, "/auth/sign-ins/sgn_x", |_| {
            Value::Null
        }),
        row(
            "giveFeedback",
            "PUT",
            false,
            "/child/{childId}/activities/upcoming/b/feedback",
            |_| json!({"feedback": "up", "reason": "why"}),
        ),
        row(
            "replaceBlockedTopics",
            "PUT",
            false,
            "/child/{childId}/blocked_topics",
            |_| json!(["Spiders", "Ghosts"]),
        ),
        // It writes nothing, but accepts text typed by a person.
        row(
            "tryWatchedPhrase",
            "POST",
            false,
            "/child/{childId}/watched_phrases/try",
            |_| json!({"words": "our secret", "side": "child"}),
        ),
        row(
            "replaceWatchedPhrases",
            "PUT",
            false,
            "/child/{childId}/watched_phrases",
            |_| json!([{"words": "our secret", "side": "child"}]),
        ),
        row("replaceSubscription", "PUT", false, "/subscription", |_| {
            family::subscription()
        }),
        row(
            "switchNotificationsOn",
            "POST",
            false,
            "/subscription/notifications",
            |_| Value::Null,
        ),
        row(
            "sendTest",
            "POST",
            false,
            "/subscription/tests",
            |_| json!({"channel": "email"}),
        ),
        row(
            "switchNotificationsOff",
            "DELETE",
            false,
            "/subscription/notifications",
            |_| Value::Null,
        ),
        row(
            "noteAlertsSeen",
            "PUT",
            false,
            "/alerts/seen",
            |family| json!({"child_id": family.child, "up_to": 1}),
        ),
        row(
            "replaceContext",
            "PUT",
            false,
            "/child/{childId}/context",
            |_| json!({"text": "Mia is eight."}),
        ),
        row(
            "switchConversationStarters",
            "PUT",
            false,
            "/child/{childId}/curious/on",
            |_| json!({"on": false}),
        ),
        row(
            "hideConversationStarter",
            "PUT",
            false,
            "/child/{childId}/curious/hidden",
            |family| {
                let session = family.session.parse::<u64>().unwrap();
                json!({"session_id": session, "message_id": "m2"})
            },
        ),
        row(
            "chooseChildNoticeEdition",
            "PUT",
            false,
            "/child/{childId}/for_child",
            |_| json!({"edition": "younger"}),
        ),
        row(
            "replaceTimes",
            "PUT",
            false,
            "/child/{childId}/times",
            |_| {
                json!({
                    "time_zone": "Europe/Berlin", "pause": {"until": "2026-11-21T16:00:00Z"}, "minutes_a_day": 45,
                    "quiet_hours": [{"days": ["sun"], "from": "20:30", "to": "07:00"}],
                })
            },
        ),
        row("deliver", "POST", true, "/assistant/deliveries", |family| {
            json!({
                "session": "s", "child_id": family.child, "topic": "Tides",
                "start_time": "2026-11-21T16:00:00Z", "device": "kitchen", "idle_after": 60,
                "messages": [{
                    "message_id": "new", "source": "child", "text_content": "Why?",
                    "timestamp": "2026-11-20T16:00:09Z", "revision": 0, "content_type": "text",
                    "event_type": "said", "start_sample": 7, "interrupted": true, "speaker": "Mia",
                }],
                "completion": {
                    "duration": 61.5, "score": 0.8, "mood": "curious", "topic": "The moon",
                    "end_time": "2026-11-20T16:10:00Z",
                },
            })
        }),
        row(
            "moveSession",
            "PUT",
            false,
            "/sessions/2/child",
            |family| json!({"child_id": family.child}),
        ),
        row(
            "markNotChild",
            "PUT",
            false,
            "/sessions/2/not_child",
            |_| json!({"not_child": true}),
        ),
        row("deleteSession", "DELETE", false, "/sessions/2", |_| {
            Value::Null
        }),
        row(
            "undeleteSession",
            "POST",
            false,
            "/child/{childId}/deleted_sessions/2/undelete",
            |_| Value::Null,
        ),
        row(
            "noteDeletedSessionsShown",
            "POST",
            false,
            "/child/{childId}/deleted_sessions/shown",
            |_| json!({"sessions": [2, 3]}),
        ),
        row(
            "eraseSession",
            "DELETE",
            false,
            "/child/{childId}/deleted_sessions/3",
            |_| Value::Null,
        ),
        row(
            "replaceReport",
            "PUT",
            true,
            "/assistant/child/{childId}/report",
            |_| json!({"note": "well", "more": [1.5]}),
        ),
        row(
            "replaceUpcomingActivities",
            "PUT",
            true,
            "/assistant/child/{childId}/activities/upcoming",
            |_| json!([{"activity_id": "b", "topic": "Tides", "summary": "Sea and moon"}]),
        ),
    ]
}

impl WriteOperation {
    /// Sends this body. Returns the status.
    async fn call(&self, app: &TestApp, family: &Family, body: Option<String>) -> u16 {
        let path = format!("/api{}", self.path)
            .replace("{childId}", &family.child.to_string())
            .replace("{assistantId}", &family.assistant_id);
        let persona = if self.by_assistant {
            app.bearer(&family.assistant)
        } else {
            app.bearer(&family.guardian)
        };
        let own_page = [("origin", PUBLIC_URL)];
        let method = self.method.parse().unwrap();
        let response = persona.send(method, &path, &own_page, body).await;
        response.status.as_u16()
    }
}

/// Returns a complete export.
async fn exported(app: &TestApp) -> String {
    let (exported, text) = app.exported().await;
    assert!(exported.unreadable.is_empty(), "{:?}", exported.unreadable);
    text
}

/// Asserts that all read operations and `verify` succeed.
async fn assert_all_readable(app: &TestApp, family: &Family, after: &str) {
    for reading in &READ_OPERATIONS {
        let response = family.read(app, reading).await;
        assert_eq!(
            response.status, 200,
            "{} after {after}: {}",
            reading.operation, response.body
        );
        assert_eq!(
            response.header("unreadable-rows"),
            "",
            "{} after {after}",
            reading.operation
        );
        let read = serde_json::from_str::<Value>(&response.body);
        // An event stream isn't JSON.
        assert!(
            read.is_ok() || reading.operation == "streamEvents",
            "{} after {after}: {}",
            reading.operation,
            response.body
        );
    }
    let verified = app.inner.store.verify(&record_kinds(), |_| {}).unwrap();
    assert_eq!(verified.damage, [], "after {after}");
}

/// Asserts that an export, a restored backup and a restart preserve all data.
async fn assert_survives(app: TestApp, family: &Family) {
    let before = exported(&app).await;
    let valid = serde_json::from_str::<Value>(&before);
    assert!(valid.is_ok(), "the export is JSON: {:?}", valid.err());
    seed::check(&before).expect("an export is a valid seed");

    let folder = tempfile::tempdir().unwrap();
    let (file, restored) = (folder.path().join("backup"), folder.path().join("restored"));
    app.back_up(&file).await;
    restore(&file, &restored, family::everybody()).unwrap();
    let copy = TestApp::in_folder(&restored).await;
    assert_eq!(exported(&copy).await, before, "after a restore");

    let again = app.restarted().await;
    assert_eq!(exported(&again).await, before, "after a restart");
    assert_all_readable(&again, family, "a start").await;
}

#[test]
fn all_accepted_input_can_be_read_back_everywhere() {
    runtime().block_on(async {
        let app = TestApp::new().await;
        let family = family::add(&app, "ada@example.org", "Mia").await;
        family::assert_read_operations_are_complete(&app).await;
        let contract = app.anonymous().get("/api/openapi.json").await.json();
        let write_operations = write_operations();
        for (path, item) in contract["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let name = operation["operationId"].as_str().unwrap();
                let is_known = write_operations.iter().any(|write| write.operation == name);
                assert!(
                    is_known || method == "get",
                    "{name} ({path}) writes, and tests/stored.rs doesn't try it: add a row to `write_operations`"
                );
            }
        }

        for write in &write_operations {
            let body = (write.body)(&family);
            if body.is_null() {
                let status = write.call(&app, &family, None).await;
                assert!(status < 500, "{}: {status}", write.operation);
                continue;
            }
            let mut tried = Vec::new();
            for place in family::leaves(&body) {
                tried.extend(EDGES.map(|edge| with(&body, &[(place.clone(), edge.to_owned())])));
            }
            let mut by_chance = runner(0);
            for _ in 0..60 {
                let tree = replacements(&body).new_tree(&mut by_chance).unwrap();
                tried.push(with(&body, &tree.current()));
            }
            let accepted = assert_all_can_be_read_back(write, &tried).await;
            // These accept only the right secret, one of two words, the name and host of an upstream, or the child's name.
            let takes_a_secret = [
                "chooseAssistantUpstream",
                "chooseChildNoticeEdition",
                // One of two values, or a message that is there.
                "switchConversationStarters",
                "hideConversationStarter",
                // Here is no model, and no alert of one.
                "switchReviewerOn",
                "confirmReviewer",
                "switchReviewerAtHome",
                "setAlertNotWorrying",
                // Here is no server that takes messages.
                "sendTest",
                // Only the names of concerns.
                "replaceNotWorrying",
                "requestChildDeletion",
                "openInvitation",
                "acceptInvitation",
                "joinByInvitation",
                "signIn",
                "signInWithRecoveryCode",
                "stepUp",
                "beginSetup",
                "signInWithSetupLink",
                "confirmPairing",
                "claimPairing",
                "completePairing",
                "answerAskingDevice",
                "useAddressLink",
            ];
            assert!(accepted > 0 || takes_a_secret.contains(&write.operation), "{} takes nothing", write.operation);
        }
    });
}

/// Sends the bodies to their own family, because everything is read after each. Returns how many were accepted.
async fn assert_all_can_be_read_back(write: &WriteOperation, bodies: &[String]) -> usize {
    let app = TestApp::new().await;
    let family = family::add(&app, "ada@example.org", "Mia").await;
    if ["renameChild", "moveSession"].contains(&write.operation) {
        // Both are refused while the family's request to delete the child is pending.
        let parent = app.stepped_up("ada@example.org").await;
        let path = format!("/api/child/{}/requests/deletion", family.child);
        parent.send(Method::DELETE, &path, &[], None).await.ok();
    }
    let mut accepted = 0;
    for body in bodies {
        let status = write.call(&app, &family, Some(body.clone())).await;
        assert!(status < 500, "{} {body}: {status}", write.operation);
        if status < 300 {
            accepted += 1;
            let after = format!("{} {body}", write.operation);
            if body.len() < 10_000 || accepted % 8 == 0 {
                assert_all_readable(&app, &family, &after).await;
            }
        }
    }
    if accepted > 0 {
        assert_survives(app, &family).await;
    }
    accepted
}

#[test]
fn a_time_outside_the_valid_range_in_utc_is_refused() {
    runtime().block_on(async {
        let app = TestApp::new().await;
        let family = family::add(&app, "ada@example.org", "Mia").await;
        let robot = app.bearer(&family.assistant);
        for time in [
            "9999-12-31T23:59:59-00:01",
            "0000-01-01T00:00:00+00:01",
            "9999-12-31T23:59:60Z",
        ] {
            let completion = json!({"duration": 1, "end_time": time});
            let opened = json!({"child_id": family.child, "start_time": time});
            let message = json!([{"message_id": "new", "timestamp": time}]);
            let responses = [
                robot.complete("s", &completion).await,
                robot.deliver("s", &opened).await,
            ];
            let delivered = robot.deliver_messages("s", &message).await.json();
            assert_eq!(delivered["rejected"][0]["at"], "/messages/0/timestamp");
            for response in responses {
                assert_eq!(response.status, 400, "{time}: {}", response.body);
                let problem: Value = serde_json::from_str(&response.body).unwrap();
                assert_eq!(
                    problem["detail"],
                    "A time must lie in the years 0000 to 9999 in UTC."
                );
            }
        }
        assert_survives(app, &family).await;
    });
}
