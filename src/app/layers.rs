//! The layers of services, each built from those below it.

use std::sync::Arc;

use super::{AppSettings, FEATURES};
use crate::alerts::reviewer::{Consents, DEADLINE, FairScheduler, Reviewer, Reviewing};
use crate::alerts::{self, AlertReader, Alerts};
use crate::assistants::deliveries::{self, AssistantService};
use crate::assistants::gateway::Gateway;
use crate::children::Children;
use crate::children::history::History;
use crate::conversations::search::Search;
use crate::conversations::transcripts::Transcripts;
use crate::identity::{Environment, Identity};
use crate::insights::activities::Activities;
use crate::insights::metrics::Metrics;
use crate::insights::summary::Summaries;
use crate::kernel::outgoing::queue::Queue;
use crate::kernel::store::StoreError;
use crate::kernel::store::backup_state::ScheduledBackups;
use crate::kernel::store::due::DueClock;
use crate::models::Upstreams;
use crate::notifications::{self, Notifications, Servers};
use crate::retention::{self, Retention};
use crate::rules::blocked_topics::BlockedTopics;
use crate::rules::context::Contexts;
use crate::rules::schedule::Schedules;
use crate::rules::{self, Rules};

/// What the services for guardians are built on.
pub struct Layers {
    pub people: People,
    pub conversations: Conversations,
    pub policies: Policies,
    pub alerting: Alerting,
    pub assistants: Assistants,
}

impl Layers {
    pub async fn start(settings: &AppSettings) -> Result<Self, StoreError> {
        let people = People::start(settings).await?;
        let conversations = Conversations::new(&people.identity.environment);
        let backups = settings.backups.clone();
        let policies = Policies::start(&people, &conversations, backups).await?;
        let servers = settings.servers.clone();
        let alerting = Alerting::start(&people, &conversations, &policies, servers).await?;
        let assistants =
            Assistants::start(&people, &conversations, &policies, &alerting, settings).await?;
        Ok(Self {
            people,
            conversations,
            policies,
            alerting,
            assistants,
        })
    }
}

/// Who may see which children.
pub struct People {
    pub identity: Identity,
    pub children: Children,
    pub history: History,
}

impl People {
    pub async fn start(settings: &AppSettings) -> Result<Self, StoreError> {
        let AppSettings { store, clock, .. } = settings;
        let children = Children::new(store.clone(), clock.clone());
        let is_new = children.all_numbers(store)?.is_empty();
        let due = DueClock::start(store, clock, is_new)?;
        let (randomness, mailer) = (settings.randomness.clone(), settings.mailer.clone());
        let queue = Queue::new(store.clone(), clock.clone(), randomness.clone(), mailer);
        let identity = Identity::start(
            store.clone(),
            clock.clone(),
            due,
            randomness,
            queue,
            settings.identity.clone(),
        );
        // In a debug build the future is large.
        let identity = Box::pin(identity).await?;
        Ok(Self {
            history: History::new(store.clone(), children.clone(), identity.guardians.clone()),
            identity,
            children,
        })
    }
}

/// What was said, and what is computed from it.
pub struct Conversations {
    pub transcripts: Transcripts,
    pub activities: Activities,
    pub summaries: Summaries,
    pub times: Schedules,
    pub search: Search,
    pub metrics: Metrics,
}

impl Conversations {
    pub fn new(environment: &Environment) -> Self {
        let Environment { store, clock, .. } = environment;
        let transcripts = Transcripts::new(store.clone(), clock.clone());
        let summaries = Summaries::new(store);
        let times = Schedules::new(store, environment.time_zone.clone());
        Self {
            activities: Activities::new(store.clone(), clock.clone()),
            search: Search::new(store.clone(), transcripts.clone()),
            metrics: Metrics::new(
                store,
                clock.clone(),
                transcripts.clone(),
                summaries.clone(),
                times.clone(),
            ),
            transcripts,
            summaries,
            times,
        }
    }
}

/// What assistants must follow, and for how long conversations are kept.
pub struct Policies {
    pub blocked_topics: BlockedTopics,
    pub contexts: Contexts,
    pub rules: Rules,
    pub retention: Retention,
}

