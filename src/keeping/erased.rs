//! What a guardian sees of 'Recently erased'.

use super::store::{self, ErasedRecord};
use super::{Keeping, KeepingError};
use crate::children::ChildAccess;
use crate::children::history::Author;
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Cursor, StoreError};
use crate::transcripts::{Session, TranscriptsError};

/// A session in 'Recently erased'.
#[derive(Debug)]
pub struct ErasedSession {
    /// The session.
    pub session: Session,
    /// When it began.
    pub date: Timestamp,
    /// When it was erased.
    pub at: Timestamp,
    /// Until when it can be brought back, at the latest.
    pub until: Timestamp,
    /// Whether the reader, who didn't erase it, was not shown it here.
    pub unseen: bool,
    /// Who erased it; `None` for a guardian who is no longer here.
    pub by: Option<Author>,
}

/// A part of 'Recently erased'.
#[derive(Debug, Default)]
pub struct ErasedPage {
    /// The one that was erased last first.
    pub sessions: Vec<ErasedSession>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<String>,
    /// How many sessions cannot be read and are not in it.
    pub unreadable: u64,
}

impl Keeping {
    /// A page of the child's sessions in 'Recently erased', the one that was erased last first.
    ///
    /// # Errors
    ///
    /// [`KeepingError::Cursor`], or the store's.
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
            .joined
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
                    by: self
                        .joined
                        .history
                        .author(&self.store, access, reader, &record.by)?,
                }),
                // Its time is over, or it was brought back a moment ago.
                Err(KeepingError::Transcripts(TranscriptsError::NoSuchSession)) => {}
                Err(KeepingError::Transcripts(TranscriptsError::Store(
                    StoreError::Unreadable(_),
                ))) => page.unreadable += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(page)
    }

    /// Whether this guardian may erase for good what is in 'Recently erased' of the child.
    pub fn may_erase_now(&self, access: &ChildAccess, by: &GuardianId) -> Result<bool, StoreError> {
        self.joined.children.has_alone(&self.store, access, by)
    }
}
