//! Writing the store anew, so that nothing removed can be read in its files.
//!
//! sled leaves what was removed in its file until it happens to use the place again. So once a child is
//! erased, everything that is left is copied into new files, which then take the place of the old ones. The writer
//! does it in steps between other changes: what leaves for the old files goes to the new ones first, as far as
//! the copy has come, and readers change over between two reads. That it is due is a record of the store's, which the new files
//! don't have: a rewriting that was cut short is done again.

mod stretches;

use std::fs;
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;

use stretches::Stretches;

use super::layout::Folder;
use super::pass::Pass;
use super::runs::Runs;
use super::tree::{Bounds, Recent};
use super::{Change, Range, Read, Store, StoreError, Table, Tree, checkpoint, files};

/// How many pairs one step reads.
const STEP: usize = 256;

/// The rewritings that are due.
pub(super) const DUE: Table = Table::new("rewrite");

/// What is asked of the writer.
pub(super) struct Request {
    /// Hears how many pairs were copied.
    pub progress: Box<dyn Fn(u64) + Send>,
    /// Hears the end.
    pub answer: Box<dyn FnOnce(Result<(), StoreError>) + Send>,
}

/// A rewriting under way.
pub(super) struct Rewriting {
    pub into: Arc<files::Opened>,
    /// The keys that say it is due; they aren't copied.
    due: Vec<Vec<u8>>,
    stretches: Stretches,
    round: Round,
    passed: Bound<Vec<u8>>,
    pub pass: Pass,
    copied: u64,
}

/// What the next step does to a [stretch](stretches) of the store.
enum Round {
    Divide,
    Copy,
    Settle,
}

impl Rewriting {
    /// Opens new files beside those in `current`.
    pub fn begin(current: &Path, tree: &Tree) -> Result<Self, StoreError> {
        let due = Range::below(&DUE.key(), None);
        let due = tree
            .read()
            .range(due.bounds())
            .collect::<Result<Vec<_>, _>>()?;
        let due = due.iter().map(|(key, _)| key.to_vec()).collect();
        let into = files::open_next(current).map_err(|error| match error {
            files::NotOpened::Full => StoreError::Full,
            other => StoreError::Unreadable(format!("{other:?}").into()),
        })?;
        Ok(Self {
            stretches: Stretches::of(Runs::of(&into.tree)),
            into,
            due,
            round: Round::Divide,
            passed: Bound::Unbounded,
            pass: Pass::default(),
            copied: 0,
        })
    }

    /// Does the next step; how many pairs were copied by now, and whether there is more to do.
    pub fn step(&mut self, from: &Tree) -> Result<(u64, bool), StoreError> {
        let goes_on = match self.round {
            Round::Divide => self.divide(from).map(|()| true),
            Round::Copy => self.copy(from),
            Round::Settle => self.settle().map(|()| true),
        };
        Ok((self.copied, goes_on?))
    }

    /// Divides more of the next stretch, for the pairs that it has by now.
    fn divide(&mut self, from: &Tree) -> Result<(), StoreError> {
        let read = next((self.stretches.placed(), Bound::Unbounded), from)?;
        for (key, value) in &read {
            self.stretches.place(key, value)?;
        }
        let is_all = read.len() < STEP;
        if self.stretches.ends(is_all) {
            self.round = Round::Copy;
        }
        Ok(())
    }

    /// Copies the next pairs of the stretch; whether there is more to do.
    fn copy(&mut self, from: &Tree) -> Result<bool, StoreError> {
        let passed = self.passed.as_ref().map(Vec::as_slice);
        let read = next((passed, self.stretches.end()), from)?;
        if let Some((last, _)) = read.last() {
            self.passed = Bound::Excluded(last.to_vec());
        }
        let kept = from.read().kept().clone();
        self.pass
            .met(read.iter().map(|(key, _)| key.as_ref()), &kept)?;
        let pairs = read.iter().filter(|(key, _)| !self.is_due(key));
        let pairs = pairs.map(|(key, value)| (key.as_ref(), Some(value.as_ref())));
        let copied = pairs.clone().count() as u64;
        Runs::of(&self.into.tree).apply(pairs, || Ok(()))?;
        self.copied += copied;
        if read.len() == STEP {
            return Ok(true);
        }
        self.round = Round::Settle;
        Ok(!(self.stretches.are_all() && self.stretches.are_settled()))
    }

