//! A child's names of the last thirty days, so that who is asked whether the child may be deleted sees under which name they
//! knew it.

use super::{Child, ChildId, Children, ChildrenError, store};
use crate::kernel::due::DueBy;
use crate::kernel::store::{Change, Read, StoreError};

/// Who gives a child another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenamedBy {
    /// The administrator.
    Administrator,
    /// A guardian, who cannot change what another one was asked about.
    Guardian,
}

impl Children {
    /// Gives a child another name. No file shall hold the old one any more after thirty days.
    ///
    /// # Errors
    ///
    /// [`ChildrenError::NoSuchChild`]; for a guardian also [`ChildrenError::DeletionAsked`] and
    /// [`ChildrenError::TooManyNames`].
    pub fn rename(
        &self,
        change: &mut Change,
        child: ChildId,
        name: String,
        by: RenamedBy,
    ) -> Result<Child, ChildrenError> {
        let mut renamed = self.get(change, child)?;
        if by == RenamedBy::Guardian && self.is_deletion_asked(change, child)? {
            return Err(ChildrenError::DeletionAsked);
        }
        if renamed.name == name {
            return Ok(renamed);
        }
        let mut former = store::former_names(change, child)?;
        let are_too_many = former.add(renamed.name, &name, self.clock.now());
        if are_too_many && by == RenamedBy::Guardian {
            return Err(ChildrenError::TooManyNames);
        }
        store::put_former_names(change, child, &former)?;
        renamed.name = name;
        store::put(change, &renamed)?;
        change.require_compaction_at_night()?;
        Ok(renamed)
    }

    /// The child's name and those that it had in the last thirty days, the last one first.
    /// Fails with [`ChildrenError::NoSuchChild`].
    pub fn names_of(&self, view: &impl Read, child: ChildId) -> Result<Vec<String>, ChildrenError> {
        let name = self.get(view, child)?.name;
        let former = store::former_names(view, child)?;
        let others = former.recent(&name, self.clock.now());
        Ok([name.clone()].into_iter().chain(others).collect())
    }

    /// The children with names that were kept for their time.
    pub fn with_old_names(&self, due: DueBy) -> Result<Vec<ChildId>, StoreError> {
        let mut old = Vec::new();
        for child in store::with_former_names(&self.store)? {
            if store::former_names(&self.store, child)?.has_old(due) {
                old.push(child);
            }
        }
        Ok(old)
    }

    /// Removes the names that were kept for their time.
    pub fn drop_old_names(
        &self,
        change: &mut Change,
        child: ChildId,
        due: DueBy,
    ) -> Result<(), StoreError> {
        let mut former = store::former_names(change, child)?;
        former.drop_old(due);
        store::put_former_names(change, child, &former)?;
        change.require_compaction_at_night()
    }
}
