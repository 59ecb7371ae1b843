//! Error messages for developers: `detail`, `code` and `at` are enough to find the mistake.

use std::net::SocketAddr;

use crate::support::test_app::{Response, TestApp};
use poem::http::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

/// Formats a row of the table: the request and the response.
fn row(request: &str, response: &Response) -> String {
    format!(
        "{request}\n    {} {}\n",
        response.status.as_u16(),
        response.body
    )
}

#[tokio::test]
async fn bad_requests_and_their_responses() {
    let app = TestApp::new().await;
    let ada = app.guardian("ada@example.org").await;
    let mia = app.child("Mia", &["ada@example.org"]).await;
    let robot = app.assistant("robot", &[mia]).await;
    robot.deliver("s", &json!({"child_id": mia})).await.ok();
    let long = "x".repeat(201);

    let request = [
        "/api/sessions",
        "/api/sessions?child_id=mia",
        "/api/sessions?child_id=404",
        "/api/sessions?child_id=1&limit=501",
        "/api/sessions?child_id=1&before=%25",
        "/api/child/1/activities/completed?before=last",
    ];
    let mut table = String::new();
    for path in request {
        table += &row(&format!("GET {path}"), &ada.get(path).await);
    }
    let deliveries = "/api/assistant/deliveries";
    let report = "/api/assistant/child/1/report";
    let upcoming = "/api/assistant/child/1/activities/upcoming";
    let (put, post) = (Method::PUT, Method::POST);
    let fields = |fields: &str| format!(r#"{{"session": "s", {fields}}}"#);
    let sent = [
        (&post, deliveries, String::new()),
        (&post, deliveries, r#"{"session": "s","#.into()),
        (&post, deliveries, r#"{"topic": "The moon"}"#.into()),
        (&post, deliveries, r#"{"session": "she said"}"#.into()),
        (&post, deliveries, fields(r#""child_id": "1""#)),
        (&post, deliveries, fields(r#""child_id": 404"#)),
        (&post, deliveries, fields(&format!(r#""topic": "{long}""#))),
        (&post, deliveries, fields(r#""start_time": "yesterday""#)),
        (&post, deliveries, fields(r#""idle_after": 0"#)),
        (&post, deliveries, "[1]".into()),
        (&post, deliveries, fields(r#""messages": {}"#)),
        (
            &post,
            deliveries,
            fields(&format!(
                r#""messages": [{}]"#,
                vec![r#"{"message_id":"m"}"#; 1001].join(",")
            )),
        ),
        (
            &post,
            deliveries,
            fields(r#""completion": {"duration": -1}"#),
        ),
        (
            &post,
            deliveries,
            fields(r#""completion": {"score": true}"#),
        ),
        (&put, report, "[]".into()),
        (
            &put,
            upcoming,
            r#"[{"activity_id":"a","topic":"A"},{"activity_id":"a","topic":"B"}]"#.into(),
        ),
    ];
    for (method, path, body) in sent {
        let shown = match body.len() {
            0 => "(no bytes)".to_owned(),
            1..=90 => body.clone(),
            bytes => format!("({bytes} bytes)"),
        };
        let response = robot.send(method.clone(), path, &[], Some(body)).await;
        table += &row(&format!("{method} {path} {shown}"), &response);
    }
    let own = "/api/child/1/blocked_topics";
    let own_bodies = [json!(["Spiders", "Ghosts", "the"]), json!(["Spiders", 7])];
    for body in own_bodies {
        table += &row(&format!("PUT {own} {body}"), &ada.put(own, &body).await);
    }
    let feedback = "/api/child/1/activities/upcoming/a/feedback";
    for body in [
        json!({"feedback": "sideways"}),
        json!({"feedback": {"up": null}}),
    ] {
        table += &row(
            &format!("PUT {feedback} {body}"),
            &ada.put(feedback, &body).await,
        );
    }
    let gzip = [("content-encoding", "gzip")];
    let zipped = ada.send(put, own, &gzip, Some("[]".into())).await;
    table += &row(&format!("PUT {own} [] content-encoding: gzip"), &zipped);
    let email = json!({"email": "ada"});
    let link = app.anonymous().post("/api/auth/link", &email).await;
    table += &row(&format!("POST /api/auth/link {email}"), &link);

    insta::assert_snapshot!(table, @r##"
    GET /api/sessions
        400 {"detail":"A parameter that is required is missing from the address.","code":"parameter_missing","at":"?child_id"}
    GET /api/sessions?child_id=mia
        400 {"detail":"A whole number such as 7 is expected here.","code":"parameter_invalid","at":"?child_id"}
    GET /api/sessions?child_id=404
        404 {"detail":"There is nothing here, or it is not yours to see.","code":"not_found","at":"?child_id"}
    GET /api/sessions?child_id=1&limit=501
        400 {"detail":"A whole number from 1 to 500 is expected here.","code":"parameter_invalid","at":"?limit"}
    GET /api/sessions?child_id=1&before=%25
        400 {"detail":"This page marker is not one that Porchlight gave out. Please start from the first page.","code":"parameter_invalid","at":"?before"}
    GET /api/child/1/activities/completed?before=last
        400 {"detail":"A whole number such as 7 is expected here.","code":"parameter_invalid","at":"?before"}
    POST /api/assistant/deliveries (no bytes)
        400 {"detail":"The request has no body.","code":"body_missing","at":""}
    POST /api/assistant/deliveries {"session": "s",
        400 {"detail":"The request's body is not valid JSON: it ends too early, in line 1 after column 16.","code":"body_incomplete","args":{"column":16,"line":1},"at":""}
    POST /api/assistant/deliveries {"topic": "The moon"}
        400 {"detail":"A field that is required is missing.","code":"body_invalid","at":"/session"}
    POST /api/assistant/deliveries {"session": "she said"}
        400 {"detail":"A session's name has 1 to 128 characters: letters A to Z, digits, dot, underscore, colon and hyphen.","code":"body_invalid","at":"/session"}
    POST /api/assistant/deliveries {"session": "s", "child_id": "1"}
        400 {"detail":"A value of another kind is expected here.","code":"body_invalid","at":"/child_id"}
    POST /api/assistant/deliveries {"session": "s", "child_id": 404}
        404 {"detail":"There is nothing here, or it is not yours to see.","code":"not_found","at":"/child_id"}
    POST /api/assistant/deliveries (230 bytes)
        400 {"detail":"A text in the request is longer than 200 characters.","code":"body_invalid","at":"/topic"}
    POST /api/assistant/deliveries {"session": "s", "start_time": "yesterday"}
        400 {"detail":"A time must look like 2026-11-21T16:05:00Z.","code":"body_invalid","at":"/start_time"}
    POST /api/assistant/deliveries {"session": "s", "idle_after": 0}
        400 {"detail":"A whole number from 1 to 86400 is expected here.","code":"body_invalid","at":"/idle_after"}
    POST /api/assistant/deliveries [1]
        400 {"detail":"An object is expected here.","code":"body_invalid","at":""}
    POST /api/assistant/deliveries {"session": "s", "messages": {}}
        400 {"detail":"A list is expected here.","code":"body_invalid","at":"/messages"}
    POST /api/assistant/deliveries (19050 bytes)
        400 {"detail":"A list in the request has more than 1000 entries.","code":"body_invalid","at":"/messages"}
    POST /api/assistant/deliveries {"session": "s", "completion": {"duration": -1}}
        400 {"detail":"A duration is a number of seconds, 0 or more.","code":"body_invalid","at":"/completion/duration"}
    POST /api/assistant/deliveries {"session": "s", "completion": {"score": true}}
        400 {"detail":"A score is a text or a number.","code":"body_invalid","at":"/completion/score"}
    PUT /api/assistant/child/1/report []
        400 {"detail":"A report is a JSON object.","code":"report_not_an_object","at":""}
    PUT /api/assistant/child/1/activities/upcoming [{"activity_id":"a","topic":"A"},{"activity_id":"a","topic":"B"}]
        422 {"detail":"Two of the proposed activities have the same id. Each needs one of its own.","code":"activity_id_repeated","at":"/1/activity_id"}
    PUT /api/child/1/blocked_topics ["Spiders","Ghosts","the"]
        422 {"detail":"\"the\" is too general.","code":"topic_too_general","args":{"topic":"the"},"at":"/2"}
    PUT /api/child/1/blocked_topics ["Spiders",7]
        400 {"detail":"A value of another kind is expected here.","code":"body_invalid","at":"/1"}
    PUT /api/child/1/activities/upcoming/a/feedback {"feedback":"sideways"}
        400 {"detail":"One of these is expected here: up, down.","code":"body_invalid","at":"/feedback"}
    PUT /api/child/1/activities/upcoming/a/feedback {"feedback":{"up":null}}
        400 {"detail":"A value of another kind is expected here.","code":"body_invalid","at":"/feedback"}
    PUT /api/child/1/blocked_topics [] content-encoding: gzip
        415 {"detail":"This address takes a body as it is: not compressed, without a Content-Encoding.","code":"body_encoded"}
    POST /api/auth/link {"email":"ada"}
        400 {"detail":"This does not look like an e-mail address. It should look like name@example.com.","code":"body_invalid","at":"/email"}
    "##);
}

#[tokio::test]
async fn the_error_for_a_wrong_credential_names_the_expected_kind() {
    let app = TestApp::new().await;
    let ada = app.guardian("ada@example.org").await;
    let mia = app.child("Mia", &["ada@example.org"]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let email = "ada@example.org".parse().unwrap();
    let link = app.inner.identity.links.link_for(&email).await.unwrap();
    let token = link.split("#token=").nth(1).unwrap();
    let refresh = format!("rfr_{}", &token["lnk_".len()..]);
    let mut expired = ada.credential().to_owned();
    expired.truncate(expired.len() - 4);
    let mut revoked = robot.credential().to_owned();
    revoked.replace_range(4..8, "AAAA");
    let pasted = [
        ("a parent's identity token", ada.credential()),
        ("an assistant's key", robot.credential()),
        ("a sign-in link", &link),
        ("a sign-in link's token", token),
        ("a refresh cookie", &refresh),
        ("an identity token that does not hold", &expired),
        ("an assistant's key that does not hold", &revoked),
        ("a password", "hunter2"),
        ("nothing", ""),
    ];
    let calls = [
        "/api/children".to_owned(),
        format!("/api/assistant/child/{mia}/blocked_topics"),
    ];

    let mut table = String::new();
    for path in &calls {
        for (name, credential) in pasted {
            let caller = match credential {
                "" => app.anonymous(),
                credential => app.bearer(credential),
            };
            let response = caller.get(path).await;
            let answered = if response.status.is_success() {
                "it is answered".to_owned()
            } else {
                response.problem(response.status.as_u16())
            };
            table += &format!(
                "{path}, {name}:\n    {} {answered}\n",
                response.status.as_u16()
            );
        }
    }

    insta::assert_snapshot!(table, @r##"
    /api/children, a parent's identity token:
        200 it is answered
    /api/children, an assistant's key:
        403 This call takes a parent's identity token, which `porchlight token EMAIL` prints, not an assistant's key.
    /api/children, a sign-in link:
        401 This call takes a parent's identity token, which `porchlight token EMAIL` prints, not a sign-in link.
    /api/children, a sign-in link's token:
        401 This call takes a parent's identity token, which `porchlight token EMAIL` prints, not a sign-in link.
    /api/children, a refresh cookie:
        401 This call takes a parent's identity token, which `porchlight token EMAIL` prints, not a cookie.
    /api/children, an identity token that does not hold:
        401 You are not signed in. Please sign in and try again.
    /api/children, an assistant's key that does not hold:
        401 This call takes a parent's identity token, which `porchlight token EMAIL` prints, not an assistant's key.
    /api/children, a password:
        401 This call takes a parent's identity token, which `porchlight token EMAIL` prints, not this text, which is no credential of Porchlight's.
    /api/children, nothing:
        401 You are not signed in. Please sign in and try again.
    /api/assistant/child/1/blocked_topics, a parent's identity token:
        403 This call takes an assistant's key, which `porchlight assistant add` prints, not a parent's identity token.
    /api/assistant/child/1/blocked_topics, an assistant's key:
        200 it is answered
    /api/assistant/child/1/blocked_topics, a sign-in link:
        401 This call takes an assistant's key, which `porchlight assistant add` prints, not a sign-in link.
    /api/assistant/child/1/blocked_topics, a sign-in link's token:
        401 This call takes an assistant's key, which `porchlight assistant add` prints, not a sign-in link.
    /api/assistant/child/1/blocked_topics, a refresh cookie:
        401 This call takes an assistant's key, which `porchlight assistant add` prints, not a cookie.
    /api/assistant/child/1/blocked_topics, an identity token that does not hold:
        401 This call takes an assistant's key, which `porchlight assistant add` prints, not a parent's identity token.
    /api/assistant/child/1/blocked_topics, an assistant's key that does not hold:
        401 This assistant's key does not hold, or not any more. `porchlight assistant rotate` prints a new one.
    /api/assistant/child/1/blocked_topics, a password:
        401 This call takes an assistant's key, which `porchlight assistant add` prints, not this text, which is no credential of Porchlight's.
    /api/assistant/child/1/blocked_topics, nothing:
        401 This call takes an assistant's key, which `porchlight assistant add` prints.
    "##);
}

/// Sends bytes. Returns the response up to the end of the connection.
async fn send_raw(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may respond and close before all of a long head is sent.
    let _ = stream.write_all(bytes).await;
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response).await;
    String::from_utf8(response).unwrap()
}

#[tokio::test]
async fn malformed_http_that_can_be_read_as_a_request_gets_the_same_error_format_and_headers() {
    let app = TestApp::new().await;
    let ending = CancellationToken::new();
    let address = app.serve(ending.clone()).await;
    let get = "GET /api/children HTTP/1.1\r\nhost: porchlight.example\r\nconnection: close\r\n";
    let post = "POST /api/auth/link HTTP/1.1\r\nhost: porchlight.example\r\nconnection: close\r\n\
                content-type: application/json\r\n";
    let cases = [
        (
            "a head of 20 kB",
            format!("{get}x: {}\r\n\r\n", "x".repeat(20_000)),
        ),
        (
            "no host",
            "GET /api/children HTTP/1.1\r\nconnection: close\r\n\r\n".to_owned(),
        ),
        (
            "a chunk without its length",
            format!("{post}transfer-encoding: chunked\r\n\r\nnonsense\r\n"),
        ),
    ];

    let mut table = String::new();
    for (name, request) in cases {
        let response = send_raw(address, request.as_bytes()).await;
        let (head, body) = response.split_once("\r\n\r\n").expect(&response);
        let status = head.split(' ').nth(1).unwrap();
        table += &format!("{name}\n    {status} {body}\n");
        for field in [
            "content-type: application/json",
            "x-content-type-options: nosniff",
            "cache-control: no-store",
            "connection: close",
            &format!("content-length: {}", body.len()),
        ] {
            assert_eq!(head.matches(field).count(), 1, "{name}, {field}: {head}");
        }
    }

    insta::assert_snapshot!(table, @r##"
    a head of 20 kB
        431 {"detail":"The request's address or headers are too long.","code":"head_too_large"}
    no host
        421 {"detail":"The request names no host, or more than one.","code":"no_host"}
    a chunk without its length
        400 {"detail":"The request's body did not arrive whole, or not in the form that its headers announce.","code":"body_broken"}
    "##);
    ending.cancel();
}
