//! Who looked: on which days a guardian read what a child said, searched it, or took a copy.
//!
//! A guardian sees the days of their own reading. Of everybody else they see on how many days of a week it was, and the day of each
//! copy, and never more: between separated parents a finer log is a weapon. A day of somebody else's reading therefore counts once
//! it is over, and no event tells of it. Days are those of the server's time zone: a guardian who changes the child's to and fro would
//! end a day at will.
//!
//! Which responses count, each handler says beside its other work ([`accessed`](crate::children::accessed)). The server notes each
//! response in one place, in memory; what is new is written soon after, so that no read waits for a write. A token that the
//! administrator made counts as the administrator's reading.

pub mod api;
mod file;
mod pending;
mod report;
mod store;

use std::sync::Arc;
use std::time::Duration;

use crate::children::accessed::{Accessed, Shown};
use crate::children::feature::Feature;
use crate::children::{ChildAccess, ChildId, Children, ChildrenError};
use crate::identity::{Caller, GuardianId, Guardians, SignedIn};
use crate::kernel::host::clock::Clock;
use crate::kernel::host::throttle::Throttle;
use crate::kernel::host::zones::{Day, Zone};
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Purpose, Store, StoreError};

pub use report::{Other, OwnDay, Reader, Report};
pub use store::{Marks, Who};

use pending::Pending;
use store::AccessDay;

/// How long a day is kept.
const DAYS: u16 = 400;

const KEPT: Duration = Duration::from_secs(DAYS as u64 * 24 * 60 * 60);

/// How often days that are no longer kept are looked for.
const SWEPT_EVERY: Duration = Duration::from_secs(60 * 60);

/// The number of days that one change writes.
const WRITTEN_AT_ONCE: usize = 500;

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    // An event would tell others the moment of a read.
    shown: &[],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[file::FIELD],
    session_fields: &[],
};

#[derive(Clone)]
pub struct AccessLog {
    store: Store,
    clock: Clock,
    children: Children,
    /// The server's.
    zone: Zone,
    pending: Arc<Pending>,
    /// Of looking for old days.
    sweeps: Throttle,
}

impl AccessLog {
    pub fn new(store: Store, clock: Clock, children: Children, zone: Zone) -> Self {
        Self {
            store,
            clock,
            children,
            zone,
            pending: Arc::default(),
            sweeps: Throttle::default(),
        }
    }

    /// Notes a successful response to a guardian, in memory. Never fails: a response doesn't depend on it.
    pub fn record(&self, by: &SignedIn, is_read: bool, accessed: &Accessed) {
        let marks = match accessed.shown {
            Some(Shown::Copy) => Marks::COPIED,
            Some(Shown::Found) => Marks::SEARCHED,
            Some(Shown::Beginning { .. }) | None if is_read => Marks::READ,
            _ => return,
        };
        for access in &accessed.children {
            let place = self.today(access.child(), Who::of(by));
            if let Some(Shown::Beginning { session, is_newest }) = accessed.shown
                && self.pending.is_glance(&place, session, is_newest)
            {
                continue;
            }
            self.pending.record(place, marks);
        }
    }

    /// Notes what the administrator did with these children's data, and writes it. A failure is only logged.
    pub async fn record_administrator(&self, children: &[ChildId], marks: Marks) {
        for child in children {
            self.pending
                .record(self.today(*child, Who::CommandLine), marks);
        }
        if let Err(error) = self.flush().await {
            tracing::debug!(%error, "what the administrator did could not be written");
        }
    }

    fn today(&self, child: ChildId, who: Who) -> AccessDay {
        let day = self.zone.day_of(self.clock.now());
        AccessDay { child, who, day }
    }

    /// Writes what was noted since the last time. What can't be written stays noted.
    pub async fn flush(&self) -> Result<(), StoreError> {
        let all = self.pending.unwritten();
        for batch in all.chunks(WRITTEN_AT_ONCE) {
            let (written, children) = (batch.to_vec(), self.children.clone());
            let done = self.store.commit(move |change| {
                for (place, marks) in written {
                    // Nothing may be written about a removed child.
                    if children.exists(change, place.child)? {
                        store::add(change, &place, marks)?;
                    }
                }
                Ok::<_, StoreError>(())
            });
            done.await?;
            self.pending.record_written(batch);
        }
        Ok(())
    }

    /// Returns what the guardian sees, and the number of unreadable days.
    pub fn report(
        &self,
        access: &ChildAccess,
        reader: &GuardianId,
        names: &Guardians,
    ) -> Result<(Report, u64), ChildrenError> {
        let (mut rows, unreadable) = store::rows(&self.store, access.child())?;
        for (place, marks) in self.pending.of_child(access.child()) {
            store::add_row(&mut rows, place, marks);
        }
        let mut guardians = Vec::new();
        for caller in self.children.callers_of(&self.store, access.child())? {
            if let Caller::Guardian(id) = caller
                && id != *reader
            {
                let name = names.name_of(&self.store, &id)?;
                guardians.push((id, name));
            }
        }
        let today = self.zone.day_of(self.clock.now());
        rows.retain(|(place, _)| today.before(DAYS) < place.day && place.day <= today);
        Ok((report::report(&rows, reader, guardians, today), unreadable))
    }

    /// Removes days that are no longer kept.
    pub async fn remove_old(&self, due: DueBy) -> Result<(), StoreError> {
        if !self.sweeps.is_due(&self.clock, SWEPT_EVERY) {
            return Ok(());
        }
        let is_old = move |day: Day| due.has_passed(Zone::UTC.start_of(day.next()), KEPT);
        for child in self.children.all_numbers(&self.store)? {
            if store::old_keys(&self.store, child, is_old)?.is_empty() {
                continue;
            }
            let removed = self.store.commit_for(Purpose::Essential, move |change| {
                for key in store::old_keys(change, child, is_old)? {
                    change.remove(&key)?;
                }
                Ok::<_, StoreError>(())
            });
            removed.await?;
        }
        Ok(())
    }
}
