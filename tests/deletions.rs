//! Deletion records: what was deleted permanently, and whether the data folder's files were searched for it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use poem::http::Method;
use porchlight::admin::{RemoveChild, UnlinkChild};
use porchlight::app::FEATURES;
use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::outgoing::mail::Email;
use porchlight::kernel::store::{
    Key, KeyPlace, Read, Recipient, Sought, StoreError, Table, Trace, encrypt,
};
use porchlight::retention::deletions::Unsearched;
use serde_json::{Value, json};

use crate::support::family::{self, record_kinds};
use crate::support::files::copy;
use crate::support::requests::{ask_to_delete, confirm};
use crate::support::tables::{Row, all_rows, row_has};
use crate::support::test_app::TestApp;

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const EVE: &str = "eve@example.org";
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Delivers a session of this day in November with some messages. Returns its id.
async fn talk(app: &TestApp, child: ChildId, name: &str, day: u8, messages: u8) -> Value {
    let robot = app.assistant(&format!("robot {name}"), &[child]).await;
    let at = |minute| format!("2026-11-{day:02}T16:{minute:02}:00Z");
    let said = (0..messages).map(|number| {
        json!({"message_id": number.to_string(), "text_content": "Tides", "timestamp": at(number)})
    });
    let delivery = json!({"start_time": at(0), "messages": said.collect::<Value>()});
    robot.deliver(name, &delivery).await.json()["session_id"].take()
}

async fn delete(app: &TestApp, email: &str, session: &Value) {
    let guardian = app.stepped_up(email).await;
    let path = format!("/api/sessions/{session}");
    guardian.send(Method::DELETE, &path, &[], None).await.ok();
}

async fn delete_permanently(app: &TestApp, email: &str, child: ChildId, session: &Value) {
    delete(app, email, session).await;
    let guardian = app.stepped_up(email).await;
    let path = format!("/api/child/{child}/deleted_sessions/{session}");
    guardian.send(Method::DELETE, &path, &[], None).await.ok();
}

async fn page(app: &TestApp, email: &str, child: ChildId) -> Value {
    let guardian = app.stepped_up(email).await;
    let path = format!("/api/child/{child}/deletions");
    guardian.get(&path).await.json()
}

async fn records(app: &TestApp, email: &str, child: ChildId) -> Vec<Value> {
    let mut page = page(app, email, child).await;
    serde_json::from_value(page["items"].take()).unwrap()
}

async fn maintain(app: &TestApp) {
    app.inner.maintain().await.unwrap();
}

fn check(outcome: &str, on: &str) -> Value {
    json!({"outcome": outcome, "checked_on": on})
}

/// Moves all data from the log to sled's files.
async fn compact(app: &TestApp) {
    app.inner.store.compact(|_| {}).await.unwrap();
}

