//! The gateway's own answer while talking is not allowed, in the form that was asked for.

use hyper::StatusCode;
use serde_json::json;

use super::error::Dialect;
use super::grouping::AnswerForm;
use super::response::{GatewayResponse, whole as response};
use crate::kernel::clock::Timestamp;

/// An answer with this text, as the model's.
pub fn answer(
    dialect: Dialect,
    form: AnswerForm,
    model: &str,
    text: &str,
    now: Timestamp,
) -> GatewayResponse {
    let seconds = now.micros().div_euclid(1_000_000);
    let id = "chatcmpl-porchlight";
    let whole = |object: &str, choice| {
        json!({
            "id": id,
            "object": object,
            "created": seconds,
            "model": model,
            "choices": [choice],
        })
    };
    let (content_type, body) = match (dialect, form) {
        (Dialect::Ollama, form) => {
            let message = |text: &str, done: bool| {
                let mut message = json!({
                    "model": model,
                    "created_at": now.to_string(),
                    "message": {"role": "assistant", "content": text},
                    "done": done,
                });
                if done {
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
            };
            match form {
                AnswerForm::Whole => ("application/json", message(text, true).to_string()),
                _ => (
                    "application/x-ndjson",
                    format!("{}\n{}\n", message(text, false), message("", true)),
                ),
            }
        }
        (Dialect::OpenAi, AnswerForm::Whole) => {
            let choice = json!({
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": null},
                "logprobs": null,
                "finish_reason": "stop",
            });
            let mut answer = whole("chat.completion", choice);
            answer["usage"] =
                json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0});
            ("application/json", answer.to_string())
        }
        (Dialect::OpenAi, _) => {
            let choice = |delta, finish| json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish});
            let none = None::<&str>;
            let first = choice(json!({"role": "assistant", "content": text}), none);
            let last = choice(json!({}), Some("stop"));
            let [first, last] = [first, last].map(|choice| whole("chat.completion.chunk", choice));
            (
                "text/event-stream",
                format!("data: {first}\n\ndata: {last}\n\ndata: [DONE]\n\n"),
            )
        }
    };
    response(StatusCode::OK, content_type, body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::grouping::AnswerReader;
    use crate::gateway::response::GatewayBody;

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
            let mut reader = AnswerReader::new(form);
            reader.push(&body);
            let read = reader.finish();

            assert_eq!(read.text, "Good \"night\", Mia!", "{dialect:?} {form:?}");
            assert_eq!(read.finish.as_deref(), Some("stop"));
            assert!(!read.has_error);
        }
    }
}
