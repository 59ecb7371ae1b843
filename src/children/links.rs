//! Who has which child: the links between callers and children.

use super::{Children, ChildrenError, store};
use crate::children::ChildId;
use crate::identity::Caller;
use crate::kernel::store::{Change, Read, StoreError};

/// How many guardians a child has at most.
pub const MOST_GUARDIANS: usize = 8;

impl Children {
    /// Everybody who has a child, for the administrator, whatever can be read of the links.
    pub fn callers_of(&self, view: &impl Read, child: ChildId) -> Result<Vec<Caller>, StoreError> {
        store::linked_callers(view, child)
    }

    /// The children that a caller has, for the administrator, whatever can be read of the links.
    pub fn numbers_of(
        &self,
        view: &impl Read,
        caller: &Caller,
    ) -> Result<Vec<ChildId>, StoreError> {
        store::linked_children(view, caller)
    }

    /// The children that a caller may see, in this view. A link that cannot be read grants nothing.
    ///
    /// # Errors
    ///
    /// The store's, also when one of the links cannot be read.
    pub fn seen_by(&self, view: &impl Read, caller: &Caller) -> Result<Vec<ChildId>, StoreError> {
        store::children_of(view, caller)
    }

    /// Gives a caller a child. Doing so twice is doing so once.
    /// Fails with [`ChildrenError::NoSuchChild`], and [`ChildrenError::EnoughGuardians`].
    pub fn link(
        &self,
        change: &mut Change,
        child: ChildId,
        caller: &Caller,
    ) -> Result<(), ChildrenError> {
        self.get(change, child)?;
        if matches!(caller, Caller::Guardian(_))
            && !store::has(change, caller, child)?
            && self.has_enough_guardians(change, child)?
        {
            return Err(ChildrenError::EnoughGuardians);
        }
        Ok(store::link(change, child, caller)?)
    }

    /// Whether the child has as many guardians as a child may have.
    pub fn has_enough_guardians(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<bool, StoreError> {
        Ok(store::guardians_of(view, child)?.len() >= MOST_GUARDIANS)
    }

    /// Takes a child from a caller; whether they had it.
    pub fn unlink(
        &self,
        change: &mut Change,
        child: ChildId,
        caller: &Caller,
    ) -> Result<bool, StoreError> {
        store::unlink(change, child, caller)
    }

    /// Takes all children from a caller who is being removed.
    pub fn unlink_all(&self, change: &mut Change, caller: &Caller) -> Result<(), StoreError> {
        for child in store::linked_children(change, caller)? {
            store::unlink(change, child, caller)?;
        }
        Ok(())
    }
}
