//! The versions of a child's rules: who changed what, when, and how long a version is stored.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::json;

use super::store::{TextId, VersionRow};
use super::version::StoredVersion;
use super::{Changed, Rules, RulesInForce, receipts, store};
use crate::children::ChildAccess;
use crate::children::history::{Author, HistoryError};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Cursor, PageRoom, Row, StoreError, readable_or_counted};

/// How long a version is stored after it was replaced. A version that a session refers to is stored as long as the session.
const KEPT: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// A version, and how it differs from the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionChange {
    pub number: u64,
    /// When it took effect; `None` for the state before the first change.
    pub since: Option<Timestamp>,
    /// When it was replaced; `None` for the current version.
    pub until: Option<Timestamp>,
    pub changed: Option<Changed>,
    /// The guardian who changed it; `None` for one who was removed, and for the calendar.
    pub by: Option<Author>,
    /// The topics that the previous version didn't have.
    pub added: Vec<String>,
    /// The topics of the previous version that this one doesn't have.
    pub removed: Vec<String>,
}

impl VersionChange {
    /// The approximate size on a page, in bytes.
    fn bytes(&self) -> usize {
        let topics = self.added.iter().chain(&self.removed);
        let topics = topics.map(|topic| json!(topic).to_string().len() + 1);
        BYTES_BESIDE_TOPICS + topics.sum::<usize>()
    }
}

/// The approximate maximum size of a version on a page without its topics, in bytes.
const BYTES_BESIDE_TOPICS: usize = 256;

#[derive(Debug)]
pub struct RulesHistoryPage {
    /// Newest first.
    pub versions: Vec<VersionChange>,
    /// The cursor of the next page; `None` on the last one.
    pub next: Option<String>,
    /// The number of unreadable versions, which are left out.
    pub unreadable: u64,
}

impl Rules {
    /// Stores the current rules as a new version, unless they equal the previous version; returns whether it did.
    pub(super) fn record_version(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        before: RulesInForce,
        changed: Changed,
        by: Option<&GuardianId>,
    ) -> Result<bool, StoreError> {
        let (child, now) = (access.child(), self.clock.now());
        let after = self.read(change, access)?;
        if after == before {
            return Ok(false);
        }
        // Stored again with today's instructions: an upgrade may have changed them since the version was first stored.
        let kept = store::row(change, child, before.number)?;
        let replaced = StoredVersion {
            until: Some(now),
            ..StoredVersion::first(before)
        };
        let replaced = match kept {
            None => replaced,
            Some(kept) => StoredVersion {
                since: kept.since,
                changed: kept.changed,
                by: kept.by,
                topics_version: kept.topics_version,
                times: kept.times,
                ..replaced
            },
        };
        store::put(change, child, &replaced)?;
        let version = StoredVersion::of(after, now, changed, by.cloned());
        store::put(change, child, &version)?;
        self.drop_old_versions(change, access, now)?;
        Ok(true)
    }

    /// Deletes the versions that were replaced more than 400 days ago and that no session's receipt refers to.
    fn drop_old_versions(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let child = access.child();
        let is_old = |until: Timestamp| until.after(KEPT) < now;
        for number in store::old_versions(change, child, is_old)? {
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
    /// [`HistoryError::Cursor`] if the cursor is invalid.
    pub fn list_history(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        before: Option<&str>,
        limit: usize,
    ) -> Result<RulesHistoryPage, HistoryError> {
        let (view, child) = (&self.store, access.child());
        let before = before.map(Cursor::parse).transpose()?;
        let mut room = PageRoom::new(limit);
        let mut history = RulesHistoryPage {
            versions: Vec::new(),
            next: None,
            unreadable: 0,
        };
        let mut end = before.clone();
        let mut row = store::next_version(view, child, before.as_ref())?;
        loop {
            // Needed to compute the differences.
            let row_before = store::next_version(view, child, row.end.as_ref())?;
            if let Some(found) = row.rows.first() {
                if room.is_full() {
                    history.next = end.as_ref().map(Cursor::to_text);
                    break;
                }
                let older = row_before.rows.first().map(Row::record::<VersionRow>);
                let change = self.change_of(access, reader, found.record()?, older.transpose()?);
                // It is missing if one of its texts is unreadable.
                if let Some(change) = readable_or_counted(change, &mut history.unreadable)? {
                    if !room.take(change.bytes()) {
                        history.next = end.as_ref().map(Cursor::to_text);
                        break;
                    }
                    history.versions.push(change);
                }
            }
            history.unreadable += row.unreadable;
            end.clone_from(&row.end);
            if !row.has_next {
                break;
            }
            row = row_before;
        }
        Ok(history)
    }

    /// The differences between a version and the previous one.
    fn change_of(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        version: VersionRow,
        before: Option<VersionRow>,
    ) -> Result<VersionChange, StoreError> {
        let (view, child) = (&self.store, access.child());
        let by = match &version.by {
            Some(by) => self.dependencies.history.author(view, access, reader, by)?,
            None => None,
        };
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        // An unreadable list then affects only the version that changed it.
        let before = before.filter(|before| !version.has_topics_of(before));
        if let Some(before) = &before {
            let (before, after) = (before.topics(view, child)?, version.topics(view, child)?);
            let only_in = |these: &[TextId], others: &[TextId]| {
                let others = others.iter().collect::<HashSet<_>>();
                let only = these.iter().filter(|id| !others.contains(id));
                let texts = only.map(|id| store::text(view, child, *id));
                texts.collect::<Result<Vec<_>, _>>()
            };
            added = only_in(&after, &before)?;
            removed = only_in(&before, &after)?;
        }
        Ok(VersionChange {
            number: version.number,
            since: version.since,
            until: version.until,
            changed: version.changed,
            by,
            added,
            removed,
        })
    }
}
