//! How long one request may read.

use std::time::Duration;

use tokio::time::Instant;

const READING: Duration = Duration::from_millis(150);

/// Begins the time for reading in one request. Returns a function that says whether it is over; the answer then has what was
/// found by then.
pub fn reading_time() -> impl Fn() -> bool + Send + Sync + 'static {
    let begun = Instant::now();
    move || begun.elapsed() >= READING
}
