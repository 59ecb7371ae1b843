//! Reading records: one, a page, a list, or what of them can be read.

use bytes::Bytes;

use super::lsm::Pair;
use super::record::StoredValue;
use super::{Cursor, Key, Page, PageRoom, Payload, Range, Record, StoreError, page};

/// Reading, from the store itself or within a [`Change`](super::Change), which also sees its own writes.
pub trait Read {
    /// The stored value under `key`, with its header.
    #[doc(hidden)]
    fn stored(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError>;

    /// The first stored pairs within `range`, at most `limit`.
    #[doc(hidden)]
    fn stored_range(&self, range: Range, limit: usize) -> Result<Vec<Pair>, StoreError>;

    /// The last stored pairs within `range`, at most `limit`, the last one first.
    #[doc(hidden)]
    fn stored_range_back(&self, range: Range, limit: usize) -> Result<Vec<Pair>, StoreError>;

    /// The record under `key`.
    fn get<R: Record>(&self, key: &Key) -> Result<Option<R>, StoreError> {
        self.payload(key)?.map(Payload::record).transpose()
    }

    /// The JSON under `key` in today's version, if it can be read as an `R`.
    fn json<R: Record>(&self, key: &Key) -> Result<Option<Bytes>, StoreError> {
        let Some(payload) = self.payload(key)? else {
            return Ok(None);
        };
        let json = payload.upgraded::<R>()?.json;
        R::decode(&json).map(|_| Some(json))
    }

    /// What is stored under `key`, in whatever version.
    fn payload(&self, key: &Key) -> Result<Option<Payload>, StoreError> {
        // A value in parts may be replaced between two reads; then its parts are gone, and the next look finds the new one.
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

    /// Whether there is a record under `key`.
    fn contains(&self, key: &Key) -> Result<bool, StoreError> {
        Ok(self.stored(key.bytes())?.is_some())
    }

    /// A page of a list: the rows below `prefix` in key order, those behind `after` if there is one, at most
    /// `limit` of those that can be read as an `R`, and at most as many as there is [room](PageRoom) for. The others are
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

    /// All rows below `prefix` as one [page](Read::page). For lists that are short by a rule of the product.
    fn whole_page<R: Record>(&self, prefix: &Key) -> Result<Page, StoreError> {
        page::read::<R>(
            self,
            prefix,
            Range::below(prefix, None),
            PageRoom::unlimited(),
        )
    }

    /// All records below `prefix`, in key order. For lists that are short by a rule of the product.
    fn list<R: Record>(&self, prefix: &Key) -> Result<Vec<R>, StoreError> {
        self.first(prefix, usize::MAX)
    }

    /// The first records below `prefix`, in key order, at most `limit`. It fails when one of them cannot be read.
    fn first<R: Record>(&self, prefix: &Key, limit: usize) -> Result<Vec<R>, StoreError> {
        self.records(Range::below(prefix, None), limit)
    }

    /// The records below `prefix`, in key order, up to and with those whose keys begin with `last`. It fails when one of them
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

    /// The keys below `prefix` in order, at most `limit`, whether or not their records can be read.
    fn keys_below(&self, prefix: &Key, limit: usize) -> Result<Vec<Key>, StoreError> {
        let pairs = self.stored_range(Range::below(prefix, None), limit)?;
        Ok(pairs.iter().map(|(key, _)| Key::from_bytes(key)).collect())
    }

    /// The last key below `prefix`, whether or not its record can be read.
    fn last_key_below(&self, prefix: &Key) -> Result<Option<Key>, StoreError> {
        let pairs = self.stored_range_back(Range::below(prefix, None), 1)?;
        Ok(pairs.first().map(|(key, _)| Key::from_bytes(key)))
    }

    /// For each key below `prefix` the component after it, if that is text. The records don't have to be readable.
    fn texts_below(&self, prefix: &Key) -> Result<Vec<String>, StoreError> {
        let keys = self.keys_below(prefix, usize::MAX)?;
        let texts = keys
            .iter()
            .filter_map(|key| key.components_below(prefix).text());
        Ok(texts.collect())
    }

    /// The keys below `prefix` whose records can be read and are wanted. It reads all of them: for finding what a
    /// damaged record no longer leads to.
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

    /// The payload of a stored value; `None` when a part of it has just been replaced.
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

    /// The payload of a stored value, or of the one that has just replaced it; `None` when it was just removed.
    #[doc(hidden)]
    fn assemble_current(&self, key: &[u8], stored: Bytes) -> Result<Option<Payload>, StoreError> {
        match self.assemble(key, stored)? {
            Some(payload) => Ok(Some(payload)),
            None => self.payload(&Key::from_bytes(key)),
        }
    }
}

const READ_ATTEMPTS: usize = 8;
