//! Whether an assistant may talk with a child now: from the times, and how much of the day was used.

use std::time::Duration;

use super::{Rules, language};
use crate::children::ChildAccess;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::store::StoreError;
use crate::rules::schedule::{self, Pause, Schedule, Talk, Today};

/// Whether an assistant may talk with a child now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TalkNow {
    pub talk: Talk,
    /// The next time at which `talk` changes by the clock alone: whether it may, or why not.
    pub next_change: Option<Timestamp>,
    /// How much of the day was used, in seconds.
    pub seconds_used: u64,
    pub pause: Option<Pause>,
    /// The language of the goodbye.
    pub language: Language,
}

impl Rules {
    /// Whether an assistant may talk with the child now.
    pub fn talk(&self, access: &ChildAccess) -> Result<TalkNow, StoreError> {
        let now = self.clock.now();
        let times = self.dependencies.times.current(access)?;
        let used = self.used(access, &times, now)?;
        let (talk, next_change) = schedule::talk_and_next_change(&times, now, used);
        Ok(TalkNow {
            talk,
            next_change,
            seconds_used: used.as_secs(),
            pause: times.pause_at(now).cloned(),
            language: language::issued(&self.store, access.child())?.unwrap_or_default(),
        })
    }

    fn used(
        &self,
        access: &ChildAccess,
        times: &Schedule,
        now: Timestamp,
    ) -> Result<Duration, StoreError> {
        let today = Today::at(now, &times.time_zone);
        self.used.get((access.child(), today), |view| {
            let transcripts = &self.dependencies.transcripts;
            let talked = transcripts.talk_intervals(view, access, today.start)?;
            let talked = talked.into_iter().map(|talk| (talk.start, talk.end));
            Ok(schedule::used(talked, today))
        })
    }
}
