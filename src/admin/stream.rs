//! Runs long work in a separate thread and reports its progress.

use tokio::sync::watch;

use super::{AdminError, OnProgress, Progress};

pub use crate::kernel::pieces::{IntoPieces, Pieces, pieces};

/// Reports progress from another thread. The total is unknown.
#[derive(Clone)]
pub(super) struct Counter(watch::Sender<u64>);

impl Counter {
    pub fn report(&self, done: u64) {
        self.0.send_replace(done);
    }
}

/// Runs blocking work in a separate thread and passes on its progress.
pub(super) async fn in_a_thread<T: Send + 'static>(
    progress: OnProgress<'_>,
    work: impl FnOnce(Counter) -> T + Send + 'static,
) -> Result<T, AdminError> {
    let (sender, mut counted) = watch::channel(0);
    let working = tokio::task::spawn_blocking(move || work(Counter(sender)));
    while counted.changed().await.is_ok() {
        let done = *counted.borrow_and_update();
        progress(Progress { done, total: 0 });
    }
    working
        .await
        .map_err(|_| AdminError::new("Something went wrong; the log tells where."))
}