/// The plain text without its line breaks.
fn on_one_line(email: &Email) -> String {
    let words = email.text.split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn what_an_only_guardian_deletes_in_a_row_is_one_record_that_is_checked_after_the_compaction()
{
    let app = TestApp::new().await;
    app.named_guardian(ADA, "Ada").await;
    let mia = app.child("Mia", &[ADA]).await;
    for (name, day, messages) in [("a", 5, 3), ("b", 1, 2), ("c", 9, 5)] {
        let session = talk(&app, mia, name, day, messages).await;
        delete_permanently(&app, ADA, mia, &session).await;
        app.clock.advance(Duration::from_secs(60));
    }

    let before = page(&app, ADA, mia).await;
    maintain(&app).await;
    let after = page(&app, ADA, mia).await;

    let mut expected = json!({
        "sessions": 3,
        "messages": 10,
        "from": "2026-11-01",
        "to": "2026-11-09",
        "reason": "guardian",
        "requested_at": "2026-11-21T20:00:00Z",
        "by": {"is_you": true, "name": "Ada"},
        "deleted_on": "2026-11-21",
        // Nothing is erased before; then it counts from there.
        "backups": {"gone_on": "2026-12-05"},
    });
    assert_eq!(before, json!({"items": [expected]}));
    expected["gone_on"] = json!("2026-11-21");
    expected["check"] = check("not_found", "2026-11-21");
    assert_eq!(after, json!({"items": [expected]}));
    assert_eq!(app.count_rows("deletion-pending"), 0);
    assert_eq!(app.count_rows("deletion-sessions"), 0);
}

#[tokio::test]
async fn what_is_deleted_within_an_hour_joins_the_record_and_is_searched_again() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let mut waiting = Vec::new();
    for (name, minutes) in [("a", 0), ("b", 59), ("c", 1)] {
        app.clock.advance(Duration::from_secs(60 * minutes));
        let session = talk(&app, mia, name, 5, 1).await;
        delete_permanently(&app, ADA, mia, &session).await;
        waiting.push(records(&app, ADA, mia).await);
        maintain(&app).await;
    }

    let checked = records(&app, ADA, mia).await;
    app.clock.advance(HOUR);
    maintain(&app).await;
    let later = records(&app, ADA, mia).await;

    let counts = waiting.iter().map(|records| {
        let sessions = records.iter().map(|record| record["sessions"].as_u64());
        sessions.map(Option::unwrap).collect::<Vec<_>>()
    });
    assert_eq!(counts.collect::<Vec<_>>(), [vec![1], vec![2], vec![1, 2]]);
    for records in &waiting {
        assert_eq!(records[0]["check"], Value::Null);
        assert_eq!(records[0]["gone_on"], Value::Null);
    }
    // The files are compacted once an hour.
    let outcome = "not_found";
    assert!(
        checked
            .iter()
            .all(|record| record["check"]["outcome"] == outcome)
    );
    assert_eq!(later, checked);
    let ada = app.stepped_up(ADA).await;
    let path = format!("/api/child/{mia}/deletions?limit=1");
    let first = ada.get(&path).await.json();
    assert_eq!(first["items"], json!([checked[0]]));
    let next = first["next"].as_str().unwrap();
    let path = format!("/api/child/{mia}/deletions?before={next}");
    let second = ada.get(&path).await.json();
    assert_eq!(second, json!({"items": [checked[1]]}));
}

#[tokio::test]
async fn what_is_deleted_by_date_says_who_had_deleted_it_and_when() {
    let app = TestApp::new().await;
    app.named_guardian(ADA, "Ada").await;
    app.named_guardian(BEN, "Ben").await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    for (email, name) in [(ADA, "a"), (BEN, "b"), (ADA, "c")] {
        let session = talk(&app, mia, name, 5, 1).await;
        delete(&app, email, &session).await;
        app.clock.advance(HOUR);
    }
    for email in [ADA, BEN] {
        let guardian = app.stepped_up(email).await;
        let path = format!("/api/child/{mia}/deleted_sessions/shown");
        let shown = json!({"sessions": [1, 2, 3]});
        guardian.post(&path, &shown).await.ok();
    }

    app.clock.advance(8 * DAY);
    maintain(&app).await;
    let (adas, bens) = (records(&app, ADA, mia).await, records(&app, BEN, mia).await);
    let name = "Ada".to_owned();
    let unlink = UnlinkChild {
        child: mia,
        email: ADA.parse().unwrap(),
    };
    app.run_admin(unlink).await.0.unwrap();
    let without_ada = records(&app, BEN, mia).await;

    let of = |records: &[Value], by: &Value| {
        let of = records.iter().find(|record| record["by"] == *by);
        let of = of.unwrap_or_else(|| panic!("{records:?}"));
        (of["sessions"].clone(), of["requested_at"].clone())
    };
    assert_eq!(adas.len(), 2);
    let you = json!({"is_you": true, "name": name});
    let first = (json!(2), json!("2026-11-21T20:00:00Z"));
    assert_eq!(of(&adas, &you), first);
    assert_eq!(of(&bens, &json!({"is_you": false, "name": "Ada"})), first);
    let other = (json!(1), json!("2026-11-21T21:00:00Z"));
    assert_eq!(of(&bens, &json!({"is_you": true, "name": "Ben"})), other);
    assert_eq!(of(&without_ada, &Value::Null), first);
    assert!(
        adas.iter()
            .all(|record| record["check"]["outcome"] == "not_found")
    );
}

