//! Durable operations on files and folders.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Creates a folder that only its owner can enter, or restricts an existing one.
pub fn make_private(folder: &Path) -> io::Result<()> {
    let mut options = DirBuilder::new();
    options.recursive(true).mode(0o700).create(folder)?;
    let mut permissions = folder.metadata()?.permissions();
    if permissions.mode() & 0o077 != 0 {
        permissions.set_mode(0o700);
        fs::set_permissions(folder, permissions)?;
    }
    Ok(())
}

/// Syncs a folder, so that created, renamed or removed entries are durable.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Replaces a file atomically: after a crash it holds all of `bytes` or what it held before. The caller syncs the folder.
/// Returns the file, open for writing.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let new = path.with_added_extension("new");
    let written = write_and_rename(&new, path, bytes);
    if written.is_err() {
        // On a full disk it would occupy the last free space.
        let _ = fs::remove_file(&new);
    }
    written
}

/// Creates or empties a file that only its owner can read.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true).mode(0o600);
    options.open(path)
}

fn write_and_rename(new: &Path, path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = create_private(new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(new, path)?;
    Ok(file)
}

pub(super) fn parse_number(bytes: &[u8]) -> Option<u64> {
    std::str::from_utf8(bytes).ok()?.trim().parse().ok()
}

/// Whether a file begins with these bytes; `false` if it can't be read.
pub(super) fn begins_with(path: &Path, bytes: &[u8]) -> bool {
    let mut start = vec![0; bytes.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == bytes
}

/// The contents of a file; `None` if it doesn't exist.
pub fn read_if_exists(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}
