//! The API's error format: `{"detail": "<a sentence a parent can read>", "code": "<what it says>", "at": "<where>"}`.
//!
//! A feature turns its own error into a [`Refusal`]: a status, a [`Code`], its sentence for the client and, if the body or the
//! query is invalid, the place in it. An operation declares in its signature which statuses it may answer with:
//! [`Refused<{ CHILD | BODY }>`](Refused). The contract documents these, and a debug build panics
//! at any other status.

mod code;
mod refused;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use poem::error::ResponseError;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use poem_openapi::Object;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::kernel::host::name::NotAName;
use crate::kernel::host::zones::NoSuchZone;
use crate::kernel::outgoing::queue::QueueError;
use crate::kernel::store::{NotACursor, StoreError};

pub use code::{Argument, Code};
pub use refused::{
    BODY, CHANGED, CHILD, CONFLICT, COOKIE, MALFORMED, NOT_FOUND, PUBLIC, RULE, Refused, SIGNED_IN,
    UNAUTHORIZED, WRITE,
};

/// The media type of every answer of the API. JSON is always UTF-8 (RFC 8259), so it takes no charset.
pub const JSON: &str = "application/json";

/// Every error of the API.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Problem {
    /// What went wrong, in a sentence that a parent can read.
    pub detail: String,
    /// Which sentence it is. A code stands for one sentence, except `body_invalid` and `parameter_invalid`, whose sentence says
    /// what is expected at `at`.
    pub code: Code,
    /// The values in the sentence, by name. Left out if it has none.
    pub args: Option<BTreeMap<String, Argument>>,
    /// Where in the request it is wrong: a JSON Pointer (RFC 6901) into the body, such as
    /// `/messages/17/timestamp`, or a parameter of the query, such as `?child_id`. The empty pointer is the
    /// whole body. Left out when it is neither in the body nor in the query.
    pub at: Option<String>,
}

/// Why a request is refused: the status, the code, the sentence with its values, and the place in the request.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    code: Code,
    detail: Cow<'static, str>,
    args: Vec<(&'static str, Argument)>,
    at: Option<Cow<'static, str>>,
    retry_after: Option<u32>,
}

/// The sentence of every 404, so that it reveals nothing.
const NOT_THERE: &str = "There is nothing here, or it is not yours to see.";

impl Refusal {
    pub fn new(status: StatusCode, code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            code,
            detail: detail.into(),
            args: Vec::new(),
            at: None,
            retry_after: None,
        }
    }

    /// 404: it doesn't exist or isn't visible to the caller. The two answers are identical to the byte.
    pub fn not_there() -> Self {
        Self::new(StatusCode::NOT_FOUND, Code::NotFound, NOT_THERE)
    }

    /// 401: the request carries no valid credential.
    pub fn not_signed_in() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            Code::NotSignedIn,
            "You are not signed in. Please sign in and try again.",
        )
    }

    /// 422: well-formed, but it violates a rule of the product.
    pub fn against_a_rule(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    /// 400: not of the form that the contract requires.
    pub fn malformed(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// 413: larger than this endpoint accepts.
    pub fn too_large(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, code, detail)
    }

    /// 401 with this sentence.
    pub fn unauthorized(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, detail)
    }

    /// 403: the credential is valid but doesn't permit this call.
    pub fn forbidden(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, detail)
    }

    /// 409: it conflicts with the current state.
    pub fn conflict(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, code, detail)
    }

    /// 412: it was changed meanwhile.
    pub fn changed(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PRECONDITION_FAILED, code, detail)
    }

    /// 429: too many requests; retry after this many seconds.
    pub fn too_many(code: Code, detail: impl Into<Cow<'static, str>>, seconds: u32) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, code, detail).retry_after(seconds)
    }

    /// 503: temporarily unavailable; a retry may succeed after this many seconds.
    pub fn not_now(code: Code, detail: impl Into<Cow<'static, str>>, seconds: u32) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail).retry_after(seconds)
    }

    /// Adds a value of the sentence.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Argument>) -> Self {
        self.args.push((name, value.into()));
        self
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
        let args = refusal.args.iter();
        let args = args.map(|(name, value)| ((*name).to_owned(), value.clone()));
        Self {
            detail: refusal.detail.clone().into_owned(),
            code: refusal.code,
            args: (!refusal.args.is_empty()).then(|| args.collect()),
            at: refusal.at.clone().map(Cow::into_owned),
        }
    }
}

