//! Which paths there are, and who may use them.

use super::*;
use crate::support::upstream::{Answer, DONE, HELLO, speak};

#[tokio::test]
async fn a_client_of_openais_api_gets_chats_and_models() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let kitchen = &family.kitchen;

    let whole = kitchen.chat(&chat(&["> Hi"])).await;
    let stream = kitchen.chat(&streamed(&["> Hello"])).await;
    let list = kitchen.get("/gateway/v1/models").await.json();
    let one = kitchen.get("/gateway/v1/models/family-model").await.json();
    let none = kitchen.get("/gateway/v1/models/other").await;

    let message = &whole.json()["choices"][0]["message"];
    assert_eq!(message["content"], HELLO);
    assert_eq!(whole.header("content-type"), "application/json");
    assert_eq!(stream.header("content-type"), "text/event-stream");
    assert!(stream.body.ends_with(DONE));
    assert_eq!(list["data"][0]["id"], "family-model");
    assert_eq!(one, list["data"][0]);
    assert_eq!(none.openai_code(404), "model_not_found");
    let asked = family.upstream.received().into_iter();
    let asked = asked.map(|it| format!("{} {}", it.method, it.path));
    let (chats, models) = ("POST /v1/chat/completions", "GET /v1/models");
    assert_eq!(
        asked.collect::<Vec<_>>(),
        [chats, chats, models, models, models]
    );
}

#[tokio::test]
async fn where_the_upstream_is_ollama_there_are_both_apis() {
    let family = Family::with_ollama(Upstream::answering(speak).await).await;
    let kitchen = &family.kitchen;
    let not_streamed = with(chat(&["> Hello"]), "stream", json!(false));
    let model = json!({"model": "family-model"});

    let lines = kitchen.post("/gateway/api/chat", &chat(&["> Hi"])).await;
    let whole = kitchen.post("/gateway/api/chat", &not_streamed).await;
    let tags = kitchen.get("/gateway/api/tags").await.json();
    let show = kitchen.post("/gateway/api/show", &model).await.json();
    let version = kitchen.get("/gateway/api/version").await.json();
    let openai = kitchen.chat(&chat(&["> Good evening"])).await.json();
    let models = kitchen.get("/gateway/v1/models").await;

    assert_eq!(lines.header("content-type"), "application/x-ndjson");
    assert_eq!(
        lines.text().lines().count(),
        HELLO.split(' ').count() + 1,
        "{}",
        lines.text()
    );
    assert_eq!(whole.json()["message"]["content"], HELLO);
    assert_eq!(tags["models"][0]["name"], "family-model");
    assert_eq!(show["capabilities"][0], "completion");
    assert_eq!(version["version"], "0.12.6");
    assert_eq!(openai["choices"][0]["message"]["content"], HELLO);
    models.ok();
    let asked = family.upstream.received().into_iter();
    let paths = asked.map(|it| it.path).collect::<Vec<_>>();
    assert_eq!(
        paths,
        [
            "/api/chat",
            "/api/chat",
            "/api/tags",
            "/api/show",
            "/api/version",
            "/v1/chat/completions",
            "/v1/models"
        ]
    );
}

#[tokio::test]
async fn everything_else_is_404() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let kitchen = &family.kitchen;

    let responses = kitchen.post("/gateway/v1/responses", &json!({})).await;
    assert_eq!(responses.openai_code(404), "not_found");
    assert!(
        responses.text().contains("use chat completions"),
        "{responses:?}"
    );
    for (method, path) in [
        ("GET", "/gateway/v1"),
        ("GET", "/gateway/v1/responses/resp_1"),
        ("POST", "/gateway/v1/completions"),
        ("POST", "/gateway/v1/embeddings"),
        ("POST", "/gateway/v1/audio/speech"),
        ("POST", "/gateway/v1/images/generations"),
        ("POST", "/gateway/v1/../v1/chat/completions"),
        ("POST", "/gateway/completions"),
        ("POST", "/gateway//"),
        ("GET", "/gateway/v1/realtime"),
    ] {
        let refused = kitchen.send(method, path, &[], "{}").await;
        assert_eq!(refused.openai_code(404), "not_found", "{method} {path}");
    }
    for (method, path) in [
        ("POST", "/gateway/api/generate"),
        ("POST", "/gateway/api/pull"),
        ("DELETE", "/gateway/api/delete"),
        ("GET", "/gateway/api/ps"),
        ("POST", "/gateway/api/embed"),
        // The upstream isn't Ollama.
        ("POST", "/gateway/api/chat"),
        ("POST", "/gateway/api/show"),
        ("GET", "/gateway/api/tags"),
        ("GET", "/gateway/api/version"),
    ] {
        kitchen
            .send(method, path, &[], "{}")
            .await
            .ollama_error(404);
    }
    for path in ["/gateway/v1/chat/completions", "/gateway/v1/models"] {
        let refused = kitchen.send("DELETE", path, &[], "").await;
        assert_eq!(refused.openai_code(404), "not_found", "{path}");
    }
    assert_eq!(family.upstream.count(), 0);
}

