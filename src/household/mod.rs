//! What a guardian can manage in the browser: their children's names and guardians, and the assistants that talk with them. It
//! calls the same services as the administrator's commands.
//!
//! A guardian manages only children linked to them. Several guardians may share a child and disagree, so all changes are
//! recorded in the child's history, and removing one's own child from an assistant never needs anybody's consent. Issuing a key
//! requires a step-up; revoking one doesn't.

mod agreeing;
pub mod api;
mod completion;
mod connections;
mod consequences;
mod emails;
mod error;
mod extent;
mod invitation;
mod inviting;
mod leaving;
mod periods;
mod quotas;
mod requests;
mod seen;
pub mod setup;
mod store;
mod unrotated_keys;
mod upstreams;

use std::sync::Arc;

use tokio::sync::Notify;

use crate::alerts::reviewer::Consents;
use crate::assistants::deliveries::Connections;
use crate::children::Period;
use crate::children::feature::{Feature, Shown};
use crate::children::history::{Changed, Entry, History};
use crate::children::{Child, ChildId, Children};
use crate::identity::{
    AssistantId, AssistantKey, Assistants, Caller, GuardianId, Guardians, IdentityError, KeyKind,
    Notices, SignIns, SignedIn, SteppedUp, UnverifiedAddresses,
};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::name::valid_name;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::http::ids::random_id;
use crate::kernel::outgoing::queue::Queue;
use crate::kernel::store::backup_state::ScheduleState;
use crate::kernel::store::due::DueClock;
use crate::kernel::store::{Change, Purpose, Store, StoreError};
use crate::models::Upstreams;
use crate::retention::Retention;
use crate::rules::Rules;

pub use connections::Connection;
pub use emails::Emails;
pub use error::HouseholdError;
pub use extent::{DeletionExtent, Extents};
pub use requests::{Requests, SeenInvitation, SeenRequest, SeenReviewer, Waiting};
pub use seen::{OwnAssistant, OwnChild, OwnUpstream};
pub use upstreams::UpstreamChoice;

use store::QuotaKind;

random_id!(InvitationId, "inv_", "An invitation's id.");

/// The maximum number of children per assistant.
const MOST_CHILDREN: usize = 100;

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &store::NOT_RESTORED,
    consequences: &consequences::CONSEQUENCES,
    backfills: &[],
    shown: &[Shown::Part("requests", || vec![store::INVITATION_OF])],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[],
    session_fields: &[],
};

#[derive(Clone)]
pub struct Household {
    pub store: Store,
    pub clock: Clock,
    pub due: DueClock,
    pub children: Children,
    pub history: History,
    pub extents: Extents,
    pub randomness: Randomness,
    pub public_url: PublicUrl,
    pub guardians: Guardians,
    pub sign_ins: SignIns,
    pub queue: Queue,
    pub emails: Emails,
    pub notices: Notices,
    pub unverified: UnverifiedAddresses,
    /// Notified when a deletion may have become due.
    pub requested: Arc<Notify>,
    pub assistants: Assistants,
    pub upstreams: Upstreams,
    pub rules: Rules,
    pub retention: Retention,
    pub consents: Consents,
    /// What the assistants' latest requests had.
    pub connections: Connections,
    /// Whether guardians manage this themselves, or only the administrator does.
    pub guardians_manage: bool,
}

impl Household {
    /// Adds a child and links it to the guardian. Its conversations are kept for `period`, or for ever.
    pub async fn add_child(
        &self,
        by: &SignedIn,
        name: &str,
        period: Option<Period>,
    ) -> Result<Child, HouseholdError> {
        let (name, guardian) = (valid_name(name)?, by.guardian().clone());
        self.commit_and_notify(Purpose::Ordinary, move |household, change| {
            household.charge_quota(change, &guardian, QuotaKind::Children)?;
            let child = household.children.add(change, name)?;
            let whose = caller(&guardian);
            household.children.link(change, child.child_id, &whose)?;
            let access = household
                .children
                .access_in(change, &whose, child.child_id)?;
            household.retention.set_period(change, &access, period)?;
            household.note(change, child.child_id, Changed::ChildAdded, &guardian)?;
            Ok(child)
        })
        .await
    }