    /// Settles more of what was copied. Once all is, there may be pairs that were written behind the last one meanwhile.
    fn settle(&mut self) -> Result<(), StoreError> {
        self.stretches.settle_some()?;
        if self.stretches.are_settled() {
            // The place of what was replaced is used again once what replaced it has been handed to the system.
            self.into.db.flush()?;
            self.round = match self.stretches.are_all() {
                true => Round::Copy,
                false => Round::Divide,
            };
        }
        Ok(())
    }

    /// Does to the copy what was done to the original since the last checkpoint began, as far as it was copied.
    pub fn follow(&self, recent: &Recent) -> Result<(), StoreError> {
        let Bound::Excluded(passed) = &self.passed else {
            return Ok(());
        };
        let copied = (Bound::Unbounded, Bound::Included(passed.as_slice()));
        let copied = recent.range::<[u8], _>(copied);
        let copied = copied.map(|(key, value)| (key.as_slice(), value.as_deref()));
        let copied = copied.filter(|(key, _)| !self.is_due(key));
        Runs::of(&self.into.tree).apply(copied, || Ok(()))
    }

    /// Whether this key says that a rewriting was due when this one began.
    fn is_due(&self, key: &[u8]) -> bool {
        self.due.iter().any(|due| due.as_slice() == key)
    }

    /// Makes sure that the copy is on the disk, and counts as so many checkpoints.
    pub fn sync(&self, checkpoints: u64) -> Result<(), StoreError> {
        let failed = |error: std::io::Error| StoreError::Unreadable(error.to_string().into());
        // Among the records it was copied; where a start looks for it, it must be said again.
        if let Some(folder) = Folder::recorded_in(&self.into)? {
            Folder::new(folder.demo).state_in(&self.into)?;
        }
        checkpoint::count(&self.into, checkpoints)?;
        self.into.file.sync_all().map_err(failed)?;
        files::sync(&self.into.path).map_err(failed)
    }
}

/// The next pairs of these.
fn next(of: Bounds<'_>, from: &Tree) -> Result<Vec<(sled::IVec, sled::IVec)>, StoreError> {
    from.read().range(of).take(STEP).collect()
}

/// Lets go of what the rewriting left in memory.
pub(super) fn let_go(mut pass: Pass, runs: Runs) {
    in_a_thread("store-rewritten", move || {
        if let Err(error) = pass.end(&runs) {
            tracing::warn!(
                ?error,
                "the store was written anew, and a part of it can't be read"
            );
        }
    });
}

/// Lets go of files that were replaced, in a thread of its own: sled's destructor hung once in thirty-five runs.
pub(super) fn retire(old: Arc<files::Opened>) {
    remove(&old);
    in_a_thread("store-retired", move || drop(old));
}

fn in_a_thread(name: &str, let_go: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name(name.into());
    if let Err(error) = thread.spawn(let_go) {
        tracing::warn!(%error, "no thread to let go of what a rewriting left");
    }
}

/// Removes files that don't count, which may still be open.
pub(super) fn remove(files: &files::Opened) {
    if let Err(error) = fs::remove_dir_all(&files.path) {
        tracing::warn!(%error, "old files of the store could not be removed; the next start does it");
    }
}

impl Change {
    /// Notes that something was removed that nobody shall find in the store's files, and drops what was remembered of it.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn ask_for_rewrite(&mut self) -> Result<(), StoreError> {
        self.drop_stale_answers();
        // Beyond those that are due already, which a rewriting under way may be about to settle. No counter is needed, and
        // so none that cannot be read keeps a child from being erased.
        let all = DUE.key();
        let due = self.keys_below(&all, usize::MAX)?;
        let last = due
            .last()
            .and_then(|key| key.components_below(&all).number());
        let number = last.unwrap_or(0) + 1;
        self.put(&all.number(number), &number)
    }
}

impl Store {
    /// Whether something was removed that can still be found in the store's files.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn is_rewrite_due(&self) -> Result<bool, StoreError> {
        Ok(!self
            .stored_range(Range::below(&DUE.key(), None), 1)?
            .is_empty())
    }

    /// Writes the store anew. `progress` hears how many records were copied. Reading and writing go on.
    ///
    /// # Errors
    ///
    /// The store's; it stays as it was then, and the rewriting stays due.
    pub async fn rewrite(&self, progress: impl Fn(u64) + Send + 'static) -> Result<(), StoreError> {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        self.0.writer.rewrite(Request {
            progress: Box::new(progress),
            answer: Box::new(move |outcome| {
                let _ = sender.send(outcome);
            }),
        })?;
        receiver.await.map_err(|_| StoreError::Unavailable)?
    }
}

#[cfg(test)]
mod tests;