#[tokio::test]
async fn an_address_works_without_v1_and_with_slashes_too_many() {
    let family = Family::with_ollama(Upstream::answering(speak).await).await;
    let kitchen = &family.kitchen;

    for path in [
        "/gateway/chat/completions",
        "/gateway/v1/chat/completions/",
        "/gateway/v1//chat/completions",
        "/gateway//chat//completions//",
        "//gateway/v1/chat/completions?a=b",
        "/gateway/v1/v1/chat/completions",
    ] {
        let reply = kitchen.post(path, &chat(&["> Hi"])).await.json();
        let text = &reply["choices"][0]["message"]["content"];
        assert_eq!(text, HELLO, "{path}");
    }
    for path in [
        "/gateway/models",
        "/gateway/v1/models/",
        "/gateway//v1/models",
    ] {
        let list = kitchen.get(path).await.json();
        assert_eq!(list["data"][0]["id"], "family-model", "{path}");
    }
    let one = kitchen.get("/gateway/models/family-model").await.json();
    assert_eq!(one["id"], "family-model");
    for path in ["/gateway/v1/api/chat", "/gateway//api/chat/"] {
        kitchen.post(path, &chat(&["> Hello"])).await.ok();
    }
    let tags = kitchen.get("/gateway/v1/api/tags").await.json();
    assert_eq!(tags["models"][0]["name"], "family-model");
}

#[tokio::test]
async fn at_the_servers_bare_address_the_right_one_is_named() {
    let family = Family::with_ollama(Upstream::answering(speak).await).await;
    let body = chat(&["> Hi"]).to_string();

    for key in [&family.kitchen.key, ""] {
        let client = family.kitchen.with_key(key);
        for (method, path) in [
            ("GET", "/v1/models"),
            ("GET", "/v1"),
            ("GET", "/models"),
            ("POST", "/v1/chat/completions"),
            ("POST", "/chat/completions"),
            ("POST", "/v1/responses"),
        ] {
            let refused = client.send(method, path, &[], body.clone()).await;
            assert_eq!(refused.openai_code(404), "not_found", "{method} {path}");
            let address = format!("{PUBLIC_URL}/gateway/v1\"");
            assert!(refused.text().contains(&address), "{}", refused.text());
        }
        for (method, path) in [
            ("GET", "/api/tags"),
            ("POST", "/api/chat"),
            ("POST", "/api/generate"),
            ("GET", "/api/version"),
        ] {
            let refused = client.send(method, path, &[], body.clone()).await;
            let sentence = refused.ollama_error(404);
            assert!(
                sentence.ends_with(&format!("{PUBLIC_URL}/gateway")),
                "{sentence}"
            );
        }
    }

    assert_eq!(family.upstream.count(), 0);
    let page = family.kitchen.get("/child/1/summary").await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let unknown = family.kitchen.get("/api/unknown").await;
    assert!(unknown.text().contains("\"detail\""), "{}", unknown.text());
}

#[tokio::test]
async fn a_key_may_come_in_the_headers_of_other_providers() {
    let family = Family::with_ollama(Upstream::answering(speak).await).await;
    let (key, none) = (family.kitchen.key.clone(), family.kitchen.with_key(""));
    let wrong = format!("{key}x");
    let bearer = format!("Bearer {key}");

    for headers in [
        &[("api-key", key.as_str())][..],
        &[("x-api-key", &key)],
        &[("authorization", "Basic YTpi"), ("x-api-key", &key)],
        &[("authorization", &bearer), ("x-api-key", &wrong)],
    ] {
        none.chat_with(headers, &chat(&["> Hi"])).await.ok();
        let tags = none.send("GET", "/gateway/api/tags", headers, "").await;
        tags.ok();
    }
    let asked = family.upstream.count();
    for headers in [
        &[("api-key", wrong.as_str())][..],
        &[("x-api-key", &wrong)],
        &[("authorization", "Bearer sk-1"), ("x-api-key", &key)],
        &[("authorization", &key)],
    ] {
        let refused = none.chat_with(headers, &chat(&["> Hi"])).await;
        assert_eq!(refused.openai_code(401), "invalid_api_key", "{headers:?}");
    }
    // Elsewhere these headers mean nothing.
    let headers = [("x-api-key", key.as_str())];
    let rules = none.send("GET", "/api/assistant/rules", &headers, "").await;
    assert_eq!(rules.status, 401);
    assert_eq!(family.upstream.count(), asked);
    for received in family.upstream.received() {
        assert_eq!(received.header("x-api-key"), "");
        assert_eq!(received.header("api-key"), "");
    }
}

