//! What voice assistants deliver and ask for.
//!
//! An assistant delivers a child's sessions, their messages, and how they went. It authenticates with its own key, created by
//! the administrator or a guardian, which is valid only for the children chosen for it. Deliveries are idempotent.
//!
//! The service combines the features' services, so that one delivery is one commit: the ended session and its activity are
//! stored together or not at all. Its own records are how much each key has stored ([`quota`]) and the time of the latest
//! delivery ([`latest`]), to detect a clock that was set back. [`Connections`] has, in memory, what was wrong with a key's latest
//! requests.

pub mod api;
mod applying;
mod connections;
mod delivery_status;
mod latest;
mod quota;
mod rules;

use std::sync::Arc;

use crate::alerts::Alerts;
use crate::children::feature::Feature;
use crate::children::{AssistantAccess, Child, ChildAccess, ChildId, Children, ChildrenError};
use crate::conversations::transcripts::{
    PlacedSession, Session, SessionDetails, Transcripts, TranscriptsError,
};
use crate::identity::{
    AssistantKeyError, Assistants, BudgetOwner, ConcurrencyLimit, Guardians, Identity, Permit,
    SignedAssistant,
};
use crate::insights::activities::{Activities, ActivitiesError, Proposal, VerdictPage};
use crate::insights::summary::{Report, Summaries, SummaryError};
use crate::kernel::host::clock::Clock;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, ReadError, Store, StoreError};
use crate::retention::{Retention, RetentionError};
use crate::rules::blocked_topics::{Avoided, BlockedTopics};
use crate::rules::{Rules, TogetherError};

pub use applying::SessionCompletion;
pub use connections::{Affected, Check, ConnectionStatus, Connections, RefusalKind};
pub use delivery_status::DeliveryOutcome;
pub use latest::{ClockError, LatestDelivery, RefusedDeliveries};
pub use quota::{Excess, NotAQuota, Quota, QuotaError, Totals};
pub use rules::RulesScope;

/// How many changes of one guardian's keys may be queued for the store's writer at once. It bounds how long other people's
/// changes wait for them.
const CHANGES_AT_A_TIME: usize = 2;

pub static FEATURE: Feature = Feature {
    kinds: &[quota::KIND, latest::KIND],
    not_restored: &[],
    consequences: &[],
    backfills: &[],
    shown: &[],
    erase_batch: |change, access| quota::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[],
    session_fields: &[],
};

