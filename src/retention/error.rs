//! Why something wasn't moved, deleted or restored.

use crate::children::ChildrenError;
use crate::conversations::transcripts::TranscriptsError;
use crate::insights::activities::ActivitiesError;
use crate::insights::summary::SummaryError;
use crate::kernel::http::problem::refusals;
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

refusals! {
    RetentionError from Transcripts, Activities, Summary, Children, Cursor, Store {
        OtherGuardians => against_a_rule(GuardiansDiffer) at "/child_id",
        NotAlone => conflict(OtherGuardianCanRestore),
    }
}
