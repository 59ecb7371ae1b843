//! What must not change about a child while a guardian's request to delete it stands: what the other guardians are shown is
//! what is deleted.

use super::{ChildAccess, ChildId, Children, ChildrenError, store};
use crate::kernel::store::{Change, Read, StoreError};

/// The proof that conversations of another child may be moved into this one.
#[derive(Debug)]
pub struct Receiving<'a>(&'a ChildAccess);

impl Receiving<'_> {
    /// The proof that the caller may see and change the child's data.
    pub fn access(&self) -> &ChildAccess {
        self.0
    }
}

impl Children {
    /// The proof that conversations may be moved into this child.
    ///
    /// # Errors
    ///
    /// [`ChildrenError::DeletionAsked`], and [`ChildrenError::NoSuchChild`] when it was removed.
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

    /// Whether a request to delete the child stands. It counts only while the guardian who made it has the child.
    pub(super) fn is_deletion_asked(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<bool, StoreError> {
        match store::who_asked_to_delete(view, child) {
            Ok(Some(by)) => Ok(store::guardians_of(view, child)?.contains(&by)),
            Ok(None) => Ok(false),
            // Whoever made it, it can be stopped.
            Err(StoreError::Unreadable(_)) => Ok(true),
            Err(error) => Err(error),
        }
    }
}
