//! Time as a value that is passed in.
//!
//! Only [`Clock`] asks the machine for the time; a lint refuses the shortcuts. So a test can run at any time, and answers can be
//! compared with snapshots.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const MICROS_A_DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// A time in UTC with microsecond resolution, in the years 0000 to 9999.
///
/// On the wire it is RFC 3339 with as many decimals as it needs: none, three or six. RFC 3339 has no form for
/// other years, so they cannot be represented: every timestamp that is written can be read back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// Text that is not a valid timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotATimestamp {
    /// It is not RFC 3339.
    #[error("A time must look like 2026-11-21T16:05:00Z.")]
    Malformed,
    /// Its year in UTC does not have four digits.
    #[error("A time must lie in the years 0000 to 9999 in UTC.")]
    OutOfRange,
}

impl Timestamp {
    /// The earliest timestamp: 0000-01-01T00:00:00Z.
    pub const MIN: Self = Self(-62_167_219_200_000_000);

    /// The latest timestamp: 9999-12-31T23:59:59.999999Z.
    pub const MAX: Self = Self(253_402_300_799_999_999);

    /// `micros` microseconds after 1970-01-01T00:00:00Z, clamped to the valid range.
    pub const fn from_micros(micros: i64) -> Self {
        // `Ord::clamp` is not const.
        if micros < Self::MIN.0 {
            Self::MIN
        } else if micros > Self::MAX.0 {
            Self::MAX
        } else {
            Self(micros)
        }
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// The day (UTC), counted from 1970-01-01.
    pub const fn utc_day(self) -> i64 {
        self.0.div_euclid(MICROS_A_DAY)
    }

    /// When a [day](Self::utc_day) begins.
    pub const fn start_of_utc_day(day: i64) -> Self {
        Self::from_micros(day.saturating_mul(MICROS_A_DAY))
    }

    /// This time if a [day](Self::utc_day) begins then, else the beginning of the next one.
    #[must_use]
    pub const fn up_to_utc_day(self) -> Self {
        Self::start_of_utc_day(self.0.saturating_sub(1).div_euclid(MICROS_A_DAY) + 1)
    }

    /// Parses RFC 3339 with any offset; decimals beyond the microsecond are cut.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    /// The time `duration` later, at most [`MAX`](Self::MAX).
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Self::from_micros(self.0.saturating_add(micros))
    }

    /// The time `duration` earlier, at least [`MIN`](Self::MIN).
    #[must_use]
    pub fn before(self, duration: Duration) -> Self {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Self::from_micros(self.0.saturating_sub(micros)).max(Self::MIN)
    }

    /// How long after `earlier` this is; zero if it is before.
    pub fn since(self, earlier: Self) -> Duration {
        let micros = self.0.saturating_sub(earlier.0);
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }

    /// The same time as chrono's type.
    pub fn to_chrono(self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0).expect("chrono's years reach further than ours")
    }
}

impl FromStr for Timestamp {
    type Err = NotATimestamp;

    fn from_str(text: &str) -> Result<Self, NotATimestamp> {
        let parsed = DateTime::parse_from_rfc3339(text).map_err(|_| NotATimestamp::Malformed)?;
        // chrono checks the year before it applies the offset, and a leap second belongs to the next minute.
        let micros = parsed.timestamp_micros();
        if (Self::MIN.0..=Self::MAX.0).contains(&micros) {
            Ok(Self(micros))
        } else {
            Err(NotATimestamp::OutOfRange)
        }
    }
}

/// Clamps to the valid range.
impl From<DateTime<Utc>> for Timestamp {
    fn from(moment: DateTime<Utc>) -> Self {
        Self::from_micros(moment.timestamp_micros())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            &self
                .to_chrono()
                .to_rfc3339_opts(SecondsFormat::AutoSi, true),
        )
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The source of the current time.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock for tests that doesn't advance by itself.
    Manual(ManualClock),
}

impl Clock {
    pub fn now(&self) -> Timestamp {
        match self {
            #[expect(
                clippy::disallowed_methods,
                reason = "the one place that asks the machine"
            )]
            // chrono's own `now` panics before 1970.
            Self::System => DateTime::<Utc>::from(SystemTime::now()).into(),
            Self::Manual(clock) => Timestamp::from_micros(clock.micros.load(Ordering::SeqCst)),
        }
    }

    /// How long the machine has been running, including while it was suspended. Setting the clock doesn't change it.
    pub fn uptime(&self) -> Duration {
        match self {
            Self::System => {
                let seconds = rustix::system::sysinfo().uptime;
                Duration::from_secs(u64::try_from(seconds).unwrap_or_default())
            }
            Self::Manual(clock) => {
                let micros = clock.uptime_micros.load(Ordering::SeqCst);
                Duration::from_micros(u64::try_from(micros).unwrap_or_default())
            }
        }
    }
}

