//! A durable, ordered map of bytes: a log-structured store over sled.
//!
//! ```text
//! write   group ─► write-ahead log (one record, one fdatasync) ─► active memtable ─► readers see it
//! flush   active memtable ─► frozen memtable ─► sled, in small synced steps ─► checkpoint counted ─► log reused
//! read    active memtable over frozen memtable over sled's blocks
//! ```
//!
//! There is one writer, [`Writer`]; [`Lsm`] is for readers. Everything visible is synced. Tables and records are unknown
//! here, and only this module uses sled. `docs/store.md` describes the guarantees and why they hold.

mod blocks;
mod checkpoint;
mod compaction;
mod memtable;
mod read_log;
mod sled_files;
mod snapshot;
mod tables;
mod wal;

use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use bytes::Bytes;

use super::{OpenError, StoreError, files, reserve};
use compaction::Compaction;
use read_log::ReadLog;
use snapshot::Snapshots;
use tables::Tables;
use wal::{Recovered, Wal};

pub use memtable::{Bounds, Memtable, Pair, size};
use memtable::{merge, merge_back};
pub use sled_files::{SledFiles as Files, current_folder, exist_in, first_folder};
pub use snapshot::{Snapshot, SnapshotError};
pub use wal::RECORD_BYTES;

/// The map, for readers. Clones share it.
#[derive(Clone)]
pub struct Lsm {
    tables: Tables,
    snapshots: Snapshots,
    reads: Arc<ReadLog>,
}

impl Lsm {
    fn new(files: &Files, frozen: Memtable, active: Memtable) -> Self {
        Self {
            tables: Tables::new(files.blocks(), frozen, active),
            snapshots: Snapshots::default(),
            reads: Arc::default(),
        }
    }

    pub fn get(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        self.reads.note(key);
        self.tables.read().get(key)
    }

    fn note_range(&self, (start, _): Bounds<'_>) {
        if let Bound::Included(key) | Bound::Excluded(key) = start {
            self.reads.note(key);
        }
    }

    pub fn reads(&self) -> &ReadLog {
        &self.reads
    }

    /// The first pairs within `bounds`, at most `limit`, all as of one time.
    pub fn range(&self, bounds: Bounds<'_>, limit: usize) -> Result<Vec<Pair>, StoreError> {
        self.note_range(bounds);
        self.tables.read().range(bounds).take(limit).collect()
    }

    /// [`Lsm::range`] with these unpublished writes on top, the newest first.
    pub fn range_under(
        &self,
        writes: [&Memtable; 2],
        bounds: Bounds<'_>,
        limit: usize,
    ) -> Result<Vec<Pair>, StoreError> {
        self.note_range(bounds);
        let [newest, newer] = writes.map(|writes| memtable::range(writes, bounds));
        let view = self.tables.read();
        let pairs = merge(newest, merge(newer, view.range(bounds)));
        pairs.take(limit).collect()
    }

    /// The last pairs within `bounds`, at most `limit`, in descending order, all as of one time.
    pub fn range_back(&self, bounds: Bounds<'_>, limit: usize) -> Result<Vec<Pair>, StoreError> {
        self.tables.read().range_back(bounds).take(limit).collect()
    }

    /// [`Lsm::range_back`] with these unpublished writes on top, the newest first.
    pub fn range_back_under(
        &self,
        writes: [&Memtable; 2],
        bounds: Bounds<'_>,
        limit: usize,
    ) -> Result<Vec<Pair>, StoreError> {
        let [newest, newer] = writes.map(|writes| memtable::range(writes, bounds).rev());
        let view = self.tables.read();
        let pairs = merge_back(newest, merge_back(newer, view.range_back(bounds)));
        pairs.take(limit).collect()
    }

    pub fn snapshot(&self) -> Snapshot {
        self.snapshots.begin(&self.tables)
    }
}

/// The only writer of the map.
pub struct Writer {
    lsm: Lsm,
    files: Arc<Files>,
    wal: Wal,
    data: PathBuf,
    is_writable: Arc<AtomicBool>,
    /// The last checkpoint, which may be running.
    checkpoint: Option<JoinHandle<()>>,
    compaction: Option<Compaction>,
    /// The size of sled's file after the last compaction, in bytes.
    size_after_last: u64,
}

