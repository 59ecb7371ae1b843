//! How often something may happen, for each of many keys: so many at once, then one each so often.
//!
//! The counting is governor's (the generic cell rate algorithm: one number for each key). Time comes from
//! the [`Clock`], so that a test can wait an hour without waiting, and the memory is bounded.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use governor::clock::Clock as GovernorClock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::{Quota, RateLimiter};

use super::clock::{Clock, Timestamp};

/// How many keys a limit remembers: some 100 bytes each, so a megabyte or two. One more makes it forget
/// another one, which then starts afresh: whoever has that many addresses isn't held by a count of them.
const KEYS: usize = 16_384;

/// How strict the limits are: the administrator's `--limits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leniency {
    /// As they are documented.
    #[default]
    Usual,
    /// So many times as much is let through.
    Times(NonZeroU32),
    /// Everything is let through: for load tests.
    Off,
}

/// Text that is no leniency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("limits are on, off, or a whole number such as 10: so many times as much is let through")]
pub struct NotALeniency;

impl FromStr for Leniency {
    type Err = NotALeniency;

    fn from_str(text: &str) -> Result<Self, NotALeniency> {
        match text {
            "on" => Ok(Self::Usual),
            "off" => Ok(Self::Off),
            _ => text.parse().map(Self::Times).map_err(|_| NotALeniency),
        }
    }
}

impl fmt::Display for Leniency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usual => f.write_str("on"),
            Self::Times(factor) => write!(f, "{factor} times as much as usual"),
            Self::Off => f.write_str("off"),
        }
    }
}

/// So many at once, and then one each so often.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// How many at once.
    pub burst: NonZeroU32,
    /// How long until one more is let through.
    pub every: Duration,
}

impl Rate {
    /// `burst` at once, and then one each `every`.
    ///
    /// # Panics
    ///
    /// When `burst` or `every` is zero: rates are constants.
    pub const fn new(burst: u32, every: Duration) -> Self {
        assert!(!every.is_zero(), "a rate without a pause is no limit");
        match NonZeroU32::new(burst) {
            Some(burst) => Self { burst, every },
            None => panic!("a rate that lets nothing through is no rate"),
        }
    }

    /// The rate at which so many times as much is let through.
    #[must_use]
    pub fn times(self, factor: NonZeroU32) -> Self {
        Self {
            burst: self.burst.saturating_mul(factor),
            every: (self.every / factor.get()).max(Duration::from_nanos(1)),
        }
    }
}

/// There were too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// After how many seconds one more is let through; at least 1.
    pub seconds: u32,
}

/// Counts what happens, for each key.
pub struct Limit<K: Eq + Hash + Clone> {
    limiter: Option<RateLimiter<K, Cells<K>, Stopwatch, NoOpMiddleware<Duration>>>,
}

impl<K: Eq + Hash + Clone> Limit<K> {
    /// A limit that has counted nothing yet.
    pub fn new(rate: Rate, leniency: Leniency, clock: Clock) -> Self {
        let rate = match leniency {
            Leniency::Usual => Some(rate),
            Leniency::Times(factor) => Some(rate.times(factor)),
            Leniency::Off => None,
        };
        let limiter = rate.map(|rate| {
            let quota = Quota::with_period(rate.every)
                .expect("a rate's pause is never zero")
                .allow_burst(rate.burst);
            RateLimiter::new(quota, Cells::default(), Stopwatch::start(clock))
        });
        Self { limiter }
    }

    /// Counts one more, if it is let through.
    ///
    /// # Errors
    ///
    /// [`TooMany`] when it isn't.
    pub fn take(&self, key: &K) -> Result<(), TooMany> {
        let Some(limiter) = &self.limiter else {
            return Ok(());
        };
        limiter.check_key(key).map_err(|refused| {
            let wait = refused.wait_time_from(limiter.clock().now());
            let seconds = wait.as_millis().div_ceil(1000).max(1);
            TooMany {
                seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
            }
        })
    }
}

/// Each key's number, at most [`KEYS`] of them.
struct Cells<K>(Mutex<HashMap<K, Nanos>>);

impl<K> Default for Cells<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash + Clone> StateStore for Cells<K> {
    type Key = K;

    fn measure_and_replace<T, F, E>(&self, key: &K, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = cells.get(key).copied();
        let (outcome, next) = decide(kept)?;
        if kept.is_none() && cells.len() >= KEYS {
            let another = cells.keys().next().cloned();
            another.and_then(|another| cells.remove(&another));
        }
        cells.insert(key.clone(), next);
        Ok(outcome)
    }
}

