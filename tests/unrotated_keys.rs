//! A key that a former guardian of a child has seen: who is warned, until when, and for whom keeping it counts.

use std::time::Duration;

use poem::http::Method;
use porchlight::children::ChildId;
use serde_json::json;

use crate::support::features::Facts;
use crate::support::operations::{nothing, write};
use crate::support::tables::Promise;
use crate::support::test_app::{Persona, Response, TestApp};

pub static FACTS: Facts = Facts {
    tables: &[(Some(Promise::KeptKey), None, &["key-kept"])],
    writes: &[write("keepAssistantKey", None, nothing)],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

async fn leave(guardian: &Persona<'_>, child: ChildId) -> Response {
    let path = format!("/api/child/{child}/guardians/me");
    guardian.send(Method::DELETE, &path, &[], None).await
}

#[tokio::test]
async fn a_key_that_a_former_guardian_has_seen_is_marked_until_it_is_kept_or_rotated() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let mut ids = Vec::new();
    for name in ["kitchen", "den"] {
        let body = json!({"name": name, "children": [mia]});
        let connected = ada.post("/api/assistants", &body).await.json();
        ids.push(connected["assistant"]["assistant_id"].clone());
        // The earliest added is listed first.
        app.clock.advance(Duration::from_secs(1));
    }
    let left = async || {
        let household = ben.get("/api/household").await.json();
        let all = household["assistants"].as_array().unwrap().clone();
        let left = all.iter().filter(|one| one["key_exposed"] == true);
        left.map(|one| one["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(left().await, [""; 0]);

    leave(&ada, mia).await.ok();

    assert_eq!(left().await, ["kitchen", "den"]);
    let path = format!("/api/assistants/{}/key/kept", ids[0].as_str().unwrap());
    ben.send(Method::PUT, &path, &[], None).await.ok();
    assert_eq!(left().await, ["den"]);
    let path = format!("/api/assistants/{}/key", ids[1].as_str().unwrap());
    ben.send(Method::POST, &path, &[], None).await.ok();
    assert_eq!(left().await, [""; 0]);
}

/// Whether the guardian sees a warning that a former guardian knows the only assistant's key.
async fn is_key_exposed(guardian: &Persona<'_>) -> bool {
    let household = guardian.get("/api/household").await.json();
    household["assistants"][0]["key_exposed"] == true
}

async fn keep(guardian: &Persona<'_>, id: &str) {
    let path = format!("/api/assistants/{id}/key/kept");
    guardian.send(Method::PUT, &path, &[], None).await.ok();
}

async fn connect(guardian: &Persona<'_>, children: &[ChildId]) -> String {
    let body = json!({"name": "kitchen", "children": children});
    let connected = guardian.post("/api/assistants", &body).await.json();
    let id = connected["assistant"]["assistant_id"].as_str().unwrap();
    id.to_owned()
}

#[tokio::test]
async fn a_guardian_who_leaves_cannot_keep_the_key_for_the_others_in_advance() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let id = connect(&ada, &[mia]).await;
    for guardian in [&ada, &ben] {
        keep(guardian, &id).await;
    }

    leave(&ada, mia).await.ok();

    assert!(is_key_exposed(&ben).await);
    keep(&ben, &id).await;
    assert!(!is_key_exposed(&ben).await);
    let history = ben.get(&format!("/api/child/{mia}/history")).await.json();
    let kept = history["items"].as_array().unwrap().iter();
    assert_eq!(kept.filter(|entry| entry["what"] == "key_kept").count(), 1);
}

#[tokio::test]
async fn keeping_a_key_counts_for_one_departure_and_one_guardian() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let cleo = app.guardian("cleo@example.org").await;
    let mia = app.child("Mia", &[ADA, BEN, "cleo@example.org"]).await;
    let leo = app.child("Leo", &[ADA, BEN, "cleo@example.org"]).await;
    let id = connect(&ada, &[mia, leo]).await;
    leave(&ada, mia).await.ok();

    keep(&ben, &id).await;
    assert!(!is_key_exposed(&ben).await);
    assert!(is_key_exposed(&cleo).await, "Ben says nothing for Cleo");

    // Leaving the other child is another departure.
    leave(&ada, leo).await.ok();
    assert!(is_key_exposed(&ben).await);
    keep(&ben, &id).await;

    // So is leaving again.
    let email = ADA.parse().unwrap();
    let back = porchlight::admin::LinkChild { child: mia, email };
    app.run_admin(back).await.0.unwrap();
    leave(&ada, mia).await.ok();
    assert!(is_key_exposed(&ben).await);
}

#[tokio::test]
async fn a_new_key_has_not_been_kept_by_anybody() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let cleo = app.guardian("cleo@example.org").await;
    let mia = app.child("Mia", &[ADA, BEN, "cleo@example.org"]).await;
    let id = connect(&ada, &[mia]).await;
    leave(&ada, mia).await.ok();
    keep(&cleo, &id).await;
    let path = format!("/api/assistants/{id}/key");
    ben.send(Method::POST, &path, &[], None).await.ok();
    assert!(!is_key_exposed(&cleo).await);

    leave(&ben, mia).await.ok();

    assert!(is_key_exposed(&cleo).await);
}
