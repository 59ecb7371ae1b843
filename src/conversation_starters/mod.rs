//! Something to talk about: what a child was curious about in a week, for its parents.
//!
//! Rules choose, no model. Subjects are shown first, and a child's words only when a parent opens them. The questions are read from
//! the transcripts when they are asked for, for a limited time; only what guardians choose is stored. A question is shown only in
//! the range of days in which it was asked, and only if the child asked nothing about its subject in the weeks before, so that
//! none returns.

pub mod api;
mod choosing;
mod file;
mod found;
mod languages;
mod question;
mod store;
mod words;

use std::ops::Range;

use crate::alerts::Alerts;
use crate::children::child_notice::{ChildNotices, Edition};
use crate::children::feature::{Feature, OfSession, Shown};
use crate::children::history::{Changed, Entry, History};
use crate::children::{ChildAccess, ChildId, Children, ChildrenError, SessionId};
use crate::conversations::transcripts::{Transcripts, TranscriptsError};
use crate::identity::{Caller, ConcurrencyLimit, GuardianId};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::zones::Day;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Purpose, Read, Store, StoreError, run_blocking};
use crate::rules::schedule::Schedules;

pub use choosing::Candidate;
use found::Found;
use store::{Chosen, Hidden, HiddenQuestion};

/// The maximum number of days in one request.
pub const MAX_DAYS: u16 = 31;

/// The maximum number of concurrent readings for one guardian.
const AT_A_TIME: usize = 2;

/// The maximum number of questions of a session that guardians can hide.
const MAX_HIDDEN: usize = 300;

#[derive(Debug, thiserror::Error)]
pub enum ConversationStartersError {
    #[error("The last day must not come before the first.")]
    Reversed,
    #[error("At most {MAX_DAYS} days can be asked for at once.")]
    TooManyDays,
    /// Two other readings for this guardian are running.
    #[error("Two of your requests are still running. Please try again in a moment.")]
    TooMany,
    #[error("At most {MAX_HIDDEN} questions of one conversation can be hidden.")]
    TooManyHidden,
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    ConversationStartersError from Children, Transcripts, Store {
        Reversed => against_a_rule(DaysReversed) at "?to",
        TooManyDays => against_a_rule(TooManyDays { most: MAX_DAYS }) at "?from",
        TooMany => too_many(TooManyRequestsRunning, 1),
        TooManyHidden => against_a_rule(TooManyHidden { most: MAX_HIDDEN }),
    }
}

/// The field of a session's hidden questions while the session is in no list.
const TAKEN_OUT: &str = "curious_hidden";

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &store::TRIGGERS,
    backfills: &[],
    shown: &[Shown::Part("curious", || vec![store::SHARED])],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: Some(OfSession {
        take_out: |change, access, session, taken| {
            let hidden = store::readable_hidden(change, access.child(), session)?;
            taken.set(TAKEN_OUT, hidden.as_ref());
            store::remove_hidden(change, access.child(), session)
        },
        put_back: |change, access, facts, taken| {
            access.confirm(change)?;
            if let Some(hidden) = taken.get::<Hidden>(TAKEN_OUT)? {
                store::put_hidden(change, access.child(), facts.session, &hidden)?;
            }
            Ok(())
        },
        keys: &store::KEYS,
        erase_batch: |_, _, _| Ok(false),
    }),
    child_fields: &[file::FIELD],
    session_fields: &[],
};

/// The child's best questions of a range of days.
#[derive(Debug, Default)]
pub struct Questions {
    pub is_on: bool,
    pub chosen: Vec<Candidate>,
    pub unreadable: u64,
}

#[derive(Clone)]
pub struct ConversationStarters {
    store: Store,
    clock: Clock,
    dependencies: Dependencies,
    concurrency: ConcurrencyLimit<GuardianId>,
}

/// What it needs to know of the other features.
#[derive(Clone)]
pub struct Dependencies {
    pub children: Children,
    pub history: History,
    pub transcripts: Transcripts,
    pub times: Schedules,
    pub child_notices: ChildNotices,
    pub alerts: Alerts,
}

impl ConversationStarters {
    pub fn new(store: Store, clock: Clock, dependencies: Dependencies) -> Self {
        Self {
            store,
            clock,
            dependencies,
            concurrency: ConcurrencyLimit::new(AT_A_TIME),
        }
    }

