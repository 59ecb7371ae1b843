//! A child's names of the last thirty days: a guardian who must agree to the child's deletion sees the name they know.

use super::{Child, ChildId, Children, ChildrenError, store};
use crate::identity::GuardianId;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Read, StoreError, readable};

impl Children {
    /// Renames a child; `by` is `None` for the administrator. After thirty days no file may contain the old name any more.
    ///
    /// Fails with [`ChildrenError::NoSuchChild`]; for a guardian also with [`ChildrenError::DeletionAsked`] while a request to
    /// delete the child is pending, and with [`ChildrenError::TooManyNames`].
    pub fn rename(
        &self,
        change: &mut Change,
        child: ChildId,
        name: String,
        by: Option<&GuardianId>,
    ) -> Result<Child, ChildrenError> {
        let mut renamed = self.get(change, child)?;
        if by.is_some() && self.is_deletion_asked(change, child)? {
            return Err(ChildrenError::DeletionAsked);
        }
        if renamed.name == name {
            return Ok(renamed);
        }
        let mut former = store::former_names(change, child)?;
        let are_too_many = former.add(renamed.name, &name, by, self.clock.now());
        if are_too_many {
            return Err(ChildrenError::TooManyNames);
        }
        store::put_former_names(change, child, &former)?;
        renamed.name = name;
        store::put(change, &renamed)?;
        store::put_named_by(change, child, by)?;
        change.require_compaction_at_night()?;
        Ok(renamed)
    }

    /// Whether the child got its present name from another guardian, by renaming it. Also `true` if that is unreadable.
    pub fn is_renamed_by_another(
        &self,
        view: &impl Read,
        child: ChildId,
        guardian: &GuardianId,
    ) -> Result<bool, StoreError> {
        let by = readable(store::named_by(view, child))?;
        Ok(by.is_none_or(|by| by.is_some_and(|by| by != *guardian)))
    }

    /// The child's name and its names of the last thirty days, the newest first. Fails with [`ChildrenError::NoSuchChild`].
    pub fn names_of(&self, view: &impl Read, child: ChildId) -> Result<Vec<String>, ChildrenError> {
        let name = self.get(view, child)?.name;
        let former = store::former_names(view, child)?;
        let others = former.recent(&name, self.clock.now());
        Ok([name.clone()].into_iter().chain(others).collect())
    }

    /// The children with names older than thirty days.
    pub fn with_old_names(&self, due: DueBy) -> Result<Vec<ChildId>, StoreError> {
        let mut old = Vec::new();
        for child in store::with_former_names(&self.store)? {
            if store::former_names(&self.store, child)?.has_old(due) {
                old.push(child);
            }
        }
        Ok(old)
    }

    /// Removes names older than thirty days.
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
