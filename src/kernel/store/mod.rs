//! The one way to disk.
//!
//! Everything lives in **one sled tree**; a key begins with the name of its [`Table`], and its bytes
//! sort in the order in which the rows are shown. Pairs that follow one another share a value of sled's ([`runs`]).
//! Reading is direct. Writing goes through **one
//! thread** ([`writer`]): it takes what waits, runs each [`Change`] (read, decide, write) after the
//! other, brings the group to the disk in one record of the [`journal`], and only then shows it to readers and wakes
//! those who asked. What is visible is synced. Why:
//!
//! * sled 0.34 acknowledges before the disk does: without a flush `kill -9` loses half of it, its flush is not an
//!   fsync, and both together take several times as long as one write and one fdatasync. So the journal comes first,
//!   and sled is told of hundreds of changes at once, at a [`checkpoint`]; until then they are read from memory ([`tree`]).
//! * Syncing once for a group costs one writer little and sixteen even less.
//! * A change that reads and then decides would race with another; in one thread it cannot. So a link
//!   is used up once and two guardians' edits meet in order, without sled's transactions, which forbid
//!   iteration and may run a closure twice.
//! * A group is short (at most [`writer::GROUP`] changes), so that nobody waits for a stranger's import.
//!
//! A record's payload is the JSON with which it is answered, so that a list is answered by joining
//! stored bytes ([`json_array`]), without writing one of them again, and what was joined is [`Remembered`]. Before
//! that each row is read once: one that is damaged is left out and counted ([`page`]).
//!
//! The whole of it can be read as of one moment ([`snapshot`]), for a backup ([`archive`]) that is brought back whole
//! or not at all ([`restore()`]); what was removed is made unfindable ([`rewrite`]); and
//! the files are kept in proportion to what they hold ([`weight`]).
//!
//! After an I/O error nothing more is written in this process: a failed fsync cannot be repeated, as the
//! kernel may have dropped the pages. Reading goes on.

mod archive;
mod ballast;
mod change;
mod checkpoint;
mod cursor;
mod files;
mod joined;
mod journal;
mod key;
mod kinds;
mod layout;
mod open;
mod page;
mod pass;
mod range;
mod record;
mod remembered;
mod restore;
mod rewrite;
mod room;
mod runs;
mod seal;
mod snapshot;
mod tree;
mod verify;
mod weight;
mod writer;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Notify, oneshot};

pub use archive::{ArchiveError, Contents, Tables, check as check_archive, write as write_archive};
pub use change::{Change, Volume};
pub use cursor::{Cursor, NotACursor};
pub use joined::{JoinedRows, json_array};
pub use key::{Components, Key, Table};
pub use kinds::{KINDS, PARTS_TABLE, RecordKind};
pub use open::OpenError;
pub use page::{Page, ScannedRow, UnreadableRow};
pub use range::Range;
pub use record::{Payload, Record, Row};
pub use remembered::{Remembered, Watched, Weigh};
pub use restore::{RestoreError, restore};
pub use room::Purpose;
pub use snapshot::{Snapshot, SnapshotError};
pub use verify::{Damage, Verified};

use record::{Parts, StoredValue};
use remembered::Written;
use snapshot::Snapshots;
use tree::Tree;

/// What keeps the store from reading or writing.
///
/// The sentences are for a person; the causes go to the log.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The disk has less free space than the change must [leave](Purpose).
    #[error(
        "There is no room left on the disk, so nothing new can be kept. What is there can still be read."
    )]
    Full,
    /// An earlier write failed, or the store is closing.
    #[error("Porchlight cannot write just now. Nothing was changed; please try again in a while.")]
    Unavailable,
    /// The sync of this very change failed: after a restart it may be there or not. Until then nobody sees it.
    #[error(
        "It is not known whether this was kept. Please look again later, before you repeat it."
    )]
    Unknown,
    /// A record could not be read back.
    #[error("Something in the store cannot be read.")]
    Unreadable(Arc<str>),
}

impl From<sled::Error> for StoreError {
    fn from(error: sled::Error) -> Self {
        Self::Unreadable(error.to_string().into())
    }
}

/// The store. Clones share it.
#[derive(Clone)]
pub struct Store(Arc<Shared>);

/// What the clones of a store share.
struct Shared {
    tree: Tree,
    snapshots: Snapshots,
    writer: writer::Handle,
    writable: Arc<AtomicBool>,
    written: Arc<Written>,
    checkpointed: Arc<Notify>,
    demo: bool,
    /// Keeps other processes out; let go after the tree.
    _lock: open::Lock,
}

impl Store {
    /// Runs an [ordinary](Purpose) change and answers once it is on the disk.
    ///
    /// `change` decides from what it reads and writes through the [`Change`]; on `Err` nothing of it is
    /// kept. The answer, success or refusal, waits until everything that the change could see is synced.
    ///
    /// # Errors
    ///
    /// The outer error is the store's: nothing was acknowledged. The inner one is the change's own.
    pub async fn commit<T, E, F>(&self, change: F) -> Result<Result<T, E>, StoreError>
    where
        F: FnOnce(&mut Change) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Send + 'static,
    {
        self.commit_for(Purpose::Ordinary, change).await
    }

