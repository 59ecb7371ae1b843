//! A session, deleted or not, for what judges it later.

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
}
