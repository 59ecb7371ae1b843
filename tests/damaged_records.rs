//! One unreadable record affects only itself. The test damages one record of each kind in two ways, and then runs all
//! operations of a family and its administrator.
//!
//! `cargo test --test app damaged_records:: -- --nocapture` prints the results as a table.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::AssertUnwindSafe;

use crate::support::family::{self, Family};
use crate::support::features;
use crate::support::files::{copy, folder_contains};
use crate::support::operations::READ_OPERATIONS;
use crate::support::tables::{Pages, Who};
use crate::support::test_app::{Persona, TestApp, restore};
use futures_util::FutureExt;
use porchlight::admin::verify::record_kinds;
use porchlight::admin::{RemoveChild, RemoveGuardian, RevokeAssistant};
use porchlight::app::FEATURES;
use porchlight::children::feature::Shown;
use porchlight::kernel::store::{Key, PARTS_TABLE, Read, Table};
use serde_json::{Value, json};

/// The effect of damage to each table of no single feature that has one; those of features stand in their `FACTS`.
const TABLES: [(&str, Pages); 9] = [
    (
        "assistant",
        Pages::ClosedAndLacksARow(
            &["getAssistant"],
            &[
                "listConnections",
                "getReceipts",
                "getHousehold",
                "getChildNotice",
                "getAttention",
            ],
        ),
    ),
    ("assistant-by-key", Pages::ClosedTo(Who::Assistant)),
    ("assistant-has", Pages::ClosedTo(Who::Assistant)),
    ("backup-state", Pages::LacksARow(&["getHousehold"])),
    (
        "child",
        Pages::ClosedAndLacksARow(
            &[
                "listChildren",
                "getAssistant",
                "getChildNotice",
                "getConversationStarters",
            ],
            &["getRequests", "getAttention"],
        ),
    ),
    ("guardian-has", Pages::ClosedTo(Who::GuardianOfAChild)),
    (
        "has-guardian",
        Pages::Closed(&[
            "listBlockedTopics",
            "getContext",
            "getTimes",
            "listDeletedSessions",
            "getRequests",
            "getSessionKept",
        ]),
    ),
    (
        PARTS_TABLE,
        Pages::LacksARow(&["listMessages", "listAlerts", "getConversationStarters"]),
    ),
    ("history", Pages::LacksARow(&["listHistory"])),
];

/// The effect of damage to a table. A table without a row is taken to have none, or one on the part of a child that it is shown as;
/// the test fails if it has another.
fn effect(table: &'static str) -> Pages {
    let mut listed = TABLES.iter().chain(features::damaged());
    let listed = listed.find(|(name, _)| *name == table);
    let shown = || FEATURES.iter().flat_map(|feature| feature.shown);
    let part = || {
        shown().find_map(|shown| match shown {
            Shown::Part(name, tables) => {
                let is_shown = tables().iter().any(|shown| shown.name() == table);
                is_shown.then_some(Pages::Below(name))
            }
            Shown::Everything(_) | Shown::Guardians(..) | Shown::Sessions(_) => None,
        })
    };
    let effect = listed.map(|(_, effect)| *effect).or_else(part);
    effect.unwrap_or(Pages::AsBefore)
}

/// The damaged values.
const DAMAGES: [(&str, &[u8]); 2] = [("cut", b"\x01"), ("of another shape", b"\x01\x00-1.5")];

/// A data folder with two families, and its state before the damage.
struct Template {
    folder: tempfile::TempDir,
    ada: Family,
    eve: Family,
    /// The first record of each table. Family records are Ada's.
    firsts: BTreeMap<String, Key>,
    /// Ada's and Eve's responses by operation.
    adas: BTreeMap<&'static str, String>,
    eves: BTreeMap<&'static str, String>,
    exported: String,
}

async fn read_all(app: &TestApp, family: &Family) -> BTreeMap<&'static str, String> {
    let mut all = BTreeMap::new();
    for reading in READ_OPERATIONS.iter() {
        let response = family.read(app, reading).await;
        assert_eq!(response.status, 200, "{}: {}", reading.name, response.body);
        let left_out = response.header("unreadable-rows");
        assert_eq!(left_out, "", "{}", reading.name);
        all.insert(reading.name, response.body);
    }
    all
}

