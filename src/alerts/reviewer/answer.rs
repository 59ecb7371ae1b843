//! Reads a model's answer. Anything but the schema is no answer.

use serde::Deserialize;

use crate::alerts::{Concern, Severity};

/// The largest response that is read, in bytes. Twenty findings with long quotes have a tenth of it.
pub const LARGEST: usize = 256 * 1024;

/// What a model says about a message. Nothing of it is true yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawFinding {
    pub concern: Concern,
    /// The id in the request.
    pub message_id: String,
    pub quote: String,
    pub severity: Severity,
}

/// Why a response contains no answer. It quotes nothing of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAnAnswer {
    #[error("The model's server did not answer in the form of chat completions.")]
    NotACompletion,
    #[error("The model refused to answer.")]
    Refused,
    #[error("The model's answer was cut off.")]
    CutOff,
    #[error("The model's answer does not follow the schema. Not every model can.")]
    OtherSchema,
    #[error("The model's answer is too large.")]
    TooLarge,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    total_tokens: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Findings {
    findings: Vec<RawFinding>,
}

/// An answer by the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub findings: Vec<RawFinding>,
    /// What the server says it used.
    pub tokens: Option<u64>,
}

/// Reads the body of a response.
pub fn parse(body: &[u8]) -> Result<Answer, NotAnAnswer> {
    if body.len() > LARGEST {
        return Err(NotAnAnswer::TooLarge);
    }
    let completion = serde_json::from_slice::<Completion>(body);
    let completion = completion.map_err(|_| NotAnAnswer::NotACompletion)?;
    let choice = completion.choices.into_iter().next();
    let Choice {
        message,
        finish_reason,
    } = choice.ok_or(NotAnAnswer::NotACompletion)?;
    if message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
        return Err(NotAnAnswer::Refused);
    }
    if finish_reason.is_some_and(|reason| reason == "length") {
        return Err(NotAnAnswer::CutOff);
    }
    let content = message.content.ok_or(NotAnAnswer::NotACompletion)?;
    let findings = serde_json::from_str::<Findings>(&content);
    let Findings { findings } = findings.map_err(|_| NotAnAnswer::OtherSchema)?;
    Ok(Answer {
        findings,
        tokens: completion.usage.and_then(|usage| usage.total_tokens),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn completion(content: &Value) -> Vec<u8> {
        let message = json!({"role": "assistant", "content": content});
        let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
        body.to_string().into_bytes()
    }

    fn finding() -> Value {
        json!({"concern": "danger", "message_id": "a-1", "quote": "q", "severity": "look"})
    }

    #[test]
    fn an_answer_by_the_schema_is_read() {
        let content = json!({"findings": [finding()]}).to_string();
        let mut body = serde_json::from_slice::<Value>(&completion(&content.into())).unwrap();
        body["usage"] = json!({"total_tokens": 812});
        let answer = parse(body.to_string().as_bytes()).unwrap();

        assert_eq!(answer.tokens, Some(812));
        assert_eq!(
            answer.findings,
            [RawFinding {
                concern: Concern::Danger,
                message_id: "a-1".to_owned(),
                quote: "q".to_owned(),
                severity: Severity::Look,
            }]
        );
        let none = completion(&json!({"findings": []}).to_string().into());
        assert_eq!(parse(&none).unwrap().findings, []);
    }

    #[test]
    fn anything_else_is_no_answer() {
        let with = |name: &str, value: Value| {
            let mut finding = finding();
            finding[name] = value;
            json!({"findings": [finding]}).to_string()
        };
        let mut short = finding();
        short.as_object_mut().unwrap().remove("quote");
        let twice = r#"{"findings": [], "findings": []}"#.to_owned();
        for content in [
            String::new(),
            "All is well.".to_owned(),
            "{}".to_owned(),
            "[]".to_owned(),
            "null".to_owned(),
            json!({"findings": {}}).to_string(),
            json!({"findings": [], "note": "fine"}).to_string(),
            json!({"findings": [short]}).to_string(),
            with("concern", "boredom".into()),
            with("severity", "low".into()),
            with("message_id", 1.into()),
            with("quote", Value::Null),
            with("why", "because".into()),
            format!("```json\n{}\n```", json!({"findings": []})),
            format!("{} {}", json!({"findings": []}), json!({"findings": []})),
            twice,
            "[".repeat(100_000),
        ] {
            let shown = content.chars().take(80).collect::<String>();
            let parsed = parse(&completion(&content.into()));
            assert_eq!(parsed, Err(NotAnAnswer::OtherSchema), "{shown}");
        }
        for body in [
            "",
            "<html>",
            "{}",
            r#"{"choices": []}"#,
            r#"{"choices": [{"message": {"content": null}}]}"#,
            r#"{"choices": [{"message": {"content": [{"text": "{}"}]}}]}"#,
        ] {
            let parsed = parse(body.as_bytes());
            assert_eq!(parsed, Err(NotAnAnswer::NotACompletion), "{body}");
        }
    }

    #[test]
    fn a_refusal_a_cut_and_a_flood_are_named() {
        let choice = |choice: Value| parse(json!({"choices": [choice]}).to_string().as_bytes());
        let empty = json!({"findings": []}).to_string();

        let refused = choice(json!({"message": {"content": null, "refusal": "I can't."}}));
        assert_eq!(refused, Err(NotAnAnswer::Refused));
        let cut = choice(json!({"message": {"content": empty}, "finish_reason": "length"}));
        assert_eq!(cut, Err(NotAnAnswer::CutOff));
        assert_eq!(parse(&vec![b' '; LARGEST + 1]), Err(NotAnAnswer::TooLarge));
    }
}
