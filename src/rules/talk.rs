//! Whether an assistant may talk with a child now: the times, and how much of the day was used.

use std::time::Duration;

use super::Rules;
use crate::children::ChildAccess;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::StoreError;
use crate::times::{self, Talk, Times, Today};

/// Whether an assistant may talk with a child now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TalkNow {
    /// Whether it may.
    pub talk: Talk,
    /// How much of the day was used, in seconds.
    pub seconds_used: u64,
}

impl Rules {
    /// Whether an assistant may talk with the child now.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn talk(&self, access: &ChildAccess) -> Result<TalkNow, StoreError> {
        let now = self.clock.now();
        let times = self.joined.times.current(access)?;
        let used = self.used(access, &times, now)?;
        Ok(TalkNow {
            talk: times::talk(&times, now, used),
            seconds_used: used.as_secs(),
        })
    }

    /// When this changes next by the clock alone: whether the assistant may talk, or why not.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn next_change(&self, access: &ChildAccess) -> Result<Option<Timestamp>, StoreError> {
        let now = self.clock.now();
        let times = self.joined.times.current(access)?;
        let used = self.used(access, &times, now)?;
        Ok(times::next_change(&times, now, used))
    }

    /// How much of the day was used.
    fn used(
        &self,
        access: &ChildAccess,
        times: &Times,
        now: Timestamp,
    ) -> Result<Duration, StoreError> {
        let today = Today::at(now, &times.time_zone);
        self.used.get((access.child(), today), |view| {
            let transcripts = &self.joined.transcripts;
            let talked = transcripts.talk_intervals(view, access, today.start)?;
            let talked = talked.into_iter().map(|talk| (talk.start, talk.end));
            Ok(times::used(talked, today))
        })
    }
}
