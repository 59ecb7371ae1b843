//! How much all keys of one guardian, or of several who [share a budget](BudgetOwner), may store per day, so that more keys and
//! more children don't multiply the limit. The counts are only in memory: after a restart only each key's own count is known.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::identity::BudgetOwner;
use crate::kernel::store::Volume;

/// All keys of one guardian together may store this many times the quota of one key for one child.
pub const TIMES: u64 = 5;

/// Above this number of counts, those of past days are dropped.
const SWEPT_AT: usize = 1000;

/// What was stored on a day, in days since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, Default)]
struct Stored {
    day: i64,
    volume: Volume,
}

/// The counts by budget.
#[derive(Debug, Default)]
pub struct Totals(Mutex<HashMap<BudgetOwner, Stored>>);

impl Totals {
    /// Counts `more` for a day. Returns `false`, and counts nothing, if the total would exceed `most`. If the clock was set back,
    /// counting continues on the later day.
    pub fn take(&self, owner: &BudgetOwner, day: i64, more: Volume, most: Volume) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= SWEPT_AT {
            all.retain(|_, stored| stored.day >= day);
        }
        let known = all.get(owner).copied();
        let mut stored = known.filter(|known| known.day >= day).unwrap_or(Stored {
            day,
            ..Stored::default()
        });
        stored.volume.bytes = stored.volume.bytes.saturating_add(more.bytes);
        stored.volume.records = stored.volume.records.saturating_add(more.records);
        let fits = stored.volume.bytes <= most.bytes && stored.volume.records <= most.records;
        if fits {
            all.insert(owner.clone(), stored);
        }
        fits
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
        let take = |who, day, more| totals.take(who, day, more, volume(10, 3));

        assert!(take(&ada, 5, volume(6, 1)));
        assert!(!take(&ada, 5, volume(5, 1)));
        assert!(take(&ada, 5, volume(4, 1)), "what was refused counted");
        assert!(take(&ben, 5, volume(1, 3)));
        assert!(!take(&ben, 5, volume(1, 1)));
        assert!(!take(&ada, 4, volume(1, 1)));
        assert!(take(&ada, 6, volume(10, 1)));
    }
}