impl Template {
    async fn make() -> Self {
        let app = TestApp::new().await;
        let ada = family::add(&app, "ada@example.org", "Mia").await;
        family::fill_other_tables(&app.inner, &ada).await;
        let store = &app.inner.store;
        let mut firsts = BTreeMap::new();
        let names = family::record_kinds()
            .into_iter()
            .map(|kind| kind.name())
            .chain([PARTS_TABLE]);
        for name in names {
            let first = store.keys_below(&Table::new(name).key(), 1).unwrap().pop();
            let first = first.unwrap_or_else(|| panic!("“{name}” is empty: fill it"));
            firsts.insert(name.to_owned(), first);
        }
        // The counter of children is only read for a new child.
        firsts.insert(
            "sequence".to_owned(),
            Table::new("sequence").key().text("session"),
        );
        let eve = family::add(&app, "eve@example.org", "Tom").await;
        // Without what is only in memory, as in each case.
        let app = app.restarted().await;
        // An export is recorded: the guardians see that a copy was taken.
        let exported = app.exported().await.1;
        let (adas, eves) = (read_all(&app, &ada).await, read_all(&app, &eve).await);
        let folder = app.close();
        Self {
            folder,
            ada,
            eve,
            firsts,
            adas,
            eves,
            exported,
        }
    }
}

/// The results by column.
type Row = BTreeMap<&'static str, BTreeSet<String>>;

const COLUMNS: [&str; 8] = [
    "start",
    "page",
    "writing",
    "export",
    "backup, restored",
    "verify",
    "erase",
    "another family",
];

/// One damaged record, and the checks that are run on it.
struct Case<'a> {
    template: &'a Template,
    table: &'static str,
    damage: &'static str,
    app: TestApp,
}

