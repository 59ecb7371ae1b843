//! Ollama's requests to load or unload a model. They have no words, so nothing is kept and no rules are needed.

use bytes::Bytes;
use hyper::Method;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_with::skip_serializing_none;

use super::child_selection::{offers, select_child};
use super::error::GatewayError;
use super::models::pass_on;
use super::response::GatewayResponse;
use super::service::Gateway;
use crate::identity::SignedAssistant;

/// Of a request to load, in bytes. Longer ones are chats.
const LARGEST: usize = 16 * 1024;

/// A request to load a model: one without messages and prompt. Only the other fields are passed on, whatever else it has.
#[skip_serializing_none]
#[derive(Debug, Deserialize, Serialize)]
pub struct Load<'a> {
    model: String,
    #[serde(skip_serializing)]
    messages: Option<Vec<IgnoredAny>>,
    #[serde(skip_serializing)]
    prompt: Option<String>,
    #[serde(borrow)]
    keep_alive: Option<&'a RawValue>,
    #[serde(borrow)]
    options: Option<&'a RawValue>,
    stream: Option<bool>,
}

impl<'a> Load<'a> {
    /// `None` if the body is something else.
    pub fn of(body: &'a [u8]) -> Option<Self> {
        if body.len() > LARGEST {
            return None;
        }
        let load = serde_json::from_slice::<Self>(body).ok()?;
        let has_messages = load.messages.as_ref().is_some_and(|all| !all.is_empty());
        let has_prompt = load.prompt.as_ref().is_some_and(|text| !text.is_empty());
        (!has_messages && !has_prompt).then_some(load)
    }
}

impl Gateway {
    /// Passes a request to load a model on to this path of the key's Ollama.
    pub async fn load(
        &self,
        assistant: &SignedAssistant,
        path: &str,
        load: Load<'_>,
    ) -> Result<GatewayResponse, GatewayError> {
        let upstream = self.ollama_of(assistant)?;
        self.check_rate_limit(assistant)?;
        let _slot = self.admit(assistant, None).await?;
        let children = self.children_of(assistant)?;
        let model = select_child(&load.model, None, &children).model.to_owned();
        if !offers(&upstream, &model) {
            return Err(GatewayError::model_not_found(&model));
        }
        let body = serde_json::to_vec(&Load { model, ..load });
        let body = Bytes::from(body.unwrap_or_default());
        let answer = self.ask(&upstream, Method::POST, path, body).await?;
        pass_on(&upstream, answer).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed_on(body: &str) -> Option<String> {
        let load = Load::of(body.as_bytes())?;
        Some(serde_json::to_string(&load).unwrap())
    }

    #[test]
    fn a_request_without_words_loads_a_model() {
        for (body, expected) in [
            (r#"{"model":"m"}"#, r#"{"model":"m"}"#),
            (
                r#"{"stream":false,"keep_alive":-1,"model":"m","messages":[],"options":{"num_ctx":8192}}"#,
                r#"{"model":"m","keep_alive":-1,"options":{"num_ctx":8192},"stream":false}"#,
            ),
            (
                r#"{"model":"m","messages":null,"prompt":"","keep_alive":"5m"}"#,
                r#"{"model":"m","keep_alive":"5m"}"#,
            ),
        ] {
            assert_eq!(passed_on(body).as_deref(), Some(expected), "{body}");
        }
    }

    #[test]
    fn a_request_with_words_does_not() {
        for body in [
            r#"{"model":"m","messages":[{"role":"user","content":"Hi"}]}"#,
            r#"{"model":"m","prompt":"Hi"}"#,
            r#"{"model":"m","messages":[],"messages":[{"role":"user","content":"Hi"}]}"#,
            r#"{"messages":[]}"#,
            "[]",
        ] {
            assert_eq!(passed_on(body), None, "{body}");
        }
    }

    #[test]
    fn what_no_load_request_has_is_not_passed_on() {
        let body = r#"{"model":"m","Messages":[{"role":"user","content":"Hi"}],"system":"S","template":"T","Prompt":"Hi"}"#;
        assert_eq!(passed_on(body).as_deref(), Some(r#"{"model":"m"}"#));
    }
}
