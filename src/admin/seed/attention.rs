//! Imports which assistants guardians no longer use, once the child has its guardians and assistants.

use super::super::AdminError;
use super::super::family::ChildSeed;
use super::rules::{Added, guardian_id};
use crate::app::App;
use crate::children::ChildAccess;
use crate::kernel::store::Change;

pub(super) fn import(
    app: &App,
    change: &mut Change,
    child: &ChildSeed,
    access: &ChildAccess,
    assistants: &Added,
) -> Result<(), AdminError> {
    let mut imported = Vec::new();
    for seed in &child.not_in_use {
        let guardian = guardian_id(app, change, Some(&seed.guardian))?;
        let assistant = assistants.get(seed.assistant.trim()).cloned();
        imported.extend(guardian.zip(assistant));
    }
    Ok(app.attention.import(change, access, imported)?)
}
