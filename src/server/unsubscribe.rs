//! The page behind the links for unsubscribing in e-mails.
//!
//! Opening it does nothing, because programs that check e-mails open links. `POST` unsubscribes: from the page's button, or from
//! a mail program (RFC 8058), which sends no cookie and no `Origin`. The response is always the same.

use std::sync::LazyLock;

use poem::http::{HeaderValue, Method, StatusCode, header};
use poem::{Endpoint, Request, Response, Result};

use super::body::discard_body;
use super::error_page::{page, policy, response};
use crate::kernel::http::problem::{Code, Refusal};
use crate::notifications::{Notifications, UNSUBSCRIBE_PATH, UnsubscribeToken};

static POLICY: LazyLock<HeaderValue> =
    LazyLock::new(|| policy("form-action 'self'; base-uri 'none'; "));

/// The path of the links.
pub fn path() -> String {
    format!("{UNSUBSCRIBE_PATH}/:token")
}

pub struct Unsubscribe {
    pub notifications: Notifications,
}

impl Endpoint for Unsubscribe {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        match *request.method() {
            Method::GET | Method::HEAD => Ok(page_of(
                "Stop these emails?",
                "<p>Porchlight will send you none of them any more. You can switch them on again under ‘Subscription’ in \
                 Porchlight.</p><form method=\"post\"><button>Unsubscribe</button></form>",
            )),
            Method::POST => {
                discard_body(&mut request);
                let token = request.raw_path_param("token").unwrap_or_default();
                let token = UnsubscribeToken::from(token);
                self.notifications
                    .unsubscribe(token)
                    .await
                    .map_err(Refusal::from)?;
                Ok(page_of(
                    "You are unsubscribed",
                    "<p>Porchlight will send you no more of these emails. You can switch them on again under ‘Subscription’ in \
                     Porchlight.</p>",
                ))
            }
            _ => {
                let refusal = Refusal::new(
                    StatusCode::METHOD_NOT_ALLOWED,
                    Code::MethodNotAllowed,
                    "This address does not take this kind of request.",
                );
                let mut response = poem::error::ResponseError::as_response(&refusal);
                let allowed = HeaderValue::from_static("GET, HEAD, POST");
                response.headers_mut().insert(header::ALLOW, allowed);
                Ok(response)
            }
        }
    }
}

fn page_of(title: &str, content: &str) -> Response {
    response(StatusCode::OK, &POLICY, page(title, title, content))
}
