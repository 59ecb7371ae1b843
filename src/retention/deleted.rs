//! Deleted sessions, as guardians see them.

use super::store::{self, DeletedBy, DeletedRecord};
use super::{Retention, RetentionError};
use crate::children::Period;
use crate::children::history::Author;
use crate::children::{ChildAccess, ChildId, SessionId};
use crate::conversations::transcripts::{Session, TranscriptsError};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Cursor, Read, StoreError, readable, readable_or_counted};

#[derive(Debug)]
pub struct DeletedSession {
    pub session: Session,
    pub date: Timestamp,
    /// When it was deleted.
    pub at: Timestamp,
    /// The latest time at which it can be restored.
    pub until: Timestamp,
    /// Whether somebody else deleted it, or words arrived later, and it was not yet shown to the reader in this list.
    pub unseen: bool,
    /// The guardian who deleted it; `None` if they are no longer a guardian, or if it was deleted because it was too old.
    pub by: Option<Author>,
    /// If it was deleted because it was older than this.
    pub older_than: Option<Period>,
}

/// The deletion of a session that can be restored.
#[derive(Clone, Debug)]
pub struct Deletion {
    /// The guardian who deleted it; `None` if they are no longer a guardian, or if it was deleted because it was too old.
    pub by: Option<Author>,
    /// If it was deleted because it was older than this.
    pub older_than: Option<Period>,
    /// The latest time at which it can be restored.
    pub until: Timestamp,
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
            let record = record.known_to(reader.guardian(), self.clock.now());
            let hidden = self.hidden(&self.store, access, record.session_id);
            match readable_or_counted(hidden, &mut page.unreadable) {
                Ok(None) => {}
                Ok(Some(hidden)) => {
                    let (by, older_than) = self.view_for(access, reader, &record.by)?;
                    page.sessions.push(DeletedSession {
                        date: hidden.placed.date,
                        session: hidden.placed.session,
                        at: record.at,
                        unseen: record.must_be_shown_to(reader.guardian(), &guardians)
                            && !record.shown.contains_key(reader.guardian()),
                        until: record.until(&guardians),
                        by,
                        older_than,
                    });
                }
                // Its time has passed, or it was restored since the page was read.
                Err(RetentionError::Transcripts(TranscriptsError::NoSuchSession)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(page)
    }

    /// Who deleted a session, as `reader` sees them, or the period that it was older than.
    fn view_for(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        by: &DeletedBy,
    ) -> Result<(Option<Author>, Option<Period>), StoreError> {
        match by {
            DeletedBy::Guardian(by) => {
                let history = &self.dependencies.history;
                let by = history.author(&self.store, access, reader, by)?;
                Ok((by, None))
            }
            DeletedBy::Retention { older_than_days } => Ok((None, Some(*older_than_days))),
        }
    }

    /// Returns `None` for a session that isn't deleted, or can't be restored any more.
    pub fn deletion_of(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        session: SessionId,
    ) -> Result<Option<Deletion>, RetentionError> {
        let since = match readable(self.hidden(&self.store, access, session)) {
            Ok(Some(hidden)) => hidden.since,
            Ok(None) | Err(RetentionError::Transcripts(TranscriptsError::NoSuchSession)) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let child = access.child();
        let record = readable(store::deleted(&self.store, child, since, session))?.flatten();
        let Some(record) = record else {
            return Ok(Some(Deletion {
                by: None,
                older_than: None,
                until: self.until(&self.store, child, since, session)?,
            }));
        };
        let guardians = self
            .dependencies
            .children
            .guardians_of(&self.store, child)?;
        let (by, older_than) = self.view_for(access, reader, &record.by)?;
        let known = record.known_to(reader.guardian(), self.clock.now());
        let until = known.until(&guardians);
        Ok(Some(Deletion {
            by,
            older_than,
            until,
        }))
    }

    /// Whether this guardian deleted a session of the child that is deleted since this time. `false` if that can't be read.
    pub fn is_deleted_by(
        view: &impl Read,
        child: ChildId,
        since: Timestamp,
        session: SessionId,
        guardian: &GuardianId,
    ) -> Result<bool, StoreError> {
        let record = readable(store::deleted(view, child, since, session))?.flatten();
        Ok(record.is_some_and(|record| record.by == DeletedBy::Guardian(guardian.clone())))
    }

    /// Whether this guardian may erase the child's deleted sessions permanently.
    pub fn may_erase(&self, access: &ChildAccess, by: &GuardianId) -> Result<bool, StoreError> {
        self.dependencies
            .children
            .is_only_guardian(&self.store, access, by)
    }
}
