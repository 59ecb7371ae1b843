//! A rate limiter with a count for each key: a burst, then one event per interval.
//!
//! The counting is the generic cell rate algorithm (ITU-T I.371): one number for each key, the time at which
//! it would be idle again. Time comes from the [`Clock`], so that a test can wait an hour without waiting.
//!
//! Memory is bounded, and a full table drops no active count. Only idle keys are evicted, because an idle key equals
//! one that was never seen. If no key is idle, a new key shares a count with others of its [group](LimitKey::group).
//! So an attacker with many keys resets no count, is limited by the shared counts, and exhausts those of their
//! own group first.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::store::Change;

/// The number of keys that are counted separately: under 100 bytes each, so a megabyte or two.
const KEYS: usize = 16_384;

/// The number of counts that all further keys share.
const SHARED: usize = 1024;

/// The minimum interval between two searches of a full table for idle keys: each search visits all of them.
const BETWEEN_SEARCHES: Nanos = 1_000_000_000;

/// Nanoseconds since the limit was created.
type Nanos = u64;

/// How strict the limits are: the administrator's `--limits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LimitMode {
    /// The documented limits.
    #[default]
    Usual,
    /// This many times the documented limits.
    Times(NonZeroU32),
    /// No limits: for load tests.
    Off,
}

/// Text that isn't a valid mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("limits are on, off, or a whole number such as 10: so many times as much is let through")]
pub struct InvalidLimitMode;

impl FromStr for LimitMode {
    type Err = InvalidLimitMode;

    fn from_str(text: &str) -> Result<Self, InvalidLimitMode> {
        match text {
            "on" => Ok(Self::Usual),
            "off" => Ok(Self::Off),
            _ => text.parse().map(Self::Times).map_err(|_| InvalidLimitMode),
        }
    }
}

impl fmt::Display for LimitMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usual => f.write_str("on"),
            Self::Times(factor) => write!(f, "{factor} times as much as usual"),
            Self::Off => f.write_str("off"),
        }
    }
}

/// A burst, and the interval between further events.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// The number of events that are allowed at once.
    pub burst: NonZeroU32,
    /// The interval after which one more is allowed.
    pub every: Duration,
}

impl Rate {
    /// `burst` at once, and then one each `every`.
    ///
    /// # Panics
    ///
    /// If `burst` or `every` is zero: rates are constants.
    pub const fn new(burst: u32, every: Duration) -> Self {
        assert!(!every.is_zero(), "a rate without a pause is no limit");
        match NonZeroU32::new(burst) {
            Some(burst) => Self { burst, every },
            None => panic!("a rate that lets nothing through is no rate"),
        }
    }

    /// The rate multiplied by `factor`.
    #[must_use]
    pub fn times(self, factor: NonZeroU32) -> Self {
        Self {
            burst: self.burst.saturating_mul(factor),
            every: (self.every / factor.get()).max(Duration::from_nanos(1)),
        }
    }
}

/// The limit is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// The number of seconds until one more is allowed; at least 1.
    pub seconds: u32,
}

pub trait LimitKey: Eq + Hash + Clone {
    /// Keys of one group share a count while the table is full.
    fn group(&self) -> impl Hash;
}

/// A rate limit per key.
pub struct Limit<K> {
    pace: Option<Pace>,
    clock: Stopwatch,
    counts: Mutex<Counts<K>>,
}

impl<K: LimitKey> Limit<K> {
    pub fn new(rate: Rate, limit_mode: LimitMode, clock: Clock) -> Self {
        let rate = match limit_mode {
            LimitMode::Usual => Some(rate),
            LimitMode::Times(factor) => Some(rate.times(factor)),
            LimitMode::Off => None,
        };
        Self {
            pace: rate.map(Pace::of),
            clock: Stopwatch::start(clock),
            counts: Mutex::new(Counts::new()),
        }
    }

    /// Counts one event, if it is allowed.
    pub fn take(&self, key: K) -> Result<(), TooMany> {
        take_all([(self, key)])
    }

    /// [`Limit::take`] for an event that the change stores: if the change fails, nothing was counted.
    pub fn take_in(self: &Arc<Self>, change: &mut Change, key: K) -> Result<(), TooMany>
    where
        K: Send + 'static,
    {
        self.take(key.clone())?;
        let limit = Arc::clone(self);
        change.on_failure(move || limit.give_back(key));
        Ok(())
    }

    /// Reverses the count of an event that then didn't happen.
    pub fn give_back(&self, key: K) {
        let Some(pace) = &self.pace else { return };
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let place = counts.place_of(key, self.clock.passed());
        let idle_at = counts.idle_at(&place).saturating_sub(pace.every);
        counts.note(place, idle_at);
    }
}

