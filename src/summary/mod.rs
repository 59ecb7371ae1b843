//! What is known of a child at a glance.
//!
//! How many sessions there were and how long they took, what they were about and how the child felt, which was
//! the last; and under it, as it came, the assistant's own report. A parent sees it as it stands, so the words
//! are plain and the numbers few.
//!
//! Reading it must not take longer with every session. So the summary keeps a tally: each session's part of
//! it, which is taken back and counted anew when the session is corrected, and the summary itself, written in
//! the same change. A topic or a mood that differs only in case is the same one, shown as it was first
//! written.

pub mod api;
mod report;
mod store;
mod tally;

use bytes::Bytes;

use crate::children::feature::{Feature, Shown, tables};
use crate::children::{ChildAccess, ChildId, ChildrenError, SessionId};
use crate::kernel::clock::Timestamp;
use crate::kernel::problem::Refusal;
use crate::kernel::store::{Change, Read, ReadCache, Store, StoreError};

pub use report::{Report, ReportError};

use store::{MOODS, TOPICS};
use tally::{LastSession, Overview, Part, Totals};

/// The most memory for summaries, in bytes.
const CACHE_BYTES: u64 = 1024 * 1024;

/// Why something about a summary was refused.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    /// What was delivered is no report.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The child is gone.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SummaryError> for Refusal {
    fn from(error: SummaryError) -> Self {
        match error {
            SummaryError::Report(error @ ReportError::TooLarge) => {
                Self::too_large(error.to_string()).at("")
            }
            SummaryError::Report(error) => Self::malformed(error.to_string()).at(""),
            SummaryError::Children(error) => error.into(),
            SummaryError::Store(error) => error.into(),
        }
    }
}

/// How a session went, as far as the summary cares.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The child's mood.
    pub mood: Option<String>,
}

/// What each table of the summaries holds.
pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    consequences: &[],
    backfills: &[],
    shown: &[Shown::Part("summary", || tables(&store::KINDS))],
    erase_some: |change, access| store::erase_some(change, access.child()),
};

/// The summaries' façade. Clones share it.
#[derive(Clone)]
pub struct Summaries {
    store: Store,
    summaries: ReadCache<ChildId, Bytes>,
}

impl Summaries {
    /// How many topics a summary names.
    pub const TOPICS: usize = 50;

    /// How many moods a summary names.
    pub const MOODS: usize = 20;

    /// Sets the summaries up.
    pub fn new(store: Store) -> Self {
        Self {
            summaries: ReadCache::within(CACHE_BYTES, &store),
            store,
        }
    }

    /// The child's summary as JSON; `null` when there is neither a session nor a report.
    pub fn get(&self, access: &ChildAccess) -> Result<Bytes, StoreError> {
        let child = access.child();
        self.summaries.get(child, |view| {
            let overview = store::overview(view, child)?;
            let report = store::report(view, child)?;
            if overview.is_none() && report.is_none() {
                return Ok(Bytes::from_static(b"null"));
            }
            let overview = overview.unwrap_or_else(|| Overview::default().to_json());
            Ok(tally::with_report(overview, report).into())
        })
    }

    /// The assistant's latest report as JSON, if there is one.
    pub fn report(&self, access: &ChildAccess) -> Result<Option<Vec<u8>>, StoreError> {
        store::report(&self.store, access.child())
    }

    /// Counts a session, or what was corrected of it. How it went stays as it was.
    ///
    /// # Errors
    ///
    /// When the child is gone, or the store's.
    pub fn count_session(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        date: Timestamp,
        topic: Option<String>,
    ) -> Result<(), SummaryError> {
        let counted = store::part(change, access.child(), session)?;
        let (millis, mood) = counted.map_or((0, None), |part| (part.millis, part.mood));
        let part = Part {
            date,
            topic,
            millis,
            mood,
        };
        count(change, access, session, part)
    }

    /// Counts how a session went, or went after all.
    ///
    /// # Errors
    ///
    /// When the child is gone, or the store's.
    pub fn count_outcome(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        date: Timestamp,
        topic: Option<String>,
        outcome: Outcome,
    ) -> Result<(), SummaryError> {
        let part = Part {
            date,
            topic,
            millis: tally::counted_millis(outcome.seconds),
            mood: outcome.mood,
        };
        count(change, access, session, part)
    }

    /// How a session went, as far as it was counted.
    pub fn outcome(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<Outcome>, StoreError> {
        let part = store::part(view, access.child(), session)?;
        Ok(part.map(|part| Outcome {
            seconds: part.millis as f64 / 1000.0,
            mood: part.mood,
        }))
    }

    /// Takes a session out, as if there had been none.
    pub fn remove(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<(), StoreError> {
        let child = access.child();
        match store::part(change, child, session)? {
            Some(counted) => {
                let totals = take_back(change, child, session, counted)?;
                store::remove_part(change, child, session)?;
                write_overview(change, child, totals)
            }
            None => Ok(()),
        }
    }

    /// Replaces the assistant's report on a child.
    ///
    /// # Errors
    ///
    /// When the child is gone, or the store's.
    pub fn replace_report(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        report: &Report,
    ) -> Result<(), SummaryError> {
        access.confirm(change)?;
        Ok(store::put_report(change, access.child(), report)?)
    }
}

/// Subtracts the session's previous contribution, adds its new one, and writes the summary.
fn count(
    change: &mut Change,
    access: &ChildAccess,
    session: SessionId,
    part: Part,
) -> Result<(), SummaryError> {
    access.confirm(change)?;
    let child = access.child();
    let mut totals = store::totals(change, child)?;
    if let Some(counted) = store::part(change, child, session)? {
        if counted == part {
            return Ok(());
        }
        totals = take_back(change, child, session, counted)?;
    }
    totals = totals.with(&part);
    store::put_part(change, child, session, &part)?;
    for (frequencies, words) in [(TOPICS, &part.topic), (MOODS, &part.mood)] {
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

/// Subtracts what a session contributed; what is left of the totals.
fn take_back(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    counted: Part,
) -> Result<Totals, StoreError> {
    let totals = store::totals(change, child)?.without(&counted);
    store::remove_latest(change, child, counted.date, session)?;
    for (frequencies, words) in [(TOPICS, counted.topic), (MOODS, counted.mood)] {
        if let Some(words) = words {
            frequencies.remove(change, child, &words)?;
        }
    }
    Ok(totals)
}

/// Writes the totals and the summary that they make; none without a session.
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
