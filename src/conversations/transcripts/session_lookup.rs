//! Finding a session whether or not it is deleted, for alerts about a whole session.

use super::session::PlacedSession;
use super::{Session, Transcripts, existing, store};
use crate::children::{ChildAccess, SessionId};
use crate::kernel::store::{Read, StoreError, readable};

impl Transcripts {
    /// A session of this child, also if it is deleted; `None` if it is erased, or another child's.
    pub fn find_any(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<Session>, StoreError> {
        let found = existing(store::own_session(view, access, session))?;
        Ok(found.map(|(_, session)| session))
    }

    /// One of the child's sessions with its date, deleted or not; `None` also if it is unreadable.
    pub fn find_placed(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<PlacedSession>, StoreError> {
        let found = readable(existing(store::own_session(view, access, session)))?.flatten();
        Ok(found.map(|(state, session)| PlacedSession {
            date: state.began(&session),
            is_hidden: !state.is_shown(),
            session,
        }))
    }
}
