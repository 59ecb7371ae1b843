//! The gateway's own answer while talking is not allowed, in the form that was asked for.

use hyper::StatusCode;
use serde_json::{Value, json};

use super::answer::AnswerForm;
use super::dialect::Dialect;
use super::response::{GatewayResponse, whole as response};
use crate::kernel::host::clock::Timestamp;

/// An answer with this text, as the model's.
pub fn answer(
    dialect: Dialect,
    form: AnswerForm,
    model: &str,
    text: &str,
    now: Timestamp,
) -> GatewayResponse {
    let content_type = match form {
        AnswerForm::Events => "text/event-stream",
        AnswerForm::Lines => "application/x-ndjson",
        AnswerForm::Whole => "application/json",
    };
    let body = body(dialect, form, model, text, now);
    response(StatusCode::OK, content_type, body)
}

/// The body of an answer with this text.
pub fn body(dialect: Dialect, form: AnswerForm, model: &str, text: &str, now: Timestamp) -> String {
    match (dialect, end(dialect, form, model, now)) {
        (Dialect::Ollama, Some(end)) => piece(form, &ollama(model, text, false, now)) + &end,
        (Dialect::Ollama, None) => ollama(model, text, true, now).to_string(),
        (Dialect::OpenAi, Some(end)) => {
            let delta = json!({"role": "assistant", "content": text});
            piece(form, &chunk(model, &delta, None, now)) + &end
        }
        (Dialect::OpenAi, None) => {
            let choice = json!({
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": null},
                "logprobs": null,
                "finish_reason": "stop",
            });
            let mut whole = openai("chat.completion", model, &choice, now);
            whole["usage"] = json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0});
            whole.to_string()
        }
    }
}

/// The end of a stream of which something was sent already; `None` if the answer is no stream.
pub fn end(dialect: Dialect, form: AnswerForm, model: &str, now: Timestamp) -> Option<String> {
    let last = match dialect {
        Dialect::Ollama => ollama(model, "", true, now),
        Dialect::OpenAi => chunk(model, &json!({}), Some("stop"), now),
    };
    match form {
        AnswerForm::Events => Some(piece(form, &last) + "data: [DONE]\n\n"),
        AnswerForm::Lines => Some(piece(form, &last)),
        AnswerForm::Whole => None,
    }
}

fn piece(form: AnswerForm, value: &Value) -> String {
    match form {
        AnswerForm::Events => format!("data: {value}\n\n"),
        AnswerForm::Lines | AnswerForm::Whole => format!("{value}\n"),
    }
}

fn openai(object: &str, model: &str, choice: &Value, now: Timestamp) -> Value {
    json!({
        "id": "chatcmpl-porchlight",
        "object": object,
        "created": now.micros().div_euclid(1_000_000),
        "model": model,
        "choices": [choice],
    })
}

fn chunk(model: &str, delta: &Value, finish: Option<&str>, now: Timestamp) -> Value {
    let choice = json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish});
    openai("chat.completion.chunk", model, &choice, now)
}

fn ollama(model: &str, text: &str, is_done: bool, now: Timestamp) -> Value {
    let mut message = json!({
        "model": model,
        "created_at": now.to_string(),
        "message": {"role": "assistant", "content": text},
        "done": is_done,
    });
    if is_done {
        message["done_reason"] = "stop".into();
        for count in [
            "total_duration",
            "load_duration",
            "prompt_eval_count",
            "prompt_eval_duration",
            "eval_count",
            "eval_duration",
        ] {
            message[count] = 0.into();
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistants::gateway::answer::AnswerReader;
    use crate::assistants::gateway::response::GatewayBody;

    #[test]
    fn each_form_is_read_as_a_whole_answer() {
        let now = Timestamp::parse("2026-11-21T20:00:00Z").unwrap();
        for (dialect, form) in [
            (Dialect::OpenAi, AnswerForm::Whole),
            (Dialect::OpenAi, AnswerForm::Events),
            (Dialect::Ollama, AnswerForm::Whole),
            (Dialect::Ollama, AnswerForm::Lines),
        ] {
            let response = answer(dialect, form, "m", "Good \"night\", Mia!", now);
            let GatewayBody::Whole(body) = response.into_body() else {
                panic!("the goodbye is no stream");
            };
            let mut reader = AnswerReader::new();
            reader.push(&body);
            let read = reader.finish();

            assert_eq!(read.text, "Good \"night\", Mia!", "{dialect:?} {form:?}");
            assert_eq!(read.finish.as_deref(), Some("stop"));
            assert!(!read.has_error);
        }
    }
}
