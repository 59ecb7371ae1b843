//! Alerts: facts that a guardian asked for, or that every parent would want to know.
//!
//! An alert about a watched phrase belongs to the guardian who watches for it, and nobody else learns of it or of the phrase.
//! It is written in the change that stores the message, so it is there once the delivery is acknowledged. The other alerts
//! belong to all of the child's guardians. There is one alert for each session and subject, with its count.
//!
//! Whether they talked while it was not allowed, or without the current rules, is judged once a session is over, and whether an
//! assistant is silent several times a day. Such an alert is never revised.
//!
//! A model of the family's own may point at messages. All of the child's guardians get these alerts, and each decides which are not
//! worrying. A [notifiable](Kind::notifiable) alert is open for a guardian until they have dealt with it, or find it not worrying.
//!
//! An alert holds no words of a conversation. It refers to its message, which is read when the alert is shown. If the session
//! is deleted, the alert stays without words and says who deleted it; it is moved and erased with its session.

pub mod api;
mod concern;
mod demonstrating;
mod file;
mod flagging;
mod happened;
mod judging;
mod kind;
mod listing;
mod open;
mod outside;
mod phrase;
mod quoting;
mod recording;
pub mod reviewer;
mod seen;
mod silence;
mod store;
mod trying;
mod unconfirmed;
mod watching;

use std::time::Duration;

use crate::children::feature::{Feature, OfSession, Shown};
use crate::children::{ChildAccess, ChildId, Children, ChildrenError, SessionId};
use crate::conversations::transcripts::{Transcripts, TranscriptsError};
use crate::identity::{Assistants, Caller, ConcurrencyLimit, GuardianId, Guardians};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::http::problem::refusals;
use crate::kernel::http::version::{Version, Versioned};
use crate::kernel::store::{
    NotACursor, Purpose, Read, ReadCache, ReadError, Record, Store, StoreError,
};
use crate::retention::{Retention, RetentionError};
use crate::rules::Rules;

pub use concern::{Concern, Flag, Flagged, QuotePosition, Severity, words_at};
pub use file::{Imported, check_phrase, check_phrases};
pub use happened::{AboutAssistant, AlertReader, AssistantNews, Happened, MOST_COUNTED};
pub use kind::{Kind, NotifiableKind};
pub use listing::{AlertPage, Detail, EarlierWords, Neighbour, ShownAlert, Words};
pub use open::OpenAlerts;
pub use phrase::{NotAPhrase, Side, WatchedPhrase};
pub use quoting::{Quote, alerts_from, quote};
pub use recording::{NewAlert, Occasion, OnNewAlert};
pub use seen::{Marking, UnseenCounts};
pub use store::{Alert, Subject, Whose, subject_of};
pub use trying::{Tried, TryError};
pub use watching::Matched;

use phrase::valid_list;
use store::Phrases;
use watching::Shared;

/// How long alerts are kept.
const ALERTS_KEPT: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// In bytes.
const CACHE_BYTES: u64 = 2 * 1024 * 1024;

/// The maximum number of concurrent tries of one guardian.
const TRIES_AT_A_TIME: usize = 2;

