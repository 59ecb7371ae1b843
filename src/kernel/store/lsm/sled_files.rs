//! Opens, syncs and closes sled's files. Every workaround for sled 0.34.7 is here.
//!
//! The files are in a subfolder of the data folder: `store` at first, `store.2` and so on after a
//! [compaction](super::compaction). `store.current` names the current one. It is replaced atomically; any other folder is
//! removed by the next start.
//!
//! The workarounds, with sled's issue if there is one, and the test that fails without the workaround:
//!
//! | sled | here | test |
//! |---|---|---|
//! | A flush isn't a sync ([#1452](https://github.com/spacejam/sled/issues/1452)). | [`SledFiles::sync`] | `tests/power_cut.rs` |
//! | A segment's header confirms an earlier one that may not be on the disk; after a power cut the database opens empty. | steps below a segment, each synced ([`BlockTable::apply`](super::blocks::BlockTable::apply)) | `a_step_writes_less_than_a_segment` |
//! | `conf` is never synced; a torn one prevents opening. | [`write_settings`] | `a_power_cut_in_sleds_settings_keeps_no_store_from_opening` |
//! | A truncated `snap.*` file prevents opening ([#1527](https://github.com/spacejam/sled/issues/1527)), though it is redundant. | [`set_snapshots_aside`] | `a_damaged_snapshot_file_is_set_aside_and_nothing_is_lost` |
//! | Damage after the last snapshot is taken for a torn end and dropped silently. | [the seal](super::checkpoint) | `a_store_that_lost_its_end_is_not_opened_as_if_nothing_were_missing` |
//! | Opening damaged files may hang or panic ([#1412](https://github.com/spacejam/sled/issues/1412)). | [`open_within`] | `tests/backup.rs` |
//! | The lock is released some time after the drop ([#1234](https://github.com/spacejam/sled/issues/1234)). | [`open_when_unlocked`] | every test that opens a store twice |
//! | The destructor hangs after an error, and now and then without one. | [`SledFiles::abandon`], [`drop_in_thread`] | `tests/failed_sync.rs` |
//! | A scan leaves more in the cache than its size ([#1036](https://github.com/spacejam/sled/issues/1036)). | [`evict_behind_scan`] | the memory rows of `make bench` |
//! | An iterator keeps a copy of its current page; it misses what a batch moves into that page. | [`BlockTable::range`](super::blocks::BlockTable::range) | `a_scan_sees_every_pair_that_is_not_written_meanwhile` |
//! | Removed values stay in the file, which grows ([#1333](https://github.com/spacejam/sled/issues/1333)). | [compaction](super::compaction) | `tests/removal.rs` of the store |
//! | A page is split at sixteen pairs. | [blocks](super::blocks) | `appended_pairs_fill_their_blocks` |
//! | After an error on a full disk the database is unusable. | [the reserve](crate::kernel::store::reserve) | `tests/disk_full.rs` |

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use bytes::Bytes;

use super::blocks::{BLOCK, BlockTable};
use super::memtable::Pair;
use crate::kernel::store::{OpenError, StoreError, files};

/// The size of sled's page cache, in bytes of the on-disk form.
const CACHE: u64 = 8 * 1024 * 1024;

/// The timeout of opening. A million messages without a snapshot file take seconds.
const OPEN_TIMEOUT: Duration = Duration::from_secs(120);

/// The number of attempts to open while another handle still holds sled's lock, at intervals of 20 ms.
const LOCK_TRIES: u32 = 250;

/// sled's settings in its own format.
const SETTINGS: &[u8] =
    b"segment_size: 524288\nuse_compression: false\nversion: 0.34\n\x76\x19\x51\xc1";
const SETTINGS_FILE: &str = "conf";

const FIRST_FOLDER: &str = "store";
const CURRENT_FILE: &str = "store.current";

/// An open sled database.
pub struct SledFiles {
    tree: sled::Tree,
    db: sled::Db,
    /// For the fdatasync that sled doesn't call.
    file: File,
    folder: PathBuf,
}

