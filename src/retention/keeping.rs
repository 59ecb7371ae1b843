//! Sessions that a guardian keeps aren't deleted for their age. Each guardian keeps sessions for themselves, and any one of them
//! is enough. It hinders nobody from deleting a session.

use super::store::keeps;
use super::{Dependencies, Retention, RetentionError};
use crate::children::history::Author;
use crate::children::{ChildAccess, SessionId};
use crate::conversations::transcripts::TranscriptsError;
use crate::identity::{Caller, GuardianId, SignedIn};
use crate::kernel::store::{Change, Purpose, StoreError};

impl Retention {
    /// The guardians who keep a session, as `reader` sees them. Fails if it isn't this child's.
    pub fn kept_by(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        session: SessionId,
    ) -> Result<Vec<Author>, RetentionError> {
        self.dependencies.transcripts.get_session(access, session)?;
        let keep = keeps::record(&self.store, access.child(), session)?;
        if !keep.is_kept() {
            return Ok(Vec::new());
        }
        let Dependencies {
            children, history, ..
        } = &self.dependencies;
        let guardians = children.guardians_of(&self.store, access.child())?;
        let mut authors = Vec::new();
        for guardian in keep.keepers(guardians) {
            authors.extend(history.author(&self.store, access, reader, &guardian)?);
        }
        authors.sort_by_key(|author| !author.is_you);
        Ok(authors)
    }

    /// Records whether a guardian keeps a session. Idempotent. Fails if it is deleted, or isn't this child's.
    pub async fn keep(
        &self,
        access: ChildAccess,
        by: GuardianId,
        session: SessionId,
        kept: bool,
    ) -> Result<(), RetentionError> {
        let retention = self.clone();
        let purpose = Purpose::essential_if(!kept);
        let done = self.store.commit_for(purpose, move |change| {
            let Self {
                clock,
                dependencies,
                ..
            } = &retention;
            let child = access.child();
            // Access may have ended meanwhile, and then nothing of theirs may hold a session.
            let caller = Caller::Guardian(by.clone());
            dependencies.children.access_in(change, &caller, child)?;
            let transcripts = &dependencies.transcripts;
            if transcripts.find_hidden(change, &access, session)?.is_some() {
                return Err(TranscriptsError::NoSuchSession.into());
            }
            let mut keep = keeps::record(change, child, session)?;
            keep.by = keep.keepers(dependencies.children.guardians_of(change, child)?);
            keep.by_everyone = false;
            if kept {
                keep.by.insert(by);
            } else if keep.by.remove(&by) {
                keep.count_from(clock.now());
            }
            Ok(keeps::put_record(change, child, session, &keep)?)
        });
        done.await
    }

    /// The age of a session that was moved or restored counts from now. `kept_by` keeps it.
    pub(super) fn begin_age(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        kept_by: Option<GuardianId>,
    ) -> Result<(), StoreError> {
        let mut keep = keeps::record(change, access.child(), session)?;
        keep.was_left = false;
        keep.count_from(self.clock.now());
        keep.by.extend(kept_by);
        keeps::put_record(change, access.child(), session, &keep)
    }
}
