//! Why a request was refused.

use serde::{Deserialize, Serialize};

use crate::alerts::reviewer::{CannotMeasure, NoModel};
use crate::assistants::deliveries::AssistantError;
use crate::children::ChildrenError;
use crate::conversations::transcripts::TranscriptsError;
use crate::household::ProfileError;
use crate::identity::{AssistantNameError, GuardianNameError, ReinstateError};
use crate::insights::activities::ActivitiesError;
use crate::insights::summary::{ReportError, SummaryError};
use crate::kernel::host::name::NotAName;
use crate::kernel::store::StoreError;
use crate::models::{InvalidUpstream, ProbeError, UpstreamsError};
use crate::retention::RetentionError;
use crate::rules::blocked_topics::{BlockedTopicsError, TopicError};
use crate::rules::context::ContextError;
use crate::tries::TriesError;

/// Why a request was refused, in a sentence for the administrator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{sentence}")]
pub struct AdminError {
    sentence: String,
}

impl AdminError {
    pub fn new(sentence: impl ToString) -> Self {
        let sentence = sentence.to_string();
        Self { sentence }
    }
}

/// The features' errors are sentences already.
macro_rules! into_sentence {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for AdminError {
            fn from(error: $error) -> Self {
                Self::new(error)
            }
        })*
    };
}

into_sentence!(
    ActivitiesError,
    AssistantError,
    AssistantNameError,
    BlockedTopicsError,
    CannotMeasure,
    ContextError,
    ChildrenError,
    GuardianNameError,
    InvalidUpstream,
    NoModel,
    NotAName,
    ProbeError,
    ProfileError,
    ReinstateError,
    ReportError,
    RetentionError,
    StoreError,
    SummaryError,
    TopicError,
    TranscriptsError,
    TriesError,
    UpstreamsError,
);
