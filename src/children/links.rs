//! The links between callers and children: who has access to which child.

use super::{Children, ChildrenError, store};
use crate::children::{AssistantAccess, ChildId};
use crate::identity::{AssistantId, Caller};
use crate::kernel::store::{Change, Read, StoreError};

pub const MOST_GUARDIANS: usize = 8;

impl Children {
    /// For the administrator: includes callers whose link cannot be read.
    pub fn callers_of(&self, view: &impl Read, child: ChildId) -> Result<Vec<Caller>, StoreError> {
        store::linked_callers(view, child)
    }

    /// For the administrator: includes children whose link cannot be read.
    pub fn linked_to(&self, view: &impl Read, caller: &Caller) -> Result<Vec<ChildId>, StoreError> {
        store::linked_children(view, caller)
    }

    /// The children that share an assistant's key; `None` if it is for one child only. Includes children whose link cannot be read.
    pub fn sharing(
        &self,
        view: &impl Read,
        assistant: &AssistantId,
    ) -> Result<Option<Vec<ChildId>>, StoreError> {
        let children = self.linked_to(view, &Caller::Assistant(assistant.clone()))?;
        Ok((children.len() > 1).then_some(children))
    }

    /// The children that a caller may see, in this view. Fails if a link cannot be read: such a link grants nothing.
    pub fn visible_to(
        &self,
        view: &impl Read,
        caller: &Caller,
    ) -> Result<Vec<ChildId>, StoreError> {
        store::children_of(view, caller)
    }

    /// Whether an assistant is the only one of its child.
    pub fn is_only_assistant(
        &self,
        view: &impl Read,
        access: &AssistantAccess,
    ) -> Result<bool, StoreError> {
        let callers = store::linked_callers(view, access.child().child())?;
        let is_other =
            |caller: &Caller| matches!(caller, Caller::Assistant(id) if id != access.assistant());
        Ok(!callers.iter().any(is_other))
    }

    /// Links a caller to a child. Idempotent. Fails with [`ChildrenError::NoSuchChild`] and [`ChildrenError::EnoughGuardians`].
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

    pub fn has_enough_guardians(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<bool, StoreError> {
        Ok(store::guardians_of(view, child)?.len() >= MOST_GUARDIANS)
    }

    /// Returns whether the caller had the child.
    pub fn unlink(
        &self,
        change: &mut Change,
        child: ChildId,
        caller: &Caller,
    ) -> Result<bool, StoreError> {
        store::unlink(change, child, caller)
    }

    /// Removes all links of a caller who is being removed.
    pub fn unlink_all(&self, change: &mut Change, caller: &Caller) -> Result<(), StoreError> {
        for child in store::linked_children(change, caller)? {
            store::unlink(change, child, caller)?;
        }
        Ok(())
    }
}