impl Case<'_> {
    fn at(&self, what: &str) -> String {
        format!("“{}” {}: {what}", self.table, self.damage)
    }

    /// Checks Ada's reads.
    async fn pages(&self, expected: Pages) -> BTreeSet<String> {
        let mut effects = BTreeSet::new();
        for reading in READ_OPERATIONS.iter() {
            let (operation, response) = (
                reading.name,
                self.template.ada.read(&self.app, reading).await,
            );
            let (status, left_out) = (response.status.as_u16(), response.header("unreadable-rows"));
            let as_before = status == 200 && response.body == self.template.adas[operation];
            let what = format!("{operation} {status} {left_out}");
            match expected {
                Pages::Closed(closed)
                | Pages::ClosedAndLacksARow(closed, _)
                | Pages::ClosedAndUnknown(closed, _)
                    if closed.contains(&operation) =>
                {
                    assert_eq!(status, 503, "{}", self.at(&what));
                    effects.insert(format!("{operation}: 503"));
                }
                Pages::ClosedTo(who) if who.reads(reading) => {
                    assert_eq!(status, 503, "{}", self.at(&what));
                    effects.insert(format!("{operation}: 503"));
                }
                Pages::LacksAFieldAndARow(answers, _) if answers.contains(&operation) => {
                    assert_eq!(status, 200, "{}", self.at(&what));
                    effects.insert(format!("{operation}: a field left out"));
                }
                Pages::ClosedAndUnknown(_, answers) if answers.contains(&operation) => {
                    assert!(status == 200 && !as_before, "{}", self.at(&what));
                    effects.insert(format!("{operation}: as if it was not said"));
                }
                Pages::LacksARow(lists)
                | Pages::ClosedAndLacksARow(_, lists)
                | Pages::LacksAFieldAndARow(_, lists)
                    if lists.contains(&operation) =>
                {
                    assert_eq!((status, left_out), (200, "1"), "{}", self.at(&what));
                    effects.insert(format!("{operation}: 1 row left out and named"));
                }
                Pages::Below(part) if reading.is_below(part) => {
                    let is_expected = status == 503 || (status, left_out) == (200, "1");
                    assert!(is_expected || as_before, "{}", self.at(&what));
                    effects.insert(what);
                }
                Pages::NewToken if !reading.is_by_assistant() => {
                    assert_eq!(status, 401, "{}", self.at(&what));
                    effects.insert("a new identity token from the sign-in".to_owned());
                }
                Pages::NewVersion
                    if ["getAssistantRules", "getRulesForAll"].contains(&operation) =>
                {
                    assert_eq!(status, 200, "{}", self.at(&what));
                    effects.insert("another name for the rules' version".to_owned());
                }
                Pages::NewPushKey if operation == "getPushSubscription" => {
                    assert!(status == 200 && !as_before, "{}", self.at(&what));
                    effects.insert("another key for push subscriptions".to_owned());
                }
                _ => assert!(
                    as_before,
                    "{}",
                    self.at(&format!("{what} {}", response.body))
                ),
            }
        }
        effects
    }

    /// Returns all stored data, to check that a refusal changed nothing.
    fn stored(&self) -> Vec<(Key, Option<Vec<u8>>)> {
        let store = &self.app.inner.store;
        let names = family::record_kinds()
            .into_iter()
            .map(|kind| kind.name())
            .chain([PARTS_TABLE]);
        let keys = names.flat_map(|name| {
            store
                .keys_below(&Table::new(name).key(), usize::MAX)
                .unwrap()
        });
        keys.map(|key| {
            let payload = store
                .payload(&key)
                .ok()
                .flatten()
                .map(|payload| payload.json.to_vec());
            (key, payload)
        })
        .collect()
    }

    /// Checks Ada's and her assistant's writes: each succeeds, or fails with 503 and changes nothing.
    async fn check_writes(&self) -> BTreeSet<String> {
        let ada = &self.template.ada;
        let (parent, robot) = (
            self.app.bearer(&ada.guardian),
            self.app.bearer(&ada.assistant),
        );
        let child = ada.child;
        let message = |id: &str| {
            let message =
                json!({"message_id": id, "timestamp": "2026-11-20T16:00:09Z", "revision": 1});
            json!({"session": "s", "messages": [message]})
        };
        let session = |name: &str| json!({"session": name, "topic": "other"});
        let calls: [(&str, &Persona<'_>, &str, String, Value); 10] = [
            (
                "correct a session",
                &robot,
                "POST",
                "/assistant/deliveries".into(),
                session("s"),
            ),
            (
                "open a session",
                &robot,
                "POST",
                "/assistant/deliveries".into(),
                session("new"),
            ),
            (
                "deliver a message",
                &robot,
                "POST",
                "/assistant/deliveries".into(),
                message("new"),
            ),
            (
                "correct a message",
                &robot,
                "POST",
                "/assistant/deliveries".into(),
                message("m1"),
            ),
            (
                "complete a session",
                &robot,
                "POST",
                "/assistant/deliveries".into(),
                json!({"session": "s", "completion": {"duration": 9, "mood": "other"}}),
            ),
            (
                "report",
                &robot,
                "PUT",
                format!("/assistant/child/{child}/report"),
                json!({}),
            ),
            (
                "propose",
                &robot,
                "PUT",
                format!("/assistant/child/{child}/activities/upcoming"),
                json!([]),
            ),
            (
                "judge again",
                &parent,
                "PUT",
                format!("/child/{child}/activities/upcoming/a/feedback"),
                json!({"feedback": "down"}),
            ),
            (
                "take back",
                &parent,
                "DELETE",
                format!("/child/{child}/activities/upcoming/a/feedback"),
                Value::Null,
            ),
            (
                "block a topic",
                &parent,
                "PUT",
                format!("/child/{child}/blocked_topics"),
                json!(["Spiders"]),
            ),
        ];
        let mut refused = BTreeSet::new();
        for (what, who, method, path, body) in calls {
            let before = self.stored();
            let response = who
                .send(
                    method.parse().unwrap(),
                    &format!("/api{path}"),
                    &[],
                    (!body.is_null()).then(|| body.to_string()),
                )
                .await;
            match response.status.as_u16() {
                200..300 => {}
                503 => {
                    assert!(
                        self.stored() == before,
                        "{}",
                        self.at(&format!("{what} changed something"))
                    );
                    refused.insert(format!("{what}: 503"));
                }
                401 if self.table == "token-key" => {}
                other => panic!("{}", self.at(&format!("{what}: {other} {}", response.body))),
            }
        }
        refused
    }

    /// Exports everything. Returns what the export reports as left out, and its text.
    async fn export(&self, app: &TestApp) -> (BTreeSet<String>, String) {
        let (response, text) = app.exported().await;
        let valid = serde_json::from_str::<Value>(&text);
        assert!(
            valid.is_ok(),
            "{}",
            self.at(&format!("the export is no JSON: {:?}", valid.err()))
        );
        // The messages of an unreadable session are reported with the session.
        assert!(
            text == self.template.exported || !response.unreadable.is_empty(),
            "{}",
            self.at(&format!("an export names what it leaves out: {text}"))
        );
        let named = response.unreadable.tables();
        (
            named
                .map(|(table, records)| format!("{records} {table} left out and named"))
                .collect(),
            text,
        )
    }

    /// Backs up, restores, and starts the copy.
    async fn backup(&self, exported: &str) -> BTreeSet<String> {
        let folder = tempfile::tempdir().unwrap();
        let (file, restored) = (folder.path().join("backup"), folder.path().join("restored"));
        self.app.back_up(&file).await;
        restore(&file, &restored, family::everybody())
            .unwrap_or_else(|error| panic!("{}", self.at(&error.to_string())));
        let copy = TestApp::in_folder(&restored).await;
        assert_eq!(
            self.export(&copy).await.1,
            exported,
            "{}",
            self.at("the restored one")
        );
        BTreeSet::new()
    }

    fn verify(&self) -> BTreeSet<String> {
        let found = self
            .app
            .inner
            .store
            .verify(&record_kinds(), |_| {})
            .unwrap();
        // The start created a new key, and resumed the erasure.
        if [
            "token-key",
            "rules-key",
            "erased-name-key",
            "gateway-text-key",
            "push-key",
            "unsubscribe-key",
            "erasure",
        ]
        .contains(&self.table)
        {
            assert_eq!(found.damage, [], "{}", self.at("verify"));
            return BTreeSet::from(["mended by the start".to_owned()]);
        }
        // A part is reported under its record.
        let table = if self.table == PARTS_TABLE {
            "message"
        } else {
            self.table
        };
        assert!(
            found.damage.iter().any(|damage| damage.table == table),
            "{}",
            self.at(&format!("{found:?}"))
        );
        BTreeSet::from(["named".to_owned()])
    }

    async fn another_family(&self) -> BTreeSet<String> {
        let eve = &self.template.eve;
        if self.table == "rules-key" {
            return BTreeSet::from(["another name for the rules' version".to_owned()]);
        }
        if self.table == "token-key" {
            return BTreeSet::from(["a new identity token from the sign-in".to_owned()]);
        }
        for reading in READ_OPERATIONS.iter() {
            let response = eve.read(&self.app, reading).await;
            assert_eq!(
                response.status,
                200,
                "{}",
                self.at(&format!("Eve's {}: {}", reading.name, response.body))
            );
            // The backups and the upstreams are of all families.
            let is_of_all = ["backup-state", "gateway-upstreams"].contains(&self.table);
            if is_of_all && reading.name == "getHousehold" {
                continue;
            }
            // The server's key is, too.
            if self.table == "push-key" && reading.name == "getPushSubscription" {
                continue;
            }
            assert_eq!(
                response.body,
                self.template.eves[reading.name],
                "{}",
                self.at("Eve's")
            );
        }
        // She can't see Ada's session, damaged or not.
        let path = |session: &str| format!("/api/sessions/{session}/messages");
        let eves = self.app.bearer(&eve.guardian);
        let (adas, nobodys) = (
            eves.get(&path(&self.template.ada.session)).await,
            eves.get(&path("999")).await,
        );
        assert_eq!(
            (adas.status, adas.body),
            (nobodys.status, nobodys.body),
            "{}",
            self.at("Ada's session")
        );
        let message = json!([{"message_id": "new", "timestamp": "2026-11-20T16:00:09Z"}]);
        let robot = self.app.bearer(&eve.assistant);
        let delivered = robot.deliver_messages("s", &message).await;
        assert_eq!(delivered.status, 200, "{}", self.at(&delivered.body));
        // Her e-mail is sent despite damaged ones before it.
        self.app.emails.lock().unwrap().clear();
        let request = json!({"email": eve.email});
        self.app
            .anonymous()
            .post("/api/auth/link", &request)
            .await
            .ok();
        self.app.inner.queue.deliver_due().await.unwrap();
        let emails = self.app.emails.lock().unwrap();
        let is_hers = emails.iter().any(|mail| mail.to.as_str() == eve.email);
        assert!(is_hers, "{}", self.at("Eve's email"));
        BTreeSet::new()
    }

    /// Erases the child, and removes its guardian and its assistant.
    async fn erase(self) -> BTreeSet<String> {
        let ada = &self.template.ada;
        let remove = |name: &str| RemoveChild {
            child: ada.child,
            name: name.to_owned(),
        };
        let mut effects = BTreeSet::new();
        let mut removed = self.app.run_admin(remove("Mia")).await.0;
        if self.table == "child" {
            let refused = removed.expect_err("the name can't be checked").to_string();
            assert!(refused.contains("type its number"), "{}", self.at(&refused));
            effects.insert("asks for the number instead of the name".to_owned());
            removed = self.app.run_admin(remove(&ada.child.to_string())).await.0;
        }
        assert!(
            removed.is_ok(),
            "{}",
            self.at(&removed.err().unwrap().to_string())
        );
        let guardian = RemoveGuardian {
            email: ada.email.parse().unwrap(),
        };
        let assistant = RevokeAssistant {
            name: format!("robot of {}", ada.email),
        };
        for error in [
            self.app.run_admin(guardian).await.0.err(),
            self.app.run_admin(assistant).await.0.err(),
        ] {
            assert_eq!(error, None, "{}", self.at("the others' removal"));
        }
        self.app.inner.store.compact(|_| {}).await.unwrap();
        for reading in READ_OPERATIONS.iter() {
            let status = ada.read(&self.app, reading).await.status.as_u16();
            let refused = status == 401 || status == 503 && self.table == "assistant-by-key";
            assert!(
                refused,
                "{}",
                self.at(&format!("{} {status}", reading.name))
            );
        }
        let eves = read_status(&self.app, &self.template.eve).await;
        let expected = if self.table == "token-key" {
            BTreeSet::from([200, 401])
        } else {
            BTreeSet::from([200])
        };
        assert_eq!(eves, expected, "{}", self.at("Eve's afterwards"));
        let (at, canary, address) = (
            self.at("is still in the files"),
            ada.canary(),
            ada.email.clone(),
        );
        let folder = self.app.close();
        assert!(!folder_contains(folder.path(), &canary), "{canary} {at}");
        assert!(!folder_contains(folder.path(), &address), "{address} {at}");
        effects
    }
}

