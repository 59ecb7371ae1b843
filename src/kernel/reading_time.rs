//! How long one request may read.

use std::sync::OnceLock;
use std::time::Duration;

use tokio::time::Instant;

const READING: Duration = Duration::from_millis(150);

/// Returns a function that says whether the time for reading in one request is over; the answer then has what was found by then.
/// The time begins when it is first called, so that on a busy machine a request has read something, too.
pub fn reading_time() -> impl Fn() -> bool + Send + Sync + 'static {
    let begun = OnceLock::new();
    move || begun.get_or_init(Instant::now).elapsed() >= READING
}
