//! What is stored about a session but shown on no page.

use super::{Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, SessionId};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionMetadata {
    pub ended_at: Option<Timestamp>,
    /// The assistant and its name for the session.
    pub known_as: Option<(AssistantId, String)>,
}

impl Transcripts {
    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn get_metadata(
        &self,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<SessionMetadata, TranscriptsError> {
        let found = store::shown_state(&self.store, session)?;
        match found.filter(|state| state.child == access.child()) {
            None => Err(TranscriptsError::NoSuchSession),
            Some(state) => Ok(SessionMetadata {
                ended_at: state.ended_at,
                known_as: state.name,
            }),
        }
    }
}
