//! Decides whether the clock can be trusted for actions that cannot be undone.
//!
//! A clock that is ahead for a few seconds must not delete what should be kept for seven days. So nothing becomes due until
//! the server has run for [`TRUSTED_AFTER`] in all since the clock last diverged from the machine's uptime, or since a start
//! after more than a day without the server (further such starts don't begin the hours anew); or until the administrator accepts the clock. Code that acts on a date
//! takes a [`DueBy`], which only this module creates.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::store::{Change, Purpose, Read, Record, RecordKind, Store, StoreError, Table};

const CLOCK: Table = Table::new("clock");

pub const KIND: RecordKind = RecordKind::of::<PersistedClock>(CLOCK);

/// How long the server runs before the clock is trusted again.
const TRUSTED_AFTER: Duration = Duration::from_secs(6 * 60 * 60);

/// How far the clock may diverge from the machine's uptime.
const DIVERGED: Duration = Duration::from_secs(60 * 60);

/// How much time may have passed while the server didn't run.
const GONE: Duration = Duration::from_secs(24 * 60 * 60);

/// How often the state is stored if nothing notable happens.
const NOTED_EVERY: Duration = Duration::from_secs(10 * 60);

/// The longest time between two checks that counts as running: the machine may have been suspended.
const LONGEST_STEP: Duration = Duration::from_secs(60 * 60);

/// The persisted state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PersistedClock {
    /// When the server last checked the clock.
    seen_at: Timestamp,
    /// How many more seconds the server must run before the clock is trusted.
    #[serde(default)]
    waits_seconds: u64,
}

impl Record for PersistedClock {}

/// The time up to which things are due by the clock; `None` while the clock isn't trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueBy(Option<Timestamp>);

impl DueBy {
    /// Whether something that becomes due at this time is due.
    pub fn is_due(self, at: Timestamp) -> bool {
        self.0.is_some_and(|now| at <= now)
    }

    /// Whether this time is in the future; false while the clock isn't trusted.
    pub fn precedes(self, at: Timestamp) -> bool {
        self.0.is_some_and(|now| now < at)
    }

    #[cfg(test)]
    pub fn trusted(now: Timestamp) -> Self {
        Self(Some(now))
    }

    /// [`DueBy::is_due`] for the time `duration` after `since`.
    pub fn has_passed(self, since: Timestamp, duration: Duration) -> bool {
        self.is_due(since.after(duration))
    }
}

/// Decides what is due. Clones share the state.
#[derive(Clone)]
pub struct DueClock {
    store: Store,
    clock: Clock,
    state: Arc<Mutex<State>>,
}

#[derive(Clone, Copy)]
struct State {
    /// The clock and the uptime when they last diverged, or at the start.
    agreed: (Timestamp, Duration),
    /// The uptime at the last check.
    looked: Duration,
    /// How much longer the server must run before the clock is trusted.
    waits: Duration,
    noted: Option<PersistedClock>,
}

impl DueClock {
    /// Checks the clock as the server starts. `is_new` says that the store is new, so nothing in it can be due.
    pub fn start(store: &Store, clock: &Clock, is_new: bool) -> Result<Self, StoreError> {
        let noted = store.get_readable::<PersistedClock>(&CLOCK.key())?;
        let (now, uptime) = (clock.now(), clock.uptime());
        let waits = match noted {
            // While the server waits already, another day without it doesn't begin the hours anew: some machines run only a
            // few hours a day.
            Some(noted) if noted.waits_seconds > 0 || now.since(noted.seen_at) <= GONE => {
                Duration::from_secs(noted.waits_seconds).min(TRUSTED_AFTER)
            }
            None if is_new => Duration::ZERO,
            _ => TRUSTED_AFTER,
        };
        Ok(Self {
            store: store.clone(),
            clock: clock.clone(),
            state: Arc::new(Mutex::new(State {
                agreed: (now, uptime),
                looked: uptime,
                waits,
                noted,
            })),
        })
    }

    pub fn due(&self) -> DueBy {
        let (state, now) = self.refresh();
        DueBy(state.waits.is_zero().then_some(now))
    }

    /// How much longer the server must run until something becomes due; `None` while the clock is trusted.
    pub fn waits(&self) -> Option<Duration> {
        let waits = self.refresh().0.waits;
        (!waits.is_zero()).then_some(waits)
    }

