//! Opening the data folder: who may, what it must look like, and which version wrote it.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::{Read, Record, Store, Table, writer};

/// The version of the folder's layout that this binary writes and the newest it reads.
const LAYOUT: u32 = 1;

/// sled's page cache, in bytes. What stays resident is about twice this.
const CACHE: u64 = 24 * 1024 * 1024;

const FOLDER: Table = Table::new("folder");

/// What the folder is: written once, when it is made.
#[derive(Debug, Serialize, Deserialize)]
struct Folder {
    layout: u32,
    #[serde(default)]
    demo: bool,
}

impl Record for Folder {}

/// Why a data folder could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process holds it.
    #[error("{} is in use by another Porchlight. Only one may open it at a time.", .0.display())]
    InUse(PathBuf),
    /// A newer binary wrote it.
    #[error(
        "{} was written by a newer Porchlight (layout {found}; this one reads up to {LAYOUT}). \
         Please use that version or a later one.",
        .folder.display()
    )]
    Newer {
        /// The data folder.
        folder: PathBuf,
        /// The layout that stands in it.
        found: u32,
    },
    /// The folder or a file in it cannot be made, read or written.
    #[error("{} cannot be used: {error}", .path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// sled refuses the files.
    #[error(
        "the store in {} is damaged and could not be opened ({detail}). Restore it from a backup \
         into an empty folder.",
        .folder.display()
    )]
    Damaged {
        /// The data folder.
        folder: PathBuf,
        /// What sled says.
        detail: String,
    },
}

impl Store {
    /// Opens the store in `folder`, making it when there is none. `demo` marks a new store as the
    /// demonstration's.
    ///
    /// # Errors
    ///
    /// See [`OpenError`].
    pub fn open(folder: &Path, demo: bool) -> Result<Self, OpenError> {
        let unusable = |path: &Path, error| OpenError::Unusable {
            path: path.to_owned(),
            error,
        };
        make_private(folder).map_err(|error| unusable(folder, error))?;
        let lock = lock(folder)?;
        let files = folder.join("store");
        make_private(&files).map_err(|error| unusable(&files, error))?;
        // sled creates its files with the process's mask; nobody but the owner may read them.
        rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
        let db = sled::Config::new()
            .path(&files)
            .cache_capacity(CACHE)
            .flush_every_ms(None)
            .open()
            .map_err(|error| OpenError::Damaged {
                folder: folder.to_owned(),
                detail: error.to_string(),
            })?;
        let database = files.join("db");
        let file = File::open(&database).map_err(|error| unusable(&database, error))?;
        let tree = (*db).clone();
        let writable = Arc::new(AtomicBool::new(true));
        let disk = writer::Disk {
            tree: tree.clone(),
            db,
            file,
            folder: folder.to_owned(),
        };
        let writer = writer::Handle::start(disk, writable.clone())
            .map_err(|error| unusable(folder, error))?;
        let store = Self {
            tree,
            writer,
            writable,
            demo,
            _lock: Arc::new(lock),
        };
        store.settle_layout(folder, demo)
    }

    fn settle_layout(mut self, folder: &Path, demo: bool) -> Result<Self, OpenError> {
        let damaged = |detail: String| OpenError::Damaged {
            folder: folder.to_owned(),
            detail,
        };
        let key = FOLDER.key();
        match self
            .get::<Folder>(&key)
            .map_err(|error| damaged(error.to_string()))?
        {
            Some(found) if found.layout > LAYOUT => Err(OpenError::Newer {
                folder: folder.to_owned(),
                found: found.layout,
            }),
            Some(found) => {
                self.demo = found.demo;
                Ok(self)
            }
            None => {
                let made = Folder {
                    layout: LAYOUT,
                    demo,
                };
                self.commit_blocking(move |change| change.put(&key, &made))
                    .and_then(|put| put)
                    .map_err(|error| damaged(error.to_string()))?;
                Ok(self)
            }
        }
    }

    /// Whether a store was ever made in `folder`.
    pub fn exists(folder: &Path) -> bool {
        folder.join("store").join("db").exists()
    }
}

/// Makes a folder that only its owner can enter, or tightens one that is there.
fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let mut permissions = folder.metadata()?.permissions();
    if permissions.mode() & 0o077 != 0 {
        permissions.set_mode(0o700);
        std::fs::set_permissions(folder, permissions)?;
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File, OpenError> {
    let path = folder.join("lock");
    let unusable = |error| OpenError::Unusable {
        path: path.clone(),
        error,
    };
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(&path)
        .map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}
