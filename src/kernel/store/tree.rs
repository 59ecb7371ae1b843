//! What the store holds, as it is read: sled's tree, and over it what was written since the last checkpoint.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use super::StoreError;
use super::runs::Runs;
use super::writer::Writes;

/// What was written since the last checkpoint: the value under each key, or nothing where one was removed. All
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
    recent: Recent,
}

impl Tree {
    pub fn new(kept: Runs, recent: Recent) -> Self {
        Self(Arc::new(RwLock::new(View { kept, recent })))
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
        let mut view = self.0.write().unwrap_or_else(PoisonError::into_inner);
        view.recent.extend(writes);
    }

    /// Goes on with this tree of sled's, which holds all that could be read here.
    pub fn replace(&self, kept: Runs) {
        let mut view = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let replaced = std::mem::replace(
            &mut *view,
            View {
                kept,
                recent: Recent::new(),
            },
        );
        drop(view);
        drop(replaced);
    }
}

impl View {
    pub fn get(&self, key: &[u8]) -> Result<Option<sled::IVec>, StoreError> {
        match self.recent.get(key) {
            Some(value) => Ok(value.clone()),
            None => self.kept.get(key),
        }
    }

    /// The pairs in key order. The bounds are not the wrong way round.
    pub fn range(&self, bounds: Bounds<'_>) -> impl Iterator<Item = Pair> {
        let recent = self.recent.range::<[u8], _>(bounds);
        let recent = recent.map(|(key, value)| (key.as_slice(), value.clone()));
        overlaid(recent, self.kept.range(bounds))
    }

    /// All that was written since the last checkpoint.
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
