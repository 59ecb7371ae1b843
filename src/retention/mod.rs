//! Moving, deleting and restoring sessions.
//!
//! A guardian can move a session to another child with exactly the same guardians. It keeps its number, and what is delivered
//! later under its old name follows it. Its rule receipts stay behind.
//!
//! A deleted session is hidden everywhere except in the list of deleted sessions, where each guardian of the child can restore it
//! for seven days. If there are other guardians, the seven days count from when each of them was shown it there, up to 90 days in
//! all. Then it is erased permanently; the child's only guardian can do so at once. The hash of its name is kept for 400 days, so
//! that an assistant that delivers late restores nothing of it.
//!
//! A guardian can also download a copy of a child's data ([`copy`]).

pub mod api;
mod consequences;
pub mod copy;
mod deleted;
mod download;
mod erasure;
mod names;
mod store;
mod tallies;

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::Notify;

use crate::activities::{Activities, ActivitiesError, Completion};
use crate::blocked_topics::BlockedTopics;
use crate::children::feature::{Feature, Shown};
use crate::children::history::{Changed as ChildChange, Entry, History};
use crate::children::{ChildAccess, ChildId, Children, ChildrenError, SessionId};
use crate::context::Contexts;
use crate::identity::{Assistants, ConcurrencyLimit, GuardianId, Guardians};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::due::DueClock;
use crate::kernel::problem::Refusal;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{Change, NotACursor, Purpose, Read, Store, StoreError};
use crate::rules::Rules;
use crate::summary::{Summaries, SummaryError};
use crate::times::TimesOfChildren;
use crate::transcripts::{HiddenSession, PlacedSession, Transcripts, TranscriptsError};

pub use deleted::{DeletedPage, DeletedSession};
pub use download::{Copy, CopyError};

use names::NameKey;
use store::{DeletedRecord, KEPT, KEPT_UNSEEN};

/// How many downloads each guardian may have in progress.
const COPIES_AT_A_TIME: usize = 1;

