//! The composition root: builds all features in dependency order, and what they are given.

mod features;
mod maintenance;
mod reviewing;
mod tables;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::alerts::reviewer::{Consents, OfReviewer, Reviewer, ReviewerSettings};
use crate::alerts::{self, AlertReader, Alerts};
use crate::assistants::deliveries::{self, AssistantService, Connections, LatestDelivery, Quota};
use crate::assistants::gateway::{Budget, Gateway};
use crate::children::access_log::AccessLog;
use crate::children::child_notice::{ChildNotices, Helpline};
use crate::children::history::History;
use crate::children::{ChildAccess, Children};
use crate::conversation_starters::{self, ConversationStarters};
use crate::conversations::search::Search;
use crate::conversations::transcripts::Transcripts;
use crate::events::Events;
use crate::household::{Emails, Extents, Household};
use crate::identity::{ConcurrencyLimit, Identity, IdentitySettings};
use crate::insights::activities::Activities;
use crate::insights::metrics::Metrics;
use crate::insights::summary::Summaries;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::zones::Zone;
use crate::kernel::http::forwarding::ForwardingFaults;
use crate::kernel::outgoing::mail::Mailer;
use crate::kernel::outgoing::queue::Queue;
use crate::kernel::store::backup_state::ScheduledBackups;
use crate::kernel::store::due::DueClock;
use crate::kernel::store::{Store, StoreError};
use crate::models::Upstreams;
use crate::notifications::{self, Notifications, Servers};
use crate::retention::{self, Retention};
use crate::rules::blocked_topics::BlockedTopics;
use crate::rules::context::Contexts;
use crate::rules::schedule::Schedules;
use crate::rules::{Dependencies, Rules};

pub use features::FEATURES;
pub use tables::{LEFT_OUT, not_restored, record_kinds};

/// The app's dependencies and settings.
#[derive(Clone)]
pub struct Environment {
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
    /// The time zone of children whose guardians have not chosen one.
    pub time_zone: Zone,
    /// Which model reads along, if any.
    pub reviewer: ReviewerSettings,
    /// The last words of the page for an older child.
    pub helpline: Option<Helpline>,
    /// The scheduled backups, if there are any.
    pub backups: Option<ScheduledBackups>,
}

/// The application: the service of every feature, without HTTP. Clones share it.
#[derive(Clone)]
pub struct App {
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
    /// What guardians manage in the browser.
    pub household: Household,
    /// What guardians are notified of, and when.
    pub subscriptions: Notifications,
    pub events: Events,
    /// Faults in the headers of trusted proxies.
    pub forwarding: ForwardingFaults,
    /// The time zone of the server.
    time_zone: Zone,
    draining: Arc<AtomicBool>,
    compactions: Arc<Mutex<maintenance::Compactions>>,
    /// The uptime when old sessions were last deleted.
    expired: Arc<Mutex<Option<std::time::Duration>>>,
    /// Children whose erasure was not finished.
    unfinished: Arc<Mutex<Vec<ChildAccess>>>,
    /// Held by the task that finishes erasures.
    finishing: Arc<tokio::sync::Mutex<()>>,
}

