//! Errors in the form of the API that the client speaks: OpenAI's, or Ollama's.

use hyper::StatusCode;
use hyper::header::{HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use serde_json::{Value, json};

use super::body::BodyError;
use super::budget::BudgetError;
use super::conversations::NotKept;
use super::dialect::Dialect;
use super::response::{GatewayResponse, json as json_response};
use crate::assistants::deliveries::{AssistantError, RefusalKind};
use crate::kernel::http::problem::Refusal;

/// Why a request isn't answered by the upstream.
#[derive(Debug)]
pub struct GatewayError {
    status: StatusCode,
    /// As OpenAI's clients know it, for example `invalid_api_key`.
    code: &'static str,
    message: String,
    retry_after: Option<u32>,
    /// The upstream's own error, which the client gets instead.
    passed_on: Option<Box<GatewayResponse>>,
}

impl GatewayError {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            retry_after: None,
            passed_on: None,
        }
    }

    /// An upstream's error, which is passed on.
    pub fn passed_on(response: GatewayResponse) -> Self {
        let error = Self::new(response.status(), "upstream_error", "");
        Self {
            passed_on: Some(Box::new(response)),
            ..error
        }
    }

    fn retry_after(self, seconds: u32) -> Self {
        Self {
            retry_after: Some(seconds),
            ..self
        }
    }

    pub fn child_required() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "child_required",
            "This key is for several children, and the request doesn't say who is talking. Choose a model whose name ends with \
             @ and the child's name, as the list of models shows them.",
        )
    }

    pub fn wrong_key() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "wrong_key",
            "This key is for an assistant with a plug-in. An app that uses the gateway needs a key of its own, which is made \
             when it is connected.",
        )
    }

    pub fn no_upstream() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "no_upstream",
            "This key has no model behind it. Whoever runs Porchlight adds one with `porchlight upstream add`.",
        )
    }

    pub fn model_not_found(model: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "model_not_found",
            format!("There is no model \"{model}\" here."),
        )
    }

    pub fn not_found(message: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub fn busy() -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "rate_limit_exceeded",
            "This key has as many requests open already as it may. Please wait until one has ended.",
        )
        .retry_after(1)
    }

    pub fn upstream(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, "upstream_unreachable", message)
    }

    /// `within` is such as `a minute`.
    pub fn upstream_too_slow(within: &str) -> Self {
        Self::new(
            StatusCode::GATEWAY_TIMEOUT,
            "upstream_timeout",
            format!("The model didn't begin to answer within {within}."),
        )
    }

    pub fn upstream_credentials() -> Self {
        Self::new(
            StatusCode::BAD_GATEWAY,
            "upstream_credentials",
            "The model's server refuses the key that Porchlight has for it. Whoever runs Porchlight can check it with \
             `porchlight upstream test`.",
        )
    }

    pub fn upstream_invalid() -> Self {
        Self::new(
            StatusCode::BAD_GATEWAY,
            "upstream_invalid",
            "The model's server answered something other than a chat. Whoever runs Porchlight can check its address with \
             `porchlight upstream test`.",
        )
    }

    /// The error of a refusal by another part of the server.
    pub fn of(status: StatusCode, message: impl Into<String>) -> Self {
        let code = match status {
            StatusCode::UNAUTHORIZED => "invalid_api_key",
            StatusCode::NOT_FOUND => "not_found",
            StatusCode::TOO_MANY_REQUESTS => "rate_limit_exceeded",
            status if status.is_client_error() => "invalid_request",
            _ => "unavailable",
        };
        Self::new(status, code, message)
    }

    /// The kind of refusal that the person who connects the app sees; `None` if the app or model isn't known to be at fault.
    pub fn refusal_kind(&self) -> Option<RefusalKind> {
        match self.code {
            "child_required" => Some(RefusalKind::ChildMissing),
            "no_upstream" | "model_not_found" => Some(RefusalKind::ModelName),
            "invalid_request" => Some(RefusalKind::Malformed),
            _ => None,
        }
    }

    pub fn into_response(self, dialect: Dialect) -> GatewayResponse {
        if let Some(response) = self.passed_on {
            return *response;
        }
        let mut response = json_response(self.status, &self.body(dialect));
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            // RFC 9110, section 11.6.1: a 401 names how to authenticate.
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        response
    }

    pub fn body(&self, dialect: Dialect) -> Value {
        match dialect {
            Dialect::OpenAi => {
                let kind = match self.status.as_u16() {
                    429 => "rate_limit_error",
                    500.. => "server_error",
                    _ => "invalid_request_error",
                };
                json!({"error": {"message": self.message, "type": kind, "param": null, "code": self.code}})
            }
            Dialect::Ollama => json!({"error": self.message}),
        }
    }
}

impl From<BodyError> for GatewayError {
    fn from(error: BodyError) -> Self {
        let message = error.to_string();
        if error == BodyError::RulesMissing {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Self::new(status, "rules_unavailable", message)
        } else {
            Self::new(StatusCode::BAD_REQUEST, "invalid_request", message)
        }
    }
}

impl From<Refusal> for GatewayError {
    fn from(refusal: Refusal) -> Self {
        let error = Self::of(refusal.status(), refusal.detail());
        match refusal.seconds() {
            Some(seconds) => error.retry_after(seconds),
            None => error,
        }
    }
}

impl From<NotKept> for GatewayError {
    fn from(error: NotKept) -> Self {
        let can_be_kept_later = error.allows_fail_open()
            || matches!(
                &error,
                NotKept::Assistant(AssistantError::Clock(_) | AssistantError::Quota(_))
            );
        let refusal: Refusal = match error {
            NotKept::Budget(error @ BudgetError::UsedUp { seconds }) => {
                return Self::of(StatusCode::TOO_MANY_REQUESTS, error.to_string())
                    .retry_after(seconds);
            }
            NotKept::Budget(BudgetError::Store(error)) | NotKept::Store(error) => error.into(),
            NotKept::Assistant(error) => error.into(),
            NotKept::Busy => return Self::busy(),
        };
        if !can_be_kept_later {
            return refusal.into();
        }
        let seconds = refusal.seconds().unwrap_or(5);
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "not_kept",
            "What is said can't be kept at the moment, so the model isn't asked. Please try again later.",
        )
        .retry_after(seconds)
    }
}
