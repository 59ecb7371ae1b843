//! A session's metadata: what is stored about it but shown on no page.

use super::{NotKeptCount, Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, SessionId};
use crate::identity::AssistantId;
use crate::kernel::clock::Timestamp;

/// A session's metadata, which no page shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionMetadata {
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Which assistant knows it, and under which name.
    pub known_as: Option<(AssistantId, String)>,
    /// How many of its messages could not be stored, for each reason for which there are any.
    pub not_kept: Vec<NotKeptCount>,
}

impl Transcripts {
    /// The metadata of a session.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when the session isn't this child's.
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
                not_kept: state.not_kept.counts(),
            }),
        }
    }
}
