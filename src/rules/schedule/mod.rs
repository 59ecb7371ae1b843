//! When an assistant may talk with a child.
//!
//! The child's guardians set quiet hours for days of the week, the minutes a day that the child may talk, and a pause, which
//! lasts for an hour, until a certain time, or until one of them ends it. All times are in the child's time zone. Quiet hours
//! belong to the day on which they begin and may extend past midnight; the minutes of a day count from midnight to midnight.
//! Two guardians can edit at once: a change that names the version it is based on is refused if that is no longer current.

pub mod api;
mod file;
mod past;
mod settings;
mod store;
mod talk;
mod used;

use std::sync::Arc;

use crate::children::feature::{Feature, Shown, tables};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::kernel::host::zones::Zone;
use crate::kernel::http::problem::refusals;
use crate::kernel::http::version::{Version, Versioned};
use crate::kernel::store::{Change, Read, ReadCache, Record, Store, StoreError, Weigh, readable};

pub use past::{Limits, NotAllowed, not_allowed};
pub use settings::{MOST_QUIET_HOURS, Pause, QuietHours, RuleBroken, Schedule, Weekday};
pub use store::TIMES as TABLE;
pub use talk::{Talk, Why, is_goodbye, talk_and_next_change, talk_with_all};
pub use used::{Today, used};

/// The maximum size of the cache of times, in bytes.
const CACHE_BYTES: u64 = 1024 * 1024;

/// Why a request about times was refused.
#[derive(Debug, thiserror::Error)]
pub enum ScheduleError {
    #[error(transparent)]
    Rule(#[from] RuleBroken),
    /// Somebody else changed the times meanwhile.
    #[error("The times were changed meanwhile. Please look at them again and repeat your change.")]
    Changed,
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    ScheduleError from Rule, Children, Store {
        Changed => changed(ScheduleChanged),
    }
}

impl Weigh for Arc<Schedule> {
    fn weight(&self) -> u64 {
        // The name of a time zone, and seven days for each of the quiet hours.
        64 + 48 * self.quiet_hours.len() as u64
    }
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    shown: &[Shown::Part("times", || tables(&store::KINDS))],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[file::FIELD],
    session_fields: &[],
};

#[derive(Clone)]
pub struct Schedules {
    default_zone: Zone,
    kept: ReadCache<ChildId, Versioned>,
    current: ReadCache<ChildId, Arc<Schedule>>,
}

impl Schedules {
    /// Creates the service. `default_zone` is the time zone of children whose guardians have not chosen one.
    pub fn new(store: &Store, default_zone: Zone) -> Self {
        Self {
            default_zone,
            kept: ReadCache::within(CACHE_BYTES, store),
            current: ReadCache::within(CACHE_BYTES, store),
        }
    }

    pub fn get(&self, access: &ChildAccess) -> Result<Versioned, StoreError> {
        self.kept.get(access.child(), |view| {
            Ok::<_, StoreError>(self.read(view, access)?.encode().into())
        })
    }

    pub fn current(&self, access: &ChildAccess) -> Result<Arc<Schedule>, StoreError> {
        self.current.get(access.child(), |view| {
            Ok::<_, StoreError>(Arc::new(self.read(view, access)?))
        })
    }

    /// The child's time zone, or the default if it is unreadable, because it only determines days.
    pub fn zone_of(&self, access: &ChildAccess) -> Result<Zone, StoreError> {
        let zone = readable(self.current(access))?.map(|times| times.time_zone.clone());
        Ok(zone.unwrap_or_else(|| self.default_zone.clone()))
    }

    /// The time zone of children whose guardians have not chosen one.
    pub fn default_zone(&self) -> &Zone {
        &self.default_zone
    }

    /// The child's times as of `view`.
    pub fn read(&self, view: &impl Read, access: &ChildAccess) -> Result<Schedule, StoreError> {
        let there = self.find(view, access)?;
        Ok(there.unwrap_or_else(|| Schedule::without_limits(self.default_zone.clone())))
    }

    /// The child's time zone, or the server's if it is unreadable.
    pub fn readable_zone(
        &self,
        view: &impl Read,
        access: &ChildAccess,
    ) -> Result<Zone, StoreError> {
        let zone = readable(self.read(view, access))?.map(|times| times.time_zone);
        Ok(zone.unwrap_or_else(|| self.default_zone.clone()))
    }

    /// The child's times, if a guardian has set them.
    pub fn find(
        &self,
        view: &impl Read,
        access: &ChildAccess,
    ) -> Result<Option<Schedule>, StoreError> {
        store::find(view, access.child())
    }

    /// Sets the time zone of a new child.
    pub fn choose_zone(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        time_zone: Zone,
    ) -> Result<(), StoreError> {
        let times = self.read(change, access)?;
        store::put(change, access.child(), &Schedule { time_zone, ..times })
    }

    /// Replaces the child's times, if `is_expected` accepts the current ones.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::Changed`] if they aren't the expected ones.
    pub fn replace(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        times: &Schedule,
        is_expected: impl FnOnce(&Version) -> bool,
    ) -> Result<Versioned, ScheduleError> {
        access.confirm(change)?;
        let there = Versioned::from(self.read(change, access)?.encode());
        if !is_expected(&there.version) {
            return Err(ScheduleError::Changed);
        }
        store::put(change, access.child(), times)?;
        Ok(times.encode().into())
    }
}
