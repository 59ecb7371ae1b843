//! Compacts the store after what was removed from it.

use super::{AdminError, Compacted, OnProgress, Progress};
use crate::app::App;
use crate::kernel::store::{Change, Purpose, StoreError};

/// Commits a change that removes data which must not be found any more, and then compacts the store.
pub(super) async fn change_and_compact<T: Send + 'static>(
    app: &App,
    progress: OnProgress<'_>,
    purpose: Purpose,
    change: impl FnOnce(&App, &mut Change) -> Result<T, AdminError> + Send + 'static,
) -> Result<Compacted<T>, AdminError> {
    let doing = app.clone();
    let changed = app
        .store
        .commit_for(purpose, move |view| change(&doing, view));
    let entry = changed.await??;
    let traces = compact(app, progress).await;
    Ok(Compacted { entry, traces })
}

/// Compacts the store. If that fails, returns a sentence that explains it: the change itself is kept.
pub(super) async fn compact(app: &App, progress: OnProgress<'_>) -> Option<String> {
    let error = run_maintenance(app, progress).await.err()?;
    Some(still_found(&error))
}

pub(super) fn still_found(error: &StoreError) -> String {
    match error {
        StoreError::Full => "What it was before can still be found in the store's files. They are compacted as soon as the \
                             disk has room for a copy of them."
            .to_owned(),
        error => format!(
            "What it was before can still be found in the store's files until they are compacted, which is tried again at \
             the next start. {error}"
        ),
    }
}

async fn run_maintenance(app: &App, progress: OnProgress<'_>) -> Result<(), StoreError> {
    let (sender, mut copied) = tokio::sync::watch::channel(0);
    let app = app.clone();
    let tell = move |done| {
        sender.send_replace(done);
    };
    let compacting = tokio::spawn(async move { app.run_maintenance(tell).await });
    while copied.changed().await.is_ok() {
        let done = *copied.borrow_and_update();
        progress(Progress { done, total: 0 });
    }
    compacting.await.unwrap_or(Err(StoreError::Unavailable))
}