/// What may be left in the data folder.
#[derive(Clone, Copy, Debug)]
enum Left {
    Log,
    OldLog,
    Blocks,
    Blob,
    Backup,
    UnfinishedBackup,
}

/// Leaves a file of the store's behind. Returns its path.
async fn leave(app: &TestApp, left: Left) -> std::path::PathBuf {
    let data = app.data();
    let place = data.join("left-over");
    fs::create_dir(&place).unwrap();
    let current = |data: &Path| fs::read_to_string(data.join("store.current")).unwrap();
    match left {
        Left::Log => {
            for number in [0, 1] {
                let file = format!("store.wal.{number}");
                fs::copy(data.join(&file), place.join(file)).unwrap();
            }
        }
        Left::OldLog => {
            for number in [0, 1] {
                let log = fs::read(data.join(format!("store.wal.{number}"))).unwrap();
                // Format 3 had no header.
                fs::write(place.join(format!("store.journal.{number}")), &log[16..]).unwrap();
            }
        }
        Left::Blocks => {
            compact(app).await;
            copy(&data.join(current(data)), &place);
        }
        Left::Blob => {
            compact(app).await;
            fs::create_dir(place.join("blobs")).unwrap();
            let db = data.join(current(data)).join("db");
            fs::copy(db, place.join("blobs/524288")).unwrap();
        }
        Left::Backup => app.back_up(&place.join("before-format-4.backup")).await,
        Left::UnfinishedBackup => {
            let whole = place.join("whole");
            app.back_up(&whole).await;
            let bytes = fs::read(&whole).unwrap();
            // Without its end, it is found all the same.
            fs::write(place.join("a.backup.7.partial"), &bytes[..bytes.len() - 1]).unwrap();
            fs::remove_file(whole).unwrap();
        }
    }
    place
}

#[tokio::test]
async fn what_is_still_in_a_file_of_any_format_is_found_and_tried_again_at_night() {
    let all = [
        Left::Log,
        Left::OldLog,
        Left::Blocks,
        Left::Blob,
        Left::Backup,
        Left::UnfinishedBackup,
    ];
    for left in all {
        let app = TestApp::new().await;
        app.guardian(ADA).await;
        let mia = app.child("Mia", &[ADA]).await;
        let session = talk(&app, mia, "a", 5, 2).await;
        maintain(&app).await;
        let left_over = leave(&app, left).await;
        delete_permanently(&app, ADA, mia, &session).await;

        app.clock.advance(HOUR);
        maintain(&app).await;
        let found = records(&app, ADA, mia).await;
        maintain(&app).await;
        let again = records(&app, ADA, mia).await;
        // It was 21:00.
        app.clock.advance(6 * HOUR);
        maintain(&app).await;
        let at_night = records(&app, ADA, mia).await;
        fs::remove_dir_all(&left_over).unwrap();
        app.clock.advance(DAY);
        maintain(&app).await;
        let gone = records(&app, ADA, mia).await;

        assert_eq!(found[0]["check"], check("found", "2026-11-21"), "{left:?}");
        assert_eq!(found[0]["gone_on"], Value::Null, "{left:?}");
        assert_eq!(again, found, "{left:?}");
        assert_eq!(
            at_night[0]["check"],
            check("found", "2026-11-22"),
            "{left:?}"
        );
        assert_eq!(
            gone[0]["check"],
            check("not_found", "2026-11-23"),
            "{left:?}"
        );
        assert_eq!(gone[0]["gone_on"], "2026-11-23", "{left:?}");
        assert_eq!(gone[0]["deleted_on"], "2026-11-21", "{left:?}");
        assert!(!app.inner.store.requires_compaction().unwrap());
    }
}