    /// Like [`Store::commit`]; `purpose` decides how much free disk space the change must leave.
    ///
    /// # Errors
    ///
    /// As [`Store::commit`].
    pub async fn commit_for<T, E, F>(
        &self,
        purpose: Purpose,
        change: F,
    ) -> Result<Result<T, E>, StoreError>
    where
        F: FnOnce(&mut Change) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        self.submit(purpose, change, move |answer| {
            // The one who asked may have gone; the change stands all the same.
            let _ = sender.send(answer);
        })?;
        receiver.await.map_err(|_| StoreError::Unavailable)?
    }

    /// [`Store::commit`] for the moment of opening, before there is anything asynchronous.
    fn commit_blocking<T, E, F>(&self, change: F) -> Result<Result<T, E>, StoreError>
    where
        F: FnOnce(&mut Change) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Send + 'static,
    {
        let (sender, receiver) = std::sync::mpsc::channel();
        self.submit(Purpose::Ordinary, change, move |answer| {
            let _ = sender.send(answer);
        })?;
        receiver.recv().map_err(|_| StoreError::Unavailable)?
    }

    fn submit<T, E, F, A>(&self, purpose: Purpose, change: F, answer: A) -> Result<(), StoreError>
    where
        F: FnOnce(&mut Change) -> Result<T, E> + Send + 'static,
        A: FnOnce(Result<Result<T, E>, StoreError>) + Send + 'static,
        T: Send + 'static,
        E: Send + 'static,
    {
        let run = Box::new(move |view: &mut Change| {
            let outcome = change(view);
            writer::Ran {
                keep: outcome.is_ok(),
                answer: Box::new(move |synced: Result<(), StoreError>| {
                    answer(synced.map(|()| outcome));
                }),
            }
        });
        self.0.writer.submit(writer::Job { purpose, run })
    }

    /// Whether an ordinary change would be taken: the disk has room and no write has failed.
    pub fn is_writable(&self) -> bool {
        self.0.writable.load(Ordering::Acquire) && self.0.writer.has_room()
    }

    /// How many answers are [`Remembered`], stale ones too.
    pub fn count_remembered(&self) -> usize {
        self.0.written.count_answers()
    }

    /// Whether this store was made for the demonstration family.
    pub fn is_demo(&self) -> bool {
        self.0.demo
    }

    /// From now on, what each change writes is recorded.
    #[cfg(test)]
    pub fn record_writes(&self) {
        *self.0.written.recorded.lock().unwrap() = Some(Vec::new());
    }

    /// The tables of the keys that each change wrote since then.
    #[cfg(test)]
    pub fn recorded_writes(&self) -> Vec<Vec<String>> {
        let table = |key: Vec<u8>| {
            let name = key.split(|byte| *byte == 0).next().unwrap_or_default();
            String::from_utf8_lossy(name).into_owned()
        };
        let recorded = self.0.written.recorded.lock().unwrap().take();
        let changes = recorded.unwrap_or_default().into_iter();
        changes
            .map(|keys| keys.into_iter().map(table).collect())
            .collect()
    }

    /// Takes no further change, finishes those that wait, and syncs.
    pub fn close(&self) {
        self.0.writer.close();
    }
}

/// Reading, from the store itself or within a [`Change`], which also sees its own writes.
pub trait Read {
    /// The stored bytes under `key`, header and all.
    #[doc(hidden)]
    fn stored(&self, key: &[u8]) -> Result<Option<sled::IVec>, StoreError>;

    /// Stored pairs within `range`, in the order asked for, at most `limit`.
    #[doc(hidden)]
    fn stored_range(&self, range: Range, limit: usize) -> Result<Pairs, StoreError>;

    /// The record under `key`.
    fn get<R: Record>(&self, key: &Key) -> Result<Option<R>, StoreError> {
        match self.payload(key)? {
            Some(payload) => Ok(Some(R::decode(&payload)?)),
            None => Ok(None),
        }
    }

    /// The JSON under `key`.
    fn payload(&self, key: &Key) -> Result<Option<Payload>, StoreError> {
        // A value in parts may be replaced between two reads; then the parts are gone and the
        // second look finds the new value.
        for _ in 0..READ_ATTEMPTS {
            let Some(stored) = self.stored(key.bytes())? else {
                return Ok(None);
            };
            if let Some(payload) = self.assemble(key.bytes(), stored)? {
                return Ok(Some(payload));
            }
        }
        Err(StoreError::Unreadable(
            "a value kept losing its parts".into(),
        ))
    }

    /// Whether there is a record under `key`.
    fn contains(&self, key: &Key) -> Result<bool, StoreError> {
        Ok(self.stored(key.bytes())?.is_some())
    }

