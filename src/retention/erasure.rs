//! Erasing a deleted session permanently: first, one change removes all references to it and stores the hash of its name; then
//! its messages are erased, in changes of bounded size that continue after a restart; then a compaction removes them from the
//! files.

use super::deletions::{DeletionCause, Reason};
use super::store::{DeletedBy, RESTORABLE_FOR};
use super::{Retention, RetentionError, store};
use crate::children::{self, AssistantAccess, ChildAccess, ChildId, ChildrenError, SessionId};
use crate::conversations::transcripts::SessionName;
use crate::identity::SteppedUp;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Purpose, Read, StoreError, readable};

impl Retention {
    /// Erases a deleted session permanently, if the guardian is the child's only one, and requests a
    /// [compaction](Self::wait_for_request) to remove it from the files. Fails with [`RetentionError::NotAlone`], or if it isn't
    /// one of this child's deleted sessions.
    pub async fn erase(
        &self,
        access: ChildAccess,
        by: SteppedUp,
        session: SessionId,
    ) -> Result<(), RetentionError> {
        let (retention, by) = (self.clone(), by.guardian().clone());
        let begun = self.store.commit_for(Purpose::Essential, move |change| {
            let hidden = retention.hidden(change, &access, session)?;
            let children = &retention.dependencies.children;
            if !children.is_only_guardian(change, &access, &by)? {
                return Err(RetentionError::NotAlone);
            }
            let asked = DeletionCause {
                reason: Reason::Guardian,
                by: Some(by.clone()),
                at: retention.clock.now(),
            };
            retention.record_deletion(change, &access, session, asked)?;
            retention.begin_erasure(change, &access, hidden.since, session)?;
            let what = super::ChildChange::SessionDeletedPermanently;
            Ok(retention.record(change, &access, what, by)?)
        });
        begun.await?;
        let finished = self.finish_erasures().await;
        self.requested.notify_one();
        match finished {
            // The references to it are gone; its messages are erased once there is space.
            Err(StoreError::Full) => Ok(()),
            other => Ok(other?),
        }
    }

    /// Waits until somebody erases a session with [`erase`](Self::erase): the next compaction must not be delayed then.
    pub async fn wait_for_request(&self) {
        self.requested.notified().await;
    }

    /// Removes all references to a session, and records until when messages under its name are erased.
    fn begin_erasure(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        since: Timestamp,
        session: SessionId,
    ) -> Result<(), StoreError> {
        let detached = self
            .dependencies
            .transcripts
            .detach(change, access, session)?;
        store::remove_deleted(change, access.child(), since, session)?;
        let erased = match (&detached.known_as, &detached.formerly_known_as) {
            (Some(name), _) => {
                // A message may be dated slightly ahead of the server's clock.
                let now = self.clock.now();
                Some((
                    name,
                    detached.last_said_at.map_or(now, |last| last.max(now)),
                ))
            }
            // Messages after the session lost its name belong to another session, which the child it was opened for still has.
            (None, Some(name)) if self.has_their_say(change, access, detached.opened_for)? => {
                detached.last_said_at.map(|last| (name, last))
            }
            (None, _) => None,
        };
        if let Some(((assistant, name), until)) = erased {
            let hash = self.key.hash(detached.opened_for, assistant, name);
            store::put_name(change, &hash, until)?;
        }
        store::put_erasing(change, session, detached.opened_for)
    }

    /// Whether all guardians of `opened_for` are also guardians of the session's child, so that erasing the session takes nothing
    /// from other guardians.
    fn has_their_say(
        &self,
        change: &Change,
        access: &ChildAccess,
        opened_for: ChildId,
    ) -> Result<bool, StoreError> {
        let shares = children::shares_all_guardians(change, opened_for, access.child());
        Ok(readable(shares)?.unwrap_or(false))
    }

