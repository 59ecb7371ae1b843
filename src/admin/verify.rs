//! Verifies that everything in the store can be read.

use serde::{Deserialize, Serialize};

use super::AdminError;
use super::backup::how_to_restore;
use super::operation::{Operation, Reports, in_a_thread};
use super::target::OpenStore;
use crate::app;
use crate::kernel::store::backup_state;
use crate::kernel::store::{RecordKind, StoreError, Verified};

/// The record kind of each table of the store.
pub fn record_kinds() -> Vec<RecordKind> {
    let mut kinds = app::record_kinds();
    kinds.extend(backup_state::KINDS);
    kinds
}

/// Reads everything in the store.
#[derive(Clone, Serialize, Deserialize)]
pub struct Verify;

impl Operation for Verify {
    type Answer = Verified;

    async fn run(self, on: &OpenStore, reports: &Reports) -> Result<Verified, AdminError> {
        let (store, reports) = (on.store.clone(), reports.clone());
        let verified =
            in_a_thread(move || store.verify(&record_kinds(), |done| reports.count(done)));
        verified.await?.map_err(|error| match error {
            // Damaged records are in the answer; this is a file.
            StoreError::Unreadable(what) => AdminError::new(format!(
                "The store's files are damaged: {what}. {}",
                how_to_restore()
            )),
            error => error.into(),
        })
    }
}
