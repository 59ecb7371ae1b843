//! How many requests a key may send through the gateway per day: a family's own model costs power or money.

use std::fmt;
use std::num::{NonZeroU32, ParseIntError};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::identity::AssistantId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Change, Read, Record, RecordKind, StoreError, Table};

const USED: Table = Table::new("gateway-budget");

pub const KIND: RecordKind = RecordKind::of::<Used>(USED);

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

/// A key's requests.
#[derive(Debug, Serialize, Deserialize)]
struct Used {
    /// Days since 1970-01-01 UTC. A clock that was set back doesn't renew the budget.
    day: i64,
    requests: u32,
}

impl Record for Used {}

impl Budget {
    /// Counts a request, in the change that keeps it.
    pub fn take(
        self,
        change: &mut Change,
        assistant: &AssistantId,
        now: Timestamp,
    ) -> Result<(), BudgetError> {
        let key = USED.key().text(assistant.as_str());
        let today = now.utc_day();
        let used = change.get::<Used>(&key)?;
        let used = used.filter(|used| used.day >= today).unwrap_or(Used {
            day: today,
            requests: 0,
        });
        if used.requests >= self.0.get() {
            let end = Timestamp::start_of_utc_day(used.day + 1);
            let seconds = end.since(now).as_secs() + 1;
            return Err(BudgetError::UsedUp {
                seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
            });
        }
        let used = Used {
            requests: used.requests + 1,
            ..used
        };
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
        let store = Store::open(folder.path(), false).unwrap();
        let budget = Budget::from(NonZeroU32::new(2).unwrap());
        let evening = Timestamp::parse("2026-11-21T23:59:00Z").unwrap();
        let take = async |id: &str, now: Timestamp| {
            let id = AssistantId::from_text(id);
            let taken = store.commit(move |change| budget.take(change, &id, now));
            taken.await.unwrap()
        };

        take("bo", evening).await.unwrap();
        take("bo", evening).await.unwrap();
        let refused = take("bo", evening).await;
        assert!(matches!(refused, Err(BudgetError::UsedUp { seconds: 61 })));
        take("ada", evening).await.unwrap();
        let night = evening.after(Duration::from_secs(60));
        take("bo", night).await.unwrap();
        take("bo", evening).await.unwrap();
        assert!(take("bo", evening).await.is_err());
    }
}
