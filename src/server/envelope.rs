//! Gives every error the same format, whether the router, a parser or a panicking handler raised it.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use poem::error::ResponseError;
use poem::http::{HeaderValue, Method, StatusCode, header};
use poem::{Error, Request, Response, Result};
use poem_openapi::OperationId;
use poem_openapi::error::{ParseParamError, ParsePathError};

use super::error_page::TOO_MANY_COOKIES;
use super::listener::ShareExhausted;
use super::methods::Methods;
use crate::kernel::http::problem::{Code, Refusal};

/// Converts any failure to a [`Problem`](crate::kernel::http::problem::Problem).
///
/// Not an `async fn`: its future would store `answer` twice.
pub fn into_error_response(
    answer: impl Future<Output = Result<Response>>,
) -> impl Future<Output = Response> {
    // The panic hook has logged the place. A panic leaves no partial change, because only the store's writer makes
    // changes.
    let answer = AssertUnwindSafe(answer).catch_unwind();
    answer.map(|answer| match answer {
        Ok(Ok(response)) => response,
        Ok(Err(error)) if error.is_from_response() || error.is::<Refusal>() => {
            error.into_response()
        }
        Ok(Err(error)) => refusal(&error).as_response(),
        Err(_panic) => fault().as_response(),
    })
}

/// An internal error. The client may retry; the log has the place.
fn fault() -> Refusal {
    Refusal::new(
        StatusCode::SERVICE_UNAVAILABLE,
        Code::InternalError,
        "Something went wrong in Porchlight itself. Nothing was changed; please try again.",
    )
    .retry_after(5)
}

/// The message for an error that isn't our own. Its text names parameters and types, so it is not shown.
fn refusal(error: &Error) -> Refusal {
    // An invalid id in a path refers to nothing, and neither does a path that isn't UTF-8.
    if error.is::<ParsePathError>() || error.is::<poem::error::ParsePathError>() {
        return Refusal::not_there();
    }
    if let Some(error) = error.downcast_ref::<ParseParamError>() {
        let refusal = Refusal::malformed(
            Code::ParameterInvalid,
            "A value of another kind is expected here.",
        );
        return refusal.at(format!("?{}", error.name));
    }
    match error.status() {
        StatusCode::UNAUTHORIZED => Refusal::not_signed_in(),
        StatusCode::NOT_FOUND => Refusal::not_there(),
        StatusCode::BAD_REQUEST => {
            Refusal::malformed(Code::RequestInvalid, "The request could not be understood.")
        }
        StatusCode::METHOD_NOT_ALLOWED => Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            Code::MethodNotAllowed,
            "This address does not take this kind of request.",
        ),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::NotJson,
            "This address takes JSON (application/json) and nothing else.",
        ),
        status if status.is_client_error() => Refusal::new(
            status,
            Code::RequestInvalid,
            "The request could not be understood.",
        ),
        status => {
            tracing::error!(%status, "an error reached the envelope that nobody had named");
            fault()
        }
    }
}

/// Refuses a request of a client that already has as many in flight as one may have.
pub fn bound_share(request: &Request) -> Result<()> {
    match request.data::<ShareExhausted>() {
        None => Ok(()),
        Some(ShareExhausted) => Err(Refusal::too_many(
            Code::TooManyAtOnce,
            "Too many requests from your network are being answered right now. \
             Please wait a little and try again.",
            5,
        )
        .into()),
    }
}

/// The maximum size of a request's line and headers, in bytes; nginx's limit is of the same order.
const LARGEST_HEAD: usize = 16 * 1024;

/// Refuses a request whose line and headers are too large; a browser gets a page that says what to do. The connection itself
/// accepts a little more.
pub fn bound_head(request: &Request) -> Result<()> {
    let line = request.uri().path().len() + request.uri().query().map_or(0, str::len);
    let headers = request.headers().iter();
    let headers = headers.map(|(name, value)| name.as_str().len() + value.len());
    if line + headers.sum::<usize>() > LARGEST_HEAD {
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        return Err(match TOO_MANY_COOKIES.for_browser(request) {
            Some(page) => Error::from_response(page),
            None => Refusal::new(
                status,
                Code::HeadTooLarge,
                "The request's address or headers are too long.",
            )
            .into(),
        });
    }
    Ok(())
}

/// Adds the allowed methods to a 405 response.
pub fn name_methods(methods: &Methods, path: &str, answer: Result<Response>) -> Result<Response> {
    let error = match answer {
        Err(error) if error.status() == StatusCode::METHOD_NOT_ALLOWED => error,
        answer => return answer,
    };
    let Some(allowed) = methods.at(path) else {
        return Err(error);
    };
    let mut response = refusal(&error).as_response();
    let allowed = HeaderValue::from_str(allowed).expect("methods are plain letters");
    response.headers_mut().insert(header::ALLOW, allowed);
    Ok(response)
}

/// Logs the operation and the status. Never the URL, which may contain a name.
pub fn log_operation(method: &Method, answer: &Result<Response>) {
    let (status, operation) = match answer {
        Ok(response) => (response.status(), response.data::<OperationId>()),
        Err(error) => (error.status(), error.data::<OperationId>()),
    };
    let operation = operation.map_or("none", |operation| operation.0);
    tracing::debug!(%method, status = status.as_u16(), operation, "answered");
}

/// Installs a panic hook that logs only the place. The message may quote a conversation.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        tracing::error!(place, "a panic was caught");
    }));
}
