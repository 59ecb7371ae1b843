//! How much all keys of one guardian, or of several who [share a budget](BudgetOwner), may store per day, so that more keys and
//! more children don't multiply the limit. The counts are only in memory: after a restart only each key's own count is known.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::identity::BudgetOwner;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::daily_counter::DailyCounter;
use crate::kernel::http::limit::TooMany;
use crate::kernel::store::Volume;

/// All keys of one guardian together may store this many times the quota of one key for one child.
pub const TIMES: u64 = 5;

/// Above this number of counts, those of past days are dropped.
const SWEPT_AT: usize = 1000;

/// What was stored, by budget.
#[derive(Debug, Default)]
pub struct Totals(Mutex<HashMap<BudgetOwner, DailyCounter<Volume>>>);

impl Totals {
    /// Counts `more`. Counts nothing if the day's total would exceed `most`.
    pub fn take(
        &self,
        owner: &BudgetOwner,
        now: Timestamp,
        more: Volume,
        most: Volume,
    ) -> Result<(), TooMany> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= SWEPT_AT {
            all.retain(|_, stored| stored.is_current(now));
        }
        let mut stored = all.get(owner).cloned().unwrap_or_default();
        let today = stored.counts(now);
        today.bytes = today.bytes.saturating_add(more.bytes);
        today.records = today.records.saturating_add(more.records);
        if today.bytes > most.bytes || today.records > most.records {
            let seconds = stored.seconds_left(now);
            return Err(TooMany { seconds });
        }
        all.insert(owner.clone(), stored);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::GuardianId;

    #[test]
    fn each_guardian_has_a_daily_limit_and_setting_the_clock_back_does_not_renew_it() {
        let owner = |id| BudgetOwner::Guardian(GuardianId::from_text(id));
        let (ada, ben) = (owner("ada"), owner("ben"));
        let volume = |bytes, records| Volume { bytes, records };
        let totals = Totals::default();
        let take = |who, day, more| {
            let now = Timestamp::start_of_utc_day(day);
            totals.take(who, now, more, volume(10, 3)).is_ok()
        };

        assert!(take(&ada, 5, volume(6, 1)));
        assert!(!take(&ada, 5, volume(5, 1)));
        assert!(take(&ada, 5, volume(4, 1)), "what was refused counted");
        assert!(take(&ben, 5, volume(1, 3)));
        assert!(!take(&ben, 5, volume(1, 1)));
        assert!(!take(&ada, 4, volume(1, 1)));
        assert!(take(&ada, 6, volume(10, 1)));
        assert!(
            !take(&ada, 4, volume(1, 1)),
            "it was counted on the day after"
        );
        assert!(take(&ben, 9, volume(10, 3)));
        assert!(
            take(&ben, 6, volume(10, 3)),
            "a clock that was far ahead uses up nothing"
        );
    }
}
