//! How far a long operation has come.

use serde::{Deserialize, Serialize};

/// How far a long operation has come.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// How much is done.
    pub done: u64,
    /// How much there is; zero when nobody knows.
    pub total: u64,
}

/// Where progress is told.
pub type OnProgress<'a> = &'a (dyn Fn(Progress) + Sync);
