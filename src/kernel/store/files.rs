//! Where sled's files are, and how they are opened when something is wrong with them.
//!
//! They live in a folder of their own within the data folder: `store` at first. A store that was rewritten lives
//! in another one (`store.2` and so on), and `store.current` says which counts. That file is written
//! beside and renamed, so that there is one moment at which the new one takes over; what doesn't count is
//! removed at the next opening.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// sled's page cache, in bytes as they are on the disk. Whatever reads everything, as a backup does, fills it beyond
/// that, as each of its 256 parts evicts only after 64 accesses. What isn't in it is still in the system's.
const CACHE: u64 = 8 * 1024 * 1024;

/// How long opening may take: damaged files made sled hang for ever. A million messages without a snapshot
/// file are read through in seconds.
const OPENING: Duration = Duration::from_secs(120);

/// How often files are tried that are still being let go of.
const LETTING_GO: u32 = 250;

/// sled's settings, and where it keeps them. sled never syncs that file, and a power cut could leave a piece of it
/// with which the store does not open. So it is written here before sled looks for it.
const SETTINGS: &[u8] =
    b"segment_size: 524288\nuse_compression: false\nversion: 0.34\n\x76\x19\x51\xc1";
const SETTINGS_FILE: &str = "conf";

const FIRST: &str = "store";
const CURRENT: &str = "store.current";

/// sled, open.
pub(super) struct Opened {
    pub tree: sled::Tree,
    pub db: sled::Db,
    /// A second handle to sled's file, for the fdatasync that sled doesn't make.
    pub file: File,
    /// sled's own folder.
    pub path: PathBuf,
}

impl Opened {
    /// Makes sure that all that sled was told is on the disk.
    pub fn sync(&self) -> Result<(), sled::Error> {
        self.db.flush()?;
        Ok(self.file.sync_data()?)
    }

    /// Leaves it open for good. After an error sled's destructor waits for ever, and whatever is written or read then, in
    /// this store or another one, waits for it: sled has one lock for the process.
    pub fn abandon(self: Arc<Self>) {
        std::mem::forget(self);
    }
}

/// The folder of sled's files that counts.
pub(super) fn current(folder: &Path) -> io::Result<PathBuf> {
    let name = match fs::read_to_string(folder.join(CURRENT)) {
        Ok(name) => name.trim().to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => FIRST.to_owned(),
        Err(error) => return Err(error),
    };
    match number_of(&name) {
        Some(_) => Ok(folder.join(name)),
        None => Err(io::Error::other("it names no folder of the store's")),
    }
}

/// The number of a folder of sled's files, from 1.
fn number_of(name: &str) -> Option<u64> {
    match name.strip_prefix(FIRST)? {
        "" => Some(1),
        rest => rest.strip_prefix('.')?.parse().ok(),
    }
}

/// The folder for the store that shall take the place of the one in `current`.
fn next(current: &Path) -> PathBuf {
    let name = current.file_name().and_then(|name| name.to_str());
    let number = name.and_then(number_of).unwrap_or(1) + 1;
    current.with_file_name(format!("{FIRST}.{number}"))
}

/// Opens new files for the store that shall take the place of the one in `current`; what an earlier try left is removed.
pub(super) fn open_next(current: &Path) -> Result<Arc<Opened>, NotOpened> {
    let path = next(current);
    match fs::remove_dir_all(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => open(&path),
    }
}

/// Makes the folder `path` the one that counts, on the disk once `folder` is [synced](sync).
pub(super) fn make_current(folder: &Path, path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default();
    write_beside(&folder.join(CURRENT), name.as_encoded_bytes())?;
    Ok(())
}

