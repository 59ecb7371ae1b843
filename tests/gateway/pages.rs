//! Clients that run in a browser, on a page of an origin that the administrator named.

use super::*;
use crate::support::test_app::CHAT_ORIGIN;
use crate::support::upstream::speak;

const ASKED: [(&str, &str); 2] = [
    ("access-control-request-method", "POST"),
    (
        "access-control-request-headers",
        "authorization,content-type,x-stainless-lang",
    ),
];

#[tokio::test]
async fn a_page_of_a_named_origin_may_ask_and_read() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let page = family.kitchen.with_key("");
    let origin = ("origin", CHAT_ORIGIN);
    let chats = "/gateway/v1/chat/completions";

    let asked = page
        .send("OPTIONS", chats, &[origin, ASKED[0], ASKED[1]], "")
        .await;
    let answer = family
        .kitchen
        .chat_with(&[origin], &streamed(&["> Hi"]))
        .await;
    let refused = page.chat_with(&[origin], &chat(&["> Hi"])).await;

    assert_eq!(asked.status, 204, "{}", asked.text());
    assert_eq!(asked.header("access-control-allow-methods"), "GET, POST");
    assert_eq!(
        asked.header("access-control-allow-headers"),
        "authorization,content-type,x-stainless-lang"
    );
    answer.ok();
    assert_eq!(refused.openai_code(401), "invalid_api_key");
    for reply in [asked, answer, refused] {
        assert_eq!(reply.header("access-control-allow-origin"), CHAT_ORIGIN);
        assert_eq!(reply.header("access-control-allow-credentials"), "");
        assert_eq!(reply.header("vary"), "origin");
        let exposed = reply.header("access-control-expose-headers");
        assert!(exposed.contains("porchlight-dropped") && exposed.contains("porchlight-rules"));
    }
}

#[tokio::test]
async fn pages_of_other_origins_get_no_permission() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let chats = "/gateway/v1/chat/completions";

    for origin in [
        "https://chat.example.org:8443",
        "http://chat.example.org",
        "https://evil.example",
        "null",
        "*",
    ] {
        let origin = ("origin", origin);
        let preflight = [origin, ASKED[0], ASKED[1]];
        let asked = family.kitchen.send("OPTIONS", chats, &preflight, "").await;
        let answer = family.kitchen.chat_with(&[origin], &chat(&["> Hi"])).await;

        assert_eq!(asked.status, 404, "{}", asked.text());
        for reply in [asked, answer] {
            let names = reply.headers.keys().map(|name| name.as_str());
            let mut cors = names.filter(|name| name.starts_with("access-control"));
            assert_eq!(cors.next(), None, "{origin:?}");
        }
    }
    // The API has no pages but the app's own.
    let preflight = [("origin", CHAT_ORIGIN), ASKED[0], ASKED[1]];
    let api = family
        .kitchen
        .send("OPTIONS", "/api/children", &preflight, "");
    assert_eq!(api.await.header("access-control-allow-origin"), "");
}
