//! A change (write transaction): reads, and buffers its writes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use bytes::Bytes;

use super::lsm::{Lsm, Memtable, Pair};
use super::record::{self, StoredValue};
use super::{Key, Range, Read, Record, StoreError, Table};

/// Counters, such as the last child's number.
pub(super) const SEQUENCE: Table = Table::new("sequence");

fn sequence_key(sequence: &str) -> Key {
    SEQUENCE.key().text(sequence)
}

/// The number of records that a long erasure removes in one change, so that other changes can run in between.
const REMOVED_AT_ONCE: usize = 2_000;

/// The volume of counted records that a change writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    pub records: u64,
    /// The size of their JSON in bytes.
    pub bytes: u64,
}

/// A change while it is being built. It reads its own writes first, then those of earlier changes of its group, then what is
/// synced. Its writes are invisible to others until they are synced.
pub struct Change {
    lsm: Lsm,
    /// The writes of earlier changes of the group.
    group: Memtable,
    writes: Memtable,
    /// Cache of look-ups below `writes`. There is only one writer, so it stays valid, and looking up a missing key costs more
    /// than anything else here.
    found: RefCell<BTreeMap<Bytes, Option<Bytes>>>,
    erases: bool,
    is_unpublished: bool,
    volume: Volume,
    bytes_read: Cell<usize>,
    then: Vec<Then>,
}

/// Runs once it is known whether a change is durable.
type Then = Box<dyn FnOnce(bool) + Send>;

impl Change {
    /// Creates a change on top of the `group`'s earlier writes.
    pub(super) fn over(group: Memtable, lsm: Lsm) -> Self {
        Self {
            lsm,
            group,
            writes: Memtable::new(),
            found: RefCell::default(),
            erases: false,
            is_unpublished: false,
            volume: Volume::default(),
            bytes_read: Cell::default(),
            then: Vec::new(),
        }
    }

    /// Runs this in memory once the change is durable. A change that fails must leave nothing in memory either.
    pub fn on_success(&mut self, then: impl FnOnce() + Send + 'static) {
        self.then.push(Box::new(|is_durable| {
            if is_durable {
                then();
            }
        }));
    }

    /// Undoes in memory what the change did there, if it fails.
    pub fn on_failure(&mut self, undo: impl FnOnce() + Send + 'static) {
        self.then.push(Box::new(|is_durable| {
            if !is_durable {
                undo();
            }
        }));
    }

    pub(super) fn take_then(&mut self) -> Vec<Then> {
        std::mem::take(&mut self.then)
    }

    /// The number of bytes of keys and values that were read: other changes wait for this one, so it should read little.
    pub fn bytes_read(&self) -> usize {
        self.bytes_read.get()
    }

    fn count_read(&self, pairs: &[Pair]) {
        let bytes = pairs.iter().map(|(key, value)| key.len() + value.len());
        self.bytes_read.update(|read| read + bytes.sum::<usize>());
    }

    /// Drops from memory, before this change is acknowledged, every [cached](super::ReadCache) answer that it or an earlier
    /// change made stale: for data that must not be found any more.
    pub fn drop_stale_answers(&mut self) {
        self.erases = true;
    }

    /// Whether [`Change::drop_stale_answers`] was called.
    pub(super) fn erases(&self) -> bool {
        self.erases
    }

    /// Publishes nothing of this change in the [feed](super::changes): for what others must not learn the moment of.
    pub fn publish_nothing(&mut self) {
        self.is_unpublished = true;
    }

    /// Whether [`Change::publish_nothing`] was called.
    pub(super) fn is_unpublished(&self) -> bool {
        self.is_unpublished
    }

    pub fn put<R: Record>(&mut self, key: &Key, record: &R) -> Result<(), StoreError> {
        self.put_json(key, R::VERSION, &record.encode())
    }

    /// Writes JSON as it is. Changes nothing if it is [`StoreError::TooLarge`].
    pub fn put_json(&mut self, key: &Key, version: u8, json: &[u8]) -> Result<(), StoreError> {
        let pairs = StoredValue::split(key.bytes(), version, json)?;
        self.remove(key)?;
        for pair in pairs {
            self.put_stored(pair);
        }
        Ok(())
    }

    /// Writes a record under a key that was never used before, because a number in it is never reused. This needs no look-up.
    /// The record is counted.
    pub fn put_new<R: Record>(&mut self, key: &Key, record: &R) -> Result<(), StoreError> {
        debug_assert!(matches!(self.contains(key), Ok(false)), "it is new");
        let payload = record.encode();
        for pair in StoredValue::split(key.bytes(), R::VERSION, &payload)? {
            self.put_stored(pair);
        }
        self.count(payload.len());
        Ok(())
    }

    /// Counts a record with this many bytes of JSON.
    pub fn count(&mut self, bytes: usize) {
        self.volume.records += 1;
        self.volume.bytes += bytes as u64;
    }

    /// [`Change::put`], counted unless the record is unchanged.
    pub fn put_counted<R: Record>(&mut self, key: &Key, record: &R) -> Result<(), StoreError> {
        self.put_json_counted(key, R::VERSION, &record.encode())
    }

    /// [`Change::put_json`], counted unless the record is unchanged.
    pub fn put_json_counted(
        &mut self,
        key: &Key,
        version: u8,
        payload: &[u8],
    ) -> Result<(), StoreError> {
        if self.is_other(key, version, payload)? {
            self.count(payload.len());
        }
        self.put_json(key, version, payload)
    }

    /// Whether this record differs from the one under the key before the change.
    pub fn is_changed<R: Record>(&self, key: &Key, record: &R) -> Result<bool, StoreError> {
        self.is_other(key, R::VERSION, &record.encode())
    }