#[tokio::test]
async fn what_could_not_be_searched_is_not_checked_and_tried_again_at_night() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    maintain(&app).await;
    let session = talk(&app, mia, "a", 5, 2).await;
    let recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
    let recipient = recipient.parse::<Recipient>().unwrap();
    let mut encrypted = Vec::new();
    encrypt(&[recipient], &mut encrypted)
        .unwrap()
        .finish()
        .unwrap();
    let file = app.data().join("before-format-4.backup.age.unfinished");
    fs::write(&file, encrypted).unwrap();
    delete_permanently(&app, ADA, mia, &session).await;

    maintain(&app).await;
    let not_checked = records(&app, ADA, mia).await;
    fs::remove_file(file).unwrap();
    app.clock.advance(2 * HOUR);
    maintain(&app).await;
    let before_night = records(&app, ADA, mia).await;
    app.clock.advance(5 * HOUR);
    maintain(&app).await;
    let checked = records(&app, ADA, mia).await;

    assert_eq!(not_checked[0]["check"], check("not_checked", "2026-11-21"));
    assert_eq!(not_checked[0]["gone_on"], "2026-11-21");
    assert_eq!(before_night, not_checked);
    assert_eq!(checked[0]["check"], check("not_found", "2026-11-22"));
    assert_eq!(checked[0]["gone_on"], "2026-11-21");
}

#[tokio::test]
async fn a_record_is_completed_after_a_restart_at_any_step() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let session = talk(&app, mia, "a", 5, 2).await;
    maintain(&app).await;
    delete_permanently(&app, ADA, mia, &session).await;
    // Sealed and compacted, but not searched.
    app.inner.retention.seal_deletions().await.unwrap();
    compact(&app).await;

    let app = app.restarted().await;
    let before = records(&app, ADA, mia).await;
    maintain(&app).await;
    let after = records(&app, ADA, mia).await;

    assert_eq!(before[0]["check"], Value::Null);
    assert_eq!(after[0]["check"]["outcome"], "not_found");
}

#[tokio::test]
async fn before_its_compaction_nothing_is_checked() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let session = talk(&app, mia, "a", 5, 2).await;
    delete_permanently(&app, ADA, mia, &session).await;

    let retention = &app.inner.retention;
    retention.check_deletions(Unsearched::Again).await.unwrap();
    let unsealed = records(&app, ADA, mia).await;
    app.inner.retention.seal_deletions().await.unwrap();
    let retention = &app.inner.retention;
    retention.check_deletions(Unsearched::Again).await.unwrap();
    let sealed = records(&app, ADA, mia).await;

    assert_eq!(unsealed[0]["check"], Value::Null);
    assert_eq!(sealed[0]["check"], Value::Null);
    assert_eq!(sealed[0]["gone_on"], Value::Null);
}

#[tokio::test]
async fn what_one_family_deletes_tells_another_nothing() {
    // With and without Eve's deletions, one of which is left in a file.
    let mut adas = Vec::new();
    for eve_deletes in [false, true] {
        let app = TestApp::new().await;
        app.guardian(ADA).await;
        app.guardian(EVE).await;
        let mia = app.child("Mia", &[ADA]).await;
        let leo = app.child("Leo", &[EVE]).await;
        maintain(&app).await;
        let (mut hers, mut eves) = (Vec::new(), Vec::new());
        for name in ["a", "b", "c"] {
            hers.push(talk(&app, mia, name, 5, 2).await);
            eves.push(talk(&app, leo, &format!("eve-{name}"), 6, 7).await);
        }
        // Only Eve's data is in it by the time it is searched.
        delete_permanently(&app, ADA, mia, &hers[0]).await;
        maintain(&app).await;
        app.clock.advance(HOUR / 2);
        if eve_deletes {
            compact(&app).await;
            let blocks = fs::read_to_string(app.data().join("store.current")).unwrap();
            copy(&app.data().join(blocks), &app.data().join("left-over"));
            for session in &eves {
                delete_permanently(&app, EVE, leo, session).await;
            }
            app.inner.run_maintenance(|_| {}).await.unwrap();
            assert_eq!(
                records(&app, EVE, leo).await[0]["check"]["outcome"],
                "found"
            );
            fs::remove_dir_all(app.data().join("left-over")).unwrap();
        }
        // Within an hour of the first one, and after it.
        delete_permanently(&app, ADA, mia, &hers[1]).await;
        maintain(&app).await;
        app.clock.advance(HOUR);
        maintain(&app).await;
        delete_permanently(&app, ADA, mia, &hers[2]).await;
        app.clock.advance(HOUR);
        maintain(&app).await;

        let guardian = app.stepped_up(ADA).await;
        let path = format!("/api/child/{mia}/deletions?limit=1");
        adas.push((page(&app, ADA, mia).await, guardian.get(&path).await.json()));
        guardian
            .get(&format!("/api/child/{leo}/deletions"))
            .await
            .problem(404);
    }

    assert_eq!(adas[0].0["items"].as_array().unwrap().len(), 2);
    assert_eq!(adas[0], adas[1]);
}

