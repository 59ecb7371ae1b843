//! Reads from the store in steps, between which the writer can run.

use bytes::Bytes;

use super::lsm::Pair;
use super::{Range, Read, Store, StoreError};

/// The number of pairs that a reader reads while the writer waits: a longer range is read in several steps, each consistent
/// in itself.
const READ_STEP: usize = 512;

impl Read for Store {
    fn stored(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        self.0.lsm.get(key)
    }

    fn stored_range(&self, mut range: Range, limit: usize) -> Result<Vec<Pair>, StoreError> {
        let mut pairs = Vec::new();
        loop {
            let step = READ_STEP.min(limit - pairs.len());
            let read = self.0.lsm.range(range.bounds(), step)?;
            let is_last = read.len() < READ_STEP;
            pairs.extend(read);
            match pairs.last() {
                Some((last, _)) if !is_last && pairs.len() < limit => range.start_behind(last),
                _ => return Ok(pairs),
            }
        }
    }

    fn stored_range_back(&self, mut range: Range, limit: usize) -> Result<Vec<Pair>, StoreError> {
        let mut pairs = Vec::new();
        loop {
            let step = READ_STEP.min(limit - pairs.len());
            let read = self.0.lsm.range_back(range.bounds(), step)?;
            let is_last = read.len() < READ_STEP;
            pairs.extend(read);
            match pairs.last() {
                Some((first, _)) if !is_last && pairs.len() < limit => range.end_before(first),
                _ => return Ok(pairs),
            }
        }
    }
}
