//! Deliveries with text that isn't valid Unicode.

use crate::support::test_app::{Response, TestApp};
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";

/// A guardian, a child and its assistant.
struct House {
    app: TestApp,
    ada: String,
    robot: String,
}

impl House {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let ada = app.guardian(ADA).await.credential().to_owned();
        let mia = app.child("Mia", &[ADA]).await;
        let robot = app.assistant("Kitchen", &[mia]).await;
        let robot = robot.credential().to_owned();
        Self { app, ada, robot }
    }

    /// Delivers a body, which need not be valid.
    async fn deliver(&self, body: &[u8]) -> Response {
        self.app.bearer(&self.robot).deliver_bytes(body).await
    }

    async fn get(&self, path: &str) -> Value {
        self.app.bearer(&self.ada).get(path).await.json()
    }
}

#[tokio::test]
async fn invalid_unicode_in_text_is_repaired_and_reported() {
    let house = House::new().await;
    let words = b"na\xefve \\ud83d \\ud83d\\ude00";
    let delivery = [
        &b"{\"session\": \"s\", \"topic\": \"caf\xe9\", \"completion\": {\"topic\": \"\\udc00\"}, \"messages\": ["[..],
        b"{\"message_id\": \"a\", \"text_content\": \"fine\"},",
        b"{\"message_id\": \"b\", \"speaker\": \"Zo\xeb\", \"text_content\": \"",
        words,
        b"\"}]}",
    ];

    let answer = house.deliver(&delivery.concat()).await.json();

    assert_eq!(
        (&answer["stored"], &answer["rejected"]),
        (&json!(2), &json!([]))
    );
    assert_eq!(
        answer["repaired"],
        json!([
            "/topic",
            "/completion/topic",
            "/messages/1/text_content",
            "/messages/1/speaker"
        ])
    );
    let messages = house.get("/api/sessions/1/messages").await["messages"].take();
    assert_eq!(messages[0]["text_content"], "fine");
    assert_eq!(messages[1]["text_content"], "na\u{fffd}ve \u{fffd} 😀");
    assert_eq!(messages[1]["speaker"], "Zo\u{fffd}");
    let session = house.get("/api/sessions/1").await;
    assert_eq!(session["topic"], "\u{fffd}");

    // The same bytes result in the same text, so this is a repeat.
    let again = house.deliver(&delivery.concat()).await.json();
    assert_eq!(
        (&again["repeated"], &again["conflicting"]),
        (&json!(2), &json!([]))
    );
}

#[tokio::test]
async fn invalid_unicode_elsewhere_rejects_only_its_message_or_receipt() {
    let house = House::new().await;
    let delivery = [
        &b"{\"session\": \"s\", \"rules\": [{\"version\": \"\xff\", \"evidence\": \"fetched\"}], \"messages\": ["[..],
        b"{\"message_id\": \"a\", \"text_content\": \"fine\"},",
        b"{\"message_id\": \"b\xff\", \"text_content\": \"one\"},",
        b"{\"message_id\": \"c\", \"source\": \"ch\xefld\", \"text_content\": \"two \xff\"},",
        b"{\"message_id\": \"d\", \"\xff\": 1},",
        b"{\"message_id\": \"e\", \"source\": \"\\ud800\"},",
        b"{\"message_id\": \"f\", \"newer\": \"\xff\"}]}",
    ];

    let answer = house.deliver(&delivery.concat()).await.json();

    assert_eq!(
        (&answer["stored"], &answer["repaired"]),
        (&json!(2), &json!([]))
    );
    let rejected = answer["rejected"].as_array().unwrap();
    let places = rejected.iter().map(|one| {
        assert_eq!(
            one["detail"],
            "This text is not valid Unicode, or this number is too large."
        );
        (&one["message_id"], one["at"].as_str().unwrap())
    });
    assert_eq!(
        places.collect::<Vec<_>>(),
        [
            (&Value::Null, "/messages/1/message_id"),
            (&json!("c"), "/messages/2/source"),
            (&Value::Null, "/messages/3"),
            (&json!("e"), "/messages/4/source"),
            (&Value::Null, "/rules/0/version"),
        ]
    );
}

#[tokio::test]
async fn invalid_json_or_invalid_unicode_in_other_fields_rejects_the_whole_body() {
    let house = House::new().await;

    for body in [
        &b"{\"session\": \"s\", \"messages\": [\xff]}"[..],
        b"{\"session\": \"s\", \"topic\": \"\\\xff\"}",
        b"{\"session\": \"s\", \"topic\": \"\xff\n\"}",
        b"{\"session\": \"s\", \"device\": \"\xff\"}",
    ] {
        let answer = house.deliver(body).await;
        assert_eq!(answer.status, 400, "{}", String::from_utf8_lossy(body));
    }
}
