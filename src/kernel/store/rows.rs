//! Rows that are decoded one by one and in any order: for readers that may stop in the middle of a list.

use bytes::Bytes;

use super::lsm::Pair;
use super::{Cursor, Key, Payload, Range, Read, Record, StoreError};

/// A row of a list that is decoded on demand.
#[derive(Debug)]
pub struct StoredRow {
    key: Bytes,
    /// The length of the list's prefix.
    prefix: usize,
    stored: Bytes,
}

impl StoredRow {
    /// The first rows below `prefix` after the cursor `after`, in key order, at most `limit`.
    pub fn after(
        view: &(impl Read + ?Sized),
        prefix: &Key,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Vec<Self>, StoreError> {
        let pairs = view.stored_range(Range::below(prefix, after), limit)?;
        Ok(Self::list(prefix, pairs))
    }

    /// The last rows below `prefix`, before `end` if there is one, at most `limit`, in descending order.
    pub fn before(
        view: &impl Read,
        prefix: &Key,
        end: Option<&Cursor>,
        limit: usize,
    ) -> Result<Vec<Self>, StoreError> {
        let rows = match end {
            Some(end) => Range::before(prefix, end),
            None => Range::below(prefix, None),
        };
        let pairs = view.stored_range_back(rows, limit)?;
        Ok(Self::list(prefix, pairs))
    }

    /// The rows below `prefix` from those that begin with `first` up to and including those that begin with `last`, in key order.
    pub fn between(
        view: &impl Read,
        prefix: &Key,
        first: &Key,
        last: &Key,
    ) -> Result<Vec<Self>, StoreError> {
        let pairs = view.stored_range(Range::between(prefix, first, last), usize::MAX)?;
        Ok(Self::list(prefix, pairs))
    }

    pub fn at(view: &impl Read, prefix: &Key, place: &Cursor) -> Result<Option<Self>, StoreError> {
        let key = Bytes::from([prefix.bytes(), place.suffix()].concat());
        let stored = view.stored(&key)?;
        Ok(stored.map(|stored| Self::new((key, stored), prefix.bytes().len())))
    }

    fn list(prefix: &Key, pairs: Vec<Pair>) -> Vec<Self> {
        let prefix = prefix.bytes().len();
        let rows = pairs.into_iter().map(|pair| Self::new(pair, prefix));
        rows.collect()
    }

    fn new((key, stored): Pair, prefix: usize) -> Self {
        Self {
            key,
            prefix,
            stored,
        }
    }

    /// The record; `None` if it was removed meanwhile.
    pub fn read<R: Record>(&self, view: &(impl Read + ?Sized)) -> Result<Option<R>, StoreError> {
        let payload = view.assemble_current(&self.key, self.stored.clone())?;
        payload.map(Payload::record).transpose()
    }

    pub fn key(&self) -> Key {
        Key::from_bytes(&self.key)
    }

    pub fn cursor(&self) -> Cursor {
        Cursor::new(self.key[self.prefix..].to_vec())
    }
}
