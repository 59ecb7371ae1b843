//! What an item of a history is.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    User,
    Assistant,
    ToolCall,
    ToolResult,
}
