//! The whole store as it stood at one moment, read at leisure while others go on writing.
//!
//! sled has no snapshots of its own. But the writer publishes each group of changes in one step, so a moment between two
//! groups is a clean cut, and from then on, for as long as a [`Snapshot`] lives, the writer first notes what stood under each key that it
//! is about to write, unless the reader has passed that key already or it was noted before. What was noted
//! outweighs what the tree says. The reader goes through the tree in steps; a step and the application of
//! writes exclude each other.
//!
//! What is noted is held in memory, and bounded: a reader so slow that the family writes more than
//! [`MOST_NOTED`] meanwhile loses its snapshot and is told so. Writers never wait for a reader longer
//! than one step takes.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::pass::Pass;
use super::{Pairs, Store, StoreError, Tree};

/// How many pairs one step reads: a few milliseconds, for which a writer may have to wait.
const STEP: usize = 512;

/// The most memory, in bytes, that noted values may take.
const MOST_NOTED: usize = 64 * 1024 * 1024;

/// What a noted key takes in memory beside its own bytes, in bytes, roughly.
const OVERHEAD: usize = 96;

/// Why a snapshot could not be read to its end.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SnapshotError {
    /// More was written meanwhile than may be noted.
    #[error(
        "So much was written meanwhile that the state at the start could not be kept any longer. \
         Please try again, to a faster disk or at a quieter time."
    )]
    Outrun,
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sled::Error> for SnapshotError {
    fn from(error: sled::Error) -> Self {
        Self::Store(error.into())
    }
}

/// The snapshots that are being read. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Snapshots(Arc<Mutex<Register>>);

#[derive(Default)]
struct Register {
    last: u64,
    reading: BTreeMap<u64, Notes>,
}

/// What one snapshot must remember.
struct Notes {
    /// The last key that was read: what happens up to it matters no more.
    passed: Bound<Vec<u8>>,
    noted: BTreeMap<Vec<u8>, Option<sled::IVec>>,
    size: usize,
    most: usize,
    outrun: bool,
}

impl Notes {
    fn is_ahead(&self, key: &[u8]) -> bool {
        match &self.passed {
            Bound::Excluded(passed) => key > passed.as_slice(),
            _ => true,
        }
    }

    fn note(&mut self, key: &[u8], before: Option<sled::IVec>) {
        self.size += size(key, before.as_ref());
        self.noted.insert(key.to_vec(), before);
        if self.size > self.most {
            self.outrun = true;
            self.noted = BTreeMap::new();
        }
    }
}

fn size(key: &[u8], value: Option<&sled::IVec>) -> usize {
    key.len() + value.map_or(0, |value| value.len()) + OVERHEAD
}

impl Snapshots {
    fn register(&self) -> MutexGuard<'_, Register> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a snapshot of this moment. The writer publishes a group under the same lock, so it is in there whole or
    /// not at all.
    fn begin(&self, most: usize) -> u64 {
        let mut register = self.register();
        register.last += 1;
        let (passed, noted) = (Bound::Unbounded, BTreeMap::new());
        let notes = Notes {
            passed,
            noted,
            size: 0,
            most,
            outrun: false,
        };
        let id = register.last;
        register.reading.insert(id, notes);
        id
    }

    /// Notes what `publish` is about to change, and publishes it.
    pub fn publishing<'a>(
        &self,
        tree: &Tree,
        keys: impl Iterator<Item = &'a [u8]>,
        publish: impl FnOnce(),
    ) -> Result<(), StoreError> {
        let mut register = self.register();
        if !register.reading.is_empty() {
            let view = tree.read();
            for key in keys {
                let before = view.get(key)?;
                for notes in register.reading.values_mut().filter(|notes| !notes.outrun) {
                    if notes.is_ahead(key) && !notes.noted.contains_key(key) {
                        notes.note(key, before.clone());
                    }
                }
            }
        }
        publish();
        Ok(())
    }

    /// The next pairs of a snapshot, and whether there may be more.
    fn step(&self, id: u64, tree: &Tree) -> Result<(Pairs, bool), SnapshotError> {
        let mut register = self.register();
        let notes = register.reading.get_mut(&id).ok_or(SnapshotError::Outrun)?;
        if notes.outrun {
            return Err(SnapshotError::Outrun);
        }
        let range = (notes.passed.as_ref().map(Vec::as_slice), Bound::Unbounded);
        let read = tree
            .read()
            .range(range)
            .take(STEP)
            .collect::<Result<Vec<_>, _>>()?;
        let goes_on = read.len() == STEP;
        let end = read.last().filter(|_| goes_on).map(|(key, _)| key.to_vec());
        let ahead = match &end {
            Some(end) => {
                let mut ahead = notes.noted.split_off(end);
                // `split_off` keeps the key itself for the later half; it belongs to this one.
                if let Some(before) = ahead.remove(end) {
                    notes.noted.insert(end.clone(), before);
                }
                ahead
            }
            None => BTreeMap::new(),
        };
        let noted = std::mem::replace(&mut notes.noted, ahead);
        notes.size = notes.size.saturating_sub(
            noted
                .iter()
                .map(|(key, before)| size(key, before.as_ref()))
                .sum(),
        );
        match end {
            Some(end) => notes.passed = Bound::Excluded(end),
            // All is read: there is nothing more to note.
            None => drop(register.reading.remove(&id)),
        }
        Ok((overlay(read, noted), goes_on))
    }

    fn end(&self, id: u64) {
        self.register().reading.remove(&id);
    }
}

/// What was read, with what was noted in its place.
fn overlay(
    read: Vec<(sled::IVec, sled::IVec)>,
    noted: BTreeMap<Vec<u8>, Option<sled::IVec>>,
) -> Pairs {
    if noted.is_empty() {
        return read.into();
    }
    let mut pairs = read.into_iter().collect::<BTreeMap<_, _>>();
    for (key, before) in noted {
        match before {
            Some(value) => pairs.insert(key.into(), value),
            None => pairs.remove(key.as_slice()),
        };
    }
    pairs.into_iter().collect()
}

/// The store as it stood when this was made. It costs the writer a little for as long as it lives.
pub struct Snapshot {
    snapshots: Snapshots,
    id: u64,
    tree: Tree,
    pass: Pass,
    ended: bool,
}

impl Snapshot {
    /// The next pairs, in key order; `None` at the end.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::Outrun`], or the store's.
    pub(super) fn step(&mut self) -> Result<Option<Pairs>, SnapshotError> {
        while !self.ended {
            let (pairs, goes_on) = self.snapshots.step(self.id, &self.tree)?;
            self.ended = !goes_on;
            let kept = self.tree.read().kept().clone();
            self.pass
                .met(pairs.iter().map(|(key, _)| key.as_ref()), &kept)?;
            if self.ended {
                self.pass.end(&kept)?;
            }
            if !pairs.is_empty() {
                return Ok(Some(pairs));
            }
        }
        Ok(None)
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        self.snapshots.end(self.id);
    }
}

impl Store {
    /// The store as it stands now, with every change that was acknowledged and none by half.
    pub fn snapshot(&self) -> Snapshot {
        self.snapshot_within(MOST_NOTED)
    }

    /// [`Store::snapshot`] with a limit of one's own on what is noted, in bytes.
    pub(super) fn snapshot_within(&self, most: usize) -> Snapshot {
        let (snapshots, tree) = (self.0.snapshots.clone(), self.0.tree.clone());
        Snapshot {
            id: snapshots.begin(most),
            snapshots,
            tree,
            pass: Pass::default(),
            ended: false,
        }
    }
}

#[cfg(test)]
mod tests;
