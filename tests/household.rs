//! People and assistants: what a guardian can manage, and what another guardian of the same child sees and can do.

use std::time::Duration;

use crate::support::features::Facts;
use crate::support::operations::{Event, nothing, write};
use crate::support::requests::ask_to_delete;
use crate::support::tables::{Pages, Promise};
use crate::support::test_app::{EVENING, PUBLIC_URL, Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::{RemoveGuardian, RevokeAssistant, RotateAssistant};
use porchlight::children::ChildId;
use porchlight::kernel::http::limit::LimitMode;
use porchlight::kernel::outgoing::mail::Mailer;
use porchlight::kernel::store::backup_state::ScheduleState;
use porchlight::kernel::store::{Read, Table};
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[
        (Some(Promise::DeletionRequest), None, &["child-request"]),
        (None, None, &["made-today"]),
        (Some(Promise::KeptKey), None, &["key-kept"]),
    ],
    damaged: &[("child-request", Pages::LacksARow(&["getRequests"]))],
    writes: &[
        write("keepAssistantKey", None, nothing),
        write(
            "addChild",
            None,
            |_| json!({"name": "Noah", "born": "2020-02", "language": "fr"}),
        ),
        write(
            "renameChild",
            Some(Event::ChildRenamed),
            |_| json!({"name": "Mia Lou"}),
        ),
        write("leaveChild", Some(Event::GuardianLeaves), nothing),
        write(
            "connectAssistant",
            None,
            |child| json!({"name": "den", "children": [child]}),
        ),
        write("renameAssistant", None, |_| json!({"name": "attic"})),
        write("rotateAssistant", Some(Event::KeyRotated), nothing),
        write("revokeAssistant", Some(Event::KeyRotated), nothing),
        write("takeChildOff", Some(Event::ChildTakenOff), nothing),
        write("noteRequestsShown", None, |child| {
            json!({
                "requests": [{"child_id": child, "kind": "deletion", "edition": "edn_1"}],
                "invitations": [{"invitation_id": "inv_none", "edition": "edn_1"}],
            })
        }),
        // Only the child's name.
        write("requestChildDeletion", None, |_| json!({"name": "Mia Lou"})).with_few_values(),
        write("confirmRequest", Some(Event::ChildDeleted), nothing),
        write("stopRequest", None, nothing),
    ],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

async fn connect(guardian: &Persona<'_>, name: &str, children: &[ChildId]) -> Response {
    let body = json!({"name": name, "children": children});
    guardian.post("/api/assistants", &body).await
}

async fn assistants(guardian: &Persona<'_>) -> Vec<Value> {
    let household = guardian.get("/api/household").await.json();
    household["assistants"].as_array().unwrap().clone()
}

fn id_of(connected: &Response) -> String {
    let id = connected.json()["assistant"]["assistant_id"].clone();
    id.as_str().unwrap().to_owned()
}

fn key_of(connected: &Response) -> String {
    connected.json()["key"].as_str().unwrap().to_owned()
}

async fn delete(guardian: &Persona<'_>, path: &str) -> Response {
    guardian.send(Method::DELETE, path, &[], None).await
}

async fn rotate(guardian: &Persona<'_>, id: &str) -> Response {
    let path = format!("/api/assistants/{id}/key");
    guardian.send(Method::POST, &path, &[], None).await
}

async fn deliver(app: &TestApp, key: &str, session: &str, child: ChildId) -> Response {
    app.bearer(key)
        .deliver(session, &json!({"child_id": child}))
        .await
}

#[tokio::test]
async fn a_guardian_adds_and_renames_a_child() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;

    let added = ada
        .post("/api/children", &json!({"name": " Mia "}))
        .await
        .json();
    assert_eq!(added["name"], "Mia");
    let child = ChildId::new(added["child_id"].as_u64().unwrap());
    let path = format!("/api/child/{child}/name");
    ada.put(&path, &json!({"name": "Mia Lou"})).await.ok();

    assert_eq!(ada.get("/api/children").await.json()[0]["name"], "Mia Lou");
    assert_eq!(ada.history(child).await, ["child_renamed", "child_added"]);
    for name in ["", " ", "Mi\na"] {
        let (_, at) = ada.put(&path, &json!({"name": name})).await.problem_at(422);
        assert_eq!(at.as_deref(), Some("/name"));
    }
}

