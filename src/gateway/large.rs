//! Work on a request's body, which may be large.

/// Bodies of at least so many bytes are worked on in a thread of their own.
const LARGE: usize = 64 * 1024;

/// Runs this, for a body of so many bytes. `None` if the server stops meanwhile.
pub async fn run<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    if bytes < LARGE {
        Some(work())
    } else {
        tokio::task::spawn_blocking(work).await.ok()
    }
}
