//! How far the store had come at last, noted outside of it.
//!
//! sled takes damage in the part of its file that no snapshot covers for the torn end of a write, and opens
//! without all that comes after. So every [checkpoint](super::checkpoint) counts itself in a record, and a small file
//! beside the store says how far the count had come on the disk. A store that counts less than its seal has lost
//! something, and says so when it is opened. The file is never ahead of what was synced, so that a crash is no reason
//! for alarm.

use std::fs;
use std::io;
use std::path::Path;

use super::record::StoredValue;
use super::{Record, StoreError, Table, files};

/// Before there was a journal, each group of changes counted.
pub(super) const CHECKPOINTS: Table = Table::new("groups");

const FILE: &str = "store.seal";

/// The pair that says how many checkpoints there were.
pub(super) fn count_pair(checkpoints: u64) -> (Vec<u8>, Vec<u8>) {
    let value = [&[u64::VERSION, 0][..], &checkpoints.encode()].concat();
    (CHECKPOINTS.key().bytes().to_vec(), value)
}

/// How many checkpoints the store counts.
pub(super) fn counted(tree: &sled::Tree) -> Result<u64, StoreError> {
    match tree.get(CHECKPOINTS.key().bytes())? {
        Some(stored) => u64::decode(StoredValue::read(&stored)?.first),
        None => Ok(0),
    }
}

/// [Writes](write) the seal as far as that can be done: an older one only misses less.
pub(super) fn note(folder: &Path, checkpoints: u64) {
    if let Err(error) = write(folder, checkpoints) {
        tracing::warn!(%error, "the store's seal could not be written");
    }
}

/// Notes that the store holds this many checkpoints, all of them synced.
pub(super) fn write(folder: &Path, checkpoints: u64) -> io::Result<()> {
    files::write_beside(&folder.join(FILE), checkpoints.to_string().as_bytes())?;
    Ok(())
}

/// How many checkpoints the store must hold; zero when there is no seal. One that can't be read, as earlier versions
/// left after a power cut, is a seal all the same.
pub(super) fn read(folder: &Path) -> u64 {
    match fs::read_to_string(folder.join(FILE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        text => text.unwrap_or_default().trim().parse().unwrap_or(1),
    }
}