impl Policies {
    pub async fn start(
        people: &People,
        conversations: &Conversations,
        backups: Option<ScheduledBackups>,
    ) -> Result<Self, StoreError> {
        let identity = &people.identity;
        let environment = &identity.environment;
        let blocked_topics = BlockedTopics::new(&environment.store);
        let contexts = Contexts::new(&environment.store);
        let dependencies = rules::Dependencies {
            blocked_topics: blocked_topics.clone(),
            contexts: contexts.clone(),
            times: conversations.times.clone(),
            transcripts: conversations.transcripts.clone(),
            children: people.children.clone(),
            assistants: identity.assistants.clone(),
            history: people.history.clone(),
        };
        let rules = Rules::start(environment, dependencies).await?;
        let dependencies = retention::Dependencies {
            transcripts: conversations.transcripts.clone(),
            activities: conversations.activities.clone(),
            rules: rules.clone(),
            children: people.children.clone(),
            history: people.history.clone(),
            guardians: identity.guardians.clone(),
            assistants: identity.assistants.clone(),
            times: conversations.times.clone(),
            notices: identity.notices.clone(),
            backups,
        };
        Ok(Self {
            blocked_topics,
            contexts,
            rules,
            retention: Retention::start(environment, dependencies, &FEATURES).await?,
        })
    }
}

/// What guardians are alerted to, and how.
pub struct Alerting {
    pub notifications: Notifications,
    pub alerts: Alerts,
}

impl Alerting {
    pub async fn start(
        people: &People,
        conversations: &Conversations,
        policies: &Policies,
        servers: Servers,
    ) -> Result<Self, StoreError> {
        let (identity, children) = (&people.identity, &people.children);
        let environment = identity.environment.clone();
        let (store, clock) = (environment.store.clone(), environment.clock.clone());
        let dependencies = notifications::Dependencies {
            children: children.clone(),
            guardians: identity.guardians.clone(),
            transcripts: conversations.transcripts.clone(),
            sign_ins: identity.sign_ins.clone(),
            notices: identity.notices.clone(),
            metrics: conversations.metrics.clone(),
            alerts: AlertReader::new(policies.rules.clone()),
            servers,
        };
        let notifications = Notifications::start(environment, dependencies).await?;
        let immediate = notifications.immediate().clone();
        let dependencies = alerts::Dependencies {
            children: children.clone(),
            guardians: identity.guardians.clone(),
            assistants: identity.assistants.clone(),
            transcripts: conversations.transcripts.clone(),
            rules: policies.rules.clone(),
            retention: policies.retention.clone(),
            on_new: Arc::new(move |change, new| immediate.enqueue(change, new)),
        };
        Ok(Self {
            alerts: Alerts::new(store, clock, dependencies),
            notifications,
        })
    }
}

/// How assistants reach the server, and the model that reads what they deliver.
pub struct Assistants {
    pub deliveries: Arc<AssistantService>,
    pub gateway: Gateway,
    pub reviewer: Reviewer,
}

impl Assistants {
    pub async fn start(
        people: &People,
        conversations: &Conversations,
        policies: &Policies,
        alerting: &Alerting,
        settings: &AppSettings,
    ) -> Result<Self, StoreError> {
        let (identity, children) = (&people.identity, &people.children);
        let Environment {
            clock, randomness, ..
        } = &identity.environment;
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
        let quota = settings.assistant_quota;
        let deliveries = Arc::new(AssistantService::new(identity, dependencies, quota));
        let upstreams = Upstreams::new(clock.clone(), identity.assistants.clone());
        let budget = settings.gateway_budget;
        let gateway =
            Gateway::new(deliveries.clone(), upstreams, budget, randomness.clone()).await?;
        let consents = Consents::new(
            identity,
            children.clone(),
            people.history.clone(),
            gateway.upstreams.clone(),
            settings.reviewer.clone(),
        );
        let reviewing = Reviewing {
            consents: consents.clone(),
            transcripts: conversations.transcripts.clone(),
            blocked_topics: policies.blocked_topics.clone(),
            alerts: alerting.alerts.clone(),
            client: gateway.client.clone(),
            rng: randomness.clone(),
            turns: FairScheduler::default(),
            deadline: DEADLINE,
        };
        Ok(Self {
            deliveries,
            gateway,
            reviewer: Reviewer {
                consents,
                reviewing,
            },
        })
    }
}
