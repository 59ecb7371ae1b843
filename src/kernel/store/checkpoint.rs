//! Bringing what is in the journal into sled's files.
//!
//! What was written since the last checkpoint goes to sled in batches, is flushed and synced, and only then the
//! checkpoint is counted, and that is synced, too. So sled's files count a checkpoint only when they have all of it: cut
//! short before that, the journal is read again, over whatever part of it sled already has.

use super::files::Opened;
use super::tree::Recent;
use super::{StoreError, seal};

/// How many pairs, and how many bytes of them, go to sled at once. A batch of its own makes sled keep in memory all
/// that it replaces until it is through: with 4,096 pairs, a million messages took 2.7 GB and six times as long.
const PAIRS: usize = 256;
const BYTES: usize = 512 * 1024;

/// Brings `recent` to the disk as the checkpoint with this number.
///
/// # Errors
///
/// The disk's, or sled's.
pub(super) fn write(files: &Opened, recent: &Recent, number: u64) -> Result<(), StoreError> {
    let mut batch = sled::Batch::default();
    let (mut pairs, mut bytes) = (0, 0);
    for (key, value) in recent {
        bytes += key.len();
        pairs += 1;
        match value {
            Some(value) => {
                bytes += value.len();
                batch.insert(key.as_slice(), value);
            }
            None => batch.remove(key.as_slice()),
        }
        if pairs == PAIRS || bytes >= BYTES {
            files.tree.apply_batch(std::mem::take(&mut batch))?;
            (pairs, bytes) = (0, 0);
        }
    }
    if pairs > 0 {
        files.tree.apply_batch(batch)?;
    }
    files.sync()?;
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