    pub async fn rename_child(
        &self,
        by: &SignedIn,
        child: ChildId,
        name: &str,
    ) -> Result<Child, HouseholdError> {
        let (name, guardian) = (valid_name(name)?, by.guardian().clone());
        self.commit_and_notify(Purpose::Ordinary, move |household, change| {
            household.note(change, child, Changed::ChildRenamed, &guardian)?;
            let by = Some(&guardian);
            Ok(household.children.rename(change, child, name, by)?)
        })
        .await
    }

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

    /// Removes the counts of a guardian who is being removed.
    pub fn forget(&self, change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
        store::remove_counts(change, guardian)
    }

    /// Checks that the guardian has stepped up, and that guardians may manage anything. Fails with [`HouseholdError::NotHere`] or
    /// [`IdentityError::StepUpNeeded`].
    pub fn require_step_up(&self, guardian: &SignedIn) -> Result<SteppedUp, HouseholdError> {
        if self.guardians_manage {
            Ok(self.sign_ins.require_step_up(guardian)?)
        } else {
            Err(HouseholdError::NotHere)
        }
    }

    /// `None` if no scheduled backup ever succeeded.
    pub fn last_backup(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(ScheduleState::of(&self.store)?.succeeded_at)
    }

    /// Runs a change, if guardians can make changes.
    async fn commit_and_notify<T: Send + 'static>(
        &self,
        purpose: Purpose,
        change: impl FnOnce(&Self, &mut Change) -> Result<T, HouseholdError> + Send + 'static,
    ) -> Result<T, HouseholdError> {
        if self.guardians_manage {
            self.commit(purpose, change).await
        } else {
            Err(HouseholdError::NotHere)
        }
    }

    /// Runs a change that answers a request. Allowed even after the administrator has taken over everything else, and on a
    /// nearly full disk.
    async fn answer<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Self, &mut Change) -> Result<T, HouseholdError> + Send + 'static,
    ) -> Result<T, HouseholdError> {
        self.commit(Purpose::Essential, change).await
    }

    async fn commit<T: Send + 'static>(
        &self,
        purpose: Purpose,
        change: impl FnOnce(&Self, &mut Change) -> Result<T, HouseholdError> + Send + 'static,
    ) -> Result<T, HouseholdError> {
        let household = self.clone();
        let done = self
            .store
            .commit_for(purpose, move |view| change(&household, view));
        done.await
    }

    fn end(&self, change: &mut Change, id: &AssistantId) -> Result<(), HouseholdError> {
        self.assistants.revoke(change, id.as_str())?;
        let whose = Caller::Assistant(id.clone());
        Ok(self.children.unlink_all(change, &whose)?)
    }

    /// Finds an assistant that talks only with this guardian's children.
    fn require_exclusive(
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

    /// Records a change of an assistant in the history of each of the guardian's children that it talks with.
    fn note_all(
        &self,
        change: &mut Change,
        seen: &OwnAssistant,
        what: Changed,
        guardian: &GuardianId,
    ) -> Result<(), HouseholdError> {
        for child in &seen.children {
            self.note(change, *child, what, guardian)?;
        }
        Ok(())
    }

    fn note(
        &self,
        change: &mut Change,
        child: ChildId,
        what: Changed,
        guardian: &GuardianId,
    ) -> Result<(), HouseholdError> {
        let access = self.children.access_in(change, &caller(guardian), child)?;
        let entry = Entry::new(self.clock.now(), what, Some(guardian.clone()));
        Ok(self.history.note(change, &access, entry)?)
    }
}

fn caller(guardian: &GuardianId) -> Caller {
    Caller::Guardian(guardian.clone())
}
