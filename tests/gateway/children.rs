//! Which child a request is for, and that nobody reaches another family's.

use super::*;
use crate::support::upstream::{HELLO, speak};

/// A family with a second child, Leo, and a key for both.
async fn two_children() -> (Family, ChildId, GatewayClient) {
    let family = Family::with_ollama(Upstream::answering(speak).await).await;
    let leo = family.app.child("Leo", &[ADA]).await;
    let both = &[family.mia, leo];
    let shared = family.app.gateway_assistant("Shared", both, "home").await;
    let shared = family.kitchen.with_key(shared.credential());
    (family, leo, shared)
}

async fn words(family: &Family, child: ChildId) -> Vec<String> {
    family.settled().await;
    let sessions = sessions(&family.ada().await, child).await;
    let lines = sessions.iter().flat_map(said);
    lines.filter(|line| line.starts_with('>')).collect()
}

#[tokio::test]
async fn the_models_name_or_a_header_chooses_the_child_and_is_not_sent_upstream() {
    let (family, leo, shared) = two_children().await;
    let by_number = format!("family-model@{leo}");
    let number = leo.to_string();
    let models = [
        ("family-model@Leo", "family-model"),
        ("family-model@ leo ", "family-model"),
        (&by_number, "family-model"),
        ("x@large@LEO", "x@large"),
    ];
    let mut expected = Vec::new();

    for (model, upstream) in models {
        let words = format!("> To {model}");
        let body = with(chat(&[&words]), "model", json!(model));
        shared.chat(&body).await.ok();
        let received = family.upstream.received().pop().unwrap();
        assert_eq!(received.json()["model"], upstream);
        expected.push(words);
    }
    let headers = [("x-porchlight-child", number.as_str())];
    let by_header = "> To the header's";
    shared.chat_with(&headers, &chat(&[by_header])).await.ok();
    expected.push(by_header.to_owned());
    let body = with(chat(&["> To Mia"]), "model", json!("family-model@Mia"));
    shared.post("/gateway/api/chat", &body).await.ok();

    assert_eq!(words(&family, leo).await, expected);
    assert_eq!(words(&family, family.mia).await, ["> To Mia"]);
}

#[tokio::test]
async fn a_request_that_says_no_child_of_the_key_is_refused() {
    let (family, _, shared) = two_children().await;
    let ben = family.app.guardian("ben@example.org").await;
    let zoe = family.app.child("Zoe", &["ben@example.org"]).await;
    let zoes = zoe.to_string();
    let user = with(chat(&["> Hi"]), "user", json!("Leo"));
    let of = |model: &str| with(chat(&["> Hi"]), "model", json!(model));

    for body in [
        chat(&["> Hi"]),
        user,
        of("family-model@Zoe"),
        of(&format!("family-model@{zoe}")),
        of("family-model@"),
        of("x@Anna"),
    ] {
        let refused = shared.chat(&body).await;
        assert_eq!(refused.openai_code(400), "child_required", "{body}");
        shared
            .post("/gateway/api/chat", &body)
            .await
            .ollama_error(400);
    }
    for client in [&shared, &family.kitchen] {
        for child in [zoes.as_str(), "Zoe", "0", "999", "-1", ""] {
            let refused = client
                .chat_with(&[("x-porchlight-child", child)], &chat(&["> Hi"]))
                .await;
            assert_eq!(refused.openai_code(400), "child_required", "{child}");
        }
    }

    assert_eq!(family.upstream.count(), 0);
    assert_eq!(sessions(&ben, zoe).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_models_own_at_sign_is_no_child() {
    let family = Family::new(Upstream::answering(speak).await).await;

    for model in ["x@Leo", "x@large", "@cf/meta/llama", "x@"] {
        let body = with(chat(&[&format!("> {model}")]), "model", json!(model));
        family.kitchen.chat(&body).await.ok();
        let received = family.upstream.received().pop().unwrap();
        assert_eq!(received.json()["model"], model);
    }
}

#[tokio::test]
async fn a_key_for_several_children_lists_each_model_with_each_child() {
    let (family, _, shared) = two_children().await;
    let ids = |list: &Value, field: &str| {
        let list = list.as_array().unwrap().iter();
        list.map(|model| model[field].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };

    let models = shared.get("/gateway/v1/models").await.json();
    let tags = shared.get("/gateway/api/tags").await.json();
    let own = family.kitchen.get("/gateway/v1/models").await.json();

    let both = [
        "family-model@Mia",
        "family-model@Leo",
        "x@large@Mia",
        "x@large@Leo",
    ];
    assert_eq!(ids(&models["data"], "id"), both);
    assert_eq!(ids(&tags["models"], "name"), both[..2]);
    assert_eq!(ids(&tags["models"], "model"), both[..2]);
    assert_eq!(ids(&own["data"], "id"), ["family-model", "x@large"]);
    for id in both {
        let one = shared.get(&format!("/gateway/v1/models/{id}")).await.json();
        assert_eq!(one["id"], id);
        let body = with(chat(&[&format!("> {id}")]), "model", json!(id));
        shared.chat(&body).await.ok();
    }
    let body = json!({"model": "family-model@Leo"});
    shared.post("/gateway/api/show", &body).await.ok();
    let received = family.upstream.received().pop().unwrap();
    assert_eq!(received.json(), json!({"model": "family-model"}));
}

#[tokio::test]
async fn a_session_id_of_another_family_joins_nothing() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let ben = family.app.guardian("ben@example.org").await;
    let zoe = family.app.child("Zoe", &["ben@example.org"]).await;
    let bens = family.app.gateway_assistant("Ben's", &[zoe], "home").await;
    let bens = family.kitchen.with_key(bens.credential());
    let headers = [("x-porchlight-session", "kitchen-1")];

    let first = chat(&["> Where do we live?"]);
    family.kitchen.chat_with(&headers, &first).await.ok();
    let name = family.sessions().await[0]["name"].clone();
    let hello = format!("< {HELLO}");
    let stolen = chat(&["> Where do we live?", &hello, "> And what is our address?"]);
    bens.chat_with(&headers, &stolen).await.ok();
    for id in ["1", name.as_str().unwrap_or("gateway"), "session kitchen-1"] {
        bens.chat_with(&[("x-porchlight-session", id)], &stolen)
            .await
            .ok();
    }

    assert_eq!(
        family.transcripts().await,
        [["> Where do we live?", &hello]]
    );
    let theirs = sessions(&ben, zoe).await;
    assert!(
        theirs
            .iter()
            .all(|session| session["child_id"] == json!(zoe))
    );
    let asked = theirs.iter().flat_map(said);
    let asked = asked.filter(|line| line == "> And what is our address?");
    assert_eq!(asked.count(), 4);
}
