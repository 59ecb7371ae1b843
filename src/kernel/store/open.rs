//! Opening the data folder: who may, what it must look like, and which version wrote it.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::files::NotOpened;
use super::record::StoredValue;
use super::remembered::Written;
use super::snapshot::Snapshots;
use super::{Read, Record, Store, Table, Tree, ballast, files, seal, writer};

/// The version of the folder's layout that this binary writes and the newest it reads.
pub(super) const LAYOUT: u32 = 1;

const FOLDER: Table = Table::new("folder");

/// What the folder is: written once, when it is made.
#[derive(Debug, Serialize, Deserialize)]
struct Folder {
    layout: u32,
    #[serde(default)]
    demo: bool,
}

impl Record for Folder {}

/// The layout that a stored pair states; `None` when it is another record.
pub(super) fn layout_in(key: &[u8], stored: &[u8]) -> Option<u32> {
    if key != FOLDER.key().bytes() {
        return None;
    }
    let value = StoredValue::read(stored).ok()?;
    Folder::decode(value.first).ok().map(|folder| folder.layout)
}

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
    /// There is no room to open it.
    #[error(
        "the disk of {} is so full that Porchlight cannot start. Please make room; a few megabytes are \
         enough to read, and 16 to write.",
        .0.display()
    )]
    Full(PathBuf),
    /// sled opens the files, but the last of what was written is gone from them.
    #[error(
        "the store in {folder} is damaged: what was written last is gone from its files. Bring back a \
         backup with: porchlight restore FILE --data {folder}-restored (or, to go on with what is left, \
         remove {folder}/store.seal)",
        folder = .0.display()
    )]
    Cut(PathBuf),
    /// sled refuses the files.
    #[error(
        "the store in {folder} is damaged and could not be opened ({detail}). Bring back a backup with: \
         porchlight restore FILE --data {folder}-restored",
        folder = .folder.display()
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
        Self::open_bare(folder)?.settle_layout(folder, demo)
    }

    /// Opens the store in `folder` whatever is in it.
    pub(super) fn open_bare(folder: &Path) -> Result<Self, OpenError> {
        let unusable = |path: &Path, error| OpenError::Unusable {
            path: path.to_owned(),
            error,
        };
        // sled creates its files with the process's mask; nobody but the owner may read them.
        rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
        make_private(folder).map_err(|error| unusable(folder, error))?;
        let lock = lock(folder)?;
        let path = files::current(folder)
            .map_err(|error| unusable(&folder.join("store.current"), error))?;
        files::remove_others(folder, &path).map_err(|error| unusable(folder, error))?;
        if files::is_lost(&path) {
            let detail = format!("{} is missing", path.display());
            return Err(OpenError::Damaged {
                folder: folder.to_owned(),
                detail,
            });
        }
        make_private(&path).map_err(|error| unusable(&path, error))?;
        let opened = match files::open(&path) {
            Err(NotOpened::Full) if ballast::give_up(folder) => files::open(&path),
            other => other,
        };
        let files = opened.map_err(|error| match error {
            NotOpened::Full => OpenError::Full(folder.to_owned()),
            NotOpened::Corrupt(detail) | NotOpened::Otherwise(detail) => OpenError::Damaged {
                folder: folder.to_owned(),
                detail,
            },
        })?;
        ballast::set_aside(folder);
        files::make_lasting(folder, &path);
        let groups = seal::counted(&files.tree).map_err(|error| OpenError::Damaged {
            folder: folder.to_owned(),
            detail: error.to_string(),
        })?;
        if groups < seal::read(folder) {
            return Err(OpenError::Cut(folder.to_owned()));
        }
        let tree = Tree::new(files.tree.clone());
        let snapshots = Snapshots::default();
        let writable = Arc::new(AtomicBool::new(true));
        let written = Arc::<Written>::default();
        let disk = writer::Disk {
            files,
            tree: tree.clone(),
            snapshots: snapshots.clone(),
            written: Arc::clone(&written),
            folder: folder.to_owned(),
            groups,
        };
        let writer = writer::Handle::start(disk, writable.clone())
            .map_err(|error| unusable(folder, error))?;
        let demo = false;
        Ok(Self {
            tree,
            snapshots,
            writer,
            writable,
            written,
            demo,
            _lock: Arc::new(lock),
        })
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
                self.demo = demo;
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
        files::current(folder).is_ok_and(|path| path.join("db").exists() || files::is_lost(&path))
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