impl App {
    /// Builds the app, and finishes what an earlier run left half done.
    pub async fn start(environment: Environment) -> Result<Self, StoreError> {
        let Environment {
            store,
            clock,
            randomness,
            mailer,
            servers,
            identity,
            assistant_quota,
            gateway_budget,
            guardians_manage,
            time_zone,
            reviewer,
            helpline,
            backups,
        } = environment;
        features::follow(&store);
        let limits = identity.limits;
        let rng = randomness.clone();
        let children = Children::new(store.clone(), clock.clone());
        let is_new = children.all_numbers(&store)?.is_empty();
        let due = DueClock::start(&store, &clock, is_new)?;
        let queue = Queue::new(store.clone(), clock.clone(), randomness.clone(), mailer);
        let identity = Identity::start(
            store.clone(),
            clock.clone(),
            due.clone(),
            randomness,
            queue.clone(),
            identity,
        );
        // In a debug build the future is large.
        let identity = Box::pin(identity).await?;
        let history = History::new(store.clone(), children.clone(), identity.guardians.clone());
        let transcripts = Transcripts::new(store.clone(), clock.clone());
        let activities = Activities::new(store.clone(), clock.clone());
        let summaries = Summaries::new(&store);
        let blocked_topics = BlockedTopics::new(&store);
        let contexts = Contexts::new(&store);
        let times = Schedules::new(&store, time_zone.clone());
        let upstreams = Upstreams::new(clock.clone(), identity.assistants.clone());
        let consents = Consents {
            store: store.clone(),
            clock: clock.clone(),
            due: due.clone(),
            children: children.clone(),
            guardians: identity.guardians.clone(),
            history: history.clone(),
            notices: identity.notices.clone(),
            upstreams: upstreams.clone(),
            settings: Arc::new(reviewer),
            notice: OfReviewer::register(&queue, &identity.guardians, &children),
        };
        let child_notices = ChildNotices {
            store: store.clone(),
            clock: clock.clone(),
            children: children.clone(),
            history: history.clone(),
            guardians: identity.guardians.clone(),
            assistants: identity.assistants.clone(),
            helpline,
            is_reviewed: reviewing::is_reviewed(&consents),
        };
        let zone = time_zone.clone();
        let access_log = AccessLog::new(store.clone(), clock.clone(), children.clone(), zone);
        let dependencies = Dependencies {
            blocked_topics: blocked_topics.clone(),
            contexts: contexts.clone(),
            times: times.clone(),
            transcripts: transcripts.clone(),
            children: children.clone(),
            assistants: identity.assistants.clone(),
            history: history.clone(),
        };
        let rules = Rules::start(store.clone(), clock.clone(), &rng, dependencies).await?;
        let dependencies = retention::Dependencies {
            transcripts: transcripts.clone(),
            activities: activities.clone(),
            rules: rules.clone(),
            children: children.clone(),
            history: history.clone(),
            guardians: identity.guardians.clone(),
            assistants: identity.assistants.clone(),
            times: times.clone(),
            notices: identity.notices.clone(),
            queue: queue.clone(),
            backups,
        };
        let retention = Retention::start(
            store.clone(),
            clock.clone(),
            due.clone(),
            &rng,
            dependencies,
            &FEATURES,
        )
        .await?;
        let metrics = Metrics::new(
            &store,
            clock.clone(),
            transcripts.clone(),
            summaries.clone(),
            times.clone(),
        );
        let dependencies = notifications::Dependencies {
            children: children.clone(),
            guardians: identity.guardians.clone(),
            transcripts: transcripts.clone(),
            notices: identity.notices.clone(),
            queue: queue.clone(),
            metrics: metrics.clone(),
            alerts: AlertReader::new(rules.clone()),
            public_url: identity.public_url().clone(),
            servers,
            limits,
        };
        let subscriptions = Notifications::start(
            store.clone(),
            clock.clone(),
            &rng,
            time_zone.clone(),
            dependencies,
        )
        .await?;
        let immediate = subscriptions.immediate().clone();
        let dependencies = alerts::Dependencies {
            children: children.clone(),
            guardians: identity.guardians.clone(),
            assistants: identity.assistants.clone(),
            transcripts: transcripts.clone(),
            rules: rules.clone(),
            retention: retention.clone(),
            on_new: Arc::new(move |change, new| immediate.note(change, new)),
        };
        let alerts = Alerts::new(store.clone(), clock.clone(), dependencies);
        let dependencies = conversation_starters::Dependencies {
            children: children.clone(),
            history: history.clone(),
            transcripts: transcripts.clone(),
            times: times.clone(),
            child_notices: child_notices.clone(),
            alerts: alerts.clone(),
        };
        let conversation_starters =
            ConversationStarters::new(store.clone(), clock.clone(), dependencies);
        let assistant = Arc::new(AssistantService {
            store: store.clone(),
            assistants: identity.assistants.clone(),
            children: children.clone(),
            transcripts: transcripts.clone(),
            activities: activities.clone(),
            summaries: summaries.clone(),
            blocked_topics: blocked_topics.clone(),
            rules: rules.clone(),
            retention: retention.clone(),
            alerts: alerts.clone(),
            quota: assistant_quota,
            totals: deliveries::Totals::default(),
            concurrency: ConcurrencyLimit::new(deliveries::CHANGES_AT_A_TIME),
            latest: LatestDelivery::default(),
            connections: Connections::default(),
            clock: clock.clone(),
        });
        let gateway = Gateway::new(
            Arc::clone(&assistant),
            upstreams,
            gateway_budget,
            rng.clone(),
        )
        .await?;
        let reviewer = reviewing::reviewer(
            consents,
            &transcripts,
            &blocked_topics,
            &alerts,
            &gateway.client,
            &rng,
        );
        gateway.finish_interrupted().await;
        let extents = Extents::new(children.clone(), transcripts.clone(), times.clone());
        let emails = Emails::register(
            &queue,
            &rng,
            identity.public_url(),
            &identity.unverified,
            &identity.guardians,
            &extents,
        );
        let household = Household {
            store: store.clone(),
            clock: clock.clone(),
            due: due.clone(),
            children: children.clone(),
            history: history.clone(),
            extents,
            emails,
            randomness: rng,
            public_url: identity.public_url().clone(),
            guardians: identity.guardians.clone(),
            sign_ins: identity.sign_ins.clone(),
            queue: queue.clone(),
            notices: identity.notices.clone(),
            unverified: identity.unverified.clone(),
            requested: Arc::default(),
            assistants: identity.assistants.clone(),
            upstreams: gateway.upstreams.clone(),
            rules: rules.clone(),
            retention: retention.clone(),
            consents: reviewer.consents.clone(),
            connections: assistant.connections.clone(),
            guardians_manage,
        };
        let events = Events::start(
            &store,
            children.clone(),
            identity.sign_ins.clone(),
            &identity.other_devices,
            &assistant.connections,
            FEATURES.iter().flat_map(|feature| feature.shown),
        );
        maintenance::backfill(&store)?;
        let search = Search::new(store.clone(), transcripts.clone());
        let app = Self {
            store,
            clock,
            due,
            queue,
            identity,
            children,
            history,
            transcripts,
            activities,
            summaries,
            blocked_topics,
            contexts,
            times,
            child_notices,
            access_log,
            rules,
            retention,
            alerts,
            conversation_starters,
            search,
            metrics,
            assistant,
            gateway,
            reviewer,
            household,
            subscriptions,
            events,
            forwarding: ForwardingFaults::default(),
            time_zone,
            draining: Arc::default(),
            compactions: Arc::default(),
            expired: Arc::default(),
            unfinished: Arc::default(),
            finishing: Arc::default(),
        };
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
