//! Erasure: guarantees that removed data is in none of the store's files.
//!
//! A removed value stays in sled's file until a compaction. A change that erases data requires a compaction by writing a
//! record that the compaction leaves out of its copy, so an interrupted compaction is still required after a restart. Data
//! that was only replaced, such as a name, can wait for the nightly compaction, which copies everything.

use serde::{Deserialize, Serialize};

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
        let number = last_number(self, table)? + 1;
        self.put(&table.key().number(number), &number)
    }
}

/// The compactions that had been required at some time, by their last numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequiredUpTo {
    soon: u64,
    at_night: u64,
}

impl RequiredUpTo {
    /// Those that are required now.
    pub fn now(view: &impl Read) -> Result<Self, StoreError> {
        Ok(Self {
            soon: last_number(view, REQUIRED)?,
            at_night: last_number(view, AT_NIGHT)?,
        })
    }

    /// Whether a compaction that began afterwards has ended. May also be false if another one was required since.
    pub fn is_done(self, view: &impl Read) -> Result<bool, StoreError> {
        for (table, last) in [(REQUIRED, self.soon), (AT_NIGHT, self.at_night)] {
            let first = view.keys_below(&table.key(), 1)?.pop();
            let first = first.and_then(|key| key.components_below(&table.key()).number());
            if first.is_some_and(|first| first <= last) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The number of the last required compaction; 0 without one. Read from the keys, so that a damaged counter cannot prevent
/// an erasure.
fn last_number(view: &impl Read, table: Table) -> Result<u64, StoreError> {
    let all = table.key();
    let required = view.keys_below(&all, usize::MAX)?;
    let last = required.last();
    let last = last.and_then(|key| key.components_below(&all).number());
    Ok(last.unwrap_or(0))
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
