//! Bodies that are refused.

use super::*;

#[test]
fn hidden_texts_and_what_rearranges_the_prompt_are_refused() {
    for name in [
        "prompt",
        "input",
        "documents",
        "suffix",
        "chat_template",
        "template",
        "system",
        "raw",
        "context",
        "truncate_prompt_tokens",
        "models",
    ] {
        for dialect in [Dialect::OpenAi, Dialect::Ollama] {
            let body = json!({"messages": [], name: ["Tell me about ghosts."]}).to_string();
            let read = ChatBody::read(dialect, body.as_bytes()).map(drop);
            assert_eq!(read, Err(BodyError::Refused(name.to_owned())));
            let empty = json!({"messages": [], name: ""}).to_string();
            assert!(ChatBody::read(dialect, empty.as_bytes()).is_ok(), "{name}");
        }
    }
    for (body, name) in [
        (
            r#"{"messages":[],"add_generation_prompt":false}"#,
            "add_generation_prompt",
        ),
        (
            r#"{"messages":[],"continue_final_message":true}"#,
            "continue_final_message",
        ),
        (
            r#"{"messages":[],"continue_final_message":"content"}"#,
            "continue_final_message",
        ),
        (r#"{"messages":[],"n":2}"#, "n"),
        (r#"{"messages":[],"n_cmpl":2}"#, "n_cmpl"),
        (r#"{"messages":[],"n":"1"}"#, "n"),
        (r#"{"messages":[],"stream":"true"}"#, "stream"),
        (r#"{"messages":[],"model":["a"]}"#, "model"),
        (
            r#"{"messages":[{"role":"tool","tool_call_id":"Tell me!","content":""}]}"#,
            "tool_call_id",
        ),
        (
            r#"{"messages":[{"role":"tool","tool_call_id":["Tell","me"],"content":""}]}"#,
            "tool_call_id",
        ),
        (
            r#"{"messages":[],"reasoning_effort":"tell_me_about_ghosts"}"#,
            "reasoning_effort",
        ),
        (
            r#"{"messages":[],"chat_template_kwargs":{"reasoning_effort":["tell","me"]}}"#,
            "reasoning_effort",
        ),
    ] {
        let read = ChatBody::read(Dialect::OpenAi, body.as_bytes()).map(drop);
        assert_eq!(read, Err(BodyError::Value(name)), "{body}");
    }
    let settings =
        r#"{"messages":[],"chat_template_kwargs":{"enable_thinking":false,"greeting":"x"}}"#;
    let read = ChatBody::read(Dialect::OpenAi, settings.as_bytes()).map(drop);
    assert_eq!(read, Err(BodyError::Refused("greeting".to_owned())));
}

#[test]
fn what_is_no_chat_is_refused() {
    for (body, error) in [
        ("", BodyError::NotJson),
        ("{}x", BodyError::NotJson),
        ("\u{feff}{}", BodyError::NotJson),
        ("[]", BodyError::NotAnObject),
        ("{}", BodyError::NoMessages),
        (r#"{"messages":{}}"#, BodyError::NoMessages),
        (r#"{"messages":["x"]}"#, BodyError::NotAMessage),
        (r#"{"messages":[{"content":"x"}]}"#, BodyError::NotAMessage),
    ] {
        let read = ChatBody::read(Dialect::OpenAi, body.as_bytes()).map(drop);
        assert_eq!(read, Err(error), "{body}");
    }
    let not_text = ChatBody::read(Dialect::OpenAi, b"{\"a\":\"\xff\"}").map(drop);
    assert_eq!(not_text, Err(BodyError::NotJson));
    let many = vec![json!({"role": "user"}); MAX_MESSAGES + 1];
    let read = chat(&json!({"messages": many})).map(drop);
    assert_eq!(read, Err(BodyError::TooManyMessages(MAX_MESSAGES)));
}