impl From<sled::Error> for StoreError {
    fn from(error: sled::Error) -> Self {
        Self::unreadable(error)
    }
}

impl SledFiles {
    /// Opens the files of this data folder, or creates them. Unused files are removed.
    pub fn open_current(data: &Path) -> Result<Arc<Self>, OpenError> {
        let failed = |error| OpenError::of_io(data, error);
        let folder = current_folder(data).map_err(failed)?;
        remove_unused(data, &folder).map_err(failed)?;
        if is_lost(&folder) {
            let what = format!("{} is missing", folder.display());
            return Err(OpenError::damaged(data, what));
        }
        files::make_private(&folder).map_err(failed)?;
        let opened = Self::open(data, &folder)?;
        sync_parents(data, &folder);
        Ok(opened)
    }

    /// Opens the files in this folder. A damaged snapshot file is renamed.
    fn open(data: &Path, folder: &Path) -> Result<Arc<Self>, OpenError> {
        let failed = |error| OpenError::of_io(data, error);
        write_settings(folder).map_err(failed)?;
        match open_within(data, folder, OPEN_TIMEOUT) {
            Err(OpenError::Damaged { .. }) if set_snapshots_aside(folder).map_err(failed)? => {
                tracing::warn!(
                    "the store's snapshot file may be damaged and was set aside; nothing is lost"
                );
                open_within(data, folder, OPEN_TIMEOUT)
            }
            opened => opened,
        }
    }

    /// Creates empty files for a compaction of these, after removing what an earlier attempt left.
    pub fn create_next(&self) -> Result<Arc<Self>, StoreError> {
        let name = self.folder.file_name().and_then(|name| name.to_str());
        let number = name.and_then(number_of).unwrap_or(1) + 1;
        let next = self
            .folder
            .with_file_name(format!("{FIRST_FOLDER}.{number}"));
        let created = match fs::remove_dir_all(&next) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(OpenError::of_io(&next, error))
            }
            _ => Self::open(&next, &next),
        };
        created.map_err(|error| match error {
            OpenError::Full(_) => StoreError::Full,
            error => StoreError::unreadable(error),
        })
    }

    /// Makes these the current files, once the caller syncs the data folder.
    pub fn make_current(&self, data: &Path) -> io::Result<()> {
        let name = self.folder.file_name().unwrap_or_default();
        files::replace_file(&data.join(CURRENT_FILE), name.as_encoded_bytes())?;
        Ok(())
    }

    pub fn blocks(&self) -> BlockTable {
        BlockTable::new(&self.tree)
    }

    /// A metadata value, stored outside the blocks.
    pub fn metadata(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        let value = self.tree.get(key)?;
        Ok(value.map(Bytes::from_owner))
    }

    /// Writes a metadata value and syncs everything.
    pub fn set_metadata(&self, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        debug_assert!(key < [BLOCK].as_slice(), "keys from there on are blocks");
        self.tree.insert(key, value)?;
        self.sync()
    }

    pub fn copy_metadata(&self, into: &Self) -> Result<(), StoreError> {
        for pair in self.tree.range(..&[BLOCK][..]) {
            let (key, value) = pair?;
            into.tree.insert(key, value)?;
        }
        Ok(())
    }

    /// Syncs everything that was written to sled.
    pub fn sync(&self) -> Result<(), StoreError> {
        self.db.flush()?;
        self.file.sync_data().map_err(StoreError::unreadable)
    }

    /// Syncs newly created files and their folder.
    pub fn sync_created(&self) -> Result<(), StoreError> {
        self.sync()?;
        files::sync_folder(&self.folder).map_err(StoreError::unreadable)
    }

    /// The size of sled's file, in bytes; zero if it is unknown.
    pub fn size(&self) -> u64 {
        self.file.metadata().map_or(0, |metadata| metadata.len())
    }

    /// Leaks the files. After an error sled's destructor never returns, and then every store of the process waits
    /// for it: sled has one lock for all.
    pub fn abandon(self: Arc<Self>) {
        std::mem::forget(self);
    }

    /// Deletes unused files, and closes them.
    pub fn delete(self: Arc<Self>) {
        self.remove_folder();
        drop_in_thread(self);
    }

    /// [`SledFiles::delete`] after an error.
    pub fn delete_abandoned(self: Arc<Self>) {
        self.remove_folder();
        self.abandon();
    }

    fn remove_folder(&self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!(%error, "old files of the store could not be removed; the next start does it");
        }
    }
}

