//! What every request passes, and every answer: one endpoint around all others.
//!
//! One, because each endpoint around another moves the request once more and makes the future larger that is
//! allocated for it; and because poem's `nest` takes the address apart and puts it together again at each level, so the
//! operations stand at their [whole addresses](super::address). Together that took a third of the processor time of a
//! short answer. An `async fn` has room for each of its arguments twice, as given and as handed on; so what is given a
//! whole future is made of combinators instead, and what a request goes on to may end in a box. Eight kilobytes became two.

use futures_util::FutureExt;
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
    /// Whose word on a request's origin counts.
    pub proxies: TrustedProxies,
    /// Where what they got wrong is counted.
    pub faults: ForwardingFaults,
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
        client::identify(&self.proxies, &self.faults, &mut request);
        envelope::bound_head(&request)?;
        self.hosts.admit(&request)?;
        match below_api(request.uri().path()) {
            Some(_) => self.api.call(request).await,
            None => DynEndpoint::call(&*self.beside, request).await,
        }
    }
}
