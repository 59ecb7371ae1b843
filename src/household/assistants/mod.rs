//! The assistants that a guardian connects.

mod connections;
mod error;
mod store;
mod unrotated_keys;
mod upstreams;
mod view;

use super::management::{Management, caller, require_children};
use super::quotas::{self, QuotaKind};
use crate::assistants::deliveries::Connections;
use crate::children::history::Changed;
use crate::children::{ChildId, ChildrenError};
use crate::identity::{
    AssistantId, AssistantKey, Assistants, Caller, GuardianId, KeyKind, SignedIn, SteppedUp,
};
use crate::kernel::host::name::valid_name;
use crate::kernel::store::{Change, Purpose};
use crate::models::Upstreams;
use crate::rules::Rules;

pub use connections::Connection;
pub use error::AssistantError;
pub use store::{KEPT_KEY, KIND, forget_kept_by_or_from, forget_kept_of, kept_keys_of};
pub use upstreams::UpstreamChoice;
pub use view::{ChosenUpstream, ManagedAssistant};

#[derive(Clone)]
pub struct ManagedAssistants {
    management: Management,
    assistants: Assistants,
    upstreams: Upstreams,
    rules: Rules,
    /// What the assistants' latest requests had.
    connections: Connections,
}

impl ManagedAssistants {
    pub fn new(
        management: Management,
        assistants: Assistants,
        upstreams: Upstreams,
        rules: Rules,
        connections: Connections,
    ) -> Self {
        Self {
            management,
            assistants,
            upstreams,
            rules,
            connections,
        }
    }

    /// Connects an assistant to some of the guardian's children, and lets it use an upstream if one is chosen. Returns its key,
    /// which isn't stored.
    pub async fn connect(
        &self,
        by: &SteppedUp,
        name: &str,
        children: Vec<ChildId>,
        upstream: Option<UpstreamChoice>,
    ) -> Result<(ManagedAssistant, AssistantKey), AssistantError> {
        let (name, guardian) = (valid_name(name)?, by.guardian().clone());
        require_children(&children)?;
        let service = self.clone();
        self.management
            .commit(Purpose::Ordinary, move |change| {
                let Management {
                    clock,
                    children: all,
                    ..
                } = &service.management;
                quotas::charge(change, &guardian, QuotaKind::Keys, clock.now())?;
                let maker = Some(guardian.clone());
                let kind = if upstream.is_some() {
                    KeyKind::Gateway
                } else {
                    KeyKind::AssistantApi
                };
                let (assistant, key) = service.assistants.add(change, &name, maker, kind)?;
                let whose = Caller::Assistant(assistant.id.clone());
                for child in children {
                    all.access_in(change, &caller(&guardian), child)?;
                    all.link(change, child, &whose)?;
                }
                let with_upstream = upstream.is_some();
                service.set_upstream(change, &assistant.id, upstream)?;
                let own = all.visible_to(change, &caller(&guardian))?;
                let seen = service.view_for(change, assistant, &own, &guardian)?;
                service.record_for_all(change, &seen, Changed::AssistantConnected, &guardian)?;
                if with_upstream {
                    service.record_for_all(change, &seen, Changed::AssistantUpstream, &guardian)?;
                }
                Ok((seen, key))
            })
            .await
    }

    pub async fn rename(
        &self,
        by: &SignedIn,
        id: AssistantId,
        name: &str,
    ) -> Result<ManagedAssistant, AssistantError> {
        let (name, guardian) = (valid_name(name)?, by.guardian().clone());
        let service = self.clone();
        self.management
            .commit(Purpose::Ordinary, move |change| {
                let seen = service.require_exclusive(change, &guardian, &id)?;
                let assistant = service.assistants.rename(change, &id, &name, &guardian)?;
                change.require_compaction_at_night()?;
                service.record_for_all(change, &seen, Changed::AssistantRenamed, &guardian)?;
                Ok(ManagedAssistant { assistant, ..seen })
            })
            .await
    }

