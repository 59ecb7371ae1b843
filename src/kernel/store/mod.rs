//! A transactional store of JSON records, through which all data is persisted.
//!
//! Everything is in one ordered map of bytes, [`lsm`]. A key begins with the name of its [`Table`], and keys sort in the
//! order in which rows are shown. Reading is direct. Writing goes through one thread, [`writer`]: it runs each [`Change`] (read,
//! decide, write) after the other, writes the group in one record of the log, and only then publishes it and answers.
//! Nothing can be read before it is on the disk. The reasons for one writer thread:
//!
//! * Sixteen concurrent writers share one sync.
//! * A change that reads and then decides would race with another; in one thread it cannot. So a link is used only once
//!   and two guardians' edits are applied in order, without sled's transactions, which forbid iteration and may run a
//!   closure twice.
//! * A group is short, so that nobody waits for somebody else's import.
//!
//! A record's payload is the JSON that the API returns, so a list is answered by joining stored bytes
//! ([`json_array`]), and the result is [cached](ReadCache) until its inputs are [written](changes).
//!
//! A [`Snapshot`] reads all of it as of one time, for a [backup] that is restored whole or not at all. Data of
//! older versions are [migrated](migrate).
//!
//! After an I/O error this process writes nothing more: a failed fsync cannot be repeated, because the kernel may have
//! dropped the pages. Reading still works.

mod backup;
pub mod backup_state;
mod blocking;
mod change;
mod changes;
mod commit;
mod cursor;
pub mod due;
mod erasure;
mod error;
pub mod files;
mod format;
pub mod hmac_key;
mod json;
mod key;
mod kinds;
mod lock;
mod lsm;
mod made;
mod migrate;
mod open;
mod page;
mod range;
mod read_cache;
mod readable;
mod record;
mod reserve;
mod rows;
mod search;
mod stepwise;
mod triggers;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;

pub use backup::{
    ArchiveError, Contents, Damage, Identities, Recipient, RestoreError, STANDARD_INPUT, Tables,
    Verified, begins_as_archive, begins_encrypted, check_archive, check_stream, encrypt, restore,
    write_archive,
};
pub use blocking::run_blocking;
pub use change::{Change, Volume};
pub use changes::{Event, Subscription, Written};
pub use cursor::{Cursor, NotACursor};
pub use erasure::{RequiredCompaction, RequiredUpTo};
pub use error::{OpenError, StoreError};
pub use json::{JsonRows, json_array};
pub use key::{Components, Key, Table};
pub use kinds::{KINDS, PARTS_TABLE, RecordKind};
pub use lock::LOCK;
pub use lsm::{Snapshot, SnapshotError};
pub use migrate::Backfill;
pub use page::{Page, PageRoom};
pub use range::Range;
pub use read_cache::{ReadCache, TrackingReader, Weigh};
pub use readable::{ReadError, readable, readable_or_counted};
pub use record::{Payload, Record, Row, Upgrade, is_default};
pub use reserve::Purpose;
pub use rows::StoredRow;
pub use search::{Before, KeyPlace, Searched, Sought, Trace};
pub use triggers::Trigger;

use backup::each_key;
use changes::Changes;
use lsm::{Lsm, Pair};
use record::StoredValue;
use triggers::Triggers;

#[derive(Clone)]
pub struct Store(Arc<Shared>);

struct Shared {
    lsm: Lsm,
    writer: writer::Handle,
    is_writable: Arc<AtomicBool>,
    changes: Arc<Changes>,
    triggers: Arc<Triggers>,
    demo: bool,
    /// Excludes other processes; released last.
    _lock: lock::Lock,
}

impl Store {
    /// Registers rules that run at the end of each later change that writes to their tables.
    pub fn follow(&self, triggers: &[Trigger]) {
        self.0.triggers.add(triggers);
    }

    /// Whether an ordinary change would be accepted: the disk has space and no write has failed.
    pub fn is_writable(&self) -> bool {
        self.0.is_writable.load(Ordering::Acquire) && self.0.writer.has_room()
    }

    /// A consistent snapshot of all acknowledged changes.
    pub fn snapshot(&self) -> Snapshot {
        self.0.lsm.snapshot()
    }

    #[cfg(test)]
    fn lsm(&self) -> &Lsm {
        &self.0.lsm
    }

    /// Subscribes to the writes from now on.
    pub fn changes(&self) -> Subscription {
        self.0.changes.subscribe()
    }

    /// The number of [cached](ReadCache) answers, including stale ones.
    pub fn count_cached(&self) -> usize {
        self.0.changes.versions.count_answers()
    }

    /// Whether this store was created for the demonstration family.
    pub fn is_demo(&self) -> bool {
        self.0.demo
    }

