//! Reads a data folder on a disk that refuses writes, such as an old or a broken disk, or a backup of the whole folder.
//!
//! sled cannot open its files read-only. So they are copied into a private folder in the system's temporary folder. The copy
//! is removed at the end; if the process is killed, the next command that makes a copy removes it.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::AdminError;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::{LOCK, Store};

/// The prefix of the names of copies, before a random number.
const NAME: &str = "porchlight-copy-";

/// The lock file of a copy, in the folder around its data.
const IN_USE: &str = "in-use";

/// A file that is created and removed at once.
const TRIED: &str = ".write-test";

/// A copy of the data if they are on a read-only disk, where an operation that changes them is refused.
pub fn copy_if_read_only(
    data: &Path,
    allowed_on_copy: bool,
) -> Result<Option<CopiedFolder>, AdminError> {
    if !Store::exists(data) || !is_read_only(data) {
        return Ok(None);
    }
    let shown = data.display();
    if !allowed_on_copy {
        return Err(AdminError::new(format!(
            "{shown} is on a disk that refuses writes (read-only, or broken), so nothing can be changed there. Reading works: verify, \
             backup, export and lists."
        )));
    }
    let copied = CopiedFolder::of(data)?;
    eprintln!(
        "{shown} is on a disk that refuses writes (read-only, or broken): reading a copy in {}, which is removed at the end.",
        copied.data().display()
    );
    Ok(Some(copied))
}

/// Whether this folder's disk refuses writes. Its mount flags don't tell: after an error ext4 may refuse writes while it is mounted
/// for writing (`emergency_ro`), and a broken disk may still be read.
fn is_read_only(data: &Path) -> bool {
    let path = data.join(TRIED);
    let refused = match OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&path)
    {
        Ok(_) => fs::remove_file(&path).err(),
        Err(error) => Some(error),
    };
    let refusals = [Errno::ROFS, Errno::IO].map(|error| Some(error.raw_os_error()));
    refused.is_some_and(|error| refusals.contains(&error.raw_os_error()))
}

/// A copy of a data folder. It is removed when it is dropped.
pub struct CopiedFolder {
    path: PathBuf,
    /// The lock that distinguishes it from the copy of a killed process.
    in_use: Option<File>,
    /// A shared lock on the data folder. The disk may be read-only for this process but writable for a server; the lock keeps
    /// such a server from changing the files.
    _lock: Option<File>,
}

impl CopiedFolder {
    /// Copies a data folder.
    ///
    /// # Errors
    ///
    /// A sentence, if the folder is in use or there is no space for the copy.
    fn of(data: &Path) -> Result<Self, AdminError> {
        remove_left_over();
        let lock = File::open(data.join(LOCK)).ok();
        if let Some(lock) = &lock
            && matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock))
        {
            return Err(AdminError::new(format!(
                "{} is in use by another Porchlight. Only one may open it at a time.",
                data.display()
            )));
        }
        let random = hex::encode(&Randomness::System.bytes()[..8]);
        let mut copied = Self {
            path: std::env::temp_dir().join(format!("{NAME}{random}")),
            in_use: None,
            _lock: lock,
        };
        let made = copied.fill_from(data);
        made.map_err(|error| {
            AdminError::new(format!(
                "{} is on a disk that refuses writes, and cannot be copied to {}: {error}. The variable TMPDIR names another place for \
                 the copy.",
                data.display(),
                copied.path.display()
            ))
        })?;
        Ok(copied)
    }

    fn fill_from(&mut self, data: &Path) -> io::Result<()> {
        make_folder(&self.path)?;
        let in_use = File::create_new(self.path.join(IN_USE))?;
        in_use.lock()?;
        self.in_use = Some(in_use);
        make_folder(&self.data())?;
        copy(data, &self.data())
    }

    pub fn data(&self) -> PathBuf {
        self.path.join("data")
    }
}

impl Drop for CopiedFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            eprintln!("{} cannot be removed: {error}.", self.path.display());
        }
    }
}

fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            make_folder(&target)?;
            copy(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Removes the copies that this user's killed processes left.
fn remove_left_over() {
    let ours = rustix::process::getuid().as_raw();
    for entry in fs::read_dir(std::env::temp_dir())
        .into_iter()
        .flatten()
        .flatten()
    {
        let is_copy = entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.starts_with(NAME));
        let is_ours = || {
            entry
                .metadata()
                .is_ok_and(|it| it.is_dir() && it.uid() == ours)
        };
        if !is_copy || !is_ours() {
            continue;
        }
        let lock = File::open(entry.path().join(IN_USE));
        if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