#[tokio::test]
async fn a_guardian_can_rename_a_child_twenty_times_in_thirty_days() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let path = format!("/api/child/{mia}/name");
    let rename = async |guardian: &Persona<'_>, name: &str| {
        guardian.put(&path, &json!({"name": name})).await
    };
    for number in 1..20 {
        rename(&ada, &format!("Name {number}")).await.ok();
    }
    rename(&ada, "Mia").await.ok();

    rename(&ada, "One more").await.problem(422);
    rename(&ben, "Ben's").await.ok();
    rename(&ada, "Name 7").await.ok();
    app.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
    let ada = app.stepped_up(ADA).await;
    rename(&ada, "One more").await.ok();
}

#[tokio::test]
async fn a_connected_assistant_delivers_and_its_key_is_shown_once() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;

    let connected = connect(&ada, "kitchen", &[mia]).await;

    deliver(&app, &key_of(&connected), "s", mia).await.ok();
    let listed = ada.get("/api/household").await;
    assert!(!listed.body.contains("ast_"), "{}", listed.body);
    let all = assistants(&ada).await;
    assert_eq!(all[0]["name"], "kitchen");
    assert_eq!(all[0]["children"], json!([mia]));
    assert_eq!(all[0]["exclusive"], true);
    assert_eq!(ada.history(mia).await, ["assistant_connected"]);
}

#[tokio::test]
async fn rotating_a_key_revokes_the_old_one_and_removing_the_assistant_revokes_both() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let connected = connect(&ada, "kitchen", &[mia]).await;
    let (id, old) = (id_of(&connected), key_of(&connected));

    let rotated = rotate(&ada, &id).await;
    let new = key_of(&rotated);
    deliver(&app, &old, "s", mia).await.problem(401);
    deliver(&app, &new, "s", mia).await.ok();

    delete(&ada, &format!("/api/assistants/{id}")).await.ok();
    deliver(&app, &new, "s", mia).await.problem(401);
    assert_eq!(assistants(&ada).await.len(), 0);
    let expected = [
        "assistant_revoked",
        "assistant_rotated",
        "assistant_connected",
    ];
    assert_eq!(ada.history(mia).await, expected);
}

#[tokio::test]
async fn issuing_a_key_requires_a_step_up_and_revoking_it_does_not() {
    let app = TestApp::new().await;
    let stepped_up = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let id = id_of(&connect(&stepped_up, "kitchen", &[mia]).await);
    let ada = app.not_stepped_up(ADA).await;

    connect(&ada, "den", &[mia]).await.problem(403);
    rotate(&ada, &id).await.problem(403);
    let path = format!("/api/assistants/{id}");
    ada.put(&format!("{path}/name"), &json!({"name": "attic"}))
        .await
        .ok();
    delete(&ada, &path).await.ok();
}

#[tokio::test]
async fn a_guardian_sees_when_a_scheduled_backup_last_succeeded() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let last = async || ada.get("/api/household").await.json()["last_backup_at"].take();
    let before = last().await;
    let backed_up = ScheduleState {
        succeeded_at: Some(app.inner.clock.now()),
        ..ScheduleState::default()
    };
    let stored = app.inner.store.commit(move |change| backed_up.put(change));
    stored.await.unwrap();

    assert_eq!((before, last().await), (Value::Null, json!(EVENING)));
}

#[tokio::test]
async fn each_guardian_of_a_child_sees_who_connected_an_assistant_and_can_disconnect_it() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let connected = connect(&ada, "kitchen", &[mia]).await;

    let household = ben.get("/api/household").await.json();
    let guardians = json!([{"is_you": true}, {"is_you": false}]);
    let expected = json!([{"child_id": mia, "guardians": guardians}]);
    assert_eq!(household["children"], expected);
    assert_eq!(assistants(&ben).await, assistants(&ada).await);
    assert_eq!(ben.history(mia).await, ["assistant_connected"]);

    let path = format!("/api/assistants/{}", id_of(&connected));
    delete(&ben, &path).await.ok();
    deliver(&app, &key_of(&connected), "s", mia)
        .await
        .problem(401);
}

