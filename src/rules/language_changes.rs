//! Changes of the language that a child speaks with its assistants.

use super::{Changed, Rules, language};
use crate::children::history::Changed as ChildChange;
use crate::children::{ChildAccess, ChildrenError};
use crate::identity::GuardianId;
use crate::kernel::host::language::Language;
use crate::kernel::store::StoreError;

impl Rules {
    /// The language that the child speaks, if a guardian has said so.
    pub fn language(&self, access: &ChildAccess) -> Result<Option<Language>, StoreError> {
        language::find(&self.store, access.child())
    }

    /// Sets the language that the child speaks, or removes it. Idempotent.
    pub async fn replace_language(
        &self,
        access: ChildAccess,
        by: GuardianId,
        spoken: Option<Language>,
    ) -> Result<(), ChildrenError> {
        let rules = self.clone();
        let replaced = self.store.commit(move |change| {
            let before = rules.read(change, &access)?;
            let is_new = language::replace(change, &access, spoken)?;
            rules.record_version(change, &access, before, Changed::Language, Some(&by))?;
            if is_new {
                rules.record_change(change, &access, (ChildChange::Language, None), by)?;
            }
            Ok(())
        });
        replaced.await
    }
}
