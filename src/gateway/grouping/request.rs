//! What the grouping rule needs of a request to `/chat/completions`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::background::{AnswerOptions, BackgroundReason, Features};
use super::history::{Item, text_of};
use super::{json, ollama};

/// The maximum number of items that are compared: the last ones. A longer history aligns like one whose beginning was trimmed.
pub const MAX_ITEMS: usize = 512;

/// The maximum length of a client's ids, in bytes.
const MAX_ID: usize = 200;

/// Why a body can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRequest {
    /// It isn't JSON, or too deeply nested.
    #[error("The body isn't valid JSON.")]
    NotJson,
    #[error("The body must be a JSON object.")]
    NotAnObject,
    #[error("The field \"messages\" must be a list.")]
    NoMessages,
    #[error("Each message must be an object with a \"role\".")]
    NotAMessage,
}

/// What a request's headers say about its conversation.
#[derive(Clone, Debug, Default)]
pub struct RequestHeaders {
    session: Option<String>,
    chat: Option<String>,
    has_task: bool,
    is_retry: bool,
}

impl RequestHeaders {
    /// Reads them from pairs of name and value, with the names in any case.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut headers = Self::default();
        for (name, value) in pairs {
            match name.to_ascii_lowercase().as_str() {
                "x-porchlight-session" => headers.session = id(value),
                "x-openwebui-chat-id" => headers.chat = id(value),
                "x-porchlight-task" | "x-task" => headers.has_task |= !value.trim().is_empty(),
                "x-stainless-retry-count" => {
                    headers.is_retry |= value.trim().parse::<u32>().is_ok_and(|count| count > 0);
                }
                _ => {}
            }
        }
        headers
    }
}

/// Ids that separate conversations if they differ, but don't connect requests if they are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Separators {
    user: Option<String>,
    safety_identifier: Option<String>,
    prompt_cache_key: Option<String>,
}

impl Separators {
    /// Whether both have a value of the same kind, and a different one.
    pub fn differ(&self, other: &Self) -> bool {
        let pairs = [
            (&self.user, &other.user),
            (&self.safety_identifier, &other.safety_identifier),
            (&self.prompt_cache_key, &other.prompt_cache_key),
        ];
        pairs
            .iter()
            .any(|(own, other)| own.is_some() && other.is_some() && own != other)
    }

    /// Overwrites the values that `newer` has.
    pub fn update(&mut self, newer: &Self) {
        for (own, newer) in [
            (&mut self.user, &newer.user),
            (&mut self.safety_identifier, &newer.safety_identifier),
            (&mut self.prompt_cache_key, &newer.prompt_cache_key),
        ] {
            if newer.is_some() {
                own.clone_from(newer);
            }
        }
    }
}

/// What the grouping rule needs of a request.
#[derive(Clone, Debug)]
pub struct Request {
    pub(super) history: Vec<Item>,
    /// Whether the last message is an instruction, so that the assistant speaks by itself.
    pub(super) ends_with_instruction: bool,
    /// The client's own id of the session, which overrides all other rules.
    pub(super) session: Option<String>,
    pub(super) separators: Separators,
    /// Whether the client says that it repeats a request.
    pub(super) is_retry: bool,
    pub(super) background: Option<BackgroundReason>,
}

impl Request {
    /// Parses a body of `POST /chat/completions`.
    pub fn from_chat_completions(
        body: &[u8],
        headers: &RequestHeaders,
    ) -> Result<Self, InvalidRequest> {
        let body = json::parse(body).map_err(|_| InvalidRequest::NotJson)?;
        let limits = [&body["max_tokens"], &body["max_completion_tokens"]];
        let format = body["response_format"]["type"].as_str();
        let options = AnswerOptions {
            max_tokens: limits.into_iter().find_map(Value::as_u64),
            is_structured: !matches!(format, None | Some("text")),
        };
        Self::new(&body, headers, options)
    }

    /// Parses a body of Ollama's `POST /api/chat`.
    pub fn from_ollama_chat(body: &[u8], headers: &RequestHeaders) -> Result<Self, InvalidRequest> {
        let body = json::parse(body).map_err(|_| InvalidRequest::NotJson)?;
        Self::new(&body, headers, ollama::options(&body))
    }