#[tokio::test]
async fn a_request_to_load_a_model_is_passed_on_and_keeps_nothing() {
    let loaded = json!({"model": "family-model", "done": true, "done_reason": "load"});
    let family = Family::with_ollama(Upstream::always(Answer::json(&loaded)).await).await;
    let kitchen = &family.kitchen;
    let leo = family.app.child("Leo", &[ADA]).await;
    let both = &[family.mia, leo];
    let both = family.app.gateway_assistant("Both", both, "home").await;
    let both = kitchen.with_key(both.credential());

    for (path, body) in [
        ("/gateway/api/chat", json!({"model": "family-model"})),
        (
            "/gateway/api/chat",
            json!({"model": "family-model", "messages": [], "keep_alive": -1}),
        ),
        (
            "/gateway/api/generate",
            json!({"model": "family-model", "prompt": "", "keep_alive": 0}),
        ),
    ] {
        let reply = kitchen.post(path, &body).await;
        assert_eq!(reply.json(), loaded, "{path} {body}");
    }
    let model = json!({"model": "family-model@Leo"});
    both.post("/gateway/api/chat", &model).await.ok();

    let received = family.upstream.received().into_iter();
    let received = received.map(|it| (it.path.clone(), it.json()));
    let model = json!({"model": "family-model"});
    let expected = [
        ("/api/chat".to_owned(), model.clone()),
        (
            "/api/chat".to_owned(),
            with(model.clone(), "keep_alive", json!(-1)),
        ),
        (
            "/api/generate".to_owned(),
            with(model.clone(), "keep_alive", json!(0)),
        ),
        ("/api/chat".to_owned(), model),
    ];
    assert_eq!(received.collect::<Vec<_>>(), expected);
    assert_eq!(family.transcripts().await, [[""; 0]; 0]);
}

#[tokio::test]
async fn a_prompt_that_is_no_chat_is_not_passed_on() {
    let family = Family::with_ollama(Upstream::answering(speak).await).await;
    let body = json!({"model": "family-model", "prompt": "Hi"});

    let refused = family.kitchen.post("/gateway/api/generate", &body).await;

    assert!(refused.ollama_error(404).contains("use chat"));
    assert_eq!(family.upstream.count(), 0);
}

#[tokio::test]
async fn without_a_valid_key_nothing_is_answered_and_the_upstream_is_not_asked() {
    let family = Family::with_ollama(Upstream::answering(speak).await).await;
    let guardian = family.ada().await.credential().to_owned();
    let wrong = format!("{}x", family.kitchen.key);

    for key in ["", "sk-1", &wrong, &guardian] {
        let stranger = family.kitchen.with_key(key);
        let body = chat(&["> Hi"]);
        let refused = [
            stranger.chat(&body).await,
            stranger.chat(&streamed(&["> Hi"])).await,
            stranger.get("/gateway/v1/models").await,
            stranger.get("/gateway/v1/models/family-model").await,
            stranger.post("/gateway/v1/responses", &body).await,
        ];
        for reply in refused {
            assert_eq!(reply.openai_code(401), "invalid_api_key", "{key}");
            assert_eq!(reply.header("www-authenticate"), "Bearer");
        }
        let refused = [
            stranger.post("/gateway/api/chat", &body).await,
            stranger.post("/gateway/api/show", &body).await,
            stranger.get("/gateway/api/tags").await,
            stranger.get("/gateway/api/version").await,
        ];
        for reply in refused {
            reply.ollama_error(401);
        }
    }

    assert_eq!(family.upstream.count(), 0);
    assert_eq!(family.transcripts().await, [[""; 0]; 0]);
}

#[tokio::test]
async fn a_key_without_an_upstream_says_who_adds_one() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let bedroom = family
        .app
        .gateway_assistant("Bedroom", &[family.mia], "home")
        .await;
    let bedroom = family.kitchen.with_key(bedroom.credential());
    take_upstream(&family.app, "Bedroom").await;

    let refused = bedroom.chat(&chat(&["> Hi"])).await;

    assert_eq!(refused.openai_code(400), "no_upstream");
    assert!(refused.text().contains("porchlight upstream add"));
    let models = bedroom.get("/gateway/v1/models").await;
    assert_eq!(models.openai_code(400), "no_upstream");
    assert_eq!(family.upstream.count(), 0);
}