/// Counts one event in each of these limits if all of them allow it, and in none otherwise.
///
/// The limits are locked in this order, which therefore must be the same at all call sites.
///
/// # Errors
///
/// [`TooMany`] of the first limit that is exceeded.
pub fn take_all<K: LimitKey, const N: usize>(limits: [(&Limit<K>, K); N]) -> Result<(), TooMany> {
    let mut taken = Vec::with_capacity(N);
    for (limit, key) in limits {
        let Some(pace) = &limit.pace else { continue };
        let mut counts = limit.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let now = limit.clock.passed();
        let place = counts.place_of(key, now);
        let idle_at = pace.one_more(counts.idle_at(&place), now)?;
        taken.push((counts, place, idle_at));
    }
    for (mut counts, place, idle_at) in taken {
        counts.note(place, idle_at);
    }
    Ok(())
}

/// A rate in the algorithm's terms.
struct Pace {
    every: Nanos,
    /// How far ahead of the rate a key may be: all of a burst but the first.
    ahead: Nanos,
}

impl Pace {
    fn of(rate: Rate) -> Self {
        let every = nanos(rate.every);
        Self {
            every,
            ahead: every.saturating_mul(u64::from(rate.burst.get() - 1)),
        }
    }

    /// When a key that would be idle at `idle_at` will be idle after one more event.
    fn one_more(&self, idle_at: Nanos, now: Nanos) -> Result<Nanos, TooMany> {
        let idle_at = idle_at.max(now);
        let wait = idle_at.saturating_sub(self.ahead).saturating_sub(now);
        if wait > 0 {
            let seconds = wait.div_ceil(1_000_000_000);
            return Err(TooMany {
                seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
            });
        }
        Ok(idle_at.saturating_add(self.every))
    }
}

