//! The outermost endpoint, which every request and every response passes.
//!
//! Operations are registered under their [whole addresses](super::address), because poem's `nest` takes the address apart and
//! puts it together again at each level.

use poem::endpoint::{BoxEndpoint, DynEndpoint};
use poem::{Endpoint, Request, Response, Result};

use super::address::below_api;
use super::client::TrustedProxies;
use super::headers::Headers;
use super::hosts::KnownHosts;
use super::{client, envelope};
use crate::kernel::forwarding::ForwardingFaults;

/// The whole of what answers over HTTP.
pub struct Gate<A> {
    /// The proxies whose forwarding headers are trusted.
    pub proxies: TrustedProxies,
    /// Counts faults in their forwarding headers.
    pub faults: ForwardingFaults,
    /// The host names that the server answers.
    pub hosts: KnownHosts,
    /// The headers of every response.
    pub headers: Headers,
    /// What answers below `/api`.
    pub api: A,
    /// What answers everywhere else.
    pub beside: BoxEndpoint<'static, Response>,
}

impl<A: Endpoint<Output = Response>> Endpoint for Gate<A> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let answer = envelope::whatever_fails(self.pass(request)).await;
        Ok(self.headers.on(answer))
    }
}

impl<A: Endpoint<Output = Response>> Gate<A> {
    async fn pass(&self, mut request: Request) -> Result<Response> {
        client::identify(&self.proxies, &self.faults, &mut request);
        envelope::bound_head(&request)?;
        self.hosts.admit(&request)?;
        match below_api(request.uri().path()) {
            Some(_) => self.api.call(request).await,
            None => DynEndpoint::call(&*self.beside, request).await,
        }
    }
}
