//! The versions of a child's rules: who changed what, when, and for how long a version is kept.

use std::collections::HashSet;
use std::time::Duration;

use super::version::StoredVersion;
use super::{Changed, Rules, RulesInForce, receipts, store};
use crate::children::ChildAccess;
use crate::children::history::{Author, HistoryError};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Change, Cursor, StoreError};

/// How long a version is kept after it was replaced. One that a session names is kept as long as the session (beyond the
/// specification, section 9).
const KEPT: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// A version, and how it differs from the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionChange {
    /// The version's number.
    pub number: u64,
    /// When it took effect; `None` for the state before the first change.
    pub since: Option<Timestamp>,
    /// Until when it held; `None` for what is in force.
    pub until: Option<Timestamp>,
    /// What was changed.
    pub changed: Option<Changed>,
    /// Who changed it; `None` for a guardian who is no longer here.
    pub by: Option<Author>,
    /// The topics that the version before didn't have.
    pub added: Vec<String>,
    /// The topics that the version before had, and this one doesn't.
    pub removed: Vec<String>,
}

/// A part of the versions.
#[derive(Debug)]
pub struct RulesHistoryPage {
    /// Newest first.
    pub versions: Vec<VersionChange>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<String>,
    /// How many versions cannot be read and are not in it.
    pub unreadable: u64,
}

impl Rules {
    /// Keeps what is in force now as a new version, unless it is what was in force before; whether it did.
    pub(super) fn note_version(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        before: RulesInForce,
        changed: Changed,
        by: &GuardianId,
    ) -> Result<bool, StoreError> {
        let (child, now) = (access.child(), self.clock.now());
        let after = self.read(change, access)?;
        if after == before {
            return Ok(false);
        }
        // With today's instructions: an upgrade may have changed them since the version was kept.
        let kept = store::version(change, child, before.number)?;
        let instructions = before.instructions.clone();
        let replaced = StoredVersion {
            until: Some(now),
            instructions,
            ..kept.unwrap_or_else(|| StoredVersion::first(before))
        };
        store::put(change, child, &replaced)?;
        let version = StoredVersion::of(after, now, changed, by.clone());
        store::put(change, child, &version)?;
        self.drop_old_versions(change, access, now)?;
        Ok(true)
    }

    /// Deletes the versions that were replaced more than 400 days ago and that no session's receipt names.
    fn drop_old_versions(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let child = access.child();
        for number in store::numbers(change, child)?.into_iter().rev() {
            let version = match store::version(change, child, number) {
                // One that cannot be read stays, for `verify` to name.
                Err(StoreError::Unreadable(_)) | Ok(None) => continue,
                Ok(Some(version)) => version,
                Err(error) => return Err(error),
            };
            let is_old = |until: Timestamp| until.after(KEPT) < now;
            if !version.until.is_some_and(is_old) {
                break;
            }
            if !receipts::is_named(change, child, number)? {
                store::remove(change, child, number)?;
            }
        }
        Ok(())
    }

    /// A page of the versions of the child's rules, newest first.
    ///
    /// # Errors
    ///
    /// [`HistoryError::Cursor`], or the store's.
    pub fn list_history(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        before: Option<&str>,
        limit: usize,
    ) -> Result<RulesHistoryPage, HistoryError> {
        let before = before.map(Cursor::parse).transpose()?;
        let page = store::versions(&self.store, access.child(), before.as_ref(), limit)?;
        let mut kept = Vec::with_capacity(page.rows.len() + 1);
        for row in &page.rows {
            kept.push(row.record::<StoredVersion>()?);
        }
        let next = page.next();
        if next.is_some() {
            let behind = store::versions(&self.store, access.child(), page.end.as_ref(), 1)?;
            for row in &behind.rows {
                kept.push(row.record::<StoredVersion>()?);
            }
        }
        let mut versions = Vec::with_capacity(page.rows.len());
        for (index, version) in kept.iter().take(page.rows.len()).enumerate() {
            let by = match &version.by {
                Some(by) => self
                    .joined
                    .history
                    .author(&self.store, access, reader, by)?,
                None => None,
            };
            let (added, removed) = match kept.get(index + 1) {
                Some(before) => difference(&before.topics, &version.topics),
                None => (Vec::new(), Vec::new()),
            };
            versions.push(VersionChange {
                number: version.number,
                since: version.since,
                until: version.until,
                changed: version.changed,
                by,
                added,
                removed,
            });
        }
        Ok(RulesHistoryPage {
            versions,
            next,
            unreadable: page.unreadable,
        })
    }
}

/// The topics that are in `after` alone, and those in `before` alone.
fn difference(before: &[String], after: &[String]) -> (Vec<String>, Vec<String>) {
    let without = |of: &[String], others: &[String]| {
        let others = others.iter().collect::<HashSet<_>>();
        let left = of.iter().filter(|topic| !others.contains(topic));
        left.cloned().collect()
    };
    (without(after, before), without(before, after))
}
