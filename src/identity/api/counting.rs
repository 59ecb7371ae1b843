//! Which limit the requests of an operation count against. An operation says so beside its handler:
//! `#[oai(transform = "sign_in_limit")]`.

use std::sync::Arc;

use poem::http::{Method, StatusCode};
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Result};

use super::limits::{LimitedRequest, RequestLimits};
use crate::identity::Identity;
use crate::kernel::http::origin::ClientAddress;

/// What operations use of every request's extensions.
pub struct RequestServices {
    pub identity: Identity,
    pub limits: Arc<RequestLimits>,
}

struct Limited<E> {
    kind: LimitedRequest,
    endpoint: E,
}

impl<E: Endpoint> Endpoint for Limited<E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        let services = request.data::<Arc<RequestServices>>().cloned();
        let counted = services.zip(request.data::<ClientAddress>().copied());
        if let Some((services, ClientAddress(from))) = &counted {
            services.limits.take(self.kind, &mut request, *from)?;
        }
        let answer = self.endpoint.call(request).await?.into_response();
        // `Token` includes signing out, which answers 204 and is no sign-in.
        let signs_in = matches!(self.kind, LimitedRequest::SignIn | LimitedRequest::Token);
        if let Some((services, ClientAddress(from))) = counted
            && signs_in
            && answer.status() == StatusCode::OK
        {
            services.limits.note_sign_in(from);
        }
        Ok(answer)
    }
}

pub fn link_limit(endpoint: impl Endpoint) -> impl Endpoint {
    limited(LimitedRequest::Link, endpoint)
}

pub fn sign_in_limit(endpoint: impl Endpoint) -> impl Endpoint {
    limited(LimitedRequest::SignIn, endpoint)
}

pub fn token_limit(endpoint: impl Endpoint) -> impl Endpoint {
    limited(LimitedRequest::Token, endpoint)
}

pub fn provider_limit(endpoint: impl Endpoint) -> impl Endpoint {
    limited(LimitedRequest::Provider, endpoint)
}

fn limited<E>(kind: LimitedRequest, endpoint: E) -> Limited<E> {
    Limited { kind, endpoint }
}

/// Marks a request that doesn't count against a guardian's limit of changes.
#[derive(Clone, Copy)]
struct Uncounted;

/// For an operation that only reads, or that cancels, ends, deletes, restores or keeps something.
pub fn uncounted(endpoint: impl Endpoint) -> impl Endpoint {
    endpoint.before(|mut request| async move {
        request.extensions_mut().insert(Uncounted);
        Ok(request)
    })
}

/// Whether a guardian's request counts against their limit of changes: it isn't of an [`uncounted`] operation, and neither reads nor
/// deletes.
pub(super) fn is_counted(request: &Request) -> bool {
    let is_free = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::DELETE
    );
    !is_free && request.data::<Uncounted>().is_none()
}