/// Drops a value whose destructor may take long or never return.
fn drop_in_thread(value: impl Send + 'static) {
    let thread = std::thread::Builder::new().name("store-close".into());
    if let Err(error) = thread.spawn(move || drop(value)) {
        tracing::warn!(%error, "no thread to close files");
    }
}

/// Whether this data folder contains a store, even one whose files are lost.
pub fn exist_in(data: &Path) -> bool {
    current_folder(data).is_ok_and(|folder| folder.join("db").exists() || is_lost(&folder))
}

/// The folder of a data folder's files before the first compaction.
pub fn first_folder(data: &Path) -> PathBuf {
    data.join(FIRST_FOLDER)
}

/// The folder of a data folder's current files.
pub fn current_folder(data: &Path) -> io::Result<PathBuf> {
    let name = files::read_if_exists(&data.join(CURRENT_FILE))?;
    let name = name.unwrap_or_else(|| FIRST_FOLDER.into());
    let name = std::str::from_utf8(&name).unwrap_or_default().trim();
    match number_of(name) {
        Some(_) => Ok(data.join(name)),
        None => Err(io::Error::other(
            "store.current names no folder of the store's",
        )),
    }
}

/// The number of one of sled's folders, from 1; `None` for any other name.
fn number_of(name: &str) -> Option<u64> {
    match name.strip_prefix(FIRST_FOLDER)? {
        "" => Some(1),
        rest => rest.strip_prefix('.')?.parse().ok(),
    }
}

/// Whether the current folder is missing. The first one is created if it doesn't exist.
fn is_lost(folder: &Path) -> bool {
    !folder.ends_with(FIRST_FOLDER) && !folder.join("db").exists()
}

/// Removes the folders of interrupted and of completed compactions.
fn remove_unused(data: &Path, current: &Path) -> io::Result<()> {
    for entry in fs::read_dir(data)? {
        let entry = entry?;
        let is_ours = entry.file_name().to_str().and_then(number_of).is_some();
        if is_ours && entry.path() != current && entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
            tracing::info!("removed what a compaction of the store left");
        }
    }
    Ok(())
}

/// Syncs the folders above the files.
fn sync_parents(data: &Path, folder: &Path) {
    let around = data.canonicalize();
    let around = around.as_ref().ok().and_then(|data| data.parent());
    for folder in [Some(folder), Some(data), around].into_iter().flatten() {
        // Some file systems can't, and we may lack permission to open the folder above the data.
        if let Err(error) = files::sync_folder(folder) {
            tracing::debug!(%error, "a folder could not be synced");
        }
    }
}

/// sled keeps only the text of some of the system's errors.
fn open_error(data: &Path, error: &sled::Error) -> OpenError {
    match error {
        sled::Error::Io(inner)
            if inner.kind() == io::ErrorKind::StorageFull
                || inner.to_string().contains("No space left") =>
        {
            OpenError::Full(data.to_owned())
        }
        sled::Error::Io(inner) if is_locked(inner) => OpenError::InUse(data.to_owned()),
        error => OpenError::damaged(data, error),
    }
}

/// Writes sled's settings if they are missing or truncated by a power cut.
fn write_settings(folder: &Path) -> io::Result<()> {
    let path = folder.join(SETTINGS_FILE);
    let found = files::read_if_exists(&path)?.unwrap_or_default();
    let is_torn = found.len() < SETTINGS.len() && SETTINGS.starts_with(&found);
    if is_torn || found.iter().all(|byte| *byte == 0) {
        fs::create_dir_all(folder)?;
        files::replace_file(&path, SETTINGS)?;
    }
    Ok(())
}

