//! Snapshots: consistent reads of everything, for backups, while writing continues.
//!
//! sled has no snapshots. But groups are published one at a time, so the state between two of them is consistent. While a
//! snapshot is open, the writer saves the old value of each key (the *before-image*) before it publishes a group, unless the
//! reader has passed that key or already has its before-image. The reader merges the before-images over the current state,
//! step by step; a step and a publication exclude each other.
//!
//! Before-images are held in memory, up to [`MAX_BYTES`]. If a reader is so slow that more is overwritten, its
//! snapshot fails with an error. The writer waits for a reader for at most one step.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::memtable::{self, Memtable, Pair};
use super::sled_files::evict_behind_scan;
use super::tables::Tables;
use crate::kernel::store::StoreError;

/// The number of pairs that one step reads: a few milliseconds, which the writer may have to wait for.
const STEP: usize = 512;

/// The maximum size of the before-images, in bytes.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The approximate memory overhead of a before-image, in bytes.
const OVERHEAD: usize = 128;

/// Why a snapshot could not be read to its end.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SnapshotError {
    /// More was overwritten meanwhile than the before-images may take.
    #[error(
        "So much was written meanwhile that the state at the start could not be kept any longer. \
         Please try again, to a faster disk or at a quieter time."
    )]
    Outrun,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The open snapshots. Clones share them.
#[derive(Clone, Default)]
pub struct Snapshots(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    last_id: u64,
    readers: BTreeMap<u64, Reader>,
}

struct Reader {
    /// After the last key that was read.
    position: Bound<Bytes>,
    before: Memtable,
    /// The size of the before-images, in bytes.
    bytes: usize,
    max_bytes: usize,
    is_outrun: bool,
}

impl Reader {
    fn needs(&self, key: &[u8]) -> bool {
        let is_ahead = match &self.position {
            Bound::Excluded(position) => key > position.as_ref(),
            _ => true,
        };
        is_ahead && !self.is_outrun && !self.before.contains_key(key)
    }

    fn save(&mut self, key: &Bytes, value: Option<&Bytes>) {
        self.bytes += OVERHEAD + key.len() + value.map_or(0, Bytes::len);
        // A slice would keep its whole block in memory.
        let value = value.map(|value| Bytes::copy_from_slice(value));
        self.before.insert(key.clone(), value);
        if self.bytes > self.max_bytes {
            self.is_outrun = true;
            self.before.clear();
        }
    }
}

impl Snapshots {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.open().readers.len()
    }

    /// Saves the before-images of a group's writes, then publishes the writes.
    pub fn publish(&self, tables: &Tables, writes: Memtable) -> Result<(), StoreError> {
        let mut open = self.open();
        if !open.readers.is_empty() {
            let view = tables.read();
            for key in writes.keys() {
                let value = view.get(key)?;
                for reader in open.readers.values_mut() {
                    if reader.needs(key) {
                        reader.save(key, value.as_ref());
                    }
                }
            }
        }
        tables.apply(writes);
        Ok(())
    }

    pub fn begin(&self, tables: &Tables) -> Snapshot {
        self.begin_within(tables, MAX_BYTES)
    }

    /// [`Snapshots::begin`] with another limit on its before-images, in bytes.
    pub fn begin_within(&self, tables: &Tables, max_bytes: usize) -> Snapshot {
        let mut open = self.open();
        open.last_id += 1;
        let id = open.last_id;
        open.readers.insert(
            id,
            Reader {
                position: Bound::Unbounded,
                before: Memtable::new(),
                bytes: 0,
                max_bytes,
                is_outrun: false,
            },
        );
        Snapshot {
            snapshots: self.clone(),
            id,
            tables: tables.clone(),
        }
    }

    /// The next pairs of a snapshot; empty at its end.
    fn step(&self, id: u64, tables: &Tables) -> Result<Vec<Pair>, SnapshotError> {
        let mut open = self.open();
        let Some(reader) = open.readers.get_mut(&id) else {
            return Ok(Vec::new());
        };
        if reader.is_outrun {
            return Err(SnapshotError::Outrun);
        }
        let bounds = (
            reader.position.as_ref().map(Bytes::as_ref),
            Bound::Unbounded,
        );
        let view = tables.read();
        let before = memtable::range(&reader.before, bounds);
        let pairs = memtable::merge(before, view.range(bounds)).take(STEP);
        let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
        match pairs.last() {
            Some((last, _)) if pairs.len() == STEP => {
                // A slice would keep its whole block in memory.
                let last = Bytes::copy_from_slice(last);
                let mut ahead = reader.before.split_off(&last);
                ahead.remove(&last);
                reader.before = ahead;
                reader.bytes = OVERHEAD * reader.before.len() + memtable::size(&reader.before);
                reader.position = Bound::Excluded(last);
            }
            // Everything is read: no more before-images are needed.
            _ => drop(open.readers.remove(&id)),
        }
        Ok(pairs)
    }
}

/// A consistent view of the map as of its creation. It costs the writer a little while it exists.
pub struct Snapshot {
    snapshots: Snapshots,
    id: u64,
    tables: Tables,
}

impl Snapshot {
    /// The next pairs, in key order; `None` at the end.
    pub fn step(&mut self) -> Result<Option<Vec<Pair>>, SnapshotError> {
        let pairs = self.snapshots.step(self.id, &self.tables)?;
        let base = self.tables.read().base.clone();
        evict_behind_scan(&pairs, &base)?;
        Ok(Some(pairs).filter(|pairs| !pairs.is_empty()))
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        self.snapshots.open().readers.remove(&self.id);
    }
}

#[cfg(test)]
mod tests;
