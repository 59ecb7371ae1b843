use super::*;

fn composed(body: &Value) -> Value {
    let body = body.to_string();
    let chat = ChatBody::read(Dialect::OpenAi, body.as_bytes()).unwrap();
    serde_json::from_str(&chat.compose(RULES, "m").unwrap()).unwrap()
}

#[test]
fn the_rules_end_the_first_system_message() {
    let (text, both) = ("You are Bo.", format!("You are Bo.\n\n{RULES}"));
    let part = json!({"type": "text", "text": RULES});
    let own = json!({"type": "text", "text": text});
    for (content, expected) in [
        (json!(text), json!(both)),
        (json!(""), json!(RULES)),
        (json!(null), json!(RULES)),
        (json!([own]), json!([own, part])),
        (json!([]), json!([part])),
    ] {
        let body = |content: &Value| {
            json!({"messages": [
                {"role": "developer", "content": "first"},
                {"role": "user", "content": "hi"},
                {"role": "system", "content": content},
                {"role": "system", "content": "second"},
            ]})
        };
        assert_eq!(composed(&body(&content)), body(&expected), "{content}");
    }
    let bare = json!({"messages": [{"x": 1, "role": "system"}]});
    assert_eq!(
        composed(&bare)["messages"][0],
        json!({"role": "system", "content": RULES})
    );
}

#[test]
fn without_a_system_message_one_is_put_first() {
    let system = json!({"role": "system", "content": RULES});
    for first in ["user", "developer"] {
        let message = json!({"role": first, "content": "hi"});
        let left = composed(&json!({"messages": [message]}));
        assert_eq!(left["messages"], json!([system, message]));
    }
    assert_eq!(
        composed(&json!({"messages": []}))["messages"],
        json!([system])
    );
}

#[test]
fn all_bytes_of_what_passes_stay() {
    let before = "{ \"seed\":1.0e5 , \"model\" : \"m@Mia\",\"stop\":\"\\u00e4\\/\",\"m\\u0065ssages\"\n: [{\"role\":\"system\",\"content\":\"Hi";
    let after = "\"}, {\"role\":\"user\",\"content\":\"\\ud83d\\udc1f\"}] ,\"top_k\":123456789012345678901234567890 }";
    let body = format!("{before}{after}");

    let chat = ChatBody::read(Dialect::OpenAi, body.as_bytes()).unwrap();

    assert_eq!((chat.model(), chat.stream()), ("m@Mia", None));
    let expected = format!("{}\\n\\nR{after}", before.replace("m@Mia", "m"));
    assert_eq!(chat.compose("R", "m").unwrap(), expected);
}

#[test]
fn what_is_dropped_leaves_no_trace() {
    for (body, left) in [
        (
            r#"{"x":1,"seed":2,"messages":[]}"#,
            r#"{"seed":2,"messages":[]}"#,
        ),
        (
            r#"{"seed":2,"x":1,"messages":[]}"#,
            r#"{"seed":2,"messages":[]}"#,
        ),
        (
            r#"{"seed":2,"messages":[],"x":1}"#,
            r#"{"seed":2,"messages":[]}"#,
        ),
        (
            r#"{ "x":1 , "y":[{}] , "messages":[] , "z":{} }"#,
            r#"{ "messages":[] }"#,
        ),
        (
            r#"{"messages":[],"store":true}"#,
            r#"{"messages":[],"store":false}"#,
        ),
        (
            r#"{"store":true,"messages":[]}"#,
            r#"{"store":false,"messages":[]}"#,
        ),
        (
            r#"{"x":1,"store":true,"messages":[]}"#,
            r#"{"store":false,"messages":[]}"#,
        ),
        (
            r#"{"messages":[],"stream_options":{"x":1}}"#,
            r#"{"messages":[],"stream_options":{}}"#,
        ),
        (
            r#"{"x":[{"a":1}],"messages":[{"chat":5,"role":"user","content":[{"y":1,"type":"text","text":"a"}]}]}"#,
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}"#,
        ),
    ] {
        let rules = r#"{"role":"system","content":"R"}"#;
        let comma = if left.contains("user") { "," } else { "" };
        let left = left.replace(r#""messages":["#, &format!(r#""messages":[{rules}{comma}"#));
        let chat = ChatBody::read(Dialect::OpenAi, body.as_bytes()).unwrap();
        let composed = chat.compose("R", "m").unwrap();
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(value(&composed), value(&left), "{body} {composed}");
    }
}

#[test]
fn half_a_character_leaves_as_it_is_read() {
    let body = r#"{"messages":[{"role":"user","content":"a\ud83d b\u0000"}]}"#;
    let chat = ChatBody::read(Dialect::OpenAi, body.as_bytes()).unwrap();

    assert_eq!(chat.messages()[0].text, "a\u{fffd} b\u{fffd}");
    assert!(chat.compose("R", "m").unwrap().contains(r"a\ufffd b\ufffd"));
}

#[test]
fn arguments_leave_as_they_were_sent() {
    let call = r#"{"id":"c","type":"function","function":{"name":"get","arguments":"{\"b\" : 1.0, \"a\":\"\\ud83d\"}"}}"#;
    let body = format!(r#"{{"messages":[{{"role":"assistant","tool_calls":[{call}]}}]}}"#);
    let chat = ChatBody::read(Dialect::OpenAi, body.as_bytes()).unwrap();

    assert!(chat.compose("R", "m").unwrap().contains(call));
}
