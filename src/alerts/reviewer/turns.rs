//! Whose turn it is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::children::ChildId;

/// Whose turn it was. Clones share it.
#[derive(Clone, Default)]
pub struct FairScheduler {
    /// One conversation at a time.
    pub alone: Arc<tokio::sync::Mutex<()>>,
    last: Arc<Mutex<(u64, HashMap<ChildId, u64>)>>,
}

impl FairScheduler {
    /// When the child had its last turn; 0 without one.
    pub fn last_of(&self, child: ChildId) -> u64 {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.1.get(&child).copied().unwrap_or(0)
    }

    pub fn record(&self, child: ChildId) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.0 += 1;
        let turn = last.0;
        last.1.insert(child, turn);
    }
}
