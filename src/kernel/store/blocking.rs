//! Work that takes long, on a thread of its own.

use tokio::task;

use super::StoreError;

/// Runs this on a thread for blocking work, also to its end if the caller is gone. Fails with [`StoreError::Unavailable`] if
/// the server stops before it begins.
pub async fn run_blocking<T, E>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, E>
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
{
    let done = task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(StoreError::Unavailable.into()))
}
