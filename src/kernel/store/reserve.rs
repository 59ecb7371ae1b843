//! Free disk space that is kept back, and who may use it.
//!
//! sled never recovers from a full disk within the process and can't open on one, so it must never meet it. What takes room:
//!
//! * The log's files are allocated in full when they are created. They grow only for a change that is larger than the space
//!   left in them, so a change must leave its [reserve](Purpose) and its own size free.
//! * A checkpoint makes sled's file grow by some segments of 512 KiB. It waits for [`STEP_ROOM`] before each step; one that
//!   stops in the middle is done again later, from the log.
//! * A [compaction](super::lsm) waits for room for a whole copy, and gives up when it would touch the ordinary reserve.
//! * sled writes a snapshot when it opens. If others have filled the disk, the [reserve file](set_aside) is deleted for it.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::FallocateFlags;

const MEGABYTE: u64 = 1024 * 1024;

/// The free space, in bytes, for one step of a checkpoint: less than one of sled's segments, and some pages that sled moves.
const STEP_ROOM: u64 = 2 * MEGABYTE;

const FILE: &str = "store.reserve";

/// The size of the reserve file, in bytes: sled's snapshot of a million messages and a segment.
const FILE_SIZE: u64 = 4 * MEGABYTE;

/// What a change is for: that decides how much free space it must leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Keeps something new. It leaves 16 MB.
    Ordinary,
    /// Revokes, removes, erases, signs in or signs out. It leaves 1 MB: less than a checkpoint leaves, so that none that is
    /// running stops it. A full disk locks nobody out and takes no power from who may end something.
    Essential,
}

impl Purpose {
    /// How many bytes stay free.
    pub(super) fn reserve(self) -> u64 {
        match self {
            Self::Ordinary => 16 * MEGABYTE,
            Self::Essential => MEGABYTE,
        }
    }
}

/// The free space around this folder, in bytes.
pub(super) fn free(folder: &Path) -> u64 {
    match rustix::fs::statvfs(folder) {
        Ok(stat) => stat.f_bavail.saturating_mul(stat.f_frsize),
        // The write itself will tell.
        Err(_) => u64::MAX,
    }
}

/// Whether this many bytes more leave the ordinary reserve untouched.
pub(super) fn has_room_for(folder: &Path, bytes: u64) -> bool {
    free(folder) >= Purpose::Ordinary.reserve() + bytes
}

/// Whether a file can be replaced by a new one of another name. File systems without a fixed number of inodes say that they have
/// none at all.
pub(super) fn has_free_inode(folder: &Path) -> bool {
    rustix::fs::statvfs(folder).map_or(true, |stat| stat.f_files == 0 || stat.f_favail > 0)
}

/// Whether the next step of a checkpoint has room.
pub(super) fn has_room_for_step(folder: &Path) -> bool {
    free(folder) >= STEP_ROOM
}

/// Deletes the reserve file, so that the store can be opened; whether there was one.
pub(super) fn release(folder: &Path) -> bool {
    fs::remove_file(folder.join(FILE)).is_ok()
}

/// Creates the reserve file, unless it exists or the disk is nearly full.
pub(super) fn set_aside(folder: &Path) {
    let path = folder.join(FILE);
    if path.exists() || !has_room_for(folder, FILE_SIZE) {
        return;
    }
    if let Err(error) = allocate(&path) {
        tracing::debug!(%error, "no space could be set aside");
        let _ = fs::remove_file(path);
    }
}

fn allocate(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let file = options.open(path)?;
    let allocated = rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, FILE_SIZE);
    Ok(allocated?)
}
