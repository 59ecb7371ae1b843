//! How much is stored of a child's sessions, shown before it is deleted.

use super::{Transcripts, store};
use crate::children::{ChildAccess, ChildId, SessionId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError};

/// A child's sessions, including hidden ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    pub sessions: u64,
    /// When the first session began, or was first received.
    pub first: Option<Timestamp>,
    /// When the last session began, or was first received.
    pub last: Option<Timestamp>,
}

impl Transcripts {
    /// The sessions of a child, hidden ones included, also unreadable ones.
    pub fn all_numbers(
        &self,
        view: &impl Read,
        access: &ChildAccess,
    ) -> Result<Vec<SessionId>, StoreError> {
        store::all_numbers(view, access.child())
    }

    /// If the session that is erased next with its child was opened for another child: the session and that child.
    pub fn next_from_another(
        &self,
        view: &impl Read,
        access: &ChildAccess,
    ) -> Result<Option<(SessionId, ChildId)>, StoreError> {
        store::next_from_another(view, access.child())
    }

    /// Works on keys only, so unreadable sessions count too.
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
