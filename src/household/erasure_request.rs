//! A guardian's request to delete a child.

use serde::{Deserialize, Serialize};

use super::child_request::ChildRequest;
use crate::children::DELETION_REQUEST;
use crate::children::agreement::{Agreement, Due};
use crate::identity::GuardianId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::Table;

/// A guardian's request to delete a child, also as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErasureRequest {
    pub by: GuardianId,
    pub at: Timestamp,
    /// The guardians' answers. For the requesting guardian, the request counts as shown.
    pub agreement: Agreement,
}

impl ChildRequest for ErasureRequest {
    const TABLE: Table = DELETION_REQUEST;

    fn by(&self) -> &GuardianId {
        &self.by
    }

    fn agreement_mut(&mut self) -> &mut Agreement {
        &mut self.agreement
    }

    /// An only guardian also waits seven days, because nobody else could cancel a request that they regret.
    fn due(&self, guardians: &[GuardianId]) -> Due {
        match guardians {
            [alone] if *alone == self.by => self.agreement.due(guardians),
            _ => self
                .agreement
                .due(guardians.iter().filter(|id| **id != self.by)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_only_guardian_waits_seven_days_and_several_wait_for_each_other() {
        let at = |day: u64| Timestamp::from_micros(0).after(Duration::from_secs(day * 86_400));
        let (ada, ben) = (GuardianId::from_text("ada"), GuardianId::from_text("ben"));
        let mut request = ErasureRequest {
            by: ada.clone(),
            at: at(0),
            agreement: Agreement::default(),
        };
        request.agreement.show(&ada, at(0));

        assert_eq!(request.due(std::slice::from_ref(&ada)), Due::At(at(7)));
        let both = [ada, ben.clone()];
        assert_eq!(request.due(&both), Due::NotKnown);
        request.agreement.show(&ben, at(2));
        assert_eq!(request.due(&both), Due::At(at(9)));
        request.agreement.confirm(&ben, at(3));
        assert_eq!(request.due(&both), Due::AtOnce);
    }
}