/// Writes a file that holds all of `bytes` or is what it was before, whatever happens. Gives the file, open for writing.
pub(super) fn write_beside(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let beside = path.with_added_extension("new");
    let written = write_and_rename(&beside, path, bytes);
    if written.is_err() {
        // On a full disk it would take the last room.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_and_rename(beside: &Path, path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true).mode(0o600);
    let mut file = options.open(beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(beside, path)?;
    Ok(file)
}

/// Writes sled's settings where there are none, or only what a power cut left of them.
fn write_settings(path: &Path) -> io::Result<()> {
    let file = path.join(SETTINGS_FILE);
    let left = match fs::read(&file) {
        Ok(left) => left,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    let is_torn = left.len() < SETTINGS.len() && SETTINGS.starts_with(&left);
    if is_torn || left.iter().all(|byte| *byte == 0) {
        fs::create_dir_all(path)?;
        write_beside(&file, SETTINGS)?;
    }
    Ok(())
}

/// Makes sure that the folder of sled's files can be found again, with what is in it.
pub(super) fn make_lasting(folder: &Path, path: &Path) {
    let around = folder.canonicalize();
    let around = around.as_ref().ok().and_then(|folder| folder.parent());
    for folder in [Some(path), Some(folder), around].into_iter().flatten() {
        // There are file systems that can't, and folders above that one may not open.
        if let Err(error) = sync(folder) {
            tracing::debug!(%error, "a folder could not be synced");
        }
    }
}

/// Makes sure that what was made, renamed or removed in `folder` stays so.
pub(super) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Whether the folder that counts is gone. The first one is made when it isn't there.
pub(super) fn is_lost(current: &Path) -> bool {
    !current.ends_with(FIRST) && !current.join("db").exists()
}

/// Removes the folders that don't count: of a rewriting that was not finished, or just was.
pub(super) fn remove_others(folder: &Path, current: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let ours = entry.file_name().to_str().and_then(number_of).is_some();
        if ours && entry.path() != current && entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
            tracing::info!("removed what a rewriting of the store left");
        }
    }
    Ok(())
}

/// Why sled's files did not open, in half a sentence.
#[derive(Debug)]
pub(super) enum NotOpened {
    /// What they hold is not what was written.
    Corrupt(String),
    /// The disk has no room.
    Full,
    /// Another process has them open.
    InUse,
    /// Something else.
    Otherwise(String),
}

impl From<sled::Error> for NotOpened {
    fn from(error: sled::Error) -> Self {
        match &error {
            sled::Error::Corruption { .. } => Self::Corrupt(error.to_string()),
            // sled wraps some errors of the system's in its own and keeps but the text.
            sled::Error::Io(inner)
                if inner.kind() == io::ErrorKind::StorageFull
                    || inner.to_string().contains("No space left") =>
            {
                Self::Full
            }
            sled::Error::Io(inner) if is_locked(inner) => Self::InUse,
            _ => Self::Otherwise(error.to_string()),
        }
    }
}

impl From<io::Error> for NotOpened {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull => Self::Full,
            _ => Self::Otherwise(error.to_string()),
        }
    }
}

/// Opens sled's files. A snapshot file, in which sled keeps only what it could find out again, is set aside
/// when they are corrupt with it.
///
/// # Errors
///
/// What is wrong.
pub(super) fn open(path: &Path) -> Result<Arc<Opened>, NotOpened> {
    write_settings(path)?;
    match open_within(path, OPENING) {
        Err(NotOpened::Corrupt(_)) if set_aside(path).map_err(NotOpened::Otherwise)? => {
            tracing::warn!(
                "the store's snapshot file is damaged and was set aside; nothing is lost"
            );
            open_within(path, OPENING)
        }
        other => other,
    }
}

/// Opens in a thread of its own: whatever sled does there, this returns.
fn open_within(path: &Path, deadline: Duration) -> Result<Arc<Opened>, NotOpened> {
    let (sender, receiver) = channel();
    let config = sled::Config::new()
        .path(path)
        .cache_capacity(CACHE)
        .flush_every_ms(None);
    let opening = move || {
        // The one who waits may have given up.
        let _ = sender.send(open_when_let_go(&config));
    };
    std::thread::Builder::new()
        .name("store-opening".into())
        .spawn(opening)
        .map_err(|error| NotOpened::Otherwise(error.to_string()))?;
    match receiver.recv_timeout(deadline) {
        Ok(Ok(db)) => {
            let file = File::open(path.join("db"))
                .map_err(|error| NotOpened::Otherwise(error.to_string()))?;
            Ok(Arc::new(Opened {
                tree: (*db).clone(),
                db,
                file,
                path: path.to_owned(),
            }))
        }
        Ok(Err(error)) => Err(error.into()),
        // It panicked.
        Err(RecvTimeoutError::Disconnected) => Err(NotOpened::Corrupt("reading it failed".into())),
        // The thread that hangs still holds the files, so there is no second try in this process.
        Err(RecvTimeoutError::Timeout) => Err(NotOpened::Otherwise(format!(
            "it did not open within {} seconds",
            deadline.as_secs()
        ))),
    }
}

/// Whether sled could not lock its file. It keeps the system's error only as text.
fn is_locked(error: &io::Error) -> bool {
    error.to_string().contains("could not acquire lock")
}

/// Opens as soon as sled's own threads have released the files. Usually no other process has them, because the data
/// folder is locked. But a store that was just closed in this process, or failed to open, holds them for a moment.
fn open_when_let_go(config: &sled::Config) -> sled::Result<sled::Db> {
    let mut tries = 0;
    loop {
        match config.open() {
            Err(sled::Error::Io(error)) if tries < LETTING_GO && is_locked(&error) => {
                tries += 1;
                std::thread::park_timeout(Duration::from_millis(20));
            }
            other => return other,
        }
    }
}

/// Renames sled's snapshot files so that it doesn't see them; whether there were any.
fn set_aside(path: &Path) -> Result<bool, String> {
    let mut any = false;
    let entries = fs::read_dir(path).map_err(|error| error.to_string())?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix("snap.")) else {
            continue;
        };
        // Whatever begins with `snap.` is one to sled.
        let aside = path.join(format!("snapshot.{rest}.set-aside"));
        fs::rename(entry.path(), aside).map_err(|error| error.to_string())?;
        any = true;
    }
    Ok(any)
}
