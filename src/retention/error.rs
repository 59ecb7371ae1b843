//! Why something wasn't moved, deleted or restored.

use crate::children::ChildrenError;
use crate::conversations::transcripts::TranscriptsError;
use crate::insights::activities::ActivitiesError;
use crate::insights::summary::SummaryError;
use crate::kernel::http::problem::Refusal;
use crate::kernel::store::{NotACursor, ReadError, StoreError};

#[derive(Debug, thiserror::Error)]
pub enum RetentionError {
    /// The children don't have exactly the same guardians.
    #[error(
        "A conversation can only be moved between children who have exactly the same guardians."
    )]
    OtherGuardians,
    /// Another guardian may want to restore the session.
    #[error(
        "This child has another guardian, who can restore it. Seven days after they have seen it here, it is deleted permanently."
    )]
    NotAlone,
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    #[error(transparent)]
    Activities(#[from] ActivitiesError),
    #[error(transparent)]
    Summary(#[from] SummaryError),
    /// The child was removed.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The cursor is invalid.
    #[error(transparent)]
    Cursor(#[from] NotACursor),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ReadError for RetentionError {
    fn damage(&self) -> Option<&str> {
        match self {
            Self::Transcripts(error) => error.damage(),
            // Who deleted it and who may restore it grants something.
            _ => None,
        }
    }
}

impl From<RetentionError> for Refusal {
    fn from(error: RetentionError) -> Self {
        match error {
            error @ RetentionError::OtherGuardians => {
                Self::against_a_rule(error.to_string()).at("/child_id")
            }
            error @ RetentionError::NotAlone => Self::conflict(error.to_string()),
            RetentionError::Transcripts(error) => error.into(),
            RetentionError::Activities(error) => error.into(),
            RetentionError::Summary(error) => error.into(),
            RetentionError::Children(error) => error.into(),
            RetentionError::Cursor(error) => Self::malformed(error.to_string()),
            RetentionError::Store(error) => error.into(),
        }
    }
}
