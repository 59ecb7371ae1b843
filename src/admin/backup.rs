//! Backups, on demand and scheduled: written to a temporary file, verified, then renamed.
//!
//! The process that has the store open answers with the backup in chunks. The command writes the file, so that it belongs to the
//! user who ran it. The archive module of [`crate::kernel::store`] describes its contents and protection.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::operation::{Operation, Reports, in_a_thread};
use super::target::OpenStore;
use super::{AdminError, access_log};
use crate::app;
use crate::identity::{self, Named, Suspended};
use crate::kernel::host::clock::Clock;
use crate::kernel::host::pieces::{IntoPieces, Pieces, pieces};
use crate::kernel::store::backup_state::{ENCRYPTED, home_of};
use crate::kernel::store::{
    self, ArchiveError, Contents, Identities, Purpose, Recipient, RestoreError, Store,
};
use crate::notifications::end_what_was_granted;

/// Answers with a file.
#[derive(Clone, Serialize, Deserialize)]
pub struct Backup;

impl Operation for Backup {
    type Answer = Contents;

    async fn run(self, on: &OpenStore, reports: &Reports) -> Result<Contents, AdminError> {
        access_log::record_backup(on).await;
        send(&on.store, &on.clock, reports).await
    }
}

/// Sends a backup in chunks.
pub(super) async fn send(
    store: &Store,
    clock: &Clock,
    reports: &Reports,
) -> Result<Contents, AdminError> {
    // The time is taken before the snapshot: the contents are at least as new as it says.
    let made_at = clock.now();
    let (snapshot, reports) = (store.snapshot(), reports.clone());
    let written = in_a_thread(move || {
        let to = IntoPieces::new(&reports.pieces);
        store::write_archive(snapshot, made_at, to, |done| reports.count(done))
    });
    Ok(written.await??)
}

/// What a backup restored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Restored {
    /// Its contents, without sign-ins, links and outgoing e-mails.
    #[serde(flatten)]
    pub contents: Contents,
    /// The guardians and assistants that are suspended until the administrator reinstates them.
    pub suspended: Suspended,
}

/// Restores a backup, decrypted with `identities`, into the data folder `data`. Guardians and assistants are suspended except for
/// those that are named. `progress` is called with the bytes read and their total.
///
/// # Errors
///
/// A sentence that says why nothing was restored.
pub fn restore(
    file: &Path,
    data: &Path,
    identities: &Identities,
    named: Named,
    progress: impl FnMut(u64, u64),
) -> Result<Restored, AdminError> {
    let now = Clock::System.now();
    let suspend = |restored: &Store| {
        let suspended = restored.commit_blocking(Purpose::Ordinary, move |change| {
            identity::suspend_all(change, now)?;
            end_what_was_granted(change, now)?;
            identity::reinstate(change, &named)
        });
        suspended?;
        Ok::<_, AdminError>(identity::all_suspended(restored)?)
    };
    let restored = store::restore(
        file,
        data,
        identities,
        &app::not_restored(),
        suspend,
        progress,
    );
    let (contents, suspended) = restored?;
    Ok(Restored {
        contents,
        suspended,
    })
}

impl From<RestoreError> for AdminError {
    fn from(error: RestoreError) -> Self {
        Self::new(error)
    }
}

/// What to do about a damaged store.
pub fn how_to_restore() -> &'static str {
    "Restore a backup with: porchlight restore FILE --data NEW-FOLDER"
}

impl From<ArchiveError> for AdminError {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Snapshot(error) => Self::new(error),
            error => Self::new(format!("The backup could not be made. {error}")),
        }
    }
}

/// What to do with a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingFile {
    Keep,
    Replace,
}

impl ExistingFile {
    /// `--force` of a command.
    pub fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Keep }
    }
}

/// A file that is renamed to its final name once it is complete. Until then it has a temporary name in the same folder,
/// is locked, and is removed when it is dropped.
pub struct NewFile {
    path: PathBuf,
    temp_path: PathBuf,
    file: File,
    existing: ExistingFile,
    committed: bool,
}

/// The suffix of the name of an incomplete file.
pub(super) const PARTIAL: &str = ".partial";

