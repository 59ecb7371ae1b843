//! Time as a value that is passed in.
//!
//! Nothing in the project asks the machine for the time but [`Clock`]; a lint refuses the
//! shortcuts. So a test can stand at any moment and an answer can be a snapshot.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment in UTC, kept to the microsecond.
///
/// On the wire it is RFC 3339 with as many decimals as it needs: none, three or six.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment that lies `micros` microseconds after 1970-01-01T00:00:00Z.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Reads RFC 3339 with any offset; decimals beyond the microsecond are cut.
    pub fn parse(text: &str) -> Option<Self> {
        let parsed = DateTime::parse_from_rfc3339(text).ok()?;
        Some(parsed.to_utc().into())
    }

    /// The moment `duration` later, at most the last one there is.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(micros))
    }

    /// How long after `earlier` this moment lies; zero when it does not.
    pub fn since(self, earlier: Self) -> Duration {
        let micros = self.0.saturating_sub(earlier.0);
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }

    /// The same moment for libraries that speak chrono.
    pub fn to_chrono(self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(moment: DateTime<Utc>) -> Self {
        Self(moment.timestamp_micros())
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
        Self::parse(&text)
            .ok_or_else(|| serde::de::Error::custom("A time must look like 2026-11-21T16:05:00Z."))
    }
}

/// Where the time comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that stands still until a test moves it.
    Manual(ManualClock),
}

impl Clock {
    /// The present moment.
    pub fn now(&self) -> Timestamp {
        match self {
            #[expect(
                clippy::disallowed_methods,
                reason = "the one place that asks the machine"
            )]
            Self::System => Utc::now().into(),
            Self::Manual(clock) => Timestamp(clock.micros.load(Ordering::SeqCst)),
        }
    }
}

/// A clock for tests. Clones show the same time.
#[derive(Clone, Debug)]
pub struct ManualClock {
    micros: Arc<AtomicI64>,
}

impl ManualClock {
    /// A clock that stands at `start`.
    pub fn at(start: Timestamp) -> Self {
        Self {
            micros: Arc::new(AtomicI64::new(start.0)),
        }
    }

    /// Sets the clock, back too.
    pub fn set(&self, to: Timestamp) {
        self.micros.store(to.0, Ordering::SeqCst);
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.micros.fetch_add(micros, Ordering::SeqCst);
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
    fn a_manual_clock_moves_only_when_told() {
        let manual = ManualClock::at(Timestamp::from_micros(0));
        let clock = Clock::Manual(manual.clone());

        manual.advance(Duration::from_secs(2));

        assert_eq!(clock.now().micros(), 2_000_000);
        assert_eq!(clock.now().micros(), 2_000_000);
    }
}