#[derive(Debug, thiserror::Error)]
pub enum AssistantError {
    /// The child isn't this assistant's.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    #[error(transparent)]
    Activities(#[from] ActivitiesError),
    #[error(transparent)]
    Summary(#[from] SummaryError),
    /// The delivery names no child, and the assistant doesn't have exactly one.
    #[error(
        "This key is for more than one child, or for none. Please say whose session it is: child_id."
    )]
    WhichChild,
    #[error(transparent)]
    Retention(#[from] RetentionError),
    /// The key was revoked while the request waited.
    #[error(transparent)]
    Key(#[from] AssistantKeyError),
    /// The key's children have no common rules.
    #[error(transparent)]
    Together(#[from] TogetherError),
    #[error(transparent)]
    Quota(#[from] QuotaError),
    #[error(transparent)]
    Clock(#[from] ClockError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AssistantError {
    /// Whether the store failed, in whichever feature.
    pub fn is_store_failure(&self) -> bool {
        matches!(
            self,
            Self::Store(_)
                | Self::Children(ChildrenError::Store(_))
                | Self::Transcripts(
                    TranscriptsError::Store(_)
                        | TranscriptsError::Children(ChildrenError::Store(_))
                )
                | Self::Activities(ActivitiesError::Store(_))
                | Self::Summary(SummaryError::Store(_))
                | Self::Retention(
                    RetentionError::Store(_)
                        | RetentionError::Transcripts(TranscriptsError::Store(_))
                )
                | Self::Key(AssistantKeyError::Store(_))
                | Self::Quota(QuotaError::Store(_))
                | Self::Clock(ClockError::Store(_))
        )
    }
}

impl ReadError for AssistantError {
    fn damage(&self) -> Option<&str> {
        match self {
            Self::Transcripts(error) => error.damage(),
            _ => None,
        }
    }
}

refusals! {
    AssistantError from Children, Transcripts, Activities, Summary, Retention, Key, Together, Quota, Clock, Store {
        WhichChild => against_a_rule(ChildAmbiguous) at "/child_id",
    }
}

/// The features that assistants deliver to and read from.
pub struct Dependencies {
    pub children: Children,
    pub transcripts: Transcripts,
    pub activities: Activities,
    pub summaries: Summaries,
    pub blocked_topics: BlockedTopics,
    pub rules: Rules,
    pub retention: Retention,
    pub alerts: Alerts,
}

pub struct AssistantService {
    pub(super) store: Store,
    pub assistants: Assistants,
    pub(super) children: Children,
    pub(super) transcripts: Transcripts,
    activities: Activities,
    summaries: Summaries,
    blocked_topics: BlockedTopics,
    pub(super) rules: Rules,
    retention: Retention,
    pub(super) alerts: Alerts,
    /// The limit per key and child.
    quota: Quota,
    /// How much each guardian's keys have stored today.
    totals: Totals,
    /// Limits how many changes of a budget's keys wait for the store's writer.
    concurrency: ConcurrencyLimit<BudgetOwner>,
    pub latest: LatestDelivery,
    pub connections: Connections,
    pub(super) clock: Clock,
}

impl AssistantService {
    pub fn new(identity: &Identity, dependencies: Dependencies, quota: Quota) -> Self {
        Self {
            store: identity.environment.store.clone(),
            assistants: identity.assistants.clone(),
            children: dependencies.children,
            transcripts: dependencies.transcripts,
            activities: dependencies.activities,
            summaries: dependencies.summaries,
            blocked_topics: dependencies.blocked_topics,
            rules: dependencies.rules,
            retention: dependencies.retention,
            alerts: dependencies.alerts,
            quota,
            totals: Totals::default(),
            concurrency: ConcurrencyLimit::new(CHANGES_AT_A_TIME),
            latest: LatestDelivery::default(),
            connections: Connections::default(),
            clock: identity.environment.clock.clone(),
        }
    }

    /// The assistant's children, by number.
    pub fn list_children(&self, assistant: &SignedAssistant) -> Result<Vec<Child>, AssistantError> {
        let children = self.children.all_of(assistant)?;
        let mut found = Vec::new();
        for access in children {
            match self.children.get(&self.store, access.child()) {
                // The child was removed after the links were read.
                Err(ChildrenError::NoSuchChild(_)) => {}
                child => found.push(child?),
            }
        }
        Ok(found)
    }

    /// Opens a session that is imported from a file; no assistant can write to it.
    pub fn begin_session(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        details: SessionDetails,
        assistant: Option<String>,
    ) -> Result<Session, AssistantError> {
        let placed = self.transcripts.begin(change, access, details, assistant)?;
        self.update_derived_data(change, access, placed)
    }

    /// Updates the other features after a session was opened or changed. Hidden sessions aren't counted.
    fn update_derived_data(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        placed: PlacedSession,
    ) -> Result<Session, AssistantError> {
        let (session, date) = (placed.session, placed.date);
        if placed.is_hidden {
            return Ok(session);
        }
        let (id, topic) = (session.session_id, &session.topic);
        self.activities
            .follow(change, access, id, date, topic.clone())?;
        self.summaries
            .count_session(change, access, id, date, topic.clone())?;
        Ok(session)
    }

    /// Fails if the child isn't this assistant's.
    pub async fn replace_upcoming(
        self: &Arc<Self>,
        assistant: &SignedAssistant,
        child: ChildId,
        proposal: Proposal,
    ) -> Result<(), AssistantError> {
        let access = self.children.of(assistant, child)?;
        self.write(assistant, &access, |service, change, access| {
            let is_only = service.children.is_only_assistant(change, access)?;
            let activities = &service.activities;
            activities.replace_upcoming(change, access, is_only, proposal)?;
            service.count(change, access, Excess::Refused)
        })
        .await
    }

    /// The guardians' feedback after the cursor `after`, oldest first. Fails if the child isn't this assistant's, or if the
    /// cursor is invalid.
    pub fn list_verdicts(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
        after: Option<&str>,
    ) -> Result<VerdictPage, AssistantError> {
        let access = self.children.of(assistant, child)?;
        Ok(self.activities.list_verdicts(&access, after)?)
    }

    /// Fails if the child isn't this assistant's.
    pub fn avoided_topics(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
    ) -> Result<Arc<Avoided>, AssistantError> {
        let access = self.children.of(assistant, child)?;
        Ok(self.blocked_topics.avoided(&access)?)
    }

    /// Fails if the child isn't this assistant's.
    pub async fn replace_report(
        self: &Arc<Self>,
        assistant: &SignedAssistant,
        child: ChildId,
        report: Report,
    ) -> Result<(), AssistantError> {
        let access = self.children.of(assistant, child)?;
        let name = assistant.name().map(str::to_owned);
        self.write(assistant, &access, move |service, change, access| {
            let is_only = service.children.is_only_assistant(change, access)?;
            let (summaries, now) = (&service.summaries, service.clock.now());
            let name = name.as_deref();
            summaries.replace_report(change, access, name, is_only, &report, now)?;
            service.count(change, access, Excess::Refused)
        })
        .await
    }

    /// Commits a change for an assistant and one of its key's children. Everything that an assistant delivers is written here.
    /// The commit checks that the key is valid and covers the child, and this check decides. `early` only keeps requests for
    /// other children away from the store's writer.
    pub async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        assistant: &SignedAssistant,
        early: &ChildAccess,
        write: impl FnOnce(&Self, &mut Change, &AssistantAccess) -> Result<T, AssistantError>
        + Send
        + 'static,
    ) -> Result<T, AssistantError> {
        let permit = self.permit(assistant).await?;
        let (service, assistant, child) = (Arc::clone(self), assistant.clone(), early.child());
        let written = self.store.commit(move |change| {
            // Held until the change has run, even if its caller is gone.
            let _permit = permit;
            service.assistants.require_valid(&assistant)?;
            let access = service.children.of_assistant(change, &assistant, child)?;
            write(&service, change, &access)
        });
        written.await
    }

    /// Waits until few other changes by keys of the same guardian are queued. Assistants added by the administrator never wait.
    async fn permit(&self, assistant: &SignedAssistant) -> Result<Option<Permit>, StoreError> {
        let Some(guardian) = assistant.made_by() else {
            return Ok(None);
        };
        let owner = Guardians::budget_owner(&self.store, guardian)?;
        Ok(self.concurrency.wait(&owner).await)
    }

    /// Counts what the change stores against the key's quota. Called once, at the end of the change.
    pub fn count(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        excess: Excess,
    ) -> Result<(), AssistantError> {
        let (totals, now) = (&self.totals, self.clock.now());
        Ok(self.quota.count(change, access, totals, excess, now)?)
    }
}
