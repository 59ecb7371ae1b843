//! What the server does with tries by itself: those that it left unfinished, and those that are old.

use std::time::Duration;

use super::record::{State, Try};
use super::service::{ANSWERS_KEPT, Tries};
use super::store;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Purpose, StoreError};

/// How long figures are kept.
const KEPT: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// How often old tries are looked for.
const SWEPT_EVERY: Duration = Duration::from_secs(60 * 60);

impl Tries {
    /// Marks the tries as interrupted that ran when the server ended. If that fails, the next start does it.
    pub async fn finish_interrupted(&self) {
        if let Err(error) = self.mark_interrupted().await {
            tracing::warn!(%error, "tries that were interrupted could not be ended");
        }
    }

    async fn mark_interrupted(&self) -> Result<(), StoreError> {
        let mut unfinished = Vec::new();
        for (child, id) in store::all_keys(&self.store)? {
            let found = store::find_readable(&self.store, child, id)?;
            unfinished.extend(
                found
                    .filter(|one| !one.state.is_over())
                    .map(|one| (child, one)),
            );
        }
        if unfinished.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        let marked = self.store.commit_for(Purpose::Essential, move |change| {
            for (child, one) in unfinished {
                let interrupted = Try {
                    state: State::Interrupted,
                    ended_at: Some(now),
                    ..one
                };
                store::put(change, child, &interrupted)?;
            }
            Ok::<_, StoreError>(())
        });
        marked.await
    }

    /// Deletes answers after 30 days and figures after 400.
    pub async fn remove_old(&self, due: DueBy) -> Result<(), StoreError> {
        if !self.sweeps.is_due(&self.clock, SWEPT_EVERY) {
            return Ok(());
        }
        for (child, id) in store::all_keys(&self.store)? {
            let found = store::find_readable(&self.store, child, id)?;
            let is_old = found
                .as_ref()
                .is_some_and(|one| due.has_passed(one.at, KEPT));
            // Answers of an unreadable try are shown to nobody, and nobody can tell when they are 30 days old.
            let keeps_answers = found.is_some_and(|one| !due.has_passed(one.at, ANSWERS_KEPT));
            let has_old_answers = !keeps_answers && store::has_answers(&self.store, child, id)?;
            if !is_old && !has_old_answers {
                continue;
            }
            let removed = self.store.commit_for(Purpose::Essential, move |change| {
                if is_old {
                    store::remove(change, child, id)?;
                } else {
                    store::remove_answers(change, child, id)?;
                }
                change.require_compaction_at_night()
            });
            removed.await?;
        }
        Ok(())
    }
}
