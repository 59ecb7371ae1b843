//! When a guardian's request about a child takes effect: once every other guardian has confirmed it, or seven days after it was
//! shown to each of them. A guardian who never signs in blocks it; then the administrator decides.
//!
//! The seven days begin with the next day (UTC), and the others are told of the showing then: a finer time would tell them when a
//! guardian's page was open.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::due::DueBy;

/// How long guardians can cancel a request after it was shown to them.
const PATIENCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The guardians' answers so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Agreement(BTreeMap<GuardianId, Answer>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Answer {
    /// The end of the day (UTC) on which the request was first shown to the guardian.
    shown_at: Timestamp,
    #[serde(default)]
    confirmed: bool,
}

/// When a request takes effect, ordered from earlier to later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Due {
    /// No confirmation or waiting time is needed, or every guardian has confirmed.
    AtOnce,
    /// Takes effect at this time, which may have passed, unless a guardian cancels the request.
    At(Timestamp),
    /// No time is known yet, because at least one guardian hasn't been shown the request.
    NotKnown,
}

impl Due {
    pub fn is_due(self, by: DueBy) -> bool {
        match self {
            Self::AtOnce => true,
            Self::At(due) => by.is_due(due),
            Self::NotKnown => false,
        }
    }
}

impl Agreement {
    /// Records that the request was shown to a guardian, unless that is already recorded.
    pub fn show(&mut self, to: &GuardianId, now: Timestamp) {
        let first = Answer {
            shown_at: now.up_to_utc_day(),
            confirmed: false,
        };
        self.0.entry(to.clone()).or_insert(first);
    }

    pub fn confirm(&mut self, by: &GuardianId, now: Timestamp) {
        self.show(by, now);
        if let Some(answer) = self.0.get_mut(by) {
            answer.confirmed = true;
        }
    }

    /// Removes a guardian's answer, and the record that the request was shown to them. Returns whether there was any.
    pub fn forget(&mut self, guardian: &GuardianId) -> bool {
        self.0.remove(guardian).is_some()
    }

    /// As [`forget`](Self::forget), for all guardians except this one.
    pub fn forget_all_but(&mut self, guardian: &GuardianId) {
        self.0.retain(|answered, _| answered == guardian);
    }

    pub fn was_shown_to(&self, guardian: &GuardianId) -> bool {
        self.0.contains_key(guardian)
    }

    pub fn is_confirmed_by(&self, guardian: &GuardianId) -> bool {
        self.0.get(guardian).is_some_and(|answer| answer.confirmed)
    }

    /// The answers that this guardian may know of.
    #[must_use]
    pub fn known_to(&self, reader: &GuardianId, now: Timestamp) -> Self {
        let known = |guardian: &GuardianId, answer: &Answer| {
            guardian == reader || answer.confirmed || answer.shown_at <= now
        };
        let answers = self
            .0
            .iter()
            .filter(|(guardian, answer)| known(guardian, answer));
        Self(
            answers
                .map(|(guardian, answer)| (guardian.clone(), *answer))
                .collect(),
        )
    }

    /// When the request takes effect if these guardians must agree.
    pub fn due<'a>(&self, guardians: impl IntoIterator<Item = &'a GuardianId>) -> Due {
        let mut due = Due::AtOnce;
        for guardian in guardians {
            match self.0.get(guardian) {
                Some(answer) if answer.confirmed => {}
                Some(answer) => due = due.max(Due::At(answer.shown_at.after(PATIENCE))),
                None => due = Due::NotKnown,
            }
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 24 * 60 * 60;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).after(Duration::from_secs(seconds))
    }

    fn guardian(name: &str) -> GuardianId {
        GuardianId::from_text(name)
    }

    #[test]
    fn a_request_takes_effect_at_once_without_other_guardians() {
        assert_eq!(Agreement::default().due(&[]), Due::AtOnce);
    }

    #[test]
    fn a_request_waits_for_each_guardians_confirmation_or_seven_days() {
        let (ben, cleo) = (guardian("ben"), guardian("cleo"));
        let both = [ben.clone(), cleo.clone()];
        let mut agreement = Agreement::default();

        agreement.show(&ben, at(0));
        assert_eq!(agreement.due(&both), Due::NotKnown, "cleo was not shown it");

        agreement.show(&cleo, at(2 * DAY + 1));
        agreement.show(&cleo, at(5 * DAY));
        assert_eq!(agreement.due(&both), Due::At(at(10 * DAY)), "the last one");

        agreement.confirm(&cleo, at(6 * DAY));
        let due = agreement.due(&both);
        assert_eq!(due, Due::At(at(7 * DAY)));
        assert!(!due.is_due(DueBy::trusted(at(7 * DAY - 1))));
        assert!(due.is_due(DueBy::trusted(at(7 * DAY))));

        agreement.confirm(&ben, at(6 * DAY));
        assert_eq!(agreement.due(&both), Due::AtOnce);
    }

    #[test]
    fn another_guardian_learns_of_a_showing_when_its_day_is_over() {
        let (ben, cleo) = (guardian("ben"), guardian("cleo"));
        let both = [ben.clone(), cleo.clone()];
        let mut agreement = Agreement::default();
        agreement.show(&ben, at(DAY));
        agreement.show(&cleo, at(DAY + 1));
        let due = |reader, now| agreement.known_to(reader, at(now)).due(&both);

        assert_eq!(due(&ben, DAY + 1), Due::NotKnown);
        assert_eq!(due(&ben, 2 * DAY - 1), Due::NotKnown);
        assert_eq!(due(&ben, 2 * DAY), Due::At(at(9 * DAY)));
        assert_eq!(due(&cleo, DAY + 1), Due::At(at(9 * DAY)));
    }

    #[test]
    fn a_new_guardian_must_agree_too_and_a_former_one_need_not() {
        let (ben, cleo) = (guardian("ben"), guardian("cleo"));
        let mut agreement = Agreement::default();
        agreement.confirm(&ben, at(0));

        assert_eq!(agreement.due(&[ben.clone(), cleo]), Due::NotKnown);
        assert_eq!(agreement.due(&[ben]), Due::AtOnce);
    }
}
