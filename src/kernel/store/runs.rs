//! How pairs lie in sled's tree: in runs.
//!
//! sled splits a page at sixteen pairs, however short they are, and keeps some 270 bytes in memory for each page. With a
//! pair of sled's for each of ours, a million messages lay in 250,000 pages that were half full: 60 MB that a server needed before
//! anybody had asked for anything, and a page of 200 messages was read from 25 of them. So pairs that follow one
//! another lie together in one value of sled's, up to [`LONGEST`] bytes of them: a *run*. It stands under
//! [`RUN`] and then the key at which the next one begins: so the run in which a key lies is the first one behind that
//! key. (Under the key at which it begins itself it would have to be looked for backwards, for which sled brings a
//! megabyte into the binary.)
//!
//! To write a pair is to write its run anew, which is why it is done for hundreds of them at once, at a
//! [checkpoint](super::checkpoint). What a run is split into is written in one batch of sled's, which is there whole or not at all. Runs that
//! become short stay so until the store is [written anew](super::rewrite).

use std::collections::BTreeMap;
use std::ops::Bound;

use super::StoreError;
use super::tree::{Bounds, Pair};

/// With this byte begins the key of a run; our own keys begin with the name of a table.
const RUN: u8 = 0xff;

/// The key of the last run, behind everything.
const LAST: &[u8] = &[RUN, u8::MAX];

/// The most bytes in a run, unless one pair alone has more: some seven messages.
pub(super) const LONGEST: usize = 2 * 1024;

/// How many runs, and how many bytes of them, go to sled in one step, or those of one replacement more. sled writes some
/// 4 KiB to its file for each, and with bad luck a whole page of 16. All that a step writes must be less than one of its segments
/// (512 KiB): the header of a segment says that what came before is safe, which sled believes as soon as the system has
/// been handed it. A power cut that leaves such a header, and not that of the segment before, makes sled find an empty store.
const AT_ONCE: usize = 24;
const BYTES_AT_ONCE: usize = 48 * 1024;

/// So many times its bytes counts a run that is longer than [`LONGEST`]: its page is larger, too.
const OF_A_LONG_RUN: usize = 4;

/// How many bytes of one run's writes are brought to it at once, at most a pair more.
const OF_A_RUN: usize = 8 * LONGEST;

/// Before a pair stand the lengths of its key and of its value.
const LENGTHS: usize = 2 + 4;

/// sled's tree, with our pairs in runs. Clones lead to the same one.
#[derive(Clone)]
pub(super) struct Runs(sled::Tree);

impl Runs {
    pub fn of(tree: &sled::Tree) -> Self {
        Self(tree.clone())
    }

    pub fn get(&self, key: &[u8]) -> Result<Option<sled::IVec>, StoreError> {
        let Some((_, run)) = self.around(key)? else {
            return Ok(None);
        };
        for pair in Lying::in_run(&run) {
            let (lying, value) = pair?;
            if lying == key {
                return Ok(Some(value.into()));
            }
        }
        Ok(None)
    }

    /// The pairs in key order. The bounds are not the wrong way round.
    pub fn range<'a>(&self, (start, end): Bounds<'a>) -> Within<'a> {
        let before = match start {
            Bound::Unbounded => run_before(&[]),
            Bound::Included(start) | Bound::Excluded(start) => run_before(start),
        };
        Within {
            runs: self.0.range((Bound::Excluded(before), Bound::Unbounded)),
            run: sled::IVec::default(),
            place: 0,
            start,
            end,
        }
    }

    /// Writes the value under each key, or removes what stands there. The keys ascend. Many runs are written in several
    /// steps, each there whole or not at all, and `stepped` is called after each.
    pub fn apply<'a>(
        &self,
        writes: impl Iterator<Item = (&'a [u8], Option<&'a [u8]>)>,
        stepped: impl Fn() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut writes = writes.peekable();
        let mut batch = Batch::default();
        while let Some((key, _)) = writes.peek() {
            let around = self.around(key)?;
            let (end, run) = around.unwrap_or_else(|| (LAST.into(), Default::default()));
            let is_within = |(key, _): &(&[u8], Option<&[u8]>)| *key < &end[1..];
            let mut taken = 0;
            let own = std::iter::from_fn(|| {
                let next = writes.next_if(|next| taken < OF_A_RUN && is_within(next))?;
                taken += counted(LENGTHS + next.0.len() + next.1.map_or(0, <[u8]>::len));
                Some(next)
            });
            let own = own.collect::<Vec<_>>();
            let goes_on = writes.peek().is_some_and(is_within);
            let mut pairs = Lying::in_run(&run).collect::<Result<BTreeMap<_, _>, _>>()?;
            let last = pairs.last_key_value().map(|(key, _)| *key);
            let appends = own.first().map(|(key, _)| *key) > last;
            for (key, value) in own {
                match value {
                    Some(value) => pairs.insert(key, value),
                    None => pairs.remove(key),
                };
            }
            batch.replace(&end, &pairs, appends);
            // The rest of this run's is brought to what it has become.
            if batch.is_long() || goes_on {
                self.0.apply_batch(std::mem::take(&mut batch).batch)?;
                stepped()?;
            }
        }
        self.0.apply_batch(batch.batch)?;
        stepped()
    }

    /// Lets an empty run end where this key lies, or will. Nothing may lie between the end of the one before and there.
    pub fn divide_at(&self, key: &[u8]) -> Result<(), StoreError> {
        self.0.insert(run_before(key), &[])?;
        Ok(())
    }

    /// Lets sled write as a whole the page of the run that ends there, which it does when the page is in ten pieces. For a
    /// moment the run is empty.
    pub fn settle(&self, key: &[u8]) -> Result<(), StoreError> {
        let key = run_before(key);
        if let Some(run) = self.0.insert(&key, &[])? {
            self.0.insert(&key, run)?;
        }
        Ok(())
    }

    /// The run in which this key lies, if it is anywhere, and its own key.
    fn around(&self, key: &[u8]) -> Result<Option<(sled::IVec, sled::IVec)>, StoreError> {
        Ok(self.0.get_gt(run_before(key))?)
    }
}

