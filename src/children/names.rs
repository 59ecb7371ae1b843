//! A child's names of the last thirty days, so that who is asked whether the child may be deleted sees under which name they
//! knew it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Child, ChildId, Children, ChildrenError, store};
use crate::kernel::clock::Timestamp;
use crate::kernel::due::DueBy;
use crate::kernel::store::{Change, Read, Record, StoreError};

/// For how long a former name is kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How many names a child may have in that time.
const AT_MOST: usize = 20;

/// Who gives a child another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenamedBy {
    /// The administrator.
    Administrator,
    /// A guardian, who cannot change what another one was asked about.
    Guardian,
}

/// A child's former names, the last one first. This is also their stored form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct FormerNames(Vec<FormerName>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FormerName {
    name: String,
    /// When the child was given another one.
    until: Timestamp,
}

impl Record for FormerNames {}

impl FormerNames {
    fn is_recent(former: &FormerName, now: Timestamp) -> bool {
        now < former.until.after(KEPT)
    }

    /// Notes that a child was called so until now, and will have another name. Returns whether there are too many.
    fn add(&mut self, name: String, next: &str, now: Timestamp) -> bool {
        self.0
            .retain(|former| former.name != name && Self::is_recent(former, now));
        self.0.insert(0, FormerName { name, until: now });
        let others = self.0.iter().filter(|former| former.name != next);
        others.count() >= AT_MOST
    }
}

impl Children {
    /// Gives a child another name. No file shall hold the old one any more after thirty days.
    ///
    /// # Errors
    ///
    /// [`ChildrenError::NoSuchChild`]; for a guardian also [`ChildrenError::DeletionAsked`] and
    /// [`ChildrenError::TooManyNames`].
    pub fn rename(
        &self,
        change: &mut Change,
        child: ChildId,
        name: String,
        by: RenamedBy,
    ) -> Result<Child, ChildrenError> {
        let mut renamed = self.get(change, child)?;
        if by == RenamedBy::Guardian && self.is_deletion_asked(change, child)? {
            return Err(ChildrenError::DeletionAsked);
        }
        if renamed.name == name {
            return Ok(renamed);
        }
        let mut former = store::former_names(change, child)?;
        let are_too_many = former.add(renamed.name, &name, self.clock.now());
        if are_too_many && by == RenamedBy::Guardian {
            return Err(ChildrenError::TooManyNames);
        }
        former.0.truncate(AT_MOST);
        store::put_former_names(change, child, &former)?;
        renamed.name = name;
        store::put(change, &renamed)?;
        change.require_compaction_at_night()?;
        Ok(renamed)
    }

    /// The child's name and those that it had in the last thirty days, the last one first.
    ///
    /// # Errors
    ///
    /// [`ChildrenError::NoSuchChild`].
    pub fn names_of(&self, view: &impl Read, child: ChildId) -> Result<Vec<String>, ChildrenError> {
        let name = self.get(view, child)?.name;
        let now = self.clock.now();
        let former = store::former_names(view, child)?.0.into_iter();
        let recent = former.filter(|former| FormerNames::is_recent(former, now));
        let others = recent.map(|former| former.name);
        let others = others.filter(|other| *other != name).collect::<Vec<_>>();
        Ok([vec![name], others].concat())
    }

    /// The children with names that were kept for their time.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn with_old_names(&self, due: DueBy) -> Result<Vec<ChildId>, StoreError> {
        let mut old = Vec::new();
        for child in store::with_former_names(&self.store)? {
            let former = store::former_names(&self.store, child)?.0;
            if former.iter().any(|name| due.has_passed(name.until, KEPT)) {
                old.push(child);
            }
        }
        Ok(old)
    }

    /// Removes the names that were kept for their time.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn drop_old_names(
        &self,
        change: &mut Change,
        child: ChildId,
        due: DueBy,
    ) -> Result<(), StoreError> {
        let mut former = store::former_names(change, child)?;
        former.0.retain(|name| !due.has_passed(name.until, KEPT));
        store::put_former_names(change, child, &former)?;
        change.require_compaction_at_night()
    }
}
