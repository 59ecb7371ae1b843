//! All of a child's sessions that aren't hidden, for an export. Works even if a part can't be read.

use super::store::messages;
use super::{Message, Session, Transcripts, TranscriptsError, store};
use crate::children::ChildAccess;
use crate::kernel::store::{Cursor, Page, Read, StoreError};

impl Transcripts {
    /// Returns all of a child's sessions that aren't hidden, newest first, and the number of unreadable ones. An unreadable one is
    /// included with what its key contains: its id and a time.
    pub fn list_all_sessions(
        &self,
        view: &impl Read,
        access: &ChildAccess,
    ) -> Result<(Vec<Session>, u64), StoreError> {
        store::all_sessions(view, access.child())
    }

    /// [`Transcripts::read_messages`] for a session of [`Transcripts::list_all_sessions`]; works even if the session's own row
    /// is unreadable.
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

    /// How many bytes were said in a session of [`Transcripts::list_all_sessions`]. Counts to `most` and a page further.
    pub fn count_bytes(
        &self,
        view: &impl Read,
        session: &Session,
        most: u64,
    ) -> Result<u64, StoreError> {
        const ROWS: usize = 200;
        let (mut bytes, mut after) = (0, None);
        while bytes < most {
            let page = messages::messages(view, session.session_id, after.as_ref(), ROWS)?;
            for row in &page.rows {
                let message = row.record::<Message>()?;
                if message.kind.is_none() {
                    bytes += message.text_content.map_or(0, |text| text.len() as u64);
                }
            }
            let next = page.next();
            let Some(next) = next.and_then(|next| Cursor::parse(&next).ok()) else {
                break;
            };
            after = Some(next);
        }
        Ok(bytes)
    }
}