impl Writer {
    /// Recovers the map from `files` and the log in the folder `data`. `is_new`: the files are still empty.
    pub fn recover(data: &Path, files: Arc<Files>, is_new: bool) -> Result<Self, OpenError> {
        let failed = |error| OpenError::of_io(data, error);
        let (read, checkpoints) = read_log(data, &files, is_new)?;
        let none = (Memtable::new(), Memtable::new());
        let (wal, (frozen, active)) = match read {
            Some(read) if read.is_whole && !read.active.is_empty() => (
                Wal::open(data, &read).map_err(failed)?,
                (read.frozen, read.active),
            ),
            // The old log is kept only if there is no disk space for a new one, because new files hold nothing that was erased.
            Some(read) if read.is_whole && !has_room_for_new_log(data) => {
                (Wal::open(data, &read).map_err(failed)?, none)
            }
            Some(read) if read.is_whole => (Wal::create(data, checkpoints).map_err(failed)?, none),
            // Otherwise flush the writes, and start a new log with an epoch after all of the old one's.
            read => {
                let left = read.map(Recovered::into_writes).unwrap_or_default();
                let wal = begin_new_log(data, &files, &left, checkpoints)?;
                checkpoint::write_seal(data, wal.epoch()).map_err(failed)?;
                (wal, none)
            }
        };
        Ok(Self {
            lsm: Lsm::new(&files, frozen, active),
            files,
            wal,
            data: data.to_owned(),
            is_writable: Arc::new(AtomicBool::new(true)),
            checkpoint: None,
            compaction: None,
            size_after_last: compaction::read_size_after_last(data),
        })
    }

    pub fn lsm(&self) -> &Lsm {
        &self.lsm
    }

    /// Turns false permanently when a write fails.
    pub fn is_writable(&self) -> &Arc<AtomicBool> {
        &self.is_writable
    }

    /// Writes a group: durably, then visibly. Any failure stops all writing. [`StoreError::Unknown`] if the log could not be
    /// synced: after a restart the group may be there or not.
    pub fn apply(&mut self, writes: Memtable) -> Result<(), StoreError> {
        if let Err(error) = self.wal.append(&writes) {
            self.stop_writing(&error);
            return Err(StoreError::Unknown);
        }
        let published = self.lsm.snapshots.publish(&self.lsm.tables, writes);
        published.map_err(|error| self.stop_writing(&error))
    }

    /// Starts what is due: a checkpoint if the log is long, a compaction if sled's file has grown.
    pub fn maintain(&mut self) {
        if !self.wal.is_long() || !reserve::has_room_for_step(&self.data) {
            return;
        }
        if self.compaction.is_none()
            && compaction::is_due(self.files.size(), self.size_after_last)
            && let Err(error) = self.start_compaction(Vec::new())
        {
            tracing::warn!(%error, "the store's files have grown and could not be compacted");
            // Not again before the file has grown by as much once more.
            self.size_after_last = self.files.size();
        }
        self.start_checkpoint();
    }

    /// Starts flushing the active memtable, unless a checkpoint is running and the log may still grow.
    fn start_checkpoint(&mut self) {
        let running = self.checkpoint.as_ref();
        if running.is_some_and(|running| !running.is_finished()) && !self.wal.is_full() {
            return;
        }
        self.wait_for_checkpoint();
        if !self.is_writable.load(Ordering::Acquire) {
            return;
        }
        // After a restart, or after a checkpoint without enough disk space, finish the interrupted checkpoint first.
        if self.lsm.tables.read().frozen.is_empty() {
            if self.wal.is_empty() {
                return;
            }
            self.follow();
            self.lsm.tables.freeze();
            if let Err(error) = self.wal.switch_files() {
                self.stop_writing(&error);
                return;
            }
        }
        let (files, tables) = (&self.files, &self.lsm.tables);
        let number = self.wal.epoch();
        match checkpoint::start(files, tables, number, &self.data, &self.is_writable) {
            Ok(checkpoint) => self.checkpoint = Some(checkpoint),
            Err(error) => tracing::warn!(%error, "no thread for a checkpoint; it is tried again"),
        }
    }