/// A clock for tests. Clones show the same time.
#[derive(Clone, Debug)]
pub struct ManualClock {
    micros: Arc<AtomicI64>,
    uptime_micros: Arc<AtomicI64>,
}

impl ManualClock {
    /// Creates a clock that shows `start`.
    pub fn at(start: Timestamp) -> Self {
        Self {
            micros: Arc::new(AtomicI64::new(start.0)),
            uptime_micros: Arc::default(),
        }
    }

    /// Sets the clock, also backwards. The uptime stays the same.
    pub fn set(&self, to: Timestamp) {
        self.micros.store(to.0, Ordering::SeqCst);
    }

    /// Advances the clock and the uptime.
    pub fn advance(&self, by: Duration) {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.micros.fetch_add(micros, Ordering::SeqCst);
        self.uptime_micros.fetch_add(micros, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_written_with_the_decimals_it_needs() {
        let cases = [
            ("2026-11-21T16:05:00Z", "2026-11-21T16:05:00Z"),
            ("2026-11-21T16:05:00.5Z", "2026-11-21T16:05:00.500Z"),
            (
                "2026-11-21T17:05:00.123456789+01:00",
                "2026-11-21T16:05:00.123456Z",
            ),
        ];

        for (given, expected) in cases {
            let timestamp = Timestamp::parse(given).expect("a time");
            assert_eq!(timestamp.to_string(), expected);
        }
    }

    #[test]
    fn a_day_begins_at_midnight_utc_in_any_year() {
        let day = |text: &str| Timestamp::parse(text).unwrap().utc_day();

        assert_eq!(day("1970-01-01T00:00:00Z"), 0);
        assert_eq!(day("1970-01-02T23:59:59.5Z"), 1);
        assert_eq!(day("1969-12-31T12:00:00Z"), -1);
    }

    #[test]
    fn text_that_is_no_time_is_refused() {
        for text in [
            "",
            "yesterday",
            "2026-11-21",
            "1763740800",
            "2026-13-01T00:00:00Z",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_range_is_checked_after_the_change_to_utc() {
        let kept = [
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
            (
                "9999-12-31T23:59:59.9999999+00:00",
                "9999-12-31T23:59:59.999999Z",
            ),
            ("9999-12-31T23:59:59+23:59", "9999-12-31T00:00:59Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
            ("0000-01-01T00:00:00-00:01", "0000-01-01T00:01:00Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ];
        for (given, expected) in kept {
            assert_eq!(Timestamp::parse(given).expect(given).to_string(), expected);
        }

        let refused = [
            "9999-12-31T23:59:59-00:01",
            "9999-12-31T23:59:60Z",
            "0000-01-01T00:00:00+00:01",
        ];
        for given in refused {
            let refused = given.parse::<Timestamp>();
            assert_eq!(refused, Err(NotATimestamp::OutOfRange), "{given}");
        }
    }

    #[test]
    fn every_timestamp_that_can_be_made_is_read_back_as_itself() {
        let made = [
            Timestamp::MIN,
            Timestamp::MAX,
            Timestamp::from_micros(i64::MIN),
            Timestamp::from_micros(i64::MAX),
            Timestamp::from_micros(-1),
            Timestamp::MAX.after(Duration::MAX),
            Timestamp::from(DateTime::<Utc>::MIN_UTC),
            Timestamp::from(DateTime::<Utc>::MAX_UTC),
            Clock::Manual(ManualClock {
                micros: Arc::new(AtomicI64::new(i64::MAX)),
                uptime_micros: Arc::default(),
            })
            .now(),
        ];

        for timestamp in made {
            let json = serde_json::to_string(&timestamp).unwrap();
            assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), timestamp);
        }
        assert_eq!(Timestamp::MIN.to_string(), "0000-01-01T00:00:00Z");
        assert_eq!(Timestamp::MAX.to_string(), "9999-12-31T23:59:59.999999Z");
    }
}
