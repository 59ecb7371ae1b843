//! The progress of long operations.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Progress {
    pub done: u64,
    /// Zero if it is unknown.
    pub total: u64,
}

/// The callback for progress.
pub type OnProgress<'a> = &'a (dyn Fn(Progress) + Sync);
