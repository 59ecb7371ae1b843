//! How long one request may read.

use std::sync::OnceLock;
use std::time::Duration;

use tokio::time::Instant;

const READING: Duration = Duration::from_millis(150);

/// Returns a function that says whether a request must stop reading. Its answer then has what was found so far.
///
/// The time starts at the function's first call, so that a request reads something even on a busy machine.
pub fn reading_time() -> impl Fn() -> bool + Send + Sync + 'static {
    let begun = OnceLock::new();
    move || begun.get_or_init(Instant::now).elapsed() >= READING
}
