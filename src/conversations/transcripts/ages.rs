//! When sessions last changed, for deciding which are too old to be kept.

use super::store::own_session;
use super::{Session, Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, SessionId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Cursor, Read, StoreError, readable};

/// How many sessions are read at once.
const SESSIONS: usize = 200;

/// A visible session, and the latest of its newest message and its last arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionAge {
    pub session: SessionId,
    pub changed_at: Timestamp,
}

impl Transcripts {
    /// Reads a batch of the child's visible sessions after the cursor `after`. Returns those that last changed up to `until`,
    /// and the cursor of the next batch. Leaves out unreadable sessions, whose age is unknown.
    pub fn changed_until(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        until: Timestamp,
        after: Option<&Cursor>,
    ) -> Result<(Vec<SessionAge>, Option<Cursor>), StoreError> {
        let rows = store::session_rows(view, access.child(), after, SESSIONS)?;
        let next = rows.last().filter(|_| rows.len() == SESSIONS);
        let next = next.map(|row| row.cursor());
        let mut found = Vec::new();
        for row in &rows {
            let session = readable(row.read::<Session>(view))?.flatten();
            // Most sessions are younger, and their other record isn't read.
            let Some(session) = session.filter(|session| session.last_message_time <= Some(until))
            else {
                continue;
            };
            let state = readable(store::state(view, session.session_id))?.flatten();
            let changed_at = state.map(|state| state.changed_at(&session));
            if let Some(changed_at) = changed_at.filter(|changed_at| *changed_at <= until) {
                let session = session.session_id;
                found.push(SessionAge {
                    session,
                    changed_at,
                });
            }
        }
        Ok((found, next))
    }

    /// The latest of a visible session's newest message and its last arrival; `None` if it is hidden. Fails with
    /// [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn changed_at(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<Timestamp>, TranscriptsError> {
        let (state, session) = own_session(view, access, session)?;
        Ok(state.is_shown().then(|| state.changed_at(&session)))
    }
}
