//! A guardian's request about a child.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use super::{Agreement, Due, Edition};
use crate::children::Period;
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;

/// What a guardian asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestedChange {
    /// Deleting the child.
    Deletion,
    /// Keeping its conversations for a shorter time.
    Retention(Period),
}

/// What a request asks for.
// A child has at most one of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "RequestKind", rename_all = "snake_case")]
pub enum RequestKind {
    /// Deleting the child and all its data.
    Deletion,
    /// Keeping its conversations for a shorter time.
    Retention,
}

/// Also as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub by: GuardianId,
    pub at: Timestamp,
    pub asked: RequestedChange,
    pub edition: Edition,
    /// The guardians' answers. For the requesting guardian, the request counts as shown.
    pub agreement: Agreement,
}

impl RequestedChange {
    pub fn kind(self) -> RequestKind {
        match self {
            Self::Deletion => RequestKind::Deletion,
            Self::Retention(_) => RequestKind::Retention,
        }
    }
}

impl RequestKind {
    pub const ALL: [Self; 2] = [Self::Deletion, Self::Retention];

    pub fn name(self) -> &'static str {
        match self {
            Self::Deletion => "deletion",
            Self::Retention => "retention",
        }
    }
}

impl Request {
    pub fn new(by: GuardianId, asked: RequestedChange, edition: Edition, now: Timestamp) -> Self {
        let mut agreement = Agreement::default();
        agreement.show(&by, now);
        Self {
            by,
            at: now,
            asked,
            edition,
            agreement,
        }
    }

    /// The request with the answers that this guardian may know of.
    #[must_use]
    pub fn known_to(self, reader: &GuardianId, now: Timestamp) -> Self {
        Self {
            agreement: self.agreement.known_to(reader, now),
            ..self
        }
    }

    /// When it takes effect, if these are the child's guardians. An only guardian also waits seven days for a deletion, because
    /// nobody else could cancel it. A shorter retention needn't wait: what becomes too old can be restored for seven days.
    pub fn due(&self, guardians: &[GuardianId]) -> Due {
        match guardians {
            [alone] if *alone == self.by && self.asked == RequestedChange::Deletion => {
                self.agreement.due(guardians)
            }
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
        let edition = Edition::from_text("edn_1");
        let mut request = Request::new(ada.clone(), RequestedChange::Deletion, edition, at(0));

        assert_eq!(request.due(std::slice::from_ref(&ada)), Due::At(at(7)));
        let both = [ada.clone(), ben.clone()];
        assert_eq!(request.due(&both), Due::NotKnown);
        request.agreement.show(&ben, at(2));
        assert_eq!(request.due(&both), Due::At(at(9)));
        request.agreement.confirm(&ben, at(3));
        assert_eq!(request.due(&both), Due::AtOnce);
        request.asked = RequestedChange::Retention(Period::Days30);
        assert_eq!(request.due(&[ada]), Due::AtOnce);
    }
}
