//! The API's error format: `{"detail": "<a sentence a parent can read>", "at": "<where>"}`.
//!
//! A feature turns its own error into a [`Refusal`]: a status, a sentence for the client and, if the body or the query
//! is invalid, the place in it. An operation declares in its signature which statuses it may answer with:
//! [`Refused<{ CHILD | BODY }>`](Refused). The contract documents these, and a debug build panics
//! at any other status.

use std::borrow::Cow;
use std::fmt;

use poem::error::ResponseError;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, Object};
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::kernel::store::{NotACursor, StoreError};

/// The media type of every answer of the API. JSON is always UTF-8 (RFC 8259), so it takes no charset.
pub const JSON: &str = "application/json";

/// Every error of the API.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Problem {
    /// What went wrong, in a sentence that a parent can read.
    pub detail: String,
    /// Where in the request it is wrong: a JSON Pointer (RFC 6901) into the body, such as
    /// `/messages/17/timestamp`, or a parameter of the query, such as `?child_id`. The empty pointer is the
    /// whole body. Left out when it is neither in the body nor in the query.
    pub at: Option<String>,
}

/// Why a request is refused: the status, the sentence, and the place in the request.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    detail: Cow<'static, str>,
    at: Option<Cow<'static, str>>,
    retry_after: Option<u32>,
}

/// The sentence of every 404, so that it reveals nothing.
const NOT_THERE: &str = "There is nothing here, or it is not yours to see.";

impl Refusal {
    pub fn new(status: StatusCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            detail: detail.into(),
            at: None,
            retry_after: None,
        }
    }

    /// 404: it doesn't exist or isn't visible to the caller. The two answers are identical to the byte.
    pub fn not_there() -> Self {
        Self::new(StatusCode::NOT_FOUND, NOT_THERE)
    }

    /// 401: the request carries no valid credential.
    pub fn not_signed_in() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "You are not signed in. Please sign in and try again.",
        )
    }

    /// 422: well-formed, but it violates a rule of the product.
    pub fn against_a_rule(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// 400: not of the form that the contract requires.
    pub fn malformed(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// 413: larger than this endpoint accepts.
    pub fn too_large(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
    }

    /// 401 with this sentence.
    pub fn unauthorized(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, detail)
    }

    /// 403: the credential is valid but doesn't permit this call.
    pub fn forbidden(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, detail)
    }

    /// 409: it conflicts with the current state.
    pub fn conflict(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }

    /// 412: it was changed meanwhile.
    pub fn changed(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PRECONDITION_FAILED, detail)
    }

    /// 429: too many requests; retry after this many seconds.
    pub fn too_many(detail: impl Into<Cow<'static, str>>, seconds: u32) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, detail).retry_after(seconds)
    }

    /// 503: temporarily unavailable; a retry may succeed after this many seconds.
    pub fn not_now(detail: impl Into<Cow<'static, str>>, seconds: u32) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(seconds)
    }

    /// Sets after how many seconds a retry may succeed.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Names the invalid place: a JSON Pointer (RFC 6901) into the body, or `?name` for a parameter of the
    /// query. A pointer holds indices and names of our own, never text from the request.
    ///
    /// Ignored for 429 and 5xx, which no part of the request caused. So a caller can set the same place on
    /// every error of an operation.
    #[must_use]
    pub fn at(mut self, place: impl Into<Cow<'static, str>>) -> Self {
        let is_cause =
            self.status.is_client_error() && self.status != StatusCode::TOO_MANY_REQUESTS;
        self.at = is_cause.then(|| place.into());
        self
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Whether the request isn't of the form that the contract requires.
    pub fn is_malformed(&self) -> bool {
        matches!(self.status.as_u16(), 400 | 413 | 415)
    }

    /// After how many seconds a retry may succeed.
    pub fn seconds(&self) -> Option<u32> {
        self.retry_after
    }

    pub fn detail(&self) -> &str {
        &self.detail
    }

    pub fn place(&self) -> Option<&str> {
        self.at.as_deref()
    }
}