    fn is_other(&self, key: &Key, version: u8, payload: &[u8]) -> Result<bool, StoreError> {
        let before = self.found(key.bytes())?;
        // The first value has a hash of the parts.
        let pairs = StoredValue::split(key.bytes(), version, payload)?;
        Ok(before.as_ref() != pairs.first().map(|(_, value)| value))
    }

    /// The volume of the counted records.
    pub fn volume(&self) -> Volume {
        self.volume
    }

    /// Removes a record, also an unreadable one; returns whether there was one.
    pub fn remove(&mut self, key: &Key) -> Result<bool, StoreError> {
        let Some(stored) = self.stored(key.bytes())? else {
            return Ok(false);
        };
        match StoredValue::read(&stored) {
            Ok(value) => {
                for part in value.part_keys(key.bytes()) {
                    self.delete(&part);
                }
            }
            // The header that lists its parts is unreadable; find them by their keys.
            Err(_) => {
                let parts = Range::below(&record::parts_below(key), None);
                for (part, _) in self.stored_range(parts, usize::MAX)? {
                    if record::owner_of_part(&part).is_some_and(|owner| owner.key == key.bytes()) {
                        self.delete(&part);
                    }
                }
            }
        }
        self.delete(key.bytes());
        Ok(true)
    }

    /// Removes as many of the records below `prefix` as one change of a long erasure should, and drops stale answers from
    /// memory; returns how many were removed.
    pub fn remove_some_below(&mut self, prefix: &Key) -> Result<usize, StoreError> {
        self.drop_stale_answers();
        self.remove_below(prefix, REMOVED_AT_ONCE)
    }

    /// Removes at most `limit` records below `prefix`, also unreadable ones; returns how many were removed.
    pub fn remove_below(&mut self, prefix: &Key, limit: usize) -> Result<usize, StoreError> {
        let pairs = self.stored_range(Range::below(prefix, None), limit)?;
        for (key, _) in &pairs {
            self.remove(&Key::from_bytes(key))?;
        }
        // A damaged record may not have listed its parts, and they hold the same data.
        let parts = Range::below(&record::parts_below(prefix), None);
        let parts = self.stored_range(parts, limit - pairs.len())?;
        for (part, _) in &parts {
            self.delete(part);
        }
        Ok(pairs.len() + parts.len())
    }

    /// The next number of a sequence, from 1. A number is never reused, even if its record is removed.
    pub fn next_number(&mut self, sequence: &str) -> Result<u64, StoreError> {
        self.next_number_from(sequence, 1)
    }

    /// [`Change::next_number`], at least `least`.
    pub fn next_number_from(&mut self, sequence: &str, least: u64) -> Result<u64, StoreError> {
        let next = least.max(self.last_number(sequence)? + 1);
        self.put(&sequence_key(sequence), &next)?;
        Ok(next)
    }

    /// The last number of a sequence, or 0.
    pub fn last_number(&self, sequence: &str) -> Result<u64, StoreError> {
        Ok(self.get(&sequence_key(sequence))?.unwrap_or(0))
    }

    /// The value under the key before the change.
    fn found(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        if let Some(found) = self.found.borrow().get(key) {
            return Ok(found.clone());
        }
        let found = match self.group.get(key) {
            Some(value) => value.clone(),
            None => self.lsm.get(key)?,
        };
        let bytes = key.len() + found.as_ref().map_or(0, Bytes::len);
        self.bytes_read.update(|read| read + bytes);
        let key = Bytes::copy_from_slice(key);
        self.found.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    /// The keys of this table that the change wrote or removed, in order.
    pub(super) fn written_in(&self, table: Table) -> Vec<Key> {
        let all = table.key().to_bytes();
        let from_first = self.writes.range(all.clone()..);
        let keys = from_first.map(|(key, _)| key);
        keys.take_while(|key| key.starts_with(&all))
            .map(|key| Key::from_bytes(key))
            .collect()
    }

    /// The group's earlier writes, and the writes of this change.
    pub(super) fn into_parts(self) -> (Memtable, Memtable) {
        (self.group, self.writes)
    }

    /// Writes a pair as it was stored in another store.
    pub(super) fn put_stored(&mut self, (key, value): Pair) {
        self.writes.insert(key, Some(value));
    }

    /// Writes a value that need not be a valid record: damage, for tests.
    #[doc(hidden)]
    pub fn put_damaged(&mut self, key: &Key, value: Vec<u8>) {
        self.put_stored((key.to_bytes(), value.into()));
    }

    /// Removes one pair without its parts: damage, for tests.
    #[cfg(test)]
    pub(super) fn remove_stored(&mut self, key: &[u8]) {
        self.delete(key);
    }

    fn delete(&mut self, key: &[u8]) {
        // A slice of a block would keep the whole block in memory.
        self.writes.insert(Bytes::copy_from_slice(key), None);
    }
}

impl Record for u64 {}

impl Read for Change {
    fn stored(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        match self.writes.get(key) {
            Some(value) => Ok(value.clone()),
            None => self.found(key),
        }
    }

    fn stored_range(&self, range: Range, limit: usize) -> Result<Vec<Pair>, StoreError> {
        let bounds = range.bounds();
        let writes = [&self.writes, &self.group];
        let pairs = self.lsm.range_under(writes, bounds, limit)?;
        self.count_read(&pairs);
        Ok(pairs)
    }

    fn stored_range_back(&self, range: Range, limit: usize) -> Result<Vec<Pair>, StoreError> {
        let bounds = range.bounds();
        let writes = [&self.writes, &self.group];
        let pairs = self.lsm.range_back_under(writes, bounds, limit)?;
        self.count_read(&pairs);
        Ok(pairs)
    }
}
