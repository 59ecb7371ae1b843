//! The outermost endpoint, which every request and every response passes.

use poem::{Endpoint, Request, Response, Result, Route};

use super::client::TrustedProxies;
use super::headers::Headers;
use super::hosts::KnownHosts;
use super::{client, envelope, other_scheme, plain_http};
use crate::kernel::forwarding::ForwardingFaults;
use crate::kernel::origin::OtherScheme;
use crate::kernel::public_url::PublicUrl;

/// The endpoint for all HTTP requests.
pub struct Gate {
    pub proxies: TrustedProxies,
    /// Counts faults in the proxies' forwarding headers.
    pub faults: ForwardingFaults,
    pub public_url: PublicUrl,
    /// The host names that the server answers.
    pub hosts: KnownHosts,
    pub headers: Headers,
    /// The endpoints by path.
    pub routes: Route,
}

impl Endpoint for Gate {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        other_scheme::identify(&self.proxies, &self.public_url, &mut request);
        let over_plain_http = request.data::<OtherScheme>() == Some(&OtherScheme::Http);
        let mut answer = envelope::into_error_response(self.pass(request)).await;
        if over_plain_http {
            other_scheme::loosen_cookies(&mut answer);
        }
        Ok(self.headers.on(answer))
    }
}

impl Gate {
    async fn pass(&self, mut request: Request) -> Result<Response> {
        client::identify(&self.proxies, &self.faults, &mut request);
        envelope::bound_head(&request)?;
        self.hosts.admit(&request)?;
        plain_http::send_on(&request)?;
        self.routes.call(request).await
    }
}
