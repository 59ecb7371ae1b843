//! Commits changes, and runs maintenance after those that remove data.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::AdminError;
use super::operation::Reports;
use crate::app::App;
use crate::kernel::store::{Change, Purpose, StoreError};

/// An entry that was changed or removed, and whether its old data may still be in the store's files.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compacted<T> {
    /// The entry before its removal, or after the change.
    #[serde(flatten)]
    pub entry: T,
    /// Why the maintenance failed that removes it from them; left out if it succeeded.
    pub traces: Option<String>,
}

/// Commits a change. An essential one, such as a removal, works even if the disk is nearly full.
pub(super) async fn change<T: Send + 'static>(
    app: &App,
    purpose: Purpose,
    change: impl FnOnce(&App, &mut Change) -> Result<T, AdminError> + Send + 'static,
) -> Result<T, AdminError> {
    let changed = app.clone();
    let changed = app
        .store
        .commit_for(purpose, move |view| change(&changed, view));
    changed.await
}

/// Commits a change that removes data which must not be found any more, and then runs maintenance, which compacts the store.
pub(super) async fn change_and_run_maintenance<T: Send + 'static>(
    app: &App,
    reports: &Reports,
    purpose: Purpose,
    change: impl FnOnce(&App, &mut Change) -> Result<T, AdminError> + Send + 'static,
) -> Result<Compacted<T>, AdminError> {
    let entry = self::change(app, purpose, change).await?;
    let traces = run_maintenance(app, reports).await;
    Ok(Compacted { entry, traces })
}

/// Runs maintenance. If that fails, returns a sentence that explains it: the change itself is kept.
pub(super) async fn run_maintenance(app: &App, reports: &Reports) -> Option<String> {
    let reports = reports.clone();
    let error = app.run_maintenance(move |done| reports.count(done)).await;
    Some(residual_data(&error.err()?))
}

pub(super) fn residual_data(error: &StoreError) -> String {
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
