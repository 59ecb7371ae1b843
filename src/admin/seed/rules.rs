//! Imports a file's rules within the change that makes the family visible, because they refer to guardians and assistants that
//! it adds.

use std::collections::BTreeMap;

use super::super::AdminError;
use super::super::family::{ChildSeed, Family, TopicLists};
use crate::app::App;
use crate::children::ChildAccess;
use crate::children::history::{Details, Entry};
use crate::identity::{AssistantId, Caller, GuardianId, KeyKind};
use crate::kernel::host::name::valid_name;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::Change;
use crate::rules::schedule::{Schedule, ScheduleError};

/// The file's assistants by name.
pub(super) type Added = BTreeMap<String, AssistantId>;

/// Adds the assistants. Their keys are not shown.
pub(super) fn add_assistants(
    app: &App,
    change: &mut Change,
    family: &Family,
) -> Result<Added, AdminError> {
    let mut added = Added::new();
    for assistant in &family.assistants {
        let name = valid_name(&assistant.name)?;
        let (assistant, _key) =
            app.identity
                .assistants
                .add(change, &name, None, KeyKind::AssistantApi)?;
        added.insert(name, assistant.id);
    }
    Ok(added)
}

/// Imports the versions of a child's rules, its history, and its assistants with their status.
pub(super) fn import(
    app: &App,
    change: &mut Change,
    child: &ChildSeed,
    access: &ChildAccess,
    assistants: &Added,
) -> Result<(), AdminError> {
    let now = app.clock.now();
    let lists = TopicLists::of(child, now);
    let zone = app.times.read(change, access)?.time_zone;
    let default_schedule = Schedule::without_limits(zone);
    for seed in &child.rules {
        let by = guardian_id(app, change, seed.by.as_ref())?;
        let version = lists.version(seed, by, &default_schedule);
        let version = version
            .map_err(ScheduleError::from)
            .map_err(AdminError::new)?;
        app.rules.import_version(change, access, &version)?;
    }
    for seed in &child.history {
        let (at, what) = (seed.at.moment(now), seed.what);
        let by = guardian_id(app, change, seed.by.as_ref())?;
        let mut entry = Entry::new(at, what, by);
        entry.times = seed.times.unwrap_or(entry.times);
        entry.details = seed.details.clone().map(Details::bounded);
        app.history.import(change, access, &entry)?;
    }
    for seed in &child.assistants {
        let Some(id) = assistants.get(seed.name.trim()) else {
            continue;
        };
        let caller = Caller::Assistant(id.clone());
        app.children.link(change, access.child(), &caller)?;
        let status = lists.rule_status(seed);
        let reason = seed.refused.as_ref().and_then(|it| it.reason.as_deref());
        app.rules
            .import_status(change, access, id, status, reason)?;
    }
    Ok(())
}

pub(super) fn guardian_id(
    app: &App,
    change: &Change,
    email: Option<&EmailAddress>,
) -> Result<Option<GuardianId>, AdminError> {
    let guardian = email.map(|email| app.identity.guardians.get(change, email));
    Ok(guardian.transpose()?.map(|guardian| guardian.id))
}
