//! Verifies that everything in the store can be read.

use super::backup::how_to_restore;
use super::stream::in_a_thread;
use super::{AdminError, OnProgress};
use crate::app;
use crate::kernel::backup_state;
use crate::kernel::store::{RecordKind, Store, StoreError, Verified};

/// The record kind of each table of the store.
pub fn record_kinds() -> Vec<RecordKind> {
    let mut kinds = app::record_kinds();
    kinds.extend(backup_state::KINDS);
    kinds
}

/// Reads everything in the store.
pub(super) async fn verify(
    store: &Store,
    progress: OnProgress<'_>,
) -> Result<Verified, AdminError> {
    let store = store.clone();
    let verified = in_a_thread(progress, move |counter| {
        store.verify(&record_kinds(), |done| counter.report(done))
    });
    verified.await?.map_err(|error| match error {
        StoreError::Unreadable(what) => AdminError::new(format!(
            "The store's files are damaged: {what}. {}",
            how_to_restore()
        )),
        error => error.into(),
    })
}
