//! What every request passes, and every answer: one endpoint around all others.
//!
//! One, because each endpoint around another moves the request once more and makes the future larger that is
//! allocated for it; and because poem's `nest` takes the address apart and puts it together again at each level.
//! Together that took a third of the processor time of a short answer. An `async fn` has room for each of its
//! arguments twice, as given and as handed on, so what has a request or its whole future for an argument is made of
//! combinators instead, or ends in a box: eight kilobytes became two.

use futures_util::FutureExt;
use poem::endpoint::{BoxEndpoint, DynEndpoint};
use poem::http::Uri;
use poem::http::uri::PathAndQuery;
use poem::{Endpoint, Request, Response, Result};

use super::client::TrustedProxies;
use super::headers::Headers;
use super::hosts::KnownHosts;
use super::{client, envelope};

/// Below this is the API.
const API: &str = "/api";

/// The whole of what answers over HTTP.
pub struct Gate<A> {
    /// Whose word on a request's origin counts.
    pub proxies: TrustedProxies,
    /// The names under which we answer.
    pub hosts: KnownHosts,
    /// What stands on every answer.
    pub headers: Headers,
    /// What answers below `/api`.
    pub api: A,
    /// What answers everywhere else.
    pub beside: BoxEndpoint<'static, Response>,
}

impl<A: Endpoint<Output = Response>> Endpoint for Gate<A> {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = Result<Response>> + Send {
        let answer = envelope::whatever_fails(self.pass(request));
        answer.map(|answer| Ok(self.headers.on(answer)))
    }
}

impl<A: Endpoint<Output = Response>> Gate<A> {
    async fn pass(&self, mut request: Request) -> Result<Response> {
        client::identify(&self.proxies, &mut request);
        envelope::bound_head(&request)?;
        self.hosts.admit(&request)?;
        match below(API, request.uri()) {
            Some(uri) => {
                *request.uri_mut() = uri;
                self.api.call(request).await
            }
            None => DynEndpoint::call(&*self.beside, request).await,
        }
    }
}

/// The same address without this beginning; `None` for one that doesn't have it.
fn below(prefix: &str, uri: &Uri) -> Option<Uri> {
    let rest = uri.path().strip_prefix(prefix)?;
    if !rest.is_empty() && !rest.starts_with('/') {
        return None;
    }
    let mut parts = uri.clone().into_parts();
    let whole = parts.path_and_query.as_ref()?.as_str();
    let rest = &whole[prefix.len()..];
    let rest = match rest.starts_with('/') {
        true => rest.parse::<PathAndQuery>(),
        false => format!("/{rest}").parse(),
    };
    parts.path_and_query = Some(rest.ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_the_api_loses_its_beginning_and_nothing_else_does() {
        let cases = [
            ("/api/children", Some("/children")),
            (
                "/api/sessions?child_id=1&limit=20",
                Some("/sessions?child_id=1&limit=20"),
            ),
            ("/api", Some("/")),
            ("/api/", Some("/")),
            ("/api?why", Some("/?why")),
            ("/api//children", Some("//children")),
            (
                "http://porch:8080/api/children",
                Some("http://porch:8080/children"),
            ),
            ("/apiary", None),
            ("/", None),
            ("/login/api", None),
        ];

        for (given, expected) in cases {
            let found = below(API, &given.parse().unwrap());
            assert_eq!(
                found.map(|uri| uri.to_string()).as_deref(),
                expected,
                "{given}"
            );
        }
    }
}