    /// Erases deleted sessions whose time has passed, continues erasures that an earlier run didn't finish, and drops old hashes.
    /// Returns the first error after trying everything.
    pub async fn erase_due(&self, due: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        for (child, since, session) in store::all_deleted(&self.store)? {
            // No session is erased sooner than seven days after its deletion, so the row needn't be read before.
            if !due.has_passed(since, RESTORABLE_FOR) {
                continue;
            }
            first = first.and(self.erase_if_due(child, since, session, due).await);
        }
        first = first.and(self.finish_erasures().await);
        first.and(self.drop_old_names(due).await)
    }

    async fn erase_if_due(
        &self,
        child: ChildId,
        since: Timestamp,
        session: SessionId,
        due: DueBy,
    ) -> Result<(), StoreError> {
        let access = match self.dependencies.children.for_administrator(child) {
            Ok(access) => access,
            Err(ChildrenError::Store(error)) => return Err(error),
            // The whole child is being erased.
            Err(_) => return Ok(()),
        };
        let retention = self.clone();
        let begun = self.store.commit_for(Purpose::Essential, move |change| {
            // It may have been restored, or the guardians who must be shown it may have changed.
            let is_there = store::is_deleted(change, child, since, session)?;
            if is_there && due.is_due(retention.until(change, child, since, session)?) {
                let asked = retention.asked(change, child, since, session)?;
                retention.record_deletion(change, &access, session, asked)?;
                retention.begin_erasure(change, &access, since, session)?;
            }
            Ok::<_, StoreError>(())
        });
        begun.await
    }

    /// Who deleted this session.
    fn asked(
        &self,
        view: &impl Read,
        child: ChildId,
        since: Timestamp,
        session: SessionId,
    ) -> Result<DeletionCause, StoreError> {
        let record = readable(store::deleted(view, child, since, session))?.flatten();
        let (reason, by) = match record.map(|record| record.by) {
            Some(DeletedBy::Retention { .. }) => (Reason::Retention, None),
            Some(DeletedBy::Guardian(by)) => (Reason::Guardian, Some(by)),
            None => (Reason::Guardian, None),
        };
        Ok(DeletionCause {
            reason,
            by,
            at: since,
        })
    }

    /// Erases the remaining data of sessions that nothing refers to any more.
    async fn finish_erasures(&self) -> Result<(), StoreError> {
        let mut first = Ok(());
        for (session, opened_for) in store::all_erasing(&self.store)? {
            first = first.and(self.finish_erasure(session, opened_for).await);
        }
        first
    }

    async fn finish_erasure(
        &self,
        session: SessionId,
        opened_for: ChildId,
    ) -> Result<(), StoreError> {
        loop {
            let retention = self.clone();
            let step = self.store.commit_for(Purpose::Essential, move |change| {
                retention.erase_some_of_session(change, session, opened_for)
            });
            if !step.await? {
                return Ok(());
            }
        }
    }

    fn erase_some_of_session(
        &self,
        change: &mut Change,
        session: SessionId,
        opened_for: ChildId,
    ) -> Result<bool, StoreError> {
        for feature in self.of_session() {
            if (feature.erase_batch)(change, opened_for, session)? {
                return Ok(true);
            }
        }
        store::remove_erasing(change, session, opened_for)?;
        change.require_compaction()?;
        Ok(false)
    }

    async fn drop_old_names(&self, due: DueBy) -> Result<(), StoreError> {
        while store::has_old_names(&self.store, due)? {
            let dropped = self.store.commit_for(Purpose::Essential, move |change| {
                store::drop_old_names(change, due)
            });
            dropped.await?;
        }
        Ok(())
    }

    /// If a session of this name was erased: messages under the name said until this time are erased, too.
    pub fn erased_before(
        &self,
        view: &impl Read,
        access: &AssistantAccess,
        name: &SessionName,
    ) -> Result<Option<Timestamp>, StoreError> {
        let (child, assistant) = (access.child().child(), access.assistant());
        let hash = self.key.hash(child, assistant, name.as_str());
        store::erased_until(view, &hash)
    }
}
