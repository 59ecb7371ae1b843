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
mod completing;
mod connections;
mod delivery_outcome;
mod latest;
mod quota;
mod rules;

use std::sync::Arc;

use crate::alerts::Alerts;
use crate::children::feature::Feature;
use crate::children::{Child, ChildId, Children, ChildrenError};
use crate::conversations::transcripts::{Transcripts, TranscriptsError};
use crate::identity::{
    AssistantKeyError, Assistants, BudgetOwner, ConcurrencyLimit, Identity, SignedAssistant,
};
use crate::insights::activities::{Activities, ActivitiesError, Proposal, VerdictPage};
use crate::insights::summary::{Report, Summaries, SummaryError};
use crate::kernel::host::clock::Clock;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{ReadError, Store, StoreError};
use crate::retention::{Retention, RetentionError};
use crate::rules::blocked_topics::{Avoided, BlockedTopics};
use crate::rules::{Rules, TogetherError};

pub use completing::SessionCompletion;
pub use connections::{Affected, Check, ConnectionStatus, Connections, RefusalKind};
pub use delivery_outcome::DeliveryOutcome;
pub use latest::{ClockError, LatestDelivery, RefusedDeliveries};
pub use quota::{Excess, NotAQuota, Quota, QuotaError, Totals};
pub use rules::RulesScope;

/// How many changes of one guardian's keys may be queued for the store's writer at once. It bounds how long other people's
/// changes wait for them.
const CHANGES_AT_A_TIME: usize = 2;

pub static FEATURE: Feature = Feature {
    kinds: &[quota::KIND, latest::KIND],
    not_restored: &[],
    triggers: &[],
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
}
