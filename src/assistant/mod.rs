//! The voice assistant's service.
//!
//! An assistant brings what it has of a child: sessions, what was said in them, and how they went. It comes with a key
//! of its own, made by the administrator, which is good for the children named with it and for nothing else.
//! Deliveries are idempotent: repeating one changes nothing.
//!
//! The service joins the features' façades, so that one delivery is one change: the session that ends and the activity that
//! it becomes are both there or neither. It keeps nothing itself but how much each key has stored ([`quota`]), counted in
//! that same change, and the time of the latest delivery ([`latest`]), to detect a clock that was set back.
//! [`plugins`] connect existing voice stacks without code.

pub mod api;
mod deliveries;
mod latest;
pub mod plugins;
mod quota;
mod rules;

use std::sync::Arc;

use crate::activities::{Activities, ActivitiesError, Proposal, VerdictPage};
use crate::blocked_topics::{Avoided, BlockedTopics};
use crate::children::{AssistantAccess, Child, ChildAccess, ChildId, Children, ChildrenError};
use crate::identity::{Assistants, IdentityError, SignedAssistant};
use crate::keeping::{Keeping, KeepingError};
use crate::kernel::clock::Clock;
use crate::kernel::problem::Refusal;
use crate::kernel::store::{Change, RecordKind, Store, StoreError};
use crate::rules::{Rules, TogetherError};
use crate::summary::{Report, Summaries, SummaryError};
use crate::transcripts::{PlacedSession, Session, SessionDetails, Transcripts, TranscriptsError};

pub use deliveries::{DeliveryOutcome, SessionCompletion};
pub use latest::{ClockError, LatestDelivery, RefusedDeliveries};
pub use quota::{NotAQuota, Quota, QuotaError, Totals};
pub use rules::Whose;

/// What each table of the service holds.
pub const KINDS: [RecordKind; 2] = [quota::KIND, latest::KIND];

