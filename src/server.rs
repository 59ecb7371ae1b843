//! The HTTP server: one origin with four kinds of paths.
//!
//! `/api` is the API, described by `openapi.yaml`; `/gateway` speaks OpenAI's and Ollama's; a few paths are the server's own;
//! every other GET is answered with the React app. A request passes, from the outside in: the connection's deadlines ([`listener`]), the
//! [`gate`] with the headers of every response ([`headers`]), the error format ([`envelope`]), the
//! client's address ([`client`]) and the allowed hosts ([`hosts`]). An API call
//! ([`calls`]) then passes the check of its credential, the rate limits ([`RequestLimits`]), the limits of its body ([`body`]) and of
//! its caller's memory ([`memory`]), and reaches the operation.

mod address;
mod body;
mod calls;
mod client;
mod docs;
mod envelope;
mod error_page;
mod gate;
mod gateway;
mod headers;
mod hosts;
pub mod listener;
mod memory;
mod methods;
mod other_scheme;
mod plain_http;
mod ui;
mod unsubscribe;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use poem::endpoint::{BoxEndpoint, make_sync};
use poem::http::StatusCode;
use poem::{Endpoint, EndpointExt, IntoResponse, Response};
use poem_openapi::{LicenseObject, OpenApi, OpenApiService};

use crate::alerts::api::AlertsApi;
use crate::alerts::reviewer::api::ReviewerApi;
use crate::app::App;
use crate::assistants::deliveries;
use crate::assistants::gateway::Origins;
use crate::assistants::gateway::api::PREFIX;
use crate::attention::api::AttentionApi;
use crate::children::access_log::api::AccessLogApi;
use crate::children::api::ChildrenApi;
use crate::children::child_notice::api::ChildNoticeApi;
use crate::children::history::api::HistoryApi;
use crate::conversation_starters::api::ConversationStartersApi;
use crate::conversations::search::api::SearchApi;
use crate::conversations::transcripts::api::TranscriptsApi;
use crate::events::api::EventsApi;
use crate::household::api::{
    ConnectionsApi, HouseholdApi, InvitationsApi, RequestsApi, RetentionPeriodApi, SetupApi,
    UpstreamsApi,
};
use crate::identity;
use crate::identity::api::{Homes, RequestLimits, RequestServices};
use crate::insights::activities::api::ActivitiesApi;
use crate::insights::metrics::api::MetricsApi;
use crate::insights::summary::api::SummaryApi;
use crate::kernel::http::limit::LimitMode;
use crate::notifications;
use crate::retention::api::{DeletionsApi, KeptApi, RetentionApi};
use crate::rules;
use crate::tries::api::TriesApi;

use address::{API, BelowApi};
use calls::Calls;
use gate::Gate;
use headers::Headers;
use memory::MemoryBudget;
use methods::Methods;
use unsubscribe::Unsubscribe;

pub use client::TrustedProxies;
pub use envelope::install_panic_hook;
pub use headers::Hsts;
pub use hosts::KnownHosts;

fn operations(app: &App) -> impl OpenApi + use<> {
    (
        identity::api::operations(&app.identity),
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
        // In a tuple of their own, because a tuple holds at most 16.
        (
            SearchApi {
                children: app.children.clone(),
                search: app.search.clone(),
            },
            AlertsApi {
                children: app.children.clone(),
                alerts: app.alerts.clone(),
            },
            MetricsApi {
                children: app.children.clone(),
                metrics: app.metrics.clone(),
            },
            RetentionApi {
                children: app.children.clone(),
                transcripts: app.transcripts.clone(),
                retention: app.retention.clone(),
                sign_ins: app.identity.sign_ins.clone(),
            },
            HouseholdApi {
                management: app.household.management.clone(),
                profiles: app.household.profiles.clone(),
                invitations: app.household.invitations.clone(),
                assistants: app.household.assistants.clone(),
                public_url: app.identity.public_url().clone(),
            },
            RequestsApi {
                management: app.household.management.clone(),
                profiles: app.household.profiles.clone(),
                requests: app.household.requests.clone(),
                invitations: app.household.invitations.clone(),
                consents: app.reviewer.consents.clone(),
            },
            ConnectionsApi {
                children: app.children.clone(),
                assistants: app.household.assistants.clone(),
            },
            UpstreamsApi {
                management: app.household.management.clone(),
                assistants: app.household.assistants.clone(),
            },
            InvitationsApi {
                management: app.household.management.clone(),
                invitations: app.household.invitations.clone(),
                identity: app.identity.clone(),
            },
            SetupApi {
                identity: app.identity.clone(),
                profiles: app.household.profiles.clone(),
            },
        ),
        ActivitiesApi {
            children: app.children.clone(),
            activities: app.activities.clone(),
            zone_of: Arc::new({
                let times = app.times.clone();
                move |access| times.zone_of(access)
            }),
        },
        (
            ChildNoticeApi {
                children: app.children.clone(),
                pages: app.child_notices.clone(),
            },
            AttentionApi {
                children: app.children.clone(),
                attention: app.attention.clone(),
            },
            ConversationStartersApi {
                children: app.children.clone(),
                conversation_starters: app.conversation_starters.clone(),
            },
        ),
        HistoryApi {
            children: app.children.clone(),
            history: app.history.clone(),
        },
        rules::api::operations(&app.rules, &app.identity.write_budgets),
        notifications::api::operations(&app.notifications, &app.identity.sign_ins),
        (
            AccessLogApi {
                children: app.children.clone(),
                guardians: app.identity.guardians.clone(),
                access_log: app.access_log.clone(),
            },
            DeletionsApi {
                children: app.children.clone(),
                retention: app.retention.clone(),
            },
            KeptApi {
                children: app.children.clone(),
                transcripts: app.transcripts.clone(),
                retention: app.retention.clone(),
            },
            RetentionPeriodApi {
                children: app.children.clone(),
                requests: app.household.requests.clone(),
            },
            ReviewerApi {
                reviewer: app.reviewer.clone(),
                sign_ins: app.identity.sign_ins.clone(),
            },
            TriesApi {
                tries: app.tries.clone(),
            },
        ),
        EventsApi {
            children: app.children.clone(),
            events: app.events.clone(),
        },
        deliveries::api::calls(&app.assistant, app.identity.public_url()),
    )
}