/// The time that has passed by the clock. When the clock is set back, none has: otherwise a family would
/// wait for as long as it had gone wrong.
struct Stopwatch {
    clock: Clock,
    read: Mutex<(Timestamp, Duration)>,
}

impl Stopwatch {
    fn start(clock: Clock) -> Self {
        let read = Mutex::new((clock.now(), Duration::ZERO));
        Self { clock, read }
    }
}

impl GovernorClock for Stopwatch {
    type Instant = Duration;

    fn now(&self) -> Duration {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, passed) = *read;
        let now = self.clock.now();
        *read = (now, passed + now.since(last));
        read.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::clock::ManualClock;

    const RATE: Rate = Rate::new(2, Duration::from_secs(10));

    fn limit(leniency: Leniency) -> (Limit<u32>, ManualClock) {
        let clock = ManualClock::at(Timestamp::from_micros(1_000_000_000_000));
        (
            Limit::new(RATE, leniency, Clock::Manual(clock.clone())),
            clock,
        )
    }

    #[test]
    fn so_many_at_once_and_then_one_each_so_often() {
        let (limit, clock) = limit(Leniency::Usual);

        assert_eq!([limit.take(&1), limit.take(&1)], [Ok(()); 2]);
        assert_eq!(limit.take(&1), Err(TooMany { seconds: 10 }));
        clock.advance(Duration::from_millis(9_500));
        assert_eq!(limit.take(&1), Err(TooMany { seconds: 1 }));
        clock.advance(Duration::from_millis(500));
        assert_eq!(limit.take(&1), Ok(()));
        assert!(limit.take(&1).is_err());
    }

    #[test]
    fn one_key_never_uses_up_anothers_share() {
        let (limit, _) = limit(Leniency::Usual);
        while limit.take(&1).is_ok() {}

        assert_eq!(limit.take(&2), Ok(()));
    }

    #[test]
    fn limits_can_be_made_lenient_and_lifted() {
        let let_through = |leniency: &str| {
            let (limit, _) = limit(leniency.parse().unwrap());
            (0..100).filter(|_| limit.take(&1).is_ok()).count()
        };

        assert_eq!(let_through("on"), 2);
        assert_eq!(let_through("10"), 20);
        assert_eq!(let_through("off"), 100);
        for bad in ["", "0", "-1", "1.5", "ON", "no"] {
            assert_eq!(bad.parse::<Leniency>(), Err(NotALeniency), "{bad}");
        }
    }

    #[test]
    fn a_leniency_says_how_much_is_let_through() {
        let said = |text: &str| text.parse::<Leniency>().unwrap().to_string();

        assert_eq!(
            ["on", "10", "off"].map(said),
            ["on", "10 times as much as usual", "off"]
        );
    }

    #[test]
    fn ten_times_as_much_is_let_through_as_time_passes_too() {
        let (limit, clock) = limit(Leniency::Times(NonZeroU32::new(10).unwrap()));
        while limit.take(&1).is_ok() {}

        clock.advance(Duration::from_millis(999));
        assert_eq!(limit.take(&1), Err(TooMany { seconds: 1 }));
        clock.advance(Duration::from_millis(1));
        assert_eq!(limit.take(&1), Ok(()));
        assert_eq!(limit.take(&1), Err(TooMany { seconds: 1 }));
    }

    #[test]
    fn a_clock_that_is_set_back_keeps_nobody_waiting() {
        let manual = ManualClock::at(Timestamp::from_micros(1_000_000_000_000));
        let limit = Limit::new(RATE, Leniency::Usual, Clock::Manual(manual.clone()));
        while limit.take(&1).is_ok() {}

        manual.set(Timestamp::from_micros(0));

        assert_eq!(limit.take(&1), Err(TooMany { seconds: 10 }));
        manual.advance(Duration::from_secs(10));
        assert_eq!(limit.take(&1), Ok(()));
    }

    #[test]
    fn no_more_keys_are_remembered_than_there_is_room_for() {
        let (limit, _) = limit(Leniency::Usual);

        for key in 0..40_000 {
            assert_eq!(limit.take(&key), Ok(()));
        }

        let cells = limit.limiter.unwrap().into_state_store();
        assert_eq!(cells.0.into_inner().unwrap().len(), KEYS);
    }
}
