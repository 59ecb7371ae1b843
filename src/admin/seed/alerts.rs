//! Imports a file's alerts and watched phrases within the change that makes the family visible, because they refer to guardians,
//! assistants and sessions that it adds.

use std::collections::BTreeMap;

use super::super::AdminError;
use super::super::family::ChildSeed;
use super::rules::{Added, guardian_id};
use crate::alerts::{Imported, Side};
use crate::app::App;
use crate::children::{ChildAccess, SessionId};
use crate::identity::GuardianId;
use crate::kernel::store::Change;

/// A child's sessions by their ids in the file.
pub(super) type Sessions = BTreeMap<u64, SessionId>;

pub(super) fn import(
    app: &App,
    change: &mut Change,
    child: &ChildSeed,
    access: &ChildAccess,
    assistants: &Added,
    sessions: &Sessions,
) -> Result<(), AdminError> {
    let now = app.clock.now();
    let mut phrases = BTreeMap::<GuardianId, Vec<(String, Side)>>::new();
    for seed in &child.watched_phrases {
        if let Some(guardian) = guardian_id(app, change, Some(&seed.guardian))? {
            let of_guardian = phrases.entry(guardian).or_default();
            of_guardian.push((seed.words.clone(), seed.side));
        }
    }
    let mut alerts = Vec::new();
    for seed in child.alerts.iter().rev() {
        let whose = guardian_id(app, change, seed.guardian.as_ref())?;
        let session = seed.session_id.and_then(|id| sessions.get(&id)).copied();
        let assistant = seed.assistant.as_ref();
        let assistant = assistant.and_then(|name| assistants.get(name.trim()));
        let mut alert = seed.alert(now, session, assistant.cloned());
        for email in &seed.dealt_with_by {
            let guardian = guardian_id(app, change, Some(email))?;
            alert.dealt_with.extend(guardian);
        }
        alerts.push((whose, alert));
    }
    let phrases = phrases.into_iter().collect();
    let imported = Imported { alerts, phrases };
    Ok(app.alerts.import(change, access, imported)?)
}