impl NewFile {
    /// Creates a file that only its owner can read.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::AlreadyExists`] if there is a file that it must not replace; otherwise the system's error.
    pub fn begin(path: &Path, existing: ExistingFile) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(found) if !found.is_file() => {
                let what = "it is no file but a folder, a pipe or a device";
                return Err(io::Error::other(what));
            }
            Ok(_) if existing == ExistingFile::Keep => return Err(exists()),
            _ => {}
        }
        remove_all_left_over(path);
        let mut name = path
            .file_name()
            .ok_or(io::ErrorKind::InvalidInput)?
            .to_owned();
        name.push(format!(".{}{PARTIAL}", std::process::id()));
        let temp_path = path.with_file_name(name);
        let file = open_locked(&temp_path)?;
        file.set_len(0)?;
        Ok(Self {
            path: path.to_owned(),
            temp_path,
            file,
            existing,
            committed: false,
        })
    }

    /// Writes chunks until the channel closes.
    pub fn fill(&mut self, mut pieces: mpsc::Receiver<Vec<u8>>) -> io::Result<()> {
        while let Some(piece) = pieces.blocking_recv() {
            self.file.write_all(&piece)?;
        }
        self.file.sync_all()
    }

    /// Writes chunks of a backup encrypted until the channel closes. The backup is checked on its way, because it can't be read
    /// back; what the file holds then is compared with what was written.
    fn fill_encrypted(
        &mut self,
        recipients: &[Recipient],
        mut pieces: mpsc::Receiver<Vec<u8>>,
    ) -> io::Result<Result<Contents, ArchiveError>> {
        let (checked, to_checker) = io::pipe()?;
        let checking = std::thread::spawn(move || store::check_stream(checked));
        let mut to_checker = Some(to_checker);
        let mut written = Hashed::new(BufWriter::new(&self.file));
        let mut encrypted = store::encrypt(recipients, &mut written)?;
        while let Some(piece) = pieces.blocking_recv() {
            encrypted.write_all(&piece)?;
            // A checker that found damage reads no more.
            if let Some(pipe) = &mut to_checker
                && pipe.write_all(&piece).is_err()
            {
                to_checker = None;
            }
        }
        drop(to_checker);
        encrypted.finish()?;
        let hash = written.finish()?;
        self.file.sync_all()?;
        if hash_of(&self.temp_path)? != hash {
            return Err(io::Error::other("what was written cannot be read back"));
        }
        let found = checking.join();
        found.map_err(|_| io::Error::other("it could not be checked"))
    }

    pub fn temp_path(&self) -> &Path {
        &self.temp_path
    }

    /// Renames the file to its final name and syncs the folder.
    pub fn finish(mut self) -> io::Result<()> {
        match self.existing {
            ExistingFile::Replace => fs::rename(&self.temp_path, &self.path)?,
            ExistingFile::Keep => rename_to_new(&self.temp_path, &self.path)?,
        }
        self.committed = true;
        let folder = self
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.committed {
            let _ = fs::remove_file(&self.temp_path);
        }
    }
}

fn exists() -> io::Error {
    let what = "it exists already, and is only replaced with --force";
    io::Error::new(io::ErrorKind::AlreadyExists, what)
}

/// Renames a file unless there is one of that name.
fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(Errno::EXIST) => Err(exists()),
        // Some file systems cannot do both in one step.
        Err(_) if to.symlink_metadata().is_ok() => Err(exists()),
        Err(_) => fs::rename(from, to),
    }
}

/// Opens an incomplete backup file and locks it. The lock distinguishes it from one that a killed process left.
fn open_locked(temp_path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600);
    loop {
        let file = options.open(temp_path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other("another command is just writing it"));
            }
            // Some file systems don't support locks. There, leftover files are not removed either.
            Err(TryLockError::Error(_)) => return Ok(file),
            Ok(()) => {}
        }
        // Between opening and locking it may have been removed as a leftover.
        let named = fs::metadata(temp_path);
        if named.is_ok_and(|named| file.metadata().is_ok_and(|ours| ours.ino() == named.ino())) {
            return Ok(file);
        }
    }
}