/// Why the service refused something: whatever the feature behind it says.
#[derive(Debug, thiserror::Error)]
pub enum AssistantError {
    /// Not this assistant's child.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The transcripts'.
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    /// The activities'.
    #[error(transparent)]
    Activities(#[from] ActivitiesError),
    /// The summary's.
    #[error(transparent)]
    Summary(#[from] SummaryError),
    /// Nobody says whose session it is, and the assistant has not exactly one child.
    #[error(
        "This key is for more than one child, or for none. Please say whose session it is: child_id."
    )]
    WhichChild,
    /// What is kept of erased sessions.
    #[error(transparent)]
    Keeping(#[from] KeepingError),
    /// The key ended while a call waited.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// There are no rules for all of the key's children together.
    #[error(transparent)]
    Together(#[from] TogetherError),
    /// The key has stored as much as it may.
    #[error(transparent)]
    Quota(#[from] QuotaError),
    /// The server's clock was set back.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AssistantError> for Refusal {
    fn from(error: AssistantError) -> Self {
        match error {
            AssistantError::Quota(
                error @ (QuotaError::UsedUp { seconds } | QuotaError::AllUsedUp { seconds }),
            ) => Self::too_many(error.to_string(), seconds),
            AssistantError::Quota(QuotaError::Store(error)) => error.into(),
            error @ AssistantError::WhichChild => {
                Self::against_a_rule(error.to_string()).at("/child_id")
            }
            AssistantError::Clock(ClockError::Store(error)) => error.into(),
            AssistantError::Clock(error) => Self::not_now(error.to_string(), latest::RETRY_AFTER),
            AssistantError::Identity(error) => error.into(),
            AssistantError::Together(error) => error.into(),
            AssistantError::Keeping(error) => error.into(),
            AssistantError::Children(error) => error.into(),
            AssistantError::Transcripts(error) => error.into(),
            AssistantError::Activities(error) => error.into(),
            AssistantError::Summary(error) => error.into(),
            AssistantError::Store(error) => error.into(),
        }
    }
}

/// The service's façade.
pub struct AssistantService {
    /// Where the changes are made.
    pub store: Store,
    /// Whose key still holds.
    pub assistants: Assistants,
    /// Who may deliver for whom.
    pub children: Children,
    /// Sessions and messages.
    pub transcripts: Transcripts,
    /// What the child has done.
    pub activities: Activities,
    /// What is known of it at a glance.
    pub summaries: Summaries,
    /// What it must not hear of.
    pub blocked_topics: BlockedTopics,
    /// What assistants must follow.
    pub rules: Rules,
    /// Sessions that were moved or erased.
    pub keeping: Keeping,
    /// How much a key may store.
    pub quota: Quota,
    /// How much the keys of each guardian have stored today.
    pub totals: Totals,
    /// When something was delivered last.
    pub latest: LatestDelivery,
    /// The time, for the quota's days.
    pub clock: Clock,
}

impl AssistantService {
    /// The children of an assistant, by number.
    pub fn list_children(&self, assistant: &SignedAssistant) -> Result<Vec<Child>, AssistantError> {
        let children = self.children.all_of(assistant)?;
        let mut found = Vec::new();
        for access in children {
            match self.children.get(&self.store, access.child()) {
                // It was removed a moment ago.
                Err(ChildrenError::NoSuchChild(_)) => {}
                child => found.push(child?),
            }
        }
        Ok(found)
    }

    /// Opens a session that is imported from a file and that no assistant will refer to.
    pub fn begin_session(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        details: SessionDetails,
        assistant: Option<String>,
    ) -> Result<Session, AssistantError> {
        let placed = self.transcripts.begin(change, access, details, assistant)?;
        self.take_note(change, access, placed)
    }

    /// Lets the other features know of a session that was opened or corrected. A hidden one is counted nowhere.
    fn take_note(
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

    /// Replaces what the child could do next.
    ///
    /// # Errors
    ///
    /// When the child isn't this assistant's.
    pub async fn replace_upcoming(
        self: &Arc<Self>,
        assistant: &SignedAssistant,
        child: ChildId,
        proposal: Proposal,
    ) -> Result<(), AssistantError> {
        self.write(assistant, child, |service, change, access| {
            let activities = &service.activities;
            activities.replace_upcoming(change, access.child(), proposal)?;
            service.count(change, access)
        })
        .await
    }

    /// The guardians' verdicts on what was proposed, oldest first, those behind `after`.
    ///
    /// # Errors
    ///
    /// When the child isn't this assistant's, or `after` is no page marker.
    pub fn list_verdicts(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
        after: Option<&str>,
    ) -> Result<VerdictPage, AssistantError> {
        let access = self.children.of(assistant, child)?;
        Ok(self.activities.list_verdicts(&access, after)?)
    }

    /// What the assistant avoids with a child.
    ///
    /// # Errors
    ///
    /// When the child isn't this assistant's.
    pub fn avoided_topics(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
    ) -> Result<Arc<Avoided>, AssistantError> {
        let access = self.children.of(assistant, child)?;
        Ok(self.blocked_topics.avoided(&access)?)
    }

    /// Replaces the assistant's report on a child.
    ///
    /// # Errors
    ///
    /// When the child isn't this assistant's.
    pub async fn replace_report(
        self: &Arc<Self>,
        assistant: &SignedAssistant,
        child: ChildId,
        report: Report,
    ) -> Result<(), AssistantError> {
        self.write(assistant, child, move |service, change, access| {
            let summaries = &service.summaries;
            summaries.replace_report(change, access.child(), &report)?;
            service.count(change, access)
        })
        .await
    }

    /// Makes a change for an assistant with a child of its key. All that an assistant writes goes through here: inside the change
    /// it is asked whether the key still holds and is for the child.
    async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        assistant: &SignedAssistant,
        child: ChildId,
        write: impl FnOnce(&Self, &mut Change, &AssistantAccess) -> Result<T, AssistantError>
        + Send
        + 'static,
    ) -> Result<T, AssistantError> {
        // Who asks for another's child keeps no writer busy.
        self.children.of(assistant, child)?;
        let (service, assistant) = (Arc::clone(self), assistant.clone());
        let written = self.store.commit(move |change| {
            service.assistants.demand_holding(&assistant)?;
            let access = service.children.of_assistant(change, &assistant, child)?;
            write(&service, change, &access)
        });
        written.await?
    }

    /// Counts what the change keeps against the key's quota.
    fn count(&self, change: &mut Change, access: &AssistantAccess) -> Result<(), AssistantError> {
        let now = self.clock.now();
        Ok(self.quota.count(change, access, &self.totals, now)?)
    }

    /// Erases a part of what the service keeps of a child; whether anything is left.
    pub fn erase_some(
        &self,
        change: &mut Change,
        access: &ChildAccess,
    ) -> Result<bool, StoreError> {
        quota::erase_some(change, access.child())
    }
}
