//! Rules for all responses: format, headers, allowed hosts, and the body limit.

use crate::support::test_app::TestApp;
use poem::http::Method;
use porchlight::assistants::plugins::STACKS;
use serde_json::{Value, json};

#[tokio::test]
async fn every_error_is_a_sentence_without_type_names_or_request_data() {
    let app = TestApp::new().await;
    let ada = app.guardian("ada@example.org").await;
    let mia = app.child("Mia", &["ada@example.org"]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let deliveries = "/api/assistant/deliveries";
    let cases = [
        (ada.get("/api/nothing/here").await, 404),
        (ada.get("/api").await, 404),
        (
            ada.send(Method::DELETE, "/api/children", &[], None).await,
            405,
        ),
        (ada.get("/api/sessions").await, 400),
        (ada.get("/api/sessions?child_id=mia").await, 400),
        (
            ada.get(&format!("/api/sessions?child_id={mia}&limit=0"))
                .await,
            400,
        ),
        (
            ada.get(&format!("/api/sessions?child_id={mia}&limit=501"))
                .await,
            400,
        ),
        (
            ada.get(&format!("/api/sessions?child_id={mia}&before=%25"))
                .await,
            400,
        ),
        (
            robot
                .send(Method::POST, deliveries, &[], Some("{".into()))
                .await,
            400,
        ),
        (robot.deliver("s", &json!({"child_id": "1"})).await, 400),
        (
            robot.deliver("s", &json!({"topic": "x".repeat(201)})).await,
            400,
        ),
        (robot.send(Method::POST, deliveries, &[], None).await, 415),
        (app.anonymous().get("/api/children").await, 401),
        (
            app.anonymous()
                .post("/api/auth/link", &json!({"email": "ada"}))
                .await,
            400,
        ),
    ];

    for (response, status) in cases {
        let sentence = response.problem(status);
        assert!(sentence.ends_with('.'), "{sentence}");
        for leak in [
            "child_id", "param0", "u64", "struct", "limit", "pet", "tabby", "xxx", "mia",
        ] {
            assert!(!sentence.contains(leak), "{sentence}");
        }
        assert_eq!(response.header("content-type"), "application/json");
    }
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let app = TestApp::new().await;
    let ada = app.guardian("ada@example.org").await;

    for (path, is_page) in [
        ("/", true),
        ("/login", true),
        ("/api/docs", true),
        ("/api/children", false),
        ("/api/nothing", false),
        ("/healthz", false),
        ("/robots.txt", false),
    ] {
        let response = ada.get(path).await;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("x-robots-tag", "noindex, nofollow"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(response.header(name), value, "{path} {name}");
        }
        let policy = response.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; "),
            "{path}: {policy}"
        );
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(policy.contains("script-src"), is_page, "{path}: {policy}");
        assert_eq!(
            response.header("strict-transport-security"),
            "max-age=0",
            "{path}"
        );
        if is_page {
            assert_eq!(
                response.header("cross-origin-opener-policy"),
                "same-origin",
                "{path}"
            );
            let permissions = response.header("permissions-policy");
            assert!(
                permissions.contains("microphone=()"),
                "{path}: {permissions}"
            );
        }
    }
}

#[tokio::test]
async fn a_host_that_is_not_ours_is_refused() {
    let app = TestApp::new().await;
    let ada = app.guardian("ada@example.org").await;

    for path in ["/", "/api/children", "/api/docs"] {
        let headers = [("host", "evil.example")];
        let response = ada.send(Method::GET, path, &headers, None).await;
        assert!(
            response
                .problem(421)
                .starts_with("This server does not answer under this name.")
        );
    }
    let two_hosts = [("host", "porchlight.example"), ("host", "evil.example")];
    ada.send(Method::GET, "/api/children", &two_hosts, None)
        .await
        .problem(421);
    let long = "a".repeat(20_000);
    let refused = ada
        .send(Method::GET, "/api/children", &[("x-long", &long)], None)
        .await;
    refused.problem(431);
    let probe = ada
        .send(Method::GET, "/healthz", &[("host", "10.0.0.7")], None)
        .await;
    probe.ok();
}

