//! What an assistant's key may write, checked inside the change that writes it.

use super::{ChildAccess, ChildId, Children, ChildrenError, store};
use crate::identity::{AssistantId, Caller, GuardianId, SignedAssistant};
use crate::kernel::store::{Change, Read, StoreError};

/// Proof that an assistant's key covers this child. It is valid only for the change that it was made in.
#[derive(Debug)]
pub struct AssistantAccess {
    child: ChildAccess,
    assistant: AssistantId,
    made_by: Option<GuardianId>,
}

impl AssistantAccess {
    pub fn child(&self) -> &ChildAccess {
        &self.child
    }

    pub fn assistant(&self) -> &AssistantId {
        &self.assistant
    }

    /// The guardian who connected the assistant; `None` for the administrator, and when it cannot be read.
    pub fn made_by(&self) -> Option<&GuardianId> {
        self.made_by.as_ref()
    }

    /// Returns the access to another child with exactly the same guardians: a session that was moved there stays within the key's
    /// reach. `None` if the guardians differ or there is no such child. Fails if a link to a guardian cannot be read.
    pub fn follow_to(
        &self,
        change: &Change,
        child: ChildId,
    ) -> Result<Option<ChildAccess>, StoreError> {
        let is_within = child == self.child.child()
            || store::contains(change, child)?
                && have_same_guardians(change, self.child.child(), child)?;
        Ok(is_within.then_some(ChildAccess {
            child,
            reserved: false,
        }))
    }
}

impl Children {
    /// Checks, as the change sees it, that an assistant's key covers this child. Fails with [`ChildrenError::NoSuchChild`], also
    /// for a child of other guardians.
    pub fn of_assistant(
        &self,
        change: &Change,
        assistant: &SignedAssistant,
        child: ChildId,
    ) -> Result<AssistantAccess, ChildrenError> {
        let caller = Caller::Assistant(assistant.id().clone());
        Ok(AssistantAccess {
            child: self.access_in(change, &caller, child)?,
            assistant: assistant.id().clone(),
            made_by: assistant.made_by().cloned(),
        })
    }
}

/// Whether two children have exactly the same guardians. Fails if a link cannot be read.
pub fn have_same_guardians(
    view: &impl Read,
    one: ChildId,
    other: ChildId,
) -> Result<bool, StoreError> {
    // Both lists are sorted by the guardian's id.
    Ok(store::guardians_of(view, one)? == store::guardians_of(view, other)?)
}

/// Whether all guardians of `child` are also guardians of `with`. Fails if a link cannot be read.
pub fn shares_all_guardians(
    view: &impl Read,
    child: ChildId,
    with: ChildId,
) -> Result<bool, StoreError> {
    let others = store::guardians_of(view, with)?;
    let guardians = store::guardians_of(view, child)?;
    Ok(guardians.iter().all(|guardian| others.contains(guardian)))
}
