//! Erasure: guarantees that removed data is in none of the store's files.
//!
//! A removed value stays in sled's file until a compaction. A change that erases data requires a compaction by writing a
//! record that the compaction leaves out of its copy, so an interrupted compaction is still required after a restart. Data
//! that was only replaced, such as a name, can wait for the nightly compaction, which copies everything.

use super::writer::CompactionRequest;
use super::{Change, Range, Read, Store, StoreError, Table};

/// The required compactions. Each has a number, because one may be required while another is running.
pub(super) const REQUIRED: Table = Table::new("compaction");

/// The required compactions that can wait for the night.
pub(super) const AT_NIGHT: Table = Table::new("compaction-at-night");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequiredCompaction {
    /// Something was deleted.
    pub soon: bool,
    /// Something was replaced.
    pub at_night: bool,
}

impl Change {
    /// Requires a compaction after this change, and drops stale answers from memory: the removed data must not be found.
    pub fn require_compaction(&mut self) -> Result<(), StoreError> {
        self.require(REQUIRED)
    }

    /// [`Change::require_compaction`] for data that was replaced, not deleted: it can wait for the night.
    pub fn require_compaction_at_night(&mut self) -> Result<(), StoreError> {
        self.require(AT_NIGHT)
    }

    fn require(&mut self, table: Table) -> Result<(), StoreError> {
        self.drop_stale_answers();
        // Read from the keys, so that a damaged counter cannot prevent an erasure.
        let all = table.key();
        let required = self.keys_below(&all, usize::MAX)?;
        let last = required.last();
        let last = last.and_then(|key| key.components_below(&all).number());
        let number = last.unwrap_or(0) + 1;
        self.put(&all.number(number), &number)
    }
}

impl Store {
    /// Whether removed data is still in the store's files.
    pub fn requires_compaction(&self) -> Result<bool, StoreError> {
        let required = self.required_compaction()?;
        Ok(required.soon || required.at_night)
    }

    pub fn required_compaction(&self) -> Result<RequiredCompaction, StoreError> {
        let is_required = |table: Table| {
            let required = Range::below(&table.key(), None);
            Ok::<_, StoreError>(!self.stored_range(required, 1)?.is_empty())
        };
        Ok(RequiredCompaction {
            soon: is_required(REQUIRED)?,
            at_night: is_required(AT_NIGHT)?,
        })
    }

    /// Compacts the store until its files hold no removed data. `progress` is called with the number of copied records.
    ///
    /// # Errors
    ///
    /// On failure the compaction stays required.
    pub async fn compact_until_erased(
        &self,
        progress: impl Fn(u64) + Clone + Send + 'static,
    ) -> Result<(), StoreError> {
        while self.requires_compaction()? {
            self.compact(progress.clone()).await?;
        }
        Ok(())
    }

    /// Compacts the store, or waits for the running compaction, which may keep what was removed since it began. `progress` is
    /// called with the number of copied records. Reading and writing continue meanwhile.
    ///
    /// # Errors
    ///
    /// On failure the store is unchanged.
    pub async fn compact(&self, progress: impl Fn(u64) + Send + 'static) -> Result<(), StoreError> {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        self.0.writer.compact(CompactionRequest {
            omitted: [REQUIRED.key(), AT_NIGHT.key()],
            progress: Box::new(progress),
            answer: Box::new(move |outcome| {
                let _ = sender.send(outcome);
            }),
        })?;
        receiver.await.map_err(|_| StoreError::Unavailable)?
    }
}
