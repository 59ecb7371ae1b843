//! Commits changes, and compacts the store after what was removed from it.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::AdminError;
use super::operation::Reports;
use crate::app::App;
use crate::kernel::store::{Change, Purpose, StoreError};

/// An entry that was changed or removed, and whether the store's files were compacted without its old data.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compacted<T> {
    /// The entry before its removal, or after the change.
    #[serde(flatten)]
    pub entry: T,
    /// Why removed data is still in the store's files; left out if it isn't.
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

/// Commits a change that removes data which must not be found any more, and then compacts the store.
pub(super) async fn change_and_compact<T: Send + 'static>(
    app: &App,
    reports: &Reports,
    purpose: Purpose,
    change: impl FnOnce(&App, &mut Change) -> Result<T, AdminError> + Send + 'static,
) -> Result<Compacted<T>, AdminError> {
    let entry = self::change(app, purpose, change).await?;
    let traces = compact(app, reports).await;
    Ok(Compacted { entry, traces })
}

/// Compacts the store. If that fails, returns a sentence that explains it: the change itself is kept.
pub(super) async fn compact(app: &App, reports: &Reports) -> Option<String> {
    let reports = reports.clone();
    let error = app.run_maintenance(move |done| reports.count(done)).await;
    Some(still_found(&error.err()?))
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