fn service<T: OpenApi>(operations: T) -> OpenApiService<T, ()> {
    OpenApiService::new(operations, "Porchlight", env!("CARGO_PKG_VERSION"))
        .description(
            "What a parent and a voice assistant ask of Porchlight. Every error is \
             `{\"detail\": \"<a sentence a parent can read>\", \"code\": \"<which sentence>\", \"args\": {<its values>}, \"at\": \"<where in \
             the request>\"}`; `args` is left out when the sentence has none, and `at` when it is nowhere in the body or the query. \
             `…_at` is when something happened or will, on the server's clock; `…_time` a moment in a conversation, as its assistant \
             says; `…_on` a day; `from` and `to` the first and the last day; `since` and `until` when something began to be so, and when it \
             ends. What assistants use is also a document of its own, `/api/assistant/openapi.json`, in which nothing changes without \
             a version. Everything else serves Porchlight's own pages, and may change with each release.",
        )
        .license(LicenseObject::new("MIT").url("https://opensource.org/license/mit"))
        .server(API)
}

/// The contract. A debug build derives it from the code; others embed the committed one, which saves two megabytes of
/// code that would be run at each start. A test compares the two.
static CONTRACT: LazyLock<docs::Contract> = LazyLock::new(|| {
    if cfg!(debug_assertions) {
        docs::Contract::of(&service(BelowApi(docs::Declared::by(operations))))
    } else {
        docs::Contract::Committed
    }
});

static METHODS: LazyLock<Methods> = LazyLock::new(|| Methods::of(&CONTRACT.json()));

pub fn contract() -> Cow<'static, str> {
    CONTRACT.yaml()
}

/// The part of the contract for assistants, and its version.
pub fn assistant_contract() -> (&'static str, String) {
    (docs::ASSISTANT_VERSION, CONTRACT.of_assistants())
}

/// The administrator's settings for incoming requests.
#[derive(Clone)]
pub struct IngressConfig {
    /// The host names that the server answers.
    pub hosts: KnownHosts,
    /// The proxies whose forwarding headers are trusted.
    pub proxies: TrustedProxies,
    /// How strict the limits are.
    pub limits: LimitMode,
    /// Records the households from which requests with a valid credential come.
    pub callers: Homes,
    /// Whether browsers are instructed to use https only for this host.
    pub hsts: Hsts,
    /// The origins whose pages may use the gateway.
    pub gateway_origins: Origins,
}

/// The endpoint for all HTTP requests.
pub fn endpoint(app: &App, ingress: IngressConfig) -> Arc<BoxEndpoint<'static, Response>> {
    let IngressConfig {
        hosts,
        proxies,
        limits,
        callers,
        hsts,
        gateway_origins,
    } = ingress;
    let limits = Arc::new(RequestLimits::new(limits, &app.clock, callers));
    let services = Arc::new(RequestServices {
        identity: app.identity.clone(),
        limits: limits.clone(),
    });
    let calls = Calls {
        limits,
        services,
        budget: MemoryBudget::default(),
        methods: &METHODS,
        access_log: app.access_log.clone(),
        operations: calls::routes(BelowApi(operations(app))),
    };
    let unsubscribing = Unsubscribe {
        notifications: app.notifications.clone(),
    };
    let gateway = gateway::endpoint(&calls, app.gateway.clone(), gateway_origins);
    let routes = docs::pages(&CONTRACT)
        .nest_no_strip(PREFIX, gateway)
        .at("/healthz", make_sync(|_| "ok\n"))
        .at("/readyz", readiness(app.clone()))
        .at("/.well-known/jwks.json", jwks(app))
        .at(unsubscribe::path(), unsubscribing)
        .at("/robots.txt", make_sync(|_| "User-agent: *\nDisallow: /\n"))
        .nest_no_strip("/", ui::Ui::embedded());
    let gate = Gate {
        proxies,
        faults: app.forwarding.clone(),
        public_url: app.identity.public_url().clone(),
        headers: Headers::new(app.identity.public_url(), hsts),
        named_headers: hosts
            .named()
            .map(|named| Headers::new(&named.url, Hsts::Off)),
        hosts,
        assistants: Arc::clone(&app.assistant),
        calls,
        routes: routes.boxed(),
    };
    Arc::new(gate.boxed())
}

fn readiness(app: App) -> impl Endpoint {
    make_sync(move |_| {
        if app.is_ready() {
            "ready\n".into_response()
        } else {
            (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response()
        }
    })
}

fn jwks(app: &App) -> impl Endpoint + use<> {
    let keys = Bytes::from(app.identity.tokens.jwks());
    make_sync(move |_| keys.clone().with_content_type("application/jwk-set+json"))
}
