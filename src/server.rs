//! The network's side: one origin, three kinds of address.
//!
//! `/api` is the API, described by `openapi.yaml`; a few addresses are the server's own; every other GET is
//! the React app. A request passes, from the outside in: the connection's deadlines ([`listener`]), the
//! headers of every answer ([`headers`]), who it comes from ([`client`]), the hosts we answer for
//! ([`hosts`]), the shape of every error ([`envelope`]), how often one may ask ([`limits`]), the body's
//! limits ([`body`]), and then the operation.

pub mod body;
mod client;
mod docs;
mod envelope;
mod headers;
mod hosts;
mod limits;
pub mod listener;
mod methods;
mod ui;

use std::sync::Arc;

use poem::endpoint::{BoxEndpoint, make_sync};
use poem::http::StatusCode;
use poem::{Endpoint, EndpointExt, IntoEndpoint, IntoResponse, Response, Route};
use poem_openapi::{OpenApi, OpenApiService};

use crate::activities::api::ActivitiesApi;
use crate::app::App;
use crate::assistant;
use crate::blocked_topics::api::BlockedTopicsApi;
use crate::children::api::ChildrenApi;
use crate::identity::api::{IdentityApi, ProviderApi, SignInsApi};
use crate::kernel::limit::Leniency;
use crate::summary::api::SummaryApi;
use crate::transcripts::api::TranscriptsApi;

use body::{BodyLimits, ReadBody};
use limits::Limits;
use methods::Methods;

pub use client::{ClientAddress, TrustedProxies};
pub use envelope::quieten_panics;
pub use hosts::KnownHosts;

/// The largest body of a request, in bytes.
const LARGEST_BODY: usize = 1024 * 1024;

/// The largest batch of an assistant, in bytes.
const LARGEST_BATCH: usize = 4 * 1024 * 1024;

/// The API, feature by feature.
fn operations(app: &App) -> impl OpenApi + use<> {
    (
        IdentityApi {
            identity: app.identity.clone(),
        },
        ProviderApi {
            identity: app.identity.clone(),
        },
        SignInsApi {
            identity: app.identity.clone(),
        },
        ChildrenApi {
            children: app.children.clone(),
        },
        SummaryApi {
            children: app.children.clone(),
            summaries: app.summaries.clone(),
        },
        TranscriptsApi {
            children: app.children.clone(),
            transcripts: app.transcripts.clone(),
        },
        ActivitiesApi {
            children: app.children.clone(),
            activities: app.activities.clone(),
        },
        BlockedTopicsApi {
            children: app.children.clone(),
            blocked_topics: app.blocked_topics.clone(),
        },
        assistant::api::calls(&app.assistant),
    )
}

fn service<T: OpenApi>(operations: T) -> OpenApiService<T, ()> {
    OpenApiService::new(operations, "Porchlight", env!("CARGO_PKG_VERSION"))
        .description(
            "What a parent and a voice assistant ask of Porchlight. Every error is \
             `{\"detail\": \"<a sentence a parent can read>\"}`.",
        )
        .server("/api")
}

/// The contract that the code declares, as YAML.
pub fn contract() -> String {
    let declared = service(docs::Declared::by(operations));
    docs::Contract::of(&declared).yaml().to_owned()
}

/// What the administrator decides about the way in.
#[derive(Clone, Debug)]
pub struct Entrance {
    /// The names under which we answer.
    pub hosts: KnownHosts,
    /// Whose word on a request's origin counts.
    pub proxies: TrustedProxies,
    /// How strict the limits are.
    pub limits: Leniency,
}

/// Everything that answers over HTTP.
pub fn endpoint(app: &App, entrance: Entrance) -> Arc<BoxEndpoint<'static, Response>> {
    let Entrance {
        hosts,
        proxies,
        limits,
    } = entrance;
    let limits = Arc::new(Limits::new(limits, &app.clock));
    let service = service(operations(app));
    let contract = docs::Contract::of(&service);
    let methods = Arc::new(Methods::of(contract.value()));
    let operations = service
        .around(move |next, request| envelope::name_methods(methods.clone(), next, request))
        .data(app.identity.clone())
        .around(envelope::log_operation)
        .with(ReadBody::new(BodyLimits::new(largest_body)))
        .around(move |next, request| limits::hold(limits.clone(), next, request));
    let routes = Route::new()
        .nest(
            "/api",
            docs::beside(contract, operations).around(envelope::problems),
        )
        .at("/healthz", make_sync(|_| "ok\n").around(envelope::problems))
        .at("/readyz", readiness(app.clone()))
        .at("/.well-known/jwks.json", jwks(app))
        .at("/robots.txt", make_sync(|_| "User-agent: *\nDisallow: /\n"))
        .nest_no_strip("/", ui::Ui::embedded());
    let https = app.identity.public_url().is_https();
    let whole = routes
        .around(move |next, request| hosts::only_known(hosts.clone(), next, request))
        .around(envelope::bound_head)
        .around(move |next, request| client::identify(proxies.clone(), next, request))
        .around(envelope::problems)
        .around(move |next, request| headers::protect(https, next, request));
    Arc::new(whole.into_endpoint().map_to_response().boxed())
}

/// How large a request's body may be, in bytes, at this path.
fn largest_body(path: &str) -> usize {
    match path.starts_with("/assistant/") {
        true => LARGEST_BATCH,
        false => LARGEST_BODY,
    }
}

fn readiness(app: App) -> impl Endpoint {
    make_sync(move |_| match app.is_ready() {
        true => "ready\n".into_response(),
        false => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response(),
    })
}

fn jwks(app: &App) -> impl Endpoint + use<> {
    let keys = app.identity.jwks();
    make_sync(move |_| keys.clone().with_content_type("application/jwk-set+json"))
}