#[tokio::test]
async fn a_body_of_ten_megabytes_is_refused_and_nothing_is_stored() {
    let app = TestApp::new().await;
    let ada = app.guardian("ada@example.org").await;
    let mia = app.child("Mia", &["ada@example.org"]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let huge = format!(
        "{{\"child_id\": {mia}, \"topic\": \"{}\"}}",
        "x".repeat(10_000_000)
    );

    let refused = robot
        .send(Method::POST, "/api/assistant/deliveries", &[], Some(huge))
        .await;

    assert_eq!(
        refused.problem(413),
        "The request's body is larger than 4 MiB, the most that this address takes."
    );
    let sessions = ada
        .get(&format!("/api/sessions?child_id={mia}"))
        .await
        .json();
    assert_eq!(sessions, json!({"sessions": []}));
}

#[tokio::test]
async fn robots_are_disallowed_and_the_health_probes_respond() {
    let app = TestApp::new().await;
    let anonymous = app.anonymous();

    let robots = anonymous.get("/robots.txt").await;
    assert_eq!(robots.body, "User-agent: *\nDisallow: /\n");
    anonymous.get("/healthz").await.ok();
    anonymous.get("/readyz").await.ok();
    app.inner.drain();
    assert_eq!(anonymous.get("/readyz").await.status, 503);
    anonymous.get("/healthz").await.ok();
}

#[tokio::test]
async fn only_the_docs_page_allows_an_inline_script_and_only_by_hash() {
    let app = TestApp::new().await;
    let anonymous = app.anonymous();

    let docs = anonymous.get("/api/docs").await;

    docs.ok();
    let policy = docs.header("content-security-policy");
    assert!(policy.contains("script-src 'sha256-"), "{policy}");
    assert!(
        !policy.contains("unsafe") && !policy.contains("http"),
        "{policy}"
    );
    let page = anonymous.get("/child/1/summary").await;
    assert!(!page.header("content-security-policy").contains("sha256"));
}

/// A body below this size may be built for each request.
const SMALL: usize = 2048;

#[tokio::test]
async fn all_public_responses_share_their_memory() {
    let app = TestApp::new().await;
    let anybody = app.anonymous();
    let contract: Value = anybody.get("/api/openapi.json").await.json();
    let paths = contract["paths"].as_object().unwrap().iter();
    let public = paths.filter(|(_, path)| path["get"]["security"] == json!([]));
    let mut paths = ["/", "/robots.txt", "/.well-known/jwks.json"]
        .into_iter()
        .chain(["/api/openapi.json", "/api/openapi.yaml", "/api/docs"])
        .chain(["/api/assistant/openapi.json"])
        .map(str::to_owned)
        .collect::<Vec<_>>();
    for (path, _) in public {
        match path.split_once("{stack}") {
            Some((before, after)) => paths.extend(
                STACKS
                    .iter()
                    .map(|stack| format!("/api{before}{}{after}", stack.name)),
            ),
            None => paths.push(format!("/api{path}")),
        }
    }
    assert!(paths.len() > 12, "{paths:?}");

    let mut large = 0;
    for path in paths {
        let (first, second) = (anybody.body(&path).await, anybody.body(&path).await);
        if first.len() >= SMALL {
            large += 1;
            assert_eq!(first.as_ptr(), second.as_ptr(), "{path} is copied");
        }
    }
    assert!(large >= 8, "{large}");
}

#[tokio::test]
async fn with_too_many_cookies_a_browser_gets_an_error_page_and_a_program_gets_json() {
    let app = TestApp::new().await;
    let cookies = format!("other={}", "x".repeat(17_000));
    let get = async |accept: &'static str| {
        let headers = [("cookie", cookies.as_str()), ("accept", accept)];
        app.anonymous().send(Method::GET, "/", &headers, None).await
    };

    let page = get("text/html,application/xhtml+xml,*/*;q=0.8").await;
    let problem = get("application/json").await;

    assert_eq!(page.status, 431);
    assert!(
        page.body
            .contains("<h1>Your browser sends too many cookies</h1>")
    );
    assert!(problem.problem(431).contains("too long"));
}
