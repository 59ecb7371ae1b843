//! Restores a backup into an empty folder.
//!
//! The file is checked to its end before anything is created. Then it is read again into a temporary folder next to the
//! target, through the same writer as everything else, and that folder is renamed once it is complete: there is
//! never a partially restored store to open.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::archive::{self, Archive, Contents, Counted};
use super::encryption::{Identities, decrypted};
use super::error::ArchiveError;
use crate::kernel::store::files::sync_folder;
use crate::kernel::store::{OpenError, Purpose, Store, StoreError, Table, key};

/// The number of bytes that one change writes, exceeded by at most one pair.
const AT_ONCE: usize = 512 * 1024;

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

/// Restores `file` as the data folder `folder`, without the tables `without`. `finish` is called with the store before the
/// folder is renamed; if it fails, no folder is created. `progress` is called with the bytes read and their total; the file is
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
    let beside = beside(folder)?;
    clear(&beside)?;
    let outcome = fill(file, identities, &beside, without, finish, |done, total| {
        progress(total + done, total * 2)
    })
    .and_then(|filled| Ok(show(&beside, folder).map(|()| filled)?));
    if outcome.is_err() {
        // The next attempt removes what is left.
        let _ = fs::remove_dir_all(&beside);
    }
    outcome
}

fn make_sure_it_is_empty(folder: &Path) -> Result<(), RestoreError> {
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            Some(_) => Err(RestoreError::NotEmpty(folder.to_owned())),
            None => Ok(()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(folder_error(folder, error)),
    }
}

/// The temporary folder: next to the target, so that it can be renamed.
fn beside(folder: &Path) -> Result<PathBuf, RestoreError> {
    let failed = |error| folder_error(folder, error);
    let absolute = std::path::absolute(folder).map_err(failed)?;
    let name = absolute.file_name();
    let mut name = name
        .ok_or_else(|| failed(io::Error::other("it has no name")))?
        .to_owned();
    name.push(".restoring");
    Ok(absolute.with_file_name(name))
}

/// Removes what an earlier attempt left, unless it is still running.
fn clear(beside: &Path) -> Result<(), RestoreError> {
    let failed = |error| folder_error(beside, error);
    if let Ok(lock) = File::open(beside.join("lock"))
        && lock.try_lock().is_err()
    {
        return Err(RestoreError::UnderWay(beside.to_owned()));
    }
    match fs::remove_dir_all(beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
        _ => Ok(()),
    }
}

fn fill<T, E: From<RestoreError>>(
    file: &Path,
    identities: &Identities,
    beside: &Path,
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
    let store = Store::open_empty(beside).map_err(RestoreError::from)?;
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
        written
            .and_then(|inner| inner)
            .map_err(RestoreError::from)?;
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

/// Renames the finished folder to the target.
fn show(beside: &Path, folder: &Path) -> Result<(), RestoreError> {
    let failed = |error| folder_error(folder, error);
    sync_folder(&beside.join("store"))
        .and_then(|()| sync_folder(beside))
        .map_err(failed)?;
    fs::rename(beside, folder).map_err(failed)?;
    match beside.parent() {
        Some(parent) => sync_folder(parent).map_err(failed),
        None => Ok(()),
    }
}
