//! Time zones with an embedded database, so that they are the same on every machine.
//!
//! A local time that is skipped by a change of the clock maps to the time of the change. A local time that occurs twice
//! maps to the first occurrence. So local times and timestamps have the same order, and a day lasts from its midnight to the
//! next one.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use jiff::civil::{Date, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::kernel::host::clock::Timestamp;

/// Text that names no time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This time zone is not known. A name looks like Europe/Berlin.")]
pub struct NoSuchZone;

/// A time zone with a name. Clones are cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct Zone(TimeZone);

impl Hash for Zone {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl Zone {
    pub const UTC: Self = Self(TimeZone::UTC);

    /// This machine's time zone; `None` if it has no name.
    pub fn of_the_system() -> Option<Self> {
        let zone = TimeZone::try_system().ok()?;
        zone.iana_name()?.parse().ok()
    }

    /// The name as spelled in the database.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// Whether it is UTC itself, under any of its names. The pages decide the same (`ui/src/format/dates.ts`).
    pub fn is_utc(&self) -> bool {
        let name = self.name();
        matches!(
            name.strip_prefix("Etc/").unwrap_or(name),
            "UTC" | "UCT" | "Universal" | "Zulu" | "Greenwich" | "GMT" | "GMT0" | "GMT+0" | "GMT-0"
        )
    }

    /// The local date of this timestamp.
    pub fn day_of(&self, moment: Timestamp) -> Day {
        let mut day = Day(self.0.to_datetime(to_jiff(moment)).date());
        // If midnight occurs twice, the clock shows the day before once more after the first one.
        while day.next() != day && self.start_of(day.next()) <= moment {
            day = day.next();
        }
        day
    }

    /// The local hour of this timestamp: 0 to 23.
    pub fn hour_of(&self, moment: Timestamp) -> u8 {
        self.0.to_datetime(to_jiff(moment)).hour().unsigned_abs()
    }

    /// What a calendar and a clock there show: the date, the hour and the minute.
    pub fn clock_at(&self, moment: Timestamp) -> (Day, u8, u8) {
        let local = self.0.to_datetime(to_jiff(moment));
        let [hour, minute] = [local.hour(), local.minute()].map(i8::unsigned_abs);
        (Day(local.date()), hour, minute)
    }

    /// When the day begins.
    pub fn start_of(&self, day: Day) -> Timestamp {
        self.moment(day, Minute::MIDNIGHT)
    }

    /// When the clock first shows this time on this day, or skips it.
    pub fn moment(&self, day: Day, minute: Minute) -> Timestamp {
        let local = day.0.to_datetime(minute.to_jiff());
        let found = self.0.to_ambiguous_timestamp(local);
        let moment = match found.offset() {
            AmbiguousOffset::Unambiguous { offset } => offset.to_timestamp(local),
            AmbiguousOffset::Fold { before, .. } => before.to_timestamp(local),
            AmbiguousOffset::Gap { after, .. } => after.to_timestamp(local).map(|earlier| {
                let mut changes = self.0.following(earlier);
                changes.next().map_or(earlier, |change| change.timestamp())
            }),
        };
        // Local times at the ends of jiff's range may have no timestamp there.
        moment.map_or(
            if day.0.year() < 0 {
                Timestamp::MIN
            } else {
                Timestamp::MAX
            },
            |moment| Timestamp::from_micros(moment.as_microsecond()),
        )
    }
}

/// Clamps to jiff's range, which ends a day before ours.
fn to_jiff(moment: Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_microsecond(moment.micros()).unwrap_or(jiff::Timestamp::MAX)
}

impl FromStr for Zone {
    type Err = NoSuchZone;