#[tokio::test]
async fn a_guardian_can_disconnect_but_not_change_an_assistant_that_also_talks_with_another_child()
{
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let tom = app.child("Tom", &[BEN]).await;
    let connected = connect(&ben, "kitchen", &[mia, tom]).await;
    let (id, key) = (id_of(&connected), key_of(&connected));

    let seen = assistants(&ada).await;
    assert_eq!(
        seen[0]["children"],
        json!([mia]),
        "another's child isn't named"
    );
    assert_eq!(seen[0]["exclusive"], false);
    rotate(&ada, &id).await.problem(409);
    let path = format!("/api/assistants/{id}");
    delete(&ada, &path).await.problem(409);
    ada.put(&format!("{path}/name"), &json!({"name": "mine"}))
        .await
        .problem(409);

    delete(&ada, &format!("/api/child/{mia}/assistants/{id}"))
        .await
        .ok();

    deliver(&app, &key, "s", mia).await.problem(404);
    deliver(&app, &key, "t", tom).await.ok();
    assert_eq!(assistants(&ada).await.len(), 0);
    assert_eq!(
        ben.history(mia).await,
        ["assistant_taken_off", "assistant_connected"]
    );
    delete(&ada, &format!("/api/child/{mia}/assistants/{id}"))
        .await
        .problem(404);
}

#[tokio::test]
async fn a_guardians_assistant_is_revoked_with_its_last_child_and_the_administrators_is_not() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let own = connect(&ada, "kitchen", &[mia]).await;
    let administrators = app.assistant("den", &[mia]).await;
    for assistant in assistants(&ada).await {
        let id = assistant["assistant_id"].as_str().unwrap();
        delete(&ada, &format!("/api/child/{mia}/assistants/{id}"))
            .await
            .ok();
    }

    app.bearer(&key_of(&own))
        .get("/api/assistant")
        .await
        .problem(401);
    administrators.get("/api/assistant").await.ok();
}

#[tokio::test]
async fn an_assistant_cannot_be_connected_to_another_familys_child() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA]).await;
    let tom = app.child("Tom", &[BEN]).await;

    connect(&ada, "kitchen", &[mia, tom]).await.problem(404);
    connect(&ada, "kitchen", &[]).await.problem(422);

    assert_eq!(assistants(&ada).await.len(), 0);
    assert_eq!(ada.history(mia).await.len(), 0);
    connect(&ada, "kitchen", &[mia]).await.ok();
}

#[tokio::test]
async fn assistant_names_are_per_guardian_and_ambiguous_ones_need_the_id_on_the_command_line() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA]).await;
    let tom = app.child("Tom", &[BEN]).await;
    let adas = connect(&ada, "Kitchen", &[mia]).await;

    connect(&ada, "kitchen", &[mia]).await.problem(409);
    let rotate_by = |name: &str| RotateAssistant {
        name: name.to_owned(),
    };
    let rotated = app.run_admin(rotate_by("kitchen")).await.0;
    assert!(rotated.is_ok());
    connect(&ben, "kitchen", &[tom]).await.ok();

    let refused = app.run_admin(rotate_by("kitchen")).await.0;
    let sentence = refused.err().expect("two have this name").to_string();
    assert!(sentence.contains("by its id"), "{sentence}");
    let rotated = app.run_admin(rotate_by(&id_of(&adas))).await.0;
    assert!(rotated.is_ok());
    let revoke = RevokeAssistant { name: id_of(&adas) };
    assert!(app.run_admin(revoke).await.0.is_ok());
    assert_eq!(assistants(&ada).await.len(), 0);
    assert_eq!(assistants(&ben).await.len(), 1);
}

#[tokio::test]
async fn a_guardian_can_add_twenty_children_and_twenty_keys_a_day() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    for number in 0..20 {
        let name = json!({"name": format!("Child {number}")});
        ada.post("/api/children", &name).await.ok();
        connect(&ada, &format!("assistant {number}"), &[mia])
            .await
            .ok();
    }

    ada.post("/api/children", &json!({"name": "One more"}))
        .await
        .problem(422);
    connect(&ada, "one more", &[mia]).await.problem(422);
    assert_eq!(
        ada.get("/api/children")
            .await
            .json()
            .as_array()
            .unwrap()
            .len(),
        21
    );

    app.clock.advance(Duration::from_secs(24 * 60 * 60));
    let ada = app.stepped_up(ADA).await;
    ada.post("/api/children", &json!({"name": "One more"}))
        .await
        .ok();
    connect(&ada, "one more", &[mia]).await.ok();
}

