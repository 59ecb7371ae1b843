//! Times in a seed file.

use std::time::Duration;

use serde::Deserialize;

use crate::kernel::host::clock::Timestamp;

/// An absolute time, or a number of days before today and a time in UTC, so that a file doesn't age.
#[derive(Clone, Copy, Deserialize)]
#[serde(
    untagged,
    expecting = "A time is written such as 2026-11-21T16:05:00Z, or {\"days_ago\": 3, \"at\": \"16:05\"}."
)]
pub enum When {
    Moment(Timestamp),
    Ago { days_ago: u16, at: TimeOfDay },
}

/// Hours and minutes in UTC.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeOfDay(Duration);

impl TryFrom<String> for TimeOfDay {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let sentence = "A time of day looks like 16:05.";
        let (hours, minutes) = text.split_once(':').ok_or(sentence)?;
        match (hours.parse::<u64>(), minutes.parse::<u64>()) {
            (Ok(hours @ 0..24), Ok(minutes @ 0..60)) => {
                Ok(Self(Duration::from_secs((hours * 60 + minutes) * 60)))
            }
            _ => Err(sentence),
        }
    }
}

impl When {
    /// The absolute time, relative to `now`.
    pub fn moment(self, now: Timestamp) -> Timestamp {
        const DAY: i64 = 24 * 60 * 60 * 1_000_000;
        match self {
            Self::Moment(moment) => moment,
            Self::Ago { days_ago, at } => {
                let midnight = now.micros() - now.micros().rem_euclid(DAY);
                Timestamp::from_micros(midnight - i64::from(days_ago) * DAY).after(at.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_days_ago_is_counted_from_today() {
        let now = Timestamp::parse("2026-11-21T20:00:00Z").unwrap();
        let moment: When = serde_json::from_str(r#"{"days_ago": 3, "at": "16:05"}"#).unwrap();

        assert_eq!(moment.moment(now).to_string(), "2026-11-18T16:05:00Z");
    }
}
