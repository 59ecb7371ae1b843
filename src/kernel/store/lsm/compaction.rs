//! Compaction: copies all live data into new files, which replace the old ones.
//!
//! Removed values stay in sled's file until sled happens to reuse the space, and the file grows. A compaction is due
//! when the file has [grown](is_due), and after an erasure, so that no file holds erased data.
//!
//! Between two groups the writer copies a few hundred pairs, in key order. When a checkpoint flushes keys that were already
//! copied, they are written to the new files as well. At the end the active memtable is written to the new files, they are
//! synced, and `store.current` is replaced to name them. An interrupted compaction leaves a folder that the next start
//! removes.

use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

use super::checkpoint;
use super::memtable::Memtable;
use super::sled_files::{SledFiles, evict_behind_scan};
use super::tables::Tables;
use crate::kernel::store::{StoreError, files};

/// The number of pairs that one step copies.
const STEP: usize = 256;

/// The copy is synced after this many steps, so that the final sync, which blocks writers, is short.
const SYNC_INTERVAL: u64 = 64;

/// How much sled's file may grow beyond twice its size after the last compaction, in bytes.
const GROWTH: u64 = 64 * 1024 * 1024;

/// The file that holds the size of sled's file after the last compaction, in bytes.
const SIZE_FILE: &str = "store.compacted";

/// Whether files of this size are due for compaction; both sizes in bytes.
pub fn is_due(size: u64, size_after_last: u64) -> bool {
    size >= 2 * size_after_last + GROWTH
}

/// The size of sled's file after the last compaction, in bytes; zero before the first one.
pub fn read_size_after_last(data: &Path) -> u64 {
    let noted = files::read_if_exists(&data.join(SIZE_FILE)).ok().flatten();
    noted
        .and_then(|noted| files::parse_number(&noted))
        .unwrap_or(0)
}

/// Stores that size. If this fails, the next compaction runs early.
pub fn write_size_after_last(data: &Path, size: u64) {
    if let Err(error) = files::replace_file(&data.join(SIZE_FILE), size.to_string().as_bytes()) {
        tracing::debug!(%error, "the size after the compaction could not be noted");
    }
}

pub struct Compaction {
    pub into: Arc<SledFiles>,
    /// Keys that aren't copied.
    omitted: Vec<Bytes>,
    /// After the last copied key.
    position: Bound<Bytes>,
    steps: u64,
    /// The number of copied pairs.
    pub copied: u64,
}

impl Compaction {
    /// Creates the new files next to the old ones. The keys `omitted` are left out.
    pub fn start(files: &SledFiles, omitted: Vec<Bytes>) -> Result<Self, StoreError> {
        Ok(Self {
            into: files.create_next()?,
            omitted,
            position: Bound::Unbounded,
            steps: 0,
            copied: 0,
        })
    }

    /// Copies the next pairs; returns whether there may be more.
    pub fn step(&mut self, from: &Tables) -> Result<bool, StoreError> {
        let bounds = (self.position.as_ref().map(Bytes::as_ref), Bound::Unbounded);
        let (pairs, base) = {
            let view = from.read();
            let pairs = view
                .range(bounds)
                .take(STEP)
                .collect::<Result<Vec<_>, _>>()?;
            (pairs, view.base.clone())
        };
        evict_behind_scan(&pairs, &base)?;
        let copied = pairs.iter().filter(|(key, _)| !self.omitted.contains(key));
        let copied = copied.map(|(key, value)| (key.as_ref(), Some(value.as_ref())));
        self.copied += copied.clone().count() as u64;
        self.into.blocks().apply(copied, || Ok(()))?;
        self.steps += 1;
        if self.steps.is_multiple_of(SYNC_INTERVAL) {
            self.into.sync()?;
        }
        if let Some((last, _)) = pairs.last() {
            // A slice would keep its whole block in memory.
            self.position = Bound::Excluded(Bytes::copy_from_slice(last));
        }
        Ok(pairs.len() == STEP)
    }

    /// Applies these writes to the new files if their keys were already copied.
    pub fn follow(&self, writes: &Memtable) -> Result<(), StoreError> {
        let Bound::Excluded(position) = &self.position else {
            return Ok(());
        };
        let copied = (Bound::Unbounded, Bound::Included(position.as_ref()));
        let copied = writes.range::<[u8], _>(copied);
        let copied = copied.filter(|(key, _)| !self.omitted.contains(key));
        let copied = copied.map(|(key, value)| (key.as_ref(), value.as_deref()));
        self.into.blocks().apply(copied, || Ok(()))
    }

    /// Makes `store.current` name the new files, which contain everything up to the checkpoint with this number. The caller
    /// syncs the data folder.
    pub fn switch(&self, old: &SledFiles, number: u64, data: &Path) -> Result<(), StoreError> {
        old.copy_metadata(&self.into)?;
        checkpoint::set_completed(&self.into, number)?;
        self.into.sync_created()?;
        let switched = files::sync_folder(data).and_then(|()| self.into.make_current(data));
        switched.map_err(StoreError::unreadable)
    }

    pub fn give_up(self, error: &StoreError) {
        tracing::warn!(
            ?error,
            "the store could not be compacted; it stays as it was"
        );
        match error {
            // sled still works; the disk space is freed only once the files are closed.
            StoreError::Full => self.into.delete(),
            _ => self.into.delete_abandoned(),
        }
    }
}

#[cfg(test)]
mod tests;
