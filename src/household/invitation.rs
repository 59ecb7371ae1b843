//! An invitation: who has a say in it, and for how long its link works.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::InvitationId;
use super::agreement::{Agreement, Due};
use crate::children::ChildId;
use crate::identity::GuardianId;
use crate::kernel::clock::Timestamp;
use crate::kernel::due::DueBy;
use crate::kernel::mail::EmailAddress;
use crate::kernel::secret::SecretHash;

/// For how long the link works.
const LIFE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// An invitation. This is also its stored form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// Identifies it. It isn't secret.
    pub id: InvitationId,
    /// The hash of the link's token.
    pub token: SecretHash,
    /// The guardian who invites.
    pub by: GuardianId,
    /// The children to which access has not been given yet.
    pub children: Vec<ChildId>,
    /// Where the letter went; `None` when the link was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<EmailAddress>,
    /// When it was made.
    pub at: Timestamp,
    /// Who accepted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_by: Option<GuardianId>,
    /// What the children's other guardians said of it.
    pub agreement: Agreement,
}

impl Invitation {
    /// When access to a child with these guardians is given.
    pub fn due(&self, guardians: &[GuardianId]) -> Due {
        let have_a_say =
            |id: &&GuardianId| **id != self.by && Some(*id) != self.accepted_by.as_ref();
        self.agreement.due(guardians.iter().filter(have_a_say))
    }

    /// [`Invitation::has_expired`], so that it can be forgotten.
    pub fn is_over(&self, by: DueBy) -> bool {
        self.accepted_by.is_none() && (by.has_passed(self.at, LIFE) || by.precedes(self.at))
    }

    /// Whether its link has ended by the clock. One from the future was made by a clock that has been set back.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.accepted_by.is_none() && (now >= self.at.after(LIFE) || now < self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_who_invites_nor_who_accepted_has_a_say() {
        let at = Timestamp::from_micros(0);
        let id = GuardianId::from_text;
        let mut invitation = Invitation {
            id: InvitationId::from_text("inv_1"),
            token: SecretHash::from_bytes([7; 32]),
            by: id("ada"),
            children: vec![ChildId::new(1)],
            email: None,
            at,
            accepted_by: Some(id("cleo")),
            agreement: Agreement::default(),
        };

        assert_eq!(invitation.due(&[id("ada"), id("cleo")]), Due::AtOnce);
        let with_ben = [id("ada"), id("ben"), id("cleo")];
        assert_eq!(invitation.due(&with_ben), Due::NotKnown);
        invitation.agreement.confirm(&id("ben"), at);
        assert_eq!(invitation.due(&with_ben), Due::AtOnce);
    }

    #[test]
    fn a_link_works_for_fourteen_days_and_not_before_it_was_made() {
        let at = |day: u64| Timestamp::from_micros(0).after(Duration::from_secs(day * 86_400));
        let mut invitation = Invitation {
            id: InvitationId::from_text("inv_1"),
            token: SecretHash::from_bytes([7; 32]),
            by: GuardianId::from_text("ada"),
            children: Vec::new(),
            email: None,
            at: at(10),
            accepted_by: None,
            agreement: Agreement::default(),
        };

        for (day, expired) in [(9, true), (10, false), (23, false), (24, true)] {
            assert_eq!(invitation.has_expired(at(day)), expired, "{day}");
        }
        invitation.accepted_by = Some(GuardianId::from_text("ben"));
        assert!(!invitation.has_expired(at(99)), "an accepted one waits");
    }
}
