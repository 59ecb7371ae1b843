//! The pending requests about children, as a guardian reads and answers them.

use poem::http::Method;
use porchlight::children::ChildId;
use serde_json::{Value, json};

use super::test_app::{Persona, Response};

const REQUESTS: &str = "/api/household/requests";

pub async fn ask_to_delete(guardian: &Persona<'_>, child: ChildId, name: &str) -> Response {
    let path = format!("/api/child/{child}/deletion");
    guardian.put(&path, &json!({"name": name})).await
}

/// The requests of one kind, in the order of the children's numbers.
pub async fn requests(guardian: &Persona<'_>, kind: &str) -> Vec<Value> {
    let requests = guardian.get(REQUESTS).await.json();
    let requests = requests["requests"].as_array().unwrap().iter();
    requests
        .filter(|request| request["kind"] == kind)
        .cloned()
        .collect()
}

/// The edition that the guardian reads now; one that never was if there is no request.
pub async fn edition(guardian: &Persona<'_>, child: ChildId, kind: &str) -> String {
    let requests = requests(guardian, kind).await;
    let of_child = |request: &&Value| request["child_id"] == json!(child);
    let found = requests.iter().find(of_child);
    found
        .map_or("edn_none", |request| request["edition"].as_str().unwrap())
        .to_owned()
}

/// Reports an edition of a request as shown.
pub async fn record_shown(
    guardian: &Persona<'_>,
    child: ChildId,
    kind: &str,
    edition: &str,
) -> Response {
    let shown = json!({"child_id": child, "kind": kind, "edition": edition});
    let shown = json!({"requests": [shown], "invitations": []});
    guardian.post(&format!("{REQUESTS}/shown"), &shown).await
}

/// Reports a request as shown, as the guardian reads it now.
pub async fn read(guardian: &Persona<'_>, child: ChildId, kind: &str) {
    let edition = edition(guardian, child, kind).await;
    record_shown(guardian, child, kind, &edition).await.ok();
}

/// Confirms an edition of a request.
pub async fn confirm_edition(
    guardian: &Persona<'_>,
    child: ChildId,
    kind: &str,
    edition: &str,
) -> Response {
    let path = format!("/api/child/{child}/requests/{kind}/confirmation");
    let read = format!("\"{edition}\"");
    guardian
        .send(Method::PUT, &path, &[("if-match", &read)], None)
        .await
}

/// Confirms a request, as the guardian reads it now.
pub async fn confirm(guardian: &Persona<'_>, child: ChildId, kind: &str) -> Response {
    let edition = edition(guardian, child, kind).await;
    confirm_edition(guardian, child, kind, &edition).await
}

pub async fn stop(guardian: &Persona<'_>, child: ChildId, kind: &str) -> Response {
    let path = format!("/api/child/{child}/requests/{kind}");
    guardian.send(Method::DELETE, &path, &[], None).await
}
