//! The composition root: builds all features in dependency order, and what they are given.

mod features;
mod guardian_services;
mod layers;
mod maintenance;
mod tables;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::alerts::Alerts;
use crate::alerts::reviewer::{Reviewer, ReviewerSettings};
use crate::assistants::deliveries::{AssistantService, Quota};
use crate::assistants::gateway::{Budget, Gateway};
use crate::attention::Attention;
use crate::children::Children;
use crate::children::access_log::AccessLog;
use crate::children::child_notice::{ChildNotices, Helpline};
use crate::children::history::History;
use crate::conversation_starters::ConversationStarters;
use crate::conversations::search::Search;
use crate::conversations::transcripts::Transcripts;
use crate::events::Events;
use crate::household::Household;
use crate::identity::{Identity, IdentitySettings};
use crate::insights::activities::Activities;
use crate::insights::metrics::Metrics;
use crate::insights::summary::Summaries;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::http::forwarding::ForwardingFaults;
use crate::kernel::outgoing::mail::Mailer;
use crate::kernel::outgoing::queue::Queue;
use crate::kernel::store::backup_state::ScheduledBackups;
use crate::kernel::store::due::DueClock;
use crate::kernel::store::{Store, StoreError};
use crate::notifications::{Notifications, Servers};
use crate::retention::Retention;
use crate::rules::Rules;
use crate::rules::blocked_topics::BlockedTopics;
use crate::rules::context::Contexts;
use crate::rules::schedule::Schedules;
use crate::tries::Tries;
use guardian_services::GuardianServices;
use layers::Layers;

pub use features::FEATURES;
pub use tables::{LEFT_OUT, not_restored, record_kinds};

/// The app's dependencies and settings.
#[derive(Clone)]
pub struct AppSettings {
    pub store: Store,
    pub clock: Clock,
    pub randomness: Randomness,
    /// How e-mails are sent.
    pub mailer: Mailer,
    pub servers: Servers,
    /// The administrator's settings of identity.
    pub identity: IdentitySettings,
    /// How much an assistant's key may store.
    pub assistant_quota: Quota,
    /// How many requests an assistant's key may send through the gateway in a day.
    pub gateway_budget: Budget,
    /// Whether guardians manage children and assistants in the browser.
    pub guardians_manage: bool,
    /// Which model reads along, if any.
    pub reviewer: ReviewerSettings,
    /// The last words of the page for an older child.
    pub helpline: Option<Helpline>,
    /// The scheduled backups, if there are any.
    pub backups: Option<ScheduledBackups>,
}

/// The application: the service of every feature, without HTTP. Clones share it.
#[derive(Clone)]
pub struct App(Arc<Services>);

impl Deref for App {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.0
    }
}

/// For tests: changes the services of this clone alone.
impl DerefMut for App {
    fn deref_mut(&mut self) -> &mut Services {
        Arc::make_mut(&mut self.0)
    }
}

#[derive(Clone)]
pub struct Services {
    pub store: Store,
    pub clock: Clock,
    pub due: DueClock,
    /// What leaves the server on its own.
    pub queue: Queue,
    /// Who is calling.
    pub identity: Identity,
    /// Which guardians and assistants have access to which children.
    pub children: Children,
    /// Who changed what of a child.
    pub history: History,
    /// Sessions and messages.
    pub transcripts: Transcripts,
    /// What a child has done and could do next.
    pub activities: Activities,
    /// What is known of a child at a glance.
    pub summaries: Summaries,
    /// What the assistant avoids with a child.
    pub blocked_topics: BlockedTopics,
    /// What the assistant should know of a child.
    pub contexts: Contexts,
    /// When the assistant may talk with a child.
    pub times: Schedules,
    /// The page that tells a child what is kept.
    pub child_notices: ChildNotices,
    /// Who read what a child said.
    pub access_log: AccessLog,
    /// What the assistant must follow.
    pub rules: Rules,
    /// Moving and deleting sessions.
    pub retention: Retention,
    /// Watched phrases, and what happened.
    pub alerts: Alerts,
    /// What a child was curious about.
    pub conversation_starters: ConversationStarters,
    /// Full-text search.
    pub search: Search,
    /// Statistics about a child's conversations.
    pub metrics: Metrics,
    /// The voice assistant's API.
    pub assistant: Arc<AssistantService>,
    /// The address for programs that speak to a model.
    pub gateway: Gateway,
    /// The model that reads along.
    pub reviewer: Reviewer,
    /// Made-up questions to the assistants' models.
    pub tries: Tries,
    /// What needs each guardian.
    pub attention: Attention,
    /// What guardians manage in the browser.
    pub household: Household,
    /// What guardians are notified of, and when.
    pub subscriptions: Notifications,
    pub events: Events,
    /// Faults in the headers of trusted proxies.
    pub forwarding: ForwardingFaults,
    draining: Arc<AtomicBool>,
    maintenance: Arc<maintenance::State>,
}

impl App {
    /// Builds the app, and finishes what an earlier run left half done.
    pub async fn start(settings: AppSettings) -> Result<Self, StoreError> {
        features::follow(&settings.store);
        let layers = Layers::start(&settings).await?;
        layers.assistants.gateway.finish_interrupted().await;
        let services = GuardianServices::new(&layers, &settings);
        services.tries.finish_interrupted().await;
        maintenance::backfill(&settings.store)?;
        let app = Self::of(layers, services);
        app.erase_left_over().await?;
        Ok(app)
    }

    fn of(layers: Layers, services: GuardianServices) -> Self {
        let Layers {
            people,
            conversations,
            policies,
            alerting,
            assistants,
        } = layers;
        let environment = people.identity.environment.clone();
        let services = Services {
            access_log: AccessLog::new(
                environment.store.clone(),
                environment.clock.clone(),
                people.children.clone(),
                environment.time_zone,
            ),
            store: environment.store,
            clock: environment.clock,
            due: environment.due,
            queue: environment.queue,
            identity: people.identity,
            children: people.children,
            history: people.history,
            transcripts: conversations.transcripts,
            activities: conversations.activities,
            summaries: conversations.summaries,
            times: conversations.times,
            search: conversations.search,
            metrics: conversations.metrics,
            blocked_topics: policies.blocked_topics,
            contexts: policies.contexts,
            rules: policies.rules,
            retention: policies.retention,
            alerts: alerting.alerts,
            subscriptions: alerting.notifications,
            assistant: assistants.deliveries,
            gateway: assistants.gateway,
            reviewer: assistants.reviewer,
            child_notices: services.child_notices,
            conversation_starters: services.conversation_starters,
            household: services.household,
            tries: services.tries,
            attention: services.attention,
            events: services.events,
            forwarding: ForwardingFaults::default(),
            draining: Arc::default(),
            maintenance: Arc::default(),
        };
        Self(Arc::new(services))
    }

    /// Makes `/readyz` fail from now on, so that no more traffic is sent; lets long-polling calls answer, and ends the event streams.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Release);
        self.rules.stop_waiting();
        self.events.stop();
    }

    /// Whether the app may take traffic: the store is writable and the app isn't shutting down.
    pub fn is_ready(&self) -> bool {
        !self.draining.load(Ordering::Acquire) && self.store.is_writable()
    }
}
