//! Background maintenance: applies what is due, finishes deletions, and compacts the store so that no file
//! still holds deleted data.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{App, FEATURES};
use crate::children::{ChildAccess, ChildrenError};
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Purpose, ReadError, RequiredCompaction, Store, StoreError};
use crate::retention::deletions::{Reason, Unsearched};

/// The minimum interval between the server's own compactions: each copies the whole store.
const BETWEEN_COMPACTIONS: Duration = Duration::from_secs(60 * 60);

/// The local hour of the nightly tasks.
const NIGHT: u8 = 3;

/// Longer than the hour at night, so that its tasks run once.
const BETWEEN_NIGHTS: Duration = Duration::from_secs(2 * 60 * 60);

/// The maximum interval between two nights' tasks, if the machine doesn't run at night.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What maintenance has done and has yet to do in this run.
#[derive(Default)]
pub struct State {
    compactions: Mutex<Compactions>,
    /// The uptime when old sessions were last deleted.
    expired: Mutex<Option<Duration>>,
    /// Children whose erasure was not finished.
    unfinished: Mutex<Vec<ChildAccess>>,
    /// Held while maintenance runs.
    running: tokio::sync::Mutex<()>,
}

/// The server's own compactions since its start.
#[derive(Clone, Copy, Default)]
struct Compactions {
    /// The uptime when the last one began.
    began: Option<Duration>,
    /// Whether the data left by an earlier run was checked.
    checked: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Brings the store's records to today's form, bit by bit.
pub(super) fn backfill(store: &Store) -> Result<(), StoreError> {
    for feature in FEATURES {
        store.backfill(feature.backfills, |name, rows| {
            if rows > 0 {
                tracing::info!(
                    name,
                    rows,
                    "the store's records are brought to today's form"
                );
            }
        })?;
    }
    Ok(())
}

impl App {
    /// Erases the children whose erasure an earlier run didn't finish.
    pub(super) async fn erase_left_over(&self) -> Result<(), StoreError> {
        for left_over in self.children.unfinished()? {
            match self.erase(left_over).await {
                // It is already invisible; it is erased once there is disk space.
                Err(StoreError::Full) => {}
                // One child's unreadable data must not prevent the start.
                Err(error) if error.damage().is_some() => {
                    tracing::error!(
                        cause = error.damage(),
                        "a removed child could not be erased; it is tried again"
                    );
                }
                other => other?,
            }
        }
        Ok(())
    }

    /// Erases all data of a child that nobody sees any more, in steps, so that other changes can run in
    /// between.
    ///
    /// # Errors
    ///
    /// If the store fails. The rest is erased by the next [maintenance](Self::maintain).
    pub async fn erase(&self, access: ChildAccess) -> Result<(), StoreError> {
        let erased = self.erase_in_steps(&access).await;
        if erased.is_err() {
            lock(&self.maintenance.unfinished).push(access);
        }
        erased
    }

    async fn erase_in_steps(&self, access: &ChildAccess) -> Result<(), StoreError> {
        loop {
            let (app, child) = (self.clone(), access.clone());
            let step = self.store.commit_for(Purpose::Essential, move |change| {
                let mut left = app.erase_some_from_another(change, &child)?;
                for feature in FEATURES {
                    left = left || (feature.erase_batch)(change, &child)?;
                }
                if !left {
                    app.children.erased(change, &child)?;
                    change.require_compaction()?;
                }
                Ok::<_, StoreError>(left)
            });
            if !step.await? {
                return Ok(());
            }
        }
    }