#[tokio::test]
async fn a_record_is_kept_for_400_days_and_removed_with_its_child() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let leo = app.child("Leo", &[ADA]).await;
    for (name, child) in [("a", mia), ("b", leo)] {
        let session = talk(&app, child, name, 5, 2).await;
        delete_permanently(&app, ADA, child, &session).await;
    }
    let (child, name) = (leo, "Leo".to_owned());
    let removed = app.run_admin(RemoveChild { child, name });
    removed.await.0.unwrap();
    assert_eq!(app.count_rows("deletion"), 1, "Leo's is removed");

    for _ in 0..399 {
        app.clock.advance(DAY);
    }
    app.inner.run_maintenance(|_| {}).await.unwrap();
    assert_eq!(records(&app, ADA, mia).await.len(), 1);
    app.clock.advance(DAY);
    app.inner.run_maintenance(|_| {}).await.unwrap();

    assert_eq!(records(&app, ADA, mia).await, [Value::Null; 0]);
    assert_eq!(app.count_rows("deletion"), 0);
}

#[tokio::test]
async fn the_guardians_of_a_deleted_child_get_an_email_once_it_is_gone() {
    let app = TestApp::new().await;
    app.named_guardian(ADA, "Ada").await;
    app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA, BEN]).await;
    for name in ["a", "b"] {
        talk(&app, mia, name, 5, 2).await;
    }
    let hidden = talk(&app, mia, "c", 6, 2).await;
    delete(&app, ADA, &hidden).await;
    maintain(&app).await;
    let left_over = leave(&app, Left::Blocks).await;
    let ada = app.stepped_up(ADA).await;
    ask_to_delete(&ada, mia, "Mia").await.ok();
    let ben = app.stepped_up(BEN).await;
    confirm(&ben, mia, "deletion").await.ok();
    app.take_emails().await;

    app.clock.advance(HOUR);
    maintain(&app).await;
    let before = app.take_emails().await;
    fs::remove_dir_all(left_over).unwrap();
    app.clock.advance(6 * HOUR);
    maintain(&app).await;
    let emails = app.take_emails().await;
    maintain(&app).await;
    let more = app.take_emails().await;

    assert!(before.is_empty(), "it is still in a file");
    let mut to = emails
        .iter()
        .map(|email| email.to.to_string())
        .collect::<Vec<_>>();
    to.sort();
    assert_eq!(to, [ADA, BEN]);
    for email in &emails {
        assert_eq!(email.subject, "A child's data was deleted from Porchlight");
        let expected = "A guardian asked for it. There were 3 conversations. All of it was deleted on November 22, 2026. Checked on November 22, 2026: no longer in any of Porchlight's data files. Backups made by this server may hold it until December 5, 2026. ";
        assert!(on_one_line(email).contains(expected), "{}", email.text);
        assert!(!email.text.contains("Mia") && !email.html.contains("Mia"));
    }
    assert!(more.is_empty());
    for table in [
        "child-deletion",
        "child-deletion-pending",
        "child-deletion-sessions",
    ] {
        assert_eq!(app.count_rows(table), 0, "{table}");
    }
}

