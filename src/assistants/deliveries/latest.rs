//! The time of the latest delivery, to detect that the server's clock was set back.
//!
//! Messages without a time get the server's time, and sessions end by it. But a Raspberry Pi boots with an old time until the
//! network corrects it. So [`LatestDelivery::check`] refuses deliveries while the clock is more than a day before the latest
//! one, until it is right again or the administrator [accepts](accept) it. The log and `porchlight check` report it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, Read, RecordKind, StoreError, Table};

const LATEST: Table = Table::new("latest-delivery");

pub(super) const KIND: RecordKind = RecordKind::of::<Timestamp>(LATEST);

/// How far the clock may be before the latest delivery.
const BEHIND: Duration = Duration::from_secs(24 * 60 * 60);

/// The stored time is updated at most this often, to save writes.
const INTERVAL: Duration = Duration::from_secs(60 * 60);

/// The `Retry-After` for refused deliveries, in seconds.
pub(super) const RETRY_AFTER: u32 = 60;

#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    #[error(
        "The clock of the server stands before what was delivered earlier, so nothing is taken in until it is right. \
         Please send it again later."
    )]
    SetBack,
    /// The time of the latest delivery can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    ClockError from Store {
        SetBack => not_now(ClockSetBack, RETRY_AFTER),
    }
}

/// The time of the latest delivery.
#[derive(Clone, Default)]
pub struct LatestDelivery {
    /// How many deliveries were refused since the clock was last right.
    refused: Arc<AtomicU64>,
}

impl LatestDelivery {
    /// Records a delivery at `now`, at most once an hour. Fails with [`ClockError::SetBack`] if the clock is more than a day before an earlier
    /// delivery.
    pub(super) fn check(&self, change: &mut Change, now: Timestamp) -> Result<(), ClockError> {
        // An unreadable time doesn't block deliveries.
        let noted = change.get_readable::<Timestamp>(&LATEST.key())?;
        let is_set_back = noted.is_some_and(|latest| now.after(BEHIND) < latest);
        if !is_set_back {
            self.refused.store(0, Ordering::Relaxed);
        }
        match noted {
            Some(latest) if is_set_back => {
                if self.refused.fetch_add(1, Ordering::Relaxed) == 0 {
                    tracing::warn!(
                        %now, %latest,
                        "deliveries are refused: the clock stands before an earlier one; set it, or accept it with \
                         `porchlight clock accept`"
                    );
                }
                Err(ClockError::SetBack)
            }
            Some(latest) if now < latest.after(INTERVAL) => Ok(()),
            _ => Ok(change.put(&LATEST.key(), &now)?),
        }
    }
}

/// Deliveries refused because the clock was set back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedDeliveries {
    /// The time of the latest delivery, which the clock is now before.
    pub latest: Timestamp,
    /// How many were refused since the clock was last right, or since the server started.
    pub count: u64,
}

impl LatestDelivery {
    /// `None` if deliveries are accepted at this time.
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

/// Trusts the current time, so that deliveries are accepted again.
pub(super) fn accept(change: &mut Change, now: Timestamp) -> Result<Timestamp, StoreError> {
    change.put(&LATEST.key(), &now)?;
    Ok(now)
}
