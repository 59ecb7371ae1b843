//! What a guardian's pending request to delete a child blocks: the other guardians must be shown exactly what will be deleted.

use super::agreements::RequestKind;
use super::{ChildAccess, ChildId, Children, ChildrenError};
use crate::kernel::store::{Change, Read, StoreError, readable};

/// Proof that conversations of another child may be moved into this one.
#[derive(Debug)]
pub struct Receiving<'a>(&'a ChildAccess);

impl Receiving<'_> {
    pub fn access(&self) -> &ChildAccess {
        self.0
    }
}

impl Children {
    /// Checks that conversations may be moved into this child. Fails with [`ChildrenError::DeletionAsked`], and with
    /// [`ChildrenError::NoSuchChild`] if the child was removed.
    pub fn receiving<'a>(
        &self,
        change: &Change,
        access: &'a ChildAccess,
    ) -> Result<Receiving<'a>, ChildrenError> {
        access.confirm(change)?;
        if self.is_deletion_asked(change, access.child())? {
            Err(ChildrenError::DeletionAsked)
        } else {
            Ok(Receiving(access))
        }
    }

    /// Whether a request to delete the child is pending. A request counts only while the guardian who made it has the child.
    pub(super) fn is_deletion_asked(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<bool, StoreError> {
        let pending = readable(self.pending_request(view, child, RequestKind::Deletion))?;
        // An unreadable request counts: it can still be stopped.
        Ok(pending.is_none_or(|pending| pending.is_some()))
    }
}
