//! A child's summary.
//!
//! It has the number of sessions, their total duration, the most frequent topics and moods, and the most recent session; below
//! that, the latest report of its assistants as delivered. Each assistant has its own report, which ends when it is disconnected
//! from the child. Parents see it as JSON, so the words are plain and the numbers few.
//!
//! Reading it must not slow down as sessions accumulate. So the totals are stored, together with each session's contribution,
//! which is subtracted and added again when the session changes. The summary is written in the same commit. Topics and moods
//! that differ only in case are counted together, spelled as first written.

pub mod api;
mod file;
mod report;
mod store;
mod tally;

use bytes::Bytes;

use crate::children::feature::{DetachedData, Feature, OfSession, Shown, tables};
use crate::children::{self, AssistantAccess, ChildAccess, ChildId, ChildrenError, SessionId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, Read, ReadCache, Store, StoreError, Trigger};

pub use report::{Report, ReportError};

use store::{MOODS, TOPICS};
use tally::{CountedOutcome, LastSession, Overview, Part, ReportBy, Totals};

/// In bytes.
const CACHE_BYTES: u64 = 1024 * 1024;

/// The field of a session's outcome in [`DetachedData`].
const TAKEN_OUT: &str = "outcome";

/// Why a request about a summary failed.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    /// The report is invalid.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The child doesn't exist any more.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    SummaryError from Children, Store {
        Report(error) => from(error) at "",
    }
}

/// The part of a session's outcome that the summary counts.
#[derive(Clone, Debug)]
pub struct SessionOutcome {
    /// The duration.
    pub seconds: f64,
    pub mood: Option<String>,
}

impl From<SessionOutcome> for CountedOutcome {
    fn from(outcome: SessionOutcome) -> Self {
        Self {
            millis: tally::counted_millis(outcome.seconds),
            mood: outcome.mood,
        }
    }
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &[Trigger {
        table: children::ASSISTANTS,
        run: |change, keys| {
            for (child, assistant) in children::former_assistants_in(change, keys)? {
                store::remove_report(change, child, &assistant)?;
            }
            Ok(())
        },
    }],
    backfills: &[],
    shown: &[Shown::Part("summary", || tables(&store::KINDS))],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: Some(OfSession {
        take_out: |change, access, session, taken| {
            let child = access.child();
            let Some(counted) = store::part(change, child, session)? else {
                return Ok(());
            };
            taken.set(TAKEN_OUT, Some(&counted.outcome));
            let totals = subtract(change, child, session, counted)?;
            store::remove_part(change, child, session)?;
            write_overview(change, child, totals)
        },
        put_back: |change, access, facts, taken| {
            let part = Part {
                date: facts.date,
                topic: facts.topic.clone(),
                outcome: taken.get(TAKEN_OUT)?.unwrap_or_default(),
                not_child: facts.not_child,
            };
            count(change, access, facts.session, part)
        },
        keys: &store::KEYS,
        erase_batch: |_, _, _| Ok(false),
    }),
    child_fields: &[file::FIELD],
    session_fields: &[],
};

/// Service for summaries. Cheap to clone.
#[derive(Clone)]
pub struct Summaries {
    summaries: ReadCache<ChildId, Bytes>,
}

impl Summaries {
    /// The maximum number of topics in a summary.
    pub const TOPICS: usize = 50;

    /// The maximum number of moods in a summary.
    pub const MOODS: usize = 20;

    pub fn new(store: &Store) -> Self {
        Self {
            summaries: ReadCache::within(CACHE_BYTES, store),
        }
    }

    /// Returns the child's summary as JSON; `null` if there is neither a session nor a report.
    pub fn get(&self, access: &ChildAccess) -> Result<Bytes, StoreError> {
        let child = access.child();
        self.summaries.get(child, |view| {
            let overview = store::overview(view, child)?;
            let report = store::latest_report(view, child)?;
            if overview.is_none() && report.is_none() {
                return Ok(Bytes::from_static(b"null"));
            }
            let overview = overview.unwrap_or_else(|| Overview::default().to_json());
            Ok(tally::with_report(overview, report).into())
        })
    }

    /// Adds a session, or updates its topic and date; its outcome stays unchanged. Fails if the child doesn't exist any more.
    pub fn count_session(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        date: Timestamp,
        topic: Option<String>,
    ) -> Result<(), SummaryError> {
        let counted = store::part(change, access.child(), session)?;
        let (outcome, not_child) = counted
            .map(|part| (part.outcome, part.not_child))
            .unwrap_or_default();
        let part = Part {
            date,
            topic,
            outcome,
            not_child,
        };
        Ok(count(change, access, session, part)?)
    }

