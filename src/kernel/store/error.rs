//! Errors of opening, reading and writing the store.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why the store could not read or write. The messages are for a person; the causes are logged.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The disk has less free space than the change must [leave](super::Purpose).
    #[error(
        "There is no room left on the disk, so nothing new can be kept. What is there can still be read."
    )]
    Full,
    /// An earlier write failed, or the store is closing.
    #[error("Porchlight cannot write just now. Nothing was changed; please try again in a while.")]
    Unavailable,
    /// The sync of this very change failed: after a restart it may be there or not. Until then it is invisible.
    #[error(
        "It is not known whether this was kept. Please look again later, before you repeat it."
    )]
    Unknown,
    /// A record has more JSON than the store keeps in one.
    #[error("This is too large to be kept.")]
    TooLarge,
    #[error("Something in the store cannot be read.")]
    Unreadable(Arc<str>),
}

impl StoreError {
    pub(crate) fn unreadable(why: impl std::fmt::Display) -> Self {
        Self::Unreadable(why.to_string().into())
    }
}

/// Why a data folder could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process holds the lock.
    #[error("{} is in use by another Porchlight. Only one may open it at a time.", .0.display())]
    InUse(PathBuf),
    #[error(
        "{} was written by a newer Porchlight (format {found}; this one reads up to {newest}). \
         Please use that version or a later one.",
        .folder.display()
    )]
    Newer {
        folder: PathBuf,
        found: u32,
        newest: u32,
    },
    #[error(
        "{} was written by a Porchlight from before the first release (format {found}; this one reads {oldest} to {newest}). \
         Make a backup with that version and bring it back with this one: porchlight restore FILE --data {}-restored",
        .folder.display(),
        .folder.display()
    )]
    Older {
        folder: PathBuf,
        found: u32,
        oldest: u32,
        newest: u32,
    },
    /// It must be migrated, and the backup that comes first cannot be written.
    #[error(
        "{} is of an older format. Before it is changed, a backup of it is written to {}, and that failed: {error} \
         Nothing was changed.",
        .folder.display(),
        .backup.display()
    )]
    NoBackup {
        folder: PathBuf,
        backup: PathBuf,
        error: String,
    },
    /// The folder or a file in it cannot be created, read or written.
    #[error("{} cannot be used: {error}", .path.display())]
    Unusable { path: PathBuf, error: io::Error },
    /// The disk is too full to open it.
    #[error(
        "the disk of {} is so full that Porchlight cannot start. Please make room; a few megabytes are \
         enough to read, and 16 to write.",
        .0.display()
    )]
    Full(PathBuf),
    /// The files can be opened, but acknowledged writes are missing.
    #[error(
        "the store in {folder} is damaged: what was written last is gone from its files. Restore a \
         backup with: porchlight restore FILE --data {folder}-restored (or, to go on with what is left, \
         remove {folder}/store.seal)",
        folder = .0.display()
    )]
    Incomplete(PathBuf),
    #[error(
        "the store in {folder} is damaged and could not be opened ({detail}). Restore a backup with: \
         porchlight restore FILE --data {folder}-restored",
        folder = .folder.display()
    )]
    Damaged { folder: PathBuf, detail: String },
}

impl OpenError {
    pub(super) fn of_io(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::StorageFull => Self::Full(path),
            _ => Self::Unusable { path, error },
        }
    }

    pub(super) fn of_store(folder: &Path, error: StoreError) -> Self {
        match error {
            StoreError::Full => Self::Full(folder.to_owned()),
            StoreError::Unreadable(detail) => Self::damaged(folder, &*detail),
            error => Self::damaged(folder, error),
        }
    }

    pub(super) fn damaged(folder: &Path, detail: impl ToString) -> Self {
        Self::Damaged {
            folder: folder.to_owned(),
            detail: detail.to_string(),
        }
    }
}
