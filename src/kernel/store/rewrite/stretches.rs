//! In what order a store is written anew, so that its files are little larger than what they hold.
//!
//! sled appends to its file what changes in a page, and after ten such pieces the page as a whole. A page with
//! seventeen pairs it writes in two, and the one above them as well. So when runs were put in one after the other, each was
//! written some five times. The place of what was replaced is used again only when half of 512 KiB is of no
//! more use, and the files came to 2.2 times the size of what they hold.
//!
//! So a stretch of runs is written in three rounds. It is divided into runs that are empty, which makes the pages. Then what
//! lies in them is copied, and no page has to be written in two. Then each page is settled: written as a whole, as one in
//! ten pieces is read from ten places, and sled keeps in memory where each of them is. With that all that came before is
//! replaced, and its place is used for the next stretch.

use std::collections::VecDeque;
use std::ops::Bound;

use crate::kernel::store::StoreError;
use crate::kernel::store::runs::{self, Runs};

/// How many bytes are a stretch, at least: four of sled's segments. With half as many or twice as many the files of
/// 48 sessions that were changed for a minute came out larger.
const LONG: usize = 2 * 1024 * 1024;

/// How many runs come to lie in a page when they are put in by their order: of seventeen sled leaves nine in the first
/// page. Were it otherwise, the files would only be larger.
const OF_A_PAGE: usize = 9;

/// How many pages are settled at once.
const PAGES_AT_ONCE: usize = 16;

/// The stretches of a store, as far as they were divided.
pub(super) struct Stretches {
    runs: Runs,
    /// The last pair that was placed in the stretch that is divided.
    placed: Option<Vec<u8>>,
    /// How many bytes the run has in which it was placed.
    filled: usize,
    /// Where the last run ends.
    end: Option<Vec<u8>>,
    /// Whether the stretch is the last one. It has no end.
    is_last: bool,
    /// How many bytes were placed in the stretch that is divided.
    length: usize,
    /// How many runs there are.
    divided: usize,
    /// Where a run ends in each page that isn't settled.
    unsettled: VecDeque<Vec<u8>>,
}

impl Stretches {
    /// Those of a store with nothing in it.
    pub fn of(runs: Runs) -> Self {
        Self {
            runs,
            placed: None,
            filled: 0,
            end: None,
            is_last: false,
            length: 0,
            divided: 0,
            unsettled: VecDeque::new(),
        }
    }

    /// Behind what the next pair is placed.
    pub fn placed(&self) -> Bound<&[u8]> {
        match (&self.placed, &self.end) {
            (Some(placed), _) => Bound::Excluded(placed),
            (None, Some(end)) => Bound::Included(end),
            (None, None) => Bound::Unbounded,
        }
    }

    /// Makes a place for the next pair.
    pub fn place(&mut self, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        let size = runs::size(key, value);
        if self.filled > 0 && self.filled + size > runs::LONGEST {
            self.divide_at(key)?;
        }
        self.filled += size;
        self.length += size;
        self.placed = Some(key.to_owned());
        Ok(())
    }

    fn divide_at(&mut self, key: &[u8]) -> Result<(), StoreError> {
        self.runs.divide_at(key)?;
        if self.divided % OF_A_PAGE == OF_A_PAGE / 2 {
            self.unsettled.push_back(key.to_owned());
        }
        self.divided += 1;
        self.filled = 0;
        self.end = Some(key.to_owned());
        Ok(())
    }

    /// Whether the stretch that is divided is as long as it shall be, or ends where the store does. What was placed behind
    /// its last run is placed again in the next.
    pub fn ends(&mut self, with_the_store: bool) -> bool {
        self.is_last = with_the_store;
        let ends = with_the_store || self.length >= LONG;
        if ends {
            (self.placed, self.filled, self.length) = (None, 0, 0);
        }
        ends
    }

    /// Where the last stretch ends.
    pub fn end(&self) -> Bound<&[u8]> {
        match &self.end {
            Some(end) if !self.is_last => Bound::Excluded(end),
            _ => Bound::Unbounded,
        }
    }

    /// Whether the last stretch was divided, too.
    pub fn are_all(&self) -> bool {
        self.is_last
    }

    /// Whether every page is settled.
    pub fn are_settled(&self) -> bool {
        self.unsettled.is_empty()
    }

    /// Settles the next pages. What lies in them was copied.
    pub fn settle_some(&mut self) -> Result<(), StoreError> {
        let next = self.unsettled.len().min(PAGES_AT_ONCE);
        for run in self.unsettled.drain(..next) {
            self.runs.settle(&run)?;
        }
        Ok(())
    }
}
