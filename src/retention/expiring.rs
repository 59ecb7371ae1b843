//! Deleting sessions that are older than a child's sessions are kept.
//!
//! The age counts from the latest of a session's newest message, its last arrival, the last time at which it was moved or
//! restored, and the last time at which a guardian stopped keeping it. Sessions that a guardian keeps don't expire, nor do
//! sessions whose age can't be read.

use std::collections::BTreeMap;
use std::time::Duration;

use super::store::keeps::{self, KeepRecord};
use super::store::{self, DeletedBy};
use super::{Retention, RetentionError};
use crate::children::Period;
use crate::children::{ChildAccess, ChildId, ChildrenError, SessionId};
use crate::conversations::transcripts::{PlacedSession, SessionAge, TranscriptsError};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Cursor, Purpose, Read, StoreError, readable, run_blocking};

const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How many records one change ends.
const AT_ONCE: usize = 500;

/// How many sessions would be deleted if a child's sessions were kept for a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expiring {
    /// By now.
    pub now: u64,
    /// Within the next week, including those of `now`.
    pub within_a_week: u64,
}

impl Retention {
    /// For how long the child's sessions are kept; `None` is for ever.
    pub fn period(&self, view: &impl Read, child: ChildId) -> Result<Option<Period>, StoreError> {
        keeps::period(view, child)
    }

    /// Replaces the period, even an unreadable one. Fails if the child was removed.
    pub fn set_period(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        period: Option<Period>,
    ) -> Result<(), ChildrenError> {
        access.confirm(change)?;
        Ok(keeps::put_period(change, access.child(), period)?)
    }

    /// Reads all of the child's sessions: the order of their list doesn't tell when they last changed. An index by age would cost
    /// a write with each delivery, for a page that is rarely opened.
    fn count_expiring(
        &self,
        view: &impl Read,
        access: &ChildAccess,
    ) -> Result<BTreeMap<Period, Expiring>, StoreError> {
        let now = self.clock.now();
        let soon = now.after(WEEK);
        let mut counts = Period::ALL.map(|period| (period, Expiring::default()));
        let mut after = None;
        loop {
            let oldest = soon.before(Period::Days30.duration());
            let (ages, next) = self.unkept_until(view, access, oldest, after.as_ref())?;
            for age in ages {
                for (period, count) in &mut counts {
                    let gone_at = age.changed_at.after(period.duration());
                    count.now += u64::from(gone_at <= now);
                    count.within_a_week += u64::from(gone_at <= soon);
                }
            }
            match next {
                Some(next) => after = Some(next),
                None => return Ok(counts.into_iter().collect()),
            }
        }
    }

    /// Counts what would be deleted with each period, in a separate thread.
    pub async fn read_expiring(
        &self,
        access: ChildAccess,
    ) -> Result<BTreeMap<Period, Expiring>, StoreError> {
        let retention = self.clone();
        run_blocking(move || retention.count_expiring(&retention.store, &access)).await
    }

    /// A batch of sessions that nobody keeps and whose age counts from `until` or before, and the cursor of the next batch.
    fn unkept_until(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        until: Timestamp,
        after: Option<&Cursor>,
    ) -> Result<(Vec<SessionAge>, Option<Cursor>), StoreError> {
        let transcripts = &self.dependencies.transcripts;
        let (ages, next) = transcripts.changed_until(view, access, until, after)?;
        let mut found = Vec::new();
        for mut age in ages {
            let Some(keep) = readable(keeps::record(view, access.child(), age.session))? else {
                continue;
            };
            age.changed_at = age.changed_at.max(keep.since.unwrap_or(age.changed_at));
            if !keep.is_kept() && age.changed_at <= until {
                found.push(age);
            }
        }
        Ok((found, next))
    }

    /// Moves sessions that are too old to 'Recently deleted', each in a change of its own. Returns the first error after trying
    /// everything.
    pub async fn expire(&self, due: DueBy) -> Result<(), StoreError> {
        let mut first = self.end_left_keeps().await;
        for child in keeps::children_with_period(&self.store)? {
            first = first.and(self.expire_sessions_of(child, due).await);
        }
        first
    }

