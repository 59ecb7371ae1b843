//! How much is kept of a child's sessions, for who decides whether it may be deleted.

use super::{Transcripts, store};
use crate::children::ChildAccess;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Read, StoreError};

/// A child's sessions, hidden ones too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// How many there are.
    pub sessions: u64,
    /// When the first began, or was first heard of.
    pub first: Option<Timestamp>,
    /// When the last began, or was first heard of.
    pub last: Option<Timestamp>,
}

impl Transcripts {
    /// How many sessions the child has, and from when to when. None of them has to be readable.
    pub fn extent(&self, view: &impl Read, access: &ChildAccess) -> Result<Extent, StoreError> {
        let mut extent = Extent::default();
        for placed_at in store::places(view, access.child())? {
            extent.sessions += 1;
            extent.first = extent.first.into_iter().chain(placed_at).min();
            extent.last = extent.last.into_iter().chain(placed_at).max();
        }
        Ok(extent)
    }
}