#[tokio::test]
async fn the_email_about_a_child_that_the_administrator_removed_says_so() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let session = talk(&app, mia, "a", 5, 2).await;
    // Erased by itself, and not checked yet when the child is removed.
    delete_permanently(&app, ADA, mia, &session).await;
    talk(&app, mia, "b", 5, 2).await;
    app.take_emails().await;

    let (child, name) = (mia, "Mia".to_owned());
    let removed = app.run_admin(RemoveChild { child, name });
    removed.await.0.unwrap();

    let emails = app.take_emails().await;
    assert_eq!(emails.len(), 1);
    let expected =
        "The person who set up your server removed the child. There was 1 conversation. ";
    assert!(
        on_one_line(&emails[0]).contains(expected),
        "{}",
        emails[0].text
    );
}

#[tokio::test]
async fn scheduled_backups_that_may_hold_it_are_named_until_rotation_has_removed_them() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let session = talk(&app, mia, "a", 5, 2).await;
    // They aren't searched, unlike a copy under another name.
    fs::create_dir(app.data().join("backups")).unwrap();
    let folder = app.data().join("backups");
    app.back_up(&folder.join("porchlight-0a1b2c3d-20261120T030000Z.backup"))
        .await;
    app.back_up(&folder.join("by-hand.backup")).await;
    delete_permanently(&app, ADA, mia, &session).await;

    maintain(&app).await;
    let with_copy = records(&app, ADA, mia).await;
    fs::remove_file(folder.join("by-hand.backup")).unwrap();
    app.clock.advance(7 * HOUR);
    maintain(&app).await;
    let without = records(&app, ADA, mia).await;
    app.clock
        .advance(14 * DAY - 7 * HOUR - Duration::from_secs(1));
    let last = records(&app, ADA, mia).await;
    app.clock.advance(Duration::from_secs(1));
    let removed = records(&app, ADA, mia).await;

    assert_eq!(with_copy[0]["check"]["outcome"], "found");
    assert_eq!(without[0]["check"]["outcome"], "not_found");
    for records in [&with_copy, &without, &last] {
        assert_eq!(records[0]["backups"], json!({"gone_on": "2026-12-05"}));
    }
    assert_eq!(removed[0]["backups"], Value::Null);
}

#[tokio::test]
async fn a_deletion_of_more_sessions_than_one_pass_looks_for_is_checked_whole() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let ada = app
        .inner
        .identity
        .guardians
        .get(&app.inner.store, &ADA.parse().unwrap());
    let now = "2026-11-21T20:00:00Z";
    let record = json!({
        "sessions": 25_000,
        "messages": 0,
        "reason": "guardian",
        "asked_at": now,
        "began_at": now,
        "guardians": [ada.unwrap().id],
    });
    let micros = Timestamp::parse(now).unwrap().micros();
    let of = move |table| Table::new(table).key().number(900).descending(micros);
    let written = app.inner.store.commit(move |change| {
        let record = record.to_string();
        change.put_json(&of("child-deletion"), 1, record.as_bytes())?;
        change.put_json(&of("child-deletion-pending"), 1, b"{}")?;
        for row in 0..50_u64 {
            let sessions = (row * 500 + 1..=row * 500 + 500).collect::<Vec<_>>();
            let key = of("child-deletion-sessions").number(row);
            change.put_json(&key, 1, json!(sessions).to_string().as_bytes())?;
        }
        Ok::<_, StoreError>(())
    });
    written.await.unwrap();
    // The key of a message of the last session, as it stands in the log and in sled's file.
    let left_over = app.data().join("left-over");
    let key = [&b"message\0\x01"[..], &25_000_u64.to_be_bytes()].concat();
    fs::write(&left_over, key).unwrap();

    app.inner.run_maintenance(|_| {}).await.unwrap();
    let before = app.take_emails().await;
    let waiting = app.count_rows("child-deletion-sessions");
    fs::remove_file(left_over).unwrap();
    app.inner.run_maintenance(|_| {}).await.unwrap();
    let emails = app.take_emails().await;

    assert!(before.is_empty());
    assert_eq!(waiting, 50);
    assert_eq!(emails.len(), 1);
    assert!(on_one_line(&emails[0]).contains("There were 25000 conversations. "));
    assert_eq!(app.count_rows("child-deletion-sessions"), 0);
}

