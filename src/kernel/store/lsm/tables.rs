//! The layers that readers see as one map: the active memtable, the frozen one, and sled's blocks.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bytes::Bytes;

use super::blocks::BlockTable;
use super::memtable::{self, Bounds, Memtable, Pair};
use crate::kernel::store::StoreError;

/// The layers. Clones share them.
///
/// A reader holds the read lock while it reads, so it sees each group of changes whole or not at all.
#[derive(Clone)]
pub struct Tables(Arc<RwLock<View>>);

pub struct View {
    /// The writes since the last checkpoint began.
    pub active: Memtable,
    /// The writes that the running checkpoint flushes to `base`, which may already have some of them.
    pub frozen: Arc<Memtable>,
    pub base: BlockTable,
}

impl Tables {
    pub fn new(base: BlockTable, frozen: Memtable, active: Memtable) -> Self {
        let frozen = Arc::new(frozen);
        Self(Arc::new(RwLock::new(View {
            active,
            frozen,
            base,
        })))
    }

    pub fn read(&self) -> RwLockReadGuard<'_, View> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes these writes visible.
    pub fn apply(&self, writes: Memtable) {
        self.write().active.extend(writes);
    }

    /// Freezes the active memtable for flushing. The previous one must be flushed.
    pub fn freeze(&self) {
        let mut view = self.write();
        view.frozen = Arc::new(std::mem::take(&mut view.active));
    }

    /// Drops the frozen memtable after it was flushed.
    pub fn drop_flushed(&self) {
        let flushed = std::mem::take(&mut self.write().frozen);
        // Dropped without the lock.
        drop(flushed);
    }

    /// Replaces all layers by this base, which contains everything they held.
    pub fn replace_base(&self, base: BlockTable) {
        let view = View {
            active: Memtable::new(),
            frozen: Arc::default(),
            base,
        };
        let replaced = std::mem::replace(&mut *self.write(), view);
        drop(replaced);
    }

    fn write(&self) -> RwLockWriteGuard<'_, View> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl View {
    pub fn get(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        match self.active.get(key).or_else(|| self.frozen.get(key)) {
            Some(value) => Ok(value.clone()),
            None => self.base.get(key),
        }
    }

    pub fn range(&self, bounds: Bounds<'_>) -> impl Iterator<Item = Result<Pair, StoreError>> {
        let [active, frozen] =
            [&self.active, &*self.frozen].map(|table| memtable::range(table, bounds));
        memtable::merge(active, memtable::merge(frozen, self.base.range(bounds)))
    }

    /// The pairs in descending key order.
    pub fn range_back(&self, bounds: Bounds<'_>) -> impl Iterator<Item = Result<Pair, StoreError>> {
        let [active, frozen] =
            [&self.active, &*self.frozen].map(|table| memtable::range(table, bounds).rev());
        let base = self.base.range_back(bounds);
        memtable::merge_back(active, memtable::merge_back(frozen, base))
    }
}