    /// Erases a batch of what is stored under another child about a session that was moved to this one. Returns whether there was
    /// any.
    fn erase_some_from_another(
        &self,
        change: &mut Change,
        access: &ChildAccess,
    ) -> Result<bool, StoreError> {
        let Some((session, other)) = self.transcripts.next_from_another(change, access)? else {
            return Ok(false);
        };
        for feature in FEATURES {
            if let Some(of_session) = &feature.of_session
                && (of_session.erase_batch)(change, other, session)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Carries out what is due by date, finishes interrupted deletions, and compacts the store at once if its files still
    /// contain erased data. `progress` is called with the number of copied records. Concurrent calls run in turn.
    ///
    /// # Errors
    ///
    /// The first error, after everything was tried; [`StoreError::Full`] if there is too little disk space. Another call tries
    /// again.
    pub async fn run_maintenance(
        &self,
        progress: impl Fn(u64) + Clone + Send + 'static,
    ) -> Result<(), StoreError> {
        let _alone = self.maintenance.running.lock().await;
        let done = self.do_what_is_due().await;
        let done = done.and(self.delete_old_sessions().await);
        let sealed = self.retention.seal_deletions().await;
        self.store.compact_until_erased(progress).await?;
        let checked = self.retention.check_deletions(Unsearched::Again).await;
        done.and(sealed).and(checked)
    }

    /// [`App::run_maintenance`] as the server runs it by itself: it compacts the store for deleted data at most once an
    /// hour, and for renamed data at night.
    pub async fn maintain(&self) -> Result<(), StoreError> {
        let _alone = self.maintenance.running.lock().await;
        let mut done = self.do_what_is_due().await;
        if self.is_time_for_old_sessions() {
            done = done.and(self.delete_old_sessions().await);
        }
        let sealed = self.retention.seal_deletions().await;
        let unsearched = if self.is_night() || !lock(&self.maintenance.compactions).checked {
            Unsearched::Again
        } else {
            Unsearched::Later
        };
        let compacted = self.compact_in_time().await;
        let checked = self.retention.check_deletions(unsearched).await;
        done.and(sealed).and(compacted).and(checked)
    }

    async fn compact_in_time(&self) -> Result<(), StoreError> {
        let required = self.store.required_compaction()?;
        let compactions = *lock(&self.maintenance.compactions);
        if !self.is_time_for(required, compactions) {
            lock(&self.maintenance.compactions).checked = true;
            return Ok(());
        }
        let began = Some(self.clock.uptime());
        let compacted = self.store.compact(|_| {}).await;
        // If there was no disk space, nothing was copied.
        if !matches!(compacted, Err(StoreError::Full)) {
            *lock(&self.maintenance.compactions) = Compactions {
                began,
                checked: true,
            };
        }
        compacted
    }

    fn is_time_for(&self, required: RequiredCompaction, compactions: Compactions) -> bool {
        let uptime = self.clock.uptime();
        let is_apart = compactions
            .began
            .is_none_or(|began| uptime.saturating_sub(began) >= BETWEEN_COMPACTIONS);
        let at_night = required.at_night && (self.is_night() || !compactions.checked);
        is_apart && (required.soon || at_night)
    }

    fn is_night(&self) -> bool {
        let time_zone = &self.identity.environment.time_zone;
        time_zone.hour_of(self.clock.now()) == NIGHT
    }

    /// It is time at night, and soon after each start, because some machines are off at night.
    fn is_time_for_old_sessions(&self) -> bool {
        let uptime = self.clock.uptime();
        let last = *lock(&self.maintenance.expired);
        let Some(ago) = last.map(|last| uptime.saturating_sub(last)) else {
            return true;
        };
        ago >= BETWEEN_NIGHTS && self.is_night() || ago >= DAY
    }

    /// Deletes sessions that exceed their child's retention period. Does nothing while the clock isn't trusted.
    async fn delete_old_sessions(&self) -> Result<(), StoreError> {
        if self.due.waits().is_some() {
            return Ok(());
        }
        let done = self.retention.expire(self.due.due()).await;
        *lock(&self.maintenance.expired) = Some(self.clock.uptime());
        done
    }

    /// Runs all tasks, even if some fail. Returns the first error.
    async fn do_what_is_due(&self) -> Result<(), StoreError> {
        let due = self.due.due();
        let mut first = Ok(());
        for done in [
            self.household.invitations.complete_due(due).await,
            self.household.requests.shorten_due(due).await,
            self.identity.address_changes.complete_due(due).await,
            self.identity.links.forget_strangers().await,
            self.notifications.queue_weekly().await,
            self.delete_due_children(due).await,
            self.retention.erase_due(due).await,
            self.alerts.remove_old().await,
            self.access_log.remove_old(due).await,
            self.tries.remove_old(due).await,
            self.retention.remove_old_deletions(due).await,
            self.drop_former_names(due).await,
            self.rules.apply_calendar(due).await,
            self.finish_erasures().await,
            self.due.persist().await,
        ] {
            if let (Ok(()), Err(error)) = (&first, done) {
                first = Err(error);
            }
        }
        first
    }

    async fn finish_erasures(&self) -> Result<(), StoreError> {
        let unfinished = std::mem::take(&mut *lock(&self.maintenance.unfinished));
        let mut first = Ok(());
        for access in unfinished {
            // A failed erasure is queued again.
            first = first.and(self.erase(access).await);
        }
        first
    }

    async fn delete_due_children(&self, due: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        for child in self.household.requests.due_deletions(due)? {
            let app = self.clone();
            let taken = self.store.commit_for(Purpose::Essential, move |change| {
                let guardians = app.children.guardians_of(change, child)?;
                let taken = app.household.requests.remove_if_due(change, child, due)?;
                if let Some(access) = &taken {
                    let reason = Reason::Guardian;
                    app.retention
                        .record_child_deletion(change, access, reason, guardians)?;
                }
                Ok::<_, ChildrenError>(taken)
            });
            let done = match taken.await {
                Ok(Some(access)) => self.erase(access).await,
                Ok(None) => Ok(()),
                Err(ChildrenError::Store(error)) => Err(error),
                Err(error) => {
                    tracing::warn!(%error, "a child could not be deleted");
                    Ok(())
                }
            };
            first = first.and(done);
        }
        first
    }

    async fn drop_former_names(&self, due: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        for child in self.children.with_old_names(due)? {
            let children = self.children.clone();
            let dropped = self.store.commit_for(Purpose::Essential, move |change| {
                children.drop_old_names(change, child, due)
            });
            first = first.and(dropped.await);
        }
        first
    }

    /// Waits until something was erased that shouldn't wait for the next maintenance.
    pub async fn wait_for_erasure(&self) {
        tokio::select! {
            () = self.retention.wait_for_request() => {}
            () = self.household.requests.wait_until_due() => {}
        }
    }
}
