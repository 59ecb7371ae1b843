//! Opening the data folder: who may, what it must look like, and which version wrote it.

use std::cmp::Ordering;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::sync::Notify;

use super::files::{NotOpened, Opened};
use super::journal::Journal;
use super::layout::{Folder, LAYOUT};
use super::remembered::Written;
use super::runs::Runs;
use super::snapshot::Snapshots;
use super::tree::Recent;
use super::{Shared, Store, StoreError, Tree, ballast, checkpoint, files, room, seal, writer};

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
    /// A binary from before the first release wrote it.
    #[error(
        "{} was written by a Porchlight from before the first release (layout {found}; this one reads {LAYOUT}). \
         Make a backup with that version and bring it back with this one: porchlight restore FILE --data {}-restored",
        .folder.display(),
        .folder.display()
    )]
    Older {
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
    files: Arc<Opened>,
    journal: Journal,
    /// What stands in the journal.
    leaving: Recent,
    recent: Recent,
    lock: Lock,
}

/// Keeps other processes out of a data folder for as long as it lives.
///
/// The folder itself is locked beside the file `lock`: whoever deletes that file must not let a second process in. Some
/// file systems, NFS among them, lock no folders; there the file and sled's own lock have to do.
pub(super) struct Lock {
    _file: File,
    _folder: Option<File>,
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
        let files = opened.map_err(|error| not_opened(folder, error))?;
        files::make_lasting(folder, &path);
        Self::refuse_other_layouts(folder, &files)?;
        let found = Self::with_journal(folder, files, lock)?;
        ballast::set_aside(folder);
        Ok(found)
    }

    /// Refuses files of another layout. A new store states none yet.
    fn refuse_other_layouts(folder: &Path, files: &Opened) -> Result<(), OpenError> {
        let stated = Folder::stated_in(files);
        let stated = stated.map_err(|error| damaged(folder, error.to_string()))?;
        let Some(found) = stated.map(|stated| stated.layout) else {
            return Ok(());
        };
        let folder = folder.to_owned();
        match found.cmp(&LAYOUT) {
            Ordering::Greater => Err(OpenError::Newer { folder, found }),
            Ordering::Less => Err(OpenError::Older { folder, found }),
            Ordering::Equal => Ok(()),
        }
    }

    /// Reads what the journal has beyond sled's files, and whether one of them lacks something.
    fn with_journal(folder: &Path, files: Arc<Opened>, lock: Lock) -> Result<Self, OpenError> {
        let unreadable = |error: StoreError| damaged(folder, error.to_string());
        let unusable = |error| unusable(folder, error);
        let counted = seal::counted(&files.tree).map_err(unreadable)?;
        let read = Journal::open(folder, counted).map_err(unusable)?;
        let whole = match &read {
            Some(read) => read.whole,
            None => Folder::found_in(&files).map_err(unreadable)?.is_none(),
        };
        let sealed = seal::read(folder);
        // Who removes the seal wants to go on with what is left.
        if counted < sealed || sealed > 0 && !whole {
            return Err(OpenError::Cut(folder.to_owned()));
        }
        let (journal, leaving, recent) = match read {
            Some(read) if read.whole && !read.recent.is_empty() => {
                (read.journal, read.leaving, read.recent)
            }
            // With new files nothing is left of what it once held; they take room of their own.
            Some(read) if read.whole => {
                let journal = match room::has_room_for(folder, 0) {
                    true => Journal::make(folder, counted).map_err(unusable)?,
                    false => read.journal,
                };
                (journal, Recent::new(), Recent::new())
            }
            other => {
                let mut left = Recent::new();
                if let Some(read) = other {
                    left.extend(read.leaving);
                    left.extend(read.recent);
                }
                // Beyond all that is in the journal.
                let checkpoint = counted + 2;
                checkpoint::write(&files, &left, checkpoint, folder).map_err(
                    |error| match error {
                        StoreError::Full => OpenError::Full(folder.to_owned()),
                        error => unreadable(error),
                    },
                )?;
                let made = match Journal::make(folder, checkpoint) {
                    Err(error)
                        if error.kind() == io::ErrorKind::StorageFull
                            && ballast::give_up(folder) =>
                    {
                        Journal::make(folder, checkpoint)
                    }
                    made => made,
                };
                let journal = made.map_err(|error| match error.kind() {
                    io::ErrorKind::StorageFull => OpenError::Full(folder.to_owned()),
                    _ => unusable(error),
                })?;
                seal::write(folder, checkpoint).map_err(unusable)?;
                (journal, Recent::new(), Recent::new())
            }
        };
        Ok(Self {
            folder: folder.to_owned(),
            files,
            journal,
            leaving,
            recent,
            lock,
        })
    }

    /// Makes sure that sled's files say which layout they have, and answers whether the store is the
    /// demonstration's. `demo` is for a new one.
    fn settle_layout(&self, demo: bool) -> Result<bool, OpenError> {
        let unreadable = |error: StoreError| damaged(&self.folder, error.to_string());
        if let Some(stated) = Folder::stated_in(&self.files).map_err(unreadable)? {
            return Ok(stated.demo);
        }
        // A restored one says what it was.
        let recorded = Folder::recorded_in(&self.files).map_err(unreadable)?;
        if !room::has_room_for(&self.folder, 0) {
            let full = OpenError::Full(self.folder.clone());
            return recorded.map(|folder| folder.demo).ok_or(full);
        }
        let made = Folder::new(recorded.map_or(demo, |folder| folder.demo));
        made.state_in(&self.files).map_err(unreadable)?;
        Ok(made.demo)
    }

    /// Starts the writer.
    fn start(self, demo: bool) -> Result<Store, OpenError> {
        let tree = Tree::new(Runs::of(&self.files.tree), self.leaving, self.recent);
        let snapshots = Snapshots::default();
        let writable = Arc::new(AtomicBool::new(true));
        let written = Arc::<Written>::default();
        let checkpointed = Arc::<Notify>::default();
        let disk = writer::Disk {
            files: self.files,
            journal: self.journal,
            tree: tree.clone(),
            snapshots: snapshots.clone(),
            written: Arc::clone(&written),
            checkpointed: Arc::clone(&checkpointed),
            folder: self.folder.clone(),
        };
        let writer = writer::Handle::start(disk, writable.clone())
            .map_err(|error| unusable(&self.folder, error))?;
        Ok(Store(Arc::new(Shared {
            tree,
            snapshots,
            writer,
            writable,
            written,
            checkpointed,
            demo,
            _lock: self.lock,
        })))
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

fn not_opened(folder: &Path, error: NotOpened) -> OpenError {
    match error {
        NotOpened::Full => OpenError::Full(folder.to_owned()),
        NotOpened::InUse => OpenError::InUse(folder.to_owned()),
        NotOpened::Corrupt(detail) | NotOpened::Otherwise(detail) => damaged(folder, detail),
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

fn lock(folder: &Path) -> Result<Lock, OpenError> {
    let path = folder.join("lock");
    let unusable = |error| unusable(&path, error);
    let in_use = || OpenError::InUse(folder.to_owned());
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(&path)
        .map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(in_use()),
        Err(TryLockError::Error(error)) => return Err(unusable(error)),
    }
    let opened = File::open(folder).map_err(unusable)?;
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