    /// Starts recording what each group writes.
    #[cfg(test)]
    pub fn record_writes(&self) {
        *self.0.changes.versions.recorded.lock().unwrap() = Some(Vec::new());
    }

    /// The tables of the keys that each group wrote since then.
    #[cfg(test)]
    pub fn recorded_writes(&self) -> Vec<Vec<String>> {
        let recorded = self.0.changes.versions.recorded.lock().unwrap().take();
        let groups = recorded.unwrap_or_default().into_iter();
        let table = |key: &Bytes| key::table_of(key).to_owned();
        groups
            .map(|keys| keys.iter().map(table).collect())
            .collect()
    }

    /// Starts recording the tables that are read, for a test.
    #[doc(hidden)]
    pub fn record_reads(&self) {
        self.0.lsm.reads().begin();
    }

    /// The tables that were read since then, in order and with repetitions.
    #[doc(hidden)]
    pub fn recorded_reads(&self) -> Vec<String> {
        let keys = self.0.lsm.reads().take();
        let tables = keys.iter().map(|key| key::table_of(key).to_owned());
        tables.collect()
    }

    /// Rejects further changes, finishes the queued ones, and syncs.
    pub fn close(&self) {
        self.0.writer.close();
    }
}

/// Reads from the store itself or within a [`Change`], which also sees its own writes.
pub trait Read {
    /// The stored value under `key`, with its header.
    #[doc(hidden)]
    fn stored(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError>;

    /// The first stored pairs within `range`, at most `limit`.
    #[doc(hidden)]
    fn stored_range(&self, range: Range, limit: usize) -> Result<Vec<Pair>, StoreError>;

    /// The last stored pairs within `range`, at most `limit`, in descending order.
    #[doc(hidden)]
    fn stored_range_back(&self, range: Range, limit: usize) -> Result<Vec<Pair>, StoreError>;

    fn get<R: Record>(&self, key: &Key) -> Result<Option<R>, StoreError> {
        self.payload(key)?.map(Payload::record).transpose()
    }

    /// The JSON under `key`, upgraded to the current version, if it can be read as an `R`.
    fn json<R: Record>(&self, key: &Key) -> Result<Option<Bytes>, StoreError> {
        let Some(payload) = self.payload(key)? else {
            return Ok(None);
        };
        let json = payload.upgraded::<R>()?.json;
        R::decode(&json).map(|_| Some(json))
    }

    /// The payload under `key`, in its stored version.
    fn payload(&self, key: &Key) -> Result<Option<Payload>, StoreError> {
        // A value in parts may be replaced between two reads; then its parts are gone, and the next attempt finds the new one.
        for _ in 0..READ_ATTEMPTS {
            let Some(stored) = self.stored(key.bytes())? else {
                return Ok(None);
            };
            if let Some(payload) = self.assemble(key.bytes(), stored)? {
                return Ok(Some(payload));
            }
        }
        Err(StoreError::unreadable("a value kept losing its parts"))
    }

    fn contains(&self, key: &Key) -> Result<bool, StoreError> {
        Ok(self.stored(key.bytes())?.is_some())
    }

    /// A page of a list: the rows below `prefix` in key order, after the cursor `after` if there is one, at most
    /// `limit` that can be read as an `R`, and at most as many as [fit](PageRoom). Unreadable rows are
    /// counted, and logged by table and number alone.
    fn page<R: Record>(
        &self,
        prefix: &Key,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        let rows = Range::below(prefix, after);
        let page = page::read::<R>(self, prefix, rows, PageRoom::new(limit))?;
        let end = page.end.or_else(|| after.cloned());
        Ok(Page { end, ..page })
    }

    /// All rows below `prefix` as one [page](Read::page). For lists whose length is limited by a product rule.
    fn whole_page<R: Record>(&self, prefix: &Key) -> Result<Page, StoreError> {
        page::read::<R>(
            self,
            prefix,
            Range::below(prefix, None),
            PageRoom::unlimited(),
        )
    }

    /// All records below `prefix`, in key order. For lists whose length is limited by a product rule.
    fn list<R: Record>(&self, prefix: &Key) -> Result<Vec<R>, StoreError> {
        self.first(prefix, usize::MAX)
    }

    /// The first records below `prefix`, in key order, at most `limit`. Fails if one of them cannot be read.
    fn first<R: Record>(&self, prefix: &Key, limit: usize) -> Result<Vec<R>, StoreError> {
        self.records(Range::below(prefix, None), limit)
    }

    /// The records below `prefix`, in key order, up to and including those whose keys begin with `last`. Fails if one of them
    /// cannot be read.
    fn list_up_to<R: Record>(&self, prefix: &Key, last: &Key) -> Result<Vec<R>, StoreError> {
        self.records(Range::up_to(prefix, last), usize::MAX)
    }

    /// The first records within `range`, at most `limit`.
    #[doc(hidden)]
    fn records<R: Record>(&self, range: Range, limit: usize) -> Result<Vec<R>, StoreError> {
        let pairs = self.stored_range(range, limit)?;
        let records = pairs
            .into_iter()
            .filter_map(|(key, stored)| self.assemble_current(&key, stored).transpose());
        records.map(|payload| payload?.record()).collect()
    }

    /// Visits the readable records below `prefix` with their keys, in key order. Returns the number of unreadable ones.
    fn each_readable<R: Record>(
        &self,
        prefix: &Key,
        mut visit: impl FnMut(Key, R),
    ) -> Result<u64, StoreError> {
        let mut unreadable = 0;
        for row in StoredRow::after(self, prefix, None, usize::MAX)? {
            match readable(row.read(self))? {
                Some(Some(record)) => visit(row.key(), record),
                Some(None) => {}
                None => unreadable += 1,
            }
        }
        Ok(unreadable)
    }

    /// The readable records below `prefix` with their keys, in key order, for rewriting some of them.
    fn readable_rows<R: Record>(&self, prefix: &Key) -> Result<Vec<(Key, R)>, StoreError> {
        let mut rows = Vec::new();
        self.each_readable(prefix, |key, record| rows.push((key, record)))?;
        Ok(rows)
    }

    /// All readable records below `prefix`, and the number of unreadable ones: for lists that are shown.
    fn list_readable<R: Record>(&self, prefix: &Key) -> Result<(Vec<R>, u64), StoreError> {
        let mut records = Vec::new();
        let unreadable = self.each_readable(prefix, |_, record| records.push(record))?;
        page::log_left_out(prefix, unreadable, None);
        Ok((records, unreadable))
    }

    /// The record under `key`; `None` also if it cannot be read. For records that neither grant nor forbid nor count.
    fn get_readable<R: Record>(&self, key: &Key) -> Result<Option<R>, StoreError> {
        Ok(readable(self.get(key))?.flatten())
    }

    /// The keys below `prefix` in order, at most `limit`, even if their records are unreadable.
    fn keys_below(&self, prefix: &Key, limit: usize) -> Result<Vec<Key>, StoreError> {
        let pairs = self.stored_range(Range::below(prefix, None), limit)?;
        Ok(pairs.iter().map(|(key, _)| Key::from_bytes(key)).collect())
    }

    /// For each key below `prefix` the component after it, if that is text. The records need not be readable.
    fn texts_below(&self, prefix: &Key) -> Result<Vec<String>, StoreError> {
        let keys = self.keys_below(prefix, usize::MAX)?;
        let texts = keys
            .iter()
            .filter_map(|key| key.components_below(prefix).text());
        Ok(texts.collect())
    }

    /// For each key below `prefix` the component after it, if that is a number. The records need not be readable.
    fn numbers_below(&self, prefix: &Key) -> Result<Vec<u64>, StoreError> {
        let keys = self.keys_below(prefix, usize::MAX)?;
        let numbers = keys
            .iter()
            .filter_map(|key| key.components_below(prefix).number());
        Ok(numbers.collect())
    }

    /// The keys below `prefix` whose records are readable and wanted. Reads all of them: for finding what a
    /// damaged record no longer refers to.
    fn keys_of<R: Record>(
        &self,
        prefix: &Key,
        is_wanted: impl Fn(&R) -> bool,
    ) -> Result<Vec<Key>, StoreError> {
        let mut found = Vec::new();
        self.each_readable(prefix, |key, record| {
            if is_wanted(&record) {
                found.push(key);
            }
        })?;
        Ok(found)
    }

    /// The payload of a stored value; `None` if a part of it has just been replaced.
    #[doc(hidden)]
    fn assemble(&self, key: &[u8], stored: Bytes) -> Result<Option<Payload>, StoreError> {
        let value = StoredValue::read(&stored)?;
        let version = value.version;
        if value.parts == 0 {
            let json = stored.slice_ref(value.first);
            return Ok(Some(Payload { version, json }));
        }
        let mut json = value.first.to_vec();
        for part in value.part_keys(key) {
            match self.stored(&part)? {
                Some(bytes) => json.extend_from_slice(&bytes),
                None => return Ok(None),
            }
        }
        let json = json.into();
        Ok(Some(Payload { version, json }))
    }

    /// The payload of a stored value, or of the one that has just replaced it; `None` if it was just removed.
    #[doc(hidden)]
    fn assemble_current(&self, key: &[u8], stored: Bytes) -> Result<Option<Payload>, StoreError> {
        match self.assemble(key, stored)? {
            Some(payload) => Ok(Some(payload)),
            None => self.payload(&Key::from_bytes(key)),
        }
    }
}

const READ_ATTEMPTS: usize = 8;

#[cfg(test)]
mod tests;
