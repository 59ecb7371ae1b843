//! What a guardian can manage in the browser: their children's names and guardians, and the assistants that talk with them. It
//! calls the same services as the administrator's commands.
//!
//! A guardian manages only children linked to them. Several guardians may share a child and disagree, so all changes are
//! recorded in the child's history, and removing one's own child from an assistant never needs anybody's consent. Issuing a key
//! requires a step-up; revoking one doesn't.

mod answers;
pub mod api;
mod assistants;
mod invitations;
mod management;
mod profiles;
mod quotas;
mod requests;
mod triggers;

use crate::assistants::deliveries::Connections;
use crate::children::Children;
use crate::children::feature::{Feature, Shown};
use crate::children::history::History;
use crate::conversations::transcripts::Transcripts;
use crate::identity::Identity;
use crate::models::Upstreams;
use crate::retention::Retention;
use crate::rules::Rules;
use crate::rules::schedule::Schedules;

pub use assistants::ManagedAssistants;
pub use invitations::Invitations;
pub use management::Management;
pub use profiles::{ChildProfiles, NewChild, ProfileError};
pub use quotas::forget_guardian;
pub use requests::ChildRequests;

use requests::Extents;

pub static FEATURE: Feature = Feature {
    kinds: &[
        quotas::KIND,
        assistants::KIND,
        invitations::KINDS[0],
        invitations::KINDS[1],
        invitations::KINDS[2],
    ],
    // An invitation may have been cancelled since then, and somebody who has seen a kept key may have left since then.
    not_restored: &[
        assistants::KEPT_KEY,
        invitations::TABLES[0],
        invitations::TABLES[1],
        invitations::TABLES[2],
    ],
    triggers: &triggers::TRIGGERS,
    backfills: &[],
    shown: &[Shown::Part("requests", || vec![invitations::INVITATION_OF])],
    erase_batch: |change, access| {
        let child = access.child();
        let kept = change.remove_some_below(&assistants::kept_keys_of(child))?;
        let invitations = change.remove_some_below(&invitations::of_child(child))?;
        Ok(kept + invitations > 0)
    },
    of_session: None,
    child_fields: &[],
    session_fields: &[],
};

/// The features that guardians manage.
pub struct Dependencies {
    pub children: Children,
    pub history: History,
    pub transcripts: Transcripts,
    /// For the child's time zone.
    pub times: Schedules,
    pub upstreams: Upstreams,
    pub rules: Rules,
    pub retention: Retention,
    /// What the assistants' latest requests had.
    pub connections: Connections,
    /// Whether guardians manage this themselves, or only the administrator does.
    pub guardians_manage: bool,
}

/// One service for each thing that guardians manage.
#[derive(Clone)]
pub struct Household {
    pub management: Management,
    pub profiles: ChildProfiles,
    pub requests: ChildRequests,
    pub invitations: Invitations,
    pub assistants: ManagedAssistants,
}

impl Household {
    /// Registers the kinds of e-mails.
    pub fn new(identity: &Identity, dependencies: Dependencies) -> Self {
        let environment = &identity.environment;
        let Dependencies {
            children,
            history,
            transcripts,
            times,
            upstreams,
            rules,
            retention,
            connections,
            guardians_manage,
        } = dependencies;
        let extents = Extents::new(children.clone(), transcripts, times.clone());
        let management = Management {
            store: environment.store.clone(),
            clock: environment.clock.clone(),
            due: environment.due.clone(),
            children,
            history,
            sign_ins: identity.sign_ins.clone(),
            guardians_manage,
        };
        let invitations = Invitations::new(identity, management.clone());
        Self {
            profiles: ChildProfiles::new(
                management.clone(),
                times,
                retention.clone(),
                rules.clone(),
                invitations.clone(),
            ),
            requests: ChildRequests::new(
                identity,
                management.clone(),
                invitations.clone(),
                retention,
                extents,
            ),
            assistants: ManagedAssistants::new(
                management.clone(),
                identity.assistants.clone(),
                upstreams,
                rules,
                connections,
            ),
            invitations,
            management,
        }
    }
}
