//! Limits how much a guardian may change in a day: far more than a person does, so that a stolen sign-in or a faulty program
//! doesn't fill the disk. Cancelling, revoking, pausing, deleting and signing out are never counted.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use crate::identity::GuardianId;
use crate::identity::accounts::guardians::{BudgetOwner, Guardians};
use crate::kernel::host::clock::Clock;
use crate::kernel::host::daily_counter::DailyCounter;
use crate::kernel::http::limit::{LimitMode, TooMany};
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Store, StoreError};

/// The limit of changes per day (UTC).
const CHANGES: u32 = 1000;

/// The limit of bytes in these changes' request bodies per day (UTC).
const BYTES: u64 = 20_000_000;

/// Above this number of counts, those of past days are dropped.
const SWEPT_AT: usize = 1000;

/// Why a guardian's change isn't allowed today.
#[derive(Debug, thiserror::Error)]
pub enum WriteBudgetError {
    /// The guardian's daily limit of changes is reached.
    #[error(
        "You've reached today's limit of changes. You can change things again tomorrow (UTC). \
         Stopping, disconnecting, pausing and deleting still work."
    )]
    Own(TooMany),
    /// The daily limit of changes of the guardians who share a budget is reached.
    #[error(
        "Until you confirm your address, you share a daily limit of changes with others who joined by an invitation, and it is \
         used up. You can change things again tomorrow (UTC). Stopping, disconnecting, pausing and deleting still work."
    )]
    Shared(TooMany),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    WriteBudgetError from Store {
        Own(limit) => too_many(TooManyChanges, limit.seconds),
        Shared(limit) => too_many(TooManySharedChanges, limit.seconds),
    }
}

/// One day's count.
#[derive(Clone, Copy, Default)]
struct Changed {
    changes: u32,
    bytes: u64,
}

/// Counts guardians' changes.
#[derive(Clone)]
pub struct WriteBudgets {
    store: Store,
    clock: Clock,
    /// Multiplies the budget; `None` if nothing is limited.
    times: Option<NonZeroU32>,
    changed: Arc<Mutex<HashMap<BudgetOwner, DailyCounter<Changed>>>>,
}

impl WriteBudgets {
    pub(in crate::identity) fn new(store: Store, clock: Clock, limits: LimitMode) -> Self {
        Self {
            store,
            clock,
            times: match limits {
                LimitMode::Usual => Some(NonZeroU32::MIN),
                LimitMode::Times(times) => Some(times),
                LimitMode::Off => None,
            },
            changed: Arc::default(),
        }
    }

    /// Counts a change with a body of so many bytes against [the guardian's budget](Guardians::budget_owner).
    pub fn take(&self, guardian: &GuardianId, bytes: u64) -> Result<(), WriteBudgetError> {
        let Some(times) = self.times else {
            return Ok(());
        };
        let owner = Guardians::budget_owner(&self.store, guardian)?;
        let now = self.clock.now();
        let mut all = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= SWEPT_AT {
            all.retain(|_, changed| changed.is_current(now));
        }
        let mut changed = all.get(&owner).cloned().unwrap_or_default();
        let today = changed.counts(now);
        today.changes = today.changes.saturating_add(1);
        today.bytes = today.bytes.saturating_add(bytes);
        if today.changes > CHANGES.saturating_mul(times.get())
            || today.bytes > BYTES.saturating_mul(times.get().into())
        {
            let seconds = changed.seconds_left(now);
            let too_many = TooMany { seconds };
            return Err(match owner {
                BudgetOwner::Guardian(_) => WriteBudgetError::Own(too_many),
                BudgetOwner::InvitedBy(_) => WriteBudgetError::Shared(too_many),
            });
        }
        all.insert(owner, changed);
        Ok(())
    }
}