    /// Gives an assistant a new key and revokes the old one at once. Returns the key, which isn't stored.
    pub async fn rotate(
        &self,
        by: &SteppedUp,
        id: AssistantId,
    ) -> Result<(ManagedAssistant, AssistantKey), AssistantError> {
        let guardian = by.guardian().clone();
        let service = self.clone();
        self.management
            .commit(Purpose::Essential, move |change| {
                let seen = service.require_exclusive(change, &guardian, &id)?;
                let now = service.management.clock.now();
                quotas::charge(change, &guardian, QuotaKind::Keys, now)?;
                let shown_to = Some(guardian.clone());
                let (_, key) = service.assistants.rotate(change, id.as_str(), shown_to)?;
                for child in &seen.children {
                    store::forget_kept_of(change, *child, &id)?;
                }
                service.record_for_all(change, &seen, Changed::AssistantRotated, &guardian)?;
                Ok((seen, key))
            })
            .await
    }

    /// Revokes an assistant's key. What it delivered stays.
    pub async fn revoke(&self, by: &SignedIn, id: AssistantId) -> Result<(), AssistantError> {
        let guardian = by.guardian().clone();
        let service = self.clone();
        self.management
            .commit(Purpose::Essential, move |change| {
                let seen = service.require_exclusive(change, &guardian, &id)?;
                service.record_for_all(change, &seen, Changed::AssistantRevoked, &guardian)?;
                service.revoke_key(change, &id)
            })
            .await
    }

    /// Removes the guardian's child from an assistant, also from one that another guardian or the administrator added. An
    /// assistant that a guardian added is revoked with its last child.
    pub async fn remove_child(
        &self,
        by: &SignedIn,
        id: AssistantId,
        child: ChildId,
    ) -> Result<(), AssistantError> {
        let guardian = by.guardian().clone();
        let service = self.clone();
        self.management
            .commit(Purpose::Essential, move |change| {
                let (management, whose) = (&service.management, Caller::Assistant(id.clone()));
                management.record(change, child, Changed::AssistantTakenOff, &guardian)?;
                if !management.children.unlink(change, child, &whose)? {
                    return Err(AssistantError::NoSuchAssistant);
                }
                let assistant = service.assistants.find_by_id(change, &id)?;
                let is_guardians = assistant.is_some_and(|assistant| assistant.made_by.is_some());
                let left = management.children.linked_to(change, &whose)?;
                if is_guardians && left.is_empty() {
                    service.revoke_key(change, &id)
                } else {
                    Ok(())
                }
            })
            .await
    }

    fn revoke_key(&self, change: &mut Change, id: &AssistantId) -> Result<(), AssistantError> {
        self.assistants.revoke(change, id.as_str())?;
        let whose = Caller::Assistant(id.clone());
        Ok(self.management.children.unlink_all(change, &whose)?)
    }

    /// Finds an assistant that talks only with this guardian's children.
    fn require_exclusive(
        &self,
        change: &Change,
        guardian: &GuardianId,
        id: &AssistantId,
    ) -> Result<ManagedAssistant, AssistantError> {
        let children = &self.management.children;
        let own = children.visible_to(change, &caller(guardian))?;
        // Starts from one's own children, so that refusing another family's assistant takes as long as refusing a missing one.
        let (whose, mut talks_with_one) = (Caller::Assistant(id.clone()), false);
        for child in &own {
            let callers = children.callers_of(change, *child)?;
            talks_with_one = talks_with_one || callers.contains(&whose);
        }
        if !talks_with_one {
            return Err(AssistantError::NoSuchAssistant);
        }
        let assistant = self.assistants.find_by_id(change, id)?;
        let assistant = assistant.ok_or(AssistantError::NoSuchAssistant)?;
        let seen = self.view_for(change, assistant, &own, guardian)?;
        if seen.exclusive {
            Ok(seen)
        } else {
            Err(AssistantError::NotExclusive)
        }
    }

    /// Records a change of an assistant in the history of each of the guardian's children that it talks with.
    fn record_for_all(
        &self,
        change: &mut Change,
        seen: &ManagedAssistant,
        what: Changed,
        guardian: &GuardianId,
    ) -> Result<(), ChildrenError> {
        for child in &seen.children {
            self.management.record(change, *child, what, guardian)?;
        }
        Ok(())
    }
}
