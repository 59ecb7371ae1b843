//! Backups, on demand and by the clock: written beside, read back, then given their name.
//!
//! The backup is made by whoever has the store, in pieces; the file is written by whoever wants it, so that it
//! belongs to the person who typed the command. What it holds and what protects it stands in
//! [`crate::kernel::store`]'s archive.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use tokio::sync::mpsc;

use super::stream::{IntoPieces, Pieces, in_a_thread};
use super::{AdminError, OnProgress, schedule};
use crate::app;
use crate::kernel::clock::Clock;
use crate::kernel::store::{self, ArchiveError, Contents, RecordKind, Store, StoreError, Verified};

/// Sends a backup in pieces.
pub(super) async fn send(
    store: &Store,
    clock: &Clock,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Result<Contents, AdminError> {
    // First the moment, then its state: what it holds is at least as new as it says.
    let made_at = clock.now();
    let snapshot = store.snapshot();
    let to = IntoPieces::new(pieces);
    let written = in_a_thread(progress, move |counter| {
        store::write_archive(snapshot, made_at, to, |done| counter.tell(done))
    });
    Ok(written.await??)
}

/// What each table of the store holds.
pub fn record_kinds() -> Vec<RecordKind> {
    let mut kinds = app::record_kinds();
    kinds.extend(schedule::KINDS);
    kinds
}

/// Reads everything in the store.
pub(super) async fn verify(
    store: &Store,
    progress: OnProgress<'_>,
) -> Result<Verified, AdminError> {
    let store = store.clone();
    let verified = in_a_thread(progress, move |counter| {
        store.verify(&record_kinds(), |done| counter.tell(done))
    });
    verified.await?.map_err(|error| match error {
        StoreError::Unreadable(what) => AdminError::new(format!(
            "The store's files are damaged: {what}. {}",
            how_to_restore()
        )),
        error => error.into(),
    })
}

/// What to do about a damaged store.
pub fn how_to_restore() -> &'static str {
    "Bring back a backup with: porchlight restore FILE --data NEW-FOLDER"
}

impl From<ArchiveError> for AdminError {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Snapshot(error) => Self::new(error.to_string()),
            error => Self::new(format!("The backup could not be made. {error}")),
        }
    }
}

/// A file that gets its name when it is whole. Until then it stands beside, and goes when it is forgotten.
pub struct NewFile {
    path: PathBuf,
    beside: PathBuf,
    file: File,
    named: bool,
}

/// The end of the name of a file that isn't whole.
pub(super) const PARTIAL: &str = ".partial";

impl NewFile {
    /// Begins a file that only its owner can read.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let mut name = path
            .file_name()
            .ok_or(io::ErrorKind::InvalidInput)?
            .to_owned();
        name.push(format!(".{}{PARTIAL}", std::process::id()));
        let beside = path.with_file_name(name);
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&beside)?;
        let path = path.to_owned();
        Ok(Self {
            path,
            beside,
            file,
            named: false,
        })
    }

    /// Writes the pieces until there are no more.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn fill(&mut self, mut pieces: mpsc::Receiver<Vec<u8>>) -> io::Result<()> {
        while let Some(piece) = pieces.blocking_recv() {
            self.file.write_all(&piece)?;
        }
        self.file.sync_all()
    }

    /// Where it stands while it has no name.
    pub fn beside(&self) -> &Path {
        &self.beside
    }

    /// Gives the file its name, for good.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn finish(mut self) -> io::Result<()> {
        fs::rename(&self.beside, &self.path)?;
        self.named = true;
        let folder = self
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.named {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Receives a backup from `send` into `file`, reads it back, and gives it its name.
///
/// # Errors
///
/// A sentence; there is no new file then.
pub async fn receive<S>(file: &Path, send: impl FnOnce(Pieces) -> S) -> Result<Contents, AdminError>
where
    S: Future<Output = Result<Contents, AdminError>>,
{
    let failed = |error: &dyn std::fmt::Display| {
        AdminError::new(format!("{} cannot be written: {error}.", file.display()))
    };
    let new = NewFile::begin(file).map_err(|error| failed(&error))?;
    let (pieces, receiver) = super::stream::pieces();
    let writing = tokio::task::spawn_blocking(move || {
        let mut new = new;
        new.fill(receiver).map(|()| new)
    });
    let sent = send(pieces).await;
    let written = writing.await.map_err(|error| failed(&error))?;
    // Who writes the file knows better why nobody took the pieces.
    let new = written.map_err(|error| failed(&error))?;
    let contents = sent?;
    let checked = tokio::task::spawn_blocking(move || {
        let found = store::check_archive(new.beside(), |_, _| {});
        (found, new)
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
