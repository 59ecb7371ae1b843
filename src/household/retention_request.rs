//! A guardian's request to keep a child's conversations for a shorter time.

use serde::{Deserialize, Serialize};

use super::child_request::ChildRequest;
use crate::children::agreement::{Agreement, Due};
use crate::identity::GuardianId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::Table;
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

impl ChildRequest for RetentionRequest {
    const TABLE: Table = Table::new("retention-request");

    fn by(&self) -> &GuardianId {
        &self.by
    }

    fn agreement_mut(&mut self) -> &mut Agreement {
        &mut self.agreement
    }

    /// An only guardian needn't wait: what becomes too old can still be restored for seven days.
    fn due(&self, guardians: &[GuardianId]) -> Due {
        let others = guardians.iter().filter(|id| **id != self.by);
        self.agreement.due(others)
    }
}