#[tokio::test]
async fn a_key_for_the_gateway_opens_nothing_else_and_the_other_way_round() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let plug_in = family.kitchen.with_key(family.plug_in().await.credential());
    let kitchen = &family.kitchen;
    let child = family.mia;

    let refused = [
        plug_in.chat(&chat(&["> Hi"])).await,
        plug_in.get("/gateway/v1/models").await,
    ];
    for refused in refused {
        assert_eq!(refused.openai_code(403), "wrong_key");
    }
    let delivery = json!({"child_id": child, "session_key": "s", "messages": []});
    for _ in 0..2 {
        let refused = [
            kitchen
                .get(&format!("/api/assistant/child/{child}/rules"))
                .await,
            kitchen
                .get(&format!("/api/assistant/child/{child}/blocked_topics"))
                .await,
            kitchen.post("/api/assistant/deliveries", &delivery).await,
        ];
        for refused in refused {
            assert_eq!(refused.status, 403, "{}", refused.text());
            assert!(
                refused.text().contains("for the gateway"),
                "{}",
                refused.text()
            );
        }
        // Without its upstream, it stays the gateway's.
        take_upstream(&family.app, KITCHEN).await;
    }
    assert_eq!(family.upstream.count(), 0);
    let given = ChooseUpstream {
        assistant: "Plug-in".to_owned(),
        upstream: Some("home".to_owned()),
        when_not_kept: StoreFailurePolicy::Closed,
    };
    let (refused, _) = family.app.run_admin(given).await;
    let sentence = refused.expect_err("it is refused").to_string();
    assert!(sentence.contains("isn't for the gateway"), "{sentence}");
    choose(&family.app, KITCHEN, "home", StoreFailurePolicy::Closed).await;
    kitchen.chat(&chat(&["> Hi"])).await.ok();
}

#[tokio::test]
async fn a_client_cannot_choose_the_upstreams_address() {
    let other = Upstream::answering(speak).await;
    let family = Family::new(Upstream::answering(speak).await).await;
    let url = other.url();
    let host = url.strip_prefix("http://").unwrap();
    let body = with(chat(&["> Hi"]), "base_url", json!(url));
    let body = with(body, "api_base", json!(url));
    let body = with(body, "upstream", json!(url));
    let body = with(body, "model", json!(format!("{url}/v1")));
    let headers = [
        ("x-forwarded-host", host),
        ("x-porchlight-upstream", &url),
        ("forwarded", &format!("host={host}")),
        ("x-original-url", &url),
    ];

    family.kitchen.chat_with(&headers, &body).await.ok();
    let path = format!("/gateway/v1/models/{}", url.replace('/', "%2F"));
    family.kitchen.get(&path).await;
    let path = format!("/gateway/v1/chat/completions?base_url={url}");
    let body = chat(&["> Hello"]).to_string();
    family.kitchen.send("POST", &path, &[], body).await.ok();

    assert_eq!(other.count(), 0);
    let paths = family.upstream.received().into_iter().map(|it| it.path);
    let chats = "/v1/chat/completions";
    assert_eq!(paths.collect::<Vec<_>>(), [chats, "/v1/models", chats]);
}

#[tokio::test]
async fn only_the_models_that_the_administrator_names_are_offered() {
    let family = Family::new(Upstream::answering(speak).await).await;
    let bedroom = family
        .app
        .gateway_assistant("Bedroom", &[family.mia], "home")
        .await;
    let bedroom = family.kitchen.with_key(bedroom.credential());
    let small = AddUpstream {
        name: "small".to_owned(),
        url: format!("{}/v1", family.upstream.url()).parse().unwrap(),
        key: None,
        models: vec!["x@large".to_owned()],
        form: UpstreamForm::OpenAi,
    };
    let (added, _) = family.app.run_admin(small).await;
    assert!(added.is_ok());
    choose(&family.app, "Bedroom", "small", StoreFailurePolicy::Closed).await;

    let list = bedroom.get("/gateway/v1/models").await.json();
    let refused = bedroom.chat(&chat(&["> Hi"])).await;
    let asked = with(chat(&["> Hi"]), "model", json!("x@large"));
    bedroom.chat(&asked).await.ok();

    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    assert_eq!(list["data"][0]["id"], "x@large");
    assert_eq!(refused.openai_code(404), "model_not_found");
    let received = family.upstream.received();
    assert_eq!(received.len(), 2, "the list, and the chat");
    assert_eq!(received[1].json()["model"], "x@large");
    assert_eq!(received[1].header("authorization"), "");
    assert_eq!(
        family.transcripts().await,
        [["> Hi", &format!("< {HELLO}")]]
    );
}

#[tokio::test]
async fn a_list_of_models_that_is_none_is_an_error_of_the_upstream() {
    for answer in [
        Answer::whole("text/html", "<html>Log in</html>"),
        Answer::whole("application/json", "{"),
        Answer::json(&json!({"models": []})),
        Answer::json(&json!({"data": []}))
            .claiming(100)
            .breaking_off(),
    ] {
        let family = Family::new(Upstream::always(answer).await).await;

        let refused = family.kitchen.get("/gateway/v1/models").await;

        assert_eq!(refused.openai_code(502), "upstream_invalid");
    }
}