/// The tables with rows that go with a session, but whose keys have no number of its own: they may be there again.
const WITHOUT_NUMBER: [&str; 6] = [
    "session-name",
    "summary",
    "summary-topic",
    "summary-topic-rank",
    "summary-mood",
    "summary-mood-rank",
];

fn places() -> Vec<KeyPlace> {
    let features = FEATURES.iter();
    let of_session = features.filter_map(|feature| feature.of_session.as_ref());
    of_session.flat_map(|of| of.keys).copied().collect()
}

/// The keys of all rows, by table.
fn keys(app: &TestApp) -> BTreeMap<&'static str, BTreeSet<Key>> {
    let kinds = record_kinds().into_iter();
    let tables = kinds.map(|kind| {
        let all = kind.table().key();
        let keys = app.inner.store.keys_below(&all, usize::MAX).unwrap();
        (kind.name(), keys.into_iter().collect())
    });
    tables.collect()
}

async fn put(app: &TestApp, key: Key, row: Value) {
    let put = app.inner.store.commit(move |change| {
        change.put_json(&key, 1, row.to_string().as_bytes())?;
        Ok::<_, StoreError>(())
    });
    put.await.unwrap();
}

#[tokio::test]
async fn every_table_with_rows_of_a_session_is_searched_for_its_number() {
    let app = TestApp::new().await;
    let family = family::add(&app, ADA, "Mia").await;
    family::fill_other_tables(&app.inner, &family).await;
    let leo = app.child("Leo", &[ADA]).await;
    let session = family.session.parse::<u64>().unwrap();
    let ada = app.stepped_up(ADA).await;
    // Its receipts stay with Mia.
    let path = format!("/api/sessions/{session}/child");
    ada.put(&path, &json!({"child_id": leo})).await.ok();
    // It is open, and is being erased, only for a while.
    put(
        &app,
        Table::new("session-open").key().number(session),
        json!(session),
    )
    .await;
    let erasing = Table::new("session-erasing").key().number(session);
    put(&app, erasing.number(family.child.number()), json!(session)).await;
    // Leo's conversations aren't reviewed, so it doesn't wait for one.
    let waiting = Table::new("reviewer-queue").key();
    let waiting = waiting.number(leo.number()).number(session);
    put(&app, waiting, json!({"failures": 0})).await;
    let left = app.data().join("left-over");
    fs::create_dir(&left).unwrap();

    let listed = keys(&app);
    app.back_up(&left.join("listed.backup")).await;
    delete(&app, ADA, &json!(session)).await;
    let hidden = keys(&app);
    app.back_up(&left.join("hidden.backup")).await;
    let path = format!("/api/child/{leo}/deleted_sessions/{session}");
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    let after = keys(&app);

    let mut with_rows = BTreeSet::new();
    for before in [&listed, &hidden] {
        for (table, keys) in before {
            if keys.difference(&after[table]).next().is_some() {
                with_rows.insert(*table);
            }
        }
    }
    let without_number = BTreeSet::from(WITHOUT_NUMBER);
    let places = places();
    let searched = places.iter().map(|place| place.table().name());
    let accounted = searched.chain(without_number).collect::<BTreeSet<_>>();
    assert_eq!(
        with_rows, accounted,
        "the tables whose rows went with it, and those accounted for"
    );
    let find = async |place: KeyPlace| {
        let sought = Sought {
            places: vec![place],
            numbers: vec![session, u64::MAX],
        };
        let found = app.inner.store.search_files(vec![sought], |_| false).await;
        assert_ne!(found.traces[0][1], Trace::Found);
        found.traces[0][0]
    };
    for place in &places {
        assert_eq!(find(*place).await, Trace::Found, "{place:?}");
    }
    fs::remove_dir_all(left).unwrap();
    app.inner.run_maintenance(|_| {}).await.unwrap();
    for place in &places {
        assert_eq!(find(*place).await, Trace::NotFound, "{place:?}");
    }
}