#[tokio::test]
async fn the_counts_of_a_removed_guardian_are_removed() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    ada.post("/api/children", &json!({"name": "Mia"}))
        .await
        .ok();
    let counted = || {
        app.inner
            .store
            .keys_below(&Table::new("made-today").key(), 9)
            .unwrap()
            .len()
    };
    assert_eq!(counted(), 1);

    let email = ADA.parse().unwrap();
    let removed = app.run_admin(RemoveGuardian { email }).await.0;

    assert!(removed.is_ok());
    assert_eq!(counted(), 0);
}

#[tokio::test]
async fn guardians_can_only_read_if_the_administrator_manages_the_household() {
    let app = TestApp::where_the_administrator_arranges().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    app.assistant("kitchen", &[mia]).await;

    let household = ada.get("/api/household").await.json();
    assert_eq!(household["guardians_manage"], false);
    let id = household["assistants"][0]["assistant_id"].as_str().unwrap();
    ada.post("/api/children", &json!({"name": "Tom"}))
        .await
        .problem(403);
    connect(&ada, "den", &[mia]).await.problem(403);
    delete(&ada, &format!("/api/assistants/{id}"))
        .await
        .problem(403);
    delete(&ada, &format!("/api/child/{mia}/assistants/{id}"))
        .await
        .problem(403);
    ada.put(&format!("/api/child/{mia}/name"), &json!({"name": "Tom"}))
        .await
        .problem(403);
}

#[tokio::test]
async fn an_old_name_is_in_no_file() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let id = id_of(&connect(&ada, "Oldkitchenname", &[mia]).await);
    ada.put(
        &format!("/api/child/{mia}/name"),
        &json!({"name": "Oldchildname"}),
    )
    .await
    .ok();

    ada.put(&format!("/api/child/{mia}/name"), &json!({"name": "Mia"}))
        .await
        .ok();
    ada.put(
        &format!("/api/assistants/{id}/name"),
        &json!({"name": "den"}),
    )
    .await
    .ok();
    // A child's former name is stored for thirty days.
    app.clock.advance(Duration::from_secs(30 * 24 * 60 * 60));
    app.inner.run_maintenance(|_| {}).await.unwrap();

    let folder = app.close();
    for old in ["Oldchildname", "Oldkitchenname", "oldkitchenname"] {
        assert!(
            !crate::support::files::folder_contains(folder.path(), old),
            "{old}"
        );
    }
}

#[tokio::test]
async fn renaming_reveals_nothing_about_another_familys_assistants() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA]).await;
    let tom = app.child("Tom", &[BEN]).await;
    app.assistant("kitchen", &[mia]).await;
    app.assistant("Bedroom of Tom", &[tom]).await;
    let id = assistants(&ada).await[0]["assistant_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/assistants/{id}/name");
    let free = ada.put(&path, &json!({"name": "Bedroom of Tim"})).await;
    let taken = ada.put(&path, &json!({"name": "Bedroom of Tom"})).await;
    assert_eq!(free.status, taken.status, "{}", taken.body);
}

#[tokio::test]
async fn renaming_reveals_nothing_about_another_guardians_other_child() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let tom = app.child("Tom", &[BEN]).await;
    let id = id_of(&connect(&ben, "kitchen", &[mia]).await);
    connect(&ben, "Bedroom of Tom", &[tom]).await.ok();
    let path = format!("/api/assistants/{id}/name");
    let free = ada.put(&path, &json!({"name": "Bedroom of Tim"})).await;
    let taken = ada.put(&path, &json!({"name": "Bedroom of Tom"})).await;
    assert_eq!(free.status, taken.status, "{}", taken.body);
}

#[tokio::test]
async fn an_unreadable_count_of_the_day_does_not_last_for_ever() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    ada.post("/api/children", &json!({"name": "Mia"}))
        .await
        .ok();
    let key = app
        .inner
        .store
        .keys_below(&Table::new("made-today").key(), 1)
        .unwrap()
        .pop()
        .unwrap();
    crate::support::family::damage(&app.inner, key, b"\x01".to_vec()).await;
    app.clock.advance(Duration::from_secs(2 * 24 * 60 * 60));
    app.stepped_up(ADA)
        .await
        .post("/api/children", &json!({"name": "Tim"}))
        .await
        .ok();
}

