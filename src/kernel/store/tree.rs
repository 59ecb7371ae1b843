//! The one tree, which a rewritten one can take the place of while others read.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// The tree in use. Clones lead to the same one.
///
/// A reader holds the guard for as long as it reads, so that a tree that was replaced is let go by whoever
/// replaced it and never in the middle of a request.
#[derive(Clone)]
pub(super) struct Tree(Arc<RwLock<sled::Tree>>);

impl Tree {
    pub fn new(tree: sled::Tree) -> Self {
        Self(Arc::new(RwLock::new(tree)))
    }

    pub fn read(&self) -> RwLockReadGuard<'_, sled::Tree> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts another tree, of the same content, in this one's place.
    pub fn replace(&self, tree: sled::Tree) -> sled::Tree {
        let mut place = self.0.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut place, tree)
    }
}
