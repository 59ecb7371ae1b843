//! Restores a backup into an empty folder.
//!
//! The file is checked to its end before anything is created. Then it is read again into a store of its own inside the target,
//! through the same writer as everything else. Once that store is complete, its files are moved into place by one rename: there is
//! never a partially restored store to open. Nothing is written outside of the target, which may be a mount point.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::archive::{self, Archive, Contents, Counted};
use super::encryption::{Identities, decrypted};
use super::error::ArchiveError;
use crate::kernel::store::files::{make_private, sync_folder};
use crate::kernel::store::lock::{LOCK, Lock, RESTORING, lock, remove_unfinished};
use crate::kernel::store::{OpenError, Purpose, Store, StoreError, Table, key, lsm};

/// The number of bytes that one change writes, exceeded by at most one pair.
const AT_ONCE: usize = 512 * 1024;

/// What file systems, NAS and desktops put into a folder by themselves.
const NOT_OURS: [&str; 16] = [
    "lost+found",
    ".snapshot",
    ".snapshots",
    ".zfs",
    "#snapshot",
    "#recycle",
    "@eaDir",
    "@tmp",
    "@Recycle",
    "@Recently-Snapshot",
    "$RECYCLE.BIN",
    "System Volume Information",
    ".Trashes",
    ".Spotlight-V100",
    ".fseventsd",
    ".DS_Store",
];

/// Why a backup was not restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error("{} cannot be restored. {error} Nothing was changed.", .file.display())]
    Archive { file: PathBuf, error: ArchiveError },
    #[error(
        "{} is not empty. A backup is only restored into an empty folder or a new one: --data DIR. \
         Nothing was changed.",
        .0.display()
    )]
    NotEmpty(PathBuf),
    #[error("Another command is restoring into {} just now.", .0.display())]
    UnderWay(PathBuf),
    #[error("{} cannot be used: {error}.", .folder.display())]
    Folder { folder: PathBuf, error: io::Error },
    #[error("The new store could not be written. {0}")]
    Store(#[from] StoreError),
    #[error("The new store could not be made: {0}")]
    Open(#[from] OpenError),
}

fn archive_error(file: &Path, error: ArchiveError) -> RestoreError {
    let file = file.to_owned();
    RestoreError::Archive { file, error }
}

fn folder_error(folder: &Path, error: io::Error) -> RestoreError {
    let folder = folder.to_owned();
    RestoreError::Folder { folder, error }
}

/// Restores `file` as the data folder `folder`, without the tables `without`. `finish` is called with the store before it is moved
/// into place; if it fails, it isn't. `progress` is called with the bytes read and their total; the file is
/// read twice.
///
/// # Errors
///
/// [`RestoreError`]. `folder` is then as it was before.
pub fn restore<T, E: From<RestoreError>>(
    file: &Path,
    folder: &Path,
    identities: &Identities,
    without: &[Table],
    finish: impl FnOnce(&Store) -> Result<T, E>,
    mut progress: impl FnMut(u64, u64),
) -> Result<(Contents, T), E> {
    let archive_error = |error| archive_error(file, error);
    make_sure_it_is_empty(folder)?;
    archive::check(file, identities, |done, total| progress(done, total * 2))
        .map_err(archive_error)?;
    let target = Target::take(folder)?;
    let unfinished = folder.join(RESTORING);
    let outcome = fill(
        file,
        identities,
        &unfinished,
        without,
        finish,
        |done, total| progress(total + done, total * 2),
    )
    .and_then(|filled| Ok(target.switch().map(|()| filled)?));
    if outcome.is_err() {
        target.leave_as_it_was();
    }
    outcome
}

fn make_sure_it_is_empty(folder: &Path) -> Result<(), RestoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|error| folder_error(folder, error))?,
    };
    for entry in entries {
        let name = entry
            .map_err(|error| folder_error(folder, error))?
            .file_name();
        let name = name.to_string_lossy();
        let is_left_over = name == RESTORING || name == LOCK;
        if !is_left_over && !NOT_OURS.contains(&&*name) && !name.starts_with(".Trash-") {
            return Err(RestoreError::NotEmpty(folder.to_owned()));
        }
    }
    Ok(())
}

