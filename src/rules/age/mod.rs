//! How old a child is, so that assistants can speak at the child's level.
//!
//! Guardians may give the month in which the child was born. Assistants are told the age in years, never the month. The age that
//! they are told is stored beside the month, so that the rules change only by a change of the store: a guardian's, or the
//! calendar's at the beginning of the month of the birthday, in the child's time zone. An age changes how an assistant speaks,
//! never what it must avoid.

pub mod api;
mod file;
mod lines;
mod month;
mod store;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::children::feature::{Feature, Shown, tables};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::kernel::host::clock::Clock;
use crate::kernel::host::zones::Day;
use crate::kernel::host::zones::Zone;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Read, StoreError, readable};
use crate::rules::schedule::Schedules;

pub use lines::IssuedAge;
pub use month::{BirthMonth, NotAMonth};
pub(super) use store::{children, find};

/// The earliest month that guardians can give, in years before the current one.
const MOST_YEARS: u8 = 25;

/// Why a month of birth was refused.
#[derive(Debug, thiserror::Error)]
pub enum AgeError {
    #[error("The month of birth can't be in the future.")]
    InFuture,
    #[error("The month of birth can be at most {MOST_YEARS} years ago.")]
    TooLongAgo,
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    AgeError from Children, Store {
        InFuture => against_a_rule(BirthMonthInFuture) at "/born",
        TooLongAgo => against_a_rule(BirthMonthTooLongAgo { most: u16::from(MOST_YEARS) }) at "/born",
    }
}

/// When a child was born, also as it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Born {
    pub month: BirthMonth,
    /// The age in years that assistants are told.
    pub age: u8,
}

impl fmt::Debug for Born {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Born(..)")
    }
}

impl Born {
    /// The age that is due. While the clock isn't trusted, it stays as it is.
    fn age_by(&self, due: DueBy, zone: &Zone) -> u8 {
        let begins = |age: u8| zone.start_of(self.month.birthday(age));
        let mut age = self.age;
        while age < u8::MAX && due.is_due(begins(age + 1)) {
            age += 1;
        }
        // The clock was ahead, or the child's time zone was changed.
        while age > 0 && due.precedes(begins(age)) {
            age -= 1;
        }
        age
    }
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    shown: &[Shown::Part("born", || tables(&store::KINDS))],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[file::FIELD],
    session_fields: &[],
};

/// What assistants are told of the child's age. An unreadable record counts as none: the lines for an unknown age are safe.
pub fn issued(view: &impl Read, child: ChildId) -> Result<IssuedAge, StoreError> {
    let born = readable(store::find(view, child))?.flatten();
    Ok(born.map_or(IssuedAge::UNKNOWN, |born| IssuedAge::of(born.age)))
}

/// What an assistant is told that can't tell these children apart.
pub(super) fn issued_together(
    view: &impl Read,
    children: &[ChildId],
) -> Result<IssuedAge, StoreError> {
    let each = children.iter().map(|child| issued(view, *child));
    Ok(IssuedAge::youngest(each.collect::<Result<Vec<_>, _>>()?))
}

#[derive(Clone)]
pub(super) struct Ages {
    clock: Clock,
    times: Schedules,
}

impl Ages {
    pub fn new(clock: Clock, times: Schedules) -> Self {
        Self { clock, times }
    }

    /// Sets the month, or removes it. Returns whether it was another one.
    ///
    /// # Errors
    ///
    /// [`AgeError::InFuture`] and [`AgeError::TooLongAgo`], in the child's time zone.
    pub fn replace(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        month: Option<BirthMonth>,
    ) -> Result<bool, AgeError> {
        access.confirm(change)?;
        let before = readable(store::find(change, access.child()))?;
        let Some(month) = month else {
            store::remove(change, access.child())?;
            return Ok(before != Some(None));
        };
        let zone = self.times.readable_zone(change, access)?;
        let today = zone.day_of(self.clock.now());
        check(month, today)?;
        let age = month.age_on(today);
        store::put(change, access.child(), Born { month, age })?;
        Ok(before.flatten().map(|born| born.month) != Some(month))
    }

    /// Whether the calendar says another age than assistants are told.
    pub(super) fn is_to_change(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        due: DueBy,
    ) -> Result<bool, StoreError> {
        Ok(self.due_change(view, access, due)?.is_some())
    }

    /// Stores the age that the calendar says.
    pub(super) fn apply_calendar(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        due: DueBy,
    ) -> Result<(), StoreError> {
        match self.due_change(change, access, due)? {
            Some(born) => store::put(change, access.child(), born),
            None => Ok(()),
        }
    }

    fn due_change(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        due: DueBy,
    ) -> Result<Option<Born>, StoreError> {
        let Some(born) = readable(store::find(view, access.child()))?.flatten() else {
            return Ok(None);
        };
        let age = born.age_by(due, &self.times.readable_zone(view, access)?);
        Ok((age != born.age).then_some(Born { age, ..born }))
    }
}

/// Checks that a child may be born in this month.
fn check(month: BirthMonth, today: Day) -> Result<(), AgeError> {
    if month > BirthMonth::of(today) {
        return Err(AgeError::InFuture);
    }
    if month.birthday(MOST_YEARS) < BirthMonth::of(today).birthday(0) {
        return Err(AgeError::TooLongAgo);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_begins_with_the_month_of_the_birthday_where_the_child_lives() {
        let age_at = |month: &str, stored: u8, zone: &str, now: &str| {
            let month = month.parse().unwrap();
            let due = DueBy::trusted(now.parse().unwrap());
            Born { month, age: stored }.age_by(due, &zone.parse().unwrap())
        };

        for (month, stored, zone, now, expected) in [
            ("2018-05", 7, "UTC", "2026-04-30T23:59:59Z", 7),
            ("2018-05", 7, "UTC", "2026-05-01T00:00:00Z", 8),
            ("2018-05", 8, "UTC", "2026-06-30T12:00:00Z", 8),
            (
                "2018-05",
                7,
                "Pacific/Kiritimati",
                "2026-04-30T10:00:00Z",
                8,
            ),
            ("2018-05", 7, "America/New_York", "2026-05-01T03:59:59Z", 7),
            ("2018-05", 7, "America/New_York", "2026-05-01T04:00:00Z", 8),
            // The server was off for years.
            ("2018-05", 5, "UTC", "2026-05-01T00:00:00Z", 8),
            // The clock was ahead.
            ("2018-05", 9, "UTC", "2026-05-01T00:00:00Z", 8),
            // A leap year's February.
            ("2016-02", 9, "UTC", "2026-01-31T23:59:59Z", 9),
            ("2016-02", 9, "UTC", "2026-02-01T00:00:00Z", 10),
            ("2026-05", 0, "UTC", "2026-05-01T00:00:00Z", 0),
        ] {
            let found = age_at(month, stored, zone, now);
            assert_eq!(found, expected, "{month} {zone} {now}");
        }
    }

    #[test]
    fn a_month_is_not_in_debug_output() {
        let born = Born {
            month: "2018-05".parse().unwrap(),
            age: 8,
        };

        assert_eq!(
            format!("{born:?} {:?}", born.month),
            "Born(..) BirthMonth(..)"
        );
    }
}
