//! Who has a child, as far as it decides what one of them may do.

use super::{ChildAccess, ChildId, Children, store};
use crate::identity::GuardianId;
use crate::kernel::store::{Read, StoreError};

impl Children {
    /// How many guardians have this child.
    pub fn count_guardians(&self, access: &ChildAccess) -> Result<usize, StoreError> {
        let child = access.child;
        self.guardians
            .get(child, |view| Ok(store::guardians_of(view, child)?.len()))
    }

    /// The guardians of a child, for who decides what they have a say in.
    ///
    /// # Errors
    ///
    /// The store's, also when a link cannot be read.
    pub fn guardians_of(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<Vec<GuardianId>, StoreError> {
        store::guardians_of(view, child)
    }

    /// Whether this guardian has the child alone.
    ///
    /// # Errors
    ///
    /// The store's, also when a link cannot be read.
    pub fn has_alone(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        guardian: &GuardianId,
    ) -> Result<bool, StoreError> {
        let guardians = self.guardians_of(view, access.child)?;
        Ok(guardians.as_slice() == [guardian.clone()])
    }

    /// Whether two children have exactly the same guardians.
    ///
    /// # Errors
    ///
    /// The store's, also when a link cannot be read.
    pub fn have_same_guardians(
        &self,
        view: &impl Read,
        one: &ChildAccess,
        other: &ChildAccess,
    ) -> Result<bool, StoreError> {
        super::have_same_guardians(view, one.child, other.child)
    }
}