    /// The client's own id of the session.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    fn new(
        body: &Value,
        headers: &RequestHeaders,
        options: AnswerOptions,
    ) -> Result<Self, InvalidRequest> {
        if !body.is_object() {
            return Err(InvalidRequest::NotAnObject);
        }
        let messages = body["messages"].as_array();
        let messages = messages.ok_or(InvalidRequest::NoMessages)?;
        let mut system = Vec::new();
        let mut history = Vec::new();
        for message in messages {
            match message["role"]
                .as_str()
                .ok_or(InvalidRequest::NotAMessage)?
            {
                "system" | "developer" => system.push(text_of(&message["content"])),
                role => add_items(&mut history, role, message),
            }
        }
        let background = Features {
            has_task_header: headers.has_task,
            system: &system.join("\n"),
            options,
            history: &history,
        };
        let background = background.reason();
        history.drain(..history.len().saturating_sub(MAX_ITEMS));
        let last_role = messages.last().and_then(|last| last["role"].as_str());
        let text = |value: &Value| value.as_str().and_then(id);
        Ok(Self {
            history,
            ends_with_instruction: matches!(last_role, Some("system" | "developer")),
            session: session(headers, text(&body["metadata"]["session_id"])),
            separators: Separators {
                user: text(&body["user"]),
                safety_identifier: text(&body["safety_identifier"]),
                prompt_cache_key: text(&body["prompt_cache_key"]),
            },
            is_retry: headers.is_retry,
            background,
        })
    }
}

fn session(headers: &RequestHeaders, metadata: Option<String>) -> Option<String> {
    let named = [
        ("session", headers.session.clone()),
        ("chat", headers.chat.clone()),
        ("metadata", metadata),
    ];
    let mut named = named.into_iter();
    named.find_map(|(source, id)| Some(format!("{source} {}", id?)))
}

fn id(value: &str) -> Option<String> {
    let value = value.trim();
    let end = value.floor_char_boundary(MAX_ID);
    (!value.is_empty()).then(|| value[..end].to_owned())
}

