//! How much all keys of one guardian, or of several who [share a budget](BudgetOwner), may store per day, so that more keys and
//! more children don't multiply the limit. The counts are only in memory: after a restart only each key's own count is known.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::identity::BudgetOwner;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::daily_counter::DailyCounter;
use crate::kernel::http::limit::TooMany;
use crate::kernel::store::{Change, Volume};

/// All keys of one guardian together may store this many times the quota of one key for one child.
pub const TIMES: u64 = 5;

/// Above this number of counts, those of past days are dropped.
const SWEPT_AT: usize = 1000;

/// What was stored, by budget. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Totals(Arc<Mutex<HashMap<BudgetOwner, DailyCounter<Volume>>>>);

impl Totals {
    /// Counts `more`, which the change stores: if the change fails, nothing was counted. Counts nothing if the day's total would
    /// exceed `most`.
    pub fn take_in(
        &self,
        change: &mut Change,
        owner: BudgetOwner,
        now: Timestamp,
        more: Volume,
        most: Volume,
    ) -> Result<(), TooMany> {
        self.take(&owner, now, more, most)?;
        let totals = self.clone();
        change.on_failure(move || totals.give_back(&owner, now, more));
        Ok(())
    }

    fn give_back(&self, owner: &BudgetOwner, now: Timestamp, more: Volume) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stored) = all.get_mut(owner) {
            let today = stored.counts(now);
            today.bytes = today.bytes.saturating_sub(more.bytes);
            today.records = today.records.saturating_sub(more.records);
        }
    }

    fn take(
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
    use crate::kernel::store::{Store, StoreError};

    #[tokio::test]
    async fn what_a_change_that_failed_would_have_stored_is_not_counted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let totals = Totals::default();
        let now = Timestamp::start_of_utc_day(5);
        let all = Volume {
            bytes: 10,
            records: 3,
        };
        let take = async |stored: Result<(), StoreError>| {
            let (owner, totals) = (
                BudgetOwner::Guardian(GuardianId::from_text("ada")),
                totals.clone(),
            );
            let taken = store.commit(move |change| {
                let taken = totals.take_in(change, owner, now, all, all);
                stored.map(|()| taken.is_ok())
            });
            taken.await
        };

        assert!(take(Err(StoreError::Full)).await.is_err());

        assert!(take(Ok(())).await.unwrap());
        assert!(!take(Ok(())).await.unwrap());
    }

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