    /// Adds or updates a session's outcome. Fails if the child doesn't exist any more.
    pub fn count_outcome(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        date: Timestamp,
        topic: Option<String>,
        outcome: SessionOutcome,
    ) -> Result<(), SummaryError> {
        let counted = store::part(change, access.child(), session)?;
        let part = Part {
            date,
            topic,
            outcome: outcome.into(),
            not_child: counted.is_some_and(|part| part.not_child),
        };
        Ok(count(change, access, session, part)?)
    }

    /// Returns a session's counted outcome.
    pub fn outcome(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<SessionOutcome>, StoreError> {
        let part = store::part(view, access.child(), session)?;
        Ok(part.map(|part| SessionOutcome {
            seconds: part.outcome.millis as f64 / 1000.0,
            mood: part.outcome.mood,
        }))
    }

    /// [`Summaries::count_outcome`] for a session that was taken out of the child's counts; `None` after it was reopened.
    pub fn set_outcome_taken_out(taken: &mut DetachedData, outcome: Option<SessionOutcome>) {
        taken.set(TAKEN_OUT, outcome.map(CountedOutcome::from).as_ref());
    }

    /// Replaces an assistant's report on a child. `is_only_assistant` tells whether a report of an unknown assistant can be
    /// nobody else's. Fails if the child doesn't exist any more.
    pub fn replace_report(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        name: Option<&str>,
        is_only_assistant: bool,
        report: &Report,
        now: Timestamp,
    ) -> Result<(), SummaryError> {
        access.child().confirm(change)?;
        let child = access.child().child();
        if is_only_assistant {
            store::remove_unowned_report(change, child)?;
        }
        let by = ReportBy {
            assistant_id: access.assistant().clone(),
            assistant: name.map(str::to_owned),
            at: now,
        };
        Ok(store::put_report(change, child, report, &by)?)
    }
}

/// Subtracts the session's previous contribution, adds its new one, and writes the summary.
fn count(
    change: &mut Change,
    access: &ChildAccess,
    session: SessionId,
    part: Part,
) -> Result<(), ChildrenError> {
    access.confirm(change)?;
    let child = access.child();
    let mut totals = store::totals(change, child)?;
    if let Some(counted) = store::part(change, child, session)? {
        if counted == part {
            return Ok(());
        }
        totals = subtract(change, child, session, counted)?;
    }
    store::put_part(change, child, session, &part)?;
    if part.not_child {
        return Ok(write_overview(change, child, totals)?);
    }
    totals = totals.with(&part);
    for (frequencies, words) in [(TOPICS, &part.topic), (MOODS, &part.outcome.mood)] {
        if let Some(words) = words {
            frequencies.add(change, child, words)?;
        }
    }
    let latest = LastSession {
        date: part.date,
        topic: part.topic,
        session_id: session,
    };
    store::put_latest(change, child, &latest)?;
    Ok(write_overview(change, child, totals)?)
}

/// Subtracts a session's contribution. Returns the remaining totals.
fn subtract(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    counted: Part,
) -> Result<Totals, StoreError> {
    let totals = store::totals(change, child)?;
    if counted.not_child {
        return Ok(totals);
    }
    let totals = totals.without(&counted);
    store::remove_latest(change, child, counted.date, session)?;
    for (frequencies, words) in [(TOPICS, counted.topic), (MOODS, counted.outcome.mood)] {
        if let Some(words) = words {
            frequencies.remove(change, child, &words)?;
        }
    }
    Ok(totals)
}

/// Writes the totals and the summary; removes both if no session is left.
fn write_overview(change: &mut Change, child: ChildId, totals: Totals) -> Result<(), StoreError> {
    store::put_totals(change, child, totals)?;
    if totals.sessions == 0 {
        return store::remove_overview(change, child);
    }
    let overview = Overview {
        sessions: totals.sessions,
        minutes: totals.minutes(),
        last_session: store::last_session(change, child)?,
        topics: TOPICS.most_frequent(change, child, Summaries::TOPICS)?,
        moods: MOODS.most_frequent(change, child, Summaries::MOODS)?,
    };
    store::put_overview(change, child, &overview)
}
