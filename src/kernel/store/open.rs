//! Opening the data folder: who may, what it must look like, and which version wrote it.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::files::{NotOpened, Opened};
use super::journal::Journal;
use super::record::StoredValue;
use super::remembered::Written;
use super::snapshot::Snapshots;
use super::tree::Recent;
use super::{Record, Store, StoreError, Table, Tree, ballast, checkpoint, files, seal, writer};

/// The version of the folder's layout that this binary writes and the newest it reads.
pub(super) const LAYOUT: u32 = 2;

/// The layout since which a store without a journal is not whole.
const WITH_A_JOURNAL: u32 = 2;

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
        let found = Found::in_folder(folder)?;
        let demo = found.settle_layout(demo)?;
        found.start(demo)
    }

    /// Opens the store in `folder` whatever is in it.
    pub(super) fn open_bare(folder: &Path) -> Result<Self, OpenError> {
        Found::in_folder(folder)?.start(false)
    }

    /// Whether a store was ever made in `folder`.
    pub fn exists(folder: &Path) -> bool {
        files::current(folder).is_ok_and(|path| path.join("db").exists() || files::is_lost(&path))
    }
}

/// A store's files, open.
struct Found {
    folder: PathBuf,
    files: Opened,
    journal: Journal,
    /// What stands in the journal.
    recent: Recent,
    checkpoints: u64,
    lock: File,
}

impl Found {
    fn in_folder(folder: &Path) -> Result<Self, OpenError> {
        // sled creates its files with the process's mask; nobody but the owner may read them.
        rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
        make_private(folder).map_err(|error| unusable(folder, error))?;
        let lock = lock(folder)?;
        let path = files::current(folder)
            .map_err(|error| unusable(&folder.join("store.current"), error))?;
        files::remove_others(folder, &path).map_err(|error| unusable(folder, error))?;
        if files::is_lost(&path) {
            return Err(damaged(folder, format!("{} is missing", path.display())));
        }
        make_private(&path).map_err(|error| unusable(&path, error))?;
        let opened = match files::open(&path) {
            Err(NotOpened::Full) if ballast::give_up(folder) => files::open(&path),
            other => other,
        };
        let files = opened.map_err(|error| match error {
            NotOpened::Full => OpenError::Full(folder.to_owned()),
            NotOpened::Corrupt(detail) | NotOpened::Otherwise(detail) => damaged(folder, detail),
        })?;
        files::make_lasting(folder, &path);
        let found = Self::with_journal(folder, files, lock)?;
        ballast::set_aside(folder);
        Ok(found)
    }

    /// Reads what the journal has beyond sled's files, and whether one of them lacks something.
    fn with_journal(folder: &Path, files: Opened, lock: File) -> Result<Self, OpenError> {
        let unreadable = |error: StoreError| damaged(folder, error.to_string());
        let unusable = |error| unusable(folder, error);
        let counted = seal::counted(&files.tree).map_err(unreadable)?;
        let read = Journal::open(folder, counted).map_err(unusable)?;
        let whole = match &read {
            Some(read) => read.whole,
            None => {
                let found = folder_in(&files).map_err(unreadable)?;
                found.is_none_or(|found| found.layout < WITH_A_JOURNAL)
            }
        };
        let sealed = seal::read(folder);
        // Who removes the seal wants to go on with what is left.
        if counted < sealed || sealed > 0 && !whole {
            return Err(OpenError::Cut(folder.to_owned()));
        }
        let (journal, recent, checkpoints) = match read {
            Some(read) if read.whole && !read.recent.is_empty() => {
                (read.journal, read.recent, counted)
            }
            // Nothing is left of what it once held.
            Some(read) if read.whole => match Journal::make(folder, counted) {
                Ok(made) => (made, Recent::new(), counted),
                Err(error) if error.kind() == io::ErrorKind::StorageFull => {
                    (read.journal, Recent::new(), counted)
                }
                Err(error) => return Err(unusable(error)),
            },
            other => {
                let left = other.map(|read| read.recent).unwrap_or_default();
                checkpoint::write(&files, &left, counted + 1).map_err(unreadable)?;
                let made = match Journal::make(folder, counted + 1) {
                    Err(error)
                        if error.kind() == io::ErrorKind::StorageFull
                            && ballast::give_up(folder) =>
                    {
                        Journal::make(folder, counted + 1)
                    }
                    made => made,
                };
                let journal = made.map_err(|error| match error.kind() {
                    io::ErrorKind::StorageFull => OpenError::Full(folder.to_owned()),
                    _ => unusable(error),
                })?;
                seal::write(folder, counted + 1).map_err(unusable)?;
                (journal, Recent::new(), counted + 1)
            }
        };
        Ok(Self {
            folder: folder.to_owned(),
            files,
            journal,
            recent,
            checkpoints,
            lock,
        })
    }

    /// Makes sure that sled's files say which layout they have, and answers whether the store is the
    /// demonstration's. `demo` is for a new one.
    fn settle_layout(&self, demo: bool) -> Result<bool, OpenError> {
        let unreadable = |error: StoreError| damaged(&self.folder, error.to_string());
        let found = folder_in(&self.files).map_err(unreadable)?;
        let demo = match found {
            Some(found) if found.layout > LAYOUT => {
                return Err(OpenError::Newer {
                    folder: self.folder.clone(),
                    found: found.layout,
                });
            }
            Some(found) if found.layout == LAYOUT => return Ok(found.demo),
            Some(older) => older.demo,
            None => demo,
        };
        if !writer::has_room_for(&self.folder, 0) {
            return Err(OpenError::Full(self.folder.clone()));
        }
        let made = Folder {
            layout: LAYOUT,
            demo,
        };
        for (key, value) in
            StoredValue::split(FOLDER.key().bytes(), Folder::VERSION, &made.encode())
        {
            let put = self.files.tree.insert(key, value);
            put.map_err(|error| unreadable(error.into()))?;
        }
        self.files
            .sync()
            .map_err(|error| unreadable(error.into()))?;
        Ok(demo)
    }

    /// Starts the writer.
    fn start(self, demo: bool) -> Result<Store, OpenError> {
        let tree = Tree::new(self.files.tree.clone(), self.recent);
        let snapshots = Snapshots::default();
        let writable = Arc::new(AtomicBool::new(true));
        let written = Arc::<Written>::default();
        let disk = writer::Disk {
            files: self.files,
            journal: self.journal,
            tree: tree.clone(),
            snapshots: snapshots.clone(),
            written: Arc::clone(&written),
            folder: self.folder.clone(),
            checkpoints: self.checkpoints,
        };
        let writer = writer::Handle::start(disk, writable.clone())
            .map_err(|error| unusable(&self.folder, error))?;
        Ok(Store {
            tree,
            snapshots,
            writer,
            writable,
            written,
            demo,
            _lock: Arc::new(self.lock),
        })
    }
}

fn unusable(path: &Path, error: io::Error) -> OpenError {
    OpenError::Unusable {
        path: path.to_owned(),
        error,
    }
}

fn damaged(folder: &Path, detail: String) -> OpenError {
    OpenError::Damaged {
        folder: folder.to_owned(),
        detail,
    }
}

/// What sled's files say they are.
fn folder_in(files: &Opened) -> Result<Option<Folder>, StoreError> {
    match files.tree.get(FOLDER.key().bytes())? {
        Some(stored) => Folder::decode(StoredValue::read(&stored)?.first).map(Some),
        None => Ok(None),
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
    let unusable = |error| unusable(&path, error);
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
