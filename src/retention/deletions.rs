//! Deletion records: what was deleted permanently, and whether the store's files were searched for it.
//!
//! A record is written in the change with which a permanent deletion begins, and holds the numbers of the sessions until no
//! file contains their keys. The server may restart after each of these steps:
//!
//! 1. The sessions' rows are erased. The record then waits for the compactions that are required by now.
//! 2. The store is compacted.
//! 3. All files of the data folder are searched. If a key is still in one, another compaction is required at night,
//!    and the files are searched again after it. If a file couldn't be searched, they are searched again at night.
//! 4. The numbers are removed. The guardians of a deleted child, who can't read its records, get an e-mail.
//!
//! A record holds no words of a conversation. It has days, not times, for what depends on the server's compactions, which other
//! families cause, too.

mod checking;
mod listing;
mod receipts;
mod store;

use std::time::Duration;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::Retention;
use crate::children::{ChildAccess, SessionId};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Read, StoreError};

pub use checking::Unsearched;
pub use listing::{Deletion, DeletionPage};

pub(super) use receipts::{Receipt, register_emails};
pub(super) use store::{DELETION, KINDS, erase_batch};

use store::{DeletionKey, Of, UncheckedDeletion};

/// Why something was deleted permanently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "DeletionReason", rename_all = "snake_case")]
pub enum Reason {
    /// It was older than the guardians want to keep.
    Retention,
    /// A guardian deleted it.
    Guardian,
    /// The administrator removed the child.
    Administrator,
}

/// What a search of the server's data files showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "DeletionOutcome", rename_all = "snake_case")]
pub enum Outcome {
    /// None of it is in any of them.
    NotFound,
    /// Some file could not be searched.
    NotChecked,
    /// A part was still in a file.
    Found,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Check {
    at: Timestamp,
    outcome: Outcome,
}

/// Who asked for a deletion, and when.
#[derive(Clone, Debug)]
pub(super) struct DeletionCause {
    pub reason: Reason,
    /// `None` if it is unknown, or no guardian.
    pub by: Option<GuardianId>,
    pub at: Timestamp,
}

/// The record of what began to be deleted permanently within an hour, for one reason and by one guardian.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    sessions: u64,
    messages: u64,
    /// When the first session began.
    first: Option<Timestamp>,
    /// The last time at which something was said, or a session began.
    last: Option<Timestamp>,
    reason: Reason,
    by: Option<GuardianId>,
    asked_at: Timestamp,
    began_at: Timestamp,
    /// When the store had none of it any more.
    erased_at: Option<Timestamp>,
    /// When the files were compacted without it; `None` again while it is still found in one.
    gone_at: Option<Timestamp>,
    check: Option<Check>,
    /// Of a deleted child: the guardians that it had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    guardians: Vec<GuardianId>,
}

impl crate::kernel::store::Record for Record {}

impl Record {
    fn new(asked: DeletionCause, began_at: Timestamp) -> Self {
        Self {
            sessions: 0,
            messages: 0,
            first: None,
            last: None,
            reason: asked.reason,
            by: asked.by,
            asked_at: asked.at,
            began_at,
            erased_at: None,
            gone_at: None,
            check: None,
            guardians: Vec::new(),
        }
    }

    fn is_of_run(&self, asked: &DeletionCause, now: Timestamp) -> bool {
        let distance = now.since(self.began_at).max(self.began_at.since(now));
        distance < SAME_RUN && self.reason == asked.reason && self.by == asked.by
    }

    /// Counts a session, for which the files were not searched yet. `extent` is `None` if it is unreadable.
    fn add(&mut self, extent: Option<SessionExtent>) {
        (self.erased_at, self.gone_at, self.check) = (None, None, None);
        self.sessions += 1;
        if let Some(extent) = extent {
            self.messages += extent.messages;
            let times = [Some(extent.began), extent.last_said_at];
            let times = times.into_iter().flatten();
            self.first = self.first.into_iter().chain(times.clone()).min();
            self.last = self.last.into_iter().chain(times).max();
        }
    }

    fn is_not_found(&self) -> bool {
        self.check
            .is_some_and(|check| check.outcome == Outcome::NotFound)
    }
}

/// How much was said in a session, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct SessionExtent {
    pub messages: u64,
    pub began: Timestamp,
    pub last_said_at: Option<Timestamp>,
}

/// How long a record is kept.
const RECORDS_KEPT: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// Deletions that begin within this time, for one reason and by one guardian, have one record. It doesn't depend on when the
/// files are compacted, because that depends on other families, too.
const SAME_RUN: Duration = Duration::from_secs(60 * 60);

impl Retention {
    /// Records that a session begins to be deleted permanently. Must be called before the session is removed.
    pub(super) fn record_deletion(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        asked: DeletionCause,
    ) -> Result<(), StoreError> {
        let extent = self.extent_of(change, access, session)?;
        let asked_at = asked.at;
        let (place, mut record) = self.record_for(change, access, asked)?;
        record.asked_at = record.asked_at.min(asked_at);
        record.add(extent);
        store::put_record(change, place, &record)?;
        store::put_pending(change, place, &UncheckedDeletion::default())?;
        store::add_sessions(change, place, &[session])
    }

    /// The record to which a deletion belongs that begins now: one of the same run, or a new one.
    fn record_for(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        asked: DeletionCause,
    ) -> Result<(DeletionKey, Record), StoreError> {
        let (child, now) = (access.child(), self.clock.now());
        let recent = store::recent(view, child)?;
        for place in &recent {
            if let Some(record) = store::record(view, *place)?
                && record.is_of_run(&asked, now)
            {
                return Ok((*place, record));
            }
        }
        // After the newest one, even if the clock was set back.
        let free = recent.first().map(|newest| newest.next().at);
        let at = free.into_iter().fold(now, Timestamp::max);
        Ok((
            DeletionKey::new(Of::Sessions, child, at),
            Record::new(asked, now),
        ))
    }

    fn extent_of(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<SessionExtent>, StoreError> {
        let transcripts = &self.dependencies.transcripts;
        let found = transcripts.find_placed(view, access, session)?;
        Ok(found.map(|placed| SessionExtent {
            messages: placed.session.message_count,
            began: placed.date,
            last_said_at: placed.session.last_message_time,
        }))
    }

    /// Records that a child with all of its sessions begins to be deleted. Must be called in the change that takes it from its
    /// `guardians`, who get an e-mail once no file holds it any more.
    pub fn record_child_deletion(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        reason: Reason,
        guardians: Vec<GuardianId>,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        let asked = DeletionCause {
            reason,
            by: None,
            at: now,
        };
        let mut record = Record::new(asked, now);
        record.guardians = guardians;
        // Only their keys are read: other changes wait for this one, and the e-mail says how many they were, but not more.
        let transcripts = &self.dependencies.transcripts;
        let mut sessions = transcripts.all_numbers(change, access)?;
        record.sessions = sessions.len() as u64;
        // The records of its earlier deletions are erased with it, but what they wait for is not in vain.
        for earlier in store::all_pending(change, Of::Sessions)? {
            if earlier.child == access.child()
                && let Ok(waiting) = store::sessions(change, earlier)
            {
                sessions.extend(waiting);
            }
        }
        let place = DeletionKey::new(Of::Child, access.child(), now);
        store::put_record(change, place, &record)?;
        store::put_pending(change, place, &UncheckedDeletion::default())?;
        store::add_sessions(change, place, &sessions)
    }
}
