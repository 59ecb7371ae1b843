//! The assistants that a guardian connects.

use super::store::QuotaKind;
use super::{
    Household, HouseholdError, MOST_CHILDREN, OwnAssistant, UpstreamChoice, caller, store,
};
use crate::children::ChildId;
use crate::children::history::Changed;
use crate::identity::{
    AssistantId, AssistantKey, Caller, GuardianId, IdentityError, KeyKind, SignedIn, SteppedUp,
};
use crate::kernel::host::name::valid_name;
use crate::kernel::store::{Change, Purpose};

impl Household {
    /// Connects an assistant to some of the guardian's children, and lets it use an upstream if one is chosen. Returns its key,
    /// which isn't stored.
    pub async fn connect(
        &self,
        by: &SteppedUp,
        name: &str,
        children: Vec<ChildId>,
        upstream: Option<UpstreamChoice>,
    ) -> Result<(OwnAssistant, AssistantKey), HouseholdError> {
        let (name, guardian) = (valid_name(name)?, by.guardian().clone());
        if !(1..=MOST_CHILDREN).contains(&children.len()) {
            return Err(HouseholdError::HowMany);
        }
        self.commit_and_notify(Purpose::Ordinary, move |household, change| {
            household.charge_quota(change, &guardian, QuotaKind::Keys)?;
            let maker = Some(guardian.clone());
            let kind = if upstream.is_some() {
                KeyKind::Gateway
            } else {
                KeyKind::AssistantApi
            };
            let (assistant, key) = household.assistants.add(change, &name, maker, kind)?;
            let whose = Caller::Assistant(assistant.id.clone());
            for child in children {
                let own = caller(&guardian);
                household.children.access_in(change, &own, child)?;
                household.children.link(change, child, &whose)?;
            }
            let with_upstream = upstream.is_some();
            household.set_upstream(change, &assistant.id, upstream)?;
            let own = household.children.seen_by(change, &caller(&guardian))?;
            let seen = household.view_for(change, assistant, &own, &guardian)?;
            let what = Changed::AssistantConnected;
            household.note_all(change, &seen, what, &guardian)?;
            if with_upstream {
                household.note_all(change, &seen, Changed::AssistantUpstream, &guardian)?;
            }
            Ok((seen, key))
        })
        .await
    }

    pub async fn rename_assistant(
        &self,
        by: &SignedIn,
        id: AssistantId,
        name: &str,
    ) -> Result<OwnAssistant, HouseholdError> {
        let (name, guardian) = (valid_name(name)?, by.guardian().clone());
        self.commit_and_notify(Purpose::Ordinary, move |household, change| {
            let seen = household.require_exclusive(change, &guardian, &id)?;
            let assistant = household.assistants.rename(change, &id, &name, &guardian)?;
            change.require_compaction_at_night()?;
            household.note_all(change, &seen, Changed::AssistantRenamed, &guardian)?;
            Ok(OwnAssistant { assistant, ..seen })
        })
        .await
    }

    /// Gives an assistant a new key and revokes the old one at once. Returns the key, which isn't stored.
    pub async fn rotate(
        &self,
        by: &SteppedUp,
        id: AssistantId,
    ) -> Result<(OwnAssistant, AssistantKey), HouseholdError> {
        let guardian = by.guardian().clone();
        self.commit_and_notify(Purpose::Essential, move |household, change| {
            let seen = household.require_exclusive(change, &guardian, &id)?;
            household.charge_quota(change, &guardian, QuotaKind::Keys)?;
            let (_, key) =
                household
                    .assistants
                    .rotate(change, id.as_str(), Some(guardian.clone()))?;
            for child in &seen.children {
                store::forget_kept_of(change, *child, &id)?;
            }
            household.note_all(change, &seen, Changed::AssistantRotated, &guardian)?;
            Ok((seen, key))
        })
        .await
    }

    /// Revokes an assistant's key. What it delivered stays.
    pub async fn revoke(&self, by: &SignedIn, id: AssistantId) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.commit_and_notify(Purpose::Essential, move |household, change| {
            let seen = household.require_exclusive(change, &guardian, &id)?;
            household.note_all(change, &seen, Changed::AssistantRevoked, &guardian)?;
            household.end(change, &id)
        })
        .await
    }

    /// Removes the guardian's child from an assistant, also from one that another guardian or the administrator added. An
    /// assistant that a guardian added is revoked with its last child.
    pub async fn take_off(
        &self,
        by: &SignedIn,
        id: AssistantId,
        child: ChildId,
    ) -> Result<(), HouseholdError> {
        let guardian = by.guardian().clone();
        self.commit_and_notify(Purpose::Essential, move |household, change| {
            let whose = Caller::Assistant(id.clone());
            household.note(change, child, Changed::AssistantTakenOff, &guardian)?;
            if !household.children.unlink(change, child, &whose)? {
                return Err(IdentityError::NoSuchAssistant(id.to_string()).into());
            }
            let is_guardians = household
                .assistants
                .find_by_id(change, &id)?
                .is_some_and(|assistant| assistant.made_by.is_some());
            let left = household.children.numbers_of(change, &whose)?;
            if is_guardians && left.is_empty() {
                household.end(change, &id)
            } else {
                Ok(())
            }
        })
        .await
    }

    pub(super) fn end(&self, change: &mut Change, id: &AssistantId) -> Result<(), HouseholdError> {
        self.assistants.revoke(change, id.as_str())?;
        let whose = Caller::Assistant(id.clone());
        Ok(self.children.unlink_all(change, &whose)?)
    }

    /// Finds an assistant that talks only with this guardian's children.
    pub(super) fn require_exclusive(
        &self,
        change: &Change,
        guardian: &GuardianId,
        id: &AssistantId,
    ) -> Result<OwnAssistant, HouseholdError> {
        let no_such = || IdentityError::NoSuchAssistant(id.to_string());
        let own = self.children.seen_by(change, &caller(guardian))?;
        // Starts from one's own children, so that refusing another family's assistant takes as long as refusing a missing one.
        let (whose, mut talks_with_one) = (Caller::Assistant(id.clone()), false);
        for child in &own {
            let callers = self.children.callers_of(change, *child)?;
            talks_with_one = talks_with_one || callers.contains(&whose);
        }
        if !talks_with_one {
            return Err(no_such().into());
        }
        let assistant = self.assistants.find_by_id(change, id)?;
        let seen = self.view_for(change, assistant.ok_or_else(no_such)?, &own, guardian)?;
        if seen.exclusive {
            Ok(seen)
        } else {
            Err(HouseholdError::NotExclusive)
        }
    }
}
