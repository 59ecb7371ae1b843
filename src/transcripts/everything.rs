//! All that is kept of a child's sessions, for an export: also where a part of it cannot be read.

use super::store::messages;
use super::{Session, Transcripts, TranscriptsError, store};
use crate::children::ChildAccess;
use crate::kernel::store::{Cursor, Page, Read, StoreError};

impl Transcripts {
    /// All sessions of a child, newest first, and how many of them cannot be read: of those there is what their place in the
    /// list says.
    pub fn list_all_sessions(
        &self,
        view: &impl Read,
        access: &ChildAccess,
    ) -> Result<(Vec<Session>, u64), StoreError> {
        store::all_sessions(view, access.child())
    }

    /// [`Transcripts::read_messages`] of a session of [`Transcripts::list_all_sessions`], of which nothing else has to be
    /// readable.
    pub fn read_messages_of(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: &Session,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page, TranscriptsError> {
        if session.child_id != access.child() {
            return Err(TranscriptsError::NoSuchSession);
        }
        let after = after.map(Cursor::parse).transpose()?;
        Ok(messages::messages(
            view,
            session.session_id,
            after.as_ref(),
            limit,
        )?)
    }
}
