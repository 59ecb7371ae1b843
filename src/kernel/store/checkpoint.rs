//! Bringing what is in the journal into sled's files.
//!
//! What was written since the last checkpoint goes to sled in steps, each of them one batch that is flushed and synced
//! before the next: sled takes for safe what it has handed to the system, and a power cut that left a later batch and
//! not all of an earlier one made files that it can't open. Only then the checkpoint is counted, and that is synced, too. So sled's files count a checkpoint only when they have all of it: cut
//! short before that, the journal is read again, over whatever part of it sled already has.

use super::files::Opened;
use super::runs::Runs;
use super::tree::Recent;
use super::{StoreError, seal};

/// Brings `recent` to the disk as the checkpoint with this number.
///
/// # Errors
///
/// The disk's, or sled's.
pub(super) fn write(files: &Opened, recent: &Recent, number: u64) -> Result<(), StoreError> {
    let writes = recent.iter();
    let writes = writes.map(|(key, value)| (key.as_slice(), value.as_deref()));
    Runs::of(&files.tree).apply(writes, || files.sync())?;
    count(files, number)
}

/// Counts the checkpoint with this number. All of it is on the disk.
///
/// # Errors
///
/// The disk's, or sled's.
pub(super) fn count(files: &Opened, number: u64) -> Result<(), StoreError> {
    let (key, value) = seal::count_pair(number);
    files.tree.insert(key, value)?;
    Ok(files.sync()?)
}
