//! The composition root: what every feature is given, built in the order of the staircase.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::activities::{self, Activities};
use crate::assistant::{self, AssistantService, LatestDelivery, Quota};
use crate::blocked_topics::{self, BlockedTopics};
use crate::children::history::{self, History};
use crate::children::{self, ChildAccess, Children};
use crate::context::{self, Contexts};
use crate::events::Events;
use crate::household::{self, Household};
use crate::identity::{self, Identity, IdentitySettings};
use crate::keeping::{self, Keeping};
use crate::kernel::clock::Clock;
use crate::kernel::forwarding::ForwardingFaults;
use crate::kernel::mail::Mailer;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{self, Purpose, RecordKind, Store, StoreError, Table};
use crate::kernel::zones::Zone;
use crate::metrics::Metrics;
use crate::rules::{self, Joined, Rules};
use crate::search::Search;
use crate::summary::{self, Summaries};
use crate::times::{self, TimesOfChildren};
use crate::transcripts::{self, Transcripts};

/// What each table holds, for reading all of them.
pub fn record_kinds() -> Vec<RecordKind> {
    let identity = identity::kinds();
    let features = [
        identity.as_slice(),
        &children::KINDS,
        &[history::KIND],
        &transcripts::KINDS,
        &activities::KINDS,
        &summary::KINDS,
        &blocked_topics::KINDS,
        &context::KINDS,
        &times::KINDS,
        &rules::KINDS,
        &keeping::KINDS,
        &assistant::KINDS,
        &household::KINDS,
        &store::KINDS,
    ];
    features.concat()
}

/// The tables of a backup that restoring it leaves out.
pub fn not_restored() -> Vec<Table> {
    [identity::not_restored(), household::NOT_RESTORED.to_vec()].concat()
}

/// The app's dependencies and settings.
#[derive(Clone)]
pub struct Surroundings {
    /// Where everything is kept.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// Chance.
    pub randomness: Randomness,
    /// Where letters go.
    pub mailer: Mailer,
    /// What the administrator decides about identity.
    pub identity: IdentitySettings,
    /// How much an assistant's key may store.
    pub assistant_quota: Quota,
    /// Whether guardians arrange in the browser what concerns their children.
    pub guardians_manage: bool,
    /// The time zone of a child whose guardians have not said any.
    pub time_zone: Zone,
}

/// The application: every façade, without HTTP. Clones share it.
#[derive(Clone)]
pub struct App {
    /// Where everything is kept.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// Who is calling.
    pub identity: Identity,
    /// Who may see whom.
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
    pub times: TimesOfChildren,
    /// What the assistant must follow.
    pub rules: Rules,
    /// Moving and erasing sessions.
    pub keeping: Keeping,
    /// Finding words in what was said.
    pub search: Search,
    /// What is measured of a child's days.
    pub metrics: Metrics,
    /// The voice assistant's door.
    pub assistant: Arc<AssistantService>,
    /// What guardians arrange.
    pub household: Household,
    /// The streams of what changes.
    pub events: Events,
    /// What trusted proxies got wrong.
    pub forwarding: ForwardingFaults,
    draining: Arc<AtomicBool>,
    /// Children whose erasure stopped for lack of room.
    unfinished: Arc<Mutex<Vec<ChildAccess>>>,
    /// Held by the task that finishes erasures.
    finishing: Arc<tokio::sync::Mutex<()>>,
}

