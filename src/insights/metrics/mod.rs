//! Statistics about a child's conversations: minutes, topics, moods, the length of conversations and how often the assistant was
//! interrupted.
//!
//! Nothing is stored for them. The transcripts and the summary keep a tally of each session, which is updated when a session
//! is corrected, moved or erased; the cost of reading grows with the number of requested days. So the statistics are always
//! consistent with the stored sessions.

pub mod api;
mod tally;

use std::ops::RangeInclusive;

use crate::children::{ChildAccess, ChildId};
use crate::conversations::transcripts::Transcripts;
use crate::insights::summary::Summaries;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::zones::{Day, Zone};
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{JsonRows, Read, ReadCache, Store, StoreError, readable};
use crate::rules::schedule::Schedules;

pub use tally::RangeTotals;
use tally::{Counted, Tally};

/// The maximum size of the cache of answers, in bytes: some hundred of them.
const CACHE_BYTES: u64 = 4 * 1024 * 1024;

/// The maximum number of days in one request.
pub const MAX_DAYS: u16 = 400;

/// Why a request for metrics was refused.
#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    #[error("The last day must not come before the first.")]
    Reversed,
    #[error("At most {MAX_DAYS} days can be asked for at once.")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    MetricsError from Store {
        Reversed => against_a_rule(DaysReversed) at "?to",
        TooMany => against_a_rule(TooManyDays { most: MAX_DAYS }) at "?from",
    }
}

/// The requested days and the child.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ChildDays {
    child: ChildId,
    from: Day,
    to: Day,
}

#[derive(Clone)]
pub struct Metrics {
    clock: Clock,
    transcripts: Transcripts,
    summaries: Summaries,
    times: Schedules,
    answers: ReadCache<ChildDays, JsonRows>,
}

impl Metrics {
    pub fn new(
        store: &Store,
        clock: Clock,
        transcripts: Transcripts,
        summaries: Summaries,
        times: Schedules,
    ) -> Self {
        Self {
            clock,
            transcripts,
            summaries,
            times,
            answers: ReadCache::within(CACHE_BYTES, store),
        }
    }

    /// The metrics of the child's days from `from` up to and including `to`, in the child's time zone, as JSON. By
    /// default, `to` is today, and `from` the Monday of the week before.
    pub fn get(
        &self,
        access: &ChildAccess,
        from: Option<Day>,
        to: Option<Day>,
    ) -> Result<JsonRows, MetricsError> {
        let zone = self.times.current(access)?.time_zone.clone();
        let to = to.unwrap_or_else(|| zone.day_of(self.clock.now()));
        let from = from.unwrap_or_else(|| to.before(7 + u16::from(to.weekday())));
        if to < from {
            return Err(MetricsError::Reversed);
        }
        if from <= to.before(MAX_DAYS) {
            return Err(MetricsError::TooMany);
        }
        let asked = ChildDays {
            child: access.child(),
            from,
            to,
        };
        self.answers.get(asked, |view| {
            let zone = self.times.read(view, access)?.time_zone.clone();
            let (tally, unreadable) = self.tally(view, access, &zone, from..=to)?;
            Ok(JsonRows::of(&tally, unreadable))
        })
    }

    /// The same figures as of `view`, in a time zone that need not be the child's.
    pub fn figures(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        zone: &Zone,
        days: RangeInclusive<Day>,
    ) -> Result<RangeTotals, StoreError> {
        let (tally, unreadable) = self.tally(view, access, zone, days)?;
        Ok(RangeTotals::of(tally, unreadable))
    }

    /// Aggregates these days. Also returns the number of unreadable sessions.
    fn tally(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        zone: &Zone,
        days: RangeInclusive<Day>,
    ) -> Result<(Tally, u64), StoreError> {
        let start = zone.start_of(*days.start());
        let end = zone.start_of(days.end().next());
        let measures = self.transcripts.measure(view, access, start, end)?;
        let mut unreadable = measures.unreadable;
        let mut sessions = Vec::with_capacity(measures.sessions.len());
        for session in measures.sessions {
            let outcome = self.summaries.outcome(view, access, session.session_id);
            let outcome = readable(outcome)?;
            if outcome.is_none() {
                unreadable.insert(session.session_id);
            }
            sessions.push(Counted::new(session, outcome.flatten()));
        }
        let tally = Tally::of(zone, days, sessions, measures.talk);
        Ok((tally, unreadable.len() as u64))
    }
}
