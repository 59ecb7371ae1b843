//! The services above the layers: what guardians read and manage.

use std::sync::Arc;

use super::layers::{Layers, People};
use super::{AppSettings, FEATURES};
use crate::attention::{self, Attention};
use crate::children::child_notice::{ChildNotices, Helpline};
use crate::conversation_starters::{self, ConversationStarters};
use crate::events::Events;
use crate::household::{self, Household};
use crate::rules::age;
use crate::tries::{self, Tries};

pub struct GuardianServices {
    pub child_notices: ChildNotices,
    pub conversation_starters: ConversationStarters,
    pub household: Household,
    pub tries: Tries,
    pub attention: Attention,
    pub events: Events,
}

impl GuardianServices {
    pub fn new(layers: &Layers, settings: &AppSettings) -> Self {
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
        let dependencies = conversation_starters::Dependencies {
            children: people.children.clone(),
            history: people.history.clone(),
            transcripts: conversations.transcripts.clone(),
            times: conversations.times.clone(),
            child_notices: child_notices.clone(),
            alerts: alerting.alerts.clone(),
        };
        let starters = ConversationStarters::new(store.clone(), clock.clone(), dependencies);
        let dependencies = attention::Dependencies {
            children: people.children.clone(),
            assistants: people.identity.assistants.clone(),
            rules: policies.rules.clone(),
            alerts: alerting.alerts.clone(),
            reviewer: assistants.reviewer.clone(),
            tries: tries.clone(),
        };
        Self {
            child_notices,
            conversation_starters: starters,
            household,
            tries,
            attention: Attention::new(store.clone(), clock.clone(), dependencies),
            events: Events::start(
                store,
                people.children.clone(),
                people.identity.sign_ins.clone(),
                &people.identity.other_devices,
                &assistants.deliveries.connections,
                FEATURES.iter().flat_map(|feature| feature.shown),
            ),
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
