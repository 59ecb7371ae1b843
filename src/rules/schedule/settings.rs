//! The settings of guardians, and their validation.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::{Day, Minute, NoSuchZone, Zone};
use crate::kernel::http::problem::refusals;

/// The maximum number of quiet hours of a child: four for each day of the week.
pub const MOST_QUIET_HOURS: usize = 28;

/// The minutes of a day without a change of the clock.
const MINUTES_OF_A_DAY: u16 = 24 * 60;

/// When an assistant may talk with a child. This is both the stored form and the API's.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    pub time_zone: Zone,
    /// If present, the assistant may not talk now.
    pub pause: Option<Pause>,
    pub quiet_hours: Vec<QuietHours>,
    /// The minutes a day that the child may talk; `None` for no limit.
    pub minutes_a_day: Option<u16>,
}

impl Schedule {
    /// Whether these forbid talking at a time at which the ones `before` allowed it.
    pub fn restricts(&self, before: &Self) -> bool {
        let pauses = self.pause.is_some() && self.pause != before.pause;
        let mut hours = self.quiet_hours.iter();
        let fewer_minutes = match (self.minutes_a_day, before.minutes_a_day) {
            (Some(minutes), Some(before)) => minutes < before,
            (minutes, _) => minutes.is_some(),
        };
        pauses || fewer_minutes || hours.any(|quiet| !before.quiet_hours.contains(quiet))
    }
}

/// A pause that a guardian began.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// When it ends; `None` if a guardian must end it.
    pub until: Option<Timestamp>,
}

/// Quiet hours. They begin on these days, and end on the same day or the one after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    /// The days on which they begin.
    pub days: Vec<Weekday>,
    pub from: Minute,
    /// When they end: on the next day unless this is later than `from`.
    pub to: Minute,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", rename_all = "lowercase")]
pub enum Weekday {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

impl Weekday {
    /// All days, Monday first.
    pub const ALL: [Self; 7] = [
        Self::Mon,
        Self::Tue,
        Self::Wed,
        Self::Thu,
        Self::Fri,
        Self::Sat,
        Self::Sun,
    ];

    /// Their names, in the same order.
    pub const NAMES: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

    fn of(day: Day) -> Self {
        Self::ALL[usize::from(day.weekday())]
    }
}

/// Text that names no day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("A day is one of mon, tue, wed, thu, fri, sat and sun.")]
pub struct NotAWeekday;

impl TryFrom<String> for Weekday {
    type Error = NotAWeekday;

    fn try_from(name: String) -> Result<Self, NotAWeekday> {
        let found = Self::NAMES.iter().position(|known| *known == name);
        found.map(|place| Self::ALL[place]).ok_or(NotAWeekday)
    }
}

/// Why times are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleBroken {
    #[error(transparent)]
    Zone(#[from] NoSuchZone),
    #[error("The minutes a day are 1 to {MINUTES_OF_A_DAY}. To allow none, begin a pause.")]
    Minutes,
    #[error("There can be at most {MOST_QUIET_HOURS} quiet hours.")]
    TooMany,
    /// The index of quiet hours without a day.
    #[error("Quiet hours need at least one day on which they begin.")]
    NoDays(usize),
    /// The indices of the quiet hours and of the repeated day.
    #[error("Quiet hours name each day once.")]
    RepeatedDay(usize, usize),
    /// The index of quiet hours that end when they begin.
    #[error("Quiet hours must end at another time than they begin.")]
    Empty(usize),
}

refusals! {
    RuleBroken {
        Zone(error) => from(error) at "/time_zone",
        Minutes => against_a_rule(MinutesOutOfRange { most: MINUTES_OF_A_DAY }) at "/minutes_a_day",
        TooMany => against_a_rule(TooManyQuietHours { most: MOST_QUIET_HOURS }) at "/quiet_hours",
        NoDays(index) => against_a_rule(QuietHoursWithoutDay) at format!("/quiet_hours/{index}/days"),
        RepeatedDay(index, day) => against_a_rule(DayRepeated) at format!("/quiet_hours/{index}/days/{day}"),
        Empty(index) => against_a_rule(QuietHoursEmpty) at format!("/quiet_hours/{index}/to"),
    }
}

impl Schedule {
    /// Times without any limit.
    pub fn without_limits(time_zone: Zone) -> Self {
        Self {
            time_zone,
            pause: None,
            quiet_hours: Vec::new(),
            minutes_a_day: None,
        }
    }

