//! Work that is done at most once in an interval of uptime.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::clock::Clock;

/// Clones share when the work was last due.
#[derive(Clone, Debug, Default)]
pub struct Throttle(Arc<Mutex<Option<Duration>>>);

impl Throttle {
    /// Whether the interval has passed since this last answered `true`; the first time, too.
    pub fn is_due(&self, clock: &Clock, interval: Duration) -> bool {
        let now = clock.uptime();
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| now.saturating_sub(last) >= interval);
        if is_due {
            *last = Some(now);
        }
        is_due
    }
}