#[tokio::test]
async fn assistants_with_the_same_name_are_distinguished_by_id() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    app.guardian(BEN).await;
    let mia = app.child("Mia", &[ADA]).await;
    let tom = app.child("Tom", &[BEN]).await;
    app.assistant("den", &[tom]).await;
    let kitchen = app.assistant("kitchen", &[mia]).await;
    let id = assistants(&ada).await[0]["assistant_id"].clone();
    let id = id.as_str().unwrap();
    let rename = json!({"name": "den"});
    let path = format!("/api/assistants/{id}/name");
    ada.put(&path, &rename).await.ok();

    let revoke = |name: &str| RevokeAssistant {
        name: name.to_owned(),
    };
    assert!(app.run_admin(revoke("den")).await.0.is_err());
    kitchen.get("/api/assistant").await.ok();
    assert!(app.run_admin(revoke(id)).await.0.is_ok());
    kitchen.get("/api/assistant").await.problem(401);
    // Now only one assistant has the name.
    assert!(app.run_admin(revoke("den")).await.0.is_ok());
}

/// Sends a change like a browser, with a `content-length`.
async fn change(guardian: &Persona<'_>, path: &str, body: String) -> Response {
    let length = body.len().to_string();
    let headers = [("content-length", length.as_str())];
    guardian.send(Method::PUT, path, &headers, Some(body)).await
}

#[tokio::test]
async fn changes_are_limited_to_a_thousand_a_day_and_stopping_and_deleting_are_not() {
    let app = TestApp::with_rate_limits().await;
    app.guardian(ADA).await;
    app.guardian(BEN).await;
    let (mia, leo) = (
        app.child("Mia", &[ADA]).await,
        app.child("Leo", &[BEN]).await,
    );
    let robot = app.assistant("kitchen", &[mia]).await;
    let delivered = robot.deliver("s", &json!({"topic": "Tides"})).await.json();
    let ada = app.stepped_up(ADA).await;
    let context = |child| format!("/api/child/{child}/context");
    let text = |text: &str| json!({ "text": text }).to_string();
    for _ in 0..1000 {
        change(&ada, &context(mia), text("Mia is eight."))
            .await
            .ok();
    }

    let refused = change(&ada, &context(mia), text("more")).await;
    assert!(refused.problem(429).contains("tomorrow"));
    assert_eq!(refused.header("retry-after"), "14400", "until midnight");
    let ben = app.stepped_up(BEN).await;
    change(&ben, &context(leo), text("more")).await.ok();
    let path = format!("/api/child/{mia}/times");
    let times = json!({"time_zone": "UTC", "quiet_hours": [], "minutes_a_day": 60});
    ada.put(&path, &times).await.problem(429);
    let pause = json!({"time_zone": "UTC", "quiet_hours": [], "pause": {}});
    ada.put(&path, &pause).await.ok();
    let search = format!("/api/child/{mia}/search");
    ada.post(&search, &json!({"words": "tides"})).await.ok();
    let session = format!("/api/sessions/{}", delivered["session_id"]);
    ada.send(Method::DELETE, &session, &[], None).await.ok();
    let deleted = format!("/api/child/{mia}/deleted_sessions");
    let shown = json!({"sessions": [delivered["session_id"]]});
    ada.post(&format!("{deleted}/shown"), &shown).await.ok();
    let undelete = format!("{deleted}/{}/undelete", delivered["session_id"]);
    ada.send(Method::POST, &undelete, &[], None).await.ok();
    ask_to_delete(&ada, mia, "Mia").await.ok();
    app.clock.advance(Duration::from_secs(4 * 60 * 60));
    let ada = app.stepped_up(ADA).await;
    change(&ada, &context(mia), text("more")).await.ok();
}

#[tokio::test]
async fn changes_are_limited_to_twenty_megabytes_a_day_and_an_unknown_length_counts_as_64_kib() {
    let app = TestApp::with_rate_limits().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let path = format!("/api/child/{mia}/context");
    let body = json!({"text": "Mia is eight."});

    for _ in 0..20_000_000 / (64 * 1024) {
        ada.put(&path, &body).await.ok();
    }

    ada.put(&path, &body).await.problem(429);
    change(&ada, &path, body.to_string()).await.ok();
}

/// Somebody who accepts this guardian's invitation to the child and types an address.
async fn invited<'a>(
    app: &'a TestApp,
    by: &Persona<'_>,
    child: ChildId,
    name: &str,
) -> Persona<'a> {
    let invitation = json!({"children": [child]});
    let made = by.post("/api/invitations", &invitation).await.json();
    let link = made["shown"]["link"].as_str().unwrap();
    let (_, token) = link.split_once("#token=").unwrap();
    let email = format!("{}@example.org", name.to_lowercase());
    let body = json!({"token": token, "name": name, "email": email}).to_string();
    let (headers, anonymous) = ([("origin", PUBLIC_URL)], app.anonymous());
    let accepted = anonymous.send(
        Method::POST,
        "/api/invitations/accept",
        &headers,
        Some(body),
    );
    let accepted = accepted.await.json();
    app.bearer(accepted["identity_token"].as_str().unwrap())
}