#[derive(Debug, thiserror::Error)]
pub enum RetentionError {
    /// The children don't have exactly the same guardians.
    #[error(
        "A conversation can only be moved between children who have exactly the same guardians."
    )]
    OtherGuardians,
    /// Another guardian may want to restore the session.
    #[error(
        "This child has another guardian, who can restore it. Seven days after they have seen it here, it is deleted permanently."
    )]
    NotAlone,
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    #[error(transparent)]
    Activities(#[from] ActivitiesError),
    #[error(transparent)]
    Summary(#[from] SummaryError),
    /// The child was removed.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The page marker wasn't made by this server.
    #[error(transparent)]
    Cursor(#[from] NotACursor),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<RetentionError> for Refusal {
    fn from(error: RetentionError) -> Self {
        match error {
            error @ RetentionError::OtherGuardians => {
                Self::against_a_rule(error.to_string()).at("/child_id")
            }
            error @ RetentionError::NotAlone => Self::conflict(error.to_string()),
            RetentionError::Transcripts(error) => error.into(),
            RetentionError::Activities(error) => error.into(),
            RetentionError::Summary(error) => error.into(),
            RetentionError::Children(error) => error.into(),
            RetentionError::Cursor(error) => Self::malformed(error.to_string()),
            RetentionError::Store(error) => error.into(),
        }
    }
}

/// The features that this one uses.
#[derive(Clone)]
pub struct Dependencies {
    pub transcripts: Transcripts,
    pub activities: Activities,
    pub summaries: Summaries,
    pub blocked_topics: BlockedTopics,
    pub contexts: Contexts,
    pub times: TimesOfChildren,
    pub rules: Rules,
    pub children: Children,
    pub history: History,
    pub guardians: Guardians,
    pub assistants: Assistants,
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    consequences: &consequences::CONSEQUENCES,
    backfills: &[],
    shown: &[Shown::Part("deleted_sessions", || vec![store::DELETED])],
    erase_some: |change, access| store::erase_some(change, access.child()),
};

#[derive(Clone)]
pub struct Retention {
    store: Store,
    clock: Clock,
    due: DueClock,
    dependencies: Dependencies,
    key: NameKey,
    /// Notified when a session is erased with [`erase`](Retention::erase).
    requested: Arc<Notify>,
    concurrency: ConcurrencyLimit<GuardianId>,
}

impl Retention {
    /// Loads the key for hashing names from the store, or generates it on the first start.
    pub async fn start(
        store: Store,
        clock: Clock,
        due: DueClock,
        randomness: &Randomness,
        dependencies: Dependencies,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            key: store::key(&store, randomness).await?,
            store,
            clock,
            due,
            dependencies,
            requested: Arc::default(),
            concurrency: ConcurrencyLimit::new(COPIES_AT_A_TIME),
        })
    }

    /// Moves a session to another child; moving it to its own child changes nothing. Fails with [`RetentionError::OtherGuardians`],
    /// or if the session isn't this child's.
    pub async fn move_session(
        &self,
        access: ChildAccess,
        to: ChildAccess,
        by: GuardianId,
        session: SessionId,
    ) -> Result<(), RetentionError> {
        let retention = self.clone();
        let moved = self.store.commit(move |change| {
            let Dependencies {
                children,
                transcripts,
                ..
            } = &retention.dependencies;
            if !children.have_same_guardians(change, &access, &to)? {
                return Err(RetentionError::OtherGuardians);
            }
            if access == to {
                return Ok(());
            }
            let receiving = children.receiving(change, &to)?;
            let activity = retention.take_out(change, &access, session)?;
            let placed = transcripts.give_to(change, &access, session, &receiving)?;
            retention.count_again(change, &to, &placed, activity)?;
            let (away, here) = (ChildChange::SessionMovedAway, ChildChange::SessionMovedHere);
            retention.note(change, &access, away, by.clone())?;
            Ok(retention.note(change, &to, here, by)?)
        });
        moved.await?
    }

    /// Deletes a session, so that it can still be restored. Idempotent. Fails if it isn't this child's.
    pub async fn delete(
        &self,
        access: ChildAccess,
        by: GuardianId,
        session: SessionId,
    ) -> Result<(), RetentionError> {
        let retention = self.clone();
        let deleted = self.store.commit_for(Purpose::Essential, move |change| {
            let transcripts = &retention.dependencies.transcripts;
            if transcripts.find_hidden(change, &access, session)?.is_some() {
                return Ok(());
            }
            let activity = retention.take_out(change, &access, session)?;
            let record = DeletedRecord {
                session_id: session,
                at: transcripts.hide(change, &access, session)?,
                by: by.clone(),
                shown: BTreeMap::new(),
                activity,
            };
            store::put_deleted(change, access.child(), &record)?;
            Ok(retention.note(change, &access, ChildChange::SessionDeleted, by)?)
        });
        deleted.await?
    }

    /// Restores a deleted session. Idempotent. Fails if it is no longer there, or isn't this child's.
    pub async fn undelete(
        &self,
        access: ChildAccess,
        by: GuardianId,
        session: SessionId,
    ) -> Result<(), RetentionError> {
        let retention = self.clone();
        let back = self.store.commit(move |change| {
            let transcripts = &retention.dependencies.transcripts;
            if transcripts.find_hidden(change, &access, session)?.is_none() {
                return Ok(());
            }
            let since = retention.hidden(change, &access, session)?.since;
            let child = access.child();
            let record = store::deleted(change, child, since, session)?;
            let activity = record.and_then(|record| record.activity);
            store::remove_deleted(change, child, since, session)?;
            let placed = transcripts.show(change, &access, session)?;
            retention.count_again(change, &access, &placed, activity)?;
            let what = ChildChange::SessionUndeleted;
            Ok(retention.note(change, &access, what, by)?)
        });
        back.await?
    }

    /// Finds a deleted session that can still be restored.
    fn hidden(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<HiddenSession, RetentionError> {
        let transcripts = &self.dependencies.transcripts;
        let hidden = transcripts.find_hidden(view, access, session)?;
        let hidden = hidden.ok_or(TranscriptsError::NoSuchSession)?;
        let until = self.until(view, access.child(), hidden.since, session)?;
        if self.due.due().has_come(until) {
            Err(TranscriptsError::NoSuchSession.into())
        } else {
            Ok(hidden)
        }
    }

    /// The latest time at which a deleted session can be restored.
    fn until(
        &self,
        view: &impl Read,
        child: ChildId,
        since: Timestamp,
        session: SessionId,
    ) -> Result<Timestamp, StoreError> {
        let guardians = self.dependencies.children.guardians_of(view, child)?;
        match store::deleted(view, child, since, session) {
            Ok(Some(record)) => Ok(record.until(&guardians)),
            Ok(None) => Ok(since.after(KEPT)),
            // It is unknown who deleted it and who was shown it.
            Err(StoreError::Unreadable(_)) if guardians.len() < 2 => Ok(since.after(KEPT)),
            Err(StoreError::Unreadable(_)) => Ok(since.after(KEPT_UNSEEN)),
            Err(error) => Err(error),
        }
    }

    /// Records that a guardian was shown these deleted sessions. Ignores sessions that can't be restored any more.
    pub async fn note_shown(
        &self,
        access: ChildAccess,
        to: GuardianId,
        sessions: Vec<SessionId>,
    ) -> Result<(), RetentionError> {
        let retention = self.clone();
        let noted = self.store.commit_for(Purpose::Essential, move |change| {
            let (now, child) = (retention.clock.now(), access.child());
            for session in sessions {
                let hidden = match retention.hidden(change, &access, session) {
                    Ok(hidden) => hidden,
                    Err(RetentionError::Transcripts(TranscriptsError::NoSuchSession)) => continue,
                    Err(error) => return Err(error),
                };
                let record = store::deleted(change, child, hidden.since, session)?;
                if let Some(mut record) = record
                    && !record.shown.contains_key(&to)
                {
                    record.shown.insert(to.clone(), now);
                    store::put_deleted(change, child, &record)?;
                }
            }
            Ok(())
        });
        noted.await?
    }

    /// Records how a hidden session went, for when it is restored. Fails if it isn't this child's.
    pub fn complete_hidden(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        placed: PlacedSession,
        completion: Completion,
    ) -> Result<(), RetentionError> {
        let (session, topic) = (placed.session.session_id, placed.session.topic);
        self.edit_deleted(change, access, session, |record| {
            let before = record.activity.take();
            record.activity = Some(completion.of_session(session, placed.date, topic, before));
        })
    }

    /// Undoes a hidden session's completion. Fails if it isn't this child's.
    pub fn reopen_hidden(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<(), RetentionError> {
        self.edit_deleted(change, access, session, |record| record.activity = None)
    }

    fn edit_deleted(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        edit: impl FnOnce(&mut DeletedRecord),
    ) -> Result<(), RetentionError> {
        let transcripts = &self.dependencies.transcripts;
        let Some(hidden) = transcripts.find_hidden(change, access, session)? else {
            return Ok(());
        };
        if let Some(mut record) = store::deleted(change, access.child(), hidden.since, session)? {
            edit(&mut record);
            store::put_deleted(change, access.child(), &record)?;
        }
        Ok(())
    }

    fn note(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        what: ChildChange,
        by: GuardianId,
    ) -> Result<(), StoreError> {
        let entry = Entry::new(self.clock.now(), what, Some(by));
        self.dependencies.history.note(change, access, entry)
    }
}