pub trait RefusedAt<T> {
    /// Turns the error into a [`Refusal`] at this place, as [`Refusal::at`] does.
    fn refused_at(self, place: impl Into<Cow<'static, str>>) -> Result<T, Refusal>;
}

impl<T, E: Into<Refusal>> RefusedAt<T> for Result<T, E> {
    fn refused_at(self, place: impl Into<Cow<'static, str>>) -> Result<T, Refusal> {
        self.map_err(|error| error.into().at(place))
    }
}

impl From<&Refusal> for Problem {
    fn from(refusal: &Refusal) -> Self {
        Self {
            detail: refusal.detail.clone().into_owned(),
            at: refusal.at.clone().map(Cow::into_owned),
        }
    }
}

/// How a feature's error is answered: a line for each variant, with the [`Refusal`]'s constructor and the place in the
/// request. The variant's text is the sentence. A variant after `from` holds another error, which is answered as it is
/// anywhere else.
///
/// ```ignore
/// refusals! {
///     ScheduleError from Children, Store {
///         Changed => changed,
///         Rule(broken) => against_a_rule at broken.at(),
///     }
/// }
/// ```
macro_rules! refusals {
    // No variant's own sentence: a 404 reveals nothing.
    (@refusal not_there $sentence:ident) => {{ drop($sentence); Self::not_there() }};
    (@refusal $kind:ident $sentence:ident $($seconds:expr)?) => { Self::$kind($sentence $(, $seconds)?) };
    ($error:ident from $($source:ident),+) => {
        impl From<$error> for $crate::kernel::http::problem::Refusal {
            fn from(error: $error) -> Self {
                match error {
                    $($error::$source(error) => error.into(),)+
                }
            }
        }
    };
    ($error:ident $(from $($source:ident),+)? {
        $($($variant:ident $(($($field:tt)*))? $({ $name:ident })?)|+
            => $kind:ident $(($seconds:expr))? $(at $place:expr)?,)+
    }) => {
        impl From<$error> for $crate::kernel::http::problem::Refusal {
            fn from(error: $error) -> Self {
                let sentence = error.to_string();
                match error {
                    $($($error::$source(error) => error.into(),)+)?
                    $($($error::$variant $(($($field)*))? $({ $name })?)|+ => {
                        refusals!(@refusal $kind sentence $($seconds)?) $(.at($place))?
                    })+
                }
            }
        }
    };
}
pub(crate) use refusals;

impl From<NotACursor> for Refusal {
    fn from(error: NotACursor) -> Self {
        Self::malformed(error.to_string())
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Full => Self::new(StatusCode::INSUFFICIENT_STORAGE, error.to_string()),
            StoreError::Unavailable | StoreError::Unknown => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()).retry_after(30)
            }
            StoreError::Unreadable(cause) => {
                tracing::error!(%cause, "a record could not be read");
                Self::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "Porchlight could not read this from its store. The log tells more.",
                )
                .retry_after(60)
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for Refusal {}

impl ResponseError for Refusal {
    fn status(&self) -> StatusCode {
        self.status
    }