    fn wait_for_checkpoint(&mut self) {
        if let Some(checkpoint) = self.checkpoint.take()
            && checkpoint.join().is_err()
        {
            self.stop_writing(&"a checkpoint panicked");
        }
    }

    pub fn is_compacting(&self) -> bool {
        self.compaction.is_some()
    }

    /// Starts a compaction if the disk has space for a full copy. The keys in `omitted` are not copied.
    pub fn start_compaction(&mut self, omitted: Vec<Bytes>) -> Result<(), StoreError> {
        if !reserve::has_room_for(&self.data, self.files.size()) {
            return Err(StoreError::Full);
        }
        self.compaction = Some(Compaction::start(&self.files, omitted)?);
        Ok(())
    }

    /// Runs the next step of the compaction. Returns the number of pairs copied so far, and the outcome after the last
    /// step.
    pub fn compact_step(&mut self) -> Option<Result<CompactionStep, StoreError>> {
        let has_room = reserve::has_room_for(&self.data, 0);
        let compaction = self.compaction.as_mut()?;
        let step = if has_room {
            compaction.step(&self.lsm.tables)
        } else {
            Err(StoreError::Full)
        };
        Some(match step {
            Ok(true) => Ok(CompactionStep::Copied(compaction.copied)),
            Ok(false) => self.finish_compaction().map(|()| CompactionStep::Ended),
            Err(error) => Err(self.give_up_compaction(error)),
        })
    }

    /// Replaces the old files and the log by the new files, which contain all data. This counts as a checkpoint.
    fn finish_compaction(&mut self) -> Result<(), StoreError> {
        self.wait_for_checkpoint();
        let Some(compaction) = self.compaction.take() else {
            return Ok(());
        };
        let number = self.wal.epoch() + 1;
        let switched = if self.is_writable.load(Ordering::Acquire) {
            compaction
                .follow(&self.lsm.tables.read().active)
                .and_then(|()| compaction.switch(&self.files, number, &self.data))
        } else {
            Err(StoreError::Unavailable)
        };
        if let Err(error) = switched {
            compaction.give_up(&error);
            return Err(error);
        }
        // From here on the new files are in use. If the switch may not be durable, the old files must stay.
        let durable = files::sync_folder(&self.data)
            .and_then(|()| Wal::create(&self.data, number))
            .map(|wal| self.wal = wal)
            .map_err(|error| self.stop_writing(&error));
        self.lsm.tables.replace_base(compaction.into.blocks());
        let old = std::mem::replace(&mut self.files, compaction.into);
        if let Err(error) = durable {
            old.abandon();
            return Err(error);
        }
        let (before, after) = (old.size(), self.files.size());
        tracing::info!(before, after, "the store was compacted");
        old.delete();
        checkpoint::write_seal_if_possible(&self.data, number);
        compaction::write_size_after_last(&self.data, after);
        self.size_after_last = after;
        Ok(())
    }

    fn give_up_compaction(&mut self, error: StoreError) -> StoreError {
        if let Some(compaction) = self.compaction.take() {
            compaction.give_up(&error);
        }
        error
    }

    /// Applies to the running compaction what was written since the last checkpoint began.
    fn follow(&mut self) {
        let Some(compaction) = &self.compaction else {
            return;
        };
        let followed = compaction.follow(&self.lsm.tables.read().active);
        if let Err(error) = followed {
            self.give_up_compaction(error);
        }
    }

    /// Flushes everything, if the disk has space; otherwise the rest stays in the log.
    pub fn close(mut self) {
        self.give_up_compaction(StoreError::Unavailable);
        // The second pass flushes what was written while the first one was running.
        for _ in 0..2 {
            self.wait_for_checkpoint();
            if reserve::has_room_for_step(&self.data) {
                self.start_checkpoint();
            }
        }
        self.wait_for_checkpoint();
        if !self.is_writable.load(Ordering::Acquire) {
            self.files.abandon();
        }
    }

    fn stop_writing(&self, error: &dyn std::fmt::Display) -> StoreError {
        checkpoint::stop_writing(&self.is_writable, error)
    }
}

