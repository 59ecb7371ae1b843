//! The wire types of what a model pointed at, and of what a guardian finds not worrying.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use crate::alerts::{Concern, Flagged, Severity};
use crate::kernel::http::wire::at_most;

/// What a model pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "Concern", rename_all = "snake_case")]
pub enum ConcernView {
    /// Self-harm.
    SelfHarm,
    /// Being hurt or threatened.
    Hurt,
    /// Being hurt or threatened at home. Only if a guardian asked for it.
    HurtAtHome,
    /// Sexual content.
    SexualContent,
    /// A stranger who wants contact or secrets.
    Stranger,
    /// Dangerous acts and substances.
    Danger,
    /// Eating and body.
    EatingAndBody,
    /// A blocked topic was talked about.
    BlockedTopic,
    /// The assistant manipulates, claims to be human, keeps secrets from parents, or refuses a harmless question.
    Assistant,
}

impl From<Concern> for ConcernView {
    fn from(concern: Concern) -> Self {
        match concern {
            Concern::SelfHarm => Self::SelfHarm,
            Concern::Hurt => Self::Hurt,
            Concern::HurtAtHome => Self::HurtAtHome,
            Concern::SexualContent => Self::SexualContent,
            Concern::Stranger => Self::Stranger,
            Concern::Danger => Self::Danger,
            Concern::EatingAndBody => Self::EatingAndBody,
            Concern::BlockedTopic => Self::BlockedTopic,
            Concern::Assistant => Self::Assistant,
        }
    }
}

impl From<ConcernView> for Concern {
    fn from(concern: ConcernView) -> Self {
        match concern {
            ConcernView::SelfHarm => Self::SelfHarm,
            ConcernView::Hurt => Self::Hurt,
            ConcernView::HurtAtHome => Self::HurtAtHome,
            ConcernView::SexualContent => Self::SexualContent,
            ConcernView::Stranger => Self::Stranger,
            ConcernView::Danger => Self::Danger,
            ConcernView::EatingAndBody => Self::EatingAndBody,
            ConcernView::BlockedTopic => Self::BlockedTopic,
            ConcernView::Assistant => Self::Assistant,
        }
    }
}

/// How soon a guardian should look, as the model says.
#[derive(Clone, Copy, Debug, Enum, Serialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "Severity", rename_all = "snake_case")]
pub enum SeverityView {
    Look,
    Urgent,
}

/// What a model pointed at. It can be wrong.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Flagged")]
pub struct FlaggedView {
    concern: ConcernView,
    severity: SeverityView,
    /// The model's name.
    model: String,
    /// Whether the caller finds this alert, or this concern for this child, not worrying.
    not_worrying: bool,
}

impl FlaggedView {
    pub fn new(flagged: Flagged, not_worrying: bool) -> Self {
        Self {
            concern: flagged.concern.into(),
            severity: match flagged.severity {
                Severity::Look => SeverityView::Look,
                Severity::Urgent => SeverityView::Urgent,
            },
            model: flagged.model,
            not_worrying,
        }
    }
}

/// Whether the caller finds an alert not worrying.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "NotWorrying", deny_unknown_fields)]
pub struct NotWorryingView {
    pub not_worrying: bool,
}

/// The concerns that the caller finds not worrying for a child.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "NotWorryingConcerns", deny_unknown_fields)]
pub struct ConcernsView {
    #[serde(deserialize_with = "at_most::<9, _, _>")]
    #[oai(validator(max_items = 9))]
    pub concerns: Vec<ConcernView>,
}