#[derive(Debug, thiserror::Error)]
pub enum AlertsError {
    /// The list has been changed since.
    #[error(
        "The phrases were changed meanwhile. Please look at them again and repeat your change."
    )]
    Changed,
    /// A phrase can't be watched; with its index.
    #[error("{1}")]
    Phrase(Option<usize>, NotAPhrase),
    #[error("There is no such alert.")]
    NoSuchAlert,
    /// With the concern's index and words.
    #[error("Alerts about {1} stay on. You can mark each of them as not worrying.")]
    GraveConcern(usize, &'static str),
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    #[error(transparent)]
    Retention(#[from] RetentionError),
    /// The cursor is invalid.
    #[error(transparent)]
    Cursor(#[from] NotACursor),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ReadError for AlertsError {
    fn damage(&self) -> Option<&str> {
        match self {
            Self::Children(error) => error.damage(),
            Self::Transcripts(error) => error.damage(),
            Self::Retention(RetentionError::Store(error)) | Self::Store(error) => error.damage(),
            _ => None,
        }
    }
}

refusals! {
    AlertsError from Children, Transcripts, Retention, Cursor, Store {
        Changed => changed(PhrasesChanged),
        Phrase(index, error) => from(error) at index.map(|index| format!("/{index}/words")).unwrap_or_default(),
        NoSuchAlert => not_there,
        GraveConcern(index, concern) => against_a_rule(ConcernStaysOn { concern: concern }) at format!("/items/{index}"),
    }
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &store::TRIGGERS,
    backfills: &[],
    shown: &[Shown::Guardians("alerts", store::guardians_in)],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: Some(OfSession {
        // Its alerts stay in the list, without words.
        take_out: |_, _, _, _| Ok(()),
        put_back: |change, access, facts, _| {
            let (session, now) = (facts.session, facts.now);
            Ok(store::move_to(change, access.child(), session, now)?)
        },
        keys: &store::KEYS,
        erase_batch: |change, _, session| store::erase_of_session(change, session),
    }),
    child_fields: &file::FIELDS,
    session_fields: &[],
};

/// What alerts need to know of the other features.
#[derive(Clone)]
pub struct Dependencies {
    pub children: Children,
    pub guardians: Guardians,
    pub assistants: Assistants,
    pub transcripts: Transcripts,
    pub rules: Rules,
    pub retention: Retention,
    /// `notifications::ImmediateNotifier::enqueue`, which lies in a higher layer.
    pub on_new: OnNewAlert,
}

#[derive(Clone)]
pub struct Alerts {
    store: Store,
    clock: Clock,
    dependencies: Dependencies,
    watching: ReadCache<ChildId, Shared>,
    tries: ConcurrencyLimit<GuardianId>,
}

impl Alerts {
    pub fn new(store: Store, clock: Clock, dependencies: Dependencies) -> Self {
        Self {
            watching: ReadCache::within(CACHE_BYTES, &store),
            tries: ConcurrencyLimit::new(TRIES_AT_A_TIME),
            store,
            clock,
            dependencies,
        }
    }

    /// The guardian's own phrases about the child.
    pub fn list_phrases(
        &self,
        access: &ChildAccess,
        guardian: &GuardianId,
    ) -> Result<Versioned, StoreError> {
        let phrases = store::phrases(&self.store, access.child(), guardian)?;
        Ok(phrases.encode().into())
    }

    /// Replaces the guardian's own phrases, if `is_expected` accepts the current version, else fails with
    /// [`AlertsError::Changed`]. Leaves no trace that another guardian sees.
    pub async fn replace_phrases(
        &self,
        access: ChildAccess,
        guardian: GuardianId,
        phrases: Vec<(String, Side)>,
        is_expected: impl FnOnce(&Version) -> bool + Send + 'static,
    ) -> Result<Versioned, AlertsError> {
        let phrases = valid_list(phrases);
        let phrases = Phrases(phrases.map_err(|(index, error)| AlertsError::Phrase(index, error))?);
        let children = self.dependencies.children.clone();
        let there = store::phrases(&self.store, access.child(), &guardian)?;
        let are_there = phrases.0.iter().all(|phrase| there.0.contains(phrase));
        let purpose = Purpose::essential_if(are_there);
        let replaced = self.store.commit_for(purpose, move |change| {
            // Access may have ended meanwhile, and then nothing of theirs may be left.
            let caller = Caller::Guardian(guardian.clone());
            children.access_in(change, &caller, access.child())?;
            let there = store::phrases(change, access.child(), &guardian)?;
            let there = Versioned::from(there.encode());
            if !is_expected(&there.version) {
                return Err(AlertsError::Changed);
            }
            store::put_phrases(change, access.child(), &guardian, &phrases)?;
            Ok(Versioned::from(phrases.encode()))
        });
        replaced.await
    }

    /// Whether the guardian has an alert about this session, or one that can't be read.
    pub fn has_alert_in(
        &self,
        view: &impl Read,
        guardian: &GuardianId,
        session: SessionId,
    ) -> Result<bool, StoreError> {
        store::has_alert_in(view, guardian, session)
    }

    /// Alerts that arrived before this time are no longer kept.
    fn oldest(&self) -> Timestamp {
        self.clock.now().before(ALERTS_KEPT)
    }
}
