//! Ranges of keys.

use super::lsm::Bounds;
use super::{Cursor, Key};

/// A range of keys, `start` exclusive when it is a cursor's.
#[derive(Debug)]
pub struct Range {
    start: std::ops::Bound<Vec<u8>>,
    end: std::ops::Bound<Vec<u8>>,
    /// The length of the prefix that all keys of the range share.
    prefix: usize,
}

impl Range {
    pub(super) fn below(prefix: &Key, after: Option<&Cursor>) -> Self {
        use std::ops::Bound::{Excluded, Included, Unbounded};
        let start = match after {
            Some(cursor) => Excluded([prefix.bytes(), cursor.suffix()].concat()),
            None => Included(prefix.bytes().to_vec()),
        };
        Self {
            start,
            end: prefix.end().map_or(Unbounded, Excluded),
            prefix: prefix.bytes().len(),
        }
    }

    /// The keys with the prefix `prefix`, up to and including those with the prefix `last`.
    pub(super) fn up_to(prefix: &Key, last: &Key) -> Self {
        Self::between(prefix, prefix, last)
    }

    /// The keys with the prefix `prefix`, from those with the prefix `first` up to and including those with the prefix `last`.
    pub(super) fn between(prefix: &Key, first: &Key, last: &Key) -> Self {
        use std::ops::Bound::{Excluded, Included, Unbounded};
        Self {
            start: Included(first.bytes().to_vec()),
            end: last.end().map_or(Unbounded, Excluded),
            prefix: prefix.bytes().len(),
        }
    }

    /// The keys with the prefix `prefix`, up to but excluding the row at the cursor.
    pub(super) fn before(prefix: &Key, end: &Cursor) -> Self {
        let end = [prefix.bytes(), end.suffix()].concat();
        Self {
            end: std::ops::Bound::Excluded(end),
            ..Self::below(prefix, None)
        }
    }

    /// The keys with the prefix `prefix`, from the row at the cursor on.
    pub(super) fn starting_at(prefix: &Key, start: &Cursor) -> Self {
        let start = [prefix.bytes(), start.suffix()].concat();
        Self {
            start: std::ops::Bound::Included(start),
            ..Self::below(prefix, None)
        }
    }

    /// The keys after this one, or all.
    pub(super) fn behind(last: Option<&[u8]>) -> Self {
        use std::ops::Bound::{Excluded, Unbounded};
        Self {
            start: last.map_or(Unbounded, |last| Excluded(last.to_vec())),
            end: Unbounded,
            prefix: 0,
        }
    }

    /// Excludes the keys up to and including this one.
    pub(super) fn start_behind(&mut self, key: &[u8]) {
        self.start = std::ops::Bound::Excluded(key.to_vec());
    }

    /// Excludes the keys from this one on.
    pub(super) fn end_before(&mut self, key: &[u8]) {
        self.end = std::ops::Bound::Excluded(key.to_vec());
    }

    /// The prefix that all keys of the range share.
    pub(super) fn prefix(&self) -> &[u8] {
        use std::ops::Bound::{Excluded, Included, Unbounded};
        match &self.start {
            Included(start) | Excluded(start) => &start[..self.prefix],
            Unbounded => &[],
        }
    }

    pub(super) fn bounds(&self) -> Bounds<'_> {
        (
            self.start.as_ref().map(Vec::as_slice),
            self.end.as_ref().map(Vec::as_slice),
        )
    }
}
