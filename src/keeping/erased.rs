//! Deleted sessions, as guardians see them.

use super::store::{self, ErasedRecord};
use super::{Keeping, KeepingError};
use crate::children::ChildAccess;
use crate::children::history::Author;
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Cursor, StoreError};
use crate::transcripts::{Session, TranscriptsError};

#[derive(Debug)]
pub struct ErasedSession {
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
pub struct ErasedPage {
    /// The last deleted first.
    pub sessions: Vec<ErasedSession>,
    /// The marker of the next page; `None` on the last one.
    pub next: Option<String>,
    /// How many unreadable sessions were left out.
    pub unreadable: u64,
}

impl Keeping {
    /// Returns a page of the child's deleted sessions, the last deleted first. Fails with [`KeepingError::Cursor`] for an invalid
    /// marker.
    pub fn list_erased(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        before: Option<&str>,
        limit: usize,
    ) -> Result<ErasedPage, KeepingError> {
        let before = before.map(Cursor::parse).transpose()?;
        let rows = store::page(&self.store, access.child(), before.as_ref(), limit)?;
        let mut page = ErasedPage {
            next: rows.next(),
            unreadable: rows.unreadable,
            ..ErasedPage::default()
        };
        let guardians = self
            .dependencies
            .children
            .guardians_of(&self.store, access.child())?;
        for row in &rows.rows {
            let record = row.record::<ErasedRecord>()?;
            match self.hidden(&self.store, access, record.session_id) {
                Ok(hidden) => page.sessions.push(ErasedSession {
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
                Err(KeepingError::Transcripts(TranscriptsError::NoSuchSession)) => {}
                Err(KeepingError::Transcripts(TranscriptsError::Store(
                    StoreError::Unreadable(_),
                ))) => page.unreadable += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(page)
    }

    /// Whether this guardian may erase the child's deleted sessions permanently.
    pub fn may_erase_now(&self, access: &ChildAccess, by: &GuardianId) -> Result<bool, StoreError> {
        self.dependencies
            .children
            .has_alone(&self.store, access, by)
    }
}
