//! What an assistant's key may write, asked inside the change that writes it.

use super::{ChildAccess, ChildId, Children, ChildrenError, store};
use crate::identity::{AssistantId, Caller, GuardianId, SignedAssistant};
use crate::kernel::store::{Change, Read, StoreError};

/// The proof that an assistant's key is for this child. It is made inside a change, and for that change alone.
#[derive(Debug)]
pub struct AssistantAccess {
    child: ChildAccess,
    assistant: AssistantId,
    made_by: Option<GuardianId>,
}

impl AssistantAccess {
    /// The child that the key is for.
    pub fn child(&self) -> &ChildAccess {
        &self.child
    }

    /// Which assistant.
    pub fn assistant(&self) -> &AssistantId {
        &self.assistant
    }

    /// The guardian who connected the assistant; `None` for the administrator, and when it cannot be read.
    pub fn made_by(&self) -> Option<&GuardianId> {
        self.made_by.as_ref()
    }

    /// The proof for another child that has exactly the same guardians; `None` when it has others, or when there is no such
    /// child. A session that was moved there is still within the key's reach.
    ///
    /// # Errors
    ///
    /// The store's, also when a link to a guardian cannot be read.
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
    /// The proof that an assistant's key is for this child, as the change sees it.
    ///
    /// # Errors
    ///
    /// [`ChildrenError::NoSuchChild`], also when it is somebody else's.
    pub fn of_assistant(
        &self,
        change: &Change,
        assistant: &SignedAssistant,
        child: ChildId,
    ) -> Result<AssistantAccess, ChildrenError> {
        let caller = Caller::Assistant(assistant.id().clone());
        Ok(AssistantAccess {
            child: self.of_in(change, &caller, child)?,
            assistant: assistant.id().clone(),
            made_by: assistant.made_by().cloned(),
        })
    }
}

/// Whether two children have exactly the same guardians.
///
/// # Errors
///
/// The store's, also when a link cannot be read.
pub fn have_same_guardians(
    view: &impl Read,
    one: ChildId,
    other: ChildId,
) -> Result<bool, StoreError> {
    // By the guardian's id in both.
    Ok(store::guardians_of(view, one)? == store::guardians_of(view, other)?)
}

/// Whether all guardians of a child are guardians of another one, too.
///
/// # Errors
///
/// The store's, also when a link cannot be read.
pub fn shares_all_guardians(
    view: &impl Read,
    child: ChildId,
    with: ChildId,
) -> Result<bool, StoreError> {
    let others = store::guardians_of(view, with)?;
    let guardians = store::guardians_of(view, child)?;
    Ok(guardians.iter().all(|guardian| others.contains(guardian)))
}