impl App {
    /// Builds the app, and finishes what an earlier run left half done.
    ///
    /// # Errors
    ///
    /// The store's.
    pub async fn start(surroundings: Surroundings) -> Result<Self, StoreError> {
        let Surroundings {
            store,
            clock,
            randomness,
            mailer,
            identity,
            assistant_quota,
            guardians_manage,
            time_zone,
        } = surroundings;
        store.follow(&transcripts::CONSEQUENCES);
        store.follow(&household::CONSEQUENCES);
        let chance = randomness.clone();
        let identity =
            Identity::start(store.clone(), clock.clone(), randomness, mailer, identity).await?;
        let children = Children::new(store.clone(), clock.clone());
        let history = History::new(store.clone(), children.clone(), identity.guardians.clone());
        let transcripts = Transcripts::new(store.clone(), clock.clone());
        let activities = Activities::new(store.clone(), clock.clone());
        let summaries = Summaries::new(store.clone());
        let blocked_topics = BlockedTopics::new(&store);
        let contexts = Contexts::new(&store);
        let times = TimesOfChildren::new(&store, time_zone);
        let joined = Joined {
            blocked_topics: blocked_topics.clone(),
            contexts: contexts.clone(),
            times: times.clone(),
            transcripts: transcripts.clone(),
            children: children.clone(),
            assistants: identity.assistants.clone(),
            history: history.clone(),
        };
        let rules = Rules::start(store.clone(), clock.clone(), &chance, joined).await?;
        let joined = keeping::Joined {
            transcripts: transcripts.clone(),
            activities: activities.clone(),
            summaries: summaries.clone(),
            blocked_topics: blocked_topics.clone(),
            contexts: contexts.clone(),
            times: times.clone(),
            rules: rules.clone(),
            children: children.clone(),
            history: history.clone(),
            guardians: identity.guardians.clone(),
            assistants: identity.assistants.clone(),
        };
        let keeping = Keeping::start(store.clone(), clock.clone(), &chance, joined).await?;
        let assistant = Arc::new(AssistantService {
            store: store.clone(),
            assistants: identity.assistants.clone(),
            children: children.clone(),
            transcripts: transcripts.clone(),
            activities: activities.clone(),
            summaries: summaries.clone(),
            blocked_topics: blocked_topics.clone(),
            rules: rules.clone(),
            keeping: keeping.clone(),
            quota: assistant_quota,
            latest: LatestDelivery::of(&store),
            clock: clock.clone(),
        });
        let household = Household {
            store: store.clone(),
            clock: clock.clone(),
            children: children.clone(),
            history: history.clone(),
            randomness: chance,
            public_url: identity.public_url().clone(),
            guardians: identity.guardians.clone(),
            sign_ins: identity.sign_ins.clone(),
            notices: identity.notices.clone(),
            requested: Arc::default(),
            assistants: identity.assistants.clone(),
            guardians_manage,
        };
        let events = Events::start(
            &store,
            children.clone(),
            identity.sign_ins.clone(),
            &identity.other_devices,
        );
        for backfills in [&transcripts::BACKFILLS[..], &rules::BACKFILLS] {
            store.backfill(backfills, |name, rows| {
                // A new store has none.
                if rows > 0 {
                    tracing::info!(
                        name,
                        rows,
                        "the store's records are brought to today's form"
                    );
                }
            })?;
        }
        let search = Search::new(store.clone(), transcripts.clone());
        let metrics = Metrics::new(
            &store,
            clock.clone(),
            transcripts.clone(),
            summaries.clone(),
            times.clone(),
        );
        let draining = Arc::default();
        let app = Self {
            store,
            clock,
            identity,
            children,
            history,
            transcripts,
            activities,
            summaries,
            blocked_topics,
            contexts,
            times,
            rules,
            keeping,
            search,
            metrics,
            assistant,
            household,
            events,
            forwarding: ForwardingFaults::default(),
            draining,
            unfinished: Arc::default(),
            finishing: Arc::default(),
        };
        for left_over in app.children.unfinished()? {
            match app.erase(left_over).await {
                // Nobody sees it any more; it goes when there is room again.
                Err(StoreError::Full) => {}
                // What cannot be read of one child is no reason to keep every family out.
                Err(StoreError::Unreadable(cause)) => {
                    tracing::error!(%cause, "a removed child could not be erased; the next start tries again");
                }
                other => other?,
            }
        }
        Ok(app)
    }