fn add_items(history: &mut Vec<Item>, role: &str, message: &Value) {
    let mut text = text_of(&message["content"]);
    match role {
        "user" => {
            ollama::add_pictures(&mut text, message);
            history.push(Item::user(&text));
        }
        "assistant" => {
            if text.is_empty() {
                text = text_of(&message["refusal"]);
            }
            history.extend(Item::assistant(&text));
            let calls = message["tool_calls"].as_array().into_iter().flatten();
            let calls = calls.map(|call| &call["function"]);
            for function in calls.chain([&message["function_call"]]) {
                if let Some(name) = function["name"].as_str() {
                    history.push(Item::tool_call(name, &function["arguments"]));
                }
            }
        }
        "tool" | "function" => history.push(Item::tool_result(&text)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::history::Kind;
    use super::*;

    fn parsed(body: &Value, headers: &[(&str, &str)]) -> Request {
        let headers = RequestHeaders::from_pairs(headers.iter().copied());
        Request::from_chat_completions(body.to_string().as_bytes(), &headers).unwrap()
    }

    fn session_of(body: &Value, headers: &[(&str, &str)]) -> Option<String> {
        parsed(body, headers).session
    }

    #[test]
    fn a_history_is_what_was_said_and_called() {
        let request = parsed(
            &json!({"model": "m", "new": [1], "messages": [
                {"role": "system", "content": "Be kind."},
                {"role": "assistant", "content": null},
                {"role": "user", "content": [{"type": "text", "text": "How warm is it?"}], "name": "x"},
                {"role": "assistant", "content": "Let me see.", "tool_calls": [{"function": {"name": "get", "arguments": "{}"}}]},
                {"role": "tool", "content": "21"},
                {"role": "assistant", "refusal": "I can't say."},
                {"role": "critic", "content": "x"}
            ]}),
            &[],
        );

        let kinds = request.history.iter().map(|item| item.kind);
        use Kind::*;
        let expected = [User, Assistant, ToolCall, ToolResult, Assistant];
        assert_eq!(kinds.collect::<Vec<_>>(), expected);
        assert_eq!(request.history[4].text, "I can't say.");
        assert!(!request.ends_with_instruction);
    }

    #[test]
    fn an_explicit_id_is_taken_from_the_first_place_that_has_one() {
        let body = json!({"messages": [], "user": "ada", "metadata": {"session_id": "m"}});
        let ours = ("X-Porchlight-Session", "p");
        let chat = ("x-openwebui-chat-id", " c ");

        assert_eq!(session_of(&body, &[chat, ours]).unwrap(), "session p");
        assert_eq!(session_of(&body, &[chat]).unwrap(), "chat c");
        assert_eq!(session_of(&body, &[]).unwrap(), "metadata m");
        let only_user = json!({"messages": [], "user": "ada"});
        let empty = ("X-Porchlight-Session", " ");
        assert_eq!(session_of(&only_user, &[empty]), None);
    }

    #[test]
    fn only_different_values_of_one_kind_separate() {
        let of = |body| parsed(&body, &[]).separators;
        let ada = of(json!({"messages": [], "user": "ada"}));
        let bob = of(json!({"messages": [], "user": "bob"}));
        let cache = of(json!({"messages": [], "prompt_cache_key": "bob"}));

        assert!(ada.differ(&bob));
        assert!(!ada.differ(&ada));
        assert!(!ada.differ(&cache));
        let mut both = ada.clone();
        both.update(&cache);
        assert!(both.differ(&bob));
    }

    #[test]
    fn a_retry_is_what_the_client_calls_one() {
        for (count, is_retry) in [("0", false), ("2", true), ("x", false)] {
            let headers = [("X-Stainless-Retry-Count", count)];
            assert_eq!(
                parsed(&json!({"messages": []}), &headers).is_retry,
                is_retry
            );
        }
    }

    #[test]
    fn a_body_without_messages_gives_a_sentence() {
        for (body, error) in [
            ("", InvalidRequest::NotJson),
            ("{\"messages\": [", InvalidRequest::NotJson),
            ("\u{feff}[]", InvalidRequest::NotJson),
            ("[]", InvalidRequest::NotAnObject),
            ("{}", InvalidRequest::NoMessages),
            (r#"{"messages": "hi"}"#, InvalidRequest::NoMessages),
            (r#"{"messages": ["hi"]}"#, InvalidRequest::NotAMessage),
            (
                r#"{"messages": [{"role": 5}]}"#,
                InvalidRequest::NotAMessage,
            ),
        ] {
            let headers = RequestHeaders::default();
            let parsed = Request::from_chat_completions(body.as_bytes(), &headers);
            assert_eq!(parsed.unwrap_err(), error, "{body}");
            let parsed = Request::from_ollama_chat(body.as_bytes(), &headers);
            assert_eq!(parsed.unwrap_err(), error, "{body}");
        }
        let deep = format!("{{\"messages\": {}", "[".repeat(1_000_000));
        let parsed = Request::from_chat_completions(deep.as_bytes(), &RequestHeaders::default());
        assert_eq!(parsed.unwrap_err(), InvalidRequest::NotJson);
    }

    #[test]
    fn of_a_long_history_the_end_is_compared() {
        let message = |number| json!({"role": "user", "content": format!("{number}")});
        let messages = (0..2_000).map(message).collect::<Vec<_>>();
        let request = parsed(&json!({"messages": messages}), &[]);

        assert_eq!(request.history.len(), MAX_ITEMS);
        assert_eq!(request.history[MAX_ITEMS - 1].text, "1999");
    }

    /// JSON in which any value may stand anywhere, with the names that the parser looks for.
    fn hostile() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "(user|assistant|system|tool|json|text|image_url|\\PC{0,9})".prop_map(Value::from),
        ];
        leaf.prop_recursive(6, 60, 6, |inner| {
            let name = "(messages|role|content|type|text|tool_calls|function|function_call|name|arguments|\
                metadata|session_id|user|options|num_predict|max_tokens|response_format|format|images|refusal)";
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::hash_map(name, inner, 0..8)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn hostile_bodies_never_panic(body in hostile(), messages in prop::collection::vec(hostile(), 0..5)) {
            let headers = RequestHeaders::default();
            let nested = json!({"messages": messages, "options": body, "response_format": body, "metadata": body});
            for body in [body, nested] {
                let body = body.to_string();
                let _ = Request::from_chat_completions(body.as_bytes(), &headers);
                let _ = Request::from_ollama_chat(body.as_bytes(), &headers);
            }
        }

        #[test]
        fn any_bytes_never_panic(body in prop::collection::vec(any::<u8>(), 0..200)) {
            let headers = RequestHeaders::default();
            let _ = Request::from_chat_completions(&body, &headers);
            let _ = Request::from_ollama_chat(&body, &headers);
        }
    }
}
