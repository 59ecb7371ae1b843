//! The lock of a data folder, and what a process that was killed may have left in it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::OpenError;

/// The file whose lock excludes other processes.
pub const LOCK: &str = "lock";

/// The folder in which a backup is restored, in the data folder.
pub const RESTORING: &str = "restoring";

/// Excludes other processes from a data folder while it exists.
///
/// The folder itself is locked in addition to the file `lock`, so that deleting the file doesn't admit a second process. Some
/// file systems, NFS among them, cannot lock folders; there the file and sled's own lock have to suffice.
pub struct Lock {
    _file: File,
    _folder: Option<File>,
}

pub fn lock(folder: &Path) -> Result<Lock, OpenError> {
    let path = folder.join(LOCK);
    let failed = |error| OpenError::of_io(&path, error);
    let in_use = || OpenError::InUse(folder.to_owned());
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true).mode(0o600);
    let file = options.open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(in_use()),
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    let opened = File::open(folder).map_err(failed)?;
    let folder = match opened.try_lock() {
        Ok(()) => Some(opened),
        Err(TryLockError::WouldBlock) => return Err(in_use()),
        Err(TryLockError::Error(_)) => None,
    };
    Ok(Lock {
        _file: file,
        _folder: folder,
    })
}

/// Removes what an interrupted restore left in a folder that is locked.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder.join(RESTORING)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
