//! A session, deleted or not, for what judges it later.

use super::session::PlacedSession;
use super::{Session, Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, SessionId};
use crate::kernel::store::{Read, StoreError};

impl Transcripts {
    /// A session of this child, also if it is deleted; `None` if it is erased, or another child's.
    pub fn find_any(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<Session>, StoreError> {
        match store::own_session(view, access, session) {
            Ok((_, session)) => Ok(Some(session)),
            Err(TranscriptsError::Store(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// One of the child's sessions with its date, deleted or not; `None` also if it is unreadable.
    pub fn find_placed(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<PlacedSession>, StoreError> {
        match store::own_session(view, access, session) {
            Ok((state, session)) => Ok(Some(PlacedSession {
                date: state.began(&session),
                is_hidden: !state.is_shown(),
                session,
            })),
            Err(TranscriptsError::Store(StoreError::Unreadable(_))) => Ok(None),
            Err(TranscriptsError::Store(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }
}
