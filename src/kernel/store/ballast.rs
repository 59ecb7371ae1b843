//! A little room set aside, so that the store opens on a full disk.
//!
//! The writer stops while some space is left, but others may fill the disk, and sled writes a snapshot when it opens. Then
//! this file is given up. It is made anew at the next start or checkpoint that has room for it.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::FallocateFlags;

use super::room;

const FILE: &str = "ballast";

/// Its size, in bytes: sled's snapshot of a million messages and a segment fit in.
const SIZE: u64 = 4 * 1024 * 1024;

/// Gives the room up; whether there was any.
pub(super) fn give_up(folder: &Path) -> bool {
    fs::remove_file(folder.join(FILE)).is_ok()
}

/// Sets the room aside, unless it is or the disk is nearly full.
pub(super) fn set_aside(folder: &Path) {
    let path = folder.join(FILE);
    if path.exists() || !room::has_room_for(folder, SIZE) {
        return;
    }
    if let Err(error) = make(&path) {
        tracing::debug!(%error, "no room could be set aside");
        let _ = fs::remove_file(path);
    }
}

fn make(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    Ok(rustix::fs::fallocate(
        &file,
        FallocateFlags::empty(),
        0,
        SIZE,
    )?)
}
