//! Reads who a child's guardians are, for other features' checks.

use super::{ChildAccess, ChildId, Children, store};
use crate::identity::GuardianId;
use crate::kernel::store::{Read, StoreError};

impl Children {
    pub fn count_guardians(&self, access: &ChildAccess) -> Result<usize, StoreError> {
        let child = access.child;
        self.guardians
            .get(child, |view| Ok(store::guardians_of(view, child)?.len()))
    }

    /// For decisions that need every guardian. Fails if a link can't be read.
    pub fn guardians_of(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<Vec<GuardianId>, StoreError> {
        store::guardians_of(view, child)
    }

    /// Whether this guardian is the child's only one. Fails if a link can't be read.
    pub fn is_only_guardian(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        guardian: &GuardianId,
    ) -> Result<bool, StoreError> {
        let guardians = self.guardians_of(view, access.child)?;
        Ok(guardians.as_slice() == [guardian.clone()])
    }

    /// Whether two children have exactly the same guardians. Fails if a link cannot be read.
    pub fn have_same_guardians(
        &self,
        view: &impl Read,
        one: &ChildAccess,
        other: &ChildAccess,
    ) -> Result<bool, StoreError> {
        super::have_same_guardians(view, one.child, other.child)
    }
}
