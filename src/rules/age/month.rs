//! A month of birth.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::kernel::host::zones::Day;

/// The month in which a child was born: `2018-05`. `Debug` doesn't show it, so that it reaches no log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BirthMonth(
    /// Its first day.
    Day,
);

/// Text that is not a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("A month of birth must look like 2018-05.")]
pub struct NotAMonth;

impl BirthMonth {
    /// The month of a day.
    pub fn of(day: Day) -> Self {
        Self(day.first_of_month())
    }

    /// The first day on which the child has this age.
    pub fn birthday(self, age: u8) -> Day {
        self.0.years_after(age)
    }

    /// 0 before the child's birth.
    pub fn age_on(self, day: Day) -> u8 {
        let reached = (1..=u8::MAX).take_while(|age| self.birthday(*age) <= day);
        reached.last().unwrap_or(0)
    }
}

impl FromStr for BirthMonth {
    type Err = NotAMonth;

    fn from_str(text: &str) -> Result<Self, NotAMonth> {
        let first = format!("{text}-01").parse().map_err(|_| NotAMonth)?;
        Ok(Self(first))
    }
}

impl fmt::Display for BirthMonth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.0.to_string();
        f.write_str(first.strip_suffix("-01").unwrap_or(&first))
    }
}

impl fmt::Debug for BirthMonth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BirthMonth(..)")
    }
}

impl Serialize for BirthMonth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BirthMonth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_has_one_form() {
        assert_eq!(
            "2018-05".parse::<BirthMonth>().unwrap().to_string(),
            "2018-05"
        );

        for text in [
            "",
            "2018",
            "2018-5",
            "2018-13",
            "2018-00",
            "18-05",
            "2018-05-01",
            " 2018-05",
            "0000-01",
            "-2018-05",
        ] {
            assert_eq!(text.parse::<BirthMonth>(), Err(NotAMonth), "{text:?}");
        }
    }

    #[test]
    fn a_year_of_age_begins_with_the_month() {
        let age = |month: &str, day: &str| {
            let month = month.parse::<BirthMonth>().unwrap();
            month.age_on(day.parse().unwrap())
        };

        for (month, day, expected) in [
            ("2018-05", "2026-04-30", 7),
            ("2018-05", "2026-05-01", 8),
            ("2018-05", "2026-05-31", 8),
            ("2016-02", "2026-01-31", 9),
            ("2016-02", "2026-02-01", 10),
            ("2026-05", "2026-05-01", 0),
            ("2026-06", "2026-05-01", 0),
            ("0001-01", "2026-05-01", 255),
        ] {
            assert_eq!(age(month, day), expected, "{month} on {day}");
        }
    }
}
