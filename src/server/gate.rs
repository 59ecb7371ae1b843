//! The outermost endpoint, which every request and every response passes.

use std::sync::Arc;

use futures_util::future::Either;
use poem::endpoint::{BoxEndpoint, DynEndpoint};
use poem::http::{HeaderMap, header};
use poem::{Endpoint, Request, Response, Result};

use super::address::below_api;
use super::calls::Calls;
use super::client::TrustedProxies;
use super::headers::Headers;
use super::hosts::KnownHosts;
use super::{beside_name, body, client, docs, envelope, other_scheme, plain_http};
use crate::assistants::deliveries::{AssistantService, RefusalKind};
use crate::assistants::gateway::api as gateway;
use crate::assistants::plugins::PluginVersion;
use crate::identity::api::verify_key;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::http::forwarding::ForwardingFaults;
use crate::kernel::http::origin::{AtName, OtherScheme};

fn is_of_assistants(path: &str) -> bool {
    path == "/api/assistant" || path.starts_with("/api/assistant/") || path.starts_with("/gateway/")
}

/// The plug-in that sent a request, by its own account.
fn plugin_of(headers: &HeaderMap) -> Option<PluginVersion> {
    PluginVersion::parse(headers.get(header::USER_AGENT)?.to_str().ok()?)
}

/// The endpoint for all HTTP requests.
pub struct Gate {
    pub proxies: TrustedProxies,
    /// Counts faults in the proxies' forwarding headers.
    pub faults: ForwardingFaults,
    pub public_url: PublicUrl,
    /// The host names that the server answers.
    pub hosts: KnownHosts,
    pub headers: Headers,
    /// The headers of responses at the home's name.
    pub named_headers: Option<Headers>,
    pub assistants: Arc<AssistantService>,
    /// The API's operations.
    pub calls: Calls,
    /// All other endpoints.
    pub routes: BoxEndpoint<'static, Response>,
}

impl Endpoint for Gate {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        other_scheme::identify(&self.proxies, &self.public_url, &mut request);
        let headers = match (&self.named_headers, request.data::<AtName>()) {
            (Some(named), Some(_)) => named,
            _ => &self.headers,
        };
        let over_plain_http = request.data::<OtherScheme>() == Some(&OtherScheme::Http);
        let mut answer = envelope::into_error_response(self.pass(request)).await;
        if over_plain_http {
            other_scheme::strip_secure(&mut answer);
        }
        Ok(headers.on(answer))
    }
}

impl Gate {
    async fn pass(&self, mut request: Request) -> Result<Response> {
        client::identify(&self.proxies, &self.faults, &mut request);
        envelope::bound_share(&request)?;
        envelope::bound_head(&request)?;
        gateway::normalise(&mut request);
        if let Err(error) = self.hosts.admit(&request) {
            if is_of_assistants(request.uri().path()) {
                self.note_refused_host(request.headers());
            }
            return Err(error);
        }
        plain_http::forward(&request)?;
        if let Some(answer) = beside_name::answer(self.hosts.named(), &request) {
            return Ok(answer);
        }
        if let Some(answer) = gateway::misdirected(request.uri().path(), &self.public_url) {
            body::discard_body(&mut request);
            return Ok(answer);
        }
        let is_of_assistants = is_of_assistants(request.uri().path());
        let plugin = is_of_assistants
            .then(|| plugin_of(request.headers()))
            .flatten();
        let Some(plugin) = plugin else {
            return self.route(request).await;
        };
        let headers = request.headers().clone();
        let answer = self.route(request).await?;
        if answer.status().is_success() {
            self.note_plugin(&headers, plugin);
        }
        Ok(answer)
    }

    /// Not an `async fn`: its future would store the request twice.
    fn route(&self, request: Request) -> impl Future<Output = Result<Response>> {
        let path = request.uri().path();
        if below_api(path).is_some() && !docs::is_page(path) {
            Either::Left(self.calls.call(request))
        } else {
            Either::Right(DynEndpoint::call(&*self.routes, request))
        }
    }

    fn note_plugin(&self, headers: &HeaderMap, plugin: PluginVersion) {
        if let Some(assistant) = verify_key(&self.assistants.assistants, headers) {
            let connections = &self.assistants.connections;
            connections.note_plugin(assistant.id(), plugin);
        }
    }

    /// Notes a refusal that the assistant's own endpoint doesn't see, if the key is valid.
    fn note_refused_host(&self, headers: &HeaderMap) {
        if let Some(assistant) = verify_key(&self.assistants.assistants, headers) {
            self.assistants
                .record_key_refusal(&assistant, RefusalKind::Host);
        }
    }
}
