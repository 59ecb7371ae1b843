//! The wire types of what a model pointed at, and of what a guardian finds not worrying.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::alerts::{Concern, Flagged, Severity};
use crate::kernel::http::wire::at_most;

/// What a model pointed at. It can be wrong.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Flagged")]
pub struct FlaggedView {
    concern: Concern,
    severity: Severity,
    model: String,
    /// Whether the caller finds this alert, or this concern for this child, not worrying.
    not_worrying: bool,
}

impl FlaggedView {
    pub fn new(flagged: Flagged, not_worrying: bool) -> Self {
        Self {
            concern: flagged.concern,
            severity: flagged.severity,
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
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "NotWorryingConcerns", deny_unknown_fields)]
pub struct ReplaceConcerns {
    #[serde(deserialize_with = "at_most::<9, _, _>")]
    #[oai(validator(max_items = 9))]
    pub items: Vec<Concern>,
}