    /// The questions of the child's days from `from` up to and including `to`, in its time zone: by default the last seven. Reads
    /// until `is_over` returns true, in a separate thread.
    pub async fn questions(
        &self,
        access: ChildAccess,
        guardian: GuardianId,
        from: Option<Day>,
        to: Option<Day>,
        is_over: impl FnMut() -> bool + Send + 'static,
    ) -> Result<Questions, ConversationStartersError> {
        let zone = self.dependencies.times.zone_of(&access)?;
        let to = to.unwrap_or_else(|| zone.day_of(self.clock.now()));
        let from = from.unwrap_or_else(|| to.before(6));
        if to < from {
            return Err(ConversationStartersError::Reversed);
        }
        if from <= to.before(MAX_DAYS) {
            return Err(ConversationStartersError::TooManyDays);
        }
        if !self.is_on(&self.store, access.child())? {
            return Ok(Questions::default());
        }
        let permit = self.concurrency.take(&guardian).await;
        let permit = permit.ok_or(ConversationStartersError::TooMany)?;
        let asked = zone.start_of(from)..zone.start_of(to.next());
        let conversation_starters = self.clone();
        run_blocking(move || {
            // Held by the thread: it continues even if the caller is gone.
            let _permit = permit;
            conversation_starters.read(&access, &guardian, asked, is_over)
        })
        .await
    }

    /// Whether questions are shown; by default not for an older child.
    fn is_on(&self, view: &impl Read, child: ChildId) -> Result<bool, StoreError> {
        if let Some(Chosen(on)) = store::chosen(view, child)? {
            return Ok(on);
        }
        let edition = self.dependencies.child_notices.edition(view, child)?;
        Ok(edition != Some(Edition::Older))
    }

    /// For all of the child's guardians. Idempotent.
    pub async fn switch(
        &self,
        access: ChildAccess,
        by: GuardianId,
        on: bool,
    ) -> Result<(), ConversationStartersError> {
        let conversation_starters = self.clone();
        let purpose = Purpose::essential_if(!on);
        let switched = self.store.commit_for(purpose, move |change| {
            access.confirm(change)?;
            if !store::choose(change, access.child(), Chosen(on))? {
                return Ok(());
            }
            let what = if on {
                Changed::CuriousOn
            } else {
                Changed::CuriousOff
            };
            let entry = Entry::new(conversation_starters.clock.now(), what, Some(by));
            Ok(conversation_starters
                .dependencies
                .history
                .record(change, &access, entry)?)
        });
        switched.await
    }

    /// Hides a question, for this guardian alone. Idempotent.
    pub async fn hide(
        &self,
        access: ChildAccess,
        guardian: GuardianId,
        session: SessionId,
        message_id: String,
    ) -> Result<(), ConversationStartersError> {
        let Dependencies {
            transcripts,
            children,
            ..
        } = self.dependencies.clone();
        let hidden = self.store.commit_for(Purpose::Essential, move |change| {
            transcripts.read_around(change, &access, session, &message_id)?;
            let child = access.child();
            // Access may have ended meanwhile, and then nothing of theirs may be left.
            children.access_in(change, &Caller::Guardian(guardian.clone()), child)?;
            let mut hidden = store::readable_hidden(change, child, session)?.unwrap_or_default();
            if hidden.has(&guardian, &message_id) {
                return Ok(());
            }
            if hidden.0.len() >= MAX_HIDDEN {
                return Err(ConversationStartersError::TooManyHidden);
            }
            hidden.0.push(HiddenQuestion {
                guardian,
                message_id,
            });
            Ok(store::put_hidden(change, child, session, &hidden)?)
        });
        hidden.await
    }

    fn read(
        &self,
        access: &ChildAccess,
        guardian: &GuardianId,
        asked: Range<Timestamp>,
        is_over: impl FnMut() -> bool,
    ) -> Result<Questions, ConversationStartersError> {
        let (view, child) = (&self.store, access.child());
        let name = self.dependencies.children.get(view, child)?.name;
        let mut found = Found::new(&name, asked);
        let transcripts = &self.dependencies.transcripts;
        let visited = transcripts.visit_backwards(view, access, None, is_over, &mut found)?;
        let unreadable = visited.unreadable;
        let is_cut = visited.next.is_some()
            && visited
                .back_to
                .is_none_or(|began| !found.knows_asked_before(began));
        if is_cut {
            // Rather no question than one that returns.
            return Ok(Questions {
                is_on: true,
                chosen: Vec::new(),
                unreadable,
            });
        }
        let mut candidates = Vec::new();
        for mut candidate in found.candidates() {
            if self
                .dependencies
                .alerts
                .has_alert_in(view, guardian, candidate.session)?
            {
                continue;
            }
            let hidden = store::hidden(view, child, candidate.session)?;
            candidate.is_hidden = hidden.has(guardian, &candidate.message_id);
            candidates.push(candidate);
        }
        Ok(Questions {
            is_on: true,
            chosen: choosing::choose(candidates, &found.asked_before),
            unreadable,
        })
    }
}