    fn from_str(name: &str) -> Result<Self, NoSuchZone> {
        let zone = TimeZone::get(name).map_err(|_| NoSuchZone)?;
        if zone.is_unknown() || zone.iana_name().is_none() {
            Err(NoSuchZone)
        } else {
            Ok(Self(zone))
        }
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// A calendar date: `2026-11-23`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

/// Text that is not a valid date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("A day must look like 2026-11-23.")]
pub struct NotADay;

impl FromStr for Day {
    type Err = NotADay;

    fn from_str(text: &str) -> Result<Self, NotADay> {
        let day = text.parse::<Date>().map(Self).map_err(|_| NotADay)?;
        // jiff also accepts other forms. The calendar begins with year 1, because days before it may have no timestamp.
        if day.0.year() > 0 && day.to_string() == text {
            Ok(day)
        } else {
            Err(NotADay)
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Day {
    /// The year, the month from 1 on, and the day of the month.
    pub fn numbers(self) -> (i16, u8, u8) {
        let [month, day] = [self.0.month(), self.0.day()].map(i8::unsigned_abs);
        (self.0.year(), month, day)
    }

    /// The next day, or this one if it is the last representable one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.tomorrow().unwrap_or(self.0))
    }

    /// The previous day, or this one if it is the first representable one.
    #[must_use]
    pub fn previous(self) -> Self {
        Self(self.0.yesterday().unwrap_or(self.0))
    }

    /// The date this many days later, or the last representable one.
    #[must_use]
    pub fn after(self, days: u16) -> Self {
        Self(self.0.saturating_add(jiff::Span::new().days(days)))
    }

    /// The date this many days earlier, or the first representable one.
    #[must_use]
    pub fn before(self, days: u16) -> Self {
        Self(self.0.saturating_sub(jiff::Span::new().days(days)))
    }

    /// The first day of this day's month.
    #[must_use]
    pub fn first_of_month(self) -> Self {
        Self(self.0.first_of_month())
    }

    /// The date this many years later, or the last representable one.
    #[must_use]
    pub fn years_after(self, years: u8) -> Self {
        Self(self.0.saturating_add(jiff::Span::new().years(years)))
    }

    /// The day of the week: 0 is Monday.
    pub fn weekday(self) -> u8 {
        self.0.weekday().to_monday_zero_offset().unsigned_abs()
    }
}

/// A time of day, to the minute: `20:30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minute(u16);

/// Text that is not a valid time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("A time of day must look like 07:00 or 20:30.")]
pub struct NotATimeOfDay;

impl Minute {
    pub const MIDNIGHT: Self = Self(0);

    /// The time at which this hour begins; `None` from 24 on.
    pub fn of_hour(hour: u8) -> Option<Self> {
        (hour < 24).then_some(Self(u16::from(hour) * 60))
    }

    fn to_jiff(self) -> Time {
        let (hour, minute) = (self.0 / 60, self.0 % 60);
        Time::midnight() + jiff::Span::new().hours(hour).minutes(minute)
    }
}

impl FromStr for Minute {
    type Err = NotATimeOfDay;

    fn from_str(text: &str) -> Result<Self, NotATimeOfDay> {
        let two = |digits: &str| {
            let is_number = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse::<u16>().ok()).flatten()
        };
        let (hour, minute) = text.split_once(':').ok_or(NotATimeOfDay)?;
        match (two(hour), two(minute)) {
            (Some(hour @ 0..24), Some(minute @ 0..60)) => Ok(Self(hour * 60 + minute)),
            _ => Err(NotATimeOfDay),
        }
    }
}

impl fmt::Display for Minute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl Serialize for Minute {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Minute {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn zone(name: &str) -> Zone {
        name.parse().unwrap()
    }

    fn day(text: &str) -> Day {
        Day(text.parse().unwrap())
    }

    #[test]
    fn a_skipped_time_is_the_change_and_a_doubled_one_is_the_first() {
        let cases = [
            // 02:00 becomes 03:00 at 01:00 UTC.
            (
                "Europe/Berlin",
                "2026-03-29",
                "01:59",
                "2026-03-29T00:59:00Z",
            ),
            (
                "Europe/Berlin",
                "2026-03-29",
                "02:00",
                "2026-03-29T01:00:00Z",
            ),
            (
                "Europe/Berlin",
                "2026-03-29",
                "02:59",
                "2026-03-29T01:00:00Z",
            ),
            (
                "Europe/Berlin",
                "2026-03-29",
                "03:00",
                "2026-03-29T01:00:00Z",
            ),
            // 03:00 becomes 02:00 at 01:00 UTC.
            (
                "Europe/Berlin",
                "2026-10-25",
                "02:00",
                "2026-10-25T00:00:00Z",
            ),
            (
                "Europe/Berlin",
                "2026-10-25",
                "02:59",
                "2026-10-25T00:59:00Z",
            ),
            (
                "Europe/Berlin",
                "2026-10-25",
                "03:00",
                "2026-10-25T02:00:00Z",
            ),
            (
                "America/New_York",
                "2026-03-08",
                "02:30",
                "2026-03-08T07:00:00Z",
            ),
            (
                "America/New_York",
                "2026-11-01",
                "01:30",
                "2026-11-01T05:30:00Z",
            ),
            (
                "America/New_York",
                "2026-11-01",
                "02:00",
                "2026-11-01T07:00:00Z",
            ),
            // Half an hour each way.
            (
                "Australia/Lord_Howe",
                "2026-10-04",
                "02:15",
                "2026-10-03T15:30:00Z",
            ),
            (
                "Australia/Lord_Howe",
                "2026-10-04",
                "02:30",
                "2026-10-03T15:30:00Z",
            ),
            (
                "Australia/Lord_Howe",
                "2026-04-05",
                "01:30",
                "2026-04-04T14:30:00Z",
            ),
            (
                "Australia/Lord_Howe",
                "2026-04-05",
                "02:00",
                "2026-04-04T15:30:00Z",
            ),
            // Midnight is skipped.
            (
                "America/Sao_Paulo",
                "2018-11-04",
                "00:00",
                "2018-11-04T03:00:00Z",
            ),
            (
                "Africa/Cairo",
                "2026-04-24",
                "00:00",
                "2026-04-23T22:00:00Z",
            ),
            // Midnight comes twice.
            (
                "America/Havana",
                "2026-11-01",
                "00:00",
                "2026-11-01T04:00:00Z",
            ),
            // A whole day is skipped.
            (
                "Pacific/Apia",
                "2011-12-30",
                "12:00",
                "2011-12-30T10:00:00Z",
            ),
        ];

        for (name, on, time, expected) in cases {
            let moment = zone(name).moment(day(on), time.parse().unwrap());
            assert_eq!(moment, at(expected), "{name} {on} {time}");
        }
    }

    #[test]
    fn where_midnight_comes_twice_the_day_begins_with_the_first() {
        // 00:01 became 23:01 of the day before.
        let st_johns = zone("America/St_Johns");
        let [before, after] = ["2010-11-06", "2010-11-07"].map(day);

        assert_eq!(st_johns.day_of(at("2010-11-07T02:29:59Z")), before);
        assert_eq!(st_johns.start_of(after), at("2010-11-07T02:30:00Z"));
        assert_eq!(st_johns.day_of(at("2010-11-07T02:45:00Z")), after);
    }

    #[test]
    fn names_are_found_in_any_case_and_spelled_as_the_database_does() {
        assert_eq!(zone("europe/BERLIN").name(), "Europe/Berlin");
        assert_eq!(zone("UTC"), Zone::UTC);
        for unknown in [
            "",
            "Mars/Olympus",
            "Etc/Unknown",
            "CET-1CEST",
            "../etc/localtime",
        ] {
            assert_eq!(unknown.parse::<Zone>(), Err(NoSuchZone), "{unknown}");
        }
    }

    #[test]
    fn a_time_of_day_has_two_digits_and_two_digits() {
        for text in ["00:00", "07:05", "23:59"] {
            assert_eq!(text.parse::<Minute>().unwrap().to_string(), text);
        }
        for wrong in ["", "7:00", "24:00", "12:60", "12:00:00", "+1:00", "１２:00"] {
            assert_eq!(wrong.parse::<Minute>(), Err(NotATimeOfDay), "{wrong}");
        }
    }

    #[test]
    fn the_ends_of_time_have_days() {
        for name in ["UTC", "Asia/Tokyo", "America/New_York"] {
            for moment in [Timestamp::MIN, Timestamp::MAX] {
                let day = zone(name).day_of(moment);
                let _ = (
                    zone(name).start_of(day.previous()),
                    zone(name).start_of(day.next()),
                );
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_moment_lies_within_its_day(
            seconds in 0i64..4_000_000_000,
            name in prop::sample::select(vec![
                "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Cairo",
                "America/St_Johns", "Pacific/Apia", "America/Havana", "Asia/Kathmandu", "Africa/Casablanca", "UTC",
            ]),
        ) {
            let (zone, moment) = (zone(name), Timestamp::from_micros(seconds * 1_000_000));

            let day = zone.day_of(moment);

            prop_assert!(zone.start_of(day) <= moment, "{day:?}");
            prop_assert!(moment < zone.start_of(day.next()), "{day:?}");
        }
    }
}
