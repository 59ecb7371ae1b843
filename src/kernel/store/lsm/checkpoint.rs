//! Checkpoints: the frozen memtable is flushed to sled.
//!
//! It is written in [small steps](super::blocks), each synced before the next one. Then the number of checkpoints in sled is
//! increased and synced. An interrupted checkpoint is therefore not counted, and the next start replays the log over the
//! part of it that sled has.
//!
//! A checkpoint runs in its own thread while the writer continues in the other log file.
//!
//! **The seal.** If the part of sled's file after the last snapshot is damaged, sled takes the damage for a torn write and opens
//! without what follows. So a small file next to sled's holds the number of synced checkpoints. If sled's files count fewer,
//! they have lost data. The seal is never ahead of what is synced: a stale seal detects less loss but raises no false alarm.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::memtable::Memtable;
use super::sled_files::SledFiles;
use super::tables::Tables;
use crate::kernel::store::{StoreError, files, reserve};

/// sled's key for the number of completed checkpoints: a `u64`, little-endian.
const COUNT: &[u8] = b"checkpoints";

const SEAL: &str = "store.seal";

/// Starts flushing the frozen memtable as the checkpoint with this number. `is_writable` turns false if it fails. A checkpoint
/// without free space for a step ends early, and is started again later.
pub fn start(
    files: &Arc<SledFiles>,
    tables: &Tables,
    number: u64,
    data: &Path,
    is_writable: &Arc<AtomicBool>,
) -> io::Result<JoinHandle<()>> {
    let (files, tables) = (Arc::clone(files), tables.clone());
    let (data, is_writable) = (PathBuf::from(data), Arc::clone(is_writable));
    let flush = move || {
        let frozen = Arc::clone(&tables.read().frozen);
        match flush(&files, &frozen, number, &data) {
            Ok(()) => {
                tables.drop_flushed();
                write_seal_if_possible(&data, number);
                reserve::defer_reserve(&data);
            }
            Err(StoreError::Full) => {
                tracing::warn!("a checkpoint waits for room on the disk; nothing is lost");
            }
            Err(error) => {
                stop_writing(&is_writable, &error);
            }
        }
    };
    let thread = std::thread::Builder::new().name("store-checkpoint".into());
    thread.spawn(flush)
}

/// Stops all writing until the process restarts. A failed fsync is not retried: the kernel may have dropped the dirty pages.
pub fn stop_writing(is_writable: &AtomicBool, error: &dyn std::fmt::Display) -> StoreError {
    is_writable.store(false, Ordering::Release);
    tracing::error!(%error, "the disk refused a write; nothing more is written until a restart");
    StoreError::Unavailable
}

/// Flushes these writes as the checkpoint with this number.
pub fn flush(
    files: &SledFiles,
    writes: &Memtable,
    number: u64,
    data: &Path,
) -> Result<(), StoreError> {
    let check_room = || {
        if reserve::has_room_for_step(data) {
            Ok(())
        } else {
            Err(StoreError::Full)
        }
    };
    check_room()?;
    files.blocks().apply_memtable(writes, || {
        files.sync()?;
        check_room()
    })?;
    set_completed(files, number)
}

/// Marks the checkpoint with this number as completed.
pub fn set_completed(files: &SledFiles, number: u64) -> Result<(), StoreError> {
    files.set_metadata(COUNT, &number.to_le_bytes())
}

/// The number of checkpoints that these files have completed.
pub fn completed(files: &SledFiles) -> Result<u64, StoreError> {
    let damaged = || StoreError::unreadable("the number of checkpoints is damaged");
    match files.metadata(COUNT)? {
        Some(count) => {
            let count = count.as_ref().try_into().map_err(|_| damaged())?;
            Ok(u64::from_le_bytes(count))
        }
        None => Ok(0),
    }
}

/// [Writes](write_seal) the seal. Errors are ignored, because a stale seal does no harm.
pub fn write_seal_if_possible(data: &Path, checkpoints: u64) {
    if let Err(error) = write_seal(data, checkpoints) {
        tracing::warn!(%error, "the store's seal could not be written");
    }
}

/// Records that this many checkpoints are synced.
pub fn write_seal(data: &Path, checkpoints: u64) -> io::Result<()> {
    files::replace_file(&data.join(SEAL), checkpoints.to_string().as_bytes())?;
    Ok(())
}

/// The number of checkpoints that sled's files must have completed, from the file `store.seal`: 0 if there is no such file, 1 if
/// it is unreadable.
pub fn read_seal(data: &Path) -> u64 {
    match files::read_if_exists(&data.join(SEAL)) {
        Ok(None) => 0,
        seal => {
            let seal = seal.ok().flatten();
            seal.and_then(|seal| files::parse_number(&seal))
                .unwrap_or(1)
        }
    }
}