    /// The ages of sessions that a former guardian kept count from now. A trigger, which runs when access is lost, has no clock.
    async fn end_left_keeps(&self) -> Result<(), StoreError> {
        for some in keeps::left(&self.store)?.chunks(AT_ONCE) {
            let (some, now) = (some.to_vec(), self.clock.now());
            let ended = self.store.commit_for(Purpose::Essential, move |change| {
                for (child, session) in some {
                    let mut keep = keeps::record(change, child, session)?;
                    if std::mem::take(&mut keep.was_left) {
                        keep.count_from(now);
                        keeps::put_record(change, child, session, &keep)?;
                    }
                }
                Ok::<_, StoreError>(())
            });
            ended.await?;
        }
        Ok(())
    }

    async fn expire_sessions_of(&self, child: ChildId, due: DueBy) -> Result<(), StoreError> {
        let Some(period) = readable(keeps::period(&self.store, child))?.flatten() else {
            return Ok(());
        };
        let access = match self.dependencies.children.for_administrator(child) {
            Ok(access) => access,
            Err(ChildrenError::Store(error)) => return Err(error),
            // The whole child is being erased.
            Err(_) => return Ok(()),
        };
        let until = self.clock.now().before(period.duration());
        let transcripts = &self.dependencies.transcripts;
        let (mut first, mut after) = (Ok(()), None);
        loop {
            let (ages, next) =
                transcripts.changed_until(&self.store, &access, until, after.as_ref())?;
            for age in ages {
                // Read before writing, because sessions that are kept stay in this list.
                let keep = readable(keeps::record(&self.store, child, age.session))?;
                if keep.is_some_and(|keep| may_be_due(&keep, period, due)) {
                    first = first.and(self.expire_session(&access, age.session, due).await);
                }
            }
            match next {
                Some(next) => after = Some(next),
                None => return first,
            }
        }
    }

    /// Deletes a session if it is too old; everything is read again in the change.
    async fn expire_session(
        &self,
        access: &ChildAccess,
        session: SessionId,
        due: DueBy,
    ) -> Result<(), StoreError> {
        let (retention, access) = (self.clone(), access.clone());
        let expired = self.store.commit_for(Purpose::Essential, move |change| {
            retention.expire_if_due(change, &access, session, due)
        });
        match expired.await {
            // It was erased or moved meanwhile, or the child is being erased.
            Err(
                RetentionError::Children(ChildrenError::NoSuchChild(_))
                | RetentionError::Transcripts(
                    TranscriptsError::NoSuchSession
                    | TranscriptsError::Children(ChildrenError::NoSuchChild(_)),
                ),
            ) => Ok(()),
            Err(
                RetentionError::Store(error)
                | RetentionError::Transcripts(TranscriptsError::Store(error)),
            ) => readable(Err(error)).map(|_: Option<()>| ()),
            Err(error) => {
                tracing::warn!(%error, "a session that is too old could not be deleted");
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn expire_if_due(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        due: DueBy,
    ) -> Result<(), RetentionError> {
        let child = access.child();
        let Some(period) = keeps::period(change, child)? else {
            return Ok(());
        };
        let transcripts = &self.dependencies.transcripts;
        let Some(changed_at) = transcripts.changed_at(change, access, session)? else {
            return Ok(());
        };
        let keep = keeps::record(change, child, session)?;
        let is_due = due.has_passed(changed_at, period.duration());
        if !is_due || !may_be_due(&keep, period, due) {
            return Ok(());
        }
        let by = DeletedBy::Retention {
            older_than_days: period,
        };
        self.hide(change, access, session, by)
    }

    /// Notes that something has arrived for a session, `has_words` if it was said. If it was deleted for its age, it is listed
    /// again, and returned. If a guardian deleted it, words make it new to every guardian.
    pub fn record_arrival(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        has_words: bool,
    ) -> Result<Option<PlacedSession>, RetentionError> {
        let transcripts = &self.dependencies.transcripts;
        let Some(hidden) = transcripts.find_hidden(change, access, session)? else {
            return Ok(None);
        };
        let (child, since) = (access.child(), hidden.since);
        let record = readable(store::deleted(change, child, since, session))?.flatten();
        let Some(mut record) = record else {
            return Ok(None);
        };
        if matches!(record.by, DeletedBy::Retention { .. }) {
            let shown = self.unhide(change, access, since, session, &record.taken_out)?;
            return Ok(Some(shown));
        }
        if has_words {
            record.note_words(self.clock.now());
            store::put_deleted(change, child, &record)?;
        }
        Ok(None)
    }
}

fn may_be_due(keep: &KeepRecord, period: Period, due: DueBy) -> bool {
    let is_old = |since| due.has_passed(since, period.duration());
    !keep.is_kept() && keep.since.is_none_or(is_old)
}