/// The folder that becomes the data folder. Nobody else can open it meanwhile.
struct Target<'a> {
    folder: &'a Path,
    is_new: bool,
    _lock: Lock,
}

impl<'a> Target<'a> {
    /// Creates the folder if it doesn't exist, with the rights that opening a store needs.
    fn take(folder: &'a Path) -> Result<Self, RestoreError> {
        let failed = |error| folder_error(folder, error);
        let is_new = !folder.try_exists().map_err(failed)?;
        make_private(folder).map_err(failed)?;
        let lock = lock(folder).map_err(|error| match error {
            OpenError::InUse(folder) => RestoreError::UnderWay(folder),
            error => error.into(),
        })?;
        // A server may have begun a store there meanwhile.
        make_sure_it_is_empty(folder)?;
        remove_unfinished(folder).map_err(failed)?;
        Ok(Self {
            folder,
            is_new,
            _lock: lock,
        })
    }

    /// Moves the finished store into place. Its log isn't needed: all of it is in the files.
    fn switch(&self) -> Result<(), RestoreError> {
        let failed = |error| folder_error(self.folder, error);
        let unfinished = self.folder.join(RESTORING);
        if !lsm::is_flushed(&unfinished).map_err(failed)? {
            return Err(StoreError::Full.into());
        }
        // After a compaction it isn't the first one any more.
        let files = lsm::current_folder(&unfinished).map_err(failed)?;
        sync_folder(&files).map_err(failed)?;
        fs::rename(files, lsm::first_folder(self.folder)).map_err(failed)?;
        sync_folder(self.folder).map_err(failed)?;
        if self.is_new
            && let Some(parent) = std::path::absolute(self.folder).map_err(failed)?.parent()
        {
            // The permission to open the folder above may be missing.
            let _ = sync_folder(parent);
        }
        // The next start removes what is left.
        let _ = remove_unfinished(self.folder);
        Ok(())
    }

    fn leave_as_it_was(self) {
        let _ = remove_unfinished(self.folder);
        if lsm::first_folder(self.folder).exists() {
            return;
        }
        let _ = fs::remove_file(self.folder.join(LOCK));
        if self.is_new {
            let _ = fs::remove_dir(self.folder);
        }
    }
}

fn fill<T, E: From<RestoreError>>(
    file: &Path,
    identities: &Identities,
    unfinished: &Path,
    without: &[Table],
    finish: impl FnOnce(&Store) -> Result<T, E>,
    progress: impl FnMut(u64, u64),
) -> Result<(Contents, T), E> {
    let archive_error = |error| archive_error(file, error);
    let read = Counted::open(file, progress).map_err(|error| archive_error(error.into()))?;
    let archive = decrypted(read, identities).and_then(Archive::open);
    let mut archive = archive.map_err(archive_error)?;
    let is_left_out = |key: &[u8]| {
        let table = key::table_of(key);
        without.iter().any(|left_out| left_out.name() == table)
    };
    let store = Store::open_empty(unfinished).map_err(RestoreError::from)?;
    loop {
        let (mut pairs, mut bytes) = (Vec::new(), 0);
        while bytes < AT_ONCE {
            let Some((key, value)) = archive.next().map_err(archive_error)? else {
                break;
            };
            bytes += key.len() + value.len();
            if !is_left_out(&key) {
                pairs.push((key, value));
            }
        }
        if bytes == 0 {
            break;
        }
        let written = store.commit_blocking(Purpose::Ordinary, move |change| {
            for (key, value) in pairs {
                change.put_stored((key.into(), value.into()));
            }
            Ok::<_, StoreError>(())
        });
        written.map_err(RestoreError::from)?;
    }
    let finished = finish(&store);
    store.close();
    let finished = finished?;
    let mut contents = archive.contents().clone();
    for table in without {
        contents.tables.remove(table.name());
    }
    Ok((contents, finished))
}
