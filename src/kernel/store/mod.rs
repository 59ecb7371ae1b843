//! The one way to disk: a transactional store of JSON records.
//!
//! Everything lives in one ordered map of bytes, [`lsm`]. A key begins with the name of its [`Table`], and keys sort in the
//! order in which rows are shown. Reading is direct. Writing goes through one thread, [`writer`]: it runs each [`Change`] (read,
//! decide, write) after the other, writes the group in one record of the log, and only then publishes it and answers.
//! **What is visible is synced.** Why:
//!
//! * One sync for a group costs one writer little and sixteen even less.
//! * A change that reads and then decides would race with another; in one thread it cannot. So a link is used up once
//!   and two guardians' edits meet in order, without sled's transactions, which forbid iteration and may run a closure twice.
//! * A group is short, so that nobody waits for a stranger's import.
//!
//! A record's payload is the JSON with which it is answered, so a list is answered by joining stored bytes
//! ([`json_array`]), and the result is [cached](ReadCache) until what it was made from is [written](changes).
//!
//! All of it can be read as of one moment ([`Snapshot`]), for a [backup] that is restored whole or not at all. Data of
//! older versions are [migrated](migrate).
//!
//! After an I/O error nothing more is written in this process: a failed fsync cannot be repeated, as the kernel may have
//! dropped the pages. Reading goes on.

mod backup;
mod change;
mod changes;
mod consequences;
mod cursor;
mod erasure;
mod error;
mod files;
mod format;
mod json;
mod key;
mod kinds;
mod lsm;
mod made;
mod migrate;
mod open;
mod page;
mod range;
mod read;
mod read_cache;
mod record;
mod reserve;
mod rows;
mod stepwise;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::oneshot;

pub use backup::{
    ArchiveError, Contents, Damage, RestoreError, STANDARD_INPUT, Tables, Verified,
    begins_as_archive, check_archive, restore, write_archive,
};
pub use change::{Change, Volume};
pub use changes::{Event, Subscription, Written};
pub use consequences::Consequence;
pub use cursor::{Cursor, NotACursor};
pub use erasure::RequiredCompaction;
pub use error::{OpenError, StoreError};
pub use json::{JsonRows, json_array};
pub use key::{Components, Key, Table};
pub use kinds::{KINDS, PARTS_TABLE, RecordKind};
pub use lsm::{Snapshot, SnapshotError};
pub use migrate::Backfill;
pub use page::{Page, PageRoom};
pub use range::Range;
pub use read::Read;
pub use read_cache::{ReadCache, TrackingReader, Weigh};
pub use record::{Payload, Record, Row, Upgrade};
pub use reserve::Purpose;
pub use rows::StoredRow;

use changes::Changes;
use consequences::Consequences;
use lsm::Lsm;

/// The store. Clones share it.
#[derive(Clone)]
pub struct Store(Arc<Shared>);

/// What the clones of a store share.
struct Shared {
    lsm: Lsm,
    writer: writer::Handle,
    is_writable: Arc<AtomicBool>,
    changes: Arc<Changes>,
    consequences: Arc<Consequences>,
    demo: bool,
    /// Keeps other processes out; released last.
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

    /// [`Store::commit`] where there is nothing asynchronous: while a store is opened or restored.
    ///
    /// # Errors
    ///
    /// As [`Store::commit`].
    pub fn commit_blocking<T, E, F>(
        &self,
        purpose: Purpose,
        change: F,
    ) -> Result<Result<T, E>, StoreError>
    where
        F: FnOnce(&mut Change) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Send + 'static,
    {
        let (sender, receiver) = std::sync::mpsc::channel();
        self.submit(purpose, change, move |answer| {
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
        let consequences = Arc::clone(&self.0.consequences);
        let run = Box::new(move |view: &mut Change| {
            let outcome = change(view);
            let followed = match outcome {
                Ok(_) => consequences.run(view),
                Err(_) => Ok(()),
            };
            writer::Ran {
                keep: outcome.is_ok() && followed.is_ok(),
                answer: Box::new(move |synced: Result<(), StoreError>| {
                    answer(synced.and(followed).map(|()| outcome));
                }),
            }
        });
        self.0.writer.submit(writer::Job { purpose, run })
    }

    /// From now on these run at the end of each change that writes to their tables.
    pub fn follow(&self, consequences: &[Consequence]) {
        self.0.consequences.add(consequences);
    }

    /// Whether an ordinary change would be taken: the disk has room and no write has failed.
    pub fn is_writable(&self) -> bool {
        self.0.is_writable.load(Ordering::Acquire) && self.0.writer.has_room()
    }

    /// Everything as it is now, with every acknowledged change and no half of one.
    pub fn snapshot(&self) -> Snapshot {
        self.0.lsm.snapshot()
    }

    #[cfg(test)]
    fn lsm(&self) -> &Lsm {
        &self.0.lsm
    }

    /// Tells of what is written from now on.
    pub fn changes(&self) -> Subscription {
        self.0.changes.subscribe()
    }

    /// How many answers are [cached](ReadCache), stale ones too.
    pub fn count_cached(&self) -> usize {
        self.0.changes.versions.count_answers()
    }

    /// Whether this store was made for the demonstration family.
    pub fn is_demo(&self) -> bool {
        self.0.demo
    }

    /// From now on, what each group writes is recorded.
    #[cfg(test)]
    pub fn record_writes(&self) {
        *self.0.changes.versions.recorded.lock().unwrap() = Some(Vec::new());
    }

    /// The tables of the keys that each group wrote since then.
    #[cfg(test)]
    pub fn recorded_writes(&self) -> Vec<Vec<String>> {
        let recorded = self.0.changes.versions.recorded.lock().unwrap().take();
        let groups = recorded.unwrap_or_default().into_iter();
        let table = |key: &bytes::Bytes| key::table_of(key).to_owned();
        groups
            .map(|keys| keys.iter().map(table).collect())
            .collect()
    }

    /// From now on, the tables that are read are recorded, for a test.
    #[doc(hidden)]
    pub fn record_reads(&self) {
        self.0.lsm.reads().begin();
    }

    /// The tables that were read since then, each as often and in the order as it was.
    #[doc(hidden)]
    pub fn recorded_reads(&self) -> Vec<String> {
        let keys = self.0.lsm.reads().take();
        let tables = keys.iter().map(|key| key::table_of(key).to_owned());
        tables.collect()
    }

    /// Takes no further change, finishes those that wait, and syncs.
    pub fn close(&self) {
        self.0.writer.close();
    }
}

#[cfg(test)]
mod tests;
