//! Work on a request's body, which may be large.

use tokio::sync::Semaphore;

/// Bodies of at least so many bytes are worked on in a thread of their own.
const LARGE: usize = 64 * 1024;

/// How many of those are worked on at a time. What is read of a body takes up to five times its size, beside the body, which its
/// sender's memory budget is charged with.
static PERMITS: Semaphore = Semaphore::const_new(4);

/// Runs this, for a body of so many bytes. `None` if the server stops meanwhile.
pub async fn run<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    if bytes < LARGE {
        return Some(work());
    }
    let permit = PERMITS.acquire().await.ok()?;
    // The work keeps its permit if the client leaves.
    let done = tokio::task::spawn_blocking(move || {
        let result = work();
        drop(permit);
        result
    });
    done.await.ok()
}