fn nanos(duration: Duration) -> Nanos {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// The time at which each key will be idle again: separately for at most [`KEYS`] keys.
struct Counts<K> {
    own: HashMap<K, Nanos>,
    shared: Vec<Nanos>,
    searched_at: Nanos,
    /// Randomly seeded, so that an attacker cannot know which groups share a count.
    hasher: RandomState,
}

/// Where a key is counted.
enum Counter<K> {
    Own(K),
    Shared(usize),
}

impl<K: LimitKey> Counts<K> {
    fn new() -> Self {
        Self {
            own: HashMap::new(),
            shared: vec![0; SHARED],
            searched_at: 0,
            hasher: RandomState::new(),
        }
    }

    fn place_of(&mut self, key: K, now: Nanos) -> Counter<K> {
        if self.own.len() < KEYS || self.own.contains_key(&key) {
            return Counter::Own(key);
        }
        if now >= self.searched_at.saturating_add(BETWEEN_SEARCHES) {
            self.searched_at = now;
            self.own.retain(|_, idle_at| *idle_at > now);
        }
        if self.own.len() < KEYS {
            return Counter::Own(key);
        }
        let group = self.hasher.hash_one(key.group());
        Counter::Shared(usize::try_from(group % SHARED as u64).expect("it is below SHARED"))
    }

    fn idle_at(&self, place: &Counter<K>) -> Nanos {
        match place {
            Counter::Own(key) => self.own.get(key).copied().unwrap_or(0),
            Counter::Shared(number) => self.shared[*number],
        }
    }

    fn note(&mut self, place: Counter<K>, idle_at: Nanos) {
        match place {
            Counter::Own(key) => {
                self.own.insert(key, idle_at);
            }
            Counter::Shared(number) => self.shared[number] = idle_at,
        }
    }
}

/// The time that has passed by the clock; none if the clock was set back. Otherwise a family would be locked out
/// for as long as the clock had been wrong.
struct Stopwatch {
    clock: Clock,
    read: Mutex<(Timestamp, Duration)>,
}

impl Stopwatch {
    fn start(clock: Clock) -> Self {
        let read = Mutex::new((clock.now(), Duration::ZERO));
        Self { clock, read }
    }

    fn passed(&self) -> Nanos {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, passed) = *read;
        let now = self.clock.now();
        *read = (now, passed + now.since(last));
        nanos(read.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::clock::ManualClock;

    const RATE: Rate = Rate::new(2, Duration::from_secs(10));

    impl LimitKey for u32 {
        fn group(&self) -> impl Hash {
            *self
        }
    }

    fn limit(limit_mode: LimitMode) -> (Limit<u32>, ManualClock) {
        let clock = ManualClock::at(Timestamp::from_micros(1_000_000_000_000));
        (
            Limit::new(RATE, limit_mode, Clock::Manual(clock.clone())),
            clock,
        )
    }

    #[test]
    fn so_many_at_once_and_then_one_each_so_often() {
        let (limit, clock) = limit(LimitMode::Usual);

        assert_eq!([limit.take(1), limit.take(1)], [Ok(()); 2]);
        assert_eq!(limit.take(1), Err(TooMany { seconds: 10 }));
        clock.advance(Duration::from_millis(9_500));
        assert_eq!(limit.take(1), Err(TooMany { seconds: 1 }));
        clock.advance(Duration::from_millis(500));
        assert_eq!(limit.take(1), Ok(()));
        assert!(limit.take(1).is_err());
    }

    #[test]
    fn an_event_that_did_not_happen_can_be_given_back() {
        let (limit, _) = limit(LimitMode::Usual);
        while limit.take(1).is_ok() {}

        limit.give_back(1);

        assert_eq!(limit.take(1), Ok(()));
        assert!(limit.take(1).is_err());
    }

    #[test]
    fn one_key_never_uses_up_anothers_share() {
        let (limit, _) = limit(LimitMode::Usual);
        while limit.take(1).is_ok() {}

        assert_eq!(limit.take(2), Ok(()));
    }

    #[test]
    fn limits_can_be_made_lenient_and_lifted() {
        let let_through = |limit_mode: &str| {
            let (limit, _) = limit(limit_mode.parse().unwrap());
            (0..100).filter(|_| limit.take(1).is_ok()).count()
        };

        assert_eq!(let_through("on"), 2);
        assert_eq!(let_through("10"), 20);
        assert_eq!(let_through("off"), 100);
        for bad in ["", "0", "-1", "1.5", "ON", "no"] {
            assert_eq!(bad.parse::<LimitMode>(), Err(InvalidLimitMode), "{bad}");
        }
    }

    #[test]
    fn a_leniency_says_how_much_is_let_through() {
        let said = |text: &str| text.parse::<LimitMode>().unwrap().to_string();

        assert_eq!(
            ["on", "10", "off"].map(said),
            ["on", "10 times as much as usual", "off"]
        );
    }

    #[test]
    fn ten_times_as_much_is_let_through_as_time_passes_too() {
        let (limit, clock) = limit(LimitMode::Times(NonZeroU32::new(10).unwrap()));
        while limit.take(1).is_ok() {}

        clock.advance(Duration::from_millis(999));
        assert_eq!(limit.take(1), Err(TooMany { seconds: 1 }));
        clock.advance(Duration::from_millis(1));
        assert_eq!(limit.take(1), Ok(()));
        assert_eq!(limit.take(1), Err(TooMany { seconds: 1 }));
    }

    #[test]
    fn a_clock_that_is_set_back_keeps_nobody_waiting() {
        let manual = ManualClock::at(Timestamp::from_micros(1_000_000_000_000));
        let limit = Limit::new(RATE, LimitMode::Usual, Clock::Manual(manual.clone()));
        while limit.take(1).is_ok() {}

        manual.set(Timestamp::from_micros(0));

        assert_eq!(limit.take(1), Err(TooMany { seconds: 10 }));
        manual.advance(Duration::from_secs(10));
        assert_eq!(limit.take(1), Ok(()));
    }

    #[test]
    fn a_full_table_resets_no_count_and_counts_newcomers_together() {
        let (limit, clock) = limit(LimitMode::Usual);
        while limit.take(0).is_ok() {}

        let let_through = (1..60_000).filter(|key| limit.take(*key).is_ok()).count();

        // One event for each key with a count of its own, all but key 0, and a burst of two for each shared count.
        let places = KEYS - 1 + 2 * SHARED;
        assert!((KEYS..=places).contains(&let_through), "{let_through}");
        assert!(limit.take(0).is_err(), "who is held stays held");
        assert_eq!(limit.take(1), Ok(()), "who has a place keeps it");
        let counts = limit.counts.lock().unwrap();
        assert_eq!((counts.own.len(), counts.shared.len()), (KEYS, SHARED));
        drop(counts);
        clock.advance(Duration::from_secs(20));
        let let_through = (300_000..310_000).filter(|key| limit.take(*key).is_ok());
        assert_eq!(let_through.count(), 10_000, "idle keys make room");
    }

    #[test]
    fn while_the_table_is_full_who_fills_it_holds_up_their_own_group_first() {
        /// Keys in groups of a hundred thousand.
        #[derive(Clone, PartialEq, Eq, Hash)]
        struct Grouped(u32);
        impl LimitKey for Grouped {
            fn group(&self) -> impl Hash {
                self.0 / 100_000
            }
        }
        let clock = ManualClock::at(Timestamp::from_micros(0));
        let limit = Limit::new(RATE, LimitMode::Usual, Clock::Manual(clock));

        let let_through = |keys: std::ops::Range<u32>| {
            keys.filter(|key| limit.take(Grouped(*key)).is_ok()).count()
        };

        assert_eq!(let_through(0..100_000), KEYS + 2);
        // Of a hundred other groups only those that share the attacker's count are refused.
        let others = (1..=100).map(|group| let_through(group * 100_000..group * 100_000 + 1));
        assert!(others.sum::<usize>() > 90);
    }

    #[test]
    fn of_two_limits_both_count_or_neither() {
        let ((narrow, _), (wide, _)) = (limit(LimitMode::Usual), limit(LimitMode::Usual));
        wide.take(9).unwrap();
        let take = |key| take_all([(&narrow, key), (&wide, 9)]);

        assert_eq!(take(1), Ok(()));
        assert!(take(1).is_err(), "the wide one is used up");

        assert_eq!(narrow.take(1), Ok(()), "and so the narrow one didn't count");
        assert!(narrow.take(1).is_err());
    }
}
