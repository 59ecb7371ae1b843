//! When the server last took in a delivery, so that a clock that was set back is noticed.
//!
//! What an assistant says without a time is dated by the server's clock, and a session ends by it. A Raspberry Pi starts with
//! a clock in the past until the network sets it, so deliveries wait: [`LatestDelivery::check`] refuses them while the clock
//! stands more than a day before the latest one, until it is right again or the administrator [accepts](accept) it. The log
//! says so, and `porchlight check`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Change, Read, ReadCache, RecordKind, Store, StoreError, Table};

const LATEST: Table = Table::new("latest-delivery");

/// What the table holds.
pub(super) const KIND: RecordKind = RecordKind::of::<Timestamp>(LATEST);

/// How far the clock may stand before the latest delivery (beyond the specification, section 8).
const BEHIND: Duration = Duration::from_secs(24 * 60 * 60);

/// How much later a delivery is noted than the one that was noted before: a write for each would tell little more.
const INTERVAL: Duration = Duration::from_secs(60 * 60);

/// After how many seconds an assistant tries again.
pub(super) const RETRY_AFTER: u32 = 60;

/// Why nothing was taken in.
#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    /// The clock was set back.
    #[error(
        "The clock of the server stands before what was delivered earlier, so nothing is taken in until it is right. \
         Please send it again later."
    )]
    SetBack,
    /// When the latest delivery was can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// When the server last took in a delivery. Clones share it.
#[derive(Clone)]
pub struct LatestDelivery {
    /// Read by every delivery, and written once in an [`INTERVAL`].
    noted: ReadCache<(), Timestamp>,
    /// How many deliveries were refused since the clock was last right.
    refused: Arc<AtomicU64>,
}

impl LatestDelivery {
    /// What this store has noted.
    pub fn of(store: &Store) -> Self {
        Self {
            noted: ReadCache::within(1024, store),
            refused: Arc::default(),
        }
    }

    /// Notes that something is delivered now.
    ///
    /// # Errors
    ///
    /// [`ClockError::SetBack`] when the clock stands more than a day before an earlier delivery.
    pub(super) fn check(&self, change: &mut Change, now: Timestamp) -> Result<(), ClockError> {
        // One that cannot be read is no reason to keep every family's words out.
        let noted = self.noted.get((), |view| {
            let noted = view.get_readable::<Timestamp>(&LATEST.key());
            noted?.ok_or(None::<StoreError>)
        });
        let is_set_back = matches!(&noted, Ok(latest) if now.after(BEHIND) < *latest);
        if !is_set_back {
            self.refused.store(0, Ordering::Relaxed);
        }
        match noted {
            Ok(latest) if is_set_back => {
                if self.refused.fetch_add(1, Ordering::Relaxed) == 0 {
                    tracing::warn!(
                        %now, %latest,
                        "deliveries are refused: the clock stands before an earlier one; set it, or accept it with \
                         `porchlight clock accept`"
                    );
                }
                Err(ClockError::SetBack)
            }
            Ok(latest) if now < latest.after(INTERVAL) => Ok(()),
            Err(Some(error)) => Err(error.into()),
            Ok(_) | Err(None) => Ok(change.put(&LATEST.key(), &now)?),
        }
    }
}

/// Deliveries that are refused because of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedDeliveries {
    /// The time of the latest delivery, before which the clock stands.
    pub latest: Timestamp,
    /// How many were refused since the server started.
    pub count: u64,
}

impl LatestDelivery {
    /// Whether deliveries are refused at this time, because it stands before the latest one.
    pub fn refused(
        &self,
        view: &impl Read,
        now: Timestamp,
    ) -> Result<Option<RefusedDeliveries>, StoreError> {
        let latest = view.get_readable::<Timestamp>(&LATEST.key())?;
        let latest = latest.filter(|latest| now.after(BEHIND) < *latest);
        Ok(latest.map(|latest| RefusedDeliveries {
            latest,
            count: self.refused.load(Ordering::Relaxed),
        }))
    }
}

/// Takes the clock's time for right.
pub(super) fn accept(change: &mut Change, now: Timestamp) -> Result<Timestamp, StoreError> {
    change.put(&LATEST.key(), &now)?;
    Ok(now)
}