    /// Validates the times.
    ///
    /// # Errors
    ///
    /// The first rule that is violated.
    pub fn new(
        time_zone: &str,
        pause: Option<Pause>,
        quiet_hours: Vec<QuietHours>,
        minutes_a_day: Option<u64>,
    ) -> Result<Self, RuleBroken> {
        let time_zone = time_zone.parse()?;
        if quiet_hours.len() > MOST_QUIET_HOURS {
            return Err(RuleBroken::TooMany);
        }
        for (index, quiet) in quiet_hours.iter().enumerate() {
            quiet.check(index)?;
        }
        let minutes_a_day = minutes_a_day.map(|minutes| match u16::try_from(minutes) {
            Ok(minutes @ 1..=MINUTES_OF_A_DAY) => Ok(minutes),
            _ => Err(RuleBroken::Minutes),
        });
        Ok(Self {
            time_zone,
            pause,
            quiet_hours,
            minutes_a_day: minutes_a_day.transpose()?,
        })
    }

    /// These times without the pause, which isn't part of a version of the rules.
    #[must_use]
    pub fn without_pause(&self) -> Self {
        Self {
            pause: None,
            ..self.clone()
        }
    }

    /// The pause, if it lasts at this time.
    pub fn pause_at(&self, at: Timestamp) -> Option<&Pause> {
        let pause = self.pause.as_ref();
        pause.filter(|pause| pause.until.is_none_or(|until| at < until))
    }

    /// The quiet hours that begin on this day, except those that a change of the clock skips completely.
    pub(super) fn quiet_on(&self, day: Day) -> impl Iterator<Item = (Timestamp, Timestamp)> {
        let weekday = Weekday::of(day);
        let on_that_day = self.quiet_hours.iter();
        let on_that_day = on_that_day.filter(move |quiet| quiet.days.contains(&weekday));
        let moments = on_that_day.map(move |quiet| {
            let ends_on = if quiet.to > quiet.from {
                day
            } else {
                day.next()
            };
            let start = self.time_zone.moment(day, quiet.from);
            (start, self.time_zone.moment(ends_on, quiet.to))
        });
        moments.filter(|(start, end)| start < end)
    }
}

impl QuietHours {
    fn check(&self, index: usize) -> Result<(), RuleBroken> {
        if self.days.is_empty() {
            return Err(RuleBroken::NoDays(index));
        }
        for (place, day) in self.days.iter().enumerate() {
            if self.days[..place].contains(day) {
                return Err(RuleBroken::RepeatedDay(index, place));
            }
        }
        if self.from == self.to {
            Err(RuleBroken::Empty(index))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::http::problem::Refusal;

    fn quiet(days: &[Weekday], from: &str, to: &str) -> QuietHours {
        QuietHours {
            days: days.to_vec(),
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
        }
    }

    #[test]
    fn invalid_times_name_their_field() {
        use Weekday::{Mon, Tue};
        let fine = quiet(&[Mon], "20:30", "07:00");
        let of = |zone: &str, quiet_hours: Vec<QuietHours>, minutes| {
            let set = Schedule::new(zone, None, quiet_hours, minutes);
            set.map(drop)
                .map_err(|broken| Refusal::from(broken).place().unwrap_or_default().to_owned())
        };
        let cases = [
            ("Mars/Olympus", vec![], None, "/time_zone"),
            ("UTC", vec![fine.clone(); 29], None, "/quiet_hours"),
            (
                "UTC",
                vec![fine.clone(), quiet(&[], "20:30", "07:00")],
                None,
                "/quiet_hours/1/days",
            ),
            (
                "UTC",
                vec![quiet(&[Mon, Tue, Mon], "20:30", "07:00")],
                None,
                "/quiet_hours/0/days/2",
            ),
            (
                "UTC",
                vec![quiet(&[Mon], "07:00", "07:00")],
                None,
                "/quiet_hours/0/to",
            ),
            ("UTC", vec![], Some(0), "/minutes_a_day"),
            ("UTC", vec![], Some(1_441), "/minutes_a_day"),
            ("UTC", vec![], Some(u64::MAX), "/minutes_a_day"),
        ];

        for (zone, quiet_hours, minutes, at) in cases {
            assert_eq!(of(zone, quiet_hours, minutes), Err(at.to_owned()));
        }
        assert_eq!(of("Europe/Berlin", vec![fine; 28], Some(1_440)), Ok(()));
    }

    #[test]
    fn a_day_has_one_spelling() {
        for (day, name) in Weekday::ALL.into_iter().zip(Weekday::NAMES) {
            assert_eq!(serde_json::to_value(day).unwrap(), name);
            assert_eq!(Weekday::try_from(name.to_owned()), Ok(day));
        }
        assert!(serde_json::from_str::<Weekday>(r#"{"mon":null}"#).is_err());
        assert_eq!(Weekday::try_from("Mon".to_owned()), Err(NotAWeekday));
    }
}