    /// Erases all that is kept of a child that nobody sees any more, in steps that let others write in
    /// between.
    ///
    /// # Errors
    ///
    /// The store's. What is left is erased at the next start, and if only room was missing, as soon as there is.
    pub async fn erase(&self, access: ChildAccess) -> Result<(), StoreError> {
        let erased = self.erase_in_steps(&access).await;
        if let Err(StoreError::Full) = erased {
            self.unfinished().push(access);
        }
        erased
    }

    fn unfinished(&self) -> MutexGuard<'_, Vec<ChildAccess>> {
        self.unfinished
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    async fn erase_in_steps(&self, access: &ChildAccess) -> Result<(), StoreError> {
        loop {
            let (app, child) = (self.clone(), access.clone());
            let step = self.store.commit_for(Purpose::Essential, move |change| {
                let left = app.transcripts.erase_some(change, &child)?
                    || app.activities.erase_some(change, &child)?
                    || app.summaries.erase_some(change, &child)?
                    || app.blocked_topics.erase_some(change, &child)?
                    || app.contexts.erase_some(change, &child)?
                    || app.times.erase_some(change, &child)?
                    || app.rules.erase_some(change, &child)?
                    || app.keeping.erase_some(change, &child)?
                    || app.history.erase_some(change, &child)?
                    || app.assistant.erase_some(change, &child)?
                    || app.household.erase_some(change, &child)?;
                if !left {
                    app.children.erased(change, &child)?;
                    change.require_compaction()?;
                }
                Ok::<_, StoreError>(left)
            });
            if !step.await?? {
                return Ok(());
            }
        }
    }

    /// Erases children and sessions whose time is over, finishes erasures that lacked disk space, then compacts the store if
    /// anything was erased since the last compaction, so that no file still holds it. `progress` is told how many records were copied. Concurrent calls run in turn.
    ///
    /// # Errors
    ///
    /// The store's, [`StoreError::Full`] while there is no room. Another call tries again.
    pub async fn leave_no_trace(
        &self,
        progress: impl Fn(u64) + Clone + Send + 'static,
    ) -> Result<(), StoreError> {
        let _alone = self.finishing.lock().await;
        // Each is tried, whatever becomes of the others.
        let due = [
            self.household.settle_due().await,
            self.identity.address_changes.settle_due().await,
            self.erase_due_children().await,
            self.keeping.erase_due().await,
        ];
        let unfinished = std::mem::take(&mut *self.unfinished());
        for access in unfinished {
            match self.erase(access).await {
                // It is noted again.
                Err(StoreError::Full) => {}
                other => other?,
            }
        }
        if !self.unfinished().is_empty() {
            return Err(StoreError::Full);
        }
        self.store.compact_until_erased(progress).await?;
        due.into_iter().collect()
    }

    /// Erases the children whose guardians asked for it, once it takes effect.
    async fn erase_due_children(&self) -> Result<(), StoreError> {
        for child in self.household.due_erasures()? {
            let household = self.household.clone();
            let taken = self.store.commit_for(Purpose::Essential, move |change| {
                household.take_due(change, child)
            });
            match taken.await? {
                Ok(Some(access)) => match self.erase(access).await {
                    // It is noted, and goes when there is room again.
                    Err(StoreError::Full) => {}
                    other => other?,
                },
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "a child could not be erased"),
            }
        }
        Ok(())
    }

    /// Waits until somebody erased something that shall not wait for the next look.
    pub async fn wait_for_erasure(&self) {
        tokio::select! {
            () = self.keeping.wait_for_request() => {}
            () = self.household.requested.notified() => {}
        }
    }

    /// Makes `/readyz` fail from now on, so that no more traffic is sent, lets waiting calls answer, and
    /// ends the streams of events.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Release);
        self.rules.stop_waiting();
        self.events.stop();
    }

    /// Whether the app may take traffic: the store can be written and nobody is closing it.
    pub fn is_ready(&self) -> bool {
        !self.draining.load(Ordering::Acquire) && self.store.is_writable()
    }
}
