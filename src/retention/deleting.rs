//! Deleting a session, so that it can still be restored, and restoring it.

use std::collections::BTreeMap;

use super::store::{self, DeletedBy, DeletedRecord, RESTORABLE_FOR, RESTORABLE_UNSEEN_FOR};
use super::{ChildChange, Retention, RetentionError};
use crate::children::feature::{DetachedData, OfSession};
use crate::children::{ChildAccess, ChildId, ChildrenError, SessionId};
use crate::conversations::transcripts::{HiddenSession, PlacedSession, TranscriptsError};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Purpose, Read, StoreError, readable};

impl Retention {
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
            retention.hide(change, &access, session, DeletedBy::Guardian(by.clone()))?;
            Ok(retention.record(change, &access, ChildChange::SessionDeleted, by)?)
        });
        deleted.await
    }

    pub(super) fn of_session(&self) -> impl Iterator<Item = &'static OfSession> {
        let features = self.features.iter();
        features.filter_map(|feature| feature.of_session.as_ref())
    }

    /// Removes a session from all lists and counts, but doesn't remove the session itself.
    pub(super) fn take_out(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<DetachedData, StoreError> {
        let mut taken = DetachedData::default();
        for feature in self.of_session() {
            (feature.take_out)(change, access, session, &mut taken)?;
        }
        Ok(taken)
    }

    /// Lists and counts a session that was [taken out](Self::take_out), in its present form and for its present child.
    pub(super) fn put_back(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        placed: PlacedSession,
        taken: &DetachedData,
    ) -> Result<(), ChildrenError> {
        let facts = placed.facts(self.clock.now());
        for feature in self.of_session() {
            (feature.put_back)(change, access, &facts, taken)?;
        }
        Ok(())
    }

    /// Moves a visible session to the deleted ones.
    pub(super) fn hide(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        by: DeletedBy,
    ) -> Result<(), RetentionError> {
        let taken_out = self.take_out(change, access, session)?;
        let record = DeletedRecord {
            session_id: session,
            at: self
                .dependencies
                .transcripts
                .hide(change, access, session)?,
            by,
            words_at: None,
            shown: BTreeMap::new(),
            taken_out,
        };
        Ok(store::put_deleted(change, access.child(), &record)?)
    }

    /// Lists a deleted session again.
    pub(super) fn unhide(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        since: Timestamp,
        session: SessionId,
        taken: &DetachedData,
    ) -> Result<PlacedSession, RetentionError> {
        store::remove_deleted(change, access.child(), since, session)?;
        let placed = self
            .dependencies
            .transcripts
            .show(change, access, session)?;
        self.put_back(change, access, placed.clone(), taken)?;
        Ok(placed)
    }

    /// Restores a deleted session. If it was deleted for its age, the guardian keeps it from then on. Idempotent. Fails if it is
    /// no longer there, or isn't this child's.
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
            let record = store::deleted(change, access.child(), since, session)?;
            let (was_by, taken) = record.map(|record| (record.by, record.taken_out)).unzip();
            retention.unhide(change, &access, since, session, &taken.unwrap_or_default())?;
            // Otherwise it would be deleted for its age again.
            let keeps = matches!(was_by, Some(DeletedBy::Retention { .. }));
            retention.begin_age(change, &access, session, keeps.then(|| by.clone()))?;
            let what = ChildChange::SessionUndeleted;
            Ok(retention.record(change, &access, what, by)?)
        });
        back.await
    }

    /// Finds a deleted session that can still be restored.
    pub(super) fn hidden(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<HiddenSession, RetentionError> {
        let transcripts = &self.dependencies.transcripts;
        let hidden = transcripts.find_hidden(view, access, session)?;
        let hidden = hidden.ok_or(TranscriptsError::NoSuchSession)?;
        let until = self.until(view, access.child(), hidden.since, session)?;
        if self.due.due().is_due(until) {
            Err(TranscriptsError::NoSuchSession.into())
        } else {
            Ok(hidden)
        }
    }

    /// The latest time at which a deleted session can be restored.
    pub(super) fn until(
        &self,
        view: &impl Read,
        child: ChildId,
        since: Timestamp,
        session: SessionId,
    ) -> Result<Timestamp, StoreError> {
        let guardians = self.dependencies.children.guardians_of(view, child)?;
        Ok(
            match readable(store::deleted(view, child, since, session))? {
                Some(Some(record)) => record.until(&guardians),
                Some(None) => since.after(RESTORABLE_FOR),
                // It is unknown who deleted it and who was shown it.
                None if guardians.len() < 2 => since.after(RESTORABLE_FOR),
                None => since.after(RESTORABLE_UNSEEN_FOR),
            },
        )
    }

    /// Records that a guardian was shown these deleted sessions. Ignores sessions that can't be restored any more.
    pub async fn record_shown(
        &self,
        access: ChildAccess,
        to: GuardianId,
        sessions: Vec<SessionId>,
    ) -> Result<(), RetentionError> {
        let retention = self.clone();
        let noted = self.store.commit_for(Purpose::Essential, move |change| {
            // The others would learn when this guardian's page was open.
            change.publish_nothing();
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
                    record.record_shown(&to, now);
                    store::put_deleted(change, child, &record)?;
                }
            }
            Ok(())
        });
        noted.await
    }

    /// Edits what the features keep of a hidden session, for when it is restored. Fails if it isn't this child's.
    pub fn edit_taken_out(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        edit: impl FnOnce(&mut DetachedData) -> Result<(), StoreError>,
    ) -> Result<(), RetentionError> {
        let transcripts = &self.dependencies.transcripts;
        let Some(hidden) = transcripts.find_hidden(change, access, session)? else {
            return Ok(());
        };
        if let Some(mut record) = store::deleted(change, access.child(), hidden.since, session)? {
            edit(&mut record.taken_out)?;
            store::put_deleted(change, access.child(), &record)?;
        }
        Ok(())
    }
}
