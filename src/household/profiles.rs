//! A guardian's children: adding and renaming one, who else sees it, and giving up access to it.

use super::invitations::Invitations;
use super::management::{Management, ManagementError, caller};
use super::quotas::{self, QuotaError, QuotaKind};
use crate::children::history::{Author, Changed};
use crate::children::{Child, ChildId, ChildrenError, Period};
use crate::identity::{Caller, SignedIn, SteppedUp};
use crate::kernel::host::name::{NotAName, valid_name};
use crate::kernel::host::zones::Zone;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, Purpose, StoreError};
use crate::retention::Retention;
use crate::rules::schedule::Schedules;
use crate::rules::{NotAProfile, Profile, Rules};

#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// A child must keep at least one guardian.
    #[error("You're the only guardian. You can delete the profile.")]
    OnlyGuardian,
    #[error(transparent)]
    Name(#[from] NotAName),
    #[error(transparent)]
    Profile(#[from] NotAProfile),
    #[error(transparent)]
    Management(#[from] ManagementError),
    #[error(transparent)]
    Quota(#[from] QuotaError),
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    ProfileError from Profile, Management, Quota, Children, Store {
        OnlyGuardian => conflict(OnlyGuardian),
        Name(error) => from(error) at "/name",
    }
}

/// A child, with all guardians who see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildGuardians {
    pub child: ChildId,
    /// The reader comes first.
    pub guardians: Vec<Author>,
}

/// A child that is being added.
pub struct NewChild {
    /// [Valid](valid_name).
    pub name: String,
    /// How long its conversations are kept; `None` for ever.
    pub period: Option<Period>,
    /// `None` for the server's.
    pub time_zone: Option<Zone>,
    pub profile: Profile,
}

#[derive(Clone)]
pub struct ChildProfiles {
    management: Management,
    times: Schedules,
    retention: Retention,
    rules: Rules,
    invitations: Invitations,
}

impl ChildProfiles {
    pub fn new(
        management: Management,
        times: Schedules,
        retention: Retention,
        rules: Rules,
        invitations: Invitations,
    ) -> Self {
        Self {
            management,
            times,
            retention,
            rules,
            invitations,
        }
    }

    /// The guardian's children, each with its guardians.
    pub fn guardians_by_child(
        &self,
        guardian: &SignedIn,
    ) -> Result<Vec<ChildGuardians>, StoreError> {
        let Management {
            store,
            children,
            history,
            ..
        } = &self.management;
        let mut found = Vec::new();
        for access in children.all_of(guardian)? {
            let mut guardians = Vec::new();
            let callers = children.callers_of(store, access.child())?;
            for id in callers.into_iter().filter_map(Caller::into_guardian) {
                guardians.extend(history.author(store, &access, guardian, &id)?);
            }
            guardians.sort_by_key(|author| !author.is_you);
            found.push(ChildGuardians {
                child: access.child(),
                guardians,
            });
        }
        Ok(found)
    }

    /// Adds a child and links it to these callers. Fails with [`ProfileError::Profile`].
    pub fn create(
        &self,
        change: &mut Change,
        new: NewChild,
        linked: impl IntoIterator<Item = Caller>,
    ) -> Result<Child, ProfileError> {
        let children = &self.management.children;
        let child = children.add(change, new.name)?;
        for caller in linked {
            children.link(change, child.child_id, &caller)?;
        }
        let access = children.for_administrator_in(change, child.child_id)?;
        self.retention.set_period(change, &access, new.period)?;
        if let Some(zone) = new.time_zone {
            self.times.choose_zone(change, &access, zone)?;
        }
        self.rules.describe(change, &access, new.profile)?;
        Ok(child)
    }

    /// Adds a guardian's child. Its conversations are kept for `period`, or for ever.
    pub async fn add(
        &self,
        by: &SignedIn,
        name: &str,
        period: Option<Period>,
        profile: Profile,
    ) -> Result<Child, ProfileError> {
        let new = NewChild {
            name: valid_name(name)?,
            period,
            time_zone: None,
            profile,
        };
        let (guardian, profiles) = (by.guardian().clone(), self.clone());
        self.management
            .commit(Purpose::Ordinary, move |change| {
                let management = &profiles.management;
                let now = management.clock.now();
                quotas::charge(change, &guardian, QuotaKind::Children, now)?;
                let child = profiles.create(change, new, [caller(&guardian)])?;
                management.record(change, child.child_id, Changed::ChildAdded, &guardian)?;
                Ok(child)
            })
            .await
    }

    pub async fn rename(
        &self,
        by: &SignedIn,
        child: ChildId,
        name: &str,
    ) -> Result<Child, ProfileError> {
        let (name, guardian) = (valid_name(name)?, by.guardian().clone());
        let management = self.management.clone();
        self.management
            .commit(Purpose::Ordinary, move |change| {
                management.record(change, child, Changed::ChildRenamed, &guardian)?;
                let by = Some(&guardian);
                Ok(management.children.rename(change, child, name, by)?)
            })
            .await
    }

    /// Removes the guardian's own access to a child. The child must have another guardian. Fails with
    /// [`ProfileError::OnlyGuardian`].
    pub async fn leave(&self, by: &SteppedUp, child: ChildId) -> Result<(), ProfileError> {
        let guardian = by.guardian().clone();
        let profiles = self.clone();
        self.management
            .commit(Purpose::Essential, move |change| {
                let management = &profiles.management;
                let (children, whose) = (&management.children, caller(&guardian));
                let access = children.access_in(change, &whose, child)?;
                if children.is_only_guardian(change, &access, &guardian)? {
                    return Err(ProfileError::OnlyGuardian);
                }
                management.record(change, child, Changed::GuardianLeft, &guardian)?;
                children.unlink(change, child, &whose)?;
                Ok(profiles.invitations.complete_for(change, child)?)
            })
            .await
    }
}
