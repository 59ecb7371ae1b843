//! Changes of a child's age: by a guardian, and by the calendar.

use super::{Changed, Rules};
use crate::children::history::Changed as ChildChange;
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Purpose, StoreError};
use crate::rules::age::{self, AgeError, BirthMonth, Born, IssuedAge};

impl Rules {
    /// When the child was born, if a guardian has said so.
    pub fn born(&self, access: &ChildAccess) -> Result<Option<Born>, StoreError> {
        age::find(&self.store, access.child())
    }

    /// Sets the month in which the child was born, or removes it. Idempotent.
    ///
    /// # Errors
    ///
    /// [`AgeError::InFuture`] and [`AgeError::TooLongAgo`]. Then nothing was changed.
    pub async fn replace_birth_month(
        &self,
        access: ChildAccess,
        by: GuardianId,
        month: Option<BirthMonth>,
    ) -> Result<Option<Born>, AgeError> {
        let rules = self.clone();
        let replaced = self.store.commit(move |change| {
            let before = rules.read(change, &access)?;
            let is_new = rules.ages.replace(change, &access, month)?;
            rules.record_version(change, &access, before, Changed::BirthMonth, Some(&by))?;
            if is_new {
                // Without the month: the history is kept as long as the child, also once the month is removed.
                rules.record_change(change, &access, (ChildChange::BirthMonth, None), by)?;
            }
            Ok(age::find(change, access.child())?)
        });
        replaced.await
    }

    /// Makes new versions for the children whose age changed by the calendar.
    pub async fn apply_calendar(&self, due: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        for child in age::children(&self.store)? {
            first = first.and(self.apply_calendar_to(child, due).await);
        }
        first
    }

    async fn apply_calendar_to(&self, child: ChildId, due: DueBy) -> Result<(), StoreError> {
        let children = &self.dependencies.children;
        // A child that is being imported or erased has no rules to change.
        let access = match children.for_administrator(child) {
            Ok(access) => access,
            Err(ChildrenError::Store(error)) => return Err(error),
            Err(_) => return Ok(()),
        };
        if !self.ages.is_to_change(&self.store, &access, due)? {
            return Ok(());
        }
        let rules = self.clone();
        let applied = self.store.commit_for(Purpose::Ordinary, move |change| {
            if access.confirm(change).is_err() {
                return Ok(());
            }
            let before = rules.read(change, &access)?;
            rules.ages.apply_calendar(change, &access, due)?;
            rules.record_version(change, &access, before, Changed::Calendar, None)?;
            Ok(())
        });
        applied.await
    }

    /// What an assistant is told of its children's age, if its key is for several. They could use each other's name, so the
    /// lines are the youngest one's.
    pub(super) fn shared_age(
        &self,
        assistant: &AssistantId,
    ) -> Result<Option<IssuedAge>, StoreError> {
        let sharing = self.dependencies.children.sharing(&self.store, assistant)?;
        let age = sharing.map(|children| age::issued_together(&self.store, &children));
        age.transpose()
    }
}
