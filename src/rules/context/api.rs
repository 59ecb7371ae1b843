//! The wire type of a context.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::LONGEST;
use crate::kernel::http::wire::Text;

/// What an assistant should know about a child.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Context", deny_unknown_fields)]
pub struct ContextView {
    /// The text, exactly as written; empty by default.
    pub text: Text<LONGEST>,
}