/// The tables with this number of a child in a key or a value.
fn tables_with(app: &TestApp, child: u64) -> BTreeSet<String> {
    let (bytes, text) = (child.to_be_bytes(), child.to_string());
    let has = |row: &Row| row_has(row, &bytes) || row_has(row, text.as_bytes());
    let tables = all_rows(app).into_iter();
    let tables = tables.filter(|(_, rows)| rows.iter().any(has));
    tables.map(|(table, _)| table).collect()
}

#[tokio::test]
async fn a_removed_child_leaves_no_row_with_its_number() {
    // Unlike all other numbers.
    let number = 0x0D_ECAF_C0FF_EE99;
    let app = TestApp::new().await;
    let last = Table::new("sequence").key().text("child");
    put(&app, last, json!(number - 1)).await;
    let family = family::add(&app, ADA, "Mia").await;
    family::fill_other_tables(&app.inner, &family).await;
    assert_eq!(family.child.number(), number);
    app.take_emails().await;
    let before = tables_with(&app, number);
    assert!(before.len() > 50, "{before:?}");

    let (child, name) = (family.child, "Mia".to_owned());
    let removed = app.run_admin(RemoveChild { child, name });
    removed.await.0.unwrap();
    app.take_emails().await;

    // The number isn't given again.
    let after = tables_with(&app, number);
    assert_eq!(after, BTreeSet::from(["sequence".to_owned()]));
}

#[tokio::test]
async fn what_stayed_under_the_former_child_is_erased_with_the_child_that_a_session_was_moved_to() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let (leo, mia) = (
        app.child("Leo", &[ADA]).await,
        app.child("Mia", &[ADA]).await,
    );
    let robot = app.assistant("Kitchen", &[leo]).await;
    let rules = robot
        .get(&format!("/api/assistant/child/{leo}/rules"))
        .await
        .json();
    let receipt = json!({"version": rules["version"], "evidence": "in_prompt"});
    let message = json!({"message_id": "1", "text_content": "Tides"});
    let delivery = json!({"child_id": leo, "rules": [receipt], "messages": [message]});
    let mut moved = Vec::new();
    for name in ["listed", "hidden", "stays"] {
        moved.push(robot.deliver(name, &delivery).await.json()["session_id"].take());
    }
    let ada = app.stepped_up(ADA).await;
    for session in &moved[..2] {
        let path = format!("/api/sessions/{session}/child");
        ada.put(&path, &json!({"child_id": mia})).await.ok();
    }
    delete(&app, ADA, &moved[1]).await;
    let remembered = Table::new("gateway-session").key().number(leo.number());
    let of_memory = json!({"assistant": "asi_nobody", "place": {"Session": 0}});
    put(
        &app,
        remembered.number(moved[0].as_u64().unwrap()),
        of_memory,
    )
    .await;
    assert_eq!(app.count_rows("rules-receipt"), 3);
    app.take_emails().await;

    let (child, name) = (mia, "Mia".to_owned());
    let removed = app.run_admin(RemoveChild { child, name });
    removed.await.0.unwrap();

    for table in ["rules-receipt", "rules-named", "rules-said"] {
        assert_eq!(app.count_rows(table), 1, "{table}");
    }
    assert_eq!(app.count_rows("gateway-session"), 0);
    let emails = app.take_emails().await;
    assert_eq!(emails.len(), 1);
    assert!(
        emails[0]
            .text
            .contains("no longer in any of Porchlight's data files")
    );
}

#[tokio::test]
async fn an_alert_whose_place_is_unreadable_is_erased_with_its_session_too() {
    let app = TestApp::new().await;
    let family = family::add(&app, ADA, "Mia").await;
    let session = family.session.parse::<u64>().unwrap();
    let places = Table::new("alert-place").key();
    for place in app.inner.store.keys_below(&places, usize::MAX).unwrap() {
        put(&app, place, json!("unreadable")).await;
    }
    let alerts = || ["alert", "alert-own"].map(|table| app.count_rows(table) > 0);
    assert_eq!(alerts(), [true, true]);

    delete_permanently(&app, ADA, family.child, &json!(session)).await;

    assert_eq!(alerts(), [false, false]);
}