/// How a feature's error is answered: a line for each variant, with the [`Refusal`]'s constructor, the [`Code`] with the
/// sentence's values and the place in the request. The variant's text is the sentence. A variant after `from` holds another
/// error, which is answered as it is anywhere else; so does one that is answered by `from(error)`, at a place of its own. An
/// error that is a struct has one line without braces.
///
/// ```ignore
/// refusals! {
///     ScheduleError from Children, Store {
///         Changed => changed(ScheduleChanged),
///         Days(most) => against_a_rule(TooManyDays { most: most }) at "/days",
///         Busy(limit) => too_many(Busy, limit.seconds),
///         Zone(error) => from(error) at "/time_zone",
///     }
/// }
/// refusals! { NoSuchZone => against_a_rule(UnknownTimeZone) }
/// ```
macro_rules! refusals {
    // No variant's own sentence: a 404 reveals nothing.
    (@refusal $sentence:ident not_there) => {{ drop($sentence); Self::not_there() }};
    (@refusal $sentence:ident from $error:expr) => {{ drop($sentence); Self::from($error) }};
    (@refusal $sentence:ident $kind:ident
        $code:ident $({ $($name:ident: $value:expr),+ })? $(, $seconds:expr)?) => {
        Self::$kind($crate::kernel::http::problem::Code::$code, $sentence $(, $seconds)?)
            $($(.with(stringify!($name), $value))+)?
    };
    ($error:ident from $($source:ident),+) => {
        impl From<$error> for $crate::kernel::http::problem::Refusal {
            fn from(error: $error) -> Self {
                match error {
                    $($error::$source(error) => error.into(),)+
                }
            }
        }
    };
    ($error:ident $(($($field:tt)*))? => $kind:ident($($how:tt)*)) => {
        impl From<$error> for $crate::kernel::http::problem::Refusal {
            fn from(error: $error) -> Self {
                let sentence = error.to_string();
                let $error $(($($field)*))? = error;
                refusals!(@refusal sentence $kind $($how)*)
            }
        }
    };
    ($error:ident $(from $($source:ident),+)? {
        $($($variant:ident $(($($field:tt)*))? $({ $name:ident })?)|+
            => $kind:ident $(($($how:tt)*))? $(at $place:expr)?,)+
    }) => {
        impl From<$error> for $crate::kernel::http::problem::Refusal {
            fn from(error: $error) -> Self {
                let sentence = error.to_string();
                match error {
                    $($($error::$source(error) => error.into(),)+)?
                    $($($error::$variant $(($($field)*))? $({ $name })?)|+ => {
                        refusals!(@refusal sentence $kind $($($how)*)?) $(.at($place))?
                    })+
                }
            }
        }
    };
}
pub(crate) use refusals;

refusals! { NotACursor => malformed(CursorInvalid) }

refusals! {
    NotAName {
        EmptyOrControl => against_a_rule(NameEmptyOrControl),
        TooLong => against_a_rule(NameTooLong),
    }
}

refusals! { NoSuchZone => against_a_rule(UnknownTimeZone) }

refusals! {
    QueueError from Store {
        Full => too_many(EmailQueueFull, 300),
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Full => Self::new(
                StatusCode::INSUFFICIENT_STORAGE,
                Code::StorageFull,
                error.to_string(),
            ),
            StoreError::Unavailable => {
                Self::not_now(Code::StorageUnavailable, error.to_string(), 30)
            }
            StoreError::Unknown => Self::not_now(Code::OutcomeUnknown, error.to_string(), 30),
            StoreError::TooLarge => Self::too_large(Code::RecordTooLarge, error.to_string()),
            StoreError::Unreadable(cause) => {
                tracing::error!(%cause, "a record could not be read");
                Self::not_now(
                    Code::StorageUnreadable,
                    "Porchlight could not read this from its store. The log tells more.",
                    60,
                )
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
        let body = serde_json::to_string(&Problem::from(self)).expect("texts and numbers are JSON");
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

#[cfg(test)]
mod tests {
    use super::*;

    fn body(refusal: Refusal) -> String {
        serde_json::to_string(&Problem::from(&refusal)).unwrap()
    }

    #[test]
    fn a_refusal_of_something_in_the_request_names_its_place() {
        let named = Refusal::against_a_rule(Code::RequestInvalid, "No.").at("/17/text_content");
        let nowhere = Refusal::against_a_rule(Code::RequestInvalid, "No.");

        assert_eq!(
            body(named),
            r#"{"detail":"No.","code":"request_invalid","at":"/17/text_content"}"#
        );
        assert_eq!(
            body(nowhere),
            r#"{"detail":"No.","code":"request_invalid"}"#
        );
    }

    #[test]
    fn what_the_request_did_not_cause_has_no_place() {
        let busy = Refusal::too_many(Code::RateLimited, "Later.", 5);
        let full = Refusal::from(StoreError::Full);

        for refusal in [busy, full] {
            assert_eq!(refusal.at("?child_id").place(), None);
        }
    }
}