    fn refresh(&self) -> (State, Timestamp) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, uptime) = (self.clock.now(), self.clock.uptime());
        let (then, uptime_then) = state.agreed;
        let expected = then.after(uptime.saturating_sub(uptime_then));
        if now.since(expected) > DIVERGED || expected.since(now) > DIVERGED {
            tracing::warn!(
                %expected, %now,
                "the clock was set; until the server has run for six hours, nothing is deleted by date \
                 (`porchlight clock accept` ends that)"
            );
            state.agreed = (now, uptime);
            state.waits = TRUSTED_AFTER;
        } else {
            let ran = uptime.saturating_sub(state.looked).min(LONGEST_STEP);
            state.waits = state.waits.saturating_sub(ran);
        }
        state.looked = uptime;
        (*state, now)
    }

    /// Persists the state for the next start, if it isn't yet.
    pub async fn persist(&self) -> Result<(), StoreError> {
        let (state, now) = self.refresh();
        let noted = PersistedClock {
            seen_at: now,
            waits_seconds: state.waits.as_secs(),
        };
        let is_stored = state.noted.is_some_and(|stored| {
            let began_or_ended = (stored.waits_seconds == 0) != (noted.waits_seconds == 0);
            !began_or_ended
                && stored.waits_seconds >= noted.waits_seconds
                && stored.seen_at <= now
                && now.since(stored.seen_at) < NOTED_EVERY
        });
        if is_stored {
            return Ok(());
        }
        let written = self.store.commit_for(Purpose::Essential, move |change| {
            change.put(&CLOCK.key(), &noted)
        });
        written.await?;
        self.set(|state| state.noted = Some(noted));
        Ok(())
    }

    /// Trusts the clock from now on.
    pub fn accept(&self, change: &mut Change) -> Result<(), StoreError> {
        let (now, uptime) = (self.clock.now(), self.clock.uptime());
        let noted = PersistedClock {
            seen_at: now,
            waits_seconds: 0,
        };
        change.put(&CLOCK.key(), &noted)?;
        let clock = self.clone();
        change.on_success(move || {
            clock.set(|state| {
                *state = State {
                    agreed: (now, uptime),
                    looked: uptime,
                    waits: Duration::ZERO,
                    noted: Some(noted),
                };
            });
        });
        Ok(())
    }

    fn set(&self, edit: impl FnOnce(&mut State)) {
        edit(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::clock::ManualClock;

    const HOUR: Duration = Duration::from_secs(60 * 60);

    fn at(hours: u32) -> Timestamp {
        Timestamp::from_micros(0).after(HOUR * hours)
    }

    #[test]
    fn small_steps_of_the_clock_are_trusted_and_large_ones_wait_for_six_hours_in_both_directions() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let manual = ManualClock::at(at(1000));
        let due = DueClock::start(&store, &Clock::Manual(manual.clone()), true).unwrap();

        manual.set(at(1001));
        assert!(due.due().is_due(at(1001)) && !due.due().is_due(at(1002)));
        manual.set(at(900));
        assert_eq!(due.waits(), Some(HOUR * 6));
        assert!(!due.due().is_due(at(1)) && !due.due().precedes(at(9999)));
        manual.advance(HOUR);
        assert_eq!(due.waits(), Some(HOUR * 5));
        manual.advance(HOUR * 24);
        assert_eq!(due.waits(), Some(HOUR * 4), "the machine may have slept");
        manual.set(at(1000));
        assert_eq!(due.waits(), Some(HOUR * 6), "it begins anew");
    }

    #[tokio::test]
    async fn on_a_machine_that_runs_two_hours_a_day_the_hours_add_up() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let manual = ManualClock::at(at(1000));
        let clock = Clock::Manual(manual.clone());
        let mut waited = Vec::new();

        for _ in 0..5 {
            let due = DueClock::start(&store, &clock, false).unwrap();
            waited.push(due.waits().map_or(0, |waits| waits.as_secs() / 3600));
            for _ in 0..2 {
                manual.advance(HOUR);
                due.persist().await.unwrap();
            }
            manual.set(clock.now().after(HOUR * 30));
        }

        assert_eq!(waited, [6, 4, 2, 6, 4]);
    }

    #[test]
    fn a_store_that_was_used_before_this_was_noted_waits() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let clock = Clock::Manual(ManualClock::at(at(1000)));

        let due = DueClock::start(&store, &clock, false).unwrap();

        assert_eq!(due.waits(), Some(HOUR * 6));
    }

    #[tokio::test]
    async fn a_clock_whose_acceptance_could_not_be_stored_is_not_trusted() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let clock = Clock::Manual(ManualClock::at(at(1000)));
        let due = DueClock::start(&store, &clock, false).unwrap();
        let accepts = |fails: bool| {
            let due = due.clone();
            store.commit(move |change| {
                due.accept(change)?;
                if fails {
                    return Err(StoreError::Unavailable);
                }
                Ok::<_, StoreError>(())
            })
        };

        accepts(true).await.unwrap_err();
        assert_eq!(due.waits(), Some(HOUR * 6));

        accepts(false).await.unwrap();
        assert_eq!(due.waits(), None);
    }
}
