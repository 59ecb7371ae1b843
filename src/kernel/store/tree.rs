//! What the store holds, as it is read: sled's tree, over it what a checkpoint is about to bring there, and over both what
//! was written since.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::StoreError;
use super::runs::Runs;
use super::writer::Writes;

/// What was written between two moments: the value under each key, or nothing where one was removed. All
/// of it is in the [journal](super::journal), or will be before anybody is told.
pub(super) type Recent = BTreeMap<Vec<u8>, Option<sled::IVec>>;

/// A stored pair, or why it can't be read.
pub(super) type Pair = Result<(sled::IVec, sled::IVec), StoreError>;

/// Both ends of a range of keys.
pub(super) type Bounds<'a> = (Bound<&'a [u8]>, Bound<&'a [u8]>);

/// The one tree. Clones lead to the same one.
///
/// A reader holds the guard for as long as it reads, so it finds each change whole or not at all, and a tree that
/// was replaced is let go by whoever replaced it and never in the middle of a request.
#[derive(Clone)]
pub(super) struct Tree(Arc<RwLock<View>>);

/// What stands in the tree at one moment.
pub(super) struct View {
    kept: Runs,
    /// What a checkpoint is about to bring to `kept`, which may have a part of it.
    leaving: Arc<Recent>,
    /// What was written since that checkpoint began.
    recent: Recent,
}

impl Tree {
    pub fn new(kept: Runs, leaving: Recent, recent: Recent) -> Self {
        let leaving = Arc::new(leaving);
        let view = View {
            kept,
            leaving,
            recent,
        };
        Self(Arc::new(RwLock::new(view)))
    }

    pub fn read(&self) -> RwLockReadGuard<'_, View> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows these writes to all who read from now on.
    pub fn write(&self, writes: &Writes) {
        let writes = writes
            .iter()
            .map(|(key, value)| (key.clone(), value.as_deref().map(sled::IVec::from)));
        let writes = writes.collect::<Vec<_>>();
        self.change().recent.extend(writes);
    }

    /// Lets all that was written leave for sled's tree. What left before is there.
    pub fn let_leave(&self) {
        let mut view = self.change();
        view.leaving = Arc::new(std::mem::take(&mut view.recent));
    }

    /// Forgets what has left: sled's tree has it.
    pub fn let_go(&self) {
        let left = std::mem::take(&mut self.change().leaving);
        drop(left);
    }

    /// Goes on with this tree of sled's, which holds all that could be read here.
    pub fn replace(&self, kept: Runs) {
        let view = View {
            kept,
            leaving: Arc::default(),
            recent: Recent::new(),
        };
        let replaced = std::mem::replace(&mut *self.change(), view);
        drop(replaced);
    }

    fn change(&self) -> RwLockWriteGuard<'_, View> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl View {
    pub fn get(&self, key: &[u8]) -> Result<Option<sled::IVec>, StoreError> {
        match self.recent.get(key).or_else(|| self.leaving.get(key)) {
            Some(value) => Ok(value.clone()),
            None => self.kept.get(key),
        }
    }

    /// The pairs in key order. The bounds are not the wrong way round.
    pub fn range(&self, bounds: Bounds<'_>) -> impl Iterator<Item = Pair> {
        let [recent, leaving] = [&self.recent, &*self.leaving].map(|writes| {
            let within = writes.range::<[u8], _>(bounds);
            within.map(|(key, value)| (key.as_slice(), value.clone()))
        });
        overlaid(recent, overlaid(leaving, self.kept.range(bounds)))
    }

    /// sled's tree.
    pub fn kept(&self) -> &Runs {
        &self.kept
    }

    /// What a checkpoint is about to bring to sled's tree.
    pub fn leaving(&self) -> &Arc<Recent> {
        &self.leaving
    }

    /// All that was written since.
    pub fn recent(&self) -> &Recent {
        &self.recent
    }
}

/// The pairs of both in key order. What `over` has under a key, if only that nothing stands there, outweighs `under`.
pub(super) fn overlaid<'a>(
    over: impl Iterator<Item = (&'a [u8], Option<sled::IVec>)>,
    under: impl Iterator<Item = Pair>,
) -> impl Iterator<Item = Pair> {
    let (mut over, mut under) = (over.peekable(), under.peekable());
    std::iter::from_fn(move || {
        loop {
            let order = match (over.peek(), under.peek()) {
                (None, _) | (_, Some(Err(_))) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some((key, _)), Some(Ok((below, _)))) => (*key).cmp(below),
            };
            if order == Ordering::Greater {
                return under.next();
            }
            if order == Ordering::Equal {
                under.next();
            }
            let (key, value) = over.next()?;
            if let Some(value) = value {
                return Some(Ok((key.into(), value)));
            }
        }
    })
}