/// Removes what killed processes left in the folder of `path`: incomplete versions of that file, and backups of any name. Files
/// that another process is still writing are locked, and stay.
fn remove_all_left_over(path: &Path) {
    let Some(own) = path.file_name() else { return };
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new(".")));
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(meant) = name.to_str().and_then(final_name) else {
            continue;
        };
        let left = entry.path();
        let is_plain = entry.file_type().is_ok_and(|kind| kind.is_file());
        let is_encrypted = meant.ends_with(ENCRYPTED) && store::begins_encrypted(&left);
        // Another computer may be writing another home's backup: network file systems don't show its lock.
        let is_others =
            home_of(meant).is_some_and(|home| Some(home) != own.to_str().and_then(home_of));
        let is_backup = store::begins_as_archive(&left) || is_encrypted;
        if is_plain && !is_others && (own == meant || is_backup) {
            // The next backup tries again.
            let _ = remove_left_over(&left);
        }
    }
}

/// The final name of a file with this temporary name, `NAME.PID.partial`.
fn final_name(name: &str) -> Option<&str> {
    let (meant, process) = name.strip_suffix(PARTIAL)?.rsplit_once('.')?;
    let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(meant)
}

/// Removes an incomplete file, unless a process is still writing it.
pub(super) fn remove_left_over(temp_path: &Path) -> io::Result<()> {
    match File::open(temp_path)?.try_lock() {
        Ok(()) => fs::remove_file(temp_path),
        Err(_) => Ok(()),
    }
}

/// Writes and computes the SHA-256 of what it wrote.
struct Hashed<W> {
    to: W,
    hash: Sha256,
}

impl<W: Write> Hashed<W> {
    fn new(to: W) -> Self {
        let hash = Sha256::new();
        Self { to, hash }
    }

    fn finish(mut self) -> io::Result<[u8; 32]> {
        self.to.flush()?;
        Ok(self.hash.finalize().into())
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// The SHA-256 of a file's content.
fn hash_of(file: &Path) -> io::Result<[u8; 32]> {
    let mut hashed = Hashed::new(io::sink());
    io::copy(&mut File::open(file)?, &mut hashed)?;
    hashed.finish()
}

/// Receives a backup from `send` into `file`, encrypted if there are `recipients`, verifies it, and renames it to its final
/// name.
///
/// # Errors
///
/// A sentence; no new file is left then.
pub async fn receive<S>(
    file: &Path,
    existing: ExistingFile,
    recipients: &[Recipient],
    send: impl FnOnce(Pieces) -> S,
) -> Result<Contents, AdminError>
where
    S: Future<Output = Result<Contents, AdminError>>,
{
    let failed = |error: &dyn std::fmt::Display| {
        AdminError::new(format!("{} cannot be written: {error}.", file.display()))
    };
    let new = NewFile::begin(file, existing).map_err(|error| failed(&error))?;
    let (pieces, receiver) = pieces();
    let recipients = recipients.to_vec();
    let writing = tokio::task::spawn_blocking(move || {
        let mut new = new;
        let found = if recipients.is_empty() {
            new.fill(receiver)?;
            None
        } else {
            Some(new.fill_encrypted(&recipients, receiver)?)
        };
        Ok::<_, io::Error>((found, new))
    });
    let sent = send(pieces).await;
    let written = writing.await.map_err(|error| failed(&error))?;
    // If writing failed, its error says more than the sender's.
    let (found, new) = written.map_err(|error| failed(&error))?;
    let contents = sent?;
    let checked = tokio::task::spawn_blocking(move || {
        let read_back = || store::check_archive(new.temp_path(), &Identities::default(), |_, _| {});
        (found.unwrap_or_else(read_back), new)
    });
    let (found, new) = checked.await.map_err(|error| failed(&error))?;
    match found {
        Ok(found) if found == contents => {}
        Ok(_) => return Err(failed(&"what was written is not what was sent")),
        Err(error) => return Err(failed(&format!("it could not be read back ({error})"))),
    }
    new.finish().map_err(|error| failed(&error))?;
    Ok(contents)
}
