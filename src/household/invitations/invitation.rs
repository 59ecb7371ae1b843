//! An invitation: who must agree to it, and how long its link is valid.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::children::ChildId;
use crate::children::agreements::{Agreement, Due, Edition};
use crate::identity::{Guardian, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::secret::SecretHash;
use crate::kernel::http::ids::random_id;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::is_default;

random_id!(InvitationId, "inv_", "An invitation's id.");

/// How long the link is valid.
const LIFE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// An invitation, also as it is stored.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// Not secret.
    pub id: InvitationId,
    /// The hash of the link's token.
    pub token: SecretHash,
    /// The guardian who invites.
    pub by: GuardianId,
    /// The inviting guardian's [count](crate::identity::Guardian::sign_out_count) when the invitation was made. If it has
    /// increased since then, the invitation is invalid.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sign_out_count: u32,
    /// The children that the accepting guardian doesn't have access to yet.
    pub children: Vec<ChildId>,
    /// Where the link was sent; `None` if it was shown on the screen.
    pub email: Option<EmailAddress>,
    pub at: Timestamp,
    pub accepted_by: Option<GuardianId>,
    /// When it was accepted; `None` also for an acceptance before this was stored.
    pub accepted_at: Option<Timestamp>,
    /// Changes when the other guardians are asked again.
    pub edition: Edition,
    /// Per child, the answers of its other guardians.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<ChildId, Agreement>,
}

impl Invitation {
    /// The invitation with the answers that this guardian may know of.
    #[must_use]
    pub fn known_to(mut self, reader: &GuardianId, now: Timestamp) -> Self {
        for answers in self.answers.values_mut() {
            *answers = answers.known_to(reader, now);
        }
        self
    }

    /// When the accepting guardian gets access to this child, if these are its guardians.
    pub fn due(&self, child: ChildId, guardians: &[GuardianId]) -> Due {
        let have_a_say =
            |id: &&GuardianId| **id != self.by && Some(*id) != self.accepted_by.as_ref();
        let nothing = Agreement::default();
        let answers = self.answers.get(&child).unwrap_or(&nothing);
        answers.due(guardians.iter().filter(have_a_say))
    }

    /// Records that the invitation was shown to a guardian of these children. Returns whether that is new for one of them.
    pub fn show(&mut self, of: &[ChildId], to: &GuardianId, now: Timestamp) -> bool {
        let is_new = !self.was_shown_to(of, to);
        for child in of {
            self.answers.entry(*child).or_default().show(to, now);
        }
        is_new
    }

    pub fn confirm(&mut self, of: &[ChildId], by: &GuardianId, now: Timestamp) {
        for child in of {
            self.answers.entry(*child).or_default().confirm(by, now);
        }
    }

    /// Whether the invitation was shown to the guardian for each of these children.
    pub fn was_shown_to(&self, of: &[ChildId], guardian: &GuardianId) -> bool {
        self.all(of, |answers| answers.was_shown_to(guardian))
    }

    /// Whether the guardian has confirmed the invitation for each of these children.
    pub fn is_confirmed_by(&self, of: &[ChildId], guardian: &GuardianId) -> bool {
        self.all(of, |answers| answers.is_confirmed_by(guardian))
    }

    /// Removes a guardian's answer for this child. Returns whether there was one.
    pub fn forget(&mut self, child: ChildId, guardian: &GuardianId) -> bool {
        let answers = self.answers.get_mut(&child);
        answers.is_some_and(|answers| answers.forget(guardian))
    }

    /// Records who accepted. Unless the invitation was sent to an address that is verified to be theirs, the other guardians
    /// are asked again, with a new edition, because they couldn't know who would accept.
    pub fn accept(&mut self, by: &Guardian, edition: Edition, now: Timestamp) {
        if !by.verified || self.email.as_ref() != Some(&by.email) {
            self.edition = edition;
            for answers in self.answers.values_mut() {
                answers.forget_all_but(&self.by);
            }
        }
        self.accepted_by = Some(by.id.clone());
        self.accepted_at = Some(now);
    }

    fn all(&self, of: &[ChildId], holds: impl Fn(&Agreement) -> bool) -> bool {
        of.iter()
            .all(|child| self.answers.get(child).is_some_and(&holds))
    }

    /// Like [`Invitation::has_expired`], but by the clock for due dates.
    pub fn is_over(&self, by: DueBy) -> bool {
        self.accepted_by.is_none() && (by.has_passed(self.at, LIFE) || by.precedes(self.at))
    }

    /// A link from the future was made before the clock was set back, and counts as expired.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.accepted_by.is_none() && (now >= self.at.after(LIFE) || now < self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_the_inviting_nor_the_accepting_guardian_must_agree() {
        let at = Timestamp::from_micros(0);
        let id = GuardianId::from_text;
        let mut invitation = Invitation {
            id: InvitationId::from_text("inv_1"),
            token: SecretHash::from_bytes([7; 32]),
            by: id("ada"),
            sign_out_count: 0,
            children: vec![ChildId::new(1)],
            email: None,
            at,
            accepted_by: Some(id("cleo")),
            accepted_at: None,
            edition: Edition::from_text("edn_1"),
            answers: BTreeMap::new(),
        };

        let due = |invitation: &Invitation, child: u64, guardians: &[GuardianId]| {
            invitation.due(ChildId::new(child), guardians)
        };
        assert_eq!(due(&invitation, 1, &[id("ada"), id("cleo")]), Due::AtOnce);
        let with_ben = [id("ada"), id("ben"), id("cleo")];
        assert_eq!(due(&invitation, 1, &with_ben), Due::NotKnown);
        invitation.confirm(&[ChildId::new(1)], &id("ben"), at);
        assert_eq!(due(&invitation, 1, &with_ben), Due::AtOnce);
        assert_eq!(
            due(&invitation, 2, &with_ben),
            Due::NotKnown,
            "of another child"
        );
        invitation.forget(ChildId::new(1), &id("ben"));
        assert_eq!(due(&invitation, 1, &with_ben), Due::NotKnown);
    }

    #[test]
    fn a_link_works_for_fourteen_days_and_not_before_it_was_made() {
        let at = |day: u64| Timestamp::from_micros(0).after(Duration::from_secs(day * 86_400));
        let mut invitation = Invitation {
            id: InvitationId::from_text("inv_1"),
            token: SecretHash::from_bytes([7; 32]),
            by: GuardianId::from_text("ada"),
            sign_out_count: 0,
            children: Vec::new(),
            email: None,
            at: at(10),
            accepted_by: None,
            accepted_at: None,
            edition: Edition::from_text("edn_1"),
            answers: BTreeMap::new(),
        };

        for (day, expired) in [(9, true), (10, false), (23, false), (24, true)] {
            assert_eq!(invitation.has_expired(at(day)), expired, "{day}");
        }
        invitation.accepted_by = Some(GuardianId::from_text("ben"));
        assert!(!invitation.has_expired(at(99)), "an accepted one waits");
    }
}
