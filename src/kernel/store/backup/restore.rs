//! Bringing a backup back, into a folder that holds nothing.
//!
//! The file is read to its end before anything is made. Then it is read again into a folder beside the one that
//! is wanted, through the same writer as everything else, and that folder takes the wanted name when it is whole: there is
//! never half a restored store to open.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::archive::{self, Archive, ArchiveError, Contents, Counted};
use crate::kernel::store::files::sync_folder;
use crate::kernel::store::{OpenError, Purpose, Store, StoreError, Table, key};

/// How many bytes one change writes, at most a pair more.
const AT_ONCE: usize = 512 * 1024;

/// Why a backup was not brought back.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The file.
    #[error("{} cannot be restored. {error} Nothing was changed.", .file.display())]
    Archive {
        /// The backup.
        file: PathBuf,
        /// What is wrong with it.
        error: ArchiveError,
    },
    /// There is something in the folder.
    #[error(
        "{} is not empty. A backup is only restored into an empty folder or a new one: --data DIR. \
         Nothing was changed.",
        .0.display()
    )]
    NotEmpty(PathBuf),
    /// Another command is restoring to the same place.
    #[error("Another command is restoring into {} just now.", .0.display())]
    UnderWay(PathBuf),
    /// The folder.
    #[error("{} cannot be used: {error}.", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The new store.
    #[error("The new store could not be written. {0}")]
    Store(#[from] StoreError),
    /// The new store.
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

/// Restores `file` as the data folder `folder`, leaving out the tables `without`. `finish` is given the store before the folder
/// gets its name; if it fails, there is no folder. `progress` hears how many bytes of how many were read; the file is read twice.
///
/// # Errors
///
/// [`RestoreError`]. There is nothing at `folder` then that wasn't before.
pub fn restore<T, E: From<RestoreError>>(
    file: &Path,
    folder: &Path,
    without: &[Table],
    finish: impl FnOnce(&Store) -> Result<T, E>,
    mut progress: impl FnMut(u64, u64),
) -> Result<(Contents, T), E> {
    let archive_error = |error| archive_error(file, error);
    make_sure_it_is_empty(folder)?;
    archive::check(file, |done, total| progress(done, total * 2)).map_err(archive_error)?;
    let beside = beside(folder)?;
    clear(&beside)?;
    let outcome = fill(file, &beside, without, finish, |done, total| {
        progress(total + done, total * 2)
    })
    .and_then(|filled| Ok(show(&beside, folder).map(|()| filled)?));
    if outcome.is_err() {
        // What is left is cleared by the next try.
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

/// The folder in which the store is made: beside the wanted one, so that it can be renamed.
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

/// Removes what an earlier try left, unless it is still at it.
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
    beside: &Path,
    without: &[Table],
    finish: impl FnOnce(&Store) -> Result<T, E>,
    progress: impl FnMut(u64, u64),
) -> Result<(Contents, T), E> {
    let archive_error = |error| archive_error(file, error);
    let read = Counted::open(file, progress).map_err(|error| archive_error(error.into()))?;
    let mut archive = Archive::open(read).map_err(archive_error)?;
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

/// Gives the finished folder its name.
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
