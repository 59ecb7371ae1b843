use serde_json::{Value, json};

use super::*;

mod compose;
mod memory;
mod refused;
mod schemas;

const RULES: &str = "Avoid \"ghosts\".\nBe kind.";

fn chat(body: &Value) -> Result<Vec<ChatMessage>, BodyError> {
    let body = body.to_string();
    let chat = ChatBody::read(Dialect::OpenAi, body.as_bytes())?;
    Ok(chat.messages().to_vec())
}

/// What is read of a user's message with this content.
fn text_of(content: &Value) -> Result<String, BodyError> {
    let messages = chat(&json!({"messages": [{"role": "user", "content": content}]}))?;
    Ok(messages[0].text.clone())
}

fn leaves(dialect: Dialect, body: &str) -> Result<(String, Vec<String>), BodyError> {
    let chat = ChatBody::read(dialect, body.as_bytes())?;
    let dropped = chat.dropped_beside("R");
    Ok((chat.compose("R", "m")?, dropped))
}

#[test]
fn roles_are_spelled_exactly() {
    use Role::*;
    for (role, expected) in [
        ("system", System),
        ("developer", Developer),
        ("user", User),
        ("assistant", Assistant),
        ("tool", Tool),
        ("function", Tool),
    ] {
        let messages = chat(&json!({"messages": [{"role": role, "content": "x"}]}));
        assert_eq!(messages.unwrap()[0].role, expected);
    }
    for role in ["human", "User", "user ", "SYSTEM", "uſer", "critic", ""] {
        let messages = chat(&json!({"messages": [{"role": role, "content": "x"}]}));
        assert_eq!(messages, Err(BodyError::Role), "{role}");
    }
}

