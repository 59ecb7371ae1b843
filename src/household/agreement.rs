//! When what one guardian of a child asks for takes effect: once every other guardian has confirmed it, or seven days after each
//! of them was shown it. One who never signs in holds it up, and the administrator decides.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::identity::GuardianId;
use crate::kernel::clock::Timestamp;
use crate::kernel::due::DueBy;

/// How long a guardian has to stop what they were shown (`beyond.md`, section 16).
const PATIENCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// What the guardians have said so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Agreement(BTreeMap<GuardianId, Answer>);

/// What one guardian has said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Answer {
    /// When they were shown it first.
    shown_at: Timestamp,
    /// Whether they have confirmed it.
    #[serde(default)]
    confirmed: bool,
}

/// When it takes effect, as it stands; the later one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Due {
    /// Nobody has to be waited for.
    AtOnce,
    /// At this moment, which may have passed, unless somebody stops it.
    At(Timestamp),
    /// Somebody has not been shown it.
    NotKnown,
}

impl Due {
    /// Whether it has come.
    pub fn has_come(self, by: DueBy) -> bool {
        match self {
            Self::AtOnce => true,
            Self::At(due) => by.has_come(due),
            Self::NotKnown => false,
        }
    }
}

impl Agreement {
    /// Notes that a guardian was shown it, if they weren't before.
    pub fn show(&mut self, to: &GuardianId, now: Timestamp) {
        let first = Answer {
            shown_at: now,
            confirmed: false,
        };
        self.0.entry(to.clone()).or_insert(first);
    }

    /// Notes that a guardian has confirmed it.
    pub fn confirm(&mut self, by: &GuardianId, now: Timestamp) {
        self.show(by, now);
        if let Some(answer) = self.0.get_mut(by) {
            answer.confirmed = true;
        }
    }

    /// Whether a guardian was shown it.
    pub fn was_shown_to(&self, guardian: &GuardianId) -> bool {
        self.0.contains_key(guardian)
    }

    /// Whether a guardian has confirmed it.
    pub fn is_confirmed_by(&self, guardian: &GuardianId) -> bool {
        self.0.get(guardian).is_some_and(|answer| answer.confirmed)
    }

    /// When it takes effect, if these guardians have a say.
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
    fn where_nobody_else_has_a_say_it_takes_effect_at_once() {
        assert_eq!(Agreement::default().due(&[]), Due::AtOnce);
    }

    #[test]
    fn it_waits_for_the_confirmation_or_for_seven_days_of_each() {
        let (ben, cleo) = (guardian("ben"), guardian("cleo"));
        let both = [ben.clone(), cleo.clone()];
        let mut agreement = Agreement::default();

        agreement.show(&ben, at(0));
        assert_eq!(agreement.due(&both), Due::NotKnown, "cleo was not shown it");

        agreement.show(&cleo, at(3 * DAY));
        agreement.show(&cleo, at(5 * DAY));
        assert_eq!(agreement.due(&both), Due::At(at(10 * DAY)), "the last one");

        agreement.confirm(&cleo, at(6 * DAY));
        let due = agreement.due(&both);
        assert_eq!(due, Due::At(at(7 * DAY)));
        assert!(!due.has_come(DueBy::trusted(at(7 * DAY - 1))));
        assert!(due.has_come(DueBy::trusted(at(7 * DAY))));

        agreement.confirm(&ben, at(6 * DAY));
        assert_eq!(agreement.due(&both), Due::AtOnce);
    }

    #[test]
    fn who_became_a_guardian_meanwhile_has_a_say_and_who_left_has_none() {
        let (ben, cleo) = (guardian("ben"), guardian("cleo"));
        let mut agreement = Agreement::default();
        agreement.confirm(&ben, at(0));

        assert_eq!(agreement.due(&[ben.clone(), cleo]), Due::NotKnown);
        assert_eq!(agreement.due(&[ben]), Due::AtOnce);
    }
}
