//! How many requests a key may send through the gateway per day: a family's own model costs power or money.

use std::fmt;
use std::num::{NonZeroU32, ParseIntError};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::daily_counter::DailyCounter;
use crate::kernel::store::{Change, Read, Record, RecordKind, StoreError, Table};

const USED: Table = Table::new("gateway-budget");

pub const KIND: RecordKind = RecordKind::of::<DailyCounter<Used>>(USED);

/// Requests per key and day (UTC): the administrator's `--gateway-budget`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(NonZeroU32);

impl Default for Budget {
    /// A child that talks all day long, ten requests a minute for eight hours.
    fn default() -> Self {
        Self(NonZeroU32::new(5_000).expect("it isn't zero"))
    }
}

impl FromStr for Budget {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(Self)
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<NonZeroU32> for Budget {
    fn from(requests: NonZeroU32) -> Self {
        Self(requests)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BudgetError {
    #[error(
        "This key has sent as many requests today as it may. Please try again after midnight UTC."
    )]
    UsedUp {
        /// Seconds until midnight UTC.
        seconds: u32,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A key's requests on a day.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Used {
    requests: u32,
}

impl Record for DailyCounter<Used> {}

impl Budget {
    /// Counts a request, in the change that keeps it.
    pub fn take(
        self,
        change: &mut Change,
        assistant: &AssistantId,
        now: Timestamp,
    ) -> Result<(), BudgetError> {
        Self::take_of(self.0.get(), change, assistant, now)
    }

    /// Counts a request that isn't the child's. The second half of the budget is for the child.
    pub fn take_half(
        self,
        change: &mut Change,
        assistant: &AssistantId,
        now: Timestamp,
    ) -> Result<(), BudgetError> {
        Self::take_of(self.0.get() / 2, change, assistant, now)
    }

    fn take_of(
        most: u32,
        change: &mut Change,
        assistant: &AssistantId,
        now: Timestamp,
    ) -> Result<(), BudgetError> {
        let key = USED.key().text(assistant.as_str());
        let mut used = change.get::<DailyCounter<Used>>(&key)?.unwrap_or_default();
        let today = used.counts(now);
        if today.requests >= most {
            let seconds = used.seconds_left(now);
            return Err(BudgetError::UsedUp { seconds });
        }
        today.requests += 1;
        Ok(change.put(&key, &used)?)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::kernel::store::Store;

    #[tokio::test]
    async fn a_budget_lasts_until_midnight_and_a_clock_set_back_does_not_renew_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let budget = Budget::from(NonZeroU32::new(2).unwrap());
        let evening = Timestamp::parse("2026-11-21T23:59:00Z").unwrap();
        let take = async |id: &str, now: Timestamp| {
            let id = AssistantId::from_text(id);
            let taken = store.commit(move |change| budget.take(change, &id, now));
            taken.await
        };

        take("bo", evening).await.unwrap();
        take("bo", evening).await.unwrap();
        let refused = take("bo", evening).await;
        assert!(matches!(refused, Err(BudgetError::UsedUp { seconds: 60 })));
        take("ada", evening).await.unwrap();
        let night = evening.after(Duration::from_secs(60));
        take("bo", night).await.unwrap();
        take("bo", evening).await.unwrap();
        assert!(take("bo", evening).await.is_err());
    }

    #[tokio::test]
    async fn a_clock_that_was_far_ahead_has_used_up_nothing_of_today() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let budget = Budget::from(NonZeroU32::new(1).unwrap());
        let now = Timestamp::parse("2026-11-21T12:00:00Z").unwrap();
        let take = async |now: Timestamp| {
            let id = AssistantId::from_text("bo");
            let taken = store.commit(move |change| budget.take(change, &id, now));
            taken.await
        };

        take(now.after(Duration::from_secs(2 * 86_400)))
            .await
            .unwrap();

        take(now).await.unwrap();
        assert!(take(now).await.is_err());
    }
}
