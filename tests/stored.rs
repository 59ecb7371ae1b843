//! All accepted input can be read back, for every record type and every write operation.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::family::{self, Family};
use crate::support::operations::{OPERATIONS, Operation, READ_OPERATIONS, Target};
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

/// The body to vary, if another one than in `FACTS` has more fields.
fn body_of(operation: &Operation, family: &Family) -> Value {
    match operation.name {
        "chooseAssistantUpstream" => json!({"upstream": {"name": "home", "host": "127.0.0.1"}}),
        "inviteGuardian" => json!({"children": [family.child], "email": "cleo@example.org"}),
        _ => operation.body(&family.child.to_string()),
    }
}

/// What is requested of a family, so that it keeps its child and its key.
fn target_of(operation: &Operation, family: &Family) -> Target {
    let mut target = family.target();
    match operation.name {
        "leaveChild" => target.child = "999999".to_owned(),
        "rotateAssistant" | "revokeAssistant" | "takeChildOff" => {
            target.assistant = "asi_none".to_owned();
        }
        // The one that is deleted already.
        "eraseSession" => target.session = "3".to_owned(),
        _ => {}
    }
    target
}

/// Sends this body. Returns the status.
async fn call(operation: &Operation, app: &TestApp, family: &Family, body: Option<String>) -> u16 {
    let path = operation.at(&target_of(operation, family));
    let persona = family.caller(app, operation);
    let own_page = [("origin", PUBLIC_URL)];
    let method = operation.method.clone();
    let response = persona.send(method, &path, &own_page, body).await;
    response.status.as_u16()
}

/// Returns a complete export.
async fn exported(app: &TestApp) -> String {
    let (exported, text) = app.exported().await;
    assert!(exported.unreadable.is_empty(), "{:?}", exported.unreadable);
    text
}

/// Asserts that all read operations and `verify` succeed.
async fn assert_all_readable(app: &TestApp, family: &Family, after: &str) {
    for reading in READ_OPERATIONS.iter() {
        let response = family.read(app, reading).await;
        assert_eq!(
            response.status, 200,
            "{} after {after}: {}",
            reading.name, response.body
        );
        assert_eq!(
            response.header("unreadable-rows"),
            "",
            "{} after {after}",
            reading.name
        );
        let read = serde_json::from_str::<Value>(&response.body);
        // An event stream isn't JSON.
        assert!(
            read.is_ok() || reading.name == "streamEvents",
            "{} after {after}: {}",
            reading.name,
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

        for write in OPERATIONS
            .iter()
            .filter(|operation| operation.write.is_some())
        {
            let body = body_of(write, &family);
            if body.is_null() {
                let status = call(write, &app, &family, None).await;
                assert!(status < 500, "{}: {status}", write.name);
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
            assert!(
                accepted > 0 || write.write.is_some_and(|write| write.has_few_values),
                "{} takes nothing",
                write.name
            );
        }
    });
}

/// Sends the bodies to their own family, because everything is read after each. Returns how many were accepted.
async fn assert_all_can_be_read_back(write: &Operation, bodies: &[String]) -> usize {
    let app = TestApp::new().await;
    let family = family::add(&app, "ada@example.org", "Mia").await;
    if ["renameChild", "moveSession"].contains(&write.name) {
        // Both are refused while the family's request to delete the child is pending.
        let parent = app.stepped_up("ada@example.org").await;
        let path = format!("/api/child/{}/requests/deletion", family.child);
        parent.send(Method::DELETE, &path, &[], None).await.ok();
    }
    let mut accepted = 0;
    for body in bodies {
        let status = call(write, &app, &family, Some(body.clone())).await;
        assert!(status < 500, "{} {body}: {status}", write.name);
        if status < 300 {
            accepted += 1;
            let after = format!("{} {body}", write.name);
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
