//! What is measured of a child's days: minutes, topics, moods, how long conversations are and how often the assistant was
//! interrupted.
//!
//! Nothing is stored for it. Each session's part stands in the tallies of the transcripts and of the summary, from which a session
//! that is corrected, moved or erased is taken out; what is read grows with the days that are asked for. So what is shown cannot
//! differ from what is kept.

pub mod api;
mod tally;

use crate::children::{ChildAccess, ChildId};
use crate::kernel::clock::Clock;
use crate::kernel::problem::Refusal;
use crate::kernel::store::{JsonRows, ReadCache, Store, StoreError};
use crate::kernel::zones::Day;
use crate::summary::Summaries;
use crate::times::TimesOfChildren;
use crate::transcripts::Transcripts;

use tally::{Counted, Tally};

/// The most memory for answers, in bytes: some hundred of them.
const CACHE_BYTES: u64 = 4 * 1024 * 1024;

/// The most days that can be asked for at once.
pub const MAX_DAYS: u16 = 400;

/// Why something about the metrics was refused.
#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    /// The last day comes before the first.
    #[error("The last day must not come before the first.")]
    Reversed,
    /// More days than can be asked for.
    #[error("At most {MAX_DAYS} days can be asked for at once.")]
    TooMany,
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<MetricsError> for Refusal {
    fn from(error: MetricsError) -> Self {
        match error {
            MetricsError::Reversed => Self::against_a_rule(error.to_string()).at("?to"),
            MetricsError::TooMany => Self::against_a_rule(error.to_string()).at("?from"),
            MetricsError::Store(error) => error.into(),
        }
    }
}

/// Which days, and of whom.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Asked {
    child: ChildId,
    from: Day,
    to: Day,
}

/// The metrics' façade. Clones share it.
#[derive(Clone)]
pub struct Metrics {
    clock: Clock,
    transcripts: Transcripts,
    summaries: Summaries,
    times: TimesOfChildren,
    answers: ReadCache<Asked, JsonRows>,
}

impl Metrics {
    /// Sets the metrics up.
    pub fn new(
        store: &Store,
        clock: Clock,
        transcripts: Transcripts,
        summaries: Summaries,
        times: TimesOfChildren,
    ) -> Self {
        Self {
            clock,
            transcripts,
            summaries,
            times,
            answers: ReadCache::within(CACHE_BYTES, store),
        }
    }

    /// What is measured of the child's days from `from` up to and with `to`, days in the child's time zone, as JSON. When left
    /// out, `to` is today, and `from` the Monday of the week before.
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
        let asked = Asked {
            child: access.child(),
            from,
            to,
        };
        self.answers.get(asked, |view| {
            let zone = self.times.read(view, access)?.time_zone.clone();
            let (start, end) = (zone.start_of(from), zone.start_of(to.next()));
            let measures = self.transcripts.measure(view, access, start, end)?;
            let mut unreadable = measures.unreadable;
            let mut sessions = Vec::with_capacity(measures.sessions.len());
            for session in measures.sessions {
                let outcome = match self.summaries.outcome(view, access, session.session_id) {
                    Err(StoreError::Unreadable(_)) => {
                        unreadable.insert(session.session_id);
                        None
                    }
                    outcome => outcome?,
                };
                sessions.push(Counted::new(session, outcome));
            }
            let tally = Tally::of(&zone, from..=to, sessions, measures.talk);
            Ok(JsonRows::of(&tally, unreadable.len() as u64))
        })
    }
}
