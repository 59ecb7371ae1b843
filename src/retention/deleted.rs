//! Deleted sessions, as guardians see them.

use super::store::{self, DeletedRecord};
use super::{Retention, RetentionError};
use crate::children::history::Author;
use crate::children::{ChildAccess, SessionId};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Cursor, StoreError};
use crate::transcripts::{Session, TranscriptsError};

#[derive(Debug)]
pub struct DeletedSession {
    pub session: Session,
    pub date: Timestamp,
    /// When it was deleted.
    pub at: Timestamp,
    /// The latest time at which it can be restored.
    pub until: Timestamp,
    /// Whether it was deleted by somebody else and not yet shown to the reader in this list.
    pub unseen: bool,
    /// Who deleted it; `None` for a former guardian.
    pub by: Option<Author>,
}

#[derive(Debug, Default)]
pub struct DeletedPage {
    /// The last deleted first.
    pub sessions: Vec<DeletedSession>,
    /// The marker of the next page; `None` on the last one.
    pub next: Option<String>,
    /// How many unreadable sessions were left out.
    pub unreadable: u64,
}

impl Retention {
    /// Returns a page of the child's deleted sessions, the last deleted first. Fails with [`RetentionError::Cursor`] for an
    /// invalid marker.
    pub fn list_deleted(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        before: Option<&str>,
        limit: usize,
    ) -> Result<DeletedPage, RetentionError> {
        let before = before.map(Cursor::parse).transpose()?;
        let rows = store::page(&self.store, access.child(), before.as_ref(), limit)?;
        let mut page = DeletedPage {
            next: rows.next(),
            unreadable: rows.unreadable,
            ..DeletedPage::default()
        };
        let guardians = self
            .dependencies
            .children
            .guardians_of(&self.store, access.child())?;
        for row in &rows.rows {
            let record = row.record::<DeletedRecord>()?;
            match self.hidden(&self.store, access, record.session_id) {
                Ok(hidden) => page.sessions.push(DeletedSession {
                    date: hidden.placed.date,
                    session: hidden.placed.session,
                    at: record.at,
                    unseen: record.by != *reader.guardian()
                        && !record.shown.contains_key(reader.guardian()),
                    until: record.until(&guardians),
                    by: self.dependencies.history.author(
                        &self.store,
                        access,
                        reader,
                        &record.by,
                    )?,
                }),
                // Its time has passed, or it was restored since the page was read.
                Err(RetentionError::Transcripts(TranscriptsError::NoSuchSession)) => {}
                Err(RetentionError::Transcripts(TranscriptsError::Store(
                    StoreError::Unreadable(_),
                ))) => page.unreadable += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(page)
    }

    /// Returns who deleted a session, as `reader` sees them, and the latest time at which it can be restored; `None` if it isn't
    /// deleted, or can't be restored any more.
    pub fn deletion_of(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        session: SessionId,
    ) -> Result<Option<(Option<Author>, Timestamp)>, RetentionError> {
        let since = match self.hidden(&self.store, access, session) {
            Ok(hidden) => hidden.since,
            Err(RetentionError::Transcripts(
                TranscriptsError::NoSuchSession
                | TranscriptsError::Store(StoreError::Unreadable(_)),
            )) => return Ok(None),
            Err(error) => return Err(error),
        };
        let child = access.child();
        let until = self.until(&self.store, child, since, session)?;
        let by = match store::deleted(&self.store, child, since, session) {
            Ok(record) => record.map(|record| record.by),
            Err(StoreError::Unreadable(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let history = &self.dependencies.history;
        let by = match by {
            Some(by) => history.author(&self.store, access, reader, &by)?,
            None => None,
        };
        Ok(Some((by, until)))
    }

    /// Whether this guardian may erase the child's deleted sessions permanently.
    pub fn may_erase(&self, access: &ChildAccess, by: &GuardianId) -> Result<bool, StoreError> {
        self.dependencies
            .children
            .has_alone(&self.store, access, by)
    }
}