pub enum CompactionStep {
    /// The number of pairs copied so far.
    Copied(u64),
    /// The compaction is complete.
    Ended,
}

/// Reads the log of these files, and the number of checkpoints they completed.
fn read_log(
    data: &Path,
    files: &Files,
    is_new: bool,
) -> Result<(Option<Recovered>, u64), OpenError> {
    let completed = checkpoint::completed(files);
    let checkpoints = completed.map_err(|error| OpenError::of_store(data, error))?;
    let read = Recovered::read(data, checkpoints);
    let read = read.map_err(|error| OpenError::of_io(data, error))?;
    let is_whole = read.as_ref().map_or(is_new, |read| read.is_whole);
    let sealed = checkpoint::read_seal(data);
    // Deleting the seal is how an administrator accepts the loss and continues with what is left.
    if checkpoints < sealed || sealed > 0 && !is_whole {
        return Err(OpenError::Incomplete(data.to_owned()));
    }
    Ok((read, checkpoints))
}

fn has_room_for_new_log(data: &Path) -> bool {
    reserve::has_room_for(data, 0) && reserve::has_free_inode(data)
}

/// Flushes these writes, and creates an empty log.
fn begin_new_log(
    data: &Path,
    files: &Files,
    writes: &Memtable,
    checkpoints: u64,
) -> Result<Wal, OpenError> {
    // After both epochs that the log may hold.
    let number = checkpoints + 2;
    let flushed = checkpoint::flush(files, writes, number, data);
    flushed.map_err(|error| OpenError::of_store(data, error))?;
    let created = match Wal::create(data, number) {
        Err(error) if error.kind() == io::ErrorKind::StorageFull && reserve::release(data) => {
            Wal::create(data, number)
        }
        created => created,
    };
    created.map_err(|error| OpenError::of_io(data, error))
}

/// Reads a store without changing it.
pub fn read(data: &Path, files: &Files) -> Result<Lsm, OpenError> {
    let (read, _) = read_log(data, files, false)?;
    let read = read.ok_or_else(|| OpenError::Incomplete(data.to_owned()))?;
    Ok(Lsm::new(files, read.frozen, read.active))
}

/// Whether the log of a closed store holds nothing that its files lack.
pub fn is_flushed(data: &Path) -> io::Result<bool> {
    let read = Recovered::read(data, checkpoint::read_seal(data))?;
    Ok(read.is_some_and(|read| read.into_writes().is_empty()))
}

/// Access to the log and sled's files for crash tests.
#[cfg(test)]
pub mod testing {
    use super::*;

    /// Appends these records to the log of a closed store, as a server does while a checkpoint is running.
    pub fn append_behind_a_checkpoint(data: &Path, records: &[Memtable]) {
        let read = Recovered::read(data, seal_of(data));
        let mut wal = Wal::open(data, &read.unwrap().unwrap()).unwrap();
        wal.switch_files().unwrap();
        for record in records {
            wal.append(record).unwrap();
        }
    }

    /// Flushes writes of a closed store without counting the checkpoint: as if it had completed `completed` of them.
    pub fn flush_uncounted(data: &Path, writes: &Memtable, completed: u64) {
        let files = Files::open_current(data).unwrap();
        files.blocks().apply_memtable(writes, || Ok(())).unwrap();
        checkpoint::set_completed(&files, completed).unwrap();
    }

    /// Writes a metadata value of a closed store.
    pub fn set_metadata(data: &Path, key: &[u8], value: &[u8]) {
        Files::open_current(data)
            .unwrap()
            .set_metadata(key, value)
            .unwrap();
    }

    pub fn seal_of(data: &Path) -> u64 {
        checkpoint::read_seal(data)
    }

    pub fn active_len(lsm: &Lsm) -> usize {
        lsm.tables.read().active.len()
    }

    pub fn snapshots(lsm: &Lsm) -> usize {
        lsm.snapshots.count()
    }

    /// A snapshot with a limit on its before-images, in bytes.
    pub fn snapshot_within(lsm: &Lsm, max_bytes: usize) -> Snapshot {
        lsm.snapshots.begin_within(&lsm.tables, max_bytes)
    }
}
