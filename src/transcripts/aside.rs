//! What is kept of a session and no page shows.

use super::{Transcripts, TranscriptsError, store};
use crate::children::ChildAccess;
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::{AssistantId, SessionId};

/// What the assistant said of a session that no page shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aside {
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Which assistant knows it, and under which name.
    pub known_as: Option<(AssistantId, String)>,
}

impl Transcripts {
    /// What no page shows of a session.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when the session isn't this child's.
    pub fn get_aside(
        &self,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Aside, TranscriptsError> {
        let found = store::state(&self.store, session)?;
        match found.filter(|state| state.child == access.child()) {
            None => Err(TranscriptsError::NoSuchSession),
            Some(state) => Ok(Aside {
                ended_at: state.ended_at,
                known_as: state.name,
            }),
        }
    }
}
