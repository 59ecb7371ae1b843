//! When a guardian who has seen an assistant's key gives up a child, the page shows a warning until the key is rotated, removed
//! or kept.
//!
//! Keeping a key applies only to the guardian who does so, to the children that somebody has left by then, and to that one
//! departure. So nobody can do it in advance, or for another guardian.

use super::store::{self, KeptKey};
use super::{AssistantError, ManagedAssistants};
use crate::children::ChildId;
use crate::children::history::Changed;
use crate::identity::{Assistant, AssistantId, GuardianId, SignedIn};
use crate::kernel::store::{Purpose, Read, StoreError};

impl ManagedAssistants {
    /// Keeps an assistant's key although somebody who was shown it has left one of its children. Does nothing if nobody has left.
    pub async fn keep_key(&self, by: &SignedIn, id: AssistantId) -> Result<(), AssistantError> {
        let guardian = by.guardian().clone();
        let service = self.clone();
        self.management
            .commit(Purpose::Ordinary, move |change| {
                let management = &service.management;
                let seen = service.require_exclusive(change, &guardian, &id)?;
                let Some(left) = seen.assistant.shown_to.clone() else {
                    return Ok(());
                };
                let kept = KeptKey {
                    left,
                    at: management.clock.now(),
                };
                let exposed =
                    service.exposed_children(change, &seen.assistant, &seen.children, &guardian)?;
                for child in exposed {
                    store::put_kept_key(change, child, &id, &guardian, &kept)?;
                    management.record(change, child, Changed::KeyKept, &guardian)?;
                }
                Ok(())
            })
            .await
    }

    /// The guardian's children that somebody who has seen the assistant's key has left, unless the guardian keeps the key.
    pub(super) fn exposed_children(
        &self,
        view: &impl Read,
        assistant: &Assistant,
        own: &[ChildId],
        reader: &GuardianId,
    ) -> Result<Vec<ChildId>, StoreError> {
        let mut exposed = Vec::new();
        let Some(shown_to) = &assistant.shown_to else {
            return Ok(exposed);
        };
        for child in own {
            let guardians = self.management.children.guardians_of(view, *child)?;
            if !guardians.contains(shown_to)
                && !store::is_key_kept(view, *child, &assistant.id, reader, shown_to)?
            {
                exposed.push(*child);
            }
        }
        Ok(exposed)
    }
}