/// How many bytes of a run a pair takes.
pub(super) fn size(key: &[u8], value: &[u8]) -> usize {
    LENGTHS + key.len() + value.len()
}

/// The key of the run that ends where this key begins another.
fn run_before(key: &[u8]) -> Vec<u8> {
    [&[RUN], key].concat()
}

/// As how many of the bytes of a step so many count.
fn counted(bytes: usize) -> usize {
    match bytes > LONGEST {
        true => OF_A_LONG_RUN * bytes,
        false => bytes,
    }
}

/// What is written to sled in one step.
#[derive(Default)]
struct Batch {
    batch: sled::Batch,
    runs: usize,
    bytes: usize,
}

impl Batch {
    /// Puts these pairs into the place of the run under `end`: in several, if they are too many for one. Where
    /// pairs were appended more may follow, and all but the last run are filled.
    fn replace(&mut self, end: &[u8], pairs: &BTreeMap<&[u8], &[u8]>, appended: bool) {
        let all = pairs
            .iter()
            .map(|(key, value)| size(key, value))
            .sum::<usize>();
        let longest = match appended {
            true => LONGEST,
            false => all.div_ceil(all.div_ceil(LONGEST).max(1)),
        };
        let mut run = Vec::with_capacity(all.min(LONGEST));
        for (key, value) in pairs {
            if !run.is_empty() && run.len() + size(key, value) > longest {
                self.insert(&run_before(key), &run);
                run.clear();
            }
            let key_length = u16::try_from(key.len()).expect("a key is short");
            let value_length = u32::try_from(value.len()).expect("a value is short");
            run.extend_from_slice(&key_length.to_le_bytes());
            run.extend_from_slice(&value_length.to_le_bytes());
            run.extend_from_slice(key);
            run.extend_from_slice(value);
        }
        match run.is_empty() {
            true => self.remove(end),
            false => self.insert(end, &run),
        }
    }

    fn insert(&mut self, end: &[u8], run: &[u8]) {
        self.runs += 1;
        self.bytes += counted(run.len());
        self.batch.insert(end, run);
    }

    /// To remove a run writes to sled's file, too, and may let sled write a whole page.
    fn remove(&mut self, end: &[u8]) {
        self.runs += 1;
        self.batch.remove(end);
    }

    fn is_long(&self) -> bool {
        self.runs >= AT_ONCE || self.bytes >= BYTES_AT_ONCE
    }
}

/// The pairs that lie in a run.
struct Lying<'a> {
    run: &'a [u8],
    /// Where the next one begins.
    place: usize,
}

impl<'a> Lying<'a> {
    fn in_run(run: &'a [u8]) -> Self {
        Self { run, place: 0 }
    }

    fn read(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        let (lengths, rest) = self.run.get(self.place..)?.split_at_checked(LENGTHS)?;
        let key_length = u16::from_le_bytes(lengths[..2].try_into().ok()?).into();
        let value_length = u32::from_le_bytes(lengths[2..].try_into().ok()?);
        let (key, rest) = rest.split_at_checked(key_length)?;
        let value = rest.get(..usize::try_from(value_length).ok()?)?;
        self.place += LENGTHS + key.len() + value.len();
        Some((key, value))
    }
}

impl<'a> Iterator for Lying<'a> {
    type Item = Result<(&'a [u8], &'a [u8]), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.place == self.run.len() {
            return None;
        }
        let pair = self.read();
        if pair.is_none() {
            // There is nothing behind it that could be found.
            self.place = self.run.len();
        }
        let broken = || StoreError::Unreadable("a run of records ends too early".into());
        Some(pair.ok_or_else(broken))
    }
}

/// The pairs within a range.
pub(super) struct Within<'a> {
    runs: sled::Iter,
    /// The run that is read, and how far.
    run: sled::IVec,
    place: usize,
    start: Bound<&'a [u8]>,
    end: Bound<&'a [u8]>,
}

impl Within<'_> {
    fn is_before(&self, key: &[u8]) -> bool {
        match self.start {
            Bound::Included(start) => key < start,
            Bound::Excluded(start) => key <= start,
            Bound::Unbounded => false,
        }
    }

    fn is_behind(&self, key: &[u8]) -> bool {
        match self.end {
            Bound::Included(end) => key > end,
            Bound::Excluded(end) => key >= end,
            Bound::Unbounded => false,
        }
    }
}

impl Iterator for Within<'_> {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        loop {
            let mut lying = Lying {
                run: &self.run,
                place: self.place,
            };
            let next = lying.next();
            self.place = lying.place;
            match next {
                Some(Ok((key, _))) if self.is_before(key) => {}
                Some(Ok((key, _))) if self.is_behind(key) => return None,
                Some(Ok((key, value))) => return Some(Ok((key.into(), value.into()))),
                Some(Err(error)) => return Some(Err(error)),
                None => match self.runs.next()? {
                    Ok((_, run)) => (self.run, self.place) = (run, 0),
                    Err(error) => return Some(Err(error.into())),
                },
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