    /// The rows below `prefix` in key order, those behind `after` if there is one, at most `limit`.
    ///
    /// It fails when one of them is damaged, and doesn't look at what is in them. For lists that are shown there
    /// is [`Read::page`].
    fn scan(
        &self,
        prefix: &Key,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError> {
        let range = Range::below(prefix, after);
        let pairs = self.stored_range(range, limit)?;
        let mut rows = Vec::with_capacity(pairs.len());
        for (key, stored) in pairs {
            if let Some(payload) = self.assemble_current(&key, stored)? {
                rows.push(Row::new(key, prefix.bytes().len(), payload));
            }
        }
        Ok(rows)
    }

    /// [`Read::scan`] row by row: each can be read as an `R`, or what is wrong with it is said in its place.
    fn scan_each<R: Record>(
        &self,
        prefix: &Key,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Vec<ScannedRow>, StoreError> {
        let pairs = self.stored_range(Range::below(prefix, after), limit)?;
        page::rows::<R>(self, prefix, pairs).collect()
    }

    /// A page of a list: the rows below `prefix` in key order, those behind `after` if there is one, at most
    /// `limit` of those that can be read as an `R`. The others are counted, and logged by table and number alone.
    fn page<R: Record>(
        &self,
        prefix: &Key,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        page::read::<R>(self, prefix, after, limit)
    }

    /// The keys below `prefix` in order, at most `limit`, whatever can be read of what stands behind them.
    fn keys_below(&self, prefix: &Key, limit: usize) -> Result<Vec<Key>, StoreError> {
        let pairs = self.stored_range(Range::below(prefix, None), limit)?;
        Ok(pairs.iter().map(|(key, _)| Key::from_bytes(key)).collect())
    }

    /// The keys below `prefix` whose records can be read and are among those wanted. It reads all of them: for finding
    /// what a damaged record no longer leads to.
    fn keys_of<R: Record>(
        &self,
        prefix: &Key,
        is_wanted: impl Fn(&R) -> bool,
    ) -> Result<Vec<Key>, StoreError> {
        let mut found = Vec::new();
        for key in self.keys_below(prefix, usize::MAX)? {
            match self.get_readable::<R>(&key)? {
                Some(record) if is_wanted(&record) => found.push(key),
                _ => {}
            }
        }
        Ok(found)
    }

    /// All records below `prefix` that can be read, and how many there are that can't: for a list that is shown.
    fn list_readable<R: Record>(&self, prefix: &Key) -> Result<(Vec<R>, u64), StoreError> {
        let (mut records, mut unreadable) = (Vec::new(), 0);
        for key in self.keys_below(prefix, usize::MAX)? {
            match self.get(&key) {
                Ok(record) => records.extend(record),
                Err(StoreError::Unreadable(_)) => unreadable += 1,
                Err(error) => return Err(error),
            }
        }
        Ok((records, unreadable))
    }

    /// The record under `key`; `None` also when it cannot be read. For what neither grants nor forbids nor counts.
    fn get_readable<R: Record>(&self, key: &Key) -> Result<Option<R>, StoreError> {
        match self.get(key) {
            Err(StoreError::Unreadable(_)) => Ok(None),
            other => other,
        }
    }

    /// All records below `prefix`, in key order. For lists that are short by a rule of the product.
    fn list<R: Record>(&self, prefix: &Key) -> Result<Vec<R>, StoreError> {
        self.scan(prefix, None, usize::MAX)?
            .iter()
            .map(|row| R::decode(row.payload()))
            .collect()
    }

    /// The payload of a stored value; `None` when a part of it has just been replaced.
    #[doc(hidden)]
    fn assemble(&self, key: &[u8], stored: sled::IVec) -> Result<Option<Payload>, StoreError> {
        let value = StoredValue::read(&stored)?;
        if value.parts == 0 {
            return Ok(Some(Payload::Stored(stored)));
        }
        let mut payload = value.first.to_vec();
        for part in Parts::of(key, &value) {
            match self.stored(&part)? {
                Some(bytes) => payload.extend_from_slice(&bytes),
                None => return Ok(None),
            }
        }
        Ok(Some(Payload::Assembled(payload)))
    }

    /// The payload of a stored value, or of the one that has just replaced it; `None` when it was just removed.
    #[doc(hidden)]
    fn assemble_current(
        &self,
        key: &[u8],
        stored: sled::IVec,
    ) -> Result<Option<Payload>, StoreError> {
        match self.assemble(key, stored)? {
            Some(payload) => Ok(Some(payload)),
            None => self.payload(&Key::from_bytes(key)),
        }
    }
}

const READ_ATTEMPTS: usize = 8;

/// Stored pairs of key and value.
pub type Pairs = VecDeque<(sled::IVec, sled::IVec)>;

impl Read for Store {
    fn stored(&self, key: &[u8]) -> Result<Option<sled::IVec>, StoreError> {
        self.0.tree.read().get(key)
    }

    fn stored_range(&self, range: Range, limit: usize) -> Result<Pairs, StoreError> {
        let view = self.0.tree.read();
        let pairs = view.range(range.bounds()).take(limit);
        pairs.collect()
    }
}

#[cfg(test)]
mod tests;
