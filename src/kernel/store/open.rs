//! Opens the data folder: locks it, checks it, and determines which version wrote it.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::backup::Recipient;
use super::changes::Changes;
use super::format::{FORMAT, Folder, OLDEST};
use super::lock::{self, Lock, lock};
use super::lsm::{self, Files};
use super::migrate;
use super::{OpenError, Shared, Store, StoreError, files, reserve, writer};

/// The number of retries while the disk is full. While sled opens its file, it truncates it in the background, so space may
/// become free a moment later.
const FULL_TRIES: u32 = 30;

const FULL_PAUSE: Duration = Duration::from_millis(100);

impl Store {
    /// Opens the store in `folder`, or creates it.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        Self::open_with_notices(folder, false, &[], &|_| {})
    }

    /// [`Store::open`]; `demo` marks a new store as the demonstration's. If the folder's format changes, `tell` is called with
    /// sentences for the user, and the backup before it is encrypted for `recipients`, if there are any.
    pub fn open_with_notices(
        folder: &Path,
        demo: bool,
        recipients: &[Recipient],
        tell: &dyn Fn(&str),
    ) -> Result<Self, OpenError> {
        let opening = Opening::of(folder)?;
        let damaged = |error| opening.damaged(error);
        let stated = Folder::stated_in(&opening.files).map_err(damaged)?;
        let stated = match stated {
            Some(stated) => Some(opening.admit(stated, recipients, tell)?),
            // A restored store has its metadata only among the records.
            None => Folder::recorded_in(&opening.files).map_err(damaged)?,
        };
        let is_new = stated.is_none();
        let recovered = opening.recover(is_new)?;
        let folder_info = Folder::new(stated.map_or(demo, |folder| folder.demo));
        opening.state(&folder_info, is_new)?;
        opening.start(recovered, folder_info.demo)
    }

    /// Opens a new store in `folder` without metadata: for restoring a backup, which contains its own.
    pub(super) fn open_empty(folder: &Path) -> Result<Self, OpenError> {
        let opening = Opening::of(folder)?;
        let recovered = opening.recover(true)?;
        opening.start(recovered, false)
    }

    /// Whether `folder` contains a store, even one whose files are lost.
    pub fn exists(folder: &Path) -> bool {
        lsm::exist_in(folder)
    }
}

/// A data folder that is being opened.
struct Opening {
    folder: PathBuf,
    files: Arc<Files>,
    lock: Lock,
}

impl Opening {
    fn of(folder: &Path) -> Result<Self, OpenError> {
        // sled creates its files with the process's umask; nobody but the owner may read them.
        rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
        files::make_private(folder).map_err(|error| OpenError::of_io(folder, error))?;
        let lock = lock(folder)?;
        lock::remove_unfinished(folder).map_err(|error| OpenError::of_io(folder, error))?;
        Ok(Self {
            folder: folder.to_owned(),
            files: open_files(folder)?,
            lock,
        })
    }

    /// Migrates files of an older format, and refuses those of an unknown one.
    fn admit(
        &self,
        stated: Folder,
        recipients: &[Recipient],
        tell: &dyn Fn(&str),
    ) -> Result<Folder, OpenError> {
        let (folder, found) = (self.folder.clone(), stated.format);
        let (oldest, newest) = (OLDEST, FORMAT);
        match found.cmp(&newest) {
            Ordering::Greater => {
                return Err(OpenError::Newer {
                    folder,
                    found,
                    newest,
                });
            }
            Ordering::Less if found < oldest => {
                return Err(OpenError::Older {
                    folder,
                    found,
                    oldest,
                    newest,
                });
            }
            Ordering::Less => {
                migrate::to_current(&self.folder, &self.files, &stated, recipients, tell)?;
            }
            Ordering::Equal => {}
        }
        Ok(stated)
    }

    fn recover(&self, is_new: bool) -> Result<lsm::Writer, OpenError> {
        let writer = lsm::Writer::recover(&self.folder, Arc::clone(&self.files), is_new)?;
        reserve::defer_reserve(&self.folder);
        Ok(writer)
    }

    /// Writes the metadata to the files, if they lack it.
    fn state(&self, folder: &Folder, is_new: bool) -> Result<(), OpenError> {
        let damaged = |error| self.damaged(error);
        if Folder::stated_in(&self.files).map_err(damaged)?.is_some() {
            return Ok(());
        }
        if reserve::has_room_for(&self.folder, 0) {
            folder.state_in(&self.files).map_err(damaged)
        } else if is_new {
            Err(OpenError::Full(self.folder.clone()))
        } else {
            Ok(())
        }
    }

    fn start(self, writer: lsm::Writer, demo: bool) -> Result<Store, OpenError> {
        let (lsm, is_writable) = (writer.lsm().clone(), Arc::clone(writer.is_writable()));
        let changes = Arc::<Changes>::default();
        let writer = writer::Handle::start(writer, Arc::clone(&changes), &self.folder);
        let writer = writer.map_err(|error| OpenError::of_io(&self.folder, error))?;
        Ok(Store(Arc::new(Shared {
            lsm,
            writer,
            is_writable,
            changes,
            triggers: Arc::default(),
            demo,
            _lock: self.lock,
        })))
    }

    fn damaged(&self, error: StoreError) -> OpenError {
        OpenError::of_store(&self.folder, error)
    }
}

/// Opens sled's files. If the disk is full, deletes the reserve file first, and then retries.
fn open_files(folder: &Path) -> Result<Arc<Files>, OpenError> {
    let mut tries = 0;
    loop {
        match Files::open_current(folder) {
            Err(OpenError::Full(_)) if reserve::release(folder) => {}
            Err(OpenError::Full(_)) if tries < FULL_TRIES => {
                tries += 1;
                std::thread::park_timeout(FULL_PAUSE);
            }
            opened => return opened,
        }
    }
}
