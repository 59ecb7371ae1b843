//! Where Ollama's `/api/chat` differs from `/chat/completions`.

use serde_json::Value;

use super::background::AnswerOptions;

pub fn options(body: &Value) -> AnswerOptions {
    let format = &body["format"];
    let is_structured = match format {
        Value::String(name) => !name.is_empty(),
        other => other.is_object(),
    };
    AnswerOptions {
        max_tokens: body["options"]["num_predict"].as_u64(),
        is_structured,
    }
}

/// Adds the pictures of a message, which are in a field beside its text.
pub fn add_pictures(text: &mut String, message: &Value) {
    let pictures = message["images"].as_array();
    for _ in pictures.into_iter().flatten().take(MAX_PICTURES) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str("[picture]");
    }
}

/// The maximum number of pictures shown for one message.
const MAX_PICTURES: usize = 16;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::request::{Request, RequestHeaders};
    use super::*;

    #[test]
    fn pictures_stand_behind_the_text() {
        let body = json!({"messages": [
            {"role": "user", "content": "What is this?", "images": ["aGk=", "aGk="]},
            {"role": "user", "content": "", "images": ["aGk="]}
        ]});
        let request =
            Request::from_ollama_chat(body.to_string().as_bytes(), &RequestHeaders::default());

        let history = request.unwrap().history;
        let texts = history.iter().map(|item| item.text.as_str());
        assert_eq!(
            texts.collect::<Vec<_>>(),
            ["What is this? [picture] [picture]", "[picture]"]
        );
    }

    #[test]
    fn a_format_demands_structured_output() {
        for (format, expected) in [
            (json!("json"), true),
            (json!({"type": "object"}), true),
            (json!(""), false),
            (json!(null), false),
        ] {
            let options = options(&json!({"format": format, "options": {"num_predict": 5}}));
            assert_eq!(options.is_structured, expected);
            assert_eq!(options.max_tokens, Some(5));
        }
        let unlimited = options(&json!({"options": {"num_predict": -1}}));
        assert_eq!(unlimited.max_tokens, None);
    }
}
