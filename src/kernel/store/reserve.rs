//! Reserves free disk space, and decides who may use it.
//!
//! sled never recovers from a full disk within the process and can't open on one, so the disk must never fill up. What takes
//! space:
//!
//! * The log's files are allocated in full when they are created. They grow only for a change that is larger than the space
//!   left in them, so a change must leave its [reserve](Purpose) and its own size free.
//! * A checkpoint makes sled's file grow by some segments of 512 KiB. It needs [`STEP_ROOM`] for each step; if it
//!   stops in the middle, it is repeated later from the log.
//! * A [compaction](super::lsm) needs space for a whole copy, and aborts before it would use the ordinary reserve.
//! * sled writes a snapshot when it opens. If other programs have filled the disk, the [reserve file](set_aside) is deleted for
//!   it.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::FallocateFlags;

const MEGABYTE: u64 = 1024 * 1024;

/// The free space, in bytes, for one step of a checkpoint: less than one sled segment, and some pages that sled moves.
const STEP_ROOM: u64 = 2 * MEGABYTE;

const FILE: &str = "store.reserve";

/// The size of the reserve file, in bytes: sled's snapshot of a million messages and a segment.
const FILE_SIZE: u64 = 4 * MEGABYTE;

/// The purpose of a change, which decides how much free space it must leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Adds data. It leaves 16 MB.
    Ordinary,
    /// Revokes, removes, erases, restricts (such as pausing or blocking a topic), signs in or signs out, reinstates. It leaves
    /// 1 MB: less than a checkpoint leaves, so that a running checkpoint doesn't block it. A full disk must not lock anybody out or
    /// prevent a revocation.
    Essential,
}

impl Purpose {
    pub fn essential_if(is_essential: bool) -> Self {
        if is_essential {
            Self::Essential
        } else {
            Self::Ordinary
        }
    }

    /// The number of bytes that stay free.
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
        // If statvfs fails, let the write fail.
        Err(_) => u64::MAX,
    }
}

/// Whether the ordinary reserve is still free after writing this many bytes.
pub(super) fn has_room_for(folder: &Path, bytes: u64) -> bool {
    free(folder) >= Purpose::Ordinary.reserve() + bytes
}

/// Whether the file system can hold one more file. File systems without a fixed number of inodes report a total of
/// zero.
pub(super) fn has_free_inode(folder: &Path) -> bool {
    rustix::fs::statvfs(folder).map_or(true, |stat| stat.f_files == 0 || stat.f_favail > 0)
}

/// Whether there is space for the next step of a checkpoint.
pub(super) fn has_room_for_step(folder: &Path) -> bool {
    free(folder) >= STEP_ROOM
}

/// Deletes the reserve file, so that the store can be opened; returns whether there was one.
pub(super) fn release(folder: &Path) -> bool {
    fs::remove_file(folder.join(FILE)).is_ok()
}

/// Creates the reserve file, unless it exists or the disk is nearly full.
pub(super) fn defer_reserve(folder: &Path) {
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