async fn read_status(app: &TestApp, family: &Family) -> BTreeSet<u16> {
    let mut all = BTreeSet::new();
    for reading in READ_OPERATIONS.iter() {
        all.insert(family.read(app, reading).await.status.as_u16());
    }
    all
}

async fn try_everything(
    template: &Template,
    table: &'static str,
    damage: (&'static str, &[u8]),
    is_whole: bool,
    row: &mut Row,
) {
    let folder = tempfile::tempdir().unwrap();
    copy(template.folder.path(), folder.path());
    let app = TestApp::in_temp_dir(folder).await;
    let key = template.firsts[table].clone();
    family::damage(&app.inner, key, damage.1.to_vec()).await;

    let case = Case {
        template,
        table,
        damage: damage.0,
        app: app.restarted().await,
    };
    row.entry("start").or_default();
    row.entry("page")
        .or_default()
        .extend(case.pages(effect(table)).await);
    row.entry("verify").or_default().extend(case.verify());
    let (named, exported) = case.export(&case.app).await;
    row.entry("export").or_default().extend(named);
    // These are slow, so they run once per kind of record.
    if !is_whole {
        return;
    }
    row.entry("backup, restored")
        .or_default()
        .extend(case.backup(&exported).await);
    row.entry("another family")
        .or_default()
        .extend(case.another_family().await);
    row.entry("writing")
        .or_default()
        .extend(case.check_writes().await);
    row.entry("erase").or_default().extend(case.erase().await);
}

/// In two halves, which run concurrently.
#[tokio::test]
async fn one_unreadable_record_affects_only_itself() {
    damage_each(|known| known.into_iter().step_by(2).collect()).await;
}

#[tokio::test]
async fn one_unreadable_record_of_the_other_tables_affects_only_itself() {
    damage_each(|known| known.into_iter().skip(1).step_by(2).collect()).await;
}

/// Damages one record of each of these tables and runs all operations.
async fn damage_each(select: impl Fn(Vec<&'static str>) -> Vec<&'static str>) {
    let template = Template::make().await;
    let kinds = family::record_kinds().into_iter().map(|kind| kind.name());
    let known = kinds.chain([PARTS_TABLE]).collect::<BTreeSet<_>>();

    println!("| Record | {} |", COLUMNS.join(" | "));
    println!("|---|{}", "---|".repeat(COLUMNS.len()));
    let mut failed = Vec::new();
    for (number, table) in select(known.into_iter().collect()).into_iter().enumerate() {
        let mut row = Row::new();
        for (place, damage) in DAMAGES.into_iter().enumerate() {
            let is_whole = number % DAMAGES.len() == place;
            let tried = try_everything(&template, table, damage, is_whole, &mut row);
            let tried = AssertUnwindSafe(tried);
            if tried.catch_unwind().await.is_err() {
                failed.push(format!("{table}, {}", damage.0));
            }
        }
        let cells = COLUMNS.map(|column| match row.get(column) {
            None => "failed".to_owned(),
            Some(effects) if effects.is_empty() => "as before".to_owned(),
            Some(effects) => effects.iter().cloned().collect::<Vec<_>>().join("; "),
        });
        println!("| {table} | {} |", cells.join(" | "));
    }
    // The failures were printed above.
    assert_eq!(failed, Vec::<String>::new());
}
