//! Which model's server an assistant uses. Guardians choose among those that the administrator added, and see where what is said
//! goes.

use super::{AssistantError, ManagedAssistant, ManagedAssistants};
use crate::children::history::Changed;
use crate::household::management::caller;
use crate::identity::{AssistantId, SteppedUp};
use crate::kernel::store::{Change, Purpose, StoreError};
use crate::models::{StoreFailurePolicy, Upstream};

/// An upstream that a guardian chooses, and the host that the page showed for it.
#[derive(Clone, Debug)]
pub struct UpstreamChoice {
    pub name: String,
    pub host: String,
}

impl ManagedAssistants {
    /// All upstreams by name, and the number of unreadable ones; none if guardians can't choose one.
    pub fn upstreams(&self) -> Result<(Vec<Upstream>, u64), StoreError> {
        if self.management.guardians_manage {
            self.upstreams.list(&self.management.store)
        } else {
            Ok((Vec::new(), 0))
        }
    }

    /// Lets an assistant use another upstream, or none. Fails with [`AssistantError::UpstreamChanged`].
    pub async fn choose_upstream(
        &self,
        by: &SteppedUp,
        id: AssistantId,
        choice: Option<UpstreamChoice>,
    ) -> Result<ManagedAssistant, AssistantError> {
        let guardian = by.guardian().clone();
        let purpose = Purpose::essential_if(choice.is_none());
        let service = self.clone();
        self.management
            .commit(purpose, move |change| {
                let seen = service.require_exclusive(change, &guardian, &id)?;
                service.set_upstream(change, &id, choice)?;
                service.record_for_all(change, &seen, Changed::AssistantUpstream, &guardian)?;
                let children = &service.management.children;
                let own = children.visible_to(change, &caller(&guardian))?;
                Ok(service.view_for(change, seen.assistant, &own, &guardian)?)
            })
            .await
    }

    pub(super) fn set_upstream(
        &self,
        change: &mut Change,
        id: &AssistantId,
        choice: Option<UpstreamChoice>,
    ) -> Result<(), AssistantError> {
        let Some(choice) = choice else {
            return Ok(self.upstreams.unset_for_key(change, id)?);
        };
        let found = self.upstreams.find(change, &choice.name)?;
        if found.is_none_or(|upstream| upstream.url.host() != choice.host) {
            return Err(AssistantError::UpstreamChanged);
        }
        let before = self.upstreams.chosen_for_key(change, id)?;
        let when_not_kept =
            before.map_or(StoreFailurePolicy::default(), |before| before.when_not_kept);
        self.upstreams
            .set_for_key(change, id, &choice.name, when_not_kept)?;
        Ok(())
    }
}
