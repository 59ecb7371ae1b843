//! The service of every feature. Those above the layers are built here: what guardians read and manage.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::layers::{Layers, People};
use super::{AppSettings, FEATURES, maintenance};
use crate::alerts::Alerts;
use crate::alerts::reviewer::Reviewer;
use crate::assistants::deliveries::AssistantService;
use crate::assistants::gateway::Gateway;
use crate::attention::{self, Attention};
use crate::children::Children;
use crate::children::access_log::AccessLog;
use crate::children::child_notice::{ChildNotices, Helpline};
use crate::children::history::History;
use crate::conversation_starters::{self, ConversationStarters};
use crate::conversations::search::Search;
use crate::conversations::transcripts::Transcripts;
use crate::events::Events;
use crate::household::{self, Household};
use crate::identity::Identity;
use crate::insights::activities::Activities;
use crate::insights::metrics::Metrics;
use crate::insights::summary::Summaries;
use crate::kernel::host::clock::Clock;
use crate::kernel::http::forwarding::ForwardingFaults;
use crate::kernel::outgoing::queue::Queue;
use crate::kernel::store::Store;
use crate::kernel::store::due::DueClock;
use crate::notifications::Notifications;
use crate::retention::Retention;
use crate::rules::Rules;
use crate::rules::age;
use crate::rules::blocked_topics::BlockedTopics;
use crate::rules::context::Contexts;
use crate::rules::schedule::Schedules;
use crate::tries::{self, Tries};

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
    pub notifications: Notifications,
    pub events: Events,
    /// Faults in the headers of trusted proxies.
    pub forwarding: ForwardingFaults,
    pub(super) draining: Arc<AtomicBool>,
    pub(super) maintenance: Arc<maintenance::State>,
}

impl Services {
    /// Builds the services above the layers, and takes over those of the layers.
    pub(super) fn new(layers: Layers, settings: &AppSettings) -> Self {
        let AppSettings { store, clock, .. } = settings;
        let child_notices = layers.child_notices(settings.helpline.clone());
        let household = layers.household(settings.guardians_manage);
        let tries = layers.tries();
        let Layers {
            people,
            conversations,
            policies,
            alerting,
            assistants,
        } = layers;
        let environment = people.identity.environment.clone();
        let for_starters = conversation_starters::Dependencies {
            children: people.children.clone(),
            history: people.history.clone(),
            transcripts: conversations.transcripts.clone(),
            times: conversations.times.clone(),
            child_notices: child_notices.clone(),
            alerts: alerting.alerts.clone(),
        };
        let for_attention = attention::Dependencies {
            children: people.children.clone(),
            assistants: people.identity.assistants.clone(),
            rules: policies.rules.clone(),
            alerts: alerting.alerts.clone(),
            reviewer: assistants.reviewer.clone(),
            tries: tries.clone(),
        };
        Self {
            conversation_starters: ConversationStarters::new(
                store.clone(),
                clock.clone(),
                for_starters,
            ),
            attention: Attention::new(store.clone(), clock.clone(), for_attention),
            events: Events::start(
                store,
                people.children.clone(),
                people.identity.sign_ins.clone(),
                &people.identity.other_devices,
                &assistants.deliveries.connections,
                FEATURES.iter().flat_map(|feature| feature.shown),
            ),
            child_notices,
            household,
            tries,
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
            notifications: alerting.notifications,
            assistant: assistants.deliveries,
            gateway: assistants.gateway,
            reviewer: assistants.reviewer,
            forwarding: ForwardingFaults::default(),
            draining: Arc::default(),
            maintenance: Arc::default(),
        }
    }
}

impl Layers {
    fn child_notices(&self, helpline: Option<Helpline>) -> ChildNotices {
        let People {
            identity,
            children,
            history,
        } = &self.people;
        let consents = self.assistants.reviewer.consents.clone();
        ChildNotices {
            store: identity.environment.store.clone(),
            clock: identity.environment.clock.clone(),
            children: children.clone(),
            history: history.clone(),
            guardians: identity.guardians.clone(),
            assistants: identity.assistants.clone(),
            helpline,
            is_reviewed: Arc::new(move |view, child| {
                Ok(consents.permitted(view, child)?.is_some())
            }),
            age: Arc::new(|view, child| Ok(age::issued(view, child)?.age())),
            tried_assistants: Arc::new(tries::tried_assistants),
        }
    }

    fn household(&self, guardians_manage: bool) -> Household {
        let (people, policies, assistants) = (&self.people, &self.policies, &self.assistants);
        let dependencies = household::Dependencies {
            children: people.children.clone(),
            history: people.history.clone(),
            transcripts: self.conversations.transcripts.clone(),
            times: self.conversations.times.clone(),
            upstreams: assistants.gateway.upstreams.clone(),
            rules: policies.rules.clone(),
            retention: policies.retention.clone(),
            connections: assistants.deliveries.connections.clone(),
            guardians_manage,
        };
        Household::new(&people.identity, dependencies)
    }

    fn tries(&self) -> Tries {
        let (people, assistants) = (&self.people, &self.assistants);
        let environment = people.identity.environment.clone();
        let dependencies = tries::Dependencies {
            children: people.children.clone(),
            history: people.history.clone(),
            sign_ins: people.identity.sign_ins.clone(),
            transcripts: self.conversations.transcripts.clone(),
            rules: self.policies.rules.clone(),
            gateway: assistants.gateway.clone(),
            reviewer: assistants.reviewer.clone(),
        };
        let (clock, randomness) = (environment.clock, environment.randomness);
        Tries::new(environment.store, clock, randomness, dependencies)
    }
}