async fn add_child(guardian: &Persona<'_>, name: &str) -> Response {
    guardian
        .post("/api/children", &json!({ "name": name }))
        .await
}

#[tokio::test]
async fn guardians_with_unverified_addresses_share_one_budget_separate_from_their_inviters() {
    let app = TestApp::with_rate_limits().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let ada = app.stepped_up(ADA).await;
    invited(&app, &ada, mia, "Ben").await;
    invited(&app, &ada, mia, "Cleo").await;
    app.clock.advance(Duration::from_secs(24 * 60 * 60));
    let ben = app.stepped_up(BEN).await;
    invited(&app, &ben, mia, "Dan").await;
    let cleo = app.stepped_up("cleo@example.org").await;
    let dan = app.stepped_up("dan@example.org").await;
    let context = |child: &Value| format!("/api/child/{child}/context");
    let own = async |guardian, name| {
        let added = add_child(guardian, name).await.json();
        context(&added["child_id"])
    };
    let (of_mia, of_leo, of_zoe) = (
        context(&json!(mia)),
        own(&cleo, "Leo").await,
        own(&dan, "Zoe").await,
    );
    let text = || json!({"text": "She is eight."}).to_string();
    let all = [(&ben, &of_mia), (&cleo, &of_leo), (&dan, &of_zoe)];

    // Ben has sent an invitation, and the others have added a child each.
    for _ in 0..332 {
        for (guardian, path) in all {
            change(guardian, path, text()).await.ok();
        }
    }
    change(&ben, &of_mia, text()).await.ok();

    for (guardian, path) in all {
        change(guardian, path, text()).await.problem(429);
    }
    let times = json!({"time_zone": "UTC", "quiet_hours": [], "minutes_a_day": 60});
    let times_path = format!("/api/child/{mia}/times");
    ben.put(&times_path, &times).await.problem(429);
    let ada = app.stepped_up(ADA).await;
    change(&ada, &of_mia, text()).await.ok();
    verify_address(&app, &dan).await;
    change(&dan, &of_zoe, text()).await.ok();
    change(&ben, &of_mia, text()).await.problem(429);
}

/// Confirms the address with the code from an e-mail.
async fn verify_address(app: &TestApp, guardian: &Persona<'_>) {
    let sent = guardian.send(Method::POST, "/api/auth/step_up/email", &[], None);
    sent.await.ok();
    let text = app.next_email().await.text;
    let is_code = |line: &&str| line.len() == 7 && line.replace(' ', "").parse::<u32>().is_ok();
    let code = text.lines().find(is_code).expect("a code");
    let body = json!({"way": "email", "code": code});
    guardian.post("/api/auth/step_up", &body).await.ok();
}

#[tokio::test]
async fn guardians_with_unverified_addresses_can_add_twenty_children_a_day_together() {
    let app = TestApp::with_mailer(Mailer::Nobody, LimitMode::Off).await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let ben = invited(&app, &ada, mia, "Ben").await;
    let cleo = invited(&app, &ada, mia, "Cleo").await;
    for number in 0..10 {
        add_child(&ben, &format!("B {number}")).await.ok();
        add_child(&cleo, &format!("C {number}")).await.ok();
    }

    for guardian in [&ben, &cleo] {
        let sentence = add_child(guardian, "One more").await.problem(422);
        assert!(sentence.contains("tomorrow"), "{sentence}");
    }

    for number in 0..20 {
        add_child(&ada, &format!("A {number}")).await.ok();
    }
    let email = ADA.parse().unwrap();
    app.run_admin(RemoveGuardian { email }).await.0.unwrap();
    add_child(&ben, "Of a budget of his own").await.ok();
    let counts = Table::new("made-today").key();
    let counts = app.inner.store.keys_below(&counts, usize::MAX).unwrap();
    assert_eq!(counts.len(), 1, "nothing is left of who was removed");
}

