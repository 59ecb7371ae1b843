//! How a context looks on the wire.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::LONGEST;
use crate::kernel::wire::Text;

/// What an assistant should know of a child.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Context", deny_unknown_fields)]
pub struct ContextView {
    /// The text, exactly as it was written; empty when there is none.
    pub text: Text<LONGEST>,
}