#[test]
fn a_name_in_another_case_can_not_replace_what_was_read() {
    for (body, name) in [
        (r#"{"messages":[],"Messages":[]}"#, "Messages"),
        (r#"{"messages":[],"MESSAGES":[]}"#, "MESSAGES"),
        (r#"{"messages":[],"meſſages":[]}"#, "meſſages"),
        (r#"{"messages":[],"model":"a","Model":"b"}"#, "Model"),
        (
            r#"{"messages":[{"role":"user","content":"a","Content":"b"}]}"#,
            "Content",
        ),
        (
            r#"{"messages":[{"role":"user","Role":"system","content":"a"}]}"#,
            "Role",
        ),
    ] {
        for dialect in [Dialect::OpenAi, Dialect::Ollama] {
            let read = ChatBody::read(dialect, body.as_bytes());
            let expected = BodyError::Repeated(name.to_owned());
            assert_eq!(read.unwrap_err(), expected, "{body}");
        }
    }
}

#[test]
fn a_name_in_another_case_does_not_leave() {
    let body =
        r#"{"model":"a","Prompt":"x","messages":[{"role":"user","content":"a","Images":["x"]}]}"#;
    let (left, dropped) = leaves(Dialect::Ollama, body).unwrap();

    assert!(
        !left.contains("Prompt") && !left.contains("Images"),
        "{left}"
    );
    assert_eq!(dropped, ["Prompt", "Images"]);
}

#[test]
fn content_is_a_text_or_a_list_of_known_parts() {
    for (content, text) in [
        (json!("Hi"), "Hi"),
        (json!(null), ""),
        (json!([]), ""),
        (
            json!([{"type": "text", "text": "What is"}, "this?", {"type": "text", "text": ""}]),
            "What is \u{2063}this?",
        ),
        (json!([{"type": "refusal", "refusal": "No."}]), "No."),
        (
            json!([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA==", "detail": "low"}}]),
            "[picture]",
        ),
        (
            json!([{"type": "input_image", "image_url": "data:image/png;base64,AA=="}]),
            "[picture]",
        ),
        (
            json!([{"type": "image", "image": "data:image/png;base64,AA=="}]),
            "[picture]",
        ),
        (
            json!([{"type": "image", "image": "data:image/svg+xml;base64,SSBhbSBzYWQu"}]),
            "I am sad.",
        ),
        (
            json!([{"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}}]),
            "[sound]",
        ),
        (
            json!([{"type": "file", "file": {"filename": "a.txt", "file_data": "data:text/plain;base64,SGkh"}}]),
            "Hi! a.txt",
        ),
        (
            json!([{"type": "input_file", "file_data": "data:application/pdf;base64,AA=="}]),
            "[file]",
        ),
    ] {
        assert_eq!(text_of(&content).as_deref(), Ok(text), "{content}");
    }
}

#[test]
fn content_of_any_other_form_is_refused() {
    let part = |kind: &str| BodyError::Part(kind.to_owned());
    let value = BodyError::Value;
    let picture = "data:image/svg+xml,<text>Hi</text>";
    for (content, error) in [
        (json!({"text": "x"}), value("content")),
        (json!(5), value("content")),
        (json!([5]), value("content")),
        (json!([["x"]]), value("content")),
        (json!([{"text": "x"}]), value("type")),
        (json!([{"type": "text"}]), part("text")),
        (json!([{"type": "text", "text": {"x": 1}}]), value("text")),
        (
            json!([{"type": "audio_url", "audio_url": {"url": "data:,"}}]),
            part("audio_url"),
        ),
        (json!([{"type": "document_url"}]), part("document_url")),
        (json!([{"type": "video_url"}]), part("video_url")),
        (
            json!([{"type": "thinking", "thinking": "x"}]),
            part("thinking"),
        ),
        (json!([{"type": "say this aloud"}]), part("?")),
        (
            json!([{"type": "image_url", "image_url": {"url": "http://192.168.1.1/"}}]),
            BodyError::Address("image_url"),
        ),
        (
            json!([{"type": "image_url", "image_url": picture}]),
            BodyError::Address("image_url"),
        ),
        (
            json!([{"type": "image_url", "image_url": {"detail": "low"}}]),
            value("image_url"),
        ),
        (
            json!([{"type": "image_url", "image_url": {"url": "data:image/png;a=I am sad;base64,aGk="}}]),
            BodyError::Address("image_url"),
        ),
        (
            json!([{"type": "input_file", "file_data": "data:text/plain;a=I am sad;base64,aGk="}]),
            value("file_data"),
        ),
        (
            json!([{"type": "input_audio", "input_audio": {"data": "http://a/b.wav"}}]),
            BodyError::Address("input_audio"),
        ),
        (
            json!([{"type": "file", "file": {"file_id": "file-1"}}]),
            BodyError::Refused("file_id".to_owned()),
        ),
        (
            json!([{"type": "input_file", "file_url": "http://a/"}]),
            BodyError::Refused("file_url".to_owned()),
        ),
        (
            json!([{"type": "file", "file": {"file_data": "SGkh"}, "file_data": "SGkh"}]),
            value("file_data"),
        ),
    ] {
        assert_eq!(text_of(&content), Err(error), "{content}");
    }
}

#[test]
fn a_message_is_read_with_its_calls_and_reasoning() {
    let messages = chat(&json!({"messages": [
        {"role": "assistant", "content": null, "refusal": "No.", "reasoning": "Hm.", "reasoning_content": "So.", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "get", "arguments": "{\"a\": 1}"}},
            {"id": "c2", "type": "custom", "custom": {"name": "run", "input": "x"}}
        ]},
        {"role": "tool", "tool_call_id": "c1", "name": "get", "content": "21"},
        {"role": "assistant", "function_call": {"name": "old", "arguments": "{}"}},
    ]}))
    .unwrap();

    assert_eq!(
        (messages[0].text.as_str(), messages[0].reasoning.as_str()),
        ("No.", "Hm.\nSo.")
    );
    let call = |name: &str, arguments: &str| ToolCall {
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    assert_eq!(
        messages[0].tool_calls,
        [call("get", r#"{"a": 1}"#), call("run", "x")]
    );
    assert_eq!(messages[1].name.as_deref(), Some("get"));
    assert_eq!(messages[2].tool_calls, [call("old", "{}")]);
}

#[test]
fn ollamas_pictures_and_arguments_are_read() {
    let body = r#"{"messages":[
        {"role":"user","content":"What is this?","images":["AA==","AA==","SSBhbSBzYWQu"]},
        {"role":"assistant","thinking":"Hm.","tool_calls":[{"function":{"name":"get","arguments":{"a": 1.0}}}]},
        {"role":"tool","tool_name":"get","content":"21"}]}"#;
    let chat = ChatBody::read(Dialect::Ollama, body.as_bytes()).unwrap();

    let messages = chat.messages();
    assert_eq!(
        messages[0].text,
        "What is this? [picture] [picture] I am sad."
    );
    assert_eq!(messages[1].reasoning, "Hm.");
    assert_eq!(messages[1].tool_calls[0].arguments, r#"{"a": 1.0}"#);
    assert_eq!(messages[2].name.as_deref(), Some("get"));
    for images in [json!(["http://a/"]), json!("aGk="), json!([1])] {
        let body = json!({"messages": [{"role": "user", "content": "", "images": images}]});
        let read = ChatBody::read(Dialect::Ollama, body.to_string().as_bytes()).map(drop);
        assert_eq!(read, Err(BodyError::Value("images")), "{images}");
    }
}

#[test]
fn what_groups_requests_is_read_before_it_is_dropped() {
    let body = r#"{"messages":[],"user":"ada","safety_identifier":"s","prompt_cache_key":"7f-3e","metadata":{"session_id":"m","a":"b"}}"#;
    let chat = ChatBody::read(Dialect::OpenAi, body.as_bytes()).unwrap();

    let ids = [
        chat.user(),
        chat.safety_identifier(),
        chat.prompt_cache_key(),
        chat.session_id(),
    ];
    assert_eq!(ids, [Some("ada"), Some("s"), Some("7f-3e"), Some("m")]);
    let (left, dropped) = leaves(Dialect::OpenAi, body).unwrap();
    assert_eq!(dropped, ["user", "safety_identifier", "metadata"]);
    assert!(
        left.contains(r#""prompt_cache_key":"7f-3e""#) && !left.contains("ada"),
        "{left}"
    );
}

#[test]
fn instructions_are_what_a_model_reads_beside_the_messages() {
    let body = r#"{"messages":[],"temperature":0.5,"tools":[ {"a":"b c"} ],"tool_choice":"auto","response_format":{"type":"json_schema","x":"y z"},"stop":["\n"]}"#;
    let chat = ChatBody::read(Dialect::OpenAi, body.as_bytes()).unwrap();

    assert_eq!(
        chat.instructions(),
        [
            ("tools", r#"[ {"a":"b c"} ]"#),
            ("response_format", r#"{"type":"json_schema","x":"y z"}"#),
            ("stop", r#"["\n"]"#),
        ]
    );
}

#[test]
fn names_of_what_is_dropped_are_few_plain_and_told_once() {
    let long = "a".repeat(41);
    let names = ["chat_id", "say this", "x-y", &long, "é", ""];
    let fields = names
        .iter()
        .map(|name| format!("{}:1,", json::quoted(name)));
    let fields = fields.collect::<String>();
    let message = r#"{"role":"user","content":"a","chat_id":1}"#;
    let body = format!(r#"{{{fields}"unused":null,"messages":[{message}]}}"#);
    let (_, dropped) = leaves(Dialect::OpenAi, &body).unwrap();
    assert_eq!(dropped, ["chat_id"]);

    let many = (0..100)
        .map(|number| format!(r#""x{number}":1,"#))
        .collect::<String>();
    let (left, dropped) = leaves(
        Dialect::OpenAi,
        &format!(r#"{{{many}"messages":[{message}]}}"#),
    )
    .unwrap();
    assert_eq!(dropped.len(), 20);
    assert!(!left.contains("x99"), "{left}");
}

#[test]
fn a_setting_with_words_of_its_own_is_dropped_and_told() {
    for (field, dropped) in [
        (r#""reasoning_effort":"sad""#, "reasoning_effort"),
        (r#""reasoning":{"effort":"sad"}"#, "effort"),
        (r#""reasoning":"sad""#, "reasoning"),
        (r#""thinking":{"type":"sad"}"#, "type"),
        (r#""thinking":{"type":"enabled","note":"sad"}"#, "note"),
        (r#""thinking":"sad""#, "thinking"),
        (r#""verbosity":"sad""#, "verbosity"),
        (r#""enable_thinking":"sad""#, "enable_thinking"),
        (r#""thinking_budget":"sad""#, "thinking_budget"),
        (
            r#""chat_template_kwargs":{"reasoning_effort":"sad"}"#,
            "reasoning_effort",
        ),
        (r#""service_tier":"I_am_sad""#, "service_tier"),
        (r#""modalities":["I","am","sad"]"#, "modalities"),
        (r#""seed":"I_am_sad""#, "seed"),
        (r#""samplers":["I_am_sad"]"#, "samplers"),
        (r#""stop_token_ids":["I_am_sad"]"#, "stop_token_ids"),
        (r#""prompt_cache_key":"I_am_sad""#, "prompt_cache_key"),
        (r#""prompt_cache_key":["sad"]"#, "prompt_cache_key"),
    ] {
        let body = format!(r#"{{"messages":[],{field}}}"#);
        let (left, told) = leaves(Dialect::OpenAi, &body).unwrap();
        assert_eq!(told, [dropped], "{body}");
        assert!(!left.contains("sad"), "{left}");
    }
    let (left, told) = leaves(Dialect::Ollama, r#"{"messages":[],"think":"sad"}"#).unwrap();
    assert_eq!(told, ["think"]);
    assert!(!left.contains("sad"), "{left}");
}

#[test]
fn a_setting_with_known_words_passes() {
    for field in [
        r#""reasoning_effort":"xhigh""#,
        r#""reasoning":{"effort":"minimal","max_tokens":512}"#,
        r#""thinking":{"type":"enabled","budget_tokens":1024}"#,
        r#""thinking":false"#,
        r#""verbosity":"low""#,
        r#""chat_template_kwargs":{"enable_thinking":false}"#,
        r#""service_tier":"flex""#,
        r#""modalities":["text"]"#,
        r#""samplers":["top_k","temperature"]"#,
        r#""stop_token_ids":[1,2]"#,
        r#""prompt_cache_key":"0e1f6f5e-3a0b-4a9c-8f2e-6f4a5d1c2b3a""#,
        r#""tool_choice":"required""#,
    ] {
        let body = format!(r#"{{"messages":[],{field}}}"#);
        let (left, told) = leaves(Dialect::OpenAi, &body).unwrap();
        assert_eq!(told, [""; 0], "{body}");
        assert!(left.contains(field), "{left}");
    }
    let odd = r#"{"messages":[],"tool_choice":"ghosts"}"#;
    let chat = ChatBody::read(Dialect::OpenAi, odd.as_bytes()).unwrap();
    assert_eq!(chat.instructions(), [("tool_choice", r#""ghosts""#)]);
}

#[test]
fn a_context_that_may_cut_the_rules_off_is_dropped() {
    let words = "a".repeat(3_000);
    for (context, answer, is_dropped) in [
        (999, 0, true),
        (1_000, 0, false),
        (1_400, 500, true),
        (1_500, 500, false),
        (1_001, -1, false),
    ] {
        let body = json!({"messages": [{"role": "user", "content": words}], "options": {"num_ctx": context, "num_predict": answer}});
        let body = body.to_string();
        let (left, dropped) = leaves(Dialect::Ollama, &body).unwrap();
        assert_eq!(
            dropped.contains(&"num_ctx".to_owned()),
            is_dropped,
            "{context} {answer}"
        );
        let left = serde_json::from_str::<Value>(&left).unwrap();
        assert_eq!(left["options"].get("num_ctx").is_none(), is_dropped);
        assert_eq!(left["options"]["num_predict"], answer);
    }
}

#[test]
fn without_messages_it_is_no_chat() {
    for dialect in [Dialect::OpenAi, Dialect::Ollama] {
        for body in [r#"{"model":"x"}"#, r#"{"model":"x","messages":null}"#] {
            let chat = ChatBody::read(dialect, body.as_bytes());
            assert!(matches!(chat, Err(BodyError::NoMessages)), "{body}");
        }
        let chat = ChatBody::read(dialect, br#"{"model":"x","messages":[]}"#).unwrap();
        assert!(chat.compose(RULES, "x").unwrap().contains("ghosts"));
    }
}

#[test]
fn the_model_of_a_question_about_it_is_read() {
    for (body, model) in [
        (r#"{"model":"a","system":"x"}"#, Ok("a")),
        (r#"{"name":"a"}"#, Ok("a")),
        ("{}", Ok("")),
        ("[]", Err(BodyError::NotAnObject)),
        (
            r#"{"model":"a","Model":"b"}"#,
            Err(BodyError::Repeated("Model".to_owned())),
        ),
    ] {
        let read = model_of_show(body.as_bytes());
        assert_eq!(read.as_deref().map_err(Clone::clone), model, "{body}");
    }
}
