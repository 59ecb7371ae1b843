//! What a pass over everything leaves in sled's cache, and how that is let go of.
//!
//! sled counts the uses of pages in 256 shards and looks whether one of them holds too much only after 64 uses. A pass
//! uses each page once. So it leaves up to 64 pages in each shard, 160 MB in all, for as long as nobody uses that shard
//! so often again: for ever, in a family's house. So a pass uses what it meets a few times on its way, which makes it an
//! eighth, and at its end a few pages of each shard as often as it takes.

use super::StoreError;
use super::runs::Runs;

/// How many pages are used again: three for each shard, so that one in twenty has none.
const PAGES: usize = 768;

/// How often: after so many uses sled looks, and one.
const USES: usize = 65;

/// On its way a pass uses the page of one pair of so many. A page has some hundred.
const ONE_OF: usize = 64;

/// How often, beside the use that it is for.
const USES_ON_THE_WAY: usize = 8;

/// Less than so many keys were noted in a pass that leaves little: of a store with 100,000 messages or so.
const FEW: usize = 256;

/// A pass over everything, step by step.
pub(super) struct Pass {
    /// Keys from all over the store.
    keys: Vec<Vec<u8>>,
    /// How many steps there were, and of how many one is noted.
    steps: usize,
    every: usize,
}

impl Default for Pass {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            steps: 0,
            every: 1,
        }
    }
}

impl Pass {
    /// Notes a step, by the keys that it met.
    ///
    /// # Errors
    ///
    /// When a page cannot be read.
    pub fn met<'a>(
        &mut self,
        keys: impl DoubleEndedIterator<Item = &'a [u8]>,
        runs: &Runs,
    ) -> Result<(), StoreError> {
        let mut last = None;
        for key in keys.rev().step_by(ONE_OF) {
            for _ in 0..USES_ON_THE_WAY {
                runs.get(key)?;
            }
            last = last.or(Some(key));
        }
        if let Some(last) = last {
            self.came_to(last);
        }
        Ok(())
    }

    /// Notes how far a step came.
    fn came_to(&mut self, key: &[u8]) {
        if self.steps.is_multiple_of(self.every) {
            self.keys.push(key.to_owned());
        }
        self.steps += 1;
        if self.keys.len() == 2 * PAGES {
            let mut number = 0;
            self.keys.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.every *= 2;
        }
    }

    /// Lets go of what the pass left in memory.
    ///
    /// # Errors
    ///
    /// When a page cannot be read.
    pub fn end(&mut self, runs: &Runs) -> Result<(), StoreError> {
        let Self { keys, .. } = std::mem::take(self);
        if keys.len() < FEW {
            return Ok(());
        }
        for _ in 0..USES {
            for key in &keys {
                runs.get(key)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_that_are_noted_are_from_everywhere_and_not_many() {
        for steps in [1_usize, 700, 5_000, 100_000] {
            let mut pass = Pass::default();
            for step in 0..steps {
                pass.came_to(&step.to_be_bytes());
            }

            let keys = pass.keys.iter();
            let keys = keys.map(|key| usize::from_be_bytes(key.as_slice().try_into().unwrap()));
            let keys = keys.collect::<Vec<_>>();
            assert!(keys.len() >= steps.min(PAGES) && keys.len() < 2 * PAGES);
            let gaps = keys.windows(2).map(|pair| pair[1] - pair[0]);
            let gaps = gaps.collect::<std::collections::BTreeSet<_>>();
            assert!(gaps.len() <= 1, "{steps}: {gaps:?}");
            assert!(steps - keys[keys.len() - 1] <= steps.div_ceil(PAGES) * 2);
        }
    }
}
