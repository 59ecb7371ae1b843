//! A guardian's request to keep a child's conversations for a shorter time.

use serde::{Deserialize, Serialize};

use super::agreement::{Agreement, Due};
use crate::identity::GuardianId;
use crate::kernel::clock::Timestamp;
use crate::retention::Period;

/// Also as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetentionRequest {
    pub by: GuardianId,
    pub at: Timestamp,
    pub days: Period,
    /// The guardians' answers. For the requesting guardian, the request counts as shown.
    pub agreement: Agreement,
}

impl RetentionRequest {
    /// When the request takes effect, given the child's guardians. An only guardian needn't wait: what becomes too old can
    /// still be restored for seven days.
    pub fn due(&self, guardians: &[GuardianId]) -> Due {
        let others = guardians.iter().filter(|id| **id != self.by);
        self.agreement.due(others)
    }
}
