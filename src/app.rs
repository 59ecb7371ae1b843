//! The composition root: builds all features in dependency order, and what they are given.

mod features;
mod layers;
mod maintenance;
mod tables;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::alerts::Alerts;
use crate::alerts::reviewer::{
    Consents, DEADLINE, FairScheduler, Reviewer, ReviewerSettings, Reviewing,
};
use crate::assistants::deliveries::{self, AssistantService, Quota};
use crate::assistants::gateway::{Budget, Gateway};
use crate::attention::{self, Attention};
use crate::children::Children;
use crate::children::access_log::AccessLog;
use crate::children::child_notice::{ChildNotices, Helpline};
use crate::children::history::History;
use crate::conversation_starters::{self, ConversationStarters};
use crate::conversations::search::Search;
use crate::conversations::transcripts::Transcripts;
use crate::events::Events;
use crate::household::{self, Extents, Household};
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
use crate::models::Upstreams;
use crate::notifications::{Notifications, Servers};
use crate::retention::Retention;
use crate::rules::Rules;
use crate::rules::age::Ages;
use crate::rules::blocked_topics::BlockedTopics;
use crate::rules::context::Contexts;
use crate::rules::schedule::Schedules;
use crate::tries::{self, Tries};
use layers::{Alerting, Conversations, People, Policies};

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

/// Changes the services of this clone alone.
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
    /// How old a child is.
    pub ages: Ages,
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
        let people = People::start(&settings).await?;
        let conversations = Conversations::new(&people.identity.environment);
        let policies = Policies::start(&people, &conversations, settings.backups).await?;
        let servers = settings.servers;
        let alerting = Alerting::start(&people, &conversations, &policies, servers).await?;
        let (identity, children, history) = (people.identity, people.children, people.history);
        let environment = identity.environment.clone();
        let (store, clock, rng) = (environment.store, environment.clock, environment.randomness);
        let time_zone = environment.time_zone;
        let dependencies = deliveries::Dependencies {
            children: children.clone(),
            transcripts: conversations.transcripts.clone(),
            activities: conversations.activities.clone(),
            summaries: conversations.summaries.clone(),
            blocked_topics: policies.blocked_topics.clone(),
            rules: policies.rules.clone(),
            retention: policies.retention.clone(),
            alerts: alerting.alerts.clone(),
        };
        let assistant = AssistantService::new(&identity, dependencies, settings.assistant_quota);
        let assistant = Arc::new(assistant);
        let upstreams = Upstreams::new(clock.clone(), identity.assistants.clone());
        let budget = settings.gateway_budget;
        let gateway = Gateway::new(assistant.clone(), upstreams, budget, rng.clone()).await?;
        let consents = Consents::new(
            &identity,
            children.clone(),
            history.clone(),
            gateway.upstreams.clone(),
            settings.reviewer,
        );
        let reviewing = Reviewing {
            consents: consents.clone(),
            transcripts: conversations.transcripts.clone(),
            blocked_topics: policies.blocked_topics.clone(),
            alerts: alerting.alerts.clone(),
            client: gateway.client.clone(),
            rng: rng.clone(),
            turns: FairScheduler::default(),
            deadline: DEADLINE,
        };
        let (reviewed, ages) = (consents.clone(), policies.ages.clone());
        let child_notices = ChildNotices {
            store: store.clone(),
            clock: clock.clone(),
            children: children.clone(),
            history: history.clone(),
            guardians: identity.guardians.clone(),
            assistants: identity.assistants.clone(),
            helpline: settings.helpline,
            is_reviewed: Arc::new(move |view, child| {
                Ok(reviewed.permitted(view, child)?.is_some())
            }),
            age: Arc::new(move |view, child| Ok(ages.told(view, child)?.age())),
            tried_assistants: Arc::new(tries::tried_assistants),
        };
        let dependencies = conversation_starters::Dependencies {
            children: children.clone(),
            history: history.clone(),
            transcripts: conversations.transcripts.clone(),
            times: conversations.times.clone(),
            child_notices: child_notices.clone(),
            alerts: alerting.alerts.clone(),
        };
        let conversation_starters =
            ConversationStarters::new(store.clone(), clock.clone(), dependencies);
        gateway.finish_interrupted().await;
        let (transcripts, times) = (&conversations.transcripts, &conversations.times);
        let extents = Extents::new(children.clone(), transcripts.clone(), times.clone());
        let dependencies = household::Dependencies {
            history: history.clone(),
            extents,
            upstreams: gateway.upstreams.clone(),
            ages: policies.ages.clone(),
            rules: policies.rules.clone(),
            retention: policies.retention.clone(),
            consents: consents.clone(),
            connections: assistant.connections.clone(),
        };
        let reviewer = Reviewer {
            reviewing,
            consents,
        };
        let household = Household::new(&identity, dependencies, settings.guardians_manage);
        let dependencies = tries::Dependencies {
            children: children.clone(),
            history: history.clone(),
            sign_ins: identity.sign_ins.clone(),
            transcripts: transcripts.clone(),
            rules: policies.rules.clone(),
            gateway: gateway.clone(),
            reviewer: reviewer.clone(),
        };
        let tries = Tries::new(store.clone(), clock.clone(), rng, dependencies);
        tries.finish_interrupted().await;
        let dependencies = attention::Dependencies {
            children: children.clone(),
            assistants: identity.assistants.clone(),
            rules: policies.rules.clone(),
            alerts: alerting.alerts.clone(),
            reviewer: reviewer.clone(),
            tries: tries.clone(),
        };
        let attention = Attention::new(store.clone(), clock.clone(), dependencies);
        let events = Events::start(
            &store,
            children.clone(),
            identity.sign_ins.clone(),
            &identity.other_devices,
            &assistant.connections,
            FEATURES.iter().flat_map(|feature| feature.shown),
        );
        maintenance::backfill(&store)?;
        let access_log = AccessLog::new(store.clone(), clock.clone(), children.clone(), time_zone);
        let app = Self(Arc::new(Services {
            store,
            clock,
            due: environment.due,
            queue: environment.queue,
            identity,
            children,
            history,
            transcripts: conversations.transcripts,
            activities: conversations.activities,
            summaries: conversations.summaries,
            times: conversations.times,
            search: conversations.search,
            metrics: conversations.metrics,
            blocked_topics: policies.blocked_topics,
            contexts: policies.contexts,
            ages: policies.ages,
            rules: policies.rules,
            retention: policies.retention,
            alerts: alerting.alerts,
            subscriptions: alerting.notifications,
            child_notices,
            access_log,
            conversation_starters,
            assistant,
            gateway,
            reviewer,
            tries,
            attention,
            household,
            events,
            forwarding: ForwardingFaults::default(),
            draining: Arc::default(),
            maintenance: Arc::default(),
        }));
        app.erase_left_over().await?;
        Ok(app)
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