/// Opens in a separate thread, so that this returns even if sled hangs or panics.
fn open_within(data: &Path, folder: &Path, timeout: Duration) -> Result<Arc<SledFiles>, OpenError> {
    let failed = |error| OpenError::of_io(data, error);
    let (sender, receiver) = channel();
    let config = sled::Config::new()
        .path(folder)
        .cache_capacity(CACHE)
        .flush_every_ms(None);
    let open = move || {
        // The receiver may have timed out.
        let _ = sender.send(open_when_unlocked(&config));
    };
    let thread = std::thread::Builder::new().name("store-open".into());
    thread.spawn(open).map_err(failed)?;
    match receiver.recv_timeout(timeout) {
        Ok(Ok(db)) => Ok(Arc::new(SledFiles {
            tree: (*db).clone(),
            db,
            file: File::open(folder.join("db")).map_err(failed)?,
            folder: folder.to_owned(),
        })),
        Ok(Err(error)) => Err(open_error(data, &error)),
        Err(RecvTimeoutError::Disconnected) => Err(OpenError::damaged(data, "reading it panicked")),
        Err(RecvTimeoutError::Timeout) => {
            let seconds = timeout.as_secs();
            let what = format!("it did not open within {seconds} seconds");
            Err(OpenError::damaged(data, what))
        }
    }
}

/// Whether sled failed to lock its file. It keeps the system's error only as text.
fn is_locked(error: &io::Error) -> bool {
    error.to_string().contains("could not acquire lock")
}

/// Waits until sled's threads have released the lock of a store that this process just closed or failed to open, and opens
/// the file. No other process holds the lock, because the data folder is locked.
fn open_when_unlocked(config: &sled::Config) -> sled::Result<sled::Db> {
    let mut tries = 0;
    loop {
        match config.open() {
            Err(sled::Error::Io(error)) if tries < LOCK_TRIES && is_locked(&error) => {
                tries += 1;
                std::thread::park_timeout(Duration::from_millis(20));
            }
            other => return other,
        }
    }
}

/// Renames sled's snapshot files so that it doesn't read them; returns whether there were any.
fn set_snapshots_aside(folder: &Path) -> io::Result<bool> {
    let mut any = false;
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix("snap.")) else {
            continue;
        };
        // sled reads every file whose name begins with `snap.`.
        fs::rename(
            entry.path(),
            folder.join(format!("snapshot.{rest}.set-aside")),
        )?;
        any = true;
    }
    Ok(any)
}

/// One in this many pairs of a scan is read again. A page has some hundred.
const EVICTION_INTERVAL: usize = 128;

/// How often it is read: once more than it takes until sled checks the size of a shard of its cache.
const EVICTION_READS: usize = 65;

/// Keeps sled's cache small after one batch of a scan.
///
/// sled counts page reads in 256 shards and checks a shard's size only every 64 reads. A scan reads each page once
/// and would leave up to 64 pages in each shard, 160 MB in all, until that shard has been read as often again.
pub fn evict_behind_scan(batch: &[Pair], blocks: &BlockTable) -> Result<(), StoreError> {
    for (key, _) in batch.iter().rev().step_by(EVICTION_INTERVAL) {
        for _ in 0..EVICTION_READS {
            blocks.get(key)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_we_write_are_those_that_sled_would_write() {
        let (theirs, ours) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        drop(sled::open(theirs.path()).unwrap());
        drop(SledFiles::open_current(ours.path()).unwrap());

        let read = |path: PathBuf| fs::read(path).unwrap();

        assert_eq!(
            read(ours.path().join("store/conf")),
            read(theirs.path().join("conf")),
            "sled changed: correct SETTINGS"
        );
    }
}
