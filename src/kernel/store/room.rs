//! How much room on the disk a change must leave.
//!
//! sled never recovers from a full disk within the process, and can't open on one, so it must never meet it. What takes room:
//!
//! * The journal has its files from the beginning. They grow only under a change that is larger than what is left of them, so
//!   a change must leave its reserve and its own size.
//! * A checkpoint makes sled's file grow by some segments of 512 KiB. It goes in short steps, and each of them waits for
//!   [`FOR_A_STEP`]; a checkpoint that stops in the middle is done again later, from the journal.
//! * A [rewriting](super::rewrite) waits until there is room for a whole copy, and gives up when the ordinary reserve is touched.
//! * sled's snapshot when it opens takes the place of the [ballast](super::ballast).

use std::path::Path;

use super::StoreError;

const MEGABYTE: u64 = 1024 * 1024;

/// The free space, in bytes, that a step of a checkpoint needs. A step writes less than one of sled's segments, and sled moves
/// some pages beside it: four segments.
const FOR_A_STEP: u64 = 2 * MEGABYTE;

/// What a change is for: that says how much free space it must leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Keeps something new. It leaves 16 MB.
    Ordinary,
    /// Revokes, removes, erases, signs in or signs out. It goes on down to 4 MB, so that a full disk locks nobody out and
    /// takes no power from who may end something.
    Essential,
}

impl Purpose {
    /// How many bytes stay free.
    pub(super) fn reserve(self) -> u64 {
        match self {
            Self::Ordinary => 16 * MEGABYTE,
            Self::Essential => 4 * MEGABYTE,
        }
    }
}

/// The free space around this folder, in bytes.
pub(super) fn free(folder: &Path) -> u64 {
    match rustix::fs::statvfs(folder) {
        Ok(stat) => stat.f_bavail.saturating_mul(stat.f_frsize),
        // Not knowing is no reason to stop: the write itself will tell.
        Err(_) => u64::MAX,
    }
}

/// Whether so many bytes more leave the ordinary reserve untouched.
pub(super) fn has_room_for(folder: &Path, bytes: u64) -> bool {
    free(folder) >= Purpose::Ordinary.reserve() + bytes
}

/// Whether a checkpoint may begin: there is room for changes that could need it.
pub(super) fn has_room_for_a_checkpoint(folder: &Path) -> bool {
    free(folder) >= Purpose::Essential.reserve()
}

/// Makes sure that the next step of a checkpoint has room.
///
/// # Errors
///
/// [`StoreError::Full`].
pub(super) fn for_a_step(folder: &Path) -> Result<(), StoreError> {
    match free(folder) >= FOR_A_STEP {
        true => Ok(()),
        false => Err(StoreError::Full),
    }
}
