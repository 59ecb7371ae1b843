//! Erasing for good: out of everything that leads to a session in one change, with the hash of its name; then its words, in
//! changes of a bounded size that go on after a restart; then a compaction, so that no file holds them.

use super::store::KEPT;
use super::{Keeping, KeepingError, store};
use crate::children::{self, AssistantAccess, ChildAccess, ChildId, ChildrenError, SessionId};
use crate::identity::SteppedUp;
use crate::kernel::clock::Timestamp;
use crate::kernel::due::DueBy;
use crate::kernel::store::{Change, Purpose, Read, StoreError};
use crate::transcripts::SessionName;

impl Keeping {
    /// Erases a session in 'Recently erased' for good, if the guardian has the child alone. What is left in the files goes at the
    /// next [compaction](Self::wait_for_request), which this asks for.
    ///
    /// # Errors
    ///
    /// [`KeepingError::NotAlone`], when it isn't in 'Recently erased' of this child, or the store's.
    pub async fn erase_now(
        &self,
        access: ChildAccess,
        by: SteppedUp,
        session: SessionId,
    ) -> Result<(), KeepingError> {
        let (keeping, by) = (self.clone(), by.guardian().clone());
        let begun = self.store.commit_for(Purpose::Essential, move |change| {
            let hidden = keeping.hidden(change, &access, session)?;
            let children = &keeping.joined.children;
            if !children.has_alone(change, &access, &by)? {
                return Err(KeepingError::NotAlone);
            }
            keeping.begin_erasure(change, &access, hidden.since, session)?;
            let what = super::ChildChange::SessionErasedNow;
            Ok(keeping.note(change, &access, what, by)?)
        });
        begun.await??;
        let finished = self.finish_erasures().await;
        self.requested.notify_one();
        match finished {
            // Nothing leads to it any more, and the rest goes when there is room.
            Err(StoreError::Full) => Ok(()),
            other => Ok(other?),
        }
    }

    /// Waits until somebody erased a session now: then a compaction shall not wait.
    pub async fn wait_for_request(&self) {
        self.requested.notified().await;
    }

    /// Takes a session out of everything that leads to it, and notes that what was said under its name is erased.
    fn begin_erasure(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        since: Timestamp,
        session: SessionId,
    ) -> Result<(), StoreError> {
        let detached = self.joined.transcripts.detach(change, access, session)?;
        store::remove_erased(change, access.child(), since, session)?;
        let erased = match (&detached.known_as, &detached.formerly_known_as) {
            (Some(name), _) => {
                // A word may be dated a little ahead of our clock.
                let now = self.clock.now();
                Some((
                    name,
                    detached.last_said_at.map_or(now, |last| last.max(now)),
                ))
            }
            // What was said since it lost its name is another session's, which the child that it was opened for still has.
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

    /// Whether all guardians of `opened_for` have the session's child too, so that erasing it takes nothing from another's sight.
    fn has_their_say(
        &self,
        change: &Change,
        access: &ChildAccess,
        opened_for: ChildId,
    ) -> Result<bool, StoreError> {
        match children::shares_all_guardians(change, opened_for, access.child()) {
            Err(StoreError::Unreadable(_)) => Ok(false),
            answer => answer,
        }
    }

    /// Erases what has been in 'Recently erased' for its time, goes on with what an earlier run left, and drops hashes that are
    /// old enough.
    ///
    /// # Errors
    ///
    /// The first error of the store's, after everything was tried.
    pub async fn erase_due(&self, due: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        for (child, since, session) in store::all_erased(&self.store)? {
            // A session that goes sooner than seven days after it was erased there is none: nothing else is read.
            if !due.has_passed(since, KEPT) {
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
        let access = match self.joined.children.for_administrator(child) {
            Ok(access) => access,
            Err(ChildrenError::Store(error)) => return Err(error),
            // It is being erased whole.
            Err(_) => return Ok(()),
        };
        let keeping = self.clone();
        let begun = self.store.commit_for(Purpose::Essential, move |change| {
            // It may have been brought back, and who is to be shown it may have changed.
            let is_there = store::is_erased(change, child, since, session)?;
            if is_there && due.has_come(keeping.until(change, child, since, session)?) {
                keeping.begin_erasure(change, &access, since, session)?;
            }
            Ok::<_, StoreError>(())
        });
        begun.await?
    }

    /// Erases what is left of the sessions that nothing leads to any more.
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
        let access = match self.joined.children.for_administrator(opened_for) {
            Ok(access) => Some(access),
            Err(ChildrenError::Store(error)) => return Err(error),
            // Its receipts are erased with the child.
            Err(_) => None,
        };
        loop {
            let (keeping, access) = (self.clone(), access.clone());
            let step = self.store.commit_for(Purpose::Essential, move |change| {
                keeping.erase_some_of_session(change, access.as_ref(), session, opened_for)
            });
            if !step.await?? {
                return Ok(());
            }
        }
    }

    fn erase_some_of_session(
        &self,
        change: &mut Change,
        access: Option<&ChildAccess>,
        session: SessionId,
        opened_for: ChildId,
    ) -> Result<bool, StoreError> {
        if self.joined.transcripts.erase_messages(change, session)? {
            return Ok(true);
        }
        if let Some(access) = access
            && self.joined.rules.erase_receipts(change, access, session)?
        {
            return Ok(true);
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
            dropped.await??;
        }
        Ok(())
    }

    /// Until when what an assistant said under this name is erased, if a session of that name was.
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