#[tokio::test]
async fn a_list_longer_than_documented_is_refused() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let ada = app.stepped_up(ADA).await;
    let many = |count: usize| vec![json!(mia); count];
    let cases = [
        (
            format!("/api/child/{mia}/deleted_sessions/shown"),
            json!({"sessions": many(501)}),
        ),
        (
            "/api/household/requests/shown".to_owned(),
            json!({"requests": vec![json!({"child_id": mia, "kind": "deletion", "edition": "edn_1"}); 101],
                "invitations": []}),
        ),
        (
            "/api/invitations".to_owned(),
            json!({"children": many(101)}),
        ),
        (
            "/api/assistants".to_owned(),
            json!({"name": "Kitchen", "children": many(101)}),
        ),
    ];

    for (path, body) in cases {
        let refused = ada.post(&path, &body).await.problem(400);
        assert!(refused.contains("entries"), "{path}: {refused}");
    }
}

async fn leave(guardian: &Persona<'_>, child: ChildId) -> Response {
    delete(guardian, &format!("/api/child/{child}/guardians/me")).await
}

#[tokio::test]
async fn a_key_that_a_former_guardian_has_seen_is_marked_until_it_is_kept_or_rotated() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let mut ids = Vec::new();
    for name in ["kitchen", "den"] {
        ids.push(id_of(&connect(&ada, name, &[mia]).await));
        // The earliest added is listed first.
        app.clock.advance(Duration::from_secs(1));
    }
    let left = async || {
        let all = assistants(&ben).await;
        let left = all.iter().filter(|one| one["key_exposed"] == true);
        left.map(|one| one["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(left().await, [""; 0]);

    leave(&ada, mia).await.ok();

    assert_eq!(left().await, ["kitchen", "den"]);
    keep(&ben, &ids[0]).await;
    assert_eq!(left().await, ["den"]);
    rotate(&ben, &ids[1]).await.ok();
    assert_eq!(left().await, [""; 0]);
}

/// Whether the guardian sees a warning that a former guardian knows the only assistant's key.
async fn is_key_exposed(guardian: &Persona<'_>) -> bool {
    assistants(guardian).await[0]["key_exposed"] == true
}

async fn keep(guardian: &Persona<'_>, id: &str) {
    let path = format!("/api/assistants/{id}/key/kept");
    guardian.send(Method::PUT, &path, &[], None).await.ok();
}

#[tokio::test]
async fn a_guardian_who_leaves_cannot_keep_the_key_for_the_others_in_advance() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let id = id_of(&connect(&ada, "kitchen", &[mia]).await);
    for guardian in [&ada, &ben] {
        keep(guardian, &id).await;
    }

    leave(&ada, mia).await.ok();

    assert!(is_key_exposed(&ben).await);
    keep(&ben, &id).await;
    assert!(!is_key_exposed(&ben).await);
    let history = ben.history(mia).await;
    assert_eq!(history.iter().filter(|what| *what == "key_kept").count(), 1);
}

#[tokio::test]
async fn keeping_a_key_counts_for_one_departure_and_one_guardian() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let cleo = app.guardian("cleo@example.org").await;
    let mia = app.child("Mia", &[ADA, BEN, "cleo@example.org"]).await;
    let leo = app.child("Leo", &[ADA, BEN, "cleo@example.org"]).await;
    let id = id_of(&connect(&ada, "kitchen", &[mia, leo]).await);
    leave(&ada, mia).await.ok();

    keep(&ben, &id).await;
    assert!(!is_key_exposed(&ben).await);
    assert!(is_key_exposed(&cleo).await, "Ben says nothing for Cleo");

    // Leaving the other child is another departure.
    leave(&ada, leo).await.ok();
    assert!(is_key_exposed(&ben).await);
    keep(&ben, &id).await;

    // So is leaving again.
    app.link(mia, ADA).await;
    leave(&ada, mia).await.ok();
    assert!(is_key_exposed(&ben).await);
}

#[tokio::test]
async fn a_new_key_has_not_been_kept_by_anybody() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let cleo = app.guardian("cleo@example.org").await;
    let mia = app.child("Mia", &[ADA, BEN, "cleo@example.org"]).await;
    let id = id_of(&connect(&ada, "kitchen", &[mia]).await);
    leave(&ada, mia).await.ok();
    keep(&cleo, &id).await;
    rotate(&ben, &id).await.ok();
    assert!(!is_key_exposed(&cleo).await);

    leave(&ben, mia).await.ok();

    assert!(is_key_exposed(&cleo).await);
}
