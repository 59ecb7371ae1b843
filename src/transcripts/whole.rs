//! A session with the times of its conversation, deleted or not, for what judges it later.

use super::talk::{TalkInterval, interval};
use super::{Session, Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, SessionId};
use crate::kernel::store::{Read, StoreError};

impl Transcripts {
    /// A session of this child, also if it is deleted, and when its conversation took place; `None` if it is erased, or another
    /// child's.
    pub fn find_any(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<(Session, Option<TalkInterval>)>, StoreError> {
        let (state, session) = match store::own_session(view, access, session) {
            Ok(found) => found,
            Err(TranscriptsError::Store(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        let said = state.first_message_time.zip(session.last_message_time);
        let talk = interval(said, session.start_time, state.ended_at, state.reported());
        Ok(Some((session, talk)))
    }
}
