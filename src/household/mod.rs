//! What a guardian can manage in the browser: their children's names and guardians, and the assistants that talk with them. It
//! calls the same services as the administrator's commands.
//!
//! A guardian manages only children linked to them. Several guardians may share a child and disagree, so all changes are
//! recorded in the child's history, and removing one's own child from an assistant never needs anybody's consent. Issuing a key
//! requires a step-up; revoking one doesn't.

mod agreeing;
pub mod api;
mod assistants;
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
    Assistants, Caller, GuardianId, Guardians, Identity, Notices, SignIns, SignedIn, SteppedUp,
};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::language::Language;
use crate::kernel::host::name::valid_name;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::http::ids::random_id;
use crate::kernel::store::backup_state::ScheduleState;
use crate::kernel::store::due::DueClock;
use crate::kernel::store::{Change, Purpose, Store, StoreError};
use crate::models::Upstreams;
use crate::retention::Retention;
use crate::rules::Rules;
use crate::rules::age::{Ages, BirthMonth};
use crate::rules::language;

pub use connections::Connection;
pub use error::HouseholdError;
pub use extent::{DeletionExtent, Extents};
pub use requests::{Requests, SeenInvitation, SeenRequest, SeenReviewer, Waiting};
pub use seen::{OwnAssistant, OwnChild, OwnUpstream};
pub use upstreams::UpstreamChoice;

use emails::Emails;
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

/// The features that guardians manage.
pub struct Dependencies {
    pub history: History,
    pub extents: Extents,
    pub upstreams: Upstreams,
    pub ages: Ages,
    pub rules: Rules,
    pub retention: Retention,
    pub consents: Consents,
    /// What the assistants' latest requests had.
    pub connections: Connections,
}

#[derive(Clone)]
pub struct Household {
    store: Store,
    clock: Clock,
    due: DueClock,
    children: Children,
    history: History,
    extents: Extents,
    randomness: Randomness,
    addresses: Addresses,
    guardians: Guardians,
    sign_ins: SignIns,
    emails: Emails,
    notices: Notices,
    /// Notified when a deletion may have become due.
    requested: Arc<Notify>,
    assistants: Assistants,
    upstreams: Upstreams,
    ages: Ages,
    rules: Rules,
    retention: Retention,
    pub consents: Consents,
    connections: Connections,
    /// Whether guardians manage this themselves, or only the administrator does.
    pub guardians_manage: bool,
}

impl Household {
    /// Registers the kinds of e-mails.
    pub fn new(identity: &Identity, dependencies: Dependencies, guardians_manage: bool) -> Self {
        let environment = identity.environment.clone();
        let extents = dependencies.extents;
        Self {
            emails: Emails::register(&environment.queue, identity, &extents),
            store: environment.store,
            clock: environment.clock,
            due: environment.due,
            randomness: environment.randomness,
            addresses: identity.environment.addresses(),
            guardians: identity.guardians.clone(),
            sign_ins: identity.sign_ins.clone(),
            notices: identity.notices.clone(),
            assistants: identity.assistants.clone(),
            children: extents.children.clone(),
            history: dependencies.history,
            extents,
            requested: Arc::default(),
            upstreams: dependencies.upstreams,
            ages: dependencies.ages,
            rules: dependencies.rules,
            retention: dependencies.retention,
            consents: dependencies.consents,
            connections: dependencies.connections,
            guardians_manage,
        }
    }

    /// Waits until a deletion may have become due.
    pub async fn wait_for_request(&self) {
        self.requested.notified().await;
    }

    /// Adds a child and links it to the guardian. Its conversations are kept for `period`, or for ever.
    pub async fn add_child(
        &self,
        by: &SignedIn,
        name: &str,
        period: Option<Period>,
        born: Option<BirthMonth>,
        spoken: Option<Language>,
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
            household.ages.replace(change, &access, born)?;
            language::replace(change, &access, spoken)?;
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
