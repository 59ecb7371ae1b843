//! Plain http at a port where this server answers https: a page is redirected to https, and everything else is
//! refused.

use poem::http::{Method, StatusCode, header};
use poem::{Error, Request, Response, Result};

use super::address::below_api;
use crate::kernel::http::problem::{Code, Refusal};
use crate::kernel::http::wire::named_host;

/// Marks a request that came without TLS to a port that answers https.
#[derive(Clone, Copy)]
pub struct WithoutTls;

/// Redirects a browser to https. An API call is refused: it may have carried a key, and a redirect would hide that the key
/// was sent unencrypted.
pub fn forward(request: &Request) -> Result<()> {
    if request.data::<WithoutTls>().is_none() {
        return Ok(());
    }
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let path = request.uri().path_and_query().map_or("/", |it| it.as_str());
    match named_host(request) {
        Some(host) if is_read && below_api(request.uri().path()).is_none() => {
            let response = Response::builder()
                .status(StatusCode::PERMANENT_REDIRECT)
                .header(header::LOCATION, format!("https://{host}{path}"))
                .finish();
            Err(Error::from_response(response))
        }
        _ => Err(Refusal::malformed(
            Code::HttpsRequired,
            "This address speaks https. Please write https:// in front of it.",
        )
        .into()),
    }
}