    fn as_response(&self) -> Response {
        let body = serde_json::to_string(&Problem::from(self)).expect("two texts are JSON");
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
        if self.status == StatusCode::UNAUTHORIZED {
            // RFC 9110, section 11.6.1: a 401 names how to authenticate.
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if self.status == StatusCode::UNSUPPORTED_MEDIA_TYPE {
            // RFC 9110, section 12.5.3: a 415 names the supported content codings.
            headers.insert(
                header::ACCEPT_ENCODING,
                HeaderValue::from_static("identity"),
            );
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// The bits of [`Refused`], one for each status of the contract.
const STATUSES: [(u32, u16, &str); 14] = [
    (MALFORMED, 400, "The request is malformed."),
    (UNAUTHORIZED, 401, "The credential is missing or invalid."),
    (
        FORBIDDEN,
        403,
        "Not allowed for this kind of credential, or only after stepping up.",
    ),
    (
        NOT_FOUND,
        404,
        "Not found, or not accessible to the caller.",
    ),
    (
        CONFLICT,
        409,
        "The request conflicts with the current state.",
    ),
    (CHANGED, 412, "It was changed meanwhile."),
    (TOO_LARGE, 413, "The request is too large."),
    (MEDIA_TYPE, 415, "The request is of the wrong media type."),
    (
        WRONG_HOST,
        421,
        "The server doesn't answer requests for this host name.",
    ),
    (RULE, 422, "The request violates a rule of the product."),
    (
        TOO_MANY,
        429,
        "Too many requests, or too many changes by the guardian today.",
    ),
    (
        HEAD_TOO_LONG,
        431,
        "The request's URL or headers are too long.",
    ),
    (NOT_NOW, 503, "The server cannot do this at the moment."),
    (FULL, 507, "The disk is full."),
];

pub const MALFORMED: u32 = 1 << 0;
pub const UNAUTHORIZED: u32 = 1 << 1;
const FORBIDDEN: u32 = 1 << 2;
pub const NOT_FOUND: u32 = 1 << 3;
pub const CONFLICT: u32 = 1 << 4;
pub const CHANGED: u32 = 1 << 5;
const TOO_LARGE: u32 = 1 << 6;
const MEDIA_TYPE: u32 = 1 << 7;
const WRONG_HOST: u32 = 1 << 8;
pub const RULE: u32 = 1 << 9;
const TOO_MANY: u32 = 1 << 10;
const HEAD_TOO_LONG: u32 = 1 << 11;
const NOT_NOW: u32 = 1 << 12;
const FULL: u32 = 1 << 13;

/// The statuses of every operation.
pub const PUBLIC: u32 = WRONG_HOST | TOO_MANY | HEAD_TOO_LONG | NOT_NOW;
/// The statuses of an operation that needs a credential.
pub const SIGNED_IN: u32 = PUBLIC | UNAUTHORIZED | FORBIDDEN;
/// The statuses of an operation on one child's data.
pub const CHILD: u32 = SIGNED_IN | NOT_FOUND;
/// The statuses of an operation with a body.
pub const BODY: u32 = MALFORMED | TOO_LARGE | MEDIA_TYPE;
/// The statuses of an operation that writes.
pub const WRITE: u32 = FULL;
/// The statuses of an operation that our own pages call with their cookie.
pub const COOKIE: u32 = PUBLIC | FORBIDDEN;

/// A [`Refusal`] with one of the statuses in `SET`.
#[derive(Debug)]
pub struct Refused<const SET: u32>(Refusal);

impl<const SET: u32, E: Into<Refusal>> From<E> for Refused<SET> {
    fn from(error: E) -> Self {
        let refusal = error.into();
        debug_assert!(
            STATUSES
                .iter()
                .any(|(bit, status, _)| SET & bit != 0 && *status == refusal.status),
            "the operation's signature does not list {}",
            refusal.status
        );
        Self(refusal)
    }
}

impl<const SET: u32> From<Refused<SET>> for poem::Error {
    fn from(refused: Refused<SET>) -> Self {
        refused.0.into()
    }
}

impl<const SET: u32> ApiResponse for Refused<SET> {
    fn meta() -> MetaResponses {
        listed(SET)
    }

    fn register(registry: &mut Registry) {
        Problem::register(registry);
    }
}

/// The contract's description of the statuses in a set. It isn't in [`Refused`], which is instantiated for each set.
fn listed(set: u32) -> MetaResponses {
    let listed = STATUSES.iter().filter(|(bit, ..)| set & bit != 0);
    let mut responses = listed
        .map(|(_, status, description)| MetaResponse {
            description,
            status: Some(*status),
            status_range: None,
            content: vec![MetaMediaType {
                content_type: JSON,
                schema: Problem::schema_ref(),
            }],
            headers: Vec::new(),
        })
        .collect::<Vec<_>>();
    responses.sort_by_key(|response| response.status);
    MetaResponses { responses }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(refusal: Refusal) -> String {
        serde_json::to_string(&Problem::from(&refusal)).unwrap()
    }

    #[test]
    fn a_refusal_of_something_in_the_request_names_its_place() {
        let named = Refusal::against_a_rule("No.").at("/17/text_content");
        let nowhere = Refusal::against_a_rule("No.");

        assert_eq!(body(named), r#"{"detail":"No.","at":"/17/text_content"}"#);
        assert_eq!(body(nowhere), r#"{"detail":"No."}"#);
    }

    #[test]
    fn what_the_request_did_not_cause_has_no_place() {
        let busy = Refusal::too_many("Later.", 5);
        let full = Refusal::from(StoreError::Full);

        for refusal in [busy, full] {
            assert_eq!(refusal.at("?child_id").place(), None);
        }
    }
}
